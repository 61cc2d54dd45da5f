"""Expectimax over n-tuple networks against its definition, with weights of whole numbers and of floats."""

import copy
import pickle
import random
from array import array
from functools import cache

import conftest
import expectimax_oracle as definition
import pytest

PATTERNS = ("0123", "4567", "1256", "048")
SIZES = [(0, 0.6, 40), (1, 0.9, 20), (1, 0.4, 3), (2, 0.96, 4), (3, 1.0, 2)]
OPTIONS = [{}, {"reward_weight": 0.5, "over_value": -3.0}, {"four_layers": 2}, {"reward_weight": 0}]


@cache
def weights_of(seed):
    """One weight for each pattern and tiles of its cells; as 32-bit floats."""
    generator = random.Random(seed)
    return [array("f", [generator.gauss(5, 3) for _ in range(16 ** len(pattern))]) for pattern in PATTERNS]


def images_of(cells):
    """The eight images of 16 cells, in the order of csrc/network_api.h."""
    images = []
    for x in range(8):
        rows = [cells[i : i + 4] for i in range(0, 16, 4)]
        if x & 1:
            rows = [row[::-1] for row in rows]
        if x & 2:
            rows = [row[::-1] for row in rows[::-1]]
        if x & 4:
            rows = [list(row) for row in zip(*rows, strict=True)]
        images.append([cell for row in rows for cell in row])
    return images


def value_of(board, seed=1):
    """The value of an afterstate by its definition."""
    sums = []
    for image in images_of([int(digit, 16) for digit in f"{board:016x}"]):
        total = 0.0
        for pattern, weights in zip(PATTERNS, weights_of(seed), strict=True):
            index = 0
            for cell in pattern:
                index = 16 * index + image[int(cell, 16)]
            total += weights[index]
        sums.append(total)
    s = sums
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))


class PlainKernel:
    """What a search in pure Python asks."""

    def __init__(self, seed):
        self.value = cache(lambda board: value_of(board, seed))
        self.changes = 0


class CKernel:
    """What a search in C asks."""

    def __init__(self, impl, seed):
        core = __import__(f"{impl.__name__}.core.ffi", fromlist=["ffi"])
        self.weights = array("f", [weight for weights in weights_of(seed) for weight in weights])
        self.pointer = core.ffi.new("bb_network *")
        masks = [sum(1 << 15 - int(cell, 16) for cell in pattern) for pattern in PATTERNS]
        core.lib.bb_network_init(self.pointer, len(PATTERNS), masks, 1, 0, [0])
        self.buffer = core.ffi.from_buffer("float[]", self.weights)
        self.pointer.weights = self.buffer


class Network:
    """As much of a network as a search needs."""

    def __init__(self, backend, seed=1):
        self.arguments = backend, seed
        impl = conftest.IMPLEMENTATIONS[backend]
        self._kernel = CKernel(impl, seed) if backend == "c" else PlainKernel(seed)

    def __reduce__(self):
        return Network, self.arguments

    def __repr__(self):
        return "Network()"


@cache
def network_of(backend):
    return Network(backend)


def search_of(impl, depth=None, **options):
    return impl.Expectimax(depth, network=network_of(impl.BACKEND), **options)


@cache
def wanted_values(board, depth, **options):
    options.setdefault("reward_weight", 1.0)
    return definition.values(board, depth, value_of, last_fours=True, **options)


def shown(values):
    return ["nan" if value != value else value.hex() for value in values]


def ordered(values):
    return sorted(value for value in values if value == value)


@pytest.mark.parametrize("depth, filled, n", SIZES)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_values_are_those_of_the_definition(impl, depth, filled, n, options):
    searches = [search_of(impl, depth, cache_mb=mb, **options) for mb in (16, 0, 1)]
    for board in definition.some_boards(n, filled, depth):
        wanted = wanted_values(board, depth, **options)
        first, *others = [search.values(board) for search in searches]
        assert definition.close(first, wanted), f"{board:016x}"
        assert all(shown(other) == shown(first) for other in others), f"{board:016x}"


@pytest.mark.parametrize("prune", [0, 20.0])
def test_pruned_slides_are_those_of_the_definition(impl, prune):
    for depth, filled, n in SIZES[3:]:
        search = search_of(impl, depth, prune=prune)
        for board in definition.some_boards(n, filled, depth):
            wanted = wanted_values(board, depth, prune=prune)
            assert definition.close(search.values(board), wanted), f"{board:016x}"


def test_both_backends_and_all_images_agree_to_the_last_bit(both):
    for options in ({}, {"four_layers": 2}, {"over_value": -2.0}, {"nodes": 500}, {"prune": 10.0}, {"adaptive": True}):
        searches = [search_of(impl, 2 if "adaptive" not in options else 1, **options) for impl in both]
        for board in definition.some_boards(3, 0.95, 14):
            results = {tuple(shown(search.values(board))) for search in searches}
            assert len(results) == 1 and len({search.stats[:4] for search in searches}) == 1
            for image in both[0].symmetries(board):
                assert all(ordered(search.values(image)) == ordered(searches[0].values(board)) for search in searches)


def test_a_search_by_a_network_is_one_by_its_values(impl):
    search = search_of(impl, 1)
    asking = impl.Expectimax(1, evaluator=lambda boards: list(map(value_of, boards)), reward_weight=1.0)
    boards = [*definition.some_boards(12, 0.8, 21), 0x1212_2121_1212_2121]
    for board in boards:
        assert definition.close(search.values(board), asking.values(board))
    best = [search.best(board) if impl.legal_moves(board) else -1 for board in boards]
    for threads in (1, 3):
        assert search_of(impl, 1, threads=threads).best_many(array("Q", boards)).tolist() == best


def test_a_budget_gives_the_values_of_the_last_whole_depth(impl):
    board = definition.some_boards(1, 0.95, 18)[0]
    for nodes in (1, 100, 1000):
        search = search_of(impl, nodes=nodes)
        values = search.values(board)
        assert shown(values) == shown(search_of(impl, search.stats.depth).values(board))
    timed = search_of(impl, time_ms=2)
    assert ordered(timed.values(board)) and timed.best(board) in range(4)


def test_a_full_board_and_an_empty_one(impl):
    search = search_of(impl, 1)
    assert shown(search.values(0x1212_2121_1212_2121)) == ["nan"] * 4
    alone = 0x0000_0000_0000_0001  # 15 cells empty: as many leaves as there can be
    assert definition.close(search.values(alone), wanted_values(alone, 1))


def test_one_of_table_evaluator_and_network(impl):
    network, table = network_of(impl.BACKEND), impl.RowTable.corner()
    for options in ({"table": table}, {"evaluator": lambda boards: [1.0] * len(boards)}):
        with pytest.raises(TypeError, match="one of table, evaluator and network"):
            impl.Expectimax(1, network=network, **options)
    with pytest.raises(TypeError, match="network must be a bitboard.NTupleNetwork, not str"):
        impl.Expectimax(1, network="my.net")


def test_the_reward_counts_unless_told_otherwise(impl):
    assert "reward_weight=1.0" in repr(search_of(impl, 1)) and "network=Network()" in repr(search_of(impl, 1))
    assert "reward_weight=0.0" in repr(search_of(impl, 1, reward_weight=0))
    assert "reward_weight=0.0" in repr(impl.Expectimax(1))


def test_pickle_and_copy(impl):
    board = definition.some_boards(1, 0.9, 22)[0]
    for search in (search_of(impl, 2, prune=5, over_value=-1.0), search_of(impl, nodes=100, adaptive=True)):
        for again in (pickle.loads(pickle.dumps(search)), copy.copy(search), copy.deepcopy(search)):
            assert repr(again) == repr(search) and again is not search
            assert shown(again.values(board)) == shown(search.values(board))


def test_a_network_that_has_learned_on(impl):
    """What a search knew by the old weights is forgotten, whether it learned by update() or by train()."""
    network, board = impl.NTupleNetwork(["0123", "4567"]), 0x1120_0000_0000_0001
    search = impl.Expectimax(2, network=network)
    known = [shown(search.values(board))]
    for learn in (
        lambda: network.update(array("Q", [board, board >> 4]), array("d", [500.0, 900.0])),
        lambda: network.train(moves=600, lanes=1),
    ):
        learn()
        known.append(shown(search.values(board)))
        assert known[-1] == shown(impl.Expectimax(2, network=network).values(board)) != known[-2]


def test_the_agent_of_this_name(impl):
    agent = impl.agents.expectimax(depth=1, network=network_of(impl.BACKEND))
    assert "network=Network()" in repr(agent) and "prune=1000.0" in repr(agent)
    assert agent(0x1000_0000_0000_0000) in (1, 2)
