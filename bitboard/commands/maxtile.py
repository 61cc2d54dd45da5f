"""Find the largest tile that a square board can make within some slides, no tile spawning.

The input is that of the exercise known as "2048 (Easy)" (5 slides) and "2048 (Hard)" (10): a line
with N, 1 to 32, then N lines of N face values with spaces between them, 0 for an empty cell.

examples:
  printf '3\\n2 2 2\\n4 4 4\\n8 8 8\\n' | bitboard maxtile
  bitboard maxtile --slides 10 --path board.txt
"""

from __future__ import annotations

import argparse
import sys

from .. import grid
from ..grid.slides import SIDE
from ..tools import checks
from ..tools.words import counted
from . import _arguments, _text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", metavar="FILE", type=_arguments.path, nargs="?", help="the input (default, or -: stdin)"
    )
    parser.add_argument("--slides", metavar="K", type=int, default=5, help="at most so many, 0 to 255 (default: 5)")
    parser.add_argument("--path", action="store_true", help="print a shortest sequence of slides too, as U R D L")
    parser.add_argument("--max-seconds", metavar="S", type=float, help="after this time print the best found so far")
    parser.add_argument("--max-nodes", metavar="N", type=int, help="after so many slides tried print the best so far")
    _arguments.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    text = _text.read_file(arguments.file, _text.LONGEST)
    if not text.strip():
        raise ValueError("no board given; pass a file or the board on stdin")
    found = grid.max_tile(
        _rows(text), arguments.slides, max_nodes=arguments.max_nodes, max_seconds=arguments.max_seconds
    )
    if arguments.json:
        _arguments.print_json(found._asdict())
    else:
        print(found.tile)
        if arguments.path:
            print(found.path)
    if not found.proven:
        sys.stdout.flush()
        print(f"not proven: the search ended after {counted(found.nodes, 'slide')}", file=sys.stderr)
    return 0


def _rows(text: str) -> list[list[int]]:
    """The grid of the exercise's input, or an error that names the line. Blank lines are no matter."""
    lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    start, head = lines[0]
    if head not in map(str, range(1, SIDE + 1)):
        raise ValueError(f"line {start} must be N, a number from 1 to {SIDE}, got {checks.shown(head)}")
    n = int(head)
    rows: list[list[int]] = []
    for number, line in lines[1:]:
        if len(rows) == n:
            raise ValueError(
                f"line {number} comes after the {counted(n, 'line')} that line {start} announces: {line[:30]!r}"
            )
        rows.append(_row(line.split(), n, f"line {number}"))
    if len(rows) < n:
        raise ValueError(f"line {start} announces {counted(n, 'line')} of numbers, not {len(rows)}")
    return rows


def _row(words: list[str], n: int, where: str) -> list[int]:
    """The n values of a line."""
    if len(words) != n:
        raise ValueError(f"{where} must have {counted(n, 'number')}, got {len(words)}")
    for i, word in enumerate(words, 1):
        if word not in _text.FACES:
            raise ValueError(
                f"{where}, number {i} must be 0 or a power of two from 2 to 2**62, got {checks.shown(word)}"
            )
    return [int(word) for word in words]
