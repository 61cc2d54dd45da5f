"""Play whole games at random; print the mean score, its interval, and the largest tiles.

Every choice is uniform among the legal directions. A seed gives the same games whatever the threads.

example:
  bitboard random 100000 --seed 1 --threads 2
"""

from __future__ import annotations

import argparse

from ..many import playout
from ..tools import progress
from . import _arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST_GAMES = 10**8  # 25 bytes each


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("games", metavar="GAMES", type=int, help="how many, at least 1")
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="0 to 2**64 - 1 (default 0)")
    parser.add_argument("--threads", metavar="K", type=int, default=1, help="default 1")
    parser.add_argument("--level", metavar="P", type=float, default=0.95, help="of the interval (default 0.95)")
    _arguments.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    if not 1 <= arguments.games <= MOST_GAMES:
        raise ValueError(f"GAMES must be 1 to {MOST_GAMES}, got {arguments.games}")
    if not 0 < arguments.level < 1:
        raise ValueError(f"--level must lie between 0 and 1, got {arguments.level}")
    try:
        with progress.bar(arguments.games, "random", "games") as advance:
            result = playout.random_games(arguments.games, arguments.seed, arguments.threads, progress=advance)
    except MemoryError:
        raise ValueError(f"not enough memory for the results of {arguments.games} games, 25 bytes each") from None
    if arguments.json:
        _arguments.print_json(_described(result, arguments.seed, arguments.level))
    else:
        print(result.report(arguments.level))
    return 0


def _described(result: Any, seed: int, level: float) -> dict[str, Any]:
    """The report as JSON; there is no interval of one game."""
    games, interval = len(result), result.interval(level)
    return {
        "games": games,
        "seed": seed,
        "slides": sum(result.lengths),
        "mean_score": sum(result.scores) / games,
        "standard_deviation": float(result.std_scores[0]),
        "interval": None if games == 1 else list(interval),
        "level": level,
        "largest_tiles": {str(2**k if k else 0): count for k, count in enumerate(result.tile_counts()) if count},
    }
