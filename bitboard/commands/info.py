"""Show the version, the backend and why it was chosen, the table's digest and the CPU variant.

example:
  bitboard info
"""

from __future__ import annotations

import argparse
import hashlib
import platform
from pathlib import Path

from .. import BACKEND, __version__, _backend
from .._kernels import kernels


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """No arguments."""


def run(arguments: argparse.Namespace) -> int:
    rows = (Path(__file__).parent.parent / "rows.bin").read_bytes()
    print(f"bitboard {__version__}")
    print(f"backend  {BACKEND} ({_backend.REASON})")
    print(f"cpu      {kernels.CPU_VARIANTS[kernels.CPU]} (built: {', '.join(kernels.CPU_VARIANTS)})")
    print(f"tables   rows.bin sha256 {hashlib.sha256(rows).hexdigest()}")
    print(f"python   {platform.python_implementation()} {platform.python_version()} on {platform.machine()}")
    return 0
