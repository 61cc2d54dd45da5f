"""The file of a player's games: what is replaced in it, and what is left as others wrote it."""

import errno
import importlib
from contextlib import suppress

import pytest
from test_commands_games import damaged_file
from test_games_classic import played


@pytest.fixture
def kept(impl):
    return importlib.import_module(".commands.saved_games", impl.__name__).Kept


def go_on(game, moves):
    for _ in range(moves):
        game.move((game.legal & -game.legal).bit_length() - 1)


def test_only_the_own_record_is_replaced(impl, kept, tmp_path):
    """Windows line ends, comments, a record cut in its head and bytes that are no text stay as they are."""
    path = tmp_path / "games.txt"
    first, second = played(impl, seed=1, moves=5), played(impl, seed=2, moves=5)
    head = "bitboard game 1\nsize: 4x4\n"
    text = "# mine\n" + first.record().replace("\n", "\r\n") + "\n" + second.record() + "\n# cut\n" + head
    path.write_bytes(text.encode())
    file = kept(str(path))
    game = file.unfinished(second.rules, None)
    assert game == second
    junk = b"bitboard game 1\n\xff\xfe\n"
    path.write_bytes(text.encode() + junk)  # by another program, meanwhile
    for _ in range(3):
        go_on(game, 2)
        file.save(game)
    assert path.read_bytes() == text.replace(second.record(), game.record()).encode() + junk
    before = path.stat()
    file.save(game)
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)  # nothing to write


def test_a_record_changed_by_another_is_left(impl, kept, tmp_path):
    path = str(tmp_path / "games.txt")
    impl.record.write_file(path, [played(impl, seed=1, moves=5)])
    files = [kept(path), kept(path)]
    games = [file.unfinished(impl.Game(seed=0).rules, None) for file in files]
    for i, (file, game) in enumerate(zip(files, games, strict=True)):
        go_on(game, 3 + i)
        file.save(game)
    assert impl.record.read_file(path) == games
    for file, game in zip(files, games, strict=True):
        go_on(game, 2)
        file.save(game)
    assert impl.record.read_file(path) == games


def test_a_file_that_went_away_or_ends_in_a_line(impl, kept, tmp_path):
    path = tmp_path / "games.txt"
    file = kept(str(path))
    game = played(impl, seed=1, moves=5)
    file.save(game)
    path.unlink()
    file.save(game)
    assert impl.record.read_file(path) == [game]
    path.write_text(played(impl, seed=2, moves=9).record().partition("board: ")[0].rstrip("\n"))
    file.save(game)
    games = impl.record.read_file(path)
    assert games[0].cut and games[1] == game


def test_a_cut_game_goes_on(impl, kept, tmp_path):
    path = tmp_path / "games.txt"
    path.write_text(played(impl, seed=2, moves=9).record().partition("board: ")[0][:-3])
    file = kept(str(path))
    game = file.unfinished(impl.Game(seed=0).rules, 2)
    assert game.cut and game.moves == 8
    file.save(game)
    (again,) = impl.record.read_file(path)
    assert again == game and again.cut == ""
    assert file.unfinished(impl.Game(seed=0).rules, 3) is None


def test_damaged_records_are_left_and_the_others_go_on(impl, kept, tmp_path):
    path = tmp_path / "games.txt"
    games = damaged_file(impl, path)
    before = path.read_bytes()
    file = kept(str(path))
    assert file.games == [games[0], games[2], games[4]] and len(file.damaged) == 2
    assert "move 1 (L99:9)" in file.damaged[0] and "seed cannot be" in file.damaged[1]
    game = file.unfinished(games[0].rules, None)
    assert game == games[4]
    old = game.record().encode()
    go_on(game, 2)
    file.save(game)
    assert path.read_bytes() == before.replace(old, game.record().encode())


def test_a_file_that_begins_with_something_else_is_refused(impl, kept, tmp_path):
    path = tmp_path / "games.txt"
    path.write_text("My thesis\n\n" + played(impl, seed=1, moves=5).record())
    with pytest.raises(ValueError, match="games.txt is no file of records: line 1 is 'My thesis'"):
        kept(str(path))


@pytest.fixture
def tools(impl):
    return importlib.import_module(".tools.files", impl.__name__)


def test_saving_each_move_writes_the_end_alone(impl, kept, tools, tmp_path, monkeypatch):
    path = tmp_path / "games.txt"
    older = played(impl, seed=1, moves=30)
    before = "# mine\n" + older.record()
    path.write_text(before)
    file, game, replaced, written = kept(str(path)), impl.Game(seed=2), [], []
    replace, put = tools.replace, tools._put
    monkeypatch.setattr(tools, "replace", lambda path, text: (replaced.append(path), replace(path, text)))
    monkeypatch.setattr(tools, "_put", lambda file, at, data: (written.append(len(data)), put(file, at, data)))
    for move in range(60):
        if move % 10 == 9:
            game.undo(3)
        else:
            go_on(game, 1)
        file.save_move(game)
        assert impl.record.read_file(path) == [older, game]
    assert len(replaced) == 7 and len(written) == 53 and max(written) < 200  # the first time, and to take back
    file.save(game)
    assert path.read_text() == f"{before}\n{game.record()}"  # sixteen moves a line again


def test_what_others_write_meanwhile_stays(impl, kept, tmp_path):
    path = tmp_path / "games.txt"
    file, game, others = kept(str(path)), played(impl, seed=1, moves=3), []
    for move in range(12):
        go_on(game, 1)
        file.save_move(game)
        if move % 3 == 0:
            others.append(impl.Game(seed=move))
            impl.record.append_file(path, others[-1])
        assert impl.record.read_file(path) == [game, *others]


@pytest.mark.parametrize("spawn", [{2: 9, 4: 1}, {4: 1, 16: 1}])
def test_a_program_killed_while_it_writes_leaves_the_game(impl, kept, tools, tmp_path, monkeypatch, spawn):
    """After any number of bytes: nothing but the slide made just now can be missing."""
    put, first = tools._put, played(impl, seed=9, moves=2)
    path = tmp_path / "games.txt"
    most = []
    for many in range(0, 140, 3):
        path.unlink(missing_ok=True)
        impl.record.write_file(path, [first])
        file, game = kept(str(path)), impl.grid.Game(4, 4, 1, spawn=spawn)
        go_on(game, 36)
        file.save(game)
        go_on(game, 1)
        file.save_move(game)
        go_on(game, 1)

        def killed(file, at, data, many=many):
            put(file, at, data[:many])
            if len(data) > many:
                raise SystemExit

        with monkeypatch.context() as patch:
            patch.setattr(tools, "_put", killed)
            with suppress(SystemExit):
                file.save_move(game)
        found = impl.record.read_file(path)
        assert found[0] == first and found[1].seed == 1 and 37 <= found[1].moves <= 38
        assert found[1].history == game.history[: found[1].moves]
        most.append(found[1].moves)
    assert most == sorted(most) and set(most) == {37, 38} and found == [first, game]


def test_a_full_disk_leaves_what_was_saved(impl, kept, tools, tmp_path, monkeypatch):
    path = tmp_path / "games.txt"
    put, calls = tools._put, []

    def full(file, at, data):
        put(file, at, data[: len(data) // 2])
        raise OSError(errno.ENOSPC, "No space left on device")

    file, game = kept(str(path)), played(impl, seed=1, moves=37)
    file.save(game)
    saved = path.read_text()
    for _ in range(3):
        go_on(game, 1)
        calls.clear()
        with monkeypatch.context() as patch:  # what fails is the new text; the old one has its place on the disk
            patch.setattr(tools, "_put", lambda *given: (calls.append(1), (full if len(calls) == 1 else put)(*given)))
            with pytest.raises(OSError, match="No space left"):
                file.save_move(game)
        assert path.read_text() == saved and len(calls) == 2
    file.save_move(game)
    assert impl.record.read_file(path) == [game]


def test_a_game_without_a_move_hides_no_older_one(impl, kept, tmp_path):
    path = tmp_path / "games.txt"
    older, rules = played(impl, seed=1, moves=9), impl.Game(seed=0).rules
    impl.record.write_file(path, [older, impl.Game(seed=2), impl.Game(seed=3)])
    assert kept(str(path)).unfinished(rules, None) == older
    assert kept(str(path)).unfinished(rules, 2) == impl.Game(seed=2)
    impl.record.write_file(path, [impl.Game(seed=2), impl.Game(seed=3)])
    assert kept(str(path)).unfinished(rules, None) == impl.Game(seed=3)
