"""The state of many games and their step in the C core. Every argument has been checked by the caller.

The GIL is released while C runs.
"""

from __future__ import annotations

from ._bulk import ffi, lib
from ._bulk_c import CPU, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SLICE = 65536  # games of one call at most where threads share them: a fraction of a millisecond
INTERRUPTIBLE = False  # whether Ctrl-C can come in the middle of a call


def _bytes(buffer: Any) -> Any:
    """A pointer to the bytes of a buffer, or NULL without one."""
    return ffi.NULL if buffer is None else ffi.from_buffer("uint8_t[]", buffer)


def first_wrong(actions: memoryview) -> int:
    """The index of the first action that is not 0 to 3, or how many there are."""
    return lib.bb_first_wrong(_bytes(actions), actions.itemsize, 0, len(actions))  # type: ignore[no-any-return]


class Games:
    """The arrays of a batch, by name; see batch.py for what is in each."""

    def __init__(self, arrays: dict[str, memoryview]) -> None:
        self._keep = {name: ffi.from_buffer(items, require_writable=True) for name, items in arrays.items()}
        self._games = ffi.new("struct bb_games *")
        for name, pointer in self._keep.items():
            setattr(self._games, name, ffi.cast(ffi.typeof(getattr(self._games, name)), pointer))

    def reset(
        self,
        which: memoryview | None,
        seed: int | None,
        streams: memoryview | None,
        boards: memoryview | None,
        start: int,
        stop: int,
    ) -> None:
        """Start new games in the places start .. stop - 1 that `which` marks."""
        streams, boards = [ffi.NULL if x is None else words(x) for x in (streams, boards)]
        lib.bb_games_reset(self._games, _bytes(which), seed is not None, seed or 0, streams, boards, start, stop)

    def step(self, actions: memoryview, autoreset: int, start: int, stop: int) -> int:
        """Make the slides of the places start .. stop - 1. autoreset: 0 off, 1 in the next step, 2 in the same.

        Returns `stop`, or the index of the first action that is not 0 to 3; then no slide was made.
        """
        return lib.bb_games_step(  # type: ignore[no-any-return]
            CPU, self._games, ffi.from_buffer(actions), actions.itemsize, autoreset, start, stop
        )
