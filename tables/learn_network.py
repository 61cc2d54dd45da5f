#!/usr/bin/env python3
"""Make the shipped network, bitboard/networks/default.bbnet: learn, learn the late game, shrink, learn on, pack.

python tables/learn_network.py FOLDER              all steps, one after another
python tables/learn_network.py FOLDER --threads 2  learning by so many threads (default: one a processor)
python tables/learn_network.py FOLDER --pack FILE  pack what the folder has into FILE

Each step leaves a file in FOLDER and is not repeated; one that was interrupted goes on with its last round. Times are
those of two cores of an EPYC (Zen 5) with nothing else to do; the folder takes 8 GB, memory 8 GB.

  1  learned    2,000 million slides from nothing, as `bitboard train` learns                                 17 minutes
  2  late.bin   boards with a tile of 8192 or more, from games that a search one spawn ahead plays             3 minutes
  3  late       from 16384 on weights of its own, which begin as copies: full games seldom get there, and few of them
                get far. Five games in eight begin with a late board; 1,000 million slides                    10 minutes
  4  few        the 3.2 million entries that matter most, of 268; 1,500 million slides with those only        12 minutes
  5  pack       rounded to steps of 32 points and compressed: 4 MB                                            20 seconds

Where a network is searched, what it knows of the late game decides; greedy games hardly tell. What was tried for each
number is in bitboard/networks/README.md.
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

PATTERNS, STAGES = "8x6", [16384]
ENTRIES, STEP = 3_200_000, 32
ROUND = 100_000_000  # slides between two saves
LEARN, LATE, FEW = 20, 10, 15  # rounds
LATE_GAMES, LATE_TILE, LATE_SHARE = 200, 8192, 64  # of the boards with that tile one in so many is kept
LANES, LATE_LANES = 8, 5
PACKED = ROOT / "bitboard" / "networks" / "default.bbnet"


def learn(folder, name, begin, rounds, threads, seed, starts=()):
    """The network of a step: begin() makes the one to learn on with."""
    path, count = folder / f"{name}.net", folder / f"{name}.rounds"
    done = int(count.read_text()) if count.exists() else 0
    network = bitboard.NTupleNetwork.load(path) if done else begin()
    for number in range(done, rounds):
        report = network.train(
            moves=ROUND,
            threads=threads,
            seed=seed,
            lanes=LANES,
            starts=starts,
            start_lanes=LATE_LANES if starts else None,
        )
        if report.interrupted:
            raise KeyboardInterrupt
        network.save(path)
        count.write_text(f"{number + 1}\n")  # killed between these two: one round is learned twice
        print(
            f"{name} {number + 1}/{rounds}: {report.seconds:.0f} s, {report.games} full games of mean "
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
    search = bitboard.Expectimax(1, network=network)
    for seed in range(LATE_GAMES):
        game = bitboard.Game(seed)
        while not game.over:
            board = game.board
            if bitboard.max_tile(board) >= LATE_TILE and bitboard.random64(board, 0) % LATE_SHARE == 0:
                boards.append(board)
            game.move(search.best(board))
    part = folder / "late.part"
    part.write_bytes(boards.tobytes())
    os.replace(part, path)
    print(f"late boards: {len(boards)}", flush=True)
    return boards


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--pack", type=Path, default=PACKED, metavar="FILE")
    given = parser.parse_args()
    folder, threads = given.folder, given.threads
    folder.mkdir(parents=True, exist_ok=True)
    load, began = bitboard.NTupleNetwork.load, time.monotonic()

    learn(folder, "learned", lambda: bitboard.NTupleNetwork(PATTERNS), LEARN, threads, 0)
    starts = late_boards(folder, load(folder / "learned.net"))
    learn(folder, "late", lambda: load(folder / "learned.net").split(STAGES), LATE, threads, 1, starts)
    few = learn(folder, "few", lambda: load(folder / "late.net").shrink(ENTRIES), FEW, threads, 2, starts)
    packed = few.shrink(ENTRIES, STEP)
    packed.save(given.pack)
    print(f"{given.pack}: {given.pack.stat().st_size:,} bytes, {(time.monotonic() - began) / 60:.0f} minutes in all")


if __name__ == "__main__":
    main()
