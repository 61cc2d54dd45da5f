"""What `import bitboard` costs: the sum of everything below it in -X importtime, the median of 20, per backend;
and how long it takes where _cffi_backend is loaded already, by the clock.

python tests/bench/import_time.py
"""

import os
import statistics
import subprocess
import sys

import machine


def milliseconds(backend):
    """One import in a fresh interpreter."""
    command = [sys.executable, "-X", "importtime", "-c", "import bitboard"]
    environment = os.environ | {"BITBOARD_BACKEND": backend}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # warm: with the compiled bytecode on disk
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=machine.ROOT, check=True)
    (line,) = [line for line in done.stderr.splitlines() if line.split("|")[-1].strip() == "bitboard"]
    return int(line.split("|")[1]) / 1000


ABOVE = "import _cffi_backend, time; t = time.perf_counter(); import bitboard; print(time.perf_counter() - t)"


def above_cffi(backend):
    """Milliseconds of one import beside _cffi_backend, which pure Python does not need."""
    environment = os.environ | {"BITBOARD_BACKEND": backend}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-c", ABOVE]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=machine.ROOT, check=True)
    return float(done.stdout) * 1000


def main():
    print(machine.describe())
    for backend in ("c", "python"):
        milliseconds(backend)
        times = [milliseconds(backend) for _ in range(20)]
        print(f"import bitboard, {backend:6}  median {statistics.median(times):.2f} ms, least {min(times):.2f} ms")
    above = {"c": [], "python": []}
    for _ in range(20):
        for backend, times in above.items():
            times.append(above_cffi(backend))
    for backend, times in above.items():
        print(f"above _cffi_backend, {backend:6}  median {statistics.median(times):.2f} ms, least {min(times):.2f} ms")


if __name__ == "__main__":
    main()
