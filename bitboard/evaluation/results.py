"""What an evaluation found: the games, their mean, intervals and rates, as text, JSON and CSV."""

from __future__ import annotations

from collections.abc import Iterable
from math import nan, sqrt
from typing import Any

from ..core import BACKEND, __version__
from ..tools import checks
from ..tools.words import counted

MILESTONES = (512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072)
SPAWN_LAW = "2 (9 in 10) or 4 (1 in 10) in an empty cell chosen uniformly"

# One finished game: index, score, moves, largest tile, whether two 32768 tiles ever met, seconds.
Result = tuple[int, int, int, int, bool, float]
FIELDS = ("game", "score", "moves", "largest", "saturated", "seconds")
KINDS = (int, int, int, int, bool, (int, float))
MADE_WITH = ("version", "backend", "spawn_law")
HEAD: dict[str, Any] = {"agent": str, "seed": int, "wanted": int, "seconds": (int, float), "interrupted": bool}
HEAD |= dict.fromkeys(MADE_WITH, str)


class Evaluation:
    """What evaluate() found. Scores are sums of rewards: a merge into 2**k earns 2**k.

    results: one tuple a finished game, in the order of the fields: game, score, moves, largest, saturated (two 32768
    tiles met: after that the agent saw packed views, and score and largest are exact), seconds. agent, seed, wanted
    (games asked for), seconds (in all), interrupted, version, backend, spawn_law say what was measured and how.
    Evaluations of one agent and seed, of different games (evaluate(first=)), add up: a + b, or sum() of many.
    """

    def __init__(
        self, agent: str, seed: int, wanted: int, results: list[Result], seconds: float, interrupted: bool = False
    ) -> None:
        self.agent, self.seed, self.wanted = agent, seed, wanted
        self.results, self.seconds, self.interrupted = tuple(results), seconds, interrupted
        self.version, self.backend, self.spawn_law = __version__, BACKEND, SPAWN_LAW

    def __add__(self, other: object) -> Evaluation:
        """The games of both; `seconds` are those of both, one after the other.

        Raises ValueError if agent (its name) or seed differ, and for a game that is in both.
        """
        if not isinstance(other, Evaluation):
            return NotImplemented
        for what in ("agent", "seed"):
            one, two = getattr(self, what), getattr(other, what)
            if one != two:
                raise ValueError(f"only evaluations of the same {what} can be added, got {one!r} and {two!r}")
        both = {result[0] for result in self.results} & {result[0] for result in other.results}
        if both:
            raise ValueError(f"game {min(both)} is in both evaluations; evaluate(first=) plays other games of a seed")
        wanted, seconds = self.wanted + other.wanted, self.seconds + other.seconds
        results = sorted(self.results + other.results)
        made = Evaluation(self.agent, self.seed, wanted, results, seconds, self.interrupted or other.interrupted)
        for name in MADE_WITH:
            parts = [*getattr(self, name).split(" and "), *getattr(other, name).split(" and ")]
            setattr(made, name, " and ".join(dict.fromkeys(parts)))
        return made

    def __radd__(self, other: object) -> Evaluation:
        """What sum() begins with is no evaluation."""
        return self if type(other) is int and other == 0 else NotImplemented

    @classmethod
    def from_json(cls, text: str) -> Evaluation:
        """The evaluation of which json() made this text. Raises ValueError for another one.

        >>> import bitboard
        >>> result = bitboard.evaluate(bitboard.agents.Greedy(), games=3)
        >>> Evaluation.from_json(result.json()).scores == result.scores
        True
        """
        from json import loads

        checks.text(text, "text")
        try:
            data = loads(text)
            results: list[Any] = [tuple([row[field] for field in FIELDS]) for row in data["results"]]
            known = tuple([data[name] for name in HEAD])
            right = all([_are(result, KINDS) for result in results]) and _are(known, HEAD.values())
        except (KeyError, TypeError, ValueError) as error:
            what = f"{type(error).__name__}: {error}"
            raise ValueError(f"text is not the JSON of an evaluation: {what}") from None
        if not right or not results:
            raise ValueError("text is not the JSON of an evaluation: a value is of a wrong type, or no game is there")
        made = cls(data["agent"], data["seed"], data["wanted"], results, data["seconds"], data["interrupted"])
        for name in MADE_WITH:
            setattr(made, name, data[name])
        return made

    @property
    def games(self) -> int:
        """The number of finished games."""
        return len(self.results)

    @property
    def scores(self) -> list[int]:
        """The score of each game, in the order of the games."""
        return [result[1] for result in self.results]

    @property
    def moves(self) -> int:
        """The slides of all games."""
        return sum([result[2] for result in self.results])

    @property
    def mean_score(self) -> float:
        """The mean of the scores."""
        return sum(self.scores) / self.games

    @property
    def std(self) -> float:
        """The standard deviation of the scores of such games, by n - 1; nan for one game."""
        n, mean = self.games, self.mean_score
        return sqrt(sum([(score - mean) ** 2 for score in self.scores]) / (n - 1)) if n > 1 else nan

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the mean score, by Student's t; (nan, nan) for one game."""
        n, mean = self.games, self.mean_score
        if n == 1:
            return nan, nan
        half = student_t(n - 1) * self.std / sqrt(n)
        return mean - half, mean + half

    @property
    def median(self) -> float:
        """The median of the scores."""
        scores = sorted(self.scores)
        return (scores[(self.games - 1) // 2] + scores[self.games // 2]) / 2

    @property
    def rates(self) -> dict[int, tuple[float, float, float]]:
        """Tile -> (share of games whose largest tile was that or more, low, high) with Wilson's 95% interval."""
        rates = {}
        for tile in MILESTONES:
            reached = sum([result[3] >= tile for result in self.results])
            rates[tile] = (reached / self.games, *wilson(reached, self.games))
        return rates

    @property
    def moves_per_second(self) -> float:
        """Slides of all workers together by the time on the clock."""
        return self.moves / self.seconds if self.seconds else float("inf")

    def as_dict(self) -> dict[str, Any]:
        """Everything, of plain types."""
        return {
            "agent": self.agent,
            "games": self.games,
            "wanted": self.wanted,
            "interrupted": self.interrupted,
            "seed": self.seed,
            "mean_score": self.mean_score,
            "std": None if self.games == 1 else self.std,
            "interval": None if self.games == 1 else list(self.interval),
            "median": self.median,
            "rates": {str(tile): list(rate) for tile, rate in self.rates.items()},
            "moves": self.moves,
            "seconds": self.seconds,
            "moves_per_second": self.moves_per_second,
            "saturated_games": sum([result[4] for result in self.results]),
            "spawn_law": self.spawn_law,
            "score": "the sum of all merges, a merge into 2**k earning 2**k",
            "version": self.version,
            "backend": self.backend,
            "results": [dict(zip(FIELDS, result, strict=True)) for result in self.results],
        }

    def json(self) -> str:
        """Everything as JSON (intervals as [low, high], rates as [rate, low, high])."""
        from json import dumps

        return dumps(self.as_dict(), indent=1)

    def csv(self) -> str:
        """One line a game, with a heading."""
        lines = [",".join(FIELDS)]
        for index, score, moves, largest, saturated, seconds in self.results:
            lines.append(f"{index},{score},{moves},{largest},{int(saturated)},{seconds:.6f}")
        return "\n".join([*lines, ""])

    def table(self) -> str:
        """The numbers as text, several lines without a newline at the end."""
        cut = f" of {self.wanted}, interrupted" if self.interrupted else ""
        mean = f"{self.mean_score:,.0f}"
        if self.games > 1:
            mean += f"  (95% interval {self.interval[0]:,.0f} to {self.interval[1]:,.0f})"
        lines = [
            f"agent       {self.agent}",
            f"games       {self.games}{cut}, seed {self.seed}",
            f"mean score  {mean}",
            f"median      {self.median:,.0f}" + (f", std {self.std:,.0f}" if self.games > 1 else ""),
            f"speed       {self.moves_per_second:,.0f} moves/s ({counted(self.moves, 'move')} in {self.seconds:.1f} s)",
            f"spawn       {self.spawn_law}",
            f"bitboard    {self.version}, backend {self.backend}",
            "",
            "  tile   reached   95% interval",
        ]
        for tile, (rate, low, high) in self.rates.items():
            lines.append(f"{tile:>6}   {rate:7.1%}   {low:6.1%} to {high:6.1%}")
        saturated = sum([result[4] for result in self.results])
        if saturated:
            lines.append(
                f"In {counted(saturated, 'game')} two 32768 tiles met; from there on the agent was given packed views."
            )
        return "\n".join(lines)

    __str__ = table

    def __repr__(self) -> str:
        return f"<Evaluation of {self.agent}: {counted(self.games, 'game')}, mean score {self.mean_score:,.0f}>"


def _are(values: Iterable[Any], kinds: Iterable[Any]) -> bool:
    """Whether values are of these types, one by one."""
    return all([isinstance(value, kind) for value, kind in zip(values, kinds, strict=True)])


def wilson(successes: int, n: int) -> tuple[float, float]:
    """The 95% interval of a rate (E. B. Wilson, 1927).

    >>> [round(bound, 3) for bound in wilson(8, 10)]
    [0.49, 0.943]
    """
    z = 1.959963984540054
    centre = (successes + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * sqrt(successes * (n - successes) / n + z * z / 4)
    return max(0.0, centre - half), min(1.0, centre + half)


def student_t(freedom: int) -> float:
    """The 97.5% point of Student's t, within 0.01%.

    By the expansion in powers of 1/freedom about the normal one (Abramowitz and Stegun, 26.7.5).

    >>> round(student_t(9), 2), round(student_t(99), 3)
    (2.26, 1.984)
    """
    exact = (12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469)
    if freedom <= len(exact):
        return exact[freedom - 1]
    z, v = 1.959963984540054, freedom
    g1 = (z**3 + z) / 4
    g2 = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    g3 = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    g4 = (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160
    return z + g1 / v + g2 / v**2 + g3 / v**3 + g4 / v**4
