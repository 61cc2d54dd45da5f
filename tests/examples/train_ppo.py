"""Learn 2048 by MaskablePPO of sb3-contrib, on many games in step and a small convolutional network.

    python tests/examples/train_ppo.py                          under a minute, for a first look
    python tests/examples/train_ppo.py --steps 2000000          better
    python tests/examples/train_ppo.py --save ppo.zip           keep the model, for MaskablePPO.load("ppo.zip")

Needs the extra `sb3`. It prints the mean score of the player that takes the legal action which the network likes
best, before and after, beside that of random play. Temporal differences on afterstates learn this game far faster
(train_afterstate.py): take this one as a start for a network of your own.
"""

import argparse

import numpy as np
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks

import bitboard
from bitboard.env.sb3 import Game2048VecEnv, OneHotExtractor

EVALUATED = 200  # games of each player


def make_games(n):
    # the sum of log2 of the tiles made, in small numbers: points would let the rare large merges drown the rest
    return Game2048VecEnv(n, observation="one_hot", reward="log2", reward_scale=0.1)


def make_model(games, seed=1, verbose=0):
    return MaskablePPO(
        "MlpPolicy",
        games,
        policy_kwargs={"features_extractor_class": OneHotExtractor, "net_arch": [64]},
        n_steps=64,
        batch_size=2048,
        n_epochs=4,
        learning_rate=1e-3,
        gamma=0.99,
        ent_coef=0.005,
        seed=seed,
        verbose=verbose,
        device="cpu",  # faster than a GPU for a network of this size
    )


def play(model, n, seed):
    """The scores of n whole games."""
    games = make_games(n)
    games.seed(seed)
    observations = games.reset()
    scores, playing = np.zeros(n), np.ones(n, bool)
    while playing.any():
        actions, _ = model.predict(observations, action_masks=get_action_masks(games), deterministic=True)
        observations, _, dones, infos = games.step(actions)
        for i in np.flatnonzero(dones & playing):
            scores[i] = infos[i]["score"]
        playing &= ~dones
    return scores


def told(name, scores):
    error = 1.96 * scores.std(ddof=1) / len(scores) ** 0.5
    return f"{name}: {len(scores)} games, mean score {scores.mean():.0f} (95% interval +- {error:.0f})"


def main():
    parser = argparse.ArgumentParser(description="Learn 2048 by MaskablePPO.")
    parser.add_argument("--steps", type=int, default=100_000, help="steps of single games (default 100000)")
    parser.add_argument("--games", type=int, default=256, help="games in step (default 256)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", metavar="FILE", help="write the model there")
    arguments = parser.parse_args()
    if arguments.steps < 1 or arguments.games < 1:
        parser.error("--steps and --games must be at least 1")
    model = make_model(make_games(arguments.games), arguments.seed, verbose=1)
    random = np.asarray(bitboard.random_games(EVALUATED, seed=arguments.seed).scores, float)
    before = play(model, EVALUATED, arguments.seed)
    model.learn(arguments.steps)
    if arguments.save:
        model.save(arguments.save)
    print(told("random", random))
    print(told("before", before))
    print(told("after", play(model, EVALUATED, arguments.seed)))


if __name__ == "__main__":
    main()
