"""Batch.step from Python beside its kernel alone, over batch sizes; and what the encodings cost. Needs numpy.

    python tests/bench/batch.py [ROUNDS]

Games restart in the same step; actions are int64 as numpy makes them. Seconds of CPU time, the best of the rounds.
"""

import sys
import time

import machine
import numpy as np

import bitboard
from bitboard.core.ffi import CPU, CPU_VARIANTS
from bitboard.many import _c

SIZES = (64, 256, 1024, 4096, 16384, 65536, 262144, 1_000_000)
GAMES = 2_000_000  # in one timing


def nanoseconds(call, times, n):
    """CPU time a game of a call that steps n."""
    start = time.process_time()
    for _ in range(times):
        call()
    return (time.process_time() - start) / times / max(n, 1) * 1e9


def step_costs(n, rounds):
    """CPU time a game of Batch.step and of its kernel alone."""
    batch = bitboard.Batch(n, 1, autoreset="same_step")
    actions = np.random.default_rng(1).integers(0, 4, n)
    for _ in range(200 if n <= 65536 else 5):
        batch.step(np.random.default_rng().integers(0, 4, n))
    pointer, games, stepped = _c.ffi.from_buffer(actions), batch._games._games, _c.lib.bb_games_step
    times = max(1, GAMES // n)
    step = kernel = 9e9
    for _ in range(rounds):
        step = min(step, nanoseconds(lambda: batch.step(actions), times, n))
        kernel = min(kernel, nanoseconds(lambda: stepped(CPU, games, pointer, 8, 2, 0, n), times, n))
    return step, kernel


def steps(rounds):
    """Print the cost of a step for each size."""
    print(f"{'games':>9}  {'step, ns a game':>16}  {'kernel':>7}  {'M steps/s':>9}  step/kernel speed")
    for n in SIZES:
        step, kernel = step_costs(n, rounds)
        print(f"{n:9}  {step:16.2f}  {kernel:7.2f}  {1e3 / step:9.1f}  {kernel / step:.2f}")


def encodings(rounds, n=16384):
    """Print the cost a board of each encoding, into a given buffer."""
    batch = bitboard.Batch(n, 1)
    for _ in range(60):
        batch.step(np.random.default_rng().integers(0, 4, n))
    boards = np.array(batch.boards)
    calls = {
        "exponents_many": (bitboard.exponents_many, {}),
        "one_hot_many, uint8": (bitboard.one_hot_many, {}),
        "one_hot_many, float32": (bitboard.one_hot_many, {"dtype": "float32"}),
        "symmetries_many": (bitboard.symmetries_many, {}),
        "afterstates_many": (bitboard.afterstates_many, {}),
    }
    for name, (function, options) in calls.items():
        out = function(boards, **options)
        cost = min(nanoseconds(lambda: function(boards, out, **options), 20, n) for _ in range(rounds))  # noqa: B023
        print(f"{name:24} {cost:6.2f} ns a board")


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    print(machine.describe())
    print(f"variant {CPU_VARIANTS[CPU]}")
    steps(rounds)
    encodings(rounds)


if __name__ == "__main__":
    main()
