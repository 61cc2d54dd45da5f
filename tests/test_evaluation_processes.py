"""bitboard.evaluate on processes of its own: none is forked, none outlives the parent, none takes games with it."""

import os
import re
import signal
import subprocess
import sys
from importlib import import_module

import agents_that_fail as agents
import pytest
from conftest import BACKENDS, IMPLEMENTATIONS, ROOT

PACKAGE = IMPLEMENTATIONS[BACKENDS[0]]  # processes import the package by its own name
processes = import_module(".evaluation.processes", PACKAGE.__name__)
todo = import_module(".evaluation.todo", PACKAGE.__name__)


def games(result):
    """All that does not depend on the clock."""
    return [row[:5] for row in result.results]


def whole(n):
    return games(PACKAGE.evaluate(agents.first_legal, n))


def started(*arguments):
    """A Python program at work: its output ends when it and all processes that it started have ended."""
    place = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    return subprocess.Popen(
        [sys.executable, *map(str, arguments)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        env=os.environ | {"PYTHONPATH": place},
    )  # fmt: skip


def test_a_lock_that_a_thread_of_the_parent_holds_is_no_matter():
    with agents.LOCK:
        assert games(PACKAGE.evaluate(agents.Locks(), 4, workers=2)) == whole(4)


def test_an_agent_is_pickled_once_and_loaded_once_by_each_process(tmp_path):
    agents.Large.pickled = 0
    result = PACKAGE.evaluate(agents.Large(str(tmp_path / "loads")), 60, workers=2)
    assert games(result) == whole(60)
    loads = (tmp_path / "loads").read_text().split()
    assert agents.Large.pickled == 1 and 1 <= len(loads) == len(set(loads)) <= 2


@pytest.mark.parametrize("count", [2, 3])
def test_the_games_of_a_process_that_dies_are_played_again(tmp_path, count):
    result = PACKAGE.evaluate(agents.Dies(7, str(tmp_path / "died")), 20, workers=count)
    assert (tmp_path / "died").exists() and games(result) == whole(20)


def test_a_game_that_always_kills_its_process_is_named_and_the_others_are_kept():
    with pytest.raises(RuntimeError, match=r"^game 7 was lost 3 times, .*killed by SIGKILL \(out of memory") as info:
        PACKAGE.evaluate(agents.Dies(7), 20, workers=2)
    kept = games(info.value.evaluation)
    assert set(range(7)) <= {row[0] for row in kept} and set(kept) <= set(whole(20))


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        (agents.Exits(3), "game 3: the agent raised SystemExit: 3"),
        (agents.RaisesOdd(3), r"game 3, start\(\): .*Odd: 1 and 2"),
    ],
)
def test_whatever_an_agent_raises_comes_back(agent, message):
    with pytest.raises(RuntimeError, match=message) as info:
        PACKAGE.evaluate(agent, 8, workers=2)
    assert set(games(info.value.evaluation)) <= set(whole(8))


def test_the_first_game_may_be_any():
    assert games(PACKAGE.evaluate(agents.first_legal, 6, workers=2, first=4)) == whole(10)[4:]


def test_many_processes_are_waited_for_in_parts(monkeypatch):
    monkeypatch.setattr(processes, "AT_ONCE", 3)  # Windows waits for at most 63 things in a call
    assert games(PACKAGE.evaluate(agents.first_legal, 12, workers=4)) == whole(12)


def test_fewer_processes_than_asked_for_are_enough(monkeypatch):
    real, made = processes._Process, []

    def limited(seed):
        if len(made) == most:
            raise OSError("no more processes")
        made.append(real(seed))
        return made[-1]

    monkeypatch.setattr(processes, "_Process", limited)
    most = 1
    assert games(PACKAGE.evaluate(agents.first_legal, 6, workers=3)) == whole(6)
    most = len(made)
    with pytest.raises(OSError, match="no more processes") as info:
        PACKAGE.evaluate(agents.first_legal, 6, workers=3)
    assert info.value.evaluation is None


UNGUARDED = """
import bitboard
bitboard.evaluate(bitboard.agents.Greedy(), 4, workers=2)
"""


def test_a_script_without_the_guard_is_told_of_it(tmp_path):
    (tmp_path / "script.py").write_text(UNGUARDED)
    process = started(tmp_path / "script.py")
    _, err = process.communicate(timeout=60)
    (told,) = re.findall(
        "RuntimeError: no game could be played: its.*", err
    )  # the processes write there too, in between
    assert process.returncode == 1 and "`if __name__ == '__main__':`" in told


NOWHERE = """
import bitboard
def agent(board):
    return bitboard.agents.Greedy()(board)
bitboard.evaluate(agent, 4, workers=2)
"""


def test_an_agent_of_no_module_is_told_to_get_one():
    process = started("-c", NOWHERE)
    _, err = process.communicate(timeout=60)
    (told,) = [line for line in err.splitlines() if line.startswith("TypeError: an agent for several processes")]
    assert "one that they can load: AttributeError" in told and told.endswith("must be moved to a module of its own")


ASLEEP = """
import agents_that_fail, bitboard
if __name__ == "__main__":
    result = bitboard.evaluate(agents_that_fail.Sleeps(9), 12, workers=2)
    print(result.interrupted, [row[0] for row in result.results], flush=True)
"""


@pytest.mark.parametrize("name", ["SIGTERM", "SIGKILL"])
def test_processes_die_with_their_parent(tmp_path, name):
    (tmp_path / "script.py").write_text(ASLEEP)
    process = started(tmp_path / "script.py")
    assert process.stdout.readline() == "asleep\n"
    process.send_signal(getattr(signal, name))
    assert process.communicate(timeout=60) == ("", "")  # which waits for all that write there
    assert process.returncode == -getattr(signal, name)


def test_ctrl_c_does_not_wait_for_an_agent_that_thinks(tmp_path):
    (tmp_path / "script.py").write_text(ASLEEP)
    process = started(tmp_path / "script.py")
    assert process.stdout.readline() == "asleep\n"
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the whole group
    out, err = process.communicate(timeout=60)
    interrupted, _, finished = out.partition(" ")
    assert err == "" and interrupted == "True" and finished.startswith("[0, ") and "9" not in finished


STARTING = """
import bitboard
from agents_that_fail import first_legal
from bitboard.evaluation import processes

class Told(processes._Process):
    def __init__(self, seed):
        super().__init__(seed)
        print("starting", flush=True)

if __name__ == "__main__":
    processes._Process = Told
    bitboard.evaluate(first_legal, 10**7, workers=8)
"""


def test_ctrl_c_while_processes_start_is_heard_by_the_parent_alone(tmp_path):
    (tmp_path / "script.py").write_text(STARTING)
    process = started(tmp_path / "script.py")
    assert process.stdout.readline() == "starting\n"
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert err.count("Traceback") <= 1 and "Process" not in err, err


SCRIPT = """
import contextlib
import bitboard
from bitboard.tools import progress

@contextlib.contextmanager
def bar(*arguments):
    told = []
    def advance(games):
        if not told:
            told.append(games)
            print("a game is finished", flush=True)
    yield advance

if __name__ == "__main__":
    progress.bar = bar
    result = bitboard.evaluate(bitboard.agents.Greedy(), 10**7, seed=2, workers=2)
    print(result.interrupted, result.games, result.scores == [row[1] for row in sorted(result.results)], flush=True)
"""


def test_ctrl_c_gives_what_is_finished(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    process = started(tmp_path / "script.py")
    assert process.stdout.readline() == "a game is finished\n"
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert out.startswith("True ") and out.endswith(" True\n") and int(out.split()[1]) > 0, (out, err)
    assert err == ""


def test_chunks_last_a_quarter_of_a_second():
    plan = todo.Todo(range(10, 1010))
    sizes, index = [], 10
    while len(sizes) < 6:
        chunk = plan.take(2)
        assert chunk.start == index
        index = chunk.stop
        sizes.append(len(chunk))
        plan.done([(i, 0, 0, 0, False, 1 / 128) for i in chunk])
    assert sizes == [1, 8, 32, 32, 32, 32] and plan.left == 1010 - index
    rest = []
    while chunk := plan.take(2):
        rest.append(len(chunk))
    assert rest == sorted(rest, reverse=True) and rest[-2] == 4 and sum(rest) == plan.left
    slow = todo.Todo(range(100))
    slow.done([(i, 0, 0, 0, False, 3.0) for i in slow.take(1)])
    assert slow.take(1) == range(1, 2)


def test_lost_games_come_back_one_by_one_and_not_for_ever():
    plan = todo.Todo(range(100))
    plan.done([(0, 0, 0, 0, False, 1e-6)])
    chunk = plan.take(2)
    assert chunk == range(8)
    plan.lost(chunk, "x")
    assert [plan.take(2) for _ in range(8)] == [range(i, i + 1) for i in range(8)]
    plan.lost(range(3, 4), "x")
    assert plan.take(2) == range(3, 4)
    with pytest.raises(RuntimeError, match="game 3 was lost 3 times, the last time because it rained"):
        plan.lost(range(3, 4), "it rained")
