"""What `replay` and `analyse` share: the file of records, and which game of it."""

from __future__ import annotations

import argparse
import os
import re
import sys

from ..games import records as record
from ..games.classic import Game
from ..games.replay_strings import NEW_START
from ..games.rules import CLASSIC
from ..grid.slides import TOP
from . import _arguments, saved_games

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The file, and which game of it."""
    parser.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        type=_arguments.path,
        help="a file of records, or a replay string; - is stdin (default: the one that `play` writes)",
    )
    parser.add_argument(
        "--game", metavar="N", type=int, help="which game of the file, from 1 (default: the last one with a move)"
    )


def games_of(arguments: argparse.Namespace) -> list[Any]:
    """The games of the file, with errors in the places of damaged ones; ValueError where there are none."""
    if arguments.file is None:
        arguments.file = saved_games.default_file()
        if not os.path.exists(arguments.file):
            raise ValueError(f"no FILE is given, and that of `bitboard play` is not there: {arguments.file}")
    games = read(arguments.file)
    if not games:
        raise ValueError(f"{arguments.file} holds no game")
    return games


def chosen(arguments: argparse.Namespace, kind: type | tuple[type, ...] = object) -> tuple[Any, int, int]:
    """The game of the arguments, its number and how many the file has. Damaged records are told on stderr.

    Where no number is given it is the last game with a move, one of this kind if there is one.
    ValueError where there is no game, or where the record of that number is damaged.
    """
    games = games_of(arguments)
    path = arguments.file
    whole = [number for number, game in enumerate(games, 1) if not isinstance(game, ValueError)]
    number = arguments.game
    if number is None:
        played = [at for at in whole if games[at - 1].moves]
        wanted = [at for at in played if isinstance(games[at - 1], kind)]
        number = (wanted or played or whole or [len(games)])[-1]
    if not 1 <= number <= len(games):
        raise ValueError(f"--game must be from 1 to {len(games)}, got {number}")
    if number not in whole:
        others = f"; {len(whole)} of {len(games)} games can be read" if len(games) > 1 else ""
        raise ValueError(f"{path}: {games[number - 1]}{others}")
    for at, error in enumerate(games, 1):
        if isinstance(error, ValueError):
            print(f"bitboard {arguments.command}: {path}: game {at} cannot be read: {error}", file=sys.stderr)
    return games[number - 1], number, len(games)


def line(number: int, game: Any) -> str:
    """What a list says of a game: number, size and rules that are not the usual ones, moves, score, largest tile."""
    if isinstance(game, ValueError):
        return f"{number:>4}  cannot be read: {game}"
    rules, law = game.rules, game.rules.spawn_text()
    unusual = "" if law == "2:9 4:1" else f"  spawn {law}"
    if rules.top != (CLASSIC.top if isinstance(game, Game) else TOP):
        unusual += f"  top {2**rules.top}"
    state = "broken off" if game.cut else "over" if game.over else "not over"
    tags = "".join([f"  {name} {value}" for name, value in game.tags.items()])
    return (
        f"{number:>4}  {f'{rules.rows}x{rules.columns}':<5}  score {game.score:>9,}  largest {game.largest:>6,}  "
        f"moves {game.moves:>6,}  {state}{unusual}  seed {game.seed}{tags}"
    )


def read(path: str) -> list[Any]:
    """The games of a file, of either kind, with errors in the places of damaged ones."""
    if path == "-":
        data = sys.stdin.buffer.read() if hasattr(sys.stdin, "buffer") else sys.stdin.read().encode()
    else:
        with open(path, "rb") as file:
            data = file.read()
    try:
        return record.read_any(_decoded(data), errors="return")
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _decoded(data: bytes) -> str:
    try:
        return record.decoded(data, "return")
    except ValueError:
        text = data.decode("latin-1")
        if re.match(NEW_START, text):  # 2048verse writes its files (.vrs) so
            return text
        raise
