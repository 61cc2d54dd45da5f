"""What watch, play and replay draw, for terminals of any size."""

import importlib
import io
import re
import sys
from math import inf, nan

import pytest
from conftest import BACKENDS, IMPLEMENTATIONS

PACKAGE = IMPLEMENTATIONS[BACKENDS[0]]


def drawn_screen(rows, columns, board, **options):
    """What draw() makes for a terminal of so many rows and columns, as lines."""
    from rich.console import Console

    screen = importlib.import_module(".commands.screen", PACKAGE.__name__)
    on = Console(width=columns, height=rows, file=io.StringIO(), color_system=None, force_terminal=True)
    position = importlib.import_module(".games.picture", PACKAGE.__name__).position_of(board)
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


def test_what_an_agent_thinks_of_each_slide():
    values = (nan, -inf, 3.0, 5.0)
    for columns, wanted in ((80, r"down +#.* 3\.0"), (30, r"down 3\.0")):
        text = "\n".join(drawn_screen(24, columns, 0x1234_0000_0000_0000, values=values, chosen=3))
        assert re.search(wanted, text.replace("█", "#"))
        assert re.search(r"up +(illegal|-)", text) and re.search(r"right +-inf", text)


class Tty(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("total", [1000, 23_068_480, 10**9])
@pytest.mark.parametrize("columns", [20, 40, 60, 80, 120])
def test_a_bar_is_one_row_in_any_terminal_and_hides_no_cursor(monkeypatch, columns, total):
    """Ctrl-Z while a bar is shown: the shell has its cursor."""
    progress = importlib.import_module(".tools.progress", PACKAGE.__name__)
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", Tty())
    with progress.bar(total, "building 6-6-3 for 4x4, 5.8 MB", "steps") as advance:
        advance(total // 3)
        advance(total // 3)
    text = sys.stderr.getvalue()
    # Live goes up a line for each further row of the bar, and once at the end to take it away.
    assert text.count("\x1b[1A") == 1 and "\x1b[?25l" not in text
    rows = [re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", row) for row in re.split(r"[\r\n]", text)]
    assert all(len(row) <= columns for row in rows)
    if columns >= 80:
        assert any("6-6-3 for 4x4, 5.8 MB ━" in row and row.rstrip().endswith(":--") for row in rows)
        assert any(("0%" if total >= 10**7 else f"0/{total}") in row for row in rows)
