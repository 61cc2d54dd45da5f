"""Uniformly random play to the end of the game: playouts of given boards, and whole games."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from functools import cached_property
from math import nan, sqrt
from typing import Any, SupportsIndex

from ..core import check, kernels_of
from ..tools import buffers, checks, parallel
from ..tools.words import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import _py as kernels
else:
    kernels = kernels_of(__package__)


MOST_GAMES = 2**40
MOST_SUMMED = 2**16  # scores, below 2**23 each: the sum of their squares fits 64 bits

__all__ = ["Playouts", "playouts", "random_games"]


def _sums(scores: memoryview) -> tuple[int, int]:
    """The sum of scores and the sum of their squares, exactly."""
    total = squares = 0
    for start in range(0, len(scores), MOST_SUMMED):
        part = kernels.sums(scores[start : start + MOST_SUMMED])
        total, squares = total + part[0], squares + part[1]
    return total, squares


def _mean_std(n: int, total: int, squares: int) -> tuple[float, float]:
    """Mean and standard deviation of n scores from their sums; nan and 0.0 where there are too few."""
    if not n:
        return nan, 0.0
    return total / n, sqrt((n * squares - total * total) / (n * (n - 1))) if n > 1 else 0.0


class Playouts:
    """What playouts() and random_games() give: n games from each of n_boards boards.

    Playout j of board i is entry i * n + j of each array (numpy if the boards were numpy, else array.array):
    scores         int64   points earned in the playout
    lengths        int32   slides made
    max_exponents  uint8   exponent of the largest tile at the end
    final_boards   uint64  the board at the end
    One entry a board (float64) is in mean_scores, std_scores (n - 1 in the denominator) and mean_lengths.

    >>> import bitboard
    >>> print(bitboard.random_games(200, seed=1))
    200 random games, 115.49 slides each
    mean score 1055.28 (95% interval 981.76 to 1128.80), standard deviation 530.5
    largest tile      games    share
              16          2   1.000%
              32         15   7.500%
              64         78  39.000%
             128         93  46.500%
             256         12   6.000%
    """

    kind = "random"  #: how the games were played, for the report

    def __init__(self, n_boards: int, n: int, numpy: bool) -> None:
        self.n_boards, self.n, self._numpy = n_boards, n, numpy
        shape = (n_boards * n,)
        self.scores = buffers.empty(shape, "int64", numpy)
        self.lengths = buffers.empty(shape, "int32", numpy)
        self.max_exponents = buffers.empty(shape, "uint8", numpy)
        self.final_boards = buffers.empty(shape, "uint64", numpy)

    def _part(self, items: Any, board: SupportsIndex | None) -> Any:
        """The entries of one board, or all."""
        seen = memoryview(items)
        if board is None:
            return seen
        start = self._place(board) * self.n
        return seen[start : start + self.n]

    def _place(self, board: SupportsIndex) -> int:
        """The index of a board."""
        if not self.n_boards:
            raise ValueError("board must be None: there are no boards")
        return checks.integer(board, "board", 0, self.n_boards - 1)

    def _array(self, values: list[float]) -> Any:
        """A float64 array of one value for each board."""
        out = buffers.empty((self.n_boards,), "float64", self._numpy)
        memoryview(out)[:] = array("d", values)
        return out

    def _sums(self, items: Any) -> list[tuple[int, int]]:
        """For each board the sum of its scores or lengths, and that of their squares."""
        if not self.n:
            return [(0, 0)] * self.n_boards
        seen = memoryview(items)
        if seen.itemsize != 8:
            seen = memoryview(array("q", seen))
        if self.n <= MOST_SUMMED:
            flat = kernels.sums_each(seen, self.n)
            return list(zip(flat[::2], flat[1::2], strict=True))
        return [_sums(seen[start : start + self.n]) for start in range(0, len(seen), self.n)]

    def _mean_std(self, board: int | None) -> tuple[float, float]:
        """Mean and standard deviation of scores, from exact sums; nan and 0.0 where there are too few."""
        scores = self._part(self.scores, board)
        return _mean_std(len(scores), *_sums(scores))

    @cached_property
    def mean_scores(self) -> Any:
        """The mean score of the playouts of each board. Computed when first asked for, as are those below."""
        return self._array([_mean_std(self.n, *sums)[0] for sums in self._sums(self.scores)])

    @cached_property
    def std_scores(self) -> Any:
        """The standard deviation of the scores of each board; 0.0 for a single playout."""
        return self._array([_mean_std(self.n, *sums)[1] for sums in self._sums(self.scores)])

    @cached_property
    def mean_lengths(self) -> Any:
        """The mean number of slides of the playouts of each board."""
        return self._array([total / self.n if self.n else nan for total, _ in self._sums(self.lengths)])

    def interval(self, level: float = 0.95, board: SupportsIndex | None = None) -> tuple[float, float]:
        """A confidence interval of the mean score, by the normal approximation.

        level: between 0 and 1. board: of which board; None is all games together.
        One game tells nothing of how far the mean may be off: then, and without games, it is (nan, nan).
        Raises ValueError for the level, TypeError and ValueError for the board.
        """
        if not 0 < checks.number(level, "level", 0, 1) < 1:
            raise ValueError(f"level must lie between 0 and 1, got {level}")
        from statistics import NormalDist

        part = None if board is None else self._place(board)
        games = len(self) if part is None else self.n
        if games < 2:
            return nan, nan
        mean, std = self._mean_std(part)
        half = -NormalDist().inv_cdf((1 - level) / 2) * std / sqrt(games)  # 1 + level would round to 2 near 1
        return mean - half, mean + half

    def tile_counts(self, board: SupportsIndex | None = None) -> list[int]:
        """How many games ended with each largest tile: 16 counts, by exponent; more where a game went past 32768.

        board: of which board; None is all games together.
        """
        seen = self._part(self.max_exponents, board).tobytes()
        return [seen.count(exponent) for exponent in range(max(16, max(seen, default=0) + 1))]

    def score_histogram(self, width: SupportsIndex = 256, board: SupportsIndex | None = None) -> list[int]:
        """How many games scored from k * width up to, not including, (k + 1) * width: a list by k.

        board: of which board; None is all games together.
        Raises TypeError and ValueError for the width and the board.
        """
        step = checks.integer(width, "width", 1)
        scores = self._part(self.scores, board)
        counts = [0] * (max(scores) // step + 1 if len(scores) else 0)
        for score in scores:
            counts[score // step] += 1
        return counts

    def __len__(self) -> int:
        return self.n_boards * self.n

    def __repr__(self) -> str:
        return f"<bitboard.Playouts of {self.n_boards} boards, {self.n} each>"

    def __str__(self) -> str:
        return self.report()

    def report(self, level: float = 0.95) -> str:
        """All games together: their number and length, mean score with an interval of a level, largest tiles."""
        if not len(self):
            return "no games"
        (mean, std), (low, high) = self._mean_std(None), self.interval(level)
        if len(self) == 1:
            lines = [
                f"1 {self.kind} game, {counted(self.lengths[0], 'slide')}",
                f"score {mean:.0f} (no interval from one game)",
            ]
        else:
            interval = f"{100 * level:.4g}% interval {low:.2f} to {high:.2f}"
            lines = [
                f"{len(self):,} {self.kind} games, {sum(self.lengths) / len(self):.2f} slides each",
                f"mean score {mean:.2f} ({interval}), standard deviation {std:.1f}",
            ]
        lines += [
            "largest tile      games    share",
        ]
        for exponent, games in enumerate(self.tile_counts()):
            if games:
                lines.append(f"{2**exponent if exponent else 0:12d} {games:10d} {games / len(self):8.3%}")
        return "\n".join(lines)


def _run(
    starts: memoryview | None,
    result: Playouts,
    afterstates: bool,
    seed: int,
    threads: int,
    progress: Callable[[int], None] | None,
) -> Playouts:
    """Play all games of a result."""
    finals = [memoryview(x) for x in (result.final_boards, result.scores, result.lengths, result.max_exponents)]

    def work(start: int, stop: int) -> None:
        kernels.play(starts, result.n, afterstates, seed, start, stop, finals)

    parallel.in_slices(work, len(result), kernels.PLAY_SLICE, threads, progress)
    return result


def playouts(
    boards: Any,
    n: SupportsIndex,
    seed: SupportsIndex = 0,
    *,
    threads: SupportsIndex = 1,
    afterstates: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Playouts:
    """Play n games from each board to the end, every choice uniform among the legal directions.

    boards: a C-contiguous buffer of uint64 of any shape, a list or tuple of ints, a tensor. afterstates: the
    boards are afterstates, and each playout begins with a spawn (all playouts of a legal slide in one call).
    Playout j of board i has the stream S = stream(stream(seed, i), j): slide k spawns by number 2 + k of S, a
    first spawn is number 1, and choice k is number k of stream(S, 1). So the result does not depend on
    `threads`, and more playouts begin with the same ones. progress: called with numbers of games as they finish.
    A board that is over gives playouts of no slide. With the C core about 2 us a game from the empty start
    (tests/bench/play.py), 25 bytes of memory each; Ctrl-C stops it.
    Raises TypeError, ValueError and OverflowError for the boards, n, seed and threads.

    >>> import bitboard
    >>> result = bitboard.playouts([0x1234_2341_3412_4120, 0x1212_2121_1212_2121], 10, seed=1)
    >>> list(result.lengths[10:]), result.mean_scores[1]
    ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 0.0)
    """
    each, word, k = checks.integer(n, "n", 0, MOST_GAMES), check.word(seed, "seed"), parallel.count(threads)
    boards, seen = check.boards(boards)
    starts = buffers.flat(seen)
    result = Playouts(len(starts), each, buffers.is_numpy(boards))
    return _run(starts, result, bool(afterstates), word, k, progress)


def random_games(
    n: SupportsIndex,
    seed: SupportsIndex = 0,
    threads: SupportsIndex = 1,
    *,
    progress: Callable[[int], None] | None = None,
) -> Playouts:
    """Play n whole games, every choice uniform among the legal directions.

    Game `index` has the stream S = stream(seed, index): numbers 0 and 1 give its two tiles, number 2 + k the
    spawn of slide k, and choice k is number k of stream(S, 1). So the result does not depend on `threads`,
    and more games begin with the same ones. progress: called with numbers of games as they finish.
    With the C core about 2 us a game (tests/bench/play.py), 25 bytes of memory each; Ctrl-C stops it.
    Raises TypeError, ValueError and OverflowError for n, seed and threads.

    >>> import bitboard
    >>> result = bitboard.random_games(3, seed=1)
    >>> len(result.scores), max(result.max_exponents)
    (3, 8)
    """
    games, word, k = checks.integer(n, "n", 0, MOST_GAMES), check.word(seed, "seed"), parallel.count(threads)
    return _run(None, Playouts(1, games, False), False, word, k, progress)
