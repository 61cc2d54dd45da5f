"""The rules of a game: the size of the board, what spawns, and the largest tile."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, SupportsIndex

from ..grid.slides import SIDE, TOP, exponent_of
from ..tools import checks


class Rules:
    """Rows and columns, the spawn law, the tiles at the start and the largest tile. Never changes.

    spawn: face value -> weight, a whole number; {2: 9, 4: 1} is the original's nine in ten.
    top: the largest face value, two of which do not merge; None where there is no such limit
    (then it is 2**62). start_tiles: 2 unless given (1 on a single cell).
    """

    __slots__ = ("_thresholds", "columns", "rows", "spawn", "start_tiles", "top")

    def __init__(
        self,
        rows: SupportsIndex = 4,
        columns: SupportsIndex = 4,
        spawn: Mapping[int, int] | None = None,
        start_tiles: SupportsIndex | None = None,
        top: SupportsIndex | None = None,
    ) -> None:
        self.rows = checks.integer(rows, "rows", 1, SIDE)
        self.columns = checks.integer(columns, "columns", 1, SIDE)
        self.top = TOP if top is None else exponent_of(top, "top")
        if spawn is not None and not hasattr(spawn, "keys"):
            raise TypeError(f"spawn must map tiles to weights, such as {{2: 9, 4: 1}}, not {type(spawn).__name__}")
        table = {2: 9, 4: 1} if spawn is None else dict(spawn)
        if not table:
            raise ValueError("spawn must hold at least one tile, got an empty table")
        weights = {}
        for face, weight in table.items():
            exponent = exponent_of(face, "a tile of spawn")
            if exponent > self.top:
                raise ValueError(f"a tile of spawn must be at most the largest tile {2**self.top}, got {face}")
            weights[exponent] = checks.integer(weight, f"the weight of {face} in spawn", 1, 2**32 - 1)
        self.spawn = tuple(sorted(weights.items()))
        cells = self.rows * self.columns
        wanted = min(2, cells) if start_tiles is None else start_tiles
        self.start_tiles = checks.integer(wanted, "start_tiles", 0, cells)
        # The largest tile takes the lowest of the 2**32 numbers, as the 4 does in bitboard.spawn().
        total, sum_so_far, thresholds = sum(weights.values()), 0, []
        for exponent, weight in reversed(self.spawn):
            sum_so_far += weight
            thresholds.append((-(-(sum_so_far << 32) // total), exponent))
        self._thresholds = tuple(thresholds)

    def draw(self, random64: int) -> int:
        """The exponent of the tile that a 64-bit number spawns."""
        low = random64 & 0xFFFF_FFFF
        for threshold, exponent in self._thresholds:
            if low < threshold:
                return exponent
        raise AssertionError("the last threshold is 2**32")

    def spawn_text(self) -> str:
        """The spawn law in text, such as `2:9 4:1`: face value, weight."""
        return " ".join(f"{2**exponent}:{weight}" for exponent, weight in self.spawn)

    def _key(self) -> tuple[object, ...]:
        return self.rows, self.columns, self.spawn, self.start_tiles, self.top

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        spawn = {2**exponent: weight for exponent, weight in self.spawn}
        return f"Rules({self.rows}, {self.columns}, {spawn}, {self.start_tiles}, {2**self.top})"

    def __reduce__(self) -> Any:
        spawn = {2**exponent: weight for exponent, weight in self.spawn}
        return type(self), (self.rows, self.columns, spawn, self.start_tiles, 2**self.top)


CLASSIC = Rules(top=131072)  # the original game's: no larger tile can be made
PACKED_RULES = Rules(top=32768)  # where a packed board ends; the rule of records of older versions
