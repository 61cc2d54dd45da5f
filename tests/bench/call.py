"""What one call costs: bitboard against a hand-written C extension, plain cffi and pure Python, in one run.

    python tests/bench/call.py

The yardstick is compiled here: a METH_O function that does the same four look-ups.
"""

import importlib.util
import os
import subprocess
import sys
import sysconfig
import tempfile
import timeit
from pathlib import Path

import cffi
import machine

FLAGS = ["-O3", "-fvisibility=hidden"]

YARDSTICK = """
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include "bitboard.h"
static PyObject *move_left(PyObject *self, PyObject *argument)
{
    unsigned long long board = PyLong_AsUnsignedLongLong(argument);
    if (board == (unsigned long long)-1 && PyErr_Occurred())
        return NULL;
    return PyLong_FromUnsignedLongLong(bb_slid_left(board));
}
static PyMethodDef methods[] = {{"move_left", move_left, METH_O, ""}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "yardstick", "", -1, methods};
PyMODINIT_FUNC PyInit_yardstick(void) { return PyModule_Create(&module); }
"""


def load(name, path):
    """A compiled extension module, by its path."""
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def yardstick(folder, rows):
    """The hand-written function, compiled and loaded."""
    source, library = Path(folder) / "yardstick.c", Path(folder) / "yardstick.so"
    source.write_text(YARDSTICK + rows)
    include = sysconfig.get_path("include")
    command = ["cc", "-std=gnu99", *FLAGS, "-fPIC", "-shared", "-I", include, "-I", machine.ROOT / "csrc"]
    subprocess.run([*command, source, "-o", library], check=True)
    return load("yardstick", library).move_left


def plain(folder, rows):
    """The same function through cffi as it is: the GIL released, errno saved."""
    ffi = cffi.FFI()
    ffi.cdef("uint64_t move_left(uint64_t board);")
    code = "static uint64_t move_left(uint64_t board) { return bb_slid_left(board); }\n" + rows
    ffi.set_source(
        "plain", '#include "bitboard.h"\n' + code, include_dirs=[str(machine.ROOT / "csrc")], extra_compile_args=FLAGS
    )
    return load("plain", ffi.compile(tmpdir=folder)).lib.move_left


def main():
    os.environ["BITBOARD_BACKEND"] = "c"
    import bitboard
    from bitboard.core import _py

    print(machine.describe())
    boards = [bitboard.random64(1, i) & bitboard.random64(2, i) for i in range(1000)]
    build = [sys.executable, machine.ROOT / "csrc" / "ffi_build.py"]
    rows = subprocess.run(build, capture_output=True, text=True, check=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        functions = {
            "hand-written METH_O": yardstick(folder, rows),
            "bitboard.move_left": bitboard.move_left,
            "plain cffi": plain(folder, rows),
            "pure Python": _py.move_left,
        }
        loop = "for board in boards: f(board)"
        empty = min(timeit.repeat("for board in boards: pass", globals={"boards": boards}, number=200, repeat=7))
        times = {
            name: (min(timeit.repeat(loop, globals={"f": f, "boards": boards}, number=200, repeat=15)) - empty) / 200e3
            for name, f in functions.items()
        }
        move = (
            min(
                timeit.repeat(
                    "for board in boards: f(board, 3)", globals={"f": bitboard.move, "boards": boards}, number=200
                )
            )
            - empty
        ) / 200e3
    base = times["hand-written METH_O"]
    for name, seconds in {**times, "bitboard.move(board, 3)": move}.items():
        print(f"{name:28} {seconds * 1e9:7.1f} ns  {seconds / base:6.2f} times the hand-written one")
    print(f"C against the fallback: {times['pure Python'] / times['bitboard.move_left']:.1f} times as fast")


if __name__ == "__main__":
    main()
