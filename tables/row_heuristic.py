#!/usr/bin/env python3
r"""What a row is worth to the default table of bitboard.Expectimax, as a plain function of its four exponents.

    python tables/row_heuristic.py            write bitboard/search/default.bbrows
    python tables/row_heuristic.py --check    compare

The parts are folklore among 2048 programs: empty cells and merges in reach are good, tiles that do
not fall in one direction and many large tiles are bad. The weights were found by tables/tune.py. First whole games at
depth 2: 26 generations, 60 games for each candidate. What is best depends on how deep it is searched: those weights
won at depth 2 against the published ones of nneonneo/2048-ai, which weigh order and merges more, and lost to them at
depth 3 where crowded boards are searched deeper. So a second run began between the two and played on from late boards
at that depth, for six generations:

    python tables/tune.py --depth 3 --least 6144 --growth 6144 --boards 64 --processes 2 --sigma 0.5 --pool-games 20 \
        --renew 15 --weights '{"empty": 3, "merge": 6.5, "chain": 0.1, "disorder": 0.3, "disorder_power": 3.5,
        "tiles": 0.2, "tiles_power": 2.6}'

The best weights lie on a plateau: in 130 games at depth 3 the start of that run did as well as its end, to within the
intervals. That is no proof that there are no better ones.
"""

import argparse
import itertools
import sys
from pathlib import Path

LIVE = 1000.0  # of a row without any tile or merit; none is worth less than 1, and a dead board 0

# Each part is explained in value().
WEIGHTS = {
    "empty": 2.053,
    "merge": 4.185,
    "chain": 0.32,
    "disorder": 0.08411,
    "disorder_power": 3.495,
    "tiles": 0.1356,
    "tiles_power": 2.855,
}


def value(row, weights=WEIGHTS):
    """The worth of a row of four exponents; that of its mirror image is the same.

    empty     for each empty cell
    merge     for each pair of equal tiles with nothing between them
    chain     for each pair of tiles that differ by one with nothing between them
    disorder  against the sum of the rises of exponent**disorder_power in the better direction, empty cells as 0
    tiles     against the sum of exponent**tiles_power
    """
    w = weights
    tiles = [exponent for exponent in row if exponent]
    pairs = list(itertools.pairwise(tiles))
    return max(
        1.0,
        LIVE
        + w["empty"] * (4 - len(tiles))
        + w["merge"] * sum(a == b for a, b in pairs)
        + w["chain"] * sum(abs(a - b) == 1 for a, b in pairs)
        - w["disorder"] * disorder(row, w["disorder_power"])
        - w["tiles"] * sum(exponent ** w["tiles_power"] for exponent in tiles),
    )


def disorder(exponents, power):
    """The sum of the rises, to the right or to the left, whichever is less."""
    steps = [b**power - a**power for a, b in itertools.pairwise(exponents)]
    return min(sum(max(step, 0) for step in steps), sum(max(-step, 0) for step in steps))


def main(argv=None):
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # the package of this checkout
    import bitboard

    target = Path(bitboard.__file__).parent / "search" / "default.bbrows"
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    parser.add_argument("--output", type=Path, default=target, help="the file (default: %(default)s)")
    arguments = parser.parse_args(argv)
    # Rounded, to fit 32-bit floats, and because another machine's pow may differ in the last bit.
    made = bitboard.RowTable.from_function(lambda row: round(value(row) * 64) / 64)
    if not arguments.check:
        made.save(arguments.output)
        print(f"wrote {arguments.output} ({arguments.output.stat().st_size} bytes)")
        return 0
    if made != bitboard.RowTable.load(arguments.output):
        print(f"{arguments.output}: not as row_heuristic.py says", file=sys.stderr)
        return 1
    print(f"{arguments.output}: as row_heuristic.py says")
    return 0


if __name__ == "__main__":
    sys.exit(main())
