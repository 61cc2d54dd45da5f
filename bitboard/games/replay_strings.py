"""Replay strings that players of the web game share: those of 2048league and those of 2048verse.

Both name the two tiles at the start first, then for each slide its direction and the tile that spawned.

2048league: one character of an alphabet of 128 for each, code = 32 * direction + 16 * (1 for a 4) + 4 * column + row,
directions U R D L = 0 1 2 3; a start tile has direction 0. The alphabet is code page 850 from the space on without
its character 127. Often `replay_` stands before it, or a word of ten characters with the size of a smaller board
(3x3, 3x4, 2x4: rows x columns).

2048verse: `4x4-` (rows x columns), some text, `_`, then three characters for each, seven bits a character, the most
significant first, in an alphabet of digits, a-z, A-Z and Latin-1 letters. Of the 21 bits, counted from the
least significant: 0-1 direction U D L R = 0 1 2 3; 2 set for a 4; 4-6 column; 7-9 row; the rest is the time, which
is not kept.

Sources of the layouts: the replay utilities of 2048verse (2048Verse/2048-replay-utils, src/index.ts, which
turns the old form into the new), and two independent readers: macroxue/2048-ai (2048.cc, AnalyzeLog) and
game-difficulty/2048EndgameTablebase (backend/analysis_core.py). They agree.
"""

from __future__ import annotations

import re
from typing import Any

from .rules import CLASSIC, Rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .text import Make

OLD_ALPHABET = bytes([*range(32, 127), *range(128, 161)]).decode("cp850")
NEW_ALPHABET = (
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" + "".join(map(chr, range(0xC0, 0x100))) + "¤¾"
)
NEW_START = r"([0-9]{1,2})x([0-9]{1,2})-[^_]{0,100}_"
_SMALL = ("2x4", "3x3", "3x4")


def read(text: str, make: Make) -> Any:
    """The game of a replay string of either layout; see the module's text.

    A bitboard.Game if it is a 4x4 game, else a bitboard.grid.Game. Spawns are checked against the rules, so only 2s
    and 4s pass.
    """
    if not isinstance(text, str):
        raise TypeError(f"a replay string must be a str, not {type(text).__name__}")
    text = text.strip("\r\n\ufeff")
    new = re.match(NEW_START, text)
    if new:
        rows, columns = int(new[1]), int(new[2])
        if not (1 <= rows <= 8 and 1 <= columns <= 8):
            raise ValueError(f"the size of a replay string must be from 1x1 to 8x8, got {rows}x{columns}")
        return _play(make, rows, columns, _read_new(text[new.end() :], new.end()))
    rows, columns, header = 4, 4, 0
    if text.startswith("replay"):
        small = next((size for size in _SMALL if size in text[:10]), None)
        header = 10 if small else 7
        if small:
            rows, columns = int(small[0]), int(small[2])
    return _play(make, rows, columns, _read_old(text[header:], header))


def is_headed(text: str) -> bool:
    """Whether a text opens as a replay string."""
    old = text.startswith("replay_") or (text.startswith("replay") and any(size in text[:10] for size in _SMALL))
    return old or bool(re.match(NEW_START, text))


Event = tuple[int, int, int, int, int]  # where it stands, direction, row, column, exponent


def _read_old(text: str, header: int) -> list[Event]:
    events = []
    for i, character in enumerate(text):
        code = OLD_ALPHABET.find(character)
        if code < 0:
            raise ValueError(f"character {header + i} ({character!r}) is none of the 128 of a 2048league string")
        events.append((header + i, code >> 5, code & 3, code >> 2 & 3, 1 + (code >> 4 & 1)))
    return events


def _read_new(text: str, header: int) -> list[Event]:
    events = []
    for i in range(0, len(text), 3):
        bits = 0
        for j, character in enumerate(text[i : i + 3]):
            code = NEW_ALPHABET.find(character)
            if code < 0:
                raise ValueError(f"character {header + i + j} ({character!r}) is none of a 2048verse string")
            bits = bits << 7 | code
        if len(text) - i < 3:
            raise ValueError(f"character {header + i}: a 2048verse string has three characters a move; this one is cut")
        if bits & 8:
            raise ValueError(f"character {header + i}: a tile other than 2 and 4")
        events.append((header + i, (0, 2, 3, 1)[bits & 3], bits >> 7 & 7, bits >> 4 & 7, 1 + (bits >> 2 & 1)))
    return events


def _play(make: Make, rows: int, columns: int, events: list[Event]) -> Any:
    """The game of two start tiles and moves."""
    if len(events) < 2:
        raise ValueError("a replay string names two start tiles first; this one has fewer")
    for where, _, row, column, _ in events:
        if row >= rows or column >= columns:
            raise ValueError(f"character {where}: row {row}, column {column} is not on a board of {rows}x{columns}")
    grid = [[0] * columns for _ in range(rows)]
    for where, _, row, column, exponent in events[:2]:
        if grid[row][column]:
            raise ValueError(f"character {where}: both start tiles are in row {row}, column {column}")
        grid[row][column] = 2**exponent
    game = make(CLASSIC if rows == columns == 4 else Rules(rows, columns), 0, grid)
    for where, direction, row, column, exponent in events[2:]:
        try:
            game.move(direction, (row * columns + column, exponent))
        except ValueError as error:
            raise ValueError(f"character {where}, move {game.moves + 1}: {error}") from None
    return game
