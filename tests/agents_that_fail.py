"""Agents for other processes, which import this file alone: those that die, are large, or hold what others wait for."""

import os
import signal
import threading
import time

import bitboard

LOCK = threading.Lock()  # a process that is forked while it is held waits for ever


def first_legal(board):
    mask = bitboard.legal_moves(board)
    return (mask & -mask).bit_length() - 1


class Agent:
    """First legal, and what a subclass does in the game of one index of seed 0."""

    def __init__(self, index, path=None):
        self.own, self.path = bitboard.stream(0, index), path
        self.now = False

    def start(self, seed):
        self.now = seed == self.own
        if self.now:
            self.act()

    def act(self):
        raise NotImplementedError

    def __call__(self, board):
        return first_legal(board)

    def first_time(self):
        """Whether this is the first process that asks."""
        try:
            os.close(os.open(self.path, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return False
        return True


class Dies(Agent):
    """Kills its process: once if there is a path, else each time."""

    def act(self):
        if self.path is None or self.first_time():
            os.kill(os.getpid(), signal.SIGKILL)


class Exits(Agent):
    def act(self):
        raise SystemExit(3)


class Odd(Exception):
    """An exception that does not come back from a pickle."""

    def __init__(self, one, two):
        super().__init__(f"{one} and {two}")


class RaisesOdd(Agent):
    def act(self):
        raise Odd(1, 2)


class Sleeps(Agent):
    """Says so, and thinks for an hour."""

    def act(self):
        print("asleep", flush=True)
        time.sleep(3600)


class Locks:
    """Needs a lock that the parent holds in its own memory."""

    def __call__(self, board):
        if not LOCK.acquire(timeout=30):
            raise RuntimeError("the lock is held by nobody here")
        LOCK.release()
        return first_legal(board)


class Large:
    """An agent of some megabytes that counts where it is pickled, and notes in a file where it is loaded."""

    pickled = 0

    def __init__(self, path, size=4 << 20):
        self.path, self.data = path, bytes(size)

    def __getstate__(self):
        type(self).pickled += 1
        return self.__dict__

    def __setstate__(self, state):
        self.__dict__.update(state)
        with open(self.path, "a") as file:
            file.write(f"{os.getpid()}\n")

    def __call__(self, board):
        return first_legal(board)
