"""Many games by one agent, and the numbers that one may quote. bitboard.evaluate."""

from __future__ import annotations

import json
from contextlib import suppress
from math import sqrt
from time import perf_counter
from typing import Any, SupportsIndex

from .agents import name_of
from .core import (
    BACKEND,
    MOVES,
    REWARDS,
    __version__,
    check,
    is_saturated,
    legal_moves,
    max_exponent,
    random64,
    spawn,
    stream,
)
from .games.classic import Game
from .tools import checks, progress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from concurrent.futures import Executor, Future
else:
    Executor = Any  # found by typing.get_type_hints()

__all__ = ["Evaluation", "evaluate"]

MILESTONES = (512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072)
SPAWN_LAW = "2 (9 in 10) or 4 (1 in 10) in an empty cell chosen uniformly"

LARGEST_CHUNK = 200  # games that a process plays before it reports

# One finished game: index, score, moves, largest tile, whether two 32768 tiles ever met, seconds.
Result = tuple[int, int, int, int, bool, float]
FIELDS = ("game", "score", "moves", "largest", "saturated", "seconds")


def evaluate(
    agent: Any,
    games: SupportsIndex = 100,
    seed: SupportsIndex = 0,
    *,
    workers: SupportsIndex | Executor = 1,
) -> Evaluation:
    """Let an agent play games, and sum up.

    agent: callable as agent(board) -> direction; its start(seed), if it has one, is called before each game. Past 32768
    the board is a packed view (bitboard.pack_view), while score and largest tile are exact, to 131072.
    games: how many; game `index` is the game of seed stream(seed, index), so the games are the same for any
    workers and the first ones are the same for more games, if the agent chooses by board and start() alone.
    workers: 1 plays here; a larger number starts so many processes; an Executor of concurrent.futures is used as
    it is: a pool of processes or threads of your own, or the executors of dask.distributed and mpi4py.futures on many
    machines. Each chunk of games is played by a copy of the agent (copy.deepcopy; an agent that cannot be copied is
    shared by threads and must then keep nothing from move to move).
    Processes need an agent that can be pickled, and `if __name__ == "__main__":` around the call in a script.
    A progress bar is shown on a terminal, with rich. Interrupted (Ctrl-C), it returns the games finished so far and
    `interrupted` is True; with none finished, KeyboardInterrupt goes on.
    Raises TypeError for an agent that is not callable or cannot be pickled where it must be, ValueError for a bad
    number and for an agent that chooses an illegal direction, RuntimeError from what the agent raises itself.
    The last two name the game and the move, and the games finished before are in their attribute `evaluation`, an
    Evaluation, or None if there are none.

    >>> import bitboard
    >>> result = bitboard.evaluate(bitboard.agents.Greedy(), games=20, seed=1)
    >>> result.games, result.mean_score, result.interval[0] < result.mean_score < result.interval[1]
    (20, 2449.2, True)
    """
    if not callable(agent):
        raise TypeError(f"agent must be callable as agent(board), and {type(agent).__name__} is not")
    number, seed = checks.integer(games, "games", 1), check.word(seed, "seed")
    began = perf_counter()
    results: list[Result] = []
    interrupted = False

    def evaluation(interrupted: bool) -> Evaluation:
        return Evaluation(name_of(agent), seed, number, sorted(results), perf_counter() - began, interrupted)

    with progress.bar(number, name_of(agent), "games") as advance:
        try:
            if hasattr(workers, "submit"):
                _in_executor(workers, agent, number, seed, results, advance, 256, None)
            else:
                processes = min(checks.integer(workers, "workers", 1, 1024), number)
                if processes == 1:
                    for index in range(number):
                        results += _chunk(agent, seed, index, index + 1)
                        advance(1)
                else:
                    _in_processes(processes, agent, number, seed, results, advance)
        except KeyboardInterrupt:
            if not results:
                raise
            interrupted = True
        except (ValueError, RuntimeError) as error:
            error.evaluation = evaluation(True) if results else None  # type: ignore[union-attr]
            raise
    return evaluation(interrupted)


def _game(agent: Any, seed: int, index: int) -> Result | None:
    """Game `index`: the same as bitboard.Game(seed=stream(seed, index)), without keeping the moves.

    None if `_stop` was set before its end.
    """
    began = perf_counter()
    own = stream(seed, index)
    if hasattr(agent, "start"):
        try:
            agent.start(own)
        except Exception as error:
            raise _failure(index, "start()", error) from error
    board = spawn(spawn(0, random64(own, 0)), random64(own, 1))
    score, moves = 0, 0
    exact: Any = None  # past 32768 the exact board, of which `board` is the view, and `wide` knows the rules
    wide: Game | None = None
    while legal_moves(board):
        if _stop is not None and not moves & 31 and _stop.is_set():
            return None
        try:
            direction = agent(board)
        except Exception as error:
            raise _failure(index, f"move {moves + 1}", error) from error
        if type(direction) is not int or not 0 <= direction <= 3:
            try:
                direction = check.direction(direction)
            except ValueError as error:
                raise ValueError(f"game {index}, move {moves + 1}: the agent's {error}") from None
        after = MOVES[direction](board)
        if after == board:
            raise ValueError(
                f"game {index}, move {moves + 1}: the agent chose {direction!r}, which is illegal on {board:016x}"
            )
        if wide is None:
            score, moves = score + REWARDS[direction](board), moves + 1
            board = spawn(after, random64(own, 1 + moves))
            if is_saturated(board):
                wide = Game(own, board)
                exact, board = wide._boards[0], wide.board
            continue
        exact, earned = wide._slide(exact, direction)
        exact = wide._place(exact, *wide._own_spawn(exact, moves))
        score, moves, board = score + earned, moves + 1, wide._shown(exact)
    largest = max_exponent(board) if wide is None else max(wide._exponents(exact))
    return index, score, moves, 2**largest, wide is not None, perf_counter() - began


def _failure(index: int, where: str, error: Exception) -> RuntimeError:
    """What to raise where the agent raised an exception of its own: its place in the agent's code, in a line."""
    from traceback import extract_tb

    place = extract_tb(error.__traceback__)[-1]
    what = f"{type(error).__name__}: {error} ({place.filename}, line {place.lineno})"
    return RuntimeError(f"game {index}, {where}: the agent raised {what}")


_stop: Any = None  # in a process of ours: set when the games should end; looked at every 32 moves


def _prepare(stop: Any) -> None:
    """Begin a process: the parent alone hears Ctrl-C, and says by `stop` when to end."""
    import signal

    global _stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _stop = stop


def _chunk(agent: Any, seed: int, first: int, last: int) -> list[Result]:
    """Games first .. last - 1, those finished before `_stop`."""
    results = []
    for index in range(first, last):
        result = _game(agent, seed, index)
        if result is None:
            break
        results.append(result)
    return results


def _chunk_by_copy(agent: Any, seed: int, first: int, last: int) -> list[Result]:
    """_chunk() by an agent of its own, since other threads play with the same one."""
    from copy import deepcopy

    with suppress(Exception):  # it may hold what cannot be copied, such as a lock: shared, as documented
        agent = deepcopy(agent)
    return _chunk(agent, seed, first, last)


def _in_processes(processes: int, agent: Any, games: int, seed: int, results: list[Result], advance: Any) -> None:
    """Play in processes of our own."""
    import multiprocessing
    import pickle
    from concurrent.futures import ProcessPoolExecutor

    try:
        pickle.dumps(agent)
    except Exception as error:
        raise TypeError(f"an agent for several processes must be one that can be pickled: {error}") from error

    context = multiprocessing.get_context()
    stop = context.Event()
    with ProcessPoolExecutor(processes, context, _prepare, (stop,)) as pool:
        _in_executor(pool, agent, games, seed, results, advance, 4 * processes, stop)


def _in_executor(
    pool: Any, agent: Any, games: int, seed: int, results: list[Result], advance: Any, window: int, stop: Any
) -> None:
    """Play in an executor, in chunks of neighbouring games, at most `window` of them waiting or running."""
    from concurrent.futures import FIRST_COMPLETED, wait

    chunk = _chunk_by_copy if stop is None else _chunk  # a process of ours has its own agent
    size = min(max(1, games // (window * 8)), LARGEST_CHUNK)
    pending: set[Future[list[Result]]] = set()
    first = 0
    try:
        while first < games or pending:
            while first < games and len(pending) < window:
                pending.add(pool.submit(chunk, agent, seed, first, min(first + size, games)))
                first += size
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            while done:
                finished = done.pop().result()
                results += finished
                advance(len(finished))
    except BaseException as error:
        left = [future for future in pending if not future.cancel()]
        if stop is not None:  # our own processes end soon, and say what they have
            stop.set()
            wait(left)
        if isinstance(error, KeyboardInterrupt):
            for future in left:
                if future.done() and future.exception() is None:
                    results += future.result()
        raise


class Evaluation:
    """What evaluate() found. Scores are sums of rewards: a merge into 2**k earns 2**k.

    results: one tuple a finished game, in the order of the fields: game, score, moves, largest, saturated (two 32768
    tiles met: after that the agent saw packed views, and score and largest are exact), seconds. agent, seed, wanted
    (games asked for), seconds (in all), interrupted, version, backend, spawn_law say what was measured and how.
    """

    def __init__(
        self, agent: str, seed: int, wanted: int, results: list[Result], seconds: float, interrupted: bool = False
    ) -> None:
        self.agent, self.seed, self.wanted = agent, seed, wanted
        self.results, self.seconds, self.interrupted = tuple(results), seconds, interrupted
        self.version, self.backend, self.spawn_law = __version__, BACKEND, SPAWN_LAW

    @property
    def games(self) -> int:
        """The number of finished games."""
        return len(self.results)

    @property
    def scores(self) -> list[int]:
        """The score of each game, in the order of the games."""
        return [result[1] for result in self.results]

    @property
    def moves(self) -> int:
        """The slides of all games."""
        return sum([result[2] for result in self.results])

    @property
    def mean_score(self) -> float:
        """The mean of the scores."""
        return sum(self.scores) / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the mean score, by Student's t; (nan, nan) for one game."""
        n, mean = self.games, self.mean_score
        if n == 1:
            return float("nan"), float("nan")
        deviation = sqrt(sum([(score - mean) ** 2 for score in self.scores]) / (n - 1))
        half = student_t(n - 1) * deviation / sqrt(n)
        return mean - half, mean + half

    @property
    def median(self) -> float:
        """The median of the scores."""
        scores = sorted(self.scores)
        return (scores[(self.games - 1) // 2] + scores[self.games // 2]) / 2

    @property
    def rates(self) -> dict[int, tuple[float, float, float]]:
        """Tile -> (share of games whose largest tile was that or more, low, high) with Wilson's 95% interval."""
        rates = {}
        for tile in MILESTONES:
            reached = sum([result[3] >= tile for result in self.results])
            rates[tile] = (reached / self.games, *wilson(reached, self.games))
        return rates

    @property
    def moves_per_second(self) -> float:
        """Slides of all workers together by the time on the clock."""
        return self.moves / self.seconds if self.seconds else float("inf")

    def as_dict(self) -> dict[str, Any]:
        """Everything, of plain types."""
        return {
            "agent": self.agent,
            "games": self.games,
            "wanted": self.wanted,
            "interrupted": self.interrupted,
            "seed": self.seed,
            "mean_score": self.mean_score,
            "interval": None if self.games == 1 else list(self.interval),
            "median": self.median,
            "rates": {str(tile): list(rate) for tile, rate in self.rates.items()},
            "moves": self.moves,
            "seconds": self.seconds,
            "moves_per_second": self.moves_per_second,
            "saturated_games": sum([result[4] for result in self.results]),
            "spawn_law": self.spawn_law,
            "score": "the sum of all merges, a merge into 2**k earning 2**k",
            "version": self.version,
            "backend": self.backend,
            "results": [dict(zip(FIELDS, result, strict=True)) for result in self.results],
        }

    def json(self) -> str:
        """Everything as JSON (intervals as [low, high], rates as [rate, low, high])."""
        return json.dumps(self.as_dict(), indent=1)

    def csv(self) -> str:
        """One line a game, with a heading."""
        lines = [",".join(FIELDS)]
        for index, score, moves, largest, saturated, seconds in self.results:
            lines.append(f"{index},{score},{moves},{largest},{int(saturated)},{seconds:.6f}")
        return "\n".join([*lines, ""])

    def table(self) -> str:
        """The numbers as text, several lines without a newline at the end."""
        cut = f" of {self.wanted}, interrupted" if self.interrupted else ""
        mean = f"{self.mean_score:,.0f}"
        if self.games > 1:
            mean += f"  (95% interval {self.interval[0]:,.0f} to {self.interval[1]:,.0f})"
        lines = [
            f"agent       {self.agent}",
            f"games       {self.games}{cut}, seed {self.seed}",
            f"mean score  {mean}",
            f"median      {self.median:,.0f}",
            f"speed       {self.moves_per_second:,.0f} moves/s ({self.moves:,} moves in {self.seconds:.1f} s)",
            f"spawn       {self.spawn_law}",
            f"bitboard    {self.version}, backend {self.backend}",
            "",
            "  tile   reached   95% interval",
        ]
        for tile, (rate, low, high) in self.rates.items():
            lines.append(f"{tile:>6}   {rate:7.1%}   {low:6.1%} to {high:6.1%}")
        saturated = sum([result[4] for result in self.results])
        if saturated:
            lines.append(f"In {saturated} games two 32768 tiles met; from there on the agent was given packed views.")
        return "\n".join(lines)

    __str__ = table

    def __repr__(self) -> str:
        return f"<Evaluation of {self.agent}: {self.games} games, mean score {self.mean_score:,.0f}>"


def wilson(successes: int, n: int) -> tuple[float, float]:
    """The 95% interval of a rate (E. B. Wilson, 1927).

    >>> [round(bound, 3) for bound in wilson(8, 10)]
    [0.49, 0.943]
    """
    z = 1.959963984540054
    centre = (successes + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * sqrt(successes * (n - successes) / n + z * z / 4)
    return max(0.0, centre - half), min(1.0, centre + half)


def student_t(freedom: int) -> float:
    """The 97.5% point of Student's t, within 0.01%.

    By the expansion in powers of 1/freedom about the normal one (Abramowitz and Stegun, 26.7.5).

    >>> round(student_t(9), 2), round(student_t(99), 3)
    (2.26, 1.984)
    """
    exact = (12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469)
    if freedom <= len(exact):
        return exact[freedom - 1]
    z, v = 1.959963984540054, freedom
    g1 = (z**3 + z) / 4
    g2 = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    g3 = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    g4 = (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160
    return z + g1 / v + g2 / v**2 + g3 / v**3 + g4 / v**4
