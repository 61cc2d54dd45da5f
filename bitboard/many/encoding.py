"""Boards as the arrays that networks and learners take, straight from the kernel into a buffer.

`boards` is a C-contiguous buffer of 64-bit integers of any shape, read without copying, or a list of ints.
The result goes to `out`, of the shape of `boards` followed by that of one board's result, or flat;
or to a new array: numpy if `boards` is numpy, else a flat array.array. It is also returned.
TypeError for another item type, ValueError for strides, another shape or a read-only `out`; then
nothing has been written. With the C core the GIL is released.
"""

from __future__ import annotations

from typing import Any, SupportsIndex

from ..core import check, kernels_of
from ..tools import buffers, checks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import _py as kernels
else:
    kernels = kernels_of(__package__)


__all__ = ["exponents", "exponents_many", "kernels", "one_hot", "one_hot_many", "symmetries_many"]

ONE_HOT = ("uint8", "float32")


def exponents_many(boards: Any, out: Any = None) -> Any:
    """The cells of every board: (..., 4, 4) uint8, 0 for empty and k for the tile 2**k.

    Raises TypeError and ValueError for arrays as the module says.

    >>> import array, bitboard
    >>> bitboard.exponents_many(array.array("Q", [0x0123_4567_89ab_cdef])).tolist()
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    """
    boards, seen = check.boards(boards)
    out, target = buffers.result(out, boards, seen, "uint8", tail=(4, 4))
    kernels.exponents_many(buffers.flat(seen), buffers.flat(target, "uint8"))
    return out


def exponents(board: SupportsIndex) -> Any:
    """The cells of one board: (4, 4) uint8, 0 for empty and k for the tile 2**k. A new array of numpy, which it needs.

    Raises TypeError and OverflowError for the board.

    >>> import bitboard
    >>> bitboard.exponents(0x0123_4567_89ab_cdef).tolist()
    [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15]]
    """
    return buffers.as_numpy(exponents_many([check.word(board)])).reshape(4, 4)


def one_hot(board: SupportsIndex, dtype: Any = None) -> Any:
    """One board as 16 planes: (16, 4, 4), as one_hot_many() makes them. A new array of numpy, which it needs.

    Raises TypeError and OverflowError for the board, ValueError for the dtype.

    >>> import bitboard
    >>> bitboard.one_hot(0x1000_0000_0000_0002, dtype="float32")[1, 0].tolist()
    [1.0, 0.0, 0.0, 0.0]
    """
    return buffers.as_numpy(one_hot_many([check.word(board)], dtype=dtype)).reshape(16, 4, 4)


def one_hot_many(boards: Any, out: Any = None, dtype: Any = None) -> Any:
    """Every board as 16 planes: (..., 16, 4, 4), plane k is 1 where the exponent is k (plane 0: empty).

    dtype: "uint8" or "float32", also as numpy spells them; that of `out` if it is given, else uint8.
    Raises TypeError and ValueError for arrays as the module says, ValueError for the dtype.

    >>> import array, bitboard
    >>> planes = bitboard.one_hot_many(array.array("Q", [0x1000_0000_0000_0002]))
    >>> planes[16:32].tolist(), planes[32:48].tolist()
    ([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
    """
    boards, seen = check.boards(boards)
    kind = _kind(out, dtype)
    out, target = buffers.result(out, boards, seen, kind, tail=(16, 4, 4))
    kernels.one_hot_many(buffers.flat(seen), buffers.flat(target, kind))
    return out


def _kind(out: Any, dtype: Any) -> str:
    """The item type of a one-hot encoding."""
    if dtype is None:
        try:
            return "float32" if out is not None and memoryview(out).itemsize == 4 else "uint8"
        except (TypeError, BufferError, ValueError):
            return "uint8"  # and buffers.result() says what is wrong
    name = dtype if isinstance(dtype, str) else getattr(dtype, "name", getattr(dtype, "__name__", None))
    if name not in ONE_HOT:
        raise ValueError(f"dtype must be one of {', '.join(ONE_HOT)}; got {checks.shown(dtype)}")
    return str(name)


def symmetries_many(boards: Any, out: Any = None) -> Any:
    """The eight symmetric images of every board: (..., 8) uint64, in the order of symmetries().

    Raises TypeError and ValueError for arrays as the module says.

    >>> import array, bitboard
    >>> [f"{image:016x}" for image in bitboard.symmetries_many(array.array("Q", [0x1200 << 48]))[:3]]
    ['1200000000000000', '0001000200000000', '0000000000000021']
    """
    boards, seen = check.boards(boards)
    out, target = buffers.result(out, boards, seen, tail=(8,))
    kernels.symmetries_many(buffers.flat(seen), buffers.flat(target))
    return out
