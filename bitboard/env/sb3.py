"""For stable-baselines3 and sb3-contrib: a VecEnv of many games in step, and a feature extractor of boards.

    from sb3_contrib import MaskablePPO
    from bitboard.env.sb3 import Game2048VecEnv, OneHotExtractor

    games = Game2048VecEnv(256, observation="one_hot", reward="log2")
    model = MaskablePPO("MlpPolicy", games, policy_kwargs={"features_extractor_class": OneHotExtractor})
    model.learn(1_000_000)

Needs stable-baselines3, and so torch: the extra `sb3`. Nothing else imports this module.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, SupportsIndex

from ..core import check
from ..tools import extras
from .common import AutoresetMode, options_of
from .vector import Game2048VectorEnv

try:
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
    from stable_baselines3.common.vec_env import VecEnv
    from torch import nn
except ImportError as error:
    raise ImportError(
        f"bitboard.env.sb3 needs stable-baselines3 2.6 or newer: {extras.hint('sb3')} ({error})"
    ) from error

import numpy as np
from numpy.typing import NDArray

__all__ = ["Game2048VecEnv", "OneHotExtractor"]

Indices = int | Iterable[int] | None

_METHODS = ("action_masks", "render")  # of a game, for env_method()


class Game2048VecEnv(VecEnv):
    """num_envs games of 2048 in step for stable-baselines3: what SubprocVecEnv is to Game2048Env, in one process.

    arguments: those of Game2048VectorEnv, but for autoreset_mode. Game i is the one that Game2048Env plays in
    DummyVecEnv or SubprocVecEnv with the same seed, options and actions: observations, rewards (float32), ends and
    what follows them are equal. The attribute `games` is the vector environment inside.

    infos: a dict a game, each the caller's own. "TimeLimit.truncated" is always there; a game that has just ended
    has besides "terminal_observation", the infos of Game2048Env ("score", "max_tile", "moves", "board", ...) and
    "episode", which is what Monitor adds: "r", the sum of rewards, "l", the steps, "t", seconds since the start. So
    ep_rew_mean is logged without VecMonitor, and env_is_wrapped(Monitor) is true. While a game goes on, its infos
    would cost more than the step: get_attr("score") has them. reset_infos has the infos of the last reset.

    get_attr() and env_method() know what Game2048VectorEnv.call() knows, env_method("action_masks") for MaskablePPO
    among it; set_attr() keeps attributes of your own, None for the games that indices leave out.
    set_options({"board": b}), or a list of such dicts, is for the next reset.
    Raises what Game2048VectorEnv raises. Cost: tests/bench/ppo.py.

    >>> games = Game2048VecEnv(3, observation="one_hot")
    >>> games.seed(1)
    [1, 2, 3]
    >>> games.reset().shape
    (3, 16, 4, 4)
    >>> observations, rewards, dones, infos = games.step(np.array([2, 2, 2]))
    >>> infos[0], games.env_method("action_masks", indices=[0])[0].tolist(), games.get_attr("moves")
    ({'TimeLimit.truncated': False}, [True, True, False, True], [1, 1, 1])
    """

    def __init__(self, num_envs: SupportsIndex = 1, **arguments: Any) -> None:
        self.games = games = Game2048VectorEnv(num_envs, autoreset_mode=AutoresetMode.SAME_STEP, **arguments)
        super().__init__(games.num_envs, games.single_observation_space, games.single_action_space)
        self.metadata = games.metadata
        self._actions: Any = None  # of step_async(), for step_wait()
        self._started = time.perf_counter()
        self._returns = np.zeros(games.num_envs)  # of the episodes that go on
        self._lengths = np.zeros(games.num_envs, np.int64)

    def reset(self) -> Any:
        """Start games by what seed() and set_options() have said: the observations."""
        if len(self._options) != self.num_envs:
            raise ValueError(f"options must be a dict or a list of {self.num_envs}, got {len(self._options)}")
        given = [options_of(options, ("board",)).get("board") for options in self._options]
        boards = [0 if board is None else check.word(board, "options['board']") for board in given]
        seeds = None if all(seed is None for seed in self._seeds) else self._seeds
        observations, infos = self.games.reset(seed=seeds)
        placed = np.array([board is not None for board in given])
        if placed.any():  # the same streams once more
            streams = list(self.games.get_attr("stream"))
            observations, infos = self.games.reset(seed=streams, options={"board": boards, "reset_mask": placed})
        self.reset_infos = [_info_of(infos, i) for i in range(self.num_envs)]
        self._returns.fill(0)
        self._lengths.fill(0)
        self._reset_seeds()
        self._reset_options()
        return observations

    def step_async(self, actions: Any) -> None:
        """Keep the actions for step_wait()."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Slide every game: (observations, rewards, dones, infos). See the class."""
        observations, rewards, terminations, truncations, now = self.games.step(self._actions)
        self._returns += rewards
        self._lengths += 1
        infos: list[dict[str, Any]] = [{"TimeLimit.truncated": False} for _ in range(self.num_envs)]
        dones: NDArray[np.bool_] = terminations | truncations
        if dones.any():
            spent = round(time.perf_counter() - self._started, 6)
            for i in np.flatnonzero(dones).tolist():
                infos[i] = {
                    **_info_of(now["final_info"], i),
                    "TimeLimit.truncated": bool(truncations[i]),
                    "terminal_observation": now["final_obs"][i],
                    "episode": {"r": round(float(self._returns[i]), 6), "l": int(self._lengths[i]), "t": spent},
                }
                self.reset_infos[i] = _info_of(now, i)
            self._returns[dones] = 0
            self._lengths[dones] = 0
        return observations, rewards.astype(np.float32), dones, infos

    def close(self) -> None:
        """There is nothing to close."""
        self.games.close()

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """An attribute of all games, or of some: see the class."""
        if attr_name in _METHODS:
            values: Sequence[Any] = [partial(self._of_one, attr_name, i) for i in range(self.num_envs)]
        else:
            values = self.games.get_attr(attr_name)
        return [values[i] for i in self._get_indices(indices)]

    def _of_one(self, method: str, i: int) -> Any:
        return self.games.call(method)[i]

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Give all games, or some, an attribute for get_attr(). AttributeError for what they have of themselves."""
        values = list(self.games.get_attr(attr_name)) if self.has_attr(attr_name) else [None] * self.num_envs
        for i in self._get_indices(indices):
            values[i] = value
        self.games.set_attr(attr_name, values)

    def env_method(
        self, method_name: str, *method_args: Any, indices: Indices = None, **method_kwargs: Any
    ) -> list[Any]:
        """The results of a method of all games, or of some: see the class."""
        values = self.games.call(method_name, *method_args, **method_kwargs)
        return [values[i] for i in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Indices = None) -> list[bool]:
        """Whether games do what a wrapper does: that of Monitor, and no other."""
        return [wrapper_class is Monitor for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[Any]:
        """A picture of every game with render_mode="rgb_array"; None for each with another one."""
        return self.games.call("render") if self.render_mode == "rgb_array" else [None] * self.num_envs


def _info_of(infos: dict[str, Any], i: int) -> dict[str, Any]:
    """The infos of one game, those of Game2048Env, out of the arrays of all."""
    names = ("score", "max_tile", "moves", "board", "afterstate")
    return {"action_mask": infos["action_mask"][i].copy(), **{name: infos[name][i] for name in names}}


class OneHotExtractor(BaseFeaturesExtractor):
    """A small convolutional network of observation="one_hot": for policy_kwargs["features_extractor_class"].

    Two layers of 2x2 convolutions, 4x4 -> 3x3 -> 2x2, which see each tile beside its neighbours, and a linear layer.
    features_dim: how many numbers it gives; channels: of each convolution.
    Raises ValueError for another observation space.
    """

    def __init__(self, observation_space: Any, features_dim: int = 128, channels: int = 64) -> None:
        if getattr(observation_space, "shape", None) != (16, 4, 4):
            raise ValueError(f'observation_space must be that of observation="one_hot", got {observation_space}')
        super().__init__(observation_space, features_dim)
        self.layers = nn.Sequential(
            nn.Conv2d(16, channels, 2),
            nn.ReLU(),
            nn.Conv2d(channels, channels, 2),
            nn.ReLU(),
            nn.Flatten(),
            nn.Linear(4 * channels, features_dim),
            nn.ReLU(),
        )

    def forward(self, observations: Any) -> Any:
        """(n, 16, 4, 4) float -> (n, features_dim)."""
        return self.layers(observations)
