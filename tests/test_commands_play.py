"""bitboard play, driven in a pseudo-terminal: whatever happens, no game is lost."""

import signal

import pytest
from conftest import ROOT
from terminal import COLOURED, DOWN, ENDED_BY_SIGNAL, LEFT, PACKAGE, RIGHT, UP, bitboard, drawn

pytestmark = pytest.mark.terminal


def play(path, *arguments, **options):
    return bitboard("play", "--file", str(path), *arguments, **options)


def test_play_with_every_kind_of_key(tmp_path):
    path = tmp_path / "mine.txt"
    game = PACKAGE.Game(seed=5)
    with play(path, "--seed", "5") as terminal:
        terminal.wait_for("a new game", "arrows/WASD/hjkl")
        keys = {
            0: [UP, "w", "k", "W"],
            1: [RIGHT, "d", "l", "\x1bOC"],
            2: [DOWN, "s", "j", "J"],
            3: [LEFT, "a", "h", "A"],
        }
        for i in range(24):
            direction = next(d for d in [(i + j) % 4 for j in range(4)] if game.legal >> d & 1)
            game.move(direction)
            terminal.press(keys[direction][i // 4 % 4])
            terminal.wait_for(f"moves    {game.moves:>20}", f"score    {game.score:>20,}")
        for row in PACKAGE.to_grid(game.board):
            assert [face for face in row if face] in drawn(terminal)
        terminal.press("u")
        terminal.wait_for(f"moves    {23:>20}")
        terminal.press("q")
        assert terminal.end() == 0
        assert "saved in" in terminal.text
    game.undo()
    (saved,) = PACKAGE.record.read_file(path)
    assert saved == game


def test_an_illegal_slide_and_other_keys_are_said(tmp_path):
    path = tmp_path / "mine.txt"
    PACKAGE.record.write_file(path, [PACKAGE.Game(seed=1, board=PACKAGE.parse("2 0 0 0  0 0 0 0  0 0 0 0  0 0 0 0"))])
    with play(path) as terminal:
        terminal.wait_for("your game goes on at move 0")
        terminal.press(UP)
        terminal.wait_for("sliding up changes nothing")
        terminal.press("u")
        terminal.wait_for("nothing to undo")
        terminal.press("x")
        terminal.wait_for("that key does nothing here")
        terminal.press("?")
        terminal.wait_for("hint of expectimax: ", "illegal")
        terminal.press("q")
        assert terminal.end() == 0


@pytest.mark.parametrize("leave", ["interrupt", "hang_up", "quit", "close"])
def test_leaving_loses_nothing_and_play_goes_on(tmp_path, leave):
    path = tmp_path / "mine.txt"
    with play(path, "--seed", "6", "--agent", "greedy") as terminal:
        terminal.wait_for("a new game")
        game = PACKAGE.Game(seed=6)
        for _ in range(7):
            direction = (game.legal & -game.legal).bit_length() - 1
            game.move(direction)
            terminal.press("wdsa"[direction])
        terminal.wait_for(f"moves    {7:>20}")
        if leave == "close":
            terminal.close()
        else:
            terminal.press("q") if leave == "quit" else getattr(terminal, leave)()
            assert terminal.end() == 0
    assert PACKAGE.record.read_file(path) == [game]
    with play(path) as terminal:
        terminal.wait_for("your game goes on at move 7", f"score    {game.score:>20,}")
        terminal.press("n")
        terminal.wait_for("a new game; the last one is kept")
        terminal.interrupt()
        assert terminal.end() == 0
    assert PACKAGE.record.read_file(path) == [game]


def test_play_to_the_end(tmp_path):
    path = tmp_path / "mine.txt"
    start = PACKAGE.Game(seed=1, board=PACKAGE.parse("8 2 4 8  4 8 16 32  8 16 32 64  16 32 64 0"))
    PACKAGE.record.write_file(path, [start])
    game = start.copy()
    with play(path) as terminal:
        terminal.wait_for("your game goes on")
        while not game.over and game.moves < 100:
            direction = (game.legal & -game.legal).bit_length() - 1
            game.move(direction)
            terminal.press("wdsa"[direction])
        terminal.wait_for("game over: u takes back, n starts a new one, q quits")
        terminal.press("w")
        terminal.wait_for("the game is over")
        terminal.press("q")
        assert terminal.end() == 0
        assert "game over: score" in terminal.text
    assert PACKAGE.record.read_file(path) == [game]
    with play(path) as terminal:  # a finished game is kept, and a new one starts
        terminal.wait_for("a new game")
        terminal.press("q")
        assert terminal.end() == 0
    assert PACKAGE.record.read_file(path) == [game]  # one without a move is not


def test_play_in_other_sizes_and_without_colour(tmp_path):
    path = tmp_path / "mine.txt"
    with play(path, "--size", "5x5", "--seed", "2", NO_COLOR="1") as terminal:
        terminal.wait_for("a new game", "┌───────┬───────┬───────┬───────┬───────┐")
        game = PACKAGE.grid.Game(5, 5, seed=2)
        direction = (game.legal & -game.legal).bit_length() - 1
        game.move(direction)
        terminal.press("wdsa"[direction], "?")
        terminal.wait_for("hint of greedy")
        terminal.press("q")
        assert terminal.end() == 0
        assert not COLOURED.search(terminal.raw)
    assert PACKAGE.record.read_file(path) == [game]


def test_a_broken_file_is_left_alone(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("not a record\n")
    with play(path, columns=250) as terminal:
        assert terminal.end() == 2
        assert f"{path}: line 1: a record starts with the line" in terminal.text
    assert path.read_text() == "not a record\n"


def first_slides(terminal, game, moves):
    """Play the first legal slides of a game on the screen too."""
    for _ in range(moves):
        direction = (game.legal & -game.legal).bit_length() - 1
        game.move(direction)
        terminal.press("wdsa"[direction])
    terminal.wait_for(f"moves    {game.moves:>20}")


def test_two_plays_at_once_lose_nothing(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("# my games\n")
    one, other = PACKAGE.Game(seed=1), PACKAGE.Game(seed=2)
    with play(path, "--seed", "1", "--agent", "greedy") as first:
        first.wait_for("a new game")
        with play(path, "--seed", "2", "--agent", "greedy") as second:
            second.wait_for("a new game")
            first_slides(second, other, 21)  # saved in between
            first_slides(first, one, 22)
            second.press("q")
            assert second.end() == 0
        PACKAGE.record.append_file(path, PACKAGE.Game(seed=3), agent="x")
        first.press("q")
        assert first.end() == 0
    assert PACKAGE.record.read_file(path) == [other, one, PACKAGE.Game(seed=3)]
    assert path.read_text().startswith("# my games\n") and [p.name for p in tmp_path.iterdir()] == ["mine.txt"]


def test_a_program_that_is_killed_loses_nothing(tmp_path):
    path = tmp_path / "mine.txt"
    game = PACKAGE.Game(seed=6)
    with play(path, "--seed", "6", "--agent", "greedy") as terminal:
        terminal.wait_for("a new game")
        first_slides(terminal, game, 37)
        terminal.process.send_signal(signal.SIGKILL)
        terminal.process.wait()
        assert PACKAGE.record.read_file(path) == [game]
    with play(path, "--agent", "greedy") as terminal:
        terminal.wait_for("your game goes on at move 37")
        terminal.press("u")
        game.undo()
        terminal.wait_for(f"moves    {game.moves:>20}")
        terminal.process.send_signal(signal.SIGKILL)
        terminal.process.wait()
        assert PACKAGE.record.read_file(path) == [game]


def test_on_a_full_disk_the_game_goes_on(tmp_path):
    """The disk is full by a limit on the size of files, which another process can set and lift."""
    import resource

    path = tmp_path / "mine.txt"
    game = PACKAGE.Game(seed=6)
    with play(path, "--seed", "6", "--agent", "greedy", columns=250) as terminal:
        limits = resource.prlimit(terminal.process.pid, resource.RLIMIT_FSIZE)
        terminal.wait_for("a new game")
        first_slides(terminal, game, 5)
        saved = path.read_text()
        assert PACKAGE.record.read(saved) == [game]
        full = (path.stat().st_size, limits[1])
        resource.prlimit(terminal.process.pid, resource.RLIMIT_FSIZE, full)
        first_slides(terminal, game, 3)
        terminal.wait_for(f"not saved in {path}: File too large")
        assert path.read_text() == saved
        terminal.press("n")
        terminal.wait_for("no new game, or this one would be lost")
        terminal.press("q")
        terminal.wait_for("q again leaves and prints the record", "not saved in")
        resource.prlimit(terminal.process.pid, resource.RLIMIT_FSIZE, limits)
        first_slides(terminal, game, 1)
        terminal.wait_until(lambda: "not saved" not in terminal.text, "that it is saved")
        assert PACKAGE.record.read_file(path) == [game]
        resource.prlimit(terminal.process.pid, resource.RLIMIT_FSIZE, full)
        first_slides(terminal, game, 2)
        terminal.press("q", "q")
        assert terminal.end() == 1
        assert f"bitboard play: not saved in {path}: File too large; the record is printed above" in terminal.text
        assert f"board: {' / '.join(' '.join(map(str, row)) for row in game.grid)}" in terminal.text
    assert PACKAGE.record.read_file(path)[0].moves == game.moves - 2


def test_play_without_saving(tmp_path):
    with bitboard("play", "--no-save", "--agent", "greedy", XDG_STATE_HOME=str(tmp_path)) as terminal:
        terminal.wait_for("a new game")
        terminal.press("d", "s", "a", "n")
        terminal.wait_for("a new game", f"moves    {0:>20}")
        terminal.press("d", "s", "a", "q")
        assert terminal.end() == 0
        assert "not over: score" in terminal.text and "saved" not in terminal.text
    assert list(tmp_path.iterdir()) == []
    with play(tmp_path / "mine.txt", "--no-save", columns=250) as terminal:
        assert terminal.end() == 2
        assert "give --file or --no-save, not both" in terminal.text


def test_many_signals_lose_nothing(tmp_path):
    path = tmp_path / "mine.txt"
    game = PACKAGE.Game(seed=6)
    with play(path, "--seed", "6", "--agent", "greedy") as terminal:
        terminal.wait_for("a new game")
        first_slides(terminal, game, 7)
        for _ in range(5):
            terminal.interrupt()
            terminal.hang_up()
        assert terminal.end() in (0, *ENDED_BY_SIGNAL)
    assert PACKAGE.record.read_file(path) == [game]


def test_the_newest_unfinished_game_of_the_same_rules_goes_on(tmp_path):
    path = tmp_path / "my games.txt"
    over = PACKAGE.Game(seed=9, board=PACKAGE.parse("2 4 2 4  4 2 4 2  2 4 2 4  4 2 4 2"))
    small = PACKAGE.grid.Game(3, 3, seed=4)
    PACKAGE.record.write_file(path, [PACKAGE.Game(seed=1), PACKAGE.Game(seed=2), small, over])
    path.write_text(path.read_text().replace("seed: 2\n", "seed: 2\n# lucky\n") + "# the end\n")
    game = PACKAGE.Game(seed=2)
    with play(path, "--agent", "greedy", columns=250) as terminal:
        terminal.wait_for("your game goes on at move 0")
        first_slides(terminal, game, 3)
        terminal.press("q")
        assert terminal.end() == 0
        assert f"`bitboard play --file '{path}'` goes on with it" in terminal.text
    assert PACKAGE.record.read_file(path) == [PACKAGE.Game(seed=1), game, small, over]
    assert "# lucky\n" in path.read_text() and path.read_text().endswith("# the end\n")
    with play(path, "--size", "3x3", columns=250) as terminal:
        terminal.wait_for("your game goes on at move 0", f"seed     {4:>20}")
        terminal.press("q")
        assert terminal.end() == 0
        assert f"`bitboard play --file '{path}' --size 3x3` goes on with it" in terminal.text
    with play(path, "--seed", "1", columns=250) as terminal:
        terminal.wait_for("your game goes on at move 0", f"seed     {1:>20}")
        terminal.press("q")
        assert terminal.end() == 0


def test_play_goes_on_after_it_was_stopped(tmp_path):
    """The shell sets the terminal to its own mode meanwhile: lines, with echo."""
    import termios

    with play(tmp_path / "mine.txt", "--seed", "6", "--agent", "greedy") as terminal:
        terminal.wait_for("a new game")
        mode = termios.tcgetattr(terminal.fd)
        assert not mode[3] & termios.ICANON
        terminal.process.send_signal(signal.SIGSTOP)
        mode[3] |= termios.ICANON | termios.ECHO
        termios.tcsetattr(terminal.fd, termios.TCSANOW, mode)
        terminal.process.send_signal(signal.SIGCONT)
        terminal.wait_until(lambda: not termios.tcgetattr(terminal.fd)[3] & termios.ICANON, "the mode for keys")
        terminal.press("u")
        terminal.wait_for("nothing to undo")
        terminal.press("q")
        assert terminal.end() == 0


def test_an_agent_without_a_hint(tmp_path):
    path = tmp_path / "mine.txt"
    with play(path, "--agent", "test_commands_play:fails", PYTHONPATH=f"{ROOT}:{ROOT / 'tests'}") as terminal:
        terminal.wait_for("a new game")
        terminal.press("?")
        terminal.wait_for("fails gives no hint: LookupError: nothing")
        terminal.press("q")
        assert terminal.end() == 0
    with play(path, "--size", "5x5", "--agent", "montecarlo", columns=250) as terminal:
        assert terminal.end() == 2
        assert "agent montecarlo plays 4x4 boards of the original rules alone" in terminal.text


def fails(board):
    raise LookupError("nothing")


def test_the_first_signal_ends_and_the_others_do_nothing():
    """In this process: what is held is done whole, and the handlers are as before afterwards."""
    import importlib
    import os

    leaving = importlib.import_module(".commands.signals", PACKAGE.__name__)
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
    done = []
    with leaving.Leaving() as held:
        with pytest.raises(KeyboardInterrupt), held.held():
            os.kill(os.getpid(), signal.SIGHUP)
            os.kill(os.getpid(), signal.SIGINT)
            done.append("saved")
        os.kill(os.getpid(), signal.SIGTERM)
        done.append("ended")
    assert done == ["saved", "ended"]
    with leaving.Leaving(), pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGTERM)
        done.append("not reached")
    assert len(done) == 2
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)] == before
