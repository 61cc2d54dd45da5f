"""Batch: every game of it is the game that its stream and its slides give, however many play and wherever."""

import ctypes
from array import array

import numpy as np
import pytest
from batches import ARRAYS, DEAD, FINAL_ARRAYS, FULL_ROW_OF_TOPS, Slow, action, kernels_of, state, variants
from conftest import BACKENDS
from oracle import slide


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
    monkeypatch.setattr(kernels_of(impl), "STEP_SLICE", 37)
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
