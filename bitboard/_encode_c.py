"""Boards into other arrays in the C core. Every argument has been checked by the caller.

The GIL is released while C runs.
"""

from __future__ import annotations

from itertools import combinations

from ._bulk import ffi, lib
from ._bulk_c import CPU, words, words_out

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _out(buffer: memoryview, kind: str) -> Any:
    """A pointer to an array that C writes."""
    return ffi.from_buffer(kind, buffer, require_writable=True)


def _overlap(first: Any, second: Any) -> bool:
    """Whether two arrays of C share memory."""
    start, other = (int(ffi.cast("uintptr_t", pointer)) for pointer in (first, second))
    return bool(start < other + ffi.sizeof(second) and other < start + ffi.sizeof(first))


def _source(boards: memoryview, *outs: Any) -> Any:
    """The boards to read: those given, or a copy if an output overlaps them."""
    given = words(boards)
    return words(bytearray(boards)) if any(_overlap(given, out) for out in outs) else given


def afterstates_many(boards: memoryview, afters: memoryview, rewards: memoryview, legal: memoryview) -> None:
    outs = words_out(afters), _out(rewards, "int32_t[]"), _out(legal, "uint8_t[]")
    if any(_overlap(x, y) for x, y in combinations(outs, 2)):
        made = [memoryview(bytearray(out.nbytes)).cast(out.format) for out in (afters, rewards, legal)]  # type: ignore[call-overload]
        afterstates_many(boards, *made)
        afters[:], rewards[:], legal[:] = made
        return
    lib.bb_afterstates_many(CPU, _source(boards, *outs), *outs, len(boards))


def exponents_many(boards: memoryview, out: memoryview) -> None:
    cells = _out(out, "uint8_t[]")
    lib.bb_exponents_many(CPU, _source(boards, cells), cells, len(boards))


def one_hot_many(boards: memoryview, out: memoryview) -> None:
    """out holds bytes or floats."""
    planes = _out(out, "uint8_t[]" if out.itemsize == 1 else "float[]")
    function = lib.bb_one_hot_many if out.itemsize == 1 else lib.bb_one_hot_float_many
    function(CPU, _source(boards, planes), planes, len(boards))


def symmetries_many(boards: memoryview, out: memoryview) -> None:
    images = words_out(out)
    lib.bb_symmetries_many(CPU, _source(boards, images), images, len(boards))
