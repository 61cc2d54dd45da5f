"""Expectimax in the C core: one Searcher is one search at a time. Every argument has been checked by the caller."""

from __future__ import annotations

from array import array

from ..core.ffi import CPU, by_copy, ffi, items, lib, unaligned, words
from ..tools.buffers import UINT64

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BLOCKS = True  # a search keeps its thread from hearing Ctrl-C

now = lib.bb_search_now  # nanoseconds of the clock of deadlines
run = lib.bb_search_run  # (Searcher.pointer, board, depth, nanoseconds, Searcher.out): a search without limits


def table_many(table: Any, boards: memoryview, out: memoryview) -> None:
    values = ffi.from_buffer("double[]", out, require_writable=True)
    if unaligned(values):
        by_copy(table_many, table, boards, out)
    else:
        lib.bb_table_many(items("double[]", table), words(boards), values, len(boards))


class Searcher:
    """The state of a search in C: the cache, the counters, the limits."""

    def __init__(
        self,
        table: Any,
        network: Any,
        cache_bytes: int,
        reward_weight: float,
        over_value: float,
        four_layers: int,
        prune: float,
        leaf_limit: int,
    ) -> None:
        self._table = ffi.NULL if table is None else ffi.from_buffer("double[]", table)  # keeps the buffer alive
        self._network = network  # keeps its weights alive
        weights = ffi.NULL if network is None else network.pointer
        search = lib.bb_search_new(CPU, self._table, weights, cache_bytes)
        if search == ffi.NULL:
            raise MemoryError(f"no memory for a cache of {cache_bytes} bytes")
        self.pointer = ffi.gc(search, lib.bb_search_free, cache_bytes)
        search.reward_weight, search.over_value = reward_weight, over_value
        search.four_layers, search.prune, search.leaf_limit = four_layers, prune, leaf_limit
        self.out = ffi.new("double[4]")

    @property
    def counters(self) -> tuple[int, int, int]:
        """Nodes, cache look-ups and hits since the searcher was made."""
        search = self.pointer
        return search.nodes, search.probes, search.hits

    @property
    def last(self) -> tuple[int, int, int, int, int, float]:
        """What the last run() did, in the order of SearchStats."""
        search = self.pointer
        hits, probes = search.hits - search.first_hits, search.probes - search.first_probes
        return search.nodes - search.first_nodes, search.depth, hits, probes, 0, (search.ended - search.began) / 1e9

    @property
    def since(self) -> float:
        """Seconds since the last run() began."""
        return float(now() - self.pointer.began) / 1e9

    def limit(self, nodes: int | None, deadline: int) -> None:
        """End searches after so many more nodes, and when now() reaches a deadline that is not 0."""
        search = self.pointer
        lib.bb_search_stop(search, 0)
        search.node_limit = 2**64 - 1 if nodes is None else search.nodes + nodes
        search.deadline = deadline

    def stop(self) -> None:
        """End the search that another thread runs, and those that follow until limit()."""
        lib.bb_search_stop(self.pointer, 1)

    def forget(self) -> None:
        """Empty the cache."""
        lib.bb_search_forget(self.pointer)

    def values(self, board: int, depth: int) -> list[float] | None:
        """The four values, nan where illegal; None if a limit was met."""
        if lib.bb_search_values(self.pointer, board, depth, self.out):
            return None
        return list(self.out)

    def depth(self, board: int, boards: int, most: int) -> int | None:
        """The depth at which about so many boards are looked at; None if a limit was met."""
        depth: int = lib.bb_search_depth(self.pointer, board, boards, most)
        if depth == -2:
            raise MemoryError(f"no memory to count {boards} boards")
        return None if depth < 0 else depth

    def best_many(self, boards: memoryview, depths: memoryview, count: int, out: memoryview) -> int:
        """The best directions, -1 where over; for how many boards before a limit was met.

        With a count of boards `depths` are the most, and become those that were searched, 0 where there is no choice.
        """
        best = ffi.from_buffer("int64_t[]", out, require_writable=True)
        aligned = ffi.new("int64_t[]", len(boards)) if unaligned(best) else best
        layers = ffi.from_buffer("uint8_t[]", depths, require_writable=True)
        done: int = lib.bb_search_best_many(self.pointer, words(boards), layers, count, aligned, len(boards))
        if aligned is not best:
            ffi.memmove(best, aligned, 8 * done)
        return done

    @property
    def full(self) -> bool:
        """Whether the last search ended because there were too many leaves."""
        return bool(self.pointer.full)

    def leaves(self) -> array[int]:
        """The afterstates whose values the search wants."""
        boards = array(UINT64, bytes(8 * self.pointer.leaf_count))
        if boards:
            lib.bb_leaves_get(self.pointer, ffi.from_buffer("uint64_t[]", boards, require_writable=True))
        return boards

    def put_leaves(self, values: array[float]) -> None:
        """The values of leaves(), in its order, for the searches that follow."""
        if values:
            lib.bb_leaves_put(self.pointer, ffi.from_buffer("double[]", values))

    def clear_leaves(self) -> None:
        """Forget the leaves and their values."""
        lib.bb_leaves_clear(self.pointer)
