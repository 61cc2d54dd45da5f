"""Grids and text: round trips, orientation, and what is refused."""

import numpy as np
import pytest
from conftest import IMPLEMENTATIONS
from hypothesis import given
from hypothesis import strategies as st

boards = st.integers(0, 2**64 - 1)
impls = st.sampled_from(list(IMPLEMENTATIONS.values()))

GRID = [[2, 0, 0, 4], [8, 16, 32, 64], [128, 256, 512, 1024], [2048, 4096, 8192, 32768]]
BOARD = 0x1002_3456_789A_BCDF


@given(impls, boards)
def test_round_trips(impl, board):
    assert impl.from_grid(impl.to_grid(board)) == board
    assert impl.from_grid(impl.to_grid(board, exponents=True), exponents=True) == board
    assert impl.from_grid(sum(impl.to_grid(board), [])) == board
    assert impl.from_grid(np.array(impl.to_grid(board))) == board
    assert impl.parse(f"{board:016x}") == impl.parse(f"{board:#018x}") == impl.parse(f"{board:016X}") == board
    assert impl.parse("\n".join(f"{board:016x}"[i : i + 4] for i in (0, 4, 8, 12))) == board
    assert impl.parse(" / ".join(" ".join(map(str, row)) for row in impl.to_grid(board))) == board
    assert impl.parse(",".join(map(str, sum(impl.to_grid(board), [])))) == board


def test_orientation(impl):
    assert impl.from_grid(GRID) == BOARD == int(f"{BOARD:016x}", 16)
    assert impl.to_grid(BOARD) == GRID
    assert impl.from_grid([[2, 0, 0, 0]] + [[0] * 4] * 3) == 1 << 60
    assert impl.to_grid(1 << 60)[0][0] == 2
    assert impl.to_grid(BOARD, exponents=True)[0] == [1, 0, 0, 2]


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.int64, np.uint64])
def test_numpy_grids_of_every_integer_type(impl, kind):
    exponents = np.array(impl.to_grid(BOARD, exponents=True), kind)
    assert impl.from_grid(exponents, exponents=True) == BOARD
    assert impl.from_grid(exponents.ravel(), exponents=True) == BOARD
    assert impl.from_grid(exponents.T, exponents=True) == impl.transpose(BOARD)


def test_tuples_and_mixed_rows(impl):
    assert impl.from_grid(tuple(map(tuple, GRID))) == BOARD
    assert impl.from_grid([GRID[0], tuple(GRID[1]), np.array(GRID[2]), GRID[3]]) == BOARD


@pytest.mark.parametrize(
    ("grid", "error", "message"),
    [
        (None, TypeError, "grid must be a sequence of integers, not NoneType"),
        (5, TypeError, "not int"),
        ("0" * 16, TypeError, "not str"),
        ({}, TypeError, "not dict"),
        ([], ValueError, "got a length of 0"),
        (range(10**10), ValueError, "got a length of 17 or more"),
        ([0] * 15 + [10**5000], ValueError, "cell 15 .* got one of thousands of digits"),
        ([0] * 15, ValueError, "got a length of 15"),
        ([[0] * 4] * 3, ValueError, "got a length of 3"),
        ([[0] * 4] * 3 + [[0] * 3], ValueError, "row 3 of grid must have 4 cells, got 3"),
        ([[0] * 4] * 3 + [0], TypeError, "row 3 of grid"),
        ([0] * 15 + [3], ValueError, "cell 15 of grid .* got 3"),
        ([0] * 15 + [1], ValueError, "cell 15"),
        ([0] * 15 + [-2], ValueError, "cell 15"),
        ([0] * 15 + [65536], ValueError, "cell 15 .* 32768, got 65536"),
        ([[0] * 4, [0, 0, 6, 0], [0] * 4, [0] * 4], ValueError, "row 1, column 2 of grid"),
        ([0] * 15 + [2.0], TypeError, "cell 15 of grid must be an integer, not float"),
        ([0] * 15 + [None], TypeError, "not NoneType"),
        ([0] * 15 + ["2"], TypeError, "not str"),
        (np.zeros((4, 4)), TypeError, "not float64"),
        (np.zeros((4, 4, 4), int), TypeError, "not ndarray"),
        (np.zeros((4, 4), "M8[ns]"), TypeError, "row 0, column 0 of grid must be an integer, not datetime64"),
        (np.full(16, 2, "m8[ns]"), TypeError, "cell 0 of grid must be an integer, not timedelta64"),
    ],
)
def test_bad_grids(impl, grid, error, message):
    with pytest.raises(error, match=message):
        impl.from_grid(grid)


@pytest.mark.parametrize("value", [16, -1, 2**64])
def test_bad_exponents(impl, value):
    with pytest.raises(ValueError, match="exponent from 0 to 15"):
        impl.from_grid([0] * 15 + [value], exponents=True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "got 0 digits"),
        ("123", "got 3 digits"),
        ("0" * 17, "got 17 digits"),
        ("0" * 15 + "g", "'g' at digit 15"),
        ("-" + "0" * 15, "'-' at digit 0"),
        ("0 " * 15 + "3", "word 15 of text .row 3, column 3.*got '3'"),
        ("0 " * 15 + "a", "got 'a'"),
        ("0 " * 15 + "+2", "got '.2'"),
        ("0 " * 15 + "1_6", "got 17 digits"),
        ("0 " * 15 + "٢", "word 15"),
        ("0 " * 15 + "65536", "word 15"),
        ("0 " * 15 + "9" * 5000, "word 15"),
        ("2 " * 14 + "1024", "15 words"),
        ("2 0 0 2 2 2 2 2 0 4 2 2 2 2 16", "groups of equal length; got 15 words"),
        ("1024 2 4 2 0 0 0 0 0 0 0 0 0", "got 13 words"),
        ("0 x1100000000000000", "got 2 words"),
        ("0x", "got 2 digits|'x'"),
        ("2 0 0 x", "'x' at digit 3"),
    ],
)
def test_bad_text(impl, text, message):
    with pytest.raises(ValueError, match=message):
        impl.parse(text)


def test_text_must_be_text(impl):
    for value in (None, 5, b"0" * 16, [0] * 16):
        with pytest.raises(TypeError, match="text must be a str"):
            impl.parse(value)


def test_sixteen_words_are_face_values(impl):
    assert impl.parse("2 4 8 2 " + "0 " * 12) == 0x1231 << 48


@given(impls, st.text(alphabet="0123456789abcdefxg _/\n,.-", max_size=40))
def test_any_text_is_a_board_or_a_value_error(impl, text):
    try:
        board = impl.parse(text)
    except ValueError:
        return
    assert 0 <= board < 2**64


def test_pretty(impl):
    lines = impl.pretty(BOARD).splitlines()
    assert len(lines) == 9
    assert [line.replace("|", " ").split() for line in lines[1::2]] == [
        [str(face) if face else "." for face in row] for row in GRID
    ]
    assert len({len(line) for line in lines}) == 1
