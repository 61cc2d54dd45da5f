"""The loops and searches of the chosen backend: `kernels` is _bulk_c or _bulk_py."""

from __future__ import annotations

from ._backend import BACKEND

TYPE_CHECKING = False
if TYPE_CHECKING or BACKEND == "python":
    from . import _bulk_py as kernels
else:
    try:
        from . import _bulk_c as kernels
    except ImportError as error:
        raise ImportError(f"the C core is incomplete, build it again: {error}") from error

__all__ = ["kernels"]
