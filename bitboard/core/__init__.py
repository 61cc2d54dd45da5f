"""One board: slides, rewards, spawns, symmetries, on the backend that was chosen.

Here are the functions that are made of those of the backend: slides by direction, afterstates, outcomes of a spawn.
All of it is loaded at `import bitboard`; checks, notation and perft are modules of their own, loaded when used.
All functions raise TypeError for a non-integer, OverflowError for one outside 0 .. 2**64 - 1.
"""

from .backend import (
    BACKEND,
    REASON,
    canonical,
    empty_count,
    first_board,
    flip_horizontal,
    flip_vertical,
    in_c,
    is_over,
    is_saturated,
    kernels_of,
    legal_moves,
    max_exponent,
    move_down,
    move_left,
    move_right,
    move_up,
    next_board,
    quick,
    random64,
    reward_columns,
    reward_rows,
    rotate_90,
    rotate_180,
    rotate_270,
    spawn,
    stream,
    tile_sum,
    transpose,
)

__version__ = "0.1.0"

__all__ = [
    "BACKEND",
    "DIRECTIONS",
    "DOWN",
    "LEFT",
    "MOVES",
    "REASON",
    "REWARDS",
    "RIGHT",
    "UP",
    "Board",
    "Direction",
    "afterstates",
    "canonical",
    "choose",
    "empty_count",
    "first_board",
    "flip_horizontal",
    "flip_vertical",
    "is_over",
    "is_saturated",
    "kernels_of",
    "legal_moves",
    "max_exponent",
    "move",
    "move_down",
    "move_left",
    "move_right",
    "move_up",
    "next_board",
    "quick",
    "random64",
    "reward",
    "reward_columns",
    "reward_rows",
    "rotate_90",
    "rotate_180",
    "rotate_270",
    "spawn",
    "spawns",
    "stream",
    "symmetries",
    "tile_sum",
    "transpose",
    "turn",
]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, SupportsIndex

    Board = int
    Direction = Literal[0, 1, 2, 3]
else:  # what typing.get_type_hints() finds: typing itself takes longer to import than all of this
    Any = object
    SupportsIndex = Board = Direction = int

UP: Direction = 0
RIGHT: Direction = 1
DOWN: Direction = 2
LEFT: Direction = 3
DIRECTIONS: tuple[Direction, ...] = (UP, RIGHT, DOWN, LEFT)

# Indexed by direction.
MOVES = (move_up, move_right, move_down, move_left)
REWARDS = (reward_columns, reward_rows, reward_columns, reward_rows)


def choose(random64: int, n: int) -> int:
    """One of 0 .. n - 1, equally likely, from the high half of a random number."""
    return (random64 >> 32) * n >> 32


# A call of the None at the end is the TypeError of an unknown direction;
# the except branches below then sort out spellings and messages, so that integers stay fast.
# The checks are loaded when they are needed first: `import bitboard` does without them.
_MOVE_BY: tuple[Any, ...] = (*MOVES, None)
_REWARD_BY: tuple[Any, ...] = (*REWARDS, None)


def _direction(direction: "int | str") -> int:
    """check.direction(), which takes this place when it is called first."""
    global _direction
    from .check import direction as _direction

    return _direction(direction)


@in_c
def move(board: SupportsIndex, direction: int | str) -> Board:
    """Slide in a direction: the board after the slide, unchanged if the slide is illegal.

    direction: 0 to 3, "U" "R" "D" "L" in either case, or "up", "right", "down", "left". "D" is down, also for who
    means the keys W A S D, of which the others are a ValueError.
    No tile spawns: this is the afterstate. Integers are the fastest spelling.
    Raises TypeError or OverflowError for a bad board, ValueError for a direction.

    >>> f"{move(0x1100_0000_0000_0000, 'R'):016x}"
    '0002000000000000'
    """
    try:
        result: int = _MOVE_BY[direction if direction >= 0 else 4](board)  # type: ignore[operator, index]
        return result
    except (TypeError, IndexError):
        pass  # a name of a direction, or an error: the next line tells
    return _MOVE_BY[_direction(direction)](board)  # type: ignore[no-any-return]


@in_c
def reward(board: SupportsIndex, direction: int | str) -> int:
    """The points of a slide in a direction, in tile values: a merge into 2**k earns 2**k.

    direction: as for move(). An illegal slide earns 0.
    Raises TypeError or OverflowError for a bad board, ValueError for a direction.

    >>> reward(0x1100_0000_0000_0000, "R"), reward(0x1100_0000_0000_0000, "D")
    (4, 0)
    """
    try:
        result: int = _REWARD_BY[direction if direction >= 0 else 4](board)  # type: ignore[operator, index]
        return result
    except (TypeError, IndexError):
        pass  # a name of a direction, or an error: the next line tells
    return _REWARD_BY[_direction(direction)](board)  # type: ignore[no-any-return]


@in_c
def turn(
    board: int, direction: SupportsIndex, stream: SupportsIndex, slide: SupportsIndex, /
) -> tuple[Board, int, Board, int, bool] | None:
    """Slide number `slide` of the game of a stream, and the spawn after it; None where the slide is illegal.

    (afterstate, reward, next board, its legal directions, whether it is saturated): what all that play a game ask for.
    direction: 0 to 3, no other spelling; TypeError or IndexError for any other.

    >>> turn(0x1100 << 48, 1, 5, 0) == (2 << 48, 4, next_board(2 << 48, 5, 0), 15, False)
    True
    """
    try:
        number = direction.__index__()
    except AttributeError:
        raise TypeError(f"direction must be an integer from 0 to 3, not {type(direction).__name__}") from None
    after = MOVES[number if number >= 0 else 4](board)
    if after == board:
        return None
    following = next_board(after, stream, slide)
    return after, REWARDS[number](board), following, legal_moves(following), is_saturated(following)


@in_c
def afterstates(board: SupportsIndex) -> tuple[tuple[Direction, Board, int], ...]:
    """The legal slides of a board: (direction, afterstate, reward) for each, in the order U R D L.

    Empty if the game is over.

    >>> [(direction, f"{after:016x}", reward) for direction, after, reward in afterstates(0x1100 << 48)]
    [(1, '0002000000000000', 4), (2, '0000000000001100', 0), (3, '2000000000000000', 4)]
    """
    legal, columns, rows = legal_moves(board), reward_columns(board), reward_rows(board)
    candidates: tuple[tuple[Direction, int, int], ...] = (
        (0, move_up(board), columns),
        (1, move_right(board), rows),
        (2, move_down(board), columns),
        (3, move_left(board), rows),
    )
    return tuple([candidate for candidate in candidates if legal >> candidate[0] & 1])


@in_c
def spawns(board: SupportsIndex) -> tuple[tuple[float, Board], ...]:
    """Every outcome of a spawn: (probability, board) for a 2 and for a 4 in each empty cell.

    In reading order, the 2 first. The probabilities sum to 1 (to rounding). A full board has one outcome:
    itself, as for spawn().

    >>> [(p, f"{after:016x}") for p, after in spawns(0x0123_4561_2345_6123)]
    [(0.9, '1123456123456123'), (0.1, '2123456123456123')]
    """
    n = empty_count(board)  # which refuses what is not a board
    number = board.__index__()
    if not n:
        return ((1.0, number),)
    two, four = 0.9 / n, 0.1 / n
    outcomes = []
    for shift in range(60, -4, -4):
        if not number >> shift & 15:
            outcomes += [(two, number | 1 << shift), (four, number | 2 << shift)]
    return tuple(outcomes)


@in_c
def symmetries(board: SupportsIndex) -> tuple[Board, ...]:
    """The eight symmetric images of a board, some of them equal where it is symmetric.

    In the order: itself; turned clockwise by 90, 180 and 270 degrees; mirrored left-right,
    top-bottom, in the main diagonal (transpose) and in the other one.

    >>> len(symmetries(0x1000)), len(set(symmetries(0x1000)))
    (8, 4)
    """
    half_turned = rotate_180(board)
    return (
        board.__index__(),
        rotate_90(board),
        half_turned,
        rotate_270(board),
        flip_horizontal(board),
        flip_vertical(board),
        transpose(board),
        transpose(half_turned),
    )
