"""What the commands about sliding puzzles share: sizes as text, and warnings and limits in one line."""

from __future__ import annotations

import re
import sys
import warnings
from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

GOAL_HELP = 'blank-first, blank-last, or an arrangement such as "1 2 3 / 8 0 4 / 7 6 5"'


def size_of(text: str | None) -> tuple[int, int] | None:
    """(rows, cols) of a text such as 3x4."""
    if text is None:
        return None
    found = re.fullmatch(r"(\d{1,2})[xX](\d{1,2})", text, re.ASCII)
    if not found:
        raise ValueError(f"size must be ROWSxCOLUMNS such as 3x4, got {text[:20]!r}")
    return int(found[1]), int(found[2])


@contextmanager
def plain_warnings(command: str) -> Iterator[None]:
    """Warnings as one line on stderr, without the place in the code that they come from."""

    def show(message: Warning | str, *rest: object, **more: object) -> None:
        print(f"bitboard {command}: warning: {message}", file=sys.stderr)

    with warnings.catch_warnings():
        warnings.simplefilter("always", RuntimeWarning)
        warnings.showwarning = show
        yield
