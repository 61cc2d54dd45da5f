"""Sliding puzzles: boards in and out, goals, parity, moves.

A puzzle is a packed board: the tile of each cell in reading order from the top nibble on,
zeros below the last cell. It does not tell its size, so (rows, cols) goes with it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from operator import index
from typing import Any

from ..core import check, choose, random64
from ..tools import checks

TYPE_CHECKING = False
if TYPE_CHECKING:
    Size = tuple[int, int]

DIRECTIONS = "URDL"  # where the blank goes; a direction is an index into this
SEARCH_ORDER = "ULRD"  # the order in which moves are tried: of the optimal solutions the first one is found
GOALS = ("blank-first", "blank-last")
NO_GRIDS = (bytes, bytearray, set, frozenset, dict)  # they can be iterated over, but are a mistake


def checked_size(size: Any) -> Size:
    """(rows, cols) of an argument; TypeError or ValueError."""
    if isinstance(size, (str, bytes)) or not hasattr(size, "__iter__"):
        raise TypeError(f"size must be (rows, cols), such as (3, 3), not {size!r}")
    sides = tuple(checks.integer(side, "a side of size", 2, 8) for side in size)
    if len(sides) != 2 or sides[0] * sides[1] > 16:
        raise ValueError(f"size must be (rows, cols) of at most 16 cells, got {sides}")
    return sides


def text_of_size(size: Size) -> str:
    return f"{size[0]}x{size[1]}"


def _rows_of_text(text: str) -> tuple[list[int], int | None]:
    """The tiles of a text and how many rows its separators make, None if it has none."""
    body = re.sub(r"\]\s*,?\s*\[", "/", text.strip()).strip("[]() \t\n")
    rows = [row for row in re.split(r"[/;\n]", body) if row.strip(" ,\t\r")]
    lists: list[list[int]] = []
    for row in rows:
        lists.append([])
        for word in re.split(r"[\s,]+", row.strip(" ,\t\r")):
            if word != "." and not (word.isascii() and word.isdigit() and len(word) < 9):
                raise ValueError(f"a board's tiles must be numbers, 0 or . for the blank; got {word[:20]!r}")
            lists[-1].append(0 if word == "." else int(word))
    if len({len(row) for row in lists}) > 1:
        raise ValueError(f"a board's rows must be equally long, got {', '.join(str(len(row)) for row in lists)} tiles")
    return [tile for row in lists for tile in row], len(lists) if len(lists) > 1 else None


def _rows_of_grid(grid: Any) -> tuple[list[int], int | None]:
    """The tiles of a grid of lists, tuples or numpy and its number of rows, None if it is flat."""
    try:
        rows = list(grid)
        if any(isinstance(part, NO_GRIDS) for part in (grid, *rows)):
            raise TypeError
        nested = [hasattr(row, "__iter__") for row in rows]
        lists = [list(row) for row in rows] if all(nested) else [rows]
        tiles = [index(tile) for row in lists for tile in row]
    except TypeError:
        raise TypeError(f"a board must be an int, a text or a grid of integers, not {type(grid).__name__}") from None
    if len({len(row) for row in lists}) > 1:
        raise ValueError(f"a board's rows must be equally long, got {', '.join(str(len(row)) for row in lists)} tiles")
    return tiles, len(lists) if rows and all(nested) else None


def _checked_tiles(tiles: Sequence[int], size: Size) -> int:
    """The packed board of the tiles, which must be 0 .. cells-1, each once."""
    cells = size[0] * size[1]
    for tile in range(cells):
        if tiles.count(tile) != 1:
            how = "is missing" if tile not in tiles else f"is there {tiles.count(tile)} times"
            raise ValueError(f"a {text_of_size(size)} board must hold 0 to {cells - 1}, each once: {tile} {how}")
    board = 0
    for cell, tile in enumerate(tiles):
        board |= tile << (60 - 4 * cell)
    return board


def read(board: Any, size: Any = None) -> tuple[int, Size]:
    """The packed board of an argument in any form, and its size."""
    wanted = None if size is None else checked_size(size)
    if isinstance(board, str):
        if re.fullmatch(r"\s*(0x)?[0-9a-fA-F]{16}\s*", board):
            return read(int(board, 16), size)
        tiles, rows = _rows_of_text(board)
    else:
        try:
            number = check.word(board) if type(board) is int else check.word(index(board))
        except TypeError:
            tiles, rows = _rows_of_grid(board)
        else:
            found = wanted or (4, 4)
            return check_packed(number, found), found
    count = len(tiles)
    if not tiles:
        raise ValueError("a board must have tiles, and this one has none")
    if rows is None:
        side = int(count**0.5)
        if not wanted and side * side != count:
            raise ValueError(f"a flat board of {count} tiles needs its size, or rows with / between them")
        found = wanted or (side, side)
    else:
        found = (rows, count // rows)
    if wanted not in (None, found) or found[0] * found[1] != count:
        raise ValueError(f"a board of size {text_of_size(wanted or found)} was expected, got {_shape(count, rows)}")
    return _checked_tiles(tiles, checked_size(found)), found


def _shape(count: int, rows: int | None) -> str:
    return f"{count} tiles" if rows is None else f"{rows} rows of {count // rows}"


def tiles_of(board: int, size: Size) -> list[int]:
    """The tiles in reading order."""
    return [board >> shift & 15 for shift in range(60, 60 - 4 * size[0] * size[1], -4)]


def check_packed(board: int, size: Size) -> int:
    """The board if it is one of this size; else ValueError."""
    cells = size[0] * size[1]
    if board & ((1 << (64 - 4 * cells)) - 1):
        raise ValueError(
            f"a packed {text_of_size(size)} board must have zeros below its {cells} nibbles: {board:#018x}"
        )
    seen = 0
    for shift in range(60, 60 - 4 * cells, -4):
        seen |= 1 << (board >> shift & 15)
    if seen != (1 << cells) - 1:
        _checked_tiles(tiles_of(board, size), size)
    return board


def pack(tiles: Sequence[int]) -> int:
    """The packed board of tiles known to be right."""
    board = 0
    for cell, tile in enumerate(tiles):
        board |= tile << (60 - 4 * cell)
    return board


def read_goal(goal: Any, size: Size) -> int:
    """The packed goal of an argument: a word or an arrangement of that size."""
    cells = size[0] * size[1]
    if isinstance(goal, str):
        if goal == "blank-first":
            return pack(range(cells))
        if goal == "blank-last":
            return pack([*range(1, cells), 0])
        if not re.search(r"[0-9]", goal):
            raise ValueError(f"goal must be {' or '.join(GOALS)} or an arrangement of the tiles, got {goal[:40]!r}")
    return read(goal, size)[0]


@lru_cache(maxsize=1024)
def neighbours(size: Size) -> tuple[tuple[int, ...], ...]:
    """[direction][cell]: the cell next to a cell, or -1."""
    rows, cols = size
    table = []
    for down, right in ((-1, 0), (0, 1), (1, 0), (0, -1)):
        line = []
        for cell in range(rows * cols):
            row, col = cell // cols + down, cell % cols + right
            line.append(row * cols + col if 0 <= row < rows and 0 <= col < cols else -1)
        table.append(tuple(line))
    return tuple(table)


class Form:
    """How boards of a size and a goal are brought into the form in which they are solved.

    There the goal has piece i in cell i, the blank included, and the blank's own cell lies in the upper
    left quarter: the board is mirrored left-right or top-bottom for that, and the tiles are
    numbered by the cells where they belong. So one table or database serves every goal with the
    blank in a corner, and one more every other place of the blank.

    piece[tile] and place[cell] are the new numbers; blank is the blank's; order are the directions of
    SEARCH_ORDER and letters the names of directions, both seen through the mirrors.
    """

    __slots__ = ("blank", "cells", "goal", "letters", "order", "piece", "place", "size")

    def __init__(self, size: Size, goal: int) -> None:
        rows, cols = size
        tiles = tiles_of(goal, size)
        row, col = divmod(tiles.index(0), cols)
        flip_rows, flip_cols = 2 * row > rows - 1, 2 * col > cols - 1
        self.size, self.goal, self.cells = size, goal, rows * cols
        place = []
        for cell in range(self.cells):
            r, c = divmod(cell, cols)
            place.append((rows - 1 - r if flip_rows else r) * cols + (cols - 1 - c if flip_cols else c))
        piece = [0] * 16
        for cell, tile in enumerate(tiles):
            piece[tile] = place[cell]
        self.place, self.piece, self.blank = bytes(place), bytes(piece), piece[0]
        letters = list(DIRECTIONS)
        if flip_rows:
            letters[0], letters[2] = letters[2], letters[0]
        if flip_cols:
            letters[1], letters[3] = letters[3], letters[1]
        self.letters = "".join(letters)
        self.order = bytes(letters.index(letter) for letter in SEARCH_ORDER)

    def convert(self, board: int) -> int:
        """The board in this form."""
        out = 0
        piece = self.piece
        shift = 60
        for place in self.place:
            out |= piece[board >> shift & 15] << (60 - 4 * place)
            shift -= 4
        return out

    def solvable(self, converted: int) -> bool:
        """Whether the goal can be reached: each move changes the parity of the arrangement and of the blank's cell."""
        pieces = tiles_of(converted, self.size)
        cols = self.size[1]
        at, home = divmod(pieces.index(self.blank), cols), divmod(self.blank, cols)
        odd = at[0] + at[1] + home[0] + home[1] & 1
        seen = 0
        for start in range(self.cells):  # a cycle of even length is an odd permutation
            cell = start
            while not seen >> cell & 1:
                seen |= 1 << cell
                cell = pieces[cell]
                odd ^= cell != start
        return not odd


@lru_cache(maxsize=256)
def form_of(size: Size, goal: int) -> Form:
    return Form(size, goal)


def reachable(board: int, size: Size) -> str | None:
    """The first of GOALS that can be reached from a packed board; None if none can.

    Where both sides are even, as in the 15-puzzle, every board reaches one of the two; elsewhere both or neither.
    """
    for goal in GOALS:
        form = form_of(size, read_goal(goal, size))
        if form.solvable(form.convert(board)):
            return goal
    return None


def moved(board: int, size: Size, letters: str) -> list[int]:
    """Every board from `board` on along moves given as letters; ValueError at the first impossible one."""
    steps = neighbours(size)
    at = tiles_of(board, size).index(0)
    boards = [board]
    for number, letter in enumerate(letters):
        direction = DIRECTIONS.find(letter)
        if direction < 0:
            hint = check.KEYS_ARE_NO_DIRECTIONS if letter in "WAS" else ""
            raise ValueError(f"moves must be letters U R D L, got {letter!r} at {number}{hint}")
        to = steps[direction][at]
        if to < 0:
            raise ValueError(f"move {number}, {letter}, takes the blank off the board")
        tile = board >> (60 - 4 * to) & 15
        board ^= tile << (60 - 4 * to) | tile << (60 - 4 * at)
        boards.append(board)
        at = to
    return boards


def shuffled(seed: int, size: Size, goal: int) -> int:
    """A board that reaches the goal, all equally likely: a shuffle, and two tiles exchanged if its parity is wrong."""
    tiles = list(range(size[0] * size[1]))
    for last in range(len(tiles) - 1, 0, -1):
        chosen = choose(random64(seed, len(tiles) - 1 - last), last + 1)
        tiles[last], tiles[chosen] = tiles[chosen], tiles[last]
    form = form_of(size, goal)
    if not form.solvable(form.convert(pack(tiles))):
        a, b = [cell for cell, tile in enumerate(tiles) if tile][:2]
        tiles[a], tiles[b] = tiles[b], tiles[a]
    return pack(tiles)
