"""Mark each move of a recorded game with what it lost against the best one.

A line a move: its number, the slide and spawn as recorded, a mark, the score, what an expectimax search thinks of the
slide, and where another was better, which one and what was lost. Marks: ? more than a thousandth of the value of the
best slide, ?? more than a hundredth. Values are the points to be earned from here on; with a table dead boards are
worth 0, and a hundredth is about one more chance in a hundred to die at once. At the end the shares of such moves,
and those that lost most. The search does not know the spawns to come: a move may be right and end badly. FILE is read
as `bitboard replay` reads it.

examples:
  bitboard analyse games.txt
  bitboard analyse games.txt --game 1 --depth 3 --worst 10
  bitboard analyse games.txt --network my.net --depth 2
"""

from __future__ import annotations

import argparse
import sys
from contextlib import nullcontext
from math import isnan
from typing import Any, NamedTuple

from .. import agents
from ..games.classic import Game
from ..search.losses import judge
from ..tools import progress
from ..tools.words import counted
from . import _arguments, _records

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..search.expectimax import Expectimax

_NAMES = ("up", "right", "down", "left")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _records.add_arguments(parser)
    parser.add_argument("--depth", metavar="N", type=int, help="of the search (default: 2, with a table 3)")
    parser.add_argument("--milliseconds", metavar="T", type=float, help="of the search for a move, instead of a depth")
    parser.add_argument(
        "--table",
        metavar="FILE",
        type=_arguments.path,
        help="search by a row table that RowTable.save() wrote, instead of a network",
    )
    parser.add_argument(
        "--network",
        metavar="FILE",
        type=_arguments.path,
        help="search by a network that `train` wrote, or a .w file (default: the shipped one)",
    )
    parser.add_argument(
        "--worst", metavar="N", type=int, default=5, help="how many moves to list at the end (default: 5)"
    )
    _arguments.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    if arguments.table and arguments.network:
        raise ValueError("--table and --network exclude each other: the search has one of them")
    depth, four_layers = arguments.depth, 2 if arguments.milliseconds else 1
    if depth is None and not arguments.milliseconds:
        depth = 3 if arguments.table else 2
    search = agents.expectimax(
        depth,
        arguments.milliseconds,
        arguments.table,
        arguments.network,
        four_layers=four_layers,
        prune=None,
        adaptive=False,
    )
    if arguments.worst < 0:
        raise ValueError(f"--worst must be at least 0, got {arguments.worst}")
    game, _, _ = _records.chosen(arguments, Game)
    if not isinstance(game, Game):
        raise ValueError("analyse reads games of the 4x4 board with its usual rules, and this one has others")
    judged: list[Judged] = []
    quiet = nullcontext(lambda n: None)
    with (
        quiet if sys.stdout.isatty() and not arguments.json else progress.bar(game.moves, "analyse", "moves") as advance
    ):
        for move in _moves(game, search):
            judged.append(move)
            if not arguments.json:
                print(_line(move))
            advance(1)
    worst = sorted(judged, key=lambda move: (-move.loss, move.number))[: arguments.worst]
    worst = [move for move in worst if move.loss > 0]
    best = sum(move.loss <= 0 for move in judged)
    marks = {mark: sum(move.mark == mark for move in judged) for mark in ("?", "??")}
    if arguments.json:
        _arguments.print_json(
            {
                "seed": game.seed,
                "score": game.score,
                "best": best,
                "marks": marks,
                "worst": [move.number for move in worst],
                "cut": game.cut,
                "moves": [_described(move) for move in judged],
            }
        )
    else:
        n = max(len(judged), 1)
        print(
            f"{counted(len(judged), 'move')}: {best / n:.1%} the best, {marks['?'] / n:.1%} marked ?, "
            f"{marks['??'] / n:.1%} marked ??"
        )
        if worst:
            print("most was lost by")
            for move in worst:
                print(_line(move))
    if game.cut:
        print(f"bitboard analyse: {arguments.file}: {game.cut}", file=sys.stderr)
        return 1
    return 0


class Judged(NamedTuple):
    """A move of a game, and what a search thinks of it."""

    number: int  # from 1
    made: str  # as in a record
    direction: int
    score: int  # after it
    values: list[float]  # of each direction, nan where illegal
    loss: float
    mark: str

    @property
    def best(self) -> int:
        """The direction of the largest value."""
        return max((d for d in range(4) if not isnan(self.values[d])), key=lambda d: (self.values[d], -d))


def _moves(game: Game, search: Expectimax) -> Iterator[Judged]:
    """The moves of a game, judged."""
    scores = game.scores
    for i, (board, (direction, cell, exponent)) in enumerate(zip(game, game.history, strict=False)):
        values = list(search.values(board))
        loss, mark = judge(values, direction)
        yield Judged(i + 1, f"{'URDL'[direction]}{cell}:{exponent}", direction, scores[i + 1], values, loss, mark)


def _line(move: Judged) -> str:
    made = (
        f"{move.number:>6} {move.made:<6} {move.mark:2} score {move.score:>7}  value {move.values[move.direction]:.2f}"
    )
    if move.loss <= 0:
        return made
    return f"{made}  best {_NAMES[move.best]:5} {move.values[move.best]:.2f}  lost {move.loss:.2f}"


def _described(move: Judged) -> dict[str, Any]:
    """A move as JSON; what is illegal has no value."""
    return {
        "move": move.number,
        "made": move.made,
        "score": move.score,
        "values": {"URDL"[d]: None if isnan(value) else value for d, value in enumerate(move.values)},
        "best": "URDL"[move.best],
        "loss": move.loss,
        "mark": move.mark,
    }
