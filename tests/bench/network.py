"""N-tuple networks: slides a second in learning and in greedy games, boards a second of `many`, in one run.

    python tests/bench/network.py [SECONDS]

SECONDS, 1.5 unless given, is how long one measurement takes; all of them take about a minute and a half. Each network
learns for a while first, so that its games are long and its weights lie in memory; then the ways take turns, and the
best of each is kept: by the clock, which is what two threads are for, and by CPU time, which a busy machine disturbs
less. "in one call" is learning by a single call of the C function, with nothing of Python in between.
"""

import sys
import tempfile
import time
from array import array
from functools import partial

import machine

import bitboard
from bitboard.networks import network as module

ROUNDS = 2


def timed(work, n=0):
    """How many a second by the clock, and of CPU time: n, or what work() gives."""
    clock, cpu = time.perf_counter(), time.process_time()
    n = work() if n == 0 else n * work()
    return n / (time.perf_counter() - clock), n / (time.process_time() - cpu)


def learning(network, seconds, threads=1, decay=0.5):
    return timed(lambda: network.train(seconds=seconds, threads=threads, decay=decay, seed=threads).moves)


def one_call(network, seconds):
    """What train does with one thread, in a single call of C."""
    trainer = module.kernels.Trainer(network._kernel, 1, 0, 1, 1.0, 0.5, 8, 20, array("Q"), 0)
    slides = 400_000
    while True:  # on to where games are long, as in train
        rates = timed(partial(trainer.run, slides), slides)
        if slides / rates[0] > seconds:
            return rates
        slides *= 2


def slides_of(network, games, threads):
    return sum(bitboard.play_games(network, games, games, threads).lengths)


def greedy(network, seconds, threads=1):
    games = 64
    while True:
        rates = timed(partial(slides_of, network, games, threads))
        if games * 5000 / rates[0] > seconds:
            return rates
        games *= 2


def many(network, boards):
    return timed(lambda: len(network.many(boards)))


def afterstates(network):
    """A quarter of a million boards of games of the network, in a random order, as a training script has them."""
    found = []
    for seed in range(40):
        game = bitboard.Game(seed)
        while not game.over:
            game.move(network.best(game.board))
            found.append(game.board)
    return array("Q", sorted(found, key=lambda board: bitboard.random64(board, 1)))


def compare(ways):
    """The best of each way, which take turns, beside the first."""
    best = {name: (0.0, 0.0) for name in ways}
    for _ in range(ROUNDS):
        for name, way in ways.items():
            best[name] = tuple(map(max, best[name], way()))
    first = next(iter(ways))
    for name, (clock, cpu) in best.items():
        ratio = clock / best[first][0]
        print(
            f"{name:36} {clock / 1e6:6.2f} M/s  {ratio:5.2f} times {first}; {cpu / 1e6:.2f} M/s of CPU time", flush=True
        )


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.5
    print(machine.describe(), flush=True)
    for name in ("4x6", "8x6"):
        network = bitboard.NTupleNetwork(name)
        network.train(seconds=3 * seconds, threads=2)
        compare(
            {
                f"{name} learning": lambda n=network: learning(n, seconds),
                f"{name} learning, two threads": lambda n=network: learning(n, seconds, 2),
                f"{name} learning, forward": lambda n=network: learning(n, seconds, 1, None),
                f"{name} learning, in one call": lambda n=network: one_call(n, seconds / 2),
            }
        )
        with tempfile.TemporaryDirectory() as folder:
            network.save(f"{folder}/network")
            mapped = bitboard.NTupleNetwork.load(f"{folder}/network")
        packed = network.shrink(3_000_000, 32)
        compare(
            {
                f"{name} greedy": lambda n=network: greedy(n, seconds),
                f"{name} greedy, two threads": lambda n=network: greedy(n, seconds, 2),
                f"{name} greedy, of a mapped file": lambda n=mapped: greedy(n, seconds),
                f"{name} greedy, packed": lambda n=packed: greedy(n, seconds),
                f"{name} greedy, packed, two threads": lambda n=packed: greedy(n, seconds, 2),
            }
        )
        boards = afterstates(network)
        compare(
            {
                f"{name} many": lambda n=network, b=boards: many(n, b),
                f"{name} many, packed": lambda n=packed, b=boards: many(n, b),
            }
        )


if __name__ == "__main__":
    main()
