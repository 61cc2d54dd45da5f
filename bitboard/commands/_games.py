"""What the commands about games share: arguments for agents and sizes, and new games."""

from __future__ import annotations

import argparse
import os
import re
import sys
from math import isnan

from .. import agents
from ..core import BACKEND, check
from ..tools.failures import told
from . import _arguments
from .screen import number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


def add_agent(parser: argparse.ArgumentParser, default: str | None, *, positional: bool = False) -> None:
    """The arguments that choose an agent, and the options that the agents say they take."""
    names = f"{', '.join(agents.OPTIONS)}, or module:attribute of your own"
    suffix = f" (default: {default})" if default else ""
    if positional:
        parser.add_argument("agent", metavar="AGENT", nargs="?", default=default, help=names + suffix)
    else:
        parser.add_argument("--agent", metavar="NAME", default=default, help=names + suffix)
    for name in _option_names():
        having = [agent for agent, options in agents.OPTIONS.items() if name in options]
        option = agents.OPTIONS[having[0]][name]
        parser.add_argument(
            f"--{name}",
            metavar=option.metavar,
            type=_arguments.path if option.kind is str else option.kind,
            help=f"of {' and '.join(having)}: {option.text}",
        )


def _option_names() -> list[str]:
    """The options of all agents, each once."""
    return list(dict.fromkeys([name for options in agents.OPTIONS.values() for name in options]))


def _given(arguments: argparse.Namespace) -> dict[str, Any]:
    """The options of an agent that were given."""
    values = {name: getattr(arguments, name) for name in _option_names()}
    return {name: value for name, value in values.items() if value is not None}


def agent_of(arguments: argparse.Namespace) -> Any:
    """The agent of the arguments; ValueError for an option that it does not have, or rules that it cannot play."""
    if ":" in arguments.agent and os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())  # as `python -m` does: the module is often a file here
    if arguments.agent in agents.PACKED_ONLY and hasattr(arguments, "size") and not is_packed(arguments):
        raise ValueError(f"agent {arguments.agent} plays 4x4 boards of the original rules alone; greedy plays any")
    given, options = _given(arguments), agents.OPTIONS.get(arguments.agent)
    if options is not None:  # not one of the user's own
        for name in given:
            if name not in options:
                raise ValueError(f"agent {arguments.agent} has no --{name}")
    return agents.create(arguments.agent, **given)


def own_agents(arguments: argparse.Namespace, default: str) -> tuple[dict[str, Any], str]:
    """What makes the agent of the arguments, by its name, where it is not one of bitboard.agents with its own options,
    and the name: `default` where none is given. The agent is made once now, so that what is wrong is told at once."""
    given = _given(arguments)
    if arguments.agent is None:
        if given:
            raise ValueError("options of an agent need --agent")
        return {}, default
    agent_of(arguments)
    if arguments.agent in agents.AGENTS and not given:
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
    usual = arguments.size.lower() == "4x4" and arguments.top in (None, 32768, 131072)
    return usual and _spawn(arguments.spawn) is None


def _spawn(law: str | None) -> dict[int, int] | None:
    """Face value -> weight of a spawn law; None for the usual one."""
    if law is None:
        return None
    if not re.fullmatch(r"[0-9]{1,19}:[0-9]{1,10}([ ,]+[0-9]{1,19}:[0-9]{1,10})*", law):
        raise ValueError(f"--spawn must be tile:weight, such as '2:9 4:1', got {law!r}")
    pairs = [pair.split(":") for pair in re.split("[ ,]+", law)]
    spawn = {int(face): int(weight) for face, weight in pairs}
    if len(spawn) != len(pairs):
        raise ValueError(f"--spawn names a tile twice: {law!r}")
    return None if spawn == {2: 9, 4: 1} else spawn


def new_game(arguments: argparse.Namespace) -> Any:
    """A game by the arguments of add_rules()."""
    if is_packed(arguments):
        from ..games.classic import Game

        return Game(arguments.seed, top=131072 if arguments.top is None else arguments.top)
    from .. import grid

    size = re.fullmatch(r"([0-9]{1,2})x([0-9]{1,2})", arguments.size.lower())
    if size is None:
        raise ValueError(f"--size must be rows x columns such as 5x5, got {arguments.size!r}")
    rows, columns = int(size[1]), int(size[2])
    return grid.Game(rows, columns, arguments.seed, spawn=_spawn(arguments.spawn), top=arguments.top)


def usual_agent(arguments: argparse.Namespace, packed: bool) -> None:
    """Choose who gives hints where the arguments name nobody."""
    arguments.agent = "expectimax" if packed else "greedy"
    if packed and BACKEND == "python" and arguments.milliseconds is None and arguments.depth is None:
        arguments.depth = 1  # a hint at once, without the C core too


def hint(agent: Any, rules: Any, seed: int, board: Any) -> tuple[int | None, Sequence[float] | None, str]:
    """What an agent would do on a board: the direction, the values of all where it gives them, and both in words.

    seed: of a game that begins here, for an agent that draws random numbers. An agent that fails has no direction.
    """
    name = agents.name_of(agent)
    try:
        agents.begin(agent, rules, seed % 2**64)
        chosen, values = think(agent, board)
        direction = check.direction(chosen)
    except Exception as error:  # the game goes on without it
        return None, None, f"{name} gives no hint: {told(error)}"
    message = f"hint of {name}: {check.DIRECTION_NAMES[direction]}"
    if values is not None and not isnan(values[direction]):
        message += f" ({number(values[direction])})"
    return direction, values, message


def started(agent: Any, game: Any) -> None:
    """Tell an agent that a game begins. Raises as chosen()."""
    try:
        agents.begin(agent, game.rules, game.seed)
    except Exception as error:
        raise ValueError(f"the agent cannot begin: {told(error)}") from error


def chosen(agent: Any, game: Any) -> tuple[int, Sequence[float] | None]:
    """The legal direction that an agent chooses in a game, and the values of all where it gives them.

    Raises ValueError with the move, and the place in the agent's code, where it fails or chooses another.
    """
    move = f"move {game.moves + 1}: the agent"
    try:
        direction, values = think(agent, game.board)
    except Exception as error:
        raise ValueError(f"{move} raised {told(error)}") from error
    try:
        direction = check.direction(direction)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{move}'s {error}") from None
    if not game.legal >> direction & 1:
        legal = " ".join([name for d, name in enumerate("URDL") if game.legal >> d & 1])
        raise ValueError(f"{move} chose {check.DIRECTION_NAMES[direction]}, which is illegal; legal are {legal}")
    return direction, values


def think(agent: Any, board: Any) -> tuple[Any, Sequence[float] | None]:
    """The direction that an agent chooses, and the values of all where it gives them."""
    if not hasattr(agent, "values"):
        return agent(board), None
    values = tuple(agent.values(board))
    if all(isnan(value) for value in values):
        return agent(board), values
    return agents.best(values), values
