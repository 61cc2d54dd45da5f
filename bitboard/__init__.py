"""bitboard: a 2048 engine for people who write agents.

A 4x4 board is an int, 0 to 2**64 - 1: sixteen 4-bit exponents in reading order, the
top-left cell in the most significant nibble, so f"{board:016x}" reads as the board does.
0 is an empty cell and k is the tile 2**k. Directions are UP, RIGHT, DOWN, LEFT = 0, 1, 2, 3.

>>> import bitboard
>>> board = bitboard.parse("2 0 0 2  2 2 2 2  0 4 2 2  2 2 2 0")
>>> print(bitboard.pretty(bitboard.move_left(board)))
+-------+-------+-------+-------+
|     4 |     . |     . |     . |
+-------+-------+-------+-------+
|     4 |     4 |     . |     . |
+-------+-------+-------+-------+
|     4 |     4 |     . |     . |
+-------+-------+-------+-------+
|     4 |     2 |     . |     . |
+-------+-------+-------+-------+
>>> bitboard.reward(board, "left")
20
"""

from __future__ import annotations

from . import _check
from ._backend import (
    BACKEND,
    canonical,
    empty_count,
    flip_horizontal,
    flip_vertical,
    is_over,
    is_saturated,
    legal_moves,
    max_exponent,
    move_down,
    move_left,
    move_right,
    move_up,
    random64,
    reward_columns,
    reward_rows,
    rotate_90,
    rotate_180,
    rotate_270,
    spawn,
    stream,
    tile_sum,
    transpose,
)
from .notation import from_grid, parse, pretty, to_grid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, SupportsIndex

    from ._perft import perft
    from .batch import Batch
    from .encoding import exponents_many, one_hot_many, symmetries_many
    from .evaluation import evaluate
    from .game import Game
    from .many import legal_moves_many, move_many, reward_many, spawn_many
    from .outcomes import afterstates_many, spawns_array
    from .playout import Playouts, playouts, random_games
    from .rowtable import RowTable
    from .search import Expectimax

    Board = int
    Direction = Literal[0, 1, 2, 3]

__version__ = "0.1.0"

UP: Direction = 0
RIGHT: Direction = 1
DOWN: Direction = 2
LEFT: Direction = 3
DIRECTIONS: tuple[Direction, ...] = (UP, RIGHT, DOWN, LEFT)

# Loaded when first used, to keep the import short: name -> the module that defines it.
_LAZY = {
    "Game": "game",
    "evaluate": "evaluation",
    "Batch": "batch",
    "Playouts": "playout",
    "afterstates_many": "outcomes",
    "exponents_many": "encoding",
    "Expectimax": "search",
    "RowTable": "rowtable",
    "legal_moves_many": "many",
    "move_many": "many",
    "one_hot_many": "encoding",
    "perft": "_perft",
    "playouts": "playout",
    "random_games": "playout",
    "reward_many": "many",
    "spawn_many": "many",
    "spawns_array": "outcomes",
    "symmetries_many": "encoding",
}
# Modules that are reached as attributes without an import of their own.
_MODULES = ("agents", "env", "grid", "record", "render", "sliding")

__all__ = [
    "BACKEND",
    "DIRECTIONS",
    "DOWN",
    "LEFT",
    "RIGHT",
    "UP",
    "Batch",
    "Expectimax",
    "Game",
    "Playouts",
    "RowTable",
    "__version__",
    "afterstates",
    "afterstates_many",
    "canonical",
    "empty_count",
    "evaluate",
    "exponents_many",
    "flip_horizontal",
    "flip_vertical",
    "from_grid",
    "is_over",
    "is_saturated",
    "legal_moves",
    "legal_moves_many",
    "max_exponent",
    "move",
    "move_down",
    "move_left",
    "move_many",
    "move_right",
    "move_up",
    "one_hot_many",
    "parse",
    "perft",
    "playouts",
    "pretty",
    "random64",
    "random_games",
    "reward",
    "reward_columns",
    "reward_many",
    "reward_rows",
    "rotate_90",
    "rotate_180",
    "rotate_270",
    "spawn",
    "spawn_many",
    "spawns",
    "spawns_array",
    "stream",
    "symmetries",
    "symmetries_many",
    "tile_sum",
    "to_grid",
    "transpose",
]

# Indexed by direction. A call of the None at the end is the TypeError of a direction that is none;
# the except branches below then sort out spellings and messages, so that integers stay fast.
_MOVES: tuple[Any, ...] = (move_up, move_right, move_down, move_left, None)
_REWARDS: tuple[Any, ...] = (reward_columns, reward_rows, reward_columns, reward_rows, None)


def move(board: SupportsIndex, direction: int | str) -> Board:
    """Slide in a direction: the board after the slide, unchanged if the slide is illegal.

    direction: 0 to 3, "U" "R" "D" "L" in either case, or "up", "right", "down", "left".
    No tile spawns: this is the afterstate. Integers are the fastest spelling.
    Raises TypeError or OverflowError for a board that is none, ValueError for a direction.

    >>> f"{move(0x1100_0000_0000_0000, 'R'):016x}"
    '0002000000000000'
    """
    try:
        result: int = _MOVES[direction if direction >= 0 else 4](board)  # type: ignore[operator, index]
        return result
    except (TypeError, IndexError):
        pass  # a name of a direction, or an error: the next line tells
    return _MOVES[_check.direction(direction)](board)  # type: ignore[no-any-return]


def reward(board: SupportsIndex, direction: int | str) -> int:
    """The points of a slide in a direction, in tile values: a merge into 2**k earns 2**k.

    direction: as for move(). An illegal slide earns 0.
    Raises TypeError or OverflowError for a board that is none, ValueError for a direction.

    >>> reward(0x1100_0000_0000_0000, "R"), reward(0x1100_0000_0000_0000, "D")
    (4, 0)
    """
    try:
        result: int = _REWARDS[direction if direction >= 0 else 4](board)  # type: ignore[operator, index]
        return result
    except (TypeError, IndexError):
        pass  # a name of a direction, or an error: the next line tells
    return _REWARDS[_check.direction(direction)](board)  # type: ignore[no-any-return]


def afterstates(board: SupportsIndex) -> tuple[tuple[Direction, Board, int], ...]:
    """The legal slides of a board: (direction, afterstate, reward) for each, in the order U R D L.

    Empty if the game is over.
    Raises TypeError for what is no integer, OverflowError outside 0 .. 2**64 - 1.

    >>> [(direction, f"{after:016x}", reward) for direction, after, reward in afterstates(0x1100 << 48)]
    [(1, '0002000000000000', 4), (2, '0000000000001100', 0), (3, '2000000000000000', 4)]
    """
    legal, columns, rows = legal_moves(board), reward_columns(board), reward_rows(board)
    candidates: tuple[tuple[Direction, int, int], ...] = (
        (0, move_up(board), columns),
        (1, move_right(board), rows),
        (2, move_down(board), columns),
        (3, move_left(board), rows),
    )
    return tuple([candidate for candidate in candidates if legal >> candidate[0] & 1])


def spawns(board: SupportsIndex) -> tuple[tuple[float, Board], ...]:
    """Every outcome of a spawn: (probability, board) for a 2 and for a 4 in each empty cell.

    In reading order, the 2 first. The probabilities sum to 1 (to rounding). A full board has one outcome:
    itself, as for spawn().
    Raises TypeError for what is no integer, OverflowError outside 0 .. 2**64 - 1.

    >>> [(p, f"{after:016x}") for p, after in spawns(0x0123_4561_2345_6123)]
    [(0.9, '1123456123456123'), (0.1, '2123456123456123')]
    """
    number = _check.word(board)
    n = empty_count(number)
    if not n:
        return ((1.0, number),)
    two, four = 0.9 / n, 0.1 / n
    outcomes = []
    for shift in range(60, -4, -4):
        if not number >> shift & 15:
            outcomes += [(two, number | 1 << shift), (four, number | 2 << shift)]
    return tuple(outcomes)


def symmetries(board: SupportsIndex) -> tuple[Board, ...]:
    """The eight symmetric images of a board, some of them equal where it is symmetric.

    In the order: itself; turned clockwise by 90, 180 and 270 degrees; mirrored left-right,
    top-bottom, in the main diagonal (transpose) and in the other one.
    Raises TypeError for what is no integer, OverflowError outside 0 .. 2**64 - 1.

    >>> len(symmetries(0x1000)), len(set(symmetries(0x1000)))
    (8, 4)
    """
    half_turned = rotate_180(board)
    return (
        _check.word(board),
        rotate_90(board),
        half_turned,
        rotate_270(board),
        flip_horizontal(board),
        flip_vertical(board),
        transpose(board),
        transpose(half_turned),
    )


def __getattr__(name: str) -> Any:
    """Load a module of the package, and the names that it defines, when first asked for."""
    if name in _LAZY:
        from importlib import import_module

        value = getattr(import_module("." + _LAZY[name], __name__), name)
        globals()[name] = value
        return value
    if name in _MODULES:
        from importlib import import_module

        return import_module("." + name, __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
