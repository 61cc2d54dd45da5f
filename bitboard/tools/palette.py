"""The colours of the tiles, for pictures and for the terminal."""

from __future__ import annotations

# By exponent, from 1. Pale to strong as in the original game up to 2048, then violet to blue to green, so that every
# value has a colour of its own up to 32768; above that the last five take turns.
_TILES = (
    "#eee4da",
    "#ede0c8",
    "#f2b179",
    "#f59563",
    "#f67c5f",
    "#f0572f",
    "#f3dc85",
    "#f0d264",
    "#eec73f",
    "#ebbb1f",
    "#e3a900",
    "#a03c9b",
    "#7a3fb0",
    "#4a4fbf",
    "#1f6fb5",
    "#117a6b",
    "#2f7d32",
    "#8a5a14",
    "#9c2f4d",
    "#3c3a32",
)
# The same in the 256 colours of terminals, where the nearest ones would be pink.
_TERMINAL = (255, 230, 215, 209, 203, 202, 222, 221, 220, 214, 178, 133, 97, 62, 25, 30, 28, 94, 88, 237)
BOARD_256, EMPTY_256, LINES_256 = 246, 250, 240

DARK, LIGHT = "#211c17", "#ffffff"

BOARD, EMPTY = "#bbada0", "#cdc1b4"
BOARD_AT_NIGHT, EMPTY_AT_NIGHT = "#4a433d", "#5d554d"
SPAWN_MARK, MERGE_MARK = "#0b63ce", "#c2185b"
SPAWN_MARK_AT_NIGHT, MERGE_MARK_AT_NIGHT = "#7db7ff", "#ff8ab3"


def tile(exponent: int) -> str:
    """The colour of the tile 2**exponent."""
    return _TILES[_index(exponent)]


def tile_256(exponent: int) -> int:
    """The colour of the tile 2**exponent among the 256 of a terminal."""
    return _TERMINAL[_index(exponent)]


def _index(exponent: int) -> int:
    return exponent - 1 if exponent <= len(_TILES) else 15 + (exponent - 16) % 5


def text(exponent: int) -> str:
    """The colour of the number on it: dark or white, whichever is easier to read."""
    ground = tile(exponent)
    return max((DARK, LIGHT), key=lambda colour: contrast(colour, ground))


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, 1 to 21, as WCAG 2 defines it; 4.5 is enough for text."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue, 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _luminance(colour: str) -> float:
    parts = [part / 255 for part in rgb(colour)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
