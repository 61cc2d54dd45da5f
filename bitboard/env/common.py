"""What the single and the vector environment share: arguments, spaces, observations and rewards."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any, SupportsIndex

from ..core import check, empty_count
from ..core.notation import exponent_bytes
from ..tools import checks, extras

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode
except ImportError as error:
    raise ImportError(
        f"bitboard.env needs gymnasium 1.1 or newer, and numpy: {extras.hint('gym')} ({error})"
    ) from error


__all__ = [
    "AutoresetMode",
    "Settings",
    "as_array",
    "checked_mode",
    "exponents",
    "gymnasium",
    "log2_points",
    "log2_points_many",
    "one_hot",
    "options_of",
    "spaces",
]

OBSERVATIONS = ("exponents", "one_hot", "board")
REWARDS = ("points", "log2")
ILLEGAL = ("ignore", "end", "raise")


class Boards(spaces.Box):
    """Boards as words. A Box of all 64-bit integers samples 0 alone, since it computes with high + 1."""

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """Uniform among all words. There are no masks."""
        if mask is not None or probability is not None:
            return super().sample(mask if probability is None else probability)  # which says so
        return self.np_random.integers(0, 2**64, self.shape, np.uint64)


@gymnasium.vector.utils.batch_space.register(Boards)
def _batch_of_boards(space: Boards, n: int = 1) -> Boards:
    return Boards(0, check.WORD, (n, *space.shape), np.uint64, seed=deepcopy(space.np_random))


class Settings:
    """The checked arguments that both environments take."""

    def __init__(
        self,
        observation: str,
        reward: str | Callable[..., Any],
        illegal: str,
        max_illegal: SupportsIndex,
        max_moves: SupportsIndex | None,
        dtype: str,
        mask: bool,
        reward_scale: float,
        illegal_penalty: float,
    ) -> None:
        self.observation = _one_of(observation, "observation", OBSERVATIONS)
        self.reward = reward if callable(reward) else _one_of(reward, "reward", REWARDS, " or a callable")
        self.illegal = _one_of(illegal, "illegal", ILLEGAL)
        self.max_illegal = checks.integer(max_illegal, "max_illegal", 1)
        self.max_moves = NO_LIMIT if max_moves is None else checks.integer(max_moves, "max_moves", 1)
        self.dtype = _one_of(dtype, "dtype", ("uint8", "float32"))
        if observation == "board" and dtype != "uint8":
            raise ValueError('dtype goes with the observations exponents and one_hot; "board" is uint64')
        if not isinstance(mask, (bool, np.bool_)):
            raise TypeError(f"mask must be True or False, not {type(mask).__name__}")
        self.mask = bool(mask)
        self.scale = checks.number(reward_scale, "reward_scale", -1e100, 1e100)
        self.penalty = checks.number(illegal_penalty, "illegal_penalty", -1e100, 1e100)

    def observation_space(self) -> spaces.Space[Any]:
        """The space of one observation. Every board is in it, 32768 tiles included."""
        box: spaces.Box
        if self.observation == "exponents":
            box = spaces.Box(0, 15, (4, 4), np.dtype(self.dtype).type)
        elif self.observation == "one_hot":
            box = spaces.Box(0, 1, (16, 4, 4), np.dtype(self.dtype).type)
        else:
            box = Boards(0, check.WORD, (1,), np.uint64)
        if not self.mask:
            return box
        return spaces.Dict({"observation": box, "action_mask": spaces.Box(0, 1, (4,), np.int8)})


NO_LIMIT = 2**31 - 1  # moves are counted in 32 bits; no game has nearly as many


def _one_of(value: Any, name: str, allowed: tuple[str, ...], more: str = "") -> str:
    if not (isinstance(value, str) and value in allowed):
        raise ValueError(f"{name} must be one of {', '.join(allowed)}{more}; got {value!r}")
    return value


def checked_mode(mode: str | None, allowed: list[str]) -> str | None:
    """A checked render mode."""
    return None if mode is None else _one_of(mode, "render_mode", tuple(allowed))


def options_of(options: dict[str, Any] | None, allowed: tuple[str, ...]) -> dict[str, Any]:
    """The options of a reset; one with another name would be a misspelling that goes unnoticed."""
    for name in options or ():
        if name not in allowed:
            raise ValueError(f"options may have {' and '.join(map(repr, allowed))}, not {name!r}")
    return options or {}


# Observations of one board, a new array each time.
_LEVELS = np.arange(16, dtype=np.uint8).reshape(16, 1, 1)
_UINT8 = np.dtype(np.uint8)


def exponents(board: int) -> np.ndarray[Any, Any]:
    """(4, 4) uint8."""
    return np.ndarray((4, 4), _UINT8, exponent_bytes(board))


def one_hot(board: int) -> np.ndarray[Any, Any]:
    """(16, 4, 4) uint8: channel k is 1 where the cell's exponent is k."""
    planes: np.ndarray[Any, Any] = np.equal(_LEVELS, exponents(board)).view(_UINT8)
    return planes


def as_array(board: int) -> np.ndarray[Any, Any]:
    """(1,) uint64: the board."""
    return np.array([board], np.uint64)


# A merge of two tiles k into one k + 1 counts k + 1 with the reward "log2". That is the loss of the sum of
# (exponent + 2) over all tiles, 2 * (k + 2) - (k + 3), and tiles that only move keep theirs: no table is
# needed. All exponents sum to at most 240, which fits the top byte of the product.
_LOW = 0x0F0F0F0F0F0F0F0F
_BYTES = 0x0101010101010101


def _weight(board: int) -> int:
    """The sum of (exponent + 2) over all tiles, less 32."""
    cells = (board & _LOW) + (board >> 4 & _LOW)
    return (cells * _BYTES >> 56 & 0xFF) - 2 * empty_count(board)


def log2_points(before: int, afterstate: int, after: int) -> int:
    """The sum of log2 of the tiles that a slide made."""
    return _weight(before) - _weight(afterstate)


_SHIFTS = tuple(np.uint64(shift) for shift in (1, 2, 4, 56))
_LOWS, _BYTES_64, _EACH_CELL = np.uint64(_LOW), np.uint64(_BYTES), np.uint64(0x1111111111111111)


def _weights(boards: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """_weight() of an array, plus a constant."""
    one, two, four, top = _SHIFTS
    tiles = boards | boards >> one
    tiles = (tiles | tiles >> two) & _EACH_CELL
    exponents = ((boards & _LOWS) + (boards >> four & _LOWS)) * _BYTES_64 >> top
    counts = ((tiles & _LOWS) + (tiles >> four & _LOWS)) * _BYTES_64 >> top
    weights: np.ndarray[Any, Any] = (exponents + counts + counts).astype(np.int64)
    return weights


def log2_points_many(
    before: np.ndarray[Any, Any], afterstates: np.ndarray[Any, Any], after: np.ndarray[Any, Any]
) -> np.ndarray[Any, Any]:
    """log2_points() of arrays: float64."""
    points: np.ndarray[Any, Any] = (_weights(before) - _weights(afterstates)).astype(np.float64)
    return points
