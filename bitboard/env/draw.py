"""Boards drawn as pixels and on the terminal, for the environments. No window, no library but numpy."""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

from ..core.notation import pretty, to_grid

CELL, GAP = 80, 8  # pixels
SIZE = 4 * CELL + 5 * GAP

_BACKGROUND = (44, 47, 56)

# The colour of each exponent: from pale grey over green and blue to red, 32768 almost black.
_COLOURS = (
    (62, 66, 78), (226, 228, 222), (205, 222, 196), (164, 208, 160), (116, 190, 134), (64, 168, 120),
    (40, 146, 140), (36, 122, 160), (48, 98, 172), (86, 78, 176), (130, 66, 168), (174, 56, 148),
    (206, 52, 112), (218, 70, 62), (150, 30, 34), (24, 20, 26),
)  # fmt: skip

# Digits 3 wide and 5 high, a row an octal digit: 4 the left pixel, 1 the right one.
_FONT = ("75557", "26227", "71747", "71317", "55711", "74717", "74757", "71222", "75757", "75717")


def _digit(character: str) -> np.ndarray[Any, Any]:
    """(5, 3) bool."""
    return np.array([[int(row) >> column & 1 for column in (2, 1, 0)] for row in _FONT[int(character)]], bool)


def _tile(exponent: int) -> np.ndarray[Any, Any]:
    """(CELL, CELL, 3) uint8."""
    colour = _COLOURS[exponent]
    image = np.full((CELL, CELL, 3), colour, np.uint8)
    if exponent:
        face = str(2**exponent)
        glyphs = [np.pad(_digit(character), ((0, 0), (0, 1))) for character in face]
        text = np.concatenate(glyphs, axis=1)[:, :-1]
        scale = min(8, (CELL - 16) // text.shape[1])
        text = text.repeat(scale, axis=0).repeat(scale, axis=1)
        top, left = (CELL - text.shape[0]) // 2, (CELL - text.shape[1]) // 2
        light = sum(colour) > 400
        image[top : top + text.shape[0], left : left + text.shape[1]][text] = (40, 42, 48) if light else (250, 250, 250)
    return image


_tiles: list[np.ndarray[Any, Any]] = []  # drawn when first needed


def pixels(board: int) -> np.ndarray[Any, Any]:
    """The board as an image: (SIZE, SIZE, 3) uint8, RGB."""
    if not _tiles:
        _tiles.extend(_tile(exponent) for exponent in range(16))
    image = np.full((SIZE, SIZE, 3), _BACKGROUND, np.uint8)
    for r, row in enumerate(to_grid(board, exponents=True)):
        for c, exponent in enumerate(row):
            top, left = GAP + r * (CELL + GAP), GAP + c * (CELL + GAP)
            image[top : top + CELL, left : left + CELL] = _tiles[exponent]
    return image


def text(board: int, score: int, moves: int) -> str:
    """The board and a line above it."""
    return f"score {score}  moves {moves}\n{pretty(board)}\n"


def show(drawing: str, fps: float) -> None:
    """Print a drawing on stdout; on a terminal in the place of the last one, and not faster than fps a second."""
    out = sys.stdout
    if out is None:  # a program without a console
        return
    if out.isatty():
        time.sleep(1 / fps)
        out.write("\x1b[H\x1b[2J")
    out.write(drawing)
    out.flush()
