"""Networks that learn while programs are killed, interrupted, forked or out of space: nothing is lost, nothing half written."""

import importlib
import os
import signal
import subprocess
import sys
import threading
from array import array

import pytest
from interrupting import PLACE, interrupt_at
from terminal import bitboard

BOARDS = array("Q", [0x1000_0000_0000_0000, 0x1225_2114_0033_0000, 0x2000_5000_1214_2140])

# A program that learns into the file of its first argument, and stops in the middle of it until it may go on.
LEARNER = """
import os, sys
import bitboard
from bitboard.tools import files

path, place = sys.argv[1:]
network = bitboard.NTupleNetwork("2x4")
network.train(moves=300, lanes=1)
network.save(path)

def stop(*_):
    print("here", flush=True)
    sys.stdin.readline()

def stopping(function, after):
    def stopped(*given):
        if not after:
            stop()
        function(*given)
        stop()
    return stopped

if place == "fsync":
    os.fsync = stopping(os.fsync, False)
elif place == "replace":
    os.replace = stopping(os.replace, True)
network.train(seconds=0.01 if place != "learning" else 60, lanes=1, checkpoint=path,
              progress=stop if place == "learning" else None)
"""


@pytest.fixture
def learner(impl, tmp_path):
    """Start such a program and wait until it stops at a place."""
    started = []

    def start(place):
        environment = os.environ | {"PYTHONPATH": str(PLACE), "BITBOARD_BACKEND": impl.BACKEND}
        command = [sys.executable, "-c", LEARNER, str(tmp_path / "n.net"), place]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        started.append(subprocess.Popen(command, env=environment, **pipes))
        assert started[-1].stdout.readline() == b"here\n"
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


def first(impl):
    """The network that LEARNER saves before it goes on."""
    network = impl.NTupleNetwork("2x4")
    network.train(moves=300, lanes=1)
    return network


@pytest.mark.parametrize(("place", "is_old"), [("fsync", True), ("replace", False)])
def test_a_program_killed_in_a_checkpoint_leaves_a_whole_file(impl, learner, tmp_path, place, is_old):
    process = learner(place)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    network = impl.NTupleNetwork.load(tmp_path / "n.net")
    assert (list(network.many(BOARDS)) == list(first(impl).many(BOARDS))) == is_old
    assert network.train(moves=100, checkpoint=tmp_path / "n.net").moves == 100  # its lock is gone with it


def test_two_programs_do_not_learn_into_one_file(impl, cli, learner, tmp_path):
    path = tmp_path / "n.net"
    process = learner("learning")
    before = path.read_bytes()
    for network in (impl.NTupleNetwork.load(path), impl.NTupleNetwork("2x4")):
        with pytest.raises(BlockingIOError, match="another program is at work that writes it"):
            network.train(moves=100, checkpoint=path)
    for more in ("--resume", "--network=2x4"):
        status, out, err = cli("train", more, "--output", path, "--log", tmp_path / "curve.csv")
        assert status == 2 and out == "" and "another program is at work" in err and err.count("\n") == 1
    assert path.read_bytes() == before and not (tmp_path / "curve.csv").exists()
    with pytest.raises(FileNotFoundError, match="none/n.net'$"):
        impl.NTupleNetwork("2x4").train(moves=10, checkpoint=tmp_path / "none" / "n.net")
    late = impl.NTupleNetwork.load(path)
    process.kill()
    process.wait()
    first(impl).save(path)  # what another program may do when it is its turn
    other = impl.NTupleNetwork.load(path)
    assert other.train(moves=300, lanes=1, checkpoint=path).moves == 300
    content = path.read_bytes()
    with pytest.raises(ValueError, match="is not the file any more that the network came from"):
        late.train(moves=100, checkpoint=path)
    assert path.read_bytes() == content and sorted(os.listdir(tmp_path)) == ["n.net"]


FULL = """
import resource, sys
import bitboard

path = sys.argv[1]
network = bitboard.NTupleNetwork.load(path)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))
try:
    network.train(seconds=0.3, lanes=1, checkpoint=path, checkpoint_minutes=0.001)
except OSError as error:
    print(type(error).__name__, error)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
network.save(path + ".whole")
"""


def test_a_full_disk_ends_nothing_and_loses_nothing(impl, cli, tmp_path):
    path = tmp_path / "n.net"
    first(impl).save(path)
    content = path.read_bytes()
    environment = os.environ | {"PYTHONPATH": str(PLACE), "BITBOARD_BACKEND": impl.BACKEND}
    done = subprocess.run([sys.executable, "-c", FULL, path], env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "") and "File too large" in done.stdout
    assert path.read_bytes() == content and sorted(os.listdir(tmp_path)) == ["n.net", "n.net.whole"]
    learned = impl.NTupleNetwork.load(tmp_path / "n.net.whole")
    assert list(learned.many(BOARDS)) != list(first(impl).many(BOARDS))


def test_a_checkpoint_that_fails_is_tried_again(impl, tmp_path, monkeypatch):
    network, save, calls = impl.NTupleNetwork("2x4"), impl.NTupleNetwork.save, []

    def failing(self, path):
        calls.append(path)
        if len(calls) == 1:
            raise OSError(28, "No space left on device")
        save(self, path)

    monkeypatch.setattr(impl.NTupleNetwork, "save", failing)
    while len(calls) < 2:  # a second one at the end at least
        network.train(seconds=0.2, checkpoint=tmp_path / "n.net", checkpoint_minutes=0.001)
    assert list(impl.NTupleNetwork.load(tmp_path / "n.net").many(BOARDS)) == list(network.many(BOARDS))


def test_an_error_of_the_callers_keeps_what_was_learned(impl, tmp_path):
    network = impl.NTupleNetwork("2x4")

    def fail(done):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        network.train(seconds=60, lanes=1, progress=fail, checkpoint=tmp_path / "n.net")
    saved = impl.NTupleNetwork.load(tmp_path / "n.net")
    assert list(saved.many(BOARDS)) == list(network.many(BOARDS)) and any(saved.many(BOARDS))


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_saves_what_was_learned(impl, tmp_path, threads):
    path = tmp_path / "n.net"
    arguments = ["train", "--network", "2x4", "--minutes", "5", "--threads", str(threads), "--output", str(path)]
    target = "bitboard.networks.training._run"  # a slice of the learning
    status, out, err = interrupt_at(target, *arguments, BITBOARD_BACKEND=impl.BACKEND)
    assert (status, err) == (130, "") and f"the network is in {path}" in out
    assert impl.NTupleNetwork.load(path).train(moves=100).moves == 100
    assert os.listdir(tmp_path) == ["n.net"]


def test_ctrl_c_in_the_last_save_lets_it_be_written(impl, tmp_path):
    path = tmp_path / "n.net"
    arguments = ["train", "--network", "2x4", "--minutes", "0.002", "--threads", "1", "--output", str(path)]
    target = "bitboard.networks.files.save"
    status, out, err = interrupt_at(target, *arguments, BITBOARD_BACKEND=impl.BACKEND)
    assert (status, err) == (130, "") and f"the network is in {path}" in out
    assert impl.NTupleNetwork.load(path).train(moves=100).moves == 100


@pytest.mark.terminal
def test_a_terminal_shows_how_it_goes_on(tmp_path):
    path = tmp_path / "n.net"
    with bitboard("train", "--network", "2x4", "--minutes", "0.5", "--output", str(path)) as terminal:
        terminal.wait_for("learns for 0.5 minutes", "minutes left")
        terminal.wait_for("slides/s", "min left")  # a row after a tenth of the time
        terminal.interrupt()
        assert terminal.end() == 130
        assert "the network is in" in terminal.text and path.exists()


@pytest.mark.parametrize("mapped", [False, True])
def test_others_read_while_it_learns(impl, tmp_path, mapped):
    first(impl).save(tmp_path / "n.net")
    network = impl.NTupleNetwork.load(tmp_path / "n.net") if mapped else first(impl)
    boards, begun, done, read = BOARDS * 400, threading.Event(), threading.Event(), []

    def read_on():
        while not done.is_set():
            values = [*network.many(boards), network.value(BOARDS[0]), *network.values(BOARDS[1])[1:3]]
            read.append(all(abs(value) < 1e9 for value in values))
            begun.set()

    readers = [threading.Thread(target=read_on) for _ in range(2)]
    for reader in readers:
        reader.start()
    begun.wait()
    moves = 200_000 if impl.BACKEND == "c" else 1_000
    result = network.train(moves=moves, threads=2)
    done.set()
    for reader in readers:
        reader.join()
    assert result.moves == moves and all(read)


def test_a_network_is_too_large_for_the_machine_on_the_command_line(impl, cli, tmp_path, monkeypatch):
    network = importlib.import_module(".networks.network", impl.__name__)
    monkeypatch.setattr(network.os, "sysconf", {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": 1000}.get)
    status, out, err = cli("train", "--network", "4x6", "--output", tmp_path / "n.net")
    assert status == 2 and out == "" and "needs 805,306,368 bytes in all" in err and err.count("\n") == 1
    assert os.listdir(tmp_path) == []
