"""The state of many games and their step in pure Python: the same names as _batch_c."""

from __future__ import annotations

from . import _py

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SLICE = 4096  # games in one call: a few hundredths of a second
INTERRUPTIBLE = True  # whether Ctrl-C can come in the middle of a call

_MOVES = (_py.move_up, _py.move_right, _py.move_down, _py.move_left)
_REWARDS = (_py.reward_columns, _py.reward_rows, _py.reward_columns, _py.reward_rows)


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
            board = _py.spawn(_py.spawn(0, _py.random64(stream, 0)), _py.random64(stream, 1))
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
            after = _MOVES[action](board)
            if after == board:
                self._nothing(i)
            else:
                self.afterstates[i], self.changed[i] = after, True
                self.rewards[i] = reward = _REWARDS[action](board)
                self.scores[i] += reward
                self.boards[i] = board = _py.spawn(after, _py.random64(self.streams[i], 2 + self.moves[i]))
                self.moves[i] += 1
                self.legal[i], self.saturated[i] = _py.legal_moves(board), _py.is_saturated(board)
                self.over[i] = not self.legal[i]
            if autoreset == 2 and self.over[i]:
                self.final_boards[i], self.final_scores[i] = self.boards[i], self.scores[i]
                self.final_moves[i] = self.moves[i]
                self._start(i, _py.stream(self.streams[i], 0), None)
        return stop
