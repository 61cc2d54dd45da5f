"""Boards of any size: slides, legal directions, and the largest tile within some slides.

A grid is height x width cells, 1 to 32 a side: rows of face values, 0 for an empty cell and
powers of two from 2 to 2**62, as lists, tuples or a two-dimensional numpy array of integers.
It is never changed. The rule is that of the 4x4 board, and two tiles of 2**62 do not merge.

>>> from bitboard import grid
>>> grid.slide([[2, 2, 0, 4, 4], [8, 0, 0, 0, 8]], "left")
[[4, 8, 0, 0, 0], [16, 0, 0, 0, 0]]
>>> grid.max_tile([[2, 2, 4], [0, 0, 0], [0, 0, 0]])
MaxTile(tile=8, path='RR', nodes=0, proven=True)
"""

from __future__ import annotations

from .search import MaxTile, max_tile
from .slides import legal_moves, slide, slide_with_reward

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..games.sized import Game

__all__ = ["Game", "MaxTile", "legal_moves", "max_tile", "slide", "slide_with_reward"]


def __getattr__(name: str) -> Any:
    """Hand on the game of any size, which stands on a floor above."""
    if name == "Game":
        from ..games.sized import Game

        return Game
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
