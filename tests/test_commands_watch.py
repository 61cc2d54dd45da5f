"""The programs for people that one watches, driven in a pseudo-terminal: keys in, screen out."""

import re
import shlex
import sys
from math import isnan

import pytest
from conftest import ROOT
from terminal import COLOURED, DOWN, ENDED_BY_SIGNAL, LEFT, PACKAGE, RIGHT, UP, bitboard, drawn

pytestmark = pytest.mark.terminal


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


@pytest.mark.parametrize(("rows", "columns"), [(24, 80), (12, 40), (50, 200), (3, 10)])
def test_watch_in_terminals_of_any_size(rows, columns):
    with bitboard("watch", "--agent", "random", "--seed", "3", "--speed", "0", rows=rows, columns=columns) as terminal:
        assert terminal.end() == 0
        assert "Traceback" not in terminal.text and "moves, seed 3" in " ".join(terminal.text.split())


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
            assert "space pause   s step   +/- speed   q quit" in terminal.text
            seen += 1
            game.move(chosen)
        terminal.interrupt()
        assert terminal.end() == 130
    with bitboard("watch", "--agent", "greedy", "--seed", "7", "--speed", "0") as terminal:
        assert terminal.end() == 0
        assert terminal.text.count("illegal") == 4 and "▶" not in terminal.text
        assert "q quit" not in terminal.text
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


def test_the_last_line_is_broken_between_words():
    """A seed of 20 digits: the line is longer than the terminal."""
    seed = 2**64 - 1
    with bitboard("watch", "--agent", "greedy", "--seed", str(seed), "--speed", "0", columns=60) as terminal:
        assert terminal.end() == 0
        assert terminal.text.splitlines()[-1].split()[-1] == str(seed)
        assert terminal.text.splitlines()[-2].startswith("game over: score ")
    with bitboard("watch", "--agent", "greedy", "--seed", "7", "--speed", "1") as terminal:
        terminal.wait_for("its speed")
        terminal.press(" ", "q")
        assert terminal.end() == 0
        assert re.search(r"\b0 moves|\b1 move,|[2-9] moves,", terminal.text)


def test_watch_pauses_steps_and_changes_its_speed():
    with bitboard("watch", "--agent", "greedy", "--seed", "7", "--speed", "2") as terminal:
        terminal.wait_for("its speed", "seed")
        terminal.press(" ")
        terminal.wait_for("paused")
        at = shown(terminal)
        for wanted in range(at + 1, at + 4):
            terminal.press("s")
            terminal.wait_for(f"moves    {wanted:>20}")
        at += 3
        assert "paused" in terminal.text
        game, agent = PACKAGE.Game(seed=7), PACKAGE.agents.Greedy()
        while game.moves < at:
            game.move(agent(game.board))
        rows = [[face for face in row if face] for row in PACKAGE.to_grid(game.board)]
        assert [row for row in drawn(terminal) if row] == [row for row in rows if row]
        for key, message in (
            ("+", "at most 5 moves a second"), (UP, "at most 10 moves"), ("-", "at most 5 moves"), (DOWN, "at most 2 moves"),
            *[("-", f"at most {speed} move") for speed in ("1", "0.5", "0.5")],
            *[("+", f"at most {speed} move") for speed in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)],
            ("+", "as fast as it can"), ("-", "at most 1000 moves a second"), ("x", "that key does nothing here"),
        ):  # fmt: skip
            terminal.press(key)
            terminal.wait_for(message)
        assert shown(terminal) == at
        terminal.press("p")
        assert terminal.end() == 0
        assert "game over: score 5,992, largest tile 512, 421 moves, seed 7" in terminal.text


def test_watch_is_left_by_q(tmp_path):
    path = tmp_path / "games.txt"
    with bitboard("watch", "--agent", "greedy", "--seed", "7", "--speed", "5", "--save", str(path)) as terminal:
        terminal.wait_for("its speed")
        terminal.press("q")
        assert terminal.end() == 0
        assert "not over: score" in terminal.text and "the record is in" in terminal.text
        assert terminal.is_as_shells_leave_it
    (game,) = PACKAGE.record.read_file(path)
    assert game.seed == 7 and not game.over


def test_a_window_that_grows_keeps_nothing_of_the_smaller_picture():
    """Also one that shrinks; and the last board is on the shell's screen once."""
    with bitboard("watch", "--agent", "greedy", "--seed", "7", "--speed", "0.5", rows=24, columns=80) as terminal:
        terminal.wait_for("its speed")
        for rows, columns in ((40, 120), (60, 200), (20, 60), (45, 150)):
            terminal.resize(rows, columns)
            terminal.wait_until(
                lambda: len(drawn(terminal)) in (4, 12) and terminal.text.count("its speed") == 1,
                "one board in the new size",
            )
        terminal.press("q")
        assert terminal.end() == 0
        assert terminal.text.count("its speed") == 1


def test_watch_without_keys():
    """Where stdin is no terminal the board is drawn all the same."""
    command = f"{shlex.quote(sys.executable)} -m bitboard watch --agent greedy --seed 7 --speed 0 </dev/null"
    with bitboard(command=["sh", "-c", command]) as terminal:
        assert terminal.end() == 0
        assert "game over: score 5,992" in terminal.text and "its speed" in terminal.text


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
        terminal.press("?")
        terminal.wait_for("hint of expectimax: ")
        terminal.press(RIGHT)
        terminal.wait_until(lambda: "hint of" not in terminal.text and " 1 of 30" in terminal.text, "no hint any more")
        terminal.press(LEFT)
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
