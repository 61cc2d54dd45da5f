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
LIKELY = 0.7  # of the time that a depth takes by the growth so far, if that is left the depth is begun


class Deepening:
    """A search of one board from depth `next` to depth `last`; `values` are those of `depth`, the last completed.

    With a deadline (by the clock of the kernels) a depth is not begun that by the growth so far would not be completed:
    that was half of the time, for the same depths. `last` then becomes the depth that is there.
    """

    def __init__(self, board: int, first: int, last: int, deadline: int = 0) -> None:
        self.board, self.next, self.last, self._deadline = board, first, last, deadline
        self.values: list[float] = [nan] * 4
        self.depth = self._spent = 0

    def _completed(self, values: list[float], began: int) -> None:
        self.values, self.depth = values, self.next
        self.next += 1
        if self._deadline:
            now = kernels.now()
            before, self._spent = self._spent, now - began
            growth = max(1.0, self._spent / before) if before else 1.0
            if now + LIKELY * growth * self._spent > self._deadline and self.depth > 1:
                self.last = self.depth

    def run(self, searcher: kernels.Searcher, until: int = MOST_DEPTH) -> bool:
        """Search on to a depth; whether it was reached before a limit was met."""
        while self.next <= min(until, self.last):
            began = kernels.now() if self._deadline else 0
            values = searcher.values(self.board, self.next)
            if values is None:
                return False
            self._completed(values, began)
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
