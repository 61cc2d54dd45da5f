"""Arguments that several commands have."""

from __future__ import annotations

import argparse
import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def path(text: str) -> str:
    """The name of a file. An empty one is an error: it comes of a variable of the shell that is not set."""
    if not text:
        raise argparse.ArgumentTypeError("the file's name is empty")
    return text


def add_json(parser: argparse.ArgumentParser) -> None:
    """The option --json; print_json() prints."""
    parser.add_argument("--json", action="store_true", help="print one JSON object instead")


def print_json(value: dict[str, Any]) -> None:
    """Print an object in a line. What is not a number in it must be None: NaN is not JSON."""
    print(json.dumps(value, allow_nan=False))
