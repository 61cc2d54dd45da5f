"""The programs in tests/examples, each in a short form."""

import importlib.util

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
