"""What every test shares: the games under every set of rules, and the way to their folders."""

import itertools
import os
import random
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("MENAGERIE_GAMES", str(Path(__file__).parent / "games"))  # before the package looks for games

import pytest

import menagerie
from menagerie import Action, Position, Turn, Variant
from menagerie.errors import TooManyTurns
from menagerie.games import find, names

FEW = 8
"""How many option sets of a game with many are tried in one run."""


def rule_sets(name: str) -> list[Variant]:
    """A game under its usual rules, with each option changed by itself, and under mixtures of them: all, or some."""
    options = find(name).options
    values = {option: options.values(option) for option in options.names()}
    single = [{option: value} for option in values for value in values[option][1:]]
    mixed = [
        dict(zip(values, combination, strict=True))
        for combination in itertools.product(*values.values())
        if sum(value != values[option][0] for option, value in zip(values, combination, strict=True)) > 1
    ]
    random.Random(name).shuffle(mixed)
    chosen = [{}, *single, *mixed[: max(0, FEW - 1 - len(single))]]
    return [menagerie.game(name, **choice) for choice in chosen]


def extreme_rules(name: str) -> list[Variant]:
    """A game under its usual rules, with every option changed, and under two mixtures: or all there are."""
    options = find(name).options
    values = {option: options.values(option) for option in options.names()}
    combinations = list(itertools.product(*values.values()))
    changed = tuple(value[-1] for value in values.values())
    rest = [combination for combination in combinations[1:] if combination != changed]
    chosen = dict.fromkeys([combinations[0], changed, *random.Random(name).sample(rest, min(2, len(rest)))])
    return [menagerie.game(name, **dict(zip(values, combination, strict=True))) for combination in chosen]


VARIANTS = [variant for name in names() for variant in rule_sets(name)]


@pytest.fixture(params=VARIANTS, ids=lambda variant: f"{variant.game.name}-{variant.options}".strip("-"))
def variant(request: pytest.FixtureRequest) -> Variant:
    """Each game under each set of rules."""
    chosen: Variant = request.param
    return chosen


@pytest.fixture(
    params=[variant for name in names() for variant in extreme_rules(name)],
    ids=lambda variant: f"{variant.game.name}-{variant.options}".strip("-"),
)
def extreme(request: pytest.FixtureRequest) -> Variant:
    """Each game under a few sets of rules that are far apart, for what takes long."""
    chosen: Variant = request.param
    return chosen


@pytest.fixture(params=names())
def usual(request: pytest.FixtureRequest) -> Variant:
    """Each game under its usual rules."""
    return menagerie.game(request.param)


def walk(variant: Variant, chance: random.Random) -> Iterator[Position]:
    """The positions of one random game, judged by the board alone, its last one included."""
    position = variant.start()
    yield position
    while position.indices and position.ply < 400:
        position = position.play(chance.choice(position.actions()))
        yield position


def random_turn(position: Position, chance: random.Random) -> Turn:
    """A turn made of random actions."""
    indices, now = [], position
    while now.player == position.player and now.indices:
        indices.append(chance.choice(now.indices))
        now = Action(now, indices[-1]).after
    return Turn(position, tuple(indices))


def turn_starts(variant: Variant, seed: int, most: int = 60) -> list[Position]:
    """The positions between the turns of one random game, its end left out."""
    chance = random.Random(seed)
    starts = [variant.start()]
    while len(starts) < most:
        following = random_turn(starts[-1], chance).after
        if following.outcome:
            break
        starts.append(following)
    return starts


def listed_turns(position: Position) -> tuple[Turn, ...]:
    """The turns of a position; none where they are too many to list."""
    try:
        return position.turns()
    except TooManyTurns:
        return ()


def positions(variant: Variant, count: int, seed: int) -> Iterator[Position]:
    """That many positions of random games."""
    chance = random.Random(seed)
    games = itertools.chain.from_iterable(walk(variant, chance) for _ in itertools.count())
    return itertools.islice(games, count)
