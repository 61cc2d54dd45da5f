"""What a game of any size and rules is: positions, score, moves, undo. Base of bitboard.Game and bitboard.grid.Game.

A game is its rules, its seed, its start board and its moves. Number i of the seed's stream (random64) makes
the spawn of slide number i - 2, so a game undone and played again meets the same tiles, and a copied or
unpickled game goes on as the original would. Numbers 0 and 1 are for the tiles at the start (more start
tiles take the next ones, and the slides the ones after them).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, ClassVar, SupportsIndex, TypeVar

from ..core import check, choose, random64
from ..tools import checks, copies
from ..tools.words import counted
from . import picture
from . import text as text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .rules import Rules
else:
    Rules = Any  # found by typing.get_type_hints()

Self = TypeVar("Self", bound="GameBase")

_LETTERS = "URDL"


def new_seed() -> int:
    """A seed from the operating system."""
    from os import urandom

    return int.from_bytes(urandom(8), "little")


class GameBase:
    """The part of a game that does not depend on how a board is stored. Use bitboard.Game or bitboard.grid.Game."""

    __slots__ = ("_boards", "_moves", "_scores", "cut", "rules", "seed", "tags")

    __hash__: ClassVar[None]  # type: ignore[assignment]  # games change, so they have no hash

    rules: Rules
    seed: int
    tags: dict[str, str]  # what a record says beside the game, such as who played
    cut: str  # where the record broke off that this game was read from; "" if it did not

    def _begin(self, rules: Rules, seed: SupportsIndex | None) -> None:
        """Set everything but the first board."""
        self.rules = rules
        self.seed = new_seed() if seed is None else check.word(seed, "seed")
        self.tags = {}
        self.cut = ""
        self._moves: list[int] = []  # direction << 16 | cell << 6 | exponent
        self._scores = [0]
        self._boards: list[Any] = []

    # What a way of storing boards must offer; `board` is a stored one.

    def _slide(self, board: Any, direction: int) -> tuple[Any, int]:
        """The afterstate and the reward; the same board where the slide is illegal."""
        raise NotImplementedError

    def _place(self, board: Any, cell: int, exponent: int) -> Any:
        """The board with a tile in an empty cell."""
        raise NotImplementedError

    def _exponents(self, board: Any) -> list[int]:
        """The exponents of all cells in reading order."""
        raise NotImplementedError

    def _shown(self, board: Any) -> Any:
        """The board as people get it."""
        raise NotImplementedError

    # The position

    @property
    def board(self) -> Any:
        """The board now."""
        return self._shown(self._boards[-1])

    @property
    def grid(self) -> list[list[int]]:
        """The rows of exact face values now, new lists."""
        return self._grid(self._boards[-1])

    def _grid(self, board: Any) -> list[list[int]]:
        """The rows of face values of a stored board."""
        faces = [2**exponent if exponent else 0 for exponent in self._exponents(board)]
        return [faces[r : r + self.rules.columns] for r in range(0, len(faces), self.rules.columns)]

    def _grids(self) -> list[list[list[int]]]:
        """The grid of every position."""
        return [self._grid(board) for board in self._boards]

    @property
    def score(self) -> int:
        """The points so far: the sum of all rewards."""
        return self._scores[-1]

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of every position."""
        return tuple(self._scores)

    @property
    def moves(self) -> int:
        """The number of slides made."""
        return len(self._moves)

    @property
    def history(self) -> tuple[tuple[int, int, int], ...]:
        """Every slide: (direction, cell of the spawn in reading order, its exponent)."""
        return tuple([(move >> 16, move >> 6 & 1023, move & 63) for move in self._moves])

    @property
    def legal(self) -> int:
        """The legal directions: bit d is set where a slide in direction d changes the board."""
        board = self._boards[-1]
        return sum([1 << d for d in range(4) if self._slide(board, d)[0] != board])

    @property
    def over(self) -> bool:
        """Whether no direction is legal."""
        return not self.legal

    @property
    def largest(self) -> int:
        """The face value of the largest tile now; 0 on an empty board."""
        exponent = max(self._exponents(self._boards[-1]))
        return 2**exponent if exponent else 0

    @property
    def saturated(self) -> bool:
        """Whether two tiles of the largest value that the rules know lie side by side or with a gap between.

        They would merge in a game without that limit; here they do not.
        """
        cells, columns, top = self._exponents(self._boards[-1]), self.rules.columns, self.rules.top
        lines = [cells[r : r + columns] for r in range(0, len(cells), columns)]
        lines += [cells[c::columns] for c in range(columns)]
        for line in lines:
            tiles = [cell for cell in line if cell]
            if any(a == b == top for a, b in pairwise(tiles)):
                return True
        return False

    def _position(self, move: int) -> picture.Position:
        """What a picture shows of the position after so many slides."""
        rules, cells = self.rules, self._exponents(self._boards[move])
        spawned, merged = None, []
        if move:
            direction, spawned, _ = self.history[move - 1]
            before = self._exponents(self._boards[move - 1])
            merged = picture.merged_cells(rules.rows, rules.columns, before, direction, rules.top)
        caption = f"move {move}, score {self._scores[move]}"
        return picture.Position(rules.rows, rules.columns, cells, spawned, merged, caption)

    def __iter__(self) -> Iterator[Any]:
        """Every position: the start board, then the board after each slide and its spawn."""
        return iter([self._shown(board) for board in self._boards])

    # Play

    def move(self, direction: SupportsIndex | str, spawn: tuple[int, int] | None = None) -> int:
        """Slide, let a tile spawn, and return the reward.

        direction: as for bitboard.move(). spawn: (cell in reading order from 0, exponent) follows a game seen
        elsewhere instead of the game's own random numbers; its exponent must be one that the rules spawn.
        Raises ValueError for an unknown or illegal direction, for a cell that is not empty or not there,
        and for an exponent that never spawns; TypeError for a spawn of another form. Then nothing has changed.
        """
        number = check.direction(direction)
        before = self._boards[-1]
        after, reward = self._slide(before, number)
        if after == before:
            raise ValueError(f"illegal: sliding {check.DIRECTION_NAMES[number]} changes nothing; {self._legal_text()}")
        cell, exponent = self._own_spawn(after, len(self._moves)) if spawn is None else self._checked(after, spawn)
        self._push(number, cell, exponent, reward, self._place(after, cell, exponent))
        return reward

    def undo(self, moves: SupportsIndex = 1) -> None:
        """Take back the last slides. Raises ValueError if fewer were made."""
        number = checks.integer(moves, "moves", 0)
        if number > len(self._moves):
            raise ValueError(f"moves must be at most the {len(self._moves)} slides made, got {number}")
        if number:
            del self._moves[-number:], self._scores[-number:], self._boards[-number:]

    def copy(self: Self) -> Self:
        """A game that goes on by itself, with the same past, seed and rules."""
        twin = object.__new__(type(self))
        twin.rules, twin.seed, twin.cut, twin.tags = self.rules, self.seed, self.cut, dict(self.tags)
        twin._moves, twin._scores, twin._boards = self._moves[:], self._scores[:], self._boards[:]
        if type(self).__basicsize__ > GameBase.__basicsize__ or hasattr(self, "__dict__"):  # else nothing was added
            copies.restore(twin, copies.added(self, GameBase.__slots__))
        return twin

    __copy__ = copy

    def __eq__(self, other: object) -> bool:
        """Whether rules, seed, start board and moves are the same; tags do not count."""
        if not isinstance(other, GameBase):
            return NotImplemented
        return (type(self), self.rules, self.seed, self._boards[0], self._moves) == (
            type(other),
            other.rules,
            other.seed,
            other._boards[0],
            other._moves,
        )

    def _push(self, direction: int, cell: int, exponent: int, reward: int, board: Any) -> None:
        self._moves.append(direction << 16 | cell << 6 | exponent)
        self._scores.append(self._scores[-1] + reward)
        self._boards.append(board)

    def _own_spawn(self, after: Any, index: int) -> tuple[int, int]:
        """The cell and the exponent that slide number `index` of this game spawns."""
        return self._spawn_by(max(2, self.rules.start_tiles) + index, after)

    def _spawn_by(self, number: int, board: Any) -> tuple[int, int]:
        """The cell and the exponent that a number of the seed's stream spawns."""
        random = random64(self.seed, number)
        empty = [cell for cell, exponent in enumerate(self._exponents(board)) if not exponent]
        return empty[choose(random, len(empty))], self.rules.draw(random)

    def _checked(self, after: Any, spawn: Any) -> tuple[int, int]:
        """The cell and the exponent of a spawn that was given."""
        try:
            cell, exponent = spawn
        except (TypeError, ValueError):
            raise TypeError(f"spawn must be a pair (cell, exponent), got {spawn!r}") from None
        cell = checks.integer(cell, "the cell of spawn", 0, self.rules.rows * self.rules.columns - 1)
        exponent = checks.integer(exponent, "the exponent of spawn", 1, self.rules.top)
        if self._exponents(after)[cell]:
            raise ValueError(f"the cell of spawn must be empty after the slide; cell {cell} is not")
        allowed = [k for k, _ in self.rules.spawn]
        if exponent not in allowed:
            raise ValueError(f"the exponent of spawn must be one of {allowed}, got {exponent}")
        return cell, exponent

    def _legal_text(self) -> str:
        letters = [letter for d, letter in enumerate(_LETTERS) if self.legal >> d & 1]
        return f"legal are {' '.join(letters)}" if letters else "the game is over"

    # Text

    def record(self, **tags: object) -> str:
        """The game as text, to be kept, sent and replayed; the format is described in bitboard.record.

        tags: what else the record should say, such as agent="greedy"; they join the game's own `tags`.
        Raises ValueError for a tag that is not a single line or has the name of a part of the format.
        """
        return text_of.write(self, **tags)

    @classmethod
    def from_record(cls: type[Self], text: str) -> Self:
        """The game of a record, every slide and spawn checked.

        A record that breaks off in the middle gives the game up to its last whole move, a UserWarning, and the
        place in `cut`. A subclass whose __init__ does not take the arguments of this class is made without it.
        Raises ValueError that names line and move where something is impossible or misspelt, for no or several
        games and for other rules than this class plays; TypeError for what is not a str.
        """
        game: Self = text_of.one_of(text, cls._make)
        if game.cut:
            import warnings

            warnings.warn(game.cut, UserWarning, stacklevel=2)
        return game

    @classmethod
    def _make(cls, rules: Rules, seed: int, grid: list[list[int]]) -> Any:
        """A game of this class, for one that is read; ValueError for rules that it does not play."""
        raise NotImplementedError

    def _repr_svg_(self) -> str:
        """The picture of the board in a notebook, with the last spawn and merges marked."""
        return picture.svg(self)

    def __repr__(self) -> str:
        size = f"{self.rules.rows}x{self.rules.columns}"
        state = ", over" if self.over else ""
        moves = counted(self.moves, "move")
        return f"<{type(self).__name__} {size}: {moves}, score {self.score}, largest {self.largest}{state}>"
