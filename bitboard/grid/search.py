"""The largest tile within some slides, on boards of any size."""

from __future__ import annotations

from time import monotonic
from typing import Any, NamedTuple, SupportsFloat, SupportsIndex

from ..core import kernels_of
from ..tools import checks
from .slides import FACES, TOP, cells_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import _py as kernels
else:
    kernels = kernels_of(__package__)

_LETTERS = "URDL"


class MaxTile(NamedTuple):
    """The largest tile that can be made, and how."""

    tile: int
    """Its face value; 0 on an empty board."""
    path: str
    """The letters U R D L of a shortest sequence of slides that makes it; "" if it is on the board."""
    nodes: int
    """How many slides the search made; the last two are decided without making them."""
    proven: bool
    """Whether no larger tile and no shorter path exist; False if a limit ended the search."""


def max_tile(
    grid: Any,
    slides: SupportsIndex = 5,
    *,
    max_nodes: SupportsIndex | None = None,
    max_seconds: SupportsFloat | None = None,
) -> MaxTile:
    """The largest tile within at most `slides` slides when nothing spawns, and a shortest path to it.

    slides: 0 to 255. max_nodes, at least 1, and max_seconds, at least 0, end the search early:
    then the result is the best found so far and `proven` is False. The path is the same with
    and without the C core; with max_seconds it depends on the machine.
    Cost: the tree has 4**slides leaves, of which mass, symmetry and positions seen before cut most; for
    20 x 20 and ten slides see tests/bench/grid.py. Memory: at most 70 MB with the C core.
    Source: the search, its bounds and their proofs are in csrc/grid.c.
    Raises TypeError for another type, ValueError for a shape, face
    value or limit.

    >>> max_tile([[2, 4, 16, 8], [8, 4, 0, 0], [16, 8, 2, 0], [2, 8, 2, 0]], slides=5)[:2]
    (32, 'URU')
    """
    cells, height, width = cells_of(grid)
    number = checks.integer(slides, "slides", 0, 255)
    most = None if max_nodes is None else checks.integer(max_nodes, "max_nodes", 1)
    until = None if max_seconds is None else monotonic() + checks.number(max_seconds, "max_seconds", 0)
    best, path, nodes, proven = kernels.search(
        cells, height, width, number, TOP, most, lambda: until is not None and monotonic() >= until
    )
    return MaxTile(FACES[best], "".join(_LETTERS[d] for d in path), nodes, proven)
