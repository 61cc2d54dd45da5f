"""Let an agent play many games, and print mean score, interval, median, rates and speed.

Game i of seed S is the same for everyone. Ctrl-C reports the games finished so far, and so does an agent that fails.

examples:
  bitboard eval greedy --games 200
  bitboard eval montecarlo --games 20 --workers 2 --json result.json
  bitboard eval mymodule:my_agent --csv scores.csv
"""

from __future__ import annotations

import argparse

from ..evaluation import evaluate
from . import _arguments, _games


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _games.add_agent(parser, "greedy", positional=True)
    parser.add_argument("--games", metavar="N", type=int, default=100, help="how many (default: 100)")
    parser.add_argument("--first", metavar="I", type=int, default=0, help="the index of the first (default: 0)")
    parser.add_argument("--seed", metavar="S", type=int, default=0, help="of the games (default: 0)")
    parser.add_argument("--name", metavar="TEXT", help="of the agent in the result (default: its own)")
    parser.add_argument("--workers", metavar="W", type=int, default=1, help="processes (default: 1)")
    parser.add_argument(
        "--json",
        metavar="FILE",
        type=_arguments.path,
        help="write everything as JSON; - is stdout, instead of the table",
    )
    parser.add_argument(
        "--csv", metavar="FILE", type=_arguments.path, help="write a line a game; - is stdout, instead of the table"
    )


def run(arguments: argparse.Namespace) -> int:
    agent = _games.agent_of(arguments)
    targets = [path for path in (arguments.json, arguments.csv) if path and path != "-"]
    for path in targets:  # found out now, not after the games
        with open(path, "a", encoding="utf-8"):
            pass
    failure = None
    try:
        result = evaluate(
            agent,
            arguments.games,
            arguments.seed,
            workers=arguments.workers,
            first=arguments.first,
            name=arguments.name,
        )
    except (ValueError, RuntimeError) as error:
        failure, finished = error, getattr(error, "evaluation", None)
        if finished is None:
            raise ValueError(str(error)) from error
        result = finished
    if "-" not in (arguments.json, arguments.csv):
        print(result.table())
    for path, text in ((arguments.json, result.json), (arguments.csv, result.csv)):
        if path == "-":
            print(text().rstrip("\n"))
        elif path:
            with open(path, "w", encoding="utf-8", newline="\n") as file:
                file.write(text().rstrip("\n") + "\n")
    if failure is not None:  # after the games finished before it
        raise ValueError(str(failure)) from failure
    return 130 if result.interrupted else 0
