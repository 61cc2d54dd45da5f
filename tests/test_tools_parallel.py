"""Threads: how many there are by default, and what works where none can be started."""

import _thread
import os
import signal
import threading
from array import array
from importlib import import_module

import pytest


@pytest.fixture
def no_threads(monkeypatch):
    def refuse(*arguments, **options):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(_thread, "start_new_thread", refuse)
    for name in ("_start_new_thread", "_start_joinable_thread"):  # of Python before 3.13, and since
        monkeypatch.setattr(threading, name, refuse, raising=False)


FAR = "5 1 3 4 / 2 10 6 8 / 9 7 11 12 / 13 14 15 0"


def test_one_thread_needs_no_other(impl, no_threads):
    with pytest.raises(RuntimeError, match="can't start new thread"):
        threading.Thread(target=int).start()
    batch = impl.Batch(3, seed=1)
    batch.step(array("B", [0, 1, 2]))
    assert list(batch.moves) != [0, 0, 0]
    options = {"goal": "blank-last", "heuristic": "manhattan"}
    for threads in ({}, {"threads": 1}):
        found = impl.sliding.solve_many([FAR] * 3, **options, **threads)
        assert [solution.length for solution in found] == [impl.sliding.solve(FAR, **options).length] * 3


def test_a_long_search_needs_no_thread(impl, no_threads):
    """Which C would else leave to one, so that Ctrl-C is heard."""
    board = impl.parse("2 4 8 16  0 0 2 32  0 0 0 64  0 0 0 128")
    search = impl.Expectimax(depth=4 if impl.BACKEND == "c" else 1, cache_mb=0)
    assert search.best(board) in impl.DIRECTIONS


@pytest.mark.parametrize("threads", [True, False])
def test_ctrl_c_comes_when_the_work_is_done(impl, request, threads):
    if not threads:
        request.getfixturevalue("no_threads")
    done = []

    def work():
        os.kill(os.getpid(), signal.SIGINT)
        done.append(sum(range(100_000)))

    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        import_module(".tools.parallel", impl.__name__).whole(work)
        threading.Event().wait(30)  # the system may hand the signal over a little later
    assert done and signal.getsignal(signal.SIGINT) is before


def test_the_processors_that_this_process_may_use(impl, monkeypatch, request):
    parallel = import_module(".tools.parallel", impl.__name__)
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {3, 5, 6}, raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    assert parallel.processors() == parallel.threads_by_default() == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    assert parallel.processors() == 64
    request.getfixturevalue("no_threads")
    assert parallel.threads_by_default() == 1
