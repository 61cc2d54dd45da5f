"""Slides and legal directions of boards of any size."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Any, SupportsIndex

from .. import core
from ..core import check, kernels_of
from ..tools import buffers, checks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import _py as kernels
else:
    kernels = kernels_of(__package__)

SIDE = 32  # the longest side
TOP = 62  # the largest exponent: tiles of 2**62 do not merge
_EXPONENT_OF = {0: 0, **{2**k: k for k in range(1, TOP + 1)}}
FACES = tuple(_EXPONENT_OF)


def slide(grid: Any, direction: int | str, *, top: SupportsIndex | None = None) -> Any:
    """The grid after a slide, equal to the grid if the slide is illegal.

    grid: as the module says; direction: as for bitboard.move(). top: the largest tile, two of which do not merge, as
    of bitboard.grid.Game; None for 2**62. The result is a numpy array of the same dtype for numpy, else a list of
    lists of ints.
    Raises TypeError for a non-integer or what is not a sequence, ValueError for a shape, face value (also one above
    top), direction or top, OverflowError if a merged tile does not fit into the numpy dtype.

    >>> slide([[2, 0, 2], [4, 2, 2]], "R")
    [[0, 0, 4], [0, 4, 4]]
    """
    return slide_with_reward(grid, direction, top=top)[0]


def slide_with_reward(grid: Any, direction: int | str, *, top: SupportsIndex | None = None) -> tuple[Any, int]:
    """The grid after a slide and the points of it: a merge into 2**k earns 2**k.

    Arguments, the kind of the grid and exceptions are those of slide(). The points are an int
    of Python, exact for any tiles. An illegal slide earns 0.
    Cost: about 25 us for 20 x 20 with the C core, most of it the lists (tests/bench/grid.py).

    >>> slide_with_reward([[2, 0, 2], [4, 2, 2]], "R")
    ([[0, 0, 4], [0, 4, 4]], 8)
    """
    cells, height, width = cells_of(grid)
    after, reward = slide_cells(cells, height, width, check.direction(direction), _top_of(top, cells))
    return grid_of(after, height, width, grid), reward


def legal_moves(grid: Any, *, top: SupportsIndex | None = None) -> int:
    """The mask of the directions that change the grid: bit d for direction d. top: as for slide().

    Raises TypeError for a non-integer or what is not a sequence, ValueError for a shape, face value or top.

    >>> bin(legal_moves([[2, 4, 0], [4, 2, 0]]))
    '0b10'
    >>> legal_moves([[16, 16]]), legal_moves([[16, 16]], top=16)
    (10, 0)
    """
    cells, height, width = cells_of(grid)
    return legal_of(cells, height, width, _top_of(top, cells))


def _top_of(top: SupportsIndex | None, cells: bytes) -> int:
    """The exponent of an argument `top` for a grid of these exponents."""
    if top is None:
        return TOP
    exponent = exponent_of(top, "top")
    if max(cells) > exponent:
        raise ValueError(f"grid must have no tile above top, {2**exponent}, got {2 ** max(cells)}")
    return exponent


def exponent_of(face: Any, name: str) -> int:
    """The exponent of a face value from 2 to 2**62; TypeError or ValueError for any other."""
    number = checks.integer(face, name, 2, 2**TOP)
    if number & (number - 1):
        raise ValueError(f"{name} must be a power of two, got {number}")
    return number.bit_length() - 1


def slide_cells(cells: bytes, height: int, width: int, direction: int, top: int) -> tuple[bytes, int]:
    """Slide exponents in reading order, tiles of exponent `top` not merging: (exponents, reward).

    What fits goes through the packed 4x4 engine, whose own top is 15.
    """
    if height == width == 4 and top >= 15 and max(cells) <= 15:
        board = int(cells.hex()[1::2], 16)
        if top == 15 or not core.is_saturated(board):
            after = core.MOVES[direction](board)
            earned = core.REWARDS[direction](board)
            return bytes([after >> shift & 15 for shift in range(60, -4, -4)]), earned
    return kernels.slide(cells, height, width, direction, top)


def legal_of(cells: bytes, height: int, width: int, top: int) -> int:
    """The mask of the directions that change a grid of exponents."""
    return sum(1 << d for d in range(4) if slide_cells(cells, height, width, d, top)[0] != cells)


def cells_of(grid: Any) -> tuple[bytes, int, int]:
    """The exponents of a grid in reading order, its height and its width."""
    if buffers.is_numpy(grid):
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
            f"row {r}, column {c} of grid must be 0 or a power of two from 2 to 2**{TOP}, got {checks.shown(number)}"
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


def grid_of(cells: bytes, height: int, width: int, like: Any) -> Any:
    """Exponents in reading order as a grid of face values of the kind of another grid."""
    faces = [FACES[k] for k in cells]
    rows = [faces[start : start + width] for start in range(0, height * width, width)]
    if not buffers.is_numpy(like):
        return rows
    import numpy

    largest = max(faces)
    if largest > numpy.iinfo(like.dtype).max:
        raise OverflowError(f"the slide makes a tile {largest}, more than the dtype {like.dtype} of grid can hold")
    return numpy.array(rows, like.dtype)
