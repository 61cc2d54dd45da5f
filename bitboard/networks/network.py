"""A network: its weights in memory or in a mapped file, its values, and learning from single targets."""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Iterable
from math import isfinite
from os import PathLike
from typing import Any, SupportsFloat, SupportsIndex

from ..core import check, kernels_of
from ..tools import buffers, checks, copies, pages
from . import patterns as names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..core import Direction
    from . import _py as kernels
    from .training import Trained
else:
    Direction = Any  # found by typing.get_type_hints()
    Trained = Any
    kernels = kernels_of(__package__)

__all__ = ["NTupleNetwork"]

MOST_STAGES = 8
LARGEST = 1e8  # of the value of an optimistic start: below it learning does not run away
MEASURES = ("largest", "sum")


class NTupleNetwork:
    """An n-tuple network over afterstates: tables indexed by the tiles of a few cells, for all 8 symmetries of a board.

    The value of an afterstate is the sum of the weights of all patterns on its eight images: what is still to be
    earned, in points. Without training all values are equal.

    patterns: "4x6", "5x6", "6x6", "8x6", "2x4", "5x4" or "4x5", several of them joined ("8x6+5x4"), or a list of
      strings of cells (0 to f in reading order) such as ["012345", "456789"]: 1 to 16 of 1 to 7 cells each.
    stages: face values from which on a further table is used, such as [8192, 16384]: 7 at most, ascending.
    stage_by: what is compared with them, "largest" (the largest tile) or "sum" (of all tiles).
    optimistic: the value of every board at first; large ones make it try everything, which pays in runs of days.
    coherence: learn by temporal coherence, a rate of its own for each weight; else by plain TD(0).

    Memory: `memory` bytes, 4 an entry and 8 more with coherence once it learns; pages that were never written take
    none. It is an agent (callable, with values()), pickles and copies; one that was loaded from or saved to a file
    and not changed since is pickled as the name of that file, and is read by many processes without a copy each.
    Raises TypeError and ValueError for arguments, MemoryError for what this machine cannot hold: it says how much.

    >>> import bitboard
    >>> network = bitboard.NTupleNetwork("2x4")
    >>> _ = network.train(moves=3000)
    >>> network.best(0x1230_0000_0000_0000) in (1, 2)
    True
    """

    name = "network"

    def __init__(
        self,
        patterns: str | Iterable[str] = "4x6",
        *,
        stages: Iterable[SupportsIndex] = (),
        stage_by: str = "largest",
        optimistic: float = 0.0,
        coherence: bool = True,
    ) -> None:
        parsed = names.parse(patterns)
        if checks.text(stage_by, "stage_by") not in MEASURES:
            raise ValueError(f"stage_by must be largest or sum, got {checks.shown(stage_by)}")
        faces = self._stages(stages, stage_by)
        value = _number(optimistic, "optimistic", -LARGEST, LARGEST)
        self._define(parsed, faces, stage_by, bool(coherence))
        self._take_memory(value)

    @staticmethod
    def _stages(stages: Iterable[SupportsIndex], stage_by: str) -> list[int]:
        try:
            given = tuple(stages)
        except TypeError:
            raise TypeError(f"stages must be a list of face values, not {type(stages).__name__}") from None
        faces = [checks.integer(face, "stages", 2, 2**20) for face in given]
        if len(faces) >= MOST_STAGES or faces != sorted(set(faces)):
            raise ValueError(f"stages must be at most {MOST_STAGES - 1} ascending face values, got {faces}")
        if stage_by == "largest" and any(face & (face - 1) or face > 32768 for face in faces):
            raise ValueError(f"stages by the largest tile must be tiles, 2 to 32768, got {faces}")
        return faces

    def _define(self, patterns: tuple[str, ...], stages: list[int], stage_by: str, coherence: bool) -> None:
        """What the network is, without weights."""
        self.patterns, self.stages, self.stage_by, self.coherence = patterns, tuple(stages), stage_by, coherence
        by_sum = stage_by == "sum"
        starts = [0, *(stages if by_sum else [face.bit_length() - 1 for face in stages])]
        self._kernel = kernels.Network([names.mask(pattern) for pattern in patterns], starts, int(by_sum))
        self.entries = len(starts) * names.entries(patterns)  #: how many weights there are
        self._weights: memoryview | None = None
        self._errors: memoryview | None = None
        self._mapped = False  # whether the weights are those of a file or a pickle, which learning leaves alone
        self._packed: tuple[memoryview, memoryview, float] | None = None
        self._file: tuple[str, int] | None = None  # the file that has the same content, and its checksum
        self._is_default = False  # whether it is the shipped one
        self._trainers: tuple[tuple[Any, ...], list[Any]] | None = None  # settings, and what goes on

    def _take_memory(self, value: float = 0.0) -> None:
        """New weights, so that every board has a value."""
        self._set_weights(_floats(self.entries, self))
        weight = array("f", [value / (8 * len(self.patterns))])
        if weight[0] and self._weights is not None:
            block = weight * min(self.entries, 1 << 20)
            for start in range(0, self.entries, len(block)):
                part = self._weights[start : start + len(block)]
                part[:] = memoryview(block)[: len(part)]

    def _set_weights(self, weights: memoryview, errors: memoryview | None = None) -> None:
        self._weights, self._errors = weights, errors
        self._kernel.set_weights(weights)
        self._kernel.set_errors(errors)

    def _set_packed(self, gaps: memoryview, multiples: memoryview, step: float) -> bool:
        self._packed = gaps, multiples, step
        return self._kernel.set_packed(gaps, multiples, step)

    @property
    def memory(self) -> int:
        """Bytes that it takes at most, those for learning counted."""
        if self._packed is not None:
            return 6 * len(self._packed[1]) + self._kernel.look_up_bytes
        return self.entries * (12 if self.coherence else 4)

    @property
    def packed(self) -> bool:
        """Whether it is one of few entries in steps, as shrink(step=) makes it; such a network does not learn."""
        return self._packed is not None

    def __repr__(self) -> str:
        stages = f", stages={list(self.stages)}, stage_by={self.stage_by!r}" if self.stages else ""
        kind = ", packed" if self.packed else ""
        return f"<{type(self).__name__} {' '.join(self.patterns)}{stages}, {self.memory / 1e6:,.0f} MB{kind}>"

    # ---- values ----

    def value(self, board: SupportsIndex) -> float:
        """The value of an afterstate: the points that are expected from here on.

        Raises TypeError and OverflowError for what is no board.

        >>> NTupleNetwork("2x4", optimistic=1000).value(0x1000_0000_0000_0000)
        1000.0
        """
        return self._kernel.value(check.word(board))

    def many(self, boards: Any, out: Any = None) -> Any:
        """The values of an array of afterstates: 64-bit floats of the same shape, `out` if given.

        boards: a C-contiguous buffer of uint64. Returns numpy for numpy, else an array.
        Raises TypeError and ValueError for arrays. 0.1 to 0.3 us a board with the C core.
        """
        boards, seen = check.boards(boards)
        out, target = buffers.result(out, boards, seen, "float64")
        words, floats = buffers.flat(seen), buffers.flat(target, "float64")
        for start in range(0, len(words), kernels.MANY_SLICE):  # between two of them Ctrl-C is heard
            stop = start + kernels.MANY_SLICE
            self._kernel.value_many(words[start:stop], floats[start:stop])
        return out

    def values(self, board: SupportsIndex) -> tuple[float, float, float, float]:
        """Reward + value of the afterstate for UP, RIGHT, DOWN and LEFT, nan where illegal.

        Raises TypeError and OverflowError for what is no board.
        """
        return self._kernel.values(check.word(board))  # type: ignore[return-value]

    def best(self, board: SupportsIndex) -> Direction:
        """The direction with the largest value, the first of equals in the order U R D L.

        Raises TypeError and OverflowError for what is no board, ValueError if the game is over.
        """
        choice = self._kernel.best(check.word(board))
        if choice < 0:
            raise ValueError("no direction is legal on this board: the game is over")
        return choice  # type: ignore[return-value]

    def __call__(self, board: SupportsIndex) -> Direction:
        """An agent: best(board)."""
        return self.best(board)

    # ---- learning ----

    def update(self, boards: Any, targets: Any, rate: float | None = None) -> None:
        """Move the values of afterstates towards targets, one update a board, in order: for a training loop of yours.

        boards, targets: C-contiguous buffers of uint64 and of 64-bit floats, of one shape. rate: the share of the
        error that is made good, at most 1; 1 with coherence (which lowers it for each weight), else 0.1.
        Raises TypeError and ValueError for arrays and for a packed network, ArithmeticError where an error is nan or
        beyond 134,217,728: the updates before it were made, and no later one.

        >>> from array import array
        >>> network = NTupleNetwork("2x4")
        >>> network.update(array("Q", [0x1000_0000_0000_0000]), array("d", [800.0]), rate=1)
        >>> network.value(0x1000_0000_0000_0000) > 0
        True
        """
        self._check_learns()
        _, words = check.boards(boards)
        aims = buffers.view(targets, "targets", "float64", shape=words.shape)
        alpha = self._rate(rate)
        self._begin_learning()
        given, floats = buffers.flat(words), buffers.flat(aims, "float64")
        for start in range(0, len(given), kernels.UPDATE_SLICE):
            part = given[start : start + kernels.UPDATE_SLICE]
            made = self._kernel.update(part, floats[start : start + len(part)], alpha)
            if made < len(part):
                raise ArithmeticError(
                    f"the learning ran away: the error of board {start + made} is not below 134,217,728; "
                    "the weights are those before it"
                )

    def _check_learns(self) -> None:
        if self._packed is not None:
            raise ValueError("a packed network does not learn; unpack() makes one that does")

    def _rate(self, rate: float | None) -> float:
        return (1.0 if self.coherence else 0.1) if rate is None else _number(rate, "rate", 0, 1)

    def _begin_learning(self) -> None:
        """Take the memory that learning needs; the weights are about to differ from those of the file."""
        if self._mapped and self._weights is not None:  # all at once, not page by page when each is first written
            weights, errors = _floats(self.entries, self), self._errors
            weights[:] = self._weights
            if errors is not None:
                errors = _floats(2 * self.entries, self)
                errors[:] = self._errors
            self._set_weights(weights, errors)
            self._mapped = False
        if self.coherence and self._errors is None:
            self._errors = _floats(2 * self.entries, self)
            self._kernel.set_errors(self._errors)
        self._file = None

    def train(
        self,
        games: SupportsIndex | None = None,
        moves: SupportsIndex | None = None,
        seconds: float | None = None,
        threads: SupportsIndex = 1,
        seed: SupportsIndex = 0,
        *,
        decay: float | None = 0.5,
        rate: float | None = None,
        restart: SupportsIndex = 20,
        lanes: SupportsIndex = 8,
        starts: Any = None,
        start_lanes: SupportsIndex | None = None,
        progress: Callable[[Trained], None] | None = None,
        checkpoint: str | PathLike[str] | None = None,
        checkpoint_minutes: float = 10,
    ) -> Trained:
        """Learn by playing; see bitboard.networks.training.train, of which this is the method."""
        from .training import train

        return train(
            self,
            games=games,
            moves=moves,
            seconds=seconds,
            threads=threads,
            seed=seed,
            decay=decay,
            rate=rate,
            restart=restart,
            lanes=lanes,
            starts=starts,
            start_lanes=start_lanes,
            progress=progress,
            checkpoint=checkpoint,
            checkpoint_minutes=checkpoint_minutes,
        )

    # ---- copies and files ----

    def shrink(self, entries: SupportsIndex = 3_000_000, step: float | None = None) -> NTupleNetwork:
        """A new network with only the entries that matter most, all others 0; see bitboard.networks.files.shrink."""
        from .files import shrink

        return shrink(self, entries, step)

    def unpack(self) -> NTupleNetwork:
        """A new network that learns, with the values of this packed one; see bitboard.networks.files.unpack."""
        from .files import unpack

        return unpack(self)

    def split(self, stages: Iterable[SupportsIndex]) -> NTupleNetwork:
        """A new network of other stages, which begin with the weights of those here; see networks.files.split."""
        from .files import split

        return split(self, stages)

    def save(self, path: str | PathLike[str], format: str = "bitboard", bits: SupportsIndex = 32) -> None:
        """Write it to a file, whole or not at all, with the state to go on learning from.

        format: "bitboard", or "tdl" for the .w files of TDL2048 (one stage; no state but that of coherence).
        bits: of a number in a .w file, 16, 32 or 64; 16 round it, and end at 65,504.
        Raises OSError, TypeError and ValueError for another format and for bits.
        """
        from . import files

        files.save(self, path, format, bits)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> NTupleNetwork:
        """Read a file of save() or a .w file of TDL2048, known by its content.

        Files of save() are mapped: processes share their pages, and what is written while learning stays in memory.
        Raises OSError for a file that cannot be read, ValueError for one that is no network or is damaged.
        """
        from . import files

        return files.load(cls, path)

    @classmethod
    def default(cls) -> NTupleNetwork:
        """The shipped network: packed, the strength of the agent named expectimax; unpack() makes one that learns on.

        Made by tables/learn_network.py, which tells how. The first call reads 4 MB, in less than half a
        second, and takes 80 MB; later ones share that.
        """
        from . import files

        return files.default(cls)

    def __reduce__(self) -> tuple[Any, ...]:
        from . import files

        own = copies.state_of(self, files.FIELDS)
        if self._is_default:
            return files.default, (type(self),), own
        if self._file is not None and files.is_same(self._file):
            return files.from_file, (type(self), *self._file), own
        return files.from_bytes, (type(self), b"".join(files.parts(self))), own


def _floats(n: int, network: NTupleNetwork) -> Any:
    """So many 32-bit floats 0 in memory that is taken when written."""
    message = f"the network needs {network.memory:,} bytes in all, {network.entries:,} entries; this machine has"
    try:
        here = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not told here
        here = 0
    if 0 < here < 4 * n:
        raise MemoryError(f"{message} {here:,}")
    try:
        return pages.zeros(4 * n).cast("f")
    except (OSError, OverflowError):
        raise MemoryError(f"{message} too little") from None


def _number(value: SupportsFloat, name: str, low: float, high: float) -> float:
    """A finite float in low .. high; TypeError or ValueError."""
    allowed = f"a number from {low:g} to {high:g}"
    if isinstance(value, (str, bytes, bytearray)):
        raise TypeError(f"{name} must be {allowed}, not {type(value).__name__}")
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be {allowed}, not {type(value).__name__}") from None
    except OverflowError:
        raise ValueError(f"{name} must be {allowed}, got {checks.shown(value)}") from None
    if not (isfinite(number) and low <= number <= high):
        raise ValueError(f"{name} must be {allowed}, got {checks.shown(value)}")
    return number
