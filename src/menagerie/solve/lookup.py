"""Looking things up in a table: the cell of a place, the value of a state, and whether an entry follows from others.

bits    one a place: whether its cell is written down; if not, it is the usual one
ranks   32 bits for every 512 places: how many cells are written down before them
codes   the cells that are written down, a byte each (or two): their numbers in the palette
"""

import sys
from collections.abc import Callable
from functools import cache
from types import SimpleNamespace

import numpy as np

from menagerie.game import Game
from menagerie.kernel.bits import ONE, U64, ZERO, I, popcount
from menagerie.kernel.compiled import compiled, instantiate, template, unbound
from menagerie.kernel.endgame import OUTSIDE, Endgame
from menagerie.kernel.memory import load, load_short
from menagerie.kernel.state import State, record_type
from menagerie.solve import retrograde
from menagerie.solve.cells import DRAW, LOST, NOTHING, OPEN, WON
from menagerie.solve.retrograde import Task

STEP = 512
"""How many places one rank stands for."""
UNKNOWN = OPEN
"""What is said of a state that a table does not tell the value of."""

LOOKUP = record_type(
    ("bits", np.uint64),
    ("ranks", np.uint64),
    ("codes", np.uint64),
    ("palette", np.uint64),
    ("is_wide", np.int64),
    ("places", np.int64),
    ("usual", np.int64),
)
Lookup = np.record

follow: Callable[[Task], int] = unbound
over: Callable[[State], int] = unbound
settle: Callable[[Task, int], int] = unbound
place: Callable[[State], int] = unbound
set_up: Callable[[int, State], bool] = unbound


@cache
def lookups(game: Game, endgame: Endgame) -> SimpleNamespace:
    """The lookups of one game, and the type of the task that they need."""
    code = retrograde.analysis(game, endgame)
    return instantiate(
        sys.modules[__name__],
        retrograde.label_of(game, endgame),
        TASK=code.TASK,
        follow=code.follow,
        over=code.over,
        settle=code.settle,
        place=endgame.place,
        set_up=endgame.set_up,
    )


@compiled
def find(table: Lookup, index: int) -> int:
    """The cell of a place."""
    word = load(table.bits + U64((index >> 6) << 3))
    here = U64(index & 63)
    if (word >> here) & ONE == ZERO:
        return I(table.usual)
    number = I(rank_before(table, index >> 9)) + popcount(word & ((ONE << here) - ONE))
    for before in range((index >> 9) << 3, index >> 6):
        number += popcount(load(table.bits + U64(before << 3)))
    if table.is_wide != 0:
        return load_short(table.palette + U64(2 * load_short(table.codes + U64(2 * number))))
    pair = load_short(table.codes + U64(number & ~1))
    return load_short(table.palette + U64(2 * ((pair >> (8 * (number & 1))) & 0xFF)))


@compiled
def rank_before(table: Lookup, step: int) -> int:
    """How many cells are written down before a step."""
    return I((load(table.ranks + U64((step >> 1) << 3)) >> U64(32 * (step & 1))) & U64(0xFFFFFFFF))


@template
def value(task: Task, table: Lookup) -> int:
    """The cell of room.states[0], from the table or, where it has no place there, from its turns; or UNKNOWN."""
    index = place(task.room.states[0])
    if OUTSIDE < index < table.places:
        return find(table, index)
    task.fault = 0
    cell = settle(task, I(0))
    return cell if task.fault == 0 else derived(task, table)


@template
def derived(task: Task, table: Lookup) -> int:
    """The cell of room.states[0] that follows from its turns, or UNKNOWN."""
    task.fault = 0
    n = follow(task)
    if task.fault != 0:
        return UNKNOWN
    if n == 0:
        return over(task.room.states[0])
    wins_in, holds_out, is_held = I(0), I(0), False
    for number in range(n):
        end = I(task.followers[number])
        if end >= table.places:
            return UNKNOWN
        cell = end + OPEN if end < 0 else find(table, end)
        plies = ((cell - LOST) >> 1) + 1
        if cell == DRAW:
            is_held = True
        elif (cell - LOST) & 1 == 0:
            wins_in = plies if wins_in == 0 else min(wins_in, plies)
        else:
            holds_out = max(holds_out, plies)
    if wins_in > 0:
        return WON + 2 * wins_in
    return DRAW if is_held else LOST + 2 * holds_out


@template
def values(task: Task, table: Lookup, states: np.ndarray, cells: np.ndarray) -> None:
    """The cells of many states."""
    for number in range(len(states)):
        task.room.states[0] = states[number]
        cells[number] = value(task, table)


@template
def tally(task: Task, table: Lookup, counts: np.ndarray, first: int, last: int) -> None:
    """Count how often each cell occurs among some places."""
    for index in range(first, last):
        if set_up(index, task.room.states[0]):
            counts[find(table, index)] += 1


@template
def check(task: Task, table: Lookup, first: int, last: int) -> None:
    """Compare entries with what follows from their turns by the plain rules; task.told counts those that are wrong.

    `first_wrong` is kept in task.latest, plus one. Nothing must be written down where nothing stands.
    """
    for index in range(first, last):
        cell = find(table, index)
        right = I(table.usual)
        if set_up(index, task.room.states[0]):
            right = derived(task, table) if place(task.room.states[0]) == index else NOTHING
            task.decided += 1
        if cell != right:
            task.told += 1
            if task.latest == 0:
                task.latest = index + 1
