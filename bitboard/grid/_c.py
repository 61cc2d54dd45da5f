"""Boards of any size in the C core. Every argument has been checked by the caller."""

from __future__ import annotations

from ..core.ffi import CPU, ffi, lib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

SLICE = 20_000  # slides between two looks at the limits and at signals: about 20 ms


def slide(cells: bytes, height: int, width: int, direction: int, top: int) -> tuple[bytes, int]:
    """Slide exponents in reading order; tiles of exponent `top` do not merge: (cells, reward)."""
    out = bytearray(len(cells))
    reward = ffi.new("int64_t[2]")
    lib.bb_grid_slide(CPU, cells, ffi.from_buffer("uint8_t[]", out), height, width, direction, top, reward)
    return bytes(out), reward[0] + (reward[1] << 32)


def search(
    cells: bytes, height: int, width: int, slides: int, top: int, max_nodes: int | None, expired: Callable[[], bool]
) -> tuple[int, list[int], int, bool]:
    """The largest exponent within some slides: (exponent, directions, nodes, whether it is proven)."""
    search = lib.bb_grid_search_new(CPU, cells, height, width, slides, top)
    if search == ffi.NULL:
        raise MemoryError("no memory for the search")
    try:
        done, nodes = 0, 0
        while not done and (max_nodes is None or nodes < max_nodes) and not (nodes and expired()):
            done = lib.bb_grid_search_run(search, SLICE if max_nodes is None else min(SLICE, max_nodes - nodes))
            nodes = lib.bb_grid_search_nodes(search)
        path = [lib.bb_grid_search_direction(search, i) for i in range(lib.bb_grid_search_length(search))]
        return lib.bb_grid_search_best(search), path, nodes, bool(done)
    finally:
        lib.bb_grid_search_free(search)
