"""The one-board functions in pure Python, over the same row table as the C core.

The names and docstrings are those of the C functions too: the build puts these
docstrings into bitboard/core/_leaf. The comments on how each works are in csrc/bitboard.h.
All raise TypeError for a non-integer, OverflowError outside 0 .. 2**64 - 1, and name the argument.
"""

import sys
from os.path import dirname, join

from .check import WORD, word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import SupportsIndex
else:  # what typing.get_type_hints() finds: typing itself takes longer to import than all of this
    SupportsIndex = int

__all__ = [
    "canonical",
    "empty_count",
    "first_board",
    "flip_horizontal",
    "flip_vertical",
    "is_over",
    "is_saturated",
    "legal_moves",
    "max_exponent",
    "move_down",
    "move_left",
    "move_right",
    "move_up",
    "next_board",
    "random64",
    "reward_columns",
    "reward_rows",
    "rotate_90",
    "rotate_180",
    "rotate_270",
    "spawn",
    "stream",
    "tile_sum",
    "transpose",
]

# By the loader, which reads from a zip too.
ROWS = memoryview(__spec__.loader.get_data(join(dirname(__file__), "rows.bin"))).cast("Q")  # type: ignore[union-attr]
if sys.byteorder == "big":
    from array import array

    _swapped = array("Q", ROWS)
    _swapped.byteswap()
    ROWS = memoryview(_swapped)

EACH_CELL = 0x1111111111111111


def _exchange(board: int, mask: int, shift: int) -> int:
    """Exchange the bits under mask with those `shift` above them."""
    t = (board ^ board >> shift) & mask
    return board ^ t ^ t << shift


def _transposed(board: int) -> int:
    return _exchange(_exchange(board, 0x0000F0F00000F0F0, 12), 0x00000000FF00FF00, 24)


def _entries(board: int) -> tuple[int, int, int, int]:
    """The table entries of the four rows, top one first."""
    return ROWS[board >> 48], ROWS[board >> 32 & 0xFFFF], ROWS[board >> 16 & 0xFFFF], ROWS[board & 0xFFFF]


def _slid_left(board: int) -> int:
    a, b, c, d = _entries(board)
    return (a & 0xFFFF) << 48 | (b & 0xFFFF) << 32 | (c & 0xFFFF) << 16 | d & 0xFFFF


def _slid_right(board: int) -> int:
    a, b, c, d = _entries(board)
    return (a & 0xFFFF0000) << 32 | (b & 0xFFFF0000) << 16 | c & 0xFFFF0000 | d >> 16 & 0xFFFF


def _rows_reward(board: int) -> int:
    a, b, c, d = _entries(board)
    return ((a >> 32 & 0xFFFF) + (b >> 32 & 0xFFFF) + (c >> 32 & 0xFFFF) + (d >> 32 & 0xFFFF)) * 4


def _empty_cells(board: int) -> int:
    """The lowest bit of every empty cell."""
    some = board | board >> 1
    return ~(some | some >> 2) & EACH_CELL


def move_up(board: SupportsIndex, /) -> int:
    """Slide up: the board after the slide, before a spawn; unchanged if the slide is illegal.

    >>> import bitboard
    >>> f"{bitboard.move_up(0x1000_1000_2000_0000):016x}"
    '2000200000000000'
    """
    return _transposed(_slid_left(_transposed(word(board))))


def move_right(board: SupportsIndex, /) -> int:
    """Slide right: the board after the slide, before a spawn; unchanged if the slide is illegal.

    >>> import bitboard
    >>> f"{bitboard.move_right(0x2110_0000_0000_0000):016x}"
    '0022000000000000'
    """
    return _slid_right(word(board))


def move_down(board: SupportsIndex, /) -> int:
    """Slide down: the board after the slide, before a spawn; unchanged if the slide is illegal.

    >>> import bitboard
    >>> f"{bitboard.move_down(0x1000_1000_2000_0000):016x}"
    '0000000020002000'
    """
    return _transposed(_slid_right(_transposed(word(board))))


def move_left(board: SupportsIndex, /) -> int:
    """Slide left: the board after the slide, before a spawn; unchanged if the slide is illegal.

    >>> import bitboard
    >>> f"{bitboard.move_left(0x1122_0000_0000_0000):016x}"
    '2300000000000000'
    """
    return _slid_left(word(board))


def reward_rows(board: SupportsIndex, /) -> int:
    """The points that a slide LEFT or RIGHT earns (the same for both).

    A merge into the tile 2**k earns 2**k; an illegal slide earns 0.

    >>> import bitboard
    >>> bitboard.reward_rows(0x1122_0000_0000_0000)
    12
    """
    return _rows_reward(word(board))


def reward_columns(board: SupportsIndex, /) -> int:
    """The points that a slide UP or DOWN earns (the same for both).

    A merge into the tile 2**k earns 2**k; an illegal slide earns 0.

    >>> import bitboard
    >>> bitboard.reward_columns(0x1000_1000_0000_0000)
    4
    """
    return _rows_reward(_transposed(word(board)))


def legal_moves(board: SupportsIndex, /) -> int:
    """The legal directions as a mask: bit d is set where direction d changes the board.

    Bits 0, 1, 2, 3 are UP, RIGHT, DOWN, LEFT. It depends on the board alone.

    >>> import bitboard
    >>> bin(bitboard.legal_moves(0x1000_0000_0000_0000))  # the corner: RIGHT and DOWN
    '0b110'
    """
    number = word(board)
    a, b, c, d = _entries(number)
    e, f, g, h = _entries(_transposed(number))
    return (a | b | c | d) >> 48 & 15 | (e | f | g | h) >> 52 & 15


def is_over(board: SupportsIndex, /) -> bool:
    """Whether no direction is legal. The empty board counts as over: no slide changes it.

    >>> import bitboard
    >>> bitboard.is_over(0x1212_2121_1212_2121)
    True
    """
    return not legal_moves(board)


def is_saturated(board: SupportsIndex, /) -> bool:
    """Whether two 32768 tiles meet in a row or column with nothing between them.

    The game on paper would merge them into 65536. A 4-bit cell cannot hold that,
    so here they stay as they are: nothing is lost, and this function tells.

    >>> import bitboard
    >>> bitboard.is_saturated(0xF00F_0000_0000_0000), bitboard.is_saturated(0xF01F_0000_0000_0000)
    (True, False)
    """
    number = word(board)
    flags = 0
    for entry in _entries(number) + _entries(_transposed(number)):
        flags |= entry
    return bool(flags >> 56 & 1)


def spawn(board: SupportsIndex, random64: SupportsIndex, /) -> int:
    """The board with one tile more, chosen by a 64-bit random number.

    With n empty cells the tile goes to the ((random64 >> 32) * n >> 32)-th of them in
    reading order, and is a 4 where (random64 & 0xFFFFFFFF) < 429496730 (one in ten),
    else a 2. A full board comes back unchanged.

    >>> import bitboard
    >>> f"{bitboard.spawn(0x1111_1111_1111_0111, 0):016x}"
    '1111111111112111'
    """
    number, random = word(board), word(random64, "random64")
    empty = _empty_cells(number)
    n = empty.bit_count()
    rank = n - ((random >> 32) * n >> 32)  # the rank-th empty cell from the bottom
    for _ in range(rank - 1):
        empty &= empty - 1
    cell = empty & -empty
    return number | cell << ((random & 0xFFFFFFFF) < 429496730)


def _mix(z: int) -> int:
    """The finaliser of SplitMix64."""
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB & WORD
    return z ^ z >> 31


_GOLDEN = 0x9E3779B97F4A7C15  # the distance between numbers of a stream


def random64(seed: SupportsIndex, i: SupportsIndex, /) -> int:
    """Number i of the random stream of a seed: 64 bits, by SplitMix64, without state.

    seed, i: integers from 0 to 2**64 - 1. Source: Steele, Lea and Flood, "Fast
    Splittable Pseudorandom Number Generators" (2014); number i is their i-th output.

    >>> import bitboard
    >>> hex(bitboard.random64(0, 0))
    '0xe220a8397b1dcdaf'
    """
    return _mix(word(seed, "seed") + (word(i, "i") + 1) * _GOLDEN & WORD)


def stream(seed: SupportsIndex, index: SupportsIndex, /) -> int:
    """The seed of the independent stream number `index` of a seed.

    Game `index` of a batch or an evaluation plays with this seed, so the games do not
    depend on how many are played or where. seed, index: integers from 0 to 2**64 - 1.

    >>> import bitboard
    >>> bitboard.stream(1, 0) != bitboard.stream(1, 1)
    True
    """
    return _mix(_mix(word(seed, "seed")) + (word(index, "index") + 1) * 0xD1B54A32D192ED03 & WORD)


# The law of a game, for everything that plays one: where its random numbers go. A slide that changes nothing is no
# slide, and the game is over where no direction is legal.


def first_board(stream: SupportsIndex, /) -> int:
    """The board that the game of a stream starts with: two tiles, by numbers 0 and 1 of the stream.

    >>> f"{first_board(1):016x}"
    '0000000001001000'
    """
    seed = word(stream, "stream")
    return spawn(spawn(0, random64(seed, 0)), random64(seed, 1))


def next_board(board: SupportsIndex, stream: SupportsIndex, slide: SupportsIndex, /) -> int:
    """The board after the spawn of slide number `slide`, from 0, of the game of a stream: by number 2 + slide.

    board: the afterstate of that slide.

    >>> next_board(0x1000, 1, 0) == spawn(0x1000, random64(1, 2))
    True
    """
    return spawn(board, _mix(word(stream, "stream") + (word(slide, "slide") + 2 + 1) * _GOLDEN & WORD))


def empty_count(board: SupportsIndex, /) -> int:
    """How many cells are empty, 0 to 16.

    >>> import bitboard
    >>> bitboard.empty_count(0x1200_0000_0000_0000)
    14
    """
    return _empty_cells(word(board)).bit_count()


def max_exponent(board: SupportsIndex, /) -> int:
    """The exponent of the largest tile, 0 on the empty board.

    >>> import bitboard
    >>> 2 ** bitboard.max_exponent(0x12b0_0000_0000_0000)
    2048
    """
    number = word(board)
    return max(number >> shift & 15 for shift in range(0, 64, 4))


def tile_sum(board: SupportsIndex, /) -> int:
    """The sum of the face values of all tiles. Slides keep it; a spawn adds 2 or 4.

    >>> import bitboard
    >>> bitboard.tile_sum(0x12b0_0000_0000_0000)
    2054
    """
    number = word(board)
    return sum((1 << (number >> shift & 15)) & ~1 for shift in range(0, 64, 4))


def transpose(board: SupportsIndex, /) -> int:
    """Rows become columns: mirrored in the diagonal from the top left.

    >>> import bitboard
    >>> f"{bitboard.transpose(0x0123_4567_89ab_cdef):016x}"
    '048c159d26ae37bf'
    """
    return _transposed(word(board))


def flip_horizontal(board: SupportsIndex, /) -> int:
    """Each row mirrored: left and right change places.

    >>> import bitboard
    >>> f"{bitboard.flip_horizontal(0x0123_4567_89ab_cdef):016x}"
    '32107654ba98fedc'
    """
    return _exchange(_exchange(word(board), 0x0F0F0F0F0F0F0F0F, 4), 0x00FF00FF00FF00FF, 8)


def flip_vertical(board: SupportsIndex, /) -> int:
    """The order of the rows mirrored: top and bottom change places.

    >>> import bitboard
    >>> f"{bitboard.flip_vertical(0x0123_4567_89ab_cdef):016x}"
    'cdef89ab45670123'
    """
    number = _exchange(word(board), 0x0000FFFF0000FFFF, 16)
    return number >> 32 | (number & 0xFFFFFFFF) << 32


def rotate_90(board: SupportsIndex, /) -> int:
    """Turned clockwise: the left column, from below, becomes the top row.

    A slide in direction d becomes one in direction (d + 1) % 4.

    >>> import bitboard
    >>> f"{bitboard.rotate_90(0x0123_4567_89ab_cdef):016x}"
    'c840d951ea62fb73'
    """
    return flip_horizontal(transpose(board))


def rotate_180(board: SupportsIndex, /) -> int:
    """Turned by half a turn: the order of the sixteen cells reversed.

    It also converts to and from engines that put the top-left cell in the lowest
    nibble (nneonneo's 2048-ai, TDL2048).

    >>> import bitboard
    >>> f"{bitboard.rotate_180(0x0123_4567_89ab_cdef):016x}"
    'fedcba9876543210'
    """
    return flip_horizontal(flip_vertical(board))


def rotate_270(board: SupportsIndex, /) -> int:
    """Turned counter-clockwise: the right column becomes the top row.

    A slide in direction d becomes one in direction (d + 3) % 4.

    >>> import bitboard
    >>> f"{bitboard.rotate_270(0x0123_4567_89ab_cdef):016x}"
    '37bf26ae159d048c'
    """
    return flip_vertical(transpose(board))


def canonical(board: SupportsIndex, /) -> int:
    """The smallest of the eight symmetric images: the same number for all of them.

    >>> import bitboard
    >>> bitboard.canonical(0x0001_0000_0000_0000) == bitboard.canonical(0x1000)
    True
    """
    smallest = number = word(board)
    for i in range(8):
        number = _transposed(number) if i & 1 else flip_horizontal(number)
        smallest = min(smallest, number)
    return smallest


# Indexed by direction.
MOVES = (move_up, move_right, move_down, move_left)
REWARDS = (reward_columns, reward_rows, reward_columns, reward_rows)
