"""What a row is worth to the default table of bitboard.Expectimax, as a plain function of its four exponents.

The parts are folklore among 2048 programs: empty cells and merges in reach are good, tiles that do
not fall in one direction and many large tiles are bad. The weights were found by tables/tune.py.
"""

import itertools

WEIGHTS = {
    "empty": 1.0,
    "merge": 1.0,
    "chain": 0.0,
    "disorder": 0.01,
    "disorder_power": 3.0,
    "tiles": 0.01,
    "tiles_power": 3.0,
}
LIVE = 1000.0  # so that a live board is worth more than a dead one


def value(row, weights=WEIGHTS):
    """The worth of a row of four exponents; that of its mirror image is the same.

    empty: for each empty cell; merge: for each pair of equal tiles that meet; chain: for each pair that meets
    and differs by one; disorder: for the rises of exponent**disorder_power against the better of the two
    directions, empty cells counted as they are; tiles: for each exponent**tiles_power.
    """
    w = weights
    tiles = [exponent for exponent in row if exponent]
    pairs = list(itertools.pairwise(tiles))
    rises = [b ** w["disorder_power"] - a ** w["disorder_power"] for a, b in itertools.pairwise(row)]
    disorder = min(sum(max(rise, 0) for rise in rises), sum(max(-rise, 0) for rise in rises))
    return (
        LIVE
        + w["empty"] * (4 - len(tiles))
        + w["merge"] * sum(a == b for a, b in pairs)
        + w["chain"] * sum(abs(a - b) == 1 for a, b in pairs)
        - w["disorder"] * disorder
        - w["tiles"] * sum(exponent ** w["tiles_power"] for exponent in tiles)
    )
