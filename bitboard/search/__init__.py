"""Expectimax search and the row tables that it searches over."""

from __future__ import annotations

from .expectimax import Expectimax, _rebuilt  # noqa: F401  # pickles of before name it here
from .row_tables import RowTable

__all__ = ["Expectimax", "RowTable"]
