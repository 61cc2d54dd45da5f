"""The protocol: requests and answers are dicts that fit into JSON. It knows nothing of HTTP, files or processes.

README.md of this folder lists the operations with examples.
"""

from __future__ import annotations

import json
from math import isfinite
from time import monotonic

from ..core import BACKEND, __version__
from ..core.check import direction as direction_of
from ..games import picture, records
from ..games.base import GameBase, new_seed
from ..games.classic import Game
from ..games.rules import CLASSIC
from . import boards, page
from .boards import LETTERS, RULES, letters, number_of, seed_of, shown, whole
from .errors import RequestError
from .thinkers import Thinkers, think

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    Request = dict[str, Any]
    Answer = dict[str, Any]
    Cancelled = Callable[[], bool]

MOST_MOVES = 10_000  # of one `play`
MOST_POSITIONS = 1_000  # of one `analyse`
_CHOICE = ("agent", "milliseconds", "depth")


def _never() -> bool:
    return False


class Protocol:
    """Answers requests; safe for several threads at once. It keeps no games: a request says all that it needs.

    own: agents beside those of bitboard.agents, name -> what makes one. default: the agent of requests that name none.
    limit_ms: the most milliseconds of a search, and of one `play` or `analyse`.

    >>> Protocol().answer("legal", {"board": "1100000000000000"})
    {'legal': ['R', 'D', 'L'], 'over': False}
    """

    def __init__(
        self, own: Mapping[str, Callable[[], Any]] | None = None, default: str = "greedy", limit_ms: float = 2000
    ) -> None:
        self.limit_ms = limit_ms
        self.thinkers = Thinkers(own or {}, default, limit_ms)

    def answer(self, operation: str, request: Request, cancelled: Cancelled = _never) -> Answer:
        """The answer to a request. Raises RequestError, whose `status` is that of HTTP.

        cancelled: asked between moves; where it says True, the work ends with what is done.
        """
        if operation not in _OPERATIONS:
            raise RequestError(404, f"operation must be one of {', '.join(_OPERATIONS)}; got {str(operation)[:40]!r}")
        work, fields, _ = _OPERATIONS[operation]
        for name in request:
            if name not in fields:
                takes = f"takes {', '.join(fields)}" if fields else "takes nothing"
                raise RequestError(422, f"unknown field {str(name)[:40]!r}; {operation} {takes}")
        try:
            return work(self, request, cancelled)
        except RequestError:
            raise
        except (ValueError, TypeError, OverflowError) as error:
            raise RequestError(422, str(error)) from None

    def is_slow(self, operation: str, request: Request) -> bool:
        """Whether the answer may take more than a millisecond."""
        if operation not in _OPERATIONS:
            return False
        slow = _OPERATIONS[operation][2]
        return not self.thinkers.is_quick(request) if slow is None else slow

    # Operations

    def _info(self, request: Request, cancelled: Cancelled) -> Answer:
        return {
            "name": "bitboard",
            "version": __version__,
            "backend": BACKEND,
            "agents": self.thinkers.names,
            "own": list(self.thinkers.own),
            "milliseconds": self.limit_ms,
            "classic": boards.rules_json(CLASSIC),
            "operations": {name: list(fields) for name, (_, fields, _) in _OPERATIONS.items()},
        }

    def _new(self, request: Request, cancelled: Cancelled) -> Answer:
        seed = seed_of(request.get("seed"))
        given = {name: request[name] for name in RULES if request.get(name) is not None}
        rows, columns = request.get("rows", 4), request.get("columns", 4)
        seed = new_seed() if seed is None else seed
        if not given and rows == columns == 4:
            game: GameBase = Game(seed)
        else:
            from ..games.sized import Game as SizedGame

            rules = boards.rules_of(given, rows, columns)
            spawn = {2**exponent: weight for exponent, weight in rules.spawn}
            game = SizedGame(
                rules.rows, rules.columns, seed, spawn=spawn, start_tiles=rules.start_tiles, top=2**rules.top
            )
        board = game._boards[0]
        like = "" if game.rules.rows == game.rules.columns == 4 else []
        return {
            "board": shown(game, board, like),
            "seed": str(seed),
            "moves": 0,
            **_state(game, board),
            "game": boards.game_json(game),
        }

    def _legal(self, request: Request, cancelled: Cancelled) -> Answer:
        game = boards.position(request)
        return _state(game, game._boards[0])

    def _afterstates(self, request: Request, cancelled: Cancelled) -> Answer:
        game = boards.position(request)
        before, found = game._boards[0], []
        for d in range(4):
            after, reward = game._slide(before, d)
            if after != before:
                board = shown(game, after, request["board"])
                found.append({"direction": LETTERS[d], "board": board, "reward": reward})
        return {"afterstates": found}

    def _move(self, request: Request, cancelled: Cancelled) -> Answer:
        given = seed_of(request.get("seed"))
        game = boards.position(request, new_seed() if given is None else given)
        if "direction" not in request or type(request["direction"]) is bool:
            raise ValueError("the request has no direction: one of U R D L")
        before, direction = game._boards[0], direction_of(request["direction"])
        after, reward = game._slide(before, direction)
        if after == before:
            legal = " ".join(letters(game.legal)) or "none, the game is over"
            raise RequestError(409, f"sliding {LETTERS[direction]} changes nothing; legal: {legal}")
        moves = whole(request.get("moves", 0), "moves", 0, 2**53)
        cell, exponent = game._own_spawn(after, moves)
        board = game._place(after, cell, exponent)
        return {
            "board": shown(game, board, request["board"]),
            "afterstate": shown(game, after, request["board"]),
            "reward": reward,
            "spawn": {"cell": cell, "tile": 2**exponent},
            "seed": str(game.seed),
            "moves": moves + 1,
        } | _state(game, board)

    def _best(self, request: Request, cancelled: Cancelled) -> Answer:
        key = self.thinkers.key(request)
        game = boards.position(request, seed_of(request.get("seed")) or 0)
        moves = whole(request.get("moves", 0), "moves", 0, 2**53)
        with self.thinkers.borrowed(key) as agent:
            direction, values = think(agent, key[0], game, moves)
        return {"direction": LETTERS[direction], "values": _values(values), "agent": key[0]}

    def _evaluate(self, request: Request, cancelled: Cancelled) -> Answer:
        game = boards.position(request, seed_of(request.get("seed")) or 0)
        if not game.legal:
            self.thinkers.key(request)  # which raises for an unknown agent
            return {"value": 0.0, "over": True}
        best = self._best(request, cancelled)
        value = best["values"][best["direction"]]
        if value is None:
            raise RequestError(422, f"agent {best['agent']} gives no values")
        return {"value": value, "over": False}

    def _play(self, request: Request, cancelled: Cancelled) -> Answer:
        key = self.thinkers.key(request)
        game = boards.position(request, seed_of(request.get("seed")) or 0)
        first = whole(request.get("moves", 0), "moves", 0, 2**53)
        count = whole(request.get("count", 100), "count", 1, MOST_MOVES)
        until = monotonic() + number_of(request.get("limit", self.limit_ms), "limit", 1, self.limit_ms) / 1000
        board, like = game._boards[0], request["board"]
        made: list[str] = []
        score = 0
        with self.thinkers.borrowed(key) as agent:
            while len(made) < count and game.legal and not cancelled() and (not made or monotonic() < until):
                index = first + len(made)
                direction, _ = think(agent, key[0], game, index)
                after, reward = game._slide(board, direction)
                cell, exponent = game._own_spawn(after, index)
                board = game._place(after, cell, exponent)
                score += reward
                made.append(f"{LETTERS[direction]}{cell}:{exponent}")
                game._boards[0] = board
        return {
            "played": " ".join(made),
            "board": shown(game, board, like),
            "reward": score,
            "seed": str(game.seed),
            "moves": first + len(made),
        } | _state(game, board)

    def _analyse(self, request: Request, cancelled: Cancelled) -> Answer:
        from .. import agents
        from ..search.losses import judge

        positions = request.get("positions")
        if not isinstance(positions, list) or not 1 <= len(positions) <= MOST_POSITIONS:
            raise ValueError(f"positions must be a list of 1 to {MOST_POSITIONS} pairs [board, direction]")
        depth = whole(request.get("depth", 2), "depth", 0, 20)
        search = agents.expectimax(depth, self.limit_ms, four_layers=1, prune=None)
        until = monotonic() + self.limit_ms / 1000
        judged: list[Answer] = []
        for i, pair in enumerate(positions):
            if cancelled() or (judged and monotonic() > until):
                break
            if not isinstance(pair, list) or len(pair) != 2:
                raise ValueError(f"position {i} must be a pair [board, direction]")
            game, made = boards.position({"board": pair[0]}), direction_of(pair[1])
            if not isinstance(game, Game):
                raise ValueError("analyse is for 4x4 boards of the usual rules with tiles to 131072")
            if not game.legal >> made & 1:
                raise RequestError(409, f"position {i}: sliding {LETTERS[made]} changes nothing")
            values = search.values(game.board)
            loss, mark = judge(values, made)
            judged.append({"values": _values(values), "loss": loss, "mark": mark})
        return {"judged": judged}

    def _read(self, request: Request, cancelled: Cancelled) -> Answer:
        text = request.get("text")
        if not isinstance(text, str):
            raise ValueError("text must be a text: records, or a replay string")
        found = records.read_any(text, errors="return")
        damaged = [error for error in found if isinstance(error, ValueError)]
        if len(damaged) == len(found):
            raise damaged[0] if damaged else ValueError("the text holds no game")
        games = [boards.game_json(game) for game in found if not isinstance(game, ValueError)]
        return {"games": games, "damaged": [str(error) for error in damaged]}

    def _record(self, request: Request, cancelled: Cancelled) -> Answer:
        return {"text": records.write(boards.game_of(request.get("game")))}

    def _svg(self, request: Request, cancelled: Cancelled) -> Answer:
        game = boards.game_of(request.get("game"))
        move = request.get("move")
        if move is None:
            return {"text": picture.animated_svg(game)}
        return {"text": picture.svg(game, whole(move, "move", 0, game.moves))}

    def _html(self, request: Request, cancelled: Cancelled) -> Answer:
        return {"text": page.replay(boards.game_of(request.get("game")))}


def _state(game: GameBase, board: Any) -> Answer:
    """What is legal on a stored board of a game."""
    legal = sum([1 << d for d in range(4) if game._slide(board, d)[0] != board])
    return {"legal": letters(legal), "over": not legal}


def _values(values: list[float] | tuple[float, ...]) -> dict[str, float | None]:
    return {letter: value if isfinite(value) else None for letter, value in zip(LETTERS, values, strict=True)}


_BOARD = ("board", *RULES)
# name -> (method, fields, whether it is slow: None where that is up to the agent)
_OPERATIONS: dict[str, tuple[Callable[[Protocol, Request, Cancelled], Answer], tuple[str, ...], bool | None]] = {
    "info": (Protocol._info, (), False),
    "new": (Protocol._new, ("seed", "rows", "columns", *RULES), False),
    "legal": (Protocol._legal, _BOARD, False),
    "afterstates": (Protocol._afterstates, _BOARD, False),
    "move": (Protocol._move, (*_BOARD, "direction", "seed", "moves"), False),
    "best": (Protocol._best, (*_BOARD, "seed", "moves", *_CHOICE), None),
    "evaluate": (Protocol._evaluate, (*_BOARD, "seed", "moves", *_CHOICE), None),
    "play": (Protocol._play, (*_BOARD, "seed", "moves", "count", "limit", *_CHOICE), True),
    "analyse": (Protocol._analyse, ("positions", "depth"), True),
    "read": (Protocol._read, ("text",), True),
    "record": (Protocol._record, ("game",), True),
    "svg": (Protocol._svg, ("game", "move"), True),
    "html": (Protocol._html, ("game",), True),
}


def decoded(text: str | bytes) -> dict[str, Any]:
    """The object of a JSON text. Raises RequestError for anything else; NaN and Infinity are no JSON."""
    try:
        request = json.loads(text, parse_constant=_constant)
    except (ValueError, RecursionError) as error:
        raise RequestError(400, f"not JSON: {' '.join(str(error).split())[:200]}") from None
    if not isinstance(request, dict):
        raise RequestError(400, f"a request must be a JSON object, not {type(request).__name__}")
    return request


def _constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def encoded(answer: Answer) -> str:
    """The JSON text of an answer, one line."""
    return json.dumps(answer, separators=(",", ":"))
