"""Agents: what chooses the slides.

An agent is anything callable as agent(board) -> direction, a function too; board is an int (a list of
lists in games of bitboard.grid), and the direction what bitboard.move() takes: 0 to 3, or U R D L, of which D is down
(also for who thinks of the keys W A S D). Three methods are used where an agent has them:
  start(seed)    called before each game with the game's seed: forget the last game, and take randomness from
                 the seed, so that the same seed gives the same game
  play_by(rules) called before each game with the game's `rules`: rows, columns, spawn (pairs of an exponent and its
                 weight) and top (an exponent, two tiles of which do not merge)
  values(board)  four floats in the order U R D L, nan where illegal: what the agent thinks of each direction

Shipped, by name (bitboard watch --agent NAME); strength as measured by tests/bench/games.py:
  random      any legal direction
  greedy      the largest reward, then the most empty cells
  montecarlo  the best mean score of random games played from each slide
  expectimax  bitboard.Expectimax over the shipped network; by far the strongest (README)
  network     the direction that the shipped bitboard.NTupleNetwork, or another, values most: a microsecond a move
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import nan
from time import perf_counter
from typing import Any, NamedTuple, SupportsIndex

from .core import afterstates, check, choose, empty_count, legal_moves, random64, stream
from .tools import checks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .games.rules import Rules
    from .networks import NTupleNetwork
    from .search.expectimax import Expectimax
    from .search.row_tables import RowTable

    Agent = Callable[[Any], Any]
else:
    Agent = Any  # found by typing.get_type_hints()
    RowTable = Any
    Expectimax = NTupleNetwork = Rules = Any

__all__ = [
    "AGENTS",
    "OPTIONS",
    "Greedy",
    "MonteCarlo",
    "Option",
    "Random",
    "begin",
    "best",
    "create",
    "expectimax",
    "name_of",
]


NETWORK_BOARDS = 35  # of a search over a network, if nothing is given: 0.1 ms a move on a Zen 5, 0.25 on a Zen 3
NETWORK_PRUNE = 1000.0  # points
PRUNE = 160.0  # of Expectimax, in units of the shipped table, to which a live board is worth at most about 8,000


def best(values: Iterable[float]) -> int:
    """The direction with the largest of four values, the first of equals; nan is illegal.

    Raises ValueError if all are nan: the game is over.

    >>> best((float("nan"), 1.0, 3.0, 3.0))
    2
    """
    top, choice = nan, -1
    for direction, value in enumerate(values):
        if value == value and (choice < 0 or value > top):
            top, choice = value, direction
    if choice < 0:
        raise ValueError("no direction is legal on this board: the game is over")
    return choice


class Random:
    """Any legal direction, each as likely. Mean score about 1,090.

    seed: the game's seed, until start() gives another: choice i takes number i of stream(seed, 1), so that it
    does not disturb the spawns (bitboard.Game uses the seed itself).

    >>> Random(seed=1)(0x1000_0000_0000_0000)
    2
    """

    name = "random"
    _top: int | None = None  # the largest tile of grids

    def __init__(self, seed: SupportsIndex = 0) -> None:
        self.start(seed)

    def start(self, seed: SupportsIndex) -> None:
        """Begin a game with this seed."""
        self._stream, self._choices = stream(check.word(seed, "seed"), 1), 0

    def play_by(self, rules: Rules) -> None:
        """Play games by these rules from now on."""
        self._top = 2**rules.top

    def __call__(self, board: Any) -> int:
        mask = _legal(board, self._top)
        legal = [direction for direction in range(4) if mask >> direction & 1]
        if not legal:
            raise ValueError("no direction is legal on this board: the game is over")
        number = random64(self._stream, self._choices)
        self._choices += 1
        return legal[choose(number, len(legal))]


class Greedy:
    """The largest reward now; of equals the one that leaves most cells empty, then the first of U R D L.

    Mean score about 3,000.

    >>> import bitboard
    >>> bitboard.agents.Greedy()(bitboard.parse("2 2 0 0  4 0 0 0  4 0 0 0  0 0 0 0"))
    0
    """

    name = "greedy"
    _top: int | None = None  # the largest tile of grids

    def play_by(self, rules: Rules) -> None:
        """Play games by these rules from now on."""
        self._top = 2**rules.top

    def __call__(self, board: Any) -> int:
        if type(board) is not int:
            return best(self.values(board))
        top = choice = -1
        for direction, after, reward in afterstates(board):
            value = reward << 4 | empty_count(after)  # after a slide that is legal at most 15 cells are empty
            if value > top:
                top, choice = value, direction
        return choice if choice >= 0 else best(())

    def values(self, board: Any) -> tuple[float, ...]:
        """The reward of each direction, plus less than one point for the cells that it leaves empty."""
        values = [nan] * 4
        if _is_packed(board):
            for direction, after, reward in afterstates(board):
                values[direction] = reward + empty_count(after) / 16
            return tuple(values)
        from . import grid

        legal = grid.legal_moves(board, top=self._top)
        for d in range(4):
            if legal >> d & 1:
                slid, reward = grid.slide_with_reward(board, d, top=self._top)
                cells = [face for row in slid for face in row]
                values[d] = reward + cells.count(0) / len(cells)
        return tuple(values)


class MonteCarlo:
    """The best mean score of random games played from each legal slide (flat Monte-Carlo).

    playouts: how many random games after each legal slide.
    milliseconds: play as many as fit into this time instead, in rounds of 16 a slide (such games cannot be
    repeated exactly). seed: until start() gives the game's; move i takes number i of stream(seed, 2).
    threads: of the playouts. A 4x4 board only. Strength: README, measured by tests/bench/games.py.
    Raises ValueError for a bad number.

    >>> import bitboard
    >>> bitboard.agents.MonteCarlo(playouts=50)(bitboard.parse("64 64 2 4  2 4 8 16  4 8 16 2  8 16 2 4")) in (1, 3)
    True
    """

    name = "montecarlo"

    def __init__(
        self,
        playouts: SupportsIndex = 200,
        milliseconds: float | None = None,
        seed: SupportsIndex = 0,
        threads: SupportsIndex = 1,
    ) -> None:
        self.playouts = checks.integer(playouts, "playouts", 1, 10**9)
        self.milliseconds = (
            None if milliseconds is None else checks.number(milliseconds, "milliseconds", 0.001, 3_600_000)
        )
        self.threads = checks.integer(threads, "threads", 1)
        self.start(seed)

    def start(self, seed: SupportsIndex) -> None:
        """Begin a game with this seed."""
        self._stream, self._choices = stream(check.word(seed, "seed"), 2), 0

    def __call__(self, board: SupportsIndex) -> int:
        return best(self.values(board))

    def values(self, board: SupportsIndex) -> tuple[float, ...]:
        """The reward of each slide and the mean score of the random games after it; a call is a new sample."""
        from .many.playout import playouts

        values = [nan] * 4
        slides = afterstates(board)
        if not slides:
            return tuple(values)
        seed = random64(self._stream, self._choices)
        self._choices += 1
        boards = [after for _, after, _ in slides]
        if self.milliseconds is None:
            played = playouts(boards, self.playouts, seed, threads=self.threads, afterstates=True)
            sums, rounds = list(played.mean_scores), 1
        else:
            end, rounds, sums = perf_counter() + self.milliseconds / 1000, 0, [0.0] * len(slides)
            while not rounds or perf_counter() < end:
                means = playouts(boards, 16, stream(seed, rounds), threads=self.threads, afterstates=True).mean_scores
                sums = [total + mean for total, mean in zip(sums, means, strict=True)]
                rounds += 1
        for (direction, _, reward), total in zip(slides, sums, strict=True):
            values[direction] = reward + total / rounds
        return tuple(values)


def expectimax(
    depth: SupportsIndex | None = None,
    milliseconds: float | None = None,
    table: RowTable | str | None = None,
    network: NTupleNetwork | str | None = None,
    **options: Any,
) -> Expectimax:
    """The agent of this name: a bitboard.Expectimax over the shipped network. 4x4 boards only.

    depth: if nothing is given boards=35 chooses it, with a table it is 3. milliseconds: its time_ms, a budget instead.
    network: an NTupleNetwork, or the name of a file. table: a RowTable, or the name of a file, instead of a network.
    Other options go to Expectimax; unless given four_layers=2, without a budget adaptive=True, and prune=1000 (points)
    with a network, 160 with RowTable.default(): two hundredths of what a live board is worth to that.

    >>> expectimax(depth=1)(0x1000_0000_0000_0000) in (1, 2)
    True
    """
    from .search.expectimax import Expectimax
    from .search.row_tables import RowTable

    if isinstance(table, str):
        table = RowTable.load(table)
    if isinstance(network, str) or (network is None and table is None and options.get("evaluator") is None):
        network = _network(network)
    budget = milliseconds is not None or options.get("nodes") is not None or options.get("boards") is not None
    prune = None
    if network is not None:
        prune = NETWORK_PRUNE
        if depth is None and not budget:
            options["boards"], budget = NETWORK_BOARDS, True
    elif table is not None and table == RowTable.default():
        prune = PRUNE
    options = {"four_layers": 2, "adaptive": not budget, "prune": prune} | options
    return Expectimax(depth, table, network=network, time_ms=milliseconds, **options)


def _network(network: str | None = None) -> NTupleNetwork:
    """The agent of this name: the network of a file, or the shipped one, without a search."""
    from .networks import NTupleNetwork

    return NTupleNetwork.default() if network is None else NTupleNetwork.load(network)


AGENTS: dict[str, Callable[..., Agent]] = {
    "random": Random,
    "greedy": Greedy,
    "montecarlo": MonteCarlo,
    "network": _network,
    "expectimax": expectimax,
}
PACKED_ONLY = ("montecarlo", "expectimax", "network")  # the others play grids of any size too


class Option(NamedTuple):
    """An option of an agent, to be offered by programs such as the command line: a keyword argument of create()."""

    kind: type  #: int, float, or str for the name of a file
    metavar: str  #: what stands for a value in a help text
    text: str  #: what it is


_MILLISECONDS = Option(float, "T", "time a move instead")
_NETWORK = Option(str, "FILE", "a network that `train` wrote, or a .w file (default: the shipped one)")
OPTIONS: dict[str, dict[str, Option]] = {
    "random": {},
    "greedy": {},
    "montecarlo": {
        "playouts": Option(int, "N", "random games after each slide (default: 200)"),
        "milliseconds": _MILLISECONDS,
    },
    "expectimax": {
        "depth": Option(int, "N", "how many spawns ahead (default: 2 or more, by the board; with a table 3)"),
        "network": _NETWORK,
        "table": Option(str, "FILE", "a row table that RowTable.save() wrote, instead of a network"),
        "milliseconds": _MILLISECONDS,
    },
    "network": {"network": _NETWORK},
}


def create(name: str, **options: Any) -> Agent:
    """The agent of a name of AGENTS, or `module:attribute`, your own: a function, or an object or class.

    options go to the class (playouts=400). A class or a factory that takes no board is called to make the agent.
    Raises ValueError for an unknown name, an option that it does not have and an agent of your own that cannot be made,
    ImportError for a module that is not there or fails: with the place in your code.

    >>> create("montecarlo", playouts=50).playouts
    50
    """
    if ":" in name:
        found = _own(name)
        if not isinstance(found, type):
            if options:
                raise ValueError(f"{name} is ready made and takes no {', '.join(options)}")
            return found  # type: ignore[no-any-return]
    elif name in AGENTS:
        found = AGENTS[name]
    else:
        raise ValueError(f"agent must be one of {', '.join(AGENTS)}, or module:attribute of your own; got {name!r}")
    try:
        agent: Agent = found(**options)
    except TypeError as error:
        raise ValueError(f"agent {name}: {_told(error) if ':' in name else error}") from error
    except Exception as error:
        if ":" not in name:
            raise
        raise ValueError(f"agent {name}: {_told(error)}") from error
    return agent


def begin(agent: Any, rules: Rules, seed: int) -> None:
    """Tell an agent of a game that begins: its rules and its seed, where the agent asks for them."""
    if hasattr(agent, "play_by"):
        agent.play_by(rules)
    if hasattr(agent, "start"):
        agent.start(seed)


def _own(name: str) -> Any:
    """What `module:attribute` names."""
    from importlib import import_module

    place, _, attribute = name.partition(":")
    if not place or not attribute:
        raise ValueError(f"an agent of your own must be module:attribute, got {name!r}")
    try:
        module = import_module(place)
    except (Exception, SystemExit) as error:  # SystemExit: a script that is run whole, as one without __main__
        if isinstance(error, ModuleNotFoundError) and error.name == place:
            raise
        raise ImportError(f"module {place} cannot be imported: {_told(error)}") from error
    if not hasattr(module, attribute):
        raise ValueError(f"module {place} has no agent {attribute!r}")
    return getattr(module, attribute)


def _told(error: BaseException) -> str:
    from .tools.failures import told

    return told(error)


def name_of(agent: Any) -> str:
    """What to call an agent: its `name`, its __name__, or its class."""
    return str(getattr(agent, "name", None) or getattr(agent, "__name__", None) or type(agent).__name__)


def _is_packed(board: Any) -> bool:
    """Whether a board is one integer, not a grid."""
    return not hasattr(board, "__len__")


def _legal(board: Any, top: int | None) -> int:
    """The mask of legal directions of a packed board, or of a grid with this largest tile."""
    if _is_packed(board):
        return legal_moves(board)
    from . import grid

    return grid.legal_moves(board, top=top)
