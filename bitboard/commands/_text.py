"""Boards in and out of the command line, in the form that they came in."""

from __future__ import annotations

import ast
import re
import sys
from codecs import BOM_UTF16_BE, BOM_UTF16_LE

from .. import grid
from ..core.notation import from_grid, parse
from ..grid.slides import TOP
from ..tools import checks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LONGEST = 100_000  # characters of a board's text; more is a mistake, not a board

FACES = frozenset(["0", *(str(2**k) for k in range(1, TOP + 1))])


def read(argument: str | None) -> str:
    """The text of a board: the argument, or stdin where there is none."""
    text = read_file(None, LONGEST) if argument is None or argument == "-" else argument.removeprefix("\ufeff")
    if len(text) > LONGEST:
        raise ValueError(f"the board's text is longer than {LONGEST} characters")
    if not text.strip():
        raise ValueError("no board given; pass one as an argument or on stdin")
    return text


def read_file(path: str | None, longest: int = -1) -> str:
    """The text of a file, or of stdin (None or -), whatever the locale: UTF-8, with a byte order mark or without one.

    Lines end with a line feed, however they ended. Not more than a little over `longest` bytes are read, if it is
    given. Raises OSError if it cannot be read, ValueError with its name for other text, such as UTF-16.
    """
    if path in (None, "-"):
        path, data = "standard input", sys.stdin.buffer.read(longest + 4 if longest >= 0 else -1)
    else:
        with open(path, "rb") as file:
            data = file.read(longest + 4 if longest >= 0 else -1)
    if 0 <= longest < len(data) - 3:  # 3: of a byte order mark
        raise ValueError(f"{path} is longer than {longest} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
            raise ValueError(f"{path} is text in UTF-16, and must be UTF-8") from None
        raise ValueError(f"{path} is not text in UTF-8: byte {error.start} is wrong") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def is_hexadecimal(text: str) -> bool:
    """Whether a board's text is hexadecimal digits and not values, or is meant to be."""
    words = _words(text)
    if _is_nested(text) or len(words) == 16:
        return False
    values = all(word in FACES for word in words)
    if len(words) == 1:
        return not values
    if values and [len(word) for word in words] == [4, 4, 4, 4]:
        raise ValueError(
            "the board can be read as 16 hexadecimal digits and as 4 values; put 0x before digits, [ ] around values"
        )
    digits = "".join(words)
    if values or not re.fullmatch("(0[xX])?[0-9a-hA-H]+", digits):
        return False
    return len(digits) == 16 or not digits.isdecimal()


def board_of(text: str) -> int:
    """The 4x4 board of a text: nested lists as in JSON or Python, face values, or 16 hexadecimal digits."""
    if not _is_nested(text):
        return parse(text)
    rows = _nested(text)
    board = from_grid(rows)
    _check_plain(text)
    return board


def grid_of(text: str) -> list[list[int]]:
    """The grid of a text of values: nested lists, or rows on lines or between `/`. Sixteen in one row are 4x4."""
    if _is_nested(text):
        rows = _nested(text)
        if not any(isinstance(row, (list, tuple)) for row in rows):
            rows = [rows]
    else:
        lines = [words for line in re.split(r"[\n/]", text) if (words := _words(line))]
        rows = [[_value(word, r, c) for c, word in enumerate(words)] for r, words in enumerate(lines)]
    if len(rows) == 1 and len(rows[0]) == 16:
        rows = [rows[0][start : start + 4] for start in (0, 4, 8, 12)]
    grid.legal_moves(rows)  # raises if it is not a grid
    if _is_nested(text):
        _check_plain(text)
    return [list(row) for row in rows]


def in_the_form_of(text: str, after: str | list[list[int]]) -> str:
    """A board of 16 digits, or a grid as values, with the brackets and separators of `text`."""
    text = text.strip("\n")
    if isinstance(after, str):
        digits = list(after)
        start = re.match(r"[\s,;/|_]*(0[xX])?", text).end()  # type: ignore[union-attr]
        return text[:start] + re.sub(r"[0-9a-hA-H]", lambda found: digits.pop(0), text[start:])
    numbers = [str(value) for row in after for value in row]
    aligned = "  " in text and "\n" in text
    return re.sub(r" *\d+", lambda found: _number(found[0], numbers.pop(0), aligned), text)


def _is_nested(text: str) -> bool:
    return text.lstrip()[0] in "[("


def _words(text: str) -> list[str]:
    return re.sub(r"[,;/|_]", " ", text).split()


def _nested(text: str) -> Any:
    """The lists of a text that starts with a bracket."""
    try:
        rows = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        rows = None
    if not isinstance(rows, (list, tuple)):
        raise ValueError(f"the board is not a list of lists: {' '.join(text.split())[:60]!r}")
    return rows


def _check_plain(text: str) -> None:
    """Refuse what Python reads as numbers and could not be written back in the same form: 0x2, 1_6, True, -0."""
    if not re.fullmatch(r"[\[\](),\s0-9]*", text, re.ASCII):
        raise ValueError("the board's numbers must be plain decimal integers")


def _value(word: str, r: int, c: int) -> int:
    """The number of a word."""
    if word not in FACES:
        raise ValueError(
            f"row {r}, column {c} of the board must be 0 or a power of two to 2**{TOP}, got {checks.shown(word)}"
        )
    return int(word)


def _number(old: str, new: str, aligned: bool) -> str:
    """A number in the place of another with the spaces before it; in aligned columns it keeps the width."""
    spaces = len(old) - len(old.lstrip(" "))
    if not aligned:
        return " " * spaces + new
    return new.rjust(len(old)) if len(new) < len(old) or not spaces else " " + new
