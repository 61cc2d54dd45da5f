"""Numbers in sentences."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """A number with what it counts: "1 move", "2 moves", "1,234 moves"; `noun` is one of it, and takes an s for more.

    >>> counted(1, "move"), counted(2500, "random game")
    ('1 move', '2,500 random games')
    """
    return f"{number:,} {noun}{'s' * (number != 1)}"
