"""A screen of its own with keys, for the commands that draw until they end."""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import ExitStack, suppress
from time import monotonic, sleep

from .keys import Keyboard

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from rich.console import Console

_LOOK = 0.25  # seconds between two looks at the size of the window
_LEAVE, _ENTER = b"\x1b[?25h\x1b[?1049l", b"\x1b[?1049h\x1b[?25l"  # the cursor shown, the screen left; and back


class Stage:
    """The terminal's other screen while the `with` block runs, with what `picture()` gives; and keys, if stdin has any.

    The shell's screen is as before afterwards, whatever happens; also after Ctrl-Z, until `fg` brings the stage back.
    """

    def __init__(self, screen: Console, picture: Callable[[], Any]) -> None:
        self._console, self._picture = screen, picture
        self._keyboard: Keyboard | None = None
        self._back = False  # from the shell: nothing of the picture is there
        self._signals: dict[int, Any] = {}

    def __enter__(self) -> Stage:
        from rich.live import Live

        with ExitStack() as stack:
            if sys.stdin.isatty():
                self._keyboard = stack.enter_context(Keyboard())
            self._size = self._console.size
            self._live = stack.enter_context(
                Live(self._picture(), console=self._console, screen=True, auto_refresh=False, vertical_overflow="crop")
            )
            stack.callback(self._forget_signals)
            if hasattr(signal, "SIGTSTP") and threading.current_thread() is threading.main_thread():
                for number, handler in ((signal.SIGTSTP, self._stop), (signal.SIGCONT, self._go_on)):
                    self._signals[number] = signal.signal(number, handler)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *exception: object) -> None:
        self._stack.close()

    def show(self) -> None:
        """Draw the picture as it is now."""
        self._back, self._size = False, self._console.size
        self._live.update(self._picture(), refresh=True)

    def key(self, seconds: float) -> str | None:
        """The next key, as Keyboard.read() names it; None if none is pressed in time.

        Meanwhile a window of another size is drawn again. Raises EOFError where the terminal has gone away.
        """
        end = monotonic() + seconds
        while True:
            time = max(0.0, min(_LOOK, end - monotonic()))
            key = None
            if self._keyboard:
                key = self._keyboard.read(time)
            else:
                sleep(time)
            if self._back or self._console.size != self._size:
                self.show()
            if key is not None or monotonic() >= end:
                return key

    def _forget_signals(self) -> None:
        for number, before in self._signals.items():
            signal.signal(number, before)

    def _stop(self, number: int, frame: Any) -> None:
        """Ctrl-Z: the shell gets its terminal as it was. Then stop as any program does: without a shell, not at all."""
        with suppress(OSError):
            if self._keyboard:
                self._keyboard.pause()
            os.write(sys.stdout.fileno(), _LEAVE)
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        signal.raise_signal(signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, self._stop)
        self._go_on(number, frame)

    def _go_on(self, number: int, frame: Any) -> None:
        """After `fg`, also where nobody asked before stopping. In the background: not yet."""
        with suppress(OSError):
            while os.tcgetpgrp(sys.stdout.fileno()) != os.getpgrp():
                os.kill(os.getpid(), signal.SIGSTOP)
        with suppress(OSError):
            if self._keyboard:
                self._keyboard.resume()
            os.write(sys.stdout.fileno(), _ENTER)
        self._back = True
