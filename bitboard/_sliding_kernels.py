"""Tables, searches and databases of sliding puzzles in the chosen backend: `kernels` is _sliding_c or _sliding_py."""

from __future__ import annotations

from ._backend import BACKEND

TYPE_CHECKING = False
if TYPE_CHECKING or BACKEND == "python":
    from . import _sliding_py as kernels
else:
    from . import _sliding_c as kernels

__all__ = ["kernels"]
