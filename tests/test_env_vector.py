"""The environment of many games: against Gymnasium's vector environments of single ones, step by step."""

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv

N = 6
MODES = list(AutoresetMode)
ONLY_RIGHT = 0x1200_2100_1200_2100
IN_THE_MIDDLE = 0x1234_2341_3412_4100  # a few slides from its end
OVER = 0x1212_2121_1212_2121
OVER_BUT_SATURATED = 0xFF12_2121_1212_2121


def of_three_boards(before, afterstate, after):
    """A reward for ints and for arrays."""
    return (before != afterstate) * 2.5 + (after % 7) * 1.0


SETTINGS = [
    {},
    {"observation": "one_hot", "reward": "log2", "max_moves": 30},
    {"observation": "board", "reward": of_three_boards, "max_illegal": 2},
    {"illegal": "end"},
    {"observation": "one_hot", "dtype": "float32", "reward_scale": 0.25, "illegal_penalty": 1.5, "max_illegal": 3},
]


def pair(impl, mode, n=N, **arguments):
    """Our vector environment, and Gymnasium's of n single ones."""
    ours = impl.env.Game2048VectorEnv(n, autoreset_mode=mode, **arguments)
    theirs = SyncVectorEnv([lambda: impl.env.Game2048Env(**arguments)] * n, autoreset_mode=mode)
    assert ours.metadata["autoreset_mode"] is mode and ours.metadata["render_modes"]
    for name in ("single_observation_space", "observation_space", "single_action_space", "action_space"):
        assert getattr(ours, name) == getattr(theirs, name)
    return ours, theirs


def same(ours, theirs):
    """Whether two results of reset or step are equal, item types included."""
    if isinstance(theirs, dict):
        return ours.keys() == theirs.keys() and all(same(ours[key], theirs[key]) for key in theirs)
    if isinstance(theirs, tuple):
        return len(ours) == len(theirs) and all(map(same, ours, theirs))
    if theirs is None or ours is None:
        return theirs is ours
    if theirs.dtype == object:
        return len(ours) == len(theirs) and all(map(same, ours, theirs))
    return ours.dtype.num == theirs.dtype.num and ours.shape == theirs.shape and (ours == theirs).all()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("arguments", SETTINGS)
def test_the_same_games_as_single_environments(impl, mode, arguments):
    ours, theirs = pair(impl, mode, **arguments)
    generator = np.random.default_rng(1)
    assert same(ours.reset(seed=11), theirs.reset(seed=11))
    endings = [0, 0]
    for step in range(250):
        actions = generator.integers(0, 4, N)
        result, expected = ours.step(actions), theirs.step(actions)
        assert same(result, expected), step
        assert result[0] in ours.observation_space
        terminations, truncations = result[2:4]
        assert not (terminations & truncations).any()
        endings[0] += terminations.sum()
        endings[1] += truncations.sum()
        ended = terminations | truncations
        if mode is AutoresetMode.DISABLED and ended.any():
            with pytest.raises(RuntimeError, match=r"game \d has ended"):
                ours.step(actions)
            fresh = ours.reset(options={"reset_mask": ended})
            assert same(fresh[0], theirs.reset(options={"reset_mask": ended})[0])
    assert sum(endings) > 3 and (endings[1] > 0) == ("max_moves" in arguments or "max_illegal" in arguments)


@pytest.mark.parametrize("mode", MODES)
def test_seeds_and_given_boards(impl, mode):
    ours, theirs = pair(impl, mode)
    for n in range(3):
        seeds = [7, None, 7, 2**40, None, 0] if n else [7, 8, 7, 2**40, 3, 0]
        assert same(ours.reset(seed=seeds), theirs.reset(seed=seeds))
        actions = np.arange(N) % 4
        assert same(ours.step(actions), theirs.step(actions))
        assert same(ours.reset(), theirs.reset())
    for board in (IN_THE_MIDDLE, OVER, OVER_BUT_SATURATED, 0xFF00_0000_0000_0000, 0, 2**64 - 1):
        options = {"board": board}
        assert same(ours.reset(seed=4, options=options), theirs.reset(seed=4, options=options))
        for action in range(3):
            result = ours.step(np.full(N, action))
            assert same(result, theirs.step(np.full(N, action)))
            if mode is AutoresetMode.DISABLED and (result[2] | result[3]).any():
                break
    boards = np.arange(1, N + 1, dtype=np.uint64)
    for given in (boards, boards.tolist(), tuple(boards)):
        assert ours.reset(options={"board": given})[1]["board"].tolist() == boards.tolist()


def test_a_partial_reset_leaves_the_others(impl):
    envs = impl.env.Game2048VectorEnv(4)
    envs.reset(seed=1)
    _, _, _, _, before = envs.step([0, 1, 2, 3])
    mask = np.array([True, False, True, False])
    _, infos = envs.reset(seed=[50, 51, 52, 53], options={"reset_mask": mask, "board": IN_THE_MIDDLE})
    assert (infos["board"] == np.where(mask, np.uint64(IN_THE_MIDDLE), before["board"])).all()
    assert (infos["moves"] == np.where(mask, 0, before["moves"])).all()
    single = impl.env.Game2048Env()
    single.reset(seed=52, options={"board": IN_THE_MIDDLE})
    assert envs.step([0] * 4)[4]["board"][2] == single.step(0)[4]["board"]


def test_masks_are_the_legal_moves_of_the_observed_boards(impl):
    """A million steps with the C core."""
    n, steps = (4096, 245) if impl.BACKEND == "c" else (64, 60)
    generator = np.random.default_rng(5)
    envs = impl.env.Game2048VectorEnv(n, observation="board", autoreset_mode="SameStep")
    boards, infos = envs.reset(seed=1)
    seen = 0
    for _ in range(steps):
        boards = np.ascontiguousarray(boards[:, 0])
        legal = np.stack([impl.move_many(boards, d) != boards for d in range(4)], axis=1)
        assert (infos["action_mask"] == legal).all() and infos["action_mask"].dtype == np.int8
        assert (envs.action_masks() == legal).all() and envs.action_masks().dtype == bool
        assert legal.any(axis=1).all()
        boards, _, terminated, _, infos = envs.step(generator.integers(0, 4, n))
        seen += terminated.sum()
    assert seen or steps < 100


def test_illegal_actions_raise_before_anything_happens(impl):
    envs = impl.env.Game2048VectorEnv(3, illegal="raise")
    envs.reset(seed=1, options={"board": [0x1200_2100_1200_2100, 1, OVER]})
    with pytest.raises(ValueError, match=r"actions\[0\] is illegal: sliding left .* 0x1200210012002100"):
        envs.step([3, 0, 0])
    with pytest.raises(ValueError, match=r"actions\[1\] is illegal: sliding down"):
        envs.step([1, 2, 0])
    infos = envs.step([1, 0, 0])[4]
    assert infos["moves"].tolist() == [1, 1, 0]
    actions = infos["action_mask"].argmax(axis=1)
    assert actions[2] == 0 and not infos["action_mask"][2].any()
    infos = envs.step(actions)[4]  # the third game is restarted, so its action does not matter
    assert infos["moves"].tolist() == [2, 2, 0] and infos["action_mask"][2].any()


def test_a_game_about_to_be_reset_may_have_any_action(impl):
    """Truncated games have legal slides; the step that resets them ignores the action all the same."""
    envs = impl.env.Game2048VectorEnv(40, illegal="raise", max_moves=1)
    _, infos = envs.reset(seed=1)
    infos = envs.step(infos["action_mask"].argmax(axis=1))[4]
    illegal = infos["action_mask"].argmin(axis=1)
    assert (infos["action_mask"].min(axis=1) == 0).any() and infos["action_mask"].any()
    infos = envs.step(illegal)[4]
    assert not infos["moves"].any() and infos["action_mask"].any(axis=1).all()


@pytest.mark.parametrize("mode", MODES)
def test_terminated_is_not_truncated_too(impl, mode):
    ours, theirs = pair(impl, mode, illegal="end", max_illegal=1)
    options = {"board": ONLY_RIGHT}
    assert same(ours.reset(seed=1, options=options), theirs.reset(seed=1, options=options))
    result = ours.step([0, 1] * (N // 2))
    assert same(result, theirs.step([0, 1] * (N // 2)))
    assert result[2].tolist() == [True, False] * (N // 2) and not result[3].any()


@pytest.mark.parametrize("mode", MODES)
def test_a_limit_of_steps_is_that_of_gymnasiums_wrapper(impl, mode):
    ours = impl.env.Game2048VectorEnv(N, max_episode_steps=5, max_illegal=3, autoreset_mode=mode)
    theirs = SyncVectorEnv(
        [lambda: gymnasium.wrappers.TimeLimit(impl.env.Game2048Env(max_illegal=3), 5)] * N, autoreset_mode=mode
    )
    assert same(ours.reset(seed=1), theirs.reset(seed=1))
    generator, moves = np.random.default_rng(1), []
    for step in range(60):
        if step in (7, 8, 30):
            assert same(ours.reset(), theirs.reset())
        actions = generator.integers(0, 4, N) * (np.arange(N) > 0)  # the first game stumbles over illegal ones
        result = ours.step(actions)
        assert same(result, theirs.step(actions)), step
        ended = result[3]
        moves += (result[4]["final_info"] if mode is AutoresetMode.SAME_STEP and ended.any() else result[4])["moves"][
            ended
        ].tolist()
        if mode is AutoresetMode.DISABLED and ended.any():
            fresh = ours.reset(options={"reset_mask": ended})
            assert same(fresh[0], theirs.reset(options={"reset_mask": ended})[0])
    assert len(moves) > 40 and min(moves) < max(moves) == 5  # steps are counted, not moves


def test_an_episode_over_at_the_limit_of_steps_is_terminated(impl):
    envs = impl.env.Game2048VectorEnv(2, max_episode_steps=1, illegal="end")
    envs.reset(seed=1, options={"board": ONLY_RIGHT})
    assert [ended.tolist() for ended in envs.step([0, 1])[2:4]] == [[True, False], [False, True]]


@pytest.mark.parametrize("action", range(4))
def test_no_episode_hangs(impl, action):
    envs = impl.env.Game2048VectorEnv(5, max_illegal=20)
    envs.reset(seed=1)
    ended = np.zeros(5, int)
    for _ in range(300):
        ended += envs.step(np.full(5, action))[3]
    assert (ended > 2).all()


def test_wrong_arguments(impl):
    make = impl.env.Game2048VectorEnv
    for arguments in (
        {"num_envs": 0}, {"autoreset_mode": "next"}, {"render_mode": "human"}, {"threads": 0}, {"observation": "x"},
        {"max_episode_steps": 0},
    ):  # fmt: skip
        (name,) = arguments
        with pytest.raises(ValueError, match=name):
            make(**arguments)
    envs = make(3)
    for method in (lambda: envs.step([0, 0, 0]), envs.action_masks, envs.render):
        with pytest.raises(RuntimeError, match=r"call reset\(\) before \w+\(\)"):
            method()
    half = np.array([True, False, False])
    for error, options in (
        (ValueError, {"reset_mask": half}),
        (ValueError, {"reset_mask": np.zeros(3, bool)}),
        (ValueError, {"reset_mask": np.ones(2, bool)}),
        (TypeError, {"reset_mask": [True] * 3}),
        (TypeError, {"reset_mask": np.ones(3, int)}),
        (ValueError, {"boards": 1}),
        (ValueError, {"board": [1, 2]}),
        (TypeError, {"board": np.ones(3, int)}),
        (TypeError, {"board": "x"}),
        (OverflowError, {"board": [1, 2, 2**64]}),
        (OverflowError, {"board": -1}),
    ):
        with pytest.raises(error, match="mask" if "reset_mask" in options else "board"):
            envs.reset(options=options)
    for error, seed in (
        (ValueError, [1, 2]), (OverflowError, -1), (OverflowError, 2**64 - 1), (TypeError, "x"), (TypeError, [1, 2, 0.5])
    ):  # fmt: skip
        with pytest.raises(error, match="seed"):
            envs.reset(seed=seed)
    envs.reset(seed=1)
    before = envs.reset(seed=1)
    for error, actions in (
        (ValueError, [0, 1]), (ValueError, [0, 1, 4]), (ValueError, [0, 1, -1]), (TypeError, [0.0, 1, 2]),
        (ValueError, 1), (TypeError, ["up"] * 3),
    ):  # fmt: skip
        with pytest.raises(error, match="actions"):
            envs.step(actions)
    assert same(envs.reset(options={"reset_mask": half}, seed=1), before)


def test_a_reward_of_the_wrong_shape(impl):
    envs = impl.env.Game2048VectorEnv(3, reward=lambda before, afterstate, after: 1.0)
    envs.reset(seed=1)
    with pytest.raises(ValueError, match=r"reward must give an array of the shape \(3,\), gave \(\)"):
        envs.step([0, 1, 2])


def test_a_reward_that_raises_has_not_kept_who_ended(impl):
    """The games were reset in that step: the next one must not reset them again."""
    fail = False

    def reward(before, afterstate, after):
        if fail:
            raise RuntimeError("no reward")
        return np.ones(len(before))

    envs = impl.env.Game2048VectorEnv(2, reward=reward, max_moves=1)
    envs.reset(seed=1, options={"board": ONLY_RIGHT})
    assert envs.step([1, 0])[3].tolist() == [True, False]
    fail = True
    with pytest.raises(RuntimeError, match="no reward"):
        envs.step([0, 0])
    fail = False
    _, rewards, _, _, infos = envs.step(envs.action_masks().argmax(axis=1))
    assert infos["moves"].tolist() == [1, 1] and rewards.tolist() == [1, 1]


def test_the_array_of_a_reward_callable_stays_as_it_is(impl):
    kept = np.full(2, 5.0)
    envs = impl.env.Game2048VectorEnv(2, reward=lambda before, afterstate, after: kept, max_moves=1)
    envs.reset(seed=1, options={"board": ONLY_RIGHT})
    envs.step([1, 0])
    rewards = envs.step([0, 0])[1]
    assert rewards.tolist() == [0, 5] and kept.tolist() == [5, 5]


@pytest.mark.parametrize("mode", MODES)
def test_pickles_and_copies_go_on_as_the_original_does(impl, mode):
    envs = impl.env.Game2048VectorEnv(N, autoreset_mode=mode, max_moves=15, reward="log2")
    envs.reset(seed=3)
    generator = np.random.default_rng(1)
    for _ in range(5):
        envs.step(generator.integers(0, 4, N))
    others = copy.deepcopy(envs), pickle.loads(pickle.dumps(envs))
    for _ in range(9 if mode is AutoresetMode.DISABLED else 60):
        actions = generator.integers(0, 4, N)
        result = envs.step(actions)
        assert all(same(other.step(actions), result) for other in others)


def overwrite(returned):
    """Put other numbers into every array that the caller may write."""
    for part in returned.values() if isinstance(returned, dict) else returned:
        if isinstance(part, (dict, tuple)):
            overwrite(part)
        elif part.flags.writeable and part.dtype != object:
            part[...] = 1 - part if part.dtype != bool else ~part


def test_what_is_returned_is_the_callers(impl):
    envs, untouched = (impl.env.Game2048VectorEnv(N, autoreset_mode="SameStep") for _ in range(2))
    generator = np.random.default_rng(2)
    results = envs.reset(seed=1), untouched.reset(seed=1)
    for _ in range(200):
        assert same(*results)
        overwrite(results[0])
        assert not same(*results)
        actions = generator.integers(0, 4, N)
        results = envs.step(actions), untouched.step(actions)


def test_threads_change_nothing(impl):
    one, three = (impl.env.Game2048VectorEnv(N, threads=threads) for threads in (1, 3))
    one.reset(seed=1), three.reset(seed=1)
    for action in [0, 1, 2, 3] * 5:
        assert same(one.step(np.full(N, action)), three.step(np.full(N, action)))


def test_render(impl):
    for mode in ("ansi", "rgb_array"):
        envs = impl.env.Game2048VectorEnv(3, render_mode=mode)
        envs.reset(seed=5)
        single = impl.env.Game2048Env(render_mode=mode)
        for i, drawn in enumerate(envs.render()):
            single.reset(seed=5 + i)
            assert np.array_equal(drawn, single.render())
    envs = impl.env.Game2048VectorEnv(3)
    envs.reset()
    assert envs.render() is None


def test_gymnasiums_wrappers_accept_it(impl):
    for mode in MODES[:2]:
        games = impl.env.Game2048VectorEnv(2, autoreset_mode=mode, max_moves=4)
        listed = gymnasium.wrappers.vector.DictInfoToList(copy.deepcopy(games))
        counted = gymnasium.wrappers.vector.RecordEpisodeStatistics(games)
        listed.reset(seed=1), counted.reset(seed=1)
        points = lengths = 0
        for action in [0, 1, 2, 3] * 6:
            _, rewards, _, _, infos = counted.step(np.full(2, action))
            points += rewards.sum()
            for i, info in enumerate(listed.step(np.full(2, action))[4]):
                assert info["score"] == infos["score"][i] and info["moves"] <= 4
            lengths += infos["episode"]["l"].sum() if "episode" in infos else 0
        assert lengths > 8 and sum(counted.return_queue) > 0
        assert sum(counted.return_queue) <= points


def test_made_by_name():
    envs = gymnasium.make_vec(
        "bitboard.env:bitboard/Game2048-v0",
        num_envs=N,
        vectorization_mode="vector_entry_point",
        autoreset_mode="SameStep",
    )
    assert type(envs).__name__ == "Game2048VectorEnv" and envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert envs.spec.id == "bitboard/Game2048-v0" and envs.num_envs == N
    limited = gymnasium.make_vec("bitboard.env:bitboard/Game2048-v0", num_envs=2, max_episode_steps=3)
    limited.reset(seed=1)
    assert [limited.step([0, 1])[3].tolist() for _ in range(4)] == [[False] * 2] * 2 + [[True] * 2, [False] * 2]
    assert "SAME_STEP" in repr(envs.metadata) and "Game2048" in repr(envs)
    envs.close()


def test_sync_and_async_vector_environments():
    """In other processes too: these load the package by its name, so only the first backend is tested."""
    name = "bitboard.env:bitboard/Game2048-v0"
    ours = gymnasium.make_vec(name, num_envs=2)
    sync = gymnasium.make_vec(name, num_envs=2, vectorization_mode="sync")
    others = AsyncVectorEnv([lambda: gymnasium.make(name)] * 2, context="spawn")
    try:
        expected = ours.reset(seed=1)
        assert same(sync.reset(seed=1), expected)
        assert same(others.reset(seed=1), expected)
        for action in [0, 1, 2, 3] * 5:
            expected = ours.step(np.full(2, action))
            assert same(sync.step(np.full(2, action)), expected)
            assert same(others.step(np.full(2, action)), expected)
    finally:
        others.close()


def test_call_get_attr_and_set_attr_are_those_of_gymnasiums_vector_environment(impl):
    ours, theirs = pair(impl, AutoresetMode.SAME_STEP, render_mode="ansi")
    assert ours.autoreset_mode is theirs.autoreset_mode is AutoresetMode.SAME_STEP
    with pytest.raises(RuntimeError, match=r"call reset\(\) before get_attr"):
        ours.get_attr("board")
    ours.reset(seed=3)
    theirs.reset(seed=3)
    for step in range(5):
        actions = np.arange(N) + step & 3
        ours.step(actions)
        theirs.step(actions)
        for name in ("action_masks", "render"):
            result, expected = ours.call(name), theirs.call(name)
            assert type(result) is tuple and np.array_equal(result, expected), name
        for name in ("board", "stream", "score", "moves", "action_space", "observation_space", "render_mode"):
            assert ours.get_attr(name) == theirs.get_attr(name), name
    for values in ([*range(N)], "one for all"):
        ours.set_attr("number", values)
        theirs.set_attr("number", values)
        assert ours.get_attr("number") == theirs.get_attr("number")
    ours.set_attr("plus", abs)
    assert pickle.loads(pickle.dumps(ours)).call("plus", -3) == (3,) * N
    with pytest.raises(ValueError, match="one value or a list of 6, got 2"):
        ours.set_attr("number", [1, 2])
    with pytest.raises(AttributeError, match="board cannot be set; reset"):
        ours.set_attr("board", 0)
    for name in ("steps", "_settings"):
        with pytest.raises(AttributeError, match=f"a game here has action_masks, .* but no '{name}'"):
            ours.get_attr(name)


def test_a_vector_environment_that_draws_nothing_renders_none_for_each_game(impl):
    envs = impl.env.Game2048VectorEnv(3)
    envs.reset(seed=1)
    assert envs.call("render") == (None,) * 3


def test_the_spaces_of_boards_sample_boards_of_all_kinds(impl):
    ours, theirs = pair(impl, AutoresetMode.NEXT_STEP, observation="board")
    for space, shape in (
        (impl.env.Game2048Env(observation="board").observation_space, (1,)),
        (ours.single_observation_space, (1,)),
        (ours.observation_space, (N, 1)),
        (theirs.observation_space, (N, 1)),
    ):
        space.seed(5)
        samples = [space.sample() for _ in range(40)]
        assert all(sample in space and sample.shape == shape and sample.dtype == np.uint64 for sample in samples)
        words = np.ravel(samples)
        assert len(set(words.tolist())) == len(words) and words.max() >= 2**63 > words.min()
        again = pickle.loads(pickle.dumps(space))
        space.seed(5)
        again.seed(5)
        assert np.array_equal(space.sample(), again.sample()) and again == space


@pytest.mark.parametrize("mode", MODES)
def test_observations_with_the_mask(impl, mode):
    ours, theirs = pair(impl, mode, mask=True, dtype="float32", max_moves=9, illegal_penalty=2)
    assert same(ours.reset(seed=5), theirs.reset(seed=5))
    for step in range(30):
        actions = ours.sample_legal()
        result, expected = ours.step(actions), theirs.step(actions)
        assert same(result, expected), step
        observation, ended = result[0], result[2] | result[3]
        assert observation in ours.observation_space and (result[1] >= 0).all()
        assert (observation["action_mask"] == result[4]["action_mask"]).all()
        if mode is AutoresetMode.DISABLED and ended.any():
            options = {"reset_mask": ended}
            assert same(ours.reset(options=options)[0], theirs.reset(options=options)[0])


def test_legal_actions_are_sampled_each_as_likely(impl):
    envs, single = impl.env.Game2048VectorEnv(4000), impl.env.Game2048Env()
    for board, legal in ((ONLY_RIGHT, [1]), (0x1100 << 48, [1, 2, 3]), (OVER, [0])):
        draws = []
        for env in (envs, single):
            env.reset(seed=1, options={"board": board})
            env.action_space.seed(3)
            draws.append([env.sample_legal() for _ in range(400 if env is single else 1)])
        for sampled in draws:
            counts = np.bincount(np.ravel(sampled), minlength=4) / np.size(sampled)
            assert np.flatnonzero(counts).tolist() == legal
            assert np.abs(counts[legal] - 1 / len(legal)).max() < 0.1


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"dtype": "float64"}, ValueError),
        ({"observation": "board", "dtype": "float32"}, ValueError),
        ({"mask": 1}, TypeError),
        ({"reward_scale": "x"}, TypeError),
        ({"illegal_penalty": float("nan")}, ValueError),
    ],
)
def test_wrong_observations_and_rewards_are_refused(impl, arguments, error):
    for make in (impl.env.Game2048Env, impl.env.Game2048VectorEnv):
        with pytest.raises(error, match=list(arguments)[-1]):
            make(**arguments)
