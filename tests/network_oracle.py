"""A plain n-tuple network on grids, written from DESIGN and csrc/network_api.h alone: slow, and to the bit."""

import struct

import oracle


def single(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def cells_of(board):
    return [board >> 60 - 4 * i & 15 for i in range(16)]


IMAGES = []
for x in range(8):
    order = list(range(16))
    if x & 1:
        order = [order[r * 4 + 3 - c] for r in range(4) for c in range(4)]
    if x & 2:
        order = order[::-1]
    if x & 4:
        order = [order[c * 4 + r] for r in range(4) for c in range(4)]
    IMAGES.append(order)


class Network:
    def __init__(self, patterns, coherence=True, stages=(), by_sum=False):
        self.patterns, self.coherence, self.stages, self.by_sum = patterns, coherence, stages, by_sum
        self.weights, self.errors, self.absolute = {}, {}, {}

    def keys(self, board):
        cells = cells_of(board)
        faces = [2**k if k else 0 for k in cells]
        measure = sum(faces) if self.by_sum else max(faces)
        stage = sum(measure >= face for face in self.stages)
        found = []
        for p, pattern in enumerate(self.patterns):
            places = sorted(int(c, 16) for c in pattern)
            found.append([(stage, p, *[cells[order[c]] for c in places]) for order in IMAGES])
        return found

    def value(self, board):
        s = [0.0] * 8
        for n, keys in enumerate(self.keys(board)):
            for x, key in enumerate(keys):
                w = self.weights.get(key, 0.0)
                s[x] = w if n == 0 else s[x] + w
        return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))

    def update(self, board, target, alpha):
        keys = [key for group in self.keys(board) for key in group]
        d = (target - self.value(board)) / len(keys)
        step = alpha * d
        rates = []
        for key in keys:
            e, a = self.errors.get(key, 0.0), self.absolute.get(key, 0.0)
            rates.append(abs(e) / a if a and self.coherence else 1.0)
        for key, rate in zip(keys, rates, strict=True):
            self.weights[key] = single(self.weights.get(key, 0.0) + (rate * step if self.coherence else step))
            self.errors[key] = single(self.errors.get(key, 0.0) + d)
            self.absolute[key] = single(self.absolute.get(key, 0.0) + abs(d))
        return self.value(board)


def pack(grid):
    return sum((face.bit_length() - 1 if face else 0) << 60 - 4 * i for i, face in enumerate(sum(grid, [])))


def slides(board):
    """(afterstate, reward) of each legal direction, in the order U R D L."""
    grid = oracle.of_hex(f"{board:016x}")
    made = [oracle.slide(grid, direction) for direction in "URDL"]
    return [(pack(slid), points) for slid, points in made if slid != grid]


def train(bitboard, network, seed, alpha, decay, lanes, least, moves, starts=(), start_lanes=0):
    """Learn from so many slides; streams and spawns are those of the package. decay None: while playing."""
    count = iter(range(moves))
    games = iter(range(moves))

    def game(late):
        while True:  # a full or late game and those that restart from its middle
            stream, k = bitboard.stream(seed, next(games)), 2
            board = bitboard.spawn(bitboard.spawn(0, bitboard.random64(stream, 0)), bitboard.random64(stream, 1))
            if late:
                board, k = starts[(bitboard.random64(stream, 0) >> 32) * len(starts) >> 32], 1
            record = []
            while True:
                options = slides(board)
                if not options:
                    if decay is None:
                        network.update(record[-1][0], 0.0, alpha)
                    else:
                        target = value = 0.0
                        for t in range(len(record) - 1, -1, -1):
                            if t < len(record) - 1:
                                target = record[t + 1][1] + ((1 - decay) * value + decay * target)
                            value = network.update(record[t][0], target, alpha)
                    half = len(record) // 2
                    if not least or half < least:
                        break
                    record = [record[half]]
                else:
                    yield
                    values = [reward + network.value(after) for after, reward in options]
                    best = values.index(max(values))
                    if decay is None and record:
                        network.update(record[-1][0], values[best], alpha)
                    record.append(options[best])
                board = bitboard.spawn(record[-1][0], bitboard.random64(stream, k))
                k += 1

    # In turn, each lane makes a slide and what follows from it before the next lane's; see the yield.
    lanes = [game(i < start_lanes) for i in range(lanes)]
    for lane in lanes:
        next(lane)
    turn = 0
    for _ in count:
        next(lanes[turn])
        turn = (turn + 1) % len(lanes)
