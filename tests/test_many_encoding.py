"""Boards into other arrays: equal to the one-board functions, shapes, items, and careful with buffers."""

from array import array

import numpy as np
import pytest
from conftest import BACKENDS
from test_many_batch import variants

N = 130


def some_boards(impl, n=N):
    return np.array([impl.random64(1, i) & impl.random64(2, i) | (i % 7 == 0) * 0xFF for i in range(n)], np.uint64)


def grid_of(impl, board):
    return impl.to_grid(board, exponents=True)


def expected_of(impl, name, boards):
    """What a function must give for a list of boards, as nested lists."""
    grids = [grid_of(impl, board) for board in boards]
    if name == "exponents":
        return grids
    if name == "symmetries":
        return [list(impl.symmetries(board)) for board in boards]
    return [[[[int(cell == k) for cell in row] for row in grid] for k in range(16)] for grid in grids]


FUNCTIONS = {
    "exponents": (lambda impl: impl.exponents_many, "uint8", (4, 4)),
    "one_hot": (lambda impl: impl.one_hot_many, "uint8", (16, 4, 4)),
    "one_hot_float": (
        lambda impl: lambda boards, out=None: impl.one_hot_many(boards, out, dtype="float32"),
        "float32",
        (16, 4, 4),
    ),
    "symmetries": (lambda impl: impl.symmetries_many, "uint64", (8,)),
}
CODES = {"uint8": "B", "float32": "f", "uint64": np.dtype(np.uint64).char, "int32": "i"}
each = pytest.mark.parametrize("name", FUNCTIONS)


@each
@pytest.mark.parametrize("shape", [(0,), (1,), (N,), (10, 13), (2, 0)])
def test_numpy_in_numpy_out(impl, name, shape):
    make, dtype, tail = FUNCTIONS[name]
    boards = some_boards(impl, int(np.prod(shape))).reshape(shape)
    result = make(impl)(boards)
    assert type(result) is np.ndarray and result.dtype == dtype and result.shape == shape + tail
    assert result.reshape(-1, *tail).tolist() == expected_of(impl, name, boards.ravel().tolist())


@each
def test_arrays_in_flat_arrays_out(impl, name):
    make, dtype, tail = FUNCTIONS[name]
    boards = some_boards(impl, 20)
    result = make(impl)(array("Q", boards.tolist()))
    assert type(result) is array and result.typecode == CODES[dtype]
    assert np.array(result).reshape(-1, *tail).tolist() == expected_of(impl, name, boards.tolist())
    assert make(impl)(memoryview(boards)).tolist() == result.tolist()


@each
def test_out_has_the_whole_shape_or_is_flat(impl, name):
    make, dtype, tail = FUNCTIONS[name]
    boards = some_boards(impl, 12).reshape(3, 4)
    expected = make(impl)(boards)
    size = expected.size
    for out in (np.ones((3, 4, *tail), dtype), np.ones(size, dtype), array(CODES[dtype], [1]) * size):
        assert make(impl)(boards, out) is out
        assert np.array(out).ravel().tolist() == expected.ravel().tolist()


@each
@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (lambda dtype, n: np.ones(n, "int16"), TypeError, "must hold"),
        (lambda dtype, n: np.ones(n - 1, dtype), ValueError, "shape"),
        (lambda dtype, n: np.ones((n, 1), dtype), ValueError, "shape"),
        (lambda dtype, n: np.ones(2 * n, dtype)[::2], ValueError, "C-contiguous"),
        (lambda dtype, n: memoryview(array(CODES[dtype], [1]) * n).toreadonly(), ValueError, "writable"),
        (lambda dtype, n: [0] * n, TypeError, "must be a C-contiguous buffer"),
    ],
)
def test_a_wrong_out_is_refused(impl, name, change, error, message):
    make, dtype, tail = FUNCTIONS[name]
    out = change(dtype, 5 * int(np.prod(tail)))
    before = np.array(out)
    with pytest.raises(error, match=f"^out .*{message}"):
        make(impl)(some_boards(impl, 5), out)
    assert (np.array(out) == before).all()


@each
def test_wrong_boards_are_refused(impl, name):
    make, _, _ = FUNCTIONS[name]
    for boards, error in ((np.zeros(3), TypeError), (["1"], TypeError), (np.zeros(6, np.uint64)[::2], ValueError)):
        with pytest.raises(error, match="^boards.* must"):
            make(impl)(boards)


@each
@pytest.mark.parametrize("at", [0, 8, 40, 120])
def test_out_may_overlap_the_boards(impl, name, at):
    make, dtype, tail = FUNCTIONS[name]
    n, size = 6, 6 * int(np.prod(tail)) * np.dtype(dtype).itemsize
    memory = np.zeros(size + 256, np.uint8)
    boards, out = memory[at : at + 8 * n].view(np.uint64), memory[32 : 32 + size].view(dtype)
    boards[:] = some_boards(impl, n)
    expected = make(impl)(boards.copy()).ravel().tolist()
    assert make(impl)(boards, out).tolist() == expected


@pytest.mark.parametrize("cpu", variants())
def test_cpu_variants_and_backends_are_the_same(both, monkeypatch, cpu):
    if BACKENDS[0] == "c":
        import bitboard.many._c

        monkeypatch.setattr(bitboard.many._c, "CPU", cpu)
    boards = some_boards(both[0])
    for make, _, _ in FUNCTIONS.values():
        for n in (1, 7, 8, 9, N):
            first, last = (make(impl)(boards[:n]).tolist() for impl in (both[0], both[-1]))
            assert first == last
    for n in (1, 7, 8, 9, N):
        first, last = (impl.afterstates_many(boards[:n]) for impl in (both[0], both[-1]))
        assert all((x == y).all() for x, y in zip(first, last, strict=True))


def test_one_hot_takes_the_item_type_from_out_or_dtype(impl):
    boards = some_boards(impl, 3)
    for dtype in ("float32", np.float32, np.dtype("float32")):
        assert impl.one_hot_many(boards, dtype=dtype).dtype == np.float32
    out = np.zeros((3, 16, 4, 4), np.float32)
    assert impl.one_hot_many(boards, out) is out and out.sum() == 48
    for dtype in ("float64", "int8", np.float64, 3, "f"):
        with pytest.raises(ValueError, match="dtype must be one of uint8, float32"):
            impl.one_hot_many(boards, dtype=dtype)
    with pytest.raises(TypeError, match="out must hold"):
        impl.one_hot_many(boards, out, dtype="uint8")


@pytest.mark.parametrize("shape", [(0,), (1,), (N,), (10, 13)])
def test_afterstates_many(impl, shape):
    boards = some_boards(impl, int(np.prod(shape))).reshape(shape)
    afters, rewards, legal = impl.afterstates_many(boards)
    assert (afters.dtype, rewards.dtype, legal.dtype) == (np.uint64, np.int32, np.uint8)
    assert (afters.shape, rewards.shape, legal.shape) == ((*shape, 4), (*shape, 4), shape)
    flat = boards.ravel().tolist()
    assert afters.reshape(-1, 4).tolist() == [[impl.move(b, d) for d in range(4)] for b in flat]
    assert rewards.reshape(-1, 4).tolist() == [[impl.reward(b, d) for d in range(4)] for b in flat]
    assert legal.ravel().tolist() == [impl.legal_moves(b) for b in flat]
    for board, row in zip(flat, range(len(flat)), strict=True):
        slides = [
            (d, int(afters.reshape(-1, 4)[row, d]), int(rewards.reshape(-1, 4)[row, d]))
            for d in range(4)
            if legal.ravel()[row] >> d & 1
        ]
        assert tuple(slides) == impl.afterstates(board)


def test_afterstates_many_into_buffers(impl):
    boards = some_boards(impl, 9)
    expected = impl.afterstates_many(boards)
    plain = impl.afterstates_many(array("Q", boards.tolist()))
    assert [type(x) for x in plain] == [array] * 3 and [x.typecode for x in plain] == [CODES["uint64"], "i", "B"]
    for out in (
        (np.zeros((9, 4), np.uint64), np.zeros((9, 4), np.int32), np.zeros(9, np.uint8)),
        [array("Q", [0]) * 36, np.zeros(36, np.int32), bytearray(9)],
        (None, np.zeros((9, 4), np.int32), None),
    ):
        result = impl.afterstates_many(boards, out)
        for got, given, right in zip(result, out, expected, strict=True):
            assert got is given or given is None
            assert np.array(got).ravel().tolist() == right.ravel().tolist()
    memory = np.zeros(40, np.uint64)
    memory[4:13] = boards
    overlapping = impl.afterstates_many(memory[4:13], (memory[:36], None, None))
    assert overlapping[0].tolist() == expected[0].ravel().tolist()


@pytest.mark.parametrize("cpu", variants())
@pytest.mark.parametrize("starts", [(0, 0, 0), (0, 16, 300), (40, 0, 8), (200, 480, 210), (0, 300, 440), (4, 0, 600)])
def test_overlapping_outs_of_afterstates_are_written_in_order(impl, monkeypatch, cpu, starts):
    if impl.BACKEND == "c":
        import bitboard.many._c

        monkeypatch.setattr(bitboard.many._c, "CPU", cpu)
    n = 9
    boards = some_boards(impl, n)
    expected, memory = np.zeros(720, np.uint8), np.zeros(720, np.uint8)
    starts = [8 * (starts[0] // 8), 4 * (starts[1] // 4), starts[2]]
    for start, result in zip(starts, impl.afterstates_many(boards), strict=True):
        expected[start : start + result.nbytes] = result.view(np.uint8).ravel()
    afters, rewards = memory[starts[0] :][: 32 * n].view(np.uint64), memory[starts[1] :][: 16 * n].view(np.int32)
    given = memory[640:712].view(np.uint64)
    given[:] = boards
    expected[640:712] = memory[640:712]
    impl.afterstates_many(given, (afters, rewards, memory[starts[2] :][:n]))
    assert (memory == expected).all()


@pytest.mark.parametrize(
    ("out", "error", "message"),
    [
        (np.zeros((3, 4), np.uint64), TypeError, "out must be three buffers"),
        ((None, None), TypeError, "out must be three buffers"),
        ((np.zeros(3, np.uint64), None, None), ValueError, r"out\[0\] must have the shape"),
        ((None, np.zeros((3, 4), np.int64), None), TypeError, r"out\[1\] must hold signed 32-bit"),
        ((None, None, np.zeros(3, bool)), TypeError, r"out\[2\] must hold unsigned 8-bit"),
        ((None, None, bytes(3)), ValueError, r"out\[2\] must be writable"),
    ],
)
def test_wrong_outs_of_afterstates(impl, out, error, message):
    with pytest.raises(error, match=message):
        impl.afterstates_many(some_boards(impl, 3), out)


def test_spawns_array(impl):
    buffers = array("Q", [0]) * 32, array("d", [0]) * 32
    arrays = np.zeros(40, np.uint64), np.zeros(40)
    for board in (0, 2**64 - 1, 0x0123_4561_2345_6123, *some_boards(impl, 30).tolist()):
        expected = impl.spawns(board)
        boards, probabilities = impl.spawns_array(board)
        assert (boards.typecode, probabilities.typecode) == (CODES["uint64"], "d")
        assert list(zip(probabilities, boards, strict=True)) == list(expected)
        for out, kind in ((buffers, memoryview), (arrays, np.ndarray)):
            boards, probabilities = impl.spawns_array(board, out)
            assert isinstance(boards, kind) and isinstance(probabilities, kind)
            assert list(zip(probabilities.tolist(), boards.tolist(), strict=True)) == list(expected)
            assert np.shares_memory(np.asarray(boards), np.asarray(out[0]))


@pytest.mark.parametrize(
    ("board", "out", "error", "message"),
    [
        (-1, None, OverflowError, "board must be"),
        ("x", None, TypeError, "board must be"),
        (1, array("Q", [0]) * 32, TypeError, "out must be two buffers"),
        (1, (array("Q", [0]) * 31, array("d", [0]) * 32), ValueError, "room for 32"),
        (1, (array("Q", [0]) * 32, array("f", [0]) * 32), TypeError, r"out\[1\] must hold 64-bit floats"),
        (1, (np.zeros((2, 16), np.uint64), np.zeros(32)), ValueError, "one dimension"),
    ],
)
def test_wrong_arguments_of_spawns_array(impl, board, out, error, message):
    with pytest.raises(error, match=message):
        impl.spawns_array(board, out)


def test_one_board_as_an_array(impl):
    for board in some_boards(impl, 20).tolist():
        cells, planes = impl.exponents(board), impl.one_hot(board, dtype="float32")
        assert (cells.dtype, planes.dtype, impl.one_hot(board).dtype) == (np.uint8, np.float32, np.uint8)
        assert cells.tolist() == grid_of(impl, board) and [planes.tolist()] == expected_of(impl, "one_hot", [board])
    for wrong, error in ((2**64, OverflowError), (-1, OverflowError), ("1", TypeError)):
        for function in (impl.exponents, impl.one_hot):
            with pytest.raises(error, match="^board must be"):
                function(wrong)
