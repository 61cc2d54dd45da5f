"""Pickles that were made before there was a folder for each subject, by version 0.1 (commit dbebed9)."""

import base64
import gzip
import json
import pickle
import sys
from array import array

import pytest
from conftest import BACKENDS, DATA, IMPLEMENTATIONS

import bitboard

OLD = json.loads(gzip.decompress((DATA / "pickles_0.1.json.gz").read_bytes()))


def played(game, directions):
    for direction in directions:
        if game.legal >> direction & 1:
            game.move(direction)
    return game


def batch():
    made = bitboard.Batch(3, seed=5)
    made.step(array("B", [0, 1, 2]))
    return made


MADE_NOW = {
    "game": lambda: played(bitboard.Game(7), (2, 1, 2, 3, 0, 2) * 3),
    "grid_game": lambda: played(bitboard.grid.Game(3, 5, seed=1, spawn={2: 1}, top=64), (0, 1, 2, 3) * 4),
    "rules": lambda: bitboard.grid.Game(3, 5, seed=1, spawn={2: 1}, top=64).rules,
    "batch": batch,
    "evaluation": lambda: bitboard.evaluate(bitboard.agents.Greedy(), games=3, seed=1),
    "expectimax": lambda: bitboard.Expectimax(depth=1, evaluator=bitboard.max_exponent),
    "table": lambda: bitboard.RowTable([float(i % 7) for i in range(65536)]),
    "playouts": lambda: bitboard.random_games(4, seed=2),
    "greedy": bitboard.agents.Greedy,
    "random": bitboard.agents.Random,
    "montecarlo": lambda: bitboard.agents.MonteCarlo(playouts=5),
    "solution": lambda: bitboard.sliding.solve("1 2 3 / 4 5 0 / 6 7 8"),
    "max_tile": lambda: bitboard.grid.max_tile([[2, 2], [0, 4]], 2),
    "move": lambda: bitboard.move_left,
    "move_many": lambda: bitboard.move_many,
    "evaluate": lambda: bitboard.evaluate,
}


def seen(thing):
    """What tells two things of a class apart."""
    if isinstance(thing, bitboard.Batch):
        return [list(thing.boards), list(thing.scores), list(thing.legal)]
    if isinstance(thing, bitboard.Playouts):
        return [list(thing.scores), list(thing.final_boards)]
    if isinstance(thing, bitboard.sliding.Solution):
        return thing.moves, thing.board
    if hasattr(thing, "scores"):
        return list(thing.scores)
    if type(thing).__module__.endswith(".agents"):
        return vars(thing)
    return repr(thing)


def test_every_kind_is_there():
    assert {key.split()[0] for key in OLD} == set(MADE_NOW)


@pytest.mark.parametrize("key", sorted(OLD))
def test_it_loads_and_is_what_it_was(key):
    old, now = pickle.loads(base64.b64decode(OLD[key])), MADE_NOW[key.split()[0]]()
    assert type(old) is type(now)
    assert old == now or seen(old) == seen(now)


@pytest.mark.parametrize(
    "name", ["game", "batch", "rowtable", "encoding", "outcomes", "notation", "playout", "progress"]
)
def test_modules_answer_to_their_former_names(name):
    package = IMPLEMENTATIONS[BACKENDS[0]].__name__
    module = __import__(f"{package}.{name}", fromlist=["*"])
    public = [value for key, value in vars(module).items() if not key.startswith("_")]
    assert public and all(value.__module__.startswith(package) for value in public)


def test_arrays_in_pickles_are_little_endian_on_every_machine(monkeypatch):
    from bitboard.tools import buffers

    numbers = [1, 2**40 + 7, 2**64 - 2]
    native = memoryview(array("Q", numbers))
    if sys.byteorder == "little":
        assert buffers.little_endian(native) == native.tobytes()
        monkeypatch.setattr(sys, "byteorder", "big")  # bytes of this machine are then those of the other kind
        assert buffers.little_endian(native) == b"".join(number.to_bytes(8, "big") for number in numbers)
    else:
        assert buffers.little_endian(native) == b"".join(number.to_bytes(8, "little") for number in numbers)
    again = memoryview(buffers.little_endian(native)).cast("Q")
    assert buffers.little_endian(again) == native.tobytes()
    assert buffers.little_endian(memoryview(b"abc")) == b"abc"
