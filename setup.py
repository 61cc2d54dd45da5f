"""Build bitboard: with its C core where there is a compiler, as a pure Python package where there is none.

BITBOARD_BUILD_C = auto   (default) compile if a two-line program that includes Python.h compiles
                   1      compile, and fail without a compiler
                   0      do not compile
An error in csrc/ always stops the build.
"""

import os
import sys
import tempfile
from pathlib import Path

from setuptools import setup
from setuptools._distutils.ccompiler import new_compiler
from setuptools._distutils.errors import CompileError
from setuptools._distutils.sysconfig import customize_compiler, get_python_inc
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist


def can_compile():
    """Whether the compiler that builds extensions compiles an empty one."""
    compiler = new_compiler()
    customize_compiler(compiler)
    with tempfile.TemporaryDirectory() as folder:
        probe = os.path.join(folder, "probe.c")
        with open(probe, "w") as file:
            file.write("#include <Python.h>\nint probe(void) { return PY_MAJOR_VERSION; }\n")
        try:
            compiler.compile([probe], output_dir=folder, include_dirs=[get_python_inc()])
        except (CompileError, OSError):
            return False
    return True


def wants_c():
    """What BITBOARD_BUILD_C says, or what the machine can do."""
    choice = os.environ.get("BITBOARD_BUILD_C", "auto")
    if choice not in ("auto", "1", "0"):
        sys.exit(f"BITBOARD_BUILD_C must be auto, 1 or 0, not {choice!r}")
    if choice == "auto" and not can_compile():
        print("bitboard: no C compiler with Python.h found; building without the C core", file=sys.stderr)
        return False
    return choice != "0"


class BuildExtensions(build_ext):
    """build_ext with the flags of the compiler at hand: MinGW on Windows wants those of GCC."""

    def build_extensions(self):
        if self.compiler.compiler_type == "msvc":
            flags = ["/O2", "/std:c11"]  # the loops use `restrict`
        else:
            flags = ["-O3", "-std=gnu99", "-ffp-contract=off", "-fvisibility=hidden"]
        for extension in self.extensions:
            extension.extra_compile_args = flags
        super().build_extensions()


class SourceDistribution(sdist):
    """The sdist, with the tests, those in C too, the tables and the guide to the C core beside what a build needs."""

    def make_release_tree(self, base_dir, files):
        folders = [Path("tests"), Path("tables"), Path("csrc", "selftest")]
        more = [str(p) for f in folders for p in f.rglob("*") if p.is_file() and "__pycache__" not in p.parts]
        super().make_release_tree(base_dir, sorted({*files, *more, "csrc/README.md"}))


options = {"cmdclass": {"sdist": SourceDistribution, "build_ext": BuildExtensions}}
if wants_c():
    options["cffi_modules"] = ["csrc/ffi_build.py:leaf", "csrc/ffi_build.py:bulk"]
    if sys.implementation.name == "cpython" and getattr(sys, "_is_gil_enabled", lambda: True)():
        options["options"] = {"bdist_wheel": {"py_limited_api": "cp310"}}

setup(**options)
