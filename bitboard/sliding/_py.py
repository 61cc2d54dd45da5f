"""Sliding puzzles in pure Python: the same names as _sliding_c, the same answers and node counts.

A node of a search is a tuple (bound, distance, board, blank, move, extra): as struct bb_sliding_node
in csrc/sliding_api.h, `extra` being what the heuristic keeps from board to board.
"""

from __future__ import annotations

from array import array

from . import heuristics
from .board import neighbours, pack, tiles_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from .board import Form, Size

    Node = tuple[int, int, int, int, int, Any]

SLICE = 4_000  # nodes between two looks at the clock
LONGEST_PATTERN = 5  # 524,160 placements on 4x4 take half a minute
PLACEMENTS_A_SECOND = 8_000  # of a database built, on a slow machine
HOPELESS = 255
RECORD_BYTES = 400  # of a board that A* keeps: a tuple, its numbers, a place in a dict and in a list


def convert(boards: Any, form: Form) -> tuple[array[int], int]:
    """The boards in the form in which they are solved, and the index of the first that is none (or their number)."""
    out = array("Q")
    pieces = list(range(form.cells))
    unused = (1 << (64 - 4 * form.cells)) - 1
    for i, board in enumerate(boards):
        if board & unused or sorted(tiles_of(board, form.size)) != pieces:
            return out, i
        out.append(form.convert(board))
    return out, len(out)


def _steps(form: Form) -> list[list[tuple[int, int]]]:
    """[cell]: (direction, next cell) in the order in which moves are tried."""
    table = neighbours(form.size)
    return [[(d, table[d][cell]) for d in form.order if table[d][cell] >= 0] for cell in range(form.cells)]


def _exchanged(board: int, blank: int, at: int, to: int) -> int:
    """The board after the blank, which is piece number `blank`, moves from one cell to another."""
    change = (board >> (60 - 4 * to) & 15) ^ blank
    return board ^ (change << (60 - 4 * at) | change << (60 - 4 * to))


def _with(values: tuple[int, ...], at: int, value: int) -> tuple[int, ...]:
    """The values with one of them changed."""
    return (*values[:at], value, *values[at + 1 :])


class Table:
    """The distance of every board, breadth-first from the goal."""

    def __init__(self, form: Form) -> None:
        steps = _steps(form)
        goal = pack(range(form.cells))
        self._distance = distance = {goal: 0}
        self.counts = []
        level = [(goal, form.blank)]
        while level:
            self.counts.append(len(level))
            ahead = []
            for board, at in level:
                for _, to in steps[at]:
                    after = _exchanged(board, form.blank, at, to)
                    if after not in distance:
                        distance[after] = len(self.counts)
                        ahead.append((after, to))
            level = ahead

    def distance(self, form: Form, board: int) -> int:
        """The distance of a board, 255 if there is no way."""
        return self._distance.get(board, 255)

    def walk(self, form: Form, boards: array[int]) -> list[str | None]:
        """The moves that solve each board; None where there is no way."""
        distance, steps, letters = self._distance, _steps(form), form.letters
        answers: list[str | None] = []
        for board in boards:
            left = distance.get(board)
            if left is None:
                answers.append(None)
                continue
            at = tiles_of(board, form.size).index(form.blank)
            moves = []
            while left:
                left -= 1
                for d, to in steps[at]:
                    after = _exchanged(board, form.blank, at, to)
                    if distance[after] == left:
                        moves.append(letters[d])
                        board, at = after, to
                        break
            answers.append("".join(moves))
        return answers


class Search:
    """IDA*: begin(board), then step() until it is 1 (solved) or -1 (there is no solution)."""

    def __init__(self, form: Form, heuristic: heuristics.Heuristic) -> None:
        self._form, self._heuristic = form, heuristic
        self._steps = _steps(form)
        self._away = heuristics.distances_of_cells(form.size[1], form.cells)
        self._part_of = {piece: p for p, pattern in enumerate(heuristic.patterns) for piece in pattern.pieces}
        self._mirror = [cell % form.size[1] * form.size[1] + cell // form.size[1] for cell in range(form.cells)]
        self.nodes = self.bound = 0

    def _value(self, part: int, where: tuple[int, ...]) -> int:
        """The nibble of a pattern whose pieces lie in `where`, which is indexed by piece."""
        pattern = self._heuristic.patterns[part]
        index = heuristics.pattern_index([where[piece] for piece in pattern.pieces], pattern.weights)
        return pattern.nibbles[index >> 1] >> (index & 1) * 4 & 15

    def _root(self, board: int) -> Node:
        pieces = tiles_of(board, self._form.size)
        heuristic, mirror = self._heuristic, self._mirror
        distance = least = heuristics.manhattan(self._form, board)
        extra: Any = None
        if heuristic.patterns:
            where = tuple(pieces.index(piece) for piece in range(self._form.cells))
            parts = range(len(heuristic.patterns))
            more = tuple(self._value(p, where) for p in parts)
            mirrored, mirror_more = where, more
            if heuristic.mirrored:
                mirrored = tuple(mirror[where[mirror[piece]]] for piece in range(self._form.cells))
                mirror_more = tuple(self._value(p, mirrored) for p in parts)
            extra = where, more, mirrored, mirror_more
            least += 2 * max(sum(more), sum(mirror_more))
        elif any(heuristic.walks):
            least = heuristics.walking_distance(self._form, board)
            extra = *heuristics.walk_states(self._form, heuristic.walks, board), least
        return least, distance, board, pieces.index(self._form.blank), 4, extra

    def estimate(self, board: int) -> int:
        """What the heuristic says of a board."""
        return self._root(board)[0]

    def begin(self, board: int) -> None:
        self._start = self._root(board)
        self.bound, self.nodes = self._start[0], 1
        self._stack: list[list[Node]] = []  # children not yet looked at, in reverse
        self._path: list[int] = []

    def step(self, end: int) -> int:
        """Go on until `end` nodes are generated."""
        if self._start[1] == 0:
            return 1
        stack, path = self._stack, self._path
        while self.nodes < end:
            if not stack:
                if self.bound >= HOPELESS - 1:
                    return -1
                stack.append(self._expand(self._start, 1))
            if not stack[-1]:
                stack.pop()
                if stack:
                    path.pop()
                else:
                    self.bound += 2
                continue
            node = stack[-1].pop()
            self.nodes += 1
            if node[0] > self.bound:
                continue
            path.append(node[4])
            if node[1] == 0:
                return 1
            stack.append(self._expand(node, len(stack) + 1))
        return 0

    def _expand(self, node: Node, moves: int) -> list[Node]:
        """The nodes one move on, all but the one that this came from, the last first."""
        _, distance, board, at, move, extra = node
        blank, bound, away = self._form.blank, self.bound, self._away
        patterns, walks = self._heuristic.patterns, any(self._heuristic.walks)
        children: list[Node] = []
        for d, to in self._steps[at]:
            if d ^ 2 == move:
                continue
            piece = board >> (60 - 4 * to) & 15
            change = away[piece][at] - away[piece][to]
            after = distance + change
            least, kept = moves + after, None
            if walks:
                kept = self._walked(extra, d, piece, change)
                least = moves + kept[2]
            elif patterns and least <= bound:
                kept, more = self._looked_up(extra, piece, at)
                least += 2 * more
            children.append((least, after, _exchanged(board, blank, at, to), to, d, kept))
        children.reverse()
        return children

    def _walked(self, extra: tuple[int, int, int], d: int, piece: int, change: int) -> tuple[int, int, int]:
        """Walking distance after a move: (state of rows, state of columns, sum)."""
        axis = d & 1
        walk = self._heuristic.walks[axis]
        states = [extra[0], extra[1]]
        if not walk:
            return extra[0], extra[1], extra[2] + change
        line = piece % self._form.size[1] if axis else piece // self._form.size[1]
        before = states[axis]
        states[axis] = walk.next[(before * 2 + (d in (1, 2))) * walk.lines + line]
        return states[0], states[1], extra[2] + walk.distance[states[axis]] - walk.distance[before]

    def _looked_up(self, extra: Any, piece: int, cell: int) -> tuple[Any, int]:
        """What a database says after a piece moved to a cell: (where and values, their larger sum)."""
        where, more, mirrored, mirror_more = extra
        where = _with(where, piece, cell)
        part = self._part_of[piece]
        more = _with(more, part, self._value(part, where))
        total = sum(more)
        if self._heuristic.mirrored:
            twin, cell = self._mirror[piece], self._mirror[cell]
            mirrored = _with(mirrored, twin, cell)
            part = self._part_of[twin]
            mirror_more = _with(mirror_more, part, self._value(part, mirrored))
            total = max(total, sum(mirror_more))
        return (where, more, mirrored, mirror_more), total

    def moves(self) -> str:
        return "".join([self._form.letters[d] for d in self._path])


class AStar:
    """A* with the Manhattan distance, by the same calls as Search; step() is -2 without memory.

    As csrc/sliding_astar.c: one list for each f, last in first out. A record is
    (board, index of the one before, moves, Manhattan distance, blank, move).
    """

    def __init__(self, form: Form, max_bytes: int) -> None:
        self._form, self._most = form, max_bytes // RECORD_BYTES
        self._steps = [steps[::-1] for steps in _steps(form)]
        self._away = heuristics.distances_of_cells(form.size[1], form.cells)

    def begin(self, board: int) -> None:
        self.bound = away = heuristics.manhattan(self._form, board)
        blank = tiles_of(board, self._form.size).index(self._form.blank)
        self._records: list[tuple[int, int, int, int, int, int]] = [(board, -1, 0, away, blank, 4)]
        self._newest = {board: 0}
        self._open: dict[int, list[int]] = {away: [0]}

    @property
    def nodes(self) -> int:
        return len(self._records)

    def step(self, end: int) -> int:
        """Go on until `end` boards are kept."""
        records, newest, form, away_of = self._records, self._newest, self._form, self._away
        if records[0][3] == 0:
            self._solution = 0
            return 1
        while len(records) < end:
            if not self._open.get(self.bound):
                if self.bound + 2 > HOPELESS:
                    return -1
                self.bound += 2
                continue
            if len(records) > self._most:
                return -2
            index = self._open[self.bound].pop()
            board, _, moves, away, at, move = records[index]
            if newest[board] != index:
                continue
            if away == 0:
                self._solution = index
                return 1
            moves += 1
            for d, to in self._steps[at]:
                if d ^ 2 == move:
                    continue
                piece = board >> (60 - 4 * to) & 15
                after = _exchanged(board, form.blank, at, to)
                if after in newest and records[newest[after]][2] <= moves:
                    continue
                lacks = away - away_of[piece][to] + away_of[piece][at]
                newest[after] = len(records)
                self._open.setdefault(moves + lacks, []).append(len(records))
                records.append((after, index, moves, lacks, to, d))
        return 0

    def moves(self) -> str:
        path = []
        index = self._solution
        while index:
            path.append(self._form.letters[self._records[index][5]])
            index = self._records[index][1]
        return "".join(reversed(path))


def build_pattern(
    size: Size, blank: int, pieces: Sequence[int], out: memoryview, progress: Callable[[int], None]
) -> None:
    """Fill the nibbles of a pattern; progress is told of entries found and written.

    Breadth-first over (placement, cell of the blank), where the blank moves for nothing among
    the cells without a piece of the pattern: unlike csrc/sliding_database.c, placement by placement.
    """
    cells, table = size[0] * size[1], neighbours(size)
    weights = heuristics.pattern_weights(len(pieces), cells)
    away = heuristics.distances_of_cells(size[1], cells)
    places = weights[0] * cells
    seen, known = bytearray(places * cells), bytearray(places)
    level, moves = {(tuple(pieces), blank)}, 0
    while level:
        ahead = set()
        found = 0
        for number, (where, at) in enumerate(level):
            if number % 512 == 511:  # a caller may raise to stop
                progress(2 * found)
                found = 0
            index = heuristics.pattern_index(where, weights)
            base = index * cells
            if seen[base + at]:
                continue
            if not known[index]:
                known[index] = 1
                found += 1
                more = (moves - sum(away[p][c] for p, c in zip(pieces, where, strict=True))) // 2
                out[index >> 1] |= min(more, 15) << (index & 1) * 4
            seen[base + at] = 1
            stack = [at]
            while stack:
                cell = stack.pop()
                for steps in table:
                    to = steps[cell]
                    if to < 0:
                        continue
                    if to in where:
                        ahead.add((tuple([cell if c == to else c for c in where]), to))
                    elif not seen[base + to]:
                        seen[base + to] = 1
                        stack.append(to)
        progress(2 * found)
        level, moves = ahead, moves + 1
