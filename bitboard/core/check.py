"""Boards and directions that are not what they should be: the checks and the messages."""

from _operator import index  # operator itself is 0.2 ms of Python around it

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, SupportsIndex
else:
    SupportsIndex = int

WORD = 2**64 - 1

# For who means the keys: of these D alone is a direction, and another one.
KEYS_ARE_NO_DIRECTIONS = " (of the keys W A S D, which are no directions: they would be U L D R, and D is down)"
DIRECTION_NAMES = ("up", "right", "down", "left")
_DIRECTION_OF = {spelling: direction for direction, name in enumerate(DIRECTION_NAMES) for spelling in (name, name[0])}


def word(value: SupportsIndex, name: str = "board") -> int:
    """The int of an argument that must be an integer from 0 to 2**64 - 1, such as a board."""
    try:
        integer = index(value)
    except TypeError:
        raise TypeError(f"{name} must be an integer from 0 to 2**64 - 1, not {type(value).__name__}") from None
    if not 0 <= integer <= WORD:
        from ..tools.checks import shown

        raise OverflowError(f"{name} must be an integer from 0 to 2**64 - 1, got {shown(integer)}")
    return integer


def boards(given: "Any", name: str = "boards", shape: "tuple[int, ...] | None" = None) -> "tuple[Any, memoryview]":
    """An argument that holds boards or other words, in any form: (an array of them, a view of it of 64-bit items).

    given: a C-contiguous buffer of 64-bit integers, signed ones standing for their bits (torch has hardly others); a
    list or tuple of ints; or what numpy makes an array of, such as a tensor. The array is `given` itself where that is
    a buffer. shape: the shape that it must have.
    Raises TypeError, ValueError and OverflowError.
    """
    from ..tools import buffers

    if isinstance(given, (list, tuple)):
        from array import array

        given = array(buffers.UINT64, [word(item, f"{name}[{i}]") for i, item in enumerate(given)])
    elif hasattr(given, "__array__") and not buffers.is_numpy(given):
        given = buffers.as_numpy(given)
    return given, buffers.view(given, name, shape=shape, signed=True)


def direction(value: object) -> int:
    """0 to 3 for a direction in any of its spellings: 0..3, "U" "R" "D" "L", "up" ...; else ValueError."""
    if isinstance(value, str):
        found = _DIRECTION_OF.get(value.lower())
        if found is not None:
            return found
    else:
        try:
            number = index(value)  # type: ignore[arg-type]
        except TypeError:
            number = -1
        if 0 <= number <= 3:
            return number
    from ..tools.checks import shown

    key = isinstance(value, str) and value.lower() in ("w", "a", "s")
    raise ValueError(
        f"direction must be 0 to 3, one of U R D L, or up, right, down, left; got {shown(value)}"
        + (KEYS_ARE_NO_DIRECTIONS if key else "")
    )
