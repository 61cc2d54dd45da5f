"""Games of an evaluation, one after another, and the words for an agent that fails."""

from __future__ import annotations

from contextlib import suppress
from time import perf_counter
from typing import Any

from ..core import MOVES, REWARDS, check, first_board, is_saturated, legal_moves, max_exponent, next_board, stream
from ..games.classic import Game
from .results import Result


def _game(agent: Any, seed: int, index: int) -> Result | None:
    """Game `index`: the same as bitboard.Game(seed=stream(seed, index)), without keeping the moves.

    None if `_stop` was set before its end.
    """
    began = perf_counter()
    own = stream(seed, index)
    if hasattr(agent, "start"):
        try:
            agent.start(own)
        except Exception as error:
            raise _failure(index, "start()", error) from error
    board = first_board(own)
    score, moves = 0, 0
    exact: Any = None  # past 32768 the exact board, of which `board` is the view, and `wide` knows the rules
    wide: Game | None = None
    while legal_moves(board):
        if _stop is not None and not moves & 31 and _stop.is_set():
            return None
        try:
            direction = agent(board)
        except Exception as error:
            raise _failure(index, f"move {moves + 1}", error) from error
        if type(direction) is not int or not 0 <= direction <= 3:
            try:
                direction = check.direction(direction)
            except ValueError as error:
                raise ValueError(f"game {index}, move {moves + 1}: the agent's {error}") from None
        after = MOVES[direction](board)
        if after == board:
            raise ValueError(
                f"game {index}, move {moves + 1}: the agent chose {direction!r}, which is illegal on {board:016x}"
            )
        if wide is None:
            score += REWARDS[direction](board)
            board = next_board(after, own, moves)
            moves += 1
            if is_saturated(board):
                wide = Game(own, board)
                exact, board = wide._boards[0], wide.board
            continue
        exact, earned = wide._slide(exact, direction)
        exact = wide._place(exact, *wide._own_spawn(exact, moves))
        score, moves, board = score + earned, moves + 1, wide._shown(exact)
    largest = max_exponent(board) if wide is None else max(wide._exponents(exact))
    return index, score, moves, 2**largest, wide is not None, perf_counter() - began


def _failure(index: int, where: str, error: Exception) -> RuntimeError:
    """What to raise where the agent raised an exception of its own: its place in the agent's code, in a line."""
    from traceback import extract_tb

    place = extract_tb(error.__traceback__)[-1]
    what = f"{type(error).__name__}: {error} ({place.filename}, line {place.lineno})"
    return RuntimeError(f"game {index}, {where}: the agent raised {what}")


_stop: Any = None  # in a process of ours: set when the games should end; looked at every 32 moves


def prepare(stop: Any) -> None:
    """Begin a process: the parent alone hears Ctrl-C, and says by `stop` when to end."""
    import signal

    global _stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _stop = stop


def play(agent: Any, seed: int, first: int, last: int) -> list[Result]:
    """Games first .. last - 1, those finished before `_stop`."""
    results = []
    for index in range(first, last):
        result = _game(agent, seed, index)
        if result is None:
            break
        results.append(result)
    return results


def chunk_by_copy(agent: Any, seed: int, first: int, last: int) -> list[Result]:
    """play() by an agent of its own, since other threads play with the same one."""
    from copy import deepcopy

    with suppress(Exception):  # it may hold what cannot be copied, such as a lock: shared, as documented
        agent = deepcopy(agent)
    return play(agent, seed, first, last)
