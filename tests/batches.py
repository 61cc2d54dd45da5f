"""What the tests of Batch share: its arrays by name, and one game of it played slowly."""

import importlib

from conftest import BACKENDS

ARRAYS = {
    "boards": "uint64",
    "streams": "uint64",
    "scores": "int64",
    "moves": "int32",
    "legal": "uint8",
    "saturated": "bool",
    "rewards": "int32",
    "over": "bool",
    "changed": "bool",
    "afterstates": "uint64",
}
FINAL_ARRAYS = {"final_boards": "uint64", "final_scores": "int32", "final_moves": "int32"}
DEAD = 0x1212_2121_1212_2121
FULL_ROW_OF_TOPS = 0xFFFF_1212_2121_1212


class Slow:
    """One game by the words of the documentation, from one-board functions."""

    def __init__(self, impl, stream, board=None):
        self.impl, self.streams, self.scores, self.moves = impl, stream, 0, 0
        if board is None:
            board = impl.spawn(impl.spawn(0, impl.random64(stream, 0)), impl.random64(stream, 1))
        self.boards = board
        self.rest()

    def rest(self):
        """What a step says that made no slide."""
        self.rewards, self.changed, self.afterstates = 0, False, self.boards
        self.over = self.impl.is_over(self.boards)

    def restarted(self):
        return Slow(self.impl, self.impl.stream(self.streams, 0))

    def step(self, direction, autoreset):
        """The game in this place after the step; finals are kept in `finished`."""
        impl = self.impl
        if autoreset == "next_step" and impl.is_over(self.boards):
            return self.restarted()
        after = impl.move(self.boards, direction)
        if after == self.boards:
            self.rest()
        else:
            self.rewards, self.changed, self.afterstates = impl.reward(self.boards, direction), True, after
            self.scores += self.rewards
            self.boards = impl.spawn(after, impl.random64(self.streams, 2 + self.moves))
            self.moves += 1
            self.over = impl.is_over(self.boards)
        if autoreset == "same_step" and self.over:
            new = self.restarted()
            new.rewards, new.changed, new.afterstates, new.over = self.rewards, self.changed, self.afterstates, True
            new.finished = self.boards, self.scores, self.moves
            return new
        return self

    @property
    def legal(self):
        return self.impl.legal_moves(self.boards)

    @property
    def saturated(self):
        return self.impl.is_saturated(self.boards)


def state(batch):
    """All arrays of a batch as bytes."""
    return {name: items.tobytes() for name, items in batch._arrays.items()}


def action(index, t):
    """Some direction of game `index` at step t, the same in every test."""
    return (index * 7 + t * 13 + (index * t) % 5 + t // 3) % 4


def kernels_of(impl):
    return importlib.import_module(".many.batch", impl.__name__).kernels


def variants():
    """The CPU variants that this machine runs."""
    if BACKENDS[0] != "c":
        return [0]
    import bitboard.core.ffi as bulk

    return list(range(bulk.lib.bb_cpu_best() + 1))
