"""The command `bitboard train`, and a network as the agent of other commands."""

import importlib
import os
import re
import sys

import pytest


def train_module(impl):
    return importlib.import_module(".commands.train", impl.__name__)


def train(cli, tmp_path, *more, minutes=0.02):
    return cli("train", "--network", "2x4", "--minutes", minutes, "--threads", 1, "--output", tmp_path / "n.net", *more)


def test_it_learns_saves_and_goes_on(impl, cli, tmp_path):
    status, out, err = train(cli, tmp_path, "--log", tmp_path / "curve.csv")
    assert status == 0 and err == "" and out.count("\n") == 1 and f"the network is in {tmp_path / 'n.net'}" in out
    first = (tmp_path / "curve.csv").read_text().splitlines()
    assert first[0].startswith("minutes,games,moves,moves_per_second,mean_score,rate_2048") and len(first) > 1
    before = impl.NTupleNetwork.load(tmp_path / "n.net")
    status, out, err = train(cli, tmp_path, "--resume", "--log", tmp_path / "curve.csv")
    assert status == 0 and err == ""
    after = impl.NTupleNetwork.load(tmp_path / "n.net")
    assert after.value(0x1000_0000_0000_0000) != before.value(0x1000_0000_0000_0000)
    rows = (tmp_path / "curve.csv").read_text().splitlines()
    assert rows[: len(first)] == first and float(rows[-1].split(",")[0]) > float(first[-1].split(",")[0])


def test_the_last_part_of_the_time_is_learned_slowly(impl, cli, tmp_path, monkeypatch):
    rates, class_ = [], impl.NTupleNetwork
    train = class_.train

    def noted(self, **options):
        rates.append((options["rate"], options["seconds"]))
        return train(self, **options)

    monkeypatch.setattr(class_, "train", noted)
    status, out, err = cli(
        "train", "--network", "2x4", "--minutes", 0.02, "--threads", 1, "--output", tmp_path / "n.net",
        "--log", tmp_path / "log.csv",
    )  # fmt: skip
    assert (status, err) == (0, "")
    assert [rate for rate, _ in rates] == [1.0, pytest.approx(0.1)]
    assert [seconds for _, seconds in rates] == [pytest.approx(0.96), pytest.approx(0.24)]
    rows = [line.split(",") for line in (tmp_path / "log.csv").read_text().splitlines()[1:]]
    slides = int(re.search(r"([0-9,]+) slides", out)[1].replace(",", ""))
    assert sum(int(row[2]) for row in rows) == slides and float(rows[-1][0]) >= 0.019


def test_errors_are_one_line(impl, cli, tmp_path):
    path = tmp_path / "n.net"
    assert train(cli, tmp_path, "--resume")[0] == 2
    path.write_bytes(b"none")
    for more, message in [((), "is there already"), (("--resume",), "is no file of a network")]:
        status, _, err = train(cli, tmp_path, *more)
        assert status == 2 and message in err and err.count("\n") == 1
    assert path.read_bytes() == b"none"
    path.unlink()
    assert "--minutes must be" in train(cli, tmp_path, minutes=0)[2]
    assert "--picture must end in .svg" in train(cli, tmp_path, "--picture", "x.jpg")[2]
    (tmp_path / "curve.csv").write_text("x\n")
    impl.NTupleNetwork("2x4").save(path)
    assert "is no log of this" in train(cli, tmp_path, "--resume", "--log", tmp_path / "curve.csv")[2]
    status, _, err = train(cli, tmp_path, "--resume", "--network", "4x6")
    assert status == 2 and "has the patterns 0123 4567, not 4x6" in err
    path.unlink()
    status, _, err = cli("train", "--network", "0123456,0123457", "--output", tmp_path / "none" / "n.net")
    assert status == 2 and "No such file" in err and err.count("\n") == 1
    status, _, err = cli("train", "--network", "x", "--output", path)
    assert status == 2 and "patterns must be one of 4x6" in err and not path.exists()


@pytest.mark.parametrize(("ending", "first"), [(".svg", b"<?xml"), (".png", b"\x89PNG")])
def test_the_picture(impl, cli, tmp_path, ending, first):
    log, picture = tmp_path / "curve.csv", tmp_path / f"curve{ending}"
    log.write_text(",".join(train_module(impl).HEADING) + "\n1,50,9,9,1000,0,0,0,0,0\n2,50,9,9,nan,0,0,0,0,0\n")
    impl.NTupleNetwork("2x4").save(tmp_path / "n.net")
    status, _, err = train(cli, tmp_path, "--resume", "--log", log, "--picture", picture)
    assert (status, err) == (0, "") and picture.read_bytes().startswith(first)
    assert ending == ".png" or "mean score while learning" in picture.read_text()


def test_without_what_draws_it(impl, cli, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    status, _, err = train(cli, tmp_path, "--picture", tmp_path / "curve.svg")
    assert status == 2 and 'matplotlib: pip install -e ".[plot]" in the checkout' in err and err.count("\n") == 1
    assert os.listdir(tmp_path) == []


def test_ctrl_c_saves(impl, cli, tmp_path, monkeypatch):
    module = train_module(impl)

    def report(self, done):
        raise KeyboardInterrupt

    monkeypatch.setattr(module._Curve, "report", report)
    status, out, _ = train(cli, tmp_path, minutes=5)
    assert status == 130 and "the network is in" in out
    impl.NTupleNetwork.load(tmp_path / "n.net")


@pytest.mark.parametrize("command", [("eval", "network"), ("watch", "--agent", "network")])
def test_a_network_is_an_agent_of_commands(impl, cli, tmp_path, command):
    impl.NTupleNetwork("2x4").save(tmp_path / "n.net")
    more = ("--games", 2) if command[0] == "eval" else ("--seed", 1)
    status, out, _ = cli(*command, "--network", tmp_path / "n.net", *more)
    assert status == 0 and "network" in out
    status, _, err = cli(*command[:-1], "greedy", "--network", "x")
    assert status == 2 and "agent greedy has no --network" in err
    assert "no --depth" in cli(*command, "--network", tmp_path / "n.net", "--depth", 2)[2]
    assert "no.net" in cli(*command, "--network", "no.net")[2]
