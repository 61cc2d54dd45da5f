"""Expectimax against its definition, written plainly in expectimax_oracle.py, and against itself."""

import random
from array import array
from functools import cache

import expectimax_oracle as definition
import numpy as np
import pytest
from conftest import BACKENDS

SYMMETRIC, UNEVEN = definition.uneven(1, True), definition.uneven(2, False)
NONE = "nan"
LEAVES = {"symmetric": definition.leaf_of(SYMMETRIC), "uneven": definition.leaf_of(UNEVEN)}


@cache
def wanted_values(board, depth, leaf="symmetric", **options):
    """The values by the definition, found once for both backends."""
    return definition.values(board, depth, LEAVES[leaf], **options)


# (depth, share of cells filled, boards): the tree of the definition is searched whole, in Python on lists
SIZES = [(0, 0.6, 60), (1, 0.9, 25), (1, 0.4, 4), (2, 0.96, 5), (3, 1.0, 3)]


def shown(values):
    """Values that can be compared, nan included, to the last bit."""
    return [NONE if value != value else value.hex() for value in values]


def sorted_values(values):
    return sorted(value for value in values if value == value)


@pytest.mark.parametrize("depth, filled, n", SIZES)
@pytest.mark.parametrize("leaf", LEAVES)
@pytest.mark.parametrize("options", [{}, {"reward_weight": 0.5, "over_value": -3.0}, {"four_layers": 2}], ids=str)
def test_values_are_those_of_the_definition(impl, depth, filled, n, leaf, options):
    table = impl.RowTable(SYMMETRIC if leaf == "symmetric" else UNEVEN)
    boards = definition.some_boards(n, filled, depth)
    searches = [impl.Expectimax(depth, table, cache_mb=mb, **options) for mb in (16, 0, 1)]
    evaluating = impl.Expectimax(depth, evaluator=table.many, **options)
    for board in boards:
        wanted = wanted_values(board, depth, leaf, **options)
        first, *others = [search.values(board) for search in searches]
        assert definition.close(first, wanted), f"{board:016x}"
        assert all(shown(other) == shown(first) for other in others), f"{board:016x}"
        assert definition.close(evaluating.values(board), wanted), f"{board:016x}"


@pytest.mark.parametrize("prune", [0, 0.5, 2.0])
@pytest.mark.parametrize("options", [{}, {"reward_weight": 0.5, "over_value": -3.0}, {"four_layers": 2}], ids=str)
def test_pruned_slides_are_those_of_the_definition(impl, options, prune):
    table = impl.RowTable(SYMMETRIC)
    searches = {
        depth: [impl.Expectimax(depth, table, prune=prune, cache_mb=mb, **options) for mb in (16, 0, 1)]
        for depth in (1, 2, 3)
    }
    lower = 0
    for depth, filled, n in SIZES[1:]:
        for board in definition.some_boards(n, filled, depth):
            wanted = wanted_values(board, depth, prune=prune, **options)
            first, *others = [search.values(board) for search in searches[depth]]
            assert definition.close(first, wanted), f"{board:016x}"
            assert all(shown(other) == shown(first) for other in others), f"{board:016x}"
            exact = wanted_values(board, depth, **options)
            lower += sum(a < b for a, b in zip(wanted, exact, strict=True))
            assert not any(a > b for a, b in zip(wanted, exact, strict=True))
            for image in impl.symmetries(board):
                assert sorted_values(searches[depth][0].values(image)) == sorted_values(first)
    assert lower > 0


def nearly_over(impl):
    """Boards one or two slides from the end: full, with one pair or none, or one cell empty."""
    boards = [0x1212_2121_1212_2122, 0x1212_2121_1212_2120, 0x3412_1234_3412_1230, 0x1213_2131_1213_2133]
    generator = random.Random(8)
    while len(boards) < 20:
        digits = [generator.choice((1, 2, 3, 4, 5, 6)) for _ in range(16)]
        if generator.random() < 0.6:
            digits[generator.randrange(16)] = 0
        board = int("".join(map(str, digits)), 16)
        if impl.legal_moves(board).bit_count() in (1, 2):
            boards.append(board)
    return boards


def test_boards_that_are_nearly_over(impl):
    table = impl.RowTable(SYMMETRIC)
    for over_value in (0.0, -50.0, 50.0):
        search = impl.Expectimax(2, table, over_value=over_value)
        for board in nearly_over(impl):
            wanted = wanted_values(board, 2, over_value=over_value)
            assert definition.close(search.values(board), wanted), f"{board:016x}"


def test_a_board_that_is_over(impl):
    search = impl.Expectimax(3, impl.RowTable(SYMMETRIC))
    for board in (0x1212_2121_1212_2121, 0, 0xFFFF_FFFF_FFFF_FFFF):
        assert shown(search.values(board)) == [NONE] * 4
        assert search.stats.nodes == 0
        with pytest.raises(ValueError, match="over"):
            search.best(board)
    assert search.best_many(array("Q", [0x1212_2121_1212_2121, 0x1000 << 48])).tolist()[0] == -1


def test_the_only_legal_slide_and_the_dead_end(impl):
    table = impl.RowTable.from_function(lambda row: 1.0)
    only_left_and_right = impl.parse("2 4 8 16  32 64 128 256  2 4 8 16  32 64 128 128")
    search = impl.Expectimax(1, table)
    values = search.values(only_left_and_right)
    assert values[0] != values[0] and values[2] != values[2] and values[1] == values[1]
    # From 1: after a slide every spawn lives or dies; a live leaf is worth 8, a dead end over_value.
    full = 0x1212_2121_1212_2133
    over = impl.Expectimax(1, table, over_value=-8.0).values(full)
    assert definition.close(over, definition.values(full, 1, table, over_value=-8.0))
    assert min(sorted_values(over)) < 8


def test_two_largest_tiles_that_meet(impl):
    table = impl.RowTable(SYMMETRIC)
    board = 0xFF00_EE00_1000_0000
    value = impl.Expectimax(0, table).values(board)
    assert value[3] == table(0xFF00_F000_1000_0000)


def test_mirror_images_have_the_same_values_to_the_last_bit(impl):
    search = impl.Expectimax(2, impl.RowTable(SYMMETRIC), reward_weight=0.25)
    rotated = {0: 1, 1: 2, 2: 3, 3: 0}
    for board in definition.some_boards(6, 0.9, 11):
        values = search.values(board)
        turned = search.values(impl.rotate_90(board))
        assert shown([turned[rotated[d]] for d in range(4)]) == shown(values)
        for image in impl.symmetries(board):
            assert sorted_values(search.values(image)) == sorted_values(values)
    lopsided = impl.Expectimax(2, impl.RowTable(UNEVEN))
    board = definition.some_boards(1, 0.9, 12)[0]
    up, right, down, left = lopsided.values(board)
    assert shown(lopsided.values(impl.transpose(board))) == shown((left, down, right, up))


def test_a_warm_cache_gives_what_a_cold_one_gives(impl):
    table = impl.RowTable(SYMMETRIC)
    warm = impl.Expectimax(2, table, cache_mb=1)
    boards = definition.some_boards(12, 0.9, 13)
    for board in boards + boards[::-1]:
        assert shown(warm.values(board)) == shown(impl.Expectimax(2, table, cache_mb=1).values(board))
    assert warm.stats.cache_hits > 0
    uncached = impl.Expectimax(2, table, cache_mb=0)
    uncached.values(boards[0])
    assert uncached.stats.cache_probes == 0


def test_both_backends_agree_to_the_last_bit(both):
    for options in (
        {},
        {"reward_weight": 0.3},
        {"four_layers": 2},
        {"over_value": -2.0},
        {"nodes": 700},
        {"prune": 2.0},
    ):
        searches = [impl.Expectimax(2, impl.RowTable(SYMMETRIC), **options) for impl in both]
        for board in definition.some_boards(5, 0.9, 14):
            results = {tuple(shown(search.values(board))) for search in searches}
            assert len(results) == 1 and len({search.stats[:4] for search in searches}) == 1


def test_best_is_the_first_of_the_largest_values(impl):
    search = impl.Expectimax(1, impl.RowTable(UNEVEN))
    for board in definition.some_boards(30, 0.8, 15):
        values = search.values(board)
        if sorted_values(values):
            assert search.best(board) == values.index(max(sorted_values(values))) == search(board)
    flat = impl.Expectimax(1, impl.RowTable.from_function(lambda row: 1.0))
    assert flat.best(0x0000_0110_0110_0000) == impl.UP
    assert flat.best(0x1000_0000_0000_0000) == impl.RIGHT


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize(
    "depth, options", [(1, {}), (0, {"adaptive": True}), (1, {"nodes": 300}), (1, {"four_layers": 2})], ids=str
)
def test_many_boards(impl, threads, depth, options):
    boards = [*definition.some_boards(30, 0.7, 16), 0x1212_2121_1212_2121]
    one = impl.Expectimax(depth, impl.RowTable(SYMMETRIC), **options)
    many = impl.Expectimax(depth, impl.RowTable(SYMMETRIC), threads=threads, **options)
    expected = [one.best(board) if impl.legal_moves(board) else -1 for board in boards]
    result = many.best_many(array("Q", boards))
    assert isinstance(result, array) and result.typecode == np.dtype(np.int64).char and result.tolist() == expected
    assert many.stats.nodes > 0 and many.stats.depth >= 1


def test_many_boards_in_numpy(impl):
    search = impl.Expectimax(0, impl.RowTable(SYMMETRIC))
    boards = np.array(definition.some_boards(60, 0.7, 17), np.uint64).reshape(3, 20)
    result = search.best_many(boards)
    assert result.dtype == np.int64 and result.shape == (3, 20)
    out = np.empty((3, 20), np.int64)
    assert search.best_many(boards, out=out) is out and (out == result).all()
    assert search.best_many(np.array([], np.uint64)).shape == (0,)
    assert (search.best_many(boards.astype(np.int64)) == result).all()
    assert list(search.best_many(boards[0].tolist())) == result[0].tolist()
    for wrong, error in [
        ((["x", 2],), TypeError),
        ((boards.astype(np.float64),), TypeError),
        ((boards[:, ::2],), ValueError),
        ((boards, np.empty((3, 20), np.uint64)), TypeError),
        ((boards, np.empty(60, np.int64)), ValueError),
    ]:
        with pytest.raises(error):
            search.best_many(*wrong)


def test_crowded_boards_are_searched_deeper_if_wanted(impl):
    table = impl.RowTable(SYMMETRIC)
    search = impl.Expectimax(0, table, adaptive=True)
    for text, depth in [
        ("2 0 0 2  0 0 0 0  0 0 0 0  0 0 0 0", 0),
        ("2 4 8 2  4 8 2 4  8 2 4 8  0 0 0 0", 1),
        ("2 4 8 2  4 8 2 4  8 2 4 8  2 4 8 0", 2),
    ]:
        board = impl.parse(text)
        values = search.values(board)
        assert search.stats.depth == depth
        assert shown(values) == shown(impl.Expectimax(depth, table).values(board))


# ---- budgets ----


@pytest.mark.parametrize("nodes", [1, 20, 200, 3000])
def test_a_node_budget_gives_the_values_of_the_last_whole_depth(impl, nodes):
    table = impl.RowTable(SYMMETRIC)
    search = impl.Expectimax(nodes=nodes, table=table)
    boards = definition.some_boards(4, 0.9, 18)
    first = []
    for board in boards:
        values = search.values(board)
        depth = search.stats.depth
        first.append((shown(values), depth))
        assert shown(values) == shown(impl.Expectimax(depth, table).values(board))
    for board, before in list(zip(boards, first, strict=True))[::-1]:  # whatever was searched before
        assert (shown(search.values(board)), search.stats.depth) == before


def test_more_nodes_search_deeper_up_to_depth(impl):
    table, board = impl.RowTable(SYMMETRIC), definition.some_boards(1, 0.9, 19)[0]
    depths = []
    for nodes in (1, 100, 2000, 10000):
        search = impl.Expectimax(nodes=nodes, table=table)
        search.values(board)
        depths.append(search.stats.depth)
        assert search.stats.nodes < nodes + 2000
    assert depths == sorted(depths) and depths[0] < depths[-1]
    capped = impl.Expectimax(1, table, nodes=10**6)
    capped.values(board)
    assert capped.stats.depth == 1


def test_a_time_budget_gives_the_values_of_a_whole_depth(impl):
    table = impl.RowTable(SYMMETRIC)
    search = impl.Expectimax(time_ms=5, table=table)
    for board in definition.some_boards(3, 0.95, 20):
        values = search.values(board)
        if search.stats.depth <= 2:
            assert shown(values) == shown(impl.Expectimax(search.stats.depth, table).values(board))
        assert sorted_values(values)


def test_a_budget_too_short_for_anything_still_gives_the_leaves(impl):
    table, board = impl.RowTable(SYMMETRIC), 0x1234_0000_0000_0000
    search = impl.Expectimax(time_ms=0.001, table=table)
    assert sorted_values(search.values(board)) and search.best(board) in range(4)


@pytest.mark.parametrize("deadline, depth", [(1, 2), (60, 2), (70, 3), (1050, 4), (1060, 5), (10**9, 9)])
def test_a_depth_that_would_not_be_completed_in_time_is_not_begun(impl, monkeypatch, deadline, depth):
    """By a clock of our own, where depth d takes 4**d: the next one is begun if 0.7 of its time is left."""
    deepening = __import__(f"{impl.__name__}.search.deepening", fromlist=["deepening"])
    clock = [0]

    class Slow:
        def values(self, board, depth):
            clock[0] += 4**depth
            return [float(depth)] * 4

    monkeypatch.setattr(deepening.kernels, "now", lambda: clock[0])
    state = deepening.Deepening(0x1200_0000_0000_0000, 0, 9, deadline)
    assert state.run(Slow()) and state.depth == depth and state.values == [float(depth)] * 4
    assert clock[0] == sum(4**d for d in range(depth + 1))


def test_one_legal_slide_is_not_searched_under_a_budget(impl):
    search = impl.Expectimax(nodes=1000, table=impl.RowTable(SYMMETRIC))
    forced = 0x1212_2121_1212_0000
    assert search.best(forced) == impl.DOWN and search.stats.nodes == 0


def test_the_default_table_plays_well(impl):
    """A game of the greedy kind scores about 3,000; depth 1 with the default table ten times that."""
    search = impl.Expectimax(1)
    scores = []
    for index in range(3):
        seed = impl.stream(7, index)
        board, score, moves = impl.spawn(impl.spawn(0, impl.random64(seed, 0)), impl.random64(seed, 1)), 0, 0
        limit = 10**9 if impl.BACKEND == "c" else 150
        while not impl.is_over(board) and moves < limit:
            direction = search(board)
            score += impl.reward(board, direction)
            board = impl.spawn(impl.move(board, direction), impl.random64(seed, 2 + moves))
            moves += 1
        scores.append(score)
    if BACKENDS[0] == "c" and impl.BACKEND == "c":
        assert sum(scores) / 3 > 10_000
    else:
        assert sum(scores) / 3 > 700
