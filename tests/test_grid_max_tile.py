"""The largest tile within some slides: published answers, an exhaustive search, boards that defeat the bounds."""

import random
import signal
import threading

import oracle
import pytest
from vectors import objects


def exhaustive(grid, slides):
    """(largest tile, fewest slides to it) by sliding every distinct board of every level in every direction.

    Boards are bytes of exponents; lines slide as the oracle says.
    """
    height, width = len(grid), len(grid[0])
    lines = {}

    def left(line):
        if line not in lines:
            slid, _ = oracle.slide_line([2**k if k else 0 for k in line])
            lines[line] = bytes(face.bit_length() - 1 if face else 0 for face in slid)
        return lines[line]

    def right(line):
        return left(line[::-1])[::-1]

    def columns_to_rows(columns):
        flat = b"".join(columns)
        return b"".join([flat[r::height] for r in range(height)])

    start = bytes(face.bit_length() - 1 if face else 0 for row in grid for face in row)
    level, known = {start}, {start}
    best, first = max(start), 0
    for number in range(1, slides + 1):
        after = set()
        for flat in level:
            rows = [flat[i : i + width] for i in range(0, len(flat), width)]
            columns = [flat[c::width] for c in range(width)]
            for line in (left, right):
                after.add(b"".join(map(line, rows)))
                after.add(columns_to_rows(map(line, columns)))
        level = after - known
        known |= level
        largest = max(map(max, level), default=0)
        if largest > best:
            best, first = largest, number
    return 2**best if best else 0, first


def check(impl, grid, slides, expected=None):
    """The search against the exhaustive one, and its path against the oracle; the result."""
    found = impl.grid.max_tile(grid, slides)
    assert found.proven
    assert (found.tile, len(found.path)) == (expected or exhaustive(grid, slides))
    for letter in found.path:
        grid = oracle.slide(grid, letter)[0]
    assert max(map(max, grid)) == found.tile
    return found


def random_grid(source, height, width, low, high, empty):
    return [
        [0 if source.random() < empty else 2 ** source.randint(low, high) for _ in range(width)] for _ in range(height)
    ]


def test_answers_of_the_exercises(impl):
    for case in objects("max_tile.jsonl.gz"):
        check(impl, case["board"], case["slides"], (case["answer"], case["first_reached_at_slide"]))


def test_thousands_of_small_random_boards(both):
    source = random.Random(12100)
    for number in range(3000):
        height, width = source.randint(1, 4), source.randint(1, 4)
        high = source.randint(1, 5)
        grid = random_grid(source, height, width, source.randint(1, high), high, source.choice((0, 0.1, 0.4, 0.7)))
        slides = source.randint(0, 5 if number % 10 else 8)
        expected = exhaustive(grid, slides)
        results = [check(impl, grid, slides, expected) for impl in both]
        assert all(result == results[0] for result in results)


def test_larger_random_boards(both):
    source = random.Random(12094)
    for _ in range(40):
        height, width = source.randint(5, 9), source.randint(5, 9)
        high = source.randint(2, 6)
        grid = random_grid(
            source, height, width, max(1, high - source.randint(0, 4)), high, source.choice((0, 0.1, 0.3))
        )
        expected = exhaustive(grid, 5)
        results = [check(impl, grid, 5, expected) for impl in both]
        assert all(result == results[0] for result in results)


def test_symmetric_boards_and_their_images(both):
    source = random.Random(8)
    for number in range(120):
        n = source.randint(2, 5)
        grid = random_grid(source, n, n, 1, 3, 0.2)
        images = [
            grid, [row[::-1] for row in grid], grid[::-1], [row[::-1] for row in grid[::-1]],
            [list(row) for row in zip(*grid, strict=True)], [list(row)[::-1] for row in zip(*grid, strict=True)],
            [list(row) for row in zip(*grid, strict=True)][::-1],
            [list(row)[::-1] for row in zip(*grid, strict=True)][::-1],
        ]  # fmt: skip
        # The larger of each cell and its image is symmetric in that image.
        image = images[number % 8]
        grid = [[max(pair) for pair in zip(*rows, strict=True)] for rows in zip(grid, image, strict=True)]
        expected = exhaustive(grid, 6)
        results = [check(impl, grid, 6, expected) for impl in both]
        assert all(result == results[0] for result in results)


def test_symmetry_spares_half_of_the_search(impl):
    """A board and its mirror image side by side need fewer slides tried than a board that is almost that."""
    source = random.Random(3)
    half = random_grid(source, 12, 6, 1, 2, 0.1)
    grid = [row + row[::-1] for row in half]
    almost = [row[:] for row in grid]
    almost[5][0] = 2 if almost[5][0] != 2 else 4
    symmetric, other = (impl.grid.max_tile(board, 6, max_nodes=10**6) for board in (grid, almost))
    assert symmetric.proven and other.proven
    assert symmetric.nodes < other.nodes


def test_a_position_without_anything_to_gain_costs_nothing(impl):
    assert impl.grid.max_tile([[0] * 20] * 20, 10) == (0, "", 0, True)
    assert impl.grid.max_tile([[2]], 255) == (2, "", 0, True)
    checkerboard = [[2 if (r + c) % 2 else 4 for c in range(20)] for r in range(20)]
    assert impl.grid.max_tile(checkerboard, 10) == (4, "", 0, True)
    rising = [[2 ** (1 + 5 * r + c) for c in range(5)] for r in range(5)]
    assert impl.grid.max_tile(rising, 255) == (2**25, "", 0, True)


def test_large_tiles_and_the_largest(impl):
    assert impl.grid.max_tile([[2**61, 2**61]], 1) == (2**62, "R", 0, True)
    assert impl.grid.max_tile([[2**62, 2**62], [2**61, 2**61]], 10).tile == 2**62
    assert impl.grid.max_tile([[2**61] * 8] * 8, 3)[:2] == (2**62, "U")


def test_fewer_slides_never_give_more(impl):
    grid = random_grid(random.Random(5), 6, 7, 1, 4, 0.2)
    tiles = [impl.grid.max_tile(grid, slides).tile for slides in range(8)]
    assert tiles == sorted(tiles) and len(set(tiles)) == 3
    assert impl.grid.max_tile(grid, 0) == (tiles[0], "", 0, True)
    assert impl.grid.max_tile(grid).tile == tiles[5]


def test_the_input_may_be_numpy_and_is_unchanged(impl):
    import numpy as np

    grid = np.array([[2, 2, 4], [0, 0, 0], [0, 0, 0]])
    found = impl.grid.max_tile(grid)
    assert found == (8, "RR", 0, True) and type(found.tile) is int
    assert grid.tolist() == [[2, 2, 4], [0, 0, 0], [0, 0, 0]]


def test_limits_give_the_best_so_far(impl):
    grid = random_grid(random.Random(7), 12, 12, 1, 3, 0.1)
    whole = impl.grid.max_tile(grid, 6)
    assert whole.proven and whole.nodes > 100
    before = 0
    for limit in (1, 2, 10, 50, whole.nodes - 1, whole.nodes, 10**9):
        found = impl.grid.max_tile(grid, 6, max_nodes=limit)
        assert found.nodes <= limit and found.proven == (limit >= whole.nodes)
        assert before <= found.tile <= whole.tile
        before = found.tile
        for_path = grid
        for letter in found.path:
            for_path = oracle.slide(for_path, letter)[0]
        assert max(map(max, for_path)) == found.tile
    assert found == whole


def test_limited_searches_are_the_same_on_both_backends(both):
    grid = random_grid(random.Random(9), 10, 11, 1, 4, 0.2)
    for limit in (1, 17, 300, 1000):
        results = [impl.grid.max_tile(grid, 7, max_nodes=limit) for impl in both]
        assert all(result == results[0] for result in results)


def endless():
    """A board with the mass for 65536, which no search in a lifetime reaches or refutes."""
    return random_grid(random.Random(1), 20, 20, 1, 10, 0.1)


def test_a_limit_of_time_ends_a_search_without_end(impl):
    found = impl.grid.max_tile(endless(), 255, max_seconds=0)
    assert not found.proven and found.tile >= 1024 and 0 < found.nodes < 10**6
    assert impl.grid.max_tile([[2, 2]], max_seconds=10**6).proven
    assert impl.grid.max_tile([[2, 2]], max_seconds=10**400).proven


@pytest.mark.terminal
def test_a_search_can_be_interrupted(impl):
    timer = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        impl.grid.max_tile(endless(), 255)
    timer.join()


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"slides": -1}, ValueError, "slides must be an integer from 0 to 255, got -1"),
        ({"slides": 256}, ValueError, "slides must be an integer from 0 to 255, got 256"),
        ({"slides": 5.0}, TypeError, "slides must be"),
        ({"slides": "5"}, TypeError, "slides must be"),
        ({"max_nodes": 0}, ValueError, "max_nodes must be an integer of at least 1, got 0"),
        ({"max_nodes": 1.5}, TypeError, "max_nodes must be"),
        ({"max_nodes": True}, TypeError, "max_nodes must be an integer of at least 1, not bool"),
        ({"max_seconds": -1}, ValueError, "max_seconds must be a number of at least 0, got -1"),
        ({"max_seconds": float("nan")}, ValueError, "max_seconds must be a number of at least 0, got nan"),
        ({"max_seconds": -(10**400)}, ValueError, "max_seconds must be a number of at least 0, got -1000"),
        ({"max_seconds": "1"}, TypeError, "max_seconds must be a number of at least 0, not str"),
    ],
)
def test_bad_limits_are_refused(impl, arguments, error, message):
    with pytest.raises(error, match=message):
        impl.grid.max_tile([[2, 2]], **arguments)


def test_boards_that_defeat_the_bounds(both):
    """Found by local search for the most nodes: the bounds cut next to nothing, the answer must still be right."""
    cases = list(objects("max_tile_hard.jsonl.gz"))
    assert len(cases) >= 3
    for case in cases:
        expected = exhaustive(case["board"], 5)
        results = [check(impl, case["board"], 5, expected) for impl in both]
        assert all(result == results[0] for result in results)
    # Ten slides: the answers were found by exhaustive(), which takes minutes; tests/bench/grid.py --check does it again.
    if both[0].BACKEND == "c":
        for case in cases:
            check(both[0], case["board"], 10, (case["answer"], case["first_reached_at_slide"]))
