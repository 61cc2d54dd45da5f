"""Replay strings of 2048league and 2048verse.

Strings are written here from the layout as 2048verse's own utilities and macroxue's reader describe it (see
bitboard/games/replay_strings.py), of games by the original's code.
"""

import random
import re

import pytest
from conftest import DATA
from test_games_classic import GAMES

# 2048league: written out, as in macroxue/2048-ai, 2048.cc
OLD = (
    " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒá"
)
# 2048verse: written out, as in 2048Verse/2048-replay-utils, src/index.ts
NEW = (
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ¤¾"
)


def events(game):
    """(direction, row, column, value) of a game of the original: its two start tiles, then its moves."""
    start = [(r, c, face) for r, row in enumerate(game["start"]) for c, face in enumerate(row) if face]
    return [("U", *tile) for tile in start] + [tuple(move[:4]) for move in game["moves"]]


def old_string(events):
    return "".join(OLD["URDL".index(d) * 32 + (v == 4) * 16 + c * 4 + r] for d, r, c, v in events)


def new_string(events, milliseconds=0):
    text = ""
    for d, r, c, v in events:
        number = "UDLR".index(d) + (v == 4) * 4 + c * 16 + r * 128 + milliseconds * 8192
        text += NEW[number >> 14] + NEW[number >> 7 & 127] + NEW[number & 127]
    return text


def test_the_alphabets(impl):
    import importlib

    module = importlib.import_module(".games.replay_strings", impl.__name__)
    assert (module.OLD_ALPHABET, module.NEW_ALPHABET) == (OLD, NEW)
    assert len(set(OLD)) == len(set(NEW)) == 128


@pytest.mark.parametrize("header", ["", "replay_"])
def test_the_old_form(impl, header):
    for game in GAMES:
        ours = impl.record.from_shared(header + old_string(events(game)) + "\n")
        assert impl.to_grid(ours.board) == game["final"]
        assert (ours.score, ours.moves, type(ours).__name__) == (game["score"], len(game["moves"]), "Game")


@pytest.mark.parametrize("milliseconds", [0, 200])
def test_the_new_form(impl, milliseconds):
    for game in GAMES[:30]:
        ours = impl.record.from_shared("4x4-0.3_" + new_string(events(game), milliseconds))
        assert impl.to_grid(ours.board) == game["final"]
        assert (ours.score, ours.moves) == (game["score"], len(game["moves"]))


def test_a_file_of_2048verse(impl, cli, tmp_path):
    """A person's whole game, in the Latin-1 bytes that the site writes."""
    path = DATA / "verse_3x3.vrs"
    data = path.read_bytes()
    game = impl.record.from_shared(data.decode("latin-1"))
    assert (game.moves, game.score, game.over) == (691, 11976, True)
    assert game.board == [[2, 4, 2], [128, 64, 8], [1024, 256, 32]]
    status, out, err = cli("replay", path)
    assert (status, err) == (0, "")
    assert out.endswith("game over: score 11,976, largest tile 1,024, 691 moves, seed 0\n")
    as_utf8, broken = tmp_path / "utf8", tmp_path / "broken"
    as_utf8.write_text(data.decode("latin-1"), encoding="utf-8")
    assert cli("replay", as_utf8) == (0, out, "")
    broken.write_bytes(data[:100] + data[103:])
    status, _, err = cli("replay", broken)
    assert status == 2 and err.startswith(f"bitboard replay: {broken}: character ") and err.count("\n") == 1


def test_by_hand(impl):
    """Two tiles of 2 in the left column (rows 0 and 1), up, a 4 at row 3, column 3; then right, a 2 at row 0, column 0."""
    for text in (" !?@", "4x4-x_000" + NEW[0] + NEW[1] + NEW[0] + NEW[0] + NEW[3] + NEW[4 + 48] + "003"):
        game = impl.record.from_shared(text)
        assert impl.to_grid(game.board) == [[2, 0, 0, 4], [0] * 4, [0] * 4, [0, 0, 0, 4]]
        assert game.history == ((0, 15, 2), (1, 0, 1))


def test_smaller_boards(impl):
    moves = [("U", 0, 0, 2), ("U", 1, 1, 2), ("R", 0, 0, 4), ("D", 0, 0, 2)]
    for rows, columns in ((2, 4), (3, 3), (3, 4)):
        size = f"{rows}x{columns}"
        expected = impl.grid.Game(
            rows,
            columns,
            board=[[2] + [0] * (columns - 1), [0, 2] + [0] * (columns - 2)] + [[0] * columns] * (rows - 2),
        )
        for d, r, c, v in moves[2:]:
            expected.move(d, (r * columns + c, v // 2))
        for text in (f"replay_{size}" + old_string(moves), f"{size}-1_" + new_string(moves)):
            game = impl.record.from_shared(text)
            assert (game.board, game.history) == (expected.board, expected.history)
            assert impl.record.read_one(game.record()) == game


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "names two start tiles first"),
        ("!", "names two start tiles first"),
        ("!!", "character 1: both start tiles are in row 1, column 0"),
        (" !\u20ac", r"character 2 \('€'\) is none of the 128"),
        (" !ü", "character 2, move 1: illegal: sliding left changes nothing; legal are U R D"),
        ("4x4-_00", "character 5: a 2048verse string has three characters a move; this one is cut"),
        ("4x4-_000*00", r"character 8 \('\*'\) is none of a 2048verse string"),
        ("9x9-_000", "the size of a replay string must be from 1x1 to 8x8"),
        ("2x4-_000" + NEW[0] + NEW[3] + NEW[0], "character 8: row 3, column 0 is not on a board of 2x4"),
        ("4x4-_000" + NEW[0] + NEW[1] + NEW[8], "character 8: a tile other than 2 and 4"),
    ],
)
def test_what_is_wrong_is_named(impl, text, message):
    with pytest.raises(ValueError, match=message):
        impl.record.from_shared(text)


def test_mutated_strings(impl):
    """An error that names the character, or a game."""
    rng = random.Random(4)
    outcomes = {"error": 0, "right": 0}
    for _ in range(600):
        game = rng.choice(GAMES[:20])
        text = rng.choice([old_string(events(game)), "4x4-1_" + new_string(events(game))])
        at = rng.randrange(len(text))
        text = text[:at] + rng.choice([rng.choice(OLD), rng.choice(NEW), "", "\u2603", text[:at]]) + text[at + 1 :]
        try:
            read = impl.record.from_shared(text)
        except ValueError as error:
            assert re.match(r"character \d+|a replay string|the size", str(error)), error
            outcomes["error"] += 1
        else:
            assert impl.record.read_one(read.record()) == read
            outcomes["right"] += 1
    assert outcomes["error"] > 400 and outcomes["right"] > 10


def test_what_is_no_text(impl):
    with pytest.raises(TypeError, match="must be a str"):
        impl.record.from_shared(b" !")
