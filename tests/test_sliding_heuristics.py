"""Heuristics of sliding puzzles: never more than the distance, alike in the mirror, and what hand-made boards need."""

import csv
import random
from importlib import import_module

import pytest
from conftest import BACKENDS, DATA, IMPLEMENTATIONS
from sliding_oracle import STEPS, distances, numbers, pack, replay, step


def mirror(tiles, side):
    """The board seen in its main diagonal, tiles named by their mirrored places in the goal 0 1 2 ..."""
    return tuple(tiles[i % side * side + i // side] % side * side + tiles[i % side * side + i // side] // side
                 for i in range(side * side))  # fmt: skip


def test_no_heuristic_exceeds_the_distance_of_any_of_the_8_puzzles():
    """Below the public functions, which tests further down reach, for the sake of time."""
    impl = IMPLEMENTATIONS[BACKENDS[0]]
    module = {name: import_module(f"{impl.__name__}.sliding.{name}") for name in ("board", "heuristics", "database")}
    kernels = import_module(f"{impl.__name__}.sliding.database").kernels
    form = module["board"].form_of((3, 3), pack(range(9)))
    database = kernels.Search(form, module["database"].obtain("4-4", (3, 3), 0))
    found = distances(range(9), (3, 3))
    assert len(found) == 181_440
    for tiles, distance in found.items():
        board = pack(tiles)
        assert form.convert(board) == board
        least = module["heuristics"].manhattan(form, board)
        assert least <= module["heuristics"].linear_conflict(form, board) <= distance
        assert least <= module["heuristics"].walking_distance(form, board) <= distance
        assert least <= database.estimate(board) <= distance


@pytest.mark.parametrize(
    "goal", [(1, 2, 3, 4, 5, 6, 7, 8, 0), (8, 7, 6, 5, 0, 4, 3, 2, 1), (3, 0, 1, 2, 4, 5, 6, 8, 7)]
)
def test_heuristics_for_other_goals(impl, goal):
    found = distances(goal, (3, 3))
    for tiles in list(found)[::401]:
        for function in (impl.sliding.manhattan, impl.sliding.linear_conflict, impl.sliding.walking_distance):
            assert function(pack(tiles), goal, size=(3, 3)) <= found[tiles]
        assert impl.sliding.database_distance(pack(tiles), goal, partition="3-3-2", size=(3, 3)) <= found[tiles]
    for function in (impl.sliding.manhattan, impl.sliding.linear_conflict, impl.sliding.walking_distance):
        assert function(pack(goal), goal, size=(3, 3)) == 0


@pytest.mark.parametrize("partition", ["8", "1-1-1-1-1-1-1-1", "5-3"])
def test_any_partition_of_the_8_puzzle(impl, partition):
    if BACKENDS[0] == "python" and partition == "8":
        with pytest.raises(ImportError, match="C core"):
            impl.sliding.build_database(partition, (3, 3))
        return  # with the C core, pure Python reads its file
    found = distances(range(9), (3, 3))
    for tiles in list(found)[::997]:
        value = impl.sliding.database_distance(pack(tiles), partition=partition, size=(3, 3))
        # all tiles in one pattern: the distance itself, all alone: the Manhattan distance
        assert value == {"8": found[tiles], "5-3": value}.get(
            partition, impl.sliding.manhattan(pack(tiles), size=(3, 3))
        )
        assert value <= found[tiles]


def test_fifteen_puzzles_along_optimal_solutions_and_beside_them(impl, database):
    with open(DATA / "korf100.csv", encoding="ascii") as file:
        rows = sorted(csv.DictReader(file), key=lambda row: int(row["ida_manhattan_nodes"]))[
            : 6 if impl.BACKEND == "c" else 2
        ]
    sliding = impl.sliding
    for row in rows:
        solution = sliding.solve(numbers(row["state"]), heuristic=database)
        assert solution.length == int(row["optimal"])
        for gone, tiles in enumerate(replay(numbers(row["state"]), (4, 4), solution.moves)):
            left = solution.length - gone
            value = sliding.database_distance(pack(tiles), partition=database)
            assert sliding.manhattan(pack(tiles)) <= value <= left
            assert value == sliding.database_distance(pack(mirror(tiles, 4)), partition=database)
            assert sliding.walking_distance(pack(tiles)) <= left
            assert sliding.linear_conflict(pack(tiles)) <= left
            for letter in STEPS:
                beside = step(tiles, (4, 4), letter)
                if beside:
                    other = sliding.database_distance(pack(beside), partition=database)
                    assert other <= left + 1 and (other - value) % 2


def test_mirrored_boards_are_equally_far():
    found = distances(range(9), (3, 3))
    sliding = IMPLEMENTATIONS[BACKENDS[0]].sliding
    for tiles in list(found)[::53]:
        image = mirror(tiles, 3)
        assert found[image] == found[tiles]
        for function in (sliding.manhattan, sliding.linear_conflict, sliding.walking_distance):
            assert function(pack(image), size=(3, 3)) == function(pack(tiles), size=(3, 3))


def test_linear_conflicts_by_hand(impl):
    for board, conflicts in [
        ("0 1 2 / 3 4 5 / 6 7 8", 0),
        ("0 2 1 / 3 4 5 / 6 7 8", 1),
        ("0 1 2 / 5 4 3 / 6 7 8", 2),  # three tiles in reverse: two must leave
        ("0 1 2 / 6 4 5 / 3 7 8", 1),  # in a column
        ("0 2 1 / 6 4 5 / 3 8 7", 3),
        ("1 0 2 / 3 4 5 / 6 7 8", 0),
    ]:
        assert impl.sliding.linear_conflict(board) == impl.sliding.manhattan(board) + 2 * conflicts


def test_walking_distance_table_has_the_known_number_of_states(impl):
    """24,964 for four rows, as Takahashi counted; three rows by counting arrangements."""
    heuristics = __import__(f"{impl.__name__}.sliding.heuristics", fromlist=["walk_of"])
    assert len(heuristics.walk_of(4, 4, 0).distance) == 24_964
    assert heuristics.walk_of(5, 2, 0) is None
    seen = set()
    for tiles in random.Random(1).choices(sorted(distances(range(6), (2, 3))), k=300):
        rows = tuple(tiles[i] // 3 for i in range(6) if tiles[i])
        seen.add((tuple(sorted(rows[:2])), tiles.index(0) // 3))
    assert len(heuristics.walk_of(2, 3, 0).distance) >= len(seen) // 2
