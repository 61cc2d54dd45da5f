#!/usr/bin/env python3
"""Make bitboard/core/rows.bin, the row tables, from the rule in rules.py.

    python tables/generate.py            write the file
    python tables/generate.py --check    compare; exit status 1 at the first difference
    python tables/generate.py --output F

The layout of an entry is documented in tables/README.md.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

import rules

ROWS_BIN = Path(__file__).resolve().parent.parent / "bitboard" / "core" / "rows.bin"
ENTRY_BYTES = 8

# Directions are numbered UP, RIGHT, DOWN, LEFT = 0, 1, 2, 3; a mask has bit d for direction d.
UP, RIGHT, DOWN, LEFT = (1 << d for d in range(4))


def unpack(row):
    """The four exponents of a 16-bit row, leftmost (most significant) first."""
    return tuple(row >> shift & 15 for shift in (12, 8, 4, 0))


def pack(exponents):
    """The 16-bit row of four exponents."""
    row = 0
    for exponent in exponents:
        row = row << 4 | exponent
    return row


def entry(row):
    """The 64-bit table entry of a 16-bit row; see tables/README.md."""
    cells = unpack(row)
    left, reward = rules.slide_left(cells)
    right, reward_right = rules.slide_right(cells)
    assert reward == reward_right, "a row earns the same either way"
    moves_left, moves_right = left != cells, right != cells
    as_row = (LEFT if moves_left else 0) | (RIGHT if moves_right else 0)
    as_column = (UP if moves_left else 0) | (DOWN if moves_right else 0)
    return (
        pack(left)
        | pack(right) << 16
        | (reward // 4) << 32
        | as_row << 48
        | as_column << 52
        | rules.is_saturated(cells) << 56
    )


def table():
    """The whole table as bytes: 65,536 little-endian entries in the order of the rows."""
    return b"".join(entry(row).to_bytes(ENTRY_BYTES, "little") for row in range(1 << 16))


def write_whole(path, data):
    """Write a file so that a reader sees the old one or the new one, never a part."""
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(data)
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)


def first_difference(data, expected):
    """A sentence on where two tables differ, or None."""
    if len(data) != len(expected):
        return f"{len(data)} bytes instead of {len(expected)}"
    for row in range(1 << 16):
        where = slice(row * ENTRY_BYTES, (row + 1) * ENTRY_BYTES)
        if data[where] != expected[where]:
            found, wanted = (int.from_bytes(d[where], "little") for d in (data, expected))
            return f"row {row:04x} holds {found:016x} instead of {wanted:016x}"
    return None


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    parser.add_argument("--output", type=Path, default=ROWS_BIN, help="the file (default: %(default)s)")
    arguments = parser.parse_args(argv)
    data = table()
    if not arguments.check:
        write_whole(arguments.output, data)
        print(f"wrote {arguments.output} ({len(data)} bytes)")
        return 0
    try:
        difference = first_difference(arguments.output.read_bytes(), data)
    except OSError as error:
        difference = error.strerror
    if difference:
        print(f"{arguments.output}: {difference}", file=sys.stderr)
        return 1
    print(f"{arguments.output}: as the rule says")
    return 0


if __name__ == "__main__":
    sys.exit(main())
