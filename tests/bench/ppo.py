"""MaskablePPO on our VecEnv and on SubprocVecEnv of the single environment; needs the extra `sb3`.

    python tests/bench/ppo.py [--games 64] [--processes 64,16,4] [--rounds 3] [--epochs 4] [--threads N]

By turns, the same network, rollouts of the same number of steps: that of tests/examples/train_ppo.py. Steps a second
of elapsed time, the best of the rounds, since half of the one runs in other processes; and where the time goes:
in the environment (step and masks), in the policy and the library while they collect, and in training. The last
table has the environments alone, with random legal actions: a step, the masks as MaskablePPO asks for them.
"""

import argparse
import importlib.util
import time
from pathlib import Path

import gymnasium
import machine
import numpy as np
import stable_baselines3
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import SubprocVecEnv

from bitboard.env.sb3 import Game2048VecEnv

STEPS = 16_384  # of a rollout
ARGUMENTS = {"observation": "one_hot", "reward": "log2", "reward_scale": 0.1}


def example():
    path = Path(__file__).resolve().parent.parent / "examples" / "train_ppo.py"
    spec = importlib.util.spec_from_file_location("train_ppo", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def in_processes(n):
    """SubprocVecEnv, with Monitor as make_vec_env gives it. Forked, so that not each of them loads torch."""
    return make_vec_env(
        "bitboard.env:bitboard/Game2048-v0", n, env_kwargs=ARGUMENTS, vec_env_cls=SubprocVecEnv,
        vec_env_kwargs={"start_method": "fork"},
    )  # fmt: skip


class Clock:
    """Seconds spent in methods of objects."""

    def __init__(self):
        self.spent = {}

    def watch(self, thing, method, name):
        inner = getattr(thing, method)

        def timed(*args, **kwargs):
            start = time.perf_counter()
            try:
                return inner(*args, **kwargs)
            finally:
                self.spent[name] = self.spent.get(name, 0.0) + time.perf_counter() - start

        setattr(thing, method, timed)


class Run:
    """A model on an environment."""

    def __init__(self, name, games, epochs):
        self.name, self.games, self.best = name, games, (0.0, {})
        n = games.num_envs
        self.model = example().make_model(games)
        self.model.n_epochs = epochs
        self.model.n_steps = STEPS // n
        self.model.rollout_buffer = type(self.model.rollout_buffer)(
            STEPS // n, games.observation_space, games.action_space, "cpu", 0.95, 0.99, n_envs=n
        )
        self.clock = Clock()
        self.clock.watch(games, "step_wait", "environment")
        self.clock.watch(games, "step_async", "environment")
        self.clock.watch(games, "env_method", "environment")
        self.clock.watch(self.model, "train", "training")

    def turn(self):
        self.clock.spent.clear()
        start = time.perf_counter()
        self.model.learn(STEPS)
        spent = time.perf_counter() - start
        if STEPS / spent > self.best[0]:
            parts = dict(self.clock.spent)
            parts["policy, library"] = spent - sum(parts.values())
            self.best = STEPS / spent, {name: seconds / spent for name, seconds in parts.items()}


def alone(games, seconds=2.0):
    """Steps a second of an environment: (steps and masks, steps alone)."""
    games.reset()
    generator, rates = np.random.default_rng(1), []
    for masked in (True, False):
        steps, start = 0, time.perf_counter()
        while time.perf_counter() < start + seconds:
            if masked:
                actions = (get_action_masks(games) * generator.random((games.num_envs, 4))).argmax(axis=1)
            else:
                actions = generator.integers(0, 4, games.num_envs)
            games.step(actions)
            steps += games.num_envs
        rates.append(steps / (time.perf_counter() - start))
    return rates


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=64)
    parser.add_argument("--processes", default="64,16,4", help="numbers of processes, with commas (default 64,16,4)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--threads", type=int, help="of torch (default: as many as it takes)")
    arguments = parser.parse_args()
    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    print(machine.describe())
    print(
        f"stable-baselines3 {stable_baselines3.__version__}, torch {torch.__version__}, {torch.get_num_threads()} threads, "
        f"gymnasium {gymnasium.__version__}, numpy {np.__version__}; {MaskablePPO.__name__}, {arguments.epochs} epochs"
    )
    made = {  # the processes first: they are forked before torch has threads
        f"SubprocVecEnv {n}": in_processes(n) for n in map(int, arguments.processes.split(","))
    }
    made[f"Game2048VecEnv {arguments.games}"] = Game2048VecEnv(arguments.games, **ARGUMENTS)
    runs = [Run(name, games, arguments.epochs) for name, games in made.items()]
    for turn in range(arguments.rounds + 1):
        for run in runs:
            run.turn()
            if turn == 0:
                run.best = (0.0, {})  # the first one warms up
    ours = runs[-1].best[0]
    print(f"{'':22} {'steps/s':>9} {'ours':>6}   of the time")
    for run in runs:
        rate, parts = run.best
        shares = ", ".join(f"{name} {share:.0%}" for name, share in sorted(parts.items()))
        print(f"{run.name:22} {rate:9,.0f} {ours / rate:5.2f}x   {shares}")
    print(f"\n{'alone, steps/s':22} {'with masks':>12} {'without':>12}")
    for run in runs:
        masked, plain = alone(run.games)
        print(f"{run.name:22} {masked:12,.0f} {plain:12,.0f}")
    for run in runs:
        run.games.close()


if __name__ == "__main__":
    main()
