"""The VecEnv of stable-baselines3: against DummyVecEnv of single environments, step by step.

Where stable-baselines3 is not installed the two stand on sb3_stand_in.py.
"""

import copy
import doctest
import pickle
import subprocess
import sys

import numpy as np
import pytest
from sb3_stand_in import library, sb3_of

N = 6
OVER_SOON = 0x1234_2341_3412_4100
SETTINGS = [
    {},
    {"observation": "one_hot", "reward": "log2", "max_moves": 30},
    {"observation": "one_hot", "dtype": "float32", "mask": True, "reward_scale": 0.25, "max_illegal": 2},
    {"illegal": "end", "illegal_penalty": 1.5, "mask": True},
]


@pytest.fixture
def sb3(impl):
    return sb3_of(impl)


def pair(impl, n=N, **arguments):
    """Ours, and the library's of n single environments."""
    ours = sb3_of(impl).Game2048VecEnv(n, **arguments)
    theirs = library().DummyVecEnv([lambda: impl.env.Game2048Env(**arguments)] * n)
    assert ours.observation_space == theirs.observation_space and ours.action_space == theirs.action_space
    return ours, theirs


def same(ours, theirs):
    """Whether observations, rewards or infos are equal, item types included."""
    if isinstance(theirs, dict):
        return ours.keys() == theirs.keys() and all(same(ours[name], theirs[name]) for name in theirs)
    if isinstance(theirs, (list, tuple)):
        return len(ours) == len(theirs) and all(map(same, ours, theirs))
    if isinstance(theirs, bool):
        return ours is theirs
    return ours.dtype == theirs.dtype and ours.shape == theirs.shape and (ours == theirs).all()


@pytest.mark.parametrize("arguments", SETTINGS)
def test_the_same_games_as_single_environments(impl, arguments):
    ours, theirs = pair(impl, **arguments)
    generator = np.random.default_rng(1)
    assert ours.seed(11) == theirs.seed(11) == [11, 12, 13, 14, 15, 16]
    assert same(ours.reset(), theirs.reset()) and same(ours.reset_infos, theirs.reset_infos)
    ended = truncated = 0
    for step in range(250):
        actions = generator.integers(0, 4, N)
        observations, rewards, dones, infos = ours.step(actions)
        expected = theirs.step(actions)
        assert same((observations, rewards, dones), expected[:3]), step
        assert same(ours.reset_infos, theirs.reset_infos), step
        assert same(ours.env_method("action_masks"), theirs.env_method("action_masks"))
        for done, info, other in zip(dones, infos, expected[3], strict=True):
            if done:
                assert info.pop("episode").keys() == {"r", "l", "t"}
                assert same(info, other), step
                ended += 1
                truncated += info["TimeLimit.truncated"]
            else:
                assert info == {"TimeLimit.truncated": False} and other["TimeLimit.truncated"] is False
    assert ended > 3 and (truncated > 0) == ("max_moves" in arguments or "max_illegal" in arguments)


def test_what_it_says_of_episodes(sb3):
    games = sb3.Game2048VecEnv(N, max_moves=20, reward_scale=0.5, illegal_penalty=0.125)
    games.seed(3)
    games.reset()
    generator = np.random.default_rng(2)
    returns, lengths, episodes = np.zeros(N), np.zeros(N, int), []
    for _ in range(120):
        _, rewards, dones, infos = games.step(generator.integers(0, 4, N))
        returns += rewards
        lengths += 1
        for i in np.flatnonzero(dones):
            episode = infos[i]["episode"]
            assert type(episode["r"]) is float and episode["r"] == returns[i]
            assert type(episode["l"]) is int and episode["l"] == lengths[i] >= infos[i]["moves"]
            episodes.append(episode)
        returns[dones] = lengths[dones] = 0
    times = [episode["t"] for episode in episodes]
    assert len(times) > N and times[0] > 0 and times == sorted(times)


def test_a_reset_in_the_middle_starts_episodes_anew(sb3):
    games = sb3.Game2048VecEnv(2, max_moves=3)
    games.reset()
    games.step(games.games.sample_legal())
    games.reset()
    for _ in range(3):
        _, _, dones, infos = games.step(games.games.sample_legal())
    assert dones.all() and [info["episode"]["l"] for info in infos] == [3, 3]


def test_infos_are_the_callers_own(sb3):
    games = sb3.Game2048VecEnv(3)
    games.reset()
    infos = games.step(np.zeros(3, int))[3]
    infos[0]["mine"] = 1
    later = games.step(np.zeros(3, int))[3]
    assert infos[1] == later[0] == {"TimeLimit.truncated": False} and later[0] is not infos[0]


def test_a_mask_kept_from_an_ended_game_does_not_change(sb3):
    games = sb3.Game2048VecEnv(2, max_moves=1)
    games.seed(1)
    games.reset()
    info = games.step(games.games.sample_legal())[3][0]
    kept = info["action_mask"].copy()
    info["action_mask"][:] = 1 - kept
    assert (games.step(games.games.sample_legal())[3][0]["action_mask"] <= 1).all()
    assert (info["action_mask"] == 1 - kept).all()


def test_masks_of_some_games(sb3):
    games = sb3.Game2048VecEnv(4)
    games.seed(1)
    games.reset()
    masks = games.games.action_masks()
    assert games.has_attr("action_masks") and not games.has_attr("action_mask")
    for indices, expected in ((None, [0, 1, 2, 3]), (2, [2]), ([3, 1], [3, 1]), (range(2), [0, 1])):
        found = games.env_method("action_masks", indices=indices)
        assert type(found) is list and np.array_equal(found, masks[expected])
        methods = games.get_attr("action_masks", indices)
        assert np.array_equal([method() for method in methods], masks[expected])


def test_attributes(sb3):
    games = sb3.Game2048VecEnv(3, max_moves=9)
    games.seed(5)
    games.reset()
    assert games.get_attr("stream") == [5, 6, 7] and games.get_attr("moves", [2, 0]) == [0, 0]
    assert games.get_attr("action_space", 1) == [games.action_space]
    games.set_attr("level", 7, indices=[0, 2])
    assert games.get_attr("level") == [7, None, 7]
    games.set_attr("level", 8, indices=1)
    assert games.get_attr("level") == [7, 8, 7]
    games.set_attr("level", [1])
    assert games.get_attr("level") == [[1], [1], [1]]
    with pytest.raises(AttributeError, match="cannot be set"):
        games.set_attr("board", 1)
    for call in (games.get_attr, games.env_method):
        with pytest.raises(AttributeError, match="no 'bord'"):
            call("bord")


def test_monitor_is_the_one_wrapper_that_it_answers_for(sb3):
    games = sb3.Game2048VecEnv(3)
    assert games.env_is_wrapped(library().Monitor) == [True] * 3
    assert games.env_is_wrapped(library().Monitor, indices=[1]) == [True]
    assert games.env_is_wrapped(dict) == [False] * 3


def test_positions_to_start_from(impl):
    ours, theirs = pair(impl, 3)
    for options in ({"board": OVER_SOON}, [{}, {"board": OVER_SOON}, {"board": np.uint64(1)}], {}):
        for envs in (ours, theirs):
            envs.seed(9)
            envs.set_options(options)
        assert same(ours.reset(), theirs.reset())
        assert same(ours.reset_infos, theirs.reset_infos)
        for step in range(40):
            actions = np.full(3, step % 4)
            assert same(ours.step(actions)[:3], theirs.step(actions)[:3])
        assert same(ours.reset(), theirs.reset())  # seeds and options are for one reset


def test_bad_options_change_nothing(sb3):
    games = sb3.Game2048VecEnv(2)
    games.seed(1)
    before = games.reset()
    for options, error, text in (
        ({"bord": 1}, ValueError, "'bord'"),
        ({"reset_mask": np.ones(2, bool)}, ValueError, "'reset_mask'"),
        ({"board": 2**64}, OverflowError, "board"),
        ([{}, {"board": "x"}], TypeError, "board"),
        ([{}], ValueError, "options must be a dict or a list of 2, got 1"),
    ):
        games.set_options(options)
        with pytest.raises(error, match=text):
            games.reset()
    assert games.get_attr("stream") == [1, 2]
    games.set_options()
    games.seed(1)
    assert same(games.reset(), before)


def test_seeds_that_are_not_given_differ(sb3):
    games = sb3.Game2048VecEnv(8)
    first = games.reset()
    assert len({board.tobytes() for board in first}) > 1
    assert not same(games.reset(), first)
    assert games.seed() != games.seed() and len(games.seed()) == 8


def test_bad_arguments(sb3):
    with pytest.raises(ValueError, match="num_envs"):
        sb3.Game2048VecEnv(0)
    with pytest.raises(TypeError, match="autoreset_mode"):
        sb3.Game2048VecEnv(2, autoreset_mode="Disabled")
    with pytest.raises(ValueError, match="observation"):
        sb3.Game2048VecEnv(2, observation="planes")
    games = sb3.Game2048VecEnv(2)
    with pytest.raises(RuntimeError, match="reset"):
        games.step(np.zeros(2, int))
    games.reset()
    with pytest.raises(ValueError, match="actions"):
        games.step(np.array([0, 4]))


def test_images(sb3):
    games = sb3.Game2048VecEnv(2, render_mode="rgb_array")
    games.reset()
    assert [image.shape for image in games.get_images()] == [(360, 360, 3)] * 2
    assert games.render_mode == "rgb_array" and games.metadata["render_fps"] == 4
    games = sb3.Game2048VecEnv(2, render_mode="ansi")
    games.reset()
    assert games.get_images() == [None, None] and all("score" in text for text in games.env_method("render"))
    assert sb3.Game2048VecEnv(2).render_mode is None
    games.close()


def test_copies_go_on_alike(sb3):
    games = sb3.Game2048VecEnv(3)
    games.seed(1)
    games.reset()
    games.step(np.array([1, 2, 3]))
    copies = [copy.deepcopy(games), pickle.loads(pickle.dumps(games))]
    for step in range(30):
        expected = games.step(np.full(3, step % 4))
        for other in copies:
            assert same(other.step(np.full(3, step % 4))[:3], expected[:3])


def test_the_extractor(sb3):
    space = sb3.Game2048VecEnv(1, observation="one_hot", dtype="float32").observation_space
    extractor = sb3.OneHotExtractor(space)
    assert extractor.features_dim == 128
    assert tuple(extractor(library().zeros((5, 16, 4, 4))).shape) == (5, 128)
    narrow = sb3.OneHotExtractor(space, features_dim=7, channels=3)
    assert narrow.features_dim == 7 and tuple(narrow(library().zeros((2, 16, 4, 4))).shape) == (2, 7)


@pytest.mark.parametrize("arguments", [{}, {"observation": "board"}, {"observation": "one_hot", "mask": True}])
def test_the_extractor_is_for_one_hot(sb3, arguments):
    with pytest.raises(ValueError, match="one_hot"):
        sb3.OneHotExtractor(sb3.Game2048VecEnv(1, **arguments).observation_space)


def test_the_examples_in_its_docstrings(sb3):
    result = doctest.testmod(sb3)
    assert result.failed == 0 and result.attempted >= 5


def test_nothing_else_imports_it_and_it_says_what_to_install():
    program = """if True:
        import sys
        sys.modules["stable_baselines3"] = None
        import bitboard, bitboard.env
        assert "torch" not in sys.modules and "bitboard.env.sb3" not in sys.modules
        try:
            import bitboard.env.sb3
        except ImportError as error:
            print(error)
    """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("bitboard.env.sb3 needs stable-baselines3 2.6 or newer: pip install")
    assert "[sb3]" in done.stdout
