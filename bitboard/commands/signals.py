"""Leaving a program by Ctrl-C, a closed window or a polite kill, without losing what it is about to save."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


class Leaving:
    """While the `with` block runs, the first such signal raises KeyboardInterrupt and those after it do nothing.

    So whatever the program does at its end is done whole. Outside the main thread signals are left alone.
    """

    def __init__(self) -> None:
        self._before: list[Any] = []
        self._held = self._due = False

    def __enter__(self) -> Leaving:
        if threading.current_thread() is threading.main_thread():
            self._before = [signal.signal(number, self._leave) for number in _SIGNALS]
        return self

    def __exit__(self, *exception: object) -> None:
        for number, before in zip(_SIGNALS, self._before, strict=False):
            signal.signal(number, signal.SIG_DFL if before is None else before)
        self._before = []

    def _leave(self, number: int, frame: Any) -> None:
        self.ignore()
        if not self._held:
            raise KeyboardInterrupt
        self._due = True

    def ignore(self) -> None:
        """From now on, let no signal disturb."""
        if self._before:
            for number in _SIGNALS:
                signal.signal(number, signal.SIG_IGN)

    @contextmanager
    def held(self) -> Iterator[None]:
        """A signal that comes during this block raises KeyboardInterrupt after it."""
        self._held = True
        try:
            yield
        finally:
            self._held = False
        if self._due:
            self._due = False
            raise KeyboardInterrupt
