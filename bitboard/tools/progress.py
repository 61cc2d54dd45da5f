"""Progress of long work: on a terminal a bar with rate and time left, nothing in a pipe.

The bar needs rich (the extra [cli]); without it there are lines that say the same.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from time import perf_counter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, TypeVar

    T = TypeVar("T")

FIRST_LINE, NEXT_LINE = 2.0, 10.0  # seconds until the first line without rich, and from one to the next


@contextmanager
def bar(total: int, label: str, unit: str = "", announce: bool = False) -> Iterator[Callable[[int], None]]:
    """Show a bar on stderr while the block runs; it gives a function that adds n to what is done.

    announce: on a terminal without rich, print the label at once, for work that nobody may know of.
    """
    if not sys.stderr.isatty():
        yield lambda n: None
        return
    shown = _rich_bar(unit)
    if shown is None:
        if announce:
            print(label, file=sys.stderr)
        yield _lines(total, label, unit)
        return
    with shown:
        task = shown.add_task(label, total=total)
        yield lambda n: shown.advance(task, n)


def _rich_bar(unit: str) -> Any:
    """A bar of rich; None without it."""
    try:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn
        from rich.progress import TimeRemainingColumn as TimeLeft
        from rich.text import Text
    except ImportError:
        return None

    class Rate(ProgressColumn):
        """Steps a second, so far."""

        def render(self, task: Task) -> Text:
            return Text(_rate(task.finished_speed or task.speed or 0.0, unit))

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Rate(), TimeLeft()
    return Progress(*columns, console=Console(stderr=True), transient=True)


def _rate(speed: float, unit: str) -> str:
    return f"{speed:,.{0 if speed >= 10 else 1}f} {unit}/s"


def _lines(total: int, label: str, unit: str) -> Callable[[int], None]:
    """Print a line now and then: how much is done, how fast, and the time left."""
    began = perf_counter()
    done, due = 0, began + FIRST_LINE

    def advance(n: int) -> None:
        nonlocal done, due
        done += n
        now = perf_counter()
        if now >= due and 0 < done < total:
            due = now + NEXT_LINE
            speed = done / (now - began)
            minutes, seconds = divmod(round((total - done) / speed), 60)
            left = f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
            print(f"{label}: {done:,} of {total:,} {unit}, {_rate(speed, unit)}, {left} left", file=sys.stderr)

    return advance


def track(items: Sequence[T], label: str, unit: str = "") -> Iterator[T]:
    """The items one by one, with a bar that advances as they are taken."""
    with bar(len(items), label, unit) as advance:
        for item in items:
            yield item
            advance(1)
