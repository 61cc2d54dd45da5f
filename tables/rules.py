"""The rule of 2048, written once: what one row does when it slides to the left.

Everything else in the project is derived from `slide_left`: the row tables are
made from it, both backends read those tables, and a slide to the right is the
mirror image of a slide to the left.
"""

import itertools

TOP = 15  # the largest exponent that a 4-bit cell holds: the tile 32768


def slide_left(row, top=TOP):
    """Slide one row of exponents to the left.

    row: a sequence of exponents, leftmost cell first; 0 is an empty cell and
    k is the tile 2**k. Any length.
    Returns (row, reward): the row after the slide as a tuple of the same
    length, and the points earned, 2**k for each merge into the tile 2**k.

    Tiles move to the left wall in order. Two equal tiles that meet become one
    of twice the value, once in a slide, the pair nearest to the wall first.
    Two tiles of exponent `top` do not merge: their sum has no exponent.

    >>> slide_left((1, 1, 2, 2))
    ((2, 3, 0, 0), 12)
    """
    waiting = [exponent for exponent in row if exponent]
    slid = []
    reward = 0
    while waiting:
        exponent = waiting.pop(0)
        if waiting and waiting[0] == exponent and exponent < top:
            waiting.pop(0)
            exponent += 1
            reward += 2**exponent
        slid.append(exponent)
    return tuple(slid + [0] * (len(row) - len(slid))), reward


def slide_right(row, top=TOP):
    """Slide one row to the right: the mirror image of `slide_left`.

    >>> slide_right((2, 1, 1, 0))
    ((0, 0, 2, 2), 4)
    """
    slid, reward = slide_left(row[::-1], top)
    return slid[::-1], reward


def is_saturated(row, top=TOP):
    """Whether two tiles of exponent `top` meet in this row, nothing between them.

    There the game on paper would merge them and a row of 4-bit cells cannot.

    >>> is_saturated((15, 0, 0, 15)), is_saturated((15, 1, 15, 0))
    (True, False)
    """
    tiles = [exponent for exponent in row if exponent]
    return any(a == b == top for a, b in itertools.pairwise(tiles))
