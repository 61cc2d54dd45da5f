"""Serve a page on this machine: play, watch, replay and analyse in a browser; and the protocol for bots.

Prints the address and serves until Ctrl-C. Only this machine reaches it unless --host says otherwise; whoever
reaches it may use its processor, and nothing else of the machine. --agent is what the page begins with. Needs
the extra `web`. The protocol is in bitboard/web/README.md.

examples:
  bitboard web --open
  bitboard web --port 8048 --agent montecarlo --milliseconds 50
"""

from __future__ import annotations

import argparse
from contextlib import suppress

from ..core import BACKEND
from . import _games


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", metavar="N", type=int, default=2048, help="0 takes a free one (default: 2048)")
    parser.add_argument(
        "--host", metavar="ADDRESS", default="127.0.0.1", help="the address to listen on (default: this machine alone)"
    )
    parser.add_argument("--open", action="store_true", help="open the page in the browser")
    _games.add_agent(parser, None)


def run(arguments: argparse.Namespace) -> int:
    from ..web.protocol import Protocol
    from ..web.server import serve

    if not 0 <= arguments.port <= 65535:
        raise ValueError(f"--port must be from 0 to 65535, got {arguments.port}")
    own, default = _games.own_agents(arguments, "expectimax" if BACKEND == "c" else "greedy")

    def ready(address: str) -> None:
        print(f"bitboard is at {address} (Ctrl-C ends it)", flush=True)
        if arguments.open:
            import webbrowser

            webbrowser.open(address)

    with suppress(KeyboardInterrupt):
        serve(Protocol(own, default), arguments.host, arguments.port, ready)
    print("ended")
    return 0
