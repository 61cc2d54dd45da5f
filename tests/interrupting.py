"""Ctrl-C for a command that is at its work: it says so in a line, so that no test has to guess how long to wait."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from conftest import BACKENDS, IMPLEMENTATIONS

PLACE = Path(IMPLEMENTATIONS[BACKENDS[0]].__file__).parent.parent  # of the package under test, installed or not

PROGRAM = """
import signal, sys
from unittest import mock
from pydoc import locate

signal.signal(signal.SIGINT, signal.default_int_handler)
target, arguments = sys.argv[1], sys.argv[2:]
work = locate(target)

def said(*given, **named):
    print("at work", flush=True)
    return work(*given, **named)

mock.patch(target, said).start()
from bitboard.cli import main
sys.exit(main(arguments))
"""


def interrupt_at(target, *arguments, **environment):
    """Run `bitboard ARGUMENTS...` and interrupt it when it first calls `target`: (exit status, stdout, stderr)."""
    settings = {"PYTHONPATH": str(PLACE), "BITBOARD_BACKEND": BACKENDS[0], **environment}
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, target, *arguments],
        env=os.environ | settings, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout.readline() == "at work\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err
