"""Sliding-tile puzzles on the packed board: the 8-puzzle by table, the 15-puzzle by search.

A board is an int as everywhere in bitboard: the tile of each cell in reading order from the top nibble
on, 0 the blank. A board of fewer than 16 cells leaves the nibbles below unused, zero: the 8-puzzle
7 2 4 / 5 0 6 / 8 3 1 is 0x724506831_0000000. An int does not tell its size, so functions take
size=(rows, cols); (4, 4) if none is given. 2x2 to 8 x 2: at least 2 rows and columns, at most 16 cells.

Every argument `board` may also be a grid that tells its size itself: nested lists, tuples or numpy, a
text such as "7 2 4 / 5 0 6 / 8 3 1" (rows apart by / ; or newlines), or 16 hexadecimal digits. A flat
sequence is square, or of the size given.

`goal` is "blank-first" (0 1 2 / 3 4 5 / 6 7 8, the default), "blank-last" (1 2 3 / 4 5 6 / 7 8 0), or any
arrangement. A move is a letter U R D L that says where the blank goes.

>>> from bitboard import sliding
>>> solution = sliding.solve("7 2 4 / 5 0 6 / 8 3 1")
>>> solution.length, solution.moves
(26, 'LURDRDLLURRDLLURRULLDRRULL')

Databases for larger puzzles are made on first use and kept in $BITBOARD_CACHE, else in
bitboard below $XDG_CACHE_HOME or ~/.cache.

Bad input raises TypeError for what is not a board, OverflowError for an int outside 0 .. 2**64 - 1
and ValueError for anything else, on both backends.
"""

from __future__ import annotations

from .functions import (
    Size,  # noqa: F401  # in the hints of Solution
    apply,
    build_database,
    database_distance,
    distances,
    from_grid,
    is_solvable,
    linear_conflict,
    manhattan,
    moves,
    parse,
    pretty,
    random_board,
    size_of,
    solve,
    solve_many,
    to_grid,
    walking_distance,
)
from .solver import LimitReached, Solution, Unsolvable

__all__ = [
    "LimitReached",
    "Solution",
    "Unsolvable",
    "apply",
    "build_database",
    "database_distance",
    "distances",
    "from_grid",
    "is_solvable",
    "linear_conflict",
    "manhattan",
    "moves",
    "parse",
    "pretty",
    "random_board",
    "size_of",
    "solve",
    "solve_many",
    "to_grid",
    "walking_distance",
]
