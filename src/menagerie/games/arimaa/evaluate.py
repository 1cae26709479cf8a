"""Arimaa: how good a state looks: the armies by rank, who holds the traps, who is stuck or in danger, who runs."""

from typing import NamedTuple

import numpy as np

from menagerie.games.arimaa.foresight import (
    NOTHING,
    WITHIN,
    Board,
    above,
    begun_in,
    captures,
    captures_in_turn,
    goal_in,
    lone_guards,
    of_kind,
    rabbits,
    reaches_goal,
    seen_by,
    sideways,
    strikes,
    way_to_goal,
    wider,
)
from menagerie.games.arimaa.rules import (
    BACKWARD,
    CAMEL,
    CAT,
    DOG,
    ELEPHANT,
    GOAL,
    HORSE,
    KINDS,
    PASS,
    RABBIT,
    SIZE,
    STEPS_A_TURN,
    STRIDE,
    TRAPS,
    beside,
    is_decided,
    kind_on,
    neighbours_at,
    owner_on,
    pushable,
    unfrozen,
    weaker,
)
from menagerie.kernel.bits import ONE, U64, ZERO, I, bit, lowest, popcount, without_lowest
from menagerie.kernel.chessboard import upside_down
from menagerie.kernel.compiled import compiled, template
from menagerie.kernel.judgement import Tally, Term, add, offsets
from menagerie.kernel.state import Actions, State

__all__ = [
    "EXACT",
    "TERMS",
    "USUAL_TURN",
    "captures_in_turn",
    "danger",
    "forcing",
    "gain",
    "judge",
    "may_pass",
    "wins_at_once",
]

TERMS: tuple[Term, ...] = (
    Term("rank", "a piece with n stronger enemies left on the board", 7),
    Term("rabbits_lost", "having lost n rabbits", 7),
    Term("pieces_lost", "having lost n of the eight stronger pieces", 8),
    Term("captive", "an enemy that is frozen: rabbit, cat, dog, horse, camel", 5),
    Term("hostage", "an enemy that is frozen near the own home traps: the same", 5),
    Term(
        "prize",
        "the strongest enemy that the mover can capture with up to three of the steps left: rabbit ... elephant",
        6,
    ),
    Term("threatened", "the mover's strongest piece that a single push or pull would capture", 6),
    Term("home_guards", "one, two, three or more pieces beside a home trap", 3),
    Term("away_guards", "one, two, three or more pieces beside a trap of the enemy's home", 3),
    Term("home_lead", "the strongest piece beside a home trap"),
    Term("away_lead", "the strongest piece beside a trap of the enemy's home"),
    Term("on_trap", "a piece that stands on a trap"),
    Term("rabbit_rank", "a rabbit on its second rank ... seventh rank", 6),
    Term("open_rabbit", "a rabbit with no enemy ahead on its file and those beside: ranks 1 and 2, 3 and 4 ...", 4),
    Term("run", "the nearest rabbit's way to goal, if nobody else moved: 1, 2, 3, 4, 5 or 6, 7 or 8 steps", 6),
    Term("elephant_ring", "an elephant in the middle four squares, in the ring around them, in the next", 3),
    Term("hemmed", "an elephant with nowhere to step or push, with one way, with two", 3),
    Term("small_rank", "a cat or dog on ranks 3 and 4, beyond the middle", 2),
    Term("horse_rank", "a horse on these ranks", 2),
    Term("camel_rank", "a camel on these ranks", 2),
    Term("flank", "a horse on the two files of a wing"),
    Term("exposed", "a horse, a camel beyond the middle with a stronger enemy within two squares", 2),
    Term("open_home", "a file with no own piece on the two home ranks"),
    Term("steps", "a step left in this turn"),
    Term("placed", "while setting up, for rabbit ... elephant: on files a or h ... d or e, back row, front row", 48),
    Term("facing", "while setting up: an elephant on the wing of the enemy's camel"),
)
(
    RANK,
    RABBITS_LOST,
    PIECES_LOST,
    CAPTIVE,
    HOSTAGE,
    PRIZE,
    THREATENED,
    HOME_GUARDS,
    AWAY_GUARDS,
    HOME_LEAD,
    AWAY_LEAD,
    ON_TRAP,
    RABBIT_RANK,
    OPEN_RABBIT,
    RUN,
    ELEPHANT_RING,
    HEMMED,
    SMALL_RANK,
    HORSE_RANK,
    CAMEL_RANK,
    FLANK,
    EXPOSED,
    OPEN_HOME,
    STEPS,
    PLACED,
    FACING,
) = offsets(TERMS)
USUAL_TURN = STEPS_A_TURN
EXACT = ("goal",)
"""The ways to win that `wins_at_once` never misses."""

# Squares as a player sees them who sits at rank 1.
ROWS = np.array([0xFF << SIZE * rank for rank in range(SIZE)], np.uint64)
BANDS = np.array([0xFFFF << 2 * SIZE * band for band in range(SIZE // 2)], np.uint64)
RINGS = np.array([0x0000001818000000, 0x00003C24243C0000, 0x007E424242427E00], np.uint64)
HOME, BEYOND = U64(0xFF), U64(0xFFFFFFFF00000000)
NEAR_HOME_TRAPS, NEAR_AWAY_TRAPS = U64(0x00000000247EFF7E), U64(0x7EFF7E2400000000)
HOME_TRAPS, AWAY_TRAPS = TRAPS & ~BEYOND, TRAPS & BEYOND
WINGS = U64(0xC3C3C3C3C3C3C3C3)

VALUE = np.array([100, 260, 370, 590, 1000, 1800], np.int64)
GOAL_VALUE = I(10_000)
FEW_STEPS = I(3)
"""How far ahead a judgement looks for captures; a fourth step would take twenty times as long."""
LONG_RUN = I(9)


@template
def judge(state: State, tally: Tally) -> None:
    """Add every term; before the armies are complete there is only one."""
    if state.setup != 0:
        judge_setup(tally, state, I(0))
        judge_setup(tally, state, I(1))
        return
    tally.phase = 2 * popcount(state.army[0] | state.army[1])
    first, second = seen_by(state, I(0)), seen_by(state, I(1))
    for player in range(2):
        judge_army(tally, first if player == 0 else second, I(1 - 2 * player))
    judge_rabbits(tally, first, second)
    judge_squares(tally, first, second)
    judge_guards(tally, first)
    grip = judge_grip(tally, first)
    if state.player == 0:
        judge_turn(tally, state, first, second, second.mine & ~upside_down(grip.held))
    else:
        judge_turn(tally, state, second, first, first.mine & ~grip.bound)


@template
def compare(tally: Tally, term: int, first: np.uint64, second: np.uint64) -> None:
    """Add by how much the first player's set is the larger."""
    add(tally, term, popcount(first) - popcount(second))


@template
def judge_army(tally: Tally, board: Board, sign: int) -> None:
    """What a player has left, how its elephant can move, and how near a rabbit is to goal."""
    for kind in range(CAT, KINDS):
        place = I(RANK) + popcount(board.theirs & above(board, I(kind)))
        add(tally, place, sign * popcount(board.mine & of_kind(board, I(kind))))
    strong = popcount(board.mine & above(board, I(RABBIT)))
    if strong < 8:
        add(tally, I(PIECES_LOST) + 7 - strong, sign)
    lost = 8 + strong - popcount(board.mine)
    if lost > 0:
        add(tally, I(RABBITS_LOST) - 1 + min(lost, I(7)), sign)
    elephants = of_kind(board, I(ELEPHANT))
    ways = popcount(beside(board.mine & elephants) & ~(board.mine | elephants))
    if ways < 3 and (board.mine & elephants) != ZERO:
        add(tally, I(HEMMED) + ways, sign)
    steps = shortest_run(board)
    if steps < LONG_RUN:
        add(tally, I(RUN) - 1 + (steps if steps < 5 else (steps + 5) >> 1), sign)


@compiled
def shortest_run(board: Board) -> int:
    """How many steps the nearest rabbit beyond the middle needs to goal, if nobody else moves."""
    shortest = LONG_RUN
    runners = rabbits(board) & BEYOND
    while runners != ZERO:
        runner = runners & (ZERO - runners)
        runners ^= runner
        shortest = way_to_goal(board, runner, shortest - 1)
    return shortest


@template
def judge_rabbits(tally: Tally, first: Board, second: Board) -> None:
    """How far the rabbits are, and who could stop them; how open the home is to those of the enemy."""
    mine, others = rabbits(first), rabbits(second)
    for rank in range(1, SIZE - 1):
        compare(tally, I(RABBIT_RANK) - 1 + rank, mine & ROWS[rank], others & ROWS[rank])
    mine, others = mine & ~behind(first.theirs), others & ~behind(second.theirs)
    for band in range(SIZE // 2):
        compare(tally, I(OPEN_RABBIT) + band, mine & BANDS[band], others & BANDS[band])
    compare(tally, I(OPEN_HOME), open_home(first), open_home(second))


@compiled
def open_home(board: Board) -> np.uint64:
    """The files, as squares of the first rank, with no own piece on the first two."""
    return HOME & ~(board.mine | board.mine >> U64(SIZE))


@compiled
def behind(squares: np.uint64) -> np.uint64:
    """The squares south of a set, on the same files and those beside."""
    shade = sideways(squares) >> U64(SIZE)
    shade |= shade >> U64(SIZE)
    shade |= shade >> U64(2 * SIZE)
    return shade | shade >> U64(4 * SIZE)


@template
def judge_squares(tally: Tally, first: Board, second: Board) -> None:
    """Where the stronger pieces stand."""
    horse, camel, elephant = of_kind(first, I(HORSE)), of_kind(first, I(CAMEL)), of_kind(first, I(ELEPHANT))
    small = above(first, I(RABBIT)) ^ above(first, I(DOG))
    horses, camels, elephants = upside_down(horse), upside_down(camel), upside_down(elephant)
    judge_ranks(tally, I(SMALL_RANK), first.mine & small, second.mine & upside_down(small))
    judge_ranks(tally, I(HORSE_RANK), first.mine & horse, second.mine & horses)
    judge_ranks(tally, I(CAMEL_RANK), first.mine & camel, second.mine & camels)
    compare(tally, I(FLANK), first.mine & horse & WINGS, second.mine & horses & WINGS)
    compare(
        tally, I(EXPOSED), first.mine & horse & hunted(first, I(HORSE)), second.mine & horses & hunted(second, I(HORSE))
    )
    compare(
        tally,
        I(EXPOSED) + 1,
        first.mine & camel & hunted(first, I(CAMEL)),
        second.mine & camels & hunted(second, I(CAMEL)),
    )
    for ring in range(len(RINGS)):
        compare(
            tally, I(ELEPHANT_RING) + ring, first.mine & elephant & RINGS[ring], second.mine & elephants & RINGS[ring]
        )


@template
def judge_ranks(tally: Tally, term: int, mine: np.uint64, others: np.uint64) -> None:
    """How far some pieces have gone."""
    compare(tally, term, mine & BANDS[1], others & BANDS[1])
    compare(tally, term + 1, mine & BEYOND, others & BEYOND)


@compiled
def hunted(board: Board, kind: int) -> np.uint64:
    """The squares beyond the middle that are within two of an enemy above a kind."""
    return BEYOND & wider(wider(board.theirs & above(board, kind)))


class Grip(NamedTuple):
    """Who cannot step, as the first player sees the board: the enemies held, and the own pieces bound."""

    held: np.uint64
    bound: np.uint64


@template
def judge_grip(tally: Tally, board: Board) -> Grip:
    """Who holds whom, and whose piece beside a trap is the strongest there."""
    near, others_near = beside(board.mine), beside(board.theirs)
    held = bound = ZERO
    lead, trail = near & ~others_near, others_near & ~near
    for kind in range(ELEPHANT):
        higher = above(board, I(kind))
        mine, theirs = beside(board.mine & higher), beside(board.theirs & higher)
        held |= mine & ~higher
        bound |= theirs & ~higher
        lead |= mine & ~theirs
        trail |= theirs & ~mine
    held &= board.theirs & ~others_near
    bound &= board.mine & ~near
    for kind in range(ELEPHANT):
        same = of_kind(board, I(kind))
        compare(tally, I(CAPTIVE) + kind, held & same, bound & same)
        compare(tally, I(HOSTAGE) + kind, held & same & NEAR_HOME_TRAPS, bound & same & NEAR_AWAY_TRAPS)
    compare(tally, I(ON_TRAP), board.mine & TRAPS, board.theirs & TRAPS)
    compare(tally, I(HOME_LEAD), lead & HOME_TRAPS, trail & AWAY_TRAPS)
    compare(tally, I(AWAY_LEAD), lead & AWAY_TRAPS, trail & HOME_TRAPS)
    return Grip(held, bound)


@template
def judge_guards(tally: Tally, board: Board) -> None:
    """How many stand beside each trap."""
    mine, theirs = guards_of(board.mine), guards_of(board.theirs)
    compare(tally, I(HOME_GUARDS), mine.one & HOME_TRAPS, theirs.one & AWAY_TRAPS)
    compare(tally, I(HOME_GUARDS) + 1, mine.two & HOME_TRAPS, theirs.two & AWAY_TRAPS)
    compare(tally, I(HOME_GUARDS) + 2, mine.more & HOME_TRAPS, theirs.more & AWAY_TRAPS)
    compare(tally, I(AWAY_GUARDS), mine.one & AWAY_TRAPS, theirs.one & HOME_TRAPS)
    compare(tally, I(AWAY_GUARDS) + 1, mine.two & AWAY_TRAPS, theirs.two & HOME_TRAPS)
    compare(tally, I(AWAY_GUARDS) + 2, mine.more & AWAY_TRAPS, theirs.more & HOME_TRAPS)


class Guards(NamedTuple):
    """The traps with one, with two, with more pieces of an army beside them."""

    one: np.uint64
    two: np.uint64
    more: np.uint64


@compiled
def guards_of(army: np.uint64) -> Guards:
    """How an army guards the traps; none is at the edge of the board."""
    north, south, east, west = army >> U64(8), army << U64(8), army >> U64(1), army << U64(1)
    any_upright, any_level, upright, level = north | south, east | west, north & south, east & west
    more = (upright & any_level | level & any_upright) & TRAPS
    two = (upright | level | any_upright & any_level) & TRAPS & ~more
    return Guards((any_upright | any_level) & TRAPS & ~(two | more), two, more)


@compiled
def strongest(board: Board, squares: np.uint64) -> int:
    """1 + the strongest kind on some squares, which have no piece or one or more; 0 for none."""
    found = I(squares != ZERO)
    for kind in range(KINDS - 1):
        found += I((squares & above(board, I(kind))) != ZERO)
    return found


@template
def judge_turn(tally: Tally, state: State, mover: Board, other: Board, able: np.uint64) -> None:
    """What the mover can win with the steps that are left, and what the other's pieces that are able to step could."""
    sign = I(1 - 2 * I(state.player))
    left = I(STEPS_A_TURN) - I(state.steps)
    add(tally, I(STEPS), sign * (left - I(state.push_into != 0)))
    caught = captures(mover, min(left, FEW_STEPS), begun_in(state))
    if caught != ZERO:
        add(tally, I(PRIZE) - 1 + strongest(mover, caught), sign)
    caught = strikes(other, able)
    if caught != ZERO:
        add(tally, I(THREATENED) - 1 + strongest(other, caught), sign)


@template
def judge_setup(tally: Tally, state: State, player: int) -> None:
    """How well the pieces stand that a player has set up so far."""
    sign = 1 - 2 * player
    for kind in range(KINDS):
        left = state.pieces[player, kind]
        while left != ZERO:
            square = lowest(left)
            left = without_lowest(left)
            file, row = square & 7, (square >> 3) ^ (7 * player)
            add(tally, I(PLACED) + 8 * kind + 4 * row + min(file, 7 - file), sign)
    elephant, camel = state.pieces[player, ELEPHANT], state.pieces[1 - player, CAMEL]
    if elephant != ZERO and camel != ZERO and (lowest(elephant) & 4) == (lowest(camel) & 4):
        add(tally, I(FACING), sign)


@compiled
def gain(state: State, action: int) -> int:
    """What a step wins: an enemy that it leaves alone on a trap, or the goal."""
    if action >= PASS:
        return I(0)
    me = I(state.player)
    square = action >> 2
    target = square + STRIDE[action & 3]
    if owner_on(state, square) == me:
        at_goal = (state.pieces[me, RABBIT] >> U64(square)) & ONE & (GOAL[me] >> U64(target))
        return GOAL_VALUE if at_goal != ZERO else I(0)
    theirs = state.army[1 - me] ^ bit(square) ^ bit(target)
    lost = theirs & TRAPS & ~beside(theirs)
    if lost == ZERO:
        return I(0)
    trap = lowest(lost)
    return VALUE[kind_on(state, square if trap == target else trap, 1 - me)]


@compiled
def forcing(state: State, actions: Actions) -> None:
    """The legal actions with a gain: enemies go into a trap or leave a friend there, rabbits step to goal."""
    actions.n = 0
    if state.setup != 0 or state.push_into != 0 or (state.steps == 0 and is_decided(state)):
        return
    me = I(state.player)
    prey = lone_guards(state.army[1 - me])
    runners = state.pieces[me, RABBIT] & beside(GOAL[me])
    if (prey | runners) == ZERO:
        return
    free, empty = unfrozen(state, me), ~(state.army[0] | state.army[1])
    pushed = prey & pushable(state, free, me) if state.steps < STEPS_A_TURN - 1 else ZERO
    pulled, hole = ZERO, ZERO
    if state.pull_into != 0:
        pulled, hole = prey & weaker(state, 1 - me, I(state.pull_kind)), bit(I(state.pull_into) - 1)
    n = I(0)
    for direction in range(4):
        movers = (runners & free & neighbours_at(GOAL[me], direction) | pushed) & neighbours_at(empty, direction)
        movers |= pulled & neighbours_at(hole, direction)
        while movers != ZERO:
            action = 4 * lowest(movers) + direction
            movers = without_lowest(movers)
            if gain(state, action) > 0:
                actions.list[n] = action
                n += 1
    actions.n = n


@compiled
def danger(state: State) -> bool:
    """Whether the other player could reach goal if the mover passed, or all is over; asked as a turn begins."""
    if state.steps != 0 or state.setup != 0:
        return False
    if is_decided(state) or is_stuck(state):
        return True
    other = 1 - I(state.player)
    near = WITHIN[STEPS_A_TURN + 1] if other == 0 else upside_down(WITHIN[STEPS_A_TURN + 1])
    if (state.pieces[other, RABBIT] & near) == ZERO:
        return False
    return reaches_goal(seen_by(state, other), I(STEPS_A_TURN), NOTHING)


@compiled
def is_stuck(state: State) -> bool:
    """Whether the mover has no step when its turn begins."""
    me = I(state.player)
    free, empty = unfrozen(state, me), ~(state.army[0] | state.army[1])
    if (free & beside(empty) & ~state.pieces[me, RABBIT]) != ZERO:
        return False
    for direction in range(4):
        if direction != BACKWARD[me] and (free & neighbours_at(empty, direction)) != ZERO:
            return False
    return (pushable(state, free, me) & beside(empty)) == ZERO


@compiled
def wins_at_once(state: State) -> int:
    """The steps that bring a rabbit to goal in this turn, and the pass after them unless the turn is then full."""
    steps, me = I(state.steps), I(state.player)
    near = WITHIN[I(STEPS_A_TURN) + 1 - steps]
    if me == 1:
        near = upside_down(near)
    if (state.pieces[me, RABBIT] & near) == ZERO or state.setup != 0 or (steps == 0 and is_decided(state)):
        return I(0)
    fewest = goal_in(state)
    if fewest < 0:
        return I(0)
    return fewest + I(steps + fewest < STEPS_A_TURN)


@compiled
def may_pass(state: State) -> bool:
    """A step is hardly ever forced; but pieces must be set up."""
    return state.setup == 0
