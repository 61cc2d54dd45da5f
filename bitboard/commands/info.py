"""Show the version, the backend and why it was chosen, the table's digest and the CPU variant.

examples:
  bitboard info
  bitboard info --json
"""

from __future__ import annotations

import argparse
import hashlib
import platform
from pkgutil import get_data

from .. import core
from ..core import BACKEND, REASON, __version__
from . import _arguments


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _arguments.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    rows = get_data(core.__name__, "rows.bin")
    assert rows is not None, "this importer gives no data"
    cpu, built = "python", ["python"]
    if BACKEND == "c":
        from ..core.ffi import CPU, CPU_VARIANTS

        cpu, built = CPU_VARIANTS[CPU], list(CPU_VARIANTS)
    facts = {
        "bitboard": __version__,
        "backend": BACKEND,
        "reason": REASON,
        "cpu": cpu,
        "built": built,
        "rows_sha256": hashlib.sha256(rows).hexdigest(),
        "implementation": platform.python_implementation(),
        "python": platform.python_version(),
        "machine": platform.machine(),
    }
    if arguments.json:
        _arguments.print_json(facts)
        return 0
    print(f"bitboard {__version__}")
    print(f"backend  {BACKEND} ({REASON})")
    print(f"cpu      {cpu} (built: {', '.join(built)})")
    if BACKEND == "python" and REASON != "BITBOARD_BACKEND=python":
        print("         the same results, 10 to 1000 times slower. To have the C core, install a C compiler and")
        print("         the headers of Python, then bitboard again: `pip install -v` says what is missing")
    print(f"tables   rows.bin sha256 {facts['rows_sha256']}")
    print(f"python   {facts['implementation']} {facts['python']} on {facts['machine']}")
    return 0
