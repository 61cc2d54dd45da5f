"""Games of an evaluation, one after another, and the words for an agent that fails."""

from __future__ import annotations

import pickle
from contextlib import suppress
from time import perf_counter
from typing import Any

from ..core import check, first_board, legal_moves, max_exponent, stream, turn
from .results import Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..games.classic import Game


def play_one(agent: Any, seed: int, index: int) -> Result:
    """Game `index`: the same as bitboard.Game(seed=stream(seed, index)), without keeping the moves."""
    began = perf_counter()
    own = stream(seed, index)
    if hasattr(agent, "play_by"):
        from ..games.rules import CLASSIC  # few agents ask for it, and processes start sooner without

        _tell(agent.play_by, CLASSIC, index, "play_by()")
    if hasattr(agent, "start"):
        _tell(agent.start, own, index, "start()")
    board = first_board(own)
    score, moves = 0, 0
    exact: Any = None  # past 32768 the exact board, of which `board` is the view, and `wide` knows the rules
    wide: Game | None = None
    legal = legal_moves(board)
    while legal:
        try:
            direction = agent(board)
        except Exception as error:
            raise _failure(index, f"move {moves + 1}", error) from error
        if type(direction) is not int or not 0 <= direction <= 3:
            try:
                direction = check.direction(direction)
            except ValueError as error:
                raise ValueError(f"game {index}, move {moves + 1}: the agent's {error}") from None
        if not legal >> direction & 1:
            raise ValueError(
                f"game {index}, move {moves + 1}: the agent chose {direction!r}, which is illegal on {board:016x}"
            )
        if wide is None:
            _, earned, board, legal, saturated = turn(board, direction, own, moves)  # type: ignore[misc]
            score += earned
            moves += 1
            if saturated:
                from ..games.classic import Game  # as above

                wide = Game(own, board)
                exact, board = wide._boards[0], wide.board
                legal = legal_moves(board)
            continue
        exact, earned = wide._slide(exact, direction)
        exact = wide._place(exact, *wide._own_spawn(exact, moves))
        score, moves, board = score + earned, moves + 1, wide._shown(exact)
        legal = legal_moves(board)
    largest = max_exponent(board) if wide is None else max(wide._exponents(exact))
    return index, score, moves, 2**largest, wide is not None, perf_counter() - began


def _tell(method: Any, what: Any, index: int, where: str) -> None:
    """Tell the agent something before a game."""
    try:
        method(what)
    except Exception as error:
        raise _failure(index, where, error) from error


def _failure(index: int, where: str, error: Exception) -> RuntimeError:
    """What to raise where the agent raised an exception of its own: its place in the agent's code, in a line."""
    from ..tools.failures import told

    return RuntimeError(f"game {index}, {where}: the agent raised {told(error)}")


def play(agent: Any, seed: int, games: range, finished: list[Result]) -> BaseException | None:
    """Play games one after another, put each into `finished`, and give the error that ended them, or None."""
    try:
        for index in games:
            finished.append(play_one(agent, seed, index))
    except BaseException as error:
        return error
    return None


Failure = tuple[type[Exception], str, Any]  # class, message, and the cause, pickled, or None


def packed(error: BaseException | None, game: int) -> Failure | None:
    """An error of play(), in some game, as another process can read it.

    What agents raise need not come back from a pickle, nor should it end the other process as SystemExit does.
    """
    if error is None:
        return None
    if not isinstance(error, (ValueError, RuntimeError, TypeError)):
        return RuntimeError, f"game {game}: the agent raised {type(error).__name__}: {error}", None
    cause = None
    with suppress(Exception):
        cause = pickle.dumps(error.__cause__)
        pickle.loads(cause)
    return type(error), str(error), cause


def unpacked(failure: Failure) -> Exception:
    """The error that was packed."""
    kind, message, data = failure
    error = kind(message)
    with suppress(Exception):  # its class may be one of the other process alone
        error.__cause__ = pickle.loads(data)
    return error
