"""The programs for people, driven in a pseudo-terminal: keys in, screen out."""

import re
import signal
from math import isnan

import pytest
from conftest import BACKENDS, IMPLEMENTATIONS, ROOT
from terminal import Terminal

# The last of many signals may come when all is saved and the interpreter is going down, which ends it at once.
ENDED_BY_SIGNAL = (-signal.SIGINT, -signal.SIGHUP)

PACKAGE = IMPLEMENTATIONS[BACKENDS[0]]
ENVIRONMENT = {"BITBOARD_BACKEND": BACKENDS[0], "PYTHONPATH": str(ROOT)}
UP, DOWN, RIGHT, LEFT = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"
COLOURED = re.compile(rb"\x1b\[[0-9;]*[34]8;")


def bitboard(*arguments, **options):
    return Terminal(*arguments, **{**ENVIRONMENT, **options})


def test_watch_draws_and_ends_by_itself():
    with bitboard("watch", "--agent", "greedy", "--seed", "7", "--speed", "0") as terminal:
        assert terminal.end() == 0
        text = terminal.text
        for part in ("score", "moves", "largest", "moves/s", "greedy", "up", "left", "┌───────┬"):
            assert part in text
        last = text.splitlines()[-1]
        game = PACKAGE.Game(seed=7)
        agent = PACKAGE.agents.Greedy()
        while not game.over:
            game.move(agent(game.board))
        assert last == f"game over: score {game.score:,}, largest tile {game.largest:,}, {game.moves:,} moves, seed 7"
        for row in PACKAGE.to_grid(game.board):
            numbers = [str(face) for face in row if face]
            assert any(re.findall(r"\d+", line[:36]) == numbers for line in text.splitlines())
        assert COLOURED.search(terminal.raw)
        assert b"\x1b[?25h" in terminal.raw  # the cursor is back


@pytest.mark.parametrize("columns", [80, 40])
def test_slides_that_the_search_prunes_are_shown_as_such(columns):
    agent = ["watch", "--agent", "expectimax", "--depth", "2", "--speed", "40", "--seed", "295"]
    with bitboard(*agent, columns=columns) as terminal:
        terminal.wait_for("pruned")
        terminal.interrupt()
        assert terminal.end() == 130


@pytest.mark.parametrize(("rows", "columns"), [(24, 80), (12, 40), (50, 200), (3, 10)])
def test_watch_in_terminals_of_any_size(rows, columns):
    with bitboard("watch", "--agent", "random", "--seed", "3", "--speed", "0", rows=rows, columns=columns) as terminal:
        assert terminal.end() == 0
        assert "Traceback" not in terminal.text and "seed 3" in terminal.text.replace("\n", "")


def drawn_screen(rows, columns, board, **options):
    """What draw() makes for a terminal of so many rows and columns, as lines."""
    import importlib
    import io

    from rich.console import Console

    screen = importlib.import_module("._screen", PACKAGE.__name__)
    on = Console(width=columns, height=rows, file=io.StringIO(), color_system=None, force_terminal=True)
    position = PACKAGE.render.position_of(board)
    lines = screen.draw(on, position, FACTS, keys=PLAY_KEYS, **options).plain.split("\n")
    assert len(lines) <= max(1, rows - 1) and all(len(line) <= max(1, columns - 1) for line in lines)
    return lines


FACTS = [("score", "12,345"), ("best", "123,456"), ("moves", "1,234"), ("largest", "2,048"), ("seed", str(2**63))]
PLAY_KEYS = "arrows/WASD/hjkl slide   u undo   ? hint   n new   q quit"


@pytest.mark.parametrize("size", [4, 5, 8])
def test_nothing_of_the_board_is_cut_and_the_keys_are_there(size):
    """In every terminal: the whole board, or a note that the terminal is too small for it."""
    board = [[2048 if (r + c) % 3 else 4 for c in range(size)] for r in range(size)]
    for rows in range(4, 50, 3):
        for columns in range(8, 130, 5):
            lines = drawn_screen(rows, columns, board, values=(1.0, 2.0, 3.0, 4.0), message="your game goes on")
            text = " ".join(" ".join(lines).split())
            if columns < size * 5 + 2 or rows < size + 3:
                assert lines[0].startswith("terminal"[: columns - 1]), (rows, columns)
                continue
            shown = [[int(n) for n in re.findall(r"\d+", line[: line.rindex("│")])] for line in lines if "│" in line]
            assert [row for row in shown if row] == board, (rows, columns)
            if rows >= size + 10 and columns >= 25:
                for words in (*PLAY_KEYS.split("   "), "your game goes on"):
                    assert words in text, (rows, columns, words)
            if rows >= 40 and columns >= 30:
                for words in ("best", "123,456", str(2**63), "left", "4.0"):
                    assert words in text, (rows, columns, words)


def test_a_terminal_too_small_says_what_is_needed():
    board = [[2**17] * 8] * 8
    assert " ".join(drawn_screen(30, 40, board)).startswith(
        "terminal too small: it has 40 columns and 30 rows, this board needs 58 and 11"
    )
    assert "131072" in drawn_screen(11, 58, board)[1]


def shown(terminal):
    """The number of moves on the screen."""
    return int(re.search(r"moves +([0-9,]+)", terminal.text)[1].replace(",", ""))


def test_watch_draws_what_the_agent_thinks_of_the_board_shown(tmp_path):
    """Of every board on the screen: the bars, the chosen direction and `illegal` are those of that board."""
    (tmp_path / "slow_for_tests.py").write_text(
        "import bitboard\nclass Agent(bitboard.agents.Greedy):\n    name = 'slow'\n"
    )
    options = {"PYTHONPATH": f"{ROOT}:{tmp_path}"}
    seen = 0
    with bitboard("watch", "--agent", "slow_for_tests:Agent", "--seed", "7", "--speed", "4", **options) as terminal:
        game, agent = PACKAGE.Game(seed=7), PACKAGE.agents.Greedy()
        while seen < 4:  # on a slow machine some boards are missed, or seen half drawn
            terminal.wait_until(lambda: "▶" in terminal.text and shown(terminal) >= game.moves, "the next board")
            while game.moves < shown(terminal):
                game.move(agent(game.board))
            rows = [[face for face in row if face] for row in PACKAGE.to_grid(game.board)]
            if [row for row in drawn(terminal) if row] != [row for row in rows if row]:
                continue
            values, chosen = agent.values(game.board), agent(game.board)
            for direction, name in enumerate(("up", "right", "down", "left")):
                line = next(line for line in terminal.text.splitlines() if f" {name:<6}" in line)
                assert ("illegal" in line) == isnan(values[direction])
                assert ("▶" in line) == (direction == chosen)
            assert "Ctrl-C ends the game" in terminal.text
            seen += 1
            game.move(chosen)
        terminal.interrupt()
        assert terminal.end() == 130
    with bitboard("watch", "--agent", "greedy", "--seed", "7", "--speed", "0") as terminal:
        assert terminal.end() == 0
        assert terminal.text.count("illegal") == 4 and "▶" not in terminal.text
        assert "Ctrl-C" not in terminal.text
        assert "pace" in terminal.text and "its speed" in terminal.text


def test_watch_saves_whatever_signals_come(tmp_path):
    path = tmp_path / "games.txt"
    with bitboard("watch", "--agent", "greedy", "--seed", "7", "--speed", "20", "--save", str(path)) as terminal:
        terminal.wait_for("score", "moves/s")
        for _ in range(5):
            terminal.hang_up()
            terminal.interrupt()
        assert terminal.end() in (130, *ENDED_BY_SIGNAL)
    (game,) = PACKAGE.record.read_file(path)
    assert game.seed == 7 and game.cut == ""


def test_watch_without_colour():
    options = {"NO_COLOR": "1"}
    with bitboard("watch", "--agent", "random", "--seed", "3", "--speed", "0", **options) as terminal:
        assert terminal.end() == 0
        assert "│" in terminal.text and not COLOURED.search(terminal.raw)


def test_watch_in_other_sizes_and_alphabets():
    with bitboard(
        "watch", "--size", "5x6", "--agent", "random", "--seed", "3", "--speed", "0", PYTHONUTF8="0", LC_ALL="C",
        PYTHONCOERCECLOCALE="0", PYTHONIOENCODING="ascii",
    ) as terminal:  # fmt: skip
        assert terminal.end() == 0
        assert "+-------+-------+-------+-------+-------+-------+" in terminal.text
        assert terminal.text.isascii()


def test_ctrl_c_ends_watch_with_the_result(tmp_path):
    path = tmp_path / "games.txt"
    with bitboard("watch", "--agent", "greedy", "--seed", "7", "--speed", "20", "--save", str(path)) as terminal:
        terminal.wait_for("score", "moves/s")
        terminal.interrupt()
        assert terminal.end() == 130
        assert "not over: score" in terminal.text and "the record is in" in terminal.text
    (game,) = PACKAGE.record.read_file(path)
    assert game.seed == 7 and game.cut == "" and game.tags == {"agent": "greedy"} and not game.over


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


def drawn(terminal):
    """The numbers of each line of the board on the screen."""
    return [[int(n) for n in re.findall(r"\d+", line[:36])] for line in terminal.text.splitlines() if "│" in line]


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
    games = PACKAGE.record.read_file(path)
    assert games[0] == game and len(games) == 2 and games[1].moves == 0


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
    assert len(PACKAGE.record.read_file(path)) == 2


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
    assert PACKAGE.record.read_file(path) == [one, other, PACKAGE.Game(seed=3)]
    assert path.read_text().startswith("# my games\n") and [p.name for p in tmp_path.iterdir()] == ["mine.txt"]


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
    import signal
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
    with play(path, "--agent", "test_terminal:fails", PYTHONPATH=f"{ROOT}:{ROOT / 'tests'}") as terminal:
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
    import signal

    leaving = importlib.import_module("._leaving", PACKAGE.__name__)
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


def test_replay_forwards_and_backwards(tmp_path):
    path = tmp_path / "games.txt"
    game = PACKAGE.Game(seed=4)
    for _ in range(30):
        game.move((game.legal & -game.legal).bit_length() - 1)
    PACKAGE.record.write_file(path, [PACKAGE.Game(seed=1), game])
    with bitboard("replay", str(path), "--speed", "100") as terminal:
        terminal.wait_for("game 2 of 2", "0 of 30", "the start")
        for key, at in ((RIGHT, 1), (" ", 2), (LEFT, 1), ("\x1b[6~", 11), ("\x1b[5~", 1), ("\x1b[F", 30), (RIGHT, 30)):
            terminal.press(key)
            terminal.wait_for(f"{at} of 30", f"score    {game.scores[at]:>20,}")
        for row in PACKAGE.to_grid(game.board):
            assert [face for face in row if face] in drawn(terminal)
        terminal.press("\x1b[H")
        terminal.wait_for(" 0 of 30")
        terminal.press("p")
        terminal.wait_for("30 of 30")
        terminal.press("q")
        assert terminal.end() == 0
    with bitboard("replay", str(path), "--game", "1") as terminal:
        terminal.wait_for("game 1 of 2", "0 of 0")
        terminal.interrupt()
        assert terminal.end() == 130


def test_eval_shows_progress_and_ctrl_c_reports():
    with bitboard("eval", "greedy", "--games", "1000000", "--seed", "1") as terminal:
        terminal.wait_until(lambda: re.search(r"[1-9]\d*/1000000", terminal.text), "a finished game")
        terminal.interrupt()
        assert terminal.end() == 130
        assert "of 1000000, interrupted" in terminal.text and "mean score" in terminal.text
