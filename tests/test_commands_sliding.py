"""`bitboard solve` and `bitboard tables`: what they print, exit statuses, one line for bad input."""

import json
import os

import pytest
from conftest import BACKENDS
from interrupting import interrupt_at
from sliding_oracle import numbers, replay

EIGHT = "7 2 4 / 5 0 6 / 8 3 1"


def test_solve_draws_every_board(cli):
    for arguments, stdin in (((EIGHT,), ""), ((), EIGHT + "\n"), (("-",), EIGHT)):
        status, out, err = cli("solve", *arguments, stdin=stdin)
        lines = out.splitlines()
        assert (status, err) == (0, "")
        length, _, moves = lines[0].partition(" moves ")
        way = replay(numbers(EIGHT.replace("/", "")), (3, 3), moves)
        assert int(length) == 26 == len(moves) and way[-1] == tuple(range(9))
        drawn = [f"{number} {moves[number - 1]}" if number else "start" for number in range(27) for _ in ("heading",)]
        blocks = out.split("\n\n")[1:-1]
        assert [block.splitlines()[0] for block in blocks] == drawn
        assert [numbers(block.partition("\n")[2].replace(".", "0")) for block in blocks] == way
        assert lines[-1].startswith("0 nodes, ") and lines[-1].endswith("s, table (exact)")


def test_solve_quiet_and_json(cli):
    status, out, err = cli("solve", EIGHT, "--quiet")
    assert (status, err) == (0, "") and out.split()[0] == "26" and len(out.splitlines()) == 1
    moves = out.split()[1]
    status, out, err = cli("solve", EIGHT, "--json", "--method", "idastar", "--heuristic", "manhattan")
    told = json.loads(out)
    assert (status, err) == (0, "")
    assert (told["length"], told["moves"], told["size"]) == (26, moves, [3, 3])
    assert told["board"] == told["states"][0] == [[7, 2, 4], [5, 0, 6], [8, 3, 1]]
    assert told["goal"] == told["states"][26] == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    assert told["nodes"] > 0 and told["method"] == "idastar" and told["heuristic"] == "manhattan"
    status, out, err = cli("solve", "0 1 2 / 3 4 5 / 6 7 8", "--quiet")
    assert (status, out) == (0, "0\n")


def test_solve_goals_and_sizes(cli):
    assert cli("solve", "1 2 3 / 4 5 6 / 7 0 8", "--goal", "blank-last", "--quiet")[1] == "1 R\n"
    assert cli("solve", "1 2 3 / 8 4 0 / 7 6 5", "--goal", "1 2 3 / 8 0 4 / 7 6 5", "--quiet")[1] == "1 L\n"
    assert cli("solve", "1 0 2 3 4 5", "--size", "2x3", "--quiet")[1] == "1 L\n"
    assert cli("solve", "1023456789abcdef", "--quiet", "--heuristic", "manhattan")[1] == "1 L\n"


def test_puzzles_as_courses_write_them(cli, tmp_path):
    """N, then N rows; blank lines and comments between them. The first is of a course, 4 moves by its text."""
    rows = "3\n0 1 3\n4 2 5\n7 8 6\n"
    assert cli("solve", "--goal", "blank-last", "--quiet", stdin=rows) == (0, "4 RDRD\n", "")
    commented = "# This puzzle is solvable\n3\n\n 0  1 3 # the blank\n4 2 5\n\n7 8 6\n#"
    assert cli("solve", "--goal", "blank-last", "--quiet", stdin=commented) == (0, "4 RDRD\n", "")
    assert cli("solve", "--goal", "blank-last", "--quiet", "3\n0 1 3/4 2 5/7 8 6") == (
        2, "", "bitboard solve: the number 3 alone on a line announces as many rows, not 1\n",
    )  # fmt: skip
    path = tmp_path / "puzzles.txt"
    path.write_text(f"1 2 3 / 4 5 6 / 7 0 8\n{commented}\n2\n1 2\n0 3\n")
    assert cli("solve", "--goal", "blank-last", "--file", path) == (0, "1 R\n4 RDRD\n1 R\n", "")
    path.write_text("1 0 / 2 3\n\n3\n0 1 2\n3 4 5\n")
    wrong = "bitboard solve: line 3: the number 3 alone on a line announces as many rows, not 2\n"
    assert cli("solve", "--file", path) == (2, "", wrong)


ALMOST_LAST = "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 0 15"


def test_solve_without_a_goal_takes_the_one_that_the_parity_allows(cli, tmp_path):
    note = "solved to blank-last, since blank-first cannot be reached\n"
    assert cli("solve", ALMOST_LAST, "--quiet") == (0, "1 R\n", f"bitboard solve: {note}")
    status, out, err = cli("solve", ALMOST_LAST, "--json")
    assert status == 0 and json.loads(out)["goal"][3] == [13, 14, 15, 0] and err == f"bitboard solve: {note}"
    # The 8-puzzle reaches both from the same boards: the first is taken.
    assert cli("solve", "1 2 3 / 4 5 6 / 7 8 0", "--quiet") == cli(
        "solve", "1 2 3 / 4 5 6 / 7 8 0", "--quiet", "--goal", "blank-first"
    )
    path = tmp_path / "puzzles.txt"
    path.write_text(f"{ALMOST_LAST}\n1 0 2 / 3 4 5\n1 0 / 2 3\n0 2 / 3 1\n{ALMOST_LAST}\n0 2 1 / 3 4 5\n")
    status, out, err = cli("solve", "--file", path)
    lengths = [line.split()[0] for line in out.splitlines()]
    assert status == 1 and lengths == ["1", "1", lengths[2], lengths[3], "1", "unsolvable"]
    assert replay((1, 0, 2, 3), (2, 2), out.split("\n")[2].split()[1])[-1] == (0, 1, 2, 3)
    assert err == (
        "bitboard solve: line 6: it cannot be solved: its parity is not the goal's\n"
        f"bitboard solve: 2 of 6 puzzles {note}"
    )
    for goal, other in (("blank-first", "blank-last"), ("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 15 14 0", "blank-last")):
        status, out, err = cli("solve", ALMOST_LAST, "--goal", goal)
        assert (status, out) == (1, "") and err.endswith(f"it can be solved as it is with the goal {other}\n")
    path.write_text(ALMOST_LAST)
    assert cli("solve", "--file", path, "--goal", "blank-first") == (
        1,
        "unsolvable\n",
        "bitboard solve: line 1: it cannot be solved: its parity is not the goal's; the goal blank-last can be reached\n",
    )
    assert cli("solve", ALMOST_LAST, "--goal", "")[0] == 2


def test_solve_says_no(cli):
    status, out, err = cli("solve", "2 1 3 / 4 5 6 / 7 8 0", "--goal", "blank-last")
    assert (status, out) == (1, "") and "parity" in err and len(err.splitlines()) == 1
    status, out, err = cli("solve", "2 1 3 / 4 5 6 / 7 8 0", "--goal", "blank-last", "--json")
    assert status == 1 and "parity" in json.loads(out)["error"]
    hard = "15 10 8 12 11 14 9 13 2 6 5 1 3 7 4 0"
    status, out, err = cli("solve", hard, "--heuristic", "manhattan", "--max-nodes", "1000", "--json")
    told = json.loads(out)
    assert status == 1 and told["nodes"] == 1000 and 40 < told["lower_bound"] <= 80
    assert err == f"bitboard solve: {told['error']}\n"
    status, out, err = cli("solve", hard, "--heuristic", "manhattan", "--max-seconds", "0.05")
    assert (status, out) == (1, "") and "0.05 seconds" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("1 2 x",), "'x'"), (("1 2 3 / 4",), "equally long"), ((EIGHT, "--goal", "last"), "goal must be"),
        ((EIGHT, "--size", "3"), "ROWSxCOLUMNS"), ((EIGHT, "--size", "4x4"), "4x4 was expected"),
        ((EIGHT, "--method", "magic"), "method must be"), ((EIGHT, "--heuristic", "6-6-3"), "add up to 8"),
        ((EIGHT, "--max-nodes", "0"), "max_nodes"), ((EIGHT, "--file", "x"), "not both"),
        (("--file", "/no/such/file"), "No such file"), ((EIGHT, "--threads", "0"), "threads must be"), (("",), "no board"),
    ],
)  # fmt: skip
def test_solve_refuses_bad_input_in_one_line(cli, arguments, message):
    status, out, err = cli("solve", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("bitboard solve: ") and message in err and len(err.splitlines()) == 1


def test_solve_a_file(cli, tmp_path):
    path = tmp_path / "puzzles.txt"
    path.write_text(f"# puzzles\n{EIGHT}\n\n1 0 2 / 3 4 5   # another size\n0 2 1 / 3 4 5\n1 0 / 2 3\n")
    status, out, err = cli("solve", "--file", str(path), "--threads", "2")
    lines = out.splitlines()
    assert status == 1
    assert [line.split()[0] for line in lines] == ["26", "1", "unsolvable", "1"]
    assert err == "bitboard solve: line 5: it cannot be solved: its parity is not the goal's\n"
    status, out, err = cli("solve", "--file", str(path), "--json")
    told = [json.loads(line) for line in out.splitlines()]
    assert [one.get("length") for one in told] == [26, 1, None, 1] and "states" not in told[0]
    path.write_text(f"{EIGHT}\n1 0 2 / 3 4 4\n")
    status, out, err = cli("solve", "--file", str(path))
    assert (status, out) == (2, "") and "line 2: " in err
    path.write_text("")
    assert cli("solve", "--file", str(path)) == (0, "", "")


def test_files_of_puzzles_as_editors_write_them(cli, tmp_path):
    path = tmp_path / "puzzles.txt"
    puzzles = "1 0 2 / 3 4 5\r\n0 1 / 2 3\r\n"
    for data in (puzzles.encode(), puzzles.encode("utf-8-sig"), puzzles.replace("\r\n", "\r").encode()):
        path.write_bytes(data)
        assert cli("solve", "--file", str(path)) == (0, "1 L\n0\n", "")
        assert cli("solve", "--file", "-", stdin=data) == (0, "1 L\n0\n", "")
    path.write_text(puzzles, encoding="utf-16")
    wrong = f"bitboard solve: {path} is text in UTF-16, and must be UTF-8\n"
    assert cli("solve", "--file", str(path)) == (2, "", wrong)
    path.write_bytes("1 0 2 / 3 4 5  # après\n".encode("latin-1"))
    assert cli("solve", "--file", str(path)) == (
        2,
        "",
        f"bitboard solve: {path} is not text in UTF-8: byte 20 is wrong\n",
    )
    assert cli("solve", "--quiet", stdin=b"\xef\xbb\xbf1 0 2 / 3 4 5") == (0, "1 L\n", "")


def test_tables(cli, tmp_path, monkeypatch):
    monkeypatch.setenv("BITBOARD_CACHE", str(tmp_path / "cache"))
    assert cli("tables", "list") == (0, f"{tmp_path / 'cache'}\n", "")
    status, out, err = cli("tables", "build", "3-2", "--size", "2x3")
    path = tmp_path / "cache" / "sliding-2x3-3-2.pdb"
    assert (status, err) == (0, "") and out.startswith(f"{path}  203 bytes, ")
    assert cli("tables", "list")[1].split() == [str(tmp_path / "cache"), "203", path.name]
    path.write_bytes(b"damaged")
    assert cli("tables", "build", "3-2", "--size", "2x3", "--rebuild")[0] == 0
    assert path.stat().st_size == 203
    status, out, err = cli("tables", "build", "9-9")
    assert (status, out) == (2, "") and "add up to 15" in err and len(err.splitlines()) == 1
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("BITBOARD_CACHE", str(tmp_path / "file"))
    status, out, err = cli("tables", "build", "2-2-1", "--size", "2x3")
    assert (status, out) == (1, "") and "cannot be kept" in err and len(err.splitlines()) == 1


def test_arguments_of_tables_in_any_order(cli, tmp_path, monkeypatch):
    import itertools

    monkeypatch.setenv("BITBOARD_CACHE", str(tmp_path))
    for parts in itertools.permutations([("build",), ("3-2",), ("--size", "2x3"), ("--rebuild",)]):
        arguments = [word for part in parts for word in part]
        if arguments.index("build") < arguments.index("3-2"):
            status, out, err = cli("tables", *arguments)
            assert (status, err) == (0, "") and "sliding-2x3-3-2.pdb  203 bytes" in out, arguments
    assert cli("tables", "build", "3-2", "6-5")[2].startswith("bitboard tables: unrecognized arguments: 6-5")


def test_help_has_examples(cli):
    for command in ("solve", "tables"):
        status, out, _ = cli(command, "--help")
        assert status == 0 and "example" in out and f"bitboard {command}" in out


@pytest.mark.parametrize(
    ("target", "arguments"),
    [
        ("solver.kernels.Search", ("solve", "15 10 8 12 11 14 9 13 2 6 5 1 3 7 4 0", "--heuristic", "manhattan")),
        ("database.kernels.build_pattern", ("tables", "build", "7-8" if BACKENDS[0] == "c" else "5-5-5")),
    ],
    ids=["solve", "tables"],
)
@pytest.mark.terminal
def test_interrupts_are_heard(target, arguments, tmp_path):
    done = interrupt_at(f"bitboard.sliding.{target}", *arguments, BITBOARD_CACHE=str(tmp_path))
    assert done == (130, "", "bitboard: interrupted\n")
    assert os.listdir(tmp_path) == []
