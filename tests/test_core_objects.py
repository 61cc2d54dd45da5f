"""The functions that C answers by itself (csrc/leaf_objects.h): the same as the ones in Python that it stands in for.

What the functions are to give is tested against oracles elsewhere; here every way to call them is compared, to the
type of each item and the text of each message, and references are counted.
"""

import gc
import importlib
import sys
from itertools import pairwise

import numpy as np
import pytest
from conftest import BACKENDS, IMPLEMENTATIONS


class Index:
    """An integer in the sense of operator.index()."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value

    def __repr__(self):
        return f"Index({self.value!r})"


class Broken:
    def __index__(self):
        raise ZeroDivisionError("broken")

    def __bool__(self):
        raise ZeroDivisionError("broken too")


class Word(str):
    """A str of another class."""


class Whole(int):
    """An int of another class."""


class Rows(list):
    """A list of another class, which is not what its items say."""

    def __iter__(self):
        return iter([2] * 16)


class Array(np.ndarray):
    """An array of another class, with another tolist()."""

    def tolist(self):
        return [0] * 16


GRID = [[2, 0, 0, 4], [8, 16, 32, 64], [128, 256, 512, 1024], [2048, 4096, 8192, 32768]]
FLAT = sum(GRID, [])
EXPONENTS = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15]]

BOARDS = [
    *(0, 1, 0x1100 << 48, 0x1122_3344_0000_0000, 0x0123_4561_2345_6123, 0x1212_2121_1212_2121, 0xF00F << 48, 2**63),
    *(2**64 - 2, 2**64 - 1, True, Whole(0x1102), np.uint64(2**64 - 1), np.int8(7), Index(0x1122), Index(2**64 - 1)),
    *(-1, 2**64, 10**5000, Index(-1), Index("1"), np.int64(-1), None, 1.0, "1", b"1", [], Broken(), np.array([1, 2])),
]
DIRECTIONS = [
    *(0, 1, 2, 3, True, False, np.int64(2), np.uint8(3), Index(1), Whole(2)),
    *("U", "r", "d", "L", "up", "Right", "DOWN", "left", Word("left"), Word("U")),
    *(-1, 4, 2**32, 2**63, 2**64, 10**400, -(10**400), 1.0, None, "", "x", "u ", "upp", "lef", "lefts", "\x55\0", "ü"),
    *("\ud800", "Ｕ", b"U", (), Index(4), Index(-1), Index("x"), Broken(), np.float64(1)),
]
GRIDS = [
    *(GRID, FLAT, tuple(FLAT), tuple(map(tuple, GRID)), [tuple(GRID[0]), *GRID[1:]], EXPONENTS, sum(EXPONENTS, [])),
    *(np.array(GRID), np.array(FLAT), np.array(GRID).T, np.array(GRID, np.uint64), np.array(EXPONENTS, np.int8)),
    *(np.array(GRID, object), np.array(GRID, float), np.ones((4, 4), bool), np.array(GRID).view(Array)),
    *(np.ma.array(GRID), np.array(5), np.zeros((2, 8), int), np.zeros((4, 4, 1), int), np.zeros((4, 4, 4), int)),
    *([np.array(row) for row in GRID], [np.int64(2)] * 16, [Index(2)] * 16, [True] * 16, Rows([0] * 16), Rows(GRID)),
    *([GRID[0], Rows(GRID[0]), *GRID[2:]], range(16), (2,) * 17, [2] * 15, [[2] * 4] * 3, [[2] * 4] * 3 + [[2] * 5]),
    *([0] * 15 + [65536], [0] * 15 + [-2], [0] * 15 + [1], [0] * 15 + [6], [0] * 15 + [2**64], [0] * 15 + [2**64 + 2]),
    *([0] * 15 + [10**5000], [0] * 15 + [2.0], [0] * 15 + ["2"], [16] * 16, [15] * 16, [0] * 15 + [Broken()]),
    *(None, 5, "0" * 16, b"0" * 16, {}, set(), [], (), Broken()),
]
TEXTS = [
    *("0123456789abcdef", "FEDCBA9876543210", "0x0123456789abcdef", "0x23456789abcdef", "0123/4567/89ab/cdef"),
    *("2 0 0 2  4 0 0 0  0 0 0 0  0 0 2048 0", "0" * 15 + "g", "0" * 15 + "G", "0" * 15 + "H", "0" * 15, "0" * 17, ""),
    *("0" * 15 + " ", "0" * 15 + "_", "_" + "0" * 15, "+" + "0" * 15, "0" * 15 + "@", "0" * 15 + "`", "0" * 15 + "٢"),
    *("０" * 16, "\ud800" * 16, "0" * 15 + "\0", "é" * 8, Word("0123456789abcdef"), b"0" * 16, None, 5, ["0"] * 16),
]

FALSE_AND_TRUE = [False, True, 0, 1, None, "x", Broken()]
ONE_BOARD = ["afterstates", "spawns", "symmetries", "to_grid"]
CALLS = {
    **{
        name: [
            *[((board,), {}) for board in BOARDS],
            *[((), {"board": board}) for board in BOARDS],
            *[((), {}), ((1, 2), {}), ((1,), {"board": 1}), ((1,), {"bord": 1}), ((1, 2, 3), {"a": 1, "b": 2})],
        ]
        for name in ONE_BOARD
    },
    **{
        name: [
            *[((board, direction), {}) for board in BOARDS for direction in DIRECTIONS],
            *[((board,), {"direction": direction}) for board in BOARDS[:8] for direction in DIRECTIONS],
            *[((), {"board": 0x1122 << 48, "direction": direction}) for direction in DIRECTIONS],
            *[
                ((), {}),
                ((1,), {}),
                ((1, 2, 3), {}),
                ((), {"direction": 1}),
                ((1, 2), {"board": 1}),
                ((1, 2), {"x": 1}),
            ],
        ]
        for name in ("move", "reward")
    },
    "from_grid": [
        *[((grid,), {}) for grid in GRIDS],
        *[((), {"grid": grid}) for grid in GRIDS],
        *[((grid,), {"exponents": exponents}) for grid in GRIDS for exponents in FALSE_AND_TRUE],
        *[((), {}), ((GRID, True), {}), ((GRID,), {"exponent": True}), ((GRID,), {"exponents": True, "grid": GRID})],
    ],
    "parse": [
        *[((text,), {}) for text in TEXTS],
        *[((), {"text": text}) for text in TEXTS],
        *[((), {}), (("0" * 16, 1), {}), (("0" * 16,), {"text": "0" * 16})],
    ],
}
CALLS["turn"] = [
    *[((0x1122 << 48, direction, 7, 3), {}) for direction in DIRECTIONS],
    *[((board, 1, 7, 3), {}) for board in BOARDS if not isinstance(board, Index)],  # the board is an int here
    *[((0x1122 << 48, 3, word, 3), {}) for word in BOARDS],
    *[((0x1122 << 48, 3, 7, word), {}) for word in BOARDS],
    *[((), {}), ((1, 2, 3), {}), ((1, 2, 3, 4, 5), {}), ((1, 2, 3), {"slide": 4})],
]
CALLS["exponent_bytes"] = [((board,), {}) for board in (0, 1, 0x0123_4567_89AB_CDEF, 2**64 - 1)]
CALLS["to_grid"] += [((board,), {"exponents": exponents}) for board in BOARDS for exponents in FALSE_AND_TRUE]


def function_of(impl, name):
    """The function of a name, public or not."""
    for place in (impl, impl.core, importlib.import_module(".core.notation", impl.__name__)):
        if name in dir(place):
            return getattr(place, name)
    raise AssertionError(name)


def shape_of(value):
    """A value with the type of everything in it."""
    if isinstance(value, (list, tuple)):
        return type(value), [shape_of(item) for item in value]
    return type(value), value


def outcome(function, positional, named):
    """What a call gives: a value with its types, or an error with its message."""
    try:
        return shape_of(function(*positional, **named))
    except Exception as error:
        return type(error), str(error)


@pytest.mark.parametrize("name", CALLS)
def test_every_way_to_call_gives_the_same_on_both_backends(both, name):
    first, *others = both
    for positional, named in CALLS[name]:
        wanted = outcome(function_of(first, name), positional, named)
        assert type(wanted[0]) is type
        for other in others:
            assert outcome(function_of(other, name), positional, named) == wanted, (positional, named)


@pytest.mark.parametrize("name", ["move", "reward", *ONE_BOARD])
def test_random_boards_on_both_backends(both, name):
    first, *others = both
    more = [("U",), (1,), ("down",), (3,)] if name in ("move", "reward") else [()]
    for i in range(1000):
        board = both[0].random64(11, i) & (both[0].random64(12, i) if i & 1 else 2**64 - 1)
        for arguments in more:
            wanted = outcome(function_of(first, name), (board, *arguments), {})
            assert all(outcome(function_of(other, name), (board, *arguments), {}) == wanted for other in others)


def test_a_turn_is_made_of_the_functions_of_one_board(impl):
    for i in range(2000):
        board = impl.random64(21, i) & (impl.random64(22, i) if i & 1 else 2**64 - 1)
        board |= 0xFF << 4 * (i % 15) if i % 3 == 0 else 0
        for direction in impl.DIRECTIONS:
            after = impl.move(board, direction)
            following = impl.spawn(after, impl.random64(i, 2 + 5))
            wanted = (
                after,
                impl.reward(board, direction),
                following,
                impl.legal_moves(following),
                impl.is_saturated(following),
            )
            assert impl.core.turn(board, direction, i, 5) == (None if after == board else wanted)


def general(game):
    """How a game of any size moves."""
    return super(type(game), game).move


SPELLED = [
    (0, "U", "up", np.int64(0)),
    (1, "r", "Right", True),
    (2, "D", "DOWN", Index(2)),
    (3, "l", "left", np.uint8(3)),
]


@pytest.mark.parametrize("top", [131072, 32768])
def test_a_move_is_the_general_one(impl, top):
    for seed in range(40):
        board = None if seed & 1 else 0xFE00_E000_0000_0000 | impl.random64(5, seed) & 0x0033_0033_3333
        quick, slow = impl.Game(seed, board, top=top), impl.Game(seed, board, top=top)
        for i in range(300):
            if quick.over:
                break
            direction = int(impl.random64(seed, i) >> 62)
            spelled = SPELLED[direction][impl.random64(seed + 99, i) >> 62]
            moves = quick.move, general(slow)
            given, wanted = (outcome(move, (how,), {}) for move, how in zip(moves, (spelled, direction), strict=True))
            assert given == wanted
            assert (quick.board, quick.grid, quick.score) == (slow.board, slow.grid, slow.score)
        assert quick == slow and quick.history == slow.history and quick.scores == slow.scores
        assert list(quick) == list(slow) and all(type(item) is int for move in quick.history for item in move)
        for bad in ("x", 4, -1, None, 1.0):
            assert outcome(quick.move, (bad,), {}) == outcome(general(slow), (bad,), {})
        quick.undo(min(3, quick.moves))
        assert len(quick.scores) == quick.moves + 1 == len(list(quick))


def test_moves_of_a_game_keep_nothing(impl):
    game = impl.Game(1)

    def work():
        for direction in ("U", 1, "D", 3, "x", None):
            outcome(game.move, (direction,), {})
        game.undo(game.moves)

    work()
    assert growth(work) < 20


def test_round_trips_by_every_form_of_a_grid(impl):
    for i in range(1000):
        board = impl.random64(13, i)
        grid = impl.to_grid(board)
        assert all(type(face) is int for row in grid for face in row)
        assert impl.from_grid(grid) == impl.from_grid(tuple(map(tuple, grid))) == impl.from_grid(sum(grid, [])) == board
        assert impl.from_grid(np.array(grid)) == impl.from_grid(np.array(grid, np.uint16).ravel()) == board
        assert impl.from_grid(impl.to_grid(board, exponents=True), exponents=True) == board
        assert impl.parse(f"{board:016x}") == impl.parse(f"{board:016X}") == board


def test_what_is_given_back_is_new(impl):
    first, second = impl.to_grid(0x1234), impl.to_grid(0x1234)
    first[3][3] = 99
    assert second == impl.to_grid(0x1234) == [[0] * 4] * 3 + [[2, 4, 8, 16]]


def growth(work):
    """How many blocks of memory a piece of work keeps, the least of several rounds."""
    counts = []
    for _ in range(6):
        for _ in range(20):
            work()
        gc.collect()
        counts.append(sys.getallocatedblocks())
    return min(b - a for a, b in pairwise(counts[1:]))


@pytest.mark.parametrize("name", CALLS)
def test_no_call_keeps_a_reference(impl, name, request):
    request.addfinalizer(gc.unfreeze)
    gc.collect()
    gc.freeze()  # what the other tests hold is not searched again and again
    function, calls = function_of(impl, name), CALLS[name][:: 7 if len(CALLS[name]) > 400 else 1]
    constants = [None, True, False, int, 0, 1, 2, 3]

    def work():
        for positional, named in calls:
            outcome(function, positional, named)

    work()
    watched = [value for positional, named in calls for value in (*positional, *named.values())]
    before = [sys.getrefcount(value) for value in watched], [sys.getrefcount(value) for value in constants]
    assert growth(work) < 20
    after = [sys.getrefcount(value) for value in watched], [sys.getrefcount(value) for value in constants]
    own = {id(value) for value in constants}
    kept = [
        (value, new - old)
        for value, old, new in zip(watched, before[0], after[0], strict=True)
        if new != old and id(value) not in own and not isinstance(value, (int, str))  # those are shared with others
    ]
    assert kept == []
    assert all(new - old < 50 for old, new in zip(before[1], after[1], strict=True))  # of 120 rounds of many calls


if "c" in BACKENDS:

    def test_these_are_builtins_beside_functions_in_python():
        from bitboard.core import backend

        importlib.import_module("bitboard.core.notation")
        assert set(CALLS) == set(backend.careful) == set(backend.quick) - {"advance", "row_values"}
        for name in CALLS:
            function = function_of(IMPLEMENTATIONS["c"], name)
            assert function is backend.quick[name] and function is not backend.careful[name]
            assert function.__module__ == backend.careful[name].__module__
