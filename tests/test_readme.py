"""Every code block of the README and of all guides runs and gives what it shows.

```python   sessions with >>>, run as one doctest a file from top to bottom
```console  `$ command` and what it prints (... stands for anything), run in a scratch folder, one a file
```sh       the README's two set-up commands: .ci/run runs them in a fresh clone
```text     a drawing
"""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import BACKENDS, IMPLEMENTATIONS, ROOT

GUIDES = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for folder in ("", "bitboard", "bitboard/*", "csrc", "tests", "tests/*", "tables")
    for path in sorted(ROOT.glob(f"{folder}/*.md".lstrip("/")))
}
SUBJECTS = ("core", "many", "grid", "sliding", "games", "search", "evaluation", "env", "commands", "web")
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def all_blocks(guide):
    return re.findall(r"^```(\w*)\n(.*?)^```$", GUIDES[guide], re.MULTILINE | re.DOTALL)


def blocks(guide, language):
    return [text for name, text in all_blocks(guide) if name == language]


def having(language):
    return [guide for guide in GUIDES if blocks(guide, language)]


def test_every_subject_has_a_guide():
    assert {f"bitboard/{subject}/README.md" for subject in SUBJECTS} <= set(GUIDES)


@pytest.mark.parametrize("guide", GUIDES)
def test_every_block_is_of_a_kind_that_is_run(guide):
    kinds = {"python", "console", "sh"} if guide == "README.md" else {"python", "console", "text", "json"}
    assert {name for name, _ in all_blocks(guide)} <= kinds
    assert GUIDES[guide].count("```") == 2 * len(all_blocks(guide))
    assert all(">>>" in text for text in blocks(guide, "python"))


@pytest.mark.parametrize("guide", GUIDES)
def test_links_lead_somewhere(guide):
    for target in re.findall(r"\]\((?!http|#)([^)#]+)", GUIDES[guide]):
        assert (ROOT / guide).parent.joinpath(target).exists(), target


@pytest.mark.parametrize("guide", GUIDES)
def test_lines_are_at_most_120_columns(guide):
    assert [line for line in GUIDES[guide].splitlines() if len(line) > 120] == []


def test_lines_of_c_are_at_most_120_columns():
    files = [*(ROOT / "csrc").rglob("*.c"), *(ROOT / "csrc").rglob("*.h")]
    assert len(files) > 30
    lines = [(file.name, line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    assert [(name, line) for name, line in lines if len(line) > 120] == []


@pytest.mark.parametrize("guide", having("python"))
def test_python_sessions(guide, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    session = doctest.DocTestParser().get_doctest("\n".join(blocks(guide, "python")), {}, guide, guide, 0)
    result = doctest.DocTestRunner(optionflags=OPTIONS).run(session)
    assert result.attempted > 1 and result.failed == 0


def commands(guide):
    """(command, what it prints) for each `$` line of the console blocks."""
    for text in blocks(guide, "console"):
        for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            while command.endswith("\\"):
                more, _, output = output.partition("\n")
                command += "\n" + more
            yield command, output


@pytest.mark.parametrize("guide", having("console"))
def test_console_commands(guide, tmp_path):
    """In order and in one folder: some read what others wrote."""
    # a `bitboard` that runs the package under test, wherever the command is installed
    tool = tmp_path / "bin" / "bitboard"
    tool.parent.mkdir()
    tool.write_text(f"#!{sys.executable}\nimport sys\nfrom bitboard.cli import main\nsys.exit(main())\n")
    tool.chmod(0o755)
    environment = os.environ | {
        "PATH": f"{tool.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(Path(IMPLEMENTATIONS[BACKENDS[0]].__file__).parent.parent),
        "BITBOARD_BACKEND": BACKENDS[0],
    }
    for command, output in commands(guide):
        done = subprocess.run(
            command, shell=True, cwd=tmp_path, env=environment, text=True, timeout=300,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        assert doctest.OutputChecker().check_output(output, done.stdout, OPTIONS), f"$ {command}\n{done.stdout}"


def test_there_are_two_set_up_commands():
    assert [text.count("\n") for text in blocks("README.md", "sh")] == [1, 1]
