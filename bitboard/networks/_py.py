"""Networks in pure Python: the same names as _c, and the same numbers to the last bit.

csrc/network_api.h fixes the order of the arithmetic: weights and errors are 32-bit floats, all between is a double.
"""

from __future__ import annotations

from array import array
from itertools import accumulate
from math import inf, nan

from ..core import _py, choose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

INTERRUPTIBLE = True  # whether Ctrl-C can come in the middle of a call
TRAIN_SLICE = 256  # slides in one call: about 0.2 s
UPDATE_SLICE = 256
PLAY_SLICE = 1
MANY_SLICE = 1 << 12

MOST = 134217728  # BB_NETWORK_MOST: an error that large has run away

_SLIDES = (
    (_py.move_up, _py.reward_columns),
    (_py.move_right, _py.reward_rows),
    (_py.move_down, _py.reward_columns),
    (_py.move_left, _py.reward_rows),
)


class Network:
    """A network over weights of the caller."""

    def __init__(self, masks: Sequence[int], starts: Sequence[int], measure: int) -> None:
        self._starts, self._measure = tuple(starts), measure
        self._patterns = []  # (offset, shifts of the cells, the last one first)
        self._entries = 0
        for mask in masks:
            shifts = [4 * bit for bit in range(16) if mask >> bit & 1]
            self._patterns.append((self._entries, tuple(enumerate(shifts))))
            self._entries += 16 ** len(shifts)
        self._weights: Any = array("f")
        self._errors: Any = None
        self._packed: dict[int, int] | None = None
        self._step = 0.0
        self.look_up_bytes = 0  # of the packed form
        self.changes = 0  # counted up after weights have changed: a search forgets what it knew by the old ones

    def set_weights(self, weights: memoryview) -> None:
        self._weights = weights
        self.changes += 1

    def set_errors(self, errors: memoryview | None) -> None:
        self._errors = errors

    def set_packed(self, gaps: memoryview, multiples: memoryview, step: float) -> bool:
        """Look entries up in packed form; False if the gaps lead past the end."""
        if 0 in gaps or sum(gaps) > len(self._starts) * self._entries:
            return False
        entries = map((-1).__add__, accumulate(gaps))  # the first gap is from -1
        self._packed, self._step = dict(zip(entries, multiples, strict=True)), step
        self.look_up_bytes = 110 * len(self._packed)  # an entry of a dict with its integer, about
        return True

    def indices(self, board: int) -> list[int]:
        """The entries of an afterstate: for each pattern the eight images."""
        images = []
        for flipped in (board, _py.flip_horizontal(board)):
            images += [flipped, _py.rotate_180(flipped)]
        board0, board2, board1, board3 = images
        four = (board0, board1, board2, board3)
        base = 0
        if len(self._starts) > 1:
            measure = _py.tile_sum(board) if self._measure else _py.max_exponent(board)
            base = self._entries * sum([measure >= start for start in self._starts[1:]])
        images = [*four, *map(_py.transpose, four)]
        found = []
        for offset, cells in self._patterns:
            for image in images:
                index = base + offset
                for place, shift in cells:
                    index += (image >> shift & 15) << 4 * place
                found.append(index)
        return found

    def _sum(self, found: list[int]) -> float:
        """The value of an afterstate by its entries."""
        if self._packed is not None:
            return self._step * float(sum([self._packed.get(index, 0) for index in found]))
        weights = self._weights
        s = [weights[index] for index in found[:8]]
        for p in range(8, len(found), 8):
            for x in range(8):
                s[x] += weights[found[p + x]]
        return float(((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7])))

    def value(self, board: int) -> float:
        return self._sum(self.indices(board))

    def values(self, board: int) -> tuple[float, ...]:
        return tuple([nan if after is None else value for value, after, _ in self.slides(board)])

    def slides(self, board: int) -> list[tuple[float, int | None, int]]:
        """For each direction its value, its afterstate (None if illegal) and its reward."""
        found: list[tuple[float, int | None, int]] = []
        for slide, reward in _SLIDES:
            after = slide(board)
            if after == board:
                found.append((-inf, None, 0))
            else:
                points = reward(board)
                found.append((points + self.value(after), after, points))
        return found

    def best(self, board: int) -> int:
        top, choice = -inf, -1
        for direction, (value, _, _) in enumerate(self.slides(board)):
            if value > top:
                top, choice = value, direction
        return choice

    def value_many(self, boards: memoryview, out: Any) -> None:
        for i, board in enumerate(boards):
            out[i] = self.value(board)

    def change(self, board: int, target: float, alpha: float) -> float | None:
        """Update an afterstate towards a target; its value then, None if it ran away and nothing was changed."""
        found, weights, errors = self.indices(board), self._weights, self._errors
        delta = target - self._sum(found)
        if not abs(delta) < MOST:
            return None
        d = delta / len(found)
        step, absolute = alpha * d, abs(d)
        self.changes += 1
        if errors is None:
            for index in found:
                weights[index] = weights[index] + step
            return self._sum(found)
        changes = []
        for index in found:
            e, a = errors[2 * index], errors[2 * index + 1]
            changes.append(None if a < 0 else (abs(e) / a if a else 1.0) * step)
        for index, change in zip(found, changes, strict=True):
            if change is not None:
                weights[index] = weights[index] + change
                errors[2 * index] = errors[2 * index] + d
                errors[2 * index + 1] = errors[2 * index + 1] + absolute
        return self._sum(found)

    def update(self, boards: memoryview, targets: memoryview, alpha: float) -> int:
        """One update a board, in order; how many were made."""
        for i, (board, target) in enumerate(zip(boards, targets, strict=True)):
            if self.change(board, target, alpha) is None:
                return i
        return len(boards)

    def play(self, seed: int, first: int, stop: int, finals: Sequence[memoryview]) -> None:
        """Play the games first .. stop - 1; write final boards, scores, lengths and largest exponents."""
        for game in range(first, stop):
            own = _py.stream(seed, game)
            board = _py.first_board(own)
            score = length = 0
            while True:
                slides = self.slides(board)
                _, after, reward = max(slides, key=lambda slide: slide[0])  # the first of equals
                if after is None:
                    break
                score += reward
                board = _py.next_board(after, own, length)
                length += 1
            for out, number in zip(finals, (board, score, length, _py.max_exponent(board)), strict=True):
                out[game] = number

    def hasten(self, first: int, stop: int) -> None:
        """Let the rates of these entries change ten times as fast as they did."""
        errors = self._errors
        assert errors is not None
        for i in range(2 * first, 2 * stop):
            errors[i] *= 0.1

    def _is_met(self, entry: int) -> bool:
        """Whether a board of the entry's stage can have it, none of its tiles leading to the next stage."""
        stage, within = divmod(entry, self._entries)
        if stage + 1 == len(self._starts):
            return True
        start = self._starts[stage + 1]
        beyond = next((k for k in range(1, 16) if 2**k >= start), 16) if self._measure else start
        offset, cells = max(pattern for pattern in self._patterns if pattern[0] <= within)
        return all((within - offset) >> 4 * place & 15 < beyond for place, _ in cells)

    def shrink(self, keep: int) -> int:
        """Keep the entries that matter, all others absent; how many were kept."""
        weights, errors = self._weights, self._errors
        assert errors is not None
        worth = array("f", [0.0])
        ranked = []
        for index in range(len(weights)):
            a = errors[2 * index + 1]
            worth[0] = a * abs(weights[index]) if a > 0 and self._is_met(index) else 0.0
            if worth[0]:
                ranked.append((-worth[0], index))
        kept = {index for _, index in sorted(ranked)[:keep]}
        for index in range(len(weights)):
            if index not in kept:
                weights[index] = errors[2 * index] = 0.0
                errors[2 * index + 1] = -1.0
        self.changes += 1
        return len(kept)

    def pack(self, step: float) -> tuple[array[int], array[int]] | None:
        """Gaps between the entries that are not 0, and their multiples of step; None if one is too large."""
        gaps, multiples, before = array("I"), array("h"), -1
        for index, weight in enumerate(self._weights):
            if weight:
                if not abs(weight / step) < 32767.5:
                    return None
                multiple = round(weight / step)
                if not -32767 <= multiple <= 32767:
                    return None
                if multiple:
                    gaps.append(index - before)
                    multiples.append(multiple)
                    before = index
        return gaps, multiples


class _Lane:
    """One of the games that are played in turn."""

    board = stream = spawns = score = moves = restarted = 0

    def __init__(self) -> None:
        self.record: list[tuple[int, int]] = []  # of the game so far: afterstates and rewards


class Trainer:
    """Games in turn that a network learns from."""

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
        self._starts, self._start_lanes = starts, start_lanes
        self._network, self._seed, self._stride, self._alpha = network, seed, stride, alpha
        self._lambda, self._least, self._next, self._turn = decay, least, first, 0
        self._done = [0] * 6
        self._reached = [0] * 16
        self._lanes = [_Lane() for _ in range(lanes)]
        for i in range(lanes):
            self._new_game(i)

    def _new_game(self, i: int) -> None:
        lane = self._lanes[i]
        lane.stream = own = _py.stream(self._seed, self._next)
        self._next += self._stride
        lane.score, lane.moves, lane.record = 0, 0, []
        if i < self._start_lanes:
            lane.board = self._starts[choose(_py.random64(own, 0), len(self._starts))]
            lane.spawns, lane.restarted = 1, 1
        else:
            lane.board = _py.first_board(own)
            lane.spawns, lane.restarted = 2, 0

    def _finish(self, i: int) -> None:
        """The game of lane i is over: count it, and begin the next."""
        lane = self._lanes[i]
        half = len(lane.record) // 2
        if not lane.restarted:
            self._done[2] += 1
            self._done[4] += lane.score
            self._done[5] += lane.moves
            for k in range(_py.max_exponent(lane.board) + 1):
                self._reached[k] += 1
        if self._least and half >= self._least:
            self._done[3] += 1
            lane.restarted, lane.record = 1, [lane.record[half]]
            self._spawn(lane, lane.record[0][0])
        else:
            self._new_game(i)

    @staticmethod
    def _spawn(lane: _Lane, after: int) -> None:
        lane.board = _py.spawn(after, _py.random64(lane.stream, lane.spawns))
        lane.spawns += 1

    def _learn(self, board: int, target: float) -> float | None:
        after = self._network.change(board, target, self._alpha)
        if after is not None:
            self._done[1] += 1
        return after

    def _backward(self, record: list[tuple[int, int]]) -> bool:
        """Update a finished game from its end; False if it ran away."""
        target = 0.0
        following, points = 0.0, None
        for after, reward in reversed(record):
            if points is not None:
                target = points + ((1 - self._lambda) * following + self._lambda * target)
            points = reward
            value = self._learn(after, target)
            if value is None:
                return False
            following = value
        return True

    def run(self, moves: int) -> bool:
        """Make so many slides; False if the learning ran away."""
        forward = self._lambda < 0
        for _ in range(moves):
            lane = self._lanes[self._turn]
            best, after, reward = max(self._network.slides(lane.board), key=lambda slide: slide[0])
            if after is None:
                return False
            if forward and lane.record and self._learn(lane.record[-1][0], best) is None:
                return False
            lane.record.append((after, reward))
            lane.score += reward
            lane.moves += 1
            self._done[0] += 1
            self._spawn(lane, after)
            while not _py.legal_moves(lane.board):
                if forward:
                    if lane.record and self._learn(lane.record[-1][0], 0.0) is None:
                        return False
                elif not self._backward(lane.record):
                    return False
                self._finish(self._turn)
            self._turn = (self._turn + 1) % len(self._lanes)
        return True

    def done(self) -> tuple[int, ...]:
        """Moves, updates, games, restarts, sums of scores and lengths, and 16 counts of games that reached a tile."""
        return (*self._done, *self._reached)

    def state(self) -> array[int]:
        """Numbers to go on from, as C writes them."""
        out = array("Q", [len(self._lanes), self._turn, *self._done, self._next, 0, *self._reached])
        for lane in self._lanes:
            head = (lane.board, lane.stream, lane.spawns, lane.score, lane.moves, lane.restarted, len(lane.record))
            out.extend(head)
            for after, reward in lane.record:
                out.extend((after, reward))
        return out

    def restore(self, state: array[int]) -> bool:
        """Go on from a state; False if it is none of such a trainer."""
        if len(state) < 26 or state[0] != len(self._lanes) or state[1] >= state[0]:
            return False
        at, lanes = 26, []
        for _ in self._lanes:
            if len(state) < at + 7 or (len(state) - at - 7) // 2 < state[at + 6]:
                return False
            lane = _Lane()
            lane.board, lane.stream, lane.spawns, lane.score, lane.moves, lane.restarted = state[at : at + 6]
            stop = at + 7 + 2 * state[at + 6]
            lane.record = list(zip(state[at + 7 : stop : 2], state[at + 8 : stop : 2], strict=True))
            lanes.append(lane)
            at = stop
        if at != len(state):
            return False
        self._lanes, self._turn, self._next = lanes, state[1], state[8]
        self._done, self._reached = list(state[2:8]), list(state[10:26])
        return True
