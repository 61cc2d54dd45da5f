"""Boards with tiles up to 131072, which a packed board cannot hold, and packed boards that play as they do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from . import is_saturated
from .notation import LARGEST, exponents_of

PACKED = 15  # the largest exponent of a packed board, two of which do not merge on it


def pack_view(grid: Iterable[Any]) -> int:
    """A packed board on which the same slides are legal and the same tiles merge as on an exact board.

    grid: 4 rows of 4 or a flat sequence of 16 exact face values, up to 131072.
    The result is the exact board where all tiles are at most 32768 and no two of these meet. Otherwise the tiles above
    the largest missing exponent are moved down by one, until all fit: the largest tile to at most 32768, or to 16384
    where there are several of it that merge (two of 131072 never do). Equal tiles stay equal and different ones
    different; the rewards of merges among the moved tiles are smaller than the exact ones, and so may be their faces.
    Agents and networks that know boards to 32768 alone play on with it; bitboard.Game gives it to them.
    Raises ValueError for more than 15 different tiles, or more than 14 where two of the largest merge, which have no
    such board (never seen in play), and for another shape or value; TypeError for what is not an integer.

    >>> f"{pack_view([[65536, 32768, 8192, 8192], [2, 4, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]):016x}"
    'fedd120000000000'
    """
    return view_of(exponents_of(grid, False, LARGEST))


def view_of(cells: Sequence[int]) -> int:
    """pack_view() of 16 exponents."""
    top = max(cells)
    if top <= PACKED:
        board = packed(cells)
        if not is_saturated(board):
            return board
    different = len({*cells, 0}) - 1
    limit = PACKED if top == LARGEST or cells.count(top) == 1 else PACKED - 1
    if limit < different == PACKED and not is_saturated(
        packed([PACKED if cell == top else cell > 0 for cell in cells])
    ):
        limit = PACKED  # several of the largest, and none of them merges now
    if different > limit:
        raise ValueError(
            f"grid must have at most {limit} different tiles to have a packed view"
            f"{' where two of the largest meet' if limit < PACKED else ''}, got {different}"
        )
    while top > limit:
        missing = max({*range(1, top)}.difference(cells))
        cells = [cell - (cell > missing) for cell in cells]
        top -= 1
    return packed(cells)


def packed(cells: Iterable[int]) -> int:
    """The packed board of 16 exponents up to 15."""
    board = 0
    for cell in cells:
        board = board << 4 | cell
    return board
