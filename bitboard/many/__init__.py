"""Many boards and many games at once: arrays, afterstates, encodings, batches, random play."""

from __future__ import annotations

from .afterstates import afterstates_many, spawns_array
from .arrays import legal_moves_many, move_many, reward_many, spawn_many
from .batch import Batch
from .encoding import exponents, exponents_many, one_hot, one_hot_many, symmetries_many
from .playout import Playouts, playouts, random_games

__all__ = [
    "Batch",
    "Playouts",
    "afterstates_many",
    "exponents",
    "exponents_many",
    "legal_moves_many",
    "move_many",
    "one_hot",
    "one_hot_many",
    "playouts",
    "random_games",
    "reward_many",
    "spawn_many",
    "spawns_array",
    "symmetries_many",
]
