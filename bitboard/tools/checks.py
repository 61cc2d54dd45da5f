"""Arguments that are not what they should be: one place for the checks and the messages."""

from __future__ import annotations

from math import inf
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


def _refuse_bool(value: object, name: str, allowed: str) -> None:
    """TypeError for True and False, numpy's too: where a number is asked for they are a mistake."""
    if type(value).__name__ in ("bool", "bool_"):
        raise TypeError(f"{name} must be {allowed}, not bool")


def integer(value: SupportsIndex, name: str, low: int, high: int | None = None) -> int:
    """The int of an argument that must lie in low .. high; TypeError or ValueError if it does not."""
    allowed = f"an integer from {low} to {high}" if high is not None else f"an integer of at least {low}"
    _refuse_bool(value, name, allowed)
    try:
        number = index(value)
    except TypeError:
        raise TypeError(f"{name} must be {allowed}, not {type(value).__name__}") from None
    if number < low or (high is not None and number > high):
        raise ValueError(f"{name} must be {allowed}, got {shown(number)}")
    return number


def number(value: Any, name: str, low: float, high: float | None = None) -> float:
    """The float of an argument that must lie in low .. high; TypeError or ValueError if it does not.

    Without `high` infinity is allowed, and what is too large for a float is infinite.
    """
    limits = f"of at least {plain(low)}" if high is None else f"from {plain(low)} to {plain(high)}"
    allowed = f"a number {limits}"
    _refuse_bool(value, name, allowed)
    wrong = TypeError(f"{name} must be {allowed}, not {type(value).__name__}")
    if isinstance(value, (str, bytes, complex)) or not hasattr(value, "__float__"):  # numpy has them with __float__
        raise wrong
    try:
        real = float(value)
    except OverflowError:  # an integer of hundreds of digits
        real = inf if value > 0 else -inf
    except (TypeError, ValueError):
        raise wrong from None
    if not low <= real <= (inf if high is None else high):
        raise ValueError(f"{name} must be {allowed}, got {shown(value)}")
    return real


def plain(limit: float) -> str:
    """A limit for a message: in digits alone, unless they would be many."""
    return f"{limit:g}" if abs(limit) >= 1e12 else f"{limit:f}".rstrip("0").rstrip(".")
