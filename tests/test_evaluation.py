"""bitboard.evaluate: the same games whatever the workers, the numbers, and interruptions."""

import csv
import io
import json
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from math import isnan, sqrt

import pytest
from conftest import BACKENDS, IMPLEMENTATIONS

PACKAGE = IMPLEMENTATIONS[BACKENDS[0]]  # processes import the package by its own name


def first_legal(board):
    mask = PACKAGE.legal_moves(board)
    return (mask & -mask).bit_length() - 1


def games(result):
    """All that does not depend on the clock."""
    return [row[:5] for row in result.results]


def test_games_are_those_of_game(impl):
    agent = impl.agents.Greedy()
    result = impl.evaluate(agent, games=10, seed=42)
    for index, row in enumerate(games(result)):
        game = impl.Game(seed=impl.stream(42, index))
        while not game.over:
            game.move(agent(game.board))
        assert row == (index, game.score, game.moves, game.largest, False)


def test_random_games_are_those_of_random_games(impl):
    result = impl.evaluate(impl.agents.Random(), games=30, seed=9)
    played = impl.random_games(30, seed=9)
    assert result.scores == list(played.scores)
    assert [row[2] for row in result.results] == list(played.lengths)


def test_directions_in_any_spelling(impl):
    def spelled(board):
        return "URDL"[impl.agents.Greedy()(board)]

    assert impl.evaluate(spelled, 5).scores == impl.evaluate(impl.agents.Greedy(), 5).scores


class HereExecutor(Executor):
    """An executor that has no processes and gives results in an odd order."""

    def submit(self, function, /, *arguments, **options):
        future = Future()
        future.set_result(function(*arguments, **options))
        return future


@pytest.mark.parametrize("agent", [PACKAGE.agents.Random(), PACKAGE.agents.MonteCarlo(1), first_legal])
def test_the_same_games_whatever_the_workers(agent):
    n = 6 if BACKENDS[0] == "c" else 2  # random play is slow in Python
    alone = PACKAGE.evaluate(agent, n, seed=3)
    assert games(PACKAGE.evaluate(agent, n, seed=3, workers=2)) == games(alone)
    assert games(PACKAGE.evaluate(agent, n, seed=3, workers=HereExecutor())) == games(alone)
    with ProcessPoolExecutor(2) as pool:
        assert games(PACKAGE.evaluate(agent, n, seed=3, workers=pool)) == games(alone)
    assert games(PACKAGE.evaluate(agent, n + 1, seed=3))[:n] == games(alone)
    assert games(PACKAGE.evaluate(agent, n, seed=4)) != games(alone)


def test_a_thread_pool_serves_agents_without_a_state(impl):
    with ThreadPoolExecutor(2) as pool:
        assert games(impl.evaluate(impl.agents.Greedy(), 8, workers=pool)) == games(
            impl.evaluate(impl.agents.Greedy(), 8)
        )


def test_statistics(impl):
    scores = [100, 300, 200, 1000]
    rows = [
        (i, score, 10 * i, tile, i == 3, 0.5)
        for i, (score, tile) in enumerate(zip(scores, (512, 1024, 2048, 4096), strict=True))
    ]
    result = impl.evaluation.Evaluation("x", 1, 4, rows, 2.0)
    assert (result.games, result.mean_score, result.median, result.moves) == (4, 400.0, 250.0, 60)
    deviation = sqrt(sum((score - 400) ** 2 for score in scores) / 3)
    half = 3.1824 * deviation / 2  # Student's t, 3 degrees of freedom
    assert result.std == pytest.approx(deviation)
    assert result.interval == pytest.approx((400 - half, 400 + half), rel=2e-3)
    assert result.moves_per_second == 30
    assert {tile: rate[0] for tile, rate in result.rates.items()} == {
        512: 1, 1024: 0.75, 2048: 0.5, 4096: 0.25, 8192: 0, 16384: 0, 32768: 0, 65536: 0, 131072: 0,
    }  # fmt: skip
    low, high = result.rates[2048][1:]
    assert (low, high) == pytest.approx((0.1500, 0.8500), abs=1e-4)  # Wilson's interval of 2 in 4
    one = impl.evaluation.Evaluation("x", 1, 1, rows[:1], 2.0)
    assert (
        isnan(one.interval[0])
        and isnan(one.std)
        and one.as_dict()["interval"] is None
        and "interval" not in one.table().split("tile")[0]
    )


def test_wilson_and_student(impl):
    assert impl.evaluation.results.wilson(0, 10) == pytest.approx((0, 0.2775), abs=1e-4)
    assert impl.evaluation.results.wilson(10, 10) == pytest.approx((0.7225, 1), abs=1e-4)
    published = {1: 12.706, 2: 4.303, 3: 3.182, 5: 2.571, 10: 2.228, 30: 2.042, 100: 1.984, 10**6: 1.960}
    for freedom, value in published.items():
        assert impl.evaluation.results.student_t(freedom) == pytest.approx(value, rel=2e-3)


def test_table_json_csv(impl):
    result = impl.evaluate(impl.agents.Greedy(), games=12, seed=5)
    table = str(result)
    for part in (
        "agent       greedy",
        "games       12, seed 5",
        "95% interval",
        "2 (9 in 10) or 4 (1 in 10)",
        impl.__version__,
    ):
        assert part in table
    data = json.loads(result.json())
    assert data["mean_score"] == result.mean_score and data["interval"] == list(result.interval)
    assert data["seed"] == 5 and data["backend"] == impl.BACKEND and data["interrupted"] is False
    assert [row["score"] for row in data["results"]] == result.scores
    rows = list(csv.DictReader(io.StringIO(result.csv())))
    assert [int(row["score"]) for row in rows] == result.scores
    assert [int(row["game"]) for row in rows] == list(range(12))
    assert repr(result) == f"<Evaluation of greedy: 12 games, mean score {result.mean_score:,.0f}>"


def test_runs_of_several_machines_add_up(impl):
    agent = impl.agents.Greedy()
    whole = impl.evaluate(agent, 9, seed=5)
    parts = [impl.evaluate(agent, 3, seed=5, first=first) for first in (6, 0, 3)]
    parts[1].backend = "another"
    both = sum(parts)
    assert games(both) == games(whole) and both.wanted == 9 and not both.interrupted
    assert both.seconds == pytest.approx(sum(part.seconds for part in parts))
    assert both.backend == f"{impl.BACKEND} and another" and (both + impl.evaluate(agent, 1, 5, first=9)).games == 10
    assert parts[0].games == 3  # as before
    with pytest.raises(ValueError, match=r"^game 3 is in both evaluations; evaluate\(first=\)"):
        parts[2] + whole
    with pytest.raises(ValueError, match="same seed can be added, got 5 and 6"):
        whole + impl.evaluate(agent, 2, 6, first=20)
    with pytest.raises(ValueError, match="same agent can be added, got 'greedy' and 'other'"):
        whole + impl.evaluate(agent, 2, 5, first=20, name="other")
    for strange in (1, None, 0.0):
        with pytest.raises(TypeError):
            whole + strange
    with pytest.raises(TypeError):
        1 + whole


def test_an_evaluation_comes_back_from_its_json(impl):
    for n in (1, 4):
        result = impl.evaluate(impl.agents.Greedy(), n, seed=5, first=7, name="mine")
        again = type(result).from_json(result.json())
        assert again.as_dict() == result.as_dict() and again.json() == result.json() and again.agent == "mine"
        assert again.results == result.results and str(again) == str(result)
    for text in ("", "[]", "{}", "null", result.json().replace('"score": 2', '"score": "2'), result.json()[:-3]):
        with pytest.raises(ValueError, match="^text is not the JSON of an evaluation"):
            type(result).from_json(text)
    data = json.loads(result.json())
    for change in ({"seed": "5"}, {"results": []}, {"results": [{}]}, {"interrupted": 1}, {"version": None}):
        with pytest.raises(ValueError, match="^text is not the JSON of an evaluation"):
            type(result).from_json(json.dumps(data | change))
    with pytest.raises(TypeError, match="text must be a str"):
        type(result).from_json(b"{}")


def test_first_games_of_any_index(impl):
    late = impl.evaluate(impl.agents.Greedy(), 2, first=2**63)
    game = impl.Game(seed=impl.stream(0, 2**63 + 1))
    agent = impl.agents.Greedy()
    while not game.over:
        game.move(agent(game.board))
    assert games(late)[1] == (2**63 + 1, game.score, game.moves, game.largest, False)


class Illegal:
    def __init__(self, answer):
        self.answer = answer

    def __call__(self, board):
        return self.answer


@pytest.mark.parametrize(
    ("answer", "error"),
    [(answer, ValueError) for answer in (9, -1, -2, -3, -4, -5, "sideways", None, 1.0, 0)],
)
def test_agents_that_choose_what_is_not_allowed(impl, answer, error):
    with pytest.raises(error, match=r"game 0, move \d.*(direction must be|which is illegal on)"):
        impl.evaluate(Illegal(answer), 3)


def test_processes_need_an_agent_that_can_be_pickled():
    with pytest.raises(TypeError, match="must be one that can be pickled"):
        PACKAGE.evaluate(lambda board: 0, 4, workers=2)


def breaks_later(board):
    """The first legal direction; an error on a board with a 256."""
    if PACKAGE.max_exponent(board) >= 8:
        raise ZeroDivisionError("in the agent")
    return (PACKAGE.legal_moves(board) & -PACKAGE.legal_moves(board)).bit_length() - 1


def test_what_an_agent_raises_is_the_cause_and_finished_games_are_kept(impl):
    whole = impl.evaluate(first_legal, 30, seed=1)
    failing = next(row[0] for row in whole.results if row[3] >= 256)
    assert failing > 0
    with pytest.raises(
        RuntimeError, match=rf"^game {failing}, move \d+: the agent raised ZeroDivisionError: in the"
    ) as info:
        impl.evaluate(breaks_later, 30, seed=1)
    assert isinstance(info.value.__cause__, ZeroDivisionError) and "test_evaluation.py, line" in str(info.value)
    assert games(info.value.evaluation) == games(whole)[:failing]
    with pytest.raises(ValueError, match="which is illegal") as info:
        impl.evaluate(Illegal(0), 3)
    assert info.value.evaluation is None
    with pytest.raises(ValueError, match=r"game \d, move"):
        PACKAGE.evaluate(Illegal(0), 4, workers=2)
    with pytest.raises(RuntimeError, match=r"game \d+, move \d+: the agent raised ZeroDivisionError: in the agent"):
        PACKAGE.evaluate(breaks_later, 30, seed=1, workers=2)


class FailsInside:
    """Fails where a function of ours or of the standard library is called."""

    def __init__(self, impl, name):
        self.impl, self.name = impl, name

    def __call__(self, board):
        return getattr(self, self.name)(board)

    def ours(self, board):
        return self.impl.from_grid([["x"] * 4] * 4)

    def standard(self, board):
        return json.loads("{")

    def evaluator(self, board):
        return self.impl.Expectimax(depth=0, evaluator=self.leaves).best(board)

    def leaves(self, boards):
        return 1 / 0


@pytest.mark.parametrize("name", ["ours", "standard", "evaluator"])
def test_the_line_that_an_error_names_is_the_users(impl, name):
    with pytest.raises(RuntimeError) as info:
        impl.evaluate(FailsInside(impl, name), 3)
    method = FailsInside.leaves if name == "evaluator" else getattr(FailsInside, name)
    assert str(info.value).endswith(f"({__file__}, line {method.__code__.co_firstlineno + 1})")


def test_the_line_of_an_agent_of_ours_is_better_than_none(impl):
    with pytest.raises(RuntimeError, match=r"the agent raised .*\.py, line \d+\)$"):
        impl.evaluate(impl.RowTable.default().__class__.load, 3)


class FailsToStart:
    def start(self, seed):
        raise KeyError("no model")

    def __call__(self, board):
        return 0


def test_an_agent_that_cannot_start(impl):
    with pytest.raises(RuntimeError, match=r"game 0, start\(\): the agent raised KeyError: 'no model'"):
        impl.evaluate(FailsToStart(), 3)


class Remembers:
    """A random agent whose state lies in a list that a shallow copy would share."""

    def __init__(self):
        self.numbers = [0]

    def start(self, seed):
        self.numbers[:] = [seed]

    def __call__(self, board):
        self.numbers.append(PACKAGE.random64(self.numbers[0], len(self.numbers)))
        legal = [d for d in range(4) if PACKAGE.legal_moves(board) >> d & 1]
        return legal[self.numbers[-1] % len(legal)]


@pytest.mark.parametrize("agent", [PACKAGE.agents.Random(), Remembers()])
def test_threads_play_the_same_games(agent):
    import sys
    from concurrent.futures import ThreadPoolExecutor

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)  # threads take turns within every game
    try:
        with ThreadPoolExecutor(4) as pool:
            threads = PACKAGE.evaluate(agent, 40, seed=3, workers=pool)
    finally:
        sys.setswitchinterval(interval)
    assert games(threads) == games(PACKAGE.evaluate(agent, 40, seed=3))


def test_threads_share_an_agent_that_cannot_be_copied():
    import threading
    from concurrent.futures import ThreadPoolExecutor

    class Locked:
        lock = None

        def __init__(self):
            self.lock = threading.Lock()

        def __call__(self, board):
            with self.lock:
                return first_legal(board)

    with ThreadPoolExecutor(2) as pool:
        assert games(PACKAGE.evaluate(Locked(), 4, workers=pool)) == games(PACKAGE.evaluate(first_legal, 4))


@pytest.mark.parametrize(
    ("arguments", "options", "error"),
    [
        ((3,), {}, TypeError),
        ((first_legal, 0), {}, ValueError),
        ((first_legal, 1.5), {}, TypeError),
        ((first_legal, 5, -1), {}, OverflowError),
        ((first_legal, 5), {"workers": 0}, ValueError),
        ((first_legal, 5), {"workers": "2"}, TypeError),
        ((first_legal, 5), {"first": -1}, ValueError),
        ((first_legal, 5), {"first": 2**63 + 1}, ValueError),
        ((first_legal, 5), {"first": 1.0}, TypeError),
        ((first_legal, 5), {"name": 3}, TypeError),
    ],
)
def test_bad_arguments(impl, arguments, options, error):
    with pytest.raises(error):
        impl.evaluate(*arguments, **options)


def test_an_interruption_reports_the_games_finished(impl):
    class Stops:
        calls = 0

        def __call__(self, board):
            self.calls += 1
            if self.calls == 700:
                raise KeyboardInterrupt
            return impl.agents.Greedy()(board)

    result = impl.evaluate(Stops(), 100, seed=1)
    whole = impl.evaluate(impl.agents.Greedy(), 5, seed=1)
    assert result.interrupted and 0 < result.games < 5
    assert games(result) == games(whole)[: result.games]
    assert f"{result.games} of 100, interrupted" in result.table()

    def at_once(board):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        impl.evaluate(at_once, 3)
