"""The command line: `bitboard COMMAND ...`, also `python -m bitboard COMMAND ...`.

A command is a module of bitboard.commands: its docstring is the help (the first line the
summary, the rest with an example below the options), add_arguments(parser) declares the
arguments, and run(arguments) does the work and returns the exit status.
Exit status: 0 success, 1 the answer is no (an illegal slide), 2 bad input, 130 interrupted.
"""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module
from pkgutil import get_data

from .core import BACKEND, REASON, __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

COMMANDS = (
    "info",
    "watch",
    "play",
    "web",
    "engine",
    "eval",
    "replay",
    "analyse",
    "bench",
    "slide",
    "maxtile",
    "perft",
    "random",
    "solve",
    "tables",
    "train",
)
# Searches and learning, which play far worse in the same time where there is no C core.
HEAVY = {"watch", "play", "web", "engine", "eval", "analyse", "train", "solve", "tables"}


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def _open_closed_streams() -> None:
    """Stand-ins for standard streams that were closed when the program started; Python has None there."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def _summary(name: str) -> str:
    """The first line of a command's docstring, of its source: the command is not imported to be listed."""
    source = get_data(f"{__package__}.commands", f"{name}.py")
    assert source is not None, "this importer gives no data"
    return source.decode().partition("\n")[0].removeprefix('"""').removesuffix('"""')


def _parser(given: Sequence[str]) -> argparse.ArgumentParser:
    """The parser, with the arguments of the command that is given and of no other."""
    wanted = next((argument for argument in given if not argument.startswith("-")), None)
    parser = _Parser(
        prog="bitboard",
        description="A 2048 engine: slides, games, searches and puzzles on 64-bit boards.",
        epilog='example: bitboard slide left "2 0 0 2  2 2 2 2  0 4 2 2  2 2 2 0"',
    )
    parser.add_argument("--version", action="version", version=f"bitboard {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in COMMANDS:
        command = commands.add_parser(name, help=_summary(name), formatter_class=argparse.RawDescriptionHelpFormatter)
        if name == wanted:
            module = import_module(f".commands.{name}", __package__)
            command.description, _, rest = (module.__doc__ or "").partition("\n")
            command.epilog = rest.strip("\n")
            module.add_arguments(command)
            command.set_defaults(run=module.run)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the exit status. Bad input is one line on stderr, never a traceback."""
    _open_closed_streams()
    name = "bitboard"
    try:
        given = sys.argv[1:] if argv is None else argv
        arguments = _parser(given).parse_args(given)
        name = f"bitboard {arguments.command}"
        if BACKEND == "python" and REASON != "BITBOARD_BACKEND=python" and arguments.command in HEAVY:
            print(f"{name}: in pure Python, far slower and weaker: {REASON} (see bitboard info)", file=sys.stderr)
        status: int = arguments.run(arguments) or 0
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # the reader of a pipe went away, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except KeyboardInterrupt:
        print("bitboard: interrupted", file=sys.stderr)
        return 130
    except (ValueError, OverflowError, TypeError, ImportError, OSError, MemoryError) as error:
        print(f"{name}: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
