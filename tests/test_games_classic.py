"""bitboard.Game: the original's games followed, randomness as specified, undo, copies."""

import copy
import pickle

import oracle
import pytest
from vectors import objects

GAMES = list(objects("games_original.jsonl.gz"))
LETTERS = "URDL"


def follow(impl, game):
    """A Game led through a game of the original's code; checks the score after every move."""
    ours = impl.Game(seed=0, board=impl.from_grid(game["start"]))
    for letter, row, column, value, score in game["moves"]:
        before = ours.score
        reward = ours.move(letter, spawn=(4 * row + column, value.bit_length() - 1))
        assert (ours.score, reward) == (score, score - before)
    return ours


def test_games_of_the_original(impl):
    for game in GAMES:
        ours = follow(impl, game)
        assert impl.to_grid(ours.board) == game["final"]
        assert (ours.score, ours.over, ours.largest) == (game["score"], game["over"], game["max"])
        assert ours.moves == len(game["moves"]) == len(ours.history)
        assert ours.scores == (0, *[move[4] for move in game["moves"]])


def test_slides_that_change_nothing(impl):
    for game in GAMES[:20]:
        ours = impl.Game(seed=0, board=impl.from_grid(game["start"]))
        noops = {}
        for index, letter in game["noops"]:
            noops.setdefault(index, []).append(letter)
        for index, (letter, row, column, value, _) in enumerate(game["moves"]):
            for illegal in noops.get(index, []):
                before = (ours.board, ours.score, ours.history)
                with pytest.raises(
                    ValueError, match=f"illegal: sliding {dict(zip(LETTERS, NAMES, strict=True))[illegal]}"
                ):
                    ours.move(illegal)
                assert (ours.board, ours.score, ours.history) == before
            ours.move(letter, spawn=(4 * row + column, value.bit_length() - 1))


NAMES = ("up", "right", "down", "left")


def mix(z):
    """SplitMix64's output function, written here again from its publication."""
    mask = 2**64 - 1
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & mask
    z = (z ^ z >> 27) * 0x94D049BB133111EB & mask
    return z ^ z >> 31


def number(seed, i):
    return mix((seed + (i + 1) * 0x9E3779B97F4A7C15) % 2**64)


def spawned(grid, r):
    """The grid with the tile that r spawns, and (cell, exponent)."""
    cells = [face for row in grid for face in row]
    empty = [i for i, face in enumerate(cells) if not face]
    cell = empty[(r >> 32) * len(empty) >> 32]
    cells[cell] = 4 if r & 0xFFFFFFFF < 429496730 else 2
    return [cells[i : i + 4] for i in range(0, 16, 4)], (cell, cells[cell] // 2)


@pytest.mark.parametrize("seed", [0, 1, 7, 2**63, 2**64 - 1])
def test_randomness_is_as_specified(impl, seed):
    grid = [[0] * 4 for _ in range(4)]
    for i in (0, 1):
        grid, _ = spawned(grid, number(seed, i))
    game = impl.Game(seed=seed)
    assert impl.to_grid(game.board) == grid
    score = moves = 0
    while legal := oracle.legal(grid):
        letter = legal[moves % len(legal)]
        grid, points = oracle.slide(grid, letter)
        grid, spawn = spawned(grid, number(seed, 2 + moves))
        assert game.move(letter) == points
        score, moves = score + points, moves + 1
        assert (impl.to_grid(game.board), game.score, game.moves) == (grid, score, moves)
        assert game.history[-1] == (LETTERS.index(letter), *spawn)
        assert game.legal == sum(1 << LETTERS.index(d) for d in oracle.legal(grid))
    assert game.over and moves > 20


def played(impl, seed=3, moves=40):
    game = impl.Game(seed=seed)
    for _ in range(moves):
        game.move(next(d for d in range(4) if game.legal >> d & 1))
    return game


def test_spellings_of_a_direction(impl):
    for spellings in ([1, "R", "r", "right", "Right"],):
        boards = set()
        for spelling in spellings:
            game = impl.Game(seed=5, board=impl.parse("2 2 0 0  0 0 0 0  0 0 0 0  0 0 0 0"))
            assert game.move(spelling) == 4
            boards.add(game.board)
        assert len(boards) == 1


@pytest.mark.parametrize("direction", [4, -1, "x", None, 1.0, "", "upward"])
def test_no_direction(impl, direction):
    game = impl.Game(seed=1)
    with pytest.raises(ValueError, match="direction must be"):
        game.move(direction)
    assert game.moves == 0


def test_undo_and_the_same_tiles_again(impl):
    game = played(impl)
    positions, history, score = list(game), game.history, game.score
    game.undo()
    assert (game.board, game.moves) == (positions[-2], 39)
    game.undo(9)
    assert (game.board, game.moves) == (positions[30], 30)
    for direction, _, _ in history[30:]:
        game.move(direction)
    assert (list(game), game.history, game.score) == (positions, history, score)
    game.undo(40)
    assert (game.board, game.score, game.moves) == (positions[0], 0, 0)
    game.undo(0)
    for too_many in (1, 10**30):
        with pytest.raises(ValueError, match="moves must be at most the 0 slides made"):
            game.undo(too_many)
    with pytest.raises(ValueError, match="at least 0"):
        game.undo(-1)
    with pytest.raises(TypeError):
        game.undo("1")


@pytest.mark.parametrize(
    "duplicate", [lambda g: g.copy(), copy.copy, copy.deepcopy, lambda g: pickle.loads(pickle.dumps(g))]
)
def test_copies_go_on_by_themselves(impl, duplicate):
    game = played(impl)
    game.tags["agent"] = "first"
    twin = duplicate(game)
    assert twin == game and twin.tags == {"agent": "first"} and twin.record() == game.record()
    direction = next(d for d in range(4) if game.legal >> d & 1)
    twin.move(direction)
    twin.tags["agent"] = "second"
    assert (game.moves, twin.moves, game.tags) == (40, 41, {"agent": "first"})
    assert twin != game
    game.move(direction)
    assert twin == game


def test_equality(impl):
    assert impl.Game(seed=1) == impl.Game(seed=1) != impl.Game(seed=2)
    assert impl.Game(seed=1) != impl.Game(seed=1, board=0x1000_0000_0000_0001)
    assert impl.Game(seed=1) != 1 and impl.Game(seed=1) != "a game"
    with pytest.raises(TypeError, match="unhashable"):
        hash(impl.Game(seed=1))


def test_seeds_of_its_own_differ(impl):
    first, second = impl.Game(), impl.Game()
    assert first.seed != second.seed
    assert impl.Game(seed=first.seed).board == first.board


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"seed": -1}, OverflowError, "seed must be an integer from 0"),
        ({"seed": 2**64}, OverflowError, "seed must be"),
        ({"seed": "1"}, TypeError, "seed must be an integer"),
        ({"seed": 1.0}, TypeError, "seed must be an integer"),
        ({"board": 2**64}, OverflowError, "board must be"),
        ({"board": "1000000000000000"}, TypeError, "board must be an integer"),
    ],
)
def test_bad_arguments(impl, arguments, error, message):
    with pytest.raises(error, match=message):
        impl.Game(**arguments)


@pytest.mark.parametrize(
    ("spawn", "error", "message"),
    [
        ((0, 1), ValueError, "cell 0 is not"),
        ((16, 1), ValueError, "the cell of spawn must be an integer from 0 to 15"),
        ((-1, 1), ValueError, "the cell of spawn"),
        ((5, 0), ValueError, "the exponent of spawn must be an integer from 1"),
        ((5, 3), ValueError, r"must be one of \[1, 2\], got 3"),
        ((5, 2**80), ValueError, "the exponent of spawn"),
        ((5, "1"), TypeError, "the exponent of spawn"),
        ((5.0, 1), TypeError, "the cell of spawn"),
        ((5,), TypeError, r"pair \(cell, exponent\)"),
        (5, TypeError, r"pair \(cell, exponent\)"),
        ((1, 2, 3), TypeError, r"pair \(cell, exponent\)"),
    ],
)
def test_bad_spawns_change_nothing(impl, spawn, error, message):
    game = impl.Game(seed=1, board=impl.parse("2 0 0 0  2 0 0 0  0 0 0 0  0 0 0 0"))
    with pytest.raises(error, match=message):
        game.move("up", spawn=spawn)
    assert (game.moves, game.score, len(list(game))) == (0, 0, 1)


def test_a_game_that_is_over(impl):
    game = impl.Game(seed=1, board=impl.parse("2 4 2 4  4 2 4 2  2 4 2 4  4 2 4 2"))
    assert game.over and game.legal == 0
    with pytest.raises(ValueError, match="the game is over"):
        game.move("up")


def test_by_the_rule_of_32768_two_do_not_merge_and_it_is_said(impl):
    game = impl.Game(seed=1, board=impl.parse("32768 0 0 32768  0 0 0 0  0 0 0 0  0 0 0 0"), top=32768)
    assert game.saturated and game.largest == 32768
    assert game.move("left") == 0
    assert impl.to_grid(game.board)[0][:2] == [32768, 32768] and game.saturated


def test_scores_are_wide(impl):
    game = impl.Game(seed=1, board=impl.parse("16384 16384 16384 16384  0 0 0 0  0 0 0 0  0 0 0 0"))
    assert game.move("left") == 65536
    assert game.score == 65536 and isinstance(game.score, int)


def test_numpy_arguments(impl):
    import numpy

    game = impl.Game(seed=numpy.uint64(3), board=numpy.uint64(0x1100_0000_0000_0000))
    assert game.move(numpy.int64(3), spawn=(numpy.int32(5), numpy.uint8(1))) == 4
    assert game.board == 0x2000_0100_0000_0000 and type(game.board) is int
    assert game.history == ((3, 5, 1),)


def test_text(impl):
    game = impl.Game(seed=1, board=0x1100_0000_0000_0000)
    assert str(game) == impl.pretty(game.board)
    assert repr(game) == "<Game 4x4: 0 moves, score 0, largest 2>"
    assert game._repr_svg_().startswith("<svg")


def test_both_backends_play_the_same_games(both):
    games = [played(impl, seed=11, moves=60) for impl in both]
    assert len({game.record() for game in games}) == 1
