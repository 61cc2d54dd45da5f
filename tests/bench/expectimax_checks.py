"""The heavier checks of bitboard.Expectimax: thousands of boards against the definition, budgets, memory, Ctrl-C.

python tests/bench/expectimax_checks.py [values] [caches] [rates] [budget] [pruning] [threads] [interrupt] [memory]

All of them unless some are named.
"""

import os
import pathlib
import random
import resource
import signal
import sys
import threading
import time
from array import array

import machine

import bitboard

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import expectimax_oracle as definition


def shown(values):
    return ["nan" if value != value else value.hex() for value in values]


def played(n, depth=1):
    """Boards of games at a low depth, one in ten positions."""
    search, boards, index = bitboard.Expectimax(depth), [], 0
    while len(boards) < n:
        seed = bitboard.stream(11, index)
        board, moves = bitboard.spawn(bitboard.spawn(0, bitboard.random64(seed, 0)), bitboard.random64(seed, 1)), 2
        while not bitboard.is_over(board) and len(boards) < n:
            if moves % 10 == 0:
                boards.append(board)
            board = bitboard.spawn(bitboard.move(board, search.best(board)), bitboard.random64(seed, moves))
            moves += 1
        index += 1
    return boards


def values():
    """Values at depths 1 to 3, by the table and by an evaluator, against the definition."""
    for symmetric in (True, False):
        table = bitboard.RowTable(definition.uneven(3, symmetric))
        for depth, filled, n in ((1, 0.9, 1500), (2, 0.97, 150), (3, 1.0, 60)):
            search = bitboard.Expectimax(depth, table, reward_weight=0.1, over_value=-1.0)
            others = [
                bitboard.Expectimax(depth, table, reward_weight=0.1, over_value=-1.0, **options)
                for options in ({"cache_mb": 0}, {"cache_mb": 1})
            ]
            worst, images = 0.0, 0
            for board in definition.some_boards(n, filled, depth + 100):
                found = search.values(board)
                wanted = definition.values(board, depth, table, 0.1, -1.0)
                assert definition.close(found, wanted), f"{board:016x}"
                worst = max([worst, *(abs(x - y) for x, y in zip(found, wanted, strict=True) if x == x)])
                for other in others:
                    assert shown(other.values(board)) == shown(found), f"{board:016x}"
                if symmetric:
                    for image in bitboard.symmetries(board):
                        images += 1
                        assert sorted(x for x in search.values(image) if x == x) == sorted(x for x in found if x == x)
            print(f"depth {depth}, {n} boards, symmetric {symmetric}: largest difference {worst:.1e}, {images} images")
    table, lower = bitboard.RowTable(definition.uneven(3, True)), 0
    for depth, filled, n in ((2, 0.97, 150), (3, 1.0, 60)):
        for prune in (0, 0.5, 2):
            search = bitboard.Expectimax(depth, table, four_layers=2, prune=prune)
            small = bitboard.Expectimax(depth, table, four_layers=2, prune=prune, cache_mb=0.01)
            for board in definition.some_boards(n, filled, depth + 200):
                found = search.values(board)
                assert definition.close(found, definition.values(board, depth, table, four_layers=2, prune=prune))
                assert shown(small.values(board)) == shown(found), f"{board:016x}"
                exact = bitboard.Expectimax(depth, table, four_layers=2).values(board)
                lower += sum(a < b for a, b in zip(found, exact, strict=True))
    print(f"the same with forward pruning: {lower} values are lower for it")


def caches():
    """Caches of 1 MB and of 1 GB, and none, at fixed depths."""
    small, large, none = (bitboard.Expectimax(3, cache_mb=mb) for mb in (1, 1024, 0))
    boards = played(300)
    for board in boards:
        assert shown(small.values(board)) == shown(large.values(board)) == shown(none.values(board))
    print(f"{len(boards)} boards of games at depth 3: caches of 0, 1 and 1024 MB give the same bits")


def rates():
    """Leaves a second, what the cache knows, and how much of a budget of time depths take that are not completed."""
    network = bitboard.NTupleNetwork.default()
    boards = played(1000)[::4]
    for depth in (2, 3):
        search = bitboard.Expectimax(depth, network=network)
        asked = bitboard.Expectimax(depth, evaluator=lambda boards: array("d", bytes(8 * len(boards))), reward_weight=1)
        spent, leaves, probes, hits = 0.0, 0, 0, 0
        for board in boards:
            search.best(board)
            spent += search.stats.seconds
            probes += search.stats.cache_probes
            hits += search.stats.cache_hits
            asked.best(board)
            leaves += asked.stats.leaves  # each once, however often it is met
        print(
            f"depth {depth} by the network: {leaves / spent / 1e6:.1f}M different leaves a second, "
            f"{hits / probes:.0%} of {probes / spent / 1e6:.2f}M looked up a second are in the cache"
        )
    for limits in ({"time_ms": 1}, {"time_ms": 1, "boards": 300}, {"time_ms": 10}):
        search = bitboard.Expectimax(network=network, four_layers=2, prune=1000, **limits)
        by_depth, spent, useful = {}, 0.0, 0.0
        for board in boards:
            search.best(board)
            spent += search.stats.seconds
            depth = search.stats.depth
            if depth not in by_depth:
                by_depth[depth] = bitboard.Expectimax(depth, network=network, four_layers=2, prune=1000)
            by_depth[depth].best(board)
            useful += by_depth[depth].stats.seconds
        print(
            f"{limits}: {spent / len(boards) * 1000:.2f} ms a call, of which the depth that counts takes "
            f"{min(useful / spent, 1):.0%} when it is searched alone"
        )


def budget():
    """How much longer than its budget a call takes."""
    boards = played(400)
    for milliseconds in (1, 5, 20):
        search = bitboard.Expectimax(time_ms=milliseconds)
        search.values(boards[0])
        late, depths = [], []
        for board in boards:
            start = time.perf_counter()
            search.values(board)
            late.append((time.perf_counter() - start) * 1000 - milliseconds)
            depths.append(search.stats.depth)
        late.sort()
        print(
            f"budget {milliseconds} ms: 99% at most {late[len(late) * 99 // 100]:+.2f} ms, "
            f"the longest {late[-1]:+.2f} ms; mean depth {sum(depths) / len(depths):.1f}"
        )


def pruning():
    """What forward pruning saves, as ratios in one run, on boards of games at depth 2."""
    boards = played(5000, depth=2)[::50]
    for depth in (3, 4, 5):
        spent = []
        for prune in (None, bitboard.agents.PRUNE):
            search = bitboard.agents.expectimax(depth, prune=prune)
            start, nodes, choices = time.process_time(), 0, []
            for board in boards:
                choices.append(search.best(board))
                nodes += search.stats.nodes
            spent.append((nodes, time.process_time() - start, choices))
        (all_nodes, all_time, wanted), (nodes, seconds, found) = spent
        same = sum(a == b for a, b in zip(wanted, found, strict=True))
        print(
            f"depth {depth}, the agent on {len(boards)} boards: {nodes / all_nodes:.2f} of the nodes and "
            f"{seconds / all_time:.2f} of the time with pruning, the same direction on {same}"
        )


def threads():
    """What a second thread gives best_many(), on boards of games at depth 2."""
    many = array("Q", played(6000, depth=2)[::3])
    spent = []
    for count in (1, 2):
        search = bitboard.Expectimax(3, threads=count)
        start = time.perf_counter()
        search.best_many(many)
        spent.append(time.perf_counter() - start)
    print(f"two threads for best_many() at depth 3: {spent[0] / spent[1]:.2f} times as fast as one")


def interrupt():
    """How soon Ctrl-C ends a search that would take hours."""
    worst = 0.0
    for i in range(20):
        search = bitboard.Expectimax(12)
        sent = []

        def ctrl_c(sent=sent):
            sent.append(time.perf_counter())
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(0.02 + 0.05 * random.Random(i).random() * 4, ctrl_c)
        timer.start()
        try:
            search.best(0x1234_5000_0000_0000)
        except KeyboardInterrupt:
            worst = max(worst, time.perf_counter() - sent[0])
        timer.join()
    print(f"Ctrl-C ended 20 searches within {worst * 1000:.1f} ms")


def memory():
    """The process does not grow while games are played."""
    search = bitboard.Expectimax(3, cache_mb=1)
    boards = played(3000)
    for board in boards[:300]:
        search.best(board)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for board in boards:
        search.best(board)
    evaluating = bitboard.Expectimax(1, evaluator=bitboard.RowTable.default().many)
    for board in boards[:300]:
        evaluating.best(board)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(f"{len(boards)} searches with a cache of 1 MB: {grown} kB more at the end")


def main():
    print(machine.describe())
    checks = {check.__name__: check for check in (values, caches, rates, budget, pruning, threads, interrupt, memory)}
    for name in sys.argv[1:] or checks:
        checks[name]()


if __name__ == "__main__":
    main()
