"""The games of a player in one file, which other programs may write at the same time."""

from __future__ import annotations

import os
import re

from ..games import records as record
from ..games.text import FIRST_LINE
from ..tools import files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


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

    def unfinished(self, rules: Any, seed: int | None) -> Any:
        """The newest game of these rules, and of this seed if one is given, that is not over; None if there is none."""
        for game in reversed(self.games):
            if game.rules == rules and not game.over and seed in (None, game.seed):
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

    def save(self, game: Any) -> None:
        """Write the file with this game as it is now."""
        new = record.write(game).rstrip("\n")
        with files.locked(self.path):
            before = files.read(self.path)
            parts = _parts(before)
            old = self._written.get(id(game))
            for i in range(len(parts) - 1, 0, -1):
                if _said(parts[i]) == old:
                    new = "\n".join(_with_comments(new, old))
                    parts[i] = new + (parts[i][len(old) :] or "\n")
                    break
            else:
                text = "".join(parts)
                parts.append("\n" * (bool(text) + bool(text and not text.endswith("\n"))) + new + "\n")
            text = "".join(parts)
            if text != before or not os.path.exists(self.path):
                files.replace(self.path, text)
        self._written[id(game)] = new


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
