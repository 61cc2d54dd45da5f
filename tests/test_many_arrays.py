"""Operations on arrays of boards: equal to one at a time, and careful with the buffers."""

import os
import subprocess
import sys
from array import array

import numpy as np
import pytest
from conftest import BACKENDS

N = 300


def some_boards(impl, n=N):
    return array("Q", [impl.random64(1, i) & impl.random64(2, i) for i in range(n)])


def calls(impl, boards, out=None):
    """(name, result of the array function, what it must be) for each function."""
    numbers = array("Q", [impl.random64(3, i) for i in range(np.asarray(boards).size)])
    if isinstance(boards, np.ndarray):
        numbers = np.array(numbers, np.uint64).reshape(boards.shape)
    flat = list(np.asarray(boards).ravel())
    for d in range(4):
        yield "move", impl.move_many(boards, d, out), [impl.move(b, d) for b in flat]
        yield "reward", impl.reward_many(boards, "URDL"[d], out=out), [impl.reward(b, d) for b in flat]
    yield "legal", impl.legal_moves_many(boards, out=out), [impl.legal_moves(b) for b in flat]
    spawned = [impl.spawn(b, r) for b, r in zip(flat, np.asarray(numbers).ravel(), strict=True)]
    yield "spawn", impl.spawn_many(boards, numbers, out=out), spawned


@pytest.mark.parametrize("n", [0, 1, 2, 7, 8, 9, 64, N])
def test_arrays_equal_one_board_at_a_time(impl, n):
    for name, result, expected in calls(impl, some_boards(impl, n)):
        assert isinstance(result, array) and result.typecode == np.dtype(np.uint64).char, name
        assert result.tolist() == expected, name


@pytest.mark.parametrize("shape", [(0,), (N,), (10, 30), (2, 5, 30), (3, 0)])
def test_numpy_in_numpy_out(impl, shape):
    boards = np.array(some_boards(impl, int(np.prod(shape))), np.uint64).reshape(shape)
    for name, result, expected in calls(impl, boards):
        assert type(result) is np.ndarray and result.dtype == np.uint64 and result.shape == shape, name
        assert result.ravel().tolist() == expected, name


@pytest.mark.parametrize(
    "wrap", [memoryview, lambda a: memoryview(a).toreadonly(), lambda a: memoryview(a).cast("B").cast("L")]
)
def test_memoryviews(impl, wrap):
    boards = some_boards(impl)
    for name, result, expected in calls(impl, wrap(boards)):
        assert isinstance(result, array), name
        assert result.tolist() == expected, name


@pytest.mark.parametrize(
    "make",
    [
        lambda n: array("Q", bytes(8 * n)),
        lambda n: np.zeros(n, np.uint64),
        lambda n: memoryview(bytearray(8 * n)).cast("Q"),
    ],
)
def test_out_is_filled_and_returned(impl, make):
    boards = some_boards(impl)
    out = make(N)
    for name, result, expected in calls(impl, boards, out):
        assert result is out, name
        assert list(out) == expected, name


def test_out_may_be_the_input_or_overlap_it(impl):
    for shift in (-3, -1, 0, 1, 3):
        memory = np.array(some_boards(impl, N + 8), np.uint64)
        boards, out = memory[4 : 4 + N], memory[4 + shift : 4 + shift + N]
        expected = [impl.move_up(int(board)) for board in boards]
        assert impl.move_many(boards, "U", out) is out
        assert out.tolist() == expected, shift
    memory = np.array(some_boards(impl, N + 1), np.uint64)
    boards = np.array(some_boards(impl), np.uint64)
    expected = [impl.spawn(int(b), int(r)) for b, r in zip(boards, memory[:N], strict=True)]
    assert impl.spawn_many(boards, memory[:N], out=memory[1:]).tolist() == expected


WRONG = [
    (None, TypeError, "not NoneType"),
    ([1, "2", 3], TypeError, r"\[1\] must be an integer from 0 to 2\*\*64 - 1, not str"),
    (5, TypeError, "not int"),
    ("boards", TypeError, "not str"),
    (b"12345678", TypeError, "format 'B'"),
    (array("i", [1]), TypeError, "format 'i'"),
    (array("I", [1]), TypeError, "format 'I'"),
    (array("d", [1]), TypeError, "format 'd'"),
    (np.zeros(3), TypeError, "format 'd'"),
    (np.zeros(3, np.int32), TypeError, "format 'i'|format 'l'"),
    (np.zeros(3, ">u8"), TypeError, "format '>"),
    (np.zeros(3, object), TypeError, "not ndarray|format 'O'"),
    (np.zeros(6, np.uint64)[::2], ValueError, "C-contiguous, got strides"),
    (np.zeros(6, np.uint64)[::-1], ValueError, "C-contiguous, got strides"),
    (np.zeros((3, 4), np.uint64).T, ValueError, "C-contiguous, got strides"),
    (np.uint64(5), ValueError, "at least one dimension"),
    (np.array(5, np.uint64), ValueError, "at least one dimension"),
]


@pytest.mark.parametrize(("value", "error", "message"), WRONG)
def test_wrong_boards_are_refused(impl, value, error, message):
    for call in (
        lambda: impl.move_many(value, 0),
        lambda: impl.reward_many(value, 0),
        lambda: impl.legal_moves_many(value),
        lambda: impl.spawn_many(value, array("Q", [1])),
    ):
        with pytest.raises(error, match=f"^boards.*({message})"):
            call()


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: [0] * N, TypeError, "not list"),
        (lambda: array("q", bytes(8 * N)), TypeError, "format 'q'"),
        (lambda: np.zeros(N), TypeError, "format 'd'"),
        (lambda: array("Q", bytes(8 * N - 8)), ValueError, r"shape \(300,\), got \(299,\)"),
        (lambda: array("Q", bytes(8 * N + 8)), ValueError, "shape"),
        (lambda: np.zeros((N, 1), np.uint64), ValueError, "shape"),
        (lambda: np.zeros(2 * N, np.uint64)[::2], ValueError, "C-contiguous"),
        (lambda: memoryview(bytes(8 * N)).cast("Q"), ValueError, "writable"),
        (lambda: bytes(8 * N), TypeError, "format 'B'"),
    ],
)
def test_a_wrong_out_is_refused_and_nothing_is_written(impl, make, error, message):
    boards = some_boards(impl)
    before = bytes(boards)
    numbers = array("Q", bytes(8 * N))
    for call in (
        lambda out: impl.move_many(boards, 0, out),
        lambda out: impl.reward_many(boards, 0, out),
        lambda out: impl.legal_moves_many(boards, out),
        lambda out: impl.spawn_many(boards, numbers, out),
    ):
        out = make()
        kept = bytes(np.asarray(out).tobytes())
        with pytest.raises(error, match=f"^out must .*{message}"):
            call(out)
        assert np.asarray(out).tobytes() == kept
    assert bytes(boards) == before


def test_read_only_numpy_out(impl):
    out = np.zeros(N, np.uint64)
    out.setflags(write=False)
    with pytest.raises(ValueError, match="out must be writable"):
        impl.move_many(some_boards(impl), 0, out)
    assert not out.any()


def test_random_numbers_must_fit_the_boards(impl):
    boards = some_boards(impl)
    for numbers, error in [(array("Q", [1]), ValueError), (array("d", bytes(8 * N)), TypeError), (7, TypeError)]:
        with pytest.raises(error, match="^random64 must"):
            impl.spawn_many(boards, numbers)


def test_a_wrong_direction_is_refused_and_nothing_is_written(impl):
    boards = some_boards(impl)
    before = bytes(boards)
    for direction in (4, -1, "x", None, 1.0):
        with pytest.raises(ValueError, match="direction"):
            impl.move_many(boards, direction, out=boards)
        with pytest.raises(ValueError, match="direction"):
            impl.reward_many(boards, direction, out=boards)
    assert bytes(boards) == before


def test_huge_and_awkward_values(impl):
    boards = array("Q", [0, 2**64 - 1, 2**63, 1, 0xFFFF_0000_0000_0000])
    for name, result, expected in calls(impl, boards):
        assert result.tolist() == expected, name


def variants():
    if BACKENDS[0] != "c":
        return ["python"]
    import bitboard.core.ffi as bulk

    return list(bulk.CPU_VARIANTS[: bulk.lib.bb_cpu_best() + 1])


def settings(cpu):
    """The environment variables that force a CPU variant, or pure Python."""
    return {"BITBOARD_BACKEND": "c", "BITBOARD_CPU": cpu} if cpu != "python" else {"BITBOARD_BACKEND": "python"}


@pytest.mark.parametrize("cpu", variants())
def test_the_variant_that_is_asked_for_runs(cpu):
    done = subprocess.run(
        [sys.executable, "-m", "bitboard", "info"], capture_output=True, text=True, env=os.environ | settings(cpu)
    )
    assert f"\ncpu      {cpu} (" in done.stdout


@pytest.mark.parametrize("cpu", variants())
def test_every_cpu_variant_gives_the_same(both, cpu):
    boards = some_boards(both[0], 1000)
    numbers = array("Q", [both[0].random64(5, i) for i in range(1000)])
    script = (
        "import sys, bitboard as b; from array import array; d = sys.stdin.buffer.read();"
        "x = array('Q', d[:8000]); r = array('Q', d[8000:]); w = sys.stdout.buffer.write;"
        "[w(bytes(b.move_many(x, i))) for i in range(4)]; [w(bytes(b.reward_many(x, i))) for i in (0, 1)];"
        "w(bytes(b.legal_moves_many(x))); w(bytes(b.spawn_many(x, r)))"
    )
    environment = dict(os.environ) | settings(cpu)
    done = subprocess.run(
        [sys.executable, "-c", script],
        input=bytes(boards) + bytes(numbers),
        capture_output=True,
        env=environment,
        timeout=60,
        check=True,
    )
    expected = [both[-1].move_many(boards, d) for d in range(4)] + [both[-1].reward_many(boards, d) for d in (0, 1)]
    expected += [both[-1].legal_moves_many(boards), both[-1].spawn_many(boards, numbers)]
    assert done.stdout == b"".join(map(bytes, expected))


# Arrays that end where a page without access begins: a read or write past the end is a crash.
GUARD = """
import ctypes, mmap, sys
import bitboard
page = mmap.PAGESIZE
libc = ctypes.CDLL(None, use_errno=True)
libc.mprotect.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
def guarded(n):
    memory = mmap.mmap(-1, 3 * page)
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    assert libc.mprotect(start, page, 0) == 0 and libc.mprotect(start + 2 * page, page, 0) == 0
    return memory, memoryview(memory)[2 * page - 8 * n : 2 * page].cast("Q"), memoryview(memory)[page : page + 8 * n].cast("Q")
for n in (1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 511):
    buffers = [guarded(n) for _ in range(3)]
    for side in (1, 2):
        boards, numbers, out = (b[side] for b in buffers)
        for i in range(n):
            boards[i], numbers[i] = bitboard.random64(n, i), bitboard.random64(side, i)
        for d in range(4):
            bitboard.move_many(boards, d, out)
            assert out.tolist() == [bitboard.move(b, d) for b in boards]
            bitboard.reward_many(boards, d, out)
        bitboard.legal_moves_many(boards, out)
        bitboard.spawn_many(boards, numbers, out)
        assert out.tolist() == [bitboard.spawn(b, r) for b, r in zip(boards, numbers)]
print("kept inside", flush=True)
import os; os._exit(0)
"""


@pytest.mark.parametrize("cpu", variants())
def test_nothing_is_read_or_written_past_an_end(cpu):
    environment = dict(os.environ) | settings(cpu)
    done = subprocess.run([sys.executable, "-c", GUARD], capture_output=True, text=True, env=environment, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "kept inside\n", "")


def test_a_refused_call_leaves_no_array_locked(impl):
    boards = array("Q", [1])
    with pytest.raises(ValueError, match="out must have the shape") as caught:
        impl.move_many(boards, "L", array("Q"))
    boards.append(2)  # a BufferError while a view of it is alive, as in the frames of the traceback
    assert caught.tb is not None and len(boards) == 2


if "c" in BACKENDS:

    def test_an_unknown_cpu_variant_is_refused():
        environment = os.environ | settings("z80")
        script = "import bitboard; bitboard.move_many(bytearray(8), 0)"
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, env=environment, timeout=60
        )
        assert "ValueError: BITBOARD_CPU must be auto or one of baseline" in done.stderr
        command = [sys.executable, "-m", "bitboard", "info"]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60)
        assert done.returncode == 2 and done.stderr.startswith("bitboard info: BITBOARD_CPU must be")
        assert done.stderr.count("\n") == 1


def unaligned(kind, items):
    """A memoryview and a numpy array of these items, each one byte behind an aligned address."""
    raw = bytearray(1 + len(bytes(np.asarray(items, kind))))
    raw[1:] = bytes(np.asarray(items, kind))
    arranged = np.frombuffer(bytearray(raw), np.uint8)[1:].view(kind)
    assert not arranged.flags.aligned
    return memoryview(raw)[1:].cast(
        {"uint64": "Q", "int64": "q", "float64": "d", "int32": "i", "float32": "f"}[kind]
    ), arranged


@pytest.mark.parametrize("which", [0, 1], ids=["memoryview", "numpy"])
def test_arrays_at_odd_addresses_are_read_and_written_as_others(impl, which):
    aligned = some_boards(impl, 37)
    boards = unaligned("uint64", aligned)[which]
    numbers = unaligned("uint64", [impl.random64(3, i) for i in range(37)])[which]
    out = unaligned("uint64", [0] * 37)[which]
    assert impl.move_many(boards, 0, out) is out and list(out) == list(impl.move_many(aligned, 0))
    assert list(impl.move_many(boards, 3, boards)) == list(impl.move_many(aligned, 3))  # in place
    boards = unaligned("uint64", aligned)[which]
    assert list(impl.reward_many(boards, 1, out)) == list(impl.reward_many(aligned, 1))
    assert list(impl.legal_moves_many(boards, out)) == list(impl.legal_moves_many(aligned))
    expected = list(impl.spawn_many(aligned, array("Q", numbers.tolist())))
    assert list(impl.spawn_many(boards, numbers, out)) == expected
    outs = [unaligned(kind, [0] * 148)[which] for kind in ("uint64", "int32")] + [bytearray(37)]
    impl.afterstates_many(boards, out=tuple(outs))
    for given, made in zip(outs, impl.afterstates_many(aligned), strict=True):
        assert list(given) == list(made)
    images = unaligned("uint64", [0] * 37 * 8)[which]
    assert list(impl.symmetries_many(boards, images)) == list(impl.symmetries_many(aligned))
    planes = unaligned("float32", [0] * 37 * 256)[which]
    assert list(impl.one_hot_many(boards, planes)) == list(impl.one_hot_many(aligned))


@pytest.mark.parametrize("which", [0, 1], ids=["memoryview", "numpy"])
def test_batches_and_searches_take_arrays_at_odd_addresses(impl, which):
    batch, other = impl.Batch(21, seed=5), impl.Batch(21, seed=5)
    for kind in ("int32", "int64"):
        actions = unaligned(kind, [i % 4 for i in range(21)])[which]
        batch.step(actions)
        other.step(array("B", actions.tolist()))
        assert list(batch.boards) == list(other.boards)
    aligned = array("Q", list(batch.boards))
    boards = unaligned("uint64", aligned)[which]
    batch.reset(boards=boards)
    assert list(batch.boards) == list(aligned)
    table = impl.RowTable.corner()
    values, best = unaligned("float64", [0] * 21)[which], unaligned("int64", [9] * 21)[which]
    assert list(table.many(boards, values)) == list(table.many(aligned))
    search = impl.Expectimax(depth=1, table=table)
    assert list(search.best_many(boards, best)) == list(search.best_many(aligned))
    assert list(impl.playouts(boards, 2, seed=1).scores) == list(impl.playouts(aligned, 2, seed=1).scores)


def test_every_array_of_64_bits_is_numpys_own(impl):
    """np.uint64 and np.int64 by number: ulonglong and longlong are equal to them, and torch refuses them."""
    boards = array("Q", [0x1100_0000_0000_0000, 0x1230_0000_0000_0012])
    batch = impl.Batch(2, autoreset="same_step")
    played = impl.playouts(boards, 2)
    asked = []
    impl.Expectimax(depth=0, evaluator=lambda leaves: asked.append(leaves) or [0.0] * len(leaves)).best(boards[1])
    words = {
        "batch": [batch.boards, batch.streams, batch.afterstates, batch.final_boards],
        "arrays": [
            impl.move_many(boards, "left"),
            impl.legal_moves_many(boards),
            impl.reward_many(boards, "left"),
            impl.spawn_many(boards, boards),
            impl.symmetries_many(boards),
            impl.afterstates_many(boards)[0],
            impl.spawns_array(boards[0])[0],
        ],
        "playouts": [played.final_boards, impl.playouts(np.array(boards), 2).final_boards],
        "evaluator": asked,
    }
    for name, found in words.items():
        assert found and {np.asarray(one).dtype.num for one in found} == {np.dtype(np.uint64).num}, name
    signed = [batch.scores, played.scores, impl.Expectimax(depth=1).best_many(boards)]
    assert {np.asarray(one).dtype.num for one in signed} == {np.dtype(np.int64).num}


class Tensor:
    """What torch has: no buffer, but a numpy array of the same memory, of signed integers."""

    def __init__(self, items):
        self.items = np.array(items, np.uint64).view(np.int64)

    def __array__(self, dtype=None, copy=None):
        return self.items


def test_boards_may_be_given_in_any_form_everywhere(impl):
    boards = [0x1100_0000_0000_0000, 0xF230_0000_0000_0012, 0]
    wanted = array("Q", boards)
    signed = np.array(boards, np.uint64).view(np.int64)
    batch = impl.Batch(3, 1)
    functions = [
        lambda given: impl.move_many(given, "left"),
        lambda given: impl.reward_many(given, "left"),
        impl.legal_moves_many,
        lambda given: impl.spawn_many(given, given),
        impl.exponents_many,
        impl.one_hot_many,
        impl.symmetries_many,
        lambda given: impl.afterstates_many(given)[0],
        lambda given: impl.playouts(given, 2, 1).final_boards,
        impl.RowTable.corner().many,
        impl.Expectimax(depth=0).best_many,
        lambda given: batch.reset(boards=given, streams=given) or [*batch.boards, *batch.streams],
    ]
    for k, function in enumerate(functions):
        expected = np.asarray(function(wanted)).ravel()
        for given in (boards, tuple(boards), signed, array("q", signed.tolist()), Tensor(boards)):
            result = function(given)
            assert np.array_equal(np.asarray(result).ravel(), expected), (k, given)
            numpy_in = isinstance(given, (np.ndarray, Tensor))
            assert k == len(functions) - 1 or isinstance(result, np.ndarray) == numpy_in, (k, given)
    with pytest.raises(OverflowError, match=r"boards\[1\] must be an integer from 0 to 2\*\*64 - 1"):
        impl.exponents_many([0, 2**64])
    with pytest.raises(TypeError, match="out must hold unsigned 64-bit integers"):
        impl.move_many(boards, 0, np.zeros(3, np.int64))
    actions = Tensor([0, 1, 2])
    one, other = impl.Batch(3, 1), impl.Batch(3, 1)
    one.step(actions)
    other.step([0, 1, 2])
    assert one.boards == other.boards
