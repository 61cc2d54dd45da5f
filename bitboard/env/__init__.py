"""Gymnasium environments: "bitboard/Game2048-v0", one game or many in step.

Importing this module registers it. Gymnasium 1.0 and newer load no plugins, so a name with the module
before it is the way to do without the import:

>>> import gymnasium
>>> env = gymnasium.make("bitboard.env:bitboard/Game2048-v0")
>>> envs = gymnasium.make_vec("bitboard.env:bitboard/Game2048-v0", num_envs=8)

Needs gymnasium and numpy, the extra `gym`.
"""

from __future__ import annotations

from .common import gymnasium  # the first import, since it says what to install where it is missing
from .single import Game2048Env
from .vector import Game2048VectorEnv

__all__ = ["ENV_ID", "Game2048Env", "Game2048VectorEnv", "register"]

ENV_ID = "bitboard/Game2048-v0"


def register() -> None:
    """Register the environment with Gymnasium, unless it is: what the import of this module does.

    >>> import gymnasium
    >>> register()
    >>> gymnasium.spec("bitboard/Game2048-v0").name
    'Game2048'
    """
    if ENV_ID not in gymnasium.registry:
        gymnasium.register(
            ENV_ID,
            entry_point=f"{__name__}:Game2048Env",
            vector_entry_point=f"{__name__}:Game2048VectorEnv",
        )


register()
