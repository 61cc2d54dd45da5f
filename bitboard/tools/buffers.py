"""Arrays from outside: what is accepted, and the messages for what is not.

An array is any object with the buffer protocol (array.array, memoryview, numpy.ndarray ...)
that is C-contiguous and holds native integers or floats of the wanted kind.
"""

from __future__ import annotations

import sys
from array import array
from math import prod

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

# The typecodes of what is handed out. C has two integers of 64 bits, `long` where that has them and `long long`, and
# numpy a type for each: np.uint64 is the first, and torch refuses the other one.
_LONG = array("L").itemsize == 8
UINT64, INT64 = ("L", "l") if _LONG else ("Q", "q")

# kind of item: (its array typecode, the buffer formats that mean the same, bytes, what people call it)
_KINDS = {
    "uint64": (UINT64, ("Q", "L"), 8, "unsigned 64-bit integers"),
    "int64": (INT64, ("q", "l"), 8, "signed 64-bit integers"),
    "int32": ("i", ("i", "l"), 4, "signed 32-bit integers"),
    "uint32": ("I", ("I", "L"), 4, "unsigned 32-bit integers"),
    "uint8": ("B", ("B",), 1, "unsigned 8-bit integers"),
    "mask": ("B", ("?", "B"), 1, "booleans, or bytes 0 and 1"),
    "float32": ("f", ("f",), 4, "32-bit floats"),
    "float64": ("d", ("d",), 8, "64-bit floats"),
}


def view(
    buffer: Any,
    name: str,
    kind: str = "uint64",
    *,
    like: memoryview | None = None,
    shape: tuple[int, ...] | None = None,
    out: bool = False,
    signed: bool = False,
) -> Any:
    """A memoryview of an argument that must be an array of a kind.

    like, shape: the shape that it must have; out: it must be writable; signed: signed items of the size of a kind of
    unsigned ones will do, for their bits. Raises TypeError for what is
    no buffer or holds other items, ValueError for strides, another shape or a read-only `out`.
    """
    try:
        seen = memoryview(buffer)
    except (TypeError, BufferError, ValueError):
        raise TypeError(
            f"{name} must be a C-contiguous buffer of {_KINDS[kind][3]} (array, memoryview, numpy), "
            f"not {type(buffer).__name__}"
        ) from None
    try:
        _check_view(seen, name, kind, shape if like is None else like.shape, out, signed)
    except BaseException:
        seen.release()  # or the traceback would keep the caller's array locked
        raise
    return seen


def _check_view(seen: memoryview, name: str, kind: str, shape: tuple[int, ...] | None, out: bool, signed: bool) -> None:
    """Raise if a view is not of a kind and shape."""
    _, formats, size, people = _KINDS[kind]
    form = seen.format.lstrip("@=<" if sys.byteorder == "little" else "@=>!")
    if (form.upper() if signed else form) not in formats or seen.itemsize != size:
        raise TypeError(f"{name} must hold {people}, not items of format {seen.format!r} ({seen.itemsize} bytes)")
    if seen.ndim == 0:
        raise ValueError(f"{name} must have at least one dimension")
    if not seen.c_contiguous:
        raise ValueError(f"{name} must be C-contiguous, got strides {seen.strides} for shape {seen.shape}")
    if shape is not None and seen.shape != shape:
        raise ValueError(f"{name} must have the shape {shape}, got {seen.shape}")
    if out and seen.readonly:
        raise ValueError(f"{name} must be writable, and this buffer is read-only")


def flat(seen: memoryview, kind: str = "uint64") -> memoryview:
    """The items of a C-contiguous view in one dimension, in the array typecode of their kind."""
    typecode = _KINDS[kind][0]
    if seen.nbytes == 0:
        return memoryview(array(typecode))
    return seen.cast("B").cast(typecode)  # type: ignore[call-overload,no-any-return]


def release(views: Iterable[memoryview | None]) -> None:
    """Let go of views after an error, or its traceback would keep the caller's arrays locked."""
    for seen in views:
        if seen is not None:
            seen.release()


def is_numpy(buffer: Any) -> bool:
    """Whether an argument is a numpy array, found out without importing numpy."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(buffer, numpy.ndarray)


def as_numpy(given: Any) -> Any:
    """The numpy array that an object with __array__, such as a tensor of torch, says it is."""
    import numpy

    return numpy.asarray(given)


def empty(shape: tuple[int, ...], kind: str, numpy: bool) -> Any:
    """A new array of zeros: numpy of that shape if wanted, else a flat array.array."""
    if numpy:
        return sys.modules["numpy"].zeros(shape, kind)
    typecode, _, size, _ = _KINDS[kind]
    return array(typecode, bytes(size)) * prod(shape)


def little_endian(items: Any) -> bytes:
    """The bytes of a native memoryview in little-endian order, as pickles have them; given these, in native order."""
    data: bytes = items.tobytes()
    if sys.byteorder == "little":
        return data
    swapped = array({1: "B", 2: "H", 4: "I", 8: "Q"}[items.itemsize], data)
    swapped.byteswap()
    return swapped.tobytes()


def result(
    out: Any, boards: Any, seen: memoryview, kind: str = "uint64", *, tail: tuple[int, ...] = (), name: str = "out"
) -> tuple[Any, memoryview]:
    """Where the results for `boards` go: (the object to return, its checked view).

    `out` if given; else a new array of the shape of `boards`, numpy if that is numpy. tail: the
    shape of one board's result; then `out` may have the whole shape or be flat.
    """
    shape = (seen.shape or ()) + tail
    if out is None:
        out = empty(shape, kind, is_numpy(boards))
        return out, memoryview(out)
    try:
        target = view(out, name, kind, out=True)
        if target.shape != shape and not (tail and target.ndim == 1 and len(target) == prod(shape)):
            message = f"{name} must have the shape {shape}, got {target.shape}"
            target.release()
            raise ValueError(message)
    except BaseException:
        seen.release()
        raise
    return out, target
