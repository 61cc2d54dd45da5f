"""The bulk module of the C core (arrays and searches), its CPU variant, and arrays as C gets them.

Only the `_c` halves of the backends import this. Every argument has been checked by the caller. Arrays are
anything with the buffer protocol: contiguous, of the right item size and length. The GIL is released while C runs.
"""

from __future__ import annotations

from os import environ

from .backend import INCOMPLETE

try:
    from ._bulk import ffi, lib
except ImportError as error:
    raise ImportError(f"{INCOMPLETE}: {error}") from error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["CPU", "CPU_VARIANTS", "ffi", "lib", "words", "words_out"]

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
