"""The file of a player's games: what is replaced in it, and what is left as others wrote it."""

import importlib

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
