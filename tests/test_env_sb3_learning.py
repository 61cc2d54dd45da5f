"""stable-baselines3 and sb3-contrib at work on our VecEnv: collected only where they are installed (conftest.py)."""

import importlib.util

import numpy as np
import pytest
import torch
from conftest import ROOT
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_stand_in import sb3_of
from stable_baselines3 import DQN, PPO
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import SubprocVecEnv, VecFrameStack, VecMonitor, VecNormalize

ID = "bitboard.env:bitboard/Game2048-v0"


@pytest.fixture
def sb3(impl):
    torch.set_num_threads(1)
    return sb3_of(impl)


def maskable(sb3, games, policy="MlpPolicy", **arguments):
    return MaskablePPO(policy, games, n_steps=32, batch_size=64, n_epochs=1, seed=1, device="cpu", **arguments)


def test_maskable_ppo_with_the_extractor(sb3, tmp_path):
    games = sb3.Game2048VecEnv(16, observation="one_hot", max_moves=20)
    kwargs = {"features_extractor_class": sb3.OneHotExtractor, "features_extractor_kwargs": {"channels": 8}}
    model = maskable(sb3, games, policy_kwargs=kwargs)
    model.learn(1024)
    assert len(model.ep_info_buffer) >= 16
    assert {episode["l"] for episode in model.ep_info_buffer} == {20}  # moves: actions were legal, all of them
    model.save(tmp_path / "model.zip")
    again = MaskablePPO.load(tmp_path / "model.zip", env=games)
    observations, masks = games.reset(), np.stack(games.env_method("action_masks"))
    first, second = (one.predict(observations, action_masks=masks, deterministic=True)[0] for one in (model, again))
    assert (first == second).all() and masks[np.arange(16), first].all()


def test_the_same_seed_learns_the_same(sb3):
    def learned():
        model = maskable(sb3, sb3.Game2048VecEnv(4, observation="one_hot", mask=False))
        model.learn(256)
        return model.policy.state_dict()

    first, second = learned(), learned()
    assert all(torch.equal(first[name], second[name]) for name in first)


def test_evaluate_policy_takes_our_episodes_without_a_warning(sb3):
    games = sb3.Game2048VecEnv(4, max_moves=30)
    returns, lengths = evaluate_policy(maskable(sb3, games), games, 8, return_episode_rewards=True)
    assert lengths == [30] * 8 and all(value % 4 == 0 for value in returns)


def test_a_dict_with_the_mask_is_observed(sb3):
    games = sb3.Game2048VecEnv(4, observation="one_hot", dtype="float32", mask=True)
    maskable(sb3, games, "MultiInputPolicy").learn(256)


@pytest.mark.parametrize("learner", [PPO, DQN])
def test_learners_that_know_no_masks(sb3, learner):
    games = sb3.Game2048VecEnv(4, observation="one_hot", dtype="float32", max_moves=10)
    steps = {"n_steps": 32} if learner is PPO else {"learning_starts": 50, "buffer_size": 1000}
    learner("MlpPolicy", games, device="cpu", **steps).learn(400)


def test_wrappers_of_the_library(sb3):
    games = VecNormalize(VecFrameStack(sb3.Game2048VecEnv(4, dtype="float32", max_moves=10), 2))
    maskable(sb3, games).learn(256)
    with pytest.warns(UserWarning, match="Monitor"):  # it would do once more what is done
        monitored = VecMonitor(sb3.Game2048VecEnv(2, max_moves=5))
    maskable(sb3, monitored).learn(64)


def test_the_picture_of_all_games(sb3):
    games = sb3.Game2048VecEnv(4, render_mode="rgb_array")
    games.reset()
    assert games.render().shape == (720, 720, 3)


def test_the_same_games_as_in_processes(sb3):
    ours = sb3.Game2048VecEnv(3, observation="one_hot")
    theirs = make_vec_env(ID, 3, env_kwargs={"observation": "one_hot"}, vec_env_cls=SubprocVecEnv)
    try:
        ours.seed(4)
        theirs.seed(4)
        assert (ours.reset() == theirs.reset()).all()
        ended = 0
        for _ in range(300):
            masks, others = (np.stack(envs.env_method("action_masks")) for envs in (ours, theirs))
            assert (masks == others).all()
            actions = masks.argmax(axis=1)
            result, expected = ours.step(actions), theirs.step(actions)
            assert all((a == b).all() for a, b in zip(result[:3], expected[:3], strict=True))  # rewards there: float64
            for done, info, other in zip(result[2], result[3], expected[3], strict=True):
                if done:
                    ended += 1
                    assert (info["terminal_observation"] == other["terminal_observation"]).all()
                    assert info["episode"]["r"] == other["episode"]["r"]  # there Monitor's
                    assert info["episode"]["l"] == other["episode"]["l"]
        assert ended >= 3
    finally:
        theirs.close()


def test_the_code_in_the_guide():
    guide = (ROOT / "bitboard" / "env" / "README.md").read_text(encoding="utf-8").split("## stable-baselines3")[1]
    code = "\n".join(line[4:] for line in guide.splitlines() if line.startswith("    "))
    assert code.count("1_000_000") == 1
    names = {}
    exec(code.replace("1_000_000", "100").replace("Extractor}", "Extractor}, n_steps=16"), names)
    assert names["model"].num_timesteps == 1024


def test_the_example(capsys, monkeypatch, tmp_path):
    path = ROOT / "tests" / "examples" / "train_ppo.py"
    spec = importlib.util.spec_from_file_location("train_ppo", path)
    train_ppo = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(train_ppo)
    monkeypatch.setattr(train_ppo, "EVALUATED", 4)
    file = tmp_path / "ppo.zip"
    monkeypatch.setattr("sys.argv", ["train_ppo.py", "--steps", "256", "--games", "4", "--save", str(file)])
    train_ppo.main()
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines[-3:]] == ["random", "before", "after"]
    assert all("4 games, mean score" in line for line in lines[-3:])
    assert MaskablePPO.load(file).num_timesteps >= 256


def test_torch_takes_every_64_bit_array(impl):
    batch = impl.Batch(2, seed=1)
    boards = np.asarray(batch.boards)
    envs = impl.env.Game2048VectorEnv(2, observation="board")
    observations, infos = envs.reset(seed=1)
    given = []

    def evaluator(array):
        given.append(np.array(array))
        return np.zeros(len(array))

    impl.Expectimax(depth=1, evaluator=evaluator).best(0x1122)
    arrays = [
        boards, batch.scores, batch.streams, batch.afterstates, observations, *infos.values(),
        impl.playouts([0x1122], 2, seed=1).final_boards, impl.spawns_array(0x1122)[1], given[0],
        *impl.afterstates_many(boards)[:1], impl.symmetries_many(boards), impl.random_games(3, seed=1).final_boards,
    ]  # fmt: skip
    arrays = [np.asarray(array) for array in arrays]
    assert {array.dtype.num for array in arrays if array.dtype.kind == "u" and array.itemsize == 8} == {
        np.dtype(np.uint64).num
    }
    for array in arrays:
        assert (torch.from_numpy(array.copy()).numpy() == array).all()
