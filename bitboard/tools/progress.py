"""Progress of long work: a bar with rate and time left on a terminal, nothing in a pipe.

The bar needs rich (the extra [cli]); without it there is none.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeVar

    T = TypeVar("T")


@contextmanager
def bar(total: int, label: str, unit: str = "", announce: bool = False) -> Iterator[Callable[[int], None]]:
    """Show a bar on stderr while the block runs; it gives a function that adds n to what is done.

    announce: on a terminal without rich, print the label once, for work that nobody may know of.
    """
    try:
        if not sys.stderr.isatty():
            raise ImportError
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn
        from rich.progress import TimeRemainingColumn as TimeLeft
        from rich.text import Text
    except ImportError:
        if announce and sys.stderr.isatty():
            print(label, file=sys.stderr)
        yield lambda n: None
        return

    class Rate(ProgressColumn):
        """Steps a second, so far."""

        def render(self, task: Task) -> Text:
            speed = task.finished_speed or task.speed or 0.0
            return Text(f"{speed:,.{0 if speed >= 10 else 1}f} {unit}/s")

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Rate(), TimeLeft()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(label, total=total)
        yield lambda n: progress.advance(task, n)


def track(items: Sequence[T], label: str, unit: str = "") -> Iterator[T]:
    """The items one by one, with a bar that advances as they are taken."""
    with bar(len(items), label, unit) as advance:
        for item in items:
            yield item
            advance(1)
