"""The games of a player in one file, which other programs may write at the same time."""

from __future__ import annotations

import os
import re
from typing import Any, NamedTuple

from ..games import records as record
from ..games.text import FIRST_LINE
from ..tools import files, folders

CLOSING = "\nboard: "  # where the lines begin that close a record


def default_file() -> str:
    """The file of the games of this user: beside other programs' state. FileNotFoundError where that is not known."""
    return os.path.join(folders.state(), "bitboard", "games.txt")


class Kept:
    """The games of a file. Saving one of them replaces its record alone and leaves the rest of the file as it is now.

    A record that another program has changed meanwhile is left too; then the game is added at the end. `damaged`: what
    is wrong with the records that cannot be read, which are left as well.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        files.check_regular(path)
        try:
            found = record.read_file(path, errors="return") if os.path.exists(path) else []
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None
        record.check_file(path)
        self.games: list[Any] = [game for game in found if not isinstance(game, ValueError)]
        self.damaged = [str(error) for error in found if isinstance(error, ValueError)]
        self._written: dict[int, str] = {}  # id of a game -> its record as it stands in the file
        self._last: _Last | None = None

    def check(self) -> None:
        """Raise OSError where the file cannot be written: found out now, not after the game."""
        with files.locked(self.path), open(self.path, "ab"):
            pass

    def unfinished(self, rules: Any, seed: int | None) -> Any:
        """The newest game of these rules, and of this seed if one is given, that is not over; None if there is none.

        One without a move only where there is no other: it hides no game that somebody has played.
        """
        wanted = [game for game in self.games if game.rules == rules and not game.over and seed in (None, game.seed)]
        for game in [game for game in wanted if game.moves][-1:] or wanted[-1:]:
            self._written[id(game)] = self._record_of(game)
            return game
        return None

    def _record_of(self, game: Any) -> str:
        """Where a game that was read stands in the file."""
        for part in reversed(_parts(files.read(self.path))[1:]):
            try:
                if record.read(part) == [game]:
                    return _said(part)
            except ValueError:  # cut before its moves
                continue
        return ""

    def has(self, game: Any) -> bool:
        """Whether a game stands in the file, as it is or was."""
        return id(game) in self._written

    def save(self, game: Any) -> None:
        """Write the file with this game as it is now, so that it would outlive a power cut. Raises OSError; then the
        file is as it was."""
        new, old = record.write(game).rstrip("\n"), self._written.get(id(game))
        plain = new
        if old is not None:
            new = "\n".join(_with_comments(new, old))
        with files.locked(self.path):
            before = files.read(self.path)
            parts = _parts(before)
            place = next((i for i in range(len(parts) - 1, 0, -1) if _said(parts[i]) == old), len(parts))
            if place < len(parts):
                parts[place] = new + (parts[place][len(old or "") :] or "\n")
            else:
                text = "".join(parts)
                parts.append("\n" * (bool(text) + bool(text and not text.endswith("\n"))) + new + "\n")
            text = "".join(parts)
            if text != before or not os.path.exists(self.path):
                files.replace(self.path, text)
            self._last = None
            signature, size = self._signature(), len(text.encode("utf-8", "surrogateescape"))
            if text.endswith(new + "\n") and size == signature[0]:
                closing = len(plain) - plain.rindex(CLOSING)
                self._last = _Last(game, plain, size - closing, signature)
        self._written[id(game)] = new

    def save_move(self, game: Any) -> None:
        """The same, but a power cut may undo the last seconds, and cheap where moves were added since the last time.

        Then the end of the file alone is written, if it is this game's record as it was left: the new moves as a line
        of their own, and the two lines that close the record. Whenever the program is killed, what is in the file is a
        record with every move but the last.
        """
        last, new = self._last, record.write(game).rstrip("\n")
        added = None if last is None or last.game is not game else _added(last.text, new)
        if last is None or added is None:
            self.save(game)
            return
        with files.locked(self.path):
            if last.signature == self._signature():
                old = _closing(last.text)
                try:
                    files.replace_end(self.path, last.at, f"{old}\n".encode(), f"{added}\n{_closing(new)}\n".encode())
                except OSError:
                    self._last = last._replace(signature=self._signature())
                    raise
                self._last = _Last(game, new, last.at + len(added) + 1, self._signature())
                written = self._written[id(game)]
                self._written[id(game)] = f"{written.removesuffix(old)}{added}\n{_closing(new)}"
                return
        self.save(game)

    def _signature(self) -> tuple[int, ...]:
        """What changes when somebody writes to the file."""
        try:
            found = os.stat(self.path)
        except FileNotFoundError:
            return ()
        return found.st_size, found.st_mtime_ns, found.st_ino


class Unkept:
    """In the place of Kept where nothing is to be saved."""

    path, damaged = "", ()

    def __init__(self) -> None:
        self.games: list[Any] = []

    def check(self) -> None:
        """Nothing can be wrong."""

    def unfinished(self, rules: Any, seed: int | None) -> Any:
        """None: there is no older game."""

    def has(self, game: Any) -> bool:
        """No game is in a file."""
        return False

    def save(self, game: Any) -> None:
        """Nothing is saved."""

    save_move = save


class _Last(NamedTuple):
    """The game whose record ends the file."""

    game: Any
    text: str  # its record as record.write() gave it, without the last newline
    at: int  # the byte of the file where the two lines that close it begin
    signature: tuple[int, ...]  # what would be another one if somebody had changed the file


def _closing(text: str) -> str:
    """The two lines that close a record."""
    return text[text.rindex(CLOSING) + 1 :]


def _added(old: str, new: str) -> str | None:
    """The moves of a record that were added to those of an older one; None if that is not all the difference."""
    before, after = old[: old.rindex(CLOSING)], new[: new.rindex(CLOSING)]
    grown = after.startswith((before + " ", before + "\n"))
    return after[len(before) + 1 :] if grown else None


def _parts(text: str) -> list[str]:
    """A text of records cut before each opening line; the first part is what stands before them all."""
    return re.split(rf"^(?={FIRST_LINE}\r?$)", text, flags=re.MULTILINE)


def _said(part: str) -> str:
    """A record without the empty lines and comments after it, and without the last newline."""
    lines = part.split("\n")
    while lines and (not lines[-1].strip() or lines[-1].startswith("#")):
        lines.pop()
    return "\n".join(lines)


def _with_comments(new: str, old: str) -> list[str]:
    """The lines of a record, with the comments of its older form below its opening line."""
    first, *rest = new.split("\n")
    return [first, *[line for line in old.split("\n") if line.startswith("#")], *rest]
