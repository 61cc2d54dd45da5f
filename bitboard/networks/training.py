"""Learning by playing: temporal differences on afterstates, in slices between which Ctrl-C and limits are heard."""

from __future__ import annotations

import os
import sys
from array import array
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from os import PathLike
from time import monotonic
from typing import Any, NamedTuple, SupportsIndex
from zlib import crc32

from ..core import check, kernels_of
from ..many.arrays import legal_moves_many
from ..tools import buffers, checks, files, parallel
from . import files as saving
from .network import NTupleNetwork, _number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import _py as kernels
else:
    kernels = kernels_of(__package__)

__all__ = ["Trained", "train"]

MOST = 2**63 - 1
LIMIT_SLICE = 1024  # slides between two looks at the number of games: the same on both backends
SECONDS_A_REPORT = 1.0


class Trained(NamedTuple):
    """What a call of train() did. Full games are those from their beginning, not restarted ones."""

    moves: int  #: slides
    updates: int  #: of afterstates
    games: int  #: full games
    restarts: int  #: games that went on from the middle of another
    sum_scores: int  #: of full games
    sum_lengths: int  #: their slides
    reached: tuple[int, ...]  #: full games whose largest exponent was at least k, for k = 0 .. 15
    seconds: float  #: on the clock
    interrupted: bool = False  #: by Ctrl-C

    @property
    def mean_score(self) -> float:
        """The mean of the full games, while they were learned from; nan if there are none."""
        return self.sum_scores / self.games if self.games else float("nan")

    def after(self, before: Trained) -> Trained:
        """What this call and one before it did together."""
        numbers = [a + b for a, b in zip(self[:6], before[:6], strict=True)]
        reached = tuple([a + b for a, b in zip(self.reached, before.reached, strict=True)])
        return Trained._make([*numbers, reached, self.seconds + before.seconds, self.interrupted])

    def since(self, before: Trained) -> Trained:
        """What was done after another report of the same call."""
        numbers = [a - b for a, b in zip(self[:6], before[:6], strict=True)]
        reached = tuple([a - b for a, b in zip(self.reached, before.reached, strict=True)])
        return Trained._make([*numbers, reached, self.seconds - before.seconds, self.interrupted])


def train(
    network: NTupleNetwork,
    *,
    games: SupportsIndex | None = None,
    moves: SupportsIndex | None = None,
    seconds: float | None = None,
    threads: SupportsIndex = 1,
    seed: SupportsIndex = 0,
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
    """Let a network play and learn until one of the limits is met.

    games, moves, seconds: the limits, at least one; of full games some more may be played. Called again with the same
      seed, threads and settings it goes on with the games at hand: 1,000 moves and 1,000 more are 2,000 moves.
    threads: they share the weights without locks, so that two runs differ. With one, a seed gives the same weights to
      the last bit on both backends, unless `seconds` is what ends it. seed: game i has stream(seed, i), as evaluate().
    decay: lambda, 0 to 1: a finished game is learned from its end back, each afterstate towards the reward plus
      1 - lambda times the next one's value plus lambda times the next one's target. None for TD(0) while playing.
    rate: the share of an error that is made good; 1 with coherence, else 0.1.
    restart: a finished game goes on from its middle if at least so many slides lie before it; 0 for never.
    lanes: games played in turn by a thread, 1 to 64.
    starts: boards to begin games from, such as late ones that full games seldom reach: a C-contiguous buffer of uint64,
      or a list or tuple of ints; none of them over. Number 0 of a game's stream chooses one, the spawns follow.
    start_lanes: how many of the lanes of each thread begin with them, half of them unless given; the others play full
      games. Both kinds restart, and only full games are counted in `games` and what tells of them.
    progress: called about once a second with the Trained so far. checkpoint: a file to save to every
      checkpoint_minutes and at the end; one that fails is tried again the next time, and the error of the last one is
      raised. Until then no other program can learn into it.

    Ctrl-C ends it and keeps what was learned; `interrupted` is True then. The GIL is released with the C core.
    Raises TypeError and ValueError for arguments, ArithmeticError where a value is nan or runs away (the weights are
    those before it), OSError for a checkpoint that cannot be written, also where another program learns into it.
    """
    network._check_learns()
    limit_games = None if games is None else checks.integer(games, "games", 1, MOST)
    limit_moves = None if moves is None else checks.integer(moves, "moves", 1, MOST)
    limit_seconds = None if seconds is None else _number(seconds, "seconds", 0, 1e9)
    if games is None and moves is None and seconds is None:
        raise ValueError("give games, moves or seconds: how long to learn")
    k = parallel.count(threads)
    n = checks.integer(lanes, "lanes", 1, 64)
    late, late_lanes = _starts(starts, start_lanes, n)
    if limit_games is not None and late_lanes == n:
        raise ValueError(f"start_lanes must be below lanes, {n}, where games are counted: no full game would be played")
    settings = (
        check.word(seed, "seed"),
        k,
        network._rate(rate),
        -1.0 if decay is None else _number(decay, "decay", 0, 1),
        n,
        checks.integer(restart, "restart", 0, 2**31),
        *((late_lanes, len(late), _crc(late)) if late else ()),
    )
    limits = limit_games, limit_moves, limit_seconds
    every = _number(checkpoint_minutes, "checkpoint_minutes", 0.001, 1e6) * 60
    if checkpoint is None:
        return _learn(network, settings, late, limits, progress)
    path = os.fsdecode(os.fspath(checkpoint))
    with files.owned(path):
        known = network._file
        if known is not None and known[0] == os.path.abspath(path) and not saving.is_same(known):
            raise ValueError(f"{path} is not the file any more that the network came from: another program wrote it")
        return _learn(network, settings, late, limits, progress, path, every)


def _learn(
    network: NTupleNetwork,
    settings: tuple[Any, ...],
    late: array[int],
    limits: tuple[int | None, int | None, float | None],
    progress: Callable[[Trained], None] | None,
    checkpoint: str | None = None,
    every: float = 0,
) -> Trained:
    """train() with checked arguments."""
    limit_games, limit_moves, limit_seconds = limits
    k = settings[1]
    network._begin_learning()
    team = _team(network, settings, late)
    began = reported = saved = monotonic()
    before = _counts(team)
    size = LIMIT_SLICE if limit_games is not None else kernels.TRAIN_SLICE

    def so_far(interrupted: bool = False) -> Trained:
        numbers = [a - b for a, b in zip(_counts(team), before, strict=True)]
        return Trained._make([*numbers[:6], tuple(numbers[6:]), monotonic() - began, interrupted])

    interrupted = ran_away = False
    pool = parallel.pool(k) if k > 1 else None
    try:
        while True:
            done, now = so_far(), monotonic()
            if progress is not None and now - reported >= SECONDS_A_REPORT:
                progress(done)
                reported = now
            if checkpoint is not None and now - saved >= every:
                with suppress(OSError):  # such as a full disk: the learning goes on, and the end tells of it
                    network.save(checkpoint)
                network._file = None
                saved = monotonic()
            left = MOST if limit_moves is None else limit_moves - done.moves
            if left <= 0 or (limit_games is not None and done.games >= limit_games):
                break
            if limit_seconds is not None and now - began >= limit_seconds:
                break
            shares = [min(size, left // k + (i < left % k)) for i in range(k)]
            if not _run(pool, team, shares):
                ran_away, network._trainers = True, None  # their games are broken off
                raise ArithmeticError(
                    "the learning ran away: an error is nan or not below 134,217,728; the weights are those before it"
                )
    except KeyboardInterrupt:
        interrupted = True
    except BaseException:  # of progress, say: nothing is lost by it
        if checkpoint is not None and not ran_away:
            with suppress(OSError):
                network.save(checkpoint)
        raise
    try:
        if checkpoint is not None:
            parallel.whole(partial(network.save, checkpoint))
        if pool is not None:
            pool.shutdown()
    except KeyboardInterrupt:  # all is saved
        interrupted = True
    return so_far(interrupted)


def _run(pool: Any, team: list[Any], shares: list[int]) -> bool:
    """Let each trainer make its share of slides, all of it whatever is pressed; False if one ran away."""
    if pool is None and not kernels.INTERRUPTIBLE:
        return bool(team[0].run(shares[0]))
    fine: list[bool] = []

    def work() -> None:
        if pool is None:
            fine.append(team[0].run(shares[0]))
        else:
            fine.extend(pool.map(lambda pair: pair[0].run(pair[1]), zip(team, shares, strict=True)))

    parallel.whole(work)
    return all(fine)


def _counts(team: list[Any]) -> list[int]:
    """The counters of all trainers together."""
    return [sum(numbers) for numbers in zip(*[trainer.done() for trainer in team], strict=True)]


def _starts(starts: Any, lanes: Any, of: int) -> tuple[array[int], int]:
    """The boards of the argument `starts`, checked, and how many lanes of so many begin with them."""
    if starts is None:
        if lanes is not None:
            raise ValueError("start_lanes goes with starts, and there are none")
        return array("Q"), 0
    boards = array(buffers.UINT64, buffers.flat(check.boards(starts, "starts")[1]))
    if not 0 < len(boards) < 2**32:
        raise ValueError(f"starts must be at least one board, got {len(boards)}")
    legal = legal_moves_many(boards)
    if 0 in legal:
        i = legal.index(0)
        raise ValueError(f"starts[{i}] must not be over, and no direction is legal on {boards[i]:016x}")
    return boards, (of + 1) // 2 if lanes is None else checks.integer(lanes, "start_lanes", 1, of)


def _crc(boards: array[int]) -> int:
    """What tells two arrays of boards apart, whatever the machine."""
    if sys.byteorder == "big":
        boards = boards[:]
        boards.byteswap()
    return crc32(boards)


def _team(network: NTupleNetwork, settings: tuple[Any, ...], starts: array[int]) -> list[Any]:
    """The trainers of these settings: those that go on, or new ones."""
    seed, k, rate, decay, lanes, least, *late = settings
    kept = network._trainers
    if kept is not None and kept[0] == settings and all(hasattr(trainer, "run") for trainer in kept[1]):
        return kept[1]
    start_lanes = late[0] if late else 0
    team = [
        kernels.Trainer(network._kernel, seed, i, k, rate, decay, lanes, least, starts, start_lanes) for i in range(k)
    ]
    if kept is not None and kept[0] == settings:  # states from a file
        for trainer, state in zip(team, kept[1], strict=True):
            if not trainer.restore(state):
                raise ValueError("the state to go on from, as the file has it, is damaged")
    network._trainers = settings, team
    return team
