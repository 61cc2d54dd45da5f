"""Games of an evaluation on processes of our own.

Processes are spawned on every platform, never forked: a fork of a program with threads, such as those of torch, may
wait for ever for a lock that none of its own threads holds. Each process has a pipe of its own, so that no lock is
shared and one that is killed stops nobody else:

    parent -> process   the pickled agent, once; then ranges of games; STOP or END
    process -> parent   READY; then (finished games, what went wrong or None) for each range

In a process a thread listens to the pipe: it hears STOP while the agent thinks, and that the parent is gone.
"""

from __future__ import annotations

import os
import pickle
from contextlib import contextmanager, suppress
from time import perf_counter, sleep
from typing import Any

from .playing import Failure, packed, play, unpacked
from .results import Result
from .todo import TRIES, Todo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

READY, STOP, END = "ready", "stop", "end"
PATIENCE = 1.0  # seconds that processes have after STOP to tell what they finished
AT_ONCE = 60 if os.name == "nt" else 1 << 20  # things that the system waits for in one call
NEEDS = (
    "A process imports the main module again, so a script needs `if __name__ == '__main__':` around what it does, and "
    "an agent that is defined in a notebook, at the prompt or by -c must be moved to a module of its own"
)


def pickled(agent: Any) -> bytes:
    """An agent for another process. Raises TypeError if that cannot be."""
    try:
        return pickle.dumps(agent, pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        raise TypeError(f"an agent for several processes must be one that can be pickled: {error}") from error


def unpickled(data: bytes) -> Any:
    """An agent in another process. Raises TypeError if it is not to be had there."""
    try:
        return pickle.loads(data)
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        raise TypeError(f"an agent for several processes must be one that they can load: {what}. {NEEDS}") from None


# ---- in a process ----


def serve(pipe: Connection, parent: int, seed: int) -> None:
    """The life of a process: load the agent, and play what the parent asks for."""
    import signal
    from queue import SimpleQueue
    from threading import Lock, Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent alone hears Ctrl-C, and says STOP
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # see _unheard_ctrl_c()
    asked: SimpleQueue[Any] = SimpleQueue()
    finished: list[Result] = []  # of the range at hand
    speaking = Lock()

    def say(message: Any) -> None:
        try:
            pipe.send(message)
        except OSError:  # the parent is gone
            os._exit(1)

    def listen() -> None:
        try:
            asked.put(pipe.recv_bytes())
            while True:
                while not pipe.poll(1):  # a parent that forks leaves the pipe open when it dies
                    if os.name == "posix" and os.getppid() != parent:
                        raise EOFError
                message = pipe.recv()
                if message == STOP:
                    with speaking:
                        say((finished[:], None))
                        os._exit(0)
                asked.put(message)
        except (EOFError, OSError):
            os._exit(1)

    Thread(target=listen, daemon=True).start()
    say(READY)
    unusable: Failure | None = None
    try:
        agent = unpickled(asked.get())
    except TypeError as error:
        unusable = packed(error, 0)
    while (games := asked.get()) != END:
        failure = unusable or packed(play(agent, seed, games, finished), games.start + len(finished))
        with speaking:
            say((finished, failure))
            finished.clear()


# ---- in the parent ----


class _Process:
    """A process, and the games that it has."""

    def __init__(self, seed: int) -> None:
        from multiprocessing import get_context

        context = get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process: SpawnProcess = context.Process(target=serve, args=(other, os.getpid(), seed), name="bitboard")
        self.ready, self.games = False, range(0)
        try:
            self.process.start()
        except BaseException:
            self.pipe.close()
            raise
        finally:
            other.close()

    def say(self, message: Any) -> bool:
        """Send a message; False if the process is dead."""
        try:
            if isinstance(message, bytes):
                self.pipe.send_bytes(message)
            else:
                self.pipe.send(message)
        except OSError:
            return False
        return True

    def heard(self) -> Any:
        """The message that is there; None if the process is dead."""
        try:
            return self.pipe.recv() if self.pipe.poll() else None
        except (EOFError, OSError):
            return None

    def close(self, wait: float) -> None:
        """Wait for its end, and kill it after that."""
        self.process.join(wait)
        if self.process.exitcode is None:
            self.process.kill()
            self.process.join()
        self.pipe.close()

    def death(self) -> str:
        """How it ended, as text."""
        self.process.join(PATIENCE)
        code = self.process.exitcode
        if code is None or code >= 0:
            return f"its process ended with status {code}"
        from signal import SIGKILL, Signals

        hint = " (out of memory?)" if -code == SIGKILL else ""
        return f"its process was killed by {Signals(-code).name}{hint}"


@contextmanager
def _unheard_ctrl_c() -> Iterator[None]:
    """Ctrl-C waits while a process starts, and in that process until it can ignore it."""
    import signal

    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing.resource_tracker import ensure_running

    ensure_running()  # spawning starts it, and that would let the signal through
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def in_processes(count: int, agent: Any, seed: int, todo: Todo, finished: Callable[[list[Result]], None]) -> None:
    """Play in `count` processes; finished(results) is told what they have."""
    data = pickled(agent)
    team: list[_Process] = []
    failed = 0  # processes that died before they could play, since the last one that could
    proven = False  # whether any could
    try:
        while todo.left:
            while len(team) < min(count, todo.left) and failed < TRIES:
                try:
                    with _unheard_ctrl_c():
                        team.append(_Process(seed))
                except OSError:  # the system has no more processes or memory
                    if not team:
                        raise
                    failed = TRIES
            for one in _spoken(team):
                message = one.heard()
                if message == READY:
                    one.ready, proven, failed = one.say(data), True, 0
                elif message is not None:
                    results, failure = message
                    one.games = range(0)
                    finished(results)
                    if failure is not None:
                        raise unpacked(failure)
                if message is None or not _ask(one, todo, count):
                    team.remove(one)
                    death = one.death()
                    one.close(0)
                    failed = 0 if one.ready else failed + 1
                    if not proven or (failed == TRIES and not team):
                        raise RuntimeError(f"no game could be played: {death} before it was ready. {NEEDS}")
                    todo.lost(one.games, death)
            _wake(team, todo, count)
    except BaseException:
        _stop(team, finished)
        raise
    for one in team:
        one.say(END)
    for one in team:
        one.close(5 if one.ready else 0)


def _ask(one: _Process, todo: Todo, count: int) -> bool:
    """Give a process games if it has none and there are some; False if it is dead."""
    if one.ready and not one.games:
        games = todo.take(count)
        if games:
            one.games = games
            return one.say(games)
    return True


def _wake(team: list[_Process], todo: Todo, count: int) -> None:
    """Give games that came back to processes that had nothing left to do; a dead one is found out later."""
    for one in team:
        _ask(one, todo, count)


def _spoken(team: list[_Process]) -> list[_Process]:
    """The processes that sent a message or died, when there are some."""
    from multiprocessing.connection import wait

    things: dict[Any, _Process] = {thing: one for one in team for thing in (one.pipe, one.process.sentinel)}
    order = list(things)
    found: list[Any] = []
    while not found:
        for start in range(0, len(order), AT_ONCE):
            found += wait(order[start : start + AT_ONCE], None if len(order) <= AT_ONCE else 0)
        if not found:
            sleep(0.01)
    return list(dict.fromkeys([things[thing] for thing in found]))


def _stop(team: list[_Process], finished: Callable[[list[Result]], None]) -> None:
    """End all processes soon, and take what they have finished."""
    until = perf_counter() + PATIENCE
    try:
        for one in team:
            if one.ready:
                one.say(STOP)
        for one in team:
            with suppress(EOFError, OSError):
                while one.ready and one.pipe.poll(max(0.0, until - perf_counter())):
                    finished(one.pipe.recv()[0])
    finally:
        for one in team:
            one.close(0)
