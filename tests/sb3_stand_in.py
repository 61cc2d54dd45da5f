"""stable-baselines3 where it is not installed: as much of it as bitboard/env/sb3.py and its tests touch.

torch is too large for every run of the checks, so they run against this: written for these tests after what the
library's documentation says of VecEnv. Where the library is installed the same tests run against it, and those of
test_env_sb3_learning.py besides; the header of pytest's output says whether it is.
"""

import importlib
import sys
from abc import ABC, abstractmethod
from types import ModuleType, SimpleNamespace

import numpy as np
from conftest import SB3


class Monitor:
    """Only a name here."""


class VecEnv(ABC):
    """The base class: it keeps the seeds and options of the next reset, and asks for the render mode at once."""

    def __init__(self, num_envs, observation_space, action_space):
        self.num_envs, self.observation_space, self.action_space = num_envs, observation_space, action_space
        self.reset_infos = [{} for _ in range(num_envs)]
        self._reset_seeds()
        self._reset_options()
        (self.render_mode,) = set(self.get_attr("render_mode"))

    def _reset_seeds(self):
        self._seeds = [None] * self.num_envs

    def _reset_options(self):
        self._options = [{} for _ in range(self.num_envs)]

    def seed(self, seed=None):
        first = np.random.default_rng().integers(2**32) if seed is None else seed
        self._seeds = [int(first) + i for i in range(self.num_envs)]
        return self._seeds

    def set_options(self, options=None):
        self._options = options if isinstance(options, list) else [dict(options or {}) for _ in range(self.num_envs)]

    def step(self, actions):
        self.step_async(actions)
        return self.step_wait()

    def has_attr(self, name):
        try:
            self.get_attr(name)
        except AttributeError:
            return False
        return True

    def _get_indices(self, indices):
        if indices is None:
            return range(self.num_envs)
        return [indices] if isinstance(indices, int) else indices

    @abstractmethod
    def reset(self): ...

    @abstractmethod
    def step_async(self, actions): ...

    @abstractmethod
    def step_wait(self): ...

    @abstractmethod
    def close(self): ...

    @abstractmethod
    def get_attr(self, attr_name, indices=None): ...

    @abstractmethod
    def set_attr(self, attr_name, value, indices=None): ...

    @abstractmethod
    def env_method(self, method_name, *method_args, indices=None, **method_kwargs): ...

    @abstractmethod
    def env_is_wrapped(self, wrapper_class, indices=None): ...


class DummyVecEnv(VecEnv):
    """Single environments one after the other: what the one of many games is compared with."""

    def __init__(self, makers):
        self.envs = [make() for make in makers]
        super().__init__(len(self.envs), self.envs[0].observation_space, self.envs[0].action_space)

    def _stacked(self, seen):
        if isinstance(seen[0], dict):
            return {name: np.stack([one[name] for one in seen]) for name in seen[0]}
        return np.stack(seen)

    def reset(self):
        results = [
            env.reset(seed=seed, options=options or None)
            for env, seed, options in zip(self.envs, self._seeds, self._options, strict=True)
        ]
        self._reset_seeds()
        self._reset_options()
        self.reset_infos = [info for _, info in results]
        return self._stacked([seen for seen, _ in results])

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        observations, rewards, dones, infos = [], [], [], []
        for i, (env, action) in enumerate(zip(self.envs, self.actions, strict=True)):
            seen, reward, terminated, truncated, info = env.step(action)
            info["TimeLimit.truncated"] = truncated and not terminated
            if terminated or truncated:
                info["terminal_observation"] = seen
                seen, self.reset_infos[i] = env.reset()
            observations.append(seen)
            rewards.append(reward)
            dones.append(terminated or truncated)
            infos.append(info)
        return self._stacked(observations), np.array(rewards, np.float32), np.array(dones), infos

    def close(self):
        pass

    def get_attr(self, attr_name, indices=None):
        return [getattr(self.envs[i].unwrapped, attr_name) for i in self._get_indices(indices)]

    def set_attr(self, attr_name, value, indices=None):
        raise NotImplementedError

    def env_method(self, method_name, *method_args, indices=None, **method_kwargs):
        return [method(*method_args, **method_kwargs) for method in self.get_attr(method_name, indices)]

    def env_is_wrapped(self, wrapper_class, indices=None):
        raise NotImplementedError


class Layer:
    """A layer of torch that reckons with shapes alone."""

    def __init__(self, *sizes):
        self.sizes = sizes

    def __call__(self, array):
        return np.zeros(self.shape(array.shape))

    def shape(self, given):
        return given


class Conv2d(Layer):
    def shape(self, given):
        channels, made, edge = self.sizes
        assert given[1] == channels
        return given[0], made, given[2] - edge + 1, given[3] - edge + 1


class Flatten(Layer):
    def shape(self, given):
        return given[0], int(np.prod(given[1:]))


class Linear(Layer):
    def shape(self, given):
        assert given[1:] == self.sizes[:1]
        return given[0], self.sizes[1]


class Sequential(Layer):
    def __call__(self, array):
        for layer in self.sizes:
            array = layer(array)
        return array


class BaseFeaturesExtractor:
    def __init__(self, observation_space, features_dim):
        self.features_dim = features_dim

    def __call__(self, observations):
        return self.forward(observations)


def _module(name, **names):
    module = ModuleType(name)
    vars(module).update(names)
    return module


def _modules():
    nn = _module("torch.nn", Conv2d=Conv2d, Flatten=Flatten, Linear=Linear, ReLU=Layer, Sequential=Sequential)
    top = "stable_baselines3"
    return {
        "torch": _module("torch", nn=nn),
        top: _module(top),
        f"{top}.common": _module(f"{top}.common"),
        f"{top}.common.monitor": _module(f"{top}.common.monitor", Monitor=Monitor),
        f"{top}.common.torch_layers": _module(
            f"{top}.common.torch_layers", BaseFeaturesExtractor=BaseFeaturesExtractor
        ),
        f"{top}.common.vec_env": _module(f"{top}.common.vec_env", VecEnv=VecEnv),
    }


def sb3_of(impl):
    """bitboard.env.sb3 of one backend. The stand-in is known under the library's name for the time of the import only."""
    stand_in = {} if SB3 else _modules()
    before = {name: sys.modules[name] for name in stand_in if name in sys.modules}  # torch, it may be
    sys.modules.update(stand_in)
    try:
        return importlib.import_module(".env.sb3", impl.__name__)
    finally:
        for name in stand_in:
            del sys.modules[name]
        sys.modules.update(before)


def library():
    """What the tests themselves need of the library."""
    if not SB3:
        return SimpleNamespace(DummyVecEnv=DummyVecEnv, Monitor=Monitor, zeros=np.zeros)
    import torch
    from stable_baselines3.common.monitor import Monitor as RealMonitor
    from stable_baselines3.common.vec_env import DummyVecEnv as RealDummyVecEnv

    return SimpleNamespace(DummyVecEnv=RealDummyVecEnv, Monitor=RealMonitor, zeros=torch.zeros)
