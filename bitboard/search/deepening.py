"""What a search is made of: one depth after another, on one thread or several, stopped by Ctrl-C."""

from __future__ import annotations

from math import nan
from threading import Lock, Thread

from ..core import afterstates, canonical, kernels_of, transpose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from . import _py as kernels
else:
    kernels = kernels_of(__package__)

MOST_DEPTH = 20


class Deepening:
    """A search of one board from depth `next` to depth `last`; `values` are those of `depth`, the last completed."""

    def __init__(self, board: int, first: int, last: int) -> None:
        self.board, self.next, self.last = board, first, last
        self.values: list[float] = [nan] * 4
        self.depth = 0

    def _completed(self, values: list[float]) -> None:
        self.values, self.depth = values, self.next
        self.next += 1

    def run(self, searcher: kernels.Searcher, until: int = MOST_DEPTH) -> bool:
        """Search on to a depth; whether it was reached before a limit was met."""
        while self.next <= min(until, self.last):
            values = searcher.values(self.board, self.next)
            if values is None:
                return False
            self._completed(values)
        return True

    def run_split(self, team: list[kernels.Searcher], over_value: float, four_layers: int) -> None:
        """Search on with several searchers: each spawn after each slide is a piece of work.

        The values of the pieces are put together in the order of chance() in csrc/search.c, for the same sums.
        """
        while self.next <= self.last:
            roots = []
            work: dict[tuple[int, int], list[float] | None] = {}
            for direction, after, earned in afterstates(self.board):
                after = _canonical(after, team[0].images)
                cells = [shift for shift in range(0, 64, 4) if not after >> shift & 15]
                twos = [(after | 1 << shift, self.next - 1) for shift in cells]
                fours = [(after | 2 << shift, self.next - four_layers) for shift in cells]
                roots.append((direction, earned, twos, fours))
                work.update(dict.fromkeys(twos + fours))
            lock, pieces = Lock(), iter(list(work))

            def search(searcher: kernels.Searcher, lock: Any = lock, pieces: Any = pieces, work: Any = work) -> None:
                while True:
                    with lock:
                        piece = next(pieces, None)
                    if piece is None:
                        return
                    work[piece] = searcher.values(piece[0], piece[1], prune=True)
                    if work[piece] is None:
                        return  # a limit was met, by all

            stoppable(team, search)
            if None in work.values():
                return
            best = {
                piece: max([value for value in values or () if value == value], default=over_value)
                for piece, values in work.items()
            }
            values, weight = [nan] * 4, team[0].reward_weight
            for direction, earned, twos, fours in roots:
                sums = sum_in_order(best[piece] for piece in twos), sum_in_order(best[piece] for piece in fours)
                mean = (0.9 * sums[0] + 0.1 * sums[1]) / len(twos)
                values[direction] = mean if weight == 0 else weight * earned + mean
            self._completed(values)


def stoppable(team: list[kernels.Searcher], work: Callable[[kernels.Searcher], Any], short: bool = False) -> None:
    """Call work(searcher) for each searcher, in threads if C would keep this one from hearing Ctrl-C."""
    if short or not kernels.BLOCKS:
        for searcher in team:
            work(searcher)
        return
    errors: list[BaseException] = []

    def run(searcher: kernels.Searcher) -> None:
        try:
            work(searcher)
        except BaseException as error:  # raised again below
            errors.append(error)

    threads = [Thread(target=run, args=(searcher,), daemon=True) for searcher in team]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            while thread.is_alive():
                thread.join(0.1)
    except BaseException:
        for searcher in team:
            searcher.stop()
        for thread in threads:
            if thread.ident is not None:
                thread.join()
        raise
    if errors:
        raise errors[0]


def sum_in_order(values: Iterable[float]) -> float:
    """The sum from left to right as C makes it; sum() of Python 3.12 and later rounds otherwise."""
    total = 0.0
    for value in values:
        total += value
    return total


def _canonical(board: int, images: int) -> int:
    return canonical(board) if images == 8 else min(board, transpose(board)) if images == 2 else board
