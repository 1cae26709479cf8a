"""What a game's `endgame.py` supplies: a number for every position of some kind, so that tables can be made of them."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from menagerie.kernel.bits import I
from menagerie.kernel.state import RecordType, State, record_type
from menagerie.kernel.walk import Rules

OUTSIDE = I(-1)
"""The place of a position that has none."""

Before = np.record
Room = np.record

DEEPEST_TURN = 16
"""How many actions a turn may have where tables are made."""


class Part(NamedTuple):
    """The places from `first` up to `last`, without it. Turns lead to places of the same part or of earlier ones."""

    name: str
    first: int
    last: int


class Endgame(Protocol):
    """The places of a game: numbers from 0, the parts one after the other. All functions but `parts` are compiled.

    It may also have two functions that spare the solver work.

    `predecessors(state, before)` lists, in `before`, the places of the same part from where a turn leads to this state,
    each once. It may leave out those that win at once. Without it the solver looks at every undecided position again in
    every round.

    `foresee(room)` says of room.states[0] what the solver would find out turn by turn: IS_OVER, WINS_AT_ONCE, or how
    many turns lead on to positions where the other does not win at once. Then `predecessors` lists a place as often as
    it has such turns, and there is a single part.
    """

    __name__: str
    """Modules have one: what is compiled for the places is kept under it."""
    BEFORE: RecordType
    """The record that `predecessors` fills."""

    def __hash__(self) -> int:
        """Modules have one: what is compiled for the places is compiled once."""

    def parts(self) -> Sequence[Part]:
        """The parts there are, in the order in which they can be solved."""

    def place(self, state: State) -> int:
        """The place of a state between turns, of its mirror image, and of both with the players exchanged; or OUTSIDE.

        A position outside must be over, or one turn before its end: the player to move wins at once.
        """

    def set_up(self, place: int, state: State) -> bool:
        """Write the position with this place into a state that holds the options; whether there is one."""


def before_type(most: int) -> RecordType:
    """A record for the places of at most so many predecessors."""
    return record_type(("n", np.int64), ("list", np.int64, most))


def room_type(rules: Rules) -> RecordType:
    """Where a position is looked at: the states of a turn under way, the first before it, and their actions."""
    return record_type(
        ("states", rules.STATE, DEEPEST_TURN + 1),
        ("actions", rules.ACTIONS, DEEPEST_TURN + 1),
        ("tried", np.int64, DEEPEST_TURN + 1),
    )


WINS_AT_ONCE, IS_OVER = I(-1), I(-2)
