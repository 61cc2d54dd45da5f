"""Build or list the pattern databases of sliding puzzles.

A PARTITION says how many tiles each pattern has. For 4x4: 6-6-3 (the default; 5.8 MB, a second) or
7-8 (288 MB on disk, 1.9 GB of memory and half a minute to build; solves ten times as fast).
They are kept in $BITBOARD_CACHE, else in bitboard below $XDG_CACHE_HOME or ~/.cache.

examples:
  bitboard tables build
  bitboard tables build 7-8
  bitboard tables build 6-5 --size 3x4
  bitboard tables list
"""

from __future__ import annotations

import argparse
import os
from time import perf_counter

from . import _puzzles


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=("build", "list"), help="build a database, or list those in the cache")
    parser.add_argument("partition", metavar="PARTITION", nargs="?", help="such as 6-6-3 or 7-8")
    parser.add_argument("--size", metavar="RxC", help="rows and columns (default: 4x4)")
    parser.add_argument(
        "--goal",
        default="blank-first",
        help=f"{_puzzles.GOAL_HELP}; only where its blank is matters (default: blank-first)",
    )
    parser.add_argument("--rebuild", action="store_true", help="build it even if it is there")


def run(arguments: argparse.Namespace) -> int:
    from .. import sliding
    from ..sliding import database as _sliding_database

    if arguments.action == "list":
        print(_sliding_database.cache_directory())
        for name, size in _sliding_database.files():
            print(f"{size:>12,}  {name}")
        return 0
    start = perf_counter()
    shape = _puzzles.size_of(arguments.size) or (4, 4)
    with _puzzles.plain_warnings("tables"):
        path = sliding.build_database(arguments.partition, shape, arguments.goal, rebuild=arguments.rebuild)
    if not os.path.exists(path):  # a warning has said why
        return 1
    print(f"{path}  {os.path.getsize(path):,} bytes, {perf_counter() - start:.1f} s")
    return 0
