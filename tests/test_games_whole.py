"""The game past 32768: exact boards, their packed views, and whole games to 131072, against code of the tests' own."""

import base64
import copy
import importlib
import pickle
import random

import numpy
import pytest
import vectors
from oracle import legal, of_hex, slide

MOVES = [case for case in vectors.rows("moves_4x4.csv.gz") if any("G" in case[d] for d in "URDL")]

# One step before 131072: every tile has its half beside it, down to two 4s.
CHAIN = [[65536, 32768, 16384, 8192], [512, 1024, 2048, 4096], [256, 128, 64, 32], [4, 4, 8, 16]]
LATE = [[32768, 32768, 16384, 8192], [512, 1024, 2048, 4096], [256, 128, 64, 32], [4, 4, 8, 16]]


def random_grid(rng):
    """A grid with 1 to 3 tiles of 32768 to 131072, one of 131072 at most: two of these are a case of their own."""
    small = [2**k for k in range(1, rng.choice([4, 8, 15]))]
    cells = [rng.choice(small) if rng.random() < rng.choice([0.3, 0.7, 1]) else 0 for _ in range(16)]
    large = [rng.choice([32768, 65536]) for _ in range(3)]
    large[0] = rng.choice([*large, 131072])
    at = rng.randrange(16)
    for face in large[: rng.randint(1, 3)]:
        cells[at] = face
        at = (at + rng.choice([1, 4, 2, 5])) % 16
    return [cells[i : i + 4] for i in (0, 4, 8, 12)]


def grids(number, seed=1):
    rng = random.Random(seed)
    return [random_grid(rng) for _ in range(number)]


def after_slide(grid, direction, name):
    """A slide of a grid in which a tile of face f is written name(f) and a merged one 2 * name(f)."""
    out = [[0] * 4 for _ in range(4)]
    for i in range(4):
        line = [(i, c) for c in range(4)] if direction in "LR" else [(r, i) for r in range(4)]
        line = line[::-1] if direction in "RD" else line
        tiles = [grid[r][c] for r, c in line if grid[r][c]]
        slid = []
        while tiles:
            face = tiles.pop(0)
            if tiles and tiles[0] == face != 131072:
                tiles.pop(0)
                slid.append(2 * name(face))
            else:
                slid.append(name(face))
        for (r, c), face in zip(line, slid, strict=False):
            out[r][c] = face
    return out


def worth(grid):
    """The points that the tiles of a grid have earned if all spawns were 2s."""
    return sum(face * (face.bit_length() - 2) for row in grid for face in row if face)


def check_identity(game, start):
    fours = sum(exponent == 2 for _, _, exponent in game.history)
    assert game.score == worth(game.grid) - worth(start) - 4 * fours


def greedy(grid):
    """The direction of the largest reward, by the oracle; the first of equals."""
    return max(legal(grid), key=lambda d: slide(grid, d)[1])


def test_views_have_the_legal_slides_and_merges_of_the_exact_board(impl):
    wide = without = 0
    for grid in [*grids(3000), CHAIN, LATE, [[131072, 131072, 0, 2]] + [[65536, 65536, 0, 0]] * 3]:
        try:
            view = impl.pack_view(grid)
        except ValueError as error:
            assert "different tiles" in str(error)
            assert len({face for row in grid for face in row if face}) >= 15
            without += 1
            continue
        packed = impl.to_grid(view)
        names = {}
        for row, packed_row in zip(grid, packed, strict=True):
            for face, packed_face in zip(row, packed_row, strict=True):
                assert names.setdefault(face, packed_face) == packed_face  # equal ones stay equal
        assert len(set(names.values())) == len(names)  # and different ones different
        assert sorted(names) == sorted(names, key=names.get) and names.get(0, 0) == 0
        for bit, d in enumerate("URDL"):
            expected = after_slide(grid, d, names.get)
            assert impl.to_grid(impl.move(view, d)) == expected, (grid, d)
            assert impl.legal_moves(view) >> bit & 1 == (after_slide(grid, d, int) != grid)
        if packed == grid:
            assert not impl.is_saturated(view)
        else:
            wide += 1
    assert wide > 1500 and without < 600


def test_the_view_lowers_as_few_tiles_as_it_can(impl):
    row = [131072, 65536, 4096, 2]
    assert impl.to_grid(impl.pack_view([row] + [[0] * 4] * 3))[0] == [32768, 16384, 4096, 2]
    row = [32768, 32768, 16384, 4096]
    assert impl.to_grid(impl.pack_view([row] + [[0] * 4] * 3))[0] == [16384, 16384, 8192, 4096]
    row = [32768, 2, 32768, 16384]  # they do not meet: the exact board
    assert impl.to_grid(impl.pack_view([row] + [[0] * 4] * 3))[0] == row
    flat = [131072, 131072] + [0] * 14
    assert impl.pack_view(flat) == 0xFF00_0000_0000_0000
    assert impl.pack_view([0] * 16) == 0


@pytest.mark.parametrize(
    ("grid", "error", "message"),
    [
        ([2**k for k in range(2, 18)], ValueError, "at most 15 different tiles .* got 16"),
        ([65536, 65536, *(2**k for k in range(2, 16))], ValueError, "at most 14 .* where two of the largest meet"),
        ([262144] + [0] * 15, ValueError, "cell 0 of grid must be 0 or a power of two from 2 to 131072, got 262144"),
        ([3] + [0] * 15, ValueError, "cell 0 of grid"),
        ([[2, 2]] * 4, ValueError, "row 0 of grid must have 4 cells, got 2"),
        ([2.0] * 16, TypeError, "cell 0 of grid must be an integer"),
        ("0" * 16, TypeError, "grid must be a sequence of integers, not str"),
        (5, TypeError, "grid must be a sequence of integers"),
    ],
)
def test_what_has_no_view(impl, grid, error, message):
    with pytest.raises(error, match=message):
        impl.pack_view(grid)


def check_move(impl, grid, d, expected, points):
    game = impl.Game(seed=7, board=grid)
    if expected == grid:
        with pytest.raises(ValueError, match="illegal"):
            game.move(d)
        assert game.grid == grid and game.moves == 0
        return
    assert game.move(d) == points == game.score
    _, cell, exponent = game.history[0]
    found = game.grid
    assert found[cell // 4][cell % 4] == 2**exponent and expected[cell // 4][cell % 4] == 0
    found[cell // 4][cell % 4] = 0
    assert found == expected
    assert game.largest == max(map(max, game.grid))


def test_the_originals_slides_that_make_65536_and_those_after_them(impl):
    assert len(MOVES) > 100
    for case in MOVES[::2]:
        for d in "URDL":
            after = of_hex(case[d])
            check_move(impl, of_hex(case["board"]), d, after, int(case[d + "_reward"]))
            if any(map(any, after)):
                check_move(impl, after, "L", *slide(after, "L"))


def test_random_boards_against_the_oracle(impl):
    for grid in grids(600, seed=2):
        game = impl.Game(seed=3, board=grid)
        assert game.grid == grid and game.largest == max(map(max, grid)) and not game.saturated
        assert "".join(d for i, d in enumerate("URDL") if game.legal >> i & 1) == legal(grid)
        assert game.over == (not legal(grid))
        for d in "URDL":
            check_move(impl, grid, d, *slide(grid, d))


def test_two_of_131072_do_not_merge(impl):
    game = impl.Game(seed=1, board=[[131072, 131072, 0, 0]] + [[0] * 4] * 3)
    assert game.saturated and game.legal == 0b0110
    assert game.move("R") == 0 and game.grid[0][2:] == [131072, 131072]


@pytest.mark.parametrize(
    ("start", "seed", "opening", "largest"),
    [
        (CHAIN, 0, "RRRULLLURRRURRL", 131072),
        (CHAIN, 3, "RRRULLLURRRULULL", 131072),
        *[(LATE, seed, "", 65536) for seed in range(4)],
    ],
)
def test_games_to_their_end(impl, start, seed, opening, largest):
    """The opening is played first, and then what earns most."""
    game = impl.Game(seed, start)
    sized = impl.grid.Game(4, 4, seed, start, top=131072)
    grid, score = [row[:] for row in start], 0
    while not game.over:
        try:
            assert game.board == impl.pack_view(grid)
        except ValueError:
            assert len({face for row in grid for face in row}) >= 15
            assert game.largest == max(map(max, grid))
        d = opening[game.moves] if game.moves < len(opening) else greedy(grid)
        grid, points = slide(grid, d)
        score += points
        assert game.move(d) == points == sized.move(d)
        _, cell, exponent = game.history[-1]
        assert grid[cell // 4][cell % 4] == 0
        grid[cell // 4][cell % 4] = 2**exponent
        assert game.grid == grid == sized.board and game.score == score
    assert not legal(grid)
    check_identity(game, start)
    assert game.largest == largest
    again = impl.Game.from_record(game.record())
    assert again == game and again.grid == game.grid and again.score == game.score
    assert type(impl.record.read_one(game.record())) is impl.Game


def test_undo_copy_pickle_record_and_picture(impl):
    game = impl.Game(0, CHAIN)
    states = [(game.grid, game.score)]
    while game.moves < 25 and not game.over:
        game.move(greedy(game.grid))
        states.append((game.grid, game.score))
    assert game.largest >= 65536
    text = game.record()
    assert "\ntop: 131072\n" in text and "\nstart: 65536 32768" in text
    for twin in (copy.copy(game), pickle.loads(pickle.dumps(game)), impl.Game.from_record(text)):
        assert twin == game and twin.grid == game.grid and twin.scores == game.scores
        for grid, score in reversed(states):
            assert (twin.grid, twin.score) == (grid, score)
            if twin.moves:
                twin.undo()
        while twin.moves < game.moves:  # the same tiles again
            twin.move("URDL"[game.history[twin.moves][0]])
        assert twin == game
    start = impl.Game(0, CHAIN)
    assert ">65536</text>" in start._repr_svg_() and ">65536</text>" in impl.render.svg(CHAIN)
    assert ">131072</text>" in impl.render.svg(impl.Game(0, [[131072, 2, 0, 0]] + [[0] * 4] * 3))
    assert "|  65536 |" in str(impl.Game(0, [[131072, 65536, 0, 0]] + [[0] * 4] * 3))


def test_replay_and_analyse_show_it(impl, cli, tmp_path):
    game = impl.Game(0, CHAIN)
    for d in "RRRULLLURRRURRL":
        game.move(d)
    path = tmp_path / "game.txt"
    impl.record.write_file(path, [game])
    status, out, err = cli("replay", path)
    assert (status, err) == (0, "") and "    0         score       0  65536 32768 16384 8192 / 512" in out
    assert " / ".join([" ".join(map(str, row)) for row in game.grid]) in out and "131072 0 0 0" in out
    status, out, err = cli("analyse", path, "--depth", "0")
    assert status == 0 and f"score  {game.score}" in out and "15 moves: " in out


def test_the_board_is_exact_again_where_all_fits(impl):
    game = impl.Game(1, impl.parse("32768 32768 0 0  0 0 0 0  0 0 0 0  2 0 0 0"))
    assert game.board == impl.pack_view(game.grid) != impl.from_grid(game.grid)
    game.move("L")
    assert game.largest == 65536 and impl.max_exponent(game.board) == 15
    game.undo()
    assert game.largest == 32768
    apart = impl.Game(1, impl.parse("32768 0 0 0  32768 0 0 0  0 0 0 0  0 2 0 0"))
    apart.move("L", (5, 1))
    assert apart.board == impl.pack_view(apart.grid)


def test_the_rule_of_32768(impl):
    game = impl.Game(seed=1, board=impl.parse("32768 32768 0 0  0 0 0 0  0 0 0 0  0 0 0 0"), top=32768)
    assert game.saturated and game.legal == 0b0110 and game.board == 0xFF00_0000_0000_0000
    assert game.move("R") == 0
    text = game.record()
    assert "\ntop: 32768\n" in text
    again = impl.record.read_one(text)
    assert type(again) is impl.Game and again == game and again.rules == game.rules
    assert impl.Game(1, 0x1100_0000_0000_0000) != impl.Game(1, 0x1100_0000_0000_0000, top=32768)
    with pytest.raises(ValueError, match="top must be 131072 or 32768, got 65536"):
        impl.Game(1, top=65536)
    with pytest.raises(TypeError, match="top must be an integer"):
        impl.Game(1, top="32768")
    with pytest.raises(ValueError, match="from 2 to 32768, got 65536"):
        impl.Game(1, CHAIN, top=32768)


def test_records_and_pickles_of_older_versions_keep_their_rule(impl):
    """Both were written when bitboard.Game knew no other rule."""
    text = (
        "bitboard game 1\nsize: 4x4\ntop: 32768\nspawn: 2:9 4:1\nstart-tiles: 2\ngenerator: splitmix64\nseed: 5\n"
        "agent: x\nstart: 32768 32768 0 0 / 0 0 0 0 / 0 0 0 0 / 2 4 8 16\nmoves:\nR4:2 D0:1\n"
        "board: 2 0 0 0 / 0 0 0 0 / 4 0 32768 32768 / 2 4 8 16\nend: moves 2 score 0 largest 32768 over no\n"
    )
    data = (
        "gASV8QAAAAAAAACMFmJpdGJvYXJkLmdhbWVzLmNsYXNzaWOUjARHYW1llJOUKYGUTn2UKIwHX2JvYXJkc5RdlCiKCTQSAAAAAAD/AIoINBIA"
        "AAAg/wCKCDQS/yAAAAAQZYwGX21vdmVzlF2UKEoCAQEASgEAAgBljAdfc2NvcmVzlF2UKEsASwBLAGWMA2N1dJSMAJSMBXJ1bGVzlIwUYml0"
        "Ym9hcmQuZ2FtZXMucnVsZXOUjAVSdWxlc5STlChLBEsEfZQoSwJLCUsESwF1SwJNAIB0lFKUjARzZWVklEsFjAR0YWdzlH2UjAVhZ2VudJSM"
        "AXiUc3WGlGIu"
    )
    read = impl.record.read_one(text)
    assert read.record() == text and read.rules == impl.Game(1, top=32768).rules and read.saturated
    unpickled = pickle.loads(base64.b64decode(data))  # of the package that has the name bitboard
    assert unpickled.record() == text and unpickled.move("R", (0, 1)) == 0 and unpickled.grid[2] == [0, 4, 32768, 32768]


def test_evaluate_counts_past_32768_as_a_game_does(impl, monkeypatch):
    playing = importlib.import_module(".evaluation.playing", impl.__name__)
    start = [[16384, 16384, 32768, 8192], *LATE[1:]]
    monkeypatch.setattr(playing, "first_board", lambda stream: impl.from_grid(start))
    seen = []

    def agent(board):
        seen.append(board)
        return max(impl.afterstates(board), key=lambda slide: (slide[2], -slide[0]))[0]

    result = impl.evaluate(agent, 5, seed=4)
    boards = iter(seen)
    for index, score, moves, largest, met, _ in result.results:
        game = impl.Game(impl.stream(4, index), start)
        while not game.over:
            assert game.board == next(boards)
            game.move(agent(game.board))
            seen.pop()
        assert (score, moves, largest, met) == (game.score, game.moves, game.largest, True)
        assert largest >= 65536
        check_identity(game, start)
    assert result.rates[65536][0] == 1 and " 65536    100.0%" in result.table()
    assert "In 5 games two 32768 tiles met" in result.table()


def test_text_with_the_tiles_past_32768(impl):
    grid = [[131072, 65536, 32768, 0], [2, 4, 8, 16], [0] * 4, [0] * 4]
    for text in ("HGF0123400000000", "hgf0 1234 0000 0000", "0xHGF0_1234_0000_0000", str(sum(grid, []))[1:-1]):
        assert impl.parse_grid(text) == grid
        with pytest.raises(ValueError, match=r"parse_grid\(\) reads it"):
            impl.parse(text)
    with pytest.raises(ValueError, match="'H' at digit 0 of text is 131072, which a packed board cannot hold"):
        impl.parse("HGF0123400000000")
    with pytest.raises(ValueError, match=r"from 2 to 32768, got 65536; bitboard.pack_view\(\) takes it"):
        impl.from_grid([65536] + [0] * 15)
    assert impl.parse_grid("1001/2000/0000/00b0") == impl.to_grid(0x1001_2000_0000_00B0)
    for text in ("I" + "0" * 15, "0" * 17, "262144" + " 0" * 15, "\u212a" + "0" * 15):
        with pytest.raises(ValueError, match="text"):
            impl.parse_grid(text)
    drawn = impl.pretty(grid)
    assert "| 131072 |  65536 |  32768 |      . |" in drawn and len({len(line) for line in drawn.split("\n")}) == 1
    assert drawn == str(impl.Game(1, grid)) == impl.pretty(numpy.array(grid)) == str(impl.Game(1, numpy.array(grid)))
    assert impl.pack_view(numpy.array(grid)) == impl.pack_view(grid)
    with pytest.raises(ValueError, match="row 0 of grid must have 4 cells, got 1"):
        impl.Game(1, [[2], [2], [2], [2]])
