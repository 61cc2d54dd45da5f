"""The one-board functions of the C core, as builtins: no Python frame around them.

`quick` has those of csrc/leaf_objects.h by name, for in_c() of backend.py; a build without that file has none.
"""

from ._leaf import lib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def _plain(name: str) -> "Callable[..., Any]":
    """The function by way of plain cffi, for a build without csrc/leaf_fast.h: the checks are made here."""
    from . import _py
    from .check import word

    function, model = getattr(lib, "bb_" + name), getattr(_py, name)
    names = model.__code__.co_varnames[: model.__code__.co_argcount]

    def one(argument: "Any", /) -> "Any":
        return function(word(argument, names[0]))

    def two(first: "Any", second: "Any", /) -> "Any":
        return function(word(first, names[0]), word(second, names[1]))

    def three(first: "Any", second: "Any", third: "Any", /) -> "Any":
        return function(word(first, names[0]), word(second, names[1]), word(third, names[2]))

    wrapper: Callable[..., Any] = (one, two, three)[len(names) - 1]
    wrapper.__name__ = wrapper.__qualname__ = name
    wrapper.__module__, wrapper.__doc__ = "bitboard", model.__doc__
    return wrapper


if hasattr(lib, "bb_builtin"):

    def _function(name: str) -> "Any":
        return lib.bb_builtin(name.encode())

    quick: "dict[str, Any]" = lib.bb_objects()
else:
    _function, quick = _plain, {}

canonical = _function("canonical")
empty_count = _function("empty_count")
first_board = _function("first_board")
flip_horizontal = _function("flip_horizontal")
flip_vertical = _function("flip_vertical")
is_over = _function("is_over")
is_saturated = _function("is_saturated")
legal_moves = _function("legal_moves")
max_exponent = _function("max_exponent")
move_down = _function("move_down")
move_left = _function("move_left")
move_right = _function("move_right")
move_up = _function("move_up")
next_board = _function("next_board")
random64 = _function("random64")
reward_columns = _function("reward_columns")
reward_rows = _function("reward_rows")
rotate_90 = _function("rotate_90")
rotate_180 = _function("rotate_180")
rotate_270 = _function("rotate_270")
spawn = _function("spawn")
stream = _function("stream")
tile_sum = _function("tile_sum")
transpose = _function("transpose")

__all__ = [
    "canonical",
    "empty_count",
    "first_board",
    "flip_horizontal",
    "flip_vertical",
    "is_over",
    "is_saturated",
    "legal_moves",
    "max_exponent",
    "move_down",
    "move_left",
    "move_right",
    "move_up",
    "next_board",
    "random64",
    "reward_columns",
    "reward_rows",
    "rotate_90",
    "rotate_180",
    "rotate_270",
    "spawn",
    "stream",
    "tile_sum",
    "transpose",
]
