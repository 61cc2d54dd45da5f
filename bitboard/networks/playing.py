"""Many greedy games of a network."""

from __future__ import annotations

from collections.abc import Callable
from typing import SupportsIndex

from ..core import check, kernels_of, stream
from ..games.classic import Game
from ..many.playout import MOST_GAMES, Playouts
from ..tools import checks, parallel
from .network import NTupleNetwork

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import _py as kernels
else:
    kernels = kernels_of(__package__)

__all__ = ["play_games"]

TOP = 15  # the largest exponent of the kernel; two such tiles may have met


def play_games(
    network: NTupleNetwork,
    games: SupportsIndex,
    seed: SupportsIndex = 0,
    threads: SupportsIndex = 1,
    *,
    progress: Callable[[int], None] | None = None,
) -> Playouts:
    """Play whole games, in each the direction best(board): the games of bitboard.evaluate(network, games, seed).

    Game `index` has the stream S = stream(seed, index): numbers 0 and 1 give its two tiles, number 2 + k the spawn of
    slide k; so the result does not depend on `threads`, and more games begin with the same ones. The kernel holds
    tiles to 32768: a game that gets there is played again by bitboard.Game, to 131072 and with exact scores; its final
    board is the packed view, its largest exponent may be 16 or 17. progress: called with numbers of games as they
    finish. 2 to 4 million slides a second with the C core; Ctrl-C stops it.
    Raises TypeError for what is not a network, TypeError, ValueError and OverflowError for games, seed and threads.

    >>> import bitboard
    >>> result = bitboard.play_games(bitboard.NTupleNetwork("2x4"), 3, seed=1)
    >>> list(result.scores) == bitboard.evaluate(bitboard.NTupleNetwork("2x4"), 3, seed=1).scores
    True
    """
    if not isinstance(network, NTupleNetwork):
        raise TypeError(f"network must be a bitboard.NTupleNetwork, not {type(network).__name__}")
    n, word, k = checks.integer(games, "games", 0, MOST_GAMES), check.word(seed, "seed"), parallel.count(threads)
    result = Playouts(1, n, False)
    result.kind = "greedy"
    finals = [memoryview(x) for x in (result.final_boards, result.scores, result.lengths, result.max_exponents)]

    def work(start: int, stop: int) -> None:
        network._kernel.play(word, start, stop, finals)
        for index in range(start, stop):
            if finals[3][index] == TOP:
                for final, value in zip(finals, _whole_game(network, stream(word, index)), strict=True):
                    final[index] = value

    parallel.in_slices(work, n, kernels.PLAY_SLICE, k, progress)
    return result


def _whole_game(network: NTupleNetwork, seed: int) -> tuple[int, int, int, int]:
    """A game by the original's rule: final board, score, length and largest exponent."""
    game = Game(seed)
    while not game.over:
        game.move(network.best(game.board))
    return game.board, game.score, game.moves, game.largest.bit_length() - 1
