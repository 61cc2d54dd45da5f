"""Learn 2048 by temporal differences on afterstates, with numpy alone and on one core.

    python tests/examples/train_afterstate.py                   under a minute
    python tests/examples/train_afterstate.py --steps 500       a few seconds, for a first look
    python tests/examples/train_afterstate.py --save v.npy      keep the table of V

To search over what was learnt: values = Values(); values.table[:] = np.load("v.npy"), and
bitboard.Expectimax(depth=1, evaluator=lambda boards: values(np.asarray(boards))).

The player picks the slide with the largest reward + V(afterstate). V is a sum over table entries: five
patterns of four cells (two rows, three squares), each looked up on all eight symmetric images of the
board, so that mirrored positions share what is learnt. After each step V(the afterstate before) is moved
towards reward + V(the afterstate now), and towards 0 where the game ended: TD(0) on afterstates with an
n-tuple network, after Szubert and Jaskowski, "Temporal difference learning of n-tuple networks for the
game 2048" (CIG 2014). All games of a vector environment are advanced, and learnt from, together.
"""

import argparse
import time

import gymnasium
import numpy as np

import bitboard
import bitboard.env  # registers the environment

EVALUATED = 1000  # games of the greedy player at the end


class Values:
    """V: five tables of 65,536 entries, laid end to end in one array."""

    PATTERNS, IMAGES = 5, 8

    def __init__(self):
        self.table = np.zeros(self.PATTERNS << 16, np.float32)
        self.hits = np.zeros(self.PATTERNS << 16, np.float32)

    def entries(self, boards):
        """The entries whose sum is V: boards (n,) uint64 -> indices (n, 40)."""
        image = bitboard.symmetries_many(boards).view(np.int64)  # (n, 8); cells are read by shifts and masks
        patterns = (
            image >> 48 & 0xFFFF,  # the top row: cells 0 1 2 3
            image >> 32 & 0xFFFF,  # the second row: cells 4 5 6 7
            (image >> 48 & 0xFF00) | (image >> 40 & 0xFF),  # the corner: cells 0 1 4 5
            (image >> 44 & 0xFF00) | (image >> 36 & 0xFF),  # an edge: cells 1 2 5 6
            (image >> 28 & 0xFF00) | (image >> 20 & 0xFF),  # the centre: cells 5 6 9 10
        )
        return np.concatenate([index + (k << 16) for k, index in enumerate(patterns)], axis=1)

    def __call__(self, boards):
        """V of an array of boards of any shape."""
        return self.table[self.entries(boards.ravel())].sum(axis=1).reshape(boards.shape)

    def learn(self, boards, errors, rate):
        """Move V(boards) by rate * errors. An entry that many boards share moves by their mean, not their sum."""
        entries = self.entries(boards).ravel()
        errors = np.repeat(errors.astype(np.float32) * np.float32(rate / self.IMAGES / self.PATTERNS), 40)
        np.add.at(self.hits, entries, np.float32(1))
        np.add.at(self.table, entries, errors / self.hits[entries])
        self.hits[entries] = 0


def best(values, boards):
    """The greedy slides: (actions, what they promise, their afterstates) for observed boards (n, 1)."""
    afterstates, rewards, legal = bitboard.afterstates_many(boards.ravel())
    promise = np.where(legal[:, None] >> np.arange(4) & 1, rewards + values(afterstates), -np.inf)
    actions = promise.argmax(axis=1)
    rows = np.arange(len(boards))
    return actions, promise[rows, actions], afterstates[rows, actions]


def train(steps, games=256, rate=0.5, seed=1, report=print):
    """Learn from so many steps of so many games: the values."""
    envs = gymnasium.make_vec(
        "bitboard/Game2048-v0", num_envs=games, observation="board", autoreset_mode="SameStep", max_moves=20_000
    )
    values, started, scores = Values(), time.perf_counter(), []
    boards, _ = envs.reset(seed=seed)
    before, began = None, np.ones(games, bool)  # the last afterstates; which games have none yet
    for step in range(1, steps + 1):
        actions, promise, afterstates = best(values, boards)
        if before is not None:
            old = ~began
            values.learn(before[old], (promise - values(before))[old], rate)
        boards, _, terminated, truncated, infos = envs.step(actions)
        if terminated.any():
            last = afterstates[terminated]
            values.learn(last, -values(last), rate)
        before, began = afterstates, terminated | truncated
        if began.any():
            scores += infos["final_info"]["score"][began].tolist()
        if step % max(steps // 10, 1) == 0:
            recent, scores = scores, []
            spent = time.perf_counter() - started
            mean = np.mean(recent) if recent else float("nan")
            report(f"{step:7d} steps  {spent:5.1f} s  {step * games / spent:9,.0f} moves/s  mean score {mean:8.0f}")
    envs.close()
    return values


def play(values, games, seed=2):
    """The scores of whole games of the greedy player."""
    envs = gymnasium.make_vec(
        "bitboard/Game2048-v0", num_envs=games, observation="board", autoreset_mode="Disabled", max_moves=20_000
    )
    boards, _ = envs.reset(seed=seed)
    scores, playing = np.zeros(games), np.ones(games, bool)
    while playing.any():
        boards, _, terminated, truncated, infos = envs.step(best(values, boards)[0])
        ended = terminated | truncated
        scores[ended & playing] = infos["score"][ended & playing]
        playing &= ~ended
        if ended.any():
            boards, _ = envs.reset(options={"reset_mask": ended})
    envs.close()
    return scores


def main():
    parser = argparse.ArgumentParser(description="Learn 2048 by temporal differences on afterstates.")
    parser.add_argument("--steps", type=int, default=10_000, help="steps of all games (default 10000)")
    parser.add_argument("--games", type=int, default=256, help="games in step (default 256)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", metavar="FILE", help="write the table of V there, as numpy.save does")
    arguments = parser.parse_args()
    if arguments.steps < 1 or arguments.games < 1:
        parser.error("--steps and --games must be at least 1")
    values = train(arguments.steps, arguments.games, seed=arguments.seed)
    if arguments.save:
        with open(arguments.save, "wb") as file:
            np.save(file, values.table)
    scores = play(values, EVALUATED, seed=arguments.seed + 1)
    random = bitboard.random_games(EVALUATED, seed=arguments.seed)
    mean, error = scores.mean(), 1.96 * scores.std(ddof=1) / len(scores) ** 0.5
    (chance,) = random.mean_scores
    print(f"greedy: {len(scores)} games, mean score {mean:.0f} (95% interval +- {error:.0f}), best {scores.max():.0f}")
    print(
        f"random: {len(random)} games, mean score {chance:.0f}; the greedy player scores {mean / chance:.1f} times that"
    )


if __name__ == "__main__":
    main()
