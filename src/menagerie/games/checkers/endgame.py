"""Checkers with triple kings: places for endings with up to four pieces of any ranks, the player to move as Black.

    place = how many pieces each has | where the mover's stand | where the other's, on the squares left | their ranks

Pieces are counted in the order of their squares, from the mover's far row. Captures lead to fewer pieces, everything
else stays with as many, so a part is what two numbers of pieces have in common that are the same with the players
exchanged.
"""

from math import comb

import numpy as np

from menagerie.games.checkers.rules import (
    BOARD,
    FAR_ROW,
    KING,
    LAST,
    MAN,
    NOWHERE,
    NUMBERS,
    TRIPLE,
    beside,
    can_jump,
    crown,
    hop_manner,
    leap,
    rank_of,
    turned,
)
from menagerie.kernel.bits import ONE, ZERO, I, bit, lowest, popcount, without_lowest
from menagerie.kernel.compiled import compiled
from menagerie.kernel.endgame import OUTSIDE, Before, Part, before_type
from menagerie.kernel.state import State

BEFORE = before_type(128)

MOST = 3
"""How many pieces a player can have."""
SIZES = ((1, 1), (2, 1), (2, 2), (3, 1))
RANKS = (MAN, KING, TRIPLE)
CHOOSE = np.array([[comb(n, k) for k in range(MOST + 1)] for n in range(NUMBERS + 1)], np.int64)
POWER = np.array([len(RANKS) ** n for n in range(2 * MOST + 1)], np.int64)


def lay_out() -> tuple[tuple[Part, ...], np.ndarray, np.ndarray]:
    """The parts; where the places of each two numbers of pieces begin, or -1; and these numbers in order."""
    begins, blocks, parts, end = np.full((MOST + 1, MOST + 1), -1, np.int64), [], [], 0
    for mine, theirs in SIZES:
        first = end
        for one, other in dict.fromkeys(((mine, theirs), (theirs, mine))):
            begins[one, other] = end
            blocks.append((end, one, other))
            end += comb(NUMBERS, one) * comb(NUMBERS - one, other) * len(RANKS) ** (one + other)
        parts.append(Part(f"{mine}-{theirs}", first, end))
    return tuple(parts), begins, np.array(blocks, np.int64)


PARTS, BEGINS, BLOCKS = lay_out()


def parts() -> tuple[Part, ...]:
    """One piece against one, two against one, two against two, three against one."""
    return PARTS


@compiled
def place(state: State) -> int:
    """The place of a position between turns with few enough pieces."""
    me = I(state.player)
    mine, theirs = state.pieces[me], state.pieces[1 - me]
    n_mine, n_theirs = popcount(mine), popcount(theirs)
    if n_mine > MOST or n_theirs > MOST or state.jumper != NOWHERE or BEGINS[n_mine, n_theirs] < 0:
        return OUTSIDE
    kings, triples = state.kings, state.triples
    if me == 1:
        mine, theirs, kings, triples = turned(mine), turned(theirs), turned(kings), turned(triples)
    where = count(mine, ZERO) * CHOOSE[NUMBERS - n_mine, n_theirs] + count(theirs, mine)
    ranks = ranks_of(mine, kings, triples) * POWER[n_theirs] + ranks_of(theirs, kings, triples)
    return BEGINS[n_mine, n_theirs] + where * POWER[n_mine + n_theirs] + ranks


@compiled
def count(squares: np.uint64, taken: np.uint64) -> int:
    """The number of a set among all of its size, counted without the taken squares."""
    where = n = I(0)
    while squares != ZERO:
        square = lowest(squares)
        squares = without_lowest(squares)
        n += 1
        where += CHOOSE[square - square // 9 - popcount(taken & (bit(square) - ONE)), n]
    return where


@compiled
def ranks_of(squares: np.uint64, kings: np.uint64, triples: np.uint64) -> int:
    """The ranks of the pieces on squares, as a number in base three."""
    ranks = I(0)
    while squares != ZERO:
        here = bit(lowest(squares))
        squares = without_lowest(squares)
        ranks = 3 * ranks + I((kings & here) != ZERO) + I((triples & here) != ZERO)
    return ranks


@compiled
def set_up(place: int, state: State) -> bool:
    """The position with this place, Black to move; no man stands where it would be a king."""
    block = I(0)
    while block + 1 < len(BLOCKS) and place >= BLOCKS[block + 1, 0]:
        block += 1
    mine, theirs = BLOCKS[block, 1], BLOCKS[block, 2]
    rest = place - BLOCKS[block, 0]
    where, ranks = rest // POWER[mine + theirs], rest % POWER[mine + theirs]
    others = CHOOSE[NUMBERS - mine, theirs]
    state.pieces[0] = spread(where // others, mine, ZERO)
    state.pieces[1] = spread(where % others, theirs, state.pieces[0])
    state.kings = ZERO
    state.triples = ZERO
    state.jumper = NOWHERE
    state.player = 0
    state.quiet = 0
    state.ply = 0
    return crown_all(state, I(0), ranks // POWER[theirs]) and crown_all(state, I(1), ranks % POWER[theirs])


@compiled
def spread(where: int, n: int, taken: np.uint64) -> np.uint64:
    """The set of n squares with a number, counted without the taken squares."""
    squares = ZERO
    number = I(NUMBERS - 1)
    while n > 0:
        while CHOOSE[number, n] > where:
            number -= 1
        where -= CHOOSE[number, n]
        squares |= bit(skip(number, taken))
        n -= 1
    return squares


@compiled
def skip(number: int, taken: np.uint64) -> int:
    """The square with a number, counted without the taken squares."""
    left = taken
    while left != ZERO:
        square = lowest(left)
        left = without_lowest(left)
        number += I(square - square // 9 <= number)
    return number + (number >> 3)


@compiled
def crown_all(state: State, player: int, ranks: int) -> bool:
    """Give a player's pieces their ranks, the last first; whether each can stand where it does."""
    left = turned(state.pieces[player])
    while left != ZERO:
        here = bit(LAST - lowest(left))
        left = without_lowest(left)
        code = ranks % 3
        ranks //= 3
        if code == 0 and (here & FAR_ROW[player]) != ZERO:
            return False
        if code > 0:
            state.kings |= here
        if code > 1:
            state.triples |= here
    return True


@compiled
def predecessors(state: State, before: Before) -> None:
    """The places from where White comes here without a capture."""
    before.n = 0
    left = state.pieces[1]
    while left != ZERO:
        target = bit(lowest(left))
        left = without_lowest(left)
        rank = rank_of(state, target)
        if crown(target, rank, I(1)) == rank:
            step_back(state, before, target, rank)
        if rank == KING and (target & FAR_ROW[1]) != ZERO:
            step_back(state, before, target, I(MAN))
        if rank == TRIPLE:
            hop_back(state, before, target)
            if (target & FAR_ROW[0]) != ZERO:
                step_back(state, before, target, I(KING))


@compiled
def step_back(state: State, before: Before, target: np.uint64, rank: int) -> None:
    """White's piece, of that rank before, goes back by a step: a man upward only."""
    empty = BOARD & ~(state.pieces[0] | state.pieces[1])
    for direction in range(I(2) if rank == MAN else I(4)):
        origin = beside(target, direction) & empty
        if origin != ZERO:
            note(state, before, target, origin, rank)


@compiled
def hop_back(state: State, before: Before, target: np.uint64) -> None:
    """White's triple king goes back over a friend, as it came."""
    empty = BOARD & ~(state.pieces[0] | state.pieces[1])
    for direction in range(4):
        _, origins = leap(target, direction, hop_manner(state), state.pieces[1], empty)
        while origins != ZERO:
            note(state, before, target, bit(lowest(origins)), I(TRIPLE))
            origins = without_lowest(origins)


@compiled
def note(state: State, before: Before, target: np.uint64, origin: np.uint64, rank: int) -> None:
    """List the place with White's piece on its origin, if it can stand there and nothing was to be captured."""
    kings, triples = state.kings, state.triples
    both = target | origin
    state.pieces[1] ^= both
    state.kings = (kings & ~both) | (origin if rank != MAN else ZERO)
    state.triples = (triples & ~both) | (origin if rank == TRIPLE else ZERO)
    state.player = 1
    if (rank != MAN or (origin & FAR_ROW[1]) == ZERO) and not can_capture(state):
        before.list[before.n] = place(state)
        before.n += 1
    state.pieces[1] ^= both
    state.kings, state.triples = kings, triples
    state.player = 0


@compiled
def can_capture(state: State) -> bool:
    """Whether White, to move, has anything to capture."""
    left = state.pieces[1]
    while left != ZERO:
        if can_jump(state, bit(lowest(left))):
            return True
        left = without_lowest(left)
    return False
