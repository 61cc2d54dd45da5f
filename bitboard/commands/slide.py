"""Slide a board of any size; print it in the form it came in, and the reward on stderr.

The board is nested lists as in JSON or Python, or face values with spaces or commas, rows on
lines or between `/` (16 values in one row are a 4x4 board), or the 16 digits of a 4x4 board:
exponents 0 to 9, A to F, and G and H for 65536 and 131072, two of which do not merge. Where the
slide is illegal nothing is printed on stdout and the exit status is 1.

examples:
  bitboard slide L "[[2,0,0,2],[2,2,2,2],[0,4,2,2],[2,2,2,0]]"
  bitboard slide down 1001200000000000
  bitboard slide R "2 0 0 2 / 2 2 2 2 / 0 4 2 2 / 2 2 2 0" | bitboard slide D
  bitboard slide R "4 2 2 0"
"""

from __future__ import annotations

import argparse
import sys

from .. import grid
from ..core import check
from ..core.notation import DIGITS, LARGEST, parse_grid
from ..grid.slides import cells_of, slide_cells
from . import _text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("direction", metavar="DIRECTION", help="U R D L, up right down left, or 0 to 3")
    parser.add_argument("board", metavar="BOARD", nargs="?", help="the board (default: read from stdin)")


def run(arguments: argparse.Namespace) -> int:
    spelled = arguments.direction
    direction = check.direction(int(spelled) if spelled in ("0", "1", "2", "3") else spelled)
    text = _text.read(arguments.board)
    before: str | list[list[int]]
    after: str | list[list[int]]
    if _text.is_hexadecimal(text):
        cells = cells_of(parse_grid(text))[0]
        slid, earned = slide_cells(cells, 4, 4, direction, LARGEST)
        before, after = ("".join([DIGITS[k] for k in board]) for board in (cells, slid))
    else:
        before = _text.grid_of(text)
        after, earned = grid.slide_with_reward(before, direction)
    if after == before:
        print(f"illegal: sliding {check.DIRECTION_NAMES[direction]} changes nothing", file=sys.stderr)
        return 1
    print(_text.in_the_form_of(text, after), flush=True)  # before what goes to stderr
    print(f"reward {earned}", file=sys.stderr)
    return 0
