"""Reading and writing records: texts and files of games, and the replay strings of web players. bitboard.record."""

from __future__ import annotations

from os import PathLike, fspath
from typing import Any, Literal

from ..tools import files
from . import replay_strings
from . import text as texts
from .classic import Game
from .rules import CLASSIC, PACKED_RULES
from .sized import Game as GridGame
from .text import FIRST_LINE, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .base import GameBase
    from .rules import Rules
else:
    GameBase = Any  # found by typing.get_type_hints()
    Rules = Any

SHORTEST_STRING = 16  # characters of a replay string without a heading, to be taken for one

__all__ = ["append_file", "from_shared", "read", "read_file", "read_one", "write", "write_file"]


def read(text: str, *, errors: Literal["raise", "return"] = "raise") -> list[Any]:
    """The games of a text, bitboard.Game or bitboard.grid.Game by their rules.

    errors: "raise" the ValueError of the first damaged record, which names the line and the move, or "return" each in
    the place of its game, so that the others can be used; also one for what stands before the first record.
    Raises ValueError, with "return" only where no record begins at all, and TypeError for what is not a str.
    """
    return texts.games_of(text, new_game, errors)


def read_one(text: str) -> Any:
    """The game of a text that holds one. Raises as read(), and ValueError for no or several games."""
    return texts.one_of(text, new_game)


def read_file(path: str | PathLike[str], *, errors: Literal["raise", "return"] = "raise") -> list[Any]:
    """The games of a file; errors as in read(), where bytes that are not UTF-8 damage their record alone.

    Raises as read(), ValueError for what is not UTF-8, OSError from the file system.
    """
    with open(path, "rb") as file:
        data = file.read()
    return read(decoded(data, errors), errors=errors)


def decoded(data: bytes, errors: str = "raise") -> str:
    """The text of a file of records. With errors "return" bytes that are not UTF-8 stay in it, if a record begins."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        text = data.decode("utf-8", "surrogateescape")
        if errors == "return" and any(line.rstrip("\r") == FIRST_LINE for line in text.split("\n")):
            return text
        line = data.count(b"\n", 0, error.start) + 1
        raise ValueError(f"line {line}: byte {error.start} is no text in UTF-8") from None


def write_file(path: str | PathLike[str], games: list[Any]) -> None:
    """Write games to a file; it is replaced in one step, so that an interruption leaves the old one whole.

    Where the path is a link, the file that it names is written; the file keeps its mode. Raises ValueError for what is
    there and is not a regular file, OSError from the file system.
    """
    name = fspath(path)
    with files.locked(name):
        files.replace(name, "\n".join([write(game) for game in games]))


def append_file(path: str | PathLike[str], game: GameBase, **tags: object) -> None:
    """Add a game to the end of a file of records, which is made if it is not there.

    Raises ValueError for a file of something else, which is left as it is, and for bad tags as write().
    """
    text = write(game, **tags)
    with files.locked(fspath(path)):
        check_file(path)
        with open(path, "a", encoding="utf-8", newline="\n") as file:
            file.write("\n" + text if file.tell() else text)


def check_file(path: str | PathLike[str]) -> None:
    """Raise ValueError for a file that is there, is not empty and holds no records, or is not a regular file."""
    name = fspath(path)
    files.check_regular(name)
    for number, line in enumerate(files.read(name).split("\n"), 1):
        if line.rstrip("\r") == FIRST_LINE:
            return
        if line.strip() and not line.startswith("#"):
            raise ValueError(f"{name} is no file of records: line {number} is {line[:40]!r}, not {FIRST_LINE!r}")


def from_shared(text: str) -> Any:
    """The game of a replay string of 2048league or 2048verse; bitboard.games.replay_strings tells the two layouts.

    Raises ValueError that names the character and the move, TypeError for what is not a str.
    """
    return replay_strings.read(text, new_game)


def read_any(text: str, *, errors: Literal["raise", "return"] = "raise") -> list[Any]:
    """The games of a text of records, or the one game of a replay string, whichever it is.

    A replay string is one line that opens as such, or one of 16 characters or more: a shorter word is hardly one, and
    may play by chance. Raises as read() and from_shared().
    """
    if isinstance(text, str) and text.count("\n") <= 1 and not text.startswith(("bitboard", "#")):
        line = text.strip("\r\n\ufeff")
        if replay_strings.is_headed(line):
            return [from_shared(text)]
        if len(line) >= SHORTEST_STRING and line.strip():
            try:
                return [from_shared(text)]
            except ValueError as error:
                what = f"neither a record, which starts with the line {FIRST_LINE!r}, nor a replay string"
                raise ValueError(f"{what}: {error}") from None
    return read(text, errors=errors)


def new_game(rules: Rules, seed: int, grid: list[list[int]]) -> Any:
    """A game with these rules from a grid of face values: bitboard.Game where it can be, else bitboard.grid.Game."""
    if rules in (CLASSIC, PACKED_RULES):
        return Game._make(rules, seed, grid)
    return GridGame._make(rules, seed, grid)
