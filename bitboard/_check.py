"""Arguments that are not what they should be: one place for the checks and the messages."""

from __future__ import annotations

from operator import index

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import SupportsIndex

WORD = 2**64 - 1

DIRECTION_NAMES = ("up", "right", "down", "left")
_DIRECTION_OF = {spelling: direction for direction, name in enumerate(DIRECTION_NAMES) for spelling in (name, name[0])}


def shown(value: object) -> str:
    """A value for a message: its repr, cut short; str() of an integer of thousands of digits is an error."""
    try:
        text = repr(value)
    except ValueError:
        return "one of thousands of digits"
    return text if len(text) <= 80 else f"{text[:60]}... ({len(text)} characters)"


def word(value: SupportsIndex, name: str = "board") -> int:
    """The int of an argument that must be an integer from 0 to 2**64 - 1, such as a board."""
    try:
        integer = index(value)
    except TypeError:
        raise TypeError(f"{name} must be an integer from 0 to 2**64 - 1, not {type(value).__name__}") from None
    if not 0 <= integer <= WORD:
        raise OverflowError(f"{name} must be an integer from 0 to 2**64 - 1, got {shown(integer)}")
    return integer


def text(value: object, name: str) -> str:
    """An argument that must be a str; TypeError if it is not."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a str, not {type(value).__name__}")
    return value


def integer(value: SupportsIndex, name: str, low: int, high: int | None = None) -> int:
    """The int of an argument that must lie in low .. high; TypeError or ValueError if it does not."""
    allowed = f"an integer from {low} to {high}" if high is not None else f"an integer of at least {low}"
    try:
        number = index(value)
    except TypeError:
        raise TypeError(f"{name} must be {allowed}, not {type(value).__name__}") from None
    if number < low or (high is not None and number > high):
        raise ValueError(f"{name} must be {allowed}, got {shown(number)}")
    return number


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
    raise ValueError(f"direction must be 0 to 3, one of U R D L, or up, right, down, left; got {shown(value)}")
