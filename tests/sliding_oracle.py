"""Sliding puzzles for the tests alone: tuples of tiles, breadth-first search; shares nothing with the package."""

from functools import cache

STEPS = {"U": (-1, 0), "R": (0, 1), "D": (1, 0), "L": (0, -1)}


def step(tiles, size, letter):
    """The tiles after the blank goes one way, or None at the border."""
    rows, cols = size
    blank = tiles.index(0)
    row, col = blank // cols + STEPS[letter][0], blank % cols + STEPS[letter][1]
    if not (0 <= row < rows and 0 <= col < cols):
        return None
    after = list(tiles)
    after[blank], after[row * cols + col] = after[row * cols + col], 0
    return tuple(after)


def replay(tiles, size, letters):
    """Every arrangement on the way; an assertion fails at an impossible move."""
    on_the_way = [tuple(tiles)]
    for letter in letters:
        on_the_way.append(step(on_the_way[-1], size, letter))
        assert on_the_way[-1] is not None, letters
    return on_the_way


def distances(goal, size, furthest=10**9):
    """{tiles: moves to the goal} for all arrangements, or those at most so far away; searched once, not to be changed."""
    return _distances(tuple(goal), size, furthest)


@cache
def _distances(goal, size, furthest):
    found = {goal: 0}
    level, depth = [goal], 0
    while level and depth < furthest:
        depth += 1
        ahead = []
        for tiles in level:
            for letter in STEPS:
                after = step(tiles, size, letter)
                if after is not None and after not in found:
                    found[after] = depth
                    ahead.append(after)
        level = ahead
    return found


def pack(tiles):
    """The tiles as 64 bits, written out: one hexadecimal digit each, padded with zeros."""
    return int("".join(f"{tile:x}" for tile in tiles).ljust(16, "0"), 16)


def numbers(text):
    """The tiles of a text of numbers."""
    return tuple(int(word) for word in text.split())
