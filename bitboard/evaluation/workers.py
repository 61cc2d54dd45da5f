"""Games of an evaluation on processes of our own, or in an executor."""

from __future__ import annotations

from typing import Any

from .playing import chunk_by_copy, play, prepare
from .results import Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from concurrent.futures import Future

LARGEST_CHUNK = 200  # games that a process plays before it reports


def in_processes(processes: int, agent: Any, games: int, seed: int, results: list[Result], advance: Any) -> None:
    """Play in processes of our own."""
    import multiprocessing
    import pickle
    from concurrent.futures import ProcessPoolExecutor

    try:
        pickle.dumps(agent)
    except Exception as error:
        raise TypeError(f"an agent for several processes must be one that can be pickled: {error}") from error

    context = multiprocessing.get_context()
    stop = context.Event()
    with ProcessPoolExecutor(processes, context, prepare, (stop,)) as pool:
        in_executor(pool, agent, games, seed, results, advance, 4 * processes, stop)


def in_executor(
    pool: Any, agent: Any, games: int, seed: int, results: list[Result], advance: Any, window: int, stop: Any
) -> None:
    """Play in an executor, in chunks of neighbouring games, at most `window` of them waiting or running."""
    from concurrent.futures import FIRST_COMPLETED, wait

    chunk = chunk_by_copy if stop is None else play  # a process of ours has its own agent
    size = min(max(1, games // (window * 8)), LARGEST_CHUNK)
    pending: set[Future[list[Result]]] = set()
    first = 0
    try:
        while first < games or pending:
            while first < games and len(pending) < window:
                pending.add(pool.submit(chunk, agent, seed, first, min(first + size, games)))
                first += size
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            while done:
                finished = done.pop().result()
                results += finished
                advance(len(finished))
    except BaseException as error:
        left = [future for future in pending if not future.cancel()]
        if stop is not None:  # our own processes end soon, and say what they have
            stop.set()
            wait(left)
        if isinstance(error, KeyboardInterrupt):
            for future in left:
                if future.done() and future.exception() is None:
                    results += future.result()
        raise
