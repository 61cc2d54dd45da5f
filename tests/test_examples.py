"""The programs in tests/examples, each in a short form."""

import importlib.util

import numpy as np
import pytest
from conftest import BACKENDS, ROOT


@pytest.fixture(scope="module")
def train_afterstate():
    path = ROOT / "tests" / "examples" / "train_afterstate.py"
    spec = importlib.util.spec_from_file_location("train_afterstate", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_afterstate_learner_beats_random(train_afterstate):
    import bitboard

    steps, games, factor = (300, 256, 5) if BACKENDS[0] == "c" else (120, 64, 2)
    lines = []
    values = train_afterstate.train(steps, games, report=lines.append)
    scores = train_afterstate.play(values, games // 4)
    (random,) = bitboard.random_games(200, seed=1).mean_scores
    assert len(lines) == 10 and str(steps) in lines[-1]
    assert scores.mean() > factor * random, (scores.mean(), random)


def test_its_command_line(train_afterstate, monkeypatch, capsys):
    monkeypatch.setattr(train_afterstate, "EVALUATED", 4)
    monkeypatch.setattr("sys.argv", ["train_afterstate.py", "--steps", "8", "--games", "4"])
    train_afterstate.main()
    assert "greedy: 4 games, mean score" in capsys.readouterr().out
    monkeypatch.setattr("sys.argv", ["train_afterstate.py", "--steps", "0"])
    with pytest.raises(SystemExit) as refused:
        train_afterstate.main()
    assert refused.value.code == 2 and "at least 1" in capsys.readouterr().err


def test_what_it_saves_serves_a_search(train_afterstate, monkeypatch, tmp_path, impl):
    monkeypatch.setattr(train_afterstate, "EVALUATED", 4)
    file = tmp_path / "v.npy"
    monkeypatch.setattr("sys.argv", ["train_afterstate.py", "--steps", "8", "--games", "4", "--save", str(file)])
    train_afterstate.main()
    values = train_afterstate.Values()
    values.table[:] = np.load(file)
    assert values.table.any()
    board = 0x1122_0000_0000_0000
    search = impl.Expectimax(depth=0, evaluator=lambda boards: values(np.asarray(boards)), reward_weight=1)
    expected = {d: reward + values(np.array([after], np.uint64))[0] for d, after, reward in impl.afterstates(board)}
    found = search.values(board)
    assert all(found[d] == pytest.approx(value) for d, value in expected.items())
