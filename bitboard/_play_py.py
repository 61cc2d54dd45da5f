"""Random play to the end in pure Python: the same functions as _play_c."""

from __future__ import annotations

from . import _py

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

SLICE = 16  # games in one call: a few hundredths of a second

_MOVES = (_py.move_up, _py.move_right, _py.move_down, _py.move_left)
_REWARDS = (_py.reward_columns, _py.reward_rows, _py.reward_columns, _py.reward_rows)

# The legal directions in the order U R D L, by mask.
_LEGAL = [tuple(d for d in range(4) if mask >> d & 1) for mask in range(16)]


def _play(board: int, game: int) -> tuple[int, int, int]:
    """Play on at random with the stream `game`: (final board, points, slides)."""
    choices = _py.stream(game, 1)
    points = slides = 0
    while True:
        legal = _LEGAL[_py.legal_moves(board)]
        if not legal:
            return board, points, slides
        direction = legal[(_py.random64(choices, slides) >> 32) * len(legal) >> 32]
        points += _REWARDS[direction](board)
        board = _py.spawn(_MOVES[direction](board), _py.random64(game, 2 + slides))
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
            board = _py.spawn(_py.spawn(0, _py.random64(game, 0)), _py.random64(game, 1))
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
