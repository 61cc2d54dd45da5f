"""The command `random`: what it prints, and one line for bad input."""

import importlib

import pytest


@pytest.fixture
def cli(impl, capsys):
    """Run a command of one backend: (exit status, stdout, stderr)."""
    module = importlib.import_module(".cli", impl.__name__)

    def run(*arguments):
        try:
            status = module.main(list(arguments))
        except SystemExit as stop:
            status = stop.code
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run


def test_random_prints_the_report(impl, cli):
    status, out, err = cli("random", "60", "--seed", "5")
    assert (status, out, err) == (0, f"{impl.random_games(60, 5)}\n", "")
    assert cli("random", "60", "--seed", "5", "--threads", "2") == (status, out, err)
    assert out.startswith("60 random games, ") and "(95% interval " in out
    assert "(99.9% interval " in cli("random", "60", "--level", "0.999")[1]


def test_one_game_has_no_interval(cli):
    status, out, err = cli("random", "1", "--level", "0.9999999999999999")
    assert (status, err) == (0, "") and "interval 1" not in out
    assert out.startswith("1 random game, ") and "(no interval from one game)" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["0"], "GAMES must be 1 to"),
        (["-5"], "GAMES must be 1 to"),
        (["99999999999999"], "GAMES must be 1 to"),
        (["x"], "invalid int value"),
        ([], "required: GAMES"),
        (["5", "--seed", "-1"], "seed must be"),
        (["5", "--threads", "0"], "threads must be"),
        (["5", "--level", "1"], "--level must"),
    ],
)
def test_bad_input_is_one_line_and_status_2(cli, arguments, message):
    status, out, err = cli("random", *arguments)
    assert (status, out) == (2, "")
    assert message in err and err.count("\n") == 1
