"""Arguments that are not what they should be: one place for the checks and the messages."""

from __future__ import annotations

from math import nan
from operator import index

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, SupportsIndex


def shown(value: object) -> str:
    """A value for a message: its repr, cut short; str() of an integer of thousands of digits is an error."""
    try:
        text = repr(value)
    except ValueError:
        return "one of thousands of digits"
    return text if len(text) <= 80 else f"{text[:60]}... ({len(text)} characters)"


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


def number(value: Any, name: str, low: float, high: float) -> float:
    """The float of an argument that must lie in low .. high; TypeError or ValueError if it does not."""
    if not hasattr(value, "__float__"):
        raise TypeError(f"{name} must be a number, not {type(value).__name__}")
    try:
        real = float(value)
    except OverflowError:  # an integer of hundreds of digits
        real = nan
    if not low <= real <= high:
        raise ValueError(f"{name} must be a number from {low:g} to {high:g}, got {shown(value)}")
    return real
