"""Sliding puzzles: boards in and out, goals, parity, moves, random boards."""

from itertools import permutations

import numpy as np
import pytest
from sliding_oracle import distances, pack, replay, step

EIGHT = [[7, 2, 4], [5, 0, 6], [8, 3, 1]]
PACKED = 0x7245_0683_1000_0000
SIZES = [(2, 2), (2, 3), (3, 2), (3, 3), (2, 5), (5, 2), (3, 4), (4, 3), (2, 7), (3, 5), (4, 4), (2, 8), (8, 2)]

FORMS = [
    EIGHT,
    tuple(map(tuple, EIGHT)),
    [7, 2, 4, 5, 0, 6, 8, 3, 1],
    np.array(EIGHT),
    np.array(EIGHT, np.uint8),
    np.array(EIGHT).ravel(),
    "7 2 4 / 5 0 6 / 8 3 1",
    "7 2 4/5 . 6/8 3 1/",
    "7,2,4;5,0,6;8,3,1",
    "7 2 4\n5 0 6\n8 3 1\n",
    "[[7, 2, 4], [5, 0, 6], [8, 3, 1]]",
    "7 2 4 5 0 6 8 3 1",
    " 07 2 4 5 0 6 8 3 1 ",
]


@pytest.mark.parametrize("form", FORMS, ids=repr)
def test_every_form_of_a_board(impl, form):
    assert impl.sliding.from_grid(form) == PACKED
    assert impl.sliding.size_of(form) == (3, 3)
    assert impl.sliding.to_grid(form) == EIGHT
    assert impl.sliding.from_grid(form, size=(3, 3)) == PACKED


def test_packed_boards_take_their_size_from_the_argument(impl):
    sliding = impl.sliding
    assert sliding.to_grid(PACKED, (3, 3)) == sliding.to_grid(np.uint64(PACKED), (3, 3)) == EIGHT
    assert sliding.parse("7245068310000000", (3, 3)) == PACKED
    assert sliding.parse("0123456789abcdef") == 0x0123456789ABCDEF == sliding.from_grid(range(16))
    assert sliding.size_of(0x0123456789ABCDEF) == (4, 4)
    assert sliding.from_grid(range(6), (2, 3)) == sliding.from_grid([[0, 1, 2], [3, 4, 5]]) == 0x012345 << 40
    assert sliding.from_grid([[0, 1], [2, 3], [4, 5]]) == 0x012345 << 40
    assert sliding.pretty(range(16)).splitlines()[2] == " 8  9 10 11"
    assert sliding.pretty(EIGHT) == "7 2 4\n5 . 6\n8 3 1"


BAD = [
    (3.5, TypeError, "float"),
    (None, TypeError, "NoneType"),
    ([[0, 1.0], [2, 3]], TypeError, "list"),
    (-1, OverflowError, "-1"),
    (1 << 64, OverflowError, "18446744073709551616"),
    (0, ValueError, "0 is there 16 times"),
    ("", ValueError, "has none"),
    ("0 1 / 2 x", ValueError, "'x'"),
    ("0 1 / 2 -3", ValueError, "'-3'"),
    ("0 1 / 2", ValueError, "equally long, got 2, 1"),
    ("0 1 2 / 3 4 6", ValueError, "5 is missing"),
    ("0 1 2 / 3 4 4", ValueError, "4 is there 2 times"),
    ("0 1 2 3 4 5", ValueError, "needs its size"),
    ("0 1 2 3 / 4 5 6 7 / 8 9 10 11 / 12 13 14 15 / 16 17 18 19", ValueError, "at most 16 cells"),
    ("0 1 2 3 4 5 6 7 8 / 9 10 11 12 13 14 15 16 17", ValueError, "2 to 8"),
    ([0], ValueError, "2 to 8"),
    (bytes(range(16)), TypeError, "not bytes"),
    (bytearray(range(4)), TypeError, "not bytearray"),
    (set(range(16)), TypeError, "not set"),
    (dict.fromkeys(range(4)), TypeError, "not dict"),
    ([b"\0\1", b"\2\3"], TypeError, "not list"),
    ([{0, 1}, {2, 3}], TypeError, "not list"),
    ([], ValueError, "has none"),
    ("0 99999999999", ValueError, "'99999999999'"),
    ("0 ² / 2 3", ValueError, "²"),
]


@pytest.mark.parametrize(("board", "error", "message"), BAD, ids=repr)
def test_bad_boards_say_what_is_wrong(impl, board, error, message):
    for function in (impl.sliding.from_grid, impl.sliding.solve, impl.sliding.is_solvable, impl.sliding.manhattan):
        with pytest.raises(error, match=message.replace("(", r"\(")):
            function(board)
    with pytest.raises(error):
        impl.sliding.solve_many([board])


def test_bad_sizes_goals_and_moves(impl):
    sliding = impl.sliding
    for size, error in [((1, 4), ValueError), ((4, 5), ValueError), ((9, 1), ValueError), ((4,), ValueError),
                        ("44", TypeError), (4, TypeError), ((2.0, 2), TypeError)]:  # fmt: skip
        with pytest.raises(error, match="size"):
            sliding.random_board(1, size)
    with pytest.raises(ValueError, match="3x4 was expected, got 3 rows of 3"):
        sliding.solve(EIGHT, size=(3, 4))
    with pytest.raises(ValueError, match="zeros below its 9 nibbles"):
        sliding.solve(PACKED | 1, size=(3, 3))
    with pytest.raises(ValueError, match="3 is there 2 times"):
        sliding.solve(0x7245_0633_1000_0000, size=(3, 3))
    with pytest.raises(ValueError, match="goal must be blank-first or blank-last"):
        sliding.solve(EIGHT, goal="first")
    with pytest.raises(ValueError, match="3x3 was expected, got 2 rows of 3"):
        sliding.solve(EIGHT, goal="0 1 2 / 3 4 5")
    with pytest.raises(ValueError, match="move 1, U, takes the blank off the board"):
        sliding.apply(EIGHT, "UU")
    with pytest.raises(ValueError, match="got 'X' at 2"):
        sliding.apply(EIGHT, "UDX")
    with pytest.raises(TypeError, match="str"):
        sliding.apply(EIGHT, 3)
    with pytest.raises(TypeError, match="text"):
        sliding.parse(EIGHT)
    with pytest.raises(OverflowError, match="seed"):
        sliding.random_board(-1)


@pytest.mark.parametrize("size", SIZES)
def test_moves_and_apply(impl, size):
    tiles = tuple(range(size[0] * size[1]))
    for seed in range(40):
        board = pack(tiles)
        legal = "".join(letter for letter in "URDL" if step(tiles, size, letter))
        assert impl.sliding.moves(board, size=size) == legal
        letters = legal[seed * 7 % len(legal)]
        after = replay(tiles, size, letters)[-1]
        assert impl.sliding.apply(board, letters.lower(), size=size) == pack(after)
        tiles = after
    assert impl.sliding.apply(pack(tiles), "", size=size) == pack(tiles)


def goals(size):
    """blank-first, blank-last and two others with the blank inside or at the border."""
    cells = size[0] * size[1]
    rest = list(range(1, cells))
    return [
        [0, *rest],
        [*rest, 0],
        [*rest[:1], 0, *rest[1:]],
        [*rest[::-1][: cells // 2], 0, *rest[::-1][cells // 2 :]],
    ]


@pytest.mark.parametrize("size", [(2, 2), (2, 3), (3, 2)])
def test_parity_tells_exactly_what_can_be_reached(impl, size):
    for goal in goals(size):
        reached = distances(goal, size)
        for tiles in permutations(range(size[0] * size[1])):
            assert impl.sliding.is_solvable(pack(tiles), pack(goal), size=size) == (tiles in reached)


@pytest.mark.parametrize("size", SIZES)
def test_two_tiles_exchanged_and_moves_made_leave_parity_right(impl, size):
    sliding = impl.sliding
    for goal in goals(size):
        packed = pack(goal)
        tiles = list(goal)
        for letter in ("URDLLDRU" * 10)[: 3 * len(goal)]:
            tiles = list(step(tiles, size, letter) or tiles)
            assert sliding.is_solvable(pack(tiles), packed, size=size)
            a, b = [cell for cell, tile in enumerate(tiles) if tile][-2:]
            other = list(tiles)
            other[a], other[b] = other[b], other[a]
            assert not sliding.is_solvable(pack(other), packed, size=size)
    assert sliding.is_solvable(pack(range(size[0] * size[1])), size=size)
    assert sliding.is_solvable(pack(goals(size)[1]), "blank-last", size=size)


def test_loyds_puzzle_cannot_be_solved(impl):
    board = "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 15 14 0"
    assert not impl.sliding.is_solvable(board, "blank-last")
    with pytest.raises(impl.sliding.Unsolvable, match="parity") as caught:
        impl.sliding.solve(board, "blank-last")
    assert isinstance(caught.value, ValueError)


def test_random_boards_are_solvable_repeatable_and_uniform(both):
    for impl in both:
        counts = {}
        for seed in range(2400):
            board = impl.sliding.random_board(seed, (2, 2))
            counts[board] = counts.get(board, 0) + 1
        assert len(counts) == 12
        # 11 degrees of freedom: 31.3 is exceeded once in a thousand times
        assert sum((n - 200) ** 2 / 200 for n in counts.values()) < 31.3
        for size in SIZES:
            for goal in goals(size):
                board = impl.sliding.random_board(7, size, pack(goal))
                assert impl.sliding.is_solvable(board, pack(goal), size=size)
    for size in SIZES:
        assert len({tuple(impl.sliding.random_board(seed, size) for seed in range(20)) for impl in both}) == 1
    assert f"{both[0].sliding.random_board(1):016x}" == "f06137e24a8c5db9"


@pytest.mark.parametrize(
    ("size", "one"), [((4, 4), True), ((2, 2), True), ((2, 4), True), ((3, 3), False), ((3, 4), False)]
)
def test_an_unsolvable_board_names_the_goal_that_it_reaches(impl, size, one):
    """Found by walking: boards met on random walks from one goal, and with two tiles exchanged."""
    sliding = impl.sliding
    cells = size[0] * size[1]
    board = sliding.from_grid([*range(1, cells), 0], size=size)
    for number in range(60):
        letters = sliding.moves(board, size=size)
        board = sliding.apply(board, letters[number * 7 % len(letters)], size=size)
    tiles = [tile for row in sliding.to_grid(board, size) for tile in row]
    a, b = (tiles.index(tile) for tile in (1, 2))
    tiles[a], tiles[b] = tiles[b], tiles[a]
    with pytest.raises(sliding.Unsolvable) as error:
        sliding.solve(tiles, "blank-last", size=size, heuristic="auto")
    assert ("with the goal blank-first" in str(error.value)) == one
    if one:
        assert sliding.is_solvable(board, "blank-last", size=size)
        assert not sliding.is_solvable(board, "blank-first", size=size)
        assert sliding.is_solvable(tiles, "blank-first", size=size)
    with pytest.raises(sliding.Unsolvable) as error:
        sliding.solve_many([tiles], "blank-last", size=size)
    assert ("with the goal blank-first" in str(error.value)) == one
