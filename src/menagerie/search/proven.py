"""What a tablebase knows, as lines of play: the quickest win, the longest resistance, the trickiest draw."""

from collections import Counter
from collections.abc import Collection, Sequence

from menagerie.position import Position
from menagerie.search.alphabeta import PROVEN, WIN
from menagerie.solve.cells import Verdict
from menagerie.solve.tablebase import Choice, Tablebase

SHOWN = 16
"""How many turns of a proven line are given."""
AHEAD = 1
"""Where positions came as often as they may, it is looked so many plies after a turn whether one comes again."""

Proof = tuple[int, tuple[int, ...], int]
"""A value as the search gives it, the actions of a line, and the key of the position after its first turn."""


def proofs(
    base: Tablebase, position: Position, keys: Sequence[int], lines: int, among: Collection[int] = ()
) -> list[Proof]:
    """The best lines of a position after a history, best first; none where the table does not tell of it.

    They begin with turns that lead to positions `among` these, if there are any.
    """
    if base.get(position) is None:
        return []
    often = last_times(position, keys)

    def rank(choice: Choice) -> tuple[int, bool, int, float]:
        """Worth with the history, then to play on, then worth without it, then how hard a draw is to hold."""
        after, is_drawn = choice.turn.after, choice.verdict.value == 0
        return -choice.verdict.rank, after.key in often, -told[after.key], holding(base, after) if is_drawn else 0.0

    choices = base.choices(position)
    told = {choice.turn.after.key: choice.verdict.rank for choice in choices}
    if among:
        choices = tuple(choice for choice in choices if choice.turn.after.key in among)
    choices = tuple(Choice(turn, worth(base, turn.after, often, AHEAD).before) for turn, _ in choices)
    return [proof(base, choice) for choice in sorted(choices, key=rank)[:lines]]


def last_times(position: Position, keys: Sequence[int]) -> frozenset[int]:
    """The positions of a history that are a draw when they come once more."""
    repetition = position.game.repetition.under(position.options)
    if not repetition.times or repetition.is_illegal:
        return frozenset()
    return frozenset(key for key, count in Counter(keys).items() if count >= repetition.times - 1)


def worth(base: Tablebase, position: Position, often: frozenset[int], plies: int) -> Verdict:
    """What a position is worth if it is a draw when one of these comes, as far as so many plies show it."""
    if position.key in often:
        return Verdict(0, 0)
    if not often or not plies or position.outcome:
        return base.probe(position)
    following = (turn.after for turn in position.turns())
    told = (worth(base, after, often, plies - 1).before for after in following if base.get(after))
    return max(told, key=lambda verdict: verdict.rank)


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
