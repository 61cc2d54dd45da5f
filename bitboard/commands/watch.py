"""Watch an agent play a game to its end.

On a terminal the board is drawn live (with rich), with the value that the agent gives each direction, if it does, the
moves a second as they are played (pace) and as the agent alone could play them (its speed); in a pipe there is a line
for each new largest tile and every 100 moves. It ends by itself, with the result. Ctrl-C ends it early.

Keys: space or p pauses and goes on, s or right makes a single step, + and - (or up and down) change the speed, q quits.

examples:
  bitboard watch
  bitboard watch --agent greedy --seed 7 --speed 5 --save games.txt
  bitboard watch --size 5x5 --agent greedy
"""

from __future__ import annotations

import argparse
import sys
from importlib.util import find_spec
from math import inf, nan
from time import perf_counter, sleep

from ..agents import name_of
from ..core import BACKEND
from ..games import records as record
from ..games.picture import position_of
from ..tools import extras
from . import _arguments, _games
from .screen import console, draw, plain, print_result
from .signals import Leaving
from .stage import Stage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_FRAME = 1 / 30
_KEYS = "space pause   s step   +/- speed   q quit"
_SPEEDS = (0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)  # moves a second that + and - go through; above: no limit


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
    _games.started(agent, game)
    lines = plain()
    if not lines and find_spec("rich") is None:
        lines = True
        print(f"bitboard watch: plain lines; to draw the board, {extras.hint('cli')}", file=sys.stderr)
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
                    _Show(game, agent, speed).play()
            finally:
                leaving.ignore()
        except (KeyboardInterrupt, EOFError):
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
        print_result(game)
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
        game.move(_games.chosen(agent, game)[0])
        if speed:
            sleep(1 / speed)


class _Show:
    """A game played on the screen, and what the keys say: pause, single step, speed, quit."""

    def __init__(self, game: Any, agent: Any, speed: float) -> None:
        self._game, self._agent = game, agent
        self._speed = speed or inf  # moves a second at most
        self._paused, self._step, self._quit = False, False, False
        self._message = ""
        self._values: Any = None
        self._chosen: int | None = None
        self._thinking = self._waited = 0.0  # seconds: of the agent, and in pauses
        self._screen = console()
        self._keys = _KEYS if sys.stdin.isatty() else "Ctrl-C ends the game"

    def play(self) -> None:
        """Play with the board drawn live, at most 30 times a second; the last board stays on the shell's screen."""
        self._began = perf_counter()
        try:
            with Stage(self._screen, self._picture) as stage:
                self._play(stage)
        finally:
            # Nothing is chosen on the last board; where the game is over nothing is legal either.
            self._keys, self._message, self._chosen = "", "", None
            if self._game.over and self._values is not None:
                self._values = (nan,) * 4
            self._screen.print(self._picture())
            sys.stdout.flush()

    def _play(self, stage: Stage) -> None:
        due, draw_at = perf_counter(), 0.0
        while not self._game.over:
            before = perf_counter()
            self._chosen, self._values = _games.chosen(self._agent, self._game)
            now = perf_counter()
            self._thinking += now - before
            due = max(due + 1 / self._speed, now)  # late moves are not made up for
            if self._paused or now >= draw_at:  # the board with what the agent thinks of it and is about to do
                stage.show()
                draw_at = now + max(_FRAME, 5 * (perf_counter() - now))  # a slow terminal does not slow the game down
                self._take_keys(stage, due)
            elif due > now:
                self._take_keys(stage, due)
            if self._quit:
                return
            self._game.move(self._chosen)

    def _take_keys(self, stage: Stage, due: float) -> None:
        """Do what keys say until it is time for the move."""
        self._step = False
        while not self._quit and not self._step:
            began = perf_counter()
            key = stage.key(inf if self._paused else due - began)
            if self._paused:
                self._waited += perf_counter() - began
            if key is None:
                return
            self._press(key)
            stage.show()

    def _press(self, key: str) -> None:
        """Do what a key says."""
        self._message = ""
        if key in ("q", "Q", "ctrl-d"):
            self._quit = True
        elif key in ("space", "p", "P"):
            self._paused = not self._paused
        elif key in ("s", "S", "right"):
            self._paused = self._step = True
        elif key in ("+", "=", "up"):
            self._set_speed(next((speed for speed in _SPEEDS if speed > self._speed), inf))
        elif key in ("-", "_", "down"):
            self._set_speed(next((speed for speed in reversed(_SPEEDS) if speed < self._speed), self._speed))
        else:
            self._message = "that key does nothing here"
        if self._paused and not self._message:
            self._message = "paused"

    def _set_speed(self, speed: float) -> None:
        self._speed = speed
        self._message = "as fast as it can" if speed == inf else f"at most {speed:g} move{'s' * (speed != 1)} a second"

    def _picture(self) -> Any:
        game, played = self._game, perf_counter() - self._began - self._waited
        facts = [
            ("score", f"{game.score:,}"),
            ("moves", f"{game.moves:,}"),
            ("largest", f"{game.largest:,}"),
            ("pace", f"{game.moves / played if played else 0:,.0f} moves/s"),
            ("agent", name_of(self._agent)[:20]),
            ("its speed", f"{game.moves / self._thinking if self._thinking else 0:,.0f} moves/s"),
            ("seed", str(game.seed)),
        ]
        return draw(self._screen, position_of(game), facts, self._values, self._chosen, self._keys, self._message)
