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
        from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
        from rich.table import Column
        from rich.text import Text
    except ImportError:
        return None

    class Done(ProgressColumn):
        """How much is done: a share where the numbers are long."""

        def render(self, task: Task) -> Text:
            total = task.total or 0
            return Text(f"{task.completed / total:.0%}" if total >= 10**7 else f"{task.completed:.0f}/{total:.0f}")

    class Rate(ProgressColumn):
        """Steps a second, so far."""

        def render(self, task: Task) -> Text:
            return Text(_rate(task.finished_speed or task.speed or 0.0, unit))

    class Shown(Console):
        """A console whose cursor stays, so that it is there for the shell after Ctrl-Z."""

        def show_cursor(self, show: bool = True) -> bool:
            return False

    # One row in a terminal of any width: the bar takes what is left, and no column has a second line.
    places = [Column(no_wrap=True, overflow="crop", ratio=ratio) for ratio in (None, 1, None, None, None)]
    columns = (
        TextColumn("{task.description}", table_column=places[0]),
        BarColumn(None, table_column=places[1]),
        Done(places[2]),
        Rate(places[3]),
        TimeRemainingColumn(table_column=places[4]),
    )
    return Progress(*columns, console=Shown(stderr=True), transient=True, expand=True)


def _rate(speed: float, unit: str) -> str:
    number = f"{speed / 1e6:,.1f}M" if speed >= 1e6 else f"{speed:,.{0 if speed >= 10 else 1}f}"
    return f"{number} {unit}/s"


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
