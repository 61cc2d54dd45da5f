#!/usr/bin/env python3
"""Look for the weights of row_heuristic.py: an evolution strategy over games on the C core. Needs numpy.

    python tables/tune.py --whole-games --depth 2 --boards 60 --seconds 900 --processes 2
    python tables/tune.py --depth 3 --seconds 3600 --weights '{"empty": 4.3, ...}'

With --whole-games candidates play from the start to the end, and are worth the mean sum of their tiles at the end. From
good weights on, early moves tell nothing. Then a pool of late boards is made by the mean of the strategy: its games
at depth 3, kept at every multiple of 1024 of the tile sum from --least on. A candidate plays on from boards of the
pool, the same for all candidates of a generation, until the game is over or the tile sum has grown by --growth; it is
worth the mean share of that growth that it survives.
The strategy is CMA-ES (Hansen, "The CMA Evolution Strategy: A Tutorial", 2016), in the logarithms of the weights that
must be positive. The mean is printed after each generation as JSON; row_heuristic.WEIGHTS takes it over by hand.
"""

import argparse
import json
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import row_heuristic

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # the package of this checkout

import bitboard

# name: (start, step, whether searched in logarithms, least, largest)
PARTS = {
    "empty": (4.0, 0.5, True, 0.01, 1000),
    "merge": (4.0, 0.5, True, 0.01, 1000),
    "chain": (0.0, 2.0, False, -50, 50),
    "disorder": (0.1, 0.7, True, 1e-5, 100),
    "disorder_power": (3.0, 0.3, False, 0.5, 6),
    "tiles": (0.1, 0.7, True, 1e-5, 100),
    "tiles_power": (3.0, 0.3, False, 0.5, 6),
}
NAMES = list(PARTS)

ROWS = np.array([(row >> 12, row >> 8 & 15, row >> 4 & 15, row & 15) for row in range(65536)])
PUSHED = np.array([[x for x in row if x] + [0] * row.count(0) for row in ROWS.tolist()])  # tiles first
LENGTHS = (ROWS > 0).sum(1)


def pair_sums(condition):
    """For each row, on how many pairs of neighbouring tiles a condition holds."""
    a, b = PUSHED[:, :-1], PUSHED[:, 1:]
    return (condition(a, b) & (b > 0)).sum(1)


MERGES = pair_sums(lambda a, b: a == b)
CHAINS = pair_sums(lambda a, b: abs(a - b) == 1)


def disorder(values):
    steps = np.diff(values, axis=1)
    return np.minimum(np.maximum(steps, 0).sum(1), np.maximum(-steps, 0).sum(1))


def table_of(w):
    """row_heuristic.value for all rows at once."""
    powers = np.arange(16.0) ** w["disorder_power"]
    tile_powers = np.arange(16.0) ** w["tiles_power"]
    tile_powers[0] = 0
    return bitboard.RowTable(
        np.maximum(
            1.0,
            row_heuristic.LIVE
            + w["empty"] * (4 - LENGTHS)
            + w["merge"] * MERGES
            + w["chain"] * CHAINS
            - w["disorder"] * disorder(powers[ROWS])
            - w["tiles"] * tile_powers[ROWS].sum(1),
        )
    )


def search_of(table, depth):
    """The search that the weights are for: that of the agent, so that they suit what it sees."""
    return bitboard.agents.expectimax(depth, table=table, prune=bitboard.agents.PRUNE, cache_mb=4)


def worth_of(weights, depth, boards, seed, growth):
    """What a candidate is worth: the mean share of play_on()."""
    return play_on(search_of(table_of(weights), depth), boards, seed, growth).mean()


def sums(boards):
    return np.array([bitboard.tile_sum(board) for board in boards.tolist()])


def play_on(search, boards, seed, growth, on_step=None):
    """Play from boards until each game is over or its tile sum has grown; the share of the growth that each reached."""
    boards = boards.copy()
    start = sums(boards)
    share = np.ones(len(boards))
    live = np.arange(len(boards))
    move = 0
    while len(live):
        now = boards[live]
        grown = sums(now) - start[live]
        best = search.best_many(now)
        over = best < 0
        share[live[over]] = np.minimum(grown[over] / growth, 1)
        going = ~over & (grown < growth)
        live, now, best = live[going], now[going], best[going]
        for direction in range(4):
            chosen = best == direction
            now[chosen] = bitboard.move_many(now[chosen], direction)
        numbers = [bitboard.random64(bitboard.stream(seed, i), move) for i in live.tolist()]
        boards[live] = bitboard.spawn_many(now, np.array(numbers, np.uint64))
        if on_step:
            on_step(boards[live])
        move += 1
    return share


def late_boards(table, games, seed):
    """Boards of games at depth 3, one at each multiple of 1024 of the tile sum, from 4096 on."""
    pool = []

    def keep(boards):
        for board in boards.tolist():
            if bitboard.tile_sum(board) % 1024 <= 2 and bitboard.tile_sum(board) >= 4096:
                pool.append(board)

    search = search_of(table, 3)
    start = np.array([bitboard.spawn(0, bitboard.stream(seed, i)) for i in range(games)], np.uint64)
    play_on(search, start, seed, 2**20, keep)
    return np.array(pool, np.uint64)


def weights_of(point):
    """The weights of a point of the search space."""
    return {
        name: float(np.clip(np.exp(x) if log else x, low, high))
        for x, (name, (_, _, log, low, high)) in zip(point, PARTS.items(), strict=True)
    }


def point_of(weights):
    return np.array([np.log(max(weights[n], PARTS[n][3])) if PARTS[n][2] else weights[n] for n in NAMES])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--depth", type=int, default=2)
    parser.add_argument("--whole-games", action="store_true")
    parser.add_argument("--boards", type=int, default=150, help="played by each candidate (default: 150)")
    parser.add_argument("--growth", type=int, help="of the tile sum (default: 2048, of whole games 65536)")
    parser.add_argument("--least", type=int, default=4096, help="least tile sum of the boards used")
    parser.add_argument("--pool-games", type=int, default=24)
    parser.add_argument("--renew", type=int, default=12, help="generations between new pools")
    parser.add_argument("--sigma", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--weights", help="JSON of the weights to start from")
    arguments = parser.parse_args()
    growth = arguments.growth or (2**16 if arguments.whole_games else 2048)
    rng = np.random.default_rng(arguments.seed)
    start = {name: part[0] for name, part in PARTS.items()} | json.loads(arguments.weights or "{}")
    values = table_of(start).values
    for row in rng.integers(0, 65536, 50):  # two forms of one function
        same = row_heuristic.value(tuple(ROWS[row].tolist()), start)
        assert abs(values[row] - same) < 1e-6 * abs(same), row

    n = len(NAMES)
    step = np.array([part[1] for part in PARTS.values()])
    size = 4 + int(3 * np.log(n))
    parents = size // 2
    rank = np.log(parents + 0.5) - np.log(np.arange(1, parents + 1))
    rank /= rank.sum()
    mass = 1 / (rank**2).sum()
    c_path = (4 + mass / n) / (n + 4 + 2 * mass / n)
    c_sigma = (mass + 2) / (n + mass + 5)
    c_one = 2 / ((n + 1.3) ** 2 + mass)
    c_mass = min(1 - c_one, 2 * (mass - 2 + 1 / mass) / ((n + 2) ** 2 + mass))
    expected = np.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n))
    mean, sigma = point_of(start), arguments.sigma
    covariance, path, sigma_path = np.eye(n), np.zeros(n), np.zeros(n)
    begin, generation, pool = time.time(), 0, np.array([], np.uint64)
    pool_of_processes = ProcessPoolExecutor(arguments.processes)
    while time.time() - begin < arguments.seconds:
        if arguments.whole_games:
            pool = np.array([bitboard.spawn(0, int(rng.integers(2**62))) for _ in range(arguments.boards)], np.uint64)
        elif generation % arguments.renew == 0:
            new = late_boards(table_of(weights_of(mean)), arguments.pool_games, int(rng.integers(2**62)))
            pool = np.concatenate([pool[-2000:], new[sums(new) >= arguments.least]])
            print(f"pool of {len(pool)} boards, tile sums up to {sums(pool).max()}", flush=True)
        eigenvalues, basis = np.linalg.eigh(covariance)
        scale = np.sqrt(np.maximum(eigenvalues, 1e-12))
        drawn = (rng.standard_normal((size, n)) * scale) @ basis.T
        boards, seed = rng.choice(pool, arguments.boards), int(rng.integers(2**62))
        games = [
            pool_of_processes.submit(worth_of, weights_of(point), arguments.depth, boards, seed, growth)
            for point in mean + sigma * drawn * step
        ]
        worth = [game.result() for game in games]
        best = drawn[np.argsort(worth)[::-1][:parents]]
        moved = rank @ best
        mean = mean + sigma * moved * step
        sigma_path = (1 - c_sigma) * sigma_path + np.sqrt(c_sigma * (2 - c_sigma) * mass) * (
            basis @ (basis.T @ moved / scale)
        )
        length = np.linalg.norm(sigma_path)
        steady = length / np.sqrt(1 - (1 - c_sigma) ** (2 * generation + 2)) < (1.4 + 2 / (n + 1)) * expected
        path = (1 - c_path) * path + steady * np.sqrt(c_path * (2 - c_path) * mass) * moved
        covariance = (1 - c_one - c_mass) * covariance + c_one * np.outer(path, path) + c_mass * (best.T * rank) @ best
        sigma = min(sigma * np.exp(c_sigma / (1 + c_sigma) * (length / expected - 1)), 2)
        generation += 1
        rounded = {name: float(f"{weight:.4g}") for name, weight in weights_of(mean).items()}
        print(
            f"generation {generation}, {time.time() - begin:.0f} s: survived {np.mean(worth):.3f}, "
            f"best {max(worth):.3f}, sigma {sigma:.3f}\n{json.dumps(rounded)}",
            flush=True,
        )


if __name__ == "__main__":
    main()
