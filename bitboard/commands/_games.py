"""What the commands about games share: arguments for agents and sizes, and new games."""

from __future__ import annotations

import argparse
import os
import re
import sys
from math import isnan

from .. import agents
from . import _arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

PACKED_ONLY = ("montecarlo", "expectimax", "network")


_OPTIONS = {"montecarlo": ("playouts", "milliseconds"), "expectimax": ("depth", "table", "milliseconds")}


def add_agent(parser: argparse.ArgumentParser, default: str | None, *, positional: bool = False) -> None:
    """The arguments that choose an agent."""
    names = f"{', '.join(agents.AGENTS)}, network, or module:attribute of your own"
    suffix = f" (default: {default})" if default else ""
    if positional:
        parser.add_argument("agent", metavar="AGENT", nargs="?", default=default, help=names + suffix)
    else:
        parser.add_argument("--agent", metavar="NAME", default=default, help=names + suffix)
    parser.add_argument(
        "--playouts", metavar="N", type=int, help="of montecarlo: random games after each slide (default: 200)"
    )
    parser.add_argument("--depth", metavar="N", type=int, help="of expectimax: how many spawns ahead (default: 3)")
    parser.add_argument(
        "--table", metavar="FILE", type=_arguments.path, help="of expectimax: a row table that RowTable.save() wrote"
    )
    parser.add_argument(
        "--network", metavar="FILE", type=_arguments.path, help="of network: a file of `bitboard train`, or a .w file"
    )
    parser.add_argument(
        "--milliseconds", metavar="T", type=float, help="of montecarlo and expectimax: time a move instead"
    )


def agent_of(arguments: argparse.Namespace) -> Any:
    """The agent of the arguments; ValueError for an option that it does not have, or rules that it cannot play."""
    if ":" in arguments.agent and os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())  # as `python -m` does: the module is often a file here
    if arguments.agent in PACKED_ONLY and hasattr(arguments, "size") and not is_packed(arguments):
        raise ValueError(f"agent {arguments.agent} plays 4x4 boards of the original rules alone; greedy plays any")
    if (arguments.network is None) == (arguments.agent == "network"):
        raise ValueError("agent network needs --network FILE, and no other agent has it")
    given = {name: getattr(arguments, name) for name in ("playouts", "depth", "table", "milliseconds")}
    given = {name: value for name, value in given.items() if value is not None}
    if arguments.agent in agents.AGENTS or arguments.agent == "network":
        for name in given:
            if name not in _OPTIONS.get(arguments.agent, ()):
                raise ValueError(f"agent {arguments.agent} has no --{name}")
    if arguments.agent == "network":
        from ..networks import NTupleNetwork

        return NTupleNetwork.load(arguments.network)
    return agents.create(arguments.agent, **given)


def own_agents(arguments: argparse.Namespace, default: str) -> tuple[dict[str, Any], str]:
    """What makes the agent of the arguments, by its name, where it is not one of bitboard.agents with its own options,
    and the name: `default` where none is given. The agent is made once now, so that what is wrong is told at once."""
    options = ("playouts", "depth", "table", "network", "milliseconds")
    if arguments.agent is None:
        if any(getattr(arguments, name) is not None for name in options):
            raise ValueError("options of an agent need --agent")
        return {}, default
    agent_of(arguments)
    if arguments.agent in agents.AGENTS and all(getattr(arguments, name) is None for name in options):
        return {}, arguments.agent
    return {arguments.agent: lambda: agent_of(arguments)}, arguments.agent


def add_rules(parser: argparse.ArgumentParser) -> None:
    """The arguments that choose seed, size and rules."""
    parser.add_argument("--seed", metavar="N", type=int, help="the game's seed (default: a new one)")
    parser.add_argument("--size", metavar="RxC", default="4x4", help="rows x columns, up to 32x32 (default: 4x4)")
    parser.add_argument("--spawn", metavar="LAW", help='what spawns, tile:weight, such as "2:9 4:1" (the default)')
    parser.add_argument(
        "--top",
        metavar="TILE",
        type=int,
        help="a largest tile, two of which do not merge (default: 131072 in the usual game, none in others)",
    )


def is_packed(arguments: argparse.Namespace) -> bool:
    """Whether the rules are those of bitboard.Game."""
    return arguments.size.lower() == "4x4" and arguments.spawn is None and arguments.top in (None, 32768, 131072)


def new_game(arguments: argparse.Namespace) -> Any:
    """A game by the arguments of add_rules()."""
    if is_packed(arguments):
        from ..games.classic import Game

        return Game(arguments.seed, top=131072 if arguments.top is None else arguments.top)
    from .. import grid

    size = re.fullmatch(r"([0-9]{1,2})x([0-9]{1,2})", arguments.size.lower())
    if size is None:
        raise ValueError(f"--size must be rows x columns such as 5x5, got {arguments.size!r}")
    spawn = None
    if arguments.spawn is not None:
        if not re.fullmatch(r"[0-9]{1,19}:[0-9]{1,10}([ ,]+[0-9]{1,19}:[0-9]{1,10})*", arguments.spawn):
            raise ValueError(f"--spawn must be tile:weight, such as '2:9 4:1', got {arguments.spawn!r}")
        pairs = [pair.split(":") for pair in re.split("[ ,]+", arguments.spawn)]
        spawn = {int(face): int(weight) for face, weight in pairs}
    return grid.Game(int(size[1]), int(size[2]), arguments.seed, spawn=spawn, top=arguments.top)


def think(agent: Any, board: Any) -> tuple[Any, Sequence[float] | None]:
    """The direction that an agent chooses, and the values of all where it gives them."""
    if not hasattr(agent, "values"):
        return agent(board), None
    values = tuple(agent.values(board))
    if all(isnan(value) for value in values):
        return agent(board), values
    return agents.best(values), values
