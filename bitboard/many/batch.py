"""Many games advanced together: the class Batch."""

from __future__ import annotations

import sys
from array import array
from typing import Any, SupportsIndex

from ..core import check, kernels_of
from ..tools import buffers, checks, copies, parallel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import _py as kernels
else:
    kernels = kernels_of(__package__)


__all__ = ["Batch"]

MOST_GAMES = 2**40
AUTORESET = ("off", "next_step", "same_step")

# The arrays of a batch and their items: 60 bytes a game, 44 without the final ones. The score of a
# finished game fits 32 bits many times: sixteen tiles are worth less than 8 million.
_ARRAYS = {
    "boards": buffers.UINT64,
    "streams": buffers.UINT64,
    "scores": buffers.INT64,
    "moves": "i",
    "legal": "B",
    "saturated": "?",
    "rewards": "i",
    "over": "?",
    "changed": "?",
    "afterstates": buffers.UINT64,
}
_FINAL_ARRAYS = {"final_boards": buffers.UINT64, "final_scores": "i", "final_moves": "i"}
_SIZES = {buffers.UINT64: 8, buffers.INT64: 8, "i": 4, "B": 1, "?": 1}
_LINE, _GAP = 64, 320  # bytes of a cache line; between two arrays
_INTEGERS = frozenset("bBhHiIlLqQ")
_SIGNED = {1: "b", 2: "h", 4: "i", 8: "q"}


def _zeros(typecodes: dict[str, str], n: int) -> dict[str, Any]:
    """Views of n zeros each, in one block of memory that begins at a cache line.

    The gaps between them matter where n is a multiple of a page: without them all arrays would
    begin at the same offset from a page, and fight for the same few places in the cache.
    """
    starts, end = {}, 0
    for name, typecode in typecodes.items():
        starts[name] = end
        end += -(-n * _SIZES[typecode] // _LINE) * _LINE + _GAP
    block = array("Q", [0]) * ((end + _LINE) // 8)
    lines = memoryview(block).cast("B")[-block.buffer_info()[0] % _LINE :]
    # A view of nothing cannot be cast, so it is cut from one of something.
    return {
        name: lines[starts[name] :][: max(n, 1) * _SIZES[typecode]].cast(typecode)[:n]  # type: ignore[call-overload]
        for name, typecode in typecodes.items()
    }


class Batch:
    """n games of 2048, each on a random stream of its own, advanced by one call.

    n: how many, from 0. seed: game `index` plays with the stream S = stream(seed, index): numbers
    0 and 1 of S give its two tiles, number 2 + i the spawn of its slide i; a game restarted in its
    place goes on with S = stream(S, 0). So a game depends on its S and its slides alone.
    autoreset: what becomes of a game that is over. "off": it stays over. "next_step": the next step
    restarts it, whatever the action. "same_step": the step that ends it restarts it, and the finished
    game is kept in the final_ arrays. threads: how many share a step or
    reset of more than 65,536 games.

    The arrays are read-only memoryviews of n items, which numpy.asarray() views without copying;
    each step and reset updates them in place, and is never left half made by Ctrl-C:

    boards       uint64  what the agent sees: after the spawn
    streams      uint64  the S of the game in each place
    scores       int64   points of that game
    moves        int32   legal slides of that game
    legal        uint8   mask of the legal directions of boards: bit d is direction d
    saturated    bool    two 32768 tiles meet on it, which do not merge here (in bitboard.Game they do)
    rewards      int32   points of the last step
    over         bool    the game is over; with "same_step": the last step ended one here
    changed      bool    the last step made a slide; False: it was illegal, nothing was done
    afterstates  uint64  the board between slide and spawn; the board itself where no slide was made
    final_boards, final_scores, final_moves   uint64, int32, int32: the game that the last step ended,
                 where `over`; None unless autoreset is "same_step"

    Memory: 44 bytes a game, with "same_step" 60. Cost of a step: see tests/bench/batch.py.
    Batches can be copied and pickled, subclasses with what they add. Raises TypeError and ValueError for n, threads
    and autoreset, TypeError and OverflowError for the seed.

    >>> import bitboard
    >>> batch = bitboard.Batch(3, seed=1)
    >>> rewards, over = batch.step([0, 1, 2])
    >>> batch.moves.tolist(), batch.changed.tolist()
    ([1, 1, 0], [True, True, False])
    """

    boards: memoryview
    streams: memoryview
    scores: memoryview
    moves: memoryview
    legal: memoryview
    saturated: memoryview
    rewards: memoryview
    over: memoryview
    changed: memoryview
    afterstates: memoryview
    final_boards: memoryview | None = None
    final_scores: memoryview | None = None
    final_moves: memoryview | None = None

    def __init__(
        self, n: SupportsIndex, seed: SupportsIndex = 0, *, autoreset: str = "off", threads: SupportsIndex = 1
    ) -> None:
        if autoreset not in AUTORESET:
            raise ValueError(f"autoreset must be one of {', '.join(AUTORESET)}; got {checks.shown(autoreset)}")
        places, word = checks.integer(n, "n", 0, MOST_GAMES), check.word(seed, "seed")
        self._build(places, autoreset, parallel.count(threads))
        self._reset(None, word, None, None)

    def _build(self, n: int, autoreset: str, threads: int) -> None:
        """Allocate the arrays."""
        self.n, self.autoreset, self.threads = n, autoreset, threads
        names = _ARRAYS | _FINAL_ARRAYS if autoreset == "same_step" else _ARRAYS
        self._arrays = _zeros(names, n)
        for name, items in self._arrays.items():
            setattr(self, name, items.toreadonly())
        self._games = kernels.Games(self._arrays)
        self._mode = AUTORESET.index(autoreset)
        # One call of the C core is a whole step, a few milliseconds for a million games.
        self._at_once = not kernels.INTERRUPTIBLE and (threads == 1 or n <= kernels.STEP_SLICE)
        self._results: dict[type, tuple[Any, Any]] = {}

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        return f"<bitboard.Batch of {self.n} games, autoreset {self.autoreset}, threads {self.threads}>"

    def step(self, actions: Any) -> tuple[Any, Any]:
        """Make one slide in every game: (rewards, over), the batch's own arrays.

        actions: n directions 0 to 3, a C-contiguous buffer of integers of any size, or a list or
        tuple of ints. A slide that changes nothing earns nothing and spawns nothing: `changed` is
        False. Games that are over do as `autoreset` says; their action only has to be in range.
        The results are numpy views if `actions` is numpy, else memoryviews; the next step
        overwrites them. Nothing is allocated.
        Raises ValueError for an action out of range or another length, TypeError for other items;
        then no game has changed.
        """
        seen = self._actions(actions)
        if self._at_once:
            wrong = self._games.step(seen, self._mode, 0, self.n)
        else:
            wrong = kernels.first_wrong(seen)
            if wrong == self.n:
                self._shared(lambda start, stop: self._games.step(seen, self._mode, start, stop))
        if wrong != self.n:
            value = seen[wrong]
            seen.release()
            raise ValueError(f"actions must be 0 to 3, got {value} at index {wrong}")
        return self._results.get(type(actions)) or self._result_for(actions)

    def _result_for(self, actions: Any) -> tuple[Any, Any]:
        """What step() returns for actions of this type, kept for the next time."""
        result: tuple[Any, Any] = self.rewards, self.over
        if buffers.is_numpy(actions):
            result = tuple(map(sys.modules["numpy"].asarray, result))
        self._results[type(actions)] = result
        return result

    def _actions(self, actions: Any) -> memoryview:
        """The actions as integers of some size, n of them."""
        try:
            seen = memoryview(actions)
        except (TypeError, BufferError, ValueError):
            if hasattr(actions, "__array__"):  # a tensor
                return self._actions(buffers.as_numpy(actions))
            if not isinstance(actions, (list, tuple)):
                kind = type(actions).__name__
                raise TypeError(f"actions must be a buffer or a list of integers, not {kind}") from None
            try:
                seen = memoryview(array("q", actions))
            except (TypeError, OverflowError):  # one by one, to say which
                checked = [checks.integer(action, f"actions[{i}]", 0, 3) for i, action in enumerate(actions)]
                seen = memoryview(array("q", checked))
        form = seen.format if len(seen.format) == 1 else seen.format.lstrip("@=<" if _LITTLE else "@=>!")
        error: Exception
        if form not in _INTEGERS:
            error = TypeError(f"actions must hold integers, not items of format {seen.format!r}")
        elif seen.shape != (self.n,):
            error = ValueError(f"actions must have the shape {(self.n,)}, got {seen.shape}")
        elif not seen.c_contiguous:
            error = ValueError(f"actions must be C-contiguous, got strides {seen.strides}")
        elif len(seen.format) == 1:
            return seen
        else:  # "<i", as ctypes has it: Python reads no items of a format that names the byte order
            letter = _SIGNED[seen.itemsize]
            native = letter if form.islower() else letter.upper()
            return seen.cast("B").cast(native) if self.n else memoryview(b"")  # type: ignore[call-overload]
        seen.release()  # or the traceback would keep the caller's array locked
        raise error

    def reset(
        self,
        which: Any = None,
        *,
        seed: SupportsIndex | None = None,
        streams: Any = None,
        boards: Any = None,
    ) -> None:
        """Start new games, in all places or in some.

        which: n booleans (or bytes 0 and 1), the places to restart. streams: n uint64, the S of each
        new game; else seed: game `index` plays with stream(seed, index); with neither each goes on
        with stream(S, 0) of its old S. boards: n boards to start from instead of two random tiles
        (the next slide still spawns by number 2). Only the marked places of these arrays are used.
        A new game has score 0 and moves 0, `changed` False, reward 0, and is over if its board is.
        Raises TypeError and ValueError for arrays, TypeError and OverflowError for the seed.
        """
        if seed is not None and streams is not None:
            raise ValueError("give seed or streams, not both")
        word = None if seed is None else check.word(seed, "seed")
        given: list[memoryview | None] = []
        try:
            for buffer, name, kind in (
                (which, "which", "mask"),
                (streams, "streams", "uint64"),
                (boards, "boards", "uint64"),
            ):
                given.append(None if buffer is None else self._given(buffer, name, kind))
        except BaseException:
            buffers.release(given)
            raise
        marked, new_streams, new_boards = given
        self._reset(marked, word, new_streams, new_boards)

    def _given(self, buffer: Any, name: str, kind: str) -> memoryview:
        """A checked argument of n items."""
        if kind == "uint64":
            return buffers.flat(check.boards(buffer, name, (self.n,))[1])
        return buffers.flat(buffers.view(buffer, name, kind, shape=(self.n,)), kind)

    def _reset(
        self, which: memoryview | None, seed: int | None, streams: memoryview | None, boards: memoryview | None
    ) -> None:
        def work(start: int, stop: int) -> None:
            self._games.reset(which, seed, streams, boards, start, stop)

        if self._at_once:
            work(0, self.n)
        else:
            self._shared(work)

    def _shared(self, work: Any) -> None:
        """Work on all games, shared by the threads and not stopped half way."""
        parallel.whole(lambda: parallel.in_slices(work, self.n, kernels.STEP_SLICE, self.threads))

    def __getstate__(self) -> dict[str, Any]:
        arrays = {name: buffers.little_endian(items) for name, items in self._arrays.items()}
        own = copies.added(self, _FIELDS)
        return {"n": self.n, "autoreset": self.autoreset, "threads": self.threads, "arrays": arrays, "own": own}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._build(state["n"], state["autoreset"], state["threads"])
        for name, data in state["arrays"].items():
            if data:
                items = self._arrays[name]
                items.cast("B")[:] = buffers.little_endian(memoryview(data).cast(items.format))
        copies.restore(self, state.get("own"))


# What a batch has of itself; other attributes are a subclass's or the user's, and come along in copies.
_FIELDS = {"n", "autoreset", "threads", "_arrays", "_games", "_mode", "_at_once", "_results", *_ARRAYS, *_FINAL_ARRAYS}
_LITTLE = sys.byteorder == "little"
