"""The ladder: each level against the one below it, with the results as data in the game's folder."""

import json
import tomllib
from dataclasses import asdict, dataclass
from math import isfinite
from pathlib import Path

from menagerie.arena.contest import Contest, Score
from menagerie.arena.elo import Tally
from menagerie.errors import MenagerieError
from menagerie.game import Game

FILE = "ladder.toml"
RUNGS = range(2, 9)
"""The levels that have one below."""


@dataclass(frozen=True)
class Rung:
    """How a level did against the one below it. An Elo that is infinite is written as inf, which TOML knows."""

    level: int
    games: int
    wins: int
    draws: int
    losses: int
    pairs: list[int]
    elo: float
    low: float
    high: float
    made_by: str

    @classmethod
    def of(cls, level: int, score: Score, command: str) -> "Rung":
        """What a contest says about a level."""
        tally = score.tally
        elo, low, high = (round(number, 1) for number in (tally.elo, *tally.interval))
        return cls(level, score.games, *score.points, list(tally.pairs), elo, low, high, command)

    @property
    def tally(self) -> Tally:
        """The pairs again."""
        nothing, half, even, more, both = self.pairs
        return Tally((nothing, half, even, more, both))


def contest(game: str, rules: str, level: int, seed: int) -> Contest:
    """A level against the one below it, neither with what tables know."""
    return Contest(game, (f"level={level},tables=0", f"level={level - 1},tables=0"), rules, seed=seed)


def place(game: Game) -> Path:
    """Where a game keeps its ladder."""
    return Path(str(game.folder)) / FILE


def read(file: Path) -> dict[int, Rung]:
    """The rungs in a file by their levels; none where there is no file."""
    if not file.exists():
        return {}
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
        rungs = [Rung(**rung) for rung in content["rung"]]
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise MenagerieError(f"the ladder in {file} cannot be read: {error}") from error
    return {rung.level: rung for rung in rungs}


def write(file: Path, rungs: dict[int, Rung]) -> None:
    """Write the rungs, lowest first."""
    parts = ["# Each level against the one below it; pairs by the points they brought: 0, 1/2, 1, 3/2, 2.\n"]
    for _, rung in sorted(rungs.items()):
        lines = [f"{name} = {value_text(value)}" for name, value in asdict(rung).items()]
        parts.append("\n".join(["[[rung]]", *lines]) + "\n")
    file.write_text("\n".join(parts), encoding="utf-8")


def value_text(value: object) -> str:
    """A value as TOML writes it, which for texts, lists and whole numbers is as JSON does."""
    return str(value) if isinstance(value, float) and not isfinite(value) else json.dumps(value, ensure_ascii=False)
