"""Expectimax by its definition: no cache, no tables of slides, one line of the definition a line here.

Slides, spawns and rewards are those of tests/oracle.py; a leaf is whatever `leaf(board)` says.
"""

import math
import random
from array import array
from typing import NamedTuple

import oracle


def grid_of(board):
    return oracle.of_hex(f"{board:016x}")


def board_of(grid):
    return int("".join(f"{max(face.bit_length() - 1, 0):x}" for row in grid for face in row), 16)


def slides(grid):
    """(direction, afterstate, reward) of each legal slide."""
    found = []
    for direction, letter in enumerate("URDL"):
        after, reward = oracle.slide(grid, letter)
        if after != grid:
            found.append((direction, after, reward))
    return found


class Rules(NamedTuple):
    """The options of a search; last_fours: where one layer is left a 4 takes it, as with a network."""

    reward_weight: float = 0.0
    over_value: float = 0.0
    four_layers: int = 1
    prune: float | None = None
    last_fours: bool = False


def kept(following, layers, leaf, rules):
    """Of the slides of a board those that are searched for so many layers more."""
    if layers < 2 or rules.prune is None:
        return following
    ahead = [rules.reward_weight * reward + mean(after, 1, leaf, rules) for _, after, reward in following]
    return [slide for slide, value in zip(following, ahead, strict=True) if value >= max(ahead) - rules.prune]


def mean(grid, depth, leaf, rules):
    """V(a, k) of an afterstate."""
    if depth == 0:
        return leaf(board_of(grid))
    total = weights = 0.0
    for r in range(4):
        for c in range(4):
            for tile, weight in ((2, 0.9), (4, 0.1)):
                layers = rules.four_layers if tile == 4 else 1
                if rules.last_fours:
                    layers = min(layers, depth)
                if grid[r][c] or layers > depth:
                    continue
                spawned = [row[:] for row in grid]
                spawned[r][c] = tile
                left = depth - layers
                following = [
                    rules.reward_weight * reward + mean(after, left, leaf, rules)
                    for _, after, reward in kept(slides(spawned), left, leaf, rules)
                ]
                total += weight * (max(following) if following else rules.over_value)
                weights += weight
    return total / weights


def values(board, depth, leaf, *rules, **named):
    """The values of U R D L, nan where illegal, by the Rules given one by one."""
    given = Rules(*rules, **named)
    result = [math.nan] * 4
    for direction, after, reward in slides(grid_of(board)):
        result[direction] = given.reward_weight * reward + mean(after, depth, leaf, given)
    return result


def close(found, wanted, relative=1e-9):
    """Whether two lists of values are the same, nan in the same places."""
    return len(found) == len(wanted) and all(
        (x != x and y != y) or math.isclose(x, y, rel_tol=relative, abs_tol=relative)
        for x, y in zip(found, wanted, strict=True)
    )


def some_boards(n, filled, seed, tiles=(1, 1, 1, 2, 2, 3, 4, 5, 9, 12)):
    """Boards with about a share of the cells filled, most of them with small tiles that merge."""
    generator = random.Random(seed)
    boards = []
    while len(boards) < n:
        digits = [generator.choice(tiles) if generator.random() < filled else 0 for _ in range(16)]
        boards.append(int("".join(f"{digit:x}" for digit in digits), 16))
    return boards


def leaf_of(values):
    """The function that sums 65,536 values over the rows and columns of a board."""

    def leaf(board):
        cells = [int(digit, 16) for digit in f"{board:016x}"]
        lines = [cells[4 * i : 4 * i + 4] for i in range(4)] + [cells[i::4] for i in range(4)]
        return math.fsum(values[a << 12 | b << 8 | c << 4 | d] for a, b, c, d in lines)

    return leaf


def uneven(seed, symmetric):
    """65,536 values without any order; those of a row and its mirror image equal if wanted."""
    generator = random.Random(seed)
    noise = array("d", [generator.gauss(0, 1) for _ in range(65536)])
    if symmetric:
        mirrored = [(r & 15) << 12 | (r & 0xF0) << 4 | (r & 0xF00) >> 4 | r >> 12 for r in range(65536)]
        return array("d", [noise[min(r, mirrored[r])] for r in range(65536)])
    return noise
