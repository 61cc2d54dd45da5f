"""The vector environment's games asked one by one: call(), get_attr() and set_attr(), as SyncVectorEnv has them."""

from __future__ import annotations

from typing import Any

__all__ = ["EachGame"]

# What call() and get_attr() give of each game: methods, items of an array of the batch, what all games share.
_ARRAY_OF = {"board": "boards", "stream": "streams", "score": "scores", "moves": "moves"}
_SHARED = {
    "action_space": "single_action_space",
    "observation_space": "single_observation_space",
    "render_mode": "render_mode",
}
_OF_A_GAME = ("action_masks", "render", *_ARRAY_OF, *_SHARED)


class EachGame:
    """What Game2048VectorEnv has for code that was written for several environments."""

    num_envs: int
    _batch: Any
    _set: dict[str, list[Any]]
    _started: Any

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """One result a game: of a method that Game2048Env has, or its attribute of that name, as SyncVectorEnv.call.

        name: action_masks, render, board, stream, score, moves, action_space, observation_space, render_mode, or
        what set_attr() has set. AttributeError for another one.

        >>> import bitboard.env
        >>> envs = bitboard.env.Game2048VectorEnv(2)
        >>> _ = envs.reset(seed=1)
        >>> [mask.tolist() for mask in envs.call("action_masks")]
        [[True, True, True, True], [True, True, True, True]]
        """
        if name in ("action_masks", "render"):
            result = getattr(self, name)(*args, **kwargs)
            return (None,) * self.num_envs if result is None else tuple(result)
        if name in self._set:
            values = self._set[name]
        elif name in _ARRAY_OF:
            self._started("get_attr")
            values = getattr(self._batch, _ARRAY_OF[name]).tolist()
        elif name in _SHARED:
            values = [getattr(self, _SHARED[name])] * self.num_envs
        else:
            raise AttributeError(f"a game here has {', '.join(_OF_A_GAME)}, and what set_attr() sets, but no {name!r}")
        return tuple(value(*args, **kwargs) if callable(value) else value for value in values)

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """The attribute of every game: as call()."""
        return self.call(name)

    def set_attr(self, name: str, values: Any) -> None:
        """Set an attribute of every game, for get_attr(): a list or tuple of num_envs values, or one for all.

        AttributeError for what the games have of themselves: reset(options={"board": ...}) sets a position.
        ValueError for another number of values.
        """
        if name in _OF_A_GAME:
            raise AttributeError(f"{name} cannot be set; reset(seed=..., options={{'board': ...}}) starts a game")
        if not isinstance(values, (list, tuple)):
            values = [values] * self.num_envs
        if len(values) != self.num_envs:
            raise ValueError(f"values must be one value or a list of {self.num_envs}, got {len(values)}")
        self._set[name] = list(values)
