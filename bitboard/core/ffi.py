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
    from collections.abc import Callable
    from typing import Any

__all__ = ["CPU", "CPU_VARIANTS", "UINTPTR", "by_copy", "ffi", "items", "lib", "unaligned", "words", "words_out"]

CPU_VARIANTS = tuple(ffi.string(lib.bb_cpu_name(i)).decode() for i in range(lib.bb_cpu_count()))


def _choose_cpu() -> int:
    """The CPU variant that BITBOARD_CPU names, or the best that this machine can run."""
    best: int = lib.bb_cpu_best()
    wanted = environ.get("BITBOARD_CPU") or "auto"
    if wanted == "auto":
        return best
    runnable = CPU_VARIANTS[: best + 1]
    if wanted not in runnable:
        raise ValueError(f"BITBOARD_CPU must be auto or one of {', '.join(runnable)} here; it is {wanted!r}")
    return runnable.index(wanted)


CPU = _choose_cpu()


UINTPTR = ffi.typeof("uintptr_t")  # looked up once: arrays may be short
_WORDS = ffi.typeof("uint64_t[]")


def unaligned(pointer: Any, size: int = 8) -> bool:
    """Whether an array does not begin at a multiple of its items' size, where C must not read or write it."""
    return int(ffi.cast(UINTPTR, pointer)) % size != 0


def items(kind: str, buffer: Any, size: int = 8) -> Any:
    """A pointer to an array of items of `size` bytes that C reads, copied if unaligned. It keeps the array alive."""
    pointer = ffi.from_buffer(kind, buffer)
    return ffi.from_buffer(kind, bytearray(buffer)) if unaligned(pointer, size) else pointer


def words(buffer: Any) -> Any:
    """A pointer to an array of 64-bit words that C reads, copied if unaligned. It keeps the array alive."""
    pointer = ffi.from_buffer(_WORDS, buffer)
    return ffi.from_buffer(_WORDS, bytearray(buffer)) if int(ffi.cast(UINTPTR, pointer)) % 8 else pointer


def words_out(buffer: Any) -> Any:
    """A pointer to an array of 64-bit words that C writes: the caller looks whether it is unaligned."""
    return ffi.from_buffer(_WORDS, buffer, require_writable=True)


def by_copy(kernel: Callable[..., None], *arguments: Any, outs: int = 1) -> None:
    """Call a kernel with new arrays for its last arguments, and copy what it wrote into those given."""
    given, wanted = arguments[:-outs], arguments[-outs:]
    made = [memoryview(bytearray(out.nbytes)).cast(out.format) for out in wanted]
    kernel(*given, *made)
    for out, new in zip(wanted, made, strict=True):
        out[:] = new
