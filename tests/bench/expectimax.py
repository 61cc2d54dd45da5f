"""Whole games of bitboard.Expectimax: mean score with a 95% interval, tiles reached, moves a second.

python tests/bench/expectimax.py --games 100 --depth 3
python tests/bench/expectimax.py --games 100 --depth 3 --four-layers 2 --prune 160 --adaptive    the agent
python tests/bench/expectimax.py --games 100 --time-ms 5 --four-layers 2 --prune 160 --processes 2    with a limit
python tests/bench/expectimax.py --games 100 --boards 700 --four-layers 2 --table descending    another table
python tests/bench/expectimax.py --games 100 --boards 25 --four-layers 2 --prune 1000 --network default    with a budget

Ctrl-C reports the games that are finished.
Game i is bitboard.Game(seed=stream(SEED, i)), played to its end, so two settings play with the same numbers.
"""

import argparse
import math
import statistics
import sys
import time
from concurrent.futures import ProcessPoolExecutor

import machine

import bitboard


def play(options, seed):
    """One game: (score, moves, largest tile, seconds and CPU seconds in the search, times of the moves, nodes)."""
    network = options.get("network")
    if isinstance(network, str):
        load = bitboard.NTupleNetwork.load
        options = options | {"network": bitboard.NTupleNetwork.default() if network == "default" else load(network)}
    search = bitboard.Expectimax(**options)
    game = bitboard.Game(seed)
    nodes, cpu, times = 0, 0.0, []
    while not game.over:
        start, cpu_start = time.perf_counter(), time.process_time()
        direction = search.best(game.board)
        cpu += time.process_time() - cpu_start
        times.append(time.perf_counter() - start)
        nodes += search.stats.nodes
        game.move(direction)
    return game.score, game.moves, game.largest, sum(times), cpu, times, nodes


def tell(results):
    """Every ten games on stderr, how it goes."""
    if len(results) % 10 == 0:
        reached = sum(result[2] >= 16384 for result in results)
        mean = statistics.mean(result[0] for result in results)
        print(f"{len(results)} games: mean {mean:,.0f}, 16384 in {reached}", file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=2048)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--depth", type=int)
    parser.add_argument("--time-ms", type=float)
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--boards", type=int)
    parser.add_argument("--four-layers", type=int, default=1)
    parser.add_argument("--prune", type=float)
    parser.add_argument("--adaptive", action="store_true")
    parser.add_argument("--cache-mb", type=float, default=16)
    parser.add_argument("--network", help="a file of NTupleNetwork.save(), or default")
    parser.add_argument("--table", help="a file of RowTable.save(), or descending; default: the shipped table")
    given = vars(parser.parse_args())
    games, seed, processes, table = (given.pop(name) for name in ("games", "seed", "processes", "table"))
    options = dict(given)
    if table == "descending":
        options["table"] = bitboard.RowTable.descending() + 80 * bitboard.RowTable.default()
    elif table:
        options["table"] = bitboard.RowTable.load(table)
    print(machine.describe())
    print(f"{games} games, seed {seed}, {given}, on {processes} processes", flush=True)
    seeds = [bitboard.stream(seed, i) for i in range(games)]
    results = []
    try:
        if processes == 1:
            for seed in seeds:
                results.append(play(options, seed))
                tell(results)
        else:
            with ProcessPoolExecutor(processes) as pool:
                for result in pool.map(play, [options] * games, seeds):
                    results.append(result)
                    tell(results)
    except KeyboardInterrupt:
        games = len(results)
        print(f"interrupted: {games} games")
    scores = [result[0] for result in results]
    moves = sum(result[1] for result in results)
    seconds = sum(result[3] for result in results)
    spread = 1.96 * statistics.stdev(scores) / math.sqrt(games) if games > 1 else math.nan
    print(f"mean {statistics.mean(scores):,.0f} +- {spread:,.0f} (95%), median {statistics.median(scores):,.0f}")
    print("reached " + "  ".join(f"{2**k}: {sum(r[2] >= 2**k for r in results) / games:.0%}" for k in range(10, 17)))
    cpu = sum(result[4] for result in results)
    times = sorted(t for result in results for t in result[5])
    print(
        f"{moves / seconds:,.0f} moves/s ({moves / cpu:,.0f} by CPU time), {seconds / moves * 1000:.3f} ms a move, "
        f"99% within {times[len(times) * 99 // 100] * 1000:.2f} ms, the longest {times[-1] * 1000:.1f} ms; "
        f"{sum(r[6] for r in results) / cpu / 1e6:.1f}M boards/s"
    )


if __name__ == "__main__":
    main()
