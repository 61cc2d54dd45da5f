"""What a call costs: every call that an agent makes for a move, as a multiple of move_left in the same run.

    python tests/bench/call.py [yardsticks] [calls] [games]     all three unless named

yardsticks  move_left against a hand-written C extension (compiled here: a METH_O function that does the same
            four look-ups), plain cffi and pure Python
calls       the functions and objects of one board
games       a move of a game, of an evaluation and of the environment as gymnasium.make() gives it
Each is timed by turns with the others, in processor time, and the shortest of the rounds counts.
"""

import importlib.util
import os
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

import cffi
import machine

os.environ["BITBOARD_BACKEND"] = "c"
import bitboard

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


def shortest(works, number, rounds):
    """The shortest time of each of several functions without arguments, by turns, divided by its number of calls."""
    times = dict.fromkeys(works, float("inf"))
    for _ in range(rounds):
        for name, work in works.items():
            start = time.process_time()
            work()
            times[name] = min(times[name], time.process_time() - start)
    return {name: seconds / number for name, seconds in times.items()}


def loop(statement, **names):
    """A function that runs a statement for each of `boards`."""
    space = dict(names)
    exec(f"def work():\n    for board in boards:\n        {statement}", space)
    return space["work"]


def yardsticks():
    """move_left against what else one might call."""
    from bitboard.core import _py

    boards = [bitboard.random64(1, i) & bitboard.random64(2, i) for i in range(1000)] * 50
    build = [sys.executable, machine.ROOT / "csrc" / "ffi_build.py"]
    rows = subprocess.run(build, capture_output=True, text=True, check=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        functions = {
            "hand-written METH_O": yardstick(folder, rows),
            "bitboard.move_left": bitboard.move_left,
            "plain cffi": plain(folder, rows),
            "pure Python": _py.move_left,
        }
        works = {name: loop("f(board)", f=f, boards=boards) for name, f in functions.items()}
        times = shortest({"empty": loop("pass", boards=boards), **works}, len(boards), 15)
    empty, base = times.pop("empty"), times["hand-written METH_O"]
    for name, seconds in times.items():
        net = seconds - empty
        print(f"{name:28} {net * 1e9:7.1f} ns  {net / (base - empty):6.2f} times the hand-written one")
    python, c = times["pure Python"] - empty, times["bitboard.move_left"] - empty
    print(f"C against the fallback: {python / c:.1f} times as fast")


def middle_boards():
    """Boards of random games with six empty cells, three or four legal directions."""
    boards = []
    for seed in range(400):
        game, agent = bitboard.Game(seed), bitboard.agents.Random(seed)
        while not game.over:
            game.move(agent(game.board))
            if (
                game.moves > 40
                and bitboard.empty_count(game.board) == 6
                and bitboard.legal_moves(game.board) in (7, 15)
            ):
                boards.append(game.board)
                break
    return boards


def calls():
    """The functions and objects of one board."""
    import numpy

    boards = middle_boards()
    lists = [bitboard.to_grid(board) for board in boards]
    arrays = [numpy.array(grid) for grid in lists]
    texts = [f"{board:016x}" for board in boards]
    table, search = bitboard.RowTable.default(), bitboard.Expectimax(depth=0)
    asked = {
        "move_left(b)": (1, bitboard.move_left, boards),
        "afterstates(b)": (6, bitboard.afterstates, boards),
        "spawns(b), 6 empty cells": (20, bitboard.spawns, boards),
        "symmetries(b)": (6, bitboard.symmetries, boards),
        "to_grid(b)": (12, bitboard.to_grid, boards),
        "from_grid(lists)": (30, bitboard.from_grid, lists),
        "from_grid(numpy)": (60, bitboard.from_grid, arrays),
        "parse(16 digits)": (15, bitboard.parse, texts),
        "move(b, 'L')": (4, bitboard.move, boards, "'L'"),
        "move(b, 3)": (4, bitboard.move, boards, "3"),
        "reward(b, 'left')": (4, bitboard.reward, boards, "'left'"),
        "RowTable()(b)": (4, table, boards),
        "Expectimax(depth=0).best(b)": (30, search.best, boards),
        "Expectimax(depth=0).values(b)": (30, search.values, boards),
        "agents.Greedy()(b)": (20, bitboard.agents.Greedy(), boards),
    }
    works = {"empty": loop("pass", boards=boards * 20)}
    for name, (_, function, arguments, *more) in asked.items():
        works[name] = loop(f"f({', '.join(['board', *more])})", f=function, boards=arguments * 20)
    times = shortest(works, 20 * len(boards), 25)
    empty = times.pop("empty")
    base = times["move_left(b)"] - empty
    for name, seconds in times.items():
        print(f"{name:30} {(seconds - empty) * 1e9:8.1f} ns  {(seconds - empty) / base:7.1f} (asked {asked[name][0]})")
    return base


def legal_first(game):
    """Play a game by the lowest legal direction: a loop of Game.legal and Game.move, little else."""
    while mask := game.legal:
        game.move((mask & -mask).bit_length() - 1)
    return game.moves


def lowest(board):
    """The cheapest agent."""
    mask = bitboard.legal_moves(board)
    return (mask & -mask).bit_length() - 1


def games():
    """Moves a second, and what one costs as a multiple of move_left."""
    works, moves = {}, {}

    def add(name, work):
        moves[name] = work()
        works[name] = work

    boards = middle_boards() * 250
    add("move_left(b)", lambda: loop("f(board)", f=bitboard.move_left, boards=boards)() or len(boards))
    add("Game.legal, Game.move", lambda: sum([legal_first(bitboard.Game(seed)) for seed in range(300)]))
    add("evaluate(a cheap agent)", lambda: bitboard.evaluate(lowest, 300).moves)
    add("evaluate(agents.Random())", lambda: bitboard.evaluate(bitboard.agents.Random(), 200).moves)
    try:
        import gymnasium
        import numpy
    except ImportError as error:
        print(f"without the environment: {error}")
    else:
        env = gymnasium.make(bitboard.env.ENV_ID)
        actions = numpy.random.default_rng(1).integers(0, 4, 40_000)

        def steps():
            env.reset(seed=1)
            for action in actions:
                _, _, terminated, truncated, _ = env.step(action)
                if terminated or truncated:
                    env.reset()
            return len(actions)

        add("step of make()'s environment", steps)
    times = shortest(works, 1, 15)
    base = times["move_left(b)"] / moves["move_left(b)"]
    for name, seconds in times.items():
        each = seconds / moves[name]
        print(f"{name:30} {1e-3 / each:8,.0f} thousand a second  {each / base:6.1f} times move_left")


def main():
    print(machine.describe(), flush=True)
    parts = {"yardsticks": yardsticks, "calls": calls, "games": games}
    for name in sys.argv[1:] or parts:
        parts[name]()


if __name__ == "__main__":
    main()
