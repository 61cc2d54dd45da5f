"""Many boards and many games in the C core. Every argument has been checked by the caller.

The GIL is released while C runs.
"""

from __future__ import annotations

from array import array

from ..core.ffi import CPU, UINTPTR, by_copy, ffi, lib, unaligned, words, words_out

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

STEP_SLICE = 65536  # games of one call at most where threads share them: a fraction of a millisecond
INTERRUPTIBLE = False  # whether Ctrl-C can come in the middle of a call
PLAY_SLICE = 32768  # games in one call at most: 10 to 100 ms


_UINT8, _INT32, _FLOAT, _WORDS = map(ffi.typeof, ("uint8_t[]", "int32_t[]", "float[]", "uint64_t[]"))


def _out(buffer: memoryview, kind: Any) -> Any:
    """A pointer to an array that C writes."""
    return ffi.from_buffer(kind, buffer, require_writable=True)


def _span(pointer: Any) -> tuple[int, int]:
    """The address of an array of C, and the one behind it."""
    start = int(ffi.cast(UINTPTR, pointer))
    return start, start + ffi.sizeof(pointer)


def _meet(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two spans share memory."""
    return one[0] < other[1] and other[0] < one[1]


def _source(boards: memoryview, out: Any) -> Any:
    """The boards to read: those given, or a copy if the output overlaps them."""
    given = words(boards)
    return words(bytearray(boards)) if _meet(_span(given), _span(out)) else given


def _pair(boards: memoryview, out: memoryview) -> tuple[Any, Any]:
    """Words to read and as many to write. None where those to write are unaligned.

    Those to read are a copy if they are unaligned, or if the others overlap them without being the same array.
    """
    given, to = ffi.from_buffer(_WORDS, boards), ffi.from_buffer(_WORDS, out, require_writable=True)
    start, other = int(ffi.cast(UINTPTR, given)), int(ffi.cast(UINTPTR, to))
    if other % 8:
        return given, None
    return words(bytearray(boards)) if start % 8 or 0 < abs(start - other) < boards.nbytes else given, to


def move_many(boards: memoryview, direction: int, out: memoryview) -> None:
    given, to = _pair(boards, out)
    if to is None:
        by_copy(move_many, boards, direction, out)
        return
    lib.bb_move_many(CPU, given, to, len(boards), direction)


def reward_many(boards: memoryview, direction: int, out: memoryview) -> None:
    given, to = _pair(boards, out)
    if to is None:
        by_copy(reward_many, boards, direction, out)
        return
    lib.bb_reward_many(CPU, given, to, len(boards), direction)


def legal_moves_many(boards: memoryview, out: memoryview) -> None:
    given, to = _pair(boards, out)
    if to is None:
        by_copy(legal_moves_many, boards, out)
        return
    lib.bb_legal_moves_many(CPU, given, to, len(boards))


def spawn_many(boards: memoryview, random64: memoryview, out: memoryview) -> None:
    given, to = _pair(boards, out)
    numbers, _ = _pair(random64, out)
    if to is None:
        by_copy(spawn_many, boards, random64, out)
        return
    lib.bb_spawn_many(CPU, given, numbers, to, len(boards))


def afterstates_many(boards: memoryview, afters: memoryview, rewards: memoryview, legal: memoryview) -> None:
    given = words(boards)
    outs = words_out(afters), _out(rewards, _INT32), _out(legal, _UINT8)
    read, (a, r, f) = _span(given), map(_span, outs)
    if a[0] % 8 or r[0] % 4 or _meet(a, r) or _meet(a, f) or _meet(r, f):
        by_copy(afterstates_many, boards, afters, rewards, legal, outs=3)
        return
    if _meet(read, a) or _meet(read, r) or _meet(read, f):
        given = words(bytearray(boards))
    lib.bb_afterstates_many(CPU, given, *outs, len(boards))


def exponents_many(boards: memoryview, out: memoryview) -> None:
    cells = _out(out, _UINT8)
    lib.bb_exponents_many(CPU, _source(boards, cells), cells, len(boards))


def one_hot_many(boards: memoryview, out: memoryview) -> None:
    """out holds bytes or floats."""
    planes = _out(out, _UINT8 if out.itemsize == 1 else _FLOAT)
    if unaligned(planes, out.itemsize):
        by_copy(one_hot_many, boards, out)
        return
    function = lib.bb_one_hot_many if out.itemsize == 1 else lib.bb_one_hot_float_many
    function(CPU, _source(boards, planes), planes, len(boards))


def symmetries_many(boards: memoryview, out: memoryview) -> None:
    images = words_out(out)
    if unaligned(images):
        by_copy(symmetries_many, boards, out)
        return
    lib.bb_symmetries_many(CPU, _source(boards, images), images, len(boards))


def _bytes(buffer: Any) -> Any:
    """A pointer to the bytes of a buffer, or NULL without one."""
    return ffi.NULL if buffer is None else ffi.from_buffer("uint8_t[]", buffer)


def first_wrong(actions: memoryview) -> int:
    """The index of the first action that is not 0 to 3, or how many there are."""
    return lib.bb_first_wrong(ffi.from_buffer(actions), actions.itemsize, 0, len(actions))  # type: ignore[no-any-return]


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
