"""Agents for requests: made by name, kept for the next request, one request at a time each."""

from __future__ import annotations

from contextlib import contextmanager
from math import isfinite, nan

from .. import agents
from ..core import check, random64
from ..tools import forks
from ..tools.failures import told
from .boards import number_of, whole
from .errors import RequestError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from ..games.base import GameBase

    Key = tuple[str, float | None, int | None]

QUICK = ("random", "greedy", "network")  # these take microseconds
_KEPT = 8  # idle agents; a search holds 16 MB


class Thinkers:
    """The agents that requests may name.

    own: more agents, name -> what makes one. default: the name where a request gives none.
    limit_ms: the most milliseconds a move.
    """

    def __init__(self, own: Mapping[str, Callable[[], Any]], default: str, limit_ms: float) -> None:
        self.own, self.default, self.limit_ms = dict(own), default, limit_ms
        self._idle: list[tuple[Key, Any]] = []
        self._lock = forks.Lock()

    @property
    def names(self) -> list[str]:
        """The names, the default one first."""
        return sorted({*self.own, *agents.AGENTS}, key=lambda name: (name != self.default, name in agents.AGENTS))

    def key(self, request: dict[str, Any]) -> Key:
        """Which agent a request wants."""
        name, ms, depth = request.get("agent"), request.get("milliseconds"), request.get("depth")
        name = self.default if name is None else name
        if not isinstance(name, str) or (name not in self.own and name not in agents.AGENTS):
            raise RequestError(422, f"agent must be one of {', '.join(self.names)}; got {str(name)[:60]!r}")
        options = {} if name in self.own else agents.OPTIONS[name]
        for value, option in ((depth, "depth"), (ms, "milliseconds")):
            if value is not None and option not in options:
                raise RequestError(422, f"agent {name} has no {option}")
        return (
            name,
            None if ms is None else number_of(ms, "milliseconds", 0.1, self.limit_ms),
            None if depth is None else whole(depth, "depth", 0, 20),
        )

    def is_quick(self, request: dict[str, Any]) -> bool:
        """Whether what a request wants takes microseconds."""
        name = request.get("agent", self.default)
        return name in QUICK and name not in self.own

    @contextmanager
    def borrowed(self, key: Key) -> Iterator[Any]:
        """An agent that nobody else uses meanwhile."""
        agent = None
        with self._lock:
            for i, (kept, idle) in enumerate(self._idle):
                if kept == key:
                    agent = idle
                    del self._idle[i]
                    break
        agent = self._made(*key) if agent is None else agent
        yield agent  # one that failed is not kept
        with self._lock:
            self._idle = [*self._idle[1 - _KEPT :], (key, agent)]

    def _made(self, name: str, ms: float | None, depth: int | None) -> Any:
        if name in self.own:
            return self.own[name]()
        if name == "montecarlo":
            return agents.MonteCarlo(milliseconds=min(20.0, self.limit_ms) if ms is None else ms)
        if name != "expectimax":
            return agents.create(name)
        if ms is not None:
            return agents.expectimax(depth, ms)
        # As the agent of this name does; the limit only ends what would take too long.
        if depth is None:
            return agents.expectimax(None, self.limit_ms, boards=agents.NETWORK_BOARDS)
        return agents.expectimax(depth, self.limit_ms, adaptive=True)


def think(agent: Any, name: str, game: GameBase, index: int) -> tuple[int, list[float]]:
    """The direction that an agent chooses on the board of a game, and the values, nan where illegal or not given.

    index: of the move; an agent that draws random numbers begins with one of the game's seed and this, so that
    the same board, seed and move have the same answer. Raises RequestError where the game is over or the agent fails.
    """
    legal = game.legal
    if not legal:
        raise RequestError(422, "no direction is legal on this board: the game is over")
    board = game.board
    if name in agents.PACKED_ONLY and not isinstance(board, int):
        raise RequestError(
            422, f"agent {name} plays 4x4 boards of the usual rules with tiles to 131072 alone; greedy plays any"
        )
    try:
        agents.begin(agent, game.rules, random64(game.seed, index))
        if hasattr(agent, "values"):
            values = [float(value) if legal >> d & 1 else nan for d, value in enumerate(agent.values(board))]
            if any(isfinite(value) for value in values):
                return agents.best(values), values
        chosen = agent(board)
    except Exception as error:
        raise RequestError(500, f"agent {name} failed: {told(error)}") from error
    try:
        direction = check.direction(chosen)
    except ValueError as error:
        raise RequestError(500, f"agent {name}'s {error}") from error
    if not legal >> direction & 1:
        raise RequestError(500, f"agent {name} chose {direction}, which is not legal here")
    return direction, [nan] * 4
