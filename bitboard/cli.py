"""The command line: `bitboard COMMAND ...`, also `python -m bitboard COMMAND ...`.

A command is a module of bitboard.commands: its docstring is the help (the first line the
summary, the rest with an example below the options), add_arguments(parser) declares the
arguments, and run(arguments) does the work and returns the exit status.
Exit status: 0 success, 1 the answer is no (an illegal slide), 2 bad input, 130 interrupted.
"""

from __future__ import annotations

import argparse
import codecs
import io
import os
import sys
import textwrap
from importlib import import_module
from pkgutil import get_data

from .core import BACKEND, REASON, __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Any, NoReturn

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


class _Help(argparse.HelpFormatter):
    """Help whose paragraphs are filled to the width of the terminal; examples stay as they are."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        paragraphs = text.strip("\n").split("\n\n")
        filled = [part if "\n  " in part else self._filled(part, width) for part in paragraphs]
        return textwrap.indent("\n\n".join(filled), indent)

    def _split_lines(self, text: str, width: int) -> list[str]:
        return self._filled(text, width).splitlines()

    def _filled(self, text: str, width: int) -> str:
        return textwrap.fill(" ".join(text.split()), width, break_on_hyphens=False, break_long_words=False)


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, and which takes positional arguments and options in any order."""

    _within = False

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        # Left alone, an optional positional argument after an option is not recognised: `build --size 3x4 6-5`.
        if self._within or self._subparsers is not None:
            return super().parse_known_args(args, namespace)
        self._within = True  # what is called now calls this again
        try:
            namespace, rest = self.parse_known_intermixed_args(args, namespace)
        finally:
            self._within = False
        if rest:  # here, so that the error names the command
            self.error(f"unrecognized arguments: {' '.join(rest)}")
        return namespace, rest


def _encodable(error: UnicodeError) -> tuple[bytes, int]:
    """What stdout gets for characters that it cannot encode: bytes of a file's name as they were, else an escape."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    part = error.object[error.start : error.end]
    escaped = [c.encode("ascii", "surrogateescape" if "\udc80" <= c <= "\udcff" else "backslashreplace") for c in part]
    return b"".join(escaped), error.end


codecs.register_error("bitboard", _encodable)


def _open_closed_streams() -> None:
    """Stand-ins for standard streams that were closed when the program started; Python has None there."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="bitboard")


def _summary(name: str) -> str:
    """The first line of a command's docstring, of its source: the command is not imported to be listed."""
    source = get_data(f"{__package__}.commands", f"{name}.py")
    assert source is not None, "this importer gives no data"
    return source.decode().partition("\n")[0].removeprefix('"""').removesuffix('"""')


def _parser(declared: Collection[str]) -> argparse.ArgumentParser:
    """The parser, with the arguments of some commands; the others are listed alone."""
    parser = _Parser(
        prog="bitboard",
        description="A 2048 engine: slides, games, searches and puzzles on 64-bit boards.",
        epilog='example: bitboard slide left "2 0 0 2  2 2 2 2  0 4 2 2  2 2 2 0"',
        formatter_class=_Help,
    )
    parser.add_argument("-V", "--version", action="version", version=f"bitboard {__version__}")
    parser.add_argument(
        "--print-completion",
        metavar="SHELL",
        help="print a script by which bash, zsh, fish or tcsh completes this",
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name in COMMANDS:
        command = commands.add_parser(name, help=_summary(name), formatter_class=_Help)
        if name in declared:
            module = import_module(f".commands.{name}", __package__)
            command.description, _, rest = (module.__doc__ or "").partition("\n")
            command.epilog = rest.strip("\n")
            module.add_arguments(command)
            command.set_defaults(run=module.run)
    return parser


def _parsed(given: Sequence[str]) -> argparse.Namespace | None:
    """The arguments of a command; None where none is given and what was asked for is printed."""
    wanted = next((argument for argument in given if not argument.startswith("-")), "")
    parser = _parser([wanted])
    if wanted and wanted == given[0] and wanted not in COMMANDS:
        from difflib import get_close_matches

        close = "".join([f", did you mean {name}?" for name in get_close_matches(wanted, COMMANDS, 1)])
        parser.error(f"there is no command {wanted!r}{close}")
    arguments = parser.parse_args(given)
    if arguments.print_completion is not None:
        from .commands import _completion

        print(_completion.script(_parser(COMMANDS), arguments.print_completion))
    elif arguments.command is None:
        parser.print_help()
    else:
        return arguments
    return None


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the exit status. Bad input is one line on stderr, never a traceback."""
    _open_closed_streams()
    name = "bitboard"
    try:
        given = sys.argv[1:] if argv is None else argv
        arguments = _parsed(given)
        if arguments is None:
            return 0
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
    except (ValueError, OverflowError, TypeError, ImportError, OSError) as error:
        message = str(error)
    except MemoryError as error:
        message = f"not enough memory{': ' * bool(str(error))}{error}"
        error.__traceback__ = error.__context__ = None  # lets go of what filled it: the message needs a little
    print(f"{name}: {' '.join(message.split())}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
