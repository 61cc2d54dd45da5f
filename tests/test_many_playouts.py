"""Random play: whole games and playouts are the games that their streams give; the summaries are right."""

import importlib
import math
import os
import pickle
import signal
import statistics
from array import array
from collections import Counter

import numpy as np
import pytest
from conftest import BACKENDS, IMPLEMENTATIONS
from test_many_batch import variants

DEAD = 0x1212_2121_1212_2121
RESULTS = ("scores", "lengths", "max_exponents", "final_boards")


def slowly(impl, stream, board=None, afterstate=False):
    """(score, length, largest exponent, final board) of one game, by the words of the documentation."""
    if board is None:
        board = impl.spawn(impl.spawn(0, impl.random64(stream, 0)), impl.random64(stream, 1))
    elif afterstate:
        board = impl.spawn(board, impl.random64(stream, 1))
    score = slides = 0
    while legal := impl.afterstates(board):
        number = impl.random64(impl.stream(stream, 1), slides)
        _, after, reward = legal[(number >> 32) * len(legal) >> 32]
        board = impl.spawn(after, impl.random64(stream, 2 + slides))
        score, slides = score + reward, slides + 1
    return score, slides, impl.max_exponent(board), board


def some_boards(impl):
    """Boards of all kinds: sparse, crowded, over, empty, with 32768s."""
    crowded = [impl.random64(1, i) | 0x1111_1111_1111_1111 for i in range(8)]
    sparse = [impl.random64(2, i) & impl.random64(3, i) & impl.random64(4, i) for i in range(12)]
    return array("Q", [0, 2**64 - 1, DEAD, 0xFF00 << 48, 0xF00F << 48, 0xEE00 << 48, 1, *crowded, *sparse])


def results(playouts):
    return [list(getattr(playouts, name)) for name in RESULTS]


def module_of(impl, name="many.playout"):
    return importlib.import_module("." + name, impl.__name__)


@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1])
def test_random_games_are_the_games_of_their_streams(impl, seed):
    expected = [slowly(impl, impl.stream(seed, i)) for i in range(12)]
    assert results(impl.random_games(12, seed)) == [list(column) for column in zip(*expected, strict=True)]


@pytest.mark.parametrize("afterstates", [False, True])
def test_playouts_are_the_games_of_their_streams(impl, afterstates):
    boards, n, seed = some_boards(impl), 3, 77
    result = impl.playouts(boards, n, seed, afterstates=afterstates)
    streams = [(b, impl.stream(impl.stream(seed, i), j)) for i, b in enumerate(boards) for j in range(n)]
    expected = [slowly(impl, stream, board, afterstates) for board, stream in streams]
    assert results(result) == [list(column) for column in zip(*expected, strict=True)]
    assert (result.n_boards, result.n, len(result)) == (len(boards), n, len(boards) * n)


def test_a_batch_plays_the_same_games(impl):
    n, seed = 10, 21
    result, batch = impl.random_games(n, seed), impl.Batch(n, seed)
    choices = [impl.stream(stream, 1) for stream in batch.streams]
    while not all(batch.over):
        actions = []
        for i in range(n):
            legal = [d for d in range(4) if batch.legal[i] >> d & 1] or [0]
            actions.append(legal[(impl.random64(choices[i], batch.moves[i]) >> 32) * len(legal) >> 32])
        batch.step(actions)
    assert [batch.scores.tolist(), batch.moves.tolist()] == [list(result.scores), list(result.lengths)]
    assert batch.boards.tolist() == list(result.final_boards)


def test_more_games_begin_with_the_same_ones(impl):
    many, few = impl.random_games(40, 3), impl.random_games(7, 3)
    assert [column[:7] for column in results(many)] == results(few)
    boards = some_boards(impl)[:3]
    many, few = impl.playouts(boards, 9, 3), impl.playouts(boards[:2], 4, 3)
    assert [column[0:4] + column[9:13] for column in results(many)] == results(few)


@pytest.mark.parametrize("cpu", variants())
@pytest.mark.parametrize("threads", [1, 2, 7])
def test_threads_slices_variants_and_backends_are_the_same(both, monkeypatch, cpu, threads):
    expected = results(both[-1].random_games(90, 4)), results(both[-1].playouts(some_boards(both[-1]), 4, 9))
    kernels = module_of(both[0]).kernels
    if BACKENDS[0] == "c":
        monkeypatch.setattr(kernels, "CPU", cpu)
    for size in (1, 13, kernels.PLAY_SLICE):
        monkeypatch.setattr(kernels, "PLAY_SLICE", size)
        games = both[0].random_games(90, 4, threads)
        playouts = both[0].playouts(some_boards(both[0]), 4, 9, threads=threads)
        assert (results(games), results(playouts)) == expected


@pytest.mark.parametrize("n", [0, 1, 2, 63, 64, 65, 511, 512, 513, 1500])
def test_lanes_are_filled_and_emptied(both, n):
    impl = both[0]
    n = n if BACKENDS[0] == "c" else min(n, 20)
    whole = results(impl.random_games(1500 if BACKENDS[0] == "c" else 20, 6))
    assert results(impl.random_games(n, 6)) == [column[:n] for column in whole]


def test_playouts_of_nothing(impl):
    for boards in ([], (), array("Q"), np.zeros((0, 3), np.uint64)):
        result = impl.playouts(boards, 5)
        assert len(result) == len(result.scores) == len(result.mean_scores) == 0
        assert str(result) == "no games" and result.tile_counts() == [0] * 16 and result.score_histogram() == []
    result = impl.playouts([1, 2], 0)
    assert len(result) == 0 and len(result.mean_scores) == 2 and all(map(math.isnan, result.mean_scores))
    assert list(result.std_scores) == [0, 0] and all(map(math.isnan, result.mean_lengths))
    assert len(impl.random_games(0)) == 0


def test_boards_that_are_over_give_playouts_of_no_slide(impl):
    result = impl.playouts([DEAD, 0], 4, 1)
    assert results(result) == [[0] * 8, [0] * 8, [2] * 4 + [0] * 4, [DEAD] * 4 + [0] * 4]
    assert list(impl.playouts([DEAD], 2, afterstates=True).final_boards) == [DEAD, DEAD]


@pytest.mark.parametrize("make", [list, tuple, lambda b: b, memoryview, lambda b: np.array(b, np.uint64)])
def test_kinds_of_boards(impl, make):
    boards = some_boards(impl)[:6]
    result, expected = impl.playouts(make(boards), 2, 5), impl.playouts(boards, 2, 5)
    assert results(result) == results(expected)
    is_numpy = isinstance(make(boards), np.ndarray)
    kinds = {"scores": "int64", "lengths": "int32", "max_exponents": "uint8", "final_boards": "uint64"}
    for name, dtype in {**kinds, "mean_scores": "f8", "std_scores": "f8", "mean_lengths": "f8"}.items():
        column = getattr(result, name)
        assert isinstance(column, np.ndarray if is_numpy else array), name
        assert np.asarray(column).dtype == dtype


def test_summaries(impl):
    boards = some_boards(impl)[-3:]
    result = impl.playouts(boards, 12, 1)
    for i in range(3):
        scores, tops = list(result.scores[12 * i : 12 * i + 12]), result.max_exponents[12 * i : 12 * i + 12]
        assert result.mean_scores[i] == pytest.approx(statistics.mean(scores), rel=1e-12)
        assert result.std_scores[i] == pytest.approx(statistics.stdev(scores), rel=1e-12)
        assert result.mean_lengths[i] == pytest.approx(statistics.mean(result.lengths[12 * i : 12 * i + 12]))
        assert {k: n for k, n in enumerate(result.tile_counts(i)) if n} == Counter(tops)
        low, high = result.interval(0.95, i)
        half = 1.959964 * statistics.stdev(scores) / 12**0.5
        assert (low, high) == pytest.approx((statistics.mean(scores) - half, statistics.mean(scores) + half), rel=1e-6)
        for width in (1, 100, 10**9):
            histogram = result.score_histogram(width, i)
            assert {k: n for k, n in enumerate(histogram) if n} == Counter(score // width for score in scores)
    assert sum(result.tile_counts()) == sum(result.score_histogram()) == 36
    assert [sum(x) for x in zip(*map(result.tile_counts, range(3)), strict=True)] == result.tile_counts()
    assert result.interval(0.5)[0] > result.interval(0.99)[0]
    assert "36 random games" in str(result) and "3 boards, 12 each" in repr(result)
    assert list(impl.playouts(boards, 1).std_scores) == [0, 0, 0]


@pytest.mark.parametrize("n", [1, 2, 9])
def test_summaries_of_many_boards(impl, monkeypatch, n):
    """In one pass, in parts, and one board after another: exact sums, and kept."""
    boards = np.array(some_boards(impl), np.uint64)
    whole = impl.playouts(boards, n, 2)
    monkeypatch.setattr(module_of(impl), "MOST_SUMMED", 4)
    in_parts = impl.playouts(boards.tolist(), n, 2)
    for i in range(len(boards)):
        scores = list(whole.scores[n * i : n * i + n])
        mean, std = statistics.fmean(scores), statistics.stdev(map(int, scores)) if n > 1 else 0
        assert (whole.mean_scores[i], whole.std_scores[i]) == pytest.approx((mean, std), rel=1e-12)
        assert whole.mean_lengths[i] == sum(whole.lengths[n * i : n * i + n]) / n
    for name in ("mean_scores", "std_scores", "mean_lengths"):
        assert getattr(whole, name) is getattr(whole, name)
        assert list(getattr(in_parts, name)) == list(getattr(whole, name))


def test_one_game_gives_no_interval(impl):
    result = impl.random_games(1, 1)
    lines = str(result).splitlines()
    assert lines[0] == f"1 random game, {result.lengths[0]} slides"
    assert lines[1] == f"score {result.scores[0]} (no interval from one game)"
    assert lines[-1].split() == [str(2 ** result.max_exponents[0]), "1", "100.000%"]
    for nothing in (result.interval(), impl.random_games(0).interval(), impl.playouts([1, 2], 1).interval(0.9, 1)):
        assert all(map(math.isnan, nothing))
    low, high = impl.playouts([1, 2], 1, 3).interval()
    assert low < high


def test_levels_next_to_0_and_1(impl):
    result = impl.random_games(5, 1)
    widths = []
    for level in (5e-324, 0.01, 0.95, 1 - 1e-9, 0.9999999999999999):
        low, high = result.interval(level)
        assert f"{100 * level:.4g}% interval {low:.2f} to {high:.2f}" in result.report(level)
        widths.append(high - low)
    assert widths == sorted(widths) and 0 == widths[0] < widths[1] < widths[3] < widths[4] < math.inf


def test_results_can_be_pickled(impl):
    result = impl.playouts([1], 3)
    copy = pickle.loads(pickle.dumps(result))
    assert results(copy) == results(result) and str(copy) == str(result)


def test_progress_counts_every_game_once(impl, monkeypatch):
    monkeypatch.setattr(module_of(impl).kernels, "PLAY_SLICE", 7)
    for threads, slices in ((1, 5), (3, 6)):
        done = []
        impl.random_games(30, 1, threads, progress=done.append)
        assert sum(done) == 30 and len(done) == slices


def test_slices_share_the_work_evenly(impl):
    size = module_of(impl, "tools.parallel").slice_size
    for most in (65536, 32768, 16):
        for threads in (1, 2, 3, 8, 64):
            for n in (0, 1, 100, 4096, 8192, 20_000, 32_768, 40_000, 65_537, 100_001, 10**6):
                each = size(n, most, threads)
                assert most // 8 <= each <= most
                in_turn = math.ceil(math.ceil(n / each) / threads)  # slices of the busiest thread
                assert each == most // 8 or in_turn * each <= n / threads + in_turn
    assert size(40_000, 32_768, 2) == 20_000 and size(65_537, 65_536, 2) == 32_769
    assert size(32_768, 32_768, 2) == 16_384 and size(5000, 32_768, 8) == 4096


def test_threads_share_what_fits_one_slice(impl):
    done = []
    n = module_of(impl).kernels.PLAY_SLICE
    impl.random_games(n, 1, 2, progress=done.append)
    assert done == [n // 2, n // 2]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda b: b.playouts([1, -1], 1), OverflowError, r"boards\[1\] must be"),
        (lambda b: b.playouts([1.0], 1), TypeError, r"boards\[0\] must be"),
        (lambda b: b.playouts(np.zeros(3), 1), TypeError, "boards must hold"),
        (lambda b: b.playouts(5, 1), TypeError, "boards must be"),
        (lambda b: b.playouts(np.zeros(4, np.uint64)[::2], 1), ValueError, "C-contiguous"),
        (lambda b: b.playouts([1], -1), ValueError, "n must be"),
        (lambda b: b.playouts([1], 1.5), TypeError, "n must be"),
        (lambda b: b.playouts([1], 1, -1), OverflowError, "seed must be"),
        (lambda b: b.playouts([1], 1, threads=0), ValueError, "threads must be"),
        (lambda b: b.playouts([1], 1, threads=10**6), ValueError, "threads must be"),
        (lambda b: b.random_games(-1), ValueError, "n must be"),
        (lambda b: b.random_games(2**70), ValueError, "n must be"),
        (lambda b: b.random_games("1"), TypeError, "n must be"),
        (lambda b: b.random_games(1, 2**64), OverflowError, "seed must be"),
        (lambda b: b.random_games(1, 0, None), TypeError, "threads must be"),
        (lambda b: b.random_games(2).tile_counts(1), ValueError, "board must be"),
        (lambda b: b.random_games(2).interval(0.9, -1), ValueError, "board must be"),
        (lambda b: b.playouts([], 3).tile_counts(0), ValueError, "board must be None: there are no boards"),
        (lambda b: b.playouts([], 3).interval(board=0), ValueError, "board must be None: there are no boards"),
        (lambda b: b.playouts([], 3).score_histogram(board=0), ValueError, "board must be None: there are no boards"),
        (lambda b: b.random_games(2).interval(math.nan), ValueError, "level must"),
        (lambda b: b.random_games(2).interval(1.0), ValueError, "level must"),
        (lambda b: b.random_games(2).score_histogram(0), ValueError, "width must be"),
    ],
)
def test_bad_arguments(impl, call, error, message):
    with pytest.raises(error, match=message):
        call(impl)


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_stops_long_work(impl, threads):
    done, games = [], 3_000_000

    def progress(n):
        done.append(n)
        if len(done) == 1:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        impl.random_games(games, threads=threads, progress=progress)
    assert 0 < sum(done) < games


def test_an_error_in_a_thread_comes_out_and_stops_the_others(impl, monkeypatch):
    monkeypatch.setattr(module_of(impl).kernels, "PLAY_SLICE", 4)
    done = []

    def fail(games):
        done.append(games)
        raise RuntimeError("stop")

    for threads in (1, 3):
        done.clear()
        with pytest.raises(RuntimeError, match="stop"):
            impl.random_games(400, 1, threads, progress=fail)
        assert len(done) <= threads


def test_the_mean_score_is_the_published_one():
    """1,050 to 1,100 is what people report for random play: a 99.9% interval of the mean must overlap it."""
    name = BACKENDS[0]
    result = IMPLEMENTATIONS[name].random_games(1_000_000 if name == "c" else 1500, seed=1)
    low, high = result.interval(0.999)
    assert low <= 1100 and high >= 1050
    shares = [count / len(result) for count in result.tile_counts()]
    assert sum(shares) == pytest.approx(1) and max(shares) == shares[7] and shares[6] > shares[8] > shares[9]
