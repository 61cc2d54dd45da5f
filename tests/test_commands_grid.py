"""The command line on boards of any size: `bitboard maxtile`, and `bitboard slide` beside 4x4."""

import importlib
import re

import pytest
from conftest import IMPLEMENTATIONS
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("direction", "board", "after", "reward"),
    [
        ("R", "4 2 2 0", "0 0 4 4", 4),
        ("R", "4,2,2,0", "0,0,4,4", 4),
        ("L", "2 2 / 4 4 / 8 8", "4 0 / 8 0 / 16 0", 28),
        ("U", "2 2\n2 4\n0 4\n", "4 2\n0 8\n0 0", 12),
        ("D", "[[2],[2],[2]]", "[[0],[2],[4]]", 4),
        ("L", "[2, 2, 2]", "[4, 2, 0]", 4),
        ("R", "((2, 0, 0),)", "((0, 0, 2),)", 0),
        ("L", "1024 1024 2 2", "2048 4 0 0", 2052),
        ("L", "[[1024, 1024, 1024, 1024]]", "[[2048, 2048, 0, 0]]", 4096),
        ("L", "16 16 16 16 32 32 32 32", "32 32 64 64 0 0 0 0", 192),
        ("L", "2 2 2 2 2 2 2 2 / 0 0 0 0 0 0 0 0", "4 4 4 4 0 0 0 0 / 0 0 0 0 0 0 0 0", 16),
        ("L", "32768 32768 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0", "65536 0 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0", 65536),
        ("L", "2305843009213693952 2305843009213693952", "4611686018427387904 0", 2**62),
        ("L", "2 2 2 2  0 0 0 0  0 0 0 0  0 0 0 0", "4 4 0 0  0 0 0 0  0 0 0 0  0 0 0 0", 8),
        ("L", "1111 1111 1111 1111", "2200 2200 2200 2200", 32),
        ("L", "0x1024102410241024", None, None),
    ],
)
def test_slide_of_any_size_in_the_form_it_came_in(cli, direction, board, after, reward):
    status, out, err = cli("slide", direction, board)
    if after is None:
        after, reward = "0x1240124012401240", 0
    assert (status, out, err) == (0, after + "\n", f"reward {reward}\n")
    assert cli("slide", direction, stdin=board) == (status, out, err)


def test_digits_past_f(cli):
    assert cli("slide", "L", "FF00/GG00/0HG0/HH00") == (0, "g000/h000/hg00/hh00\n", "reward 196608\n")
    assert cli("slide", "R", "0xff00gg000hg0hh00") == (0, "0x000g000h00hg00hh\n", "reward 196608\n")
    assert cli("slide", "L", "hh00" + 12 * "0")[0] == 1
    assert (
        "'G' at digit 0 of text is 65536" in cli("perft", "1", "G" + 15 * "0")[2] + cli("perft", "G" + 15 * "0", "1")[2]
    )


def test_an_illegal_slide_of_any_size(cli):
    assert cli("slide", "L", "2 4 8") == (1, "", "illegal: sliding left changes nothing\n")
    assert cli("slide", "U", "((2, 4), (4, 2))")[0] == 1


@pytest.mark.parametrize(
    ("board", "message"),
    [
        ("2 2 / 2", "row 1 of grid must have 2 cells as row 0 has, got 1"),
        ("2 2 / 2 3", "row 1, column 1 of the board must be 0 or a power of two to 2**62, got '3'"),
        ("2 02", "row 0, column 1"),
        ("2 " * 33, "1 to 32 cells, got 33"),
        ("2\n" * 33, "1 to 32 rows, got 33"),
        ("9223372036854775808 2", "row 0, column 0"),
        ("2 " + "1" * 5000, "row 0, column 1"),
        ("1024 2048 1024 2048", "16 hexadecimal digits and as 4 values"),
        ("1024/2048/1024/2048", "16 hexadecimal digits and as 4 values"),
        ("[[2, 2], [2]]", "row 1 of grid must have 2 cells"),
        ("[[2, 2], 2]", "row 1 of grid must be a sequence, not int"),
        ("[[2, -2]]", "row 0, column 1 of grid must be 0 or a power of two from 2 to 2**62, got -2"),
        ("[[2, -0]]", "plain decimal"),
        ("[[2, False]]", "plain decimal"),
        ("[[2, 2.0]]", "row 0, column 1 of grid must be an integer, not float"),
        ("[]", "row 0 of grid must have 1 to 32 cells, got 0"),
        ("(2)", "not a list of lists"),
        ("[[[2]]]", "row 0, column 0 of grid must be an integer, not list"),
        ("-2 2", "row 0, column 0 of the board must be 0 or a power of two to 2**62, got '-2'"),
        ("2 2.0", "row 0, column 1 of the board must be 0 or a power of two to 2**62, got '2.0'"),
        ("1001/2000/0000/00b", "groups of equal length"),
    ],
)
def test_bad_boards_are_one_line(cli, board, message):
    status, out, err = cli("slide", "L", stdin=board)
    assert (status, out) == (2, "")
    assert message in err and err.count("\n") == 1 and err.startswith("bitboard slide: ")


EXERCISE = "3\n2 2 2\n4 4 4\n8 8 8\n"


def test_maxtile_reads_the_exercise_from_stdin_and_from_a_file(cli, tmp_path):
    assert cli("maxtile", stdin=EXERCISE) == (0, "16\n", "")
    assert cli("maxtile", "-", stdin=EXERCISE) == (0, "16\n", "")
    assert cli("maxtile", stdin="\n" + EXERCISE.replace(" ", "   ").replace("\n", "\r\n") + "\n\n") == (0, "16\n", "")
    assert cli("maxtile", stdin=EXERCISE.replace("\n", "\n \n")) == (0, "16\n", "")
    (tmp_path / "board.txt").write_text("\ufeff" + EXERCISE, encoding="utf-8")
    assert cli("maxtile", str(tmp_path / "board.txt")) == (0, "16\n", "")
    assert cli("maxtile", "--path", "--slides", "1", stdin=EXERCISE) == (0, "16\nR\n", "")
    assert cli("maxtile", "--path", "--slides", "0", stdin=EXERCISE) == (0, "8\n\n", "")
    assert cli("maxtile", stdin="1\n0\n") == (0, "0\n", "")


def test_maxtile_says_what_is_not_proven(cli):
    board = "20\n" + "\n".join(" ".join(str(2 ** (1 + (r * r + c * c * c) % 3)) for c in range(20)) for r in range(20))
    status, out, err = cli("maxtile", "--slides", "10", "--max-nodes", "1", stdin=board)
    assert status == 0 and int(out) >= 8 and err == "not proven: the search ended after 1 slide\n"
    status, out, err = cli("maxtile", "--slides", "1", "--max-seconds", "1000", stdin=board)
    assert (status, err) == (0, "")


@pytest.mark.parametrize(
    ("stdin", "message"),
    [
        ("", "no board given"),
        ("\n\n", "no board given"),
        ("0\n", "line 1 must be N, a number from 1 to 32, got '0'"),
        ("33\n", "line 1 must be N"),
        ("two\n2 2\n2 2\n", "line 1 must be N, a number from 1 to 32, got 'two'"),
        ("2 2\n2 2\n", "line 1 must be N, a number from 1 to 32, got '2 2'"),
        ("+2\n2 2\n2 2\n", "line 1 must be N"),
        ("2\n2 2\n", "line 1 announces 2 lines of numbers, not 1"),
        ("2\n2 2\n2\n", "line 3 must have 2 numbers, got 1"),
        ("2\n2 2 2\n2 2\n", "line 2 must have 2 numbers, got 3"),
        ("2\n\n2 2\n\n2\n", "line 5 must have 2 numbers, got 1"),
        ("2\n2 2\n2 3\n", "line 3, number 2 must be 0 or a power of two from 2 to 2**62, got '3'"),
        ("2\n2 -2\n2 2\n", "line 2, number 2 must be 0 or a power of two from 2 to 2**62, got '-2'"),
        ("2\n2 1\n2 2\n", "line 2, number 2"),
        ("2\n2 x\n2 2\n", "got 'x'"),
        ("2\n2 2\n2 9223372036854775808\n", "line 3, number 2"),
        ("2\n2 2\n2 2\nthe end\n", "line 4 comes after the 2 lines that line 1 announces: 'the end'"),
        ("9" * 200_000, "longer than"),
    ],
)
def test_maxtile_names_the_place_of_bad_input(cli, stdin, message):
    status, out, err = cli("maxtile", stdin=stdin)
    assert (status, out) == (2, "")
    assert message in err and err.count("\n") == 1 and err.startswith("bitboard maxtile: ")


def test_maxtile_refuses_bad_options_and_files(cli, tmp_path):
    for arguments, message in (
        (("--slides", "-1"), "slides must be an integer from 0 to 255, got -1"),
        (("--slides", "300"), "slides must be"),
        (("--max-nodes", "0"), "max_nodes must be"),
        (("--max-seconds", "-1"), "max_seconds must be"),
        (("--max-seconds", "nan"), "max_seconds must be"),
        ((str(tmp_path / "none"),), "No such file"),
        ((str(tmp_path),), "directory"),
    ):
        status, out, err = cli("maxtile", *arguments, stdin=EXERCISE)
        assert (status, out) == (2, "")
        assert message in err and err.count("\n") == 1
    (tmp_path / "bytes").write_bytes(b"2\n2 \xff\n2 2\n")
    status, out, err = cli("maxtile", str(tmp_path / "bytes"))
    assert (status, out) == (2, "") and err.count("\n") == 1
    assert cli("maxtile", "--slides", "five", stdin=EXERCISE)[0] == 2


FACE = st.sampled_from([0, 0, 2, 2, 4, 8, 16, 1024, 32768])
EDGE = st.text(" ,;/|\n", max_size=3)


@given(
    st.sampled_from(list(IMPLEMENTATIONS.values())),
    st.lists(FACE, min_size=16, max_size=16),
    st.sampled_from([" ", "  ", ",", ", ", ";", "|"]),
    st.sampled_from(["\n", "/", " / ", ",\n", " |\n"]),
    EDGE,
    EDGE,
    st.sampled_from(["values", "digits", "0x digits", "lists"]),
)
def test_what_goes_out_reads_as_what_went_in(impl, faces, cell, row, before, after, form):
    """Whatever separators stand between, before and after: text -> board -> text -> board."""
    text_of = importlib.import_module(".commands._text", impl.__name__)
    board = impl.from_grid(faces)
    slid = impl.move_left(board)
    if form == "lists":
        text = str(impl.to_grid(board))
        assert text_of.in_the_form_of(text, impl.to_grid(slid)) == str(impl.to_grid(slid))
        return
    if form == "values":
        text = before + row.join(cell.join(map(str, line)) for line in impl.to_grid(board)) + after
        assert not text_of.is_hexadecimal(text)
        out = text_of.in_the_form_of(text, impl.to_grid(slid))
        assert text_of.grid_of(text) == impl.to_grid(board) and text_of.grid_of(out) == impl.to_grid(slid)
        assert re.sub(r"[\d ]", "", out) == re.sub(r"[\d ]", "", text.strip("\n"))
        return
    digits = f"{board:016x}" if form == "digits" else f"{board:#018x}"
    text = before + digits + after
    assert text_of.is_hexadecimal(text) or digits.isdecimal()
    out = text_of.in_the_form_of(text, f"{slid:016x}")
    assert text_of.board_of(text) == board and text_of.board_of(out) == slid
    assert out == text.strip("\n").replace(digits, f"{slid:016x}" if form == "digits" else f"{slid:#018x}")


def test_a_byte_order_mark_and_binary_input(cli, tmp_path):
    assert cli("maxtile", stdin="\ufeff1\n2\n") == (0, "2\n", "")
    assert cli("slide", "L", stdin="\ufeff0 2")[1] == "2 0\n"
    (tmp_path / "noise").write_bytes(bytes(range(256)))
    status, out, err = cli("maxtile", tmp_path / "noise")
    assert (status, out, err) == (
        2,
        "",
        f"bitboard maxtile: {tmp_path / 'noise'} is not text in UTF-8: byte 128 is wrong\n",
    )
    (tmp_path / "wide").write_text("1\n2\n", encoding="utf-16")
    wrong = f"bitboard maxtile: {tmp_path / 'wide'} is text in UTF-16, and must be UTF-8\n"
    assert cli("maxtile", tmp_path / "wide") == (2, "", wrong)
    wrong = "bitboard slide: standard input is text in UTF-16, and must be UTF-8\n"
    assert cli("slide", "L", stdin="0 2\n".encode("utf-16")) == (2, "", wrong)
    assert cli("maxtile", stdin=" \n") == (
        2,
        "",
        "bitboard maxtile: no board given; pass a file or the board on stdin\n",
    )
