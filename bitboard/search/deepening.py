"""What a search is made of: one depth after another, stopped by Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable
from math import nan
from threading import Thread
from typing import Any

from ..core import kernels_of

TYPE_CHECKING = False
if TYPE_CHECKING:
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
        for thread, searcher in zip(threads, team, strict=True):
            try:
                thread.start()
            except RuntimeError:  # none can be started here: Ctrl-C waits
                run(searcher)
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
