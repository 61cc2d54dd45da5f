"""What a slide lost against the best one, and the mark for it."""

from __future__ import annotations

from collections.abc import Sequence


def judge(values: Sequence[float], direction: int) -> tuple[float, str]:
    """(loss, mark) of a slide on a board whose directions have these values, nan where illegal.

    The mark is "?" where the slide lost more than a thousandth of the best value, "??" more than a hundredth, else "".

    >>> judge([float("nan"), 100.0, 99.5, 90.0], 2), judge([100.0, 90.0, 90.0, 90.0], 3)
    ((0.5, '?'), (10.0, '??'))
    """
    top = max(value for value in values if value == value)
    loss = top - values[direction]
    share = loss / abs(top) if top else float(loss > 0)
    return loss, "??" if share > 0.01 else "?" if share > 0.001 else ""
