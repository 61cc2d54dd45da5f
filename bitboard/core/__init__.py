"""One board: slides, rewards, spawns, symmetries, on the backend that was chosen.

Everything here is loaded at `import bitboard`; notation and perft are modules of their own, loaded when used.
"""

from __future__ import annotations

from .backend import (
    BACKEND,
    REASON,
    canonical,
    empty_count,
    flip_horizontal,
    flip_vertical,
    is_over,
    is_saturated,
    kernels_of,
    legal_moves,
    max_exponent,
    move_down,
    move_left,
    move_right,
    move_up,
    random64,
    reward_columns,
    reward_rows,
    rotate_90,
    rotate_180,
    rotate_270,
    spawn,
    stream,
    tile_sum,
    transpose,
)
from .board import (
    DIRECTIONS,
    DOWN,
    LEFT,
    MOVES,
    REWARDS,
    RIGHT,
    UP,
    afterstates,
    choose,
    move,
    reward,
    spawns,
    symmetries,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .board import Board, Direction

__version__ = "0.1.0"

__all__ = [
    "BACKEND",
    "DIRECTIONS",
    "DOWN",
    "LEFT",
    "MOVES",
    "REASON",
    "REWARDS",
    "RIGHT",
    "UP",
    "Board",
    "Direction",
    "afterstates",
    "canonical",
    "choose",
    "empty_count",
    "flip_horizontal",
    "flip_vertical",
    "is_over",
    "is_saturated",
    "kernels_of",
    "legal_moves",
    "max_exponent",
    "move",
    "move_down",
    "move_left",
    "move_right",
    "move_up",
    "random64",
    "reward",
    "reward_columns",
    "reward_rows",
    "rotate_90",
    "rotate_180",
    "rotate_270",
    "spawn",
    "spawns",
    "stream",
    "symmetries",
    "tile_sum",
    "transpose",
]
