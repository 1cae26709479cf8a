"""What results say about strength: Elo with error bars, likelihood of superiority, and a test that knows when to stop.

Games come in pairs, one opening with the colours swapped, and the two games of a pair are not independent. What is
counted are therefore pairs, by the points they brought: 0, ½, 1, 1½ or 2.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import copysign, erf, inf, log, log10, sqrt
from typing import NamedTuple

from menagerie.errors import MenagerieError

POINTS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""What a pair brings, as a share of what it could."""
SURE = 1.959964
"""How many standard errors 95 % of a normal distribution lie within."""
DOUBT = 0.1
"""What an error bar supposes was seen of every kind of pair before any was: ten wins are no proof of invincibility."""
TRACE = 1e-3
"""The same for the sequential test, which only has to be defined."""
MOST_ELO = 1000.0
"""How far apart the two strengths of a test may lie from nought."""


def elo_of(score: float) -> float:
    """The difference in strength that makes a player score so much of the points."""
    if score <= 0 or score >= 1:
        return copysign(inf, score - 0.5)
    return 400 * log10(score / (1 - score))


def score_of(elo: float) -> float:
    """The share of the points that a difference in strength makes."""
    return 1 / (1 + 10 ** (-elo / 400))


class Interval(NamedTuple):
    """Where the truth lies with 95 %."""

    low: float
    high: float


@dataclass(frozen=True)
class Tally:
    """How many pairs brought 0, ½, 1, 1½ and 2 points."""

    pairs: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)

    @classmethod
    def of(cls, points: Iterable[float]) -> "Tally":
        """The tally of pairs that brought these points, each from 0 to 2."""
        counts = [0] * len(POINTS)
        for brought in points:
            counts[round(2 * brought)] += 1
        nothing, half, even, more, both = counts
        return cls((nothing, half, even, more, both))

    def __len__(self) -> int:
        return sum(self.pairs)

    @property
    def score(self) -> float:
        """The share of the points that was won; a half where nothing was played."""
        return mean(self.pairs) if len(self) else 0.5

    @property
    def elo(self) -> float:
        """The difference in strength that the score stands for; infinite where one side won everything."""
        return elo_of(self.score)

    @property
    def interval(self) -> Interval:
        """Where the difference in strength lies with 95 %."""
        if not len(self):
            return Interval(-inf, inf)
        middle, error = self._estimate()
        low, high = (elo_of(middle + side * SURE * error) for side in (-1, 1))
        return Interval(min(low, self.elo), max(high, self.elo))

    @property
    def margin(self) -> float:
        """Half the width of the interval: what stands after ±."""
        return (self.interval.high - self.interval.low) / 2

    @property
    def superiority(self) -> float:
        """How likely it is that the first player is the stronger one."""
        if not len(self):
            return 0.5
        middle, error = self._estimate()
        return 0.5 + 0.5 * erf((middle - 0.5) / (error * sqrt(2)))

    def _estimate(self) -> tuple[float, float]:
        """The score and its standard error, both with a little doubt."""
        counts = [count + DOUBT for count in self.pairs]
        return mean(counts), sqrt(variance(counts) / sum(counts))


@dataclass(frozen=True)
class Sprt:
    """A sequential test between two strengths: it says for which of them the results speak, and when to stop.

    It is wrong in `alpha` of the cases where the lower is true, and in `beta` of those where the higher is.
    """

    low: float
    high: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not -MOST_ELO <= self.low < self.high <= MOST_ELO:
            raise MenagerieError(f"a sequential test needs two strengths, the lower first, not {self.low},{self.high}")
        for error in (self.alpha, self.beta):
            if not 0 < error < 0.5:
                raise MenagerieError(f"a sequential test errs with a chance between 0 and 0.5, not {error}")

    @classmethod
    def read(cls, text: str) -> "Sprt":
        """The test that a text describes: two strengths, 0,30, then alpha and beta if not as usual, 0,30,0.05,0.1."""
        try:
            low, high, *errors = (float(part) for part in text.split(","))
            alpha, beta = errors or (cls.alpha, cls.beta)
        except ValueError:
            words = (
                "a sequential test is two numbers of Elo like 0,30, and alpha and beta if need be like 0,30,0.05,0.1"
            )
            raise MenagerieError(f"{words}, not {text!r}") from None
        return cls(low, high, alpha, beta)

    @property
    def bounds(self) -> Interval:
        """Between which likelihood ratios it goes on."""
        return Interval(log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha))

    def ratio(self, tally: Tally) -> float:
        """The logarithm of how much more likely the results are under the higher strength than under the lower.

        Of all distributions with the score that a strength makes, the likeliest one speaks for that strength.
        """
        if not len(tally):
            return 0.0
        counts = [count or TRACE for count in tally.pairs]
        lower, higher = (likeliest(counts, score_of(elo)) for elo in (self.low, self.high))
        return sum(count * log(h / l) for count, h, l in zip(counts, higher, lower, strict=True))

    def verdict(self, tally: Tally) -> str:
        """`higher` or `lower` once the results have decided, before that nothing."""
        ratio = self.ratio(tally)
        return "lower" if ratio <= self.bounds.low else "higher" if ratio >= self.bounds.high else ""


def mean(counts: Sequence[float]) -> float:
    """The mean share of the points."""
    return sum(count * share for count, share in zip(counts, POINTS, strict=True)) / sum(counts)


def variance(counts: Sequence[float]) -> float:
    """The variance of a pair's share of the points."""
    middle = mean(counts)
    return sum(count * (share - middle) ** 2 for count, share in zip(counts, POINTS, strict=True)) / sum(counts)


def likeliest(counts: Sequence[float], score: float) -> list[float]:
    """The distribution with this mean under which the counts are likeliest.

    By Lagrange: shares p / (1 + t (x - score)) for the t that makes the mean right, which is found by halving.
    """
    total = sum(counts)
    apart = [share - score for share in POINTS]
    low, high = -1 / apart[-1], -1 / apart[0]  # Between these every share is positive.
    for _ in range(200):
        middle = (low + high) / 2
        slope = sum(count * x / (1 + middle * x) for count, x in zip(counts, apart, strict=True))
        low, high = (middle, high) if slope > 0 else (low, middle)
    return [count / total / (1 + low * x) for count, x in zip(counts, apart, strict=True)]
