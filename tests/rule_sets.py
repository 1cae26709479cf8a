"""Which sets of rules a game is tried under: all there are, or a few in which any two options meet in every way."""

from itertools import combinations_with_replacement, product

import menagerie
from menagerie import Variant
from menagerie.games import find

Choice = dict[str, str]
"""A value for every option of a game."""
Pair = tuple[tuple[str, str], tuple[str, str]]


def every(name: str) -> list[Variant]:
    """A game under every set of rules, the usual one first."""
    return [menagerie.game(name, **choice) for choice in choices(name)]


def covering(name: str) -> list[Variant]:
    """A game under its usual rules and a few others: each value of an option meets each value of any other there."""
    left, chosen = choices(name), list[Choice]()
    missing = {pair for choice in left for pair in pairs(choice)}
    best = left[0]
    while missing:
        chosen.append(best)
        missing -= pairs(best)
        best = max(left, key=lambda choice: len(missing & pairs(choice)))
    return [menagerie.game(name, **choice) for choice in chosen or left]


def choices(name: str) -> list[Choice]:
    """Every combination of the values of a game's options, the usual one first."""
    options = find(name).options
    return [
        dict(zip(options.names(), values, strict=True)) for values in product(*map(options.values, options.names()))
    ]


def pairs(choice: Choice) -> set[Pair]:
    """The values that meet in a choice, two by two; each also with itself, for a game with a single option."""
    return set(combinations_with_replacement(choice.items(), 2))
