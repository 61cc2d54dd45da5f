"""Sliding puzzles: what a board lacks at least. Boards are in the form of _sliding_board.Form.

A Heuristic is what a search is given: nothing but its name for the Manhattan distance, or tables.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache

from .board import Form, tiles_of

WALK_LINES = 4  # axes of more lines than this have too many states; there the Manhattan distance stands in
NO_STATE = 0xFFFF


class Pattern:
    """The pieces of a pattern, ascending, and its table of nibbles in the order of pattern_index()."""

    __slots__ = ("nibbles", "pieces", "weights")

    def __init__(self, pieces: Sequence[int], cells: int, nibbles: memoryview | bytearray) -> None:
        self.pieces = tuple(pieces)
        self.nibbles = nibbles
        self.weights = pattern_weights(len(self.pieces), cells)


class Heuristic:
    """A name and the tables it needs: patterns of a database, or walking distance by axis."""

    __slots__ = ("mirrored", "name", "patterns", "walks")

    def __init__(
        self,
        name: str,
        patterns: Sequence[Pattern] = (),
        mirrored: bool = False,
        walks: tuple[Walk | None, Walk | None] = (None, None),
    ) -> None:
        self.name = name
        self.patterns = tuple(patterns)
        self.mirrored = mirrored
        self.walks = walks


def pattern_weights(length: int, cells: int) -> tuple[int, ...]:
    """What each piece's rank among the cells left counts in an index: the first piece is most significant."""
    weights = [1]
    for i in range(length - 1, 0, -1):
        weights.append(weights[-1] * (cells - i))
    return tuple(reversed(weights))


def pattern_index(where: Sequence[int], weights: Sequence[int]) -> int:
    """The number of a placement among all, as bb_pattern_index in csrc/sliding.h."""
    index = taken = 0
    for cell, weight in zip(where, weights, strict=True):
        index += (cell - (taken & (1 << cell) - 1).bit_count()) * weight
        taken |= 1 << cell
    return index


def can_mirror(form: Form) -> bool:
    """Whether the goal is its own mirror image in the main diagonal, so that a board's mirror image is as far."""
    rows, cols = form.size
    return rows == cols and form.blank // cols == form.blank % cols


def distances_of_cells(cols: int, cells: int) -> list[list[int]]:
    """[a][b]: the Manhattan distance of two cells."""
    return [[abs(a // cols - b // cols) + abs(a % cols - b % cols) for b in range(cells)] for a in range(cells)]


def manhattan(form: Form, board: int) -> int:
    cols = form.size[1]
    total = 0
    for cell, piece in enumerate(tiles_of(board, form.size)):
        if piece != form.blank:
            total += abs(cell // cols - piece // cols) + abs(cell % cols - piece % cols)
    return total


def linear_conflict(form: Form, board: int) -> int:
    """Two moves more than Manhattan for each tile that must leave its line to let others pass."""
    rows, cols = form.size
    pieces = tiles_of(board, form.size)
    extra = 0
    for row in range(rows):
        home = [p % cols for p in pieces[row * cols : row * cols + cols] if p != form.blank and p // cols == row]
        extra += len(home) - _longest_ascent(home)
    for col in range(cols):
        home = [p // cols for p in pieces[col::cols] if p != form.blank and p % cols == col]
        extra += len(home) - _longest_ascent(home)
    return manhattan(form, board) + 2 * extra


def _longest_ascent(numbers: Sequence[int]) -> int:
    """The length of the longest ascending subsequence: the tiles that can stay in their line."""
    ends: list[int] = []
    for number in numbers:
        at = bisect_left(ends, number)
        ends[at : at + 1] = [number]
    return len(ends)


class Walk:
    """Walking distance along one axis (Ken'ichiro Takahashi): how many moves bring every tile into its line.

    A state says how many tiles of each goal line are in each line, and which line has the blank. All
    are met breadth-first from the goal: distance[state], and the state after the blank goes one
    line back or on and a tile whose goal is line g comes the other way, at next[(state * 2 + on) * lines + g].
    """

    __slots__ = ("_states", "distance", "lines", "next")

    def __init__(self, lines: int, per_line: int, home: int) -> None:
        goal = [0] * (lines * lines)
        for line in range(lines):
            goal[line * lines + line] = per_line - (line == home)
        states = {(*goal, home): 0}
        self.lines, self._states = lines, states
        self.distance = array("B", [0])
        self.next = array("H")
        for state in (queue := list(states)):  # grows while it is read
            away = self.distance[states[state]] + 1
            blank = state[-1]
            for to in (blank - 1, blank + 1):
                for line in range(lines):
                    found = NO_STATE
                    if 0 <= to < lines and state[to * lines + line]:
                        cells = list(state)
                        cells[to * lines + line] -= 1
                        cells[blank * lines + line] += 1
                        cells[-1] = to
                        after = tuple(cells)
                        if after not in states:
                            states[after] = len(queue)
                            queue.append(after)
                            self.distance.append(away)
                        found = states[after]
                    self.next.append(found)

    def state(self, lines_of_cells: Sequence[tuple[int, int]], blank_line: int) -> int:
        """The state of (line, goal line) of each tile."""
        cells = [0] * (self.lines * self.lines)
        for line, goal in lines_of_cells:
            cells[line * self.lines + goal] += 1
        return self._states[(*cells, blank_line)]


@lru_cache(maxsize=32)
def walk_of(lines: int, per_line: int, home: int) -> Walk | None:
    """The table of an axis, or None where it would be too large. 0.3 s for four lines of four."""
    return Walk(lines, per_line, home) if lines <= WALK_LINES else None


def walks_of(form: Form) -> tuple[Walk | None, Walk | None]:
    """The tables of rows and columns."""
    rows, cols = form.size
    row, col = divmod(form.blank, cols)
    return walk_of(rows, cols, row), walk_of(cols, rows, col)


def walk_states(form: Form, walks: tuple[Walk | None, Walk | None], board: int) -> tuple[int, int]:
    """The states of a board along both axes, 0 where there is no table."""
    cols = form.size[1]
    at = list(enumerate(tiles_of(board, form.size)))
    blank = next(cell for cell, piece in at if piece == form.blank)
    tiles = [(cell, piece) for cell, piece in at if piece != form.blank]
    rows_walk, cols_walk = walks
    return (
        rows_walk.state([(c // cols, p // cols) for c, p in tiles], blank // cols) if rows_walk else 0,
        cols_walk.state([(c % cols, p % cols) for c, p in tiles], blank % cols) if cols_walk else 0,
    )


def walking_distance(form: Form, board: int) -> int:
    cols = form.size[1]
    walks = walks_of(form)
    total = 0
    for axis, (walk, state) in enumerate(zip(walks, walk_states(form, walks, board), strict=True)):
        if walk:
            total += walk.distance[state]
            continue
        for cell, piece in enumerate(tiles_of(board, form.size)):
            if piece != form.blank:
                total += abs(cell % cols - piece % cols) if axis else abs(cell // cols - piece // cols)
    return total
