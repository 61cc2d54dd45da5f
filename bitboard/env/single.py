"""The environment of one game."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn, SupportsIndex

import gymnasium
import numpy as np

from ..core import (
    check,
    first_board,
    is_saturated,
    legal_moves,
    max_exponent,
    turn,
)
from ..core import stream as stream_of
from ..tools import checks
from . import draw
from .common import Settings, as_array, checked_mode, exponents, log2_points, one_hot, options_of, spaces

__all__ = ["Game2048Env"]

_OBSERVE = {"exponents": exponents, "one_hot": one_hot, "board": as_array}

_INTEGERS = list(np.arange(8192, dtype=np.int64))  # made once: to make one takes a tenth of a step
_TILES = tuple(np.int64(1 << exponent & -2) for exponent in range(16))  # face values, 0 on an empty board
_MASKS = tuple(np.array([legal >> d & 1 for d in range(4)], np.int8) for legal in range(16))


def _as_float(observe: Callable[[int], Any], board: int) -> Any:
    """An observation as float32."""
    return observe(board).astype(np.float32)


def _with_mask(observe: Callable[[int], Any], board: int) -> dict[str, Any]:
    """An observation with the mask of the legal actions."""
    return {"observation": observe(board), "action_mask": _MASKS[legal_moves(board)].copy()}


class Game2048Env(gymnasium.Env):
    """One game of 2048 as a Gymnasium environment: gymnasium.make("bitboard/Game2048-v0").

    Actions: 0 to 3, up, right, down, left; any integer, numpy or not.

    observation: "exponents", (4, 4) uint8, 0 for an empty cell and k for the tile 2**k; "one_hot",
    (16, 4, 4) uint8; or "board", the board itself, (1,) uint64.
    reward: "points", what the game scores; "log2", the sum of log2 of the tiles that the slide made;
    or a callable of (before, afterstate, after), three ints that are equal after an illegal action.
    illegal: an action whose slide changes nothing does nothing ("ignore": no spawn, no move, no
    points), ends the episode as a loss would ("end"), or raises ValueError ("raise").
    max_illegal: so many illegal actions in a row truncate the episode, so that none can hang.
    max_moves: so many slides truncate it. None: no limit.
    dtype: of the first two observations: "uint8" or "float32". mask: True makes the observation a dict of
    "observation" and "action_mask", the (4,) int8 that infos have too.
    reward_scale, illegal_penalty: the reward is that above times reward_scale, less illegal_penalty where the action
    changed nothing.
    render_mode: "ansi" (render() gives text), "rgb_array" (360 x 360 pixels) or "human" (each board is
    printed on the terminal as it comes, 4 a second; nothing is left for render() to do).

    terminated: no slide is legal, or an illegal action ended the episode. truncated: a limit was
    reached, or the board is saturated, two 32768 tiles that would merge into what a board cannot hold
    (bitboard.Game goes on there, to 131072).
    info, at reset and at every step: action_mask (int8, 1 where the action is legal on the board that
    is observed; all 0 where the game is over), score, max_tile (face value), moves (slides so far), board and
    afterstate: int64 and uint64 scalars, which collectors ask for their dtype; int() makes plain boards.
    Everything that is returned is new and the caller's own.

    The game of reset(seed=s) has the stream s: it is Batch's game with that stream, and the same slides
    give the same game everywhere in this package. A reset without a seed goes on with stream(s, 0).
    reset(options={"board": b}) starts from a given position. Attributes board, score, moves, stream: ints.

    Cost of a step: see tests/bench/env.py. Pickles and deep copies go on as the original does.
    Raises ValueError and TypeError for arguments and actions, TypeError and OverflowError for a seed or
    board, RuntimeError for a step before the first reset.

    >>> import gymnasium, bitboard.env
    >>> env = gymnasium.make("bitboard/Game2048-v0")
    >>> observation, info = env.reset(seed=1)
    >>> observation, reward, terminated, truncated, info = env.step(2)
    >>> observation.shape, info["action_mask"].tolist(), f"{info['board']:016x}"
    ((4, 4), [1, 1, 0, 1], '0000000000001101')
    """

    metadata = {"render_modes": ["human", "ansi", "rgb_array"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        *,
        observation: str = "exponents",
        reward: str | Callable[[int, int, int], float] = "points",
        illegal: str = "ignore",
        max_illegal: SupportsIndex = 100,
        max_moves: SupportsIndex | None = None,
        dtype: str = "uint8",
        mask: bool = False,
        reward_scale: float = 1.0,
        illegal_penalty: float = 0.0,
        render_mode: str | None = None,
    ) -> None:
        settings = Settings(
            observation, reward, illegal, max_illegal, max_moves, dtype, mask, reward_scale, illegal_penalty
        )
        self.render_mode = checked_mode(render_mode, self.metadata["render_modes"])
        self.observation_space = settings.observation_space()
        self.action_space = spaces.Discrete(4)
        self.board: Any = None  # an int from the first reset on, as is the stream
        self.stream: Any = None
        self.score = self.moves = 0
        self._illegal = 0  # in a row
        self._settings = settings
        self._observe: Any = _OBSERVE[settings.observation]
        if settings.dtype == "float32":
            self._observe = partial(_as_float, self._observe)
        if settings.mask:
            self._observe = partial(_with_mask, self._observe)
        self._scale = settings.scale
        chosen = settings.reward
        self._reward: Any = chosen if callable(chosen) else {"points": None, "log2": log2_points}[chosen]
        self._max_moves = settings.max_moves

    def reset(
        self, *, seed: SupportsIndex | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start a game: (observation, info). See the class for seed and options."""
        given = options_of(options, ("board",)).get("board")
        board = None if given is None else check.word(given, "options['board']")
        number = None if seed is None else check.word(seed, "seed")
        super().reset(seed=number)
        if number is not None:
            self.stream = number
        elif self.stream is None:
            self.stream = int(self.np_random.integers(0, 2**64, dtype=np.uint64))
        else:
            self.stream = stream_of(self.stream, 0)
        if board is None:
            board = first_board(self.stream)
        self.board = board
        self.score = self.moves = self._illegal = 0
        if self.render_mode == "human":
            self._show()
        return self._observe(board), self._info(board, legal_moves(board))

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Slide: (observation, reward, terminated, truncated, info). See the class for what each is."""
        before = self.board
        try:
            taken = turn(before, action, self.stream, self.moves)
        except (TypeError, IndexError, ValueError):  # ValueError: an array of several actions has no sign
            self._refuse(action)
        if taken is None:
            return self._step_illegal(action)
        after, points, board, legal, stuck = taken
        self.score += points
        self.board = board
        self.moves += 1
        self._illegal = 0
        info = self._info(after, legal)
        if self._reward is not None:
            points = self._reward(before, after, board)
        if self.render_mode == "human":
            self._show()
        terminated = not (legal or stuck)
        truncated = not terminated and (stuck or self.moves >= self._max_moves)
        return self._observe(board), float(points) * self._scale, terminated, truncated, info

    def _step_illegal(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """The step of an action that changes nothing."""
        board, settings = self.board, self._settings
        legal, stuck = legal_moves(board), is_saturated(board)
        terminated = not (legal or stuck)
        if legal and settings.illegal == "raise":
            raise ValueError(
                f"action {action} is illegal: sliding {check.DIRECTION_NAMES[action]} does not change {board:#018x}"
            )
        self._illegal += 1
        points = 0.0 if self._reward is None else self._reward(board, board, board)
        points = float(points) * self._scale - settings.penalty
        if self.render_mode == "human":
            self._show()
        terminated = terminated or settings.illegal == "end"
        limits = self._illegal >= settings.max_illegal or self.moves >= self._max_moves
        truncated = not terminated and (stuck or limits)
        return self._observe(board), points, terminated, truncated, self._info(board, legal)

    def _refuse(self, action: Any) -> NoReturn:
        """Raise what is wrong with an action or the time of it."""
        self._started("step")
        checks.integer(action, "action", 0, 3)
        raise TypeError(f"action must be an integer from 0 to 3, got {action!r}")

    def _started(self, method: str) -> None:
        if self.board is None:
            raise RuntimeError(f"call reset() before {method}()")

    def _info(self, afterstate: int, legal: int) -> dict[str, Any]:
        board, score, moves = self.board, self.score, self.moves
        return {
            "action_mask": _MASKS[legal].copy(),
            "score": _INTEGERS[score] if score < 8192 else np.int64(score),
            "max_tile": _TILES[max_exponent(board)],
            "moves": _INTEGERS[moves] if moves < 8192 else np.int64(moves),
            "board": np.uint64(board),
            "afterstate": np.uint64(afterstate),
        }

    def action_masks(self) -> np.ndarray[Any, Any]:
        """(4,) bool: the legal actions now, as sb3-contrib's MaskablePPO asks for them."""
        self._started("action_masks")
        return _MASKS[legal_moves(self.board)].astype(bool)

    def sample_legal(self) -> int:
        """A legal action, each as likely, by the random numbers of action_space (seed it there); 0 without any."""
        self._started("sample_legal")
        return int(self.action_space.sample(mask=_MASKS[legal_moves(self.board)]))

    def render(self) -> Any:
        """The board as text ("ansi") or (360, 360, 3) uint8 ("rgb_array"); None otherwise."""
        self._started("render")
        if self.render_mode == "ansi":
            return draw.text(self.board, self.score, self.moves)
        if self.render_mode == "rgb_array":
            return draw.pixels(self.board)
        return None

    def _show(self) -> None:
        draw.show(draw.text(self.board, self.score, self.moves), self.metadata["render_fps"])
