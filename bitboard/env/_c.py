"""The environments' loop in the C core. Arrays are numpy, of the right type and length."""

from __future__ import annotations

from ..core.ffi import CPU, ffi, lib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def look(boards: Any, legal: Any, masks: Any, max_tiles: Any) -> None:
    """Write the action masks and the largest tiles of boards and their legal directions."""
    lib.bb_env_look(
        CPU,
        ffi.from_buffer("uint64_t[]", boards),
        ffi.from_buffer("uint8_t[]", legal),
        ffi.from_buffer("int8_t[]", masks, require_writable=True),
        ffi.from_buffer("int64_t[]", max_tiles, require_writable=True),
        len(boards),
    )
