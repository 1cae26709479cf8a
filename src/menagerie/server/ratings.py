"""Ratings by Glicko-2, after the description by Mark Glickman; one rating period is one match."""

import math
from dataclasses import dataclass, replace

SCALE = 173.7178
START = 1500.0
TAU = 0.5
"""How fast volatility changes."""
PRECISION = 1e-6
WIDEST, NARROWEST = 350.0, 45.0
FORGOTTEN = 700.0
"""Days without a match after which what was known of a rating's holder is worth nothing."""
PROVISIONAL = 110.0
"""A rating with more deviation than this is only a first guess."""
MACHINE_FIRST, MACHINE_STEP, MACHINE_DEVIATION = 800.0, 200.0, 60.0
"""What level 1 counts as for somebody who plays it, how much each further level adds, and how sure that is."""


@dataclass(frozen=True)
class Rating:
    """How strong somebody is, how sure that is, and how steady."""

    rating: float = START
    deviation: float = WIDEST
    volatility: float = 0.06
    games: int = 0

    @property
    def is_provisional(self) -> bool:
        """Whether too little is known."""
        return self.deviation > PROVISIONAL

    def later(self, days: float) -> "Rating":
        """The same after so many days without a match: less is known."""
        grown = math.hypot(self.deviation, math.sqrt(WIDEST**2 - NARROWEST**2) * math.sqrt(max(0.0, days) / FORGOTTEN))
        return replace(self, deviation=min(WIDEST, grown))

    def after(self, *results: tuple["Rating", float]) -> "Rating":
        """The rating after a period of matches, each an opponent and a score: 1 is a win, 0.5 a draw."""
        mu, phi = (self.rating - START) / SCALE, self.deviation / SCALE
        precision = surprise = 0.0
        for opponent, score in results:
            g = 1 / math.sqrt(1 + 3 * (opponent.deviation / SCALE) ** 2 / math.pi**2)
            expected = 1 / (1 + math.exp(-g * (mu - (opponent.rating - START) / SCALE)))
            precision += g * g * expected * (1 - expected)
            surprise += g * (score - expected)
        sigma = self._volatility(phi, 1 / precision, surprise / precision)
        phi = 1 / math.sqrt(1 / (phi * phi + sigma * sigma) + precision)
        mu += phi * phi * surprise
        deviation = min(WIDEST, max(NARROWEST, phi * SCALE))
        return Rating(mu * SCALE + START, deviation, sigma, self.games + len(results))

    def _volatility(self, phi: float, variance: float, delta: float) -> float:
        """The new volatility, by the Illinois algorithm as in step 5 of the description."""
        a = math.log(self.volatility**2)

        def f(x: float) -> float:
            grown = phi * phi + variance + math.exp(x)
            return math.exp(x) * (delta * delta - grown) / (2 * grown * grown) - (x - a) / (TAU * TAU)

        low = a
        if delta * delta > phi * phi + variance:
            high = math.log(delta * delta - phi * phi - variance)
        else:
            k = 1
            while f(a - k * TAU) < 0:
                k += 1
            high = a - k * TAU
        at_low, at_high = f(low), f(high)
        while abs(high - low) > PRECISION:
            middle = low + (low - high) * at_low / (at_high - at_low)
            at_middle = f(middle)
            if at_middle * at_high <= 0:
                low, at_low = high, at_high
            else:
                at_low /= 2
            high, at_high = middle, at_middle
        return math.exp(low / 2)


def machine(level: int) -> Rating:
    """What a level of the machine counts as."""
    return Rating(MACHINE_FIRST + MACHINE_STEP * (level - 1), MACHINE_DEVIATION)
