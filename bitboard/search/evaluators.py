"""Leaves that a Python function values: all those of a search are collected, asked for at once, and put back."""

from __future__ import annotations

from array import array
from math import nan

from ..core import kernels_of
from ..tools import checks
from .deepening import Deepening, stoppable
from .row_tables import LARGEST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from . import _py as kernels
else:
    kernels = kernels_of(__package__)

MOST_LEAVES = 4_000_000  # of one search: 256 MB at most
LEAVES_A_CALL = 65536


def ask(evaluator: Callable[[Any], Any], boards: array[int]) -> array[float]:
    """What the evaluator says of some boards; ValueError where it is not a finite number for each."""
    answer = evaluator(boards[:])  # a copy, which it may change
    if getattr(answer, "shape", None) == (len(boards), 1):  # as networks give it
        answer = answer.reshape(len(boards))
    kind = getattr(getattr(answer, "dtype", None), "kind", "f")
    try:
        # Not the bytes of a string as floats, nor the keys of a dict, nor the real parts of complex numbers.
        if isinstance(answer, (str, bytes, bytearray, dict, set)) or kind == "c":
            raise TypeError
        values = array("d", answer)
    except (TypeError, OverflowError):
        raise ValueError(
            f"the evaluator must give a number for each of {len(boards)} boards, and it gave {checks.shown(answer)}"
        ) from None
    if len(values) != len(boards):
        raise ValueError(f"the evaluator must give one number for each of {len(boards)} boards; it gave {len(values)}")
    for board, value in zip(boards, values, strict=True):
        if not abs(value) <= LARGEST:
            raise ValueError(
                f"the evaluator must give finite numbers, at most 1e100; for the board {board:016x} it gave {value}"
            )
    return values


def search(
    searcher: kernels.Searcher,
    evaluator: Callable[[Any], Any],
    board: int,
    depths: range,
    nodes: int | None,
    deadline: int,
) -> tuple[list[float], int, int]:
    """The values of the last of these depths that was completed, that depth, and how many boards were asked for.

    Limits may end it where there are several depths; a single one is completed. Raises ValueError for what the
    evaluator returned, or where it has too many leaves.
    """
    asked, reached, values = 0, 0, [nan] * 4
    spent = searcher.counters[0]
    for depth in depths:
        left = None if nodes is None else max(1, nodes - (searcher.counters[0] - spent))
        state = Deepening(board, depth, depth)
        searcher.clear_leaves()
        searcher.forget()
        searcher.limit(left, deadline)
        stoppable([searcher], state.run)
        if state.next == depth:  # a limit was met
            if len(depths) == 1:
                raise ValueError(
                    f"depth {depth} has more than {MOST_LEAVES} leaves for the evaluator: search less deep"
                )
            break
        boards, worth = searcher.leaves(), array("d")
        for start in range(0, len(boards), LEAVES_A_CALL):
            if depth and deadline and kernels.now() >= deadline:
                return values, reached, asked
            worth.extend(ask(evaluator, boards[start : start + LEAVES_A_CALL]))
        asked += len(boards)
        searcher.put_leaves(worth)
        searcher.forget()
        searcher.limit(None, 0)
        state = Deepening(board, depth, depth)
        stoppable([searcher], state.run)
        values, reached = state.values, depth
    return values, reached, asked
