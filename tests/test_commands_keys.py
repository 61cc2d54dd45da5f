"""Keys of a terminal, and Ctrl-Z: what a shell finds when a command is stopped, and the command when it goes on."""

import importlib
import random
import shlex
import sys

import pytest
from terminal import PACKAGE, bitboard, drawn

keys = importlib.import_module(".commands.keys", PACKAGE.__name__)


def decoded(*parts):
    """The keys of parts, each of (seconds since the last one, characters); long after them nothing is left."""
    decoder, now, found = keys.Decoder(), 100.0, []
    for seconds, text in parts:
        now += seconds
        if (key := decoder.expire(now)) is not None:
            found.append(key)
        for character in text:
            found += decoder.take(character, now)
    if (key := decoder.expire(now + 60)) is not None:
        found.append(key)
    assert decoder.expire(now + 1000) is None
    return found


# What xterm, rxvt, the Linux console and others send.
SEQUENCES = {
    "up": "[A OA [1;2A [1;5A [a Oa O5A", "down": "[B OB [1;3B [b", "right": "[C OC [1;2C [1;6C [c O2C",
    "left": "[D OD [1;2D [d", "home": "[H OH [1~ [7~ [1;5H", "end": "[F OF [4~ [8~ [1;2F",
    "pageup": "[5~ [5;5~", "pagedown": "[6~ [6;2~",
    "unknown": "[3~ [3;2~ [2~ OP OQ [15~ [[A [[E [Z [1;2P [24;5~ [I [200~ [?1;2c [<0;1;2M",
}  # fmt: skip


@pytest.mark.parametrize(("key", "sequence"), [(key, part) for key, all in SEQUENCES.items() for part in all.split()])
def test_sequences_whole_and_in_parts(key, sequence):
    text = "\x1b" + sequence
    assert decoded((0, text)) == [key]
    assert decoded((0, text + "x" + text)) == [key, "x", key]
    for cut in range(1, len(text)):
        assert decoded((0, text[:cut]), (0.4, text[cut:])) == [key], cut
        assert decoded((0, text[:cut]), (0.4, text[cut:] + "q")) == [key, "q"]
    assert decoded(*[(0.2, character) for character in text]) == [key]


def test_escape_alone_and_with_others():
    assert decoded((0, "\x1b")) == ["escape"]
    assert decoded((0, "\x1b"), (2, "q")) == ["escape", "q"]
    assert decoded((0, "\x1b"), (0.3, "q")) == ["escape", "q"]  # one who is in a hurry
    assert decoded((0, "\x1bq")) == ["unknown"]  # Alt and q
    assert decoded((0, "\x1b"), (0.3, "\x1b")) == ["escape", "escape"]
    assert decoded((0, "\x1b\x1b[A")) == ["up"]  # Alt and the arrow
    assert decoded((0, "\x1b[")) == ["unknown"] and decoded((0, "\x1b[1;")) == ["unknown"]
    assert decoded((0, "\x1b["), (0.3, "\x1b[A")) == ["unknown", "up"]
    assert decoded((0, "a \r\n\x7f\b\x04~")) == [
        "a",
        "space",
        "enter",
        "enter",
        "backspace",
        "backspace",
        "ctrl-d",
        "~",
    ]


def test_noise_is_keys_and_ends():
    """Whatever comes, no more keys than characters, and Escape only where there was one."""
    source = random.Random(1)
    for _ in range(300):
        text = "".join(source.choice("\x1b\x1b[O;15~ABq\x04") for _ in range(source.randrange(40)))
        found = decoded(*[(source.choice([0, 0.02, 0.3, 1.5]), character) for character in text])
        assert len(found) <= len(text) and found.count("escape") <= text.count("\x1b")
        assert text.count("q") >= found.count("q")


@pytest.mark.terminal
def test_replay_is_left_by_a_lone_escape_and_by_no_other_key(tmp_path):
    path = tmp_path / "games.txt"
    game = PACKAGE.Game(seed=4)
    for _ in range(30):
        game.move((game.legal & -game.legal).bit_length() - 1)
    PACKAGE.record.write_file(path, [game])
    with bitboard("replay", str(path)) as terminal:
        terminal.wait_for("0 of 30")
        terminal.press("\x1b[3~", "\x1bOP", "\x1b[[A", "\x1bx", "\x1b[2~")  # Delete, F1, F1 of consoles, Alt+x, Insert
        terminal.press("\x1b[1;2C", "\x1b[1;2C", "\x1b[1;5C")  # Shift and Ctrl with the arrow
        terminal.wait_for("3 of 30")
        terminal.press("\x1b")
        assert terminal.end() == 0


def stopped_by_ctrl_z(command, before, after, end):
    """A command in a shell, stopped by Ctrl-Z when `before` is drawn, brought back, and ended."""
    line = shlex.join([sys.executable, "-m", "bitboard", *command])
    script = f'{line}; echo "left: $?"; read answer; fg >/dev/null; echo "ended: $?"'
    with bitboard(command=["sh", "-m", "-c", script], columns=100) as terminal:
        terminal.wait_for(*before)
        assert terminal.screen.cursor.hidden and terminal.screen.other
        terminal.press("\x1a")
        terminal.wait_for("left: 1")  # 128 and a signal
        assert terminal.is_as_shells_leave_it and "│" not in terminal.text
        terminal.press("\r")
        terminal.wait_for(*after)
        assert terminal.screen.cursor.hidden and terminal.screen.other and not terminal.is_as_shells_leave_it
        assert len(drawn(terminal)) >= 4
        terminal.press(end)
        terminal.wait_for("ended: 0")
        assert terminal.is_as_shells_leave_it
        assert terminal.end() == 0
        return terminal.text


@pytest.mark.terminal
def test_ctrl_z_in_play(tmp_path):
    path = tmp_path / "mine.txt"
    game = PACKAGE.Game(seed=6)
    game.move(game.legal.bit_length() - 1)
    PACKAGE.record.write_file(path, [game])
    text = stopped_by_ctrl_z(
        ["play", "--file", str(path), "--agent", "greedy"], ["your game goes on at move 1"], ["score", "moves"], "q"
    )
    assert "not over: score 0" in text and PACKAGE.record.read_file(path) == [game]


@pytest.mark.terminal
def test_ctrl_z_in_replay(tmp_path):
    path = tmp_path / "games.txt"
    PACKAGE.record.write_file(path, [PACKAGE.Game(seed=6)])
    stopped_by_ctrl_z(["replay", str(path)], ["0 of 0"], ["0 of 0"], "q")


@pytest.mark.terminal
def test_ctrl_z_in_watch(tmp_path):
    text = stopped_by_ctrl_z(
        ["watch", "--agent", "greedy", "--seed", "7", "--speed", "2"], ["its speed"], ["its speed"], "q"
    )
    assert "not over: score" in text and "seed 7" in text
