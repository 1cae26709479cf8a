"""Players: machines that choose turns, each made from a text.

level=5                          our engine at one of its levels
nodes=10000,threads=2            our engine within limits: depth, nodes, seconds; threads, megabytes, seed, weights=FILE
random                           any legal action
uci:COMMAND;Option=value;...     another program, which speaks uci, usi or aei, with options of its own

`name=...` is what a player is called. A limit (depth, nodes, seconds) may stand among a program's options.
"""

import random
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Protocol

from menagerie.errors import EngineError, MenagerieError, PlayerError
from menagerie.kernel.judgement import Weights, read_weights
from menagerie.match.match import Match
from menagerie.position import Action, Turn
from menagerie.protocols import CONVERSATIONS
from menagerie.protocols.controller import ForeignEngine
from menagerie.search.engine import Engine, Settings
from menagerie.search.limits import Clock, Limit
from menagerie.variant import Variant

LIMITS = {part.name: float if part.name == "seconds" else int for part in fields(Limit)}
SETTINGS = {part.name: int for part in fields(Settings)}
WARMING = 3000
"""Nodes of a first search, before any clock runs: it loads the machine code."""
RESERVE, LEAST_RESERVE = 0.05, 0.25
"""What our engine keeps of the seconds for a turn, to answer in time: so many, or if that is less this part of them."""
TOLERANCE = 0.1
"""How many seconds later than allowed another program's answer may reach us, which is told to stop when its time is up.
Ours may not be late at all."""

Clocks = tuple[Clock, Clock]
"""What time both players have, the first player's first."""


class Player(Protocol):
    """Somebody who plays."""

    name: str
    tolerance: float
    """How many seconds late an answer may come."""

    def new_game(self, seed: int = 0) -> None:
        """Another game begins, also after `close`; whatever is left to chance in it follows from the seed."""

    def choose(self, match: Match, limit: Limit | None = None, clocks: Clocks | None = None) -> Turn:
        """The turn to play now, within the limit and the time on the clock."""

    def close(self) -> None:
        """Nothing more will be asked before the next game; also from another thread, to end a thought."""


@dataclass(frozen=True)
class Recipe:
    """What a text says of a player."""

    kind: str
    """`engine`, `random`, or the protocol of a program."""
    name: str
    limit: Limit = field(default_factory=Limit)
    settings: Settings = field(default_factory=Settings)
    weights: str = ""
    command: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def ends(self) -> bool:
        """Whether it answers by itself, without a limit from outside."""
        return self.kind == "random" or self.settings.level > 0 or self.limit != Limit()

    def make(self, variant: Variant, margin: float = 0.0) -> Player:
        """The player, ready for a game in which an answer may come so many seconds late."""
        if self.kind == "random":
            return RandomPlayer(self)
        return EnginePlayer(self, variant) if self.kind == "engine" else ForeignPlayer(self, variant, margin)


def read_player(text: str) -> Recipe:
    """What a text says of a player; a PlayerError where it says nothing sensible."""
    kind, colon, rest = text.strip().partition(":")
    try:
        if colon and kind in CONVERSATIONS:
            return _read_program(kind, rest)
        return _read_engine(text.strip())
    except PlayerError:
        raise
    except (MenagerieError, ValueError) as error:
        raise PlayerError(f"the player {text!r} makes no sense: {error}") from error


def _read_engine(text: str) -> Recipe:
    parts = [part.strip() for part in text.split(",")]
    kind = "random" if parts[0] == "random" else "engine"
    given = _pairs(parts[1:] if kind == "random" else parts)
    known = {"seed": int} if kind == "random" else {**LIMITS, **SETTINGS, "weights": str}
    for name in given:
        if name not in known and name != "name":
            raise MenagerieError(f"there is no setting {name!r}; there are: {', '.join(known)}, name")
    return Recipe(
        kind=kind,
        name=given.get("name", ",".join(part for part in parts if not part.startswith("name="))),
        limit=_limit(given),
        settings=Settings(**{name: _number(given, name, int) for name in SETTINGS if name in given}),
        weights=given.get("weights", ""),
    )


def _read_program(protocol: str, text: str) -> Recipe:
    command, *parts = text.split(";")
    words = shlex.split(command)
    if not words:
        raise MenagerieError(f"there is no command after {protocol}:")
    given = _pairs(parts)
    return Recipe(
        kind=protocol,
        name=given.get("name", Path(words[0]).name),
        limit=_limit(given),
        command=tuple(words),
        options={name: value for name, value in given.items() if name not in LIMITS and name != "name"},
    )


def _pairs(parts: list[str]) -> dict[str, str]:
    """The settings that parts like name=value give."""
    given: dict[str, str] = {}
    for part in parts:
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not (name and equals and value):
            raise MenagerieError(f"{part!r} is not a setting like nodes=10000")
        if name in given:
            raise MenagerieError(f"{name} is set twice")
        given[name] = value
    return given


def _limit(given: Mapping[str, str]) -> Limit:
    return Limit(**{name: _number(given, name, kind) for name, kind in LIMITS.items() if name in given})


def _number(given: Mapping[str, str], name: str, kind: type) -> int:
    try:
        number: int = kind(given[name])
    except ValueError:
        raise MenagerieError(f"{name} must be a number, not {given[name]!r}") from None
    return number


def random_turn(match: Match, chance: random.Random) -> Turn:
    """A turn made of random actions, one that history allows."""
    while True:
        position, indices = match.position, list[int]()
        while position.player == match.position.player and position.indices:
            indices.append(chance.choice(position.indices))
            position = Action(position, indices[-1]).after
        if match.allows(position):
            return Turn(match.position, tuple(indices))


class RandomPlayer:
    """Plays any legal action until its turn is over."""

    tolerance = 0.0

    def __init__(self, recipe: Recipe) -> None:
        self.name = recipe.name
        self._seed = recipe.settings.seed
        self._chance = random.Random(self._seed)

    def new_game(self, seed: int = 0) -> None:
        """Begin the sequence of choices that belongs to the seed."""
        self._chance = random.Random(self._seed + seed)

    def choose(self, match: Match, limit: Limit | None = None, clocks: Clocks | None = None) -> Turn:  # noqa: ARG002
        """Whatever comes."""
        return random_turn(match, self._chance)

    def close(self) -> None:
        """Nothing is held."""


class EnginePlayer:
    """Our engine, a new one for each game so that a game never depends on those before it."""

    tolerance = 0.0

    def __init__(self, recipe: Recipe, variant: Variant) -> None:
        self.name = recipe.name
        self._recipe, self._variant = recipe, variant
        self._weights = _weights(recipe, variant)
        self.new_game()
        self._engine.choose(variant.start(), Limit(nodes=WARMING))

    def new_game(self, seed: int = 0) -> None:
        """Remember nothing."""
        recipe = self._recipe
        settings = replace(recipe.settings, seed=(recipe.settings.seed + seed) % 2**31)
        self._engine = Engine(self._variant, settings, recipe.limit, self._weights)

    def choose(self, match: Match, limit: Limit | None = None, clocks: Clocks | None = None) -> Turn:
        """What the search finds in time."""
        return self._engine.choose(match, time_to_think(limit, clocks[match.position.player] if clocks else None))

    def close(self) -> None:
        """Stop thinking."""
        self._engine.stop()


def _weights(recipe: Recipe, variant: Variant) -> Weights | None:
    """The weights that a recipe names; None where it takes the game's own."""
    terms = variant.game.judgement.TERMS
    if not recipe.weights:
        return None
    if not terms:
        raise PlayerError(f"{variant.game.title} has no judgement that {recipe.weights} could be the weights of")
    return read_weights(Path(recipe.weights), terms)


def time_to_think(limit: Limit | None, clock: Clock | None) -> Limit:
    """How long to search so that the answer comes before the time is up."""
    limit = limit or Limit()
    if limit.seconds:
        limit = replace(limit, seconds=limit.seconds - min(RESERVE, LEAST_RESERVE * limit.seconds))
    return limit.within(Limit(seconds=clock.share())) if clock else limit


class ForeignPlayer:
    """Another program. `ForeignEngine` talks to it; whatever it says is judged by the referee."""

    tolerance = TOLERANCE

    def __init__(self, recipe: Recipe, variant: Variant, margin: float) -> None:
        self.name = recipe.name
        self._recipe, self._variant, self._margin = recipe, variant, margin
        self._engine = self._start()

    def new_game(self, seed: int = 0) -> None:  # noqa: ARG002
        """Tell it; one that was closed, or dies of this, is started anew."""
        try:
            self._engine.new_game()
        except EngineError:
            self._engine.close()
            self._engine = self._start()

    def choose(self, match: Match, limit: Limit | None = None, clocks: Clocks | None = None) -> Turn:
        """Ask it."""
        return self._engine.choose(match, (limit or Limit()).within(self._recipe.limit), clocks)

    def close(self) -> None:
        """End it."""
        self._engine.close()

    def _start(self) -> ForeignEngine:
        """The program, ready for its first game."""
        engine = ForeignEngine(self._recipe.command, self._variant, self._recipe.kind, self._recipe.options)
        engine.margin = self._margin
        return engine
