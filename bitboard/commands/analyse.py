"""Mark each move of a recorded game with what it lost against the best one.

A line a move: its number, the slide and spawn as recorded, a mark, the score, what an expectimax search thinks of the
slide, and where another was better, which one and what was lost. Marks: ? more than a thousandth of the value of the
best slide, ?? more than a hundredth. Dead boards are worth 0: a hundredth is about one more chance in a hundred to die
at once. With --network values are points to be earned from here on. At the end the shares of such moves, and those
that lost most. The search does not know the spawns to come: a move may be right and end badly. FILE is read as
`bitboard replay` reads it.

examples:
  bitboard analyse games.txt
  bitboard analyse games.txt --game 1 --depth 4 --worst 10
  bitboard analyse games.txt --network my.net --depth 2
"""

from __future__ import annotations

import argparse
import sys
from contextlib import nullcontext

from ..games.classic import Game
from ..search.expectimax import Expectimax
from ..search.losses import judge
from ..search.row_tables import RowTable
from ..tools import progress
from ..tools.words import counted
from . import _arguments, _records

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_NAMES = ("up", "right", "down", "left")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _records.add_arguments(parser)
    parser.add_argument("--depth", metavar="N", type=int, help="of the search (default: 3)")
    parser.add_argument("--milliseconds", metavar="T", type=float, help="of the search for a move, instead of a depth")
    parser.add_argument(
        "--table",
        metavar="FILE",
        type=_arguments.path,
        help="a row table that RowTable.save() wrote (default: the shipped one)",
    )
    parser.add_argument(
        "--network",
        metavar="FILE",
        type=_arguments.path,
        help="search by a network of `bitboard train`, or a .w file, instead of a table",
    )
    parser.add_argument(
        "--worst", metavar="N", type=int, default=5, help="how many moves to list at the end (default: 5)"
    )


def run(arguments: argparse.Namespace) -> int:
    if arguments.table and arguments.network:
        raise ValueError("--table and --network exclude each other: the search has one of them")
    table = RowTable.load(arguments.table) if arguments.table else None
    network = None
    if arguments.network:
        from ..networks import NTupleNetwork

        network = NTupleNetwork.load(arguments.network)
    time_ms, four_layers = arguments.milliseconds, 2 if arguments.milliseconds else 1
    search = Expectimax(arguments.depth, table, network=network, time_ms=time_ms, four_layers=four_layers)
    if arguments.worst < 0:
        raise ValueError(f"--worst must be at least 0, got {arguments.worst}")
    game, _, _ = _records.chosen(arguments, Game)
    if not isinstance(game, Game):
        raise ValueError("analyse reads games of the 4x4 board with its usual rules, and this one has others")
    losses: list[tuple[float, int, str]] = []
    marks = {"?": 0, "??": 0}
    quiet = nullcontext(lambda n: None)
    with quiet if sys.stdout.isatty() else progress.bar(game.moves, "analyse", "moves") as advance:
        for i, (line, loss, mark) in enumerate(_moves(game, search)):
            losses.append((loss, -i, line))
            if mark:
                marks[mark] += 1
            print(line)
            advance(1)
    n = max(len(losses), 1)
    best = sum(loss <= 0 for loss, _, _ in losses)
    print(
        f"{counted(len(losses), 'move')}: {best / n:.1%} the best, {marks['?'] / n:.1%} marked ?, "
        f"{marks['??'] / n:.1%} marked ??"
    )
    worst = [entry for entry in sorted(losses, reverse=True)[: arguments.worst] if entry[0] > 0]
    if worst:
        print("most was lost by")
        for _, _, line in worst:
            print(line)
    if game.cut:
        print(f"bitboard analyse: {arguments.file}: {game.cut}", file=sys.stderr)
        return 1
    return 0


def _moves(game: Game, search: Expectimax) -> Iterator[tuple[str, float, str]]:
    """(the line, the loss, the mark) of each move."""
    scores = game.scores
    for i, (board, (direction, cell, exponent)) in enumerate(zip(game, game.history, strict=False)):
        values = search.values(board)
        top = max(value for value in values if value == value)
        loss, mark = judge(values, direction)
        made = f"{'URDL'[direction]}{cell}:{exponent}"
        better = f"best {_NAMES[values.index(top)]:5} {top:.2f}  lost {loss:.2f}" if loss > 0 else ""
        line = f"{i + 1:>6} {made:<6} {mark:2} score {scores[i + 1]:>7}  value {values[direction]:.2f}  {better}"
        yield line.rstrip(), loss, mark
