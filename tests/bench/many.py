"""Operations on an array of a million boards, per CPU variant, beside one board at a time. Needs numpy.

python tests/bench/many.py
"""

import os
import subprocess
import sys

import machine

N = 1_000_000


def measure():
    """Print the nanoseconds a board of each operation with the variant in use."""
    import numpy as np

    import bitboard
    from bitboard.core import ffi as kernels

    generator = np.random.default_rng(1)
    exponents = generator.choice(
        12, size=(N, 16), p=[0.4, 0.15, 0.12, 0.1, 0.07, 0.05, 0.04, 0.03, 0.02, 0.01, 0.005, 0.005]
    )
    boards = (exponents.astype(np.uint64) << np.arange(60, -4, -4, dtype=np.uint64)).sum(1, dtype=np.uint64)
    numbers = generator.integers(0, 2**64, N, dtype=np.uint64)
    out = np.empty_like(boards)
    calls = {
        "move LEFT": lambda: bitboard.move_many(boards, 3, out),
        "move UP": lambda: bitboard.move_many(boards, 0, out),
        "reward": lambda: bitboard.reward_many(boards, 0, out),
        "legal": lambda: bitboard.legal_moves_many(boards, out),
        "spawn": lambda: bitboard.spawn_many(boards, numbers, out),
    }
    few = boards[:100_000].tolist()
    one = machine.best(lambda: [bitboard.move_left(board) for board in few], repeat=3) / len(few)
    times = {name: machine.best(call, repeat=15) / N for name, call in calls.items()}
    shown = "  ".join(f"{name} {seconds * 1e9:.2f}" for name, seconds in times.items())
    print(
        f"{kernels.CPU_VARIANTS[kernels.CPU]:10} ns a board: {shown}; one at a time: {one / times['move LEFT']:.0f} times move LEFT"
    )


def main():
    if "--one" in sys.argv:
        return measure()
    print(machine.describe(), flush=True)
    from bitboard.core.ffi import CPU_VARIANTS, lib

    for name in CPU_VARIANTS[: lib.bb_cpu_best() + 1]:
        subprocess.run([sys.executable, __file__, "--one"], env=os.environ | {"BITBOARD_CPU": name}, check=True)


if __name__ == "__main__":
    main()
