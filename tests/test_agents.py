"""Agents: what they choose, by hand and by their definition."""

import random
from math import isnan, nan

import oracle
import pytest

BOARD = "2 2 4 8  4 0 0 0  4 0 0 0  2 0 0 0"


def boards(impl, n, seed):
    """Boards of random games."""
    rng = random.Random(seed)
    found = []
    while len(found) < n:
        game = impl.Game(seed=rng.getrandbits(64))
        while not game.over and len(found) < n:
            game.move(rng.choice([d for d in range(4) if game.legal >> d & 1]))
            if rng.random() < 0.05 and not game.over:
                found.append(game.board)
    return found


def test_best(impl):
    best = impl.agents.best
    assert best((1.0, 2.0, 2.0, nan)) == 1
    assert best((nan, nan, nan, -5.0)) == 3
    assert best([nan, float("-inf"), nan, nan]) == 1
    with pytest.raises(ValueError, match="the game is over"):
        best((nan,) * 4)


def test_random_is_as_specified(impl):
    agent = impl.agents.Random()
    for seed in (0, 5):
        agent.start(seed)
        for i, board in enumerate(boards(impl, 50, 1)):
            legal = [d for d in range(4) if impl.legal_moves(board) >> d & 1]
            number = impl.random64(impl.stream(seed, 1), i)
            assert agent(board) == legal[(number >> 32) * len(legal) >> 32]


def test_random_takes_every_legal_direction(impl):
    agent = impl.agents.Random(seed=3)
    board = impl.parse(BOARD)
    counts = [0] * 4
    for _ in range(4000):
        counts[agent(board)] += 1
    legal = oracle.legal(impl.to_grid(board))
    expected = [4000 / len(legal) if letter in legal else 0 for letter in "URDL"]
    assert all(abs(count - mean) < 150 for count, mean in zip(counts, expected, strict=True))


def test_greedy_by_its_definition(impl):
    agent = impl.agents.Greedy()
    for board in boards(impl, 200, 2):
        ranks = {}
        for letter in oracle.legal(impl.to_grid(board)):
            after, points = oracle.slide(impl.to_grid(board), letter)
            ranks["URDL".index(letter)] = (points, sum(face == 0 for row in after for face in row))
        top = max(ranks.values())
        assert agent(board) == min(d for d, rank in ranks.items() if rank == top)


@pytest.mark.parametrize("kind", ["list", "numpy"])
def test_random_and_greedy_on_grids(impl, kind):
    import numpy

    for agent in (impl.agents.Random(1), impl.agents.Greedy()):
        game = impl.grid.Game(3, 5, seed=2)
        while not game.over and game.moves < 100:
            board = game.board if kind == "list" else numpy.array(game.board)
            game.move(agent(board))
        assert game.moves > 20


def test_agents_play_packed_numpy_boards(impl):
    import numpy

    board = numpy.uint64(impl.parse(BOARD))
    assert impl.agents.Greedy()(board) == impl.agents.Greedy()(int(board))
    assert impl.agents.MonteCarlo(20)(board) in range(4)


def test_montecarlo_by_its_definition(impl):
    """The values are the reward and the mean score of the playouts, by the public function."""
    agent = impl.agents.MonteCarlo(playouts=15)
    agent.start(77)
    for i, board in enumerate(boards(impl, 5, 3)):
        slides = impl.afterstates(board)
        seed = impl.random64(impl.stream(77, 2), i)
        played = impl.playouts([after for _, after, _ in slides], 15, seed, afterstates=True)
        values = agent.values(board)
        for (direction, _, reward), mean in zip(slides, played.mean_scores, strict=True):
            assert values[direction] == reward + mean
        assert sum(isnan(value) for value in values) == 4 - len(slides)


def test_montecarlo_repeats_itself(both):
    choices = set()
    for impl in both:
        agent = impl.agents.MonteCarlo(playouts=12)
        for _ in range(2):
            agent.start(5)
            choices.add(tuple(agent(board) for board in boards(impl, 6, 4)))
    assert len(choices) == 1


def test_montecarlo_takes_the_only_slide_and_sees_a_dead_end(impl):
    agent = impl.agents.MonteCarlo(playouts=60)
    assert agent(impl.parse("2 4 8 16  4 8 16 32  8 16 32 64  16 32 64 0")) in (1, 2)
    forced = impl.parse("0 2 4 8  0 4 8 16  0 8 16 32  0 16 32 64")
    assert impl.legal_moves(forced) == 1 << 3 and agent(forced) == 3


def test_montecarlo_with_a_time_budget(impl):
    agent = impl.agents.MonteCarlo(milliseconds=1)
    assert agent(impl.parse(BOARD)) in range(4)


def test_montecarlo_with_a_time_budget_by_its_definition(impl, monkeypatch):
    """Round r of 16 games has the stream (seed, r), so that no round repeats another."""
    import importlib

    module = importlib.import_module(".agents", impl.__name__)
    times = iter([0.0, 0.001, 0.002, 1.0])  # the beginning, then after the first, second and third round
    monkeypatch.setattr(module, "perf_counter", lambda: next(times))
    board = impl.parse(BOARD)
    values = impl.agents.MonteCarlo(milliseconds=10, seed=7).values(board)
    slides = impl.afterstates(board)
    seed = impl.random64(impl.stream(7, 2), 0)
    after = [after for _, after, _ in slides]
    rounds = [impl.playouts(after, 16, impl.stream(seed, r), afterstates=True).mean_scores for r in range(3)]
    for (direction, _, reward), *means in zip(slides, *rounds, strict=True):
        assert values[direction] == reward + sum(means) / 3


def test_a_board_that_is_over(impl):
    over = impl.parse("2 4 2 4  4 2 4 2  2 4 2 4  4 2 4 2")
    for agent in (impl.agents.Random(), impl.agents.Greedy(), impl.agents.MonteCarlo(10)):
        with pytest.raises(ValueError, match="the game is over"):
            agent(over)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"playouts": 0}, ValueError),
        ({"playouts": 1.5}, TypeError),
        ({"playouts": 10**10}, ValueError),
        ({"milliseconds": 0}, ValueError),
        ({"milliseconds": "x"}, TypeError),
        ({"milliseconds": True}, TypeError),
        ({"playouts": True}, TypeError),
        ({"milliseconds": 10**400}, ValueError),
        ({"milliseconds": float("nan")}, ValueError),
        ({"threads": 0}, ValueError),
        ({"seed": -1}, OverflowError),
    ],
)
def test_bad_options(impl, options, error):
    with pytest.raises(error):
        impl.agents.MonteCarlo(**options)


def test_options_are_keyword_arguments_of_the_agents(impl, tmp_path):
    impl.NTupleNetwork("2x4").save(tmp_path / "n.net")
    impl.RowTable.default().save(tmp_path / "x.bbrows")
    values = {
        "playouts": 3,
        "milliseconds": 1.5,
        "depth": 1,
        "table": str(tmp_path / "x.bbrows"),
        "network": str(tmp_path / "n.net"),
    }
    assert set(impl.agents.AGENTS) == set(impl.agents.OPTIONS)
    for name, options in impl.agents.OPTIONS.items():
        for option, told in options.items():
            assert type(values[option]) is told.kind
            assert impl.agents.create(name, **{option: values[option]})(0x1100 << 48) in range(4)
    shipped, board = impl.NTupleNetwork.default(), 0x1212_2121_1212_0133
    assert str(impl.agents.create("network").values(board)) == str(shipped.values(board))
    with pytest.raises(FileNotFoundError):
        impl.agents.create("network", network=str(tmp_path / "none.net"))


def test_create(impl, tmp_path, monkeypatch):
    create = impl.agents.create
    assert {type(create(name)).name for name in impl.agents.AGENTS} >= {"random", "greedy", "montecarlo"}
    assert create("montecarlo", playouts=7).playouts == 7
    (tmp_path / "my_agents_for_tests.py").write_text(
        "def downwards(board): return 2\nclass Always:\n    def __init__(self, d=0): self.d = d\n"
        "    def __call__(self, board): return self.d\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert create("my_agents_for_tests:downwards")(0) == 2
    assert create("my_agents_for_tests:Always", d=3)(0) == 3
    for name, options, message in (
        ("nobody", {}, "agent must be one of random, greedy"),
        ("random", {"playouts": 3}, "agent random: "),
        ("my_agents_for_tests:nothing", {}, "has no agent 'nothing'"),
        ("my_agents_for_tests:downwards", {"playouts": 3}, "is ready made and takes no playouts"),
    ):
        with pytest.raises(ValueError, match=message):
            create(name, **options)
    with pytest.raises(ImportError):
        create("no_such_module_for_tests:agent")


def test_names(impl):
    assert impl.agents.name_of(impl.agents.Greedy()) == "greedy"
    assert impl.agents.name_of(oracle.slide) == "slide"
    assert impl.agents.name_of(random.Random()) == "Random"


RULES = [
    {"rows": 4, "columns": 4, "top": 16},
    {"rows": 4, "columns": 4, "top": 65536},
    {"rows": 5, "columns": 5, "top": 32, "spawn": {2: 9, 4: 1}},
    {"rows": 3, "columns": 4, "top": 8, "spawn": {4: 1, 8: 1}},
    {"rows": 3, "columns": 3},
]


@pytest.mark.parametrize("name", ["random", "greedy"])
@pytest.mark.parametrize("rules", RULES)
def test_agents_play_by_the_rules_of_the_game(impl, name, rules):
    """To its end, always a legal slide; of Greedy the one with most points by these rules."""
    agent = impl.agents.create(name)
    top = rules.get("top")
    for seed in range(3):
        game = impl.grid.Game(seed=seed, **rules)
        impl.agents.begin(agent, game.rules, game.seed)
        while not game.over:
            grid = game.board
            chosen = "URDL"[agent(grid)]
            assert chosen in oracle.legal(grid, top)
            if name == "greedy":
                points = [oracle.slide(grid, letter, top)[1] for letter in oracle.legal(grid, top)]
                assert oracle.slide(grid, chosen, top)[1] == max(points)
            game.move(chosen)
    impl.agents.begin(agent, impl.Game(1).rules, 1)  # and a packed board as ever
    assert agent(0x1000_0000_0000_0000) in (1, 2)


def test_an_agent_is_told_the_rules_before_the_seed(impl):
    class Told:
        def __init__(self):
            self.heard = []

        def play_by(self, rules):
            self.heard.append((rules.rows, rules.columns, rules.spawn, 2**rules.top))

        def start(self, seed):
            self.heard.append(seed)

        def __call__(self, board):
            return next(d for d in range(4) if impl.legal_moves(board) >> d & 1)

    agent, usual = Told(), (4, 4, ((1, 9), (2, 1)), 131072)
    impl.agents.begin(agent, impl.grid.Game(2, 3, spawn={4: 1}, top=64).rules, 5)
    assert agent.heard == [(2, 3, ((2, 1),), 64), 5]
    agent.heard.clear()
    impl.evaluate(agent, games=2, seed=1)
    assert agent.heard == [usual, impl.stream(1, 0), usual, impl.stream(1, 1)]
    impl.agents.begin(len, impl.Game(1).rules, 1)  # a function has no such methods

    class Refusing(Told):
        def play_by(self, rules):
            raise LookupError("not by these")

    with pytest.raises(RuntimeError, match=r"game 0, play_by\(\): the agent raised LookupError: not by these"):
        impl.evaluate(Refusing(), games=1)
