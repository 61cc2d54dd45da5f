"""Loops over arrays and searches in pure Python: the same functions as _bulk_c.

Results are made whole before the first is written, so `out` may overlap the input.
"""

from __future__ import annotations

from . import _py

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

CPU_VARIANTS = ("python",)
CPU = 0

_MOVES = (_py.move_up, _py.move_right, _py.move_down, _py.move_left)
_REWARDS = (_py.reward_columns, _py.reward_rows, _py.reward_columns, _py.reward_rows)


def _write(out: memoryview, values: Iterable[int]) -> None:
    for i, value in enumerate(list(values)):
        out[i] = value


def move_many(boards: memoryview, direction: int, out: memoryview) -> None:
    _write(out, map(_MOVES[direction], boards))


def reward_many(boards: memoryview, direction: int, out: memoryview) -> None:
    _write(out, map(_REWARDS[direction], boards))


def legal_moves_many(boards: memoryview, out: memoryview) -> None:
    _write(out, map(_py.legal_moves, boards))


def spawn_many(boards: memoryview, random64: memoryview, out: memoryview) -> None:
    _write(out, map(_py.spawn, boards, random64))


PERFT_DEPTH = 1  # deeper trees are cheaper with equal boards counted once


def perft(board: int, depth: int) -> int:
    """Leaves after 0 or 1 plies: the spawns of a ply are counted, not made, as in csrc/perft.c."""
    if depth == 0:
        return 1
    slid = [slide(board) for slide in _MOVES]
    return sum(2 * _py.empty_count(after) for after in slid if after != board)
