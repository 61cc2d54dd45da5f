"""Long work in slices, on one thread or several.

A slice is work on the indices start .. stop - 1 that writes nothing outside its own part of the
arrays, so the result does not depend on the number of threads. The C core releases the GIL, so
plain threads are enough. Slices are short: between two of them Ctrl-C is heard.
"""

from __future__ import annotations

from . import checks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor
    from typing import SupportsIndex

    Work = Callable[[int, int], object]

MOST_THREADS = 1024


def count(threads: SupportsIndex) -> int:
    """The int of an argument `threads`."""
    return checks.integer(threads, "threads", 1, MOST_THREADS)


def processors() -> int:
    """How many processors this process may use, which may be fewer than the machine has."""
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def threads_by_default() -> int:
    """A thread a processor; 1 where none can be started."""
    from _thread import start_new_thread

    try:
        start_new_thread(int, ())
    except RuntimeError:
        return 1
    return processors()


def pool(threads: int) -> Executor:
    """Threads that wait for work; they end with the program or when shut down."""
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(threads, thread_name_prefix="bitboard")


def slice_size(n: int, most: int, threads: int) -> int:
    """The size of slices of n: the same number of them for each thread, all of a size, at most `most`.

    Not less than an eighth of `most`, so that little work is not cut up for more threads than it is worth.
    """
    rounds = -(-n // (most * threads))
    return max(1, most // 8, -(-n // max(1, rounds * threads)))


def in_slices(work: Work, n: int, most: int, threads: int, done: Callable[[int], None] | None = None) -> None:
    """Call work(start, stop) for slices of at most `most` that cover 0 .. n - 1; done(k) after each slice of k.

    With several threads they take the slices in turn, and `done` is called by them, one at a time.
    An exception, KeyboardInterrupt included, stops all of them after the slices at hand.
    """
    size = slice_size(n, most, threads)
    if threads == 1 or n <= size:
        for start in range(0, n, size):
            stop = min(start + size, n)
            work(start, stop)
            if done:
                done(stop - start)
        return
    from threading import Lock

    lock, starts, stopped = Lock(), iter(range(0, n, size)), False

    def worker() -> None:
        while True:
            with lock:
                start = n if stopped else next(starts, n)
            if start == n:
                return
            stop = min(start + size, n)
            work(start, stop)
            if done:
                with lock:
                    done(stop - start)

    with pool(min(threads, -(-n // size))) as workers:
        try:
            for future in [workers.submit(worker) for _ in range(threads)]:
                future.result()
        finally:
            stopped = True


def whole(work: Callable[[], object]) -> None:
    """Call work() so that Ctrl-C does not stop it half way: KeyboardInterrupt comes when it is done.

    It is raised in the main thread alone, so another one does the work, where one can be started.
    """
    from _thread import allocate_lock, start_new_thread

    finished = allocate_lock()
    started: list[int] = []
    done: list[bool] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:
            errors.append(error)
        finally:
            done.append(True)
            finished.release()

    finished.acquire()
    interrupt: BaseException | None = None
    while True:
        try:
            if not started:  # extend() starts it and notes that at once: no signal is handled in between
                try:
                    started.extend(map(start_new_thread, (run,), ((),)))
                except RuntimeError:
                    started.append(0)
                    _holding_ctrl_c(run)
            if not done:
                finished.acquire()
            break
        except KeyboardInterrupt as error:
            interrupt = error
    if errors:
        raise errors[0]
    if interrupt:
        raise interrupt


def _holding_ctrl_c(work: Callable[[], object]) -> None:
    """Call work(); the handler of Ctrl-C is called when it is done."""
    import signal
    from threading import current_thread, main_thread

    handler = signal.getsignal(signal.SIGINT)
    if current_thread() is not main_thread() or not callable(handler):
        work()
        return
    heard: list[int] = []
    signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    try:
        work()
    finally:
        signal.signal(signal.SIGINT, handler)
    if heard:
        handler(signal.SIGINT, None)
