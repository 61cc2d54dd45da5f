#!/usr/bin/env python3
"""Build pattern databases of the 15-puzzle into the cache: what `bitboard tables build` does.

python tables/build_databases.py            6-6-3 and 7-8
python tables/build_databases.py 6-6-3      those named
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # the package of this checkout

from bitboard import sliding


def main(partitions):
    for partition in partitions or ("6-6-3", "7-8"):
        print(sliding.build_database(partition))


if __name__ == "__main__":
    main(sys.argv[1:])
