"""The house as a whole: what `dir` shows, misspelt names, and that nobody inside imports the face."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import BACKENDS, IMPLEMENTATIONS

PACKAGE = Path(IMPLEMENTATIONS[BACKENDS[0]].__file__).parent


def taken_from_the_face(path):
    """Names that a file of the package imports from bitboard itself, and are no sub-packages or modules."""
    inside = path.relative_to(PACKAGE).parts[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.partition(".")[0] == "bitboard")
        elif isinstance(node, ast.ImportFrom):
            absolute = node.level == 0 and node.module == "bitboard"
            if absolute or (node.module is None and node.level == len(inside) + 1):
                for alias in node.names:
                    if not (PACKAGE / alias.name).is_dir() and not (PACKAGE / f"{alias.name}.py").is_file():
                        yield alias.name


def test_nobody_inside_imports_the_face():
    files = [path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py"]
    assert len(files) > 80
    found = {str(path.relative_to(PACKAGE)): names for path in files if (names := list(taken_from_the_face(path)))}
    assert found == {}


def test_the_face_would_be_seen(tmp_path, monkeypatch):
    monkeypatch.setattr(sys.modules[__name__], "PACKAGE", tmp_path)
    (tmp_path / "games").mkdir()
    for text in ("from .. import Game\n", "import bitboard\n", "def f():\n    from bitboard import Game\n"):
        (tmp_path / "games" / "x.py").write_text(text)
        assert list(taken_from_the_face(tmp_path / "games" / "x.py")), text
    (tmp_path / "games" / "x.py").write_text("from .. import games\nfrom . import y\nfrom ..core import move\n")
    assert list(taken_from_the_face(tmp_path / "games" / "x.py")) == []


def test_dir_shows_every_public_name_and_module(impl):
    shown = dir(impl)
    assert set(impl.__all__) <= set(shown)
    assert {"agents", "env", "grid", "record", "render", "sliding"} <= set(shown)
    with pytest.raises(AttributeError, match="mvoe_left"):
        impl.mvoe_left  # noqa: B018


def test_a_misspelt_name_is_an_error_to_mypy(tmp_path):
    code = "import bitboard\nbitboard.move_left(1)\nbitboard.grid.slide([[2]], 'L')\nbitboard.Game(1)\nbitboard.mvoe_left(1)\n"
    (tmp_path / "user.py").write_text(code)
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--cache-dir",
        str(tmp_path / "cache"),
        str(tmp_path / "user.py"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=PACKAGE.parent)
    errors = [line for line in done.stdout.splitlines() if "error:" in line]
    assert len(errors) == 1 and "user.py:5" in errors[0] and "mvoe_left" in errors[0], done.stdout + done.stderr


def test_how_to_install_is_told_in_one_place():
    """On the day that the package is published one line changes; what is named is an extra of the package."""
    from bitboard.tools import extras

    texts = {path: path.read_text(encoding="utf-8") for kind in ("*.py", "*.md") for path in PACKAGE.rglob(kind)}
    told = [path.name for path, text in texts.items() if re.search(r"pip install [^`]*\[", text)]
    assert told == ["extras.py"]
    named = {name for text in texts.values() for name in re.findall(r"""\bhint\(["'](\w+)["']\)""", text)}
    project = (PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8")
    known = re.findall(r"^(\w+) = \[", project.split("[project.optional-dependencies]")[1].split("\n[")[0], re.M)
    assert named == {"cli", "completion", "gym", "images", "plot", "sb3", "web"} and named <= set(known)
    assert extras.hint("web") == 'pip install -e ".[web]" in the checkout'
    assert 'pip install -q -e ".[cli]"' in (PACKAGE.parent / "README.md").read_text(encoding="utf-8")
