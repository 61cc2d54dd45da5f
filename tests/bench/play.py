"""Random play: each CPU variant of the kernel beside a loop that plays one game at a time (yardstick.c), in one run.

    python tests/bench/play.py [ROUNDS]

Rounds alternate between all of them and the best of each is kept. Seconds of CPU time on one core, through the
public function; then one and two threads by the clock.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import machine

GAMES = 300_000


def compiled_yardstick(folder):
    """The yardstick as a program, for the instruction set that its pdep needs."""
    rows, program = Path(folder) / "rows.c", Path(folder) / "yardstick"
    build = [sys.executable, machine.ROOT / "csrc" / "ffi_build.py"]
    rows.write_bytes(subprocess.run(build, capture_output=True, check=True).stdout)
    source = machine.ROOT / "tests" / "bench" / "yardstick.c"
    flags = ["-O3", "-march=x86-64-v3", "-I", machine.ROOT / "csrc"]
    subprocess.run(["cc", *flags, source, rows, "-o", program], check=True)
    return program


def million_slides_a_second():
    """Of the variant in use, through random_games."""
    import bitboard

    bitboard.random_games(10_000)
    start = time.process_time()
    result = bitboard.random_games(GAMES, 1)
    return sum(result.lengths) / (time.process_time() - start) * 1e-6


def thread_gain(rounds):
    """How many times as fast two threads are as one, by the clock."""
    import bitboard

    best = {1: 9e9, 2: 9e9}
    for _ in range(rounds):
        for threads in best:
            start = time.perf_counter()
            bitboard.random_games(4 * GAMES, 1, threads)
            best[threads] = min(best[threads], time.perf_counter() - start)
    return best[1] / best[2]


def main():
    if "--one" in sys.argv:
        print(million_slides_a_second())
        return
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    from bitboard.core.ffi import CPU_VARIANTS, lib

    print(machine.describe(), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        program = compiled_yardstick(folder)
        variants = CPU_VARIANTS[: lib.bb_cpu_best() + 1]
        best = dict.fromkeys(["one game at a time", *variants], 0.0)
        for _ in range(rounds):
            for name in best:
                if name in variants:
                    environment = os.environ | {"BITBOARD_CPU": name}
                    command = [sys.executable, __file__, "--one"]
                    rate = float(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)
                else:
                    text = subprocess.run([program, str(GAMES)], capture_output=True, text=True, check=True).stdout
                    rate = float(re.search(r"([\d.]+) M slides/s", text)[1])
                best[name] = max(best[name], rate)
    for name, rate in best.items():
        print(f"{name:20} {rate:7.1f} M slides/s  {rate / best['one game at a time']:5.2f} times one at a time")
    print(f"two threads: {thread_gain(rounds):.2f} times one")


if __name__ == "__main__":
    main()
