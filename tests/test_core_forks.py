"""A process forked while another thread is at work under a lock of the package goes on with its own work."""

import importlib
import os
import pkgutil
import subprocess
import sys
import threading

import pytest
from conftest import BACKENDS
from interrupting import PLACE

# A thread begins `hold()` and calls `at_work()` from inside; then the process forks, and the child does `work()`.
PROGRAM = """
import os, signal, sys, threading, warnings
warnings.simplefilter("ignore", DeprecationWarning)  # newer Pythons warn of the fork itself
import bitboard
from bitboard import sliding
from bitboard.sliding import database, solver

inside, go_on, child = threading.Event(), threading.Event(), False

def at_work(*arguments):
    if not child:
        inside.set()
        go_on.wait(60)

def patched(module, name):
    real = getattr(module, name)
    def slow(*arguments, **named):
        at_work()
        return real(*arguments, **named)
    setattr(module, name, slow)

def first_evaluator(boards):
    at_work()
    return [float(board >> 60) for board in boards]

{setting}
thread = threading.Thread(target=work)
thread.start()
assert inside.wait(60)
pid = os.fork()
if not pid:
    child = True
    signal.alarm(60)
    made = work()
    os.write(1, repr(made).encode())
    os._exit(0)
_, status = os.waitpid(pid, 0)
go_on.set()
thread.join()
assert status == 0, status
print("\\nparent", work())
"""
SETTINGS = {
    "database": """
patched(database, "build")
def work():
    return sliding.solve("5 1 2 3 4 / 0 6 7 8 9", goal="blank-first", heuristic="3-3-3").moves
""",
    "table": """
patched(solver.kernels, "Table")
def work():
    return sliding.solve("1 2 0 / 3 4 5").moves
""",
    "search": """
search = bitboard.Expectimax(1, evaluator=first_evaluator)
def work():
    return search.best(0x1230_0000_0000_0000)
""",
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("what", SETTINGS)
def test_the_child_does_not_wait_for_a_thread_of_its_parent(backend, what, tmp_path):
    program = PROGRAM.replace("{setting}", SETTINGS[what])
    settings = {"BITBOARD_BACKEND": backend, "BITBOARD_CACHE": str(tmp_path), "PYTHONPATH": str(PLACE)}
    done = subprocess.run(
        [sys.executable, "-c", program], env=os.environ | settings, capture_output=True, text=True, timeout=180
    )
    assert done.returncode == 0, done.stderr
    in_child, in_parent = done.stdout.split("\nparent ")
    assert in_child.strip("'") == in_parent.strip().strip("'") != ""


def test_the_locks_of_all_modules_are_such(impl):
    found = set()
    for info in pkgutil.walk_packages(impl.__path__, impl.__name__ + "."):
        if "_moved" in info.name or info.name.endswith(("__main__", "._c")):
            continue
        try:
            module = importlib.import_module(info.name)
        except ImportError:  # what needs an extra that is not here
            continue
        for name, value in vars(module).items():
            assert not isinstance(value, (type(threading.Lock()), type(threading.RLock()))), f"{info.name}.{name}"
            if type(value).__name__ == "Lock" and type(value).__module__.startswith(impl.__name__):
                found.add(f"{info.name.removeprefix(impl.__name__)}.{name}")
    assert found >= {".sliding.database._lock", ".sliding.solver._tables_lock"}


def test_what_the_forking_thread_holds_it_holds_in_the_child(impl):
    forks = importlib.import_module(".tools.forks", impl.__name__)
    mine, other = forks.Lock(), forks.Lock()
    thread = threading.Thread(target=other.__enter__)
    thread.start()
    thread.join()
    with mine, mine:
        forks._in_child()  # what a child does first
        assert not mine.broken and other.broken
        taken = []
        second = threading.Thread(target=lambda: taken.append(mine.inner.acquire(blocking=False)))
        second.start()
        second.join()
        assert taken == [False]
        with other:
            pass
    with mine:
        assert not mine.broken
