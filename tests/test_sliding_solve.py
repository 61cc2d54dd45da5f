"""Sliding puzzles solved: published lengths, every solution replayed, every method and both backends alike."""

import csv
import gzip
from array import array
from fractions import Fraction

import numpy as np
import pytest
from conftest import DATA
from sliding_oracle import distances, numbers, pack, replay, step


def eight_puzzles():
    with gzip.open(DATA / "eightpuzzle.csv.gz", "rt", encoding="ascii") as file:
        return list(csv.DictReader(file))


def korf():
    with open(DATA / "korf100.csv", encoding="ascii") as file:
        return list(csv.DictReader(file))


EIGHT = eight_puzzles()
KORF = korf()
GOALS = sorted({row["goal"] for row in EIGHT})
FIRST = tuple(range(16))


def check(solution, board, goal, size, length=None):
    """The solution ends at the goal, its states are those on the way, and its length is as published."""
    way = replay(board, size, solution.moves)
    assert way[-1] == tuple(goal)
    assert solution.length == len(solution.moves) == len(way) - 1
    assert length is None or solution.length == length
    assert solution.states() == tuple(map(pack, way))
    assert (solution.board, solution.goal, solution.size) == (pack(board), pack(goal), size)
    assert solution.seconds >= 0 and solution.nodes >= 0


@pytest.mark.parametrize("goal", GOALS)
def test_eight_puzzle_counts_by_distance(impl, goal):
    published = [(int(r["depth"]), int(r["count"])) for r in EIGHT if r["kind"] == "depth_count" and r["goal"] == goal]
    counts = impl.sliding.distances((3, 3), numbers(goal))
    assert list(enumerate(counts)) == sorted(published)
    assert sum(counts) == 181_440


def test_eight_puzzle_lengths(impl):
    for row in EIGHT:
        board, goal = row["state"] and numbers(row["state"]), numbers(row["goal"])
        if row["kind"] == "state":
            check(impl.sliding.solve(board, goal), board, goal, (3, 3), int(row["depth"]))
        elif row["kind"] == "unsolvable":
            assert not impl.sliding.is_solvable(board, goal)
            for method in ("table", "idastar", "astar"):
                with pytest.raises(impl.sliding.Unsolvable, match="parity"):
                    impl.sliding.solve(board, goal, method=method)
    assert {row["kind"] for row in EIGHT} == {"depth_count", "state", "unsolvable"}


# Counts of all boards by distance, blank in a corner; the sums are halves of factorials. Largest: OEIS A151944.
LARGEST = {(2, 2): 6, (2, 3): 21, (3, 2): 21, (2, 4): 36, (4, 2): 36, (3, 3): 31}


@pytest.mark.parametrize("size", LARGEST)
def test_counts_of_other_sizes(impl, size):
    found = distances(range(size[0] * size[1]), size)
    counts = impl.sliding.distances(size)
    assert len(counts) - 1 == LARGEST[size]
    assert list(counts) == [list(found.values()).count(d) for d in range(len(counts))]
    assert counts == impl.sliding.distances(size, "blank-last")
    with pytest.raises(ValueError, match="at most 10 cells"):
        impl.sliding.distances((4, 3))


@pytest.mark.parametrize("size", [(2, 2), (2, 3), (3, 2)])
def test_every_board_of_small_sizes_by_every_method(impl, size):
    cells = size[0] * size[1]
    for goal in (range(cells), [*range(1, cells), 0], [3, 0, *[t for t in range(1, cells) if t != 3]]):
        found = distances(goal, size)
        boards = sorted(found)
        for options in ({}, {"method": "idastar"}, {"method": "idastar", "heuristic": "manhattan"},
                        {"heuristic": "walking-distance"}, {"method": "astar"}):  # fmt: skip
            solved = impl.sliding.solve_many(list(map(pack, boards)), pack(goal), size=size, threads=2, **options)
            for board, solution in zip(boards, solved, strict=True):
                check(solution, board, goal, size, found[board])


def walk(size, goal, n, seed, impl):
    """The goal after a walk of n random steps."""
    tiles = tuple(goal)
    for i in range(n):
        legal = [after for letter in "URDL" if (after := step(tiles, size, letter))]
        tiles = legal[(impl.random64(seed, i) >> 32) * len(legal) >> 32]
    return tiles


@pytest.mark.parametrize("size", [(2, 5), (5, 2), (3, 4), (4, 3), (2, 6), (2, 7), (3, 5), (2, 8), (8, 2), (4, 4)])
def test_larger_boards_near_goals_anywhere(impl, size):
    """Breadth-first distances up to 10 moves, for goals with the blank at each place."""
    cells = size[0] * size[1]
    for blank in range(0, cells, 3):
        goal = [*range(cells - 1, 0, -1)]
        goal.insert(blank, 0)
        found = distances(goal, size, 9)
        board = walk(size, goal, 25, blank, impl)
        near = [tiles for tiles, d in found.items() if d == 9][::25]
        for heuristic in ("manhattan", "walking-distance"):
            for tiles in near[:4]:
                check(impl.sliding.solve(pack(tiles), pack(goal), size=size, heuristic=heuristic), tiles, goal, size, 9)
        same = {impl.sliding.solve(pack(board), pack(goal), size=size, heuristic=h).moves
                for h in ("manhattan", "walking-distance")}  # fmt: skip
        assert len(same) == 1
        check(impl.sliding.solve(pack(board), pack(goal), size=size, heuristic="manhattan"), board, goal, size)


def quick(impl, rows, nodes):
    """The puzzles that a backend solves in a moment: those of few nodes in pure Python."""
    return [row for row in rows if impl.BACKEND == "c" or int(row["ida_manhattan_nodes"]) < nodes]


def test_fifteen_puzzles_at_their_published_lengths(impl, database):
    rows = quick(impl, KORF, 1_700_000)
    boards = [numbers(row["state"]) for row in rows]
    solved = impl.sliding.solve_many(boards, heuristic=database)
    for row, board, solution in zip(rows, boards, solved, strict=True):
        check(solution, board, FIRST, (4, 4), int(row["optimal"]))
        assert solution.method == "idastar" and solution.heuristic == database
    assert len(rows) == (50 if impl.BACKEND == "c" else 7)


def test_published_node_counts_of_ida_star_with_manhattan_distance(impl):
    """Operator order of the blank up, left, right, down, the root counted: every node as published."""
    for row in KORF:
        if int(row["ida_manhattan_nodes"]) < (6_000_000 if impl.BACKEND == "c" else 1_000_000):
            board = numbers(row["state"])
            solution = impl.sliding.solve(board, heuristic="manhattan")
            assert solution.nodes == int(row["ida_manhattan_nodes"])
            check(solution, board, FIRST, (4, 4), int(row["optimal"]))
            assert impl.sliding.manhattan(board) == int(row["manhattan"])


def test_backends_and_heuristics_find_the_same_solution(both, database):
    """The first optimal one in the order U L R D, whatever prunes the search; node counts are equal too."""
    rows = sorted(KORF, key=lambda row: int(row["ida_manhattan_nodes"]))[:2]
    for row in rows:
        board = numbers(row["state"])
        for goal, tiles in ((FIRST, board), ((*FIRST[1:], 0), tuple(15 - t + 1 if t else 0 for t in board[::-1]))):
            answers = {}
            for impl in both:
                for heuristic in (database, "walking-distance"):
                    solution = impl.sliding.solve(tiles, goal, heuristic=heuristic)
                    check(solution, tiles, goal, (4, 4), int(row["optimal"]))
                    answers.setdefault(heuristic, set()).add((solution.moves, solution.nodes))
            assert all(len(found) == 1 for found in answers.values())
            assert len({moves for found in answers.values() for moves, _ in found}) == 1


def test_goals_in_all_corners_and_renamed_tiles(impl, database):
    """The same puzzle seen in mirrors and with other names: the same length from the same database."""
    row = min(KORF, key=lambda row: int(row["ida_manhattan_nodes"]))
    board, length = numbers(row["state"]), int(row["optimal"])
    names = [0, 15, 3, 9, 1, 12, 7, 14, 2, 5, 11, 6, 13, 4, 10, 8]
    assert sorted(names) == list(range(16))
    views = [lambda r, c: (r, c), lambda r, c: (3 - r, c), lambda r, c: (r, 3 - c), lambda r, c: (3 - r, 3 - c)]
    for view in views:

        def seen(tiles, view=view):
            return [names[tiles[4 * view(cell // 4, cell % 4)[0] + view(cell // 4, cell % 4)[1]]] for cell in range(16)]

        solution = impl.sliding.solve(seen(board), seen(FIRST), heuristic=database)
        check(solution, seen(board), seen(FIRST), (4, 4), length)
        assert impl.sliding.database_distance(seen(board), seen(FIRST), partition=database) == \
            impl.sliding.database_distance(board, partition=database)  # fmt: skip


def test_a_star(both):
    row = min(KORF, key=lambda row: int(row["ida_manhattan_nodes"]))
    board = numbers(row["state"])
    found = set()
    for impl in both:
        solution = impl.sliding.solve(board, method="astar")
        check(solution, board, FIRST, (4, 4), int(row["optimal"]))
        assert solution.nodes < int(row["ida_manhattan_nodes"]) and solution.heuristic == "manhattan"
        found.add((solution.moves, solution.nodes))
    assert len(found) == 1


def test_limits_carry_the_lower_bound(impl):
    board = "15 10 8 12 / 11 14 9 13 / 2 6 5 1 / 3 7 4 0"  # 80 moves away
    least = impl.sliding.manhattan(board)
    for options, name in [
        ({"max_nodes": 1000}, "1,000 nodes"),
        ({"max_seconds": 0.01}, "0.01 seconds"),
        ({"method": "astar", "max_nodes": 1000}, "1,000 nodes"),
        ({"method": "astar", "max_memory": 200_000}, "memory"),
        ({"method": "astar", "max_seconds": 0.01}, "0.01 seconds"),
    ]:
        if options.get("method") is None:
            options["heuristic"] = "manhattan"
        with pytest.raises(impl.sliding.LimitReached, match=name) as caught:
            impl.sliding.solve(board, **options)
        assert isinstance(caught.value, RuntimeError)
        assert least <= caught.value.lower_bound <= 80
        assert caught.value.nodes > 0 and caught.value.seconds > 0
        assert str(caught.value.lower_bound) in str(caught.value)
    with pytest.raises(impl.sliding.LimitReached, match="max_memory") as caught:
        impl.sliding.solve(board, heuristic="7-8", max_memory=1000)
    assert caught.value.lower_bound == least
    for bad in ({"max_nodes": 0}, {"max_memory": -1}):
        with pytest.raises(ValueError, match=next(iter(bad))):
            impl.sliding.solve(board, **bad)


def test_no_seconds_end_a_search_after_the_first_look_at_the_clock(impl):
    with pytest.raises(impl.sliding.LimitReached, match="0 seconds") as caught:
        impl.sliding.solve(numbers(KORF[0]["state"]), heuristic="manhattan", max_seconds=0)
    assert caught.value.nodes > 0


def test_seconds_are_any_real_number_of_at_least_0(impl):
    for number in (1, 2.5, np.float32(1), np.float64(2), np.int64(3), np.uint8(1), Fraction(1, 2), float("inf"), 0):
        assert impl.sliding.solve(FIRST, heuristic="manhattan", max_seconds=number).length == 0


@pytest.mark.parametrize(
    "bad", [-1, np.float32(-1), float("nan"), -(10**400), "1", 1j, np.complex128(1), [1], True, np.True_]
)
def test_bad_seconds_get_the_same_error_everywhere(impl, bad):
    error = ValueError if isinstance(bad, (int, float, np.float32)) and not isinstance(bad, bool) else TypeError
    said = set()
    for call in (
        lambda: impl.sliding.solve(FIRST, heuristic="manhattan", max_seconds=bad),
        lambda: impl.grid.max_tile([[2, 2]], max_seconds=bad),
    ):
        with pytest.raises(error, match="max_seconds must be a number of at least 0, (not|got) ") as caught:
            call()
        said.add(str(caught.value))
    assert len(said) == 1


def test_the_node_limit_is_exact(impl):
    row = min(KORF, key=lambda row: int(row["ida_manhattan_nodes"]))
    board, nodes = numbers(row["state"]), int(row["ida_manhattan_nodes"])
    assert impl.sliding.solve(board, heuristic="manhattan", max_nodes=nodes).nodes == nodes
    with pytest.raises(impl.sliding.LimitReached) as caught:
        impl.sliding.solve(board, heuristic="manhattan", max_nodes=nodes - 1)
    assert caught.value.nodes == nodes - 1
    assert caught.value.lower_bound == int(row["optimal"])


def test_methods_and_heuristics_that_do_not_fit(impl):
    solve = impl.sliding.solve
    for options, message in [
        ({"method": "magic"}, "method must be one of auto, table, idastar, astar"),
        ({"method": "table"}, "at most 9 cells"),
        ({"method": "astar", "heuristic": "6-6-3"}, "astar works with"),
        ({"heuristic": "exact"}, "exact"),
        ({"heuristic": "7-7"}, "add up to 15"),
        ({"heuristic": "9-6"}, "from 1 to 8"),
        ({"heuristic": "1-1-1-1-1-1-1-1-7"}, "at most 8"),
        ({"heuristic": "clever"}, "clever"),
    ]:
        with pytest.raises(ValueError, match=message):
            solve(FIRST, **options)
    for bad in (None, 5, b"6-6-3", ["6-6-3"]):
        with pytest.raises(TypeError, match="heuristic must be a str, not"):
            solve(FIRST, heuristic=bad)
        with pytest.raises(TypeError, match="method must be a str, not"):
            impl.sliding.solve_many([FIRST], method=bad)
    with pytest.raises(ValueError, match="takes no heuristic"):
        solve("0 1 / 2 3", method="table", heuristic="manhattan")


def test_a_solved_board_needs_no_moves(impl):
    for options in ({"heuristic": "manhattan"}, {"heuristic": "walking-distance"}, {"method": "astar"}):
        solution = impl.sliding.solve(FIRST, **options)
        check(solution, FIRST, FIRST, (4, 4), 0)
    check(impl.sliding.solve("0 1 2 / 3 4 5"), range(6), range(6), (2, 3), 0)


def test_backends_agree_at_the_smallest_and_largest_limits(both):
    near = "1 2 6 3 / 4 5 0 7 / 8 9 10 11 / 12 13 14 15"
    for options in ({"heuristic": "manhattan"}, {"heuristic": "walking-distance"}, {"method": "astar"}):
        for impl in both:
            for limits in ({"max_nodes": 1}, {"max_memory": 1}, {"max_nodes": 1, "max_memory": 1}):
                solution = impl.sliding.solve(FIRST, **options, **limits)
                assert (solution.length, solution.nodes) == (0, 1)
            with pytest.raises(impl.sliding.LimitReached, match="gave up at 1 nodes") as caught:
                impl.sliding.solve(near, **options, max_nodes=1)
            assert (caught.value.lower_bound, caught.value.nodes) == (3, 1)
            huge = impl.sliding.solve(near, **options, max_nodes=10**30, max_memory=10**30, max_seconds=10**400)
            assert huge.moves == "ULL"
    for impl in both:
        with pytest.raises(impl.sliding.LimitReached, match="memory") as caught:
            impl.sliding.solve(near, method="astar", max_memory=1)
        assert (caught.value.lower_bound, caught.value.nodes) == (3, 1)


def test_many_boards_in_any_form(impl):
    tiles = sorted(distances(range(6), (2, 3)))[:50]
    packed = list(map(pack, tiles))
    expected = [impl.sliding.solve(board, size=(2, 3)).moves for board in packed]
    grids = [[list(t[:3]), list(t[3:])] for t in tiles]
    for boards, size in [
        (packed, (2, 3)), (array("Q", packed), (2, 3)), (np.array(packed, np.uint64), (2, 3)), (grids, None),
        (np.array(grids), None), (iter(grids), None), (np.array(grids), (2, 3)), (np.array(tiles, np.uint64), (2, 3)), ([" ".join(map(str, t)) for t in tiles], (2, 3)),
    ]:  # fmt: skip
        for threads in (1, 3, None):
            done = []
            solved = impl.sliding.solve_many(boards if threads else list(map(list, grids)), size=size,
                                             threads=threads, progress=done.append)  # fmt: skip
            assert [solution.moves for solution in solved] == expected
            assert sum(done) == 50
            if not hasattr(boards, "__len__"):
                break
    assert impl.sliding.solve_many([]) == []


def test_many_boards_with_one_that_is_wrong(impl):
    good, odd = "0 1 2 / 3 4 5", "0 2 1 / 3 4 5"
    for method in ("table", "idastar"):
        with pytest.raises(impl.sliding.Unsolvable, match=r"boards\[1\]"):
            impl.sliding.solve_many([good, odd, good], method=method)
        solved = impl.sliding.solve_many([good, odd, good], method=method, errors="return")
        assert [getattr(s, "length", None) for s in solved] == [0, None, 0]
        assert isinstance(solved[1], impl.sliding.Unsolvable)
    with pytest.raises(ValueError, match=r"boards\[1\]: .*missing"):
        impl.sliding.solve_many([good, "0 1 2 / 3 4 6"])
    with pytest.raises(ValueError, match=r"boards\[1\]: .*there 2 times"):
        impl.sliding.solve_many([pack(range(6)), pack((0, 1, 2, 3, 4, 4))], size=(2, 3))
    with pytest.raises(ValueError, match=r"boards\[1\] is of size"):
        impl.sliding.solve_many([good, "0 1 / 2 3"])
    with pytest.raises(TypeError, match="boards"):
        impl.sliding.solve_many(5)
    with pytest.raises(TypeError, match="boards"):
        impl.sliding.solve_many("0 1 / 2 3")
    for bad in (b"0123", {FIRST}, {FIRST: 1}):
        with pytest.raises(TypeError, match="boards must be an array|boards must hold"):
            impl.sliding.solve_many(bad)
    with pytest.raises(TypeError, match="64-bit"):
        impl.sliding.solve_many(array("I", [1]))
    with pytest.raises(ValueError, match="errors"):
        impl.sliding.solve_many([good], errors="ignore")
    with pytest.raises(ValueError, match="threads"):
        impl.sliding.solve_many([good], threads=0)


def test_many_searches_give_up_at_their_limits(impl):
    rows = sorted(KORF, key=lambda row: int(row["ida_manhattan_nodes"]))
    boards = [numbers(row["state"]) for row in rows[-3:]]
    for threads in (1, 2):
        with pytest.raises(impl.sliding.LimitReached):
            impl.sliding.solve_many(boards, heuristic="manhattan", max_nodes=5000, threads=threads)
        solved = impl.sliding.solve_many(
            boards, heuristic="manhattan", max_nodes=5000, threads=threads, errors="return"
        )
        assert [s.nodes for s in solved] == [5000] * 3
