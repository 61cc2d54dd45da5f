#!/usr/bin/env python3
"""Make the shipped network, bitboard/networks/default.bbnet: learn, learn the late game, shrink, learn on, pack.

python tables/learn_network.py FOLDER              all steps, one after another
python tables/learn_network.py FOLDER --threads 2  learning by so many threads (default: one a processor)
python tables/learn_network.py FOLDER --pack FILE  pack into FILE what the folder has

Each step leaves files in FOLDER and is not repeated; one that was interrupted goes on with its last round. Times are
estimates for one core of an EPYC (Zen 5), by 2 million slides a second; 4 GB of disk and of memory.

  1  learned    4x6 from nothing, 3,600 million slides, as `bitboard train` learns                            30 minutes
  2  late.bin   boards with a tile of 8192 or more, from games that a search plays two spawns ahead            5 minutes
  3  late       from 16384 on weights of its own: full games seldom get there. Half of the games begin with a late
                board; 3,600 million slides                                                                   35 minutes
  4  few        the 2.6 million entries that matter most, of 69 million that were met; 4,400 million slides   40 minutes
  5  calm       with those at a tenth of the rate; 1,600 million slides                                       15 minutes
  6  pack       the 2.45 million that matter most now, rounded to steps of 5 points and compressed: 4 MB      20 seconds

The shipped file came of such steps, but not in one go: bitboard/networks/README.md tells of it, of what was tried, and
why not the other ways.
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

PATTERNS, STAGE = "4x6", 16384
FEW, ENTRIES, STEP = 2_600_000, 2_450_000, 5  # entries learned on with, and packed
ROUND = 100_000_000  # slides between two saves
ROUNDS = {"learned": 36, "late": 36, "few": 44, "calm": 16}
CALM = 0.1  # the rate
LATE_GAMES, LATE_TILE, LATE_SHARE = 300, 8192, 16  # of the boards with that tile one in so many is kept
LATE_DEPTH = 2  # of the search that plays them
LANES, LATE_LANES = 8, 4
PACKED = ROOT / "bitboard" / "networks" / "default.bbnet"


def learn(folder, name, begin, threads, starts=None, rate=1.0):
    """The network of a step: begin() makes the one to learn on with."""
    path, count = folder / f"{name}.net", folder / f"{name}.rounds"
    done = int(count.read_text()) if count.exists() else 0
    network = bitboard.NTupleNetwork.load(path) if done else begin()
    late = {"starts": starts, "start_lanes": LATE_LANES} if starts else {}
    for number in range(done, ROUNDS[name]):
        report = network.train(moves=ROUND, threads=threads, seed=number, lanes=LANES, rate=rate, **late)
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
    search = bitboard.Expectimax(LATE_DEPTH, network=network)
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


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--pack", type=Path, default=PACKED, metavar="FILE")
    given = parser.parse_args(arguments)
    folder, threads = given.folder, given.threads
    folder.mkdir(parents=True, exist_ok=True)
    load, began = bitboard.NTupleNetwork.load, time.monotonic()

    learn(folder, "learned", lambda: bitboard.NTupleNetwork(PATTERNS), threads)
    starts = late_boards(folder, load(folder / "learned.net"))
    learn(folder, "late", lambda: load(folder / "learned.net").split([STAGE]), threads, starts)
    few = learn(folder, "few", lambda: load(folder / "late.net").shrink(FEW), threads, starts)
    calm = learn(folder, "calm", lambda: few, threads, starts, CALM)
    calm.shrink(ENTRIES, STEP).save(given.pack)
    print(f"{given.pack}: {given.pack.stat().st_size:,} bytes, {(time.monotonic() - began) / 60:.0f} minutes in all")


if __name__ == "__main__":
    main()
