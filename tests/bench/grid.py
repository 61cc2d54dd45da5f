"""Boards of any size: max_tile on 20 x 20 for 5 and 10 slides, and slides. No other program is needed.

python tests/bench/grid.py           times, CPU variant by CPU variant, and peak memory
python tests/bench/grid.py --check   the answers of the hard boards, by sliding every distinct board (minutes)
"""

import os
import random
import resource
import subprocess
import sys
import time
from pathlib import Path

import machine

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

N = 20


def boards():
    """(kind, grid, slides) of what is measured."""
    from vectors import objects

    source = random.Random(2048)
    for kind, values in (
        ("random", [0, *(2**k for k in range(1, 11))]),
        ("random, no empty cell", [2**k for k in range(1, 11)]),
        ("random, few values", [0, 2, 4, 8]),
        ("random, two values", [2, 4]),
    ):
        for _ in range(20):
            yield kind, [[source.choice(values) for _ in range(N)] for _ in range(N)]
    yield "checkerboard", [[2 + 2 * ((r + c) % 2) for c in range(N)] for r in range(N)]
    yield "checkerboard, gaps", [[2 * ((r + c) % 2) for c in range(N)] for r in range(N)]
    snake = [[2 ** (1 + (N * r + (c if r % 2 == 0 else N - 1 - c)) % 10) for c in range(N)] for r in range(N)]
    yield "snake", snake
    pairs = [[2 ** (1 + (N * r + (c if r % 2 == 0 else N - 1 - c)) // 2 % 10) for c in range(N)] for r in range(N)]
    yield "snake of pairs", pairs
    yield "all equal", [[2] * N for _ in range(N)]
    for case in objects("max_tile_hard.jsonl.gz"):
        yield f"hard: {case['name']}", case["board"]


def measure():
    """Print the longest and the mean time of each kind of board with the backend and variant in use."""
    from bitboard import BACKEND, grid
    from bitboard.core import ffi as kernels

    print(f"{BACKEND}, {kernels.CPU_VARIANTS[kernels.CPU]}: ms (longest, mean), of the processor's time; nodes at most")
    kinds = {}
    for kind, board in boards():
        kinds.setdefault(kind, []).append(board)
    for kind, group in kinds.items():
        shown = []
        for slides in (5, 10):
            times, nodes = [], 0
            for board in group:
                runs = []
                for _ in range(3 if BACKEND == "c" else 1):
                    start = time.process_time()
                    found = grid.max_tile(board, slides)
                    runs.append(time.process_time() - start)
                times.append(min(runs))
                nodes = max(nodes, found.nodes)
                assert found.proven
            mean = sum(times) / len(times)
            shown.append(f"{slides:2} slides {max(times) * 1e3:9.3f} {mean * 1e3:9.3f} {nodes:7}")
        print(f"  {kind:22} " + "   ".join(shown), flush=True)
    board = [[0 if (r * c) % 3 else 2 << (r + c) % 3 for c in range(N)] for r in range(N)]
    times = [machine.best(lambda: [grid.slide(board, d) for d in range(4)]) / 4 * 1e6]
    cells = grid.slides.cells_of(board)
    times.append(machine.best(lambda: [grid.slides.kernels.slide(*cells, d, 62) for d in range(4)]) / 4 * 1e6)
    print(f"  slide of 20 x 20: {times[0]:.1f} us, of which the slide itself {times[1]:.1f}")
    print(f"  peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB", flush=True)


def check():
    """Compare the answers of tests/data/max_tile_hard.jsonl.gz with an exhaustive search."""
    from test_grid_max_tile import exhaustive
    from vectors import objects

    for case in objects("max_tile_hard.jsonl.gz"):
        answer = exhaustive(case["board"], case["slides"])
        assert answer == (case["answer"], case["first_reached_at_slide"]), (case["name"], answer)
        print(f"{case['name']}: {answer} is right", flush=True)


def main():
    if "--check" in sys.argv:
        return check()
    if "--one" in sys.argv:
        return measure()
    print(machine.describe(), flush=True)
    from bitboard.core.ffi import CPU_VARIANTS, lib

    for name in CPU_VARIANTS[: lib.bb_cpu_best() + 1]:
        subprocess.run([sys.executable, __file__, "--one"], env=os.environ | {"BITBOARD_CPU": name}, check=True)
    subprocess.run([sys.executable, __file__, "--one"], env=os.environ | {"BITBOARD_BACKEND": "python"}, check=True)


if __name__ == "__main__":
    main()
