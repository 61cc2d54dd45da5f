"""The patterns of a network: sets of cells, by name or as lists of hexadecimal digits."""

from __future__ import annotations

from typing import Any

from ..tools import checks

__all__ = ["MOST_CELLS", "MOST_PATTERNS", "NAMES", "entries", "mask", "parse"]

MOST_CELLS, MOST_PATTERNS = 7, 16

_SIX = ("012456", "456789", "012345", "234569", "01259a", "345678")

# Published and measured sets; cells are 0 to f in reading order.
NAMES = {
    "4x6": ("012345", "456789", "012456", "45689a"),
    "5x6": ("012345", "456789", "012456", "45689a", "89abcd"),
    "6x6": _SIX,
    "8x6": (*_SIX, "134567", "01489a"),
    "2x4": ("0123", "4567"),
    "5x4": ("0123", "4567", "0145", "1256", "569a"),
    "4x5": ("01234", "45678", "01245", "45689"),
}


def mask(pattern: str) -> int:
    """The cells of a pattern as bits, cell c as bit 15 - c.

    >>> f"{mask('0123'):016b}"
    '1111000000000000'
    """
    return sum([1 << 15 - int(cell, 16) for cell in pattern])


def _images(cells: list[int]) -> set[frozenset[int]]:
    """The eight images of a set of cells."""
    images = set()
    for flip in (0, 3):
        for upside in (0, 12):
            moved = [cell ^ flip ^ upside for cell in cells]
            images |= {frozenset(moved), frozenset([cell % 4 * 4 + cell // 4 for cell in moved])}
    return images


def entries(patterns: tuple[str, ...]) -> int:
    """The number of entries of a stage: 16 to the power of the cells of each pattern."""
    return sum([16 ** len(pattern) for pattern in patterns])


def parse(patterns: Any) -> tuple[str, ...]:
    """The patterns of an argument: a list of strings of cells such as ["012345", "456789"], or a name such as "4x6", or
    several that are joined, "4x6+5x4".

    Raises TypeError for other kinds, ValueError for an unknown name, a cell that is none or twice in a pattern, too
    many cells or patterns, and for a pattern that is given twice, symmetric images counted as the same.
    """
    if isinstance(patterns, str):
        names = patterns.split("+")
        if not set(names) <= set(NAMES):
            raise ValueError(
                f"patterns must be one of {', '.join(NAMES)}, several of them joined by +, or a list of strings of "
                f"cells, got {checks.shown(patterns)}"
            )
        patterns = [pattern for name in names for pattern in NAMES[name]]
    try:
        given = tuple(patterns)
    except TypeError:
        raise TypeError(f"patterns must be a name or a list of str, not {type(patterns).__name__}") from None
    if not 1 <= len(given) <= MOST_PATTERNS:
        raise ValueError(f"patterns must be 1 to {MOST_PATTERNS} strings of cells, got {len(given)}")
    seen: dict[frozenset[int], str] = {}
    lowered = []
    for i, pattern in enumerate(given):
        text = checks.text(pattern, f"patterns[{i}]").lower()
        if not 1 <= len(text) <= MOST_CELLS or set(text) - set("0123456789abcdef") or len(set(text)) < len(text):
            raise ValueError(
                f"patterns[{i}] must be 1 to {MOST_CELLS} different cells, 0 to f in reading order, "
                f"got {checks.shown(pattern)}"
            )
        images = _images([int(cell, 16) for cell in text])
        for image in images:
            if image in seen:
                raise ValueError(f"patterns {seen[image]} and {text} are the same up to symmetry")
        seen.update(dict.fromkeys(images, text))
        lowered.append(text)
    return tuple(lowered)
