"""Agents of one's own that fail: one line that has the place in their code, from every command that plays with one."""

import json
import os
import subprocess
import sys

import pytest
from conftest import ROOT

AGENTS = """\
import bitboard
def adds(board):
    return board + None
def looks(board):
    return {}[3]
def calls_us_badly(board):
    return bitboard.move_left("x")
def only_up(board):
    return 0
def chooses_none(board):
    return None
def takes_two(board, other):
    return 0
class Fails:
    def __init__(self):
        raise KeyError("no model")
class Wants:
    def __init__(self, path):
        self.path = path
class CannotStart:
    def start(self, seed):
        raise LookupError("no games")
    def __call__(self, board):
        return 0
class Recurses:
    def __call__(self, board):
        return self(board)
"""
MODULES = {
    "agents_for_tests": AGENTS,
    "broken_for_tests": "def agent(board:\n    return 0\n",
    "zero_for_tests": "x = 1\ny = x / 0\n",
    "quits_for_tests": "import sys\n\n\nsys.exit(5)\n",
    "lacks_for_tests": "import no_such_module_for_tests\n",
}
MADE = [  # what is wrong before the first move: where, what is said
    ("broken_for_tests:agent", "module broken_for_tests cannot be imported: SyntaxError: ", "broken_for_tests.py, line 1)"),
    ("zero_for_tests:agent", "module zero_for_tests cannot be imported: ZeroDivisionError: division by zero ", "zero_for_tests.py, line 2)"),
    ("quits_for_tests:agent", "module quits_for_tests cannot be imported: SystemExit: 5 ", "quits_for_tests.py, line 4)"),
    ("lacks_for_tests:agent", "cannot be imported: ModuleNotFoundError: No module named 'no_such_module_for_tests' ", "line 1)"),
    ("nowhere_for_tests:agent", "No module named 'nowhere_for_tests'", ""),
    ("agents_for_tests:nothing", "module agents_for_tests has no agent 'nothing'", ""),
    ("agents_for_tests:", "an agent of your own must be module:attribute, got 'agents_for_tests:'", ""),
    ("agents_for_tests:Fails", "agent agents_for_tests:Fails: KeyError: 'no model' ", "agents_for_tests.py, line 16)"),
    ("agents_for_tests:Wants", "Wants.__init__() missing 1 required positional argument: 'path'", ""),
]  # fmt: skip
PLAYS = [  # what is wrong in a game: where, at which move, what is said
    ("adds", "move 1: the agent raised TypeError: unsupported operand", "agents_for_tests.py, line 3)"),
    ("looks", "move 1: the agent raised KeyError: 3 ", "agents_for_tests.py, line 5)"),
    ("calls_us_badly", "move 1: the agent raised TypeError: board must be", "agents_for_tests.py, line 7)"),
    ("chooses_none", "move 1: the agent's direction must be 0 to 3", "got None"),
    ("takes_two", "move 1: the agent raised TypeError: takes_two() missing 1 required positional argument: 'other'", ""),
    ("CannotStart", "LookupError: no games ", "agents_for_tests.py, line 22)"),
    ("Recurses", "move 1: the agent raised RecursionError: maximum recursion depth exceeded", "agents_for_tests.py, line 27)"),
]  # fmt: skip


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with the modules of the agents."""
    for name, text in MODULES.items():
        (tmp_path / f"{name}.py").write_text(text)
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for name in MODULES:
        sys.modules.pop(name, None)


@pytest.mark.parametrize(
    "command", [("watch", "--seed", "1", "--agent"), ("eval", "--games", "2"), ("engine", "--agent")]
)
@pytest.mark.parametrize(("agent", "said", "place"), MADE)
def test_an_agent_that_cannot_be_made(cli, here, command, agent, said, place):
    status, out, err = cli(*command, agent)
    assert (status, out) == (2, "") and err.startswith(f"bitboard {command[0]}: ") and err.count("\n") == 1
    assert said in err and err.endswith(place + "\n")


@pytest.mark.parametrize(("agent", "said", "place"), PLAYS)
def test_an_agent_that_fails_in_a_game(cli, here, agent, said, place):
    for command in (("watch", "--seed", "1", "--agent"), ("eval", "--games", "2")):
        status, _, err = cli(*command, f"agents_for_tests:{agent}")
        assert status == 2 and err.startswith(f"bitboard {command[0]}: ") and err.count("\n") == 1
        assert said in err and err.endswith(place + "\n")


def test_an_illegal_direction_is_said_with_the_move(cli, here):
    status, out, err = cli("watch", "--seed", "1", "--agent", "agents_for_tests:only_up")
    assert (status, err) == (2, "bitboard watch: move 21: the agent chose up, which is illegal; legal are R D L\n")
    assert out.splitlines()[-1].startswith("not over: score 60, largest tile 8, 20 moves, seed 1")


def test_the_engine_answers_and_goes_on(impl, here):
    request = json.dumps({"op": "best", "board": "1100000000000000"})
    for agent, said, place in PLAYS:
        done = subprocess.run(
            [sys.executable, "-m", "bitboard", "engine", "--agent", f"agents_for_tests:{agent}"],
            input=f'{request}\n{{"op": "info"}}\n', capture_output=True, text=True, timeout=60,
            env=os.environ | {"BITBOARD_BACKEND": impl.BACKEND, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        assert (done.returncode, done.stderr, len(answers)) == (0, "", 2)
        what = said.partition("raised ")[2] or said.partition("'s ")[2] or said
        assert answers[0]["status"] == 500 and what in answers[0]["error"] and answers[0]["error"].endswith(place)
        assert "agents" in answers[1]
