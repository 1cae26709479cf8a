"""Openings: the beginnings of games, each for a pair of them: by chance, different, not yet decided; or from a book."""

import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from menagerie.arena.players import random_turn
from menagerie.errors import MenagerieError
from menagerie.game import Game
from menagerie.match.match import Match, read_all
from menagerie.match.record import decode
from menagerie.position import Turn
from menagerie.search.engine import Engine, Settings
from menagerie.search.limits import Limit
from menagerie.variant import Variant

FEWEST, MOST, MOST_LONG = 2, 6, 4
"""How many random turns games begin with; fewer at most where a turn is usually several actions."""
SHARE = 3
"""The part of a random game that an opening may be: a third."""
SAMPLE = 50
LOOK = 2000
"""Nodes that are searched to see whether an opening is fair."""
UNFAIR = 0.2
"""How far from a half the chance to win may lie after an opening."""
PATIENCE = 100
"""How many attempts in a row may fail before openings get longer by a turn."""
LONGER = 4
"""By how many turns at most."""
POSITIONS = (".fen", ".epd", ".positions")
"""How the names of files end that hold positions."""


@dataclass(frozen=True)
class Opening:
    """The actions of the first turns, as small numbers, and where they begin if not at the usual start."""

    number: int
    turns: tuple[tuple[int, ...], ...]
    start: str = ""

    def played(self, variant: Variant) -> Match:
        """A match after the opening."""
        match = Match(variant, variant.position(self.start) if self.start else None)
        for indices in self.turns:
            match.play(Turn(match.position, indices))
        return match


def usual_turns(variant: Variant) -> int:
    """How many random turns a game of this kind begins with: a small part of a random game's length."""
    random_games = variant.start().playouts(SAMPLE, seed=1)
    length = random_games.turns // max(1, random_games.games)
    return max(FEWEST, min(length // SHARE, most_turns(variant.game)))


def most_turns(game: Game) -> int:
    """How many random turns leave a game sane."""
    return MOST if game.judgement.USUAL_TURN == 1 else MOST_LONG


def book(variant: Variant, turns: int, seed: int) -> Iterator[Opening]:
    """Different openings of that many turns, a little longer ones when no new one turns up; the same for a seed.

    Where a game is so small that every opening is decided they are taken as they are: both players get both sides.
    """
    if turns == 0:
        yield from (Opening(number, ()) for number in itertools.count())
    reader = Reader(variant)
    for accepts in (reader.is_fair, goes_on):
        number = 0
        for match in distinct(variant, turns, seed, accepts):
            yield Opening(number, tuple(turn.indices for turn in match.turns))
            number += 1
        if number:
            return


def read_book(variant: Variant, file: Path, turns: int | None = None) -> Iterator[Opening]:
    """The openings that a file holds, each position once: of each record so many turns, or all.

    Or positions, one on each line; such a file is known by its name.
    """
    known: set[int] = set()
    positions = file.suffix in POSITIONS
    for opening in read_positions(variant, file) if positions else read_beginnings(variant, file, turns):
        played = opening.played(variant)
        if not goes_on(played):
            what = "line" if positions else "game"
            raise MenagerieError(f"{what} {opening.number + 1} of {file} leaves nothing to play for")
        if played.position.key not in known:
            known.add(played.position.key)
            yield opening


def read_beginnings(variant: Variant, file: Path, turns: int | None) -> Iterator[Opening]:
    """How the matches of a file of records begin."""
    for number, match in enumerate(read_all(decode(file.read_bytes()), variant)):
        if match.variant != variant:
            raise MenagerieError(f"game {number + 1} of {file} is one of {match.variant}, and not of {variant}")
        start = "" if match.positions[0] == variant.start() else str(match.positions[0])
        yield Opening(number, tuple(turn.indices for turn in match.turns[:turns]), start)


def read_positions(variant: Variant, file: Path) -> Iterator[Opening]:
    """The positions of a file that has one on each line."""
    for number, line in enumerate(decode(file.read_bytes()).splitlines()):
        if line.strip():
            try:
                yield Opening(number, (), str(variant.position(line.strip())))
            except MenagerieError as error:
                raise MenagerieError(f"line {number + 1} of {file}: {error}") from error


def distinct(variant: Variant, turns: int, seed: int, accepts: Callable[[Match], bool]) -> Iterator[Match]:
    """Random beginnings that lead to different positions and that somebody accepts."""
    chance = random.Random(seed)
    known: set[int] = set()
    for length in range(turns, turns + LONGER + 1):
        failures = 0
        while failures < PATIENCE:
            match = attempt(variant, length, chance)
            failures += 1
            if match.position.key not in known and goes_on(match) and accepts(match):
                known.add(match.position.key)
                failures = 0
                yield match


def attempt(variant: Variant, turns: int, chance: random.Random) -> Match:
    """A match of random turns, shorter where it ends before."""
    match = Match(variant)
    for _ in range(turns):
        if match.outcome:
            break
        match.play(random_turn(match, chance))
    return match


def goes_on(match: Match) -> bool:
    """Whether there is anything left to play for."""
    return match.outcome is None


class Reader:
    """Our engine, looking at an opening for a moment."""

    def __init__(self, variant: Variant) -> None:
        self._engine = Engine(variant, Settings(megabytes=1), Limit(nodes=LOOK))

    def is_fair(self, match: Match) -> bool:
        """Whether neither side has much the better chances."""
        self._engine.forget()
        return abs(self._engine.analyse(match).chance - 0.5) <= UNFAIR
