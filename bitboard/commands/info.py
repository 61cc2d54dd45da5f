"""Show the version, the backend and why it was chosen, the table's digest and the CPU variant.

example:
  bitboard info
"""

from __future__ import annotations

import argparse
import hashlib
import platform
from pkgutil import get_data

from .. import core
from ..core import BACKEND, REASON, __version__


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """No arguments."""


def run(arguments: argparse.Namespace) -> int:
    rows = get_data(core.__name__, "rows.bin")
    assert rows is not None, "this importer gives no data"
    print(f"bitboard {__version__}")
    print(f"backend  {BACKEND} ({REASON})")
    if BACKEND == "c":
        from ..core.ffi import CPU, CPU_VARIANTS

        print(f"cpu      {CPU_VARIANTS[CPU]} (built: {', '.join(CPU_VARIANTS)})")
    else:
        print("cpu      python (built: python)")
        if REASON != "BITBOARD_BACKEND=python":
            print("         the same results, 10 to 1000 times slower. To have the C core, install a C compiler and")
            print("         the headers of Python, then bitboard again: `pip install -v` says what is missing")
    print(f"tables   rows.bin sha256 {hashlib.sha256(rows).hexdigest()}")
    print(f"python   {platform.python_implementation()} {platform.python_version()} on {platform.machine()}")
    return 0
