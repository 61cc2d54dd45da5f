"""Row tables: made from functions, summed over boards, kept in files."""

import os
import pickle
import random
import subprocess
import sys
import zlib
from array import array

import expectimax_oracle as definition
import numpy as np
import pytest
from conftest import ROOT


def lines_of(board):
    """The rows and columns of a board as tuples of exponents."""
    cells = [int(digit, 16) for digit in f"{board:016x}"]
    rows = [tuple(cells[4 * r : 4 * r + 4]) for r in range(4)]
    return rows + list(zip(*rows, strict=True))


def worth(a, b, c, d):
    return 3 * a - b * b + 0.1 * c * d - 7 * (a == d) + 2.5


BOARDS = [0, 2**64 - 1, 0x0123_4567_89AB_CDEF, *definition.some_boards(200, 0.8, 1)]


def test_a_board_is_worth_the_sum_over_its_rows_and_columns(impl):
    table = impl.RowTable.from_function(worth)
    for board in BOARDS:
        assert table(board) == pytest.approx(sum(worth(*line) for line in lines_of(board)), rel=1e-12)


def test_columns_are_read_from_the_top(impl):
    first = impl.RowTable.from_function(lambda a, b, c, d: 1000.0 * a + 100 * b + 10 * c + d)
    assert first(0x1000_2000_3000_4000) == 1000 * (1 + 2 + 3 + 4) + 1234


def with_defaults(a, b, c=0, d=0):
    return worth(a, b, c, d)


@pytest.mark.parametrize(
    "function",
    [
        lambda row: worth(*row),
        lambda *row: worth(*row),
        with_defaults,
        lambda a, b, c, d: np.float64(worth(a, b, c, d)),
    ],
)
def test_functions_of_four_arguments_or_of_one_row(impl, function):
    assert impl.RowTable.from_function(function) == impl.RowTable.from_function(worth)


def test_a_builtin_is_called_with_the_row(impl):
    assert impl.RowTable.from_function(max)(0x1234_0000_0000_0000) == 4 + 1 + 2 + 3 + 4
    assert impl.RowTable.from_function(sum)(0x1234_0000_0000_0000) == 20


class Stubborn:
    def __float__(self):
        raise ZeroDivisionError


def test_a_function_that_raises_or_gives_no_finite_number_is_named_by_its_row(impl):
    def at(row, value):
        return lambda a, b, c, d: value() if (a, b, c, d) == row else 1.0

    for value, said in [
        (lambda: 1 / 0, "raised ZeroDivisionError"),
        (lambda: [][1], "raised IndexError"),
        (lambda: float("nan"), "finite"),
        (lambda: float("inf"), "finite"),
        (lambda: -float("inf"), "finite"),
        (lambda: 1e101, "1e100"),
        (lambda: 10**400, "number"),
        (lambda: None, "number"),
        (lambda: "7", "number"),
        (lambda: 1j, "number"),
        (lambda: bytearray(b"7"), "number"),
        (lambda: Stubborn(), "number"),
    ]:
        with pytest.raises(ValueError, match=said) as caught:
            impl.RowTable.from_function(at((1, 2, 3, 15), value))
        assert "(1, 2, 3, 15)" in str(caught.value)
    with pytest.raises(ValueError) as caught:
        impl.RowTable.from_function(at((0, 0, 0, 0), lambda: 1 / 0))
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    with pytest.raises(TypeError, match="function"):
        impl.RowTable.from_function(7)
    with pytest.raises(KeyboardInterrupt):
        impl.RowTable.from_function(at((0, 0, 0, 1), lambda: (_ for _ in ()).throw(KeyboardInterrupt)))


def test_values_must_be_65536_finite_numbers(impl):
    with pytest.raises(ValueError, match="65536"):
        impl.RowTable([1.0, 2.0])
    with pytest.raises(ValueError, match=r"\(0, 0, 0, 2\).*nan"):
        impl.RowTable([0.0, 1.0, float("nan")] + [0.0] * 65533)
    with pytest.raises(ValueError, match=r"\(0, 0, 0, 1\).*-inf"):
        impl.RowTable([0, -(10**400)] + [0] * 65534)
    with pytest.raises(TypeError):
        impl.RowTable(7)
    with pytest.raises(TypeError):
        impl.RowTable(["a"] * 65536)
    assert impl.RowTable(range(65536)) == impl.RowTable(np.arange(65536.0)) == impl.RowTable(array("d", range(65536)))


def test_tables_add_and_scale(impl):
    one, other = (impl.RowTable(definition.uneven(seed, False)) for seed in (1, 2))
    both = 0.5 * one + other * 2
    for board in BOARDS:
        assert both(board) == pytest.approx(0.5 * one(board) + 2 * other(board), rel=1e-9, abs=1e-9)
    assert one + other == other + one != one
    for wrong in (lambda: one + 1, lambda: one * other, lambda: one * "a"):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(ValueError, match="row"):
        one * float("inf")
    with pytest.raises(ValueError, match="row"):
        one * 10**400


def test_tables_cannot_be_changed_and_are_values(impl):
    table = impl.RowTable(definition.uneven(1, False))
    with pytest.raises(TypeError):
        table.values[0] = 1.0
    assert np.asarray(table.values).dtype == np.float64 and table.values.nbytes == 8 * 65536
    again = pickle.loads(pickle.dumps(table))
    assert again == table and hash(again) == hash(table) and table != "table"
    values = array("d", table.values)
    copy = impl.RowTable(values)
    values[0] += 1
    assert copy == table
    assert "RowTable" in repr(table)


def test_many_boards(impl):
    table = impl.RowTable(definition.uneven(3, True))
    expected = [table(board) for board in BOARDS]
    result = table.many(array("Q", BOARDS))
    assert isinstance(result, array) and result.typecode == "d" and result.tolist() == expected
    shaped = table.many(np.array(BOARDS[:200], np.uint64).reshape(2, 100))
    assert shaped.dtype == np.float64 and shaped.shape == (2, 100) and shaped.ravel().tolist() == expected[:200]
    out = np.empty(len(BOARDS))
    assert table.many(np.array(BOARDS, np.uint64), out=out) is out and out.tolist() == expected
    assert table.many(array("Q")).tolist() == []
    with pytest.raises(TypeError):
        table.many([1.5, 2])
    with pytest.raises(TypeError):
        table.many(array("Q", [1]), out=array("Q", [1]))
    with pytest.raises(ValueError):
        table.many(array("Q", [1]), out=array("d", [1, 2]))
    for board, error in ((-1, OverflowError), (2**64, OverflowError), ("1", TypeError)):
        with pytest.raises(error):
            table(board)


@pytest.mark.parametrize("single", [True, False])
def test_files(impl, tmp_path, single):
    values = definition.uneven(4, False)
    table = impl.RowTable(array("f", values) if single else values)
    table.save(tmp_path / "a.bbrows")
    content = (tmp_path / "a.bbrows").read_bytes()
    assert len(content) == 16 + 65536 * (4 if single else 8)
    assert impl.RowTable.load(str(tmp_path / "a.bbrows")) == table


def test_damaged_files_are_noticed(impl, tmp_path):
    path = tmp_path / "a.bbrows"
    impl.RowTable(range(65536)).save(path)
    good = path.read_bytes()
    generator = random.Random(5)
    damaged = [good[:n] for n in (0, 5, 15, 16, 17, len(good) - 1)] + [good + b"\0", b"text" * 100]
    for at in [*range(16), *(generator.randrange(16, len(good)) for _ in range(30))]:
        damaged.append(good[:at] + bytes([good[at] ^ 1 << generator.randrange(8)]) + good[at + 1 :])
    nan = array("f", [float("nan")]).tobytes() + good[20:]
    damaged.append(good[:12] + zlib.crc32(nan).to_bytes(4, "little") + nan)
    for content in damaged:
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"a\.bbrows"):
            impl.RowTable.load(path)
    with pytest.raises(FileNotFoundError):
        impl.RowTable.load(tmp_path / "none")
    with pytest.raises(OSError):
        impl.RowTable(range(65536)).save(tmp_path / "none" / "a.bbrows")


def test_a_file_is_saved_whole_or_not_at_all(impl, tmp_path, monkeypatch):
    path, one = tmp_path / "a.bbrows", impl.RowTable(range(65536))
    one.save(path)
    (tmp_path / "link").symlink_to(path)
    (one * 2).save(str(tmp_path / "link"))
    assert (tmp_path / "link").is_symlink() and impl.RowTable.load(path) == one * 2

    def full(*names):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    for name in ("a.bbrows", "new"):
        with pytest.raises(OSError, match="No space"):
            one.save(tmp_path / name)
    assert sorted(os.listdir(tmp_path)) == ["a.bbrows", "link"]
    assert impl.RowTable.load(os.fsencode(path)) == one * 2


def test_paths_are_checked(impl, tmp_path):
    table = impl.RowTable(range(65536))
    with open(tmp_path / "open", "w+b") as file:  # the number of an open file is no path
        for call in (table.save, impl.RowTable.load):
            for wrong in (None, file.fileno(), 1.5):
                with pytest.raises(TypeError, match="str, bytes or os.PathLike"):
                    call(wrong)
    with pytest.raises(IsADirectoryError):
        table.save(tmp_path)
    with pytest.raises(IsADirectoryError):
        impl.RowTable.load(tmp_path)
    table.save(os.devnull)
    assert not os.path.isfile(os.devnull)


def test_shipped_tables(impl):
    default, snake, corner = impl.RowTable.default(), impl.RowTable.snake(), impl.RowTable.corner()
    descending = impl.RowTable.descending()
    for board in definition.some_boards(200, 0.9, 6):
        images = impl.symmetries(board)
        for table in (default, snake):
            assert len({table(image) for image in images}) == 1
        for table in (corner, descending):
            assert table(board) == table(impl.transpose(board))
        assert default(board) > 0
    assert corner(0x4000 << 48) > corner(0x0004 << 48)
    assert snake(0x4321 << 48) > snake(0x4231 << 48)
    # By hand: the exponent 4 is worth 64, 3 24, 2 8, 1 2; and each of the eight lines 2**19.
    base = 8 * 2**19
    assert descending(0x4321 << 48) == base + (64 + 88 + 32 + 10) + (2 * 64 + 2 * 24 + 2 * 8 + 2 * 2)
    assert descending(0x0011 << 48) == base + (-12 * 2 + 4 + 2) + 2 * (2 * 2)
    assert min(default.values) * 8 > 0, "a live board is worth more than a dead one"


def test_the_default_table_is_what_its_function_says():
    check = [sys.executable, ROOT / "tables" / "row_heuristic.py", "--check"]
    done = subprocess.run(check, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_tuning_script_runs():
    tune = [
        sys.executable,
        ROOT / "tables" / "tune.py",
        "--whole-games",
        "--depth",
        "0",
        "--boards",
        "2",
        "--growth",
        "200",
        "--seconds",
        "0.1",
    ]
    done = subprocess.run(tune, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert '"disorder_power"' in done.stdout
