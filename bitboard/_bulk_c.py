"""Loops over arrays and searches in the C core. Every argument has been checked by the caller.

Arrays are anything with the buffer protocol: contiguous, of the right item size and length.
The GIL is released while C runs.
"""

from __future__ import annotations

from os import environ

from ._bulk import ffi, lib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CPU_VARIANTS = tuple(ffi.string(lib.bb_cpu_name(i)).decode() for i in range(lib.bb_cpu_count()))


def _choose_cpu() -> int:
    """The CPU variant that BITBOARD_CPU names, or the best that this machine can run."""
    best: int = lib.bb_cpu_best()
    wanted = environ.get("BITBOARD_CPU", "auto")
    if wanted == "auto":
        return best
    runnable = CPU_VARIANTS[: best + 1]
    if wanted not in runnable:
        raise ValueError(f"BITBOARD_CPU must be auto or one of {', '.join(runnable)} here; it is {wanted!r}")
    return runnable.index(wanted)


CPU = _choose_cpu()


def words(buffer: Any) -> Any:
    """A pointer to an array of 64-bit words that C reads. It keeps the buffer alive."""
    return ffi.from_buffer("uint64_t[]", buffer)


def words_out(buffer: Any) -> Any:
    """A pointer to an array of 64-bit words that C writes."""
    return ffi.from_buffer("uint64_t[]", buffer, require_writable=True)


def _source(buffer: Any, out: Any) -> Any:
    """The words to read: those of the buffer, or of a copy if `out` overlaps it without being the same."""
    distance = abs(int(ffi.cast("intptr_t", words(buffer))) - int(ffi.cast("intptr_t", words(out))))
    return words(bytearray(buffer)) if 0 < distance < buffer.nbytes else words(buffer)


def move_many(boards: memoryview, direction: int, out: memoryview) -> None:
    lib.bb_move_many(CPU, _source(boards, out), words_out(out), len(boards), direction)


def reward_many(boards: memoryview, direction: int, out: memoryview) -> None:
    lib.bb_reward_many(CPU, _source(boards, out), words_out(out), len(boards), direction)


def legal_moves_many(boards: memoryview, out: memoryview) -> None:
    lib.bb_legal_moves_many(CPU, _source(boards, out), words_out(out), len(boards))


def spawn_many(boards: memoryview, random64: memoryview, out: memoryview) -> None:
    lib.bb_spawn_many(CPU, _source(boards, out), _source(random64, out), words_out(out), len(boards))


PERFT_DEPTH = 3  # deeper trees are cheaper with equal boards counted once


def perft(board: int, depth: int) -> int:
    """Leaves after a few plies; see perft.perft."""
    return lib.bb_perft(board, depth)  # type: ignore[no-any-return]
