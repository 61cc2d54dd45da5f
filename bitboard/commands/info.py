"""Show the version, the backend and why it was chosen, the table's digest and the CPU variant.

example:
  bitboard info
"""

from __future__ import annotations

import argparse
import hashlib
import platform
from pathlib import Path

from ..core import BACKEND, REASON, __version__


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """No arguments."""


def run(arguments: argparse.Namespace) -> int:
    rows = (Path(__file__).parent.parent / "core" / "rows.bin").read_bytes()
    print(f"bitboard {__version__}")
    print(f"backend  {BACKEND} ({REASON})")
    if BACKEND == "c":
        from ..core.ffi import CPU, CPU_VARIANTS

        print(f"cpu      {CPU_VARIANTS[CPU]} (built: {', '.join(CPU_VARIANTS)})")
    else:
        print("cpu      python (built: python)")
    print(f"tables   rows.bin sha256 {hashlib.sha256(rows).hexdigest()}")
    print(f"python   {platform.python_implementation()} {platform.python_version()} on {platform.machine()}")
    return 0
