#!/usr/bin/env python3
"""Make the shipped network, bitboard/networks/default.bbnet: learn two networks, join what matters of them, pack.

python tables/learn_network.py FOLDER              all steps, one after another
python tables/learn_network.py FOLDER --threads 2  learning by so many threads (default: one a processor)
python tables/learn_network.py FOLDER --pack FILE  pack into FILE what the folder has

Each step leaves files in FOLDER and is not repeated; one that was interrupted goes on with its last round. It takes
about 2.5 hours on two cores of an EPYC (Zen 5), 10 GB of disk and 8 GB of memory.

  1  early     8x6, 1,800 million slides from nothing, as `bitboard train` learns. Strong, but it sees few late boards
  2  middle    4x6, 3,600 million slides: half the weights learn from a late board with fewer of them
  3  late.bin  boards with a tile of 8192 or more, from games that a search over it plays two spawns ahead
  4  late      from 16384 on weights of its own; half of the games begin with a late board; 3,600 million slides
  5  few       joined: 2.0 million entries of the first, for boards before 16384, and 1.2 million of the second, for
               those after it: the ones that matter most. 1,500 million slides with only these
  6  pack      rounded to steps of 32 points and compressed: 4 MB

Where a network is searched, what it knows of the late game decides; greedy games hardly tell.
bitboard/networks/README.md has what was tried.
"""

import argparse
import os
import sys
import time
from array import array
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # the package of this checkout

import bitboard  # noqa: E402

EARLY_PATTERNS, LATE_PATTERNS, STAGE = "8x6", "4x6", 16384
EARLY, LATE, STEP = 2_000_000, 1_200_000, 32  # entries kept before and after STAGE
ROUND = 100_000_000  # slides between two saves
ROUNDS = {"early": 18, "middle": 36, "late": 36, "few": 15}
LATE_GAMES, LATE_TILE, LATE_SHARE = 300, 8192, 16  # of the boards with that tile one in so many is kept
LANES, LATE_LANES = 8, 4
PACKED = ROOT / "bitboard" / "networks" / "default.bbnet"


def learn(folder, name, begin, threads, starts=None):
    """The network of a step: begin() makes the one to learn on with."""
    path, count = folder / f"{name}.net", folder / f"{name}.rounds"
    done = int(count.read_text()) if count.exists() else 0
    network = bitboard.NTupleNetwork.load(path) if done else begin()
    late = {"starts": starts, "start_lanes": LATE_LANES} if starts else {}
    for number in range(done, ROUNDS[name]):
        report = network.train(moves=ROUND, threads=threads, seed=number, lanes=LANES, **late)
        if report.interrupted:
            raise KeyboardInterrupt
        network.save(path)
        count.write_text(f"{number + 1}\n")  # killed between these two: one round is learned twice
        print(
            f"{name} {number + 1}/{ROUNDS[name]}: {report.seconds:.0f} s, {report.games} full games of mean "
            f"{report.mean_score:,.0f}, 16384 in {report.reached[14] / max(report.games, 1):.1%}",
            flush=True,
        )
    return network


def late_boards(folder, network):
    """Boards late in games that a search plays, as the network sees them past 32768 too."""
    path = folder / "late.bin"
    boards = array("Q")
    if path.exists():
        boards.frombytes(path.read_bytes())
        return boards
    search = bitboard.Expectimax(2, network=network)
    for seed in range(LATE_GAMES):
        game = bitboard.Game(seed)
        while not game.over:
            board = game.board
            is_late = bitboard.max_exponent(board) >= LATE_TILE.bit_length() - 1
            if is_late and bitboard.random64(board, 0) % LATE_SHARE == 0:
                boards.append(board)
            game.move(search.best(board))
    part = folder / "late.part"
    part.write_bytes(boards.tobytes())
    os.replace(part, path)
    print(f"late boards: {len(boards)}", flush=True)
    return boards


def joined(early, late):
    """A network that has the entries of `early` that matter most before STAGE, and those of `late` after it."""
    patterns = [*early.patterns, *[pattern for pattern in late.patterns if pattern not in early.patterns]]
    both = bitboard.NTupleNetwork(patterns, stages=[STAGE])
    both.update(array("Q"), array("d"))  # takes the memory for learning
    size = 16 ** len(patterns[0])
    absent = memoryview(array("f", [0, -1]) * size)
    for number in range(2 * len(patterns)):
        both._errors[2 * number * size : 2 * (number + 1) * size] = absent
    late._weights[: late.entries // 2] = memoryview(array("f", bytes(4 * (late.entries // 2))))  # only the second stage
    for stage, few in enumerate((early.shrink(EARLY), late.shrink(LATE))):
        for number, pattern in enumerate(few.patterns):
            to = (stage * len(patterns) + patterns.index(pattern)) * size
            of = (stage * len(few.patterns) + number) * size
            both._weights[to : to + size] = few._weights[of : of + size]
            both._errors[2 * to : 2 * (to + size)] = few._errors[2 * of : 2 * (of + size)]
    return both


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--pack", type=Path, default=PACKED, metavar="FILE")
    given = parser.parse_args(arguments)
    folder, threads = given.folder, given.threads
    folder.mkdir(parents=True, exist_ok=True)
    load, began = bitboard.NTupleNetwork.load, time.monotonic()

    learn(folder, "early", lambda: bitboard.NTupleNetwork(EARLY_PATTERNS), threads)
    learn(folder, "middle", lambda: bitboard.NTupleNetwork(LATE_PATTERNS), threads)
    starts = late_boards(folder, load(folder / "middle.net"))
    learn(folder, "late", lambda: load(folder / "middle.net").split([STAGE]), threads, starts)
    few = learn(folder, "few", lambda: joined(load(folder / "early.net"), load(folder / "late.net")), threads, starts)
    few.shrink(EARLY + LATE, STEP).save(given.pack)
    print(f"{given.pack}: {given.pack.stat().st_size:,} bytes, {(time.monotonic() - began) / 60:.0f} minutes in all")


if __name__ == "__main__":
    main()
