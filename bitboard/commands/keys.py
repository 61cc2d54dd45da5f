"""Single keys from a terminal, without waiting for Enter."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_ESCAPES = {
    "[A": "up", "[B": "down", "[C": "right", "[D": "left", "OA": "up", "OB": "down", "OC": "right", "OD": "left",
    "[H": "home", "[F": "end", "OH": "home", "OF": "end", "[1~": "home", "[4~": "end",
    "[5~": "pageup", "[6~": "pagedown",
}  # fmt: skip
_WINDOWS = {"H": "up", "P": "down", "M": "right", "K": "left", "G": "home", "O": "end", "I": "pageup", "Q": "pagedown"}
_CONTROLS = {"\r": "enter", "\n": "enter", "\x7f": "backspace", "\b": "backspace", "\x04": "ctrl-d", " ": "space"}


class Keyboard:
    """Keys from stdin while the `with` block runs; the terminal is as before afterwards, whatever happens.

    Ctrl-C raises KeyboardInterrupt as ever. After Ctrl-Z and `fg` the keys go on, and read() gives "resumed" once, so
    that the screen can be drawn again.
    """

    _resumed = False

    def __enter__(self) -> Keyboard:
        if os.name == "nt":
            return self
        import signal
        import termios

        self._fd = sys.stdin.fileno()
        self._before: Any = termios.tcgetattr(self._fd)
        self._set()
        self._continued = signal.signal(signal.SIGCONT, self._go_on)
        return self

    def _set(self) -> None:
        import termios

        mode = termios.tcgetattr(self._fd)
        mode[3] &= ~(termios.ECHO | termios.ICANON)
        mode[6][termios.VMIN], mode[6][termios.VTIME] = 1, 0
        termios.tcsetattr(self._fd, termios.TCSADRAIN, mode)

    def _go_on(self, number: int, frame: Any) -> None:
        """The shell has set the terminal to its own mode while the program was stopped."""
        import termios

        with suppress(termios.error):  # still in the background: there will be another signal
            self._set()
        self._resumed = True

    def __exit__(self, *exception: object) -> None:
        if os.name != "nt":
            import signal
            import termios

            signal.signal(signal.SIGCONT, self._continued)
            termios.tcsetattr(self._fd, termios.TCSADRAIN, self._before)

    def read(self, seconds: float) -> str | None:
        """The next key: a character, or a name such as up, enter, escape; None if none is pressed in time, "resumed".

        Raises EOFError where the terminal has gone away.
        """
        if os.name == "nt":
            return self._read_windows(seconds)
        if self._resumed:
            self._resumed = False
            return "resumed"
        first = self._character(seconds)
        if first != "\x1b":
            return first if first is None else _CONTROLS.get(first, first)
        sequence = ""
        while (more := self._character(0.05)) is not None:
            sequence += more
            if (len(sequence) > 1 and (more.isalpha() or more == "~")) or len(sequence) > 8:
                break
        return _ESCAPES.get(sequence, "escape")

    def _character(self, seconds: float) -> str | None:
        import select

        if not select.select([self._fd], [], [], seconds)[0]:
            return None
        byte = os.read(self._fd, 1)
        if not byte:
            raise EOFError("the terminal has gone away")
        return byte.decode("latin-1")

    def _read_windows(self, seconds: float) -> str | None:
        import msvcrt
        from time import monotonic, sleep

        terminal: Any = msvcrt
        end = monotonic() + seconds
        while not terminal.kbhit():
            if monotonic() > end:
                return None
            sleep(0.01)
        character = terminal.getwch()
        if character == "\x03":
            raise KeyboardInterrupt
        if character in ("\x00", "\xe0"):
            return _WINDOWS.get(terminal.getwch(), "escape")
        return "escape" if character == "\x1b" else _CONTROLS.get(character, character)
