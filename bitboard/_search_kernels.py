"""The expectimax of the chosen backend: `kernels` is _search_c or _search_py."""

from __future__ import annotations

from ._backend import BACKEND

TYPE_CHECKING = False
if TYPE_CHECKING or BACKEND == "python":
    from . import _search_py as kernels
else:
    from . import _search_c as kernels

__all__ = ["kernels"]
