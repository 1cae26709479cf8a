"""Random games: the positions and turns that tests look at."""

import itertools
import random
from collections.abc import Iterator

from menagerie import Action, Match, Position, Turn, Variant
from menagerie.errors import TooManyTurns

LONGEST = 400
"""The ply at which a walk that has met no end is given up."""


def walk(variant: Variant, chance: random.Random) -> Iterator[Position]:
    """The positions of one random game, judged by the board alone, its last one included."""
    position = variant.start()
    yield position
    while position.indices and position.ply < LONGEST:
        position = position.play(chance.choice(position.actions()))
        yield position


def walk_eagerly(position: Position, chance: random.Random) -> Iterator[Position]:
    """The same from any position, where a chance to end the game is taken half of the time: others seldom see mates."""
    yield position
    while position.indices and position.ply < LONGEST:
        actions = position.actions()
        ends = [action for action in actions if action.after.outcome] if chance.random() < 0.5 else []
        position = chance.choice(ends or actions).after
        yield position


def positions(variant: Variant, count: int, seed: int) -> Iterator[Position]:
    """That many positions of random games."""
    chance = random.Random(seed)
    games = itertools.chain.from_iterable(walk(variant, chance) for _ in itertools.count())
    return itertools.islice(games, count)


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


def random_match(variant: Variant, seed: int, longest: int = 120) -> Match:
    """A random match up to its end, or that many turns of it."""
    match = Match(variant)
    chance = random.Random(seed)
    while not match.outcome and len(match.turns) < longest:
        turn = random_turn(match.position, chance)
        if match.allows(turn.after):
            match.play(turn)
    return match


def listed_turns(position: Position) -> tuple[Turn, ...]:
    """The turns of a position; none where they are too many to list."""
    try:
        return position.turns()
    except TooManyTurns:
        return ()


def count_reachable(start: Position, most: int) -> int:
    """How many different positions games from here can come to, counted up to that many."""
    known, left = {start.key}, [start]
    while left and len(known) < most:
        for action in left.pop().actions():
            if action.after.key not in known:
                known.add(action.after.key)
                left.append(action.after)
    return min(len(known), most)
