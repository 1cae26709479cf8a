"""How long a search may go on, and how strong the eight levels are."""

from collections.abc import Mapping
from dataclasses import astuple, dataclass

from menagerie.errors import LimitError

DEEPEST = 99
MOST = {"depth": 10**6, "nodes": 10**18, "seconds": 1e9}


@dataclass(frozen=True)
class Limit:
    """Where a search ends: whichever comes first; without any it goes on until it is stopped."""

    depth: int | None = None
    """How many actions deep."""
    nodes: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name, most in MOST.items():
            value = getattr(self, name)
            kinds = (int, float) if name == "seconds" else (int,)
            if value is not None and (type(value) not in kinds or not 0 < value <= most):
                whole = "" if name == "seconds" else "whole "
                raise LimitError(f"{name} must be a {whole}number above 0 and at most {most:.0e}, not {value!r}")

    def within(self, other: "Limit") -> "Limit":
        """The narrower of two limits, each by itself."""
        return Limit(
            *(min(filter(None, pair), default=None) for pair in zip(astuple(self), astuple(other), strict=True))
        )


def limit_of(given: Mapping[str, float]) -> Limit:
    """The limit that keywords name; a LimitError where there is no such thing to limit."""
    for name in given:
        if name not in MOST:
            raise LimitError(f"there is no limit {name!r}; there are: {', '.join(MOST)}")
    return Limit(**given)  # type: ignore[arg-type]  # it looks at the numbers itself


@dataclass(frozen=True)
class Level:
    """A strength: how much is looked at, how far judgement errs, and how long it may take."""

    nodes: int
    """For each action of a usual turn."""
    noise: float
    """Every judgement is wrong by chance, by up to so many times the value that makes a chance of e : 1 to win."""
    seconds: float


STRENGTH = {
    1: Level(nodes=16, noise=1.8, seconds=0.5),
    2: Level(nodes=170, noise=0.5, seconds=0.5),
    3: Level(nodes=360, noise=0.4, seconds=0.5),
    4: Level(nodes=700, noise=0.3, seconds=0.6),
    5: Level(nodes=1_800, noise=0.18, seconds=0.8),
    6: Level(nodes=5_500, noise=0.08, seconds=1.0),
    7: Level(nodes=25_000, noise=0, seconds=1.5),
    8: Level(nodes=1_000_000, noise=0, seconds=4.0),
}
LEVELS = range(1, len(STRENGTH) + 1)


def strength(level: int) -> Level:
    """What a level means."""
    if level not in STRENGTH:
        raise LimitError(f"there is no level {level!r}; levels are 1 to {max(LEVELS)}")
    return STRENGTH[level]


@dataclass(frozen=True)
class Clock:
    """The time that a player has: seconds left, seconds added after each turn, turns until the next time control."""

    left: float
    added: float = 0.0
    turns: int | None = None

    def share(self) -> float:
        """How many seconds to think about one turn."""
        turns = min(self.turns or 30, 30)
        reserve = min(0.05, 0.2 * self.left)
        return max(0.005, min(self.left / turns + 0.8 * self.added, 0.5 * self.left, self.left - reserve))
