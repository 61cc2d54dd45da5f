"""Let an n-tuple network learn by playing, and save it.

On a terminal a line a minute tells of the full games since the last one: their mean score while learning, how many of
them reached each tile, slides a second, time left. In a pipe there is one line at the end; --log has the numbers. The
file is written every 10 minutes and at the end, whole or not at all, and no other program can learn into it meanwhile.
Ctrl-C ends the learning and saves what was learned. --resume goes on with the network of the file. In the last fifth of
the time it learns at a tenth of the rate, which pays a twentieth of the score.

examples:
  bitboard train --minutes 30 --output my.net
  bitboard train --network 4x6 --minutes 5 --output my.net --picture curve.svg
  bitboard train --resume --minutes 60 --output my.net
"""

from __future__ import annotations

import argparse
import os
import sys

from ..tools import extras, files, parallel
from ..tools.words import counted
from . import _arguments
from .signals import Leaving

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from ..networks.training import Trained

TILES = tuple(range(11, 16))  # exponents of 2048 ... 32768
PICTURES = (".svg", ".png", ".pdf")
# In the last part of the time the weights come to rest: greedy games of an 8x6 network after 30 minutes scored 199,000
# +- 3,500 before 60 million slides at a tenth of the rate and 207,500 +- 3,500 after them (4,000 games each).
SETTLING, SLOWER = 0.2, 0.1
HEADING = ["minutes", "games", "moves", "moves_per_second", "mean_score", *[f"rate_{2**k}" for k in TILES]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--network", metavar="NAME", help="its patterns: names, joined by +, or cells, 0123,4567 (8x6)")
    parser.add_argument("--minutes", metavar="T", type=float, default=30.0, help="how long (default: 30)")
    parser.add_argument("--output", metavar="FILE", type=_arguments.path, required=True, help="the file of the network")
    parser.add_argument("--resume", action="store_true", help="go on with the network of the file")
    parser.add_argument("--threads", metavar="N", type=int, help="that share the network (default: one a processor)")
    parser.add_argument("--seed", metavar="S", type=int, default=0, help="of the games (default: 0)")
    parser.add_argument(
        "--log", metavar="FILE", type=_arguments.path, help="write the curve as CSV, with --resume behind what is there"
    )
    parser.add_argument(
        "--picture", metavar="FILE", type=_arguments.path, help="draw the curve (.svg, .png, .pdf), with matplotlib"
    )


def run(arguments: argparse.Namespace) -> int:
    if not 0 < arguments.minutes <= 1e6:
        raise ValueError(f"--minutes must be more than 0 and at most a million, got {arguments.minutes}")
    if arguments.picture:  # found out now, not after the learning
        if not arguments.picture.endswith(PICTURES):
            raise ValueError(f"--picture must end in {', '.join(PICTURES)}, got {arguments.picture!r}")
        _pyplot()
    with files.owned(arguments.output):
        return _learn(arguments)


def _learn(arguments: argparse.Namespace) -> int:
    """The work of run(), while no other program learns into the file."""
    network = _network(arguments)
    threads = parallel.threads_by_default() if arguments.threads is None else arguments.threads
    curve = _Curve(arguments.minutes * 60, arguments.log, arguments.resume)
    time = f"{arguments.minutes:g} minute{'s' * (arguments.minutes != 1)}"
    _told(f"{network!r} learns for {time}, {counted(threads, 'thread')}, {network.memory / 1e9:.2f} GB")
    try:
        with Leaving():
            done = _in_two_parts(network, arguments, threads, curve)
    except ArithmeticError as error:
        raise ValueError(str(error)) from error
    curve.row(done)
    if arguments.picture:
        curve.draw(arguments.picture)
    print(f"{counted(done.games, 'full game')}, {counted(done.moves, 'slide')}; the network is in {arguments.output}")
    return 130 if done.interrupted else 0


def _in_two_parts(network: Any, arguments: argparse.Namespace, threads: int, curve: _Curve) -> Trained:
    """Learn, in the last part of the time at a lower rate."""
    done: Trained | None = None
    usual = 1.0 if network.coherence else 0.1
    for share, rate in ((1 - SETTLING, usual), (SETTLING, usual * SLOWER)):
        before = done

        def together(part: Trained, before: Trained | None = before) -> Trained:
            return part if before is None else part.after(before)

        part = network.train(
            seconds=arguments.minutes * 60 * share,
            threads=threads,
            seed=arguments.seed,
            rate=rate,
            progress=lambda part, together=together: curve.report(together(part)),
            checkpoint=arguments.output,
        )
        done = together(part)
        if part.interrupted:
            break
    assert done is not None
    return done


def _network(arguments: argparse.Namespace) -> Any:
    """The network to go on with, or a new one; ValueError where the file would be lost or is missing."""
    from ..networks import NTupleNetwork, patterns

    path = arguments.output
    if arguments.resume:
        network = NTupleNetwork.load(path)
        if arguments.network is not None and patterns.parse(_patterns(arguments.network)) != network.patterns:
            raise ValueError(f"{path} has the patterns {' '.join(network.patterns)}, not {arguments.network}")
        return network
    if os.path.exists(path):
        raise ValueError(f"{path} is there already: --resume goes on with it, or choose another --output")
    return NTupleNetwork(_patterns("8x6" if arguments.network is None else arguments.network))


def _told(line: str, end: str = "\n") -> None:
    """A line on a terminal, in the place of one that is overwritten; nothing in a pipe."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{line}", end=end, file=sys.stderr, flush=True)


def _patterns(text: str) -> str | list[str]:
    return text.split(",") if "," in text else text


class _Curve:
    """A line and a row of the log a minute, more often in short runs."""

    def __init__(self, seconds: float, log: str | None, resume: bool) -> None:
        self._seconds, self._every = seconds, min(60.0, seconds / 10)
        self._last: Trained | None = None
        self._rows: list[list[float]] = []
        self._log, self._minutes = log, 0.0
        if log and resume and os.path.exists(log):
            with open(log, encoding="utf-8") as file:
                lines = file.read().splitlines()
            if not lines or lines[0] != ",".join(HEADING):
                raise ValueError(f"{log} is no log of this command")
            try:
                self._rows = [[float(item) for item in line.split(",")] for line in lines[1:]]
            except ValueError:
                raise ValueError(f"{log} is damaged: it has a line that is no row of numbers") from None
            self._minutes = self._rows[-1][0] if self._rows else 0.0
        elif log:
            with open(log, "w", encoding="utf-8", newline="\n") as file:
                file.write(",".join(HEADING) + "\n")

    def report(self, done: Trained) -> None:
        """A row if it is time for one; on a terminal a line that is overwritten."""
        if done.seconds - (self._last.seconds if self._last else 0) >= self._every:
            self.row(done)
        else:
            left = max(0.0, self._seconds - done.seconds)
            _told(f"{done.games:,} games, {done.moves:,} slides, {left / 60:.1f} minutes left", end="")

    def row(self, done: Trained) -> None:
        """A line and a row of what was done since the last one."""
        part = done if self._last is None else done.since(self._last)
        self._last = done
        if not part.moves:
            return
        rates = [part.reached[k] / part.games if part.games else float("nan") for k in TILES]
        speed = part.moves / part.seconds if part.seconds else float("nan")
        minutes = self._minutes + done.seconds / 60
        row = [minutes, part.games, part.moves, speed, part.mean_score, *rates]
        self._rows.append(row)
        tiles = "  ".join([f"{2**k} {rate:.1%}" for k, rate in zip(TILES, rates, strict=True) if rate > 0])
        left = max(0.0, self._seconds - done.seconds) / 60
        _told(
            f"{minutes:6.1f} min  {part.games:6,} games  mean {part.mean_score:9,.0f}  {speed / 1e6:5.2f}M slides/s  "
            f"{left:.1f} min left  {tiles}"
        )
        if self._log:
            with open(self._log, "a", encoding="utf-8", newline="\n") as file:
                file.write(",".join(_shown(row)) + "\n")

    def draw(self, path: str) -> None:
        """The mean score over the minutes."""
        pyplot = _pyplot()
        figure, axes = pyplot.subplots()
        axes.plot([row[0] for row in self._rows], [row[4] for row in self._rows], marker=".")
        axes.set(xlabel="minutes", ylabel="mean score while learning")
        axes.grid(True)
        figure.savefig(path)
        pyplot.close(figure)


def _shown(row: Iterable[float]) -> list[str]:
    return [f"{item:.6g}" if isinstance(item, float) else str(item) for item in row]


def _pyplot() -> Any:
    try:
        import matplotlib  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        raise ImportError(f"--picture needs matplotlib: {extras.hint('plot')}") from None
    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot
