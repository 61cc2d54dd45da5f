"""Expectimax as an object: arguments, evaluators, statistics, pickling, threads, Ctrl-C."""

import copy
import importlib
import os
import pickle
import re
import signal
import threading
from array import array
from concurrent.futures import ThreadPoolExecutor

import expectimax_oracle as definition
import numpy as np
import pytest

SYMMETRIC = definition.uneven(1, True)
BOARD = 0x1234_2100_3000_1000


def flat(boards):
    return [1.0] * len(boards)


@pytest.mark.parametrize(
    "options, error, said",
    [
        ({"depth": -1}, ValueError, "depth"),
        ({"depth": 21}, ValueError, "depth"),
        ({"depth": 1.5}, TypeError, "depth"),
        ({"depth": "3"}, TypeError, "depth"),
        ({"nodes": 0}, ValueError, "nodes"),
        ({"nodes": 2.5}, TypeError, "nodes"),
        ({"boards": 0}, ValueError, "boards"),
        ({"boards": 100_000_001}, ValueError, "boards"),
        ({"boards": 2.5}, TypeError, "boards"),
        ({"time_ms": 0}, ValueError, "time_ms"),
        ({"time_ms": float("nan")}, ValueError, "time_ms"),
        ({"time_ms": "5"}, TypeError, "time_ms"),
        ({"time_ms": 10**400}, ValueError, "time_ms"),
        ({"depth": 10**400}, ValueError, "depth"),
        ({"nodes": 10**400}, ValueError, "nodes"),
        ({"cache_mb": 10**400}, ValueError, "cache_mb"),
        ({"time_ms": []}, TypeError, "time_ms"),
        ({"cache_mb": -1}, ValueError, "cache_mb"),
        ({"threads": 0}, ValueError, "threads"),
        ({"threads": None}, TypeError, "threads"),
        ({"reward_weight": float("inf")}, ValueError, "reward_weight"),
        ({"over_value": float("nan")}, ValueError, "over_value"),
        ({"four_layers": 3}, ValueError, "four_layers"),
        ({"prune": -1}, ValueError, "prune"),
        ({"prune": "2"}, TypeError, "prune"),
        ({"prune": False}, TypeError, "prune"),
        ({"prune": np.bool_(True)}, TypeError, "prune"),
        ({"prune": float("nan")}, ValueError, "prune"),
        pytest.param({"prune": 2, "evaluator": flat}, TypeError, "prune", id="prune-with-evaluator"),
        ({"table": [1.0] * 65536}, TypeError, "table"),
        ({"evaluator": 5}, TypeError, "evaluator"),
        ({"colour": 1}, TypeError, "colour"),
    ],
    ids=str,
)
def test_arguments_are_checked(impl, options, error, said):
    with pytest.raises(error, match=said):
        impl.Expectimax(**options)


def test_a_table_and_an_evaluator_exclude_each_other(impl):
    with pytest.raises(TypeError, match="evaluator"):
        impl.Expectimax(table=impl.RowTable(SYMMETRIC), evaluator=flat)


@pytest.mark.parametrize(
    "board, error", [(-1, OverflowError), (2**64, OverflowError), ("1", TypeError), (None, TypeError)]
)
def test_boards_are_checked(impl, board, error):
    search = impl.Expectimax(1, impl.RowTable(SYMMETRIC))
    for call in (search.values, search.best, search):
        with pytest.raises(error, match="board"):
            call(board)


def test_numpy_integers_are_boards(impl):
    search = impl.Expectimax(1, impl.RowTable(SYMMETRIC))
    assert search.best(np.uint64(BOARD)) == search.best(BOARD)


def test_defaults(impl):
    search = impl.Expectimax()
    search.values(0x1212_2121_1212_0133)
    assert search.stats.depth == 3
    assert search.name == "expectimax" and "depth=3" in repr(search)


def test_stats_are_those_of_the_last_call(impl):
    search = impl.Expectimax(2, impl.RowTable(SYMMETRIC))
    search.values(BOARD)
    first = search.stats
    assert first.nodes > first.cache_probes > first.cache_hits >= 0
    assert first.depth == 2 and first.seconds > 0 and first.leaves == 0
    search.values(BOARD)
    assert search.stats.nodes < first.nodes and search.stats.cache_hits > 0
    assert search.stats._fields == ("nodes", "depth", "cache_hits", "cache_probes", "leaves", "seconds")


# ---- evaluators ----


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_an_evaluator_is_called_with_arrays_of_different_boards(impl, depth):
    table, calls = impl.RowTable(SYMMETRIC), []

    def evaluate(boards):
        calls.append(boards)
        return [table(board) for board in boards]

    search = impl.Expectimax(depth, evaluator=evaluate)
    found = search.values(BOARD)
    assert definition.close(found, impl.Expectimax(depth, table).values(BOARD))
    assert len(calls) == 1 and isinstance(calls[0], array) and calls[0].typecode == np.dtype(np.uint64).char
    assert len(set(calls[0])) == len(calls[0]) == search.stats.leaves
    assert np.asarray(calls[0]).dtype == np.uint64


def column(numbers):
    """As networks return them."""
    return np.array(numbers).reshape(-1, 1)


def test_what_an_evaluator_may_return(impl):
    def faces(boards):
        return [float(board % 1009) for board in boards]

    wanted = impl.Expectimax(1, evaluator=faces).values(BOARD)
    for kind in (
        tuple,
        np.array,
        lambda x: np.array(x, np.float32),
        lambda x: array("d", x),
        lambda x: iter(x),
        column,
    ):
        found = impl.Expectimax(1, evaluator=lambda boards, kind=kind: kind(faces(boards))).values(BOARD)
        assert definition.close(found, wanted)


@pytest.mark.parametrize(
    "evaluate, said",
    [
        (lambda boards: [1.0] * (len(boards) - 1), "one number for each"),
        (lambda boards: [1.0] * len(boards) + [1.0], "one number for each"),
        (lambda boards: None, "a number for each"),
        (lambda boards: 1.0, "a number for each"),
        (lambda boards: ["a"] * len(boards), "a number for each"),
        (lambda boards: bytes(8 * len(boards)), "a number for each"),
        (lambda boards: dict.fromkeys(boards, 1.0), "a number for each"),
        (lambda boards: np.ones(len(boards), complex), "a number for each"),
        (lambda boards: np.ones((len(boards), 2)), "a number for each"),
        (lambda boards: [10**400] * len(boards), "a number for each"),
        (lambda boards: [1.0 for _ in iter(boards.pop, boards[0])], "one number for each"),
        (lambda boards: [float("nan")] * len(boards), "finite numbers.*board [0-9a-f]{16}"),
        (lambda boards: [float("inf")] * len(boards), "finite numbers"),
    ],
)
def test_what_an_evaluator_must_not_return(impl, evaluate, said):
    search = impl.Expectimax(1, evaluator=evaluate)
    with pytest.raises(ValueError, match=said):
        search.values(BOARD)


def test_an_evaluator_may_do_what_it_likes_with_its_array(impl):
    def consume(boards):
        worth = [float(board % 1009) for board in boards]
        del boards[1:]
        boards[0] = 0
        return worth

    wanted = impl.Expectimax(1, evaluator=lambda boards: [float(board % 1009) for board in boards]).values(BOARD)
    assert definition.close(impl.Expectimax(1, evaluator=consume).values(BOARD), wanted)


def test_an_evaluator_that_raises(impl):
    search = impl.Expectimax(1, evaluator=lambda boards: 1 / 0)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            search.values(BOARD)
    recursive = impl.Expectimax(1, evaluator=lambda boards: [recursive.best(board) for board in boards])
    with pytest.raises(RuntimeError, match="another one"):
        recursive.values(BOARD)


def test_too_many_leaves_are_an_error_that_says_so(impl, monkeypatch):
    module = __import__(f"{impl.__name__}.search.evaluators", fromlist=["evaluators"])
    few = impl.Expectimax(1, evaluator=flat)
    few.values(BOARD)
    monkeypatch.setattr(module, "MOST_LEAVES", few.stats.leaves)
    assert definition.close(impl.Expectimax(1, evaluator=flat).values(BOARD), few.values(BOARD))
    monkeypatch.setattr(module, "MOST_LEAVES", few.stats.leaves - 1)
    with pytest.raises(ValueError, match="depth 1 has more than"):
        impl.Expectimax(1, evaluator=flat).values(BOARD)


def test_an_evaluator_under_a_budget(impl):
    table = impl.RowTable(SYMMETRIC)
    search = impl.Expectimax(nodes=300, evaluator=table.many)
    values = search.values(BOARD)
    assert definition.close(values, impl.Expectimax(search.stats.depth, table).values(BOARD))
    timed = impl.Expectimax(time_ms=3, evaluator=table.many)
    assert definition.close(timed.values(BOARD), impl.Expectimax(timed.stats.depth, table).values(BOARD))


def test_many_boards_with_an_evaluator(impl):
    table = impl.RowTable(SYMMETRIC)
    boards = array("Q", definition.some_boards(8, 0.9, 3))
    found = impl.Expectimax(1, evaluator=table.many).best_many(boards)
    assert found.tolist() == impl.Expectimax(1, table).best_many(boards).tolist()


# ---- copies, threads, interruption ----


def test_pickling(impl):
    for search in (
        impl.Expectimax(1, impl.RowTable(SYMMETRIC), reward_weight=0.5, over_value=-1.0, four_layers=2, threads=2),
        impl.Expectimax(nodes=50, table=impl.RowTable(SYMMETRIC), adaptive=True, cache_mb=1),
        impl.Expectimax(boards=30, table=impl.RowTable(SYMMETRIC)),
        impl.Expectimax(2, impl.RowTable(SYMMETRIC), prune=2),
        impl.Expectimax(1, evaluator=flat),
    ):
        search.values(BOARD)
        again = pickle.loads(pickle.dumps(search))
        assert repr(again) == repr(search)
        assert definition.close(again.values(BOARD), search.values(BOARD), 0)


def test_threads_may_share_a_search(impl):
    search = impl.Expectimax(2, impl.RowTable(SYMMETRIC))
    boards = definition.some_boards(16, 0.95, 4)
    expected = [impl.Expectimax(2, impl.RowTable(SYMMETRIC)).values(board) for board in boards]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(search.values, boards))
    assert all(definition.close(a, b, 0) for a, b in zip(found, expected, strict=True))


def test_threads_that_share_searches_and_a_table_see_their_own_results(impl):
    table, boards = impl.RowTable(SYMMETRIC), definition.some_boards(60, 0.6, 8)
    searches = [impl.Expectimax(depth, table) for depth in (0, 1)]
    expected = [
        [(search.best(b), search.values(b), table(b), impl.afterstates(b)) for search in searches] for b in boards
    ]

    def work(shift):
        for board, wanted in list(zip(boards, expected, strict=True))[shift:] * 5:
            for search, (best, values, value, slides) in zip(searches, wanted, strict=True):
                assert search.best(board) == best and definition.close(search.values(board), values, 0)
                assert table(board) == value and impl.afterstates(board) == slides
        return True

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(8)))


def test_stats_are_of_the_last_call_that_searched(impl):
    search, over = impl.Expectimax(1, impl.RowTable(SYMMETRIC)), 0x1212_2121_1212_2121
    assert search.stats == (0, 0, 0, 0, 0, 0.0)
    search.best(BOARD)
    first = search.stats
    assert first.depth == 1 and first.nodes > 10 and first.cache_probes > 0 and first.seconds > 0 == first.leaves
    with pytest.raises(ValueError, match="the game is over"):
        search.best(over)
    assert search.stats == first
    other = impl.Expectimax(1, impl.RowTable(SYMMETRIC))
    other.values(BOARD)
    assert other.stats[:5] == first[:5]
    assert search.values(over)[0] != search.values(over)[0] and search.stats[:5] == (0, 0, 0, 0, 0)


def test_best_takes_the_values_of_a_subclass(impl):
    class Contrary(impl.Expectimax):
        def values(self, board):
            return tuple(-value for value in super().values(board))

    search, plain = Contrary(1, impl.RowTable(SYMMETRIC)), impl.Expectimax(1, impl.RowTable(SYMMETRIC))
    boards = definition.some_boards(20, 0.6, 9)
    assert [search.best(b) for b in boards] == [impl.agents.best([-v for v in plain.values(b)]) for b in boards]


def test_what_takes_long_goes_on_in_a_thread(impl, monkeypatch):
    wanted = impl.Expectimax(3, impl.RowTable(SYMMETRIC))
    values, best = wanted.values(BOARD), wanted.best(BOARD)
    monkeypatch.setattr(importlib.import_module(".search.expectimax", impl.__name__), "SHORT_NS", 1)
    for call, result in (("values", values), ("best", best)):
        search = impl.Expectimax(3, impl.RowTable(SYMMETRIC))
        found = getattr(search, call)(BOARD)
        assert found == result if call == "best" else definition.close(found, result, 0)
        assert search.stats.depth == 3 and search.stats.nodes > 100 and search.stats.seconds > 0


LONG = 0x1234_5000_0000_0000  # at depth 9 it takes hours


@pytest.mark.parametrize(
    "options, call",
    [
        ({"depth": 9}, lambda search: search.values(LONG)),
        ({"depth": 9, "threads": 2}, lambda search: search.best_many(array("Q", [LONG] * 3))),
        ({"time_ms": 3_600_000, "depth": 9}, lambda search: search.best(LONG)),
        ({"nodes": 10**12, "depth": 9}, lambda search: search.best(LONG)),
        ({"boards": 10**8, "depth": 9}, lambda search: search.best(LONG)),
    ],
    ids=["values", "many", "time", "nodes", "boards"],
)
@pytest.mark.terminal
def test_ctrl_c_ends_a_search_and_it_can_be_used_again(impl, options, call):
    search = impl.Expectimax(table=impl.RowTable(SYMMETRIC), cache_mb=1, **options)
    timer = threading.Timer(0.15, os.kill, (os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        call(search)
    timer.join()
    search._depth = 1
    assert definition.close(search.values(BOARD), impl.Expectimax(1, impl.RowTable(SYMMETRIC)).values(BOARD), 0)


def test_repr_shows_every_option_that_is_given(impl):
    assert re.search(r"depth=2.*four_layers=2", repr(impl.Expectimax(2, four_layers=2)))
    assert "prune=0.0" in repr(impl.Expectimax(2, prune=0)) and "cache_mb=0.0" in repr(impl.Expectimax(2, cache_mb=0))
    assert repr(impl.Expectimax(2, prune=float("inf"))) == repr(impl.Expectimax(2))
    assert not re.search("prune|nodes|None", repr(impl.Expectimax(2)))


def subclass_of(impl):
    """A class that pickle finds, with an attribute, a call of its own and an __init__ of its own."""

    class Contrary(impl.Expectimax):
        def __init__(self, label):
            super().__init__(1, impl.RowTable(SYMMETRIC))
            self.label = label

        def __call__(self, board):
            return max(d for d in range(4) if impl.legal_moves(board) >> d & 1)

    Contrary.__qualname__ = name = f"Contrary_{impl.BACKEND}"
    globals()[name] = Contrary
    return Contrary


def test_a_subclass_comes_back_as_itself(impl):
    search = subclass_of(impl)(["mine"])
    for again in (pickle.loads(pickle.dumps(search)), copy.copy(search), copy.deepcopy(search)):
        assert type(again) is type(search) and again.label == ["mine"] and repr(again) == repr(search)
        assert again(BOARD) == search(BOARD)
        assert definition.close(again.values(BOARD), search.values(BOARD), 0)
    assert copy.copy(search).label is search.label and copy.deepcopy(search).label is not search.label


def test_an_evaluator_may_give_a_column_as_networks_do(impl):
    def value(boards):
        return np.asarray(boards) % np.uint64(1009) * 1.0

    board = 0x1230_0000_0000_0012
    flat = impl.Expectimax(depth=1, evaluator=value).values(board)
    assert impl.Expectimax(depth=1, evaluator=lambda boards: value(boards)[:, None]).values(board) == flat
    with pytest.raises(ValueError, match="a number for each of|one number for each of"):
        impl.Expectimax(depth=1, evaluator=lambda boards: value(boards)[None, :]).values(board)
