"""Dōbutsu shōgi with lions and chicks alone: the game's own numbering, predecessors and foresight on 16,884 places.

The game's own places count all pieces. Where no elephants and giraffes stand on the board, those of a position differ
only in who holds them; these positions are numbered anew, as if nobody did.
"""

import hashlib
import sys
from math import comb
from pathlib import Path
from types import ModuleType

import numpy as np

from menagerie.games.dobutsu import endgame as whole
from menagerie.games.dobutsu.endgame import A_PAIR, CLASS, ELEPHANTS, FACTS, FREE, KINDS, PAIRS, body_of, held_by_second
from menagerie.games.dobutsu.rules import BOARD, SQUARES
from menagerie.kernel.bits import ZERO, I, popcount
from menagerie.kernel.compiled import instantiate, template
from menagerie.kernel.endgame import OUTSIDE, Before, Part
from menagerie.kernel.state import State

CHICKS = range(KINDS)
"""How many chicks stand on the board."""
CHICK = 2
"""The index of a chick in a hand."""
WAYS = [comb(FREE, n) << n for n in CHICKS]
"""Where they stand, and which are hens."""
BEGIN = np.array([FACTS[CLASS[9 * n], 3] for n in CHICKS], np.int64)
END = np.array([FACTS[CLASS[9 * n], 3] + WAYS[n] * 64 for n in CHICKS], np.int64)
FIRST = np.array([sum(WAYS[:n]) * 4 for n in CHICKS], np.int64)
EACH = sum(WAYS) * 4
"""Two bits say whose the chicks are; six say whose all pieces are. That many places has a pair of lions."""


def parts() -> tuple[Part, ...]:
    """Pieces come back from the hand, so everything hangs together."""
    return (Part("lions and chicks", 0, EACH * len(PAIRS)),)


@template
def narrow(place: int) -> int:
    """The new number of one of the game's own places."""
    pair, rest = place // A_PAIR, place % A_PAIR
    for n in range(KINDS):
        if BEGIN[n] <= rest < END[n]:
            rest -= BEGIN[n]
            where, whose, which = rest >> (n + 6), (rest >> (n + 4)) & 3, rest & ((1 << n) - 1)
            return I(pair * EACH + FIRST[n] + (((where << 2) + whose) << n) + which)
    return OUTSIDE


@template
def widen(number: int) -> int:
    """The way back, to where the player to move holds everything else."""
    pair, rest = number // EACH, number % EACH
    n = I(2) if rest >= FIRST[2] else I(1) if rest >= FIRST[1] else I(0)
    rest -= FIRST[n]
    where, whose, which = rest >> (n + 2), (rest >> n) & 3, rest & ((1 << n) - 1)
    return I(pair * A_PAIR + BEGIN[n] + (((where << 6) + (whose << 4)) << n) + which)


@template
def place(state: State) -> int:
    """The new number of a position with both lions, two chicks, and nothing else."""
    if I(state.lion[0]) >= SQUARES or I(state.lion[1]) >= SQUARES:
        return OUTSIDE
    body, chicks = body_of(state), I(0)
    for player in range(2):
        chicks += I(state.hand[player, CHICK])
        for index in range(CHICK):
            if state.hand[player, index] != 0:
                return OUTSIDE
    others = (body >> ELEPHANTS) & ((BOARD << ELEPHANTS) | BOARD)
    if others != ZERO or chicks + popcount(body & BOARD) != 2:
        return OUTSIDE
    lions = I(state.lion[0]) * SQUARES + I(state.lion[1])
    found = whole.rank(I(state.player), body, held_by_second(state), lions)
    return narrow(found) if found >= 0 else OUTSIDE


@template
def set_up(number: int, state: State) -> bool:
    """The position of a new number: the game's own, and the other pieces taken away."""
    is_there = whole.set_up(widen(number), state)
    for index in range(CHICK):
        state.hand[0, index] = 0
    return is_there


@template
def predecessors(state: State, before: Before) -> None:
    """The game's own, by their new numbers."""
    whole.predecessors(state, before)
    for index in range(before.n):
        before.list[index] = narrow(I(before.list[index]))


def make() -> ModuleType:
    """The places, compiled; kept on disk under a name that changes with this file."""
    label = f"chicks_{hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:16]}"
    endgame = ModuleType(label)
    vars(endgame).update(vars(instantiate(sys.modules[__name__], label)))
    endgame.__name__, endgame.BEFORE, endgame.foresee = label, whole.BEFORE, whole.foresee  # type: ignore[attr-defined]
    return endgame


ENDGAME = make()
