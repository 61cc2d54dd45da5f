"""Build where something is missing, old or of another kind, and look at what the build does about it.

    python .ci/check_install.py CHECKOUT

- no compiler, no linker, no Visual C++: pure Python, said with the cause
- GCC on Windows (MinGW) gets the flags of GCC
- a free-threaded Python gets a wheel of its own, also with PYTHON_GIL=1
- a Python that is too old is told so
- an editable installation, and a wheel, have nothing of an earlier build in them

The compiler of most cases is a script that makes empty files and keeps its arguments, so that they take a second each.
CHECKOUT is not changed: everything happens in a copy of what git knows of it.
"""

import glob
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

FAKE = """#!{python}
import sys
with open({log!r}, "a") as file:
    print(*sys.argv[1:], file=file)
if "-dumpmachine" in sys.argv:
    print("x86_64-w64-mingw32")
if "-o" in sys.argv:
    open(sys.argv[sys.argv.index("-o") + 1], "w").close()
"""
FREE_THREADED = 'import sysconfig; sysconfig.get_config_vars()["Py_GIL_DISABLED"] = 1\n'
TOO_OLD = "import runpy, sys; sys.version_info = (3, 9, 18); sys.version = '3.9.18'; runpy.run_path('setup.py')"
HOOK = "import sys, setuptools.build_meta as backend; print(getattr(backend, sys.argv[1])(sys.argv[2]))"
SUFFIX = ".abi3.so"


class Place:
    """A copy of the checkout, a compiler that compiles nothing, and a home without settings."""

    def __init__(self, checkout, folder):
        self.folder, self.tree, self.home = Path(folder), Path(folder, "tree"), Path(folder, "home")
        subprocess.run(["git", "clone", "-q", "--no-hardlinks", checkout, self.tree], check=True)
        self.home.mkdir()
        self.log = self.folder / "compiled"
        self.compiler = self.folder / "cc"
        self.compiler.write_text(FAKE.format(python=sys.executable, log=str(self.log)))
        self.compiler.chmod(0o755)
        self.faked = {"CC": str(self.compiler), "LDSHARED": f"{self.compiler} -shared"}

    def run(self, *arguments, python=sys.executable, **environment):
        """Run a Python in the copy: (exit status, what it printed)."""
        done = subprocess.run(
            [python, *map(str, arguments)], cwd=self.tree, env=os.environ | {"HOME": str(self.home)} | environment,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        return done.returncode, done.stdout

    def build(self, kind, **environment):
        """What pip calls: the one file that build_wheel or build_editable makes."""
        out = Path(tempfile.mkdtemp(dir=self.folder))
        status, text = self.run("-c", HOOK, f"build_{kind}", out, **environment)
        assert status == 0, text
        (made,) = out.glob("*.whl")
        return made

    def compiled(self):
        """The arguments of each call of the compiler since the last time."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return lines


def check_missing(place):
    (place.home / ".pydistutils.cfg").write_text("[build_ext]\ncompiler = msvc\n")
    for what, cause, environment in (
        ("compiler", "CompileError", {"CC": "/nonexistent/cc"}),
        ("linker", "LinkError", {"LDSHARED": "/nonexistent/ld"}),
        ("Visual C++", "PlatformError", {}),
    ):
        home = {} if what == "Visual C++" else {"HOME": str(place.folder)}
        status, text = place.run("setup.py", "-q", "--version", **environment, **home)
        assert status == 0 and "WITHOUT its C core" in text and f"cannot be built here: {cause}" in text, text
        status, text = place.run("setup.py", "-q", "build_ext", BITBOARD_BUILD_C="1", **environment, **home)
        assert status != 0, f"BITBOARD_BUILD_C=1 without a {what} must fail"
        print(f"no {what}: pure Python, and an error where C is asked for")
    (place.home / ".pydistutils.cfg").unlink()


def check_mingw(place):
    place.compiled()
    status, text = place.run(
        "setup.py", "-q", "build_ext", "--compiler=mingw32", BITBOARD_BUILD_C="1", **place.faked
    )  # fmt: skip
    assert status == 0, text
    compiled = [line for line in place.compiled() if " -c " in f" {line} "]
    assert len(compiled) > 20 and all(" -O3 " in line and "/O2" not in line for line in compiled), compiled
    print("MinGW: the flags of GCC")


def check_free_threaded(place):
    version = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    (place.home / "sitecustomize.py").write_text(FREE_THREADED)
    for gil in ("0", "1"):
        wheel = place.build("wheel", PYTHONPATH=str(place.home), PYTHON_GIL=gil, **place.faked)
        assert f"-{version}-{version}" in wheel.name, wheel.name
        assert any("_CFFI_NO_LIMITED_API" in line for line in place.compiled())
    (place.home / "sitecustomize.py").unlink()
    wheel = place.build("wheel", **place.faked)
    assert "-cp310-abi3-" in wheel.name, wheel.name
    print("free-threaded: a wheel of its own, with the GIL on and off")


def check_too_old(place):
    status, text = place.run("-c", TOO_OLD)
    assert status == 1 and text == "bitboard needs Python 3.10 or newer; this is Python 3.9.18\n", text
    for python in glob.glob(os.path.expanduser("~/.pyenv/versions/3.[89].*/bin/python")):
        for arguments in (["setup.py", "--version"], ["-c", "import bitboard"]):
            status, text = place.run(*arguments, python=python)
            assert status == 1 and "bitboard needs Python 3.10 or newer; this is Python 3." in text, text
    print("Python 3.9: needs Python 3.10 or newer")


def check_nothing_old(place):
    core, built = place.tree / "bitboard" / "core", place.tree / "build" / "lib" / "bitboard"
    old = [core / f"_leaf{suffix}" for suffix in (SUFFIX, ".so", sysconfig.get_config_var("EXT_SUFFIX"))]
    for path in old:
        path.write_text("of an earlier build")
    place.build("editable", **place.faked)
    assert [path.exists() for path in old] == [True, False, False] and old[0].read_text() == ""
    assert (core / f"_bulk{SUFFIX}").is_file()
    place.build("editable", BITBOARD_BUILD_C="0")
    assert not list(core.glob("*.so"))
    built.mkdir(parents=True, exist_ok=True)
    (built / "gone.py").write_text("of an earlier build")
    wheel = place.build("wheel", BITBOARD_BUILD_C="0")
    shutil.unpack_archive(wheel, place.folder / "unpacked", "zip")
    assert (place.folder / "unpacked" / "bitboard" / "cli.py").is_file()
    assert not (place.folder / "unpacked" / "bitboard" / "gone.py").exists()
    print("nothing of an earlier build is loaded or packed")


def main():
    with tempfile.TemporaryDirectory() as folder:
        place = Place(Path(sys.argv[1]).resolve(), folder)
        for check in (check_missing, check_mingw, check_free_threaded, check_too_old, check_nothing_old):
            check(place)


if __name__ == "__main__":
    main()
