"""What a search tells of itself."""

from __future__ import annotations

from typing import NamedTuple


class SearchStats(NamedTuple):
    """What the last call did."""

    nodes: int = 0  #: boards after a spawn whose slides were looked at
    depth: int = 0  #: layers of the values that were returned; of best_many, the most
    cache_hits: int = 0  #: afterstates whose value was known
    cache_probes: int = 0  #: afterstates that were looked up
    leaves: int = 0  #: boards given to the evaluator
    seconds: float = 0.0
