"""What `replay` and `analyse` share: the file of records, and which game of it."""

from __future__ import annotations

import argparse
import re
import sys

from ..games import records as record
from ..games.replay_strings import NEW_START
from . import _arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The file, and which game of it."""
    parser.add_argument(
        "file", metavar="FILE", type=_arguments.path, help="a file of records, or a replay string; - is stdin"
    )
    parser.add_argument("--game", metavar="N", type=int, help="which game of the file, from 1 (default: the last)")


def chosen(arguments: argparse.Namespace) -> tuple[Any, int, int]:
    """The game of the arguments, its number and how many the file has. Damaged records are told on stderr.

    ValueError where there is no game, or where the record of that number is damaged.
    """
    path, games = arguments.file, read(arguments.file)
    if not games:
        raise ValueError(f"{path} holds no game")
    whole = [number for number, game in enumerate(games, 1) if not isinstance(game, ValueError)]
    number = arguments.game
    if number is None:
        number = whole[-1] if whole else len(games)
    if not 1 <= number <= len(games):
        raise ValueError(f"--game must be from 1 to {len(games)}, got {number}")
    if number not in whole:
        others = f"; {len(whole)} of {len(games)} games can be read" if len(games) > 1 else ""
        raise ValueError(f"{path}: {games[number - 1]}{others}")
    for at, error in enumerate(games, 1):
        if isinstance(error, ValueError):
            print(f"bitboard {arguments.command}: {path}: game {at} cannot be read: {error}", file=sys.stderr)
    return games[number - 1], number, len(games)


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
