"""Progress of long work: lines where there is no rich, and nothing in a pipe."""

import io
import sys
from importlib import import_module

import pytest


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def shown(impl, monkeypatch):
    """Work in steps of (seconds, how much was done) without rich: the lines on a terminal."""
    progress = import_module(".tools.progress", impl.__name__)

    def run(total, steps, stderr=None, **options):
        now = [100.0]
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, "rich.console", None)
            patch.setattr(sys, "stderr", stderr or Terminal())
            patch.setattr(progress, "perf_counter", lambda: now[0])
            with progress.bar(total, "greedy", "games", **options) as advance:
                for seconds, n in steps:
                    now[0] += seconds
                    advance(n)
            return sys.stderr.getvalue().splitlines()

    return run


def test_lines_come_after_two_seconds_and_then_every_ten(shown):
    assert shown(20_000, [(0.5, 10)] * 30) == [
        "greedy: 40 of 20,000 games, 20 games/s, 0:16:38 left",
        "greedy: 240 of 20,000 games, 20 games/s, 0:16:28 left",
    ]
    assert shown(3, [(7200, 1)] * 3) == [
        "greedy: 1 of 3 games, 0.0 games/s, 4:00:00 left",
        "greedy: 2 of 3 games, 0.0 games/s, 2:00:00 left",
    ]
    assert shown(10, [(1.9, 10)]) == []
    assert shown(10, [(0.1, 10)], announce=True) == ["greedy"]


def test_nothing_in_a_pipe(shown):
    assert shown(3, [(7200, 1)] * 3, stderr=io.StringIO(), announce=True) == []


def test_an_error_in_the_work_is_the_only_one_told(shown):
    def steps():
        yield 1, 1
        raise ZeroDivisionError

    for stderr in (Terminal(), io.StringIO()):
        with pytest.raises(ZeroDivisionError) as info:
            shown(3, steps(), stderr=stderr)
        assert info.value.__context__ is None
