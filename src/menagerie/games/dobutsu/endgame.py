"""Dōbutsu shōgi: a place for every position, the player to move below, left and right being the same.

Left out are positions whose end is at hand: lions side by side, or a lion on its far row. The rest is

    place = pair of lions | how many chicks, elephants, giraffes stand on the board | where | whose | which are hens

Where they stand is counted on the ten squares without lions: chicks first, elephants on the eight to ten squares left,
then giraffes. Whose takes two bits a kind, those in hand after those on the board; one in each hand is written one way.

A position is a body, five sets of squares in one word, with the lions and what the second player holds:

    owners 12 | hens 12 | giraffes 12 | elephants 12 | chicks 12      from the lowest bit on the right
"""

from itertools import product
from math import comb

import numpy as np

from menagerie.games.dobutsu.rules import (
    BOARD,
    CHICK,
    ELEPHANT,
    EMPTY,
    FILES,
    FORBIDDEN,
    GIRAFFE,
    HEN,
    LION,
    OWNER,
    REACH,
    SQUARES,
    attackers,
    can_win,
    legal,
    mating_drops,
    play,
)
from menagerie.kernel.bits import ONE, U64, ZERO, I, bit, lowest, popcount, without_lowest
from menagerie.kernel.compiled import compiled
from menagerie.kernel.endgame import IS_OVER, OUTSIDE, WINS_AT_ONCE, Before, Part, Room, before_type
from menagerie.kernel.state import State

Whole = tuple[np.uint64, np.uint64, int]
"""A body, what the second player holds, and the lions."""

# Eight pieces of one player with eight steps each, back to an empty square or leaving one of four taken pieces there.
BEFORE = before_type(8 * 8 * 5 * 2)

LANE = U64(SQUARES)
ELEPHANTS, GIRAFFES, HENS, OWNERS = (U64(n * SQUARES) for n in range(1, 5))
"""Where each set of squares begins; the chicks, hens among them, begin at 0."""
EVERY_LANE = U64(sum(1 << n * SQUARES for n in range(5)))
ALL_OWNERS = BOARD << OWNERS

FREE = SQUARES - 2
KINDS = 3
HELD = np.array([4, 2, 0], np.uint64)
"""Where the count of a kind in hand stands, two bits each, by the index of the hand."""


def every_lane(squares: int) -> np.uint64:
    """A set of squares in each lane."""
    return U64(squares) * EVERY_LANE


FILE_A, FILE_B, FILE_C = (every_lane(0b001_001_001_001 << file) for file in range(FILES))
ROW_1, ROW_2 = every_lane(0b111), every_lane(0b111_000)


def pairs_of_lions() -> list[tuple[int, int]]:
    """Where the lions stand, the mover's first: not side by side, not on the far row, the first not on the right."""
    return [
        (mine, theirs)
        for mine, theirs in product(range(SQUARES - FILES), range(FILES, SQUARES))
        if max(abs(mine % FILES - theirs % FILES), abs(mine // FILES - theirs // FILES)) > 1 and not folds(mine, theirs)
    ]


def folds(mine: int, theirs: int) -> bool:
    """Whether a position is turned into its mirror image before it is counted."""
    return (mine % FILES, theirs % FILES) > (1, 1) or mine % FILES == FILES - 1


def mirrored(square: int) -> int:
    """The square on the other side."""
    return square - square % FILES + FILES - 1 - square % FILES


def lion_tables() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each player to move and each lions (first * 12 + second): the pair or -1; whether the rows' order is kept
    but left and right are exchanged; and the squares below, between and above the lions.
    """
    pair = np.full((2, SQUARES * SQUARES), -1, np.int8)
    turned = np.zeros((2, SQUARES * SQUARES), np.uint8)
    gaps = np.zeros((2, SQUARES * SQUARES, 3), np.uint16)
    for me, first, second in product(range(2), range(SQUARES), range(SQUARES)):
        mine, theirs = (first, second) if me == 0 else (SQUARES - 1 - second, SQUARES - 1 - first)
        fold = folds(mine, theirs)
        if fold:
            mine, theirs = mirrored(mine), mirrored(theirs)
        if (mine, theirs) in PAIRS:
            lions = first * SQUARES + second
            pair[me, lions] = PAIRS.index((mine, theirs))
            turned[me, lions] = fold != bool(me)
            gaps[me, lions] = gaps_between(mine, theirs)
    return pair, turned, gaps


def gaps_between(one: int, other: int) -> tuple[int, int, int]:
    """The squares below, between and above two squares, each set moved down to where the counting puts it."""
    low, high = sorted((one, other))
    below = (1 << low) - 1
    between = ((1 << (high - 1)) - 1) & ~below
    return below, between, ((1 << FREE) - 1) & ~below & ~between


PAIRS = pairs_of_lions()
PAIR, TURNED, GAPS = lion_tables()
LIONS = np.array(PAIRS, np.uint8)

# By how many chicks, elephants and giraffes stand on the board; the largest classes come first.
CLASSES = sorted(
    product(range(KINDS), repeat=3),
    key=lambda n: comb(FREE, n[0]) * comb(FREE - n[0], n[1]) * comb(FREE - n[0] - n[1], n[2]) << n[0],
    reverse=True,
)


def class_tables() -> tuple[np.ndarray, np.ndarray, int]:
    """The numbers of the classes by 9 * chicks + 3 * elephants + giraffes; for each class the counts, where it begins
    and how many ways the elephants and giraffes have to stand; and the places in all.
    """
    number, facts, begin = np.zeros(27, np.int64), np.zeros((27, 6), np.int64), 0
    for index, (chicks, elephants, giraffes) in enumerate(CLASSES):
        ways = comb(FREE - chicks, elephants), comb(FREE - chicks - elephants, giraffes)
        number[9 * chicks + 3 * elephants + giraffes] = index
        facts[index] = (chicks, elephants, giraffes, begin, *ways)
        begin += comb(FREE, chicks) * ways[0] * ways[1] * 64 << chicks
    return number, facts, begin


CLASS, FACTS, A_PAIR = class_tables()
PLACES = A_PAIR * len(PAIRS)

# Up to two squares of ten as a number, by how many they are, and back.
SETS = [
    sorted(sum(1 << square for square in squares) for squares in product(range(FREE), repeat=n) if len({*squares}) == n)
    for n in range(3)
]
RANK = np.zeros(1 << FREE, np.uint8)
SET = np.zeros((3, 1 << 6), np.uint16)
for _n, _sets in enumerate(SETS):
    for _rank, _set in enumerate(sorted({*_sets})):
        RANK[_set], SET[_n, _rank] = _rank, _set
HELD_OWNERS = np.array([[0, 1, 3, 0], [0, 2, 0, 0], [0, 0, 0, 0]], np.uint64)
"""Two bits: whose those in hand are, by how many stand on the board and how many the other holds."""
HELD_BY_OTHER = np.array([[0, 1, -1, 2], [0, 0, 1, 1], [0, 0, 0, 0]], np.int64)
"""The way back; -1 where that is written otherwise."""


def parts() -> tuple[Part, ...]:
    """Pieces come back from the hand, so everything hangs together."""
    return (Part("all", 0, PLACES),)


@compiled
def place(state: State) -> int:
    """The place of a position with all pieces."""
    if I(state.lion[0]) >= SQUARES or I(state.lion[1]) >= SQUARES:
        return OUTSIDE
    body = body_of(state)
    for index in range(KINDS):
        on_board = (body >> (GIRAFFES if index == 0 else ELEPHANTS if index == 1 else ZERO)) & BOARD
        if popcount(on_board) + I(state.hand[0, index]) + I(state.hand[1, index]) != 2:
            return OUTSIDE
    return rank(I(state.player), body, held_by_second(state), I(state.lion[0]) * SQUARES + I(state.lion[1]))


@compiled
def body_of(state: State) -> np.uint64:
    """The sets of squares of all pieces but the lions."""
    body = U64(state.pieces[1]) << OWNERS
    left = U64(state.pieces[0]) | U64(state.pieces[1])
    while left != ZERO:
        square = lowest(left)
        left = without_lowest(left)
        body |= lanes_of(I(state.board[square]) & (OWNER - 1)) << U64(square)
    return body


@compiled
def lanes_of(kind: int) -> np.uint64:
    """The lanes where a kind shows, at their lowest bits; a lion in none."""
    if kind == CHICK:
        return ONE
    if kind == HEN:
        return ONE | (ONE << HENS)
    if kind == ELEPHANT:
        return ONE << ELEPHANTS
    return ONE << GIRAFFES if kind == GIRAFFE else ZERO


@compiled
def held_by_second(state: State) -> np.uint64:
    """What the second player holds, two bits a kind."""
    held = ZERO
    for index in range(KINDS):
        held |= U64(state.hand[1, index]) << HELD[index]
    return held


@compiled
def rank(me: int, body: np.uint64, held: np.uint64, lions: int) -> int:
    """The place of a body with lions and what the second player holds, `me` to move."""
    pair = I(PAIR[me, lions])
    if pair < 0:
        return OUTSIDE
    if me == 1:
        body = upside_down(body) ^ ALL_OWNERS
    if TURNED[me, lions] != 0:
        body = sideways(body)
    return pair * A_PAIR + rank_free(me, close_gaps(body, me, lions), held)


@compiled
def upside_down(body: np.uint64) -> np.uint64:
    """The first row becomes the last."""
    return (
        ((body & ROW_1) << U64(9))
        | ((body & ROW_2) << U64(3))
        | ((body >> U64(3)) & ROW_2)
        | ((body >> U64(9)) & ROW_1)
    )


@compiled
def sideways(body: np.uint64) -> np.uint64:
    """Left becomes right."""
    return (body & FILE_B) | ((body & FILE_A) << U64(2)) | ((body >> U64(2)) & FILE_A)


@compiled
def close_gaps(body: np.uint64, me: int, lions: int) -> np.uint64:
    """Count the squares without those of the lions."""
    return (
        (body & gap_at(me, lions, I(0)))
        | ((body >> U64(1)) & gap_at(me, lions, I(1)))
        | ((body >> U64(2)) & gap_at(me, lions, I(2)))
    )


@compiled
def gap_at(me: int, lions: int, number: int) -> np.uint64:
    """The squares below, between or above the lions, in every lane."""
    return U64(GAPS[me, lions, number]) * EVERY_LANE


@compiled
def rank_free(me: int, body: np.uint64, held: np.uint64) -> int:
    """The place within a pair of lions, of sets on the ten other squares."""
    chicks, elephants, giraffes = body & BOARD, (body >> ELEPHANTS) & BOARD, (body >> GIRAFFES) & BOARD
    owners, hens = body >> OWNERS, (body >> HENS) & BOARD
    n_chicks, n_elephants, n_giraffes = popcount(chicks), popcount(elephants), popcount(giraffes)
    whose = (
        (owners_of(me, owners, chicks, n_chicks, held >> HELD[2]) << U64(4))
        | (owners_of(me, owners, elephants, n_elephants, held >> HELD[1]) << U64(2))
        | owners_of(me, owners, giraffes, n_giraffes, held >> HELD[0])
    )
    which = two_bits(hens, chicks)
    giraffes = without(without(giraffes, chicks), without(elephants, chicks))
    elephants = without(elephants, chicks)
    kind = I(CLASS[9 * n_chicks + 3 * n_elephants + n_giraffes])
    where = (rank_of(chicks) * fact(kind, I(4)) + rank_of(elephants)) * fact(kind, I(5)) + rank_of(giraffes)
    return I(fact(kind, I(3))) + (((I(where) << 6) + I(whose)) << n_chicks) + I(which)


@compiled
def rank_of(squares: np.uint64) -> int:
    """The number of up to two squares of ten."""
    return I(RANK[squares])


@compiled
def two_bits(chosen: np.uint64, squares: np.uint64) -> np.uint64:
    """For each of up to two squares, the lower first, whether it is chosen."""
    high = without_lowest(squares)
    low = squares ^ high
    return U64((chosen & low) != ZERO) | (U64((chosen & high) != ZERO) << ONE)


@compiled
def owners_of(me: int, owners: np.uint64, squares: np.uint64, n: int, held: np.uint64) -> np.uint64:
    """Whose the two pieces of a kind are; `held` is how many the second player holds, in its two lowest bits."""
    held &= U64(3)
    other = held if me == 0 else U64(2 - n) - held
    return two_bits(owners, squares) | HELD_OWNERS[n, other]


@compiled
def without(squares: np.uint64, taken: np.uint64) -> np.uint64:
    """Count squares without up to two taken ones."""
    high = without_lowest(taken)
    return close_gap(close_gap(squares, high), taken ^ high)


@compiled
def close_gap(squares: np.uint64, gap: np.uint64) -> np.uint64:
    """Move down what lies above a square, if there is one."""
    below = I(gap) - 1
    return U64((I(squares) & below) | ((I(squares) >> 1) & ~below))


@compiled
def among(squares: np.uint64, taken: np.uint64) -> np.uint64:
    """The way back: count the taken squares too."""
    high = without_lowest(taken)
    return open_gap(open_gap(squares, taken ^ high), high)


@compiled
def open_gap(squares: np.uint64, gap: np.uint64) -> np.uint64:
    """Move up what lies from a square on, if there is one."""
    below = I(gap) - 1
    return U64((I(squares) & below) | ((I(squares) & ~below) << 1))


@compiled
def fact(kind: int, number: int) -> int:
    """One of the numbers of a class. Asked for here only, so that CUDA's constant memory holds the table once."""
    return FACTS[kind, number]


@compiled
def set_up(place: int, state: State) -> bool:
    """The position with this place, the first player to move."""
    pair, rest = place // A_PAIR, place % A_PAIR
    kind = I(0)
    while kind + 1 < len(FACTS) and rest >= fact(kind + 1, I(3)):
        kind += 1
    rest -= fact(kind, I(3))
    n_chicks = I(fact(kind, I(0)))
    which, whose, where = rest & ((1 << n_chicks) - 1), (rest >> n_chicks) & 63, rest >> (n_chicks + 6)
    row = where // fact(kind, I(5))
    giraffes = U64(SET[fact(kind, I(2)), where - row * fact(kind, I(5))])
    column = row // fact(kind, I(4))
    elephants = U64(SET[fact(kind, I(1)), row - column * fact(kind, I(4))])
    chicks = U64(SET[n_chicks, column])
    giraffes = among(among(giraffes, elephants), chicks)
    elephants = among(elephants, chicks)
    mine, theirs = I(LIONS[pair, 0]), I(LIONS[pair, 1])
    for square in range(SQUARES):
        state.board[square] = EMPTY
    state.pieces[0] = np.uint16(1 << mine)
    state.pieces[1] = np.uint16(1 << theirs)
    state.lion[0], state.lion[1] = mine, theirs
    state.board[mine], state.board[theirs] = LION, LION + OWNER
    state.player = 0
    state.quiet = 0
    state.ply = 0
    return (
        put(state, I(2), open_gaps(chicks, mine, theirs), (whose >> 4) | (which << 2))
        and put(state, I(1), open_gaps(elephants, mine, theirs), (whose >> 2) & 3)
        and put(state, I(0), open_gaps(giraffes, mine, theirs), whose & 3)
    )


@compiled
def open_gaps(squares: np.uint64, one: int, other: int) -> np.uint64:
    """Squares counted without the lions', as squares of the board."""
    return open_gap(open_gap(squares, bit(min(one, other))), bit(max(one, other)))


@compiled
def put(state: State, index: int, squares: np.uint64, bits: int) -> bool:
    """Put up to two pieces of a kind on squares and the others into hands: two bits say whose, two which are hens."""
    n = popcount(squares)
    held = HELD_BY_OTHER[n, bits & 3]
    if held < 0:
        return False
    state.hand[1, index] = held
    state.hand[0, index] = 2 - n - held
    kind = I(GIRAFFE) if index == 0 else I(ELEPHANT) if index == 1 else I(CHICK)
    while squares != ZERO:
        square = lowest(squares)
        squares = without_lowest(squares)
        state.board[square] = kind + ((bits >> 2) & 1) * (HEN - CHICK) + (bits & 1) * OWNER
        state.pieces[bits & 1] |= np.uint16(1 << square)
        bits = ((bits >> 1) & 1) | ((bits >> 1) & 4)
    return True


@compiled
def foresee(room: Room) -> int:
    """Whether the first player wins at once or has no move, or how many of his moves do not lose at once.

    Nothing moves from afar: unless the lion is attacked, or the enemy's is a step from home, only the lion's own steps
    can be such mistakes.
    """
    state, actions = room.states[0], room.actions[0]
    if can_win(state, I(0)):
        return WINS_AT_ONCE
    legal(state, actions)
    if actions.n == 0:
        return IS_OVER
    lion, enemy = I(state.lion[0]), I(state.lion[1])
    is_calm = enemy >= 2 * FILES and attackers(state, lion, I(1)) == ZERO
    hopeful = I(0)
    for index in range(actions.n):
        action = I(actions.list[index])
        if is_calm:
            hopeful += I(action // SQUARES != lion or attackers(state, action % SQUARES, I(1)) == ZERO)
        else:
            room.states[1] = room.states[0]
            play(room.states[1], action)
            hopeful += I(not can_win(room.states[1], I(1)))
    return hopeful


@compiled
def predecessors(state: State, before: Before) -> None:
    """The places from where the second player comes here: a step taken back, with what it took, or a drop.

    Where he attacks the lion with another piece than the one that moved, he could have taken it: such are left out.
    """
    before.n = 0
    body, held = body_of(state), held_by_second(state)
    lions = I(state.lion[0]) * SQUARES + I(state.lion[1])
    theirs = U64(state.pieces[1])
    empty = BOARD & ~(U64(state.pieces[0]) | theirs)
    attacking = attackers(state, I(state.lion[0]), I(1))
    movers = theirs if attacking == ZERO else attacking if without_lowest(attacking) == ZERO else ZERO
    while movers != ZERO:
        target = lowest(movers)
        movers = without_lowest(movers)
        kind = I(state.board[target]) & (OWNER - 1)
        at_home = target < FILES
        if kind == LION:
            step_back(state, before, (body, held, lions), kind, target, empty)
            continue
        if kind != HEN:
            drop_back(state, before, (body, held, lions), kind, target)
        if kind != CHICK or not at_home:
            step_back(state, before, (body, held, lions), kind, target, empty)
        if kind == HEN and at_home:
            step_back(state, before, (body ^ (ONE << (HENS + U64(target))), held, lions), I(CHICK), target, empty)


@compiled
def drop_back(state: State, before: Before, whole: Whole, kind: int, target: int) -> None:
    """The second player takes a piece that he dropped back to his hand, unless it was not his right to drop it."""
    body, held, lions = whole
    if kind == CHICK and state.chick_drop_mate == FORBIDDEN and is_mating(state, target):
        return
    index = I(2) if kind == CHICK else I(1) if kind == ELEPHANT else I(0)
    lanes = (lanes_of(kind) | (ONE << OWNERS)) << U64(target)
    note(before, body ^ lanes, held + (ONE << HELD[index]), lions, lions)


@compiled
def is_mating(state: State, target: int) -> bool:
    """Whether the second player's chick, if it was dropped, gave mate; the state is as before afterwards."""
    if attackers(state, I(state.lion[0]), I(1)) == ZERO:
        return False
    chick = np.uint16(1 << target)
    state.board[target] = EMPTY
    state.pieces[1] ^= chick
    mating = mating_drops(state, I(1), BOARD & ~(U64(state.pieces[0]) | U64(state.pieces[1])))
    state.board[target] = CHICK + OWNER
    state.pieces[1] ^= chick
    return (mating & bit(target)) != ZERO


@compiled
def step_back(state: State, before: Before, whole: Whole, kind: int, target: int, empty: np.uint64) -> None:
    """The second player's piece goes back to where it may have come from, and leaves there what it may have taken."""
    body, held, lions = whole
    lion = bit(I(state.lion[0]))
    lanes = lanes_of(kind) | (ONE << OWNERS)
    origins = REACH[0, kind, target] & empty
    while origins != ZERO:
        origin = lowest(origins)
        origins = without_lowest(origins)
        if (REACH[1, kind, origin] & lion) != ZERO:
            continue
        stepped = body ^ (lanes << U64(target)) ^ (lanes << U64(origin))
        then = lions + origin - target if kind == LION else lions
        note(before, stepped, held, lions, then)
        for index in range(KINDS):
            if ((held >> HELD[index]) & U64(3)) != ZERO:
                taken = I(GIRAFFE) if index == 0 else I(ELEPHANT) if index == 1 else I(CHICK)
                less = held - (ONE << HELD[index])
                note(before, stepped | (lanes_of(taken) << U64(target)), less, lions, then)
                if taken == CHICK:
                    note(before, stepped | (lanes_of(I(HEN)) << U64(target)), less, lions, then)


@compiled
def note(before: Before, body: np.uint64, held: np.uint64, lions: int, then: int) -> None:
    """List the place of a body from before the move, when the lions stood on `then`.

    With both lions on the middle file a position and its mirror image have places of their own. A position before has
    one turn to each of the two, and two such positions before have one turn each to their common place.
    """
    found = rank(I(1), body, held, then)
    if found < 0:
        return
    if is_even(lions):
        if not is_even(then) and TURNED[1, then] == 0:
            return
    elif is_even(then):
        before.list[before.n] = rank(I(1), sideways(body), held, then)
        before.n += 1
    before.list[before.n] = found
    before.n += 1


@compiled
def is_even(lions: int) -> bool:
    """Whether both lions stand on the middle file."""
    return lions // SQUARES % FILES == 1 and lions % FILES == 1
