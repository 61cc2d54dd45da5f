"""Boards as people write them: grids, text, drawings."""

from __future__ import annotations

from _operator import index
from collections.abc import Iterable, Sequence
from typing import Any, SupportsIndex

from ..tools.checks import shown
from .backend import in_c
from .check import word

LARGEST = 17  # the exponent of 131072, the largest tile of the original game; a packed board ends at 15
_EXPONENT_OF = {0: 0, **{2**k: k for k in range(1, LARGEST + 1)}}
_FACES = tuple(_EXPONENT_OF)
DIGITS = "0123456789abcdefgh"  # by exponent, as players of the web game write boards; g and h are not packed
_SEPARATORS = str.maketrans("/,;|_", "     ")


def _cell(value: Any, exponents: bool, top: int, where: str) -> int:
    """The exponent of one cell of a grid, at most `top`; `where` names it in an error."""
    try:
        number = index(value)
    except TypeError:
        raise TypeError(f"{where} of grid must be an integer, not {type(value).__name__}") from None
    if exponents:
        if 0 <= number <= 15:
            return number
        raise ValueError(f"{where} of grid must be an exponent from 0 to 15, got {shown(number)}")
    if _EXPONENT_OF.get(number, LARGEST + 1) > top:
        hint = "; bitboard.pack_view() takes it" if number in _EXPONENT_OF else ""
        raise ValueError(f"{where} of grid must be 0 or a power of two from 2 to {2**top}, got {shown(number)}{hint}")
    return _EXPONENT_OF[number]


def _items(values: Any, what: str) -> list[Any]:
    """The items of a row or grid; text is refused, since its items are letters."""
    if isinstance(values, (str, bytes, bytearray, dict)):
        raise TypeError(f"{what} must be a sequence of integers, not {type(values).__name__}")
    try:
        return [value for value, _ in zip(values, range(17), strict=False)]  # an endless one is too long as well
    except TypeError:
        raise TypeError(f"{what} must be a sequence of integers, not {type(values).__name__}") from None


@in_c
def from_grid(grid: Iterable[Any], *, exponents: bool = False) -> int:
    """The board of a grid.

    grid: 4 rows of 4 or a flat sequence of 16, in reading order: lists, tuples or a numpy
    array of an integer dtype. Cells are face values (0 2 4 ... 32768), or exponents
    (0 1 2 ... 15) with exponents=True.
    Raises TypeError for a non-integer, ValueError for another shape or value.

    >>> f"{from_grid([[2, 0, 0, 2], [4, 0, 0, 0], [0, 0, 0, 0], [0, 0, 2048, 0]]):016x}"
    '10012000000000b0'
    """
    board = 0
    for cell in exponents_of(grid, exponents, 15):
        board = board << 4 | cell
    return board


def exponents_of(grid: Iterable[Any], exponents: bool, top: int) -> list[int]:
    """The 16 exponents of a grid as from_grid() takes it, checked against the largest one, `top`."""
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
    return [_cell(value, exponents, top, where) for value, where in named]


@in_c
def to_grid(board: SupportsIndex, *, exponents: bool = False) -> list[list[int]]:
    """A board as a list of four lists of face values, or of exponents.

    Raises TypeError for a non-integer, OverflowError outside 0 .. 2**64 - 1.

    >>> to_grid(0x1001_2000_0000_00b0)
    [[2, 0, 0, 2], [4, 0, 0, 0], [0, 0, 0, 0], [0, 0, 2048, 0]]
    """
    number = word(board)
    cells = [number >> shift & 15 for shift in range(60, -4, -4)]
    if not exponents:
        cells = [_FACES[cell] for cell in cells]
    return [cells[r : r + 4] for r in (0, 4, 8, 12)]


# A board's 16 hexadecimal digits are its cells in reading order: formatting and translating them is the shortest way.
_HEXADECIMAL = bytearray(b"%016x")
_EXPONENTS = bytes.maketrans(b"0123456789abcdef", bytes(range(16)))


@in_c
def exponent_bytes(board: int) -> bytearray:
    """The 16 exponents of a board in reading order, a new bytearray. The board is not checked.

    >>> exponent_bytes(0x1001_2000_0000_00b0)[:5]
    bytearray(b'\\x01\\x00\\x00\\x01\\x02')
    """
    return (_HEXADECIMAL % board).translate(_EXPONENTS)  # type: ignore[return-value]


@in_c
def parse(text: str) -> int:
    """The board of a text: 16 hexadecimal digits, or 16 face values.

    Hexadecimal digits are exponents; an `0x` before them and spaces, newlines, `/` and `_`
    among them are allowed. Face values are separated by spaces, newlines, commas or `/`.
    Sixteen separate words are always face values, so that `2 4 8 2 ...` has one meaning.
    Raises TypeError for what is not a str, ValueError that says where for other text, and for the tiles 65536 and
    131072, which parse_grid() reads.

    >>> parse("1001/2000/0000/00b0") == parse("2 0 0 2  4 0 0 0  0 0 0 0  0 0 2048 0")
    True
    """
    board = 0
    for cell in _cells_of_text(text, 15):
        board = board << 4 | cell
    return board


def parse_grid(text: str) -> list[list[int]]:
    """The rows of exact face values of a text as parse() takes it, and with tiles up to 131072.

    The digits are 0 to 9, A to F, G (65536) and H (131072) then. A packed board cannot hold the last two: it ends
    at F (32768), and pack_view() makes a board of the rows that one can.
    Raises TypeError for what is not a str, ValueError that says where for other text.

    >>> parse_grid("00GH 0000 0000 1000")
    [[0, 0, 65536, 131072], [0, 0, 0, 0], [0, 0, 0, 0], [2, 0, 0, 0]]
    """
    faces = [_FACES[cell] for cell in _cells_of_text(text, LARGEST)]
    return [faces[r : r + 4] for r in (0, 4, 8, 12)]


def _cells_of_text(text: str, top: int) -> list[int]:
    """The 16 exponents of a text of digits or face values, none above `top`."""
    if not isinstance(text, str):
        raise TypeError(f"text must be a str, not {type(text).__name__}")
    words = text.translate(_SEPARATORS).split()
    if len(words) == 16:
        return _cells_of_faces(words, top)
    return [DIGITS.index(digit) for digit in hexadecimal_digits(words, top).lower()]


def hexadecimal_digits(words: list[str], top: int) -> str:
    """The 16 digits of a text in words of equal length (with `0x` before the first), none above `top`; else ValueError.

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
        if digit in "gGhH" and top < LARGEST:
            raise ValueError(
                f"{digit!r} at digit {position} of text is {_FACES[DIGITS.index(digit.lower())]}, which a packed board "
                "cannot hold; parse_grid() reads it"
            )
        if digit.lower() not in DIGITS or not digit.isascii():
            raise ValueError(
                f"text must be 16 hexadecimal digits or 16 face values; {digit!r} at digit {position} is neither"
            )
    if len(digits) != 16:
        raise ValueError(f"text must be 16 hexadecimal digits or 16 face values, got {len(digits)} digits")
    return digits


def _cells_of_faces(words: list[str], top: int) -> list[int]:
    """The exponents of 16 words that must be face values up to 2**top."""
    cells = []
    for i, face in enumerate(words):
        # isdecimal() takes digits of all scripts; int() would also take "1_6" and "+2"
        plain = face.isascii() and face.isdecimal() and len(face) <= 6
        cell = _EXPONENT_OF.get(int(face), LARGEST + 1) if plain else LARGEST + 1
        if cell > top:
            hint = "; parse_grid() reads it" if cell <= LARGEST else ""
            raise ValueError(
                f"word {i} of text (row {i // 4}, column {i % 4}) must be 0 or a power of two from 2 to {2**top}, "
                f"got {shown(face)}{hint}"
            )
        cells.append(cell)
    return cells


def is_grid(board: Any) -> bool:
    """Whether a board is meant as a grid and not as an integer; an array of numpy with one value is one integer."""
    text = isinstance(board, (str, bytes, bytearray, dict, set, frozenset))
    return hasattr(board, "__len__") and not text and getattr(board, "ndim", 1) > 0


def pretty(board: SupportsIndex | Sequence[Any]) -> str:
    """A drawing of the board in face values, several lines without a newline at the end.

    board: a packed board, or a grid of exact face values up to 131072 as pack_view() takes it.
    Raises TypeError for what is neither, OverflowError for an integer outside 0 .. 2**64 - 1, ValueError for a grid
    of another shape or value.

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
    if not is_grid(board):
        return drawing(to_grid(board))  # type: ignore[arg-type]
    faces = [_FACES[cell] for cell in exponents_of(board, False, LARGEST)]  # type: ignore[arg-type]
    return drawing([faces[r : r + 4] for r in (0, 4, 8, 12)])


def drawing(rows: list[list[int]]) -> str:
    """Rows of face values in a frame, the columns wide enough for the largest."""
    width = max(5, len(str(max(map(max, rows)))))
    rule = "+" + len(rows[0]) * ("-" * (width + 2) + "+")
    lines = [rule]
    for row in rows:
        lines += ["|" + "".join(f" {face or '.':>{width}} |" for face in row), rule]
    return "\n".join(lines)
