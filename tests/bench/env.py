"""Steps a second of the Gymnasium environments, with numpy actions; needs numpy and gymnasium.

    python tests/bench/env.py [ROUNDS]

One game: random actions, episodes reset as they end; as gymnasium.make() gives it, without the passive checker,
and unwrapped. Many games: 4,096, for each observation and autoreset mode, and what share of a step is spent
outside C: in Python, numpy and cffi. CPU time, the best of the rounds (default 5).
"""

import sys
import time

import gymnasium
import machine
import numpy as np

import bitboard.env
from bitboard.core.ffi import CPU, CPU_VARIANTS
from bitboard.env import _c

ID = bitboard.env.ENV_ID
N = 4096


def rate(work, steps, rounds):
    """Steps a second of CPU time."""
    shortest = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        work()
        shortest = min(shortest, time.process_time() - start)
    return steps / shortest


def single(rounds):
    actions = np.random.default_rng(1).integers(0, 4, 100_000)
    print(f"one game, steps/s     {'make()':>10} {'no checker':>11} {'unwrapped':>10}")
    for arguments in ({}, {"observation": "one_hot"}, {"observation": "board"}, {"reward": "log2"}):
        made = gymnasium.make(ID, **arguments)
        rates = []
        for env in (made, gymnasium.make(ID, disable_env_checker=True, **arguments), made.unwrapped):

            def play(env=env):
                env.reset(seed=1)
                for action in actions:
                    _, _, terminated, truncated, _ = env.step(action)
                    if terminated or truncated:
                        env.reset()

            rates.append(rate(play, len(actions), rounds))
        name = next(iter(arguments.values()), "exponents")
        print(f"  {name:19} {rates[0]:10,.0f} {rates[1]:11,.0f} {rates[2]:10,.0f}")


def in_c(observation, actions, rounds):
    """Seconds a step of the kernels that a step calls, on games of all ages."""
    batch = bitboard.Batch(N, 1, autoreset="same_step")
    pointers = [
        _c.ffi.from_buffer(kind, array)
        for kind, array in (
            ("uint64_t[]", batch.boards),
            ("uint8_t[]", batch.legal),
            ("int8_t[]", np.empty((N, 4), np.int8)),
            ("int64_t[]", np.empty(N, np.int64)),
            ("uint8_t[]", np.empty((N, 16, 4, 4), np.uint8)),
        )
    ]
    games, given, lib = batch._games._games, [_c.ffi.from_buffer(row) for row in actions], _c.lib
    observe = {"exponents": lib.bb_exponents_many, "one_hot": lib.bb_one_hot_many, "board": None}[observation]

    def kernels():
        for row in given:
            lib.bb_games_step(CPU, games, row, 8, 2, 0, N)
            lib.bb_env_look(CPU, *pointers[:4], N)
            if observe:
                observe(CPU, pointers[0], pointers[4], N)

    kernels()
    return 1 / rate(kernels, len(actions), rounds)


def vector(rounds):
    actions = np.random.default_rng(1).integers(0, 4, (200, N))
    print(f"{N} games             {'M steps/s':>10} {'outside C':>11}")
    for arguments in (
        {}, {"observation": "one_hot"}, {"observation": "board"}, {"autoreset_mode": "SameStep"}, {"reward": "log2"}
    ):  # fmt: skip
        envs = gymnasium.make_vec(ID, num_envs=N, **arguments)
        envs.reset(seed=1)

        def play(envs=envs):
            for row in actions:
                envs.step(row)

        play()  # so that the games are of all ages
        steps = rate(play, len(actions), rounds)
        outside = 1 - in_c(arguments.get("observation", "exponents"), actions, rounds) * steps
        print(f"  {next(iter(arguments.values()), 'exponents'):19} {steps * N / 1e6:10.1f} {outside:11.0%}")


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    print(machine.describe())
    print(f"gymnasium {gymnasium.__version__}, numpy {np.__version__}, {CPU_VARIANTS[CPU]}, CPU time")
    single(rounds)
    vector(rounds)


if __name__ == "__main__":
    main()
