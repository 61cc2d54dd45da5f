"""Slides of boards of any size: vectors of the original game, the oracle, the rule itself, bad input."""

import importlib.util
import itertools
import random

import oracle
import pytest
from conftest import ROOT
from vectors import objects, rows


def rule():
    spec = importlib.util.spec_from_file_location("rules", ROOT / "tables" / "rules.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


RULES = rule()


def random_grid(source, height, width, largest):
    empty = source.random()
    return [
        [0 if source.random() < empty else 2 ** source.randint(1, largest) for _ in range(width)] for _ in range(height)
    ]


def check_against_the_oracle(impl, grid):
    legal = 0
    for d, letter in enumerate("URDL"):
        after, points = oracle.slide(grid, letter)
        if max(map(max, after)) <= 2**62:  # the oracle knows no largest tile
            assert impl.grid.slide_with_reward(grid, letter) == (after, points)
            assert impl.grid.slide(grid, d) == after
            legal |= (after != grid) << d
        else:
            legal |= (impl.grid.slide(grid, d) != grid) << d
    assert impl.grid.legal_moves(grid) == legal


def test_moves_of_the_original_game_on_eight_sizes(impl):
    sizes = set()
    for case in objects("moves_nxn.jsonl.gz"):
        sizes.add(case["n"])
        legal = 0
        for d, letter in enumerate("URDL"):
            after, points = case["moves"][letter]
            assert impl.grid.slide_with_reward(case["board"], letter) == (after, points)
            legal |= (after != case["board"]) << d
        assert impl.grid.legal_moves(case["board"]) == legal
    assert sizes == {1, 2, 3, 5, 6, 8, 12, 20}


def test_moves_of_the_original_game_on_4x4_with_tiles_above_32768(impl):
    larger = 0
    for row in rows("moves_4x4.csv.gz"):
        grid = oracle.of_hex(row["board"])
        for d, name in enumerate("URDL"):
            after, points = impl.grid.slide_with_reward(grid, d)
            assert after == oracle.of_hex(row[name]) and points == int(row[f"{name}_reward"])
            larger += max(map(max, after)) > 32768
    assert larger > 100


def test_any_size_equals_the_oracle(impl):
    source = random.Random(2048)
    for _ in range(150):
        largest = source.choice((1, 2, 3, 11, 62))
        check_against_the_oracle(impl, random_grid(source, source.randint(1, 32), source.randint(1, 32), largest))


@pytest.mark.parametrize(("height", "width"), [(1, 1), (1, 32), (32, 1), (32, 32), (31, 7), (3, 4), (4, 3), (4, 4)])
def test_narrow_and_large_boards_equal_the_oracle(impl, height, width):
    source = random.Random(100 * height + width)
    for largest in (1, 2, 5, 61):
        check_against_the_oracle(impl, random_grid(source, height, width, largest))
        check_against_the_oracle(impl, [[2**largest] * width for _ in range(height)])
        check_against_the_oracle(impl, [[0] * width for _ in range(height)])


def test_every_short_line_equals_the_rule(both):
    for code in range(4**6):
        cells = bytes(code // 4**i % 4 for i in range(6))
        for top in (3, 62):
            left, right = RULES.slide_left(tuple(cells), top), RULES.slide_right(tuple(cells), top)
            for impl in both:
                for direction, shape, (after, points) in (
                    (0, (6, 1), left), (1, (1, 6), right), (2, (6, 1), right), (3, (1, 6), left),
                ):  # fmt: skip
                    assert impl.grid.slides.slide_cells(cells, *shape, direction, top) == (bytes(after), points)


def test_the_largest_tile_does_not_merge_and_points_are_exact(impl):
    line = [[2**62, 2**62, 2**61, 2**61]]
    assert impl.grid.slide_with_reward(line, "L") == ([[2**62, 2**62, 2**62, 0]], 2**62)
    full = [[2**61] * 32 for _ in range(32)]
    assert impl.grid.slide_with_reward(full, "U")[1] == 512 * 2**62
    mixed = [[2, 2, 2**31, 2**31, 2**32, 2**32, 2**61, 2**61]]
    assert impl.grid.slide_with_reward(mixed, "R")[1] == 4 + 2**32 + 2**33 + 2**62


def test_4x4_goes_the_same_way_through_the_packed_engine_and_the_general_one(impl):
    source = random.Random(4)
    for _ in range(1000):
        highest = source.choice((2, 5, 15))
        cells = bytes(source.choice((0, source.randint(1, highest))) for _ in range(16))
        for direction in range(4):
            for top in (15, 62):
                assert impl.grid.slides.slide_cells(cells, 4, 4, direction, top) == impl.grid.slides.kernels.slide(
                    cells, 4, 4, direction, top
                )


def test_a_lower_top_on_4x4_is_obeyed(impl):
    cells = bytes([3, 3, 2, 2] * 4)
    assert impl.grid.slides.slide_cells(cells, 4, 4, 3, 3) == (bytes([3, 3, 3, 0] * 4), 32)


def test_the_input_is_unchanged_and_lists_come_back_from_tuples(impl):
    grid = [[2, 2, 0], [4, 0, 4]]
    assert impl.grid.slide(grid, "R") == [[0, 0, 4], [0, 0, 8]]
    assert grid == [[2, 2, 0], [4, 0, 4]]
    assert impl.grid.slide(((2, 2),), "L") == [[4, 0]]
    assert impl.grid.slide((iter([2, 2]),), "L") == [[4, 0]]


def test_numpy_in_gives_numpy_out(impl):
    import numpy as np

    for dtype in ("uint8", "int16", "int32", "uint32", "int64", "uint64", ">i4"):
        grid = np.array([[2, 2, 0], [64, 32, 32]], dtype)
        before = grid.copy()
        after, points = impl.grid.slide_with_reward(grid, "L")
        assert isinstance(after, np.ndarray) and after.dtype == grid.dtype and type(points) is int
        assert after.tolist() == [[4, 0, 0], [64, 64, 0]] and points == 68
        assert (grid == before).all()
        assert impl.grid.slide(grid.T, "U").tolist() == [[4, 64], [0, 64], [0, 0]]
    assert impl.grid.slide(np.array([[2**61, 2**61]]), "L").tolist() == [[2**62, 0]]
    assert impl.grid.slide([[np.int64(2), np.uint8(2)]], "L") == [[4, 0]]
    assert impl.grid.legal_moves(np.array([[2, 4], [0, 0]])) == 0b0100


def test_a_tile_that_the_dtype_cannot_hold_is_an_error(impl):
    import numpy as np

    with pytest.raises(OverflowError, match="tile 256.*uint8"):
        impl.grid.slide(np.array([[128, 128]], "uint8"), "L")
    with pytest.raises(OverflowError, match="tile 128.*int8"):
        impl.grid.slide(np.array([[64, 64]], "int8"), "L")


BAD = [
    ([], ValueError, "1 to 32 rows, got 0"),
    ([[]], ValueError, "row 0 of grid must have 1 to 32 cells, got 0"),
    ([[2, 2], [2]], ValueError, "row 1 of grid must have 2 cells as row 0 has, got 1"),
    ([[2] * 33], ValueError, "1 to 32 cells, got 33"),
    ([[2]] * 33, ValueError, "1 to 32 rows, got 33"),
    ([[2, 2], [2, 3]], ValueError, "row 1, column 1 of grid .* power of two .* got 3"),
    ([[1]], ValueError, "row 0, column 0 of grid .* got 1"),
    ([[2, -2]], ValueError, "row 0, column 1 .* got -2"),
    ([[2**63]], ValueError, f"row 0, column 0 .* got {2**63}"),
    ([[10**9999]], ValueError, "row 0, column 0 .* got one of thousands of digits"),
    ([[2.0]], TypeError, "row 0, column 0 of grid must be an integer, not float"),
    ([["2"]], TypeError, "row 0, column 0 .* not str"),
    ([[None]], TypeError, "not NoneType"),
    ([[[2]]], TypeError, "row 0, column 0 .* not list"),
    (["22"], TypeError, "row 0 of grid must be a sequence, not str"),
    ("22", TypeError, "grid must be a sequence, not str"),
    ({2: 2}, TypeError, "grid must be a sequence, not dict"),
    ([2, 2], TypeError, "row 0 of grid must be a sequence, not int"),
    (2, TypeError, "grid must be a sequence, not int"),
    (None, TypeError, "grid must be a sequence, not NoneType"),
    (itertools.repeat([2]), ValueError, "1 to 32 rows, got 33"),
    ([itertools.repeat(2)], ValueError, "1 to 32 cells, got 33"),
]


@pytest.mark.parametrize(("grid", "error", "message"), BAD)
def test_what_is_no_grid_is_refused(impl, grid, error, message):
    for call in (
        lambda: impl.grid.slide(grid, "L"),
        lambda: impl.grid.slide_with_reward(grid, 0),
        lambda: impl.grid.legal_moves(grid),
        lambda: impl.grid.max_tile(grid),
    ):
        with pytest.raises(error, match=message):
            call()


def test_numpy_arrays_that_are_no_grids_are_refused(impl):
    import numpy as np

    for array, error, message in (
        (np.zeros((2, 2)), TypeError, "integer dtype, not float64"),
        (np.zeros((2, 2), bool), TypeError, "integer dtype, not bool"),
        (np.zeros(4, int), ValueError, "two dimensions"),
        (np.zeros((2, 2, 2), int), ValueError, "two dimensions"),
        (np.zeros((0, 3), int), ValueError, "1 to 32 rows and columns"),
        (np.broadcast_to(np.int64(0), (10**6, 10**6)), ValueError, "1 to 32 rows and columns"),
        (memoryview(bytearray(4)).cast("B", (2, 2)), TypeError, "must be a sequence"),
        (np.zeros((3, 0), int), ValueError, "1 to 32 rows and columns"),
        (np.full((2, 2), 3), ValueError, "row 0, column 0"),
    ):
        with pytest.raises(error, match=message):
            impl.grid.slide(array, "L")


def test_what_is_no_direction_is_refused(impl):
    for direction in (4, -1, "X", "", None, 1.0):
        with pytest.raises(ValueError, match="direction must be"):
            impl.grid.slide([[2, 2]], direction)


def test_the_module_is_an_attribute_of_the_package(impl):
    assert impl.grid.__name__ == f"{impl.__name__}.grid"
    assert sorted(impl.grid.__all__) == ["Game", "MaxTile", "legal_moves", "max_tile", "slide", "slide_with_reward"]


class Shrinking:
    """A cell that shortens its row while the grid is read."""

    def __init__(self, row):
        self.row = row

    def __index__(self):
        del self.row[1:]
        return 2


def test_a_grid_that_changes_while_it_is_read_is_read_as_it_was(impl):
    row = [0] * 32
    row[0] = Shrinking(row)
    grid = [row, [0] * 32, [2] + [0] * 31]
    assert impl.grid.slide_with_reward(grid, "U") == ([[4] + [0] * 31, [0] * 32, [0] * 32], 4)


def test_two_of_the_largest_tile_do_not_merge(impl):
    source = random.Random(17)
    for _ in range(300):
        height, width, largest = (*source.choice([(4, 4), (4, 4), (3, 5), (1, 6)]), source.randint(1, 4))
        grid, top = random_grid(source, height, width, largest), 2**largest
        for letter in "URDL":
            after = oracle.slide(grid, letter, top)
            assert impl.grid.slide_with_reward(grid, letter, top=top) == after
            assert impl.grid.slide(grid, letter, top=top) == after[0]
        mask = sum(1 << "URDL".index(letter) for letter in oracle.legal(grid, top))
        assert impl.grid.legal_moves(grid, top=top) == mask


@pytest.mark.parametrize(
    ("top", "error", "message"),
    [
        (3, ValueError, "top must be a power of two, got 3"),
        (1, ValueError, "top must be an integer from 2 to"),
        (2**63, ValueError, "top must be an integer from 2 to"),
        ("4", TypeError, "top must be an integer from 2 to .*, not str"),
        (8, ValueError, "grid must have no tile above top, 8, got 16"),
    ],
)
def test_bad_tops(impl, top, error, message):
    grid = impl.grid
    for call in (lambda: grid.legal_moves([[2, 16]], top=top), lambda: grid.slide([[2, 16]], 1, top=top)):
        with pytest.raises(error, match=message):
            call()
