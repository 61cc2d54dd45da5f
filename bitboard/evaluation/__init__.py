"""Many games by one agent, and the numbers that one may quote."""

from __future__ import annotations

from .results import Evaluation
from .run import evaluate

__all__ = ["Evaluation", "evaluate"]
