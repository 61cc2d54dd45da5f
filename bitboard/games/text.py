"""Records: games as text, to be kept, sent, replayed without any random generator, and checked.

    bitboard game 1
    size: 4x4
    top: 131072
    spawn: 2:9 4:1
    start-tiles: 2
    generator: splitmix64
    seed: 7
    agent: greedy
    start: 0 0 0 0 / 0 0 2 0 / 0 0 0 2 / 0 0 0 0
    moves:
    L12:1 U9:1 R3:2
    board: ...
    end: moves 3 score 4 largest 4 over no

A record opens with the line `bitboard game 1` (1 is the version of the format). Lines `name: value` follow:
the rules (size is rows x columns; top the largest tile, two of which do not merge, or `none`: 131072 for
bitboard.Game, 32768 in records of older versions; spawn is face value:weight; start-tiles), the generator and
its seed, `start` with face values row by row, and tags of your own in between. After `moves:` each slide is one
token: the direction U R D L, the cell of the spawn in reading order from 0, a colon, and the exponent of the tile
(1 is a 2, 2 is a 4). `board` and `end` say where the game must arrive. Lines that are empty or start with `#` are
ignored. Any number of games may follow one another. The seed says how the game goes on; the moves hold every spawn,
whoever chose it.

Reading plays every slide and checks every spawn; what is impossible is a ValueError that names the line and the
move. A record without its `end` line broke off: it gives the game up to the last whole move, and its `cut` says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ..core import check
from ..grid.slides import SIDE
from ..tools import checks
from .rules import Rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .base import GameBase

    Make = Callable[[Rules, int, list[list[int]]], Any]
else:
    GameBase = Any  # found by typing.get_type_hints()

FIRST_LINE = "bitboard game 1"
_OURS = ("size", "top", "spawn", "start-tiles", "generator", "seed", "start", "moves", "board", "end")
_TOKEN = re.compile(r"([URDL])([0-9]{1,4}):([0-9]{1,2})")
_CUT_TOKEN = re.compile(r"[URDL]([0-9]{1,4}(:[0-9]{0,2})?)?")
_TAG = re.compile(r"([a-z][a-z0-9-]{0,31}):(?: (.*))?")
_MOVES_A_LINE = 16


def write(game: GameBase, **tags: object) -> str:
    """The record of a game, ending in a newline.

    tags: what else it should say (agent="greedy"; underscores become hyphens); they join the game's `tags`.
    Raises ValueError for a tag that is not a single line of at most 1000 printable characters or whose name is
    not a-z, 0-9 and hyphens, belongs to the format or is given twice; TypeError for a name that is not a str.
    """
    rules = game.rules
    lines = [
        FIRST_LINE,
        f"size: {rules.rows}x{rules.columns}",
        f"top: {2**rules.top}",
        f"spawn: {rules.spawn_text()}",
        f"start-tiles: {rules.start_tiles}",
        "generator: splitmix64",
        f"seed: {game.seed}",
    ]
    lines += [f"{name}: {text}" for name, text in {**_named(game.tags), **_named(tags)}.items()]
    tokens = [f"{'URDL'[d]}{cell}:{exponent}" for d, cell, exponent in game.history]
    lines += [f"start: {_board_text(game, 0)}", "moves:"]
    lines += [" ".join(tokens[i : i + _MOVES_A_LINE]) for i in range(0, len(tokens), _MOVES_A_LINE)]
    lines += [f"board: {_board_text(game, -1)}", f"end: {_result_text(game)}", ""]
    return "\n".join(lines)


def _named(tags: Mapping[Any, object]) -> dict[str, str]:
    """Tags by the names that a record gives them, checked."""
    named: dict[str, str] = {}
    for key, value in tags.items():
        if not isinstance(key, str):
            raise TypeError(f"a tag's name must be a str, not {type(key).__name__}")
        name, text = key.replace("_", "-"), str(value)
        if not _TAG.fullmatch(f"{name}:") or name in _OURS:
            raise ValueError(f"a tag's name must be a-z, 0-9 and hyphens and none of {', '.join(_OURS)}; got {key!r}")
        if name in named:
            raise ValueError(f"the tag {name} is given twice")
        _check_tag(name, text)
        named[name] = text
    return named


def _check_tag(name: str, text: str) -> None:
    """Raise ValueError for what a tag cannot say, in writing and in reading."""
    if not text.isprintable() or text != text.strip() or not 1 <= len(text) <= 1000:
        raise ValueError(f"the tag {name} must be one line of 1 to 1000 printable characters, got {text[:60]!r}")


def _board_text(game: GameBase, position: int) -> str:
    """The face values of a position: spaces in a row, slashes between rows."""
    return " / ".join([" ".join(map(str, row)) for row in game._grid(game._boards[position])])


def _result_text(game: GameBase) -> str:
    over = "yes" if game.over else "no"
    return f"moves {game.moves} score {game.score} largest {game.largest} over {over}"


def games_of(text: str, make: Make, errors: str = "raise") -> list[Any]:
    """The games of a text, each begun by make(rules, seed, grid of face values) and then played.

    errors: "raise" the ValueError of the first damaged record, which names the line and the move, or "return" each in
    the place of its game. Raises ValueError for a text without any record, TypeError for what is not a str.
    """
    if errors not in ("raise", "return"):
        raise ValueError(f"errors must be raise or return, got {checks.shown(errors)}")
    if not isinstance(text, str):
        raise TypeError(f"a record must be a str, not {type(text).__name__}")
    lines = [line.rstrip("\r") for line in text.removeprefix("\ufeff").split("\n")]
    starts = [i for i, line in enumerate(lines) if line == FIRST_LINE]
    games: list[Any] = []
    for number, line in enumerate(lines[: starts[0]] if starts else lines, 1):
        if line.strip() and not line.startswith("#"):
            wrong = ValueError(f"line {number}: a record starts with the line {FIRST_LINE!r}, not {line[:40]!r}")
            if errors == "raise" or not starts:
                raise wrong
            games.append(wrong)  # what stands before the first record may be the end of another one
            break
    lost = ""  # a record before the first game that has no move
    for start, stop in zip(starts, [*starts[1:], len(lines)], strict=False):
        try:
            games.append(_Reader(lines[start:stop], start + 1, stop == len(lines), make).game())
        except _EndsEarly as error:
            whole = _whole(games)
            if whole:
                whole[-1].cut = whole[-1].cut or str(error)
            elif stop < len(lines):
                lost = lost or str(error)
            elif errors == "raise":
                raise
            else:
                games.append(error)
        except ValueError as error:
            if errors == "raise":
                raise
            games.append(error)
    for game in _whole(games)[:1] if lost else []:
        game.cut = game.cut or lost
    return games


def _whole(games: list[Any]) -> list[Any]:
    """The games without the errors in the places of others."""
    return [game for game in games if not isinstance(game, ValueError)]


def one_of(text: str, make: Make) -> Any:
    """The game of a text that holds one. Raises as games_of(), and ValueError for no or several games."""
    try:
        games = games_of(text, make)
    except ValueError:
        several = sum(line.rstrip("\r") == FIRST_LINE for line in text.split("\n"))
        if several > 1:
            raise ValueError(f"the text must hold one game, got {several}") from None
        raise
    if len(games) != 1:
        raise ValueError(f"the text must hold one game, got {len(games)}")
    return games[0]


class _EndsEarly(ValueError):
    """A record without a line `moves:`."""


class _Reader:
    """One game of a text: its lines, the first of them the opening line."""

    def __init__(self, lines: list[str], first: int, last: bool, make: Make) -> None:
        self.lines, self.first, self.last, self.make = lines, first, last, make
        self.at = 0  # index of the line in work
        said = [at for at, line in enumerate(lines) if line.strip() and not line.startswith("#")]
        self.end = said[-1]  # index of the last line that says something

    def _error(self, what: str) -> ValueError:
        return ValueError(f"line {self.first + self.at}: {what}")

    def _next(self) -> Iterator[str]:
        """The lines after the opening one that say something."""
        for at in range(1, len(self.lines)):
            self.at, line = at, self.lines[at]
            if line.strip() and not line.startswith("#"):
                yield line

    def _broken_off(self) -> bool:
        """Whether nothing of this game comes after this line: it may have been cut in the middle."""
        return self.at == self.end

    def _open_ended(self) -> bool:
        """Whether the text ends in this line, without a newline."""
        return self.last and self.at == len(self.lines) - 1

    def game(self) -> Any:
        lines = self._next()
        header = self._header(lines)
        game = self._start(header)
        game.tags = {name: value.strip() for name, (value, _) in header.items() if name not in _OURS}
        for name, text in game.tags.items():
            self.at = header[name][1]
            try:
                _check_tag(name, text)
            except ValueError as error:
                raise self._error(str(error)) from None
        closing: dict[str, tuple[str, int]] = {}
        for line in lines:
            if len(closing) < 2 and line.startswith(("board: ", "end: ")[len(closing)]):
                name, _, value = line.partition(": ")
                closing[name] = value, self.at
            elif self._broken_off() and ("board: ", "end: ", FIRST_LINE)[len(closing)].startswith(line):
                break
            elif closing:
                raise self._error(f"{line[:40]!r} after the moves; `board:` and then `end:` come there, once each")
            elif not self._moves(game, line):
                break
        else:
            self.at = -1  # every line was read
        self._compare(game, closing, whole=len(closing) == 2 and self.at < 0)
        return game

    def _header(self, lines: Iterator[str]) -> dict[str, tuple[str, int]]:
        """name -> (value, index of its line), up to the line `moves:`."""
        header: dict[str, tuple[str, int]] = {}
        for line in lines:
            if line == "moves:":
                missing = [name for name in _OURS[:7] if name not in header]
                if missing:
                    raise self._error(f"the record has no line `{missing[0]}:` before its moves")
                return header
            match = _TAG.fullmatch(line)
            if match is None or match[1] in ("moves", "board", "end"):
                if self._broken_off():
                    break
                raise self._error(f"{line[:40]!r} is no line `name: value` with a name of a-z, 0-9 and hyphens")
            name, value = match[1], match[2] or ""
            if name in header:
                raise self._error(f"a second line `{name}:`")
            header[name] = value, self.at
        raise _EndsEarly(f"line {self.first + self.at}: the record breaks off before its moves")

    def _start(self, header: dict[str, tuple[str, int]]) -> Any:
        """The game before its first move."""

        def part(name: str, pattern: str) -> re.Match[str]:
            value, self.at = header[name]
            match = re.fullmatch(pattern, value, re.ASCII)
            if match is None:
                raise self._error(f"{name} cannot be {value[:60]!r}")
            return match

        size = part("size", r"(\d{1,2})x(\d{1,2})")
        rows, columns = int(size[1]), int(size[2])
        if not (1 <= rows <= SIDE and 1 <= columns <= SIDE):
            raise self._error(f"size must be from 1x1 to {SIDE}x{SIDE}, got {size[0]}")
        top = part("top", r"none|\d{1,19}")[0]
        tiles = part("spawn", r"\d{1,19}:\d{1,10}( \d{1,19}:\d{1,10}){0,61}")[0].split()
        spawn = {int(tile.partition(":")[0]): int(tile.partition(":")[2]) for tile in tiles}
        if len(spawn) != len(tiles):
            raise self._error("spawn names a tile twice")
        start_tiles = int(part("start-tiles", r"\d{1,4}")[0])
        part("generator", "splitmix64")
        seed = int(part("seed", r"\d{1,20}")[0])
        if seed > check.WORD:
            raise self._error(f"seed must be at most 2**64 - 1, got {seed}")
        try:
            rules = Rules(rows, columns, spawn, start_tiles, None if top == "none" else int(top))
        except (TypeError, ValueError) as error:
            self.at = header["size"][1]
            raise self._error(f"the rules after this line are wrong: {error}") from None
        row = " ".join([r"\d{1,19}"] * columns)
        grid = [row.split() for row in part("start", " / ".join([row] * rows))[0].split(" / ")]
        try:
            return self.make(rules, seed, [[int(face) for face in row] for row in grid])
        except ValueError as error:
            raise self._error(str(error)) from None

    def _moves(self, game: GameBase, line: str) -> bool:
        """Play the tokens of a line; False where the record ends in the middle of one."""
        tokens = line.split(" ")
        for i, token in enumerate(tokens):
            match = _TOKEN.fullmatch(token)
            if i == len(tokens) - 1 and self._broken_off():
                cut = not token or _CUT_TOKEN.fullmatch(token)
                if cut and (match is None or self._open_ended() or self._may_go_on(game, match[3])):
                    return False
            if match is None:
                raise self._error(
                    f"move {game.moves + 1} is no direction, cell, colon and exponent such as L12:1: {token[:20]!r}"
                )
            try:
                game.move(match[1], (int(match[2]), int(match[3])))
            except ValueError as error:
                raise self._error(f"move {game.moves + 1} ({token}): {error}") from None
        return True

    @staticmethod
    def _may_go_on(game: GameBase, exponent: str) -> bool:
        """Whether the digits of an exponent may be the beginning of another that the rules spawn."""
        return any([str(k).startswith(exponent) and str(k) != exponent for k, _ in game.rules.spawn])

    def _compare(self, game: GameBase, closing: dict[str, tuple[str, int]], whole: bool) -> None:
        """Raise ValueError unless the moves arrive where the record says; where it broke off, say so in `cut`."""
        for name, found in (("board", _board_text(game, -1)), ("end", _result_text(game))):
            if name not in closing:
                continue
            said, self.at = closing[name]
            if said == found:
                continue
            if self._broken_off() and found.startswith(said):
                whole = False
            else:
                raise self._error(f"the record says `{name}: {said[:200]}`, but its moves give `{found}`")
        if not whole:
            self.at = len(self.lines) - 1 if self.last else self.end
            game.cut = f"line {self.first + self.at}: the record breaks off after move {game.moves}"
