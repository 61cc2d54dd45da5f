"""The row table: every entry against the oracle, and the copies of it against each other."""

import hashlib
import importlib.util
import subprocess
import sys
from pathlib import Path

import oracle
import pytest
from conftest import BACKENDS, IMPLEMENTATIONS, ROOT

PACKAGE = Path(IMPLEMENTATIONS[BACKENDS[0]].__file__).parent
ROWS_BIN = (PACKAGE / "core" / "rows.bin").read_bytes()


def faces(row):
    """The face values of a 16-bit row."""
    return [1 << e if (e := row >> shift & 15) else 0 for shift in (12, 8, 4, 0)]


def packed(cells):
    """The 16-bit row of four face values."""
    row = 0
    for face in cells:
        row = row << 4 | (face.bit_length() - 1 if face else 0)
    return row


def paper(row):
    """What the oracle says of a row: (left, right, reward), where two 32768s do not make a 65536.

    Where the game on paper makes a 65536, the rule of the packed board applies: the tiles in
    question stay two. The oracle is asked again with each 32768 replaced by tiles that it cannot
    merge: distinct large powers of two, put back afterwards.
    """
    cells = faces(row)
    if cells.count(32768) > 1:
        big = iter((2**20, 2**21, 2**22, 2**23))
        cells = [next(big) if face == 32768 else face for face in cells]
    left, reward = oracle.slide_line(cells)
    right, reward_right = oracle.slide_line(cells[::-1])
    assert reward == reward_right
    # a 2**20 and more stands for a 32768; a real 32768 made by a merge stays itself
    left, right = ([32768 if face >= 2**20 else face for face in line] for line in (left, right[::-1]))
    return packed(left), packed(right), reward


def saturated(row):
    """Whether two neighbouring tiles of a row, empty cells left out, are both 32768."""
    text = f"{row:04x}".replace("0", "")
    return "ff" in text


def test_every_row_left_right_reward_flags():
    for row in range(65536):
        entry = int.from_bytes(ROWS_BIN[8 * row : 8 * row + 8], "little")
        left, right, reward = paper(row)
        assert (entry & 0xFFFF, entry >> 16 & 0xFFFF, (entry >> 32 & 0xFFFF) * 4) == (left, right, reward), f"{row:04x}"
        assert entry >> 48 & 15 == 8 * (left != row) + 2 * (right != row), f"{row:04x}"
        assert entry >> 52 & 15 == 1 * (left != row) + 4 * (right != row), f"{row:04x}"
        assert entry >> 56 == saturated(row), f"{row:04x}"


def test_every_row_through_the_public_functions(impl):
    for row in range(65536):
        left, right, reward = paper(row)
        board = row << 32
        column = impl.transpose(board)
        assert impl.move_left(board) == left << 32
        assert impl.move_right(board) == right << 32
        assert impl.move_up(column) == impl.transpose(left << 32)
        assert impl.move_down(column) == impl.transpose(right << 32)
        assert impl.reward_rows(board) == impl.reward_columns(column) == reward
        assert impl.is_saturated(board) == impl.is_saturated(column) == saturated(row)


def test_the_c_array_is_rows_bin_byte_for_byte():
    libraries = sorted((PACKAGE / "core").glob("_*.so"))
    assert [path.name.split(".")[0] for path in libraries] == (
        ["_bulk", "_leaf"] if libraries or "c" in BACKENDS else []
    )
    for library in libraries:
        assert ROWS_BIN in library.read_bytes(), library


def run_generate(*arguments):
    command = [sys.executable, str(ROOT / "tables" / "generate.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def test_check_accepts_the_file_in_the_tree():
    assert run_generate("--check").returncode == 0


@pytest.mark.parametrize("position", [0, 5, 262144, 524287])
def test_check_catches_a_flipped_bit(tmp_path, position):
    data = bytearray(ROWS_BIN)
    data[position] ^= 0x10
    (tmp_path / "rows.bin").write_bytes(data)
    done = run_generate("--check", "--output", str(tmp_path / "rows.bin"))
    assert done.returncode == 1
    assert f"row {position // 8:04x}" in done.stderr


def test_check_catches_a_cut_and_a_missing_file(tmp_path):
    (tmp_path / "cut").write_bytes(ROWS_BIN[:-1])
    assert run_generate("--check", "--output", str(tmp_path / "cut")).returncode == 1
    assert run_generate("--check", "--output", str(tmp_path / "none")).returncode == 1


def test_generate_writes_the_same_bytes(tmp_path):
    assert run_generate("--output", str(tmp_path / "rows.bin")).returncode == 0
    assert (tmp_path / "rows.bin").read_bytes() == ROWS_BIN


def test_the_digest_in_the_readme_is_that_of_the_file():
    readme = (ROOT / "tables" / "README.md").read_text(encoding="utf-8")
    assert hashlib.sha256(ROWS_BIN).hexdigest() in readme


def test_the_rule_itself_on_longer_rows_equals_the_oracle():
    spec = importlib.util.spec_from_file_location("rules", ROOT / "tables" / "rules.py")
    rules = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(rules)
    for code in range(3**9):
        row = tuple(code // 3**i % 3 for i in range(9))
        line, points = oracle.slide_line([2**k if k else 0 for k in row])
        assert rules.slide_left(row) == (tuple(face.bit_length() - 1 if face else 0 for face in line), points)
