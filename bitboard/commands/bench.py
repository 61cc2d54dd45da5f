"""Measure this library on this machine: the C core against its own Python fallback.

Each line is one operation, the time of one call (or of one board of an array) with either backend, and the ratio.
Times are the best of several rounds that alternate between the backends.

example:
  bitboard bench
"""

from __future__ import annotations

import argparse
import platform
from array import array
from functools import partial
from time import perf_counter

from ..core import _py, random64, spawn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rounds", metavar="N", type=int, default=5, help="of each measurement (default: 5)")


def run(arguments: argparse.Namespace) -> int:
    if not 1 <= arguments.rounds <= 1000:
        raise ValueError(f"--rounds must be from 1 to 1000, got {arguments.rounds}")
    try:
        from ..core import _c
        from ..many import _c as many_c
        from ..many import _py as many_py
    except ImportError as error:
        raise ImportError(f"there is no C core to compare with: {error}") from None
    boards = _boards()
    packed = array("Q", boards * 25)
    numbers = array("Q", [random64(1, i) for i in range(len(packed))])
    out = array("Q", packed)
    print(f"{platform.python_implementation()} {platform.python_version()} on {platform.machine()}; ns a board")
    print(f"{'':<22}{'C':>10}{'Python':>12}{'ratio':>9}")
    for name in ("move_left", "legal_moves", "reward_rows", "is_over", "transpose", "canonical"):
        _line(name, [_calls(getattr(module, name), boards) for module in (_c, _py)], len(boards), arguments.rounds)
    _line("spawn", [_spawns(module.spawn, boards) for module in (_c, _py)], len(boards), arguments.rounds)
    _line("a random game, a move", [_game(module) for module in (_c, _py)], _game(_c)(), arguments.rounds)
    views = memoryview(packed), memoryview(numbers), memoryview(out)
    for name, inputs in (
        ("move_many", (views[0], 3)),
        ("legal_moves_many", views[:1]),
        ("spawn_many", views[:2]),
    ):
        works = [partial(getattr(kernels, name), *inputs, views[2]) for kernels in (many_c, many_py)]
        _line(name, works, len(packed), arguments.rounds)
    games = 200
    finals = [memoryview(array(kind, bytes(size * games))) for kind, size in (("Q", 8), ("q", 8), ("i", 4), ("B", 1))]
    plays = [partial(kernels.play, None, games, False, 1, 0, games, finals) for kernels in (many_c, many_py)]
    plays[0]()
    _line("random games, a move", plays, sum(finals[2]), arguments.rounds)
    return 0


def _boards() -> list[int]:
    """400 boards of random games."""
    boards: list[int] = []
    board, i = 0x1000_0000_0000_0001, 0
    while len(boards) < 400:
        slides = [
            after for after in (_py.move_left(board), _py.move_up(board), _py.move_right(board)) if after != board
        ]
        if not slides:
            board = 0x1000_0000_0000_0001
            continue
        i += 1
        board = spawn(slides[random64(2, i) % len(slides)], random64(3, i))
        boards.append(board)
    return boards


def _calls(function: Callable[[int], Any], boards: list[int]) -> Callable[[], Any]:
    def work() -> None:
        for board in boards:
            function(board)

    return work


def _spawns(function: Callable[[int, int], Any], boards: list[int]) -> Callable[[], Any]:
    def work() -> None:
        for board in boards:
            function(board, 1 << 63)

    return work


def _game(module: Any) -> Callable[[], int]:
    """One game by the first legal slide of a random order; the number of slides."""
    slides = (module.move_up, module.move_right, module.move_down, module.move_left)

    def work() -> int:
        board, moves = 0x1000_0000_0000_0001, 0
        while mask := module.legal_moves(board):
            number = module.random64(9, moves)
            direction = number & 3
            while not mask >> direction & 1:
                direction = (direction + 1) & 3
            board = module.spawn(slides[direction](board), number)
            moves += 1
        return moves

    return work


def _line(name: str, works: Sequence[Callable[[], Any]], calls: int, rounds: int) -> None:
    best = [float("inf"), float("inf")]
    for work in works:
        work()
    for _ in range(rounds):
        for side, work in enumerate(works):
            began, repeats = perf_counter(), 0
            taken = 0.0
            while taken < 0.01:
                work()
                repeats += 1
                taken = perf_counter() - began
            best[side] = min(best[side], taken / repeats)
    c, python = [seconds / calls * 1e9 for seconds in best]
    print(f"{name:<22}{c:>10,.1f}{python:>12,.1f}{python / c:>8.1f}x", flush=True)
