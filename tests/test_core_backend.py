"""The choice of the backend, and what an import costs and loads."""

import importlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import BACKENDS, IMPLEMENTATIONS

PACKAGE = Path(IMPLEMENTATIONS[BACKENDS[0]].__file__).parent


def run(code, *options, cwd=PACKAGE.parent, **environment):
    settings = {k: v for k, v in os.environ.items() if k not in ("BITBOARD_BACKEND", "PYTHONPATH")} | environment
    return subprocess.run(
        [sys.executable, *options, "-c", code], capture_output=True, text=True, env=settings, cwd=cwd, timeout=60
    )


@pytest.fixture
def bare(tmp_path):
    """A copy of the package without anything built. Run it with -S: the finder of an editable
    installation would find the C modules elsewhere."""
    shutil.copytree(PACKAGE, tmp_path / "bitboard", ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    return tmp_path


SHOW = "import bitboard; print(bitboard.BACKEND, bitboard.move_left(0x1122 << 48))"
RESULT = 0x2300 << 48


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_backend_that_is_asked_for(backend):
    assert run(SHOW, BITBOARD_BACKEND=backend).stdout == f"{backend} {RESULT}\n"


def test_auto_takes_c_where_it_is_built():
    best = "c" if list(PACKAGE.glob("core/_leaf.*.so")) else "python"
    assert run(SHOW).stdout == f"{best} {RESULT}\n"
    assert run(SHOW, BITBOARD_BACKEND="auto").stdout == f"{best} {RESULT}\n"


def test_auto_falls_back_quietly_and_says_so(bare):
    done = run(SHOW, "-S", cwd=bare)
    assert (done.stdout, done.stderr) == (f"python {RESULT}\n", "")


def test_a_checkout_that_hides_an_installed_package_warns_once(bare):
    installed = bare / "site" / "bitboard" / "core"
    installed.mkdir(parents=True)
    twice = f"import importlib; {SHOW}; importlib.import_module('bitboard.many')"
    path = {"PYTHONPATH": str(bare / "site")}
    quiet = f"python {RESULT}\n", ""
    for built, in_a_checkout in ((False, False), (True, False), (False, True)):
        (bare / "csrc").mkdir() if in_a_checkout else None
        (installed / "_leaf.abi3.so").touch() if built else (installed / "_leaf.abi3.so").unlink(missing_ok=True)
        done = run(twice, "-S", cwd=bare, **path)
        assert (done.stdout, done.stderr) == quiet, (built, in_a_checkout)
    (installed / "_leaf.abi3.so").touch()
    done = run(twice, "-S", cwd=bare, **path)
    assert done.stdout == quiet[0] and done.stderr.count("RuntimeWarning: bitboard runs in pure Python") == 1
    assert f"the checkout {bare.resolve()} hides the package with a C core in {bare / 'site'}." in done.stderr
    done = run(twice, "-S", cwd=bare, BITBOARD_BACKEND="python", **path)
    assert (done.stdout, done.stderr) == quiet


def command(*arguments):
    """Code that runs a command."""
    return f"import sys; from bitboard.cli import main; sys.exit(main({arguments}))"


def test_commands_say_that_there_is_no_c_core(bare):
    """In `info`, with what to do, and in a line of those that play or learn far worse; not where it was asked for."""
    shown = run(command("info"), "-S", cwd=bare).stdout
    assert "backend  python (the C core is missing: not built, or in a zip)" in shown
    assert "install a C compiler" in shown
    assert "install a C compiler" not in run(command("info"), "-S", cwd=bare, BITBOARD_BACKEND="python").stdout
    done = run(command("watch", "--agent", "greedy", "--seed", "1"), "-S", cwd=bare)
    assert (done.returncode, done.stderr) == (
        0,
        "bitboard watch: in pure Python, far slower and weaker: the C core is missing: not built, or in a zip "
        "(see bitboard info)\n",
    )
    asked = run(command("watch", "--agent", "greedy", "--seed", "1"), "-S", cwd=bare, BITBOARD_BACKEND="python")
    assert (asked.returncode, asked.stdout, asked.stderr) == (0, done.stdout, "")
    assert run(command("perft", "1000000000000001", "2"), "-S", cwd=bare).stderr == ""


def test_c_where_it_is_missing_is_an_import_error(bare):
    done = run(SHOW, "-S", cwd=bare, BITBOARD_BACKEND="c")
    assert done.returncode == 1
    assert "ImportError: BITBOARD_BACKEND=c, but the C core cannot be loaded: " in done.stderr


def test_c_that_is_broken_is_an_import_error_with_the_cause(bare):
    (bare / "bitboard" / "core" / "_leaf.py").write_text("raise ImportError('undefined symbol: bb_gone')")
    assert "undefined symbol: bb_gone" in run(SHOW, "-S", cwd=bare, BITBOARD_BACKEND="c").stderr
    assert run(SHOW, "-S", cwd=bare).stdout == f"python {RESULT}\n"


def test_python_never_touches_c():
    code = "import sys, bitboard; bitboard.perft(1, 1); print([m for m in sys.modules if 'cffi' in m or '_leaf' in m])"
    assert run(code, BITBOARD_BACKEND="python").stdout == "[]\n"


def test_another_word_is_refused():
    done = run(SHOW, BITBOARD_BACKEND="fast")
    assert done.returncode == 1
    assert "ValueError: BITBOARD_BACKEND must be one of auto, c, python; it is 'fast'" in done.stderr


@pytest.mark.parametrize("backend", BACKENDS)
def test_import_loads_nothing_that_is_slow(backend):
    code = "import sys; before = set(sys.modules); import bitboard; print(*sorted(set(sys.modules) - before))"
    # -S: site may load modules of its own for what is installed
    path = os.pathsep.join([str(PACKAGE.parent), *(p for p in sys.path if p.endswith("site-packages"))])
    loaded = set(run(code, "-S", BITBOARD_BACKEND=backend, PYTHONPATH=path).stdout.split())
    slow = {"array", "random", "typing", "re", "enum", "pathlib", "dataclasses", "numpy", "ctypes", "importlib.util"}
    assert "bitboard" in loaded
    assert not loaded & slow
    assert not loaded & {"bitboard.core._bulk", "bitboard.many", "bitboard.cli", "bitboard.tools"}
    core = {"c": {"_c", "_leaf", "backend"}, "python": {"_py", "backend", "check"}}
    assert {name.split(".")[2] for name in loaded if name.startswith("bitboard.core.")} == core[backend]


def test_the_package_runs_from_a_zip(bare):
    """In pure Python, with its tables and pages."""
    shutil.make_archive(str(bare / "packed"), "zip", bare, "bitboard")
    code = """if True:
        import bitboard, bitboard.web.page
        print(bitboard.__file__, bitboard.BACKEND, bitboard.Expectimax(depth=1).best(0x1122 << 48))
        print("<html" in bitboard.web.page.static("index.html"))"""
    done = run(code, "-S", cwd="/", PYTHONPATH=str(bare / "packed.zip"))
    assert done.stdout == f"{bare / 'packed.zip' / 'bitboard' / '__init__.py'} python 2\nTrue\n", done.stderr
    shown = run(command("info"), "-S", cwd="/", PYTHONPATH=str(bare / "packed.zip")).stdout
    assert shown == run(command("info"), "-S", cwd=bare).stdout


def test_both_backends_have_the_same_names(both):
    from bitboard.core import _py

    if BACKENDS[0] == "c":
        from bitboard.core import _c

        assert _c.__all__ == _py.__all__
        for subject in ("many", "grid", "sliding", "search", "env"):
            in_python, in_c = (importlib.import_module(f"bitboard.{subject}.{half}") for half in ("_py", "_c"))
            own = {n for n, v in vars(in_python).items() if getattr(v, "__module__", "") == in_python.__name__}
            assert {name for name in own if name[0] != "_"} <= set(vars(in_c)), subject
    assert set(_py.__all__) - {"first_board", "next_board"} <= set(both[0].__all__)


if "c" in BACKENDS:

    def test_plain_cffi_wrappers_check_what_the_fast_ones_do():
        """The wrappers for a build without csrc/leaf_fast.h, over the same library."""
        from bitboard.core import _c

        move_left, spawn, next_board = _c._plain("move_left"), _c._plain("spawn"), _c._plain("next_board")
        assert move_left(0x1122 << 48) == RESULT
        assert spawn(0, 2**64 - 1) == 1
        assert next_board(1, 2, 3) == _c.next_board(1, 2, 3)
        assert "Slide left" in move_left.__doc__
        for bad, error in [(1.5, TypeError), (-1, OverflowError), (2**64, OverflowError), (None, TypeError)]:
            with pytest.raises(error, match="^board"):
                move_left(bad)
            with pytest.raises(error, match="^random64"):
                spawn(0, bad)
            with pytest.raises(error, match="^slide"):
                next_board(0, 0, bad)

    def test_half_a_c_core_says_so(tmp_path):
        """The one-board functions load, the bulk module is gone."""
        shutil.copytree(PACKAGE, tmp_path / "bitboard", ignore=shutil.ignore_patterns("_bulk*.so", "__pycache__"))
        path = os.pathsep.join(p for p in sys.path if p.endswith("site-packages"))
        done = run("import bitboard; bitboard.perft(1, 1)", "-S", cwd=tmp_path, PYTHONPATH=path)
        assert "ImportError: the C core is incomplete, build it again: " in done.stderr
