"""bitboard.evaluate: let an agent play many games, here, on processes or in an executor."""

from __future__ import annotations

from time import perf_counter
from typing import Any, SupportsIndex

from ..agents import name_of
from ..core import check
from ..tools import checks, progress
from .playing import play_one
from .results import Evaluation, Result
from .todo import Todo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from concurrent.futures import Executor
else:
    Executor = Any  # found by typing.get_type_hints()


def evaluate(
    agent: Any,
    games: SupportsIndex = 100,
    seed: SupportsIndex = 0,
    *,
    workers: SupportsIndex | Executor = 1,
    first: SupportsIndex = 0,
    name: str | None = None,
) -> Evaluation:
    """Let an agent play games, and sum up.

    agent: callable as agent(board) -> direction; its start(seed), if it has one, is called before each game. Past 32768
    the board is a packed view (bitboard.pack_view), while score and largest tile are exact, to 131072.
    games: how many; game `index` is the game of seed stream(seed, index), so the games are the same for any
    workers and the first ones are the same for more games, if the agent chooses by board and start() alone.
    first: the index of the first game: runs of games 0 to 999 and 1000 to 1999, on other machines or days, add up (+).
    name: of the agent in the result, by default its `name`, `__name__` or class.
    workers: 1 plays here; a larger number starts so many processes; a Client of dask.distributed or an Executor of
    concurrent.futures is used as it is: a pool of processes or threads of your own, or the executors of
    dask.distributed, mpi4py.futures and loky on many machines. Each process gets the agent once, each thread plays with
    a copy of its own (copy.deepcopy; an agent that cannot be copied is shared by threads and must then keep nothing
    from move to move). Games are handed out in chunks of a quarter of a second, of a second to an executor.
    Processes need an agent that can be pickled and loaded there, and `if __name__ == "__main__":` around the call in a
    script. They end with the program, however it ends. Games of a process that dies are played again, three times.
    Progress is shown on a terminal. Interrupted (Ctrl-C), it returns the games finished so far within
    a second or so, and `interrupted` is True; with none finished, KeyboardInterrupt goes on.
    Raises TypeError for an agent that is not callable or cannot be pickled or loaded where it must be, ValueError for a
    bad number and for an agent that chooses an illegal direction, RuntimeError from what the agent raises itself, for a
    game that was lost three times and for an executor that takes no more games. They name the game and the move, and
    the games finished before are in the attribute `evaluation` of whatever is raised: an Evaluation, or None if there
    are none.

    >>> import bitboard
    >>> result = bitboard.evaluate(bitboard.agents.Greedy(), games=20, seed=1)
    >>> result.games, result.mean_score, result.interval[0] < result.mean_score < result.interval[1]
    (20, 2449.2, True)
    """
    if not callable(agent):
        raise TypeError(f"agent must be callable as agent(board), and {type(agent).__name__} is not")
    number, seed = checks.integer(games, "games", 1), check.word(seed, "seed")
    start = checks.integer(first, "first", 0, 2**63)
    called = name_of(agent) if name is None else checks.text(name, "name")
    began = perf_counter()
    results: list[Result] = []
    todo = Todo(range(start, start + number))
    interrupted, executor = False, None

    def evaluation(interrupted: bool) -> Evaluation:
        return Evaluation(called, seed, number, sorted(results), perf_counter() - began, interrupted)

    with progress.bar(number, called, "games") as advance:

        def finished(more: list[Result]) -> None:
            results.extend(more)
            todo.done(more)
            advance(len(more))

        try:
            if hasattr(workers, "get_executor"):  # a Client of dask.distributed
                workers = executor = workers.get_executor()
            if hasattr(workers, "submit"):
                from .executors import in_executor

                in_executor(workers, agent, seed, todo, finished)
            else:
                processes = min(checks.integer(workers, "workers", 1, 1024), number)
                if processes > 1:
                    from .processes import in_processes

                    in_processes(processes, agent, seed, todo, finished)
                else:
                    for index in range(start, start + number):
                        finished([play_one(agent, seed, index)])
        except BaseException as error:
            interrupted = isinstance(error, KeyboardInterrupt)
            found = evaluation(True) if results else None
            if not interrupted or found is None:
                error.evaluation = found  # type: ignore[attr-defined]
                raise
        finally:
            if executor is not None:
                executor.shutdown(wait=False)
    return evaluation(interrupted)
