"""Single keys from a terminal, without waiting for Enter."""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from math import inf
from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_ESCAPES = {
    "[A": "up", "[B": "down", "[C": "right", "[D": "left", "OA": "up", "OB": "down", "OC": "right", "OD": "left",
    "[H": "home", "[F": "end", "OH": "home", "OF": "end", "[1~": "home", "[4~": "end", "[7~": "home", "[8~": "end",
    "[5~": "pageup", "[6~": "pagedown",
}  # fmt: skip
_WINDOWS = {"H": "up", "P": "down", "M": "right", "K": "left", "G": "home", "O": "end", "I": "pageup", "Q": "pagedown"}
_CONTROLS = {"\r": "enter", "\n": "enter", "\x7f": "backspace", "\b": "backspace", "\x04": "ctrl-d", " ": "space"}

_ESC = "\x1b"
_ALT = 0.05  # seconds: what comes so soon after an escape was sent with it, as Alt and a letter are
_ALONE = 1.0  # seconds after which an escape was a key of its own, and what has begun is given up
_LONGEST = 24  # characters of a sequence


class Decoder:
    """Keys out of the characters of a terminal, which come one by one and, on a slow line, late.

    A key is a character or a name, such as up, enter or space: "escape" is the Escape key alone, "unknown" any other
    key that a terminal sends as a sequence. With Shift, Alt or Ctrl an arrow is an arrow.
    """

    def __init__(self) -> None:
        self._begun = ""  # a sequence so far
        self._since = 0.0

    @property
    def due(self) -> float:
        """When expire() will find a key, if nothing comes: a time of the clock that take() is told."""
        return self._since + _ALONE if self._begun else inf

    def take(self, character: str, now: float) -> list[str]:
        """The keys that are whole with one more character."""
        begun, late = self._begun, now - self._since > _ALT
        self._begun, self._since = "", now
        if character == _ESC:
            self._begun = _ESC
            if not begun or (begun == _ESC and not late):  # two at once are Alt with what comes
                return []
            return ["escape" if begun == _ESC else "unknown"]
        if not begun:
            return [_CONTROLS.get(character, character)]
        if begun == _ESC and character not in "[O":
            return ["escape", _CONTROLS.get(character, character)] if late else ["unknown"]
        whole = len(begun) > 1 and "@" <= character <= "~" and begun + character != "\x1b[["
        if whole or len(begun) > _LONGEST:
            return [_named(begun[1:] + character)]
        self._begun = begun + character
        return []

    def expire(self, now: float) -> str | None:
        """The key that what has begun stands for, when nothing has followed for long enough."""
        if now < self.due:
            return None
        begun, self._begun = self._begun, ""
        return "escape" if begun == _ESC else "unknown"


def _named(sequence: str) -> str:
    """The key of a sequence without its escape."""
    plain = re.sub(r"^\[1;[0-9]+(?=[A-Z]$)|^\[(?=[a-d]$)|^O[0-9]*(?=[a-dA-D]$)", "[", sequence)  # with Shift and others
    plain = re.sub(r";[0-9]+~$", "~", plain)
    return _ESCAPES.get(sequence) or _ESCAPES.get(plain) or _ESCAPES.get(plain.upper(), "unknown")


class Keyboard:
    """Keys from stdin while the `with` block runs; the terminal is as before afterwards, whatever happens.

    Ctrl-C raises KeyboardInterrupt as ever. pause() and resume() give the terminal's own mode back for a while.
    """

    def __enter__(self) -> Keyboard:
        self._decoder = Decoder()
        self._keys: list[str] = []
        if os.name != "nt":
            import termios

            self._fd = sys.stdin.fileno()
            self._before: Any = termios.tcgetattr(self._fd)
            self.resume()
        return self

    def __exit__(self, *exception: object) -> None:
        self.pause()

    def pause(self) -> None:
        """The terminal's mode as it was before."""
        if os.name != "nt":
            import termios

            with suppress(termios.error):  # the terminal has gone away
                termios.tcsetattr(self._fd, termios.TCSADRAIN, self._before)

    def resume(self) -> None:
        """The mode for single keys, without echo."""
        if os.name != "nt":
            import termios

            with suppress(termios.error):
                mode = termios.tcgetattr(self._fd)
                mode[3] &= ~(termios.ECHO | termios.ICANON)
                mode[6][termios.VMIN], mode[6][termios.VTIME] = 1, 0
                termios.tcsetattr(self._fd, termios.TCSADRAIN, mode)

    def read(self, seconds: float) -> str | None:
        """The next key, as Decoder names them; None if none is pressed in time.

        Raises EOFError where the terminal has gone away.
        """
        if os.name == "nt":
            return self._read_windows(seconds)
        end = monotonic() + seconds
        while not self._keys:
            now = monotonic()
            character = self._character(max(0.0, min(end, self._decoder.due) - now))
            if character is not None:
                self._keys += self._decoder.take(character, monotonic())
            elif (key := self._decoder.expire(monotonic())) is not None:
                return key
            elif monotonic() >= end:
                return None
        return self._keys.pop(0)

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
        from time import sleep

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
            return _WINDOWS.get(terminal.getwch(), "unknown")
        return "escape" if character == _ESC else _CONTROLS.get(character, character)
