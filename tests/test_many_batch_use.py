"""Batch: its arrays, copies, memory, and steps that are interrupted."""

import copy
import pickle
import signal
import tracemalloc
from array import array

import numpy as np
import pytest
from batches import ARRAYS, FINAL_ARRAYS, action, kernels_of, state


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
    monkeypatch.setattr(kernels_of(impl), "STEP_SLICE", n // 4)
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
    monkeypatch.setattr(kernels_of(impl), "STEP_SLICE", 10)
    batch = impl.Batch(35, 1, threads=2)

    def fail(*_):
        raise MemoryError("no more")

    monkeypatch.setattr(batch._games, "step", fail)
    with pytest.raises(MemoryError, match="no more"):
        batch.step([0] * 35)
