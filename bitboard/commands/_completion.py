"""Scripts by which shells complete the command line, made by shtab (the extra [completion])."""

from __future__ import annotations

import argparse

from ..tools.extras import hint
from ._arguments import path


def script(parser: argparse.ArgumentParser, shell: str) -> str:
    """The script of a shell for a parser. ImportError says what to install, ValueError which shells there are."""
    try:
        import shtab
    except ImportError:
        raise ImportError(f"completion needs shtab: {hint('completion')}") from None
    if shell not in shtab.SUPPORTED_SHELLS:
        raise ValueError(f"--print-completion must be one of {', '.join(shtab.SUPPORTED_SHELLS)}, got {shell!r}")
    for part in _parsers(parser):
        for action in part._actions:
            if action.type is path:
                action.complete = shtab.FILE  # type: ignore[attr-defined]
    return str(shtab.complete(parser, shell))


def _parsers(parser: argparse.ArgumentParser) -> list[argparse.ArgumentParser]:
    """A parser and those of its commands."""
    found = [parser]
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            found += action.choices.values()
    return found
