"""Build the sdist and the wheels of a clean checkout, look into them, and run them.

    python .ci/check_dist.py CHECKOUT

- the sdist holds every file that a build reads, and builds with a compiler and without one
- with a compiler: one abi3 wheel with both C modules, that runs on every CPython 3.10 to 3.13 here
- without a compiler: a wheel for any platform, with no C module in it, that runs in pure Python
"""

import glob
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

TRIAL = """
import bitboard, sys
assert bitboard.BACKEND == sys.argv[1], bitboard.BACKEND
assert bitboard.move_left(0x1122 << 48) == 0x2300 << 48
assert bitboard.perft(0x1000000000000001, 3) == 1124032
assert "site-packages" in bitboard.__file__, bitboard.__file__
print(sys.version.split()[0], bitboard.BACKEND, "runs")
"""


def run(*command, **options):
    print("+", *map(str, command), flush=True)
    return subprocess.run(list(map(str, command)), check=True, **options)


def build(checkout, kind, out, **environment):
    """The one file that a build of a kind makes."""
    run(
        *(sys.executable, "-m", "build", "-q", "--no-isolation", f"--{kind}", "--outdir", out, checkout),
        env=os.environ | environment,
    )
    (made,) = Path(out).iterdir()
    return made


def wheel_names(wheel):
    """The files of a wheel, without its metadata."""
    return {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}


def tracked(checkout, *patterns):
    """The files of the package that git knows."""
    return set(run("git", "-C", checkout, "ls-files", *patterns, capture_output=True, text=True).stdout.split())


def pythons():
    """A path for each CPython 3.10 to 3.13 on this machine."""
    found = {}
    folders = [*os.environ["PATH"].split(os.pathsep), *glob.glob(os.path.expanduser("~/.pyenv/versions/*/bin"))]
    for folder in folders:
        for path in glob.glob(f"{folder}/python3.1[0-3]"):
            asked = subprocess.run(
                [path, "-c", "import sys; print(sys.version_info[:2])"], capture_output=True, text=True
            )
            if asked.returncode == 0:  # a version manager's stub for a version that is not there fails
                found.setdefault(asked.stdout, path)
    return sorted(found.values())


def try_wheel(wheel, backend, python, folder):
    """Install a wheel into a fresh environment of a Python and use it there."""
    place = Path(folder) / f"try-{backend}-{len(os.listdir(folder))}"
    run(python, "-m", "venv", place)
    run(place / "bin" / "pip", "install", "-q", "--disable-pip-version-check", wheel)
    run(place / "bin" / "python", "-W", "error", "-c", TRIAL, backend, cwd=place)
    run(place / "bin" / "bitboard", "info", cwd=place, stdout=subprocess.DEVNULL)


def main():
    checkout = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        sdist = build(checkout, "sdist", f"{folder}/sdist")
        with tarfile.open(sdist) as archive:
            archive.extractall(folder, filter="data")
        source = Path(folder) / re.sub(r"\.tar\.gz$", "", sdist.name)
        needed = tracked(checkout, "csrc", "bitboard", "tests", "tables") | {
            "setup.py",
            "pyproject.toml",
            "README.md",
            "LICENSE",
        }
        missing = {name for name in needed if not (source / name).is_file()}
        assert not missing, f"not in the sdist: {sorted(missing)}"

        package = tracked(checkout, "bitboard")
        compiled = build(source, "wheel", f"{folder}/c", BITBOARD_BUILD_C="auto")
        assert re.fullmatch(r"bitboard-[\d.]+-cp310-abi3-\w+\.whl", compiled.name), compiled.name
        extra = {re.sub(r"\..*", "", name) for name in wheel_names(compiled) - package}
        assert extra == {"bitboard/core/_leaf", "bitboard/core/_bulk"}, extra
        assert package <= wheel_names(compiled), package - wheel_names(compiled)

        pure = build(source, "wheel", f"{folder}/pure", CC="/nonexistent/cc")
        assert re.fullmatch(r"bitboard-[\d.]+-py3-none-any\.whl", pure.name), pure.name
        assert wheel_names(pure) == package, wheel_names(pure) ^ package
        refused = subprocess.run(
            [sys.executable, "setup.py", "-q", "build_ext", "--build-lib", folder, "--build-temp", folder],
            cwd=source, env=os.environ | {"BITBOARD_BUILD_C": "1", "CC": "/nonexistent/cc"}, capture_output=True,
        )  # fmt: skip
        assert refused.returncode != 0, "BITBOARD_BUILD_C=1 without a compiler must fail"

        found = pythons()
        assert found, "no CPython 3.10 to 3.13 found"
        for python in found:
            try_wheel(compiled, "c", python, folder)
        try_wheel(pure, "python", found[0], folder)
    print("distributions are as they should be")


if __name__ == "__main__":
    main()
