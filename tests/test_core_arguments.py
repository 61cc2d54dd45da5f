"""Bad input: the same exception type from both backends, and a message that names the argument."""

import contextlib
import decimal
import fractions
import gc
import inspect
import pickle
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


class Broken:
    def __index__(self):
        raise ZeroDivisionError("broken")


ONE_BOARD = [
    *("move_up", "move_right", "move_down", "move_left", "reward_rows", "reward_columns", "legal_moves", "is_over"),
    *("is_saturated", "empty_count", "max_exponent", "tile_sum", "transpose", "flip_horizontal", "flip_vertical"),
    *("rotate_90", "rotate_180", "rotate_270", "canonical", "afterstates", "spawns", "symmetries", "to_grid", "pretty"),
]

INTEGERS = [
    *(0, 1, 0x1122_3344_0000_0000, 2**63, 2**64 - 1, True, False),
    *(np.uint64(2**64 - 1), np.int64(7), np.uint8(200), np.int32(0x1100), Index(0x1122)),
]
NOT_INTEGERS = [
    *(None, 1.0, 0.0, "1", "", b"1", [], [1], (), {}, object(), 1j, int, Ellipsis),
    *(decimal.Decimal(1), fractions.Fraction(1), np.float64(1), np.float32(1), np.array([1, 2])),
    *(Index("1"), Index(1.0)),
]
OUTSIDE = [-1, 2**64, -(2**64), 10**30, -(10**5000), 10**5000, np.int64(-1), Index(-1), Index(2**64)]


@pytest.mark.parametrize("name", ONE_BOARD)
def test_what_is_an_integer_is_a_board(impl, name):
    function = getattr(impl, name)
    for value in INTEGERS:
        assert function(value) == function(int(value.value if isinstance(value, Index) else value))


@pytest.mark.parametrize("name", ONE_BOARD)
def test_what_is_no_board_is_refused(impl, name):
    function = getattr(impl, name)
    for value in NOT_INTEGERS:
        if name == "pretty" and isinstance(value, (list, tuple, np.ndarray)):  # it draws grids as well
            with pytest.raises(ValueError, match="^grid must have 4 rows of 4 cells, or 16 cells"):
                function(value)
            continue
        with pytest.raises(TypeError, match=r"^board must be an integer from 0 to 2\*\*64 - 1, not \w+$"):
            function(value)
    for value in OUTSIDE:
        with pytest.raises(OverflowError, match=r"^board must be an integer from 0 to 2\*\*64 - 1, got "):
            function(value)
    with pytest.raises(ZeroDivisionError, match="broken"):
        function(Broken())
    with pytest.raises(TypeError):
        function()
    with pytest.raises(TypeError):
        function(0, 0, 0)


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [("spawn", "board", "random64"), ("random64", "seed", "i"), ("stream", "seed", "index")],
)
def test_two_words(impl, name, first, second):
    function = getattr(impl, name)
    for value in INTEGERS:
        plain = int(value.value if isinstance(value, Index) else value)
        assert function(value, 5) == function(plain, 5)
        assert function(5, value) == function(5, plain)
    for values, error in [(NOT_INTEGERS, TypeError), (OUTSIDE, OverflowError)]:
        for value in values:
            with pytest.raises(error, match=f"^{first} must be"):
                function(value, 0)
            with pytest.raises(error, match=f"^{second} must be"):
                function(0, value)
    with pytest.raises(TypeError):
        function(0)


DIRECTIONS = {
    0: [0, "U", "u", "up", "UP", "Up", np.int64(0), np.uint8(0), Index(0), False],
    1: [1, "R", "r", "right", "RIGHT", np.int32(1), True],
    2: [2, "D", "d", "down", "DOWN", np.uint64(2)],
    3: [3, "L", "l", "left", "LEFT", np.int8(3)],
}
NO_DIRECTIONS = [
    *(-1, -2, -3, -4, -5, -6, -7, -8, 4, 5, 8, 2**64, 10**400, 1.0, 0.0, None, "", "x", "ul", " up", "0", "1", b"U"),
    *((), [], [1], object(), Index(4), Index(-1), np.float64(1), "l" * 1000),
]


def test_every_spelling_of_a_direction(impl):
    board = 0x1102_3321_0040_4110
    for d, spellings in DIRECTIONS.items():
        function = (impl.move_up, impl.move_right, impl.move_down, impl.move_left)[d]
        rewards = impl.reward_rows(board) if d & 1 else impl.reward_columns(board)
        for spelling in spellings:
            assert impl.move(board, spelling) == function(board)
            assert impl.reward(board, spelling) == rewards
    assert (impl.UP, impl.RIGHT, impl.DOWN, impl.LEFT) == impl.DIRECTIONS == (0, 1, 2, 3)


@pytest.mark.parametrize("key", ["w", "W", "a", "A", "s", "S"])
def test_the_keys_wasd_are_no_directions(impl, key):
    """D is: down, where such agents mean right. So the error of the others says it."""
    hint = r"got '{}'.* \(of the keys W A S D, which are no directions: they would be U L D R, and D is down\)$"
    calls = [
        lambda: impl.move(0x1100, key),
        lambda: impl.reward(0x1100, key),
        lambda: impl.grid.slide([[2, 2]], key),
        lambda: impl.Game(1).move(key),
        lambda: impl.evaluate(lambda board: key, games=1),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=hint.format(key)):
            call()
    with pytest.raises(ValueError, match=hint.format(key.upper())):
        impl.sliding.apply("1 2 / 3 0", f"u{key}")
    for other in ("x", "wa", ""):
        with pytest.raises(ValueError, match="got '") as error:
            impl.move(0x1100, other)
        assert "keys" not in str(error.value)
    assert impl.move(0x1100, "D") == impl.move_down(0x1100) == impl.move(0x1100, "d")


@pytest.mark.parametrize("name", ["move", "reward"])
def test_what_is_no_direction_is_a_value_error(impl, name):
    function = getattr(impl, name)
    for direction in NO_DIRECTIONS:
        with pytest.raises(
            ValueError, match="^direction must be 0 to 3, one of U R D L, or up, right, down, left; got "
        ):
            function(0x1100, direction)
    for value in NOT_INTEGERS:
        with pytest.raises(TypeError, match="^board must be"):
            function(value, 0)
    for value in OUTSIDE:
        with pytest.raises(OverflowError, match="^board must be"):
            function(value, "U")


def test_no_reference_is_lost_or_kept(impl, request):
    request.addfinalizer(gc.unfreeze)
    gc.collect()
    gc.freeze()  # what the other tests hold is not searched again and again
    values = [1.5, "text", [], 2**70, -(2**70), 10**5000, Index(2**70), Index(-1), Index(5), 2**64 - 1]
    for value in values:
        counts = []
        for _ in range(5):
            for _ in range(30):
                for function in (impl.move_left, lambda v: impl.spawn(0, v), impl.afterstates):
                    with contextlib.suppress(TypeError, OverflowError):
                        function(value)
            gc.collect()
            counts.append((sys.getrefcount(value), sys.getrefcount(type(value)), sys.getallocatedblocks()))
        assert len({count[:2] for count in counts[1:]}) == 1, value
        # A block kept by a call would show in every round; what else the process does shows in one or another.
        assert min(b[2] - a[2] for a, b in pairwise(counts)) < 50, value


def test_public_names_are_the_same_and_all_documented(both):
    for module in both:
        assert set(module.__all__) <= set(dir(module))
        for name in module.__all__:
            value = getattr(module, name)
            if callable(value):
                assert value.__doc__ and len(value.__doc__) > 80, name
                assert inspect.getdoc(value) == inspect.getdoc(getattr(both[0], name)), name
                assert inspect.signature(value) is not None
                assert value.__name__ == name
    assert all(module.__all__ == both[0].__all__ for module in both)


def test_boards_and_functions_pickle(both):
    for name in both[0].__all__:
        value = getattr(both[0], name)
        assert pickle.loads(pickle.dumps(value)) == value, name


if "c" in BACKENDS:

    def test_leaf_functions_are_c_builtins_without_a_python_frame():
        for name in ONE_BOARD[:19]:
            assert inspect.isbuiltin(getattr(IMPLEMENTATIONS["c"], name)), name
        assert inspect.isfunction(IMPLEMENTATIONS["python"].move_left)


def test_an_error_has_one_traceback(impl):
    for call in (lambda: impl.move(0, "X"), lambda: impl.move("x", 1), lambda: impl.reward(0, None)):
        with pytest.raises((ValueError, TypeError)) as caught:
            call()
        assert caught.value.__context__ is None or caught.value.__suppress_context__


def test_unknown_names_are_attribute_errors(impl):
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = impl.no_such_name
