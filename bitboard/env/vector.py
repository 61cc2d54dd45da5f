"""The environment of many games in step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, SupportsIndex

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ..core import check, kernels_of
from ..core import stream as stream_of
from ..many.batch import Batch
from ..many.encoding import kernels as encoders
from ..tools import checks, copies
from . import draw
from .attributes import EachGame
from .common import AutoresetMode, Settings, checked_mode, log2_points_many, options_of, spaces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import _py as kernels
else:
    kernels = kernels_of(__package__)


__all__ = ["Game2048VectorEnv"]


# Observations of our own arrays of boards, which need no check: that would be a twentieth of a step of 4,096 games.
def _exponents(boards: Any) -> Any:
    cells = np.empty((len(boards), 4, 4), np.uint8)
    encoders.exponents_many(boards.data, cells.reshape(-1).data)
    return cells


def _one_hot(boards: Any, dtype: Any = np.uint8) -> Any:
    planes = np.empty((len(boards), 16, 4, 4), dtype)
    encoders.one_hot_many(boards.data, planes.reshape(-1).data)
    return planes


_OBSERVE: dict[tuple[str, str], Any] = {
    ("exponents", "uint8"): _exponents,
    ("exponents", "float32"): lambda boards: _exponents(boards).astype(np.float32),
    ("one_hot", "uint8"): _one_hot,
    ("one_hot", "float32"): lambda boards: _one_hot(boards, np.float32),
    ("board", "uint8"): lambda boards: boards.copy()[:, None],
}


class Game2048VectorEnv(EachGame, gymnasium.vector.VectorEnv):
    """num_envs games of 2048 in step: gymnasium.make_vec("bitboard/Game2048-v0", num_envs=4096).

    Game i is the one that Game2048Env plays with the same seed and actions; observation, reward, illegal,
    max_illegal, max_moves, dtype, mask, reward_scale and illegal_penalty are as there, and so are the infos,
    each an array of num_envs items with its mask `_name` as Gymnasium's own vector environments have it. A
    reward callable is called once a step, with three uint64 arrays, and gives num_envs numbers; games that
    the step resets have 0 all the same.

    max_episode_steps: so many steps, illegal actions among them, truncate an episode that has not ended by
    itself. make_vec() passes it on here as make() does to TimeLimit for a single environment. None: no limit.
    autoreset_mode: an AutoresetMode or its value. "NextStep": the step after the end of an episode resets
    the game, whatever the action, with reward 0. "SameStep": the step that ends it resets it too: the
    observation and infos are the new game's, and infos["final_obs"] and infos["final_info"] the finished
    one's, valid where infos["_final_obs"]. "Disabled": reset(options={"reset_mask": ended}) does it, and a
    step before that is an error. The attribute autoreset_mode and metadata["autoreset_mode"] say which.
    threads: how many share a step. render_mode: "ansi" or "rgb_array"; render() gives a tuple of num_envs.

    reset(seed=s) plays game i with the seed s + i; reset(seed=[...]) has one for each game, or None.
    options: "board", one position for all games or num_envs of them (uint64); "reset_mask", the games to
    reset (num_envs bools, with at least one True) while the others stay as they are.
    Everything that is returned is new and the caller's own, but for the masks of the infos that are
    always there, which are read-only. Cost of a step: see tests/bench/env.py. Pickles, and deep copies.
    Raises ValueError and TypeError for arguments and actions, TypeError and OverflowError for seeds and
    boards, RuntimeError for a step before the first reset; an action that is refused has changed nothing.

    >>> import gymnasium, bitboard.env
    >>> envs = gymnasium.make_vec("bitboard/Game2048-v0", num_envs=3)
    >>> observations, infos = envs.reset(seed=1)
    >>> observations, rewards, terminations, truncations, infos = envs.step(envs.action_space.sample())
    >>> observations.shape, infos["action_mask"].shape, envs.metadata["autoreset_mode"].value
    ((3, 4, 4), (3, 4), 'NextStep')
    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        num_envs: SupportsIndex = 1,
        *,
        observation: str = "exponents",
        reward: str | Callable[[Any, Any, Any], Any] = "points",
        illegal: str = "ignore",
        max_illegal: SupportsIndex = 100,
        max_moves: SupportsIndex | None = None,
        max_episode_steps: SupportsIndex | None = None,
        dtype: str = "uint8",
        mask: bool = False,
        reward_scale: float = 1.0,
        illegal_penalty: float = 0.0,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        threads: SupportsIndex = 1,
        render_mode: str | None = None,
    ) -> None:
        self._settings = settings = Settings(
            observation, reward, illegal, max_illegal, max_moves, dtype, mask, reward_scale, illegal_penalty
        )
        try:
            self.autoreset_mode = AutoresetMode(autoreset_mode)
        except ValueError:
            names = ", ".join(mode.value for mode in AutoresetMode)
            raise ValueError(f"autoreset_mode must be one of {names}; got {autoreset_mode!r}") from None
        self._max_steps = (
            None if max_episode_steps is None else checks.integer(max_episode_steps, "max_episode_steps", 1)
        )
        self.render_mode = checked_mode(render_mode, self.metadata["render_modes"])
        self.num_envs = n = checks.integer(num_envs, "num_envs", 1)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.single_action_space = spaces.Discrete(4)
        self.action_space = spaces.MultiDiscrete(np.full(n, 4))
        self.single_observation_space = settings.observation_space()
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, n)
        chosen = settings.reward
        self._reward: Any = chosen if callable(chosen) else {"points": None, "log2": log2_points_many}[chosen]
        self._batch = Batch(n, threads=threads)  # which resets nothing by itself: it knows no truncation
        self._ready = False  # whether there was a reset
        self._set: dict[str, list[Any]] = {}  # the attributes that set_attr() gave to each game
        self._ended: NDArray[np.bool_] | None = None  # the games that the last step ended, if there are any
        self._illegal = np.zeros(n, np.int32)  # illegal actions in a row
        self._steps = np.zeros(n, np.int64)  # of the episode, if there is a limit
        self._view()

    def _observe(self, places: Any = slice(None)) -> Any:
        """The observations now of all games or of some, new arrays."""
        settings = self._settings
        seen = _OBSERVE[settings.observation, settings.dtype](self._arrays["boards"][places])
        if not settings.mask:
            return seen
        return {"observation": seen, "action_mask": self.action_masks()[places].view(np.int8)}

    def _view(self) -> None:
        """The arrays of the batch as numpy arrays, which follow it without copying."""
        self._arrays = {
            name: np.asarray(getattr(self._batch, name))
            for name in ("boards", "scores", "moves", "legal", "saturated", "rewards", "over", "changed", "afterstates")
        }
        self._always = np.ones(self.num_envs, bool)
        self._always.flags.writeable = False

    def __getstate__(self) -> Any:
        return copies.added(self, ("_arrays", "_always"))

    def __setstate__(self, state: Any) -> None:
        copies.restore(self, state)
        self._view()

    def reset(
        self,
        *,
        seed: SupportsIndex | list[SupportsIndex | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Start games: (observations, infos). See the class for seed and options."""
        given = options_of(options, ("board", "reset_mask"))
        boards, which = self._boards_of(given.get("board")), self._mask_of(given.get("reset_mask"))
        streams = self._streams_of(seed)
        self._batch.reset(which, streams=streams, boards=boards)
        if which is None:
            self._illegal.fill(0)
            self._steps.fill(0)
            self._ended = None
        else:
            self._illegal[which] = self._steps[which] = 0
            if self._ended is not None:
                self._ended = self._ended & ~which
                if not self._ended.any():
                    self._ended = None
        self._ready = True
        return self._observe(), self._infos()

    def _streams_of(self, seed: Any) -> NDArray[np.uint64] | None:
        """The streams of the new games, or None where each goes on with stream(S, 0)."""
        n = self.num_envs
        if seed is None:
            if self._ready:
                return None
            return self.np_random.integers(0, 2**64, n, dtype=np.uint64)
        if not isinstance(seed, (list, tuple, np.ndarray)):
            first = check.word(seed, "seed")
            check.word(first + n - 1, "seed + num_envs - 1")
            super().reset(seed=first)
            return np.arange(n, dtype=np.uint64) + np.uint64(first)
        if len(seed) != n:
            raise ValueError(f"seed must be one integer or a list of {n}, got {len(seed)}")
        others: Any = (
            [stream_of(stream, 0) for stream in self._batch.streams]
            if self._ready
            else self.np_random.integers(0, 2**64, n, np.uint64)
        )
        numbers = [others[i] if one is None else check.word(one, f"seed[{i}]") for i, one in enumerate(seed)]
        return np.array(numbers, np.uint64)

    def _boards_of(self, boards: Any) -> NDArray[np.uint64] | None:
        """The positions to start from."""
        if boards is None:
            return None
        name = "options['board']"
        if isinstance(boards, (list, tuple)):
            boards = np.array([check.word(board, f"{name}[{i}]") for i, board in enumerate(boards)], np.uint64)
        if not isinstance(boards, np.ndarray) or boards.ndim == 0:
            return np.full(self.num_envs, check.word(boards, name), np.uint64)
        if boards.dtype != np.uint64:
            raise TypeError(f"{name} must be one integer or an array of uint64, not of {boards.dtype}")
        if boards.shape != (self.num_envs,):
            raise ValueError(f"{name} must be one integer or have the shape {(self.num_envs,)}, got {boards.shape}")
        return np.ascontiguousarray(boards)

    def _mask_of(self, mask: Any) -> NDArray[np.bool_] | None:
        """The games to reset; None: all."""
        if mask is None:
            return None
        name = "options['reset_mask']"
        if not isinstance(mask, np.ndarray) or mask.dtype != bool:
            raise TypeError(f"{name} must be a numpy array of bool, not {getattr(mask, 'dtype', type(mask).__name__)}")
        if mask.shape != (self.num_envs,):
            raise ValueError(f"{name} must have the shape {(self.num_envs,)}, got {mask.shape}")
        if not mask.any():
            raise ValueError(f"{name} must have at least one True")
        if not self._ready and not mask.all():
            raise ValueError(f"{name} must be all True at the first reset")
        return np.ascontiguousarray(mask)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Slide every game: (observations, rewards float64, terminations, truncations, infos)."""
        ended, settings, arrays = self._ended, self._settings, self._arrays
        actions = self._checked(actions, ended)
        before = None if self._reward is None else arrays["boards"].copy()
        self._batch.step(actions)
        if ended is not None:  # "NextStep"; the slide just made there does not matter: streams are as before
            self._batch.reset(ended)
            self._ended = None  # done, also where the reward below raises

        if before is None:
            rewards = arrays["rewards"].astype(np.float64)
        else:
            rewards = self._rewards_of(before)
            if ended is not None:
                rewards[ended] = 0.0
        if settings.scale != 1.0:
            rewards *= settings.scale
        stuck, illegal = arrays["saturated"], self._illegal
        idle = ~arrays["changed"]
        terminations = np.greater(arrays["over"], stuck)
        truncations = arrays["moves"] >= settings.max_moves
        truncations |= stuck
        if idle.any():
            if ended is not None:
                idle &= ~ended
            if settings.penalty:
                rewards[idle] -= settings.penalty
            illegal += 1
            illegal *= idle
            if settings.illegal == "end":
                terminations |= idle
            truncations |= illegal >= settings.max_illegal
        else:
            illegal.fill(0)
        if self._max_steps is not None:
            self._steps += 1
            if ended is not None:
                self._steps[ended] = 0
            truncations |= self._steps >= self._max_steps
        truncations &= ~terminations

        now = terminations | truncations
        self._ended = now if now.any() else None
        if self._ended is None or self.autoreset_mode is not AutoresetMode.SAME_STEP:
            return self._observe(), rewards, terminations, truncations, self._infos()
        final = self._final(now)
        self._batch.reset(now)
        illegal[now] = self._steps[now] = 0
        self._ended = None
        return self._observe(), rewards, terminations, truncations, {**self._infos(), **final}

    def _started(self, method: str) -> None:
        if not self._ready:
            raise RuntimeError(f"call reset() before {method}()")

    def _checked(self, actions: Any, ended: NDArray[np.bool_] | None) -> Any:
        """Actions for the batch, which checks their type, number and range."""
        self._started("step")
        if ended is not None and self.autoreset_mode is AutoresetMode.DISABLED:
            i = int(ended.argmax())
            raise RuntimeError(f"game {i} has ended: reset it with options={{'reset_mask': ...}} before step()")
        actions = np.ascontiguousarray(actions)
        if self._settings.illegal == "raise" and actions.shape == (self.num_envs,) and actions.dtype.kind in "iu":
            legal = self._arrays["legal"]
            wrong = (legal >> (actions & 3).astype(np.uint8) & 1 == 0) & (legal != 0) & (actions == actions & 3)
            if ended is not None:
                wrong &= ~ended
            if wrong.any():
                i = int(wrong.argmax())
                board, name = self._arrays["boards"][i], check.DIRECTION_NAMES[actions[i]]
                raise ValueError(f"actions[{i}] is illegal: sliding {name} does not change {int(board):#018x}")
        return actions

    def _rewards_of(self, before: NDArray[np.uint64]) -> NDArray[np.float64]:
        """The rewards that a function gives."""
        afterstates, boards = self._arrays["afterstates"].copy(), self._arrays["boards"].copy()
        rewards = np.array(self._reward(before, afterstates, boards), np.float64)
        if rewards.shape != (self.num_envs,):
            raise ValueError(f"reward must give an array of the shape {(self.num_envs,)}, gave {rewards.shape}")
        return rewards

    def _values(self) -> dict[str, Any]:
        """The infos now, without masks."""
        arrays, n = self._arrays, self.num_envs
        masks, max_tiles = np.empty((n, 4), np.int8), np.empty(n, np.int64)
        kernels.look(arrays["boards"], arrays["legal"], masks, max_tiles)
        return {
            "action_mask": masks,
            "score": arrays["scores"].copy(),
            "max_tile": max_tiles,
            "moves": arrays["moves"].astype(np.int64),
            "board": arrays["boards"].copy(),
            "afterstate": arrays["afterstates"].copy(),
        }

    def _infos(self) -> dict[str, Any]:
        """The infos now, of all games."""
        infos = self._values()
        for name in list(infos):
            infos["_" + name] = self._always
        return infos

    def _final(self, ended: NDArray[np.bool_]) -> dict[str, Any]:
        """The last observations and infos of the games that have just ended."""
        places = np.flatnonzero(ended)
        observations = np.full(self.num_envs, None, object)
        last = self._observe(places)
        for i, place in enumerate(places.tolist()):
            observations[place] = {name: seen[i] for name, seen in last.items()} if self._settings.mask else last[i]
        infos: dict[str, Any] = {}
        for name, values in self._values().items():
            infos[name] = np.zeros_like(values)
            infos[name][places] = values[places]
            infos["_" + name] = ended.copy()
        return {"final_obs": observations, "_final_obs": ended.copy(), "final_info": infos, "_final_info": ended.copy()}

    def action_masks(self) -> NDArray[np.bool_]:
        """(num_envs, 4) bool: the legal actions now."""
        self._started("action_masks")
        return np.unpackbits(self._arrays["legal"][:, None], axis=1, count=4, bitorder="little").view(bool)

    def sample_legal(self) -> NDArray[np.int64]:
        """A legal action of every game, each as likely, by the random numbers of action_space; 0 without any."""
        masks = self.action_masks()
        place = (self.action_space.np_random.random(self.num_envs) * masks.sum(axis=1)).astype(np.int64)
        actions: NDArray[np.int64] = (masks.cumsum(axis=1) > place[:, None]).argmax(axis=1)
        return actions

    def render(self) -> tuple[Any, ...] | None:
        """A drawing of every game, as Game2048Env.render() makes one."""
        self._started("render")
        if self.render_mode is None:
            return None
        boards = self._arrays["boards"].tolist()
        if self.render_mode == "rgb_array":
            return tuple(draw.pixels(board) for board in boards)
        scores, moves = self._arrays["scores"].tolist(), self._arrays["moves"].tolist()
        return tuple(map(draw.text, boards, scores, moves))
