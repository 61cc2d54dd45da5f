"""Networks in the C core: csrc/network_api.h has the definitions. Every argument has been checked by the caller.

The GIL is released while C runs.
"""

from __future__ import annotations

from array import array

from ..core.ffi import CPU, ffi, lib, words, words_out
from ..tools import pages

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

INTERRUPTIBLE = False  # whether Ctrl-C can come in the middle of a call
TRAIN_SLICE = 65536  # slides in one call: 20 to 100 ms
UPDATE_SLICE = 16384
PLAY_SLICE = 8
MANY_SLICE = 1 << 16


class Network:
    """A network over weights of the caller; `pointer` is what C functions take."""

    def __init__(self, masks: Sequence[int], starts: Sequence[int], measure: int) -> None:
        self.pointer = ffi.new("bb_network *")
        lib.bb_network_init(self.pointer, len(masks), masks, len(starts), measure, starts)
        self.look_up_bytes = 0  # of the packed form
        self._kept: list[Any] = []  # what C points to, or did: another thread may still be reading that

    def set_weights(self, weights: memoryview) -> None:
        self.pointer.weights = self._alive(ffi.from_buffer("float[]", weights))
        self.pointer.changes += 1  # a search forgets what it knew by other weights

    def set_errors(self, errors: memoryview | None) -> None:
        self.pointer.errors = ffi.NULL if errors is None else self._alive(ffi.from_buffer("float[]", errors))

    def set_packed(self, gaps: memoryview, multiples: memoryview, step: float) -> bool:
        """Look entries up in packed form; False if the gaps lead past the end."""
        entries, places = self.pointer.stages * self.pointer.entries, ffi.from_buffer("uint32_t[]", gaps)
        blocks = ffi.from_buffer("uint64_t[]", pages.zeros((entries + 1023) // 1024 * 8))
        numbers = lib.bb_network_blocks(self.pointer, places, len(gaps), blocks)
        if not numbers:
            return False
        found = ffi.from_buffer("int16_t[]", pages.zeros(2 * numbers))
        lib.bb_network_unpack(blocks, places, ffi.from_buffer("int16_t[]", multiples), len(gaps), found)
        self.pointer.weights = ffi.NULL
        self.pointer.blocks, self.pointer.multiples, self.pointer.step = self._alive(blocks), self._alive(found), step
        self.look_up_bytes = 8 * len(blocks) + 2 * numbers
        return True

    def _alive(self, array: Any) -> Any:
        self._kept.append(array)
        return array

    def value(self, board: int) -> float:
        return lib.bb_network_value(self.pointer, board)  # type: ignore[no-any-return]

    def values(self, board: int) -> tuple[float, ...]:
        out = ffi.new("double[4]")
        lib.bb_network_values(self.pointer, board, out)
        return tuple(out)

    def best(self, board: int) -> int:
        return lib.bb_network_best(self.pointer, board)  # type: ignore[no-any-return]

    def value_many(self, boards: memoryview, out: memoryview) -> None:
        to = ffi.from_buffer("double[]", out, require_writable=True)
        lib.bb_network_value_many(CPU, self.pointer, words(boards), to, len(boards))

    def update(self, boards: memoryview, targets: memoryview, alpha: float) -> int:
        """One update a board, in order; how many were made."""
        aims = ffi.from_buffer("double[]", targets)
        return lib.bb_network_update(CPU, self.pointer, words(boards), aims, len(boards), alpha)  # type: ignore[no-any-return]

    def play(self, seed: int, first: int, stop: int, finals: Sequence[memoryview]) -> None:
        """Play the games first .. stop - 1; write final boards, scores, lengths and largest exponents."""
        kinds = ("int64_t[]", "int32_t[]", "uint8_t[]")
        outs = [ffi.from_buffer(k, b, require_writable=True) for k, b in zip(kinds, finals[1:], strict=True)]
        if lib.bb_network_play(CPU, self.pointer, seed, first, stop, words_out(finals[0]), *outs):
            raise MemoryError("no memory to play games")

    def hasten(self, first: int, stop: int) -> None:
        """Let the rates of these entries change ten times as fast as they did."""
        lib.bb_network_hasten(self.pointer, first, stop)

    def shrink(self, keep: int) -> int:
        """Keep the entries that matter, all others absent; how many were kept."""
        return lib.bb_network_shrink(self.pointer, keep)  # type: ignore[no-any-return]

    def pack(self, step: float) -> tuple[array[int], array[int]] | None:
        """Gaps between the entries that are not 0, and their multiples of step; None if one is too large."""
        n = lib.bb_network_pack(self.pointer, step, ffi.NULL, ffi.NULL)
        if n == 2 ** (8 * ffi.sizeof("size_t")) - 1:
            return None
        gaps, multiples = array("I", bytes(4 * n)), array("h", bytes(2 * n))
        outs = ffi.from_buffer("uint32_t[]", gaps), ffi.from_buffer("int16_t[]", multiples)
        lib.bb_network_pack(self.pointer, step, *outs)
        return gaps, multiples


class Trainer:
    """Games in turn that a network learns from; several trainers may share one network."""

    def __init__(
        self,
        network: Network,
        seed: int,
        first: int,
        stride: int,
        alpha: float,
        decay: float,
        lanes: int,
        least: int,
        starts: array[int],
        start_lanes: int,
    ) -> None:
        self._network, self._starts = network, starts  # kept alive
        given = {"seed": seed, "first": first, "stride": stride, "alpha": alpha, "lambda": decay, "least": least}
        boards = {"starts": words(starts), "start_count": len(starts), "start_lanes": start_lanes} if starts else {}
        training = ffi.new("struct bb_training *", {**given, "lanes": lanes, **boards})
        made = lib.bb_trainer_new(network.pointer, training)
        if made == ffi.NULL:
            raise MemoryError("no memory to learn from games")
        self._trainer = ffi.gc(made, lib.bb_trainer_free)

    def run(self, moves: int) -> bool:
        """Make so many slides; False if the learning ran away."""
        code = lib.bb_trainer_run(CPU, self._trainer, moves, ffi.NULL)
        if code == lib.BB_NETWORK_NO_MEMORY:
            raise MemoryError("no memory for the afterstates of a game")
        return bool(code == lib.BB_NETWORK_OK)

    def done(self) -> tuple[int, ...]:
        """Moves, updates, games, restarts, sums of scores and lengths, and 16 counts of games that reached a tile."""
        done = lib.bb_trainer_done(self._trainer)
        head = (done.moves, done.updates, done.games, done.restarts, done.sum_scores, done.sum_lengths)
        return (*head, *done.reached)

    def state(self) -> array[int]:
        """Numbers to go on from."""
        out = array("Q", bytes(8 * lib.bb_trainer_state_size(self._trainer)))
        lib.bb_trainer_state(self._trainer, words_out(out))
        return out

    def restore(self, state: array[int]) -> bool:
        """Go on from a state; False if it is none of such a trainer."""
        return bool(lib.bb_trainer_restore(self._trainer, words(state), len(state)) == lib.BB_NETWORK_OK)
