"""Types of arguments that the commands share."""

from __future__ import annotations

import argparse


def path(text: str) -> str:
    """The name of a file. An empty one is an error: it comes of a variable of the shell that is not set."""
    if not text:
        raise argparse.ArgumentTypeError("the file's name is empty")
    return text
