"""A game of 2048: positions, score, undo, records. bitboard.Game."""

from __future__ import annotations

from ..core import MOVES, REWARDS, check, is_over, is_saturated, legal_moves, max_exponent, random64
from ..core import spawn as spawn_tile
from ..core.notation import from_grid, pretty
from .base import GameBase
from .rules import CLASSIC

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, SupportsIndex

    from .rules import Rules

__all__ = ["Game"]


class Game(GameBase):
    """A game of 2048 on the packed 4x4 board.

    seed: an integer from 0 to 2**64 - 1; the same seed gives the same tiles for the same slides, everywhere.
    None takes one from the operating system (it is in `seed` and in the record).
    board: the board to start from, as an int; None starts with two tiles, from numbers 0 and 1 of the seed's
    stream. The slides take the numbers from 2 on.
    Two 32768 tiles do not merge; `saturated` says where the original would merge them.

    Attributes: board, score, scores (of every position), moves (how many), legal (a mask as of
    bitboard.legal_moves), over, saturated, largest, history, seed, rules, tags. Iterating gives every position.
    Games compare equal when rules, seed, start board and moves are the same; they can be copied and pickled.
    Cost: a move takes about 1.5 us with the C core (tests/bench/games.py).
    Raises TypeError or OverflowError for a seed or board that is none.

    >>> import bitboard
    >>> game = bitboard.Game(seed=1)
    >>> game.move("left"), game.move("U"), game.moves
    (0, 4, 2)
    >>> while not game.over:
    ...     reward = game.move(next(d for d in bitboard.DIRECTIONS if game.legal >> d & 1))
    >>> bitboard.Game.from_record(game.record()) == game
    True
    """

    __slots__ = ()

    def __init__(self, seed: SupportsIndex | None = None, board: SupportsIndex | None = None) -> None:
        self._begin(CLASSIC, seed)
        if board is None:
            start = spawn_tile(spawn_tile(0, random64(self.seed, 0)), random64(self.seed, 1))
        else:
            start = check.word(board)
        self._boards.append(start)

    @property
    def board(self) -> int:
        """The board now."""
        return self._boards[-1]  # type: ignore[no-any-return]

    @property
    def legal(self) -> int:
        """The legal directions: bit d is set where a slide in direction d changes the board."""
        return legal_moves(self._boards[-1])

    @property
    def over(self) -> bool:
        """Whether no direction is legal."""
        return bool(is_over(self._boards[-1]))

    @property
    def saturated(self) -> bool:
        """Whether the original game could merge two 32768 tiles now, which this board cannot."""
        return bool(is_saturated(self._boards[-1]))

    @property
    def largest(self) -> int:
        """The face value of the largest tile now; 0 on an empty board."""
        exponent = max_exponent(self._boards[-1])
        return 2**exponent if exponent else 0

    def move(self, direction: SupportsIndex | str, spawn: tuple[int, int] | None = None) -> int:
        # The same as the general one, in a third of its time.
        if spawn is not None or type(direction) is not int or not 0 <= direction <= 3:
            return super().move(direction, spawn)
        before = self._boards[-1]
        after = MOVES[direction](before)
        if after == before:
            return super().move(direction)  # which raises
        board = spawn_tile(after, random64(self.seed, 2 + len(self._moves)))
        last = (board ^ after).bit_length() - 1  # the highest bit of the new tile: exponent 1 or 2 in a nibble
        reward = REWARDS[direction](before)
        self._push(direction, 15 - (last >> 2), (last & 3) + 1, reward, board)
        return reward

    move.__doc__ = GameBase.move.__doc__

    @classmethod
    def _make(cls, rules: Rules, seed: int, grid: list[list[int]]) -> Any:
        if rules != CLASSIC:
            raise ValueError(
                "the record is of a game of other rules than bitboard.Game plays; bitboard.grid.Game reads it"
            )
        return cls(seed, from_grid(grid))

    def _slide(self, board: int, direction: int) -> tuple[int, int]:
        return MOVES[direction](board), REWARDS[direction](board)

    def _place(self, board: int, cell: int, exponent: int) -> int:
        return board | exponent << (60 - 4 * cell)

    def _exponents(self, board: int) -> list[int]:
        return [board >> shift & 15 for shift in range(60, -4, -4)]

    def _shown(self, board: int) -> int:
        return board

    def _own_spawn(self, after: int, index: int) -> tuple[int, int]:
        last = (spawn_tile(after, random64(self.seed, 2 + index)) ^ after).bit_length() - 1
        return 15 - (last >> 2), (last & 3) + 1

    def __str__(self) -> str:
        return pretty(self._boards[-1])
