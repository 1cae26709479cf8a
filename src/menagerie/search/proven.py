"""What a tablebase knows, as lines of play: the quickest win, the longest resistance, the trickiest draw."""

from collections.abc import Sequence

from menagerie.position import Position
from menagerie.search.alphabeta import PROVEN, WIN
from menagerie.solve.tablebase import Choice, Tablebase

SHOWN = 16
"""How many turns of a proven line are given."""

Proof = tuple[int, tuple[int, ...], int]
"""A value as the search gives it, the actions of a line, and the key of the position after its first turn."""


def proofs(base: Tablebase, position: Position, keys: Sequence[int], lines: int) -> list[Proof]:
    """The best lines of a position, best first; none where the table does not hold it, or not all that follows."""
    if base.get(position) is None or any(base.get(turn.after) is None for turn in position.turns()):
        return []
    repetition = position.game.repetition.under(position.options)

    def rank(choice: Choice) -> tuple[int, float]:
        after = choice.turn.after
        is_drawn = repetition.times and not repetition.is_illegal and keys.count(after.key) >= repetition.times - 1
        wish = 0 if is_drawn else choice.verdict.rank
        return -wish, holding(base, after) if choice.verdict.value == 0 else 0.0

    choices = sorted(base.choices(position), key=rank)[:lines]
    return [proof(base, choice) for choice in choices]


def holding(base: Tablebase, position: Position) -> float:
    """The share of turns that do not lose: the smaller it is, the more there is to go wrong."""
    choices = base.choices(position)
    return sum(choice.verdict.value >= 0 for choice in choices) / max(len(choices), 1)


def proof(base: Tablebase, choice: Choice) -> Proof:
    """A turn with what follows when both play perfectly."""
    verdict, after = choice.verdict, choice.turn.after
    value = verdict.value * max(int(PROVEN), int(WIN) - verdict.plies)
    turns = (choice.turn, *base.line(after, SHOWN - 1)) if verdict.value else (choice.turn,)
    return value, tuple(index for turn in turns for index in turn.indices), after.key
