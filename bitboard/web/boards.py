"""Boards, rules and games as they stand in requests and answers, in JSON.

A 4x4 board is a text of 16 characters in reading order, exponents: 0 to 9, a to f, and g and h for the tiles 65536 and
131072; capitals too. Any board is also a list of rows of face values, a 4x4 board a flat list of 16. It goes out in the
form in which it came in. A 4x4 board of the usual rules plays to 131072, as bitboard.Game does;
where a larger tile is on the board, there is no such limit, as in bitboard.grid.Game.
"""

from __future__ import annotations

import re

from ..games.records import new_game
from ..games.rules import CLASSIC, Rules
from ..grid.slides import cells_of
from ..tools import checks
from .errors import RequestError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..games.base import GameBase

DIGITS = "0123456789abcdefgh"
LETTERS = "URDL"
RULES = ("top", "spawn", "start_tiles")
_TOKEN = re.compile(r"([URDL])([0-9]{1,4}):([0-9]{1,2})")
_LARGEST_BOARD = 1024  # cells


def rows_of(board: Any) -> list[Any]:
    """The rows of face values of a board of a request, not yet checked where it came as a list."""
    if isinstance(board, str):
        digits = board.removeprefix("0x").lower()
        if len(digits) != 16:
            raise ValueError(f"board must have 16 characters, one a cell, got {len(digits)}")
        for i, digit in enumerate(digits):
            if digit not in DIGITS:
                raise ValueError(f"board must be of 0-9, a-f, g (65536) and h (131072); character {i} is {digit!r}")
        faces = [2 ** DIGITS.index(digit) if digit != "0" else 0 for digit in digits]
        return [faces[i : i + 4] for i in (0, 4, 8, 12)]
    if not isinstance(board, list) or not board:
        raise TypeError("board must be a text of 16 characters, or a list of rows of face values")
    rows = board if isinstance(board[0], list) else [board[i : i + 4] for i in (0, 4, 8, 12)]
    if not isinstance(board[0], list) and len(board) != 16:
        raise ValueError(f"board as a flat list must have 16 face values, got {len(board)}")
    for r, row in enumerate(rows):
        if not isinstance(row, list):
            raise TypeError(f"row {r} of board must be a list of face values")
        if any(type(face) is not int for face in row):
            raise TypeError(f"row {r} of board must hold integers alone")
    return rows


def position(request: dict[str, Any], seed: int = 0) -> GameBase:
    """A game that starts from the board of a request, by its rules if it gives any."""
    if "board" not in request:
        raise ValueError("the request has no board")
    board = request["board"]
    given = {name: request[name] for name in RULES if request.get(name) is not None}
    if not given and isinstance(board, str) and re.fullmatch("[0-9a-fA-F]{16}", board):  # the quick way
        from ..games.classic import Game

        return Game(seed, int(board, 16))
    rows = rows_of(board)
    cells, height, width = cells_of(rows)
    usual = not given and height == width == 4 and max(cells) <= CLASSIC.top
    rules = CLASSIC if usual else rules_of(given, height, width)
    return new_game(rules, seed, rows)  # type: ignore[no-any-return]


def rules_of(given: dict[str, Any], rows: Any, columns: Any) -> Rules:
    """The rules of a request: rows, columns, and what it gives of `RULES`."""
    spawn = given.get("spawn")
    if spawn is not None:
        if not isinstance(spawn, dict) or not all(re.fullmatch("[0-9]{1,19}", face) for face in spawn):
            raise TypeError('spawn must be an object of tiles and weights, such as {"2": 9, "4": 1}')
        spawn = {int(face): whole(weight, f"the weight of {face}", 1, 2**32 - 1) for face, weight in spawn.items()}
    top = given.get("top")
    return Rules(
        whole(rows, "rows", 1, 32),
        whole(columns, "columns", 1, 32),
        spawn,
        None if given.get("start_tiles") is None else whole(given["start_tiles"], "start_tiles", 0, _LARGEST_BOARD),
        None if top is None else whole(top, "top", 2, 2**62),
    )


def whole(value: Any, name: str, low: int, high: int) -> int:
    """An integer of a request; true and false are none."""
    if type(value) is not int:
        raise TypeError(f"{name} must be an integer from {low} to {high}, not {type(value).__name__}")
    return checks.integer(value, name, low, high)


def seed_of(value: Any) -> int | None:
    """A seed: an integer, or its digits as text, since numbers of JSON lose digits in many languages."""
    if isinstance(value, str) and re.fullmatch("[0-9]{1,20}", value):
        value = int(value)
    return None if value is None else whole(value, "seed", 0, 2**64 - 1)


def shown(game: GameBase, board: Any, like: Any) -> Any:
    """A stored board of a game in the form of a request's: a text where that was one and the tiles allow it."""
    exponents = game._exponents(board)
    if isinstance(like, str) and max(exponents) < len(DIGITS):
        return "".join([DIGITS[k] for k in exponents])
    columns = game.rules.columns
    faces = [2**k if k else 0 for k in exponents]
    if isinstance(like, list) and like and not isinstance(like[0], list):
        return faces
    return [faces[i : i + columns] for i in range(0, len(faces), columns)]


def letters(mask: int) -> list[str]:
    """The letters of a mask of directions."""
    return [letter for d, letter in enumerate(LETTERS) if mask >> d & 1]


# Whole games


def rules_json(rules: Rules) -> dict[str, Any]:
    """Rules for a page; `top` is an exponent, as are the tiles of `spawn`."""
    return {
        "rows": rules.rows,
        "columns": rules.columns,
        "spawn": {str(2**exponent): weight for exponent, weight in rules.spawn},
        "start_tiles": rules.start_tiles,
        "top": rules.top,
    }


def game_json(game: GameBase) -> dict[str, Any]:
    """A whole game: rules, seed (text), start board (exponents in reading order), moves as in a record, tags."""
    return {
        "rules": rules_json(game.rules),
        "seed": str(game.seed),
        "start": list(game._exponents(game._boards[0])),
        "moves": " ".join([f"{LETTERS[d]}{cell}:{exponent}" for d, cell, exponent in game.history]),
        "score": game.score,
        "tags": game.tags,
        "cut": game.cut,
    }


def game_of(value: Any) -> GameBase:
    """The game of such an object, every move checked."""
    if not isinstance(value, dict) or not isinstance(value.get("rules"), dict):
        raise TypeError("game must be an object with rules, seed, start and moves, as `read` gives it")
    rules, start, moves = value["rules"], value.get("start"), value.get("moves", "")
    given = {name: rules[name] for name in ("spawn", "start_tiles") if name in rules}
    given["top"] = 2 ** whole(rules.get("top"), "top", 1, 62)
    law = rules_of(given, rules.get("rows"), rules.get("columns"))
    cells = law.rows * law.columns
    if not isinstance(start, list) or len(start) != cells:
        raise ValueError(f"start must be a list of {cells} exponents")
    if not isinstance(moves, str):
        raise TypeError("moves must be a text such as 'L12:1 U9:1'")
    faces = [2**k if whole(k, "an exponent of start", 0, law.top) else 0 for k in start]
    game = new_game(
        law, seed_of(value.get("seed")) or 0, [faces[i : i + law.columns] for i in range(0, cells, law.columns)]
    )
    for i, token in enumerate(moves.split()):
        match = _TOKEN.fullmatch(token)
        if match is None:
            raise ValueError(f"move {i + 1} is no direction, cell, colon and exponent such as L12:1: {token[:20]!r}")
        try:
            game.move(match[1], (int(match[2]), int(match[3])))
        except ValueError as error:
            raise ValueError(f"move {i + 1}: {error}") from None
    tags = value.get("tags", {})
    if not isinstance(tags, dict):
        raise TypeError("tags must be an object")
    game.tags = {str(name): str(text) for name, text in tags.items()}
    return game  # type: ignore[no-any-return]


def number_of(value: Any, name: str, low: float, high: float) -> float:
    """A number of a request."""
    try:
        return checks.number(value, name, low, high)
    except (TypeError, ValueError) as error:
        raise RequestError(422, str(error)) from None
