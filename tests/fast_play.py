"""Fast games of our engine against itself, under any rules and with little time; used by the tests and by bench."""

import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from menagerie.arena import openings, referee
from menagerie.arena.players import Clocks, Player, read_player
from menagerie.arena.referee import Control
from menagerie.arena.workers import together
from menagerie.games import find
from menagerie.match.match import Match
from menagerie.position import Turn
from menagerie.search.limits import Clock, Limit
from menagerie.variant import Variant

TIMED = "megabytes=4"
CONTROLS = (
    (TIMED, Control(Limit(seconds=0.1))),
    (TIMED, Control(clock=Clock(0.1, 0.1))),
    (TIMED, Control(clock=Clock(2, 0.05))),
    ("megabytes=4,threads=2", Control(Limit(seconds=0.1))),
    ("nodes=300,megabytes=4", Control()),
    *((f"level={level},megabytes=4", Control(Limit(seconds=0.1))) for level in (1, 3, 5)),
)
BUNCH = 4
WHOLE = 400
"""Plies after which a game ends whose players do not use all their time."""


@dataclass
class Total:
    """What came of some games."""

    games: int = 0
    turns: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    rules: set[str] = field(default_factory=set)
    least_left: float = 1.0
    """The least part of the time that was left when an answer came."""
    overruns: list[float] = field(default_factory=list)
    """For each loss on time, the part of the time that each of the loser's threads had a processor."""

    def __str__(self) -> str:
        wrong = {kind: self.ends[kind] for kind in ("illegal", "time", "forfeit")}
        return (
            f"{self.games} games, {self.turns} turns, {len(self.rules)} sets of rules;"
            f" illegal moves {wrong['illegal']}, losses on time {wrong['time']}, failures {wrong['forfeit']};"
            f" at the latest answer {self.least_left:.0%} of the time was left"
        )


def total_of(parts: Iterator[Total]) -> Total:
    """The sum of several parts."""
    total = Total()
    for part in parts:
        total.games += part.games
        total.turns += part.turns
        total.ends += part.ends
        total.faults += part.faults
        total.rules |= part.rules
        total.least_left = min(total.least_left, part.least_left)
        total.overruns += part.overruns
    return total


def play_all(name: str, numbers: range, seed: int, longest: int, processes: int) -> Iterator[Total]:
    """What came of the games with these numbers, game by game."""
    Hall(name, seed, longest).open()  # Compiled once, here.
    bunches = (numbers[first : first + BUNCH] for first in range(0, len(numbers), BUNCH))
    return together(Hall(name, seed, longest), bunches, processes)


class Hall:
    """Where the games are played."""

    def __init__(self, name: str, seed: int, longest: int) -> None:
        self.name, self.seed, self.longest = name, seed, longest

    def open(self) -> None:
        """Load everything before any clock runs."""
        game = find(self.name)
        self.turns = openings.usual_turns(Variant(game, game.options()))
        read_player(TIMED).make(Variant(game, game.options()))

    def work(self, job: range) -> Iterator[Total]:
        """Play some games."""
        for number in job:
            yield self.play(number)

    def play(self, number: int) -> Total:
        """Play one game with options, opening and control by chance."""
        chance = random.Random(self.seed * 1_000_003 + number)
        variant = any_rules(self.name, chance)
        text, control = CONTROLS[number % len(CONTROLS)]
        recipe = read_player(text)
        players = tuple(Watched(recipe.make(variant), recipe.settings.threads) for _ in range(2))
        for player in players:
            player.new_game(1 + number)
        match = openings.attempt(variant, chance.randint(0, self.turns), chance)
        uses_all_time = control.clock or (recipe.settings.level == 0 and control.limit.seconds)
        control = Control(control.limit, control.clock, self.longest if uses_all_time else WHOLE)
        fault = referee.play(match, (players[0], players[1]), control)
        assert match.outcome
        overruns = [players[match.position.player].busy] if fault and fault.reason == "time" else []
        words = f"game {number} ({text} {control}) {variant.options.in_full()}: {fault.words}" if fault else ""
        words += "".join(f", {busy:.0%} of the time on a processor" for busy in overruns)
        return Total(
            games=1,
            turns=len(match.turns),
            ends=Counter([match.outcome.reason]),
            faults=[words] if words else [],
            rules={variant.options.in_full()},
            least_left=min(player.least_left for player in players),
            overruns=overruns,
        )

    def close(self) -> None:
        """Nothing is held."""


def any_rules(name: str, chance: random.Random) -> Variant:
    """A game with a value by chance for each of its options."""
    game = find(name)
    return Variant(
        game, game.options.of({option: chance.choice(game.options.values(option)) for option in game.options.names()})
    )


class Watched:
    """A player whose answers are timed."""

    def __init__(self, player: Player, threads: int) -> None:
        self.player, self.name, self.tolerance = player, player.name, player.tolerance
        self.threads = threads
        self.least_left = 1.0
        self.busy = 0.0
        """The part of the time that the last answer kept a processor busy for each of its threads."""

    def new_game(self, seed: int = 0) -> None:
        """Hand it on."""
        self.player.new_game(seed)

    def choose(self, match: Match, limit: Limit | None = None, clocks: Clocks | None = None) -> Turn:
        """Take the time, and keep the worst."""
        begun, worked = time.perf_counter(), time.process_time()
        turn = self.player.choose(match, limit, clocks)
        allowed = clocks[match.position.player].left if clocks else limit.seconds if limit else None
        if allowed:
            self.least_left = min(self.least_left, 1 - (time.perf_counter() - begun) / allowed)
            self.busy = (time.process_time() - worked) / (allowed * self.threads)
        return turn

    def close(self) -> None:
        """Hand it on."""
        self.player.close()
