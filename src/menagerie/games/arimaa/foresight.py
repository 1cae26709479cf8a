"""What the mover can still do before the turn ends, seen exactly: bring a rabbit to goal, capture pieces.

Both are small searches over whole steps, pushes and pulls. The board is turned so that the mover's rabbits run north,
and is a value, not a state: nothing has to be taken back. Few steps matter, so each search asks first whether there is
hope at all, and then tries only what can have an effect where it is hoped for.
"""

from typing import NamedTuple

import numpy as np

from menagerie.games.arimaa.rules import (
    CAMEL,
    CAT,
    DOG,
    ELEPHANT,
    HORSE,
    LEFTMOST,
    RABBIT,
    RIGHTMOST,
    SOUTH,
    STEPS_A_TURN,
    STRIDE,
    TRAPS,
    beside,
    neighbours_at,
)
from menagerie.kernel.bits import ONE, U64, ZERO, I, bit, lowest, without_lowest
from menagerie.kernel.chessboard import upside_down
from menagerie.kernel.compiled import compiled
from menagerie.kernel.state import State

EVERYWHERE = ~ZERO
FAR_ROW = U64(0xFF << 56)
WITHIN = np.array([sum(0xFF << 8 * rank for rank in range(8 - steps, 8)) for steps in range(6)], np.uint64)
"""WITHIN[n + 1]: the squares from where the far row is at most n steps away."""


TRAP = np.array([18, 21, 42, 45], np.int64)
NOTHING, KIND, PUSH = I(0), 7, I(1 << 10)
"""What has begun, as a number: 1 + the square to be filled, and above it the kind that pulls or was pushed away."""


class Board(NamedTuple):
    """Who stands where, as sets: the mover's pieces, the other's, and the three binary digits of their kinds."""

    mine: np.uint64
    theirs: np.uint64
    low: np.uint64
    middle: np.uint64
    high: np.uint64


@compiled
def seen_by(state: State, player: int) -> Board:
    """The board with a player's rabbits running north."""
    low = middle = high = ZERO
    for side in range(2):
        low |= state.pieces[side, CAT] | state.pieces[side, HORSE] | state.pieces[side, ELEPHANT]
        middle |= state.pieces[side, DOG] | state.pieces[side, HORSE]
        high |= state.pieces[side, CAMEL] | state.pieces[side, ELEPHANT]
    mine, theirs = state.army[player], state.army[1 - player]
    if player == 0:
        return Board(mine, theirs, low, middle, high)
    return Board(upside_down(mine), upside_down(theirs), upside_down(low), upside_down(middle), upside_down(high))


@compiled
def moved(board: Board, square: int, target: int) -> Board:
    """The board after a piece went to the next square, and without whom that left alone on a trap."""
    both = bit(square) | bit(target)
    here = U64(square)
    mine = board.mine ^ (both & (ZERO - ((board.mine >> here) & ONE)))
    theirs = board.theirs ^ (both & (ZERO - ((board.theirs >> here) & ONE)))
    low = board.low ^ (both & (ZERO - ((board.low >> here) & ONE)))
    middle = board.middle ^ (both & (ZERO - ((board.middle >> here) & ONE)))
    high = board.high ^ (both & (ZERO - ((board.high >> here) & ONE)))
    if ((mine | theirs) & TRAPS) != ZERO:
        mine &= ~(TRAPS & ~beside(mine))
        theirs &= ~(TRAPS & ~beside(theirs))
        left = mine | theirs
        low, middle, high = low & left, middle & left, high & left
    return Board(mine, theirs, low, middle, high)


@compiled
def rabbits(board: Board) -> np.uint64:
    """The mover's rabbits."""
    return board.mine & ~(board.low | board.middle | board.high)


@compiled
def of_kind(board: Board, kind: int) -> np.uint64:
    """The squares of all pieces of a kind; for rabbits, the empty squares too."""
    low, middle, high = U64(kind & 1) - ONE, U64((kind >> 1) & 1) - ONE, U64(kind >> 2) - ONE
    return (board.low ^ low) & (board.middle ^ middle) & (board.high ^ high)


@compiled
def above(board: Board, kind: int) -> np.uint64:
    """The squares of all pieces that are stronger than a kind."""
    if kind == RABBIT:
        return board.low | board.middle | board.high
    if kind == CAT:
        return board.middle | board.high
    if kind == DOG:
        return board.high | board.middle & board.low
    if kind == HORSE:
        return board.high
    if kind == CAMEL:
        return board.high & board.low
    return ZERO


@compiled
def overpowered(board: Board, weak: np.uint64, strong: np.uint64) -> np.uint64:
    """Those of some pieces that stand beside a stronger one of some others."""
    found = ZERO
    for kind in range(ELEPHANT):
        higher = above(board, I(kind))
        found |= ~higher & beside(strong & higher)
    return weak & found


@compiled
def overpowering(board: Board, strong: np.uint64, weak: np.uint64) -> np.uint64:
    """Those of some pieces that stand beside a weaker one of some others."""
    found = ZERO
    for kind in range(ELEPHANT):
        higher = above(board, I(kind))
        found |= higher & beside(weak & ~higher)
    return strong & found


@compiled
def free(board: Board) -> np.uint64:
    """The mover's pieces that are not frozen."""
    return board.mine & (~overpowered(board, board.mine, board.theirs) | beside(board.mine))


@compiled
def below(board: Board, kind: int) -> np.uint64:
    """The squares of all pieces that are weaker than a kind, and the empty ones; nothing is weaker than a rabbit."""
    return ~above(board, kind - 1) if kind > RABBIT else ZERO


@compiled
def goal_in(state: State) -> int:
    """In how few steps a rabbit of the mover can stand at goal with every push completed; -1 for none."""
    board = seen_by(state, I(state.player))
    begun = begun_in(state)
    left = I(STEPS_A_TURN) - I(state.steps)
    if not reaches_goal(board, left, begun):
        return I(-1)
    fewest = I(0)
    while not reaches_goal(board, fewest, begun):
        fewest += 1
    return fewest


@compiled
def begun_in(state: State) -> int:
    """The push or pull that a state is in the middle of, on the board as its mover sees it."""
    turn = 56 * I(state.player)
    if state.push_into != 0:
        return PUSH | I(state.push_kind) << KIND | 1 + ((I(state.push_into) - 1) ^ turn)
    if state.pull_into != 0:
        return I(state.pull_kind) << KIND | 1 + ((I(state.pull_into) - 1) ^ turn)
    return NOTHING


@compiled
def follows(board: Board, begun: int, square: int, target: int) -> int:
    """What must or may be completed after a step."""
    kind = kind_at(board, square)
    if ((board.mine >> U64(square)) & ONE) != ZERO:
        if begun >= PUSH or (board.theirs & beside(bit(square)) & below(board, kind)) == ZERO:
            return NOTHING
        return kind << KIND | 1 + square
    if is_pull(begun, target, kind):
        return NOTHING
    return PUSH | kind << KIND | 1 + square


@compiled
def is_pull(begun: int, target: int, kind: int) -> bool:
    """Whether an enemy's step into a square completes a pull."""
    return begun != NOTHING and begun < PUSH and target + 1 == (begun & 127) and kind < begun >> KIND


@compiled
def kind_at(board: Board, square: int) -> int:
    """The kind of the piece on a square."""
    here = U64(square)
    low, middle, high = (board.low >> here) & ONE, (board.middle >> here) & ONE, (board.high >> here) & ONE
    return I(low | middle << ONE | high << U64(2))


class Zone(NamedTuple):
    """Where a change could help: squares that friends may leave or enter, and those that enemies may leave."""

    leave: np.uint64
    enter: np.uint64
    clear: np.uint64


class Ways(NamedTuple):
    """What can be done: the movers that may step, where to; the enemies to be pushed; those to be pulled, where to."""

    own: np.uint64
    into: np.uint64
    pushed: np.uint64
    pulled: np.uint64
    hole: np.uint64


@compiled
def ways_on(board: Board, left: int, begun: int) -> Ways:
    """Every step that the rules allow; with one left, no push can begin."""
    able = free(board)
    if begun >= PUSH:
        return Ways(able & above(board, (begun >> KIND) & 7), bit((begun & 127) - 1), ZERO, ZERO, ZERO)
    empty = ~(board.mine | board.theirs)
    pushed = overpowered(board, board.theirs, able) if left > 1 else ZERO
    if begun == NOTHING:
        return Ways(able, empty, pushed, ZERO, ZERO)
    return Ways(able, empty, pushed, board.theirs & below(board, begun >> KIND), bit((begun & 127) - 1))


@compiled
def steps_in(board: Board, ways: Ways, zone: Zone, direction: int) -> np.uint64:
    """The squares from where a step in a direction is possible and could help."""
    walkers = ways.own & neighbours_at(ways.into, direction)
    if direction == SOUTH:
        walkers &= ~rabbits(board)
    walkers &= zone.leave | neighbours_at(zone.enter, direction)
    displaced = ways.pushed & neighbours_at(~(board.mine | board.theirs), direction)
    return walkers | (displaced | ways.pulled & neighbours_at(ways.hole, direction)) & zone.clear


@compiled
def reaches_goal(board: Board, left: int, begun: int) -> bool:
    """Whether a rabbit can stand on the far row, every push completed, after at most so many steps."""
    zone = Zone(EVERYWHERE, EVERYWHERE, EVERYWHERE)
    if begun < PUSH:
        if comes_to_goal(board, left):
            return True
        zone = hopes(board, left, begun)
    if left == 0 or (zone.leave | zone.enter | zone.clear) == ZERO:
        return False
    ways = ways_on(board, left - 1, begun)
    for direction in range(4):
        movers = steps_in(board, ways, zone, I(direction))
        while movers != ZERO:
            square = lowest(movers)
            movers = without_lowest(movers)
            target = square + STRIDE[direction]
            if reaches_goal(moved(board, square, target), left - 1, follows(board, begun, square, target)):
                return True
    return False


@compiled
def comes_to_goal(board: Board, left: int) -> bool:
    """Whether any rabbit comes to goal alone."""
    runners = rabbits(board) & WITHIN[left + 1]
    while runners != ZERO:
        runner = runners & (ZERO - runners)
        runners ^= runner
        if way_to_goal(board, runner, left) <= left:
            return True
    return False


@compiled
def hopes(board: Board, left: int, begun: int) -> Zone:
    """Where a step could make a way for a rabbit that cannot come to goal alone."""
    leave = enter = clear = ZERO
    runners = rabbits(board) & WITHIN[left]
    if runners == ZERO:
        return Zone(ZERO, ZERO, ZERO)
    loose = pulled_by(board, begun)
    firm = board.theirs & ~(TRAPS | loose | in_reach(board, max(left - 3, I(0))))
    while runners != ZERO:
        runner = runners & (ZERO - runners)
        runners ^= runner
        spare = left - 7 + (lowest(runner) >> 3)
        if could_come(board, runner, spare, firm, board.theirs & ~loose):
            zone = hope(board, runner, spare)
            leave |= zone.leave
            enter |= zone.enter
            clear |= zone.clear
    return Zone(leave, enter, clear)


@compiled
def pulled_by(board: Board, begun: int) -> np.uint64:
    """The enemies that can be pulled with a single step."""
    if begun == NOTHING or begun >= PUSH:
        return ZERO
    return board.theirs & below(board, begun >> KIND) & beside(bit((begun & 127) - 1))


@compiled
def could_come(board: Board, rabbit: np.uint64, spare: int, firm: np.uint64, fixed: np.uint64) -> bool:
    """Whether help might bring a rabbit to goal: cheap to ask, and never false where it could.

    The firm enemies cannot be moved in this turn; the fixed ones not with a single step.
    """
    friends = board.mine ^ rabbit
    freezers = board.theirs & beside(rabbit) & (board.low | board.middle | board.high)
    if (freezers & firm) != ZERO and (beside(rabbit) & friends) == ZERO:
        comers = friends
        for _ in range(spare):
            comers |= beside(comers) & ~firm
        if (comers & beside(rabbit)) == ZERO:
            return False
    needs = 7 - (lowest(rabbit) >> 3)
    for sidesteps in range(spare):
        closed = fixed if sidesteps == spare - 1 else firm
        reached = rabbit
        for _ in range(needs + sidesteps):
            reached |= (reached << U64(8) | sideways(reached)) & ~closed
        if (reached & FAR_ROW) != ZERO:
            return True
    return False


@compiled
def hope(board: Board, rabbit: np.uint64, spare: int) -> Zone:
    """Where help could make a way for a rabbit that has some steps more than it needs."""
    if spare > 2:
        return Zone(EVERYWHERE, EVERYWHERE, EVERYWHERE)
    column = column_from(rabbit)
    lonely = beside(board.mine & TRAPS)
    if spare == 1:
        near = wider(wider(column))
        if (column & board.theirs) != ZERO:
            return Zone(ZERO, ZERO, near)
        return Zone(column | lonely, beside(column & ~FAR_ROW) | lonely, near)
    near = wider(wider(sideways(column)))
    frozen = board.mine & ~free(board)
    pullers = overpowering(board, board.mine, board.theirs & near)
    return Zone(near | lonely | pullers, near | beside(frozen) | lonely, near)


@compiled
def way_to_goal(board: Board, rabbit: np.uint64, most: int) -> int:
    """How many steps a rabbit needs to goal while nobody else moves; above `most` if more than that."""
    if (rabbit & FAR_ROW) != ZERO:
        return I(0)
    friends = board.mine ^ rabbit
    hot = beside(board.theirs & (board.low | board.middle | board.high))
    if (rabbit & hot & ~beside(friends)) != ZERO:
        return most + 1
    friends &= ~(TRAPS & ~beside(friends))  # who is on a trap because of this rabbit dies as it leaves
    warm = beside(friends)
    can_enter = ~(friends | board.theirs) & (~TRAPS | warm)
    can_leave = ~hot | warm
    reached = rabbit
    for steps in range(1, most + 1):
        reached = (reached << U64(8) | sideways(reached)) & can_enter
        if (reached & FAR_ROW) != ZERO:
            return I(steps)
        reached &= can_leave
        if reached == ZERO:
            break
    return most + 1


@compiled
def column_from(rabbit: np.uint64) -> np.uint64:
    """A square and all those north of it."""
    ahead = rabbit | rabbit << U64(8)
    ahead |= ahead << U64(16)
    return ahead | ahead << U64(32)


@compiled
def wider(squares: np.uint64) -> np.uint64:
    """The set and the squares next to it."""
    return squares | beside(squares)


@compiled
def sideways(squares: np.uint64) -> np.uint64:
    """The set and the squares to its left and right."""
    return squares | (squares & ~LEFTMOST) >> U64(1) | (squares & ~RIGHTMOST) << U64(1)


@compiled
def captures_in_turn(state: State) -> np.uint64:
    """The squares of the enemies that the mover can capture before the turn ends, each for itself."""
    if state.setup != 0:
        return ZERO
    board = seen_by(state, I(state.player))
    found = captures(board, I(STEPS_A_TURN) - I(state.steps), begun_in(state))
    return found if state.player == 0 else upside_down(found)


@compiled
def captures(board: Board, left: int, begun: int) -> np.uint64:
    """The enemies that can be captured within so many steps, each for itself."""
    found = strikes(board, free(board)) if left > 1 and begun < PUSH else ZERO
    zone = prospects(board, left, begun, found)
    if left == 0 or (zone.leave | zone.enter | zone.clear) == ZERO:
        return found
    ways = ways_on(board, left - 2, begun)
    for direction in range(4):
        movers = steps_in(board, ways, zone, I(direction))
        while movers != ZERO:
            square = lowest(movers)
            movers = without_lowest(movers)
            target = square + STRIDE[direction]
            after = moved(board, square, target)
            theirs = board.theirs
            both = bit(square) | bit(target)
            if (theirs & both) != ZERO:
                theirs ^= both
            caught = theirs & ~after.theirs
            following = follows(board, begun, square, target) if left == STEPS_A_TURN else NOTHING
            caught |= captures(after, left - 1, following)
            if (caught & theirs & both) != ZERO:
                caught ^= both
            found |= caught
    return found


@compiled
def prospects(board: Board, left: int, begun: int, found: np.uint64) -> Zone:
    """Where a step could lead to a capture besides those already found."""
    if begun >= PUSH:
        return Zone(EVERYWHERE, EVERYWHERE, EVERYWHERE)
    clear = ZERO if begun == NOTHING and left < STEPS_A_TURN else EVERYWHERE
    if left < 3:
        return Zone(ZERO, ZERO, clear)
    prey = lone_guards(board.theirs) & ~(found | beside(found & TRAPS))
    if prey != ZERO:
        prey &= in_reach(board, left - 2)
    elif left < STEPS_A_TURN:
        return Zone(ZERO, ZERO, clear)
    if left < STEPS_A_TURN:
        # Where no stronger piece stands beside the prey, the one step must bring it there.
        near = wider(wider(overpowered(board, prey, board.mine)))
        lonely = beside(board.mine & TRAPS) if near != ZERO else ZERO
        return Zone(near | lonely, near | lonely | beside(prey), clear)
    pullers = overpowering(board, board.mine, board.theirs)
    if prey == ZERO:
        return Zone(pullers, ZERO, clear)
    near = wider(wider(wider(wider(prey)))) | beside(board.mine & TRAPS)
    return Zone(near | pullers, near, clear)


@compiled
def lone_guards(army: np.uint64) -> np.uint64:
    """Those of an army that alone stand beside a trap: who leaves a friend there, or is lost on it."""
    north, south = army >> U64(8) & TRAPS, army << U64(8) & TRAPS
    east, west = army >> U64(1) & TRAPS, army << U64(1) & TRAPS
    # An odd number of neighbours is one, unless two of them face each other.
    return army & beside((north ^ south ^ east ^ west) & ~(north & south | east & west))


@compiled
def in_reach(board: Board, steps: int) -> np.uint64:
    """Where an enemy would be beside a stronger piece of the mover after some steps, if nothing were in the way."""
    found = ZERO
    for kind in range(ELEPHANT):
        higher = above(board, I(kind))
        reached = board.mine & higher
        for _ in range(steps):
            reached = wider(reached)
        found |= ~higher & beside(reached)
    return found


@compiled
def strikes(board: Board, able: np.uint64) -> np.uint64:
    """The enemies that a single push or pull captures: a lone guard that goes into the trap, or whom it guards.

    The able are those of the mover's pieces that are not frozen.
    """
    guards = lone_guards(board.theirs) & beside(able)
    found, empty = ZERO, ~(board.mine | board.theirs)
    while guards != ZERO:
        guard = guards & (ZERO - guards)
        guards ^= guard
        near, trap = beside(guard), beside(guard) & TRAPS
        attackers = able & near & above(board, kind_at(board, lowest(guard)))
        if attackers == ZERO:
            continue
        if (trap & board.theirs) != ZERO:
            if (empty & (near | beside(attackers))) != ZERO:
                found |= trap
        elif (trap & empty) != ZERO or ((trap & attackers) != ZERO and (beside(trap) & empty) != ZERO):
            found |= guard
    return found
