"""bitboard.evaluate on real engines: a cluster of dask.distributed, MPI, loky."""

import json
import os
import subprocess
import sys
import warnings
from pathlib import Path

import agents_that_fail as agents
import loky
import pytest
from conftest import BACKENDS, IMPLEMENTATIONS, ROOT
from distributed import Client, LocalCluster
from test_evaluation_processes import games, whole

PACKAGE = IMPLEMENTATIONS[BACKENDS[0]]  # processes import the package by its own name


@pytest.fixture(scope="module")
def cluster():
    """Two processes of one thread each."""
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs="CRITICAL"
    ) as made:
        yield made


@pytest.fixture
def client(cluster):
    with Client(cluster) as made:
        made.wait_for_workers(2, timeout=60)
        yield made


def test_dask_plays_the_same_games(client):
    alone = games(PACKAGE.evaluate(PACKAGE.agents.Random(), 30, seed=3))
    assert games(PACKAGE.evaluate(PACKAGE.agents.Random(), 30, seed=3, workers=client)) == alone
    assert games(PACKAGE.evaluate(PACKAGE.agents.Random(), 30, seed=3, workers=client.get_executor())) == alone
    assert games(PACKAGE.evaluate(lambda board: agents.first_legal(board), 10, workers=client)) == whole(10)
    assert client.submit(sum, [1, 2]).result(timeout=60) == 3  # the client is still of use


def test_dask_brings_a_large_agent_once_to_each_process(client, tmp_path):
    agents.Large.pickled = 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # of a large graph
        result = PACKAGE.evaluate(agents.Large(str(tmp_path / "loads"), 40 << 20), 60, workers=client)
    loads = (tmp_path / "loads").read_text().split()
    assert games(result) == whole(60) and agents.Large.pickled == 1 and 1 <= len(loads) == len(set(loads)) <= 2


def test_dask_loses_a_process(client, tmp_path):
    assert games(PACKAGE.evaluate(agents.Dies(7, str(tmp_path / "died")), 20, workers=client)) == whole(20)
    assert (tmp_path / "died").exists()


def test_an_agent_that_fails_on_dask(client):
    with pytest.raises(RuntimeError, match=r"game 3, start\(\): the agent raised Odd: 1 and 2"):
        PACKAGE.evaluate(agents.RaisesOdd(3), 8, workers=client)


def test_a_cluster_that_is_closed_gives_what_is_finished(cluster):
    with Client(cluster) as client:
        executor = client.get_executor()
        submit, given = executor.submit, []

        def closing(*arguments):
            if len(given) == 12:
                given[0].result(timeout=60)
                client.close()
            given.append(submit(*arguments))
            return given[-1]

        executor.submit = closing
        with pytest.raises(RuntimeError, match=r"takes no more games .*It had the games") as info:
            PACKAGE.evaluate(agents.first_legal, 10**6, workers=executor)
    assert info.value.evaluation.games > 0
    assert set(games(info.value.evaluation)[:5]) <= set(whole(100))


def test_loky_plays_the_same_games(tmp_path):
    with loky.ProcessPoolExecutor(2, timeout=60) as pool:
        assert games(PACKAGE.evaluate(PACKAGE.agents.Greedy(), 20, workers=pool)) == games(
            PACKAGE.evaluate(PACKAGE.agents.Greedy(), 20)
        )
        assert games(PACKAGE.evaluate(lambda board: agents.first_legal(board), 10, workers=pool)) == whole(10)
        assert games(PACKAGE.evaluate(agents.Large(str(tmp_path / "x")), 30, workers=pool)) == whole(30)
        loads = (tmp_path / "x").read_text().split()
        assert 1 <= len(loads) == len(set(loads)) <= 2
        with pytest.raises(RuntimeError, match=r"ProcessPoolExecutor takes no more games \(TerminatedWorkerError"):
            PACKAGE.evaluate(agents.Dies(9), 12, workers=pool)


MPI = """
import json, sys
import agents_that_fail as agents, bitboard
from mpi4py.futures import MPIPoolExecutor

def own(board):
    return agents.first_legal(board)

if __name__ == "__main__":
    with MPIPoolExecutor() as pool:
        told = {}
        for name, agent in {"own": own, "large": agents.Large(sys.argv[1])}.items():
            told[name] = [row[:5] for row in bitboard.evaluate(agent, 30, workers=pool).results]
        try:
            bitboard.evaluate(lambda board: 0, 4, workers=pool)
        except TypeError as error:
            told["lambda"] = str(error)
    print(json.dumps(told))
"""


def test_mpi_plays_the_same_games(tmp_path):
    (tmp_path / "script.py").write_text(MPI)
    mpiexec = Path(sys.executable).with_name("mpiexec")
    done = subprocess.run(
        [mpiexec, "-n", "3", sys.executable, "-m", "mpi4py.futures", tmp_path / "script.py", tmp_path / "loads"],
        capture_output=True, text=True, timeout=120,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")])},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    expected = [list(row) for row in whole(30)]
    assert told["own"] == expected and told["large"] == expected
    loads = (tmp_path / "loads").read_text().split()
    assert 1 <= len(loads) == len(set(loads)) <= 2
    assert "must be one that can be pickled" in told["lambda"]


def test_a_network_goes_by_the_name_of_its_file(client, tmp_path):
    network = PACKAGE.NTupleNetwork("2x4")
    network.train(moves=200, lanes=1, seed=1)
    network.save(tmp_path / "my.net")
    alone = games(PACKAGE.evaluate(network, 3))
    loaded = PACKAGE.NTupleNetwork.load(tmp_path / "my.net")
    assert games(PACKAGE.evaluate(loaded, 3, workers=client)) == alone
