"""Boards of any size: slides, legal directions, and the largest tile within some slides.

A grid is height x width cells, 1 to 32 a side: rows of face values, 0 for an empty cell and
powers of two from 2 to 2**62, as lists, tuples or a two-dimensional numpy array of integers.
It is never changed. The rule is that of the 4x4 board, and two tiles of 2**62 do not merge.

>>> from bitboard import grid
>>> grid.slide([[2, 2, 0, 4, 4], [8, 0, 0, 0, 8]], "left")
[[4, 8, 0, 0, 0], [16, 0, 0, 0, 0]]
>>> grid.max_tile([[2, 2, 4], [0, 0, 0], [0, 0, 0]])
MaxTile(tile=8, path='RR', nodes=0, proven=True)
"""

from __future__ import annotations

from operator import index
from time import monotonic
from typing import NamedTuple

from . import _backend, _buffers, _check
from ._backend import BACKEND

TYPE_CHECKING = False
if TYPE_CHECKING or BACKEND == "python":
    from . import _grid_py as kernels
else:
    from . import _grid_c as kernels

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, SupportsFloat, SupportsIndex

    from ._grid_game import Game

__all__ = ["Game", "MaxTile", "legal_moves", "max_tile", "slide", "slide_with_reward"]

SIDE = 32  # the longest side
TOP = 62  # the largest exponent: tiles of 2**62 do not merge
_LETTERS = "URDL"
_EXPONENT_OF = {0: 0, **{2**k: k for k in range(1, TOP + 1)}}
_FACES = tuple(_EXPONENT_OF)


class MaxTile(NamedTuple):
    """The largest tile that can be made, and how."""

    tile: int
    """Its face value; 0 on an empty board."""
    path: str
    """The letters U R D L of a shortest sequence of slides that makes it; "" if it is on the board."""
    nodes: int
    """How many slides the search made; the last two are decided without making them."""
    proven: bool
    """Whether no larger tile and no shorter path exist; False if a limit ended the search."""


def slide(grid: Any, direction: int | str) -> Any:
    """The grid after a slide, equal to the grid if the slide is illegal.

    grid: as the module says; direction: as for bitboard.move(). The result is a numpy array of
    the same dtype for numpy, else a list of lists of ints.
    Raises TypeError for what is no integer or sequence, ValueError for a shape, face value or
    direction, OverflowError if a merged tile does not fit into the numpy dtype.

    >>> slide([[2, 0, 2], [4, 2, 2]], "R")
    [[0, 0, 4], [0, 4, 4]]
    """
    return slide_with_reward(grid, direction)[0]


def slide_with_reward(grid: Any, direction: int | str) -> tuple[Any, int]:
    """The grid after a slide and the points of it: a merge into 2**k earns 2**k.

    Arguments, the kind of the grid and exceptions are those of slide(). The points are an int
    of Python, exact for any tiles. An illegal slide earns 0.
    Cost: about 25 us for 20 x 20 with the C core, most of it the lists (tests/bench/grid.py).

    >>> slide_with_reward([[2, 0, 2], [4, 2, 2]], "R")
    ([[0, 0, 4], [0, 4, 4]], 8)
    """
    cells, height, width = _cells(grid)
    after, reward = _slide(cells, height, width, _check.direction(direction), TOP)
    return _grid(after, height, width, grid), reward


def legal_moves(grid: Any) -> int:
    """The mask of the directions that change the grid: bit d for direction d.

    Raises TypeError for what is no integer or sequence, ValueError for a shape or face value.

    >>> bin(legal_moves([[2, 4, 0], [4, 2, 0]]))
    '0b10'
    """
    cells, height, width = _cells(grid)
    return _legal(cells, height, width, TOP)


def max_tile(
    grid: Any,
    slides: SupportsIndex = 5,
    *,
    max_nodes: SupportsIndex | None = None,
    max_seconds: SupportsFloat | None = None,
) -> MaxTile:
    """The largest tile within at most `slides` slides when nothing spawns, and a shortest path to it.

    slides: 0 to 255. max_nodes, at least 1, and max_seconds, at least 0, end the search early:
    then the result is the best found so far and `proven` is False. The path is the same with
    and without the C core; with max_seconds it depends on the machine.
    Cost: the tree has 4**slides leaves, of which mass, symmetry and positions seen before cut most; for
    20 x 20 and ten slides see tests/bench/grid.py. Memory: at most 70 MB with the C core.
    Source: the search, its bounds and their proofs are in csrc/grid.c.
    Raises TypeError for what is no integer, number or sequence, ValueError for a shape, face
    value or limit.

    >>> max_tile([[2, 4, 16, 8], [8, 4, 0, 0], [16, 8, 2, 0], [2, 8, 2, 0]], slides=5)[:2]
    (32, 'URU')
    """
    cells, height, width = _cells(grid)
    number = _check.integer(slides, "slides", 0, 255)
    most = None if max_nodes is None else _check.integer(max_nodes, "max_nodes", 1)
    until = None
    if max_seconds is not None:
        until = monotonic() + _seconds(max_seconds)
    best, path, nodes, proven = kernels.search(
        cells, height, width, number, TOP, most, lambda: until is not None and monotonic() >= until
    )
    return MaxTile(_FACES[best], "".join(_LETTERS[d] for d in path), nodes, proven)


def _seconds(value: SupportsFloat) -> float:
    """The float of max_seconds."""
    if isinstance(value, (str, bytes)) or not hasattr(value, "__float__"):
        raise TypeError(f"max_seconds must be a number of at least 0, not {type(value).__name__}")
    try:
        seconds = float(value)
    except (TypeError, ValueError, OverflowError):
        seconds = -1.0
    if not seconds >= 0:
        raise ValueError(f"max_seconds must be a number of at least 0, got {_check.shown(value)}")
    return seconds


def _slide(cells: bytes, height: int, width: int, direction: int, top: int) -> tuple[bytes, int]:
    """Slide exponents in reading order, tiles of exponent `top` not merging: (exponents, reward).

    What fits goes through the packed 4x4 engine, whose own top is 15.
    """
    if height == width == 4 and top >= 15 and max(cells) <= 15:
        board = int(cells.hex()[1::2], 16)
        if top == 15 or not _backend.is_saturated(board):
            after = (_backend.move_up, _backend.move_right, _backend.move_down, _backend.move_left)[direction](board)
            earned = (_backend.reward_columns, _backend.reward_rows)[direction & 1](board)
            return bytes([after >> shift & 15 for shift in range(60, -4, -4)]), earned
    return kernels.slide(cells, height, width, direction, top)


def _legal(cells: bytes, height: int, width: int, top: int) -> int:
    """The mask of the directions that change a grid of exponents."""
    return sum(1 << d for d in range(4) if _slide(cells, height, width, d, top)[0] != cells)


def _cells(grid: Any) -> tuple[bytes, int, int]:
    """The exponents of a grid in reading order, its height and its width."""
    if _buffers.is_numpy(grid):
        if grid.dtype.kind not in "iu":
            raise TypeError(f"grid must have an integer dtype, not {grid.dtype}")
        if grid.ndim != 2:
            raise ValueError(f"grid must have two dimensions, got the shape {grid.shape}")
        if not all(1 <= side <= SIDE for side in grid.shape):
            raise ValueError(f"grid must have 1 to {SIDE} rows and columns, got the shape {grid.shape}")
        grid = grid.tolist()
    rows = [_items(row, f"row {r} of grid") for r, row in enumerate(_items(grid, "grid"))]
    if not 1 <= len(rows) <= SIDE:
        raise ValueError(f"grid must have 1 to {SIDE} rows, got {len(rows)}")
    width = len(rows[0])
    if not 1 <= width <= SIDE:
        raise ValueError(f"row 0 of grid must have 1 to {SIDE} cells, got {width}")
    for r, row in enumerate(rows):
        if len(row) != width:
            raise ValueError(f"row {r} of grid must have {width} cells as row 0 has, got {len(row)}")
    try:
        return bytes([_EXPONENT_OF[face] for row in rows for face in map(index, row)]), len(rows), width
    except (TypeError, KeyError):
        cells = bytes([_exponent(face, r, c) for r, row in enumerate(rows) for c, face in enumerate(row)])
        return cells, len(rows), width


def _exponent(face: Any, r: int, c: int) -> int:
    """The exponent of a cell, or an error that names it."""
    try:
        number = index(face)
    except TypeError:
        raise TypeError(f"row {r}, column {c} of grid must be an integer, not {type(face).__name__}") from None
    if number not in _EXPONENT_OF:
        raise ValueError(
            f"row {r}, column {c} of grid must be 0 or a power of two from 2 to 2**{TOP}, got {_check.shown(number)}"
        )
    return _EXPONENT_OF[number]


def _items(values: Any, what: str) -> Sequence[Any]:
    """The items of a row or a grid; text is refused, since its items are letters."""
    if isinstance(values, (list, tuple)):
        return tuple(values)  # a copy: an __index__ or another thread may change the list while it is read
    if isinstance(values, (str, bytes, bytearray, dict, set, frozenset)):
        raise TypeError(f"{what} must be a sequence, not {type(values).__name__}")
    try:
        return [value for value, _ in zip(values, range(SIDE + 1), strict=False)]  # an endless one is too long as well
    except (TypeError, NotImplementedError):
        raise TypeError(f"{what} must be a sequence, not {type(values).__name__}") from None


def _grid(cells: bytes, height: int, width: int, like: Any) -> Any:
    """Exponents in reading order as a grid of face values of the kind of another grid."""
    faces = [_FACES[k] for k in cells]
    rows = [faces[start : start + width] for start in range(0, height * width, width)]
    if not _buffers.is_numpy(like):
        return rows
    import numpy

    largest = max(faces)
    if largest > numpy.iinfo(like.dtype).max:
        raise OverflowError(f"the slide makes a tile {largest}, more than the dtype {like.dtype} of grid can hold")
    return numpy.array(rows, like.dtype)


def __getattr__(name: str) -> Any:
    """Load the game when it is first asked for."""
    if name == "Game":
        from ._grid_game import Game

        return Game
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
