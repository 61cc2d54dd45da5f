"""A program in a pseudo-terminal, its screen kept by pyte: keys in, screen out."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

import pyte
from conftest import BACKENDS, IMPLEMENTATIONS, ROOT

PACKAGE = IMPLEMENTATIONS[BACKENDS[0]]
UP, DOWN, RIGHT, LEFT = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"
COLOURED = re.compile(rb"\x1b\[[0-9;]*[34]8;")
# The last of many signals may come when all is saved and the interpreter is going down, which ends it at once.
ENDED_BY_SIGNAL = (-signal.SIGINT, -signal.SIGHUP)
DEADLINE = 30  # seconds that a screen may take to come, on a machine that is busy


_OTHER_SCREEN = 1049  # a private mode of terminals


class Screen(pyte.Screen):
    """A screen that has another one, as terminals have and pyte has not; what stood on it is there again afterwards."""

    other = False  # which one is shown

    def set_mode(self, *modes, **options):
        if _OTHER_SCREEN in modes and options.get("private") and not self.other:
            self._kept = self.display, (self.cursor.y, self.cursor.x)
            self.other = True
            self.erase_in_display(2)
        super().set_mode(*modes, **options)

    def reset_mode(self, *modes, **options):
        if _OTHER_SCREEN in modes and options.get("private") and self.other:
            self.other = False
            self.erase_in_display(2)
            lines, (y, x) = self._kept
            for number, line in enumerate(lines):
                self.cursor_position(number + 1, 1)
                self.draw(line.rstrip())
            self.cursor_position(y + 1, x + 1)
        super().reset_mode(*modes, **options)


class Terminal:
    """`python -m bitboard ARGUMENTS...` in a terminal of rows x columns, or another command."""

    def __init__(self, *arguments, rows=24, columns=80, command=None, **environment):
        self.screen = Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self.fd, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        wanted = {"TERM": "xterm-256color", "PYTHONUTF8": "1", **environment}
        inherited = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "LINES")}
        self.process = subprocess.Popen(
            command or [sys.executable, "-m", "bitboard", *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**inherited, **wanted},
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(slave)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.fd)

    @property
    def text(self):
        """What stands on the screen."""
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip()

    def press(self, *keys):
        """Type keys: characters, or whole escape sequences."""
        for key in keys:
            os.write(self.fd, key.encode())

    def _read(self, seconds):
        """Take what the program wrote; False at its end."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.fd, 65536)
        except OSError:  # how Linux reports that the other side is closed
            return False
        self.raw += data
        self.stream.feed(data)
        return bool(data)

    def wait_for(self, *texts):
        """Read until all texts stand on the screen, and what is drawn with them."""
        self.wait_until(lambda: all(text in self.text for text in texts), texts)

    def wait_until(self, true, what):
        """Read until something is true of the screen."""
        end = time.monotonic() + DEADLINE
        alive = True
        while not true():
            if not alive or time.monotonic() > end:
                raise AssertionError(f"{what} did not appear; the screen is\n{self.text}")
            alive = self._read(0.1)
        for _ in range(20):  # the rest of this picture; not for ever, since some never rest
            if not (select.select([self.fd], [], [], 0.05)[0] and self._read(0)):
                break

    def resize(self, rows, columns):
        """Another size of the window."""
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.screen.resize(rows, columns)

    @property
    def is_as_shells_leave_it(self):
        """Whether the cursor is shown, on the shell's screen, and lines are edited with echo."""
        flags = termios.tcgetattr(self.fd)[3]
        return (
            not self.screen.cursor.hidden and not self.screen.other and flags & termios.ECHO and flags & termios.ICANON
        )

    def interrupt(self):
        """Ctrl-C."""
        self.press("\x03")

    def hang_up(self):
        """Close the window."""
        self.process.send_signal(signal.SIGHUP)

    def close(self):
        """Close the window for good: the program can write to it no more."""
        os.close(self.fd)
        self.fd = os.open(os.devnull, os.O_RDONLY)
        return self.process.wait(DEADLINE)

    def end(self):
        """Read until the program ends; its exit status."""
        end = time.monotonic() + DEADLINE
        while self._read(0.1):
            if time.monotonic() > end:
                raise AssertionError(f"the program did not end; the screen is\n{self.text}")
            if self.process.poll() is not None and not select.select([self.fd], [], [], 0.05)[0]:
                break
        return self.process.wait(DEADLINE)


def bitboard(*arguments, **options):
    """A Terminal that runs the backend under test."""
    return Terminal(*arguments, **{"BITBOARD_BACKEND": BACKENDS[0], "PYTHONPATH": str(ROOT), **options})


def drawn(terminal):
    """The numbers of each line of the board on the screen."""
    return [[int(n) for n in re.findall(r"\d+", line[:36])] for line in terminal.text.splitlines() if "│" in line]
