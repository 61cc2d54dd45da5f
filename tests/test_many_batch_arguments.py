"""Batch: actions of any integers, resets, and what is refused without a change."""

import ctypes
from array import array

import numpy as np
import pytest
from batches import ARRAYS, Slow, action, kernels_of, state

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
    monkeypatch.setattr(kernels_of(impl), "STEP_SLICE", 10)
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
