"""Boards as people write them: grids, text, drawings."""

from __future__ import annotations

from ..tools.checks import shown
from .check import word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, SupportsIndex

_EXPONENT_OF = {0: 0, **{2**k: k for k in range(1, 16)}}
_FACES = tuple(_EXPONENT_OF)
_SEPARATORS = str.maketrans("/,;|_", "     ")


def _cell(value: Any, exponents: bool, where: str) -> int:
    """The exponent of one cell of a grid; `where` names it in an error."""
    from operator import index

    try:
        number = index(value)
    except TypeError:
        raise TypeError(f"{where} of grid must be an integer, not {type(value).__name__}") from None
    if exponents:
        if 0 <= number <= 15:
            return number
        raise ValueError(f"{where} of grid must be an exponent from 0 to 15, got {shown(number)}")
    if number not in _EXPONENT_OF:
        raise ValueError(f"{where} of grid must be 0 or a power of two from 2 to 32768, got {shown(number)}")
    return _EXPONENT_OF[number]


def _items(values: Any, what: str) -> list[Any]:
    """The items of a row or grid; text is refused, since its items are letters."""
    if isinstance(values, (str, bytes, bytearray, dict)):
        raise TypeError(f"{what} must be a sequence of integers, not {type(values).__name__}")
    try:
        return [value for value, _ in zip(values, range(17), strict=False)]  # an endless one is too long as well
    except TypeError:
        raise TypeError(f"{what} must be a sequence of integers, not {type(values).__name__}") from None


def from_grid(grid: Iterable[Any], *, exponents: bool = False) -> int:
    """The board of a grid.

    grid: 4 rows of 4 or a flat sequence of 16, in reading order: lists, tuples or a numpy
    array of an integer dtype. Cells are face values (0 2 4 ... 32768), or exponents
    (0 1 2 ... 15) with exponents=True.
    Raises TypeError for what is no integer, ValueError for another shape or value.

    >>> f"{from_grid([[2, 0, 0, 2], [4, 0, 0, 0], [0, 0, 0, 0], [0, 0, 2048, 0]]):016x}"
    '10012000000000b0'
    """
    rows = _items(grid, "grid")
    if len(rows) == 16:
        named = [(value, f"cell {i}") for i, value in enumerate(rows)]
    elif len(rows) == 4:
        named = []
        for r, row in enumerate(rows):
            cells = _items(row, f"row {r} of grid")
            if len(cells) != 4:
                raise ValueError(f"row {r} of grid must have 4 cells, got {len(cells)}")
            named += [(value, f"row {r}, column {c}") for c, value in enumerate(cells)]
    else:
        raise ValueError(
            f"grid must have 4 rows of 4 cells, or 16 cells; got a length of {len(rows)}{' or more' * (len(rows) > 16)}"
        )
    board = 0
    for value, where in named:
        board = board << 4 | _cell(value, exponents, where)
    return board


def to_grid(board: SupportsIndex, *, exponents: bool = False) -> list[list[int]]:
    """A board as a list of four lists of face values, or of exponents.

    Raises TypeError for what is no integer, OverflowError outside 0 .. 2**64 - 1.

    >>> to_grid(0x1001_2000_0000_00b0)
    [[2, 0, 0, 2], [4, 0, 0, 0], [0, 0, 0, 0], [0, 0, 2048, 0]]
    """
    number = word(board)
    cells = [number >> shift & 15 for shift in range(60, -4, -4)]
    if not exponents:
        cells = [_FACES[cell] for cell in cells]
    return [cells[r : r + 4] for r in (0, 4, 8, 12)]


def parse(text: str) -> int:
    """The board of a text: 16 hexadecimal digits, or 16 face values.

    Hexadecimal digits are exponents; an `0x` before them and spaces, newlines, `/` and `_`
    among them are allowed. Face values are separated by spaces, newlines, commas or `/`.
    Sixteen separate words are always face values, so that `2 4 8 2 ...` has one meaning.
    Raises TypeError for what is no str, ValueError that says where for other text.

    >>> parse("1001/2000/0000/00b0") == parse("2 0 0 2  4 0 0 0  0 0 0 0  0 0 2048 0")
    True
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be a str, not {type(text).__name__}")
    words = text.translate(_SEPARATORS).split()
    if len(words) == 16:
        return _parse_faces(words)
    return int(hexadecimal_digits(words), 16)


def hexadecimal_digits(words: list[str]) -> str:
    """The 16 digits of a text in words of equal length (with `0x` before the first); else ValueError.

    Words of unequal length are more likely face values with one forgotten than digits.
    """
    first = words[0][2:] if words and words[0][:2] in ("0x", "0X") else None
    groups = [first, *words[1:]] if first else words
    digits = "".join(groups)
    if len({len(group) for group in groups}) > 1:
        raise ValueError(
            f"text must be 16 face values, or 16 hexadecimal digits in groups of equal length; got {len(words)} words"
        )
    for position, digit in enumerate(digits):
        if digit not in "0123456789abcdefABCDEF":
            raise ValueError(
                f"text must be 16 hexadecimal digits or 16 face values; {digit!r} at digit {position} is neither"
            )
    if len(digits) != 16:
        raise ValueError(f"text must be 16 hexadecimal digits or 16 face values, got {len(digits)} digits")
    return digits


def _parse_faces(words: list[str]) -> int:
    """The board of 16 words that must be face values."""
    board = 0
    for i, face in enumerate(words):
        # isdecimal() takes digits of all scripts; int() would also take "1_6" and "+2"
        if not (face.isascii() and face.isdecimal() and len(face) <= 5 and int(face) in _EXPONENT_OF):
            raise ValueError(
                f"word {i} of text (row {i // 4}, column {i % 4}) must be 0 or a power of two from 2 to 32768, "
                f"got {shown(face)}"
            )
        board = board << 4 | _EXPONENT_OF[int(face)]
    return board


def pretty(board: SupportsIndex) -> str:
    """A drawing of the board in face values, several lines without a newline at the end.

    Raises TypeError for what is no integer, OverflowError outside 0 .. 2**64 - 1.

    >>> print(pretty(0x1001_2000_0000_00b0))
    +-------+-------+-------+-------+
    |     2 |     . |     . |     2 |
    +-------+-------+-------+-------+
    |     4 |     . |     . |     . |
    +-------+-------+-------+-------+
    |     . |     . |     . |     . |
    +-------+-------+-------+-------+
    |     . |     . |  2048 |     . |
    +-------+-------+-------+-------+
    """
    rule = "+" + 4 * "-------+"
    lines = [rule]
    for row in to_grid(board):
        lines += ["|" + "".join(f" {face or '.':>5} |" for face in row), rule]
    return "\n".join(lines)
