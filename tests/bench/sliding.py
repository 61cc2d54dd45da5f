"""Sliding puzzles: Korf's 15-puzzles, the 80-move positions, all 8-puzzles, and what databases take.

    python tests/bench/sliding.py               with the default database
    python tests/bench/sliding.py --big         with 7-8 too (288 MB on disk, 1.9 GB of memory to build)
    python tests/bench/sliding.py --big --hard  the 80-move positions too (minutes with the default database)

Lengths are compared with the published ones. CPU seconds of one thread, so that a busy machine disturbs less;
wall-clock beside them.
"""

import argparse
import csv
import os
import sys
import tempfile
import time
from array import array

import machine

from bitboard import BACKEND, sliding

DATA = machine.ROOT / "tests" / "data"
PUBLISHED_NODES = 36_710  # mean of 1,000 random 15-puzzles with 7-8 and its reflection, Korf and Felner (2002)


def rows(name):
    with open(DATA / name, encoding="ascii") as file:
        return list(csv.DictReader(file))


def korf(heuristic):
    puzzles = rows("korf100.csv")
    nodes, cpu, wall, worst = 0, time.process_time(), time.perf_counter(), 0.0
    for row in puzzles:
        solution = sliding.solve(row["state"], heuristic=heuristic)
        assert solution.length == int(row["optimal"]), row
        nodes += solution.nodes
        worst = max(worst, solution.seconds)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    n = len(puzzles)
    print(
        f"{n} of Korf's 100, {heuristic}: mean {1e3 * cpu / n:.2f} ms CPU, {1e3 * wall / n:.2f} ms wall, worst "
        f"{1e3 * worst:.0f} ms, {nodes / n:,.0f} nodes ({nodes / n / PUBLISHED_NODES:.2f} of the published mean of 7-8), "
        f"{nodes / cpu / 1e6:.1f} M nodes/s"
    )


def hard(heuristic):
    for row in rows("hard15.csv"):
        for key, goal in (("state_goal_blank_first", "blank-first"), ("state_goal_blank_last", "blank-last")):
            cpu = time.process_time()
            solution = sliding.solve(row[key], goal, heuristic=heuristic)
            assert solution.length == int(row["optimal"]), row
            print(
                f"80 moves, no. {row['id']} {goal}, {heuristic}: {time.process_time() - cpu:.2f} s CPU, "
                f"{solution.seconds:.2f} s wall, {solution.nodes:,} nodes"
            )


def eight_puzzles():
    start = time.perf_counter()
    counts = sliding.distances((3, 3))
    print(f"table of 3x3: {1e3 * (time.perf_counter() - start):.1f} ms, {sum(counts):,} boards")
    boards = array("Q", [sliding.random_board(seed, (3, 3)) for seed in range(2000)])
    for what, given, size in (
        ("an int", boards, (3, 3)),
        ("a text", [sliding.pretty(b, (3, 3)) for b in boards], None),
    ):
        cpu = time.process_time()
        one = machine.best(lambda given=given, size=size: [sliding.solve(b, size=size) for b in given]) / len(boards)
        cpu = (time.process_time() - cpu) / 7 / len(boards)
        print(f"one 8-puzzle from {what}: {1e6 * one:.1f} us wall, {1e6 * cpu:.1f} us CPU, the mean of {len(boards):,}")
    from itertools import permutations

    every = array("Q", [sliding.from_grid(p) for p in permutations(range(9)) if sliding.is_solvable(p)])
    cpu, start = time.process_time(), time.perf_counter()
    solved = sliding.solve_many(every, size=(3, 3))
    cpu, start = time.process_time() - cpu, time.perf_counter() - start
    print(f"solve_many of all {len(solved):,}: {start:.2f} s wall, {cpu:.2f} s CPU")
    assert sum(s.length for s in solved) == sum(d * n for d, n in enumerate(counts))


def building(partition):
    with tempfile.TemporaryDirectory() as folder:
        os.environ["BITBOARD_CACHE"] = folder
        cpu, wall = time.process_time(), time.perf_counter()
        path = sliding.build_database(partition, rebuild=True)
        print(
            f"building {partition}: {time.process_time() - cpu:.2f} s CPU, {time.perf_counter() - wall:.2f} s wall, "
            f"{os.path.getsize(path):,} bytes"
        )
        code = (
            f"import time; from bitboard import sliding; t = time.perf_counter(); sliding.build_database({partition!r})"
        )
        machine.subprocess.run(
            [sys.executable, "-c", code + "; print(f'  opening it: {time.perf_counter() - t:.3f} s')"]
        )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--big", action="store_true")
    parser.add_argument("--hard", action="store_true")
    arguments = parser.parse_args()
    print(machine.describe(), BACKEND)
    eight_puzzles()
    for partition in ("6-6-3", "7-8") if arguments.big else ("6-6-3",):
        building(partition)
        korf(partition)
        if arguments.hard:
            hard(partition)


if __name__ == "__main__":
    main()
