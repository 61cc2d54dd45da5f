"""Counting the leaves of the game tree: a check of the rules as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import SupportsIndex

from ..tools import checks
from . import BACKEND, afterstates, check, spawns

TYPE_CHECKING = False

__all__ = ["perft"]

if TYPE_CHECKING or BACKEND == "python":
    from ._py import MOVES, empty_count

    _DEPTH = 1  # deeper trees are cheaper with equal boards counted once

    def _leaves(board: int, depth: int) -> int:
        """Leaves after 0 or 1 plies: the spawns of a ply are counted, not made, as in csrc/perft.c."""
        if depth == 0:
            return 1
        slid = [slide(board) for slide in MOVES]
        return sum(2 * empty_count(after) for after in slid if after != board)

else:
    from .ffi import lib

    _DEPTH = 3
    _leaves = lib.bb_perft

_MOST_BOARDS = 100_000  # held at once; more are counted part by part, which bounds the memory


def perft(board: SupportsIndex, depth: SupportsIndex) -> int:
    """The leaves of the game tree after `depth` plies, counted with multiplicity.

    One ply is a legal slide and then each spawn of a 2 or a 4 in each empty cell. A board
    without a legal slide adds no leaf below it. depth 0 is 1.
    Cost: equal boards are counted once and the last ply is not played, so 10**8 leaves (two
    tiles, depth 4) take a fraction of a second on either backend.
    Raises TypeError for a non-integer, OverflowError for a board outside 0 .. 2**64 - 1,
    ValueError for a negative depth.

    >>> import bitboard
    >>> bitboard.perft(0x1000_0000_0000_0001, 3)
    1124032
    """
    return leaves({check.word(board): 1}, checks.integer(depth, "depth", 0))


def leaves(count_of: dict[int, int], depth: int, track: Callable[[list[int]], Iterable[int]] = iter) -> int:
    """The leaves below boards that each count several times: board -> how often.

    `track` wraps the list of subtrees that are left when the tree is deep, to show progress.
    """
    while depth > _DEPTH and 0 < len(count_of) < _MOST_BOARDS:
        children: dict[int, int] = {}
        for parent, count in count_of.items():
            for _, after, _ in afterstates(parent):
                for _, child in spawns(after):
                    children[child] = children.get(child, 0) + count
        count_of = children
        depth -= 1
    if depth > _DEPTH:
        return sum(leaves({subtree: count_of[subtree]}, depth) for subtree in track(list(count_of)))
    return sum(count_of[subtree] * _leaves(subtree, depth) for subtree in track(list(count_of)))
