"""Every code block of the README runs and gives what it shows.

```python   sessions with >>>, run as one doctest from top to bottom
```console  `$ command` and what it prints (... stands for anything), run in a scratch folder
```sh       the two set-up commands: .ci/run runs them in a fresh clone
"""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

from conftest import BACKENDS, IMPLEMENTATIONS, ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(language):
    return [text for name, text in BLOCKS if name == language]


def test_every_block_is_of_a_kind_that_is_run():
    assert {name for name, _ in BLOCKS} <= {"python", "console", "sh"}
    assert README.count("```") == 2 * len(BLOCKS)
    assert all(">>>" in text for text in blocks("python"))


def test_python_sessions(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    session = doctest.DocTestParser().get_doctest("\n".join(blocks("python")), {}, "README.md", "README.md", 0)
    result = doctest.DocTestRunner(optionflags=OPTIONS).run(session)
    assert result.attempted > 10 and result.failed == 0


def commands():
    """(command, what it prints) for each `$` line of the console blocks."""
    for text in blocks("console"):
        for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            while command.endswith("\\"):
                more, _, output = output.partition("\n")
                command += "\n" + more
            yield command, output


def test_console_commands(tmp_path):
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
    for command, output in commands():
        done = subprocess.run(
            command, shell=True, cwd=tmp_path, env=environment, text=True, timeout=120,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        assert doctest.OutputChecker().check_output(output, done.stdout, OPTIONS), f"$ {command}\n{done.stdout}"


def test_there_are_two_set_up_commands():
    assert [text.count("\n") for text in blocks("sh")] == [1, 1]
