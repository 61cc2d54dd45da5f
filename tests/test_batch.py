"""Batch: every game of it is the game that its stream and its slides give, however many play and wherever."""

import copy
import ctypes
import importlib
import pickle
import signal
import tracemalloc
from array import array

import numpy as np
import pytest
from conftest import BACKENDS
from oracle import slide

ARRAYS = {
    "boards": "uint64",
    "streams": "uint64",
    "scores": "int64",
    "moves": "int32",
    "legal": "uint8",
    "saturated": "bool",
    "rewards": "int32",
    "over": "bool",
    "changed": "bool",
    "afterstates": "uint64",
}
FINAL_ARRAYS = {"final_boards": "uint64", "final_scores": "int32", "final_moves": "int32"}
DEAD = 0x1212_2121_1212_2121
FULL_ROW_OF_TOPS = 0xFFFF_1212_2121_1212


class Slow:
    """One game by the words of the documentation, from one-board functions."""

    def __init__(self, impl, stream, board=None):
        self.impl, self.streams, self.scores, self.moves = impl, stream, 0, 0
        if board is None:
            board = impl.spawn(impl.spawn(0, impl.random64(stream, 0)), impl.random64(stream, 1))
        self.boards = board
        self.rest()

    def rest(self):
        """What a step says that made no slide."""
        self.rewards, self.changed, self.afterstates = 0, False, self.boards
        self.over = self.impl.is_over(self.boards)

    def restarted(self):
        return Slow(self.impl, self.impl.stream(self.streams, 0))

    def step(self, direction, autoreset):
        """The game in this place after the step; finals are kept in `finished`."""
        impl = self.impl
        if autoreset == "next_step" and impl.is_over(self.boards):
            return self.restarted()
        after = impl.move(self.boards, direction)
        if after == self.boards:
            self.rest()
        else:
            self.rewards, self.changed, self.afterstates = impl.reward(self.boards, direction), True, after
            self.scores += self.rewards
            self.boards = impl.spawn(after, impl.random64(self.streams, 2 + self.moves))
            self.moves += 1
            self.over = impl.is_over(self.boards)
        if autoreset == "same_step" and self.over:
            new = self.restarted()
            new.rewards, new.changed, new.afterstates, new.over = self.rewards, self.changed, self.afterstates, True
            new.finished = self.boards, self.scores, self.moves
            return new
        return self

    @property
    def legal(self):
        return self.impl.legal_moves(self.boards)

    @property
    def saturated(self):
        return self.impl.is_saturated(self.boards)


def state(batch):
    """All arrays of a batch as bytes."""
    return {name: items.tobytes() for name, items in batch._arrays.items()}


def action(index, t):
    """Some direction of game `index` at step t, the same in every test."""
    return (index * 7 + t * 13 + (index * t) % 5 + t // 3) % 4


def kernels_of(impl):
    return importlib.import_module(".batch", impl.__name__).kernels


def variants():
    """The CPU variants that this machine runs."""
    if BACKENDS[0] != "c":
        return [0]
    import bitboard._bulk_c as bulk

    return list(range(bulk.lib.bb_cpu_best() + 1))


@pytest.mark.parametrize("autoreset", ["off", "next_step", "same_step"])
@pytest.mark.parametrize("n", [1, 3, 67])
def test_each_game_is_the_game_of_its_stream(impl, autoreset, n):
    batch = impl.Batch(n, seed=5, autoreset=autoreset)
    games = [Slow(impl, impl.stream(5, i)) for i in range(n)]
    ended = 0
    for t in range(360 if n < 10 else 170):
        games = [game.step(action(i, t), autoreset) for i, game in enumerate(games)]
        rewards, over = batch.step(array("B", [action(i, t) for i in range(n)]))
        assert rewards is batch.rewards and over is batch.over
        for name in ARRAYS:
            assert getattr(batch, name).tolist() == [getattr(game, name) for game in games], (t, name)
        for i, game in enumerate(games):
            if autoreset == "same_step" and game.over:
                finals = tuple(getattr(batch, name)[i] for name in FINAL_ARRAYS)
                assert finals == game.finished
        ended += sum(over)
    assert ended > 0


def test_the_start_has_two_tiles_and_its_masks(impl):
    batch = impl.Batch(50, seed=2**64 - 1)
    assert all(impl.empty_count(board) == 14 for board in batch.boards)
    assert batch.legal.tolist() == [impl.legal_moves(board) for board in batch.boards]
    assert batch.streams.tolist() == [impl.stream(2**64 - 1, i) for i in range(50)]
    assert batch.afterstates == batch.boards
    for name in ("scores", "moves", "rewards", "changed", "over", "saturated"):
        assert not any(getattr(batch, name)), name
    assert len(batch) == batch.n == 50 and "50 games" in repr(batch)


def test_an_illegal_slide_changes_nothing_and_is_reported(impl):
    batch = impl.Batch(1)
    batch.reset(boards=array("Q", [0x1100 << 48]))
    before = state(batch)
    for _ in range(3):
        rewards, over = batch.step([0])
        assert state(batch) == before
        assert (rewards.tolist(), over.tolist(), batch.changed.tolist()) == ([0], [False], [False])
    rewards, _ = batch.step([3])
    assert (rewards[0], batch.changed[0], batch.moves[0], batch.scores[0]) == (4, True, 1, 4)
    assert batch.afterstates[0] == 0x2000 << 48
    assert batch.boards[0] == impl.spawn(0x2000 << 48, impl.random64(batch.streams[0], 2))


def test_slides_agree_with_the_oracle(impl):
    n = 400
    boards = np.array([impl.random64(1, i) & impl.random64(2, i) for i in range(n)], np.uint64)
    batch = impl.Batch(n)
    batch.reset(boards=boards)
    batch.step(np.arange(n) % 4)
    for i, board in enumerate(boards.tolist()):
        grid = [[0 if face == 1 else face for face in row] for row in impl.to_grid(board)]
        expected, points = slide(grid, "URDL"[i % 4])
        if max(map(max, expected)) <= 32768:
            assert (impl.to_grid(batch.afterstates[i]), batch.rewards[i]) == (expected, points)


def test_two_tiles_of_32768_do_not_merge_and_are_reported(impl):
    batch = impl.Batch(4)
    boards = [FULL_ROW_OF_TOPS, 0xF00F_0000_0000_0001, 0xF000_0000_0000_F000, 0xF01F_0000_0000_0000]
    batch.reset(boards=array("Q", boards))
    assert batch.saturated.tolist() == [True, True, True, False]
    batch.step([1, 3, 1, 2])
    assert batch.rewards.tolist() == [0, 0, 0, 0]
    assert batch.afterstates.tolist() == [impl.move(b, d) for b, d in zip(boards, [1, 3, 1, 2], strict=True)]
    assert batch.saturated.tolist() == [impl.is_saturated(b) for b in batch.boards]


def test_all_games_over(impl):
    boards = array("Q", [DEAD] * 9)
    batches = {mode: impl.Batch(9, autoreset=mode) for mode in ("off", "next_step", "same_step")}
    for mode, batch in batches.items():
        batch.reset(boards=boards)
        assert all(batch.over) and not any(batch.legal)
        rewards, over = batch.step([0] * 9)
        assert not any(rewards) and not any(batch.changed)
        restarted = [impl.stream(impl.stream(impl.stream(0, i), 0), 0) for i in range(9)]
        if mode == "off":
            assert all(over) and list(batch.boards) == list(boards)
        else:
            assert all(over) == (mode == "same_step")
            assert list(batch.streams) == restarted and all(batch.legal)
        if mode == "same_step":
            assert list(batch.final_boards) == list(boards) and not any(batch.final_moves)
        else:
            assert batch.final_boards is batch.final_scores is batch.final_moves is None


@pytest.mark.parametrize("autoreset", ["off", "next_step", "same_step"])
def test_no_games_and_one(impl, autoreset):
    batch = impl.Batch(0, autoreset=autoreset)
    for actions in ([], array("q"), np.zeros(0, np.int64), b"", (ctypes.c_int * 0)()):
        rewards, over = batch.step(actions)
        assert len(rewards) == len(over) == 0
    batch.reset()
    batch.reset(array("B"), boards=array("Q"))
    for name, dtype in ARRAYS.items():
        assert np.asarray(getattr(batch, name)).dtype == dtype
    one, two = impl.Batch(1, 3, autoreset=autoreset), impl.Batch(2, 3, autoreset=autoreset)
    for t in range(300):
        one.step([action(0, t)])
        two.step([action(0, t), 1])
    assert all(one._arrays[name][0] == two._arrays[name][0] for name in one._arrays)


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_threads_and_slices_change_nothing(impl, monkeypatch, threads):
    n, steps = 300, 60
    expected = impl.Batch(n, 8, autoreset="same_step")
    for t in range(steps):
        expected.step([action(i, t) for i in range(n)])
    monkeypatch.setattr(kernels_of(impl), "SLICE", 37)
    batch = impl.Batch(n, 8, autoreset="same_step", threads=threads)
    for t in range(steps):
        batch.step([action(i, t) for i in range(n)])
    assert state(batch) == state(expected)


@pytest.mark.parametrize("cpu", variants())
@pytest.mark.parametrize("autoreset", ["off", "next_step", "same_step"])
def test_cpu_variants_and_backends_are_the_same(both, monkeypatch, cpu, autoreset):
    if BACKENDS[0] == "c":
        monkeypatch.setattr(kernels_of(both[0]), "CPU", cpu)
    batches = [impl.Batch(131, 4, autoreset=autoreset) for impl in both]
    for t in range(200):
        actions = [action(i, t) for i in range(131)]
        for batch in batches:
            batch.step(actions)
        assert state(batches[0]) == state(batches[-1])


def test_batch_sizes_change_nothing(both):
    impl, steps = both[0], 130 if BACKENDS[0] == "c" else 20
    largest = impl.Batch(4096, 6, autoreset="same_step")
    smaller = [impl.Batch(n, 6, autoreset="same_step") for n in (1, 3, 64)]
    for t in range(steps):
        actions = np.array([action(i, t) for i in range(4096)])
        largest.step(actions)
        for batch in smaller:
            batch.step(actions[: batch.n])
            for name, items in batch._arrays.items():
                assert items.tolist() == largest._arrays[name][: batch.n].tolist(), name


ACTIONS = [0, 1, 2, 3, 3]
CTYPES = [ctypes.c_int8, ctypes.c_uint16, ctypes.c_int, ctypes.c_uint, ctypes.c_int64, ctypes.c_uint64, ctypes.c_long]


@pytest.mark.parametrize(
    "actions",
    [
        ACTIONS,
        tuple(ACTIONS),
        bytes(ACTIONS),
        bytearray(ACTIONS),
        *(array(code, ACTIONS) for code in "bBhHiIlLqQ"),
        *(np.array(ACTIONS, kind) for kind in ("u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8")),
        memoryview(array("i", ACTIONS)),
        [np.int64(x) for x in ACTIONS],
        *((kind * 5)(*ACTIONS) for kind in CTYPES),
    ],
    ids=lambda actions: f"{type(actions).__name__}-{getattr(actions, 'dtype', getattr(actions, 'typecode', ''))}",
)
def test_actions_are_integers_of_any_size(impl, actions):
    batch, expected = impl.Batch(5, 1), impl.Batch(5, 1)
    expected.step(array("B", ACTIONS))
    rewards, over = batch.step(actions)
    assert state(batch) == state(expected)
    assert isinstance(rewards, np.ndarray) == isinstance(over, np.ndarray) == isinstance(actions, np.ndarray)
    assert np.shares_memory(np.asarray(rewards), np.asarray(batch.rewards))


@pytest.mark.parametrize(
    ("actions", "error", "message"),
    [
        ([0, 1, 2, 4, 0], ValueError, "got 4 at index 3"),
        ([0, 1, 2, 3, -1], ValueError, "got -1 at index 4"),
        (array("B", [255, 0, 0, 0, 9]), ValueError, "got 255 at index 0"),
        (array("h", [0, 0, 256, 0, 0]), ValueError, "got 256 at index 2"),
        (np.array([0, 0, 0, 0, 2**32]), ValueError, "got 4294967296 at index 4"),
        (np.array([0, -(2**63), 0, 0, 0]), ValueError, "at index 1"),
        ([0, 0, 0, 0, 10**30], ValueError, r"actions\[4\] must be an integer from 0 to 3, got 10{30}$"),
        ((0, 0, 2**64, 0, 0), ValueError, r"actions\[2\] must be an integer from 0 to 3, got 18446744073709551616"),
        ([0, 1.0, 2, 3, 3], TypeError, r"actions\[1\] must be an integer from 0 to 3, not float"),
        ((ctypes.c_int * 5)(0, 1, -7), ValueError, "got -7 at index 2"),
        ((ctypes.c_uint64 * 5)(0, 1, 2**64 - 1), ValueError, "got 18446744073709551615 at index 2"),
        ((ctypes.c_int * 4)(), ValueError, "shape"),
        ((ctypes.c_double * 5)(), TypeError, "format '<d'"),
        ((ctypes.c_bool * 5)(), TypeError, r"format '<?\?'"),
        (ctypes.c_int(3), ValueError, "shape"),
        ([0, 1, 2, 3], ValueError, r"shape \(5,\), got \(4,\)"),
        (np.zeros((5, 1), int), ValueError, r"shape \(5,\), got \(5, 1\)"),
        (np.zeros(10, int)[::2], ValueError, "C-contiguous"),
        (np.array(3), ValueError, "shape"),
        (np.zeros(5), TypeError, "format 'd'"),
        (np.zeros(5, np.float32), TypeError, "format 'f'"),
        (np.zeros(5, bool), TypeError, r"format '\?'"),
        (np.zeros(5, ">i8"), TypeError, "format '>"),
        (np.zeros(5, object), TypeError, "actions must"),
        (np.array(list("URDLU")), TypeError, "actions must"),
        ([0.0] * 5, TypeError, r"actions\[0\] must be an integer"),
        ("URDLU", TypeError, "not str"),
        (None, TypeError, "not NoneType"),
        (3, TypeError, "not int"),
    ],
)
def test_wrong_actions_change_nothing(impl, actions, error, message):
    batch = impl.Batch(5, 1)
    before = state(batch)
    with pytest.raises(error, match=message):
        batch.step(actions)
    assert state(batch) == before


def test_a_wrong_action_in_the_last_slice_changes_nothing(impl, monkeypatch):
    monkeypatch.setattr(kernels_of(impl), "SLICE", 10)
    batch = impl.Batch(35, 1)
    before = state(batch)
    with pytest.raises(ValueError, match="got 7 at index 34"):
        batch.step([0] * 34 + [7])
    assert state(batch) == before


def test_reset(impl):
    batch = impl.Batch(6, 1)
    first = state(batch)
    streams = batch.streams.tolist()
    batch.step([0, 1, 2, 3, 0, 1])
    stepped = {name: items.tolist() for name, items in batch._arrays.items()}
    batch.reset(array("B", [1, 0, 0, 0, 0, 1]))
    for i in range(6):
        if i in (0, 5):
            expected = Slow(impl, impl.stream(streams[i], 0))
            assert all(batch._arrays[name][i] == getattr(expected, name) for name in ARRAYS)
        else:
            assert all(batch._arrays[name][i] == stepped[name][i] for name in ARRAYS)
    batch.reset(seed=1)
    assert state(batch) == first
    batch.reset(np.array([0, 1, 0, 0, 0, 0], bool), streams=array("Q", range(6)), boards=array("Q", range(10, 16)))
    assert batch.streams.tolist() == [streams[0], 1, *streams[2:]]
    assert batch.boards[1] == 11 and batch.boards[0] != 10
    batch.reset(streams=np.arange(6, dtype=np.uint64))
    assert batch.streams.tolist() == [0, 1, 2, 3, 4, 5]
    batch.reset()
    assert batch.streams.tolist() == [impl.stream(i, 0) for i in range(6)]


def test_reset_from_its_own_arrays(impl):
    batch, other = impl.Batch(40, 1), impl.Batch(40, 1)
    for t in range(60):
        for b in (batch, other):
            b.step([action(i, t) for i in range(40)])
    copies = np.array(batch.boards), np.array(batch.streams), np.array(batch.legal) & 1
    other.reset(copies[2], boards=copies[0], streams=copies[0])
    mask = np.asarray(batch._arrays["legal"])
    mask &= 1
    batch.reset(batch.legal, boards=batch.boards, streams=batch.boards)
    chosen = copies[2].astype(bool)
    for name in ("boards", "streams", "scores", "moves", "over", "changed"):
        mine, theirs = (np.asarray(getattr(b, name)) for b in (batch, other))
        assert (mine == theirs).all(), name
    assert (np.asarray(batch.boards)[chosen] == copies[0][chosen]).all()


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"which": [1, 0, 1]}, TypeError, "which must be a C-contiguous buffer of booleans"),
        ({"which": array("q", [1, 0, 1])}, TypeError, "which must hold booleans"),
        ({"which": array("B", [1, 0])}, ValueError, "which must have the shape"),
        ({"boards": array("Q", [1])}, ValueError, "boards must have the shape"),
        ({"boards": np.zeros(3)}, TypeError, "boards must hold"),
        ({"streams": np.zeros(6, np.uint64)[::2]}, ValueError, "streams must be C-contiguous"),
        ({"seed": -1}, OverflowError, "seed"),
        ({"seed": 1.0}, TypeError, "seed"),
        ({"seed": 1, "streams": array("Q", [1, 2, 3])}, ValueError, "not both"),
    ],
)
def test_wrong_resets_change_nothing(impl, arguments, error, message):
    batch = impl.Batch(3)
    before = state(batch)
    with pytest.raises(error, match=message):
        batch.reset(**arguments)
    assert state(batch) == before


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        ((-1,), {}, ValueError, "n must be"),
        ((2**70,), {}, ValueError, "n must be"),
        ((1.0,), {}, TypeError, "n must be"),
        (("3",), {}, TypeError, "n must be"),
        ((3, -1), {}, OverflowError, "seed must be"),
        ((3, 2**64), {}, OverflowError, "seed must be"),
        ((3, None), {}, TypeError, "seed must be"),
        ((3,), {"autoreset": "on"}, ValueError, "autoreset must be one of off, next_step, same_step; got 'on'"),
        ((3,), {"autoreset": None}, ValueError, "autoreset"),
        ((3,), {"threads": 0}, ValueError, "threads must be"),
        ((3,), {"threads": 1.5}, TypeError, "threads must be"),
    ],
)
def test_wrong_batches_are_refused(impl, arguments, options, error, message):
    with pytest.raises(error, match=message):
        impl.Batch(*arguments, **options)


def test_arrays_are_read_only_views_that_stay(impl):
    batch = impl.Batch(10, autoreset="same_step")
    views = {name: np.asarray(getattr(batch, name)) for name in ARRAYS | FINAL_ARRAYS}
    for name, dtype in (ARRAYS | FINAL_ARRAYS).items():
        assert views[name].dtype == dtype and views[name].shape == (10,)
        with pytest.raises(TypeError):
            getattr(batch, name)[0] = 0
        with pytest.raises(ValueError):
            views[name][0] = 0
    for t in range(300):
        batch.step([action(i, t) for i in range(10)])
    batch.reset()
    for name, seen in views.items():
        assert seen.tolist() == getattr(batch, name).tolist()


@pytest.mark.parametrize("clone", [copy.copy, copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])
def test_copies_go_on_alike_and_apart(impl, clone):
    for n in (0, 1, 20):
        batch = impl.Batch(n, 3, autoreset="same_step", threads=2)
        for t in range(30):
            batch.step([action(i, t) for i in range(n)])
        before = state(batch)
        other = clone(batch)
        assert type(other) is type(batch) and (other.n, other.autoreset, other.threads) == (n, "same_step", 2)
        for t in range(30, 160):
            other.step([action(i, t) for i in range(n)])
        assert state(batch) == before
        for t in range(30, 160):
            batch.step([action(i, t) for i in range(n)])
        assert state(batch) == state(other)


@pytest.mark.parametrize("autoreset", ["off", "same_step"])
def test_memory_and_no_allocation_in_a_step(impl, autoreset):
    n = 10_000 if impl.BACKEND == "c" else 300
    actions = np.zeros(n, np.int64)
    impl.Batch(1).step([0])
    tracemalloc.start()
    try:
        batch = impl.Batch(n, autoreset=autoreset)
        assert tracemalloc.get_traced_memory()[0] < 64 * n + 20_000
        assert sum(items.nbytes for items in batch._arrays.values()) <= 60 * n
        batch.step(actions)
        if impl.BACKEND == "c":
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            for _ in range(10):
                batch.step(actions)
            assert tracemalloc.get_traced_memory()[1] - before < 2000
    finally:
        tracemalloc.stop()


def test_a_refused_array_is_not_kept_locked(impl):
    """While the error is held, the caller can still resize what was refused."""
    batch, words, wrong = impl.Batch(3), array("Q", [1, 2, 9]), array("d", [0.0] * 3)
    for call in (
        lambda: batch.step(words),
        lambda: batch.step(wrong),
        lambda: batch.reset(streams=words, boards=wrong),
        lambda: impl.afterstates_many(words, (array("Q", [0]) * 12, wrong, None)),
        lambda: impl.exponents_many(words, wrong),
        lambda: impl.spawns_array(1, (words, wrong)),
        lambda: impl.playouts(words, -1),
    ):
        with pytest.raises((TypeError, ValueError)) as held:
            call()
        assert held.value.__traceback__ is not None
        for items in (words, wrong):
            items.append(1)
            items.pop()


@pytest.mark.parametrize("threads", [1, 3])
def test_an_interrupt_leaves_no_step_half_made(impl, monkeypatch, threads):
    """KeyboardInterrupt at many moments: the arrays are those before the step or those after it."""
    n = 60_000 if impl.BACKEND == "c" else 120
    monkeypatch.setattr(kernels_of(impl), "SLICE", n // 4)
    batch, twin = (impl.Batch(n, 1, autoreset="same_step", threads=threads) for _ in range(2))
    actions, interrupts, moment = array("B", [i % 4 for i in range(n)]), 0, 2e-5

    def interrupt(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        for trial in range(60):
            old = state(batch)
            try:
                signal.setitimer(signal.ITIMER_REAL, moment)
                if trial % 4 == 3:
                    batch.reset()
                else:
                    batch.step(actions)
                signal.setitimer(signal.ITIMER_REAL, 0)
                moment = 2e-5
            except KeyboardInterrupt:
                interrupts, moment = interrupts + 1, moment * 1.3
            if trial % 4 == 3:
                twin.reset()
            else:
                twin.step(actions)
            new = state(batch)
            assert new in (old, state(twin))
            twin = copy.copy(batch)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert interrupts


def test_an_error_in_a_step_that_is_shared_comes_out(impl, monkeypatch):
    monkeypatch.setattr(kernels_of(impl), "SLICE", 10)
    batch = impl.Batch(35, 1, threads=2)

    def fail(*_):
        raise MemoryError("no more")

    monkeypatch.setattr(batch._games, "step", fail)
    with pytest.raises(MemoryError, match="no more"):
        batch.step([0] * 35)
