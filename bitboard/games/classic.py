"""A game of 2048: positions, score, undo, records. bitboard.Game."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Any, SupportsIndex

from ..core import (
    MOVES,
    REWARDS,
    check,
    first_board,
    is_over,
    is_saturated,
    legal_moves,
    max_exponent,
    next_board,
    quick,
)
from ..core.exact import PACKED, packed, view_of
from ..core.notation import LARGEST, drawing, exponents_of, is_grid
from ..grid.slides import legal_of, slide_cells
from ..tools import checks, copies
from .base import GameBase
from .rules import CLASSIC, PACKED_RULES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .rules import Rules
else:
    Rules = Any  # found by typing.get_type_hints()

__all__ = ["Game"]

_advance = quick.get("advance")  # an ordinary move in C, or None


class Game(GameBase):
    """A game of 2048, to its end.

    seed: an integer from 0 to 2**64 - 1; the same seed gives the same tiles for the same slides, everywhere.
    None takes one from the operating system (it is in `seed` and in the record).
    board: the board to start from, as an int or as rows of face values; None starts with two tiles, from numbers 0
    and 1 of the seed's stream. The slides take the numbers from 2 on.
    top: the largest tile, two of which do not merge: 131072 as in the original game, or 32768, where a packed board
    ends (records of older versions have that rule); `saturated` says where two such tiles meet.

    `board` is a packed board, the exact one while it can play as the game does: while no tile is above 32768 and no two
    32768 meet that would merge. After that it is the packed view (bitboard.pack_view) of the exact `grid`, with
    the same legal slides and merges, for agents; score, largest and grid stay exact. ValueError where there is
    no view, with 16 different tiles.

    Attributes: board, grid, score, scores (of every position), moves (how many), legal (a mask as of
    bitboard.legal_moves), over, saturated, largest, history, seed, rules, tags. Iterating gives every `board`.
    Games compare equal when rules, seed, start board and moves are the same; they can be copied and pickled.
    Cost: a move takes about 1.5 us with the C core (tests/bench/games.py).
    Raises TypeError or OverflowError for a bad seed or board, ValueError for a bad grid or top.

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

    # A stored board is a packed int where that plays by the rules, else the bytes of 16 exponents: one form a position.

    def __init__(
        self,
        seed: SupportsIndex | None = None,
        board: SupportsIndex | Sequence[Any] | None = None,
        *,
        top: SupportsIndex = 131072,
    ) -> None:
        rules = CLASSIC
        if top != 131072:
            if checks.integer(top, "top", 2) not in (131072, 32768):
                raise ValueError(f"top must be 131072 or 32768, got {top}; bitboard.grid.Game plays with others")
            rules = CLASSIC if index(top) == 131072 else PACKED_RULES
        self._begin(rules, seed)
        if board is None:
            start: Any = first_board(self.seed)
        elif is_grid(board):
            start = self._stored(bytes(exponents_of(board, False, rules.top)))  # type: ignore[arg-type]
        else:
            start = self._checked_word(check.word(board))  # type: ignore[arg-type]
        self._boards.append(start)

    def _checked_word(self, board: int) -> int | bytes:
        """A packed board in the form that is stored."""
        if self.rules.top > PACKED and is_saturated(board):
            return bytes([board >> shift & 15 for shift in range(60, -4, -4)])
        return board

    def _stored(self, cells: bytes) -> int | bytes:
        """16 exponents in the form that is stored."""
        return cells if max(cells) > PACKED else self._checked_word(packed(cells))

    @property
    def board(self) -> int:
        """The board now, or its packed view."""
        board = self._boards[-1]
        return board if type(board) is int else view_of(board)

    @property
    def legal(self) -> int:
        """The legal directions: bit d is set where a slide in direction d changes the board."""
        board = self._boards[-1]
        return legal_moves(board) if type(board) is int else legal_of(board, 4, 4, LARGEST)

    @property
    def over(self) -> bool:
        """Whether no direction is legal."""
        board = self._boards[-1]
        return bool(is_over(board)) if type(board) is int else not self.legal

    @property
    def saturated(self) -> bool:
        """Whether two tiles of the largest value of the rules meet, which do not merge."""
        board = self._boards[-1]
        if type(board) is int:
            return self.rules.top == PACKED and bool(is_saturated(board))
        return super().saturated

    @property
    def largest(self) -> int:
        """The face value of the largest tile now; 0 on an empty board."""
        board = self._boards[-1]
        exponent = max_exponent(board) if type(board) is int else max(board)
        return 2**exponent if exponent else 0

    def move(self, direction: SupportsIndex | str, spawn: tuple[int, int] | None = None) -> int:
        if spawn is None and _advance is not None:
            earned = _advance(self._boards, self._moves, self._scores, self.seed, direction)
            if earned is not None:
                return earned  # type: ignore[no-any-return]
        # The same as the general one, in a third of its time.
        if spawn is not None or type(direction) is not int or not 0 <= direction <= 3:
            return super().move(direction, spawn)
        before = self._boards[-1]
        if type(before) is not int:
            return super().move(direction)
        after = MOVES[direction](before)
        if after == before:
            return super().move(direction)  # which raises
        board: Any = next_board(after, self.seed, len(self._moves))
        last = (board ^ after).bit_length() - 1  # the highest bit of the new tile: exponent 1 or 2 in a nibble
        reward = REWARDS[direction](before)
        if is_saturated(board):
            board = self._checked_word(board)
        self._push(direction, 15 - (last >> 2), (last & 3) + 1, reward, board)
        return reward

    move.__doc__ = GameBase.move.__doc__

    @classmethod
    def _make(cls, rules: Rules, seed: int, grid: list[list[int]]) -> Any:
        if rules not in (CLASSIC, PACKED_RULES):
            raise ValueError(
                "the record is of a game of other rules than bitboard.Game plays; bitboard.grid.Game reads it"
            )
        return copies.made(cls, Game, seed=seed, board=grid, top=2**rules.top)

    def _slide(self, board: int | bytes, direction: int) -> tuple[int | bytes, int]:
        if type(board) is int:
            return MOVES[direction](board), REWARDS[direction](board)
        return slide_cells(board, 4, 4, direction, LARGEST)  # type: ignore[arg-type]

    def _place(self, board: int | bytes, cell: int, exponent: int) -> int | bytes:
        if type(board) is int:
            return self._checked_word(board | exponent << (60 - 4 * cell))
        return self._stored(board[:cell] + bytes((exponent,)) + board[cell + 1 :])  # type: ignore[index]

    def _exponents(self, board: int | bytes) -> list[int]:
        return [board >> shift & 15 for shift in range(60, -4, -4)] if type(board) is int else list(board)  # type: ignore[arg-type]

    def _shown(self, board: int | bytes) -> int:
        return board if type(board) is int else view_of(board)  # type: ignore[arg-type]

    def _own_spawn(self, after: int | bytes, index: int) -> tuple[int, int]:
        if type(after) is not int:
            return super()._own_spawn(after, index)
        last = (next_board(after, self.seed, index) ^ after).bit_length() - 1
        return 15 - (last >> 2), (last & 3) + 1

    def __str__(self) -> str:
        return drawing(self.grid)
