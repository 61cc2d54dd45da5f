"""Games of an evaluation in an executor of the user's: threads, processes, or a cluster.

An executor is known by submit() and its futures alone. How many workers it has, and how long a task is on its way, is
seen from the tasks: more of them are kept waiting until they wait about as long as they are played.
"""

from __future__ import annotations

import os
from contextlib import suppress
from copy import deepcopy
from threading import Lock, local
from time import perf_counter, sleep
from typing import Any

from .playing import packed, play, unpacked
from .processes import NEEDS, PATIENCE, pickled, unpickled
from .results import Result
from .todo import Todo, named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

LARGE = 1 << 20  # bytes of a pickled agent that is not sent with every chunk
# A task costs dask's client and scheduler about 10 ms. With tasks of a quarter of a second, 100,000 greedy games on two
# processors were 0.69 to 0.88 times as fast as on processes of our own, and 0.90 to 0.97 times with these.
CHUNK_SECONDS = 1.0  # of play
PATIENCE_SECONDS = 0.25  # between two looks at tasks of which none is done
FIRST_WINDOW, MOST_UNHEARD = 8, 1024  # tasks in the executor at first, and at most while none comes back
BY_VALUE = ("dask", "distributed", "joblib", "loky")  # their own pickles have functions of a notebook in them
MISSING = "missing"  # what a worker answers that has no file of ours: it is another machine

Answer = Any  # of a task: (finished games, an error or a Failure or None), or MISSING


class Shared:
    """An agent for the tasks of an executor: each thread that plays has a copy of its own.

    In another process it is a Sent: with the agent in it, or if that is large with the name of a file that has it.
    """

    def __init__(self, agent: Any, by_value: bool) -> None:
        self.key = os.urandom(16)
        self.failure: TypeError | None = None  # why it cannot be sent
        self._agent, self._by_value = agent, by_value
        self._lock, self._own = Lock(), local()
        self._data: bytes | None = None
        self._file: str | None = None
        self.brought = False  # whether the data goes another way

    def answer(self, data: bytes | None, seed: int, games: range) -> Answer:
        """Play games in this process."""
        if not hasattr(self._own, "agent"):
            self._own.agent = self._agent
            with suppress(Exception):  # it may hold what cannot be copied, such as a lock: shared, as documented
                self._own.agent = deepcopy(self._agent)
        finished: list[Result] = []
        error = play(self._own.agent, seed, games, finished)
        return finished, error

    def data(self) -> bytes:
        """The agent, pickled once. Raises TypeError if that cannot be."""
        with self._lock:
            if self._data is None:
                try:
                    self._data = self._pickled()
                except TypeError as error:
                    self.failure = error
                    raise
            return self._data

    def _pickled(self) -> bytes:
        if self._by_value:
            with suppress(ImportError):
                import cloudpickle  # type: ignore[import-untyped]

                try:
                    return cloudpickle.dumps(self._agent)  # type: ignore[no-any-return]
                except Exception as error:
                    raise TypeError(f"an agent for an executor must be one that can be pickled: {error}") from error
        return pickled(self._agent)

    def __reduce__(self) -> Any:
        data = self.data()
        if self.brought or len(data) < LARGE:
            return Sent, (self.key, None if self.brought else data, None)
        from tempfile import mkstemp

        with self._lock:
            if self._file is None:
                handle, self._file = mkstemp(prefix="bitboard-agent-")
                with open(handle, "wb") as file:
                    file.write(data)
        return Sent, (self.key, None, self._file)

    def close(self) -> None:
        """Remove the file."""
        if self._file is not None:
            with suppress(OSError):
                os.unlink(self._file)


class Whole:
    """A Shared for a machine that does not have the file: the agent is in its pickle whatever its size."""

    def __init__(self, shared: Shared) -> None:
        self.shared = shared

    def __reduce__(self) -> Any:
        return Sent, (self.shared.key, self.shared.data(), None)


class Sent:
    """A Shared in another process."""

    _kept = local()  # the agent of the last key, for each thread: it is loaded once

    def __init__(self, key: bytes, data: bytes | None, file: str | None) -> None:
        self.key, self.data, self.file = key, data, file

    def answer(self, data: bytes | None, seed: int, games: range) -> Answer:
        """Play games in this process."""
        finished: list[Result] = []
        try:
            agent = self._agent(self.data or data)
        except FileNotFoundError:
            return MISSING
        except TypeError as unusable:
            return finished, packed(unusable, games.start)
        error = play(agent, seed, games, finished)
        return finished, packed(error, games.start + len(finished))

    def _agent(self, data: bytes | None) -> Any:
        kept = self._kept
        if getattr(kept, "key", None) != self.key:
            if data is None and self.file is not None:
                with open(self.file, "rb") as file:
                    data = file.read()
            if data is None:
                raise FileNotFoundError
            kept.agent, kept.key = unpickled(data), self.key
        return kept.agent


def answer(shared: Any, data: bytes | None, seed: int, games: range) -> Answer:
    """A task: play games."""
    return shared.answer(data, seed, games)


class _Tasks:
    """What an executor has been given and has not given back."""

    def __init__(self, pool: Any, agent: Any, seed: int) -> None:
        self.pool, self.seed = pool, seed
        self.shared = Shared(agent, type(pool).__module__.partition(".")[0] in BY_VALUE)
        self.pending: dict[Future[Answer], tuple[range, float]] = {}
        self.losses = 0  # rounds with a lost task since the last one that came back
        self._client: Any = getattr(pool, "_client", None)  # of dask, which brings data to each machine once
        self._brought: Any = None

    def submit(self, games: range, whole: bool = False) -> None:
        """Hand games to the executor."""
        from concurrent.futures import Future

        if self._brought is None and hasattr(self._client, "scatter") and len(self.shared.data()) >= LARGE:
            self._brought = self._client.scatter(self.shared.data(), broadcast=True, hash=False)
            self.shared.brought = True
        future = self.pool.submit(answer, Whole(self.shared) if whole else self.shared, self._brought, self.seed, games)
        if not isinstance(future, Future):
            raise TypeError(
                "workers must be a number, a Client of dask.distributed, or an executor whose submit() gives futures "
                "of concurrent.futures, such as what get_executor() gives where there is one; not "
                f"{type(self.pool).__name__}, whose futures are of {type(future).__module__}"
            )
        self.pending[future] = games, perf_counter()

    def done(self, patience: float) -> list[tuple[range, float, Answer, BaseException | None]]:
        """The tasks that are done: games, seconds since they were submitted, and the answer or what went wrong."""
        from concurrent.futures import FIRST_COMPLETED, CancelledError, wait

        found = []
        for future in wait(self.pending, patience, FIRST_COMPLETED).done:
            games, since = self.pending.pop(future)
            error = CancelledError("it was cancelled") if future.cancelled() else future.exception()
            found.append((games, perf_counter() - since, None if error else future.result(), error))
        return found

    def recover(self) -> None:
        """Tasks were lost, maybe with the machine that had the data: give a cluster time to find itself again."""
        self._brought = None
        sleep(PATIENCE_SECONDS * 4**self.losses)
        self.losses += 1


def in_executor(pool: Any, agent: Any, seed: int, todo: Todo, finished: Callable[[list[Result]], None]) -> None:
    """Play in an executor; finished(results) is told what comes back."""
    tasks, window = _Tasks(pool, agent, seed), FIRST_WINDOW
    todo.seconds = CHUNK_SECONDS
    try:
        while todo.left:
            while len(tasks.pending) < window and (games := todo.take(window)):
                _submit(tasks, games, todo)
            done = tasks.done(PATIENCE_SECONDS)
            if not done:  # long games, or a cluster that is still starting
                window = max(window, min(2 * window, MOST_UNHEARD))
            wrong: BaseException | None = None  # raised when all that is done was taken
            lost = False
            for games, seconds, told, error in done:
                if error is not None:
                    lost = True
                    try:
                        todo.lost(games, f"its task ended with {type(error).__name__}: {error}")
                    except RuntimeError as gone:
                        wrong = gone
                elif told == MISSING:
                    _submit(tasks, games, todo, whole=True)
                else:
                    tasks.losses = 0
                    finished(told[0])
                    if told[1] is not None:
                        wrong = told[1] if isinstance(told[1], BaseException) else unpacked(told[1])
                    played = sum([result[5] for result in told[0]])
                    if seconds < 2 * played > CHUNK_SECONDS / 2:  # it hardly waited: others may be idle
                        window += 1
            if tasks.shared.failure is not None or wrong is not None:
                raise tasks.shared.failure or wrong  # type: ignore[misc]
            if lost:
                tasks.recover()
    except BaseException:
        _stop(tasks, finished)
        raise
    finally:
        tasks.shared.close()


def _submit(tasks: _Tasks, games: range, todo: Todo, whole: bool = False) -> None:
    """Hand games to an executor. Raises RuntimeError if it takes no more."""
    try:
        tasks.submit(games, whole)
    except Exception as error:
        if tasks.shared.failure is not None or isinstance(error, TypeError):
            raise tasks.shared.failure or error from error
        had = [index for chunk, _ in tasks.pending.values() for index in chunk]
        raise RuntimeError(
            f"{type(tasks.pool).__name__} takes no more games ({type(error).__name__}: {error}). It had the games "
            f"{named(sorted([*todo.again, *had, *games]))}. {NEEDS}"
        ) from error


def _stop(tasks: _Tasks, finished: Callable[[list[Result]], None]) -> None:
    """Take back what has not begun, and what is finished soon."""
    from concurrent.futures import wait

    left = [future for future in tasks.pending if not future.cancel()]
    for future in wait(left, PATIENCE).done:
        if not future.cancelled() and future.exception() is None and future.result() != MISSING:
            finished(future.result()[0])
