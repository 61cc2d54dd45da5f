"""python -m bitboard: the same as the command `bitboard`."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
