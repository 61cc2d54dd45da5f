"""What the benchmarks share: a line on where they ran, and timing."""

import platform
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def output_of(*command):
    """What a command prints, or an empty string."""
    try:
        return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def describe():
    """CPU, compiler, Python and commit in one line."""
    cpu = next(
        (x.split(":")[1].strip() for x in output_of("cat", "/proc/cpuinfo").splitlines() if "model name" in x), ""
    )
    compiler = output_of("cc", "--version").split("\n")[0]
    commit = output_of("git", "describe", "--always", "--dirty")
    return f"{cpu or platform.processor()}; {compiler}; Python {sys.version.split()[0]}; commit {commit}"


def best(function, *arguments, repeat=7):
    """The shortest of several runs, in seconds."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        function(*arguments)
        times.append(time.perf_counter() - start)
    return min(times)
