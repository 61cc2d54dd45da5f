"""Games on a terminal, drawn with rich: the board, and beside or below it what is to be said."""

from __future__ import annotations

import sys
from math import isfinite, isnan
from shutil import get_terminal_size
from textwrap import fill

from ..core import check
from ..tools import extras, palette
from ..tools.words import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from rich.console import Console
    from rich.text import Text

    from ..games.picture import Position

_PANEL = 34  # columns beside the board
_BAR = 12


def plain() -> bool:
    """Whether stdout is not a terminal that can be drawn on: a pipe, a file, TERM=dumb."""
    import os

    return not sys.stdout.isatty() or os.environ.get("TERM", "") in ("dumb", "unknown")


def console() -> Console:
    """The terminal. ImportError says what to install."""
    try:
        from rich.console import Console
    except ImportError:
        raise ImportError(f"drawing on a terminal needs rich: {extras.hint('cli')}") from None
    return Console(highlight=False, soft_wrap=False)


def draw(
    on: Console,
    position: Position,
    facts: Iterable[tuple[str, str]],
    values: Sequence[float] | None = None,
    chosen: int | None = None,
    keys: str = "",
    message: str = "",
) -> Text:
    """A screen: the board, facts by name, the value of each direction, a message and the keys.

    What does not fit is left out, the values first, then the facts; a board that does not fit is replaced by a note.
    """
    from rich.text import Text

    cell = _cell_width(on, position)
    width = position.columns * (cell + 1) + 1
    columns, rows = max(1, on.width - 1), max(1, on.height - 1)  # the last ones make some terminals scroll
    beside = on.width >= width + _PANEL + 4
    indent = "  " * beside
    foot = _wrapped(message.split(" "), " ", columns, indent, "bold")
    foot += _wrapped(keys.split("   "), "   ", columns, indent, "dim")
    extra: list[Text] = []
    if not beside:
        extra = _wrapped([f"{name} {value}" for name, value in facts], "  ", columns, "", "")
        if values is not None:
            extra += _wrapped(_values_in_words(values, chosen), "  ", columns, "", "")
    board = _board_lines(on, position, cell, rows - len(foot) - len(extra))
    if width > columns or len(board) > rows:
        least = position.columns * (len(str(2 ** max(position.exponents))) + 1) + 2, position.rows + 3
        note = f"terminal too small: it has {counted(on.width, 'column')} and {counted(on.height, 'row')}, "
        note += f"this board needs {least[0]} and {least[1]}"
        lines = _wrapped(note.split(" "), " ", columns, "", "bold") + foot
    else:
        above = _beside(on, board, facts, values, chosen) if beside else board
        foot = foot[: rows - len(board)]
        lines = (above + extra)[: rows - len(foot)] + foot
    screen = Text("\n", no_wrap=True, overflow="crop").join(lines[:rows])
    screen.no_wrap, screen.overflow = True, "crop"
    return screen


def _beside(
    on: Console,
    board: list[Text],
    facts: Iterable[tuple[str, str]],
    values: Sequence[float] | None,
    chosen: int | None,
) -> list[Text]:
    """The lines of a board with what is to be said beside it."""
    from rich.text import Text

    panel = [Text(""), *[Text.assemble((f"{name:<9}", "bold"), f"{value:>20}") for name, value in facts]]
    if values is not None:
        panel += [Text(""), *_value_lines(on, values, chosen)]
    lines = []
    for i in range(max(len(board), len(panel))):
        left = board[i] if i < len(board) else Text(" " * board[0].cell_len)
        lines.append(Text.assemble("  ", left, "  ", panel[i] if i < len(panel) else ""))
    for line in lines:
        line.truncate(max(1, on.width - 1))
    return lines


def _wrapped(parts: Iterable[str | Text], between: str, width: int, indent: str, style: str) -> list[Text]:
    """Parts on as many lines as they need, none of them broken unless it is wider than a line."""
    from rich.text import Text

    lines: list[Text] = []
    for part in parts:
        text = Text(part, style) if isinstance(part, str) else part
        if not text:
            continue
        if lines and lines[-1].cell_len + len(between) + text.cell_len <= width:
            lines[-1] = Text.assemble(lines[-1], between, text)
        else:
            lines.append(Text.assemble(indent, text))
    for line in lines:
        line.truncate(width)
    return lines


def _unicode(on: Console) -> bool:
    return on.encoding.lower().startswith("utf")


def _cell_width(on: Console, position: Position) -> int:
    """The columns of a cell: the most that fit, at least those of the largest number."""
    digits = len(str(2 ** max(position.exponents)))
    wide = max(7, digits + 2)
    return next((w for w in (wide, digits + 2) if position.columns * (w + 1) + 2 <= on.width), digits)


def _board_lines(on: Console, position: Position, width: int, most: int) -> list[Text]:
    """The board with cells of a width, on at most so many lines if it can be."""
    from rich.text import Text

    rows, columns = position.rows, position.columns
    height = next((h for h in (3, 1) if rows * (h + 1) + 1 <= most), 1)
    ruled = rows * (height + 1) + 1 <= most
    # Sixteen colours cannot be relied upon to look like anything.
    colour = on.color_system not in (None, "standard") and not on.no_color
    line, cross = ("─", "┌┬┐├┼┤└┴┘│") if _unicode(on) else ("-", "+++++++++|")
    rich_colours = on.color_system in ("truecolor", "windows")
    style = ""
    if colour:
        style = f"{palette.BOARD_AT_NIGHT} on {palette.BOARD}"
        if not rich_colours:
            style = f"color({palette.LINES_256}) on color({palette.BOARD_256})"

    def rule(left: str, middle: str, right: str) -> Text:
        return Text(left + middle.join([line * width] * columns) + right, style)

    lines = [rule(*cross[:3])]
    for r in range(rows):
        if r and ruled:
            lines.append(rule(*cross[3:6]))
        for part in range(height):
            text = Text()
            for c in range(columns):
                text.append(cross[9], style)
                cell = r * columns + c
                exponent = position.exponents[cell]
                face = _face(position, cell, colour, width) if part == height // 2 else ""
                text.append(face.center(width), _style(exponent, colour, rich_colours))
            text.append(cross[9], style)
            lines.append(text)
    lines.append(rule(*cross[6:9]))
    return lines


def _style(exponent: int, colour: bool, rich_colours: bool) -> str:
    """The style of a cell, in words of rich."""
    if not colour:
        return "bold" if exponent else ""
    if not exponent:
        return f"on {palette.EMPTY}" if rich_colours else f"on color({palette.EMPTY_256})"
    text = palette.text(exponent)
    return f"bold {text} on {palette.tile(exponent) if rich_colours else f'color({palette.tile_256(exponent)})'}"


def _face(position: Position, cell: int, colour: bool, width: int) -> str:
    """The number of a cell: (2) where it spawned; without colour also [8] where a merge made it."""
    exponent = position.exponents[cell]
    if not exponent:
        return "" if colour else "."
    face = str(2**exponent)
    if len(face) + 2 > width:
        return face
    if cell == position.spawned:
        return f"({face})"
    return f"[{face}]" if cell in position.merged and not colour else face


def _value_lines(on: Console, values: Sequence[float], chosen: int | None) -> list[Text]:
    """A line with a bar for each direction."""
    from rich.text import Text

    finite = [value for value in values if isfinite(value)]
    low, high = (min(finite), max(finite)) if finite else (0.0, 0.0)
    lines = []
    for direction, value in enumerate(values):
        mark = (">" if not _unicode(on) else "▶") if direction == chosen else " "
        text = Text(f"{mark} {check.DIRECTION_NAMES[direction]:<6}", "bold" if direction == chosen else "")
        if not isfinite(value):
            text.append("illegal" if isnan(value) else number(value), "dim")
        else:
            share = (value - low) / (high - low) if high > low else 1.0
            bar = ("█" if _unicode(on) else "#") * (1 + round((_BAR - 1) * share))
            text.append(f"{bar:<{_BAR}} ", "green" if direction == chosen else "cyan")
            text.append(number(value))
        lines.append(text)
    return lines


def _values_in_words(values: Sequence[float], chosen: int | None) -> list[Text]:
    from rich.text import Text

    return [
        Text(f"{name} {'-' if isnan(value) else number(value)}", "bold" if direction == chosen else "")
        for direction, (name, value) in enumerate(zip(check.DIRECTION_NAMES, values, strict=True))
    ]


def number(value: float) -> str:
    """A value in at most about ten characters."""
    return f"{value:,.1f}" if abs(value) < 1e7 else f"{value:.3e}"


def print_result(game: Any) -> None:
    """Print how a game stands: a line, or several in a terminal that is narrower, broken between the words."""
    state = "game over" if game.over else "not over"
    moves = counted(game.moves, "move")
    line = f"{state}: score {game.score:,}, largest tile {game.largest:,}, {moves}, seed {game.seed}"
    if sys.stdout.isatty():
        line = fill(line, get_terminal_size().columns, break_long_words=False, break_on_hyphens=False)
    print(line)
