"""Positions in which something can be seen, found by walking through random games; no game is named here."""

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache

import menagerie
from menagerie import Variant
from menagerie.games import names
from menagerie.position import Position, Turn


@cache
def variant(name: str) -> Variant:
    """A game under its usual rules."""
    return menagerie.game(name)


def opening(name: str) -> Position:
    """The first position with both armies on the board."""
    position, setups = variant(name).start(), variant(name).game.setups
    for _ in range(2 if setups else 0):
        for letter in next(iter(setups.values())):
            position = next(a for a in position.actions() if a.gesture.touches[0] == letter).after
    return position


def walk(name: str, seed: int, most: int = 120) -> Iterator[Position]:
    """The positions between the turns of a random game."""
    chance, position = random.Random(seed), opening(name)
    for _ in range(most):
        yield position
        mover = position.player
        while not position.outcome and position.player == mover:
            actions = position.actions()
            forcing = [action for action in actions if action.gesture.does in ("capture", "push", "drop")]
            position = chance.choice(forcing if forcing and chance.random() < 0.6 else actions).after
        if position.outcome:
            return


def positions(fits: Callable[[Position], bool], seeds: int = 30, among: Sequence[str] = ()) -> dict[str, Position]:
    """For each game (or each among some) the first position found that fits; games without one are left out."""
    found: dict[str, Position] = {}
    for name in among or names():
        for seed in range(seeds):
            position = next(filter(fits, walk(name, seed)), None)
            if position:
                found[name] = position
                break
    return found


def has_deed(does: str) -> Callable[[Position], bool]:
    """Whether some action does this."""
    return lambda position: any(action.gesture.does == does for action in position.actions())


def counts_steps(name: str) -> bool:
    """Whether a turn is several steps that are counted."""
    notation = variant(name).game.turn_notation
    return notation is not None and notation.actions_left(opening(name).state) is not None


def jumping() -> list[str]:
    """The games in which a capture may be several jumps."""
    return [name for name in names() if variant(name).game.long_turns and not counts_steps(name)]


def chains(position: Position) -> list[Turn]:
    """The turns that are captures of several jumps by one piece."""
    return [turn for turn in position.turns() if len(turn.indices) > 1]


def path(turn: Turn) -> list[str]:
    """The squares of a capture of several jumps."""
    squares: list[str] = []
    position = turn.position
    for index in turn.indices:
        action = next(action for action in position.actions() if action.index == index)
        squares += action.gesture.touches if not squares else action.gesture.touches[1:]
        position = action.after
    return squares
