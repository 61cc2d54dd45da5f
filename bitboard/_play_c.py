"""Random play to the end in the C core. Every argument has been checked by the caller.

The GIL is released while C runs.
"""

from __future__ import annotations

from array import array

from ._bulk import ffi, lib
from ._bulk_c import CPU, words, words_out

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

SLICE = 32768  # games in one call at most: 10 to 100 ms


def play(
    starts: memoryview | None,
    per_start: int,
    afterstates: bool,
    seed: int,
    first: int,
    stop: int,
    finals: Sequence[memoryview],
) -> None:
    """Play the games first .. stop - 1 and write their final boards, scores, lengths and largest exponents."""
    lib.bb_play(
        CPU,
        ffi.NULL if starts is None else words(starts),
        per_start,
        afterstates,
        seed,
        first,
        stop,
        words_out(finals[0]),
        ffi.from_buffer("int64_t[]", finals[1], require_writable=True),
        ffi.from_buffer("int32_t[]", finals[2], require_writable=True),
        ffi.from_buffer("uint8_t[]", finals[3], require_writable=True),
    )


def sums(scores: memoryview) -> tuple[int, int]:
    """The sum of at most 2**16 scores and the sum of their squares."""
    result = lib.bb_sums(ffi.from_buffer("int64_t[]", scores), len(scores))
    return result.total, result.squares


def sums_each(scores: memoryview, n: int) -> list[int]:
    """sums() of each n scores, one after another in one list."""
    groups = len(scores) // n
    out = array("Q", bytes(16 * groups))
    if groups:
        lib.bb_sums_each(ffi.from_buffer("int64_t[]", scores), n, groups, ffi.from_buffer("struct bb_two_sums[]", out))
    return out.tolist()
