"""Games, agents and evaluations: what a move costs, how strong the agents are, what processes and a cluster are worth.

python tests/bench/games.py [moves] [workers] [dask] [strength]     all unless named; strength takes a few minutes,
dask needs distributed
"""

import sys
import time

import machine

import bitboard
from bitboard import agents, grid


def legal_by_turns(game):
    """Play a game by the lowest legal direction."""
    while not game.over:
        mask = game.legal
        game.move((mask & -mask).bit_length() - 1)
    return game.moves


def moves():
    """The cost of a move of Game, as a multiple of the bare functions'."""

    def games():
        return sum([legal_by_turns(bitboard.Game(seed=seed)) for seed in range(200)])

    def bare():
        for seed in range(200):
            board, i = bitboard.spawn(bitboard.spawn(0, bitboard.random64(seed, 0)), bitboard.random64(seed, 1)), 2
            while mask := bitboard.legal_moves(board):
                direction = (mask & -mask).bit_length() - 1
                board = bitboard.spawn(bitboard.move(board, direction), bitboard.random64(seed, i))
                i += 1

    n_all = games()
    one, other = machine.best(games), machine.best(bare)
    print(f"a move of Game, found and made: {one / n_all * 1e6:.2f} us, {one / other:.1f} times the bare functions")
    few = grid.Game(5, 5, seed=1)
    n = legal_by_turns(few)
    seconds = machine.best(lambda: legal_by_turns(grid.Game(5, 5, seed=1)), repeat=3)
    print(f"a move of grid.Game 5x5: {seconds / n * 1e6:.1f} us, {seconds / n / (one / n_all):.0f} times Game's")
    record = bitboard.Game(seed=5)
    legal_by_turns(record)
    text = record.record()
    seconds = machine.best(lambda: bitboard.Game.from_record(text))
    print(f"reading and checking a record: {seconds / record.moves * 1e6:.1f} us a move")


def workers():
    """The same evaluation in one process and in two, by turns; the medians of the times."""
    ratios = []
    for round_ in range(5):
        times = []
        for processes in (1, 2):
            start = time.perf_counter()
            result = bitboard.evaluate(agents.MonteCarlo(15), 40, round_, workers=processes)
            times.append(time.perf_counter() - start)
            scores = result.scores
            if processes == 1:
                alone = scores
        assert scores == alone, "the games differ"
        ratios.append(times[0] / times[1])
    print("two workers are", " ".join(f"{ratio:.2f}" for ratio in sorted(ratios)), "times as fast as one (five rounds)")


def dask():
    """100,000 greedy games on two workers of a local cluster and on two processes of our own, by turns."""
    from distributed import Client, LocalCluster

    agent, n = agents.Greedy(), 100_000
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster, Client(cluster) as client:
        bitboard.evaluate(agent, 200, workers=client)
        ratios = []
        for _ in range(3):
            own, there = [bitboard.evaluate(agent, n, workers=workers) for workers in (2, client)]
            assert own.scores == there.scores, "the games differ"
            ratios.append(own.seconds / there.seconds)
    print("dask is", " ".join(f"{ratio:.2f}" for ratio in sorted(ratios)), "times as fast as two processes of our own")


def strength():
    """The table of the agents in the README."""
    for agent, games in (
        (agents.Random(), 10_000),
        (agents.Greedy(), 10_000),
        (agents.MonteCarlo(50), 100),
        (agents.MonteCarlo(200), 100),
    ):
        start = time.process_time()
        result = bitboard.evaluate(agent, games, seed=0)
        seconds = time.process_time() - start
        print(result.table())
        print(f"CPU         {result.moves / seconds:,.0f} moves/s of processor time, one process\n")


def main():
    print(machine.describe(), flush=True)
    parts = {"moves": moves, "workers": workers, "dask": dask, "strength": strength}
    for name in sys.argv[1:] or parts:
        parts[name]()


if __name__ == "__main__":
    main()
