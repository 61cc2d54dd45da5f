"""Expectimax over row tables and networks: the best slide, looked for several slides and spawns ahead."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf, nan
from threading import Lock
from time import perf_counter
from typing import Any, SupportsIndex

from ..core import check, empty_count, kernels_of, legal_moves
from ..tools import buffers, checks, copies, forks
from . import evaluators
from .deepening import MOST_DEPTH, Deepening, stoppable
from .row_tables import LARGEST, RowTable
from .stats import SearchStats

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..core import Direction
    from . import _py as kernels
else:
    Direction = Any  # found by typing.get_type_hints()
    kernels = kernels_of(__package__)

__all__ = ["Expectimax", "SearchStats"]

MOST_BOARDS = 100_000_000  # that are counted: 3 GB
BOARDS_A_CALL = 64
# What takes longer runs in a thread, or Ctrl-C would wait for it.
SHORT_NS, SHORT_NODES, SHORT_BOARDS = 50_000_000, 500_000, 500_000
OVER = "no direction is legal on this board: the game is over"


class Expectimax:
    """Search for the slide with the best expected value.

    With V(a, 0) = the value of the afterstate a, and V(a, k) = the mean over the spawns s of a of (over_value
    if s is over, else the maximum over the legal slides of s of reward_weight * reward + V(afterstate, k - 1)),
    a direction is worth reward_weight * reward + V(afterstate, depth).

    depth: the number of chance layers, 0 to 20; without a budget 3 if not given, with one the most. All empty cells,
      2s and 4s: exact unless four_layers or prune are given.
    table: a RowTable, the shipped RowTable.default() if not given.
    evaluator: instead of a table, any function that takes an array.array of boards (afterstates; numpy.asarray
      views it as uint64) and gives one finite number for each, as a list or a buffer of 64-bit floats. It is called
      with all leaves of a search at once, each once, at most 65,536 a call.
    network: instead of a table a bitboard.NTupleNetwork, which C asks for each leaf. It may learn on meanwhile.
    boards: a budget for a call, 1 to 100,000,000, by which the depth is chosen before the search, crowded boards
      deeper. The afterstates that can follow are counted layer by layer, a 2 leading one layer on and a 4 two, mirror
      images as one; the depth is one more than the number of layers that have at most `boards` together, up to
      `depth`. It depends on the board alone, so that all values do. A call takes about so many times 0.5 us by a table,
      3 us by a network.
    nodes, time_ms: limits for a call. The search deepens layer by layer, up to the depth by `depth` or `boards`, and
      returns the values of the last depth that it completed, at least 0; with time_ms it does not begin a depth that
      by the growth so far would not be completed. With `nodes` it begins with an empty cache,
      so that the same board has the same values whatever was searched before; it may look at some hundreds more, on
      a nearly empty board at thousands.
    cache_mb: megabytes for V in all, 0 for none, shared among the threads, each of which takes at least 1/8; it changes
      no value at a fixed depth.
    threads: of best_many() alone, which shares the boards among them; they change no value. One search is one thread's.
    reward_weight, over_value: as above, 0 by default; reward_weight 1 with a network, whose values are the points that
      follow. A table should give live boards more than over_value.
    four_layers: 2 makes the spawn of a 4 take two layers, so that unlikely branches end sooner. Where one layer is
      left, with a network it takes that one, else 4s are left out of the mean. Looks at about a third of the boards at
      depth 3 with a network, else at a sixth. By depth alone, so mirror images and cached values agree.
    prune: forward pruning. In V(a, k), where two or more layers follow the slides of s, those whose value one layer
      ahead, reward_weight * reward + V(afterstate, 1), is lower than the best one's by more than this are left out of
      the maximum: from depth 3 on values can be lower for it. All slides of the board that is searched are kept. In the
      units of the table or network, compared as computed, without an evaluator only; None for no pruning.
    adaptive: search crowded boards deeper: by one layer where at most 4 cells are empty, two where at most 1 is.

    At a fixed depth the values are the same to the last bit on both backends, for any cache and number of threads,
    and for mirror images (of a network, or of a table whose rows are worth what their mirror images are; else for a
    board and its transpose).
    Used as an agent, it slides in the direction best(board). One object is one search at a time. It pickles and
    copies, as do subclasses with the attributes that they add (their __init__ is not called again).
    Raises TypeError and ValueError for arguments, MemoryError for a cache that does not fit.

    >>> import bitboard
    >>> search = bitboard.Expectimax(depth=2)
    >>> search.best(bitboard.parse("2 4 8 16  0 0 2 32  0 0 0 64  0 0 0 128")) in bitboard.DIRECTIONS
    True
    """

    name = "expectimax"

    def __init__(
        self,
        depth: SupportsIndex | None = None,
        table: RowTable | None = None,
        *,
        evaluator: Callable[[Any], Any] | None = None,
        network: Any = None,
        boards: SupportsIndex | None = None,
        nodes: SupportsIndex | None = None,
        time_ms: float | None = None,
        cache_mb: float = 16,
        threads: SupportsIndex = 1,
        reward_weight: float | None = None,
        over_value: float = 0.0,
        four_layers: SupportsIndex = 1,
        prune: float | None = None,
        adaptive: bool = False,
    ) -> None:
        self._boards = None if boards is None else checks.integer(boards, "boards", 1, MOST_BOARDS)
        self._nodes = None if nodes is None else checks.integer(nodes, "nodes", 1, 2**63 - 1)
        self._time_ms = None if time_ms is None else checks.number(time_ms, "time_ms", 0.001, 86_400_000)
        self._limited = nodes is not None or time_ms is not None  # it deepens layer by layer
        self._budget = self._limited or boards is not None
        self._depth = (
            (MOST_DEPTH if self._budget else 3) if depth is None else checks.integer(depth, "depth", 0, MOST_DEPTH)
        )
        if sum(model is not None for model in (table, evaluator, network)) > 1:
            raise TypeError("give one of table, evaluator and network")
        if evaluator is not None and not callable(evaluator):
            raise TypeError(f"evaluator must be a function of an array of boards, not {type(evaluator).__name__}")
        if network is not None and not hasattr(network, "_kernel"):
            raise TypeError(f"network must be a bitboard.NTupleNetwork, not {type(network).__name__}")
        if table is not None and not isinstance(table, RowTable):
            raise TypeError(
                f"table must be a bitboard.RowTable, not {type(table).__name__}; see RowTable.from_function"
            )
        if evaluator is not None and prune is not None:
            raise TypeError("prune goes with a table or a network: an evaluator is asked for all leaves at once")
        self._evaluator = evaluator
        self._network = network
        self._table = RowTable.default() if table is None and evaluator is None and network is None else table
        self._cache_mb = checks.number(cache_mb, "cache_mb", 0, 1 << 20)
        self._threads = checks.integer(threads, "threads", 1, 1024)
        if reward_weight is None:
            reward_weight = 0.0 if network is None else 1.0
        self._reward_weight = checks.number(reward_weight, "reward_weight", -LARGEST, LARGEST)
        self._over_value = checks.number(over_value, "over_value", -LARGEST, LARGEST)
        self._four_layers = checks.integer(four_layers, "four_layers", 1, 2)
        if type(prune).__name__ in ("bool", "bool_"):  # Python's and numpy's; not 0 and 1
            raise TypeError(f"prune must be a number, or None for no pruning, not {prune}")
        self._prune = None if prune in (None, inf) else checks.number(prune, "prune", 0, LARGEST)
        self._adaptive = bool(adaptive)
        self._searchers = [self._new_searcher()]
        self._lock, self._busy = forks.Lock(), False
        # A search to a depth is one call of C; so is best(), unless a subclass has values of its own.
        self._simple = kernels.run is not None and evaluator is None and not self._budget
        self._best_simple = self._simple and type(self).values is Expectimax.values
        self._stats: SearchStats | None = SearchStats()  # None: the searcher has them

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (type(self), self._table, self._options()), copies.state_of(self, _STATE)

    def _options(self) -> dict[str, Any]:
        """The arguments that this was made with, but for the table."""
        return {
            "depth": None if self._depth == MOST_DEPTH and self._budget else self._depth,
            "evaluator": self._evaluator,
            "network": self._network,
            "boards": self._boards,
            "nodes": self._nodes,
            "time_ms": self._time_ms,
            "cache_mb": self._cache_mb,
            "threads": self._threads,
            "reward_weight": self._reward_weight,
            "over_value": self._over_value,
            "four_layers": self._four_layers,
            "prune": self._prune,
            "adaptive": self._adaptive,
        }

    def __repr__(self) -> str:
        given = [f"{key}={value!r}" for key, value in self._options().items() if value is not None or key == "depth"]
        return f"{type(self).__name__}({', '.join(given)})"

    def _new_searcher(self) -> kernels.Searcher:
        bytes_each = int(self._cache_mb * 2**20) // self._threads
        table = None if self._table is None else self._table.values
        prune = inf if self._prune is None else self._prune
        network = None if self._network is None else self._network._kernel
        weights = self._reward_weight, self._over_value
        return kernels.Searcher(table, network, bytes_each, *weights, self._four_layers, prune, evaluators.MOST_LEAVES)

    def _team(self) -> list[kernels.Searcher]:
        """A searcher for each thread of best_many()."""
        while len(self._searchers) < self._threads:
            self._searchers.append(self._new_searcher())
        return self._searchers

    # ---- one board ----

    @property
    def stats(self) -> SearchStats:
        """What the last call did."""
        return SearchStats(*self._searchers[0].last) if self._stats is None else self._stats

    def _run(self, word: int, values: bool) -> Any:
        """Search to the depth in one call of C: the values, or the best direction; None if the game is over.

        What is not needed is not made: at depth 0 nine tenths of a call were Python around C.
        """
        with self._lock.inner:
            if self._busy or self._lock.broken:
                return None  # the longer way has words for it
            searcher = self._searchers[0]
            depth = self._depth_of(word) if self._adaptive else self._depth
            best = kernels.run(searcher.pointer, word, depth, SHORT_NS, searcher.out)
            if best >= 0:
                self._stats = None
                return tuple(searcher.out) if values else best
            return None if best == -1 else self._run_on(searcher, word, depth, values)

    def _run_on(self, searcher: kernels.Searcher, word: int, depth: int, values: bool) -> Any:
        """The same where it takes long: it begins again in a thread that Ctrl-C can stop, with a warm cache."""
        self._busy = True
        try:
            state = Deepening(word, depth, depth)
            searcher.limit(None, 0)
            stoppable([searcher], state.run)
            self._stats = SearchStats(*searcher.last)._replace(seconds=searcher.since)
        finally:
            self._busy = False
        return tuple(state.values) if values else _argmax(tuple(state.values))

    def values(self, board: SupportsIndex) -> tuple[float, float, float, float]:
        """The values of UP, RIGHT, DOWN and LEFT, nan where illegal.

        Ctrl-C ends it within 0.1 s. Raises TypeError or OverflowError for what is not a board, ValueError for what an
        evaluator returned or where it has too many leaves.

        >>> import bitboard
        >>> search = bitboard.Expectimax(depth=1, table=bitboard.RowTable.corner())
        >>> [round(value, 4) for value in search.values(0x1230_0000_0000_0000)]
        [nan, 11.4106, 10.9058, nan]
        """
        word = board if type(board) is int and 0 <= board <= check.WORD else check.word(board)
        found = self._run(word, True) if self._simple else None
        if found is not None:
            return found  # type: ignore[no-any-return]
        start = perf_counter()
        with self._one_search():
            before = self._counters()
            values: Any = (nan, nan, nan, nan)
            reached = leaves = 0
            if legal_moves(word):
                deadline = 0 if self._time_ms is None else kernels.now() + int(self._time_ms * 1_000_000)
                depths = self._depths(word, deadline)
                if self._evaluator is not None:
                    searcher, nodes = self._searchers[0], self._nodes
                    given = evaluators.search(searcher, self._evaluator, word, depths, nodes, deadline)
                    values, reached, leaves = tuple(given[0]), given[1], given[2]
                else:
                    values, reached = self._searched(word, depths, deadline)
            self._count(before, reached, leaves, start)
        return values  # type: ignore[no-any-return]

    def best(self, board: SupportsIndex) -> Direction:
        """The direction with the largest value, the first of equals in the order U R D L.

        With a budget or limit, a board with one legal direction is not searched.
        Raises as values(), and ValueError if the game is over.

        >>> import bitboard
        >>> bitboard.Expectimax(depth=1, table=bitboard.RowTable.corner()).best(0x1230_0000_0000_0000)
        1
        """
        word = board if type(board) is int and 0 <= board <= check.WORD else check.word(board)
        found = self._run(word, False) if self._best_simple else None
        if found is not None:
            return found  # type: ignore[no-any-return]
        mask = legal_moves(word)
        if not mask:
            raise ValueError(OVER)
        if self._budget and not mask & (mask - 1):
            self._stats = SearchStats()
            return mask.bit_length() - 1  # type: ignore[return-value]
        return _argmax(self.values(word))  # type: ignore[return-value]

    __call__ = best

    @contextmanager
    def _one_search(self) -> Iterator[None]:
        """Threads that share this object wait for one another; an evaluator must not search with it."""
        with self._lock:
            if self._lock.broken:  # in a process forked in the middle of a search, whose cache may be half written
                self._searchers, self._busy, self._lock.broken = [self._new_searcher()], False, False
            if self._busy:
                raise RuntimeError("this Expectimax is searching; its evaluator needs another one")
            self._busy = True
            try:
                yield
            finally:
                self._busy = False

    def _counters(self) -> tuple[int, ...]:
        return tuple(map(sum, zip(*[searcher.counters for searcher in self._searchers], strict=True)))

    def _count(self, before: tuple[int, ...], depth: int, leaves: int, start: float) -> None:
        """Set the stats of a call."""
        nodes, probes, hits = (now - then for now, then in zip(self._counters(), before, strict=True))
        self._stats = SearchStats(nodes, depth, hits, probes, leaves, perf_counter() - start)

    def _depth_of(self, board: int) -> int:
        """The depth of a board by the arguments depth and adaptive."""
        if not self._adaptive:
            return self._depth
        empty = empty_count(board)
        return min(self._depth + (empty <= 4) + (empty <= 1), MOST_DEPTH)

    def _depths(self, board: int, deadline: int) -> range:
        """The depths to search, one after another."""
        last = self._depth_of(board)
        if self._boards is not None:
            searcher, boards = self._searchers[0], self._boards
            counted: list[int | None] = []
            searcher.limit(None, deadline)
            stoppable([searcher], lambda one: counted.append(one.depth(board, boards, last)), boards <= SHORT_BOARDS)
            if counted[0] is not None:  # else the deadline is over, and with it the search
                last = counted[0]
        return range(0 if self._limited else last, last + 1)

    def _searched(self, board: int, depths: range, deadline: int) -> tuple[Any, int]:
        """The values by the table or network, and the depth reached."""
        first, state = self._searchers[0], Deepening(board, depths[0], depths[-1], deadline)
        if self._nodes is not None:
            first.forget()
            first.limit(self._nodes, deadline)
            stoppable([first], state.run, short=self._nodes <= SHORT_NODES)
        elif kernels.BLOCKS and (not deadline or deadline - kernels.now() > SHORT_NS):
            # Most searches are short. One that is not begins its depth again in a thread, with a warm cache.
            first.limit(None, kernels.now() + SHORT_NS)
            if not state.run(first):
                first.limit(None, deadline)
                stoppable([first], state.run)
        else:
            first.limit(None, deadline)
            state.run(first)
        return tuple(state.values), state.depth

    # ---- many boards ----

    def best_many(self, boards: Any, out: Any = None) -> Any:
        """The best direction of every board, as best(); -1 where the game is over.

        boards: a C-contiguous buffer of unsigned 64-bit integers, as for the functions X_many. out: signed 64-bit
        integers of the same shape, or a new array: numpy if `boards` is numpy, else array.array. Budgets are for
        each board. The threads share the boards; the result does not depend on their number.
        Raises TypeError and ValueError for arrays as those functions, and as values().

        >>> import array, bitboard
        >>> search = bitboard.Expectimax(depth=1, table=bitboard.RowTable.corner())
        >>> search.best_many(array.array("Q", [0x1230_0000_0000_0000, 0x1212_2121_1212_2121])).tolist()
        [1, -1]
        """
        (boards, seen), start = check.boards(boards), perf_counter()
        out, target = buffers.result(out, boards, seen, "int64")
        words, into = buffers.flat(seen), buffers.flat(target, "int64")
        if self._limited or self._evaluator is not None:
            return self._best_one_by_one(words, into, out, start)
        with self._one_search():
            before = self._counters()
            depths = bytearray(map(self._depth_of, words) if self._adaptive else bytes([self._depth]) * len(words))
            shared = memoryview(depths)
            lock, starts = Lock(), iter(range(0, len(words), BOARDS_A_CALL))

            def work(searcher: kernels.Searcher) -> None:
                while True:
                    with lock:
                        at = next(starts, None)
                    if at is None:
                        return
                    end = min(at + BOARDS_A_CALL, len(words))
                    done = searcher.best_many(words[at:end], shared[at:end], self._boards or 0, into[at:end])
                    if done < end - at:
                        return  # stopped

            for searcher in self._team():
                searcher.limit(None, 0)
            stoppable(self._team(), work)
            self._count(before, max(depths, default=0), 0, start)
        return out

    def _best_one_by_one(self, words: memoryview, into: memoryview, out: Any, start: float) -> Any:
        """best_many() by best()."""
        total = SearchStats()
        for i, board in enumerate(list(words)):
            into[i] = self.best(board) if legal_moves(board) else -1
            if legal_moves(board):
                now = self.stats
                total = SearchStats(
                    total.nodes + now.nodes,
                    max(total.depth, now.depth),
                    total.cache_hits + now.cache_hits,
                    total.cache_probes + now.cache_probes,
                    total.leaves + now.leaves,
                )
        self._stats = total._replace(seconds=perf_counter() - start)
        return out


def _argmax(values: tuple[float, ...]) -> int:
    """The first direction with the largest value; one of them is legal."""
    return max((value, -direction) for direction, value in enumerate(values) if value == value)[1] * -1


# What a search has of itself: made anew in a copy, where attributes of one's own come along.
_STATE = {
    *("_boards", "_nodes", "_time_ms", "_limited", "_budget", "_depth", "_evaluator", "_network", "_table"),
    *("_cache_mb", "_threads", "_reward_weight", "_over_value", "_four_layers", "_prune", "_adaptive"),
    *("_searchers", "_lock", "_busy", "_simple", "_best_simple", "_stats"),
}


def _rebuilt(kind: Any, table: RowTable | None, options: dict[str, Any]) -> Expectimax:
    """For pickle and copy. The __init__ of a subclass may take other arguments: it is not called."""
    if isinstance(kind, int) or kind is None:  # pickled by an earlier version: this is the depth
        return Expectimax(kind, table, **options)
    search: Expectimax = kind.__new__(kind)
    Expectimax.__init__(search, table=table, **options)
    return search
