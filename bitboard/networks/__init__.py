"""N-tuple networks: values of afterstates that are learned by playing."""

from __future__ import annotations

from .network import NTupleNetwork
from .playing import play_games

__all__ = ["NTupleNetwork", "play_games"]
