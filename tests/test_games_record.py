"""Records: written and read again, verified, cut off, mutated."""

import importlib
import os
import random
import re
import stat
import warnings
from pathlib import Path

import pytest
from conftest import BACKENDS, IMPLEMENTATIONS
from test_games_classic import GAMES, follow, played


def test_games_of_the_original(impl):
    for original in GAMES:
        ours = follow(impl, original)
        again = impl.Game.from_record(ours.record())
        assert again == ours and list(again) == list(ours) and again.cut == ""
        assert (impl.to_grid(again.board), again.score) == (original["final"], original["score"])


def test_the_format(impl):
    game = impl.Game(seed=9, board=impl.parse("2 2 0 0  0 0 0 0  0 0 0 0  0 0 0 4"))
    game.move("L", spawn=(13, 1))
    game.move("D", spawn=(0, 2))
    text = (
        "bitboard game 1\nsize: 4x4\ntop: 131072\nspawn: 2:9 4:1\nstart-tiles: 2\ngenerator: splitmix64\nseed: 9\n"
        "agent: a person\nplayed-on: a train\nstart: 2 2 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 4\nmoves:\nL13:1 D0:2\n"
        "board: 4 0 0 0 / 0 0 0 0 / 0 0 0 0 / 8 2 0 0\nend: moves 2 score 12 largest 8 over no\n"
    )
    assert game.record(agent="a person", played_on="a train") == text
    again = impl.Game.from_record(game.record(agent="a person"))
    assert again.tags == {"agent": "a person"} and again == game
    assert again.record() == game.record(agent="a person")


def test_a_game_read_goes_on_as_the_first(impl):
    game = played(impl, moves=30)
    again = impl.Game.from_record(game.record())
    for one in (game, again):
        while not one.over:
            one.move((one.legal & -one.legal).bit_length() - 1)
    assert game == again and game.moves > 30


def test_several_games_in_one_text(impl, tmp_path):
    games = [played(impl, seed=seed, moves=seed) for seed in range(5)]
    games.append(impl.grid.Game(3, 5, seed=1))
    text = "# two lines of comment\n\n" + "\n".join(game.record() for game in games)
    assert impl.record.read(text) == games
    assert impl.record.read(text.replace("\n", "\r\n")) == games
    assert impl.record.read("\ufeff" + text) == games
    assert impl.record.read("") == impl.record.read("# nothing\n") == []
    path = tmp_path / "games.txt"
    impl.record.write_file(path, games)
    impl.record.append_file(path, games[0], agent="none")
    assert impl.record.read_file(path) == [*games, games[0]]
    assert [p.name for p in tmp_path.iterdir()] == ["games.txt"]
    for wrong in ("", text):
        with pytest.raises(ValueError, match="must hold one game"):
            impl.Game.from_record(wrong)
    with pytest.raises(ValueError, match=r"of other rules than bitboard\.Game plays"):
        impl.Game.from_record(games[-1].record())


def test_cut_off_anywhere(impl):
    """Every prefix of a record: an error in the header, else the whole moves before the cut and a note."""
    game = played(impl, moves=12)
    text = game.record(agent="nobody")
    header = text.index("moves:\n") + len("moves:")
    for length in range(1, len(text) - 1):
        part = text[:length]
        if length < header:
            with pytest.raises(ValueError, match="line "):
                impl.record.read(part)
            continue
        (again,) = impl.record.read(part)
        whole = [token for token in part[header:].split("board")[0].split()[: None if part[-1].isspace() else -1]]
        if "\nb" in part[header:]:
            assert again.moves == 12
        else:
            assert again.moves == len(whole)
        assert again.history == game.history[: again.moves]
        assert again.cut == f"line {part.count(chr(10)) + 1}: the record breaks off after move {again.moves}"
        with pytest.warns(UserWarning, match="breaks off after move"):
            impl.Game.from_record(part)
    assert impl.record.read(text[:-1])[0].cut == ""  # the last newline alone


def test_a_second_game_cut_off_leaves_the_first(impl):
    first, second = played(impl, seed=1), played(impl, seed=2)
    text = first.record() + "\n" + second.record()
    start = len(first.record()) + 1
    for length in range(start + 1, start + 250, 7):
        games = impl.record.read(text[:length])
        assert games[0] == first
        assert games[-1].cut.startswith("line ")
    assert len(impl.record.read(text)) == 2


def replaced(text, old, new):
    assert old in text
    return text.replace(old, new, 1)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("bitboard game 1", "bitboard game 2", "line 1: a record starts with the line 'bitboard game 1'"),
        ("size: 4x4", "size: 4x", "line 2: size cannot be '4x'"),
        ("size: 4x4", "size: 0x4", "line 2: size must be from 1x1 to 32x32"),
        ("size: 4x4", "size: 99999999999x4", "line 2: size cannot be"),
        ("size: 4x4\n", "", "line 9: the record has no line `size:`"),
        ("seed: 3", "seed: 99999999999999999999", r"line 7: seed must be at most 2\*\*64 - 1"),
        ("seed: 3", "seed: -3", "line 7: seed cannot be '-3'"),
        ("seed: 3", "seed: 3\nseed: 4", "line 8: a second line `seed:`"),
        ("top: 131072", "top: 32767", "line 2: the rules after this line are wrong: top must be a power of two"),
        ("spawn: 2:9", "spawn: 3:9", "line 2: the rules after this line are wrong: a tile of spawn must be a power"),
        ("spawn: 2:9", "spawn: 4:9", "line 4: spawn names a tile twice"),
        ("generator: splitmix64", "generator: mt19937", "line 6: generator cannot be 'mt19937'"),
        ("start: ", "start: 3 ", "line 9: start cannot be"),
        ("start: 0", "start: 3", "line 9: row 0, column 0 of grid must be 0 or a power of two"),
        ("agent: x", "agent x", "line 8: 'agent x' is no line `name: value`"),
        (
            "moves:\n",
            "moves:\nX1:1 ",
            r"line 11: move 1 is no direction, cell, colon and exponent such as L12:1: 'X1:1'",
        ),
        ("moves:\n", "moves:\nU 1:1 ", "line 11: move 1 is no direction"),
        ("moves:\n", "moves:\nU1:1:1 ", "line 11: move 1 is no direction"),
        ("moves:\n", "moves:\nU99999999999999999999:1 ", "line 11: move 1 is no direction"),
        ("moves:\n", "moves:\nU16:1 ", r"line 11: move 1 \(U16:1\): the cell of spawn must be an integer from 0 to 15"),
        ("moves:\n", "moves:\nU\u0661:1 ", "line 11: move 1 is no direction"),
        ("end: moves 10 score", "end: moves 11 score", "line 13: the record says `end: moves 11"),
        ("over no", "over yes", "line 13: the record says `end: "),
        ("board: ", "board: 2", "line 12: the record says `board: "),
        ("end: ", "board: 1\nend: ", "line 13: 'board: 1' after the moves"),
        ("end: ", "U1:1\nend: ", "line 13: 'U1:1' after the moves"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(impl, old, new, message):
    text = played(impl, moves=10).record(agent="x")
    with pytest.raises(ValueError, match=message):
        impl.record.read(replaced(text, old, new))


def test_an_impossible_move_names_its_number(impl):
    game = impl.Game(seed=1, board=impl.parse("2 0 0 0  0 0 0 0  0 0 0 0  0 0 0 0"))
    game.move("R", spawn=(0, 1))
    game.move("L", spawn=(15, 2))
    text = game.record()
    for old, new, message in (
        ("R0:1", "L0:1", r"line 10: move 1 \(L0:1\): illegal: sliding left changes nothing; legal are R D"),
        ("L15:2", "L0:2", r"line 10: move 2 \(L0:2\): the cell of spawn must be empty after the slide; cell 0 is not"),
        ("L15:2", "L15:3", r"line 10: move 2 \(L15:3\): the exponent of spawn must be one of \[1, 2\]"),
    ):
        with pytest.raises(ValueError, match=message):
            impl.record.read(replaced(text, old, new))


@pytest.mark.parametrize(
    "tags", [{"moves": 1}, {"seed": 1}, {"Agent": "x"}, {"a": "two\nlines"}, {"a": ""}, {"a": "x" * 1001}, {"a": " x"}]
)
def test_bad_tags(impl, tags):
    with pytest.raises(ValueError, match="tag"):
        impl.Game(seed=1).record(**tags)


def test_what_is_no_text(impl, tmp_path):
    for wrong in (None, b"bitboard game 1", 3):
        with pytest.raises(TypeError, match="a record must be a str"):
            impl.record.read(wrong)
    path = tmp_path / "bytes"
    path.write_bytes(impl.Game(seed=1).record().encode() + b"\xff\xfe")
    with pytest.raises(ValueError, match="line 12: byte .* is no text in UTF-8"):
        impl.record.read_file(path)


NUMBERS = ["0", "-1", "1e9", "4294967296", "99999999999999999999999999", "9" * 5000, "NaN", "\u0663"]


def mutated(text, rng):
    """A record with something done to it."""
    kind = rng.randrange(8)
    i, j = sorted((rng.randrange(len(text)), rng.randrange(len(text))))
    if kind == 0:
        return text[:i]
    if kind == 1:
        return text[:i] + text[j:]
    if kind == 2:
        return text[:i] + rng.choice(" \n\r:/ULx09\x00\u2028\ud7ff") + text[i + rng.randrange(2) :]
    if kind == 3:  # two words change places
        words = text.split(" ")
        a, b = rng.randrange(len(words)), rng.randrange(len(words))
        words[a], words[b] = words[b], words[a]
        return " ".join(words)
    if kind == 4:  # two lines
        lines = text.split("\n")
        a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
        lines[a], lines[b] = lines[b], lines[a]
        return "\n".join(lines)
    if kind == 5:  # a number becomes another
        at = rng.choice([k for k, c in enumerate(text) if c.isdigit()])
        return text[:at] + rng.choice(NUMBERS) + text[at + 1 :]
    if kind == 6:
        return text[:j] + text[i:]
    data = bytearray(text.encode())
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return data.decode("latin-1")


def check_mutated(impl, base, text):
    """A mutated record gives a ValueError with its place, or games whose every move is right."""
    try:
        games = impl.record.read(text)
    except ValueError as error:
        assert str(error).startswith("line "), error
        return "error"
    for game in games:
        twin = importlib.import_module(".games.records", impl.__name__).new_game(
            game.rules, game.seed, grid_of(impl, next(iter(game)))
        )
        for direction, cell, exponent in game.history:
            twin.move(direction, (cell, exponent))
        assert (twin.board, twin.score) == (game.board, game.score)
        if not game.cut:  # what the text says about the end is what came out
            assert f"\nend: moves {game.moves} score {game.score} largest {game.largest} over " in text
        again = impl.record.read_one(impl.record.write(game))  # what was read can be written and read again
        assert again == game and again.tags == game.tags
    return "right"


def grid_of(impl, board):
    return impl.to_grid(board) if isinstance(board, int) else board


@pytest.mark.parametrize("backend", BACKENDS)
def test_mutated_records(backend):
    impl = IMPLEMENTATIONS[backend]
    rng = random.Random(6)
    base = played(impl, seed=6, moves=25).record(agent="x") + "\n" + impl.grid.Game(2, 3, seed=1).record()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        outcomes = [check_mutated(impl, base, mutated(base, rng)) for _ in range(10_000)]
    assert {outcomes.count("error") > 4000, outcomes.count("right") > 500} == {True}


def test_cut_off_anywhere_before_another_game(impl):
    """What a crash leaves, and another game appended: both are read, and the note names the place."""
    first, second = played(impl, moves=40), played(impl, seed=8, moves=3)
    text = first.record()
    moves = text.index("moves:\n") + len("moves:\n")
    for length in range(moves, len(text) - 1):
        part = text[:length]
        games = impl.record.read(part + "\n" + second.record())
        assert games[1] == second and games[1].cut == ""
        assert games[0].history == first.history[: games[0].moves]
        assert games[0].moves == len(re.findall(r"[URDL]\d+:\d", part[moves:].split("board")[0]))
        line = part.rstrip("\n").count("\n") + 1
        assert games[0].cut == f"line {line}: the record breaks off after move {games[0].moves}"
    for length in range(len("bitboard game 1\n"), moves - 2):
        games = impl.record.read(text[:length] + "\n" + second.record())
        assert games == [second] and games[0].cut.endswith("the record breaks off before its moves")
        assert impl.record.read(second.record() + text[:length] + "\n" + second.record()) == [second, second]


def test_a_cut_exponent_is_no_move(impl):
    """`U1:1` may be the beginning of `U1:10` where the rules spawn both."""
    game = impl.grid.Game(2, 3, 1, [[2, 0, 0], [0, 0, 0]], spawn={2: 1, 1024: 1})
    game.move("R", spawn=(0, 10))
    text = game.record()
    cut = text[: text.index("R0:10") + len("R0:1")] + "\n" + game.record()
    games = impl.record.read(cut)
    assert games[0].moves == 0 and games[0].cut and games[1] == game
    with pytest.raises(ValueError, match="move 1 is no direction"):  # the game goes on: that is no cut
        impl.record.read(text.replace("R0:10", "R0"))


def test_a_game_of_the_originals_rules_can_be_of_either_class(impl):
    game = impl.grid.Game(4, 4, 5, top=131072)
    while game.moves < 20:
        game.move((game.legal & -game.legal).bit_length() - 1)
    text = game.record(agent="x")
    again = impl.grid.Game.from_record(text)
    assert again == game and again.tags == {"agent": "x"} and again.score == game.score
    packed = impl.Game.from_record(text)
    assert type(packed) is impl.Game and packed.history == game.history
    assert impl.grid.Game.from_record(packed.record()) == game
    with pytest.warns(UserWarning, match="breaks off after move"):
        assert impl.grid.Game.from_record(text[: text.index("board: ")]).cut


def test_tags_are_told_apart(impl):
    game = impl.Game(seed=1)
    with pytest.raises(ValueError, match="the tag a-b is given twice"):
        game.record(**{"a_b": 1, "a-b": 2})
    game.tags = {"played-on": "a train"}
    assert "\nplayed-on: a ship\n" in game.record(played_on="a ship")
    game.tags = {3: "x"}
    with pytest.raises(TypeError, match="a tag's name must be a str, not int"):
        game.record()


@pytest.mark.parametrize("line", ["agent:", "agent: a\tb", "agent: " + "x" * 1001, "agent: \u2028"])
def test_the_reader_takes_no_tag_that_cannot_be_written(impl, line):
    text = impl.Game(seed=1).record(agent="x")
    with pytest.raises(ValueError, match="line 8: the tag agent must be one line"):
        impl.record.read(replaced(text, "agent: x", line))
    assert impl.record.read_one(replaced(text, "agent: x", "agent:  x ")).tags == {"agent": "x"}


def test_any_rules_written_are_read_again(impl):
    from hypothesis import given
    from hypothesis import strategies as st

    tiles = st.dictionaries(st.integers(1, 62).map(lambda k: 2**k), st.integers(1, 2**32 - 1), min_size=1, max_size=5)
    name = st.from_regex(r"[a-z][a-z0-9_-]{0,31}", fullmatch=True)
    words = st.text(min_size=1, max_size=20)

    @given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 2**64 - 1), tiles, st.booleans(), st.data())
    def check(rows, columns, seed, spawn, limited, data):
        top = max(spawn) if limited else None
        start_tiles = data.draw(st.integers(0, rows * columns))
        game = impl.grid.Game(rows, columns, seed, spawn=spawn, start_tiles=start_tiles, top=top)
        while not game.over and game.moves < 5:
            game.move((game.legal & -game.legal).bit_length() - 1)
        try:
            text = game.record(**data.draw(st.dictionaries(name, words, max_size=3)))
        except ValueError as error:
            assert "tag" in str(error)
            return
        again = impl.grid.Game.from_record(text)
        assert again == game and again.record() == text

    check()


def test_links_and_modes_stay(impl, tmp_path):
    game = impl.Game(seed=1)
    path, link = tmp_path / "games.txt", tmp_path / "link"
    path.write_text("")
    path.chmod(0o640)
    link.symlink_to(path)
    impl.record.write_file(link, [game])
    assert link.is_symlink() and impl.record.read_file(path) == [game]
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    before = os.umask(0o027)
    try:
        impl.record.write_file(tmp_path / "new", [game])
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640
    for special in (os.devnull, tmp_path):
        with pytest.raises(ValueError, match="is no regular file"):
            impl.record.write_file(special, [game])
    assert sorted(p.name for p in tmp_path.iterdir()) == ["games.txt", "link", "new"]


def test_writing_leaves_the_umask_alone_and_shows_a_private_file_to_nobody(impl, tmp_path, monkeypatch):
    """To set it, even for a moment, gives files that other threads make meanwhile a wrong mode."""
    game, seen = impl.Game(seed=1), []
    private = tmp_path / "private"
    private.write_text("")
    private.chmod(0o400)
    table, network = impl.RowTable([0.0] * 65536), impl.NTupleNetwork("2x4")
    replace = os.replace

    def renamed(part, path):
        seen.append(Path(path).name)
        replace(part, path)

    def written(handle):
        mode = stat.S_IMODE(os.fstat(handle).st_mode)
        assert mode == (0o600 if len(seen) == 3 else 0o666 & ~before)

    before = os.umask(0)
    os.umask(before)
    with monkeypatch.context() as patch:
        patch.setattr(os, "umask", lambda mask: pytest.fail("the umask is everybody's"))
        patch.setattr(os, "replace", renamed)
        patch.setattr(os, "fsync", written)  # while the file has another name
        impl.record.write_file(tmp_path / "games", [game])
        table.save(tmp_path / "table")
        network.save(tmp_path / "network")
        impl.record.write_file(private, [game])
    assert seen == ["games", "table", "network", "private"]
    assert stat.S_IMODE(private.stat().st_mode) == 0o400


def test_nothing_is_appended_to_what_holds_no_records(impl, tmp_path):
    path = tmp_path / "thesis.txt"
    path.write_text("# title\n\nOnce upon a time\n")
    with pytest.raises(ValueError, match=r"thesis.txt is no file of records: line 3 is 'Once upon a time'"):
        impl.record.append_file(path, impl.Game(seed=1))
    assert path.read_text() == "# title\n\nOnce upon a time\n"
    path.write_text("# mine\n")
    impl.record.append_file(path, impl.Game(seed=1))
    assert path.read_text().startswith("# mine\n") and len(impl.record.read_file(path)) == 1
