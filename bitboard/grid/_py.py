"""Boards of any size in pure Python: the same functions as _grid_c, the same search as csrc/grid.c.

A position is its rows as bytes of exponents, in one string (`flat`) where a whole is handier.
Rows repeat, so a slide of a row is looked up; bytes count and join at the speed of C.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

UP, RIGHT, DOWN, LEFT = range(4)
VERTICAL, HORIZONTAL = 1 << UP | 1 << DOWN, 1 << RIGHT | 1 << LEFT

ROWS_KEPT = 100_000  # rows and positions are forgotten when there are as many
POSITIONS_KEPT = 300_000
BYTES_KEPT = 150_000_000  # of positions, about
SLICE = 500  # slides between two looks at the limits


def _slide_row(row: bytes, top: int) -> bytes:
    """Slide a row of exponents to the left, as tables/rules.py does."""
    out, waiting = bytearray(), 0
    for tile in row:
        if not tile:
            continue
        if tile == waiting and tile < top:
            out[-1] += 1
            waiting = 0
        else:
            out.append(tile)
            waiting = tile
    return bytes(out).ljust(len(row), b"\0")


class _Rows(dict[bytes, bytes]):
    """Rows and what they become in a slide to the left or to the right, made when first asked for."""

    def __init__(self, top: int, right: bool) -> None:
        self.top, self.right = top, right

    def __missing__(self, row: bytes) -> bytes:
        if len(self) >= ROWS_KEPT:
            self.clear()
        slid = _slide_row(row[::-1], self.top)[::-1] if self.right else _slide_row(row, self.top)
        self[row] = slid
        return slid


def _turned(rows: list[bytes]) -> list[bytes]:
    """Rows become columns."""
    flat, width = b"".join(rows), len(rows[0])
    return [flat[c::width] for c in range(width)]


def slide(cells: bytes, height: int, width: int, direction: int, top: int) -> tuple[bytes, int]:
    """Slide exponents in reading order; tiles of exponent `top` do not merge: (cells, reward)."""
    rows = [cells[start : start + width] for start in range(0, height * width, width)]
    turned = direction in (UP, DOWN)
    if turned:
        rows = _turned(rows)
    away = direction in (RIGHT, DOWN)
    slid = [_slide_row(row[::-1], top)[::-1] if away else _slide_row(row, top) for row in rows]
    after = b"".join(_turned(slid) if turned else slid)
    # A merge of two tiles k adds (k + 1) 2**(k + 1) - 2 k 2**k = 2**(k + 1) to this sum: what it earns.
    reward = sum(k << k for k in after) - sum(k << k for k in cells)
    return after, reward


class _Place:
    """A position of the search; `sides` are its rows and its columns, each made when first needed."""

    __slots__ = ("direction", "left", "sides")

    def __init__(self, rows: list[bytes] | None, columns: list[bytes] | None) -> None:
        self.sides = [rows, columns]
        self.left: list[int] = []  # the directions that are still to be tried
        self.direction = 0

    def side(self, columns: bool) -> list[bytes]:
        found = self.sides[columns]
        if found is None:
            found = self.sides[columns] = _turned(self.sides[not columns])  # type: ignore[arg-type]
        return found


def _first(axes: int) -> int:
    """The first direction of a mask of axes, in the order U R D L."""
    return UP if axes & VERTICAL else RIGHT


def _merges(rows: list[bytes], exponent: int) -> int:
    """How many pairs of an exponent a slide of the rows merges."""
    return b"\xff".join(rows).translate(None, b"\0").count(bytes((exponent, exponent)))


def _open_axes(place: _Place, target: int, left: int, top: int) -> int:
    """The axes, as a mask of directions, along which the mass of the tiles can still reach the target."""
    flat = b"".join(place.sides[0] or place.sides[1] or ())
    lowest, need = target - left, 1
    for exponent in range(target - 1, max(lowest, 0), -1):
        have = flat.count(exponent)
        if have >= 2 * need:
            return VERTICAL | HORIZONTAL
        need = 2 * need - have
        if 2 * need > len(flat):
            return 0
    if lowest <= 0 or lowest >= top or flat.count(lowest) < 2 * need:
        return 0
    return (VERTICAL if _merges(place.side(True), lowest) >= need else 0) | (
        HORIZONTAL if _merges(place.side(False), lowest) >= need else 0
    )


# A symmetry: compare the rows with the rows or the columns, with the rows, the columns or both in
# the opposite order; and where it takes U R D L.
_SYMMETRIES = (
    (False, False, True, (UP, LEFT, DOWN, RIGHT)),
    (False, True, False, (DOWN, RIGHT, UP, LEFT)),
    (False, True, True, (DOWN, LEFT, UP, RIGHT)),
    (True, False, False, (LEFT, DOWN, RIGHT, UP)),
    (True, True, True, (RIGHT, UP, LEFT, DOWN)),
    (True, False, True, (RIGHT, DOWN, LEFT, UP)),
    (True, True, False, (LEFT, UP, RIGHT, DOWN)),
)


def _images(place: _Place) -> int:
    """The directions that a symmetry of the position takes to one before them in the order U R D L."""
    rows, columns = place.side(False), place.side(True)
    spare = 0
    for turned, upside_down, backwards, image in _SYMMETRIES if len(rows) == len(columns) else _SYMMETRIES[:3]:
        other = columns if turned else rows
        if upside_down:
            other = other[::-1]
        if backwards:
            other = [row[::-1] for row in other]
        if rows == other:
            spare |= sum(1 << d for d in range(4) if image[d] < d)
    return spare


def search(
    cells: bytes, height: int, width: int, slides: int, top: int, max_nodes: int | None, expired: Callable[[], bool]
) -> tuple[int, list[int], int, bool]:
    """The largest exponent within some slides: (exponent, directions, nodes, whether it is proven).

    The proofs of what is cut are in csrc/grid.c.
    """
    tables = _Rows(top, False), _Rows(top, True)
    seen: dict[bytes, int] = {}
    start = _Place([cells[i : i + width] for i in range(0, height * width, width)], None)
    best, nodes = max(cells), 0
    path: list[int] = []
    target = best + 1

    def slid(place: _Place, direction: int) -> _Place:
        """The position after a slide."""
        columns = direction in (UP, DOWN)
        table = tables[direction in (RIGHT, DOWN)]
        after = [table[row] for row in place.side(columns)]
        return _Place(None, after) if columns else _Place(after, None)

    def arrive(place: _Place, left: int, still: int) -> list[int]:
        """Set the directions to try; the last one or two slides if they reach the target."""
        axes = _open_axes(place, target, left, top)
        place.left = []
        if left == 1:
            return [_first(axes)] if axes else []
        axes &= ~still
        if not axes:
            return []
        flat = b"".join(place.side(False))
        if seen.get(flat, 0) >= left:
            return []
        if len(seen) >= min(POSITIONS_KEPT, BYTES_KEPT // (len(flat) + 100)):
            seen.clear()
        seen[flat] = left
        if left == 2:
            for direction in range(4):
                if axes >> direction & 1 and (last := _open_axes(slid(place, direction), target, 1, top)):
                    return [direction, _first(last)]
            return []
        axes &= ~_images(place)
        place.left = [d for d in (LEFT, DOWN, RIGHT, UP) if axes >> d & 1]
        return []

    for within in range(1, slides + 1):
        if target > top:
            break
        trail = [start]
        last = arrive(start, within, 0)
        while not last and trail:
            place = trail[-1]
            if not place.left:
                trail.pop()
                continue
            if nodes == max_nodes or (nodes and nodes % SLICE == 0 and expired()):
                return best, path, nodes, False
            place.direction = direction = place.left.pop()
            child = slid(place, direction)
            columns = direction in (UP, DOWN)
            before, after = place.side(columns), child.side(columns)
            if after == before:
                continue
            nodes += 1
            merged = b"".join(after).count(0) > b"".join(before).count(0)
            trail.append(child)
            last = arrive(child, within - len(trail) + 1, 0 if merged else VERTICAL if columns else HORIZONTAL)
        if last:
            path = [place.direction for place in trail[:-1]] + last
            best, target = target, target + 1
    return best, path, nodes, True
