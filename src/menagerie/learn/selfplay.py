"""Self-play: games of our engine against itself, and the positions between turns as numbers to learn from."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from types import ModuleType

import numpy as np

from menagerie.arena import openings, referee
from menagerie.arena.players import random_turn
from menagerie.arena.workers import together
from menagerie.games import find
from menagerie.kernel.judgement import PHASES, Weights, counter, counting_tally, places
from menagerie.kernel.state import State, new
from menagerie.match.match import Match
from menagerie.position import Position, Turn
from menagerie.search.alphabeta import PROVEN
from menagerie.search.engine import Engine, Settings
from menagerie.search.limits import Limit
from menagerie.variant import Variant

SLIPS = 0.02
"""How often a turn is left to chance, for variety; what came before is then not learnt from."""
SPREAD = 0.5
"""By which part of them nodes vary from turn to turn."""
BUNCH = 5
"""Games that a process plays in one go."""


@dataclass(frozen=True)
class Samples:
    """Positions between turns, one a row. Everything is seen from the first player's side."""

    amounts: np.ndarray
    """How much of each place of a term the position shows."""
    phases: np.ndarray
    values: np.ndarray
    """What the search found."""
    quiet: np.ndarray
    """Whether judgement alone may speak: nothing is in danger, and the best turn takes nothing."""
    results: np.ndarray
    """How the game ended: 1, ½ or 0."""
    games: np.ndarray
    """Which game it was."""

    @classmethod
    def joined(cls, parts: Iterable["Samples"]) -> "Samples":
        """All rows of several parts."""
        columns = zip(*(vars(part).values() for part in parts), strict=True)
        return cls(*(np.concatenate(column) for column in columns))

    def where(self, rows: np.ndarray) -> "Samples":
        """Some of the rows."""
        return Samples(*(column[rows] for column in vars(self).values()))

    def __len__(self) -> int:
        return len(self.results)


@dataclass(frozen=True)
class Practice:
    """What decides how games of self-play go."""

    game: str
    rules: str = ""
    nodes: int = 2000
    seed: int = 1

    @property
    def variant(self) -> Variant:
        """The game with its options."""
        game = find(self.game)
        return Variant(game, game.agreed(self.rules))


def play(practice: Practice, weights: Weights, numbers: range, processes: int) -> Iterator[Samples]:
    """The positions of the games with these numbers, a few games at a time."""
    hall = Hall(practice, weights)
    hall.open()  # Compiled once, here, and then loaded by each process.
    hall.close()
    bunches = (numbers[first : first + BUNCH] for first in range(0, len(numbers), BUNCH))
    return together(Hall(practice, weights), bunches, processes)


class Hall:
    """Where self-play happens."""

    def __init__(self, practice: Practice, weights: Weights) -> None:
        self.practice, self.weights = practice, weights

    def open(self) -> None:
        """Get the engine and the counting ready."""
        self.variant = self.practice.variant
        self.turns = openings.usual_turns(self.variant)
        self.count = Count(self.variant)
        self.engine(0).choose(self.variant.start(), Limit(nodes=self.practice.nodes))
        self.count.amounts(self.variant.start().state)

    def engine(self, number: int) -> Engine:
        """A fresh engine for a game."""
        return Engine(self.variant, Settings(megabytes=4, seed=1 + number % 2**30), weights=self.weights)

    def work(self, job: range) -> Iterator[Samples]:
        """Play some games."""
        for number in job:
            yield self.play(number)

    def play(self, number: int) -> Samples:
        """Play one game, and label its positions with its end."""
        chance = random.Random(self.practice.seed * 1_000_003 + number)
        engine = self.engine(number)
        match = self.begun(chance, engine)
        rows: list[Row] = []
        result: float | None = None
        while result is None:
            nodes = int(self.practice.nodes * chance.uniform(1 - SPREAD, 1 + SPREAD))
            thought = engine.analyse(match, Limit(nodes=max(1, nodes)))
            value = thought.value if match.position.player == 0 else -thought.value
            if abs(value) >= PROVEN:
                result = float(value > 0)
            elif chance.random() < SLIPS:
                rows.clear()
                match.play(random_turn(match, chance))
            else:
                rows.append(self.row(match.position, thought.best, value))
                match.play(thought.best)
            result = self.result(match) if result is None else result
        return self.samples(rows, result, number)

    def begun(self, chance: random.Random, engine: Engine) -> Match:
        """A match after a random beginning, up to twice as long as in a contest, that has not decided it."""
        while True:
            match = openings.attempt(self.variant, self.turns + chance.randint(0, self.turns), chance)
            if openings.goes_on(match):
                value = engine.analyse(match, Limit(nodes=self.practice.nodes)).value
                if abs(value) < PROVEN:
                    return match

    def result(self, match: Match) -> float | None:
        """What the first player got; None while the game goes on."""
        if match.outcome:
            return 0.5 if match.outcome.winner is None else float(match.outcome.winner == 0)
        return 0.5 if referee.is_too_long(match, referee.LONGEST) else None

    def row(self, position: Position, best: Turn, value: int) -> "Row":
        """A position as numbers."""
        judgement = self.variant.game.judgement
        state = position.state
        takes = any(judgement.gain(action.position.state, action.index) > 0 for action in best.actions)
        amounts, phase = self.count.amounts(state)
        return Row(amounts, phase, value, not takes and not judgement.danger(state))

    def samples(self, rows: list["Row"], result: float, number: int) -> Samples:
        """The rows of a game with its result."""
        count = len(rows)
        width = self.count.width
        return Samples(
            amounts=np.array([row.amounts for row in rows], np.int16).reshape(count, width),
            phases=np.array([row.phase for row in rows], np.int16),
            values=np.array([row.value for row in rows], np.int32),
            quiet=np.array([row.quiet for row in rows], bool),
            results=np.full(count, result),
            games=np.full(count, number),
        )

    def close(self) -> None:
        """Nothing is held."""


@dataclass(frozen=True)
class Row:
    """One position: the amounts of its terms and its phase, the search's value, and whether it is quiet."""

    amounts: np.ndarray
    phase: int
    value: int
    quiet: bool


@dataclass
class Count:
    """A game's judgement that keeps the amounts apart."""

    variant: Variant
    width: int = field(init=False)

    def __post_init__(self) -> None:
        module = self.variant.game.judgement
        assert isinstance(module, ModuleType)
        self.width = places(module.TERMS)
        self._judge = counter(module, self.variant.game.name)
        self._tally = new(counting_tally(module))

    def amounts(self, state: State) -> tuple[np.ndarray, int]:
        """How much of each place a state shows, and its phase."""
        self._tally.amounts[:] = 0
        self._tally.phase = PHASES
        self._judge(state, self._tally)
        return self._tally.amounts[: self.width].copy(), int(self._tally.phase)
