"""Retrograde analysis: from the ends of games backward, one ply a round, written once for every game and device.

Round d decides what ends in d plies. A position from where a turn leads to one lost in d is won in d + 1; one all of
whose turns lead to positions won in at most d is lost in d + 1. So every place first gets a cell that counts its turns
(`survey`). Then each round takes the places it has just decided and tells their predecessors (`expand`): from a lost
one they are won; from a won one they have a turn less, and without any they are lost.

Turns that lead to earlier parts are known from the beginning: the ply at which they win, or until when they hold out,
is the place's due. Where a game has no predecessors, every open place is looked at again instead (`look_again`).

Everything a thread needs is one record, the task. Threads share cells, dues and marks, by address. Within a round no
cell is both won and counted down, wins are written alike by whoever finds them, and counting down is atomic: the
result is the same however many threads there are.
"""

import sys
from collections.abc import Callable
from functools import cache
from types import SimpleNamespace

import numpy as np

from menagerie.game import Game
from menagerie.kernel.bits import U64, ZERO, I
from menagerie.kernel.compiled import instantiate, template, unbound
from menagerie.kernel.endgame import IS_OVER, WINS_AT_ONCE, Before, Endgame, Room, room_type
from menagerie.kernel.memory import fetch_early, load, load_short, next_slot, store_short, take_one
from menagerie.kernel.state import Actions, RecordType, State, record_type
from menagerie.kernel.walk import NOBODY
from menagerie.solve.cells import DRAW, DUE, LOST, NOTHING, OPEN, WON

BLOCK = 10
"""A mark stands for two to this many cells."""
QUEUE = 256
"""How many predecessors are fetched from memory before the first is looked at."""
MOST_FOLLOWERS = 512
FORESEEN = I(2)
"""The last round that foresight decides: losing at once whatever one does."""
UNKNOWN = I(-1)

legal: Callable[[State, Actions], None] = unbound
play: Callable[[State, int], None] = unbound
outcome: Callable[[State], tuple[int, int]] = unbound
place: Callable[[State], int] = unbound
set_up: Callable[[int, State], bool] = unbound
predecessors: Callable[[State, Before], None] = unbound
foresee: Callable[[Room], int] = unbound
BEFORE: RecordType

Task = np.record


@cache
def analysis(game: Game, endgame: Endgame) -> SimpleNamespace:
    """The analysis of one game, and the type of its task."""
    return instantiate(
        sys.modules[__name__],
        label_of(game, endgame),
        legal=game.rules.legal,
        play=game.rules.play,
        outcome=game.rules.outcome,
        place=endgame.place,
        set_up=endgame.set_up,
        predecessors=getattr(endgame, "predecessors", unbound),
        foresee=getattr(endgame, "foresee", unbound),
        TASK=task_type(game, endgame),
    )


def label_of(game: Game, endgame: Endgame) -> str:
    """What machine code for these places is kept under."""
    return f"{game.name}.{endgame.__name__.rpartition('.')[2]}"


def task_type(game: Game, endgame: Endgame) -> RecordType:
    """What one thread works with."""
    return record_type(
        ("room", room_type(game.rules)),
        ("before", endgame.BEFORE),
        ("cells", np.uint64),
        ("dues", np.uint64),
        ("marks", np.uint64, 2),
        ("first", np.int64),
        ("last", np.int64),
        ("plies", np.int64),
        ("wanted", np.int64),
        ("every_block", np.int64),
        ("decided", np.int64),
        ("told", np.int64),
        ("latest", np.int64),
        ("fault", np.int64),
        ("n", np.int64),
        ("queue", np.int64, QUEUE + MOST_FOLLOWERS),
        ("followers", np.int64, MOST_FOLLOWERS),
    )


@template
def cell_at(task: Task, index: int) -> int:
    """The cell of a place."""
    return load_short(task.cells + U64(2 * index))


@template
def decide(task: Task, index: int, cell: int) -> None:
    """Write a decided cell and mark its block for the round whose turn it will be."""
    store_short(task.cells + U64(2 * index), cell)
    plies = (cell - LOST) >> 1
    mark = task.marks[plies & 1] + U64(2 * (index >> BLOCK))
    if load_short(mark) != plies + 1:
        store_short(mark, plies + 1)
    task.decided += 1
    task.latest = max(I(task.latest), plies)


@template
def survey_quickly(task: Task, first: int, last: int) -> None:
    """Give every place its first cell, by the game's own foresight."""
    for index in range(first, last):
        cell = NOTHING
        if set_up(index, task.room.states[0]):
            found = foresee(task.room)
            cell = OPEN + found
            if found == IS_OVER:
                cell = over(task.room.states[0])
            elif found == WINS_AT_ONCE:
                cell = WON + 2
            elif found == 0:
                cell = LOST + 4
            if cell < OPEN:
                task.decided += I(cell != DRAW)
                task.latest = FORESEEN
        store_short(task.cells + U64(2 * index), cell)


@template
def survey(task: Task, first: int, last: int) -> None:
    """Give every place its first cell: over, or how many of its turns stay in the part, and what the others are due."""
    for index in range(first, last):
        cell, due = NOTHING, I(0)
        if set_up(index, task.room.states[0]):
            n = follow(task)
            if n == 0:
                cell = over(task.room.states[0])
                task.decided += I(cell != DRAW)
            else:
                cell, due = sum_up(task, n)
                task.latest = max(I(task.latest), due)
        store_short(task.cells + U64(2 * index), cell)
        store_short(task.dues + U64(2 * (index - task.first)), due)


@template
def survey_plainly(task: Task, first: int, last: int) -> None:
    """Give every place its first cell: nothing, over, or open."""
    for index in range(first, last):
        cell = NOTHING
        if set_up(index, task.room.states[0]):
            cell = OPEN
            legal(task.room.states[0], task.room.actions[0])
            if task.room.actions[0].n == 0:
                cell = over(task.room.states[0])
                task.decided += I(cell != DRAW)
        store_short(task.cells + U64(2 * index), cell)


@template
def over(state: State) -> int:
    """The cell of a game that has ended."""
    winner, _ = outcome(state)
    if winner == NOBODY:
        return DRAW
    return WON if winner == state.player else LOST


@template
def follow(task: Task) -> int:
    """List in task.followers where the turns from room.states[0] lead; how many they are, 0 where the game is over.

    A turn may be several actions. Turns with a common end count once. Ends outside all places come as their cells,
    less OPEN, so that they are below 0.
    """
    room = task.room
    n = depth = I(0)
    mover = room.states[0].player
    room.tried[0] = -1
    while depth >= 0 and task.fault == 0:
        if room.tried[depth] < 0:
            legal(room.states[depth], room.actions[depth])
            room.tried[depth] = 0
        if room.tried[depth] == room.actions[depth].n:
            depth -= 1
            continue
        room.states[depth + 1] = room.states[depth]
        play(room.states[depth + 1], I(room.actions[depth].list[room.tried[depth]]))
        room.tried[depth] += 1
        if room.states[depth + 1].player == mover:
            depth += 1
            room.tried[depth] = -1
            continue
        end = place(room.states[depth + 1])
        if end < 0:
            end = settle(task, depth + 1) - OPEN
        n = add_once(task, end, n)
    return n


@template
def add_once(task: Task, end: int, n: int) -> int:
    """List a follower unless it stands there already; how many there are then."""
    for other in range(n):
        if task.followers[other] == end:
            return n
    task.followers[n] = end
    return n + 1


@template
def settle(task: Task, depth: int) -> int:
    """The cell of a state outside all places: it is over, or the player to move ends it with one action."""
    room = task.room
    state = room.states[depth]
    actions = room.actions[depth]
    legal(state, actions)
    if actions.n == 0:
        return over(state)
    mover = state.player
    for index in range(actions.n):
        room.states[depth + 1] = room.states[depth]
        play(room.states[depth + 1], I(actions.list[index]))
        legal(room.states[depth + 1], room.actions[depth + 1])
        if room.actions[depth + 1].n == 0:
            winner, _ = outcome(room.states[depth + 1])
            if winner == mover:
                return WON + 2
    task.fault = 1
    return DRAW


@template
def sum_up(task: Task, n: int) -> tuple[int, int]:
    """The first cell of a place with n followers, and when what is known of it falls due."""
    inside = held = I(0)
    wins_in, holds_out = I(0), I(0)
    for index in range(n):
        end = task.followers[index]
        if task.first <= end < task.last:
            inside += 1
            continue
        cell = end + OPEN if end < 0 else cell_at(task, end)
        if cell == DRAW:
            held += 1
            continue
        plies = ((cell - LOST) >> 1) + 1
        if (cell - LOST) & 1 == 0:
            wins_in = plies if wins_in == 0 else min(wins_in, plies)
        else:
            holds_out = max(holds_out, plies)
    if wins_in > 0:
        return OPEN + DUE, wins_in
    return OPEN + inside + held, holds_out


@template
def fall_due(task: Task, first: int, last: int) -> None:
    """Decide what is due in this round."""
    for index in range(first, last):
        due = load_short(task.dues + U64(2 * (index - task.first)))
        if due == task.plies:
            cell = cell_at(task, index)
            if cell == OPEN + DUE:
                decide(task, index, WON + 2 * due)
            elif cell == OPEN:
                decide(task, index, LOST + 2 * due)


@template
def expand(task: Task, first: int, last: int) -> None:
    """Tell the predecessors of all places whose cell is the wanted one."""
    pattern = U64(task.wanted) * U64(0x0001000100010001)
    marks = task.marks[task.plies & 1]
    for block in range(first >> BLOCK, ((last - 1) >> BLOCK) + 1):
        if task.every_block == 0 and load_short(marks + U64(2 * block)) != task.plies + 1:
            continue
        begin, end = max(first, block << BLOCK), min(last, (block + 1) << BLOCK)
        for index in range(begin, end, 4):
            # A lane of the difference is zero where a cell is the wanted one; the word beyond the last cell is ours.
            apart = load(task.cells + U64(2 * index)) ^ pattern
            if (apart - U64(0x0001000100010001)) & ~apart & U64(0x8000800080008000) == ZERO:
                continue
            for here in range(index, min(index + 4, end)):
                if cell_at(task, here) == task.wanted:
                    task.told += 1
                    tell(task, here)
    drain(task)


@template
def tell(task: Task, index: int) -> None:
    """Line up the predecessors of a place, and begin to fetch their cells."""
    set_up(index, task.room.states[0])
    predecessors(task.room.states[0], task.before)
    n = I(task.n)
    for number in range(task.before.n):
        found = task.before.list[number]
        fetch_early(task.cells + U64(2 * found))
        task.queue[n] = found
        n += 1
    task.n = n
    if n >= QUEUE:
        drain(task)


@template
def drain(task: Task) -> None:
    """Tell those who are lined up."""
    for number in range(task.n):
        hear(task, I(task.queue[number]))
    task.n = 0


@template
def hear(task: Task, index: int) -> None:
    """A place has a turn to one that was just decided."""
    cell = cell_at(task, index)
    if cell < OPEN:
        return
    after = task.plies + 1
    if (task.wanted - LOST) & 1 == 0:
        decide(task, index, WON + 2 * after)
    elif cell != OPEN + DUE and take_one(task.cells + U64(2 * index)) == OPEN + 1:
        if task.dues == ZERO or load_short(task.dues + U64(2 * (index - task.first))) <= after:
            decide(task, index, LOST + 2 * after)


@template
def look_again(task: Task, first: int, last: int) -> None:
    """Decide every open place that ends in this many plies; nothing decided later counts yet."""
    for index in range(first, last):
        if cell_at(task, index) >= OPEN and set_up(index, task.room.states[0]):
            cell = ends_now(task, follow(task))
            if cell != UNKNOWN:
                decide(task, index, cell)


@template
def ends_now(task: Task, n: int) -> int:
    """The cell of a place with n followers if it ends in this many plies, or UNKNOWN."""
    latest, all_won = I(0), True
    for number in range(n):
        end = task.followers[number]
        cell = end + OPEN if end < 0 else cell_at(task, end)
        plies = (cell - LOST) >> 1
        if cell >= OPEN or cell == DRAW or plies >= task.plies:
            all_won = False
        elif (cell - LOST) & 1 == 0:
            return WON + 2 * task.plies
        else:
            latest = max(latest, plies)
    return LOST + 2 * task.plies if all_won and latest + 1 == task.plies else UNKNOWN


@template
def close(task: Task, first: int, last: int) -> None:
    """What is still open is a draw."""
    for index in range(first, last):
        if cell_at(task, index) >= OPEN:
            store_short(task.cells + U64(2 * index), DRAW)


@template
def collect(task: Task, index: int, found: np.uint64, counter: np.uint64) -> None:
    """Put a place into a list of found ones if its cell is the wanted one; for devices where threads go in step."""
    if cell_at(task, index) == task.wanted:
        here = found + U64(4 * next_slot(counter))
        store_short(here, index & 0xFFFF)
        store_short(here + U64(2), index >> 16)


@template
def tell_found(task: Task, number: int, found: np.uint64, _: np.uint64) -> None:
    """Tell the predecessors of a place in such a list, at once."""
    here = found + U64(4 * number)
    set_up(load_short(here) | (load_short(here + U64(2)) << 16), task.room.states[0])
    predecessors(task.room.states[0], task.before)
    for other in range(task.before.n):
        hear(task, I(task.before.list[other]))
