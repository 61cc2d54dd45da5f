"""Expectimax in pure Python: the same names as _c.py, and the same values to the last bit.

Each sum is made in the order of csrc/search.c, which says why it is that order.
"""

from __future__ import annotations

from array import array
from math import inf, nan
from time import monotonic_ns

from ..core import _py
from ..tools.buffers import UINT64

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

BLOCKS = False  # a search hears Ctrl-C

now = monotonic_ns  # nanoseconds of the clock of deadlines

_SLIDES = (
    (_py.move_up, _py.reward_columns),
    (_py.move_right, _py.reward_rows),
    (_py.move_down, _py.reward_columns),
    (_py.move_left, _py.reward_rows),
)
_CELLS = tuple(range(0, 64, 4))  # of the last cell first


class _LimitMet(Exception):
    """The search has to end now."""


def _sum_of_lines(table: Sequence[float], lines: int) -> float:
    return (table[lines >> 48] + table[lines & 0xFFFF]) + (table[lines >> 32 & 0xFFFF] + table[lines >> 16 & 0xFFFF])


def _value_of(table: Sequence[float], board: int) -> float:
    return _sum_of_lines(table, board) + _sum_of_lines(table, _py.transpose(board))


run: Any = None  # as in _c: pure Python has no shorter way


def table_many(table: Sequence[float], boards: memoryview, out: memoryview) -> None:
    values = array("d", [_value_of(table, board) for board in boards])
    out[:] = memoryview(values)


def _mirrored(row: int) -> int:
    return (row & 15) << 12 | (row & 0xF0) << 4 | (row & 0xF00) >> 4 | row >> 12


class Searcher:
    """The state of a search: the cache, the counters, the limits."""

    pointer: Any = None  # these four go with run()
    out: Any = None
    last: Any = None
    since: Any = None

    def __init__(
        self,
        table: Sequence[float] | None,
        network: Any,
        cache_bytes: int,
        reward_weight: float,
        over_value: float,
        four_layers: int,
        prune: float,
        leaf_limit: int,
    ) -> None:
        self._table, self._reward_weight, self._over_value = table, reward_weight, over_value
        self._network = network
        self._changes = None if network is None else network.changes
        self._four_layers, self._prune, self._leaf_limit = four_layers, prune, leaf_limit
        self._most = cache_bytes // 200  # what an entry of the dict takes, about
        self._cache: dict[tuple[int, int], float] = {}
        self._leaves: dict[int, float] = {}
        self._nodes = self._probes = self._hits = self._deadline = 0
        self._node_limit: float = inf
        self._stop = self.full = False
        self._images = 1 if network is None else 8
        if table is not None:
            symmetric = all(table[row] == table[_mirrored(row)] for row in range(65536))
            self._images = 8 if symmetric else 2

    @property
    def counters(self) -> tuple[int, int, int]:
        """Nodes, cache look-ups and hits since the searcher was made."""
        return self._nodes, self._probes, self._hits

    def limit(self, nodes: int | None, deadline: int) -> None:
        """End searches after so many more nodes, and when now() reaches a deadline that is not 0."""
        self._stop = False
        self._node_limit = inf if nodes is None else self._nodes + nodes
        self._deadline = deadline

    def stop(self) -> None:
        """End the search that another thread runs, and those that follow until limit()."""
        self._stop = True

    def forget(self) -> None:
        """Empty the cache."""
        self._cache.clear()

    def values(self, board: int, depth: int) -> list[float] | None:
        """The four values, nan where illegal; None if a limit was met."""
        if self._network is not None and self._changes != self._network.changes:
            self._changes = self._network.changes
            self.forget()
        try:
            return self._values(board, depth, False)
        except _LimitMet:
            return None

    def _values(self, board: int, depth: int, prune: bool) -> list[float]:
        """The four values, nan where illegal, -inf where a slide is pruned if any is to be."""
        values, weight = [nan] * 4, self._reward_weight
        least = -inf
        if prune and depth > 1 and self._prune < inf:
            values = self._values(board, 1, False)
            least = max((value for value in values if value == value), default=0.0) - self._prune
        for direction, (slide, reward) in enumerate(_SLIDES):
            after = slide(board)
            if after == board:
                continue
            if values[direction] < least:
                values[direction] = -inf
            else:
                value = self._value(self._canonical(after), depth)
                values[direction] = value if weight == 0 else weight * reward(board) + value
        return values

    def depth(self, board: int, boards: int, most: int) -> int | None:
        """The depth at which about so many boards are looked at, as csrc/search_api.h has it; None: a limit was met.

        The sum of the tiles tells layers apart, so no board is in two.
        """
        before: set[int] = set()
        layer = {_py.canonical(after) for slide, _ in _SLIDES if (after := slide(board)) != board}
        counted = len(layer)
        if counted > boards:
            return min(1, most)
        for depth in range(1, most):
            following: set[int] = set()
            for after, tile in [*[(after, 2) for after in before], *[(after, 1) for after in layer]]:
                if self._ends():
                    return None
                for spawned in [after | tile << shift for shift in _CELLS if not after >> shift & 15]:
                    slid = {slide(spawned) for slide, _ in _SLIDES}
                    following.update(map(_py.canonical, slid - {spawned}))
                if counted + len(following) > boards:
                    return depth + 1
            if not layer and not following:
                break
            counted += len(following)
            before, layer = layer, following
        return most

    def best_many(self, boards: memoryview, depths: memoryview, count: int, out: memoryview) -> int:
        """The best directions, -1 where over; for how many boards before a limit was met.

        With a count of boards `depths` are the most, and become those that were searched, 0 where there is no choice.
        """
        for i, board in enumerate(boards):
            if count:
                only = [direction for direction, (slide, _) in enumerate(_SLIDES) if slide(board) != board]
                depth = self.depth(board, count, depths[i]) if len(only) > 1 else 0
                if depth is None:
                    return i
                depths[i] = depth
                if len(only) < 2:
                    out[i] = only[0] if only else -1
                    continue
            values = self.values(board, depths[i])
            if values is None:
                return i
            legal = [(value, -direction) for direction, value in enumerate(values) if value == value]
            out[i] = -max(legal)[1] if legal else -1
        return len(boards)

    def _ends(self) -> bool:
        """Whether the search has to end now."""
        over = self._deadline and now() >= self._deadline
        return bool(self._stop or self._nodes >= self._node_limit or over)

    def _canonical(self, board: int) -> int:
        """The smallest of the images that have the same value."""
        if self._images == 8:
            return _py.canonical(board)
        return board if self._images == 1 else min(board, _py.transpose(board))

    def _value(self, after: int, depth: int) -> float:
        """V(after, depth) of a canonical afterstate, from the cache if it is there."""
        if depth == 0:
            return self._leaf(after)
        if not self._most:
            return self._chance(after, depth)
        self._probes += 1
        value = self._cache.get((after, depth))
        if value is not None:
            self._hits += 1
            return value
        value = self._chance(after, depth)
        if len(self._cache) >= self._most:
            self._cache.clear()
        self._cache[after, depth] = value
        return value

    def _leaf(self, after: int) -> float:
        """V(after, 0): of a table, a network, or put_leaves(), where one not seen before is collected and worth 0."""
        if self._table is not None:
            return _value_of(self._table, after)
        if self._network is not None:
            return self._network.value(after)  # type: ignore[no-any-return]
        if len(self._leaves) >= self._leaf_limit and after not in self._leaves:
            self.full = True
            raise _LimitMet
        return self._leaves.setdefault(after, 0.0)

    def _chance(self, after: int, depth: int) -> float:
        """V(after, depth) for depth >= 1.

        Where a 4 takes two layers and one is left, it takes that one with a network, and 4s are left out without.
        """
        if depth > 1 and self._ends():
            raise _LimitMet
        empty = [shift for shift in _CELLS if not after >> shift & 15]
        sums = [0.0, 0.0]
        tiles = 2 if depth > 1 or self._four_layers == 1 or self._network is not None else 1
        self._nodes += len(empty) * tiles
        for shift in empty:
            for i in range(tiles):
                sums[i] += self._best(after | i + 1 << shift, depth - (self._four_layers if i and depth > 1 else 1))
        return (0.9 * sums[0] + 0.1 * sums[1]) / len(empty) if tiles == 2 else sums[0] / len(empty)

    def _best(self, board: int, depth: int) -> float:
        """The best value of a board that the agent is to slide; over_value if it cannot."""
        return max((value for value in self._values(board, depth, True) if value == value), default=self._over_value)

    def leaves(self) -> array[int]:
        """The afterstates whose values the search wants."""
        return array(UINT64, self._leaves)

    def put_leaves(self, values: array[float]) -> None:
        """The values of leaves(), in its order, for the searches that follow."""
        self._leaves = dict(zip(self._leaves, values, strict=True))

    def clear_leaves(self) -> None:
        """Forget the leaves and their values."""
        self._leaves, self.full = {}, False
