"""Games on boards of other sizes and rules. bitboard.grid.Game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, SupportsIndex

from ..core.notation import drawing
from ..grid.slides import cells_of, slide_cells
from ..tools import copies
from .base import GameBase
from .rules import Rules

__all__ = ["Game"]


class Game(GameBase):
    """A game on a board of any size from 1x1 to 32x32, with rules of your choice; otherwise as bitboard.Game.

    rows, columns: the size. seed: as for bitboard.Game; with the default rules a 4x4 game meets the same
    tiles as bitboard.Game of that seed.
    board: the grid to start from, `rows` rows of `columns` face values; None starts with `start_tiles` tiles.
    spawn: face value -> weight (a whole number), {2: 9, 4: 1} unless given. top: the largest tile, two of which
    do not merge; None for no such limit (then 2**62). start_tiles: how many tiles the game starts with (None: 2).
    `board` is a list of lists of face values, a new one each time; cells count in reading order from 0.
    Raises ValueError for a bad size, weight, tile or board, TypeError for a non-integer.

    >>> from bitboard import grid
    >>> game = grid.Game(3, 5, seed=1, spawn={2: 1}, top=64)
    >>> len(game.board), len(game.board[0]), sum(map(sum, game.board))
    (3, 5, 4)
    """

    __slots__ = ()

    def __init__(
        self,
        rows: SupportsIndex = 4,
        columns: SupportsIndex = 4,
        seed: SupportsIndex | None = None,
        board: Iterable[Iterable[Any]] | None = None,
        *,
        spawn: Mapping[int, int] | None = None,
        start_tiles: SupportsIndex | None = None,
        top: SupportsIndex | None = None,
    ) -> None:
        self._begin(Rules(rows, columns, spawn, start_tiles, top), seed)
        if board is not None:
            self._boards.append(self._stored(board))
            return
        cells = bytes(self.rules.rows * self.rules.columns)
        for i in range(self.rules.start_tiles):
            cells = self._place(cells, *self._spawn_by(i, cells))
        self._boards.append(cells)

    def _stored(self, board: Iterable[Iterable[Any]]) -> bytes:
        """The exponents of a grid of face values, checked."""
        cells, rows, columns = cells_of(board)
        if (rows, columns) != (self.rules.rows, self.rules.columns):
            raise ValueError(
                f"board must have {self.rules.rows} rows of {self.rules.columns} cells, got {rows} of {columns}"
            )
        if max(cells) > self.rules.top:
            raise ValueError(f"board must have no tile above {2**self.rules.top}, got {2 ** max(cells)}")
        return cells

    @classmethod
    def _make(cls, rules: Rules, seed: int, grid: list[list[int]]) -> Any:
        spawn = {2**exponent: weight for exponent, weight in rules.spawn}
        size = {"rows": rules.rows, "columns": rules.columns}
        more = {"spawn": spawn, "start_tiles": rules.start_tiles, "top": 2**rules.top}
        return copies.made(cls, Game, seed=seed, board=grid, **size, **more)

    def _slide(self, board: bytes, direction: int) -> tuple[bytes, int]:
        return slide_cells(board, self.rules.rows, self.rules.columns, direction, self.rules.top)

    def _place(self, board: bytes, cell: int, exponent: int) -> bytes:
        return board[:cell] + bytes((exponent,)) + board[cell + 1 :]

    def _exponents(self, board: bytes) -> list[int]:
        return list(board)

    def _shown(self, board: bytes) -> list[list[int]]:
        return self._grid(board)

    def __str__(self) -> str:
        return drawing(self.board)
