"""Row tables: a heuristic written as a function of one row, evaluated once for all 65,536 rows.

The value of a board is the sum of the table over its four rows, left to right, and its four columns,
top to bottom. bitboard.Expectimax searches such tables.

The file of a table: 16 bytes of header, then 65,536 little-endian floats in the order of the rows
(16 bits, the leftmost cell the most significant). Header: the 6 letters `bbrows`, a byte 1 (the version
of the format), a byte with the size of a float (4 or 8), the number of rows and the CRC-32 of the floats,
each as a little-endian unsigned 32-bit integer.
"""

from __future__ import annotations

import os
import sys
from array import array
from collections.abc import Callable, Iterable
from itertools import pairwise
from math import inf, isfinite
from os import PathLike
from typing import Any, SupportsFloat, SupportsIndex

from ..core import check, kernels_of, quick
from ..tools import buffers, checks, copies

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import _py as kernels
else:
    kernels = kernels_of(__package__)

__all__ = ["RowTable"]

ROWS = 65536
LARGEST = 1e100  # of a value: sums and means of such values stay finite
MAGIC, VERSION = b"bbrows", 1


def cells(row: int) -> tuple[int, int, int, int]:
    """The four exponents of a 16-bit row, leftmost first."""
    return row >> 12, row >> 8 & 15, row >> 4 & 15, row & 15


class RowTable:
    """A value for each of the 65,536 rows; the value of a board is the sum over its rows and columns.

    values: 65,536 finite numbers in the order of the rows (16 bits, the leftmost cell most significant), of
    at most 1e100: a buffer of 64-bit floats or any iterable. Usually made by from_function(), load(), or
    one of the shipped ones: default(), snake(), corner(). Tables are immutable; they add, and scale by numbers.
    Two are equal if all values are. They pickle and copy, as do subclasses with the attributes that they add; sums
    and multiples are plain tables.
    Raises ValueError for another number of values, or one that is not finite; it names the row.

    >>> import bitboard
    >>> empty_cells = bitboard.RowTable.from_function(lambda a, b, c, d: [a, b, c, d].count(0))
    >>> empty_cells(0x1000_0000_0000_0000)  # 15 cells, each in a row and in a column
    30.0
    >>> (0.5 * empty_cells + empty_cells)(0x1000_0000_0000_0000)
    45.0
    """

    __slots__ = ("_value", "_values")

    def __init__(self, values: Any) -> None:
        try:
            floats = array("d", buffers.flat(buffers.view(values, "values", "float64"), "float64"))
        except TypeError:  # no buffer, or one of other numbers
            numbers = list(values)
            try:
                floats = array("d", numbers)
            except OverflowError:
                floats = array("d", map(_float, numbers))
        if len(floats) != ROWS:
            raise ValueError(f"values must be {ROWS} numbers, one for each row; got {len(floats)}")
        for row, value in enumerate(floats):
            if not abs(value) <= LARGEST:
                raise ValueError(f"the value of the row {cells(row)} must be finite, at most 1e100; got {value}")
        # One zero: rows that are equal shall be equal to the bit.
        data = array("d", [value + 0.0 for value in floats]).tobytes()
        self._values = memoryview(data).cast("d")
        self._value = quick["row_values"](data) if "row_values" in quick else None

    @classmethod
    def from_function(cls, function: Callable[..., SupportsFloat]) -> RowTable:
        """The table of a function of one row, called once for each of the 65,536 rows.

        function: called as f(a, b, c, d) with the four exponents, leftmost (or topmost) first, where it takes
        four arguments; else as f((a, b, c, d)). 0 is an empty cell, k the tile 2**k. It returns a number.
        Where a row and its mirror image get the same value, a board and its mirror images do.
        Cost: 65,536 calls, 0.05 to 0.3 s for a few lines of Python.
        Raises TypeError for what cannot be called, ValueError where the function raises or gives nan, infinity
        or no number: it names the row, and the function's exception is its cause.

        >>> RowTable.from_function(lambda row: 1 / row[0])
        Traceback (most recent call last):
            ...
        ValueError: the function raised ZeroDivisionError for the row (0, 0, 0, 0): division by zero
        """
        if not callable(function):
            raise TypeError(f"function must be a function of the four exponents of a row, not {function!r:.80}")
        four = _takes_four(function)
        values = array("d", bytes(8 * ROWS))
        for row in range(ROWS):
            exponents = cells(row)
            try:
                value = function(*exponents) if four else function(exponents)
            except Exception as error:
                raise ValueError(
                    f"the function raised {type(error).__name__} for the row {exponents}: {error}"
                ) from error
            try:
                if isinstance(value, (str, bytes, bytearray)):
                    raise TypeError
                values[row] = number = float(value)
            except Exception:  # also one of its __float__
                raise ValueError(
                    f"the function must give a number, and for the row {exponents} it gave {checks.shown(value)}"
                ) from None
            if not isfinite(number):
                raise ValueError(f"the function must give finite numbers, and for the row {exponents} it gave {number}")
        return copies.made(cls, RowTable, values=values)  # type: ignore[no-any-return]

    @classmethod
    def default(cls) -> RowTable:
        """The shipped table: empty cells, merges, neighbours in sequence, disorder and tiles, weighted.

        The function is tables/row_heuristic.py, its weights found by tables/tune.py; live boards are worth more
        than 0. Read from a file of 256 KB.

        >>> table = RowTable.default()
        >>> table(0x4321_0000_0000_0000) > table(0x4231_0000_0000_0000)
        True
        """
        from pkgutil import get_data  # reads from a zip too

        content = get_data(__package__, "default.bbrows")
        assert content is not None, "this importer gives no data"
        return cls._parsed(content, "default.bbrows")

    @classmethod
    def snake(cls) -> RowTable:
        """A plain table without tuned weights: each row and column wants its tiles to fall towards one side, either.

        A line is worth the larger of 8a + 4b + 2c + d and a + 2b + 4c + 8d, in face values / 16; lines may turn as in a
        snake. Made in 0.1 s.

        >>> table = RowTable.snake()
        >>> table(0x4321_0000_0000_0000) == table(0x1234_0000_0000_0000) > table(0x4132_0000_0000_0000)
        True
        """
        return cls.from_function(lambda a, b, c, d: max(_falling(a, b, c, d), _falling(d, c, b, a)))

    @classmethod
    def corner(cls) -> RowTable:
        """A plain table without tuned weights: tiles are worth more the nearer they are to the top-left corner.

        A line is worth 8a + 4b + 2c + d, in face values / 16. Mirror images of a board differ in value.
        Made in 0.1 s.

        >>> table = RowTable.corner()
        >>> table(0x4321_0000_0000_0000) > table(0x1234_0000_0000_0000)
        True
        """
        return cls.from_function(_falling)

    @classmethod
    def descending(cls) -> RowTable:
        """Tiles fall from the top-left corner along rows and columns; with 80 times default() it is strong.

        A tile is worth its exponent times its face value. A line is worth its first tile and 2**19, for each pair of
        neighbours that does not rise their sum, with one of them more where they are equal, and against each pair that
        rises 12 times the difference: form and 12 are those of macroxue/2048-ai. Mirror images of a board differ in
        value, and a live one in great disorder may be worth less than a dead one, 0. The table `RowTable.descending() +
        80 * RowTable.default()` plays better than either (the guide of the search). Made in 0.2 s.

        >>> table = RowTable.descending()
        >>> table(0x4321_0000_0000_0000) > table(0x1234_0000_0000_0000)
        True
        """
        return cls.from_function(_descending)

    @property
    def values(self) -> Any:
        """The 65,536 values as 64-bit floats, read-only; numpy.asarray views them without copying."""
        return self._values

    def __call__(self, board: SupportsIndex) -> float:
        """The value of a board. Raises TypeError or OverflowError for what is not a board."""
        if self._value is None:
            return self.many(array("Q", [check.word(board)]))[0]  # type: ignore[no-any-return]
        return self._value(board)  # type: ignore[no-any-return]

    def many(self, boards: Any, out: Any = None) -> Any:
        """The values of an array of boards as 64-bit floats: `out`, or a new array, numpy if `boards` is numpy.

        Arrays and errors as in the functions X_many.

        >>> import array
        >>> RowTable.corner().many(array.array("Q", [0x1000_0000_0000_0000, 0])).tolist()
        [2.0, 0.0]
        """
        boards, seen = check.boards(boards)
        out, target = buffers.result(out, boards, seen, "float64")
        kernels.table_many(self._values, buffers.flat(seen), buffers.flat(target, "float64"))
        return out

    def __add__(self, other: RowTable) -> RowTable:
        if not isinstance(other, RowTable):
            return NotImplemented
        return RowTable([a + b for a, b in zip(self._values, other._values, strict=True)])

    def __mul__(self, factor: float) -> RowTable:
        if isinstance(factor, RowTable) or not hasattr(factor, "__float__"):
            return NotImplemented
        number = _float(factor)
        return RowTable([value * number for value in self._values])

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        return self._values == other._values if isinstance(other, RowTable) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._values.tobytes())

    def __reduce__(self) -> tuple[Any, ...]:
        return (
            _from_bytes,
            (buffers.little_endian(self._values), type(self)),
            copies.state_of(self, ("_value", "_values")),
        )

    def __repr__(self) -> str:
        return f"<RowTable, values from {min(self._values):g} to {max(self._values):g}>"

    def save(self, path: str | PathLike[str]) -> None:
        """Write the table to a file: 256 KB if every value is a 32-bit float, else 512 KB.

        A file that is there is replaced in one step: whatever happens, it is the old or the new one. Raises OSError.
        """
        from zlib import crc32

        from ..tools import files

        single = array("f", self._values)
        floats = single if list(single) == list(self._values) else array("d", self._values)
        if sys.byteorder == "big":
            floats.byteswap()
        data = floats.tobytes()
        header = MAGIC + bytes([VERSION, floats.itemsize])
        header += ROWS.to_bytes(4, "little") + crc32(data).to_bytes(4, "little")
        name = os.fsdecode(path)
        if os.path.exists(name) and not os.path.isfile(name):  # a device or a pipe is written as it is
            with open(name, "wb") as file:
                file.write(header + data)
        else:
            files.replace(name, header + data)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> RowTable:
        """Read a table that save() wrote; its header, length, checksum and values are checked.

        Raises OSError for a file that cannot be read, ValueError for one that is not a table or is damaged.
        """
        with open(os.fspath(path), "rb") as file:  # no number of an open file
            return cls._parsed(file.read(16 + 8 * ROWS + 1), path)

    @classmethod
    def _parsed(cls, content: bytes, path: str | PathLike[str]) -> RowTable:
        """The table in the content of a file; errors name it."""
        from zlib import crc32

        header, data = content[:16], content[16:]
        if header[:6] != MAGIC or len(header) < 16:
            raise ValueError(f"{path} is no file of a row table: it does not begin with {MAGIC.decode()} and a header")
        version, size, rows = header[6], header[7], int.from_bytes(header[8:12], "little")
        if version != VERSION or size not in (4, 8) or rows != ROWS:
            raise ValueError(f"{path} is a row table of version {version}, {rows} rows of {size} bytes; not read here")
        if len(data) != size * ROWS:
            raise ValueError(f"{path} is damaged: {len(data)} bytes of values instead of {size * ROWS}")
        if crc32(data) != int.from_bytes(header[12:16], "little"):
            raise ValueError(f"{path} is damaged: the checksum of its values is wrong")
        floats = array("f" if size == 4 else "d", data)
        if sys.byteorder == "big":
            floats.byteswap()
        try:
            return copies.made(cls, RowTable, values=array("d", floats))  # type: ignore[no-any-return]
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None


def _from_bytes(data: bytes, kind: type[RowTable] = RowTable) -> RowTable:
    """For pickle and copy. The __init__ of a subclass may take other arguments: it is not called."""
    table = kind.__new__(kind)
    RowTable.__init__(table, memoryview(buffers.little_endian(memoryview(data).cast("d"))).cast("d"))
    return table


def _float(value: Any) -> float:
    """A number as a float; infinity where it is an integer too large for one, which is not finite either."""
    try:
        return float(array("d", [value])[0])
    except OverflowError:
        return inf if value > 0 else -inf


def _falling(a: int, b: int, c: int, d: int) -> float:
    """A line whose tiles should fall from its beginning."""
    faces: Iterable[int] = [2**exponent if exponent else 0 for exponent in (a, b, c, d)]
    return sum(weight * face for weight, face in zip((8, 4, 2, 1), faces, strict=True)) / 16


def _descending(a: int, b: int, c: int, d: int) -> float:
    """What descending() says of a line."""
    worth = [exponent << exponent for exponent in (a, b, c, d)]
    total = 2**19 + worth[0]
    for one, following in pairwise(worth):
        total += 12 * (one - following) if one < following else one + following + one * (one == following)
    return total


def _takes_four(function: Callable[..., Any]) -> bool:
    """Whether a function is to be called with four arguments rather than with one tuple of four."""
    from inspect import signature

    try:
        signature(function).bind(0, 0, 0, 0)
    except (TypeError, ValueError):
        return False
    return True
