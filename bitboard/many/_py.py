"""Many boards and many games in pure Python: the same names as _c.

Results are made whole before the first is written, so an output may overlap the input or another.
"""

from __future__ import annotations

from array import array

from ..core import _py, choose
from ..core._py import MOVES, REWARDS
from ..tools.buffers import UINT64

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

STEP_SLICE = 4096  # games in one call: a few hundredths of a second
INTERRUPTIBLE = True  # whether Ctrl-C can come in the middle of a call
PLAY_SLICE = 16  # games in one call: a few hundredths of a second

_SYMMETRIES = (_py.rotate_90, _py.rotate_180, _py.rotate_270, _py.flip_horizontal, _py.flip_vertical, _py.transpose)
# The legal directions in the order U R D L, by mask.
_LEGAL = [tuple(d for d in range(4) if mask >> d & 1) for mask in range(16)]


def _write(out: memoryview, values: Iterable[int]) -> None:
    for i, value in enumerate(list(values)):
        out[i] = value


def move_many(boards: memoryview, direction: int, out: memoryview) -> None:
    _write(out, map(MOVES[direction], boards))


def reward_many(boards: memoryview, direction: int, out: memoryview) -> None:
    _write(out, map(REWARDS[direction], boards))


def legal_moves_many(boards: memoryview, out: memoryview) -> None:
    _write(out, map(_py.legal_moves, boards))


def spawn_many(boards: memoryview, random64: memoryview, out: memoryview) -> None:
    _write(out, map(_py.spawn, boards, random64))


def afterstates_many(boards: memoryview, afters: memoryview, rewards: memoryview, legal: memoryview) -> None:
    given = boards.tolist()
    all_rewards = [(_py.reward_columns(board), _py.reward_rows(board)) * 2 for board in given]
    all_legal = [_py.legal_moves(board) for board in given]
    afters[:] = array(UINT64, [move(board) for board in given for move in MOVES])
    rewards[:] = array("i", [reward for four in all_rewards for reward in four])
    legal[:] = array("B", all_legal)


def exponents_many(boards: memoryview, out: memoryview) -> None:
    for i, board in enumerate(boards.tolist()):
        for cell in range(16):
            out[16 * i + cell] = board >> 60 - 4 * cell & 15


def one_hot_many(boards: memoryview, out: memoryview) -> None:
    """out holds bytes or floats."""
    for i, board in enumerate(boards.tolist()):
        for cell in range(16):
            for k in range(16):
                out[256 * i + 16 * k + cell] = board >> 60 - 4 * cell & 15 == k


def symmetries_many(boards: memoryview, out: memoryview) -> None:
    for i, board in enumerate(boards.tolist()):
        out[8 * i] = board
        for k, image in enumerate(_SYMMETRIES, 1):
            out[8 * i + k] = image(board)
        out[8 * i + 7] = _py.transpose(_py.rotate_180(board))


def first_wrong(actions: memoryview) -> int:
    """The index of the first action that is not 0 to 3, or how many there are."""
    return next((i for i, action in enumerate(actions) if not 0 <= action <= 3), len(actions))


class Games:
    """The arrays of a batch, by name; see batch.py for what is in each."""

    def __init__(self, arrays: dict[str, memoryview]) -> None:
        self.__dict__.update(arrays)

    boards: Any
    streams: Any
    scores: Any
    moves: Any
    legal: Any
    saturated: Any
    rewards: Any
    over: Any
    changed: Any
    afterstates: Any
    final_boards: Any
    final_scores: Any
    final_moves: Any

    def _start(self, i: int, stream: int, board: int | None) -> None:
        """A new game in place i: from two random tiles, or from a board."""
        if board is None:
            board = _py.first_board(stream)
        self.streams[i], self.boards[i] = stream, board
        self.scores[i] = self.moves[i] = 0
        self.legal[i], self.saturated[i] = _py.legal_moves(board), _py.is_saturated(board)

    def _nothing(self, i: int) -> None:
        """The step of place i made no slide."""
        self.rewards[i], self.changed[i] = 0, False
        self.over[i], self.afterstates[i] = not self.legal[i], self.boards[i]

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
        for i in range(start, stop):
            if which is not None and not which[i]:
                continue
            if streams is not None:
                stream = streams[i]
            else:
                stream = _py.stream(self.streams[i], 0) if seed is None else _py.stream(seed, i)
            self._start(i, stream, None if boards is None else boards[i])
            self._nothing(i)

    def step(self, actions: memoryview, autoreset: int, start: int, stop: int) -> int:
        """Make the slides of the places start .. stop - 1. autoreset: 0 off, 1 in the next step, 2 in the same.

        Returns `stop`, or the index of the first action that is not 0 to 3; then no slide was made.
        """
        wrong = start + first_wrong(actions[start:stop])
        if wrong != stop:
            return wrong
        for i in range(start, stop):
            if autoreset == 1 and not self.legal[i]:
                self._start(i, _py.stream(self.streams[i], 0), None)
                self._nothing(i)
                continue
            board, action = self.boards[i], actions[i]
            after = MOVES[action](board)
            if after == board:
                self._nothing(i)
            else:
                self.afterstates[i], self.changed[i] = after, True
                self.rewards[i] = reward = REWARDS[action](board)
                self.scores[i] += reward
                self.boards[i] = board = _py.next_board(after, self.streams[i], self.moves[i])
                self.moves[i] += 1
                self.legal[i], self.saturated[i] = _py.legal_moves(board), _py.is_saturated(board)
                self.over[i] = not self.legal[i]
            if autoreset == 2 and self.over[i]:
                self.final_boards[i], self.final_scores[i] = self.boards[i], self.scores[i]
                self.final_moves[i] = self.moves[i]
                self._start(i, _py.stream(self.streams[i], 0), None)
        return stop


def _play(board: int, game: int) -> tuple[int, int, int]:
    """Play on at random with the stream `game`: (final board, points, slides)."""
    choices = _py.stream(game, 1)
    points = slides = 0
    while True:
        legal = _LEGAL[_py.legal_moves(board)]
        if not legal:
            return board, points, slides
        direction = legal[choose(_py.random64(choices, slides), len(legal))]
        points += REWARDS[direction](board)
        board = _py.next_board(MOVES[direction](board), game, slides)
        slides += 1


def play(
    starts: memoryview | None,
    per_start: int,
    afterstates: bool,
    seed: int,
    first: int,
    stop: int,
    finals: Sequence[memoryview],
) -> None:
    """Play the games first .. stop - 1 of a seed and write their final boards, scores, lengths and largest exponents.

    Without starts game g has the stream (seed, g) and two random tiles. With starts game g is playout g % per_start
    of start g // per_start; on an afterstate it begins with a spawn.
    """
    boards, scores, lengths, max_exponents = finals
    for g in range(first, stop):
        if starts is None:
            game = _py.stream(seed, g)
            board = _py.first_board(game)
        else:
            game = _py.stream(_py.stream(seed, g // per_start), g % per_start)
            board = starts[g // per_start]
            if afterstates:
                board = _py.spawn(board, _py.random64(game, 1))
        boards[g], scores[g], lengths[g] = _play(board, game)
        max_exponents[g] = _py.max_exponent(boards[g])


def sums(scores: memoryview) -> tuple[int, int]:
    """The sum of at most 2**16 scores and the sum of their squares."""
    return sum(scores), sum(score * score for score in scores)


def sums_each(scores: memoryview, n: int) -> list[int]:
    """sums() of each n scores, one after another in one list."""
    return [value for start in range(0, len(scores), n) for value in sums(scores[start : start + n])]
