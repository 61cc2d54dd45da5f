"""Locks that a forked process can take: a plain one that another thread of the parent held would stay held there."""

from __future__ import annotations

import os
from threading import RLock
from weakref import WeakSet

_locks: WeakSet[Lock] = WeakSet()


class Lock:
    """A lock for `with`, which the thread that has it may take again. In a process forked meanwhile it is free.

    `broken`: in such a process, whether another thread was at work under it, so that what it guards may be half made.
    Whoever mends that sets it to False.
    `inner`: the lock of `threading` itself, to take without a frame of Python around it; a fork may put another here.
    """

    def __init__(self) -> None:
        self.broken, self.inner = False, RLock()
        _locks.add(self)

    def __enter__(self) -> None:
        self.inner.acquire()

    def __exit__(self, *exception: object) -> None:
        self.inner.release()

    def _forked(self) -> None:
        """In the child, whose one thread is a copy of the one that forked: what it holds itself stays held."""
        if self.inner.acquire(blocking=False):
            self.inner.release()
        else:
            self.broken, self.inner = True, RLock()


def _in_child() -> None:
    for lock in list(_locks):
        lock._forked()


if hasattr(os, "register_at_fork"):  # not on Windows, where nothing forks
    os.register_at_fork(after_in_child=_in_child)
