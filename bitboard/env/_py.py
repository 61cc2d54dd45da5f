"""The environments' loop in pure Python: the same name as _env_c."""

from __future__ import annotations

from ..core import _py

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MASKS = tuple([legal >> d & 1 for d in range(4)] for legal in range(16))


def look(boards: Any, legal: Any, masks: Any, max_tiles: Any) -> None:
    """Write the action masks and the largest tiles of boards and their legal directions."""
    masks[:] = [_MASKS[mask] for mask in legal]
    max_tiles[:] = [1 << _py.max_exponent(board) & -2 for board in boards.tolist()]
