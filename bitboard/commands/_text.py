"""Boards in and out of the command line, in the form that they came in."""

from __future__ import annotations

import ast
import re
import sys

from .. import from_grid, parse, to_grid

LONGEST = 100_000  # characters of a board's text; more is a mistake, not a board


def read(argument: str | None) -> str:
    """The text of a board: the argument, or stdin where there is none."""
    text = sys.stdin.read(LONGEST + 1) if argument is None or argument == "-" else argument
    if len(text) > LONGEST:
        raise ValueError(f"the board's text is longer than {LONGEST} characters")
    if not text.strip():
        raise ValueError("no board given; pass one as an argument or on stdin")
    return text


def board_of(text: str) -> int:
    """The board of a text: nested lists as in JSON or Python, face values, or 16 hexadecimal digits."""
    if text.lstrip()[0] not in "[(":
        return parse(text)
    try:
        grid = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        raise ValueError(f"the board is not a list of lists: {' '.join(text.split())[:60]!r}") from None
    board = from_grid(grid)
    if [int(digits) for digits in re.findall(r"\d+", text)] != _faces(board):
        raise ValueError("the board's numbers must be plain decimal integers")
    return board


def _faces(board: int) -> list[int]:
    """The sixteen face values in reading order."""
    return [face for row in to_grid(board) for face in row]


def in_the_form_of(text: str, board: int) -> str:
    """A board written as `text` was: the same brackets and separators around the new numbers."""
    text = text.strip("\n")
    numbers = list(map(str, _faces(board)))
    if text.lstrip()[0] in "[(" or len(re.split(r"[\s,;/|_]+", text.strip())) == 16:
        aligned = "  " in text and "\n" in text
        return re.sub(r" *\d+", lambda found: _number(found[0], numbers.pop(0), aligned), text)
    digits = list(f"{board:016x}")
    prefix, body = (text[:2], text[2:]) if text[:2] in ("0x", "0X") else ("", text)
    return prefix + re.sub(r"[0-9a-fA-F]", lambda found: digits.pop(0), body)


def _number(old: str, new: str, aligned: bool) -> str:
    """A number in the place of another with the spaces before it; in aligned columns it keeps the width."""
    spaces = len(old) - len(old.lstrip(" "))
    if not aligned:
        return " " * spaces + new
    return new.rjust(len(old)) if len(new) < len(old) or not spaces else " " + new
