"""One operation on an array of boards: the functions X_many.

`boards` and the other arrays are C-contiguous buffers of unsigned 64-bit integers (array('Q'),
memoryview, numpy uint64) of any shape, read without copying, or what else core.check.boards()
takes. The result goes to `out`, which must have the same shape and may be `boards` itself, or to
a new array: numpy of the same shape if `boards` is numpy, else a flat array.array. It is also
returned.
TypeError for another item type, ValueError for strides, another shape or a read-only `out`;
then nothing has been written. With the C core the GIL is released.
"""

from __future__ import annotations

from typing import Any

from ..core import check, kernels_of
from ..tools import buffers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import _py as kernels
else:
    kernels = kernels_of(__package__)

__all__ = ["legal_moves_many", "move_many", "reward_many", "spawn_many"]


def move_many(boards: Any, direction: int | str, out: Any = None) -> Any:
    """Slide every board in one direction; unchanged where the slide is illegal.

    direction: as for move(). About 1 to 3 ns a board with the C core (tests/bench/many.py).
    Raises TypeError and ValueError for arrays as the module says, ValueError for a direction.

    >>> import array, bitboard
    >>> boards = array.array("Q", [0x1100_0000_0000_0000, 0x2000_0000_0000_0000])
    >>> [f"{board:016x}" for board in bitboard.move_many(boards, "right")]
    ['0002000000000000', '0002000000000000']
    """
    (boards, seen), number = check.boards(boards), check.direction(direction)
    out, target = buffers.result(out, boards, seen)
    kernels.move_many(buffers.flat(seen), number, buffers.flat(target))
    return out


def reward_many(boards: Any, direction: int | str, out: Any = None) -> Any:
    """The points that every board earns by a slide in one direction; 0 where it is illegal.

    Raises TypeError and ValueError for arrays as the module says, ValueError for a direction.

    >>> import array, bitboard
    >>> bitboard.reward_many(array.array("Q", [0x1100_0000_0000_0000]), "L").tolist()
    [4]
    """
    (boards, seen), number = check.boards(boards), check.direction(direction)
    out, target = buffers.result(out, boards, seen)
    kernels.reward_many(buffers.flat(seen), number, buffers.flat(target))
    return out


def legal_moves_many(boards: Any, out: Any = None) -> Any:
    """The mask of legal directions of every board, as legal_moves(); 0 where the game is over.

    The masks are 64-bit words like the boards. Raises TypeError and ValueError for arrays as
    the module says.

    >>> import array, bitboard
    >>> bitboard.legal_moves_many(array.array("Q", [0x1000_0000_0000_0000])).tolist()
    [6]
    """
    boards, seen = check.boards(boards)
    out, target = buffers.result(out, boards, seen)
    kernels.legal_moves_many(buffers.flat(seen), buffers.flat(target))
    return out


def spawn_many(boards: Any, random64: Any, out: Any = None) -> Any:
    """A new tile on every board, each chosen by a random number of its own, as spawn().

    random64: an array of the shape of `boards`. Full boards stay as they are.
    Raises TypeError and ValueError for arrays as the module says.

    >>> import array, bitboard
    >>> bitboard.spawn_many(array.array("Q", [0]), array.array("Q", [2**64 - 1])).tolist()
    [1]
    """
    boards, seen = check.boards(boards)
    _, numbers = check.boards(random64, "random64", seen.shape)
    out, target = buffers.result(out, boards, seen)
    kernels.spawn_many(buffers.flat(seen), buffers.flat(numbers), buffers.flat(target))
    return out
