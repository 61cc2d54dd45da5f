"""bitboard.evaluate: let an agent play many games, here, on processes or in an executor."""

from __future__ import annotations

from time import perf_counter
from typing import Any, SupportsIndex

from ..agents import name_of
from ..core import check
from ..tools import checks, progress
from .playing import play
from .results import Evaluation, Result
from .workers import in_executor, in_processes

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
) -> Evaluation:
    """Let an agent play games, and sum up.

    agent: callable as agent(board) -> direction; its start(seed), if it has one, is called before each game. Past 32768
    the board is a packed view (bitboard.pack_view), while score and largest tile are exact, to 131072.
    games: how many; game `index` is the game of seed stream(seed, index), so the games are the same for any
    workers and the first ones are the same for more games, if the agent chooses by board and start() alone.
    workers: 1 plays here; a larger number starts so many processes; an Executor of concurrent.futures is used as
    it is: a pool of processes or threads of your own, or the executors of dask.distributed and mpi4py.futures on many
    machines. Each chunk of games is played by a copy of the agent (copy.deepcopy; an agent that cannot be copied is
    shared by threads and must then keep nothing from move to move).
    Processes need an agent that can be pickled, and `if __name__ == "__main__":` around the call in a script.
    A progress bar is shown on a terminal, with rich. Interrupted (Ctrl-C), it returns the games finished so far and
    `interrupted` is True; with none finished, KeyboardInterrupt goes on.
    Raises TypeError for an agent that is not callable or cannot be pickled where it must be, ValueError for a bad
    number and for an agent that chooses an illegal direction, RuntimeError from what the agent raises itself.
    The last two name the game and the move, and the games finished before are in their attribute `evaluation`, an
    Evaluation, or None if there are none.

    >>> import bitboard
    >>> result = bitboard.evaluate(bitboard.agents.Greedy(), games=20, seed=1)
    >>> result.games, result.mean_score, result.interval[0] < result.mean_score < result.interval[1]
    (20, 2449.2, True)
    """
    if not callable(agent):
        raise TypeError(f"agent must be callable as agent(board), and {type(agent).__name__} is not")
    number, seed = checks.integer(games, "games", 1), check.word(seed, "seed")
    began = perf_counter()
    results: list[Result] = []
    interrupted = False

    def evaluation(interrupted: bool) -> Evaluation:
        return Evaluation(name_of(agent), seed, number, sorted(results), perf_counter() - began, interrupted)

    with progress.bar(number, name_of(agent), "games") as advance:
        try:
            if hasattr(workers, "submit"):
                in_executor(workers, agent, number, seed, results, advance, 256, None)
            else:
                processes = min(checks.integer(workers, "workers", 1, 1024), number)
                if processes == 1:
                    for index in range(number):
                        results += play(agent, seed, index, index + 1)
                        advance(1)
                else:
                    in_processes(processes, agent, number, seed, results, advance)
        except KeyboardInterrupt:
            if not results:
                raise
            interrupted = True
        except (ValueError, RuntimeError) as error:
            error.evaluation = evaluation(True) if results else None  # type: ignore[union-attr]
            raise
    return evaluation(interrupted)
