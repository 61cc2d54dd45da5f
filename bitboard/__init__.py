"""bitboard: a 2048 engine for people who write agents.

A 4x4 board is an int, 0 to 2**64 - 1: sixteen 4-bit exponents in reading order, the
top-left cell in the most significant nibble, so f"{board:016x}" reads as the board does.
0 is an empty cell and k is the tile 2**k. Directions are UP, RIGHT, DOWN, LEFT = 0, 1, 2, 3.
What is not an integer is a TypeError; one outside 0 .. 2**64 - 1 an OverflowError.

>>> import bitboard
>>> board = bitboard.parse("2 0 0 2  2 2 2 2  0 4 2 2  2 2 2 0")
>>> print(bitboard.pretty(bitboard.move_left(board)))
+-------+-------+-------+-------+
|     4 |     . |     . |     . |
+-------+-------+-------+-------+
|     4 |     4 |     . |     . |
+-------+-------+-------+-------+
|     4 |     4 |     . |     . |
+-------+-------+-------+-------+
|     4 |     2 |     . |     . |
+-------+-------+-------+-------+
>>> bitboard.reward(board, "left")
20
"""

import sys

if sys.version_info < (3, 10):  # noqa: UP036 - from a checkout; an installer has said so before
    raise ImportError(f"bitboard needs Python 3.10 or newer; this is Python {sys.version.split()[0]}")

from .core import (
    BACKEND,
    DIRECTIONS,
    DOWN,
    LEFT,
    RIGHT,
    UP,
    __version__,
    afterstates,
    canonical,
    empty_count,
    flip_horizontal,
    flip_vertical,
    is_over,
    is_saturated,
    legal_moves,
    max_exponent,
    move,
    move_down,
    move_left,
    move_right,
    move_up,
    random64,
    reward,
    reward_columns,
    reward_rows,
    rotate_90,
    rotate_180,
    rotate_270,
    spawn,
    spawns,
    stream,
    symmetries,
    tile_sum,
    transpose,
)

del sys
TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import agents as agents
    from . import env as env
    from . import grid as grid
    from . import record as record
    from . import render as render
    from . import sliding as sliding
    from .core import Board as Board
    from .core import Direction as Direction
    from .core.exact import pack_view
    from .core.notation import from_grid, parse, parse_grid, pretty, to_grid
    from .core.perft import perft
    from .evaluation.run import evaluate
    from .games.classic import Game
    from .many.afterstates import afterstates_many, spawns_array
    from .many.arrays import legal_moves_many, move_many, reward_many, spawn_many
    from .many.batch import Batch
    from .many.encoding import exponents, exponents_many, one_hot, one_hot_many, symmetries_many
    from .many.playout import Playouts, playouts, random_games
    from .networks.network import NTupleNetwork
    from .networks.playing import play_games
    from .search.expectimax import Expectimax
    from .search.row_tables import RowTable

__path__.append(__path__[0] + "/_moved")  # modules under the names that they had before: see the README there

# Loaded when first used, to keep the import short: name -> the module that has it, "" for a module of that name.
_LAZY = {
    "Batch": "many.batch",
    "Expectimax": "search.expectimax",
    "Game": "games.classic",
    "NTupleNetwork": "networks.network",
    "Playouts": "many.playout",
    "RowTable": "search.row_tables",
    "afterstates_many": "many.afterstates",
    "evaluate": "evaluation.run",
    "exponents": "many.encoding",
    "exponents_many": "many.encoding",
    "from_grid": "core.notation",
    "legal_moves_many": "many.arrays",
    "move_many": "many.arrays",
    "one_hot": "many.encoding",
    "one_hot_many": "many.encoding",
    "pack_view": "core.exact",
    "parse": "core.notation",
    "parse_grid": "core.notation",
    "perft": "core.perft",
    "play_games": "networks.playing",
    "playouts": "many.playout",
    "pretty": "core.notation",
    "random_games": "many.playout",
    "reward_many": "many.arrays",
    "spawn_many": "many.arrays",
    "spawns_array": "many.afterstates",
    "symmetries_many": "many.encoding",
    "to_grid": "core.notation",
    "agents": "",
    "env": "",
    "grid": "",
    "record": "",
    "render": "",
    "sliding": "",
}

__all__ = [
    "BACKEND",
    "DIRECTIONS",
    "DOWN",
    "LEFT",
    "RIGHT",
    "UP",
    "Batch",
    "Expectimax",
    "Game",
    "NTupleNetwork",
    "Playouts",
    "RowTable",
    "__version__",
    "afterstates",
    "afterstates_many",
    "canonical",
    "empty_count",
    "evaluate",
    "exponents",
    "exponents_many",
    "flip_horizontal",
    "flip_vertical",
    "from_grid",
    "is_over",
    "is_saturated",
    "legal_moves",
    "legal_moves_many",
    "max_exponent",
    "move",
    "move_down",
    "move_left",
    "move_many",
    "move_right",
    "move_up",
    "one_hot",
    "one_hot_many",
    "pack_view",
    "parse",
    "parse_grid",
    "perft",
    "play_games",
    "playouts",
    "pretty",
    "random64",
    "random_games",
    "reward",
    "reward_columns",
    "reward_many",
    "reward_rows",
    "rotate_90",
    "rotate_180",
    "rotate_270",
    "spawn",
    "spawn_many",
    "spawns",
    "spawns_array",
    "stream",
    "symmetries",
    "symmetries_many",
    "tile_sum",
    "to_grid",
    "transpose",
]

if not TYPE_CHECKING:  # a misspelt name stays an error to type checkers

    def __getattr__(name):
        """Load what is asked for the first time."""
        if name not in _LAZY:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        if not _LAZY[name]:
            return import_module("." + name, __name__)
        value = globals()[name] = getattr(import_module("." + _LAZY[name], __name__), name)
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
