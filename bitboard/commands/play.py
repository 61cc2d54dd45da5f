"""Play a game yourself in the terminal, with undo and hints.

Keys: arrows, WASD or hjkl slide; u takes a slide back, ? asks an agent for a hint, n starts a new game, q quits.
The game is saved when you leave, by q, Ctrl-C or a closed window, and goes on when you come back. The file holds all
your games, as records that `bitboard replay` shows.

examples:
  bitboard play
  bitboard play --size 5x5 --file five.txt
  bitboard play --new --seed 7 --agent greedy
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from math import isnan

from .. import BACKEND, _check, record
from .._keys import Keyboard
from .._screen import console, draw, number, plain, result_line
from ..agents import name_of
from ..render import position_of
from . import _games

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SLIDES = {
    "up": 0, "w": 0, "k": 0, "right": 1, "d": 1, "l": 1, "down": 2, "s": 2, "j": 2, "left": 3, "a": 3, "h": 3,
}  # fmt: skip
_KEYS = "arrows/WASD/hjkl slide   u undo   ? hint   n new   q quit"
_SAVE_EVERY = 20  # slides, so that little is lost even if the machine stops


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--new", action="store_true", help="start a new game instead of going on with the last one")
    parser.add_argument("--file", metavar="FILE", help=f"where your games are kept (default: {_default_file()})")
    _games.add_rules(parser)
    _games.add_agent(parser, None)


def _default_file() -> str:
    """The file of the games of this user: beside other programs' state."""
    if os.name == "nt":
        base = os.environ.get("LOCALAPPDATA") or os.path.expanduser("~")
    else:
        base = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    return os.path.join(base, "bitboard", "games.txt")


def run(arguments: argparse.Namespace) -> int:
    if plain() or not sys.stdin.isatty():
        raise ValueError("play needs a terminal whose cursor can be moved; `bitboard watch` also works in a pipe")
    path = arguments.file or _default_file()
    if not arguments.file:
        os.makedirs(os.path.dirname(path), exist_ok=True)
    table = _Table(arguments, path)
    # A closed window or a polite kill ends the program as q does.
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _leave)
    try:
        table.play()
    except (KeyboardInterrupt, EOFError):
        pass
    finally:
        table.save()
    print(result_line(table.game))
    print(f"saved in {path}" + ("" if table.game.over else "; `bitboard play` goes on with it"))
    return 0


def _leave(signum: int, frame: Any) -> None:
    raise KeyboardInterrupt


class _Table:
    """A game in progress, its file, and what is on the screen."""

    def __init__(self, arguments: argparse.Namespace, path: str) -> None:
        self.arguments, self.path = arguments, path
        self.games: list[Any] = record.read_file(path) if os.path.exists(path) else []
        rules = _games.new_game(arguments).rules
        last = self.games[-1] if self.games else None
        wanted = arguments.seed is None or (last is not None and last.seed == arguments.seed)
        if last is not None and not arguments.new and wanted and last.rules == rules and not last.over:
            self.message = f"your game goes on at move {last.moves}"
            if last.cut:
                self.message += f" ({last.cut})"
        else:
            self.games.append(_games.new_game(arguments))
            self.message = "a new game"
        if arguments.agent is None:
            arguments.agent = "expectimax" if _games.is_packed(arguments) else "greedy"
            if arguments.agent == "expectimax" and BACKEND == "python" and not arguments.milliseconds:
                arguments.depth = arguments.depth or 1  # a hint at once, without the C core too
        self.agent = _games.agent_of(arguments)
        self.values: Any = None
        self.hinted: int | None = None
        self.save()

    @property
    def game(self) -> Any:
        return self.games[-1]

    def save(self) -> None:
        """Write all games; the last one is the one in play."""
        record.write_file(self.path, self.games)

    def play(self) -> None:
        """Take keys until q."""
        screen = console()
        from rich.live import Live

        with (
            Keyboard() as keyboard,
            Live(
                self.picture(screen), console=screen, screen=True, auto_refresh=False, vertical_overflow="crop"
            ) as live,
        ):
            size = screen.size
            while True:
                key = keyboard.read(0.25)
                if key is None and screen.size == size:
                    continue
                size = screen.size
                if key in ("q", "Q", "ctrl-d"):
                    return
                if key is not None:
                    self.press(key)
                live.update(self.picture(screen), refresh=True)

    def press(self, key: str) -> None:
        """Do what a key says."""
        self.message = ""
        direction = _SLIDES.get(key.lower())
        if direction is not None:
            self.slide(direction)
        elif key in ("u", "U", "backspace"):
            if self.game.moves:
                self.game.undo()
            else:
                self.message = "nothing to undo"
        elif key == "?":
            self.hint()
            return
        elif key in ("n", "N"):
            self.arguments.seed = None
            self.games.append(_games.new_game(self.arguments))
            self.message = "a new game; the last one is kept"
            self.save()
        else:
            self.message = "that key does nothing here"
            return
        self.values = self.hinted = None

    def slide(self, direction: int) -> None:
        """Slide if it is legal."""
        if self.game.over:
            self.message = "the game is over: u takes back, n starts a new one, q quits"
        elif self.game.legal >> direction & 1:
            self.game.move(direction)
            if self.game.over:
                self.message = "game over: u takes back, n starts a new one, q quits"
            elif self.game.saturated:
                self.message = "two 32768 tiles lie side by side; they do not merge here"
            if self.game.over or self.game.moves % _SAVE_EVERY == 0:
                self.save()
        else:
            self.message = f"sliding {_check.DIRECTION_NAMES[direction]} changes nothing"

    def hint(self) -> None:
        """Ask the agent."""
        if self.game.over:
            self.message = "the game is over"
            return
        if hasattr(self.agent, "start"):
            self.agent.start((self.game.seed + self.game.moves) % 2**64)
        chosen, self.values = _games.think(self.agent, self.game.board)
        self.hinted = _check.direction(chosen)
        name = _check.DIRECTION_NAMES[self.hinted]
        self.message = f"hint of {name_of(self.agent)}: {name}"
        if self.values is not None and not isnan(self.values[self.hinted]):
            self.message += f" ({number(self.values[self.hinted])})"

    def picture(self, screen: Any) -> Any:
        game = self.game
        best = max([kept.score for kept in self.games if kept.rules == game.rules])
        facts = [
            ("score", f"{game.score:,}"),
            ("best", f"{best:,}"),
            ("moves", f"{game.moves:,}"),
            ("largest", f"{game.largest:,}"),
            ("seed", str(game.seed)),
        ]
        return draw(screen, position_of(game), facts, self.values, self.hinted, _KEYS, self.message)
