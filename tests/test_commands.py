"""The command line: what it prints where, exit statuses, and one line for bad input."""

import os
import subprocess
import sys

import pytest
from interrupting import interrupt_at

EXAMPLE = "[[2,0,0,2],[2,2,2,2],[0,4,2,2],[2,2,2,0]]"


@pytest.mark.parametrize(
    ("direction", "board", "after", "reward"),
    [
        ("L", EXAMPLE, "[[4,0,0,0],[4,4,0,0],[4,4,0,0],[4,2,0,0]]", 20),
        ("left", EXAMPLE.replace(",", ", "), "[[4, 0, 0, 0], [4, 4, 0, 0], [4, 4, 0, 0], [4, 2, 0, 0]]", 20),
        ("3", "((2,0,0,2),(2,2,2,2),(0,4,2,2),(2,2,2,0))", "((4,0,0,0),(4,4,0,0),(4,4,0,0),(4,2,0,0))", 20),
        ("R", "[4,2,2,0, 0,0,0,0, 0,0,0,0, 0,0,0,0]", "[0,0,4,4, 0,0,0,0, 0,0,0,0, 0,0,0,0]", 4),
        ("R", "4 2 2 0\n0 0 0 0\n0 0 0 0\n0 0 0 0", "0 0 4 4\n0 0 0 0\n0 0 0 0\n0 0 0 0", 4),
        ("R", "4,2,2,0,0,0,0,0,0,0,0,0,0,0,0,0", "0,0,4,4,0,0,0,0,0,0,0,0,0,0,0,0", 4),
        ("R", "2110000000000000", "0022000000000000", 4),
        ("R", "0x2110/0000/0000/000a", "0x0022/0000/0000/000a", 4),
        ("u", "   8   0   0   0\n   8   0   0   0\n   0   0   0   0\n   0   0   0 512\n", None, 16),
    ],
)
def test_slide_prints_the_form_it_got(cli, direction, board, after, reward):
    if after is None:
        after = "  16   0   0 512\n   0   0   0   0\n   0   0   0   0\n   0   0   0   0"
    for arguments, stdin in (((board,), ""), ((), board), (("-",), board + "\n")):
        status, out, err = cli("slide", direction, *arguments, stdin=stdin)
        assert (status, out, err) == (0, after + "\n", f"reward {reward}\n")


def test_triple_runs_merge_from_the_wall(cli):
    text = "2 2 2 0 / 0 2 2 2 / 0 0 0 0 / 0 0 0 0"
    assert cli("slide", "L", text)[1] == "4 2 0 0 / 4 2 0 0 / 0 0 0 0 / 0 0 0 0\n"
    assert cli("slide", "R", text)[1] == "0 0 2 4 / 0 0 2 4 / 0 0 0 0 / 0 0 0 0\n"


def test_an_illegal_slide_prints_no_board_and_fails(cli):
    status, out, err = cli("slide", "L", "1000000000000000")
    assert (status, out) == (1, "")
    assert err == "illegal: sliding left changes nothing\n"


@pytest.mark.parametrize(
    ("arguments", "stdin", "message"),
    [
        (("slide", "X", EXAMPLE), "", "direction must be"),
        (("slide", "L"), "", "no board given"),
        (("slide", "L", "   "), "", "no board given"),
        (("slide", "L", "[[2,0],[0,2"), "", "not a list of lists"),
        (("slide", "L", "[" * 5000), "", "not a list of lists"),
        (("slide", "L", "[[2,0,0,3],[0,0,0,0],[0,0,0,0],[0,0,0,0]]"), "", "row 0, column 3"),
        (("slide", "L", "[[2,0,0,2.0],[0,0,0,0],[0,0,0,0],[0,0,0,0]]"), "", "integer"),
        (("slide", "L", "[[0x2,0,0,2],[0,0,0,0],[0,0,0,0],[0,0,0,0]]"), "", "plain decimal"),
        (("slide", "L", "123"), "", "16 hexadecimal digits"),
        (("slide", "L", "2 0 0 0 " * 3 + "2 0 0 x"), "", "'x'"),
        (("slide", "L", "0" * 200_000), "", "longer than"),
        (("perft", "1000000000000001", "-1"), "", "depth must be"),
        (("perft", "zz", "1"), "", "16 hexadecimal digits"),
    ],
)
def test_bad_input_is_one_line_and_status_2(cli, arguments, stdin, message):
    status, out, err = cli(*arguments, stdin=stdin)
    assert (status, out) == (2, "")
    assert message in err and err.count("\n") == 1 and err.startswith(f"bitboard {arguments[0]}: ")


def test_without_a_command_the_help_is_shown(cli):
    status, out, err = cli()
    assert (status, err) == (0, "") and out == cli("--help")[1] and "COMMAND" in out


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [("wacth", "watch"), ("analyze", "analyse"), ("replays", "replay"), ("max-tile", "maxtile"), ("Solve", "solve")],
)
def test_a_command_that_is_misspelt(cli, wrong, meant):
    assert cli(wrong, "--games", "5") == (
        2, "", f"bitboard: there is no command {wrong!r}, did you mean {meant}? (see bitboard --help)\n",
    )  # fmt: skip
    assert "did you mean" not in cli("xyzzy")[2]


@pytest.mark.parametrize("arguments", [("nonsense",), ("slide",), ("perft", "0"), ("perft", "0", "many")])
def test_usage_errors_are_status_2(cli, arguments):
    status, out, err = cli(*arguments)
    assert (status, out) == (2, "") and err.startswith("bitboard") and err.count("\n") == 1 and "--help" in err


def test_perft(cli):
    assert cli("perft", "1000000000000001", "3") == (0, "1124032\n", "")
    assert cli("perft", "-", "1", stdin="[[2,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,2]]") == (0, "112\n", "")


def test_info(cli, impl):
    status, out, err = cli("info")
    assert (status, err) == (0, "")
    assert f"bitboard {impl.__version__}" in out and f"backend  {impl.BACKEND} (" in out
    assert "sha256 e7c22111" in out and "cpu " in out


def commands():
    from bitboard.cli import COMMANDS

    return COMMANDS


@pytest.mark.parametrize("command", commands())
def test_help_has_an_example(cli, command):
    status, out, _ = cli(command, "--help")
    assert status == 0 and f"bitboard {command}" in out.split("example")[1]


def files_of(command):
    """The arguments of a command that are names of files: [] for a positional one, else its option."""
    import argparse
    import importlib

    parser = argparse.ArgumentParser()
    importlib.import_module(f"bitboard.commands.{command}").add_arguments(parser)
    return [action.option_strings[:1] for action in parser._actions if action.metavar in ("FILE", "OUT")]


FILES = [(command, option) for command in commands() for option in files_of(command)]


@pytest.mark.parametrize(("command", "option"), FILES)
def test_an_empty_file_name_is_an_error(cli, command, option):
    """As of a variable of the shell that is not set: the game or the results would be lost."""
    status, out, err = cli(command, *option, "")
    name = option[0] if option else "FILE"
    assert (status, out) == (2, "") and err.count("\n") == 1
    assert err.startswith(f"bitboard {command}: argument {name}: the file's name is empty")


def test_every_file_is_looked_at():
    assert {
        "--save",
        "--json",
        "--csv",
        "--picture",
        "--html",
        "--log",
        "--output",
        "--table",
        "--network",
        "--file",
    } == {name for _, option in FILES for name in option}


def test_version_and_help(cli, impl):
    assert cli("--version")[1] == cli("-V")[1] == f"bitboard {impl.__version__}\n"
    status, out, _ = cli("--help")
    assert status == 0 and "example" in out and all(command in out for command in commands())


@pytest.mark.parametrize("columns", [60, 80, 200])
@pytest.mark.parametrize("command", commands())
def test_help_breaks_lines_between_words(cli, monkeypatch, command, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = cli(command, "--help")[1].splitlines()
    examples = [line for line in lines if line.startswith("  ") and "bitboard " in line]
    assert all(len(line) < columns for line in lines if line not in examples)
    assert all(len(line) < 80 for line in examples)
    words = " ".join(lines).split()
    monkeypatch.setenv("COLUMNS", "10000")
    assert sorted(words) == sorted(cli(command, "--help")[1].split())


def test_other_ways_to_start_and_other_backends():
    """`python -m bitboard.cli`; a variable that is wrong is a line also for --help, and one that is empty is not set."""

    def run(module, *arguments, **environment):
        done = subprocess.run(
            [sys.executable, "-m", module, *arguments],
            capture_output=True,
            text=True,
            timeout=60,
            env=os.environ | environment,
        )
        return done.returncode, done.stdout, done.stderr

    wrong = "bitboard: BITBOARD_BACKEND must be one of auto, c, python; it is 'frob'\n"
    for module in ("bitboard", "bitboard.cli"):
        assert run(module, "slide", "R", "2110000000000000") == (0, "0022000000000000\n", "reward 4\n")
        assert run(module, "--help", BITBOARD_BACKEND="frob") == (2, "", wrong)
        assert run(module, "perft", "1000000000000001", "0", BITBOARD_BACKEND="", BITBOARD_CPU="") == (0, "1\n", "")
    code = "import sys; sys.argv[0] = '/usr/bin/bitboard'; import bitboard.cli"
    script = [sys.executable, "-c", code]  # as the installed command begins
    done = subprocess.run(
        script, capture_output=True, text=True, timeout=60, env=os.environ | {"BITBOARD_BACKEND": "frob"}
    )
    assert (done.returncode, done.stdout, done.stderr) == (2, "", wrong)


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1"])
def test_names_of_files_that_are_no_text(tmp_path, encoding):
    """The command does what it should, and prints the bytes of the name."""
    name = os.fsencode(tmp_path) + b"/\xfc\xff\xe2\x82\xac.txt"
    done = subprocess.run(
        [sys.executable, "-m", "bitboard", "watch", "--agent", "greedy", "--seed", "7", "--save", name],
        capture_output=True, timeout=60, env=os.environ | {"PYTHONIOENCODING": encoding},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    shown = name if encoding == "utf-8" else name.replace(b"\xe2\x82\xac", b"\\u20ac")
    assert done.stdout.splitlines()[-1] == b"the record is in " + shown
    assert os.path.getsize(name) > 100


def test_memory_that_is_not_there_is_a_line(cli, impl, tmp_path, monkeypatch):
    import importlib

    module = importlib.import_module(".commands.info", impl.__name__)
    for error, said in ((MemoryError(), ""), (MemoryError("the table needs 3 GB"), ": the table needs 3 GB")):

        def fails(arguments, error=error):
            raise error

        monkeypatch.setattr(module, "run", fails)
        assert cli("info") == (2, "", f"bitboard info: not enough memory{said}\n")


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are not kept elsewhere")
def test_a_file_larger_than_the_memory(tmp_path):
    path = tmp_path / "large.txt"
    with open(path, "wb") as file:
        file.truncate(2**31)
    command = f'ulimit -v 1500000; "{sys.executable}" -m bitboard replay {path}'
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "bitboard replay: not enough memory\n")


def test_completion(cli, tmp_path):
    status, out, err = cli("--print-completion", "bash")
    assert (status, err) == (0, "")
    (tmp_path / "complete").write_text(out)
    (tmp_path / "games.txt").write_text("")

    def completed(*words):
        line = 'source ./complete; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _shtab_bitboard; printf "%s\n" "${COMPREPLY[@]}"'
        done = subprocess.run(
            ["bash", "-c", line, "bash", *words], capture_output=True, text=True, cwd=tmp_path, timeout=60
        )
        assert done.returncode == 0, done.stderr
        return set(done.stdout.split())

    assert completed("bitboard", "wa") == {"watch"} and completed("bitboard", "") >= set(commands())
    assert completed("bitboard", "watch", "--s") == {"--seed", "--size", "--spawn", "--speed", "--save"}
    assert "games.txt" in completed("bitboard", "replay", "ga") and "games.txt" in completed(
        "bitboard", "watch", "--save", "g"
    )
    assert completed("bitboard", "tables", "b") == {"build"}
    status, out, err = cli("--print-completion", "powerpoint")
    assert (status, out) == (2, "") and err.startswith("bitboard: --print-completion must be one of bash, ")


def test_completion_without_shtab(cli, monkeypatch):
    monkeypatch.setitem(sys.modules, "shtab", None)
    wrong = 'bitboard: completion needs shtab: pip install -e ".[completion]" in the checkout\n'
    assert cli("--print-completion", "bash") == (2, "", wrong)


def test_as_a_module_and_into_a_closed_pipe():
    module = [sys.executable, "-m", "bitboard"]
    done = subprocess.run([*module, "slide", "R", "2110000000000000"], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "0022000000000000\n")
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run([*module, "info"], stdout=writer, stderr=subprocess.PIPE, text=True, timeout=60)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("redirection", "status"), [(">&-", 0), ("2>&-", 0), (">&- 2>&-", 0), ("<&-", 0), ("<&- >&- 2>&-", 0)]
)
def test_standard_streams_that_are_closed(redirection, status):
    command = f'"{sys.executable}" -m bitboard slide L 0011000000000000 {redirection}'
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60)
    expected = "" if ">&-" in redirection.replace("2>&-", "") else "2000000000000000\n"
    assert (done.returncode, done.stdout) == (status, expected)
    assert "Traceback" not in done.stderr


def test_a_board_from_a_closed_stdin_is_missing():
    command = f'"{sys.executable}" -m bitboard slide L <&-'
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


@pytest.mark.terminal
def test_ctrl_c_is_status_130():
    """A count that takes minutes, interrupted."""
    done = interrupt_at("bitboard.core.perft.leaves", "perft", "1000000000000001", "9")
    assert done == (130, "", "bitboard: interrupted\n")


@pytest.mark.parametrize(
    ("arguments", "loaded"),
    [
        ("--help", ""),
        ("--version", ""),
        ("slide --help", "slide"),
        ("perft 1100000000000000 1", "perft"),
        ("nosuch", ""),
    ],
)
def test_a_command_is_imported_when_it_runs_and_no_other(arguments, loaded):
    code = (
        "import sys\nfrom bitboard.cli import COMMANDS, main\ntry:\n    main(sys.argv[1:])\nexcept SystemExit:\n    pass\n"
        "print(*[name for name in COMMANDS if f'bitboard.commands.{name}' in sys.modules], sep=',')"
    )
    done = subprocess.run([sys.executable, "-c", code, *arguments.split()], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == loaded, done.stderr


def test_the_list_of_commands_says_what_their_docstrings_begin_with(cli):
    import importlib

    listed = " ".join(cli("--help")[1].split())
    for command in commands():
        summary = importlib.import_module(f"bitboard.commands.{command}").__doc__.splitlines()[0]
        assert f" {command} {summary}" in listed


RUN = [
    command
    for command in commands()
    if command in ("info", "engine", "replay", "analyse", "slide", "maxtile", "perft", "solve")
]


def test_examples_of_help_work(tmp_path):
    """Those that end by themselves in no time are run, as they stand."""
    import importlib

    from conftest import BACKENDS, IMPLEMENTATIONS
    from test_games_classic import played

    package = IMPLEMENTATIONS[BACKENDS[0]]
    package.record.write_file(tmp_path / "games.txt", [played(package, moves=3)])
    (tmp_path / "bitboard").mkdir()  # where `play` keeps its games
    package.record.write_file(tmp_path / "bitboard" / "games.txt", [played(package, moves=3)])
    package.NTupleNetwork("2x4").save(tmp_path / "my.net")
    (tmp_path / "board.txt").write_text("3\n2 2 2\n4 4 4\n8 8 8\n")
    (tmp_path / "puzzles.txt").write_text("1 0 2 / 3 4 5\n")
    examples = []
    for command in RUN:
        text = importlib.import_module(f"bitboard.commands.{command}").__doc__.partition("\nexample")[2]
        examples += [line for line in text.splitlines() if line.startswith("  ")]
    assert len(examples) >= 18
    tool = f'bitboard() {{ "{sys.executable}" -m bitboard "$@"; }}'
    folder = os.path.dirname(os.path.dirname(package.__file__))
    environment = os.environ | {"PYTHONPATH": folder, "BITBOARD_BACKEND": BACKENDS[0], "XDG_STATE_HOME": str(tmp_path)}
    for example in examples:
        done = subprocess.run(
            ["sh", "-c", f"{tool}\n{example}"], capture_output=True, text=True, cwd=tmp_path, env=environment, timeout=120,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
        assert done.returncode == 0 and "illegal" not in done.stderr, (example, done.stderr)
