"""Build bitboard: with its C core where extensions can be built, as a pure Python package where they cannot.

BITBOARD_BUILD_C = auto   (default) compile if an extension of two lines compiles and links
                   1      compile, and fail where that is not possible
                   0      do not compile
An error in csrc/ always stops the build.
"""

import os
import runpy
import shutil
import sys
import tempfile
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

if sys.version_info < (3, 10):  # noqa: UP036 - an installer may come here before it reads requires-python
    sys.exit(f"bitboard needs Python 3.10 or newer; this is Python {sys.version.split()[0]}")

from setuptools import Distribution, Extension, setup
from setuptools._distutils.dist import Distribution as PlainDistribution
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist


def remove_libraries():
    """Delete the C modules in the checkout that this Python would load: those of an earlier build."""
    for name in ("_leaf", "_bulk"):
        for suffix in EXTENSION_SUFFIXES:
            Path("bitboard", "core", name + suffix).unlink(missing_ok=True)


class BuildFiles(build_py):
    """build_py that keeps nothing of an earlier build: no file that is gone since, no library that would be loaded."""

    def run(self):
        if self.editable_mode:
            remove_libraries()
        else:
            shutil.rmtree(os.path.join(self.build_lib, "bitboard"), ignore_errors=True)
        super().run()


class BuildExtensions(build_ext):
    """build_ext with the flags of the compiler at hand: MinGW on Windows wants those of GCC."""

    def run(self):
        if self.inplace:
            remove_libraries()
        super().run()

    def build_extensions(self):
        if self.compiler.compiler_type == "msvc":
            flags = ["/O2", "/std:c11"]  # the loops use `restrict`
        else:
            flags = ["-O3", "-std=gnu99", "-ffp-contract=off", "-fvisibility=hidden"]
        for extension in self.extensions:
            extension.extra_compile_args = flags
        super().build_extensions()


class SourceDistribution(sdist):
    """The sdist, with all of csrc, the tests and the tables, whether or not C is built here."""

    def make_release_tree(self, base_dir, files):
        folders = [Path("csrc"), Path("tests"), Path("tables")]
        more = [str(p) for f in folders for p in f.rglob("*") if p.is_file() and "__pycache__" not in p.parts]
        super().make_release_tree(base_dir, sorted({*files, *more}))


def why_no_c():
    """Why no extension can be built here, in a line, or "": one is, the way that those of the package would be.

    With the flags and the linker of the package, so that whatever is missing, a compiler, its linker, Python.h or
    Visual C++, is found out before the choice between the two kinds of wheel is made.
    """
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "probe.c")
        source.write_text(
            "#include <Python.h>\nPyMODINIT_FUNC PyInit_probe(void) { return NULL; }\n"
            "int probe(const char *restrict a) { return *a; }\n",
            encoding="utf-8",
        )
        try:
            probe = Distribution(
                {"cmdclass": {"build_ext": BuildExtensions}, "ext_modules": [Extension("probe", [str(source)])]}
            )
            PlainDistribution.parse_config_files(probe)  # the user's choice of a compiler; pyproject.toml is not wanted
            build = probe.get_command_obj("build_ext")
            build.build_lib = build.build_temp = folder
            build.inplace = False
            build.ensure_finalized()
            build.run()
        except Exception as error:  # distutils has a dozen of its own, and Windows adds some
            return " ".join(f"{type(error).__name__}: {error}".split())
    return ""


def wants_c():
    """What BITBOARD_BUILD_C says, or what the machine can do."""
    choice = os.environ.get("BITBOARD_BUILD_C", "auto")
    if choice not in ("auto", "1", "0"):
        sys.exit(f"BITBOARD_BUILD_C must be auto, 1 or 0, not {choice!r}")
    if choice == "auto" and (reason := why_no_c()):
        print(
            "bitboard: WITHOUT its C core, in pure Python: the same results, 10 to 1000 times slower.\n"
            f"bitboard: C extensions cannot be built here: {reason}",
            file=sys.stderr,
        )
        return False
    return choice != "0"


options = {"cmdclass": {"sdist": SourceDistribution, "build_py": BuildFiles, "build_ext": BuildExtensions}}
if wants_c():
    options["cffi_modules"] = ["csrc/ffi_build.py:leaf", "csrc/ffi_build.py:bulk"]
    if runpy.run_path("csrc/ffi_build.py")["ABI3"]:
        options["options"] = {"bdist_wheel": {"py_limited_api": "cp310"}}

setup(**options)
