"""Show a recorded game, step by step.

Keys: right or space is a step forwards, left a step back, page up and down ten, home and end, p plays, ? asks an agent
for a hint, q quits. In a pipe every position is one line; with --agent it ends with what the agent would do. FILE holds
records of bitboard, or one replay string of 2048league or 2048verse; without it the file is where `bitboard play` keeps
your games. --list lists them. Every slide is checked; a file that breaks off is shown up to there, with a note and
status 1.

examples:
  bitboard replay
  bitboard replay games.txt --list
  bitboard replay games.txt --game 1 --picture game.svg
  bitboard replay games.txt --html game.html
  bitboard replay games.txt --agent network --network my.net
"""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from functools import cache
from math import inf
from time import monotonic

from .. import agents
from ..games import picture as render
from ..games.classic import Game
from ..tools.words import counted
from . import _arguments, _games, _records
from .screen import console, draw, plain, print_result
from .stage import Stage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MOST_POSITIONS = 100_000  # of a moving picture
_KEYS = "left/right step   PgUp/PgDn ten   Home/End   p play   ? hint   q quit"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _records.add_arguments(parser)
    parser.add_argument("--list", action="store_true", help="list the games of the file, a line each, and no more")
    parser.add_argument("--speed", metavar="N", type=float, default=10, help="positions a second with p (default: 10)")
    parser.add_argument(
        "--picture",
        metavar="OUT",
        type=_arguments.path,
        help="write the game as .svg (moving), .gif (moving) or .png (its end), and no more",
    )
    parser.add_argument(
        "--last", metavar="N", type=int, default=500, help="positions in a moving picture, the last ones (default: 500)"
    )
    parser.add_argument(
        "--html",
        metavar="OUT",
        type=_arguments.path,
        help="write one HTML file that plays the game in a browser, and no more",
    )
    _games.add_agent(parser, None)
    _arguments.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    if arguments.list:
        for number, game in enumerate(_records.games_of(arguments), 1):
            print(_records.line(number, game))
        return 0
    game, number, count = _records.chosen(arguments)
    if not 0 < arguments.speed <= 1000:
        raise ValueError(f"--speed must be more than 0 and at most 1000, got {arguments.speed}")
    if arguments.picture and not arguments.picture.lower().endswith((".svg", ".gif", ".png")):
        raise ValueError(f"--picture must end in .svg, .gif or .png, got {arguments.picture!r}")
    if not 1 <= arguments.last <= MOST_POSITIONS:
        raise ValueError(f"--last must be from 1 to {MOST_POSITIONS}, got {arguments.last}")
    packed = isinstance(game, Game)
    if arguments.agent in agents.PACKED_ONLY and not packed:
        raise ValueError(f"agent {arguments.agent} plays 4x4 boards of the original rules alone; greedy plays any")
    agent = _games.agent_of(arguments) if arguments.agent else None
    if arguments.picture or arguments.html:
        if arguments.picture:
            _picture(game, arguments.picture, arguments.last)
        if arguments.html:
            _html(game, arguments.html)
    elif arguments.json:
        _arguments.print_json(_described(game))
    elif plain() or not sys.stdin.isatty():
        scores, boards = game.scores, list(game)
        for i, rows in enumerate(game._grids()):
            move = "" if not i else "{}{}:{}".format("URDL"[game.history[i - 1][0]], *game.history[i - 1][1:])
            board = " / ".join([" ".join(map(str, row)) for row in rows])
            hint = f"  {_hint(game, i, boards[i], agent)[2]}" if agent else ""
            print(f"{i:>5} {move:<7} score {scores[i]:>7}  {board}{hint}")
        print_result(game)
    else:
        usual = agent is None
        if usual:
            _games.usual_agent(arguments, packed)
        # The usual one is made when a hint is asked for: reading its network takes a while.
        made = (lambda: _games.agent_of(arguments)) if usual else (lambda: agent)
        _on_screen(game, f"game {number} of {count}", arguments.speed, cache(made))
    if game.cut:
        print(f"bitboard replay: {arguments.file}: {game.cut}", file=sys.stderr)
        return 1
    return 0


def _described(game: Any) -> dict[str, Any]:
    """A game as `bitboard engine` gives it, and what every position was."""
    from ..web.boards import game_json

    moves = [None, *[f"{'URDL'[direction]}{cell}:{exponent}" for direction, cell, exponent in game.history]]
    positions = [
        {"move": move, "score": score, "board": rows}
        for move, score, rows in zip(moves, game.scores, game._grids(), strict=True)
    ]
    return game_json(game) | {"over": game.over, "largest": game.largest, "positions": positions}


def _picture(game: Any, path: str, last: int) -> None:
    """Write a picture of the kind that the name ends in, and say what of the game is not in it."""
    kind, left_out = path.lower()[-4:], 0
    if kind == ".png":
        render.png(game, path)
    else:
        left_out = max(0, game.moves + 1 - last)
        if kind == ".gif":
            render.gif(game, path, last=last)
        else:
            text = render.animated_svg(game, last=last)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
    some = f", the last {last:,} of {counted(game.moves + 1, 'position')}; --last N takes more" if left_out else ""
    print(f"wrote {path}{some}")


def _html(game: Any, path: str) -> None:
    from ..web import page

    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(page.replay(game))
    print(f"wrote {path}")


def _hint(game: Any, at: int, board: Any, agent: Any) -> tuple[Any, Any, str]:
    """What an agent would do at a position: a direction and values, where there are some, and both in words."""
    if at == game.moves and game.over:
        return None, None, "the game is over"
    return _games.hint(agent, game.rules, game.seed + at, board)


def _on_screen(game: Any, title: str, speed: float, agent: Callable[[], Any]) -> None:
    screen = console()
    at, playing, due, boards = 0, False, inf, list(game)
    hinted: Any = None, None, ""  # by the agent: a direction, values, a message

    def picture() -> Any:
        facts = [
            ("record", title),
            ("move", f"{at:,} of {game.moves:,}"),
            ("score", f"{game.scores[at]:,}"),
            ("slide", "the start" if not at else ("up", "right", "down", "left")[game.history[at - 1][0]]),
            *[(name[:8], value[:20]) for name, value in list(game.tags.items())[:4]],
        ]
        chosen, values, message = hinted
        return draw(screen, render.position_of(game, at), facts, values, chosen, _KEYS, message or "playing" * playing)

    steps = {"right": 1, "space": 1, "l": 1, "left": -1, "h": -1, "pagedown": 10, "pageup": -10}
    with suppress(EOFError), Stage(screen, picture) as stage:
        while (key := stage.key(due - monotonic())) not in ("q", "Q", "escape", "ctrl-d"):
            hinted = None, None, ""
            if key in steps:
                at, playing = at + steps[key], False
            elif key in ("home", "end"):
                at, playing = (0 if key == "home" else game.moves), False
            elif key == "?":
                playing = False
                hinted = _hint(game, at, boards[at], agent())
            elif key == "p":
                playing, due = not playing, monotonic() + 1 / speed
            elif playing and monotonic() >= due:
                at, due = at + 1, due + 1 / speed
            at = min(max(at, 0), game.moves)
            playing = playing and at < game.moves
            due = due if playing else inf
            stage.show()
    print_result(game)
