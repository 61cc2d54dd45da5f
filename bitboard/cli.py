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

from . import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = ("info", "slide", "perft")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="bitboard",
        description="A 2048 engine: slides, games, searches and puzzles on 64-bit boards.",
        epilog='example: bitboard slide left "2 0 0 2  2 2 2 2  0 4 2 2  2 2 2 0"',
    )
    parser.add_argument("--version", action="version", version=f"bitboard {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in COMMANDS:
        module = import_module(f".commands.{name}", __package__)
        summary, _, rest = (module.__doc__ or "").partition("\n")
        command = commands.add_parser(
            name,
            help=summary,
            description=summary,
            epilog=rest.strip("\n"),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the exit status. Bad input is one line on stderr, never a traceback."""
    arguments = _parser().parse_args(argv)
    try:
        status: int = arguments.run(arguments) or 0
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # the reader of a pipe went away, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except KeyboardInterrupt:
        print("bitboard: interrupted", file=sys.stderr)
        return 130
    except (ValueError, OverflowError, TypeError, ImportError, OSError) as error:
        print(f"bitboard {arguments.command}: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
