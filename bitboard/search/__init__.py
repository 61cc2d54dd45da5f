"""Expectimax search and the row tables that it searches over."""

from __future__ import annotations

from .expectimax import Expectimax
from .row_tables import RowTable

__all__ = ["Expectimax", "RowTable"]
