"""Large arrays of zeros, in pages that are taken when written."""

from __future__ import annotations

import mmap
from contextlib import suppress

__all__ = ["zeros"]


def zeros(size: int) -> memoryview:
    """So many bytes, at least 1, in large pages where there are some; a fork gets a copy.

    Raises OSError or OverflowError for more than the system gives.
    """
    if not hasattr(mmap, "MAP_PRIVATE"):  # Windows
        return memoryview(mmap.mmap(-1, size))
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    with suppress(AttributeError, OSError):  # learning is a tenth faster
        memory.madvise(mmap.MADV_HUGEPAGE)
    return memoryview(memory)
