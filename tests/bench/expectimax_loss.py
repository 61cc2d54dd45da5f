"""What the choices of settings of bitboard.Expectimax lose against a deep search, and their time: far quicker than games.

python tests/bench/expectimax_loss.py [--boards 2000] [--truth depth=4] [--network FILE | --rows] SETTING ...

    python tests/bench/expectimax_loss.py depth=2 boards=25,four_layers=2,prune=1000 time_ms=1,four_layers=2
    python tests/bench/expectimax_loss.py --rows --truth depth=5,prune=400 boards=600,four_layers=2,prune=160

The boards are those of games at depth 1, one in fifty. A loss is the deep search's value of its own choice less that of
the setting's, in points by a network. It is small for a setting that is like the deep search, so take one that is deeper
than all of them; 2,000 boards tell settings apart whose games would have to be thousands.
"""

import argparse
import math
import statistics
import time

import machine

import bitboard

EVERY = 50


def options_of(text):
    """depth=2,prune=160 as keyword arguments."""
    pairs = [part.split("=") for part in text.split(",")]
    return {name: float(value) if "." in value or name == "prune" else int(value) for name, value in pairs}


def boards_of(model, n):
    """Boards of games at depth 1 with at least two legal directions."""
    search, found, game = bitboard.Expectimax(1, **model), [], 0
    while len(found) < n:
        seed, spawns = bitboard.stream(15, game), 2
        board = bitboard.spawn(bitboard.spawn(0, bitboard.random64(seed, 0)), bitboard.random64(seed, 1))
        while not bitboard.is_over(board) and len(found) < n:
            mask = bitboard.legal_moves(board)
            if spawns % EVERY == 0 and mask & (mask - 1):
                found.append(board)
            board = bitboard.spawn(bitboard.move(board, search.best(board)), bitboard.random64(seed, spawns))
            spawns += 1
        game += 1
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("settings", nargs="+", metavar="SETTING")
    parser.add_argument("--boards", type=int, default=2000)
    parser.add_argument("--truth", default="depth=4", metavar="SETTING")
    parser.add_argument("--network", help="a file of NTupleNetwork.save(); default: the shipped network")
    parser.add_argument("--rows", action="store_true", help="the shipped row table instead of a network")
    given = parser.parse_args()
    if given.rows:
        model = {"table": bitboard.RowTable.default()}
    else:
        load = bitboard.NTupleNetwork.load
        model = {"network": load(given.network) if given.network else bitboard.NTupleNetwork.default()}
    print(machine.describe())
    boards = boards_of(model, given.boards)
    deep = bitboard.Expectimax(**model, **options_of(given.truth))
    truth = [deep.values(board) for board in boards]
    for setting in given.settings:
        search = bitboard.Expectimax(**model, **options_of(setting))
        losses, depths, nodes, start = [], [], 0, time.process_time()
        for board, values in zip(boards, truth, strict=True):
            choice = search.best(board)
            losses.append(max(value for value in values if value == value) - values[choice])
            depths.append(search.stats.depth)
            nodes += search.stats.nodes
        spent = time.process_time() - start
        spread = 1.96 * statistics.stdev(losses) / math.sqrt(len(losses))
        print(
            f"{setting}: loss {statistics.mean(losses):.3f} +- {spread:.3f} (95%), another choice on "
            f"{sum(loss > 0 for loss in losses) / len(losses):.0%}, {spent / len(losses) * 1000:.3f} ms CPU, depth "
            f"{statistics.mean(depths):.2f}, {nodes / spent / 1e6:.1f}M boards/s",
            flush=True,
        )


if __name__ == "__main__":
    main()
