"""bitboard.evaluate in executors: what is sent, what is lost, and what they cannot do."""

import pickle
import re
import tempfile
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from threading import Event

import agents_that_fail as agents
import pytest
from conftest import BACKENDS, IMPLEMENTATIONS
from test_evaluation_processes import games, started, whole

PACKAGE = IMPLEMENTATIONS[BACKENDS[0]]  # processes import the package by its own name
executors = import_module(".evaluation.executors", PACKAGE.__name__)


class Here(Executor):
    """Plays at once, in this process."""

    def __init__(self):
        self.tasks = 0

    def submit(self, function, /, *arguments):
        self.tasks += 1
        future = Future()
        try:
            future.set_result(self.played(function, *arguments))
        except Exception as error:
            future.set_exception(error)
        return future

    def played(self, function, *arguments):
        return function(*arguments)


class Elsewhere(Here):
    """Plays at once, with what another process would get."""

    def played(self, function, *arguments):
        return pickle.loads(pickle.dumps((function, arguments)))[0](*pickle.loads(pickle.dumps(arguments)))


class FarAway(Elsewhere):
    """Another machine, that has none of our files."""

    def played(self, function, shared, *arguments):
        sent = pickle.loads(pickle.dumps(shared))
        if sent.file is not None:
            sent.file += "-is-elsewhere"
        return function(sent, *arguments)


class Loses(Here):
    """Loses tasks with some games, each of them so many times."""

    def __init__(self, lost, times):
        super().__init__()
        self.left = dict.fromkeys(lost, times)

    def played(self, function, shared, data, seed, chunk):
        for index in chunk:
            if self.left.get(index, 0):
                self.left[index] -= 1
                raise OSError("the worker is gone")
        return function(shared, data, seed, chunk)


def spawning():
    return ProcessPoolExecutor(2, get_context("spawn"))


def test_tasks_are_few():
    """Not one a game."""
    pool = Here()
    n = 1500 if BACKENDS[0] == "c" else 30
    result = PACKAGE.evaluate(agents.first_legal, n, workers=pool)
    assert games(result) == whole(n) and result.games == n
    assert pool.tasks < 40 + 40 * sum(row[5] for row in result.results)


def test_tasks_last_a_second():
    """And less near the end, to an eighth of it."""

    class Timed(Here):
        def played(self, function, shared, data, seed, chunk):
            sizes.append(len(chunk))
            return [(index, 0, 0, 0, False, 1 / 128) for index in chunk], None

    sizes = []
    result = PACKAGE.evaluate(agents.first_legal, 10_000, workers=Timed())
    assert result.games == sum(sizes) == 10_000
    assert max(sizes) == 128 and sizes.count(128) > 10 and sizes[-2] == 16


def left_behind():
    return list(Path(tempfile.gettempdir()).glob("bitboard-agent-*"))


@pytest.mark.parametrize("size", [10, 4 << 20])
def test_a_pool_of_processes_loads_a_large_agent_once_in_each(tmp_path, size):
    before, agents.Large.pickled = left_behind(), 0
    with spawning() as pool:
        assert games(PACKAGE.evaluate(agents.Large(str(tmp_path / "x"), size), 60, workers=pool)) == whole(60)
    loads = (tmp_path / "x").read_text().split()
    assert agents.Large.pickled == 1 and 1 <= len(loads) == len(set(loads)) <= 2
    assert left_behind() == before


@pytest.mark.parametrize("kind", [Elsewhere, FarAway])
def test_a_large_agent_gets_to_other_machines(tmp_path, kind):
    before = left_behind()
    agent = agents.Large(str(tmp_path / "loads"))
    assert games(PACKAGE.evaluate(agent, 30, workers=kind())) == whole(30)
    assert len((tmp_path / "loads").read_text().split()) == 1 and left_behind() == before
    assert games(PACKAGE.evaluate(agents.first_legal, 5, workers=kind())) == whole(5)  # not the agent of before


def test_a_machine_without_the_file_of_a_network_says_so(tmp_path):
    class Bare(Here):
        def played(self, function, *arguments):
            data = pickle.dumps(arguments)
            (tmp_path / "my.net").unlink()
            return function(*pickle.loads(data))

    network = PACKAGE.NTupleNetwork("2x4")
    network.save(tmp_path / "my.net")
    with pytest.raises(TypeError, match=r"must be one that they can load: .*my\.net"):
        PACKAGE.evaluate(network, 3, workers=Bare())


def test_an_agent_that_cannot_be_pickled_is_a_type_error():
    with spawning() as pool, pytest.raises(TypeError, match="must be one that can be pickled.*lambda"):
        PACKAGE.evaluate(lambda board: 0, 4, workers=pool)


NOWHERE = """
import bitboard, concurrent.futures, multiprocessing
def agent(board):
    return bitboard.agents.Greedy()(board)
with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
    bitboard.evaluate(agent, 4, workers=pool)
"""

UNGUARDED = """
import bitboard, concurrent.futures, multiprocessing
with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
    bitboard.evaluate(bitboard.agents.Greedy(), 4, workers=pool)
"""


def test_an_agent_of_no_module_is_told_to_get_one():
    _, err = started("-c", NOWHERE).communicate(timeout=60)
    assert "\nTypeError: an agent for several processes must be one that they can load: AttributeError" in err, err


def test_a_script_without_the_guard_is_told_of_it(tmp_path):
    (tmp_path / "script.py").write_text(UNGUARDED)
    _, err = started(tmp_path / "script.py").communicate(timeout=60)
    # The processes write there too, in between.
    (told,) = re.findall(r"ProcessPoolExecutor takes no more games \(BrokenProcessPool.*", err)
    assert "`if __name__ == '__main__':`" in told


def test_a_pool_that_breaks_names_the_games_and_keeps_what_is_finished():
    with spawning() as pool, pytest.raises(RuntimeError, match=r"takes no more games .*It had the games ") as info:
        PACKAGE.evaluate(agents.Dies(9), 12, workers=pool)
    numbers = re.search(r"the games ([\d, andto]+)", str(info.value))[1]  # such as 0, 3 and 8 to 11
    named = [range(int(a), int(b or a) + 1) for a, b in re.findall(r"(\d+)(?: to (\d+))?", numbers)]
    assert any(9 in some for some in named)
    found = info.value.evaluation
    assert found is None or set(games(found)) <= set(whole(12))


def test_a_pool_that_was_shut_down():
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.raises(
        RuntimeError, match=r"takes no more games \(RuntimeError: cannot schedule.*It had the games 0\. A"
    ):
        PACKAGE.evaluate(agents.first_legal, 5, workers=pool)


def test_lost_tasks_are_played_again(impl):
    for times in (1, 2):
        assert games(impl.evaluate(agents.first_legal, 12, workers=Loses([0, 5, 11], times))) == whole(12)
    with pytest.raises(
        RuntimeError, match=r"^game 5 was lost 3 times, .* ended with OSError: the worker is gone"
    ) as info:
        impl.evaluate(agents.first_legal, 12, workers=Loses([5], 3))
    assert set(whole(12)[:5]) <= set(games(info.value.evaluation))


def test_a_cancelled_task_is_a_lost_one(impl):
    class Cancels(Here):
        def submit(self, function, /, *arguments):
            if not self.tasks:
                self.tasks += 1
                future = Future()
                future.cancel()
                future.set_running_or_notify_cancel()
                return future
            return super().submit(function, *arguments)

    assert games(impl.evaluate(agents.first_legal, 5, workers=Cancels())) == whole(5)


def test_futures_of_another_kind_are_a_type_error(impl):
    class Odd:
        def submit(self, function, /, *arguments):
            return object()

    with pytest.raises(TypeError, match=r"get_executor\(\).*not Odd, whose futures are of builtins"):
        impl.evaluate(agents.first_legal, 5, workers=Odd())


def test_what_is_finished_is_kept_when_a_game_fails(impl):
    """All that came back with the failing game, in whatever order."""

    def fails(board):
        raise KeyError("x")

    class Second:
        played = 0

        def start(self, seed):
            self.fail = seed == impl.stream(0, 3)

        def __call__(self, board):
            return fails(board) if self.fail else agents.first_legal(board)

    with pytest.raises(RuntimeError, match="game 3, move 1: the agent raised KeyError") as info:
        impl.evaluate(Second(), 8, workers=Here())
    assert games(info.value.evaluation) == [row for row in whole(8) if row[0] != 3]


def test_ctrl_c_takes_what_is_finished_and_does_not_wait(impl):
    hold, late = Event(), []

    class Holds:
        def start(self, seed):
            if seed == impl.stream(0, 2):
                late.append(seed)
                hold.wait(60)

        def __call__(self, board):
            return agents.first_legal(board)

    class Interrupts(ThreadPoolExecutor):
        def submit(self, function, /, *arguments):
            if late:
                raise KeyboardInterrupt
            return super().submit(function, *arguments)

    with Interrupts(2) as pool:
        try:
            result = impl.evaluate(Holds(), 1000, workers=pool)
        finally:
            hold.set()
    assert result.interrupted and set(games(result)) <= set(whole(1000)) and 2 not in {row[0] for row in result.results}
