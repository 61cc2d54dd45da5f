"""Answer requests of a program: one JSON object a line on stdin, one on stdout.

A request names its operation in "op"; the answer has the fields of bitboard/web/README.md, and the "id" of the
request if it has one. An answer with "error" says what was wrong, with the status that HTTP would give. The end of
stdin or {"op": "quit"} ends it. --agent is the agent of requests that name none.

examples:
  echo '{"op": "best", "board": "1100000000000000"}' | bitboard engine
  bitboard engine --agent expectimax --milliseconds 5
"""

from __future__ import annotations

import argparse
import sys

from . import _games

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..web.protocol import Protocol

LONGEST = 4_000_000  # bytes of a line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _games.add_agent(parser, None)


def run(arguments: argparse.Namespace) -> int:
    from ..web.protocol import Protocol, encoded

    own, default = _games.own_agents(arguments, "greedy")
    protocol = Protocol(own, default, limit_ms=3_600_000)
    while line := sys.stdin.buffer.readline(LONGEST + 1):
        if not line.strip():
            continue
        answer = _answer(protocol, line)
        if answer is None:
            break
        print(encoded(answer), flush=True)
    return 0


def _answer(protocol: Protocol, line: bytes) -> dict[str, Any] | None:
    """The answer to a line; None for a request to quit."""
    from ..web.errors import RequestError
    from ..web.protocol import decoded

    named: dict[str, Any] = {}
    try:
        if len(line) > LONGEST:
            while len(line) > LONGEST and not line.endswith(b"\n"):
                line = sys.stdin.buffer.readline(LONGEST + 1)  # the rest of it
            raise RequestError(413, f"a request has at most {LONGEST} bytes")
        request = decoded(line)
        if "id" in request:
            named["id"] = request.pop("id")
        operation = request.pop("op", None)
        if operation is None:
            raise RequestError(422, 'the request has no "op"')
        if operation == "quit":
            return None
        return named | protocol.answer(operation if isinstance(operation, str) else str(operation), request)
    except RequestError as error:
        return named | {"error": str(error), "status": error.status}
