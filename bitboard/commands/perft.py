"""Count the leaves of the game tree after DEPTH plies (a legal slide, then each spawn).

example:
  bitboard perft 1000000000000001 3
"""

from __future__ import annotations

import argparse

from ..core import perft as _perft
from ..tools import checks, progress
from . import _text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("board", metavar="BOARD", help="in any form that `bitboard slide` takes; - reads stdin")
    parser.add_argument("depth", metavar="DEPTH", type=int, help="plies, at least 0")


def run(arguments: argparse.Namespace) -> int:
    board = _text.board_of(_text.read(arguments.board))
    depth = checks.integer(arguments.depth, "depth", 0)
    print(_perft.leaves({board: 1}, depth, lambda boards: progress.track(boards, "perft", "subtrees")))
    return 0
