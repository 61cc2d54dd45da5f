"""Sliding puzzles in the C core: tables, searches, databases. Every argument has been checked by the caller.

The GIL is released while C runs; searches and builds come back after a slice of work.
"""

from __future__ import annotations

from array import array

from ..core.ffi import ffi, lib, words, words_out
from . import heuristics

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from .board import Form, Size

SLICE = 2_000_000  # nodes, or entries of a database, between two looks at the clock and at Ctrl-C: about 0.1 s
LONGEST_PATTERN = 8
PLACEMENTS_A_SECOND = 10_000_000  # of a database built, on a slow machine


def _goal(form: Form) -> Any:
    letters = form.letters.encode()
    return {
        "rows": form.size[0],
        "cols": form.size[1],
        "blank": form.blank,
        "order": list(form.order),
        "letters": list(letters),
    }


def convert(boards: Any, form: Form) -> tuple[array[int], int]:
    """The boards in the form in which they are solved, and the index of the first that is none (or their number)."""
    n = len(boards)
    out = array("Q", bytes(8 * n))
    bad = lib.bb_sliding_convert(words(boards), words_out(out), n, form.cells, form.piece, form.place)
    return out, bad


class Table:
    """The distance of every board of up to ten cells."""

    def __init__(self, form: Form) -> None:
        cells = form.cells
        entries = lib.bb_pdb_entries(cells, cells)
        self._distance = ffi.new("uint8_t[]", entries)
        counts = ffi.new("uint64_t[64]")
        queue = ffi.new("uint64_t[]", entries // 2 + 1)
        lib.bb_sliding_table(ffi.new("struct bb_sliding_goal *", _goal(form)), self._distance, queue, counts)
        self.counts = [n for n in counts if n]

    def distance(self, form: Form, board: int) -> int:
        """The distance of a board, 255 if there is no way."""
        return self._distance[lib.bb_sliding_rank(board, form.cells)]  # type: ignore[no-any-return]

    def walk(self, form: Form, boards: array[int]) -> list[str | None]:
        """The moves that solve each board; None where there is no way."""
        n, stride = len(boards), len(self.counts)
        letters = ffi.new("char[]", n * stride)
        lengths = ffi.new("uint8_t[]", n)
        goal = ffi.new("struct bb_sliding_goal *", _goal(form))
        lib.bb_sliding_walk(goal, self._distance, words(boards), n, ffi.cast("uint8_t *", letters), stride, lengths)
        text = ffi.buffer(letters)[:].decode()
        return [
            text[start : start + length] if length != 255 else None
            for start, length in zip(range(0, n * stride, stride), lengths, strict=True)
        ]


class Search:
    """IDA*: begin(board), then step() until it is 1 (solved) or -1 (there is no solution)."""

    def __init__(self, form: Form, heuristic: heuristics.Heuristic) -> None:
        self._form, self._heuristic = form, heuristic
        self._search = search = ffi.new("struct bb_sliding_search *")
        self._keep: list[Any] = []
        search.goal = _goal(form)
        using = search.using
        slot = 0
        using.parts = len(heuristic.patterns)
        using.mirrored = heuristic.mirrored
        for part, pattern in enumerate(heuristic.patterns):
            using.first[part] = slot
            for i, (piece, weight) in enumerate(zip(pattern.pieces, pattern.weights, strict=True)):
                using.slot[piece], using.part[piece] = slot, part
                using.weight[part][i] = weight
                slot += 1
            using.table[part] = self._pointer("uint8_t[]", pattern.nibbles)
        for axis, walk in enumerate(heuristic.walks):
            if walk:
                using.walk[axis] = self._pointer("uint8_t[]", walk.distance)
                using.walk_next[axis] = self._pointer("uint16_t[]", walk.next)
                using.walk_lines[axis] = walk.lines

    def _pointer(self, kind: str, buffer: Any) -> Any:
        """A pointer to a buffer, which lives as long as the search."""
        pointer = ffi.from_buffer(kind, buffer)
        self._keep.append(pointer)
        return pointer

    def _place(self, board: int) -> None:
        if any(self._heuristic.walks):
            states = heuristics.walk_states(self._form, self._heuristic.walks, board)
            self._search.using.walk_start = states

    def estimate(self, board: int) -> int:
        """What the heuristic says of a board."""
        self._place(board)
        return lib.bb_sliding_lower_bound(self._search, board)  # type: ignore[no-any-return]

    def begin(self, board: int) -> None:
        self._place(board)
        lib.bb_sliding_begin(self._search, board)

    def step(self, end: int) -> int:
        """Go on until `end` nodes are generated."""
        return lib.bb_sliding_step(self._search, end)  # type: ignore[no-any-return]

    @property
    def nodes(self) -> int:
        return self._search.nodes  # type: ignore[no-any-return]

    @property
    def bound(self) -> int:
        return self._search.bound  # type: ignore[no-any-return]

    def moves(self) -> str:
        letters = ffi.new("uint8_t[256]")
        lib.bb_sliding_moves(self._search, letters)
        return bytes(letters[0 : self.bound]).decode()


class AStar:
    """A* with the Manhattan distance, by the same calls as Search; step() is -2 without memory."""

    def __init__(self, form: Form, max_bytes: int) -> None:
        self._form, self._max_bytes = form, min(max_bytes, 2**64 - 1)
        self._search: Any = None

    def begin(self, board: int) -> None:
        goal = ffi.new("struct bb_sliding_goal *", _goal(self._form))
        search = lib.bb_sliding_astar_begin(goal, board)
        if not search:
            raise MemoryError("no memory for A*")
        self._search = ffi.gc(search, lib.bb_sliding_astar_free)

    def step(self, end: int) -> int:
        """Go on until `end` boards are kept."""
        return lib.bb_sliding_astar_step(self._search, end, self._max_bytes)  # type: ignore[no-any-return]

    @property
    def nodes(self) -> int:
        return lib.bb_sliding_astar_nodes(self._search)  # type: ignore[no-any-return]

    @property
    def bound(self) -> int:
        return lib.bb_sliding_astar_bound(self._search)  # type: ignore[no-any-return]

    def moves(self) -> str:
        letters = ffi.new("uint8_t[256]")
        lib.bb_sliding_astar_moves(self._search, letters)
        return bytes(letters[0 : self.bound]).decode()


def build_pattern(
    size: Size, blank: int, pieces: Sequence[int], out: memoryview, progress: Callable[[int], None]
) -> None:
    """Fill the nibbles of a pattern; progress is told of entries found and of entries written."""
    build = lib.bb_pdb_begin(*size, blank, bytes(pieces), len(pieces))
    if not build:
        entries = lib.bb_pdb_entries(size[0] * size[1], len(pieces))
        raise MemoryError(f"building a pattern of {len(pieces)} tiles takes {3 * entries / 1e6:,.0f} MB of memory")
    try:
        target = ffi.from_buffer("uint8_t[]", out, require_writable=True)
        status = told = 0
        while not status:
            status = lib.bb_pdb_step(build, target, SLICE)
            done = lib.bb_pdb_done(build)
            progress(done - told)
            told = done
    finally:
        lib.bb_pdb_free(build)
    if status < 0:
        raise MemoryError("no memory left while building a pattern database")
