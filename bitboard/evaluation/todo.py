"""Which games of an evaluation are still to be played: chunks by time, and games that were lost with their process."""

from __future__ import annotations

from .results import Result

CHUNK_SECONDS = 0.25  # of play: results come a few times a second, and handing out costs next to nothing
TRIES = 3  # of a game whose process died


class Todo:
    """Games that are handed out in chunks of neighbours, each until its results are there.

    A chunk is of as many games as are played in `seconds`, and of fewer near the end, to an eighth of it, so that all
    workers end together.
    """

    def __init__(self, games: range) -> None:
        self.seconds = CHUNK_SECONDS
        self.left = len(games)  # not finished, whether handed out or not
        self._rest = games
        self.again: list[int] = []  # were lost, ascending
        self._lost: dict[int, int] = {}
        self._size = self._largest = 1
        self._seconds, self._finished = 0.0, 0

    def take(self, shares: int) -> range | None:
        """The next games for one of `shares` workers; None if there are none to hand out."""
        if self.again:  # one by one, so that a game that kills its process takes no other one with it
            index = self.again.pop(0)
            return range(index, index + 1)
        if not self._rest:
            return None
        size = min(self._size, max(-(-self._size // 8), -(-len(self._rest) // (2 * shares))))
        games, self._rest = self._rest[:size], self._rest[size:]
        return games

    def done(self, results: list[Result]) -> None:
        """Games are finished."""
        if results:
            self.left -= len(results)
            self._finished += len(results)
            self._seconds += sum([result[5] for result in results])
            self._largest = max(self._largest, len(results))
            wanted = int(self.seconds * self._finished / max(self._seconds, 1e-9))
            self._size = max(1, min(wanted, 8 * self._largest))  # the first game may be unlike the others

    def lost(self, games: range, why: str) -> None:
        """Games were lost with the process that had them: they are handed out again, TRIES times in all.

        Raises RuntimeError after that.
        """
        for index in games:
            self._lost[index] = self._lost.get(index, 0) + 1
            if self._lost[index] == TRIES:
                raise RuntimeError(f"game {index} was lost {TRIES} times, the last time because {why}")
        self.again = sorted([*self.again, *games])


def named(games: list[int]) -> str:
    """Ascending numbers of games as text.

    >>> named([3, 8, 9, 10, 11])
    '3, 8 to 11'
    """
    runs: list[list[int]] = []
    for index in games:
        if runs and runs[-1][1] == index - 1:
            runs[-1][1] = index
        else:
            runs.append([index, index])
    return ", ".join([str(first) if first == last else f"{first} to {last}" for first, last in runs])
