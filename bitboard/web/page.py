"""What a browser gets: the files of the page, the colours of the tiles, and a game as one HTML file."""

from __future__ import annotations

import json
from html import escape
from importlib.resources import files

from ..tools import palette
from ..tools.words import counted
from .boards import game_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..games.base import GameBase

_TYPES = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
# path -> file of the folder static; nothing else is served
_FILES = {
    "/": "index.html",
    **{
        f"/{name}": name
        for name in (
            *("page.css", "icon.svg", "rules.js", "board.js", "replay.js"),
            *("common.js", "play.js", "review.js", "page.js"),
        )
    },
}


def static(name: str) -> str:
    """The text of a file of the page."""
    return files(__package__).joinpath("static").joinpath(name).read_text(encoding="utf-8")


def tiles_css() -> str:
    """The colours of the tiles as CSS, classes t1 to t62 by exponent."""
    rules = [f".t{k}{{background:{palette.tile(k)};color:{palette.text(k)}}}" for k in range(1, 63)]
    return "\n".join(rules) + "\n"


def resources() -> dict[str, tuple[str, bytes]]:
    """path -> (media type, content) of everything that the page loads."""
    found = {
        path: (f"{_TYPES[name.rpartition('.')[2]]}; charset=utf-8", static(name).encode())
        for path, name in _FILES.items()
    }
    found["/tiles.css"] = ("text/css; charset=utf-8", tiles_css().encode())
    return found


def replay(game: GameBase) -> str:
    """One HTML file that plays a game by itself, without a server or a network."""
    from ..games.text import write

    # In a script element only `<` can end it or open a comment.
    data = json.dumps({"game": game_json(game), "record": write(game)}).replace("<", "\\u003c")
    title = f"2048: {counted(game.moves, 'move')}, {counted(game.score, 'point')}"
    scripts = "\n".join([static(name) for name in ("rules.js", "board.js", "replay.js")])
    return (
        static("replay.html")
        .replace("{{title}}", escape(title))
        .replace("{{style}}", static("page.css") + tiles_css())
        .replace("{{scripts}}", scripts)
        .replace("{{data}}", data)
    )
