"""The functions of bitboard.sliding; arguments and errors are those that the docstring of the package tells."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, SupportsIndex

from ..core import check, kernels_of
from ..tools import checks, parallel
from . import board as _boards
from . import database as _databases
from . import heuristics as _heuristics
from . import solver as _solve
from .solver import LimitReached, Solution, Unsolvable

TYPE_CHECKING = False
if TYPE_CHECKING:
    Size = tuple[int, int]

    from . import _py as _kernels
else:
    Size = Any  # found by typing.get_type_hints()
    _kernels = kernels_of(__package__)

for _public in (LimitReached, Solution, Unsolvable):
    _public.__module__ = __package__  # where users find them


def from_grid(grid: Any, size: Size | None = None) -> int:
    """The packed board of a grid: nested rows of tiles, or flat ones that are square or of the size given.

    >>> f"{from_grid([[7, 2, 4], [5, 0, 6], [8, 3, 1]]):016x}"
    '7245068310000000'
    """
    return _boards.read(grid, size)[0]


def parse(text: str, size: Size | None = None) -> int:
    """The packed board of a text: "7 2 4 / 5 0 6 / 8 3 1", lists as in JSON, or 16 hexadecimal digits.

    Rows are apart by / ; or newlines, tiles by spaces or commas; the blank is 0 or a dot.

    >>> parse("1 2 / 3 .") == from_grid([[1, 2], [3, 0]])
    True
    """
    return _boards.read(checks.text(text, "text"), size)[0]


def size_of(board: Any) -> Size:
    """(rows, cols) of a grid or a text; (4, 4) for an int, which does not tell.

    >>> size_of("1 2 3 / 4 5 0")
    (2, 3)
    """
    return _boards.read(board)[1]


def to_grid(board: Any, size: Size | None = None) -> list[list[int]]:
    """The rows of tiles of a board.

    >>> to_grid(0x7245_0683_1000_0000, size=(3, 3))
    [[7, 2, 4], [5, 0, 6], [8, 3, 1]]
    """
    number, (rows, cols) = _boards.read(board, size)
    tiles = _boards.tiles_of(number, (rows, cols))
    return [tiles[start : start + cols] for start in range(0, rows * cols, cols)]


def pretty(board: Any, size: Size | None = None) -> str:
    """Draw a board; the blank is a dot.

    >>> print(pretty("7 2 4 / 5 0 6 / 8 3 1"))
    7 2 4
    5 . 6
    8 3 1
    """
    grid = to_grid(board, size)
    width = len(str(len(grid) * len(grid[0]) - 1))
    return "\n".join(" ".join(f"{tile or '.':>{width}}" for tile in row) for row in grid)


def is_solvable(board: Any, goal: Any = "blank-first", *, size: Size | None = None) -> bool:
    """Whether the goal can be reached: half of all boards can, and the parity tells.

    >>> is_solvable("1 2 3 / 4 5 6 / 8 7 0", goal="blank-last")
    False
    """
    number, form = _formed(board, goal, size)
    return form.solvable(form.convert(number))


def moves(board: Any, *, size: Size | None = None) -> str:
    """The letters of the moves that the blank can make, in the order U R D L.

    >>> moves("0 1 2 / 3 4 5 / 6 7 8")
    'RD'
    """
    number, found = _boards.read(board, size)
    blank = _boards.tiles_of(number, found).index(0)
    return "".join(
        letter for letter, to in zip(_boards.DIRECTIONS, _boards.neighbours(found), strict=True) if to[blank] >= 0
    )


def apply(board: Any, moves: str, *, size: Size | None = None) -> int:
    """The packed board after moves, letters U R D L of either case.

    Raises ValueError for another letter or a move off the board, and says which one.

    >>> pretty(apply("0 1 / 2 3", "RDL"), size=(2, 2)).split()
    ['1', '3', '.', '2']
    """
    number, found = _boards.read(board, size)
    if not isinstance(moves, str):
        raise TypeError(f"moves must be a str of letters U R D L, not {type(moves).__name__}")
    return _boards.moved(number, found, moves.upper())[-1]


def random_board(seed: SupportsIndex, size: Size = (4, 4), goal: Any = "blank-first") -> int:
    """A board from which the goal can be reached, all of them equally likely; the same for the same seed.

    A shuffle with random64(seed, 0), random64(seed, 1) ...; if its parity is wrong, its first two tiles
    in reading order change places. seed: 0 to 2**64 - 1.

    >>> is_solvable(random_board(1, size=(3, 3)), size=(3, 3))
    True
    """
    found = _boards.checked_size(size)
    return _boards.shuffled(check.word(seed, "seed"), found, _boards.read_goal(goal, found))


def manhattan(board: Any, goal: Any = "blank-first", *, size: Size | None = None) -> int:
    """The sum over the tiles of rows and columns to their places: never more than the distance.

    >>> manhattan("7 2 4 / 5 0 6 / 8 3 1")
    18
    """
    number, form = _formed(board, goal, size)
    return _heuristics.manhattan(form, form.convert(number))


def linear_conflict(board: Any, goal: Any = "blank-first", *, size: Size | None = None) -> int:
    """Manhattan distance and two moves for each tile that must step out of its line to let others pass.

    Never more than the distance, never less than manhattan(). After Hansson, Mayer and Yung (1992), with the
    fewest tiles of each line that leave the others in order.

    >>> linear_conflict("2 1 / 0 3", goal="1 2 / 0 3")
    4
    """
    number, form = _formed(board, goal, size)
    return _heuristics.linear_conflict(form, form.convert(number))


def walking_distance(board: Any, goal: Any = "blank-first", *, size: Size | None = None) -> int:
    """Moves that bring every tile into its row, tiles of one row all alike, and the same for columns.

    Never more than the distance, never less than manhattan(). Takahashi's, whose table of 24,964 states
    for four rows is made on first use (0.3 s). Along sides of more than four cells the Manhattan
    distance stands in.

    >>> walking_distance("7 2 4 / 5 0 6 / 8 3 1")
    18
    """
    number, form = _formed(board, goal, size)
    return _heuristics.walking_distance(form, form.convert(number))


def database_distance(
    board: Any, goal: Any = "blank-first", *, partition: str | None = None, size: Size | None = None
) -> int:
    """What an additive pattern database says of a board and its mirror image: never more than the distance.

    partition: "6-6-3" (the default for 4x4), "7-8" or other numbers of tiles from 1 to 8 that add up.
    The database is built on first use; see build_database().

    >>> database_distance("1 2 5 / 3 4 8 / 6 7 0", partition="4-4")
    4
    """
    number, form = _formed(board, goal, size)
    name = _databases.default_partition(form.size) if partition is None else partition
    heuristic = _databases.obtain(name, form.size, form.blank)
    assert heuristic is not None
    return int(_kernels.Search(form, heuristic).estimate(form.convert(number)))


def build_database(
    partition: str | None = None, size: Size = (4, 4), goal: Any = "blank-first", *, rebuild: bool = False
) -> str:
    """Make a pattern database if the cache has none, and give the path of its file.

    partition: as for database_distance(). A database serves all goals with the blank in a corner, and
    one more each other place of the blank up to mirroring. With rebuild an existing file is replaced.

    4x4, measured by tests/bench/sliding.py: 6-6-3 takes 5.8 MB and under a second; 7-8 takes 288 MB on disk,
    1.85 GB of memory while it is built, and half a minute. A bar shows the progress; Ctrl-C leaves no file.
    In pure Python patterns of at most five tiles can be built, and any file of the C core can be used.

    Raises ValueError for a partition, MemoryError, ImportError where the C core is needed. A cache that
    cannot be written is a RuntimeWarning, and the database then serves this process alone. FileNotFoundError where no
    cache is known: none of BITBOARD_CACHE, XDG_CACHE_HOME and HOME is set, and the user has no entry.
    """
    found = _boards.checked_size(size)
    form = _boards.form_of(found, _boards.read_goal(goal, found))
    name = _databases.default_partition(found) if partition is None else partition
    path = _databases.path_of(name, found, form.blank)  # found out before the work, if there is none
    _databases.obtain(name, found, form.blank, rebuild=rebuild)
    return path


def solve(
    board: Any,
    goal: Any = "blank-first",
    *,
    size: Size | None = None,
    method: str = "auto",
    heuristic: str = "auto",
    max_nodes: int | None = None,
    max_seconds: float | None = None,
    max_memory: int | None = None,
) -> Solution:
    """Solve a puzzle by as few moves as possible; see Solution for what comes back.

    method: "table" (all boards of a size, at most 9 cells; made once, 181,440 boards in about 10 ms),
    "idastar" (Korf's iterative deepening), "astar" (with the Manhattan distance, keeping every board it
    meets; for comparison), or "auto": the table if it can be, else IDA*.
    heuristic: for IDA* the partition of a pattern database ("6-6-3", "7-8", ...; built on first use),
    "walking-distance", "manhattan", or "auto": the default database, walking distance where it can
    neither be found nor built (pure Python).
    max_nodes: boards generated; max_seconds, at least 0: looked at about ten times a second, building a database
    counts; max_memory: bytes for A* (4 GiB if None) and for building a database. With "auto" a database that would
    not fit into half of the seconds, or into the memory, is not built: walking distance does,
    and under a second the Manhattan distance.

    Table and IDA* find the same solution on both backends with any heuristic: of the optimal ones the
    first in the order U L R D. A* finds one that may be another.

    Raises Unsolvable (a ValueError) at once if the parity is wrong, LimitReached (a RuntimeError) with
    the lower bound reached.

    >>> solution = solve("1 0 2 / 3 4 5")
    >>> solution.length, [f"{state:016x}"[:6] for state in solution.states()]
    (1, ['102345', '012345'])
    """
    number, found = _boards.read(board, size)
    limits = _solve.Limits(max_nodes, max_seconds, max_memory)
    return _solve.Solver(found, _boards.read_goal(goal, found), method, heuristic, limits).solve(number)


def solve_many(
    boards: Any,
    goal: Any = "blank-first",
    *,
    size: Size | None = None,
    method: str = "auto",
    heuristic: str = "auto",
    threads: int | None = None,
    errors: Literal["raise", "return"] = "raise",
    progress: Callable[[int], object] | None = None,
    max_nodes: int | None = None,
    max_seconds: float | None = None,
    max_memory: int | None = None,
) -> list[Any]:
    """Solve many puzzles of one size: a list of Solutions in their order.

    boards: an array of 64-bit words (array('Q'), numpy uint64), or boards in any form one by one, such as a
    numpy array (n, rows, cols).
    threads: that many searches at a time, by default one a processor that this process may use; in pure Python
    they take turns. Limits count for each board, and max_seconds for building a database by itself; if it
    is not built, no board is solved. errors: "raise" the first Unsolvable (before any search) or
    LimitReached, or "return" them in the list. progress: called with the number of boards just done.

    All 181,440 8-puzzles take under a second with the C core.

    >>> [solution.length for solution in solve_many(["1 0 / 2 3", "1 3 / 2 0"])]
    [1, 2]
    """
    if errors not in ("raise", "return"):
        raise ValueError(f"errors must be raise or return, got {errors!r}")
    limits = _solve.Limits(max_nodes, max_seconds, max_memory)
    words, found = _solve.read_many(boards, size)
    if threads is None:
        threads = parallel.threads_by_default()
    count = checks.integer(threads, "threads", 1, 1024)
    solver = _solve.Solver(found, _boards.read_goal(goal, found), method, heuristic, limits)
    return _solve.solve_all(solver, words, count, errors, progress or (lambda n: None))


def distances(size: Size = (3, 3), goal: Any = "blank-first") -> tuple[int, ...]:
    """How many boards lie at each distance from the goal: the sum is half of the arrangements.

    At most 10 cells: 181,440 boards of 3x3 take about 10 ms, 1,814,400 of 2x5 0.2 s with the C core.

    >>> distances((2, 2))
    (1, 2, 2, 2, 2, 2, 1)
    """
    found = _boards.checked_size(size)
    form = _boards.form_of(found, _boards.read_goal(goal, found))
    if form.cells > _solve.COUNTED_CELLS:
        raise ValueError(
            f"size must have at most {_solve.COUNTED_CELLS} cells to count all boards, "
            f"{_boards.text_of_size(found)} has {form.cells}"
        )
    return tuple(_solve.table_of(form).counts)


def _formed(board: Any, goal: Any, size: Size | None) -> tuple[int, _boards.Form]:
    """The packed board and how it is brought into the form that the solvers take."""
    number, found = _boards.read(board, size)
    return number, _boards.form_of(found, _boards.read_goal(goal, found))
