"""The budget by a count of boards: the depth against a count by the definition, and what depends on the board alone."""

from array import array

import expectimax_oracle as definition
import pytest

SYMMETRIC, UNEVEN = definition.uneven(1, True), definition.uneven(2, False)
BUDGETS = (1, 3, 6, 15, 50)


def image(grid):
    """One name for all mirror images of a grid."""
    images = []
    for one in (grid, [row[::-1] for row in grid]):
        for _ in range(4):
            one = [list(row) for row in zip(*one[::-1], strict=True)]
            images.append(tuple(map(tuple, one)))
    return min(images)


def following(layer, tile):
    """The afterstates that follow a tile on one of these."""
    found = set()
    for after in layer:
        for r in range(4):
            for c in range(4):
                if not after[r][c]:
                    spawned = [list(row) for row in after]
                    spawned[r][c] = tile
                    found.update(image(slid) for _, slid, _ in definition.slides(spawned))
    return found


def layers_of(board, most):
    """How many different afterstates each layer has, a 2 leading one layer on and a 4 two; to two empty ones, if any."""
    layers = [set(), {image(after) for _, after, _ in definition.slides(definition.grid_of(board))}]
    while (layers[-1] or layers[-2]) and sum(map(len, layers)) <= most:
        layers.append(following(layers[-1], 2) | following(layers[-2], 4))
    return [len(layer) for layer in layers[1:]]


def depth_of(board, boards, most=20):
    """One more than the layers that have at most so many boards together; the most where nothing is left."""
    sizes = layers_of(board, boards)
    if sizes[-2:] == [0, 0] and sum(sizes) <= boards:
        return most
    fitting = sum(sum(sizes[: i + 1]) <= boards for i in range(len(sizes)))
    return min(fitting + 1, most)


def search_of(impl, **options):
    return impl.Expectimax(table=impl.RowTable(SYMMETRIC), **options)


def shown(values):
    return ["nan" if value != value else value.hex() for value in values]


def ordered(values):
    return sorted(value for value in values if value == value)


SOME = [board for filled in (0.4, 0.8, 0.95, 1.0) for board in definition.some_boards(3, filled, 31)]
CROWDED = [0x1234_3456_5678_6780, 0x1234_3456_5670_6089, 0x1353_3531_1353_3510]


@pytest.mark.parametrize("boards", BUDGETS)
def test_the_depth_is_that_of_the_definition(impl, boards):
    search = search_of(impl, boards=boards, depth=4)
    for board in SOME + CROWDED:
        values = search.values(board)
        if ordered(values):
            depth = depth_of(board, boards, 4)
            assert search.stats.depth == depth, f"{board:016x}"
            assert shown(values) == shown(search_of(impl, depth=depth).values(board))


def test_crowded_boards_are_searched_deeper(impl):
    search = search_of(impl, boards=12)
    depths = []
    for board in (0x1200_0000_0000_0000, *CROWDED):
        search.values(board)
        depths.append(search.stats.depth)
    assert depths == [2, 3, 2, 3]


def test_a_board_that_is_over_soon_is_searched_to_its_end(impl):
    ending = 0x3635_9553_8386_6943
    assert layers_of(ending, 100) == [2, 2, 10, 17, 9, 2, 2, 0, 0]
    for boards, depth in ((1, 1), (13, 3), (14, 4), (43, 7), (44, 9)):
        search = search_of(impl, boards=boards, depth=9)
        assert ordered(search.values(ending)) and search.stats.depth == depth


@pytest.mark.parametrize("values", [SYMMETRIC, UNEVEN], ids=["symmetric", "uneven"])
def test_depth_and_values_depend_on_the_board_alone(both, values):
    """Not on the backend, the cache, what was searched before, or how the board lies."""
    searches = [impl.Expectimax(table=impl.RowTable(values), boards=6, cache_mb=mb) for impl in both for mb in (0, 1)]
    for board in SOME[::-1] + CROWDED + SOME[:4]:
        results = {(tuple(shown(search.values(board))), search.stats.depth) for search in searches}
        assert len(results) == 1, f"{board:016x}"
        depth = results.pop()[1]
        for other in both[0].symmetries(board):
            mirrored = searches[0].values(other)
            assert searches[0].stats.depth == depth
            if values is SYMMETRIC:
                assert ordered(mirrored) == ordered(searches[0].values(board))


@pytest.mark.parametrize("threads", [1, 3])
def test_many_boards(impl, threads):
    search = search_of(impl, boards=5, threads=threads, four_layers=2)
    forced, over = 0x1212_2121_1212_0000, 0x1212_2121_1212_2121
    boards = array("Q", [*(SOME + CROWDED) * 6, forced, over])
    alone = search_of(impl, boards=5, four_layers=2)
    wanted, depths = [], []
    for board in boards:
        wanted.append(alone.best(board) if impl.legal_moves(board) else -1)
        depths.append(alone.stats.depth)
    assert search.best_many(boards).tolist() == wanted
    assert search.stats.depth == max(depths) and search.stats.nodes > 0
    assert search.best_many(array("Q", [forced, over])).tolist() == [impl.DOWN, -1]
    assert search.stats.depth == search.stats.nodes == 0


def test_one_legal_slide_is_not_searched(impl):
    search = search_of(impl, boards=1000)
    assert search.best(0x1212_2121_1212_0000) == impl.DOWN and search.stats.nodes == 0


def test_depth_is_the_most(impl):
    for depth in (0, 1, 2):
        search = search_of(impl, boards=10_000, depth=depth)
        search.values(SOME[5])
        assert search.stats.depth == depth
    adaptive = search_of(impl, boards=10_000, depth=1, adaptive=True)
    adaptive.values(0x1234_3456_5678_6000)
    assert adaptive.stats.depth == 2


def test_with_an_evaluator(impl):
    table = impl.RowTable(SYMMETRIC)
    search = impl.Expectimax(evaluator=table.many, boards=4)
    for board in SOME[3:6]:
        values = search.values(board)
        assert search.stats.depth == depth_of(board, 4)
        assert definition.close(values, search_of(impl, depth=search.stats.depth).values(board))


def test_with_a_limit_of_nodes_or_time(impl):
    """The count says how deep at most, the limit how long."""
    for board in SOME[3:8]:
        deep = search_of(impl, boards=4, nodes=10**6)
        values = deep.values(board)
        assert deep.stats.depth == depth_of(board, 4)
        assert shown(values) == shown(search_of(impl, boards=4).values(board))
        short = search_of(impl, boards=100_000, nodes=1)
        short.values(board)
        assert short.stats.depth == 1
        timed = search_of(impl, boards=100_000, time_ms=0.001)
        assert ordered(timed.values(board)) and timed.stats.depth <= 1
