"""What may follow a board, in arrays: the four slides of many boards, the spawns of one."""

from __future__ import annotations

from array import array
from typing import Any, SupportsIndex

from ..core import check, spawns
from ..tools import buffers
from .encoding import kernels

__all__ = ["afterstates_many", "spawns_array"]

MOST_SPAWNS = 32  # a 2 or a 4 in each of 16 cells


def afterstates_many(boards: Any, out: Any = None) -> tuple[Any, Any, Any]:
    """The four slides of every board in one pass: (afterstates, rewards, legal).

    afterstates (..., 4) uint64 and rewards (..., 4) int32 in the order U R D L: where a slide is
    illegal the board itself and 0. legal (...) uint8: bit d is set where direction d is legal.
    boards: a C-contiguous buffer of uint64 of any shape. out: three buffers of those items, of that
    shape or flat; without it new arrays, numpy if `boards` is numpy, else flat array.array. Buffers may
    overlap: everything is read and computed, then written in the order afterstates, rewards, legal.
    With the C core the GIL is released.
    Raises TypeError for other items, ValueError for strides, shapes and read-only buffers; then
    nothing has been written.

    >>> import array, bitboard
    >>> afters, rewards, legal = bitboard.afterstates_many(array.array("Q", [0x1100 << 48]))
    >>> [f"{after:016x}" for after in afters], rewards.tolist(), bin(legal[0])
    (['1100000000000000', '0002000000000000', '0000000000001100', '2000000000000000'], [0, 4, 0, 4], '0b1110')
    """
    if out is None:
        out = (None, None, None)
    elif not isinstance(out, (tuple, list)) or len(out) != 3:
        raise TypeError("out must be three buffers: afterstates, rewards, legal")
    boards, seen = check.boards(boards)
    kinds: tuple[tuple[str, tuple[int, ...]], ...] = (("uint64", (4,)), ("int32", (4,)), ("uint8", ()))
    results: list[Any] = []
    targets: list[memoryview] = []
    try:
        for i, (kind, tail) in enumerate(kinds):
            array_of, target = buffers.result(out[i], boards, seen, kind, tail=tail, name=f"out[{i}]")
            results.append(array_of)
            targets.append(buffers.flat(target, kind))
    except BaseException:
        buffers.release(targets)
        raise
    kernels.afterstates_many(buffers.flat(seen), *targets)
    afters, rewards, legal = results
    return afters, rewards, legal


def spawns_array(board: SupportsIndex, out: Any = None) -> tuple[Any, Any]:
    """Every outcome of a spawn in two arrays: (boards uint64, probabilities float64), in the order of spawns().

    out: two buffers with room for 32 items each; then the filled parts of them are returned, as
    numpy arrays or memoryviews. Without it two array.array.
    Raises TypeError and OverflowError for the board, TypeError and ValueError for `out`.

    >>> import bitboard
    >>> boards, probabilities = bitboard.spawns_array(0x0123_4561_2345_6123)
    >>> [f"{after:016x}" for after in boards], list(probabilities)
    (['1123456123456123', '2123456123456123'], [0.9, 0.1])
    """
    outcomes = spawns(board)
    if out is None:
        return array(buffers.UINT64, [after for _, after in outcomes]), array("d", [p for p, _ in outcomes])
    if not isinstance(out, (tuple, list)) or len(out) != 2:
        raise TypeError("out must be two buffers: boards, probabilities")
    views: list[Any] = []
    try:
        for i, kind in enumerate(("uint64", "float64")):
            views.append(buffers.view(out[i], f"out[{i}]", kind, out=True))
        if any(seen.ndim != 1 or len(seen) < MOST_SPAWNS for seen in views):
            raise ValueError(f"each buffer of out must have one dimension and room for {MOST_SPAWNS} items")
    except BaseException:
        buffers.release(views)
        raise
    for i, (p, after) in enumerate(outcomes):
        views[0][i], views[1][i] = after, p
    n = len(outcomes)
    boards, probabilities = [x[:n] if buffers.is_numpy(x) else memoryview(x)[:n] for x in out]
    return boards, probabilities
