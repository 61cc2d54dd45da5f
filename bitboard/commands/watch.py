"""Watch an agent play a game to its end.

On a terminal the board is drawn live (with rich), with the value that the agent gives each direction, if it does, the
moves a second as they are played (pace) and as the agent alone could play them (its speed); in a pipe there is a line
for each new largest tile and every 100 moves. It ends by itself, with the result. Ctrl-C ends it early.

examples:
  bitboard watch
  bitboard watch --agent greedy --seed 7 --speed 5 --save games.txt
  bitboard watch --size 5x5 --agent greedy
"""

from __future__ import annotations

import argparse
import sys
from importlib.util import find_spec
from math import nan
from time import perf_counter, sleep

from ..agents import begin, name_of
from ..core import BACKEND, check
from ..games import records as record
from ..games.picture import position_of
from . import _arguments, _games
from .screen import console, draw, plain, result_line
from .signals import Leaving

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_FRAME = 1 / 30


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _games.add_agent(parser, None)
    _games.add_rules(parser)
    parser.add_argument(
        "--speed", metavar="N", type=float, help="moves a second at most, 0 for no limit (default: 100, in a pipe 0)"
    )
    parser.add_argument("--save", metavar="FILE", type=_arguments.path, help="add the game's record to this file")


def run(arguments: argparse.Namespace) -> int:
    if arguments.agent is None:
        arguments.agent = _default_agent(arguments)
        if (
            arguments.agent == "montecarlo"
            and BACKEND == "python"
            and arguments.milliseconds is None
            and arguments.playouts is None
        ):
            arguments.playouts = 4  # 200 would take minutes without the C core
    agent = _games.agent_of(arguments)
    game = _games.new_game(arguments)
    begin(agent, game.rules, game.seed)
    lines = plain()
    if not lines and find_spec("rich") is None:
        lines = True
        print('bitboard watch: plain lines; pip install "bitboard[cli]" draws the board', file=sys.stderr)
    speed = (0.0 if lines else 100.0) if arguments.speed is None else arguments.speed
    if not 0 <= speed <= 1e6:
        raise ValueError(f"--speed must be from 0 to a million moves a second, got {speed}")
    if arguments.save:  # found out now, not after the game
        record.check_file(arguments.save)
        with open(arguments.save, "a", encoding="utf-8"):
            pass
    interrupted = False
    with Leaving() as leaving:
        try:
            try:
                if lines:
                    _in_lines(game, agent, speed)
                else:
                    _on_screen(game, agent, speed)
            finally:
                leaving.ignore()
        except KeyboardInterrupt:
            interrupted = True
        finally:  # also where the agent fails
            _end(game, agent, arguments.save)
    return 130 if interrupted else 0


def _default_agent(arguments: argparse.Namespace) -> str:
    """The strongest agent that keeps pace: expectimax in pure Python would take seconds a move."""
    if not _games.is_packed(arguments):
        return "greedy"
    return "expectimax" if BACKEND == "c" and arguments.playouts is None else "montecarlo"


def _end(game: Any, agent: Any, save: str | None) -> None:
    """Say how the game ended, and save it."""
    try:
        print(result_line(game))
        if game.saturated:
            print(f"two {2**game.rules.top} tiles meet; by the rules of this game they do not merge")
    finally:  # also where the terminal has gone away
        if save:
            record.append_file(save, game, agent=name_of(agent))
    if save:
        print(f"the record is in {save}")


def _in_lines(game: Any, agent: Any, speed: float) -> None:
    """Play with plain lines."""
    largest = 0
    print(f"{name_of(agent)} plays, seed {game.seed}")
    while not game.over:
        if (game.largest > largest and game.largest >= 64) or game.moves % 100 == 0:
            largest = game.largest
            board = " / ".join([" ".join(map(str, row)) for row in game.grid])
            print(f"move {game.moves:>5}  score {game.score:>7,}  largest {largest:>5}  board {board}", flush=True)
        game.move(_games.think(agent, game.board)[0])
        if speed:
            sleep(1 / speed)


def _on_screen(game: Any, agent: Any, speed: float) -> None:
    """Play with the board drawn live, at most 30 times a second."""
    screen = console()
    from rich.live import Live

    began = perf_counter()
    thinking = 0.0
    values: Any = None
    chosen: int | None = None
    ended = False

    def picture() -> Any:
        facts = [
            ("score", f"{game.score:,}"),
            ("moves", f"{game.moves:,}"),
            ("largest", f"{game.largest:,}"),
            ("pace", f"{game.moves / (perf_counter() - began):,.0f} moves/s"),
            ("agent", name_of(agent)[:20]),
            ("its speed", f"{game.moves / thinking if thinking else 0:,.0f} moves/s"),
            ("seed", str(game.seed)),
        ]
        keys = "" if game.over or ended else "Ctrl-C ends the game"
        return draw(screen, position_of(game), facts, values, chosen, keys)

    with Live(picture(), console=screen, auto_refresh=False, vertical_overflow="crop") as live:
        due, shown = perf_counter(), 0.0
        try:
            while not game.over:
                before = perf_counter()
                chosen, values = _games.think(agent, game.board)
                chosen = check.direction(chosen)
                now = perf_counter()
                thinking += now - before
                if now - shown >= _FRAME:  # the board with what the agent thinks of it and is about to do
                    shown = now
                    live.update(picture(), refresh=True)
                if speed:
                    due = max(due + 1 / speed, now)  # late moves are not made up for
                    sleep(max(0.0, due - perf_counter()))
                game.move(chosen)
        finally:
            # Nothing is chosen on the last board; where the game is over nothing is legal either.
            ended, chosen = True, None
            values = None if values is None or not game.over else (nan,) * 4
            live.update(picture(), refresh=True)
    sys.stdout.flush()
