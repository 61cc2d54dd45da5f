"""Pattern databases: built alike by both backends, kept whole, noticed when damaged, never a wrong answer."""

import errno
import io
import os
import shutil
import subprocess
import sys
import time
from importlib import import_module

import pytest
from conftest import BACKENDS, IMPLEMENTATIONS, ROOT
from sliding_oracle import STEPS, step

SMALL = "3-3-3-3-3"
NEAR = "4 1 2 3 / 5 6 0 7 / 8 9 10 11 / 12 13 14 15"  # a few moves from the goal, where only the database matters
BOARD = "2 9 3 5 / 4 12 1 7 / 13 10 14 6 / 8 0 15 11"


def part(impl, name):
    """A module of the package under test."""
    return import_module(f"{impl.__name__}.{name}")


@pytest.fixture
def fresh(impl, tmp_path, monkeypatch):
    """The database module of a backend with an empty cache and nothing loaded."""
    module = part(impl, "sliding.database")
    monkeypatch.setenv("BITBOARD_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(module, "_loaded", {})
    return module


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The file of SMALL as each backend builds it: it takes pure Python a while, so it is built once."""
    files = {}
    for backend, impl in IMPLEMENTATIONS.items():
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("BITBOARD_CACHE", str(tmp_path_factory.mktemp("built")))
            patch.setattr(part(impl, "sliding.database"), "_loaded", {})
            files[backend] = impl.sliding.build_database(SMALL)
    return files


@pytest.fixture
def small(impl, fresh, built):
    """The path of SMALL, which is in the cache and was not loaded."""
    path = fresh.path_of(SMALL, (4, 4), 0)
    os.makedirs(os.path.dirname(path))
    return shutil.copy(built[impl.BACKEND], path)


def pattern_moves(pieces, size, blank):
    """{cells of the pieces: least moves of these pieces from the goal}: 0-1 breadth-first, written for the tests."""
    rows, cols = size
    start = tuple(range(rows * cols))
    pieces = set(pieces)
    start = tuple(0 if cell == blank else (cell + 1 if cell in pieces else -1) for cell in start)
    known, best, level = {start}, {}, [start]
    moves = 0
    while level:
        ahead = []
        for tiles in level:
            best.setdefault(tuple(tiles.index(p + 1) for p in sorted(pieces)), moves)
            for letter in STEPS:
                after = step(tiles, size, letter)
                if after is None or after in known:
                    continue
                if after[tiles.index(0)] > 0:
                    ahead.append(after)
                else:
                    known.add(after)
                    level.append(after)
        level = [tiles for tiles in dict.fromkeys(ahead) if tiles not in known]
        known.update(level)
        moves += 1
    return best


@pytest.mark.parametrize(
    ("size", "blank", "pieces"),
    [((2, 2), 0, (1, 3)), ((3, 3), 0, (1, 2, 3)), ((3, 3), 4, (0, 2, 8)), ((3, 3), 0, (4, 5, 7, 8)), ((2, 4), 1, (0, 3)),
     ((4, 2), 0, (1, 2, 5, 7)), ((3, 4), 0, (1, 7)), ((4, 4), 0, (4, 15)), ((4, 4), 5, (3, 10)), ((2, 8), 0, (7, 15))],
)  # fmt: skip
def test_tables_are_the_moves_of_the_pieces(impl, size, blank, pieces):
    kernels, heuristics = part(impl, "sliding.database").kernels, part(impl, "sliding.heuristics")
    cells = size[0] * size[1]
    weights = heuristics.pattern_weights(len(pieces), cells)
    entries = weights[0] * cells
    out = bytearray((entries + 1) // 2)
    told = []
    kernels.build_pattern(size, blank, pieces, memoryview(out), told.append)
    expected = pattern_moves(pieces, size, blank)
    assert sum(told) == 2 * len(expected) or len(expected) < entries
    seen = set()
    for where, moves in expected.items():
        index = heuristics.pattern_index(where, weights)
        seen.add(index)
        away = sum(abs(p // size[1] - c // size[1]) + abs(p % size[1] - c % size[1])
                   for p, c in zip(pieces, where, strict=True))  # fmt: skip
        assert 2 * (out[index // 2] >> index % 2 * 4 & 15) + away == moves
    assert len(seen) == len(expected) and max(seen) < entries


@pytest.mark.parametrize(("size", "pieces"), [((3, 3), (1, 2, 4, 5)), ((4, 4), (1, 2, 4, 5)), ((2, 5), (1, 2, 3, 4)),
                                              ((5, 3), (2, 3, 9)), ((3, 3), tuple(range(1, 8)))])  # fmt: skip
def test_both_backends_build_the_same_bytes(both, size, pieces):
    tables = set()
    for impl in both:
        entries = part(impl, "sliding.database").entries_of(size[0] * size[1], len(pieces))
        out = bytearray((entries + 1) // 2)
        part(impl, "sliding.database").kernels.build_pattern(size, 0, pieces, memoryview(out), lambda n: None)
        tables.add(bytes(out))
    assert len(tables) == 1 and any(tables.pop())


def test_a_file_is_kept_and_used_again(impl, fresh, monkeypatch):
    path = impl.sliding.build_database(SMALL)
    assert os.path.dirname(path) == fresh.cache_directory() and os.listdir(fresh.cache_directory()) == [
        os.path.basename(path)
    ]
    assert os.path.getsize(path) == 128 + fresh.table_bytes(16, fresh.parts_of(SMALL, (4, 4), 0))
    assert list(fresh.files()) == [(os.path.basename(path), os.path.getsize(path))]
    value = impl.sliding.database_distance(BOARD, partition=SMALL)
    fresh._loaded.clear()
    monkeypatch.setattr(fresh, "build", None)  # not called again
    assert impl.sliding.database_distance(BOARD, partition=SMALL) == value
    assert impl.sliding.build_database(SMALL) == path


def cut(content):
    return content[:-1]


def flip(content):
    return content[:5000] + bytes([content[5000] ^ 16]) + content[5001:]


def older(content):
    return content[:8] + b"\0" + content[9:]


def other(content):
    return content[:12] + b"\x04\x04\x01" + content[15:]


DAMAGES = [cut, flip, older, other, lambda c: b"", lambda c: c + b"\0", lambda c: c[:100], lambda c: b"x" * len(c)]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_noticed_and_made_anew(impl, fresh, small, damage):
    path = small
    with open(path, "rb") as file:
        right = file.read()
    value = impl.sliding.database_distance(BOARD, partition=SMALL)
    fresh._loaded.clear()
    with open(path, "wb") as file:
        file.write(damage(right))
    with pytest.warns(RuntimeWarning, match="is made anew") as warned:
        assert impl.sliding.solve(NEAR, heuristic=SMALL).heuristic == SMALL
    assert len(warned) == 1
    assert impl.sliding.database_distance(BOARD, partition=SMALL) == value
    with open(path, "rb") as file:
        assert file.read() == right


def test_a_damaged_file_that_may_not_be_made_anew(impl, fresh, small):
    path = small
    os.truncate(path, 1000)
    fresh._loaded.clear()
    with (
        pytest.warns(RuntimeWarning, match="cannot be used: it has 872 bytes") as warned,
        pytest.raises(impl.sliding.LimitReached, match="max_memory"),
    ):
        impl.sliding.solve(BOARD, heuristic=SMALL, max_memory=1000)
    assert len(warned) == 1 and os.path.getsize(path) == 1000


def test_every_byte_of_the_header_counts(fresh, small):
    path = small
    parts = fresh.parts_of(SMALL, (4, 4), 0)
    with open(path, "rb") as file:
        right = file.read()
    for at in range(128):
        with open(path, "wb") as file:
            file.write(right[:at] + bytes([right[at] ^ 1]) + right[at + 1 :])
        with pytest.raises(fresh.DamagedError):
            fresh.load(path, (4, 4), 0, parts)


@pytest.mark.parametrize("change", [lambda file: file.truncate(200), lambda file: file.write(b"\xff" * 250_000)])
def test_a_file_that_changes_while_it_is_used_changes_no_answer(impl, fresh, small, change):
    expected = impl.sliding.solve(BOARD, heuristic=SMALL)
    fresh._loaded.clear()
    assert impl.sliding.database_distance(BOARD, partition=SMALL) <= expected.length  # loads it
    with open(small, "r+b") as file:
        change(file)
    solution = impl.sliding.solve(BOARD, heuristic=SMALL)
    assert (solution.moves, solution.nodes) == (expected.moves, expected.nodes)


@pytest.mark.parametrize("failing", ["makedirs", "fsync", "replace"])
def test_a_cache_that_cannot_be_written_is_a_warning_and_no_wrong_answer(impl, fresh, monkeypatch, failing):
    def fail(*arguments, **more):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(fresh.os, failing, fail)
    with pytest.warns(RuntimeWarning, match="cannot be kept in .*No space left"):
        solution = impl.sliding.solve(BOARD, heuristic=SMALL)
    assert solution.moves == impl.sliding.solve(BOARD, heuristic="walking-distance").moves
    monkeypatch.undo()
    folder = fresh.cache_directory()
    assert not os.path.isdir(folder) or not [name for name in os.listdir(folder) if "tmp" in name]


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_files_have_the_permissions_of_any_new_file(impl, fresh, mask):
    before = os.umask(mask)
    try:
        path = impl.sliding.build_database("3-2", (2, 3))
    finally:
        os.umask(before)
    assert os.stat(path).st_mode & 0o777 == 0o666 & ~mask


def test_what_killed_processes_left_is_removed(impl, fresh):
    folder = fresh.cache_directory()
    os.makedirs(folder)
    now = time.time()
    ages = {
        "sliding-4x4-7-8.pdb.0123456789ab.tmp": 4000,  # left behind
        "sliding-4x4-6-6-3.pdb.abcdef_1.tmp": 90_000,
        "sliding-3x4-6-5.pdb.0123456789ab.tmp": 60,  # being written
        "another.tmp": 90_000,
        "sliding-4x4-5-5-5.pdb": 90_000,
    }
    for name, age in ages.items():
        path = os.path.join(folder, name)
        with open(path, "wb"):
            pass
        os.utime(path, (now - age, now - age))
    os.mkdir(os.path.join(folder, "sliding-directory.tmp"))
    os.utime(os.path.join(folder, "sliding-directory.tmp"), (now - 90_000, now - 90_000))
    path = impl.sliding.build_database("3-2", (2, 3))
    assert sorted(os.listdir(folder)) == sorted([*list(ages)[2:], "sliding-directory.tmp", os.path.basename(path)])


def test_a_file_in_place_of_the_cache_directory(impl, fresh, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("here")
    monkeypatch.setenv("BITBOARD_CACHE", str(tmp_path / "file"))
    with pytest.warns(RuntimeWarning, match="cannot be kept"):
        assert (
            impl.sliding.solve(BOARD, heuristic=SMALL).length == impl.sliding.solve(BOARD, heuristic="manhattan").length
        )
    assert list(fresh.files()) == []


def test_an_interrupted_build_leaves_nothing(impl, fresh, monkeypatch):
    def interrupted(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(fresh.kernels, "build_pattern", interrupted)
    with pytest.raises(KeyboardInterrupt):
        impl.sliding.build_database(SMALL)
    assert list(fresh.files()) == []
    monkeypatch.undo()


def test_where_the_cache_is(fresh, monkeypatch):
    monkeypatch.setenv("BITBOARD_CACHE", "/a/b")
    assert fresh.cache_directory() == "/a/b"
    monkeypatch.delenv("BITBOARD_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/c")
    assert fresh.cache_directory() == os.path.join("/c", "bitboard")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/home/someone")
    assert fresh.cache_directory() == os.path.join("/home/someone", ".cache", "bitboard")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")  # the rules of freedesktop.org: as if it were not set
    assert fresh.cache_directory() == os.path.join("/home/someone", ".cache", "bitboard")
    monkeypatch.setenv("BITBOARD_CACHE", "~/mine")
    assert fresh.cache_directory() == os.path.join("/home/someone", "mine")


def test_no_cache_is_known(impl, fresh, tmp_path, monkeypatch):
    """A user of a container: no HOME, and a number that nobody has. Answers stay right, and no folder `~` appears."""
    import pwd

    def nobody(number):
        raise KeyError(number)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(pwd, "getpwuid", nobody)
    for name in ("BITBOARD_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    expected = impl.sliding.solve(BOARD, heuristic="walking-distance")
    with pytest.warns(RuntimeWarning, match="is not kept: your home folder is not known: HOME is not set"):
        assert impl.sliding.solve(BOARD, heuristic=SMALL).moves == expected.moves
    monkeypatch.setenv("BITBOARD_CACHE", "~no-such-user-here/x")
    with pytest.raises(FileNotFoundError, match="BITBOARD_CACHE begins with a user whose folder is not known"):
        impl.sliding.build_database("3-2", (2, 3))
    assert list(fresh.files()) == [] and os.listdir(tmp_path) == []


def test_two_processes_at_once(tmp_path):
    """Both build, both answer, one whole file is left."""
    code = f"from bitboard import sliding; print(sliding.database_distance({BOARD!r}, partition={SMALL!r}))"
    environment = os.environ | {
        "BITBOARD_CACHE": str(tmp_path),
        "PYTHONPATH": str(ROOT),
        "BITBOARD_BACKEND": BACKENDS[0],
    }
    pair = [subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True,
                             stderr=subprocess.PIPE) for _ in range(2)]  # fmt: skip
    answers = [process.communicate(timeout=100) for process in pair]
    expected = IMPLEMENTATIONS[BACKENDS[0]].sliding.database_distance(BOARD, partition=SMALL)
    assert answers == [(f"{expected}\n", "")] * 2
    assert [name for name in os.listdir(tmp_path)] == [f"sliding-4x4-{SMALL}.pdb"]


def test_partitions(fresh):
    for size, name in [((4, 4), "6-6-3"), ((3, 4), "6-5"), ((2, 5), "5-4"), ((3, 5), "5-5-4"), ((2, 8), "5-5-5")]:
        assert fresh.default_partition(size) == name
        for blank in (0, 1, 5):
            parts = fresh.parts_of(name, size, blank)
            assert sorted(piece for pieces in parts for piece in pieces) == [
                cell for cell in range(size[0] * size[1]) if cell != blank
            ]
            assert [len(pieces) for pieces in parts] == [int(n) for n in name.split("-")]
    assert fresh.parts_of("7-8", (4, 4), 0) == (tuple(range(1, 8)), tuple(range(8, 16)))
    for bad in ("06-06-03", "6-6-03", "+6-6-3", "6-6-3-", "6 -6-3", "6-6-3\n", "", "-", "٦-6-3", "15"):
        with pytest.raises(ValueError, match="a partition for 4x4 must be"):
            fresh.parts_of(bad, (4, 4), 0)
    # what the default takes on disk
    assert fresh.table_bytes(16, fresh.parts_of("6-6-3", (4, 4), 0)) == 5_767_440
    assert fresh.table_bytes(16, fresh.parts_of("7-8", (4, 4), 0)) == 288_288_000


def test_partitions_that_are_no_text(impl):
    for bad in (5, b"6-6-3", ["6-6-3"], (6, 6, 3)):
        with pytest.raises(TypeError, match="partition must be a str, not"):
            impl.sliding.build_database(bad)
        with pytest.raises(TypeError, match="partition must be a str, not"):
            impl.sliding.database_distance(BOARD, partition=bad)


def test_on_a_terminal_without_rich_a_build_is_announced_once(impl, fresh, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    for name in [name for name in sys.modules if name.partition(".")[0] == "rich"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "rich", None)
    for terminal, told in ((Terminal(), "building 3-2 for 2x3, 0.0 MB\n"), (io.StringIO(), "")):
        monkeypatch.setattr(sys, "stderr", terminal)
        impl.sliding.build_database("3-2", (2, 3), rebuild=True)
        assert terminal.getvalue() == told
        fresh._loaded.clear()
        impl.sliding.build_database("3-2", (2, 3))
        assert terminal.getvalue() == told


def test_building_stops_at_the_limits(impl, fresh):
    large = "7-8" if impl.BACKEND == "c" else "5-5-5"
    for options, name in [({"max_seconds": 0.05}, "max_seconds"), ({"max_memory": 1000}, "max_memory")]:
        with pytest.raises(impl.sliding.LimitReached, match=f"building {large} takes .*{name}") as caught:
            impl.sliding.solve(BOARD, heuristic=large, **options)
        least = impl.sliding.manhattan(BOARD)
        assert (caught.value.lower_bound, caught.value.nodes) == (least, 0)
        assert str(least) in str(caught.value)
        assert caught.value.seconds >= options.get("max_seconds", 0)
        boards = [BOARD, "1 0 2 3 / 4 5 6 7 / 8 9 10 11 / 12 13 14 15", "1 2 0 3 / 4 5 6 7 / 8 9 10 11 / 12 13 15 14"]
        done = []
        many = impl.sliding.solve_many(boards, heuristic=large, errors="return", progress=done.append, **options)
        assert [type(one).__name__ for one in many] == ["LimitReached", "LimitReached", "Unsolvable"]
        assert [one.lower_bound for one in many[:2]] == [least, 1] and sum(done) == 2
        with pytest.raises(impl.sliding.LimitReached, match=name):
            impl.sliding.solve_many(boards[:2], heuristic=large, **options)
    assert list(fresh.files()) == []


def test_a_default_database_that_does_not_fit_the_limit_is_not_built(impl, fresh, monkeypatch):
    near = "1 2 0 3 4 / 5 6 7 8 9 / 10 11 12 13 14"
    built = []
    monkeypatch.setattr(fresh, "build", lambda size, blank, parts, progress: built.append(parts))
    assert impl.sliding.solve(near, size=(3, 5), max_seconds=0.05).heuristic == "manhattan"
    if impl.BACKEND == "python":
        assert impl.sliding.solve(near, size=(3, 5), max_seconds=20).heuristic == "walking-distance"
    assert built == []

    def slow(size, blank, parts, progress):
        built.append(parts)
        while True:
            progress(1)

    monkeypatch.setattr(fresh, "build", slow)
    monkeypatch.setattr(fresh, "building_seconds", lambda cells, parts: 0.0)
    assert impl.sliding.solve(near, size=(3, 5), max_seconds=0.1).heuristic == "manhattan"
    assert impl.sliding.solve(near, size=(3, 5), max_seconds=1).heuristic == "walking-distance"
    assert len(built) == 2


def test_without_a_database_pure_python_walks(impl, fresh):
    """The default heuristic where none is cached: built by the C core, walking distance without it."""
    solution = impl.sliding.solve(BOARD)
    assert solution.heuristic == ("6-6-3" if impl.BACKEND == "c" else "walking-distance")
    assert impl.sliding.solve(BOARD, max_memory=1000, heuristic="auto").moves == solution.moves
