"""bitboard.grid.Game: other sizes and rules."""

import pickle

import oracle
import pytest
from test_games_classic import mix, number


def test_the_default_rules_meet_the_tiles_of_game(impl):
    for seed in range(4):
        game, packed = impl.grid.Game(4, 4, seed=seed, top=131072), impl.Game(seed=seed)
        while not packed.over:
            direction = (packed.legal & -packed.legal).bit_length() - 1
            assert (game.board, game.legal) == (impl.to_grid(packed.board), packed.legal)
            assert game.move(direction) == packed.move(direction)
        assert game.history == packed.history and game.over and game.score == packed.score


@pytest.mark.parametrize(
    ("rows", "columns", "spawn", "start_tiles"),
    [(3, 5, {2: 9, 4: 1}, 2), (2, 2, {2: 1}, 1), (5, 5, {2: 1, 4: 2, 8: 3}, 4), (1, 7, {4: 1}, 0), (6, 3, {2: 7, 1024: 5}, 3)],
)  # fmt: skip
def test_games_against_the_oracle(impl, rows, columns, spawn, start_tiles):
    seed = 99

    def drop(grid, r):
        """What the rules say a number spawns: the largest tile takes the lowest numbers."""
        empty = [(i, j) for i in range(rows) for j in range(columns) if not grid[i][j]]
        i, j = empty[(r >> 32) * len(empty) >> 32]
        low, seen = r & 0xFFFFFFFF, 0
        for face in sorted(spawn, reverse=True):
            seen += spawn[face]
            if low < -(-(seen << 32) // sum(spawn.values())):
                grid[i][j] = face
                return

    grid = [[0] * columns for _ in range(rows)]
    for i in range(start_tiles):
        drop(grid, number(seed, i))
    board = None
    if not start_tiles:
        grid[0][0] = 4
        board = grid
    game = impl.grid.Game(rows, columns, seed, board, spawn=spawn, start_tiles=start_tiles)
    assert game.board == grid
    score = moves = 0
    while (legal := oracle.legal(grid)) and moves < 300:
        letter = legal[mix(moves) % len(legal)]
        grid, points = oracle.slide(grid, letter)
        drop(grid, number(seed, max(2, start_tiles) + moves))
        assert game.move(letter) == points
        score, moves = score + points, moves + 1
        assert (game.board, game.score, game.moves) == (grid, score, moves)
        assert game.over == (not oracle.legal(grid))
    assert impl.grid.Game.from_record(game.record()) == game
    assert pickle.loads(pickle.dumps(game)) == game
    assert moves > 3


@pytest.mark.parametrize("spawn", [[2, 4], "2:9", 2])
def test_a_spawn_law_maps_tiles_to_weights(impl, spawn):
    with pytest.raises(TypeError, match=r"spawn must map tiles to weights, such as \{2: 9, 4: 1\}, not"):
        impl.grid.Game(spawn=spawn)


def test_where_the_numbers_of_one_tile_end(impl):
    """A tenth of 2**32, rounded up, as bitboard.spawn() has it."""
    rules = impl.Game(seed=0).rules
    for random64, exponent in ((0, 2), (429496728, 2), (429496729, 2), (429496730, 1), (2**32 - 1, 1)):
        assert rules.draw(random64) == exponent
        assert impl.spawn(0, random64) >> 60 == exponent
    three = impl.grid.Game(spawn={2: 1, 4: 1, 8: 1}, seed=0).rules
    assert [three.draw(n) for n in (1431655765, 1431655766, 2863311530, 2863311531)] == [3, 2, 2, 1]


def test_the_largest_tile_does_not_merge(impl):
    game = impl.grid.Game(2, 3, seed=1, board=[[64, 64, 0], [32, 32, 0]], top=64)
    assert game.saturated and game.move("L") == 64
    assert game.board[0][:2] == [64, 64] and game.board[1][0] == 64
    game = impl.grid.Game(2, 3, seed=1, board=[[64, 64, 0], [32, 32, 0]])
    assert not game.saturated and game.move("L") == 192
    beyond = impl.grid.Game(1, 4, seed=1, board=[[2**61, 2**61, 2**62, 2**62]])
    assert beyond.move("L") == 2**62 and beyond.saturated and beyond.score == 2**62


def test_gap_and_wall_of_saturation(impl):
    for board, saturated in (
        ([[64, 0, 64]], True),
        ([[64, 2, 64]], False),
        ([[64], [0], [64]], True),
        ([[64, 0], [0, 64]], False),
        ([[32, 32]], False),
    ):
        game = impl.grid.Game(len(board), len(board[0]), seed=1, board=board, top=64)
        assert game.saturated is saturated


def test_the_board_is_a_copy(impl):
    game = impl.grid.Game(3, 3, seed=4)
    board = game.board
    board[0][0] = 64
    assert game.board != board
    start = [[2, 2, 0], [0, 0, 0]]
    other = impl.grid.Game(2, 3, seed=4, board=start)
    other.move("R")
    assert start == [[2, 2, 0], [0, 0, 0]]


def test_numpy_boards(impl):
    import numpy

    game = impl.grid.Game(2, 2, seed=1, board=numpy.array([[2, 2], [0, 4]], dtype=numpy.int16))
    assert game.board == [[2, 2], [0, 4]]


def test_undo_copy_and_text(impl):
    game = impl.grid.Game(3, 3, seed=4)
    first = game.board
    twin = game.copy()
    for _ in range(5):
        game.move((game.legal & -game.legal).bit_length() - 1)
    assert twin.board == first and twin != game
    game.undo(5)
    assert game.board == first and twin == game
    assert repr(game).startswith("<Game 3x3: 0 moves, score 0, largest ")
    assert (
        str(impl.grid.Game(1, 2, seed=1, board=[[2, 0]])) == "+-------+-------+\n|     2 |     . |\n+-------+-------+"
    )


def test_given_spawns_follow_the_table(impl):
    game = impl.grid.Game(2, 2, seed=1, board=[[8, 0], [0, 0]], spawn={8: 1})
    with pytest.raises(ValueError, match=r"exponent of spawn must be one of \[3\], got 1"):
        game.move("R", spawn=(0, 1))
    game.move("R", spawn=(3, 3))
    assert game.board == [[0, 8], [0, 8]]


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        ((0, 4), {}, ValueError, "rows must be an integer from 1 to 32, got 0"),
        ((4, 33), {}, ValueError, "columns must be"),
        ((4.0, 4), {}, TypeError, "rows must be"),
        ((4, 4), {"spawn": {}}, ValueError, "at least one tile"),
        ((4, 4), {"spawn": {3: 1}}, ValueError, "a tile of spawn must be a power of two, got 3"),
        ((4, 4), {"spawn": {1: 1}}, ValueError, "a tile of spawn"),
        ((4, 4), {"spawn": {2: 0}}, ValueError, "the weight of 2 in spawn"),
        ((4, 4), {"spawn": {2: 0.9}}, TypeError, "the weight of 2 in spawn"),
        ((4, 4), {"spawn": {128: 1}, "top": 64}, ValueError, "at most the largest tile 64"),
        ((4, 4), {"top": 3}, ValueError, "top must be a power of two"),
        ((4, 4), {"start_tiles": 17}, ValueError, "start_tiles must be an integer from 0 to 16"),
        ((4, 4), {"seed": -1}, OverflowError, "seed must be"),
        ((2, 2), {"board": [[2, 2]]}, ValueError, "board must have 2 rows of 2 cells, got 1 of 2"),
        ((2, 2), {"board": [[2, 3], [0, 0]]}, ValueError, "row 0, column 1"),
        ((2, 2), {"board": [[2, 128], [0, 0]], "top": 64}, ValueError, "no tile above 64, got 128"),
        ((2, 2), {"board": "2222"}, TypeError, "must be a sequence"),
    ],
)
def test_bad_arguments(impl, arguments, options, error, message):
    with pytest.raises(error, match=message):
        impl.grid.Game(*arguments, **options)


def test_both_backends_play_the_same_games(both):
    records = set()
    for impl in both:
        game = impl.grid.Game(5, 6, seed=8, spawn={2: 3, 8: 1})
        for _ in range(150):
            if not game.over:
                game.move((game.legal & -game.legal).bit_length() - 1)
        records.add(game.record())
    assert len(records) == 1
