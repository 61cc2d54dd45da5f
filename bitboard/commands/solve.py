"""Solve a sliding puzzle, or a file of them, by as few moves as possible.

A BOARD is its tiles row by row with / between the rows, 0 or . the blank; 16 hexadecimal digits are a
4x4 board. A move is where the blank goes: U R D L. Up to 9 cells the answer comes from a table, above
from a search with a pattern database, built on first use (see `bitboard tables --help`).
Rows may stand on lines, after a line with their number N, as in the files of courses. Of --file every line is a
puzzle, or every N with its rows, and every answer is one line. A # begins a comment.
Without --goal the goal is blank-first (0 1 2 ...), or blank-last (1 2 3 ... 0) where the board's parity allows that
alone, as of half of all 15-puzzles: then a note on stderr says so.
The exit status is 1 where a puzzle cannot be solved or a limit was reached, 2 for bad input.

examples:
  bitboard solve "7 2 4 / 5 0 6 / 8 3 1"
  bitboard solve "14 13 15 7 / 11 12 9 5 / 6 0 2 1 / 4 8 10 3" --quiet
  bitboard solve "1 2 3 / 4 5 6 / 0 7 8" --goal blank-last --json
  bitboard solve --file puzzles.txt
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from itertools import islice

from ..tools.words import counted
from . import _arguments, _puzzles, _text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_HEAD = re.compile("[0-9]{1,2}")  # the number of rows, alone on the line before them
DEFAULT_GOAL = "blank-first"
CHUNK = 256  # puzzles of a file that are solved before their answers are printed


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("board", metavar="BOARD", nargs="?", help="the board (default: read from stdin)")
    parser.add_argument(
        "--file", metavar="FILE", type=_arguments.path, help="read many puzzles, one a line; - is stdin"
    )
    parser.add_argument("--goal", help=f"{_puzzles.GOAL_HELP} (default: blank-first, else what the parity allows)")
    parser.add_argument("--size", metavar="RxC", help="rows and columns, where the board does not tell")
    parser.add_argument("--method", default="auto", help="table, idastar, astar (default: what suits)")
    parser.add_argument(
        "--heuristic", default="auto", help="6-6-3, 7-8, walking-distance, manhattan (default: 6-6-3 for 4x4)"
    )
    parser.add_argument("--max-nodes", type=int, metavar="N", help="give up after N boards")
    parser.add_argument("--max-seconds", type=float, metavar="S", help="give up after S seconds")
    parser.add_argument("--max-memory", type=int, metavar="BYTES", help="give up where more memory is needed")
    parser.add_argument(
        "--threads", type=int, metavar="N", help="puzzles of a file at a time (default: one a processor)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON: one object a puzzle")
    parser.add_argument("--quiet", action="store_true", help="print the length and the moves alone")


def run(arguments: argparse.Namespace) -> int:
    from .. import sliding
    from ..sliding import board as sliding_board
    from ..tools import checks

    if arguments.threads is not None:
        checks.integer(arguments.threads, "threads", 1, 1024)
    options = {
        "method": arguments.method,
        "heuristic": arguments.heuristic,
        "max_nodes": arguments.max_nodes,
        "max_seconds": arguments.max_seconds,
        "max_memory": arguments.max_memory,
    }
    size = _puzzles.size_of(arguments.size)
    try:
        with _puzzles.plain_warnings("solve"):
            if arguments.file is not None:
                if arguments.board is not None:
                    raise ValueError("give a BOARD or --file, not both")
                return _solve_file(arguments, options, size)
            board, found = sliding_board.read(_puzzle_of(_text.read(arguments.board)), size)
            goal = _goal_of(board, found) if arguments.goal is None else arguments.goal
            solution = sliding.solve(board, goal, size=found, **options)
    except (sliding.Unsolvable, sliding.LimitReached) as error:
        if arguments.json:
            print(json.dumps(_failure(error)))
        print(f"bitboard solve: {error}", file=sys.stderr)
        return 1
    if arguments.json:
        print(json.dumps(_described(solution, states=True)))
    elif arguments.quiet:
        print(_line(solution))
    else:
        _draw(solution)
    if arguments.goal is None and goal != DEFAULT_GOAL:
        print(f"bitboard solve: solved to {goal}, since {DEFAULT_GOAL} cannot be reached", file=sys.stderr)
    return 0


def _goal_of(board: int, size: tuple[int, int]) -> str:
    """The goal of a board for which none was given."""
    from ..sliding import board as sliding_board

    return sliding_board.reachable(board, size) or DEFAULT_GOAL


def _line(solution: Any) -> str:
    return f"{solution.length} {solution.moves}".rstrip()


def _draw(solution: Any) -> None:
    """The length, the moves, and each board on the way under its move."""
    from .. import sliding

    print(f"{counted(solution.length, 'move')} {solution.moves}".rstrip())
    for number, board in enumerate(solution.states()):
        print(f"\n{number} {solution.moves[number - 1]}" if number else "\nstart")
        print(sliding.pretty(board, solution.size))
    print(f"\n{counted(solution.nodes, 'node')}, {solution.seconds:.3f} s, {solution.method} ({solution.heuristic})")


def _described(solution: Any, states: bool) -> dict[str, Any]:
    """A solution as JSON; boards are lists of rows."""
    from .. import sliding

    described = {
        "length": solution.length,
        "moves": solution.moves,
        "nodes": solution.nodes,
        "seconds": round(solution.seconds, 6),
        "method": solution.method,
        "heuristic": solution.heuristic,
        "size": list(solution.size),
        "board": sliding.to_grid(solution.board, solution.size),
        "goal": sliding.to_grid(solution.goal, solution.size),
    }
    if states:
        described["states"] = [sliding.to_grid(state, solution.size) for state in solution.states()]
    return described


def _failure(error: Exception) -> dict[str, Any]:
    """An unsolvable puzzle or a limit as JSON."""
    failure: dict[str, Any] = {"error": str(error)}
    for name in ("lower_bound", "nodes", "seconds"):
        if hasattr(error, name):
            failure[name] = getattr(error, name)
    return failure


def _puzzles_of(name: str, size: Any) -> list[tuple[int, int, tuple[int, int]]]:
    """(line, board, size) of each puzzle in a file; ValueError with the bad line.

    A puzzle is a line, or N alone on a line and N lines after it.
    """
    from ..sliding import board as sliding_board

    found = []
    lines = iter(_lines(_text.read_file(name)))
    for number, text in lines:
        try:
            if _HEAD.fullmatch(text):
                text = _under_head(int(text), [line for _, line in islice(lines, int(text))])
            found.append((number, *sliding_board.read(text, size)))
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from None
    return found


def _lines(text: str) -> list[tuple[int, str]]:
    """The lines of a text with their numbers, without comments (# to the end of the line) and what is blank then."""
    lines = [(number, line.partition("#")[0].strip()) for number, line in enumerate(text.split("\n"), 1)]
    return [(number, line) for number, line in lines if line]


def _puzzle_of(text: str) -> str:
    """The board of a text without comments, and without the N before its rows if it has one."""
    lines = [line for _, line in _lines(text)]
    if len(lines) > 1 and _HEAD.fullmatch(lines[0]):
        return _under_head(int(lines[0]), lines[1:])
    return "\n".join(lines)


def _under_head(n: int, rows: list[str]) -> str:
    """The rows that come after N, if they are N."""
    if len(rows) != n:
        raise ValueError(f"the number {n} alone on a line announces as many rows, not {len(rows)}")
    return "\n".join(rows)


def _solve_file(arguments: argparse.Namespace, options: dict[str, Any], size: Any) -> int:
    from .. import sliding
    from ..tools import progress

    puzzles = _puzzles_of(arguments.file, size)
    status = others = 0
    with progress.bar(len(puzzles), "solving", "puzzles") as advance:
        for start in range(0, len(puzzles), CHUNK):
            chunk = puzzles[start : start + CHUNK]
            alike: dict[tuple[str, Any], list[int]] = {}  # a goal and a size -> which puzzles of the chunk
            for i, (_, board, its_size) in enumerate(chunk):
                goal = _goal_of(board, its_size) if arguments.goal is None else arguments.goal
                others += arguments.goal is None and goal != DEFAULT_GOAL
                alike.setdefault((goal, its_size), []).append(i)
            results: dict[int, Any] = {}
            for (goal, its_size), places in alike.items():
                boards = [chunk[i][1] for i in places]
                limits = {**options, "threads": arguments.threads, "errors": "return", "progress": advance}
                results.update(zip(places, sliding.solve_many(boards, goal, size=its_size, **limits), strict=True))
            for i, (number, board, its_size) in enumerate(chunk):
                result = results[i]
                if isinstance(result, Exception):
                    status = 1
                    unsolvable = isinstance(result, sliding.Unsolvable)
                    print(json.dumps(_failure(result)) if arguments.json else "unsolvable" if unsolvable else "gave-up")
                    why = _why(board, its_size) if unsolvable else str(result)
                    print(f"bitboard solve: line {number}: {why}", file=sys.stderr)
                else:
                    print(json.dumps(_described(result, states=False)) if arguments.json else _line(result))
    if others:
        how_many = f"{others} of {len(puzzles)} puzzles"
        print(
            f"bitboard solve: {how_many} solved to blank-last, since {DEFAULT_GOAL} cannot be reached", file=sys.stderr
        )
    return status


def _why(board: int, size: tuple[int, int]) -> str:
    """Why a puzzle cannot be solved, in short."""
    from ..sliding import board as sliding_board

    other = sliding_board.reachable(board, size)
    return "it cannot be solved: its parity is not the goal's" + (f"; the goal {other} can be reached" if other else "")
