"""Locks that a forked process can take: a plain one that another thread of the parent held would stay held there."""

from __future__ import annotations

import os
from threading import RLock, get_ident
from weakref import WeakSet

_locks: WeakSet[Lock] = WeakSet()


class Lock:
    """A lock for `with`, which the thread that has it may take again. In a process forked meanwhile it is free.

    `broken`: in such a process, whether another thread was at work under it, so that what it guards may be half made.
    Whoever mends that sets it to False.
    """

    def __init__(self) -> None:
        self.broken = False
        self._lock, self._owner, self._depth = RLock(), 0, 0
        _locks.add(self)

    def __enter__(self) -> None:
        self._lock.acquire()
        self._owner = get_ident()
        self._depth += 1

    def __exit__(self, *exception: object) -> None:
        self._depth -= 1
        if not self._depth:
            self._owner = 0
        self._lock.release()

    def _forked(self) -> None:
        """In the child, whose one thread is a copy of the one that forked: what it holds itself stays held."""
        if self._owner != get_ident():
            self.broken = self.broken or self._owner != 0
            self._lock, self._owner, self._depth = RLock(), 0, 0


def _in_child() -> None:
    for lock in list(_locks):
        lock._forked()


if hasattr(os, "register_at_fork"):  # not on Windows, where nothing forks
    os.register_at_fork(after_in_child=_in_child)
