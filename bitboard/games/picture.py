"""Pictures of boards and games: SVG, animated SVG, and with Pillow (the extra [images]) PNG and GIF.

The last move is marked: a dashed blue frame around the tile that spawned, a red frame around tiles made by a merge.
The SVG needs nothing, follows the dark mode of its viewer, and its numbers can be read on every tile.

A subject is a packed board (int), a grid of face values (rows of rows), or a game (bitboard.Game, bitboard.grid.Game).
"""

from __future__ import annotations

from os import PathLike
from typing import Any, NamedTuple, SupportsIndex
from zlib import crc32

from ..core import check
from ..grid.slides import cells_of
from ..tools import checks, extras, palette

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .base import GameBase
else:
    GameBase = Any  # found by typing.get_type_hints()

__all__ = ["animated_svg", "gif", "merged_cells", "png", "svg"]

CELL, GAP = 100, 12  # in the units of the SVG
LINE = 7  # digits of a number that stand on one line
_FONT = "Helvetica Neue,Helvetica,Arial,sans-serif"


class Position(NamedTuple):
    """What a picture shows."""

    rows: int
    columns: int
    exponents: list[int]
    spawned: int | None  # a cell
    merged: list[int]  # cells
    caption: str


def svg(subject: Any, move: SupportsIndex | None = None, *, size: SupportsIndex = 320) -> str:
    """A picture as SVG text.

    subject: as the module says. move: of a game, the position after so many slides (default: the last).
    size: the width in pixels. Raises ValueError for a bad board or grid, a move that was not made, and
    TypeError for what is not a board.

    >>> picture = svg(0x1200_0000_0000_000b)
    >>> picture[:4], picture.count("<rect"), "2048" in picture
    ('<svg', 17, True)
    """
    position = position_of(subject, move)
    return _document(position, checks.integer(size, "size", 16, 100_000), _cells(position), "")


def animated_svg(game: GameBase, *, seconds: float = 0.25, size: SupportsIndex = 320, last: SupportsIndex = 500) -> str:
    """A game as an SVG that plays by itself, without a script, in browsers and README files.

    seconds: how long each position stays. last: the number of positions, the last ones of a longer game (a
    position takes 1 to 2 KB). Raises TypeError for what is not a game, ValueError for a bad number.
    """
    seconds, frames = checks.number(seconds, "seconds", 0.02, 60), _frames(game, last)
    duration, share = len(frames) * seconds, 100 / len(frames)
    style = (
        f"#ID .bb-f{{opacity:0;animation:ID {duration:.2f}s step-end infinite}}"
        f"@keyframes ID{{0%{{opacity:1}}{share:.4f}%{{opacity:0}}}}"
    )
    parts = []
    for i, position in enumerate(frames):
        parts.append(f'<g class="bb-f" style="animation-delay:{i * seconds:.2f}s">{_cells(position, False)}</g>')
    ground = "".join([_empty(cell, frames[0].columns) for cell in range(frames[0].rows * frames[0].columns)])
    return _document(frames[-1], checks.integer(size, "size", 16, 100_000), ground + "".join(parts), style)


def png(
    subject: Any, path: str | PathLike[str], move: SupportsIndex | None = None, *, size: SupportsIndex = 320
) -> None:
    """Write a picture as PNG; arguments as for svg(). Needs Pillow, the extra `images`."""
    _image(position_of(subject, move), checks.integer(size, "size", 16, 10_000)).save(path, "PNG")


def gif(
    game: GameBase,
    path: str | PathLike[str],
    *,
    seconds: float = 0.25,
    size: SupportsIndex = 320,
    last: SupportsIndex = 500,
) -> None:
    """Write a game as an animated GIF; arguments as for animated_svg(). Needs Pillow."""
    seconds, frames = checks.number(seconds, "seconds", 0.02, 60), _frames(game, last)
    images = [_image(position, checks.integer(size, "size", 16, 10_000)).quantize(64) for position in frames]
    durations = [int(seconds * 1000)] * (len(images) - 1) + [max(2000, int(seconds * 1000))]
    images[0].save(path, "GIF", save_all=True, append_images=images[1:], duration=durations, loop=0, optimize=False)


def merged_cells(rows: int, columns: int, exponents: list[int], direction: int, top: int) -> list[int]:
    """The cells that hold a merged tile after a slide of these exponents; two tiles of `top` do not merge."""
    if direction & 1:
        lines = [range(r * columns, (r + 1) * columns) for r in range(rows)]
    else:
        lines = [range(c, rows * columns, columns) for c in range(columns)]
    merged = []
    for line in lines:
        cells = line[::-1] if direction in (1, 2) else line
        at, waiting = 0, 0
        for tile in [exponents[cell] for cell in cells if exponents[cell]]:
            if tile == waiting and tile != top:
                merged.append(cells[at - 1])
                waiting = 0
            else:
                at, waiting = at + 1, tile
    return merged


def position_of(subject: Any, move: SupportsIndex | None = None) -> Position:
    """What to draw of a subject."""
    if hasattr(subject, "_position"):
        number = subject.moves if move is None else checks.integer(move, "move", 0, subject.moves)
        return subject._position(number)  # type: ignore[no-any-return]
    if move is not None:
        raise ValueError("move is for games; a board has none")
    if hasattr(subject, "__index__"):
        word = check.word(subject)
        return Position(4, 4, [word >> shift & 15 for shift in range(60, -4, -4)], None, [], f"{word:016x}")
    if isinstance(subject, (str, bytes)) or not hasattr(subject, "__iter__"):
        raise TypeError(f"a picture is of a board, a grid or a game, not of {type(subject).__name__}")
    cells, rows, columns = cells_of([list(row) for row in subject])
    return Position(rows, columns, list(cells), None, [], "board")


def _frames(game: Any, last: SupportsIndex) -> list[Position]:
    """The last positions of a game."""
    if not hasattr(game, "_position"):
        raise TypeError(f"game must be a game, not {type(game).__name__}")
    first = max(0, game.moves + 1 - checks.integer(last, "last", 1, 100_000))
    return [position_of(game, move) for move in range(first, game.moves + 1)]


# SVG


def _document(position: Position, size: int, body: str, style: str) -> str:
    """The whole SVG. Every name of its style, also in `style`, stands under ID, which becomes the picture's own.

    So pictures that stand in one page change neither the page nor one another. The ID is a checksum of what is drawn:
    the same picture is the same text, and two of it may share their rules.
    """
    width = position.columns * (CELL + GAP) + GAP
    height = position.rows * (CELL + GAP) + GAP
    rules = (
        f"#ID .bb-b{{fill:{palette.BOARD}}}#ID .bb-e{{fill:{palette.EMPTY}}}"
        f"#ID text{{font:bold 40px {_FONT};text-anchor:middle;dominant-baseline:central}}"
        f"#ID .bb-s{{fill:none;stroke:{palette.SPAWN_MARK};stroke-width:7;stroke-dasharray:14 8}}"
        f"#ID .bb-m{{fill:none;stroke:{palette.MERGE_MARK};stroke-width:7}}"
        "@media (prefers-color-scheme:dark){"
        f"#ID .bb-b{{fill:{palette.BOARD_AT_NIGHT}}}#ID .bb-e{{fill:{palette.EMPTY_AT_NIGHT}}}"
        f"#ID .bb-s{{stroke:{palette.SPAWN_MARK_AT_NIGHT}}}#ID .bb-m{{stroke:{palette.MERGE_MARK_AT_NIGHT}}}}}{style}"
    )
    name = f"bb-{crc32(f'{rules}{position.caption}{body}'.encode()):08x}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" id="{name}" viewBox="0 0 {width} {height}" width="{size}" '
        f'height="{round(size * height / width)}" role="img"><title>{position.caption}</title>'
        f"<style>{rules.replace('ID', name)}</style>"
        f'<rect class="bb-b" width="{width}" height="{height}" rx="14"/>{body}</svg>'
    )


def _corner(cell: int, columns: int) -> tuple[int, int]:
    """The top-left corner of a cell."""
    return GAP + cell % columns * (CELL + GAP), GAP + cell // columns * (CELL + GAP)


def _empty(cell: int, columns: int) -> str:
    x, y = _corner(cell, columns)
    return f'<rect class="bb-e" x="{x}" y="{y}" width="{CELL}" height="{CELL}" rx="8"/>'


def _cells(position: Position, with_empty: bool = True) -> str:
    parts = []
    for cell, exponent in enumerate(position.exponents):
        x, y = _corner(cell, position.columns)
        if not exponent:
            parts.append(_empty(cell, position.columns) if with_empty else "")
            continue
        lines = _lines(exponent)
        size = _font_size(lines)
        fits = "" if len(lines[0]) <= 3 else f' style="font-size:{size}px"'
        face = lines[0]
        if len(lines) > 1:
            first = y + CELL / 2 - (len(lines) - 1) * size / 2
            places = [(first + i * size, line) for i, line in enumerate(lines)]
            face = "".join([f'<tspan x="{x + CELL // 2}" y="{at:g}">{line}</tspan>' for at, line in places])
        parts.append(
            f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" rx="8" fill="{palette.tile(exponent)}"/>'
            f'<text x="{x + CELL // 2}" y="{y + CELL // 2}" fill="{palette.text(exponent)}"{fits}>{face}</text>'
        )
        if cell == position.spawned:
            parts.append(_frame("s", x, y))
        elif cell in position.merged:
            parts.append(_frame("m", x, y))
    return "".join(parts)


def _frame(kind: str, x: int, y: int) -> str:
    return f'<path class="bb-{kind}" d="M{x + 4} {y + 4}h{CELL - 8}v{CELL - 8}h-{CELL - 8}z"/>'


def _lines(exponent: int) -> list[str]:
    """The number of a tile as it stands there: on several lines where the digits of one would be too small to read."""
    face = str(2**exponent)
    length = -(-len(face) // -(-len(face) // LINE))
    return [face[i : i + length] for i in range(0, len(face), length)]


def _font_size(lines: list[str]) -> int:
    """A size at which the number fits into a cell."""
    return min(40, 132 // len(lines[0]))


# Pillow


def _image(position: Position, size: int) -> Any:
    """The picture as an image of Pillow."""
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ImportError:
        raise ImportError(f"PNG and GIF need Pillow: {extras.hint('images')}") from None
    units = position.columns * (CELL + GAP) + GAP
    height = position.rows * (CELL + GAP) + GAP
    scale = size / units
    image = Image.new("RGB", (size, max(1, round(height * scale))), palette.BOARD)
    draw = ImageDraw.Draw(image)
    fonts: dict[int, Any] = {}
    for cell, exponent in enumerate(position.exponents):
        x, y = _corner(cell, position.columns)
        box = [x * scale, y * scale, (x + CELL) * scale, (y + CELL) * scale]
        colour = palette.tile(exponent) if exponent else palette.EMPTY
        draw.rounded_rectangle(box, 8 * scale, colour)
        if not exponent:
            continue
        lines = _lines(exponent)
        points = max(6, int(_font_size(lines) * scale))
        font = fonts.setdefault(points, ImageFont.load_default(points))
        middle = ((x + CELL / 2) * scale, (y + CELL / 2) * scale)
        draw.text(middle, "\n".join(lines), palette.text(exponent), font, "mm", spacing=points // 6, align="center")
        mark = palette.SPAWN_MARK if cell == position.spawned else palette.MERGE_MARK
        if cell == position.spawned or cell in position.merged:
            draw.rounded_rectangle(box, 8 * scale, outline=mark, width=max(1, round(6 * scale)))
    return image
