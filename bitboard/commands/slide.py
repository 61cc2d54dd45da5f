"""Slide a board; print it in the form it came in, and the reward on stderr.

The board is nested lists as in JSON or Python, face values with spaces or commas, or 16
hexadecimal digits (exponents). Where the slide is illegal nothing is printed on stdout and
the exit status is 1.

examples:
  bitboard slide L "[[2,0,0,2],[2,2,2,2],[0,4,2,2],[2,2,2,0]]"
  bitboard slide up 1001200000000000
  bitboard slide R "2 0 0 2 / 2 2 2 2 / 0 4 2 2 / 2 2 2 0" | bitboard slide D
"""

from __future__ import annotations

import argparse
import sys

from .. import _check, move, reward
from . import _text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("direction", metavar="DIRECTION", help="U R D L, up right down left, or 0 to 3")
    parser.add_argument("board", metavar="BOARD", nargs="?", help="the board (default: read from stdin)")


def run(arguments: argparse.Namespace) -> int:
    spelled = arguments.direction
    direction = _check.direction(int(spelled) if spelled in ("0", "1", "2", "3") else spelled)
    text = _text.read(arguments.board)
    board = _text.board_of(text)
    after = move(board, direction)
    if after == board:
        print(f"illegal: sliding {_check.DIRECTION_NAMES[direction]} changes nothing", file=sys.stderr)
        return 1
    print(_text.in_the_form_of(text, after), flush=True)  # before what goes to stderr
    print(f"reward {reward(board, direction)}", file=sys.stderr)
    return 0
