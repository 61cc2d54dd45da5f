"""Play a game yourself in the terminal, with undo and hints.

Keys: arrows, WASD or hjkl slide; u takes a slide back, ? asks an agent for a hint, n starts a new game, q quits.
Each slide is saved as it is made, so that the game goes on when you come back, however it ended: the newest game of the
same size and rules that is not over (--top 32768 goes on with one of an older version). The file holds all your games,
as records that `bitboard replay` shows. Where it cannot be written, as on a full disk, the screen says so and the game
goes on; the record is printed at the end.

examples:
  bitboard play
  bitboard play --size 5x5 --file five.txt
  bitboard play --new --seed 7 --agent greedy
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from math import inf

from ..core import check
from ..games.picture import position_of
from . import _arguments, _games
from .saved_games import Kept, Unkept, default_file
from .screen import console, draw, plain, print_result
from .signals import Leaving
from .stage import Stage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SLIDES = {
    "up": 0, "w": 0, "k": 0, "right": 1, "d": 1, "l": 1, "down": 2, "s": 2, "j": 2, "left": 3, "a": 3, "h": 3,
}  # fmt: skip
_KEYS = "arrows/WASD/hjkl slide   u undo   ? hint   n new   q quit"
_SYNC_EVERY = 20  # slides: so many are lost at most if the machine stops; if this program does, none


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--new", action="store_true", help="start a new game instead of going on with the last one")
    parser.add_argument("--no-save", action="store_true", help="play a new game without reading or writing a file")
    try:
        usual = default_file().replace("%", "%%")
    except FileNotFoundError:
        usual = "none, since no folder of yours is known"
    parser.add_argument(
        "--file", metavar="FILE", type=_arguments.path, help=f"where your games are kept (default: {usual})"
    )
    _games.add_rules(parser)
    _games.add_agent(parser, None)


def run(arguments: argparse.Namespace) -> int:
    if plain() or not sys.stdin.isatty():
        raise ValueError("play needs a terminal whose cursor can be moved; `bitboard watch` also works in a pipe")
    if arguments.no_save and arguments.file:
        raise ValueError("give --file or --no-save, not both")
    path = "" if arguments.no_save else arguments.file or default_file()
    if path and not arguments.file:
        os.makedirs(os.path.dirname(path), exist_ok=True)
    with Leaving() as leaving:
        table = _Table(arguments, Kept(path) if path else Unkept(), leaving)
        try:
            try:
                table.play()
            finally:
                leaving.ignore()
        except (KeyboardInterrupt, EOFError):
            pass
        finally:
            table.save()
        return table.end()


class _Table:
    """A game in progress, its file, and what is on the screen."""

    def __init__(self, arguments: argparse.Namespace, kept: Kept | Unkept, leaving: Leaving) -> None:
        self.arguments, self.kept, self.leaving = arguments, kept, leaving
        self.unsaved = ""  # why the last slide is not in the file
        new = _games.new_game(arguments)
        last = None if arguments.new else self.kept.unfinished(new.rules, arguments.seed)
        if last is not None:
            self.game = last
            self.message = f"your game goes on at move {last.moves}"
            if last.cut:
                self.message += f" ({last.cut})"
        else:
            self.game = new
            self.kept.games.append(new)
            self.message = "a new game"
        if self.kept.damaged:
            more = f" and {len(self.kept.damaged) - 1} more" if len(self.kept.damaged) > 1 else ""
            self.message += f"; a record cannot be read and is left as it is ({self.kept.damaged[0]}){more}"
        if arguments.agent is None:
            _games.usual_agent(arguments, _games.is_packed(arguments))
        self.agent = _games.agent_of(arguments)
        self.values: Any = None
        self.hinted: int | None = None
        kept.check()

    def save(self, move: bool = False) -> None:
        """Write the game in play into the file, whole even if the program is to end now; a game without a move is not.

        move: cheaply, after one; a power cut may undo it.
        """
        if not self.game.moves and not self.kept.has(self.game):
            return
        with self.leaving.held():
            try:
                (self.kept.save_move if move else self.kept.save)(self.game)
                self.unsaved = ""
            except (OSError, ValueError) as error:  # a full disk, a folder in its place: the game goes on
                self.unsaved = f"not saved in {self.kept.path}: {getattr(error, 'strerror', None) or error}"

    def end(self) -> int:
        """Say how the game stands and where it is; the exit status."""
        print_result(self.game)
        if self.unsaved:
            print(self.game.record())
            print(f"bitboard play: {self.unsaved}; the record is printed above", file=sys.stderr)
            return 1
        if self.kept.has(self.game):
            print(f"saved in {self.kept.path}" + ("" if self.game.over else f"; `{self.command()}` goes on with it"))
        return 0

    def command(self) -> str:
        """The command that goes on with this game."""
        given = self.arguments
        words = ["bitboard", "play"]
        for name in ("file", "size", "spawn", "top", "seed"):
            value = getattr(given, name)
            if value is not None and (name, value) != ("size", "4x4"):
                words += [f"--{name}", str(value)]
        return shlex.join(words)

    def play(self) -> None:
        """Take keys until q."""
        screen = console()
        with Stage(screen, lambda: self.picture(screen)) as stage:
            leaving = False
            while (key := stage.key(inf)) is not None:
                if key in ("q", "Q", "ctrl-d"):
                    self.save()
                    if leaving or not self.unsaved:
                        return
                    leaving, self.message = True, "q again leaves and prints the record"
                else:
                    leaving = False
                    self.press(key)
                stage.show()

    def press(self, key: str) -> None:
        """Do what a key says."""
        self.message = ""
        direction = _SLIDES.get(key.lower())
        if direction is not None:
            self.slide(direction)
        elif key in ("u", "U", "backspace"):
            if self.game.moves:
                self.game.undo()
                self.save(move=True)
            else:
                self.message = "nothing to undo"
        elif key == "?":
            self.hint()
            return
        elif key in ("n", "N"):
            self.save()
            if self.unsaved:
                self.message = "no new game, or this one would be lost"
                return
            self.arguments.seed = None
            self.game = _games.new_game(self.arguments)
            self.kept.games.append(self.game)
            self.message = "a new game" + ("; the last one is kept" if self.kept.path else "")
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
                self.message = f"two {2**self.game.rules.top} tiles meet; by the rules of this game they do not merge"
            self.save(move=not self.game.over and self.game.moves % _SYNC_EVERY > 0)
        else:
            self.message = f"sliding {check.DIRECTION_NAMES[direction]} changes nothing"

    def hint(self) -> None:
        """Ask the agent."""
        if self.game.over:
            self.message = "the game is over"
            return
        game = self.game
        self.hinted, self.values, self.message = _games.hint(self.agent, game.rules, game.seed + game.moves, game.board)

    def picture(self, screen: Any) -> Any:
        game = self.game
        best = max([kept.score for kept in self.kept.games if kept.rules == game.rules])
        facts = [
            ("score", f"{game.score:,}"),
            ("best", f"{best:,}"),
            ("moves", f"{game.moves:,}"),
            ("largest", f"{game.largest:,}"),
            ("seed", str(game.seed)),
        ]
        message = "; ".join([text for text in (self.message, self.unsaved) if text])
        return draw(screen, position_of(game), facts, self.values, self.hinted, _KEYS, message)
