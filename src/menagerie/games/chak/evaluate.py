"""Chak: how good a state looks: the armies, what they attack, whose royal piece nears the altar and whose is caught.

The divine king is the strongest attacker of all: it never goes home again, so what counts is how near the altar it
stands, who still holds the altar, and how much of the enemy's army is missing at home.
"""

from typing import NamedTuple

import numpy as np

from menagerie.games.chak import rules
from menagerie.games.chak.rules import (
    ALTAR,
    DIVINE_KING,
    EMPTY,
    JAGUAR,
    KING,
    OFFERING,
    OWNER,
    PAWN,
    QUETZAL,
    RIVER,
    SERPENT,
    SHAMAN,
    SIZE,
    SQUARES,
    STEPS,
    VULTURE,
    WARRIOR,
    check,
    is_safe,
    on_altar,
    reach,
    slides,
    slides_to,
    square_set,
    squares_from,
)
from menagerie.kernel.bits import ZERO, I, bit, lowest, popcount, without_lowest
from menagerie.kernel.compiled import compiled, template
from menagerie.kernel.judgement import PHASES, Tally, Term, add, offsets
from menagerie.kernel.state import State

# Seven kinds, in the order of their numbers, have a place each in the terms for any piece.
SEVEN = "jaguar, shaman, vulture, pawn, warrior, quetzal, serpent"
TERMS: tuple[Term, ...] = (
    Term("king", "a king on its first, second, third, fourth rank", 4),
    Term("jaguar", "a jaguar on ranks 1-2, 3-5, 6-9, seen from its side", 3),
    Term("shaman", "a shaman, by the same ranks", 3),
    Term("vulture", "a vulture, by the same ranks", 3),
    Term("quetzal", "a quetzal, by the same ranks", 3),
    Term("serpent", "a serpent, by the same ranks", 3),
    Term("pawn", "a pawn on the third rank, on the fourth", 2),
    Term("warrior", "a warrior"),
    Term("offering", "the offering on the own altar"),
    Term("wing", f"files between a piece and the middle: {SEVEN}", 7),
    Term("room", f"squares that a piece attacks and no piece of its own stands on: {SEVEN}", 7),
    Term("loose", f"an enemy piece attacked and not defended: {SEVEN}", 7),
    Term("bullied", f"an enemy piece defended, but attacked by a pawn, warrior or shaman: {SEVEN}", 7),
    Term("divine", "a divine king 1, 2, 3 moves from an altar held by nobody, by the king, one piece, more", 12),
    Term("approach", "safe squares for it a move from the altar: the altar held by nobody, by somebody", 2),
    Term("ford", "river squares that the king may enter safely"),
    Term("march", "ranks the royal piece has advanced, times enemy pieces missing at home"),
    Term("besieged", "squares around the own king that the enemy attacks: 0 ... 5 or more", 6),
    Term("chased", "squares around the own divine king that the enemy attacks: 0 ... 5 or more", 6),
    Term("twice", "squares around the own royal piece that the enemy attacks twice"),
    Term("bare", "squares around the own royal piece that the enemy attacks and no second piece defends"),
    Term("pounce", "squares from which the enemy's jaguar would give check and be safe"),
    Term("flight", "squares to which the own royal piece may go: 0 ... 4 or more", 5),
    Term("guards", "own pieces within two squares of the own royal piece"),
    Term("turn", "being to move"),
)
(
    KING_RANK,
    JAGUAR_BAND,
    SHAMAN_BAND,
    VULTURE_BAND,
    QUETZAL_BAND,
    SERPENT_BAND,
    PAWN_RANK,
    WARRIOR_HERE,
    OFFERING_HERE,
    WING,
    ROOM,
    LOOSE,
    BULLIED,
    DIVINE,
    APPROACH,
    FORD,
    MARCH,
    BESIEGED,
    CHASED,
    TWICE,
    BARE,
    POUNCE,
    FLIGHT,
    GUARDS,
    TURN,
) = offsets(TERMS)
USUAL_TURN = 1
forcing = rules.forcing

BANDS = (0, 0, 1, 1, 1, 2, 2, 2, 2)
"""Ranks seen from the own side, taken together."""
FULL_HOME = 10
"""With so many pieces in its half, an army is at home."""


def forward(player: int, square: int) -> int:
    """How many ranks a square lies ahead of a player's first."""
    return square // SIZE if player == 0 else SIZE - 1 - square // SIZE


def standing_table() -> np.ndarray:
    """standing[player, kind, square]: the place of the term for a piece that stands there."""
    bands = {
        JAGUAR: JAGUAR_BAND,
        SHAMAN: SHAMAN_BAND,
        VULTURE: VULTURE_BAND,
        QUETZAL: QUETZAL_BAND,
        SERPENT: SERPENT_BAND,
    }
    table = np.zeros((2, OFFERING + 1, SQUARES), np.uint8)
    for player in range(2):
        for square in range(SQUARES):
            rank = forward(player, square)
            for kind, start in bands.items():
                table[player, kind, square] = start + BANDS[rank]
            table[player, KING, square] = KING_RANK + min(rank, RIVER - 1)
            table[player, PAWN, square] = PAWN_RANK + (rank >= RIVER - 1)
            table[player, WARRIOR, square] = WARRIOR_HERE
            table[player, OFFERING, square] = OFFERING_HERE
    return table


def altar_table() -> np.ndarray:
    """moves[player, square]: in how many moves, 1 to 3, a divine king comes to the altar on an empty board."""
    table = np.full((2, SQUARES), 3, np.uint8)
    for player in range(2):
        near = {int(ALTAR[1 - player])}
        for moves in (1, 2):
            near |= {to for square in near for to in squares_from(square, STEPS[DIVINE_KING], player)}
            for square in near:
                table[player, square] = min(table[player, square], moves)
    return table


def near_table() -> np.ndarray:
    """near[square]: the squares at most two away; two words."""
    steps = [(files, ranks) for files in range(-2, 3) for ranks in range(-2, 3)]
    return np.array([square_set(squares_from(square, steps, 0)) for square in range(SQUARES)], np.uint64)


def half(player: int) -> list[int]:
    """The squares of a player's own half; two words."""
    return square_set([square for square in range(SQUARES) if forward(player, square) < RIVER])


STANDING = standing_table()
ASIDE = np.array([abs(square % SIZE - SIZE // 2) for square in range(SQUARES)], np.uint8)
ADVANCE = np.array([[forward(player, square) for square in range(SQUARES)] for player in range(2)], np.uint8)
MOVES_TO_ALTAR = altar_table()
NEAR = near_table()
HALF = np.array([half(player) for player in range(2)], np.uint64)
DOOR = np.array(
    [square_set([s for s in range(SQUARES) if MOVES_TO_ALTAR[player, s] == 1]) for player in range(2)], np.uint64
)
"""The squares from which a divine king may reach the altar in one move; two words."""
WATER = np.uint64(square_set([square for square in range(SQUARES) if square // SIZE == RIVER])[0])


class Grip(NamedTuple):
    """What a player attacks, two words each: at all, twice, with lesser pieces, with the royal piece, the jaguar."""

    low: np.uint64
    high: np.uint64
    low_twice: np.uint64
    high_twice: np.uint64
    low_lesser: np.uint64
    high_lesser: np.uint64
    low_royal: np.uint64
    high_royal: np.uint64
    low_jaguar: np.uint64
    high_jaguar: np.uint64


@template
def judge(state: State, tally: Tally) -> None:
    """Each army by itself, then what the two do to each other; the phase is how many pieces are left."""
    left = popcount(state.pieces[0, 0]) + popcount(state.pieces[0, 1])
    left += popcount(state.pieces[1, 0]) + popcount(state.pieces[1, 1])
    tally.phase = min(I(PHASES), 2 * left)
    white, green = survey(state, tally, I(0)), survey(state, tally, I(1))
    threaten(state, tally, I(0), white, green)
    threaten(state, tally, I(1), green, white)
    advance(state, tally, I(0), white, green)
    advance(state, tally, I(1), green, white)
    shelter(state, tally, I(0), white, green)
    shelter(state, tally, I(1), green, white)
    add(tally, I(TURN), 1 - 2 * I(state.player))


@template
def survey(state: State, tally: Tally, player: int) -> Grip:
    """Add what a player's pieces are worth where they stand, and gather what they attack."""
    sign = 1 - 2 * player
    low = high = low_twice = high_twice = low_lesser = high_lesser = ZERO
    low_royal = high_royal = low_jaguar = high_jaguar = ZERO
    low_others, high_others = ~state.pieces[player, 0], ~state.pieces[player, 1]
    for word in range(2):
        left = state.pieces[player, word]
        while left != ZERO:
            square = lowest(left) + (word << 6)
            left = without_lowest(left)
            kind = I(state.board[square]) & (OWNER - 1)
            if kind != DIVINE_KING:
                add(tally, I(STANDING[player, kind, square]), sign)
            if kind == OFFERING:
                continue
            if kind == SERPENT or kind == QUETZAL or kind == DIVINE_KING:
                low_to, high_to = slides(state, square, kind, player)
            else:
                low_to, high_to = reach(player, kind, square, I(0)), reach(player, kind, square, I(1))
            if kind <= DIVINE_KING:
                low_royal, high_royal = low_to, high_to
            else:
                add(tally, I(WING) + kind - JAGUAR, sign * I(ASIDE[square]))
                room = popcount(low_to & low_others) + popcount(high_to & high_others)
                add(tally, I(ROOM) + kind - JAGUAR, sign * room)
                if kind == JAGUAR:
                    low_jaguar, high_jaguar = low_to, high_to
                elif kind == PAWN or kind == WARRIOR or kind == SHAMAN:
                    low_lesser |= low_to
                    high_lesser |= high_to
            low_twice |= low & low_to
            high_twice |= high & high_to
            low |= low_to
            high |= high_to
    return Grip(
        low, high, low_twice, high_twice, low_lesser, high_lesser, low_royal, high_royal, low_jaguar, high_jaguar
    )


@template
def threaten(state: State, tally: Tally, player: int, mine: Grip, theirs: Grip) -> None:
    """Add the enemy pieces that are attacked for nothing, or by something of less worth."""
    for word in range(2):
        attacks, defends = (mine.low, theirs.low) if word == 0 else (mine.high, theirs.high)
        lesser = mine.low_lesser if word == 0 else mine.high_lesser
        left = state.pieces[1 - player, word] & ((attacks & ~defends) | lesser)
        while left != ZERO:
            place = lowest(left)
            left = without_lowest(left)
            kind = I(state.board[place + (word << 6)]) & (OWNER - 1)
            if JAGUAR <= kind <= SERPENT:
                term = I(BULLIED) if (defends & bit(place)) != ZERO else I(LOOSE)
                add(tally, term + kind - JAGUAR, 1 - 2 * player)


@template
def advance(state: State, tally: Tally, player: int, mine: Grip, theirs: Grip) -> None:
    """Add how far a player's royal piece has come on its way to the altar, and who could stop it."""
    sign = 1 - 2 * player
    royal, altar = I(state.royal[player]), I(ALTAR[1 - player])
    home = popcount(HALF[1 - player, 0] & state.pieces[1 - player, 0])
    home += popcount(HALF[1 - player, 1] & state.pieces[1 - player, 1])
    add(tally, I(MARCH), sign * I(ADVANCE[player, royal]) * max(I(0), FULL_HOME - home))
    low_safe, high_safe = mine.low_royal & ~theirs.low, mine.high_royal & ~theirs.high
    low_safe &= ~state.pieces[player, 0]
    high_safe &= ~state.pieces[player, 1]
    add(tally, I(FLIGHT) + min(I(4), popcount(low_safe) + popcount(high_safe)), sign)
    if I(state.board[royal]) & (OWNER - 1) == DIVINE_KING:
        here = bit(altar & 63)
        held = holders(theirs.low, theirs.low_twice, theirs.low_royal, here)
        if altar >= 64:
            held = holders(theirs.high, theirs.high_twice, theirs.high_royal, here)
        moves = I(MOVES_TO_ALTAR[player, royal])
        add(tally, I(DIVINE) + 4 * (moves - 1) + held, sign)
        if moves > 1:
            near = popcount(low_safe & DOOR[player, 0]) + popcount(high_safe & DOOR[player, 1])
            add(tally, I(APPROACH) + I(held > 0), sign * min(I(3), near))
    else:
        add(tally, I(FORD), sign * popcount(low_safe & WATER))


@compiled
def holders(once: np.uint64, twice: np.uint64, royal: np.uint64, here: np.uint64) -> int:
    """Who holds a square: 0 nobody, 1 the royal piece alone, 2 one other piece, 3 more."""
    if (once & here) == ZERO:
        return I(0)
    if (twice & here) != ZERO:
        return I(3)
    return I(1) if (royal & here) != ZERO else I(2)


@template
def shelter(state: State, tally: Tally, player: int, mine: Grip, theirs: Grip) -> None:
    """Add what hunts a player's royal piece, and what stands by it."""
    sign = 1 - 2 * player
    royal = I(state.royal[player])
    low_ring, high_ring = reach(player, I(KING), royal, I(0)), reach(player, I(KING), royal, I(1))
    low_hit, high_hit = low_ring & theirs.low, high_ring & theirs.high
    is_divine = I(state.board[royal]) & (OWNER - 1) == DIVINE_KING
    hits = min(I(5), popcount(low_hit) + popcount(high_hit))
    add(tally, (I(CHASED) if is_divine else I(BESIEGED)) + hits, sign)
    add(tally, I(TWICE), sign * (popcount(low_ring & theirs.low_twice) + popcount(high_ring & theirs.high_twice)))
    add(tally, I(BARE), sign * (popcount(low_hit & ~mine.low_twice) + popcount(high_hit & ~mine.high_twice)))
    low_leaps = reach(player, I(JAGUAR), royal, I(0)) & theirs.low_jaguar & ~mine.low
    high_leaps = reach(player, I(JAGUAR), royal, I(1)) & theirs.high_jaguar & ~mine.high
    low_leaps &= ~state.pieces[1 - player, 0]
    high_leaps &= ~state.pieces[1 - player, 1]
    add(tally, I(POUNCE), sign * (popcount(low_leaps) + popcount(high_leaps)))
    guards = popcount(NEAR[royal, 0] & state.pieces[player, 0]) + popcount(NEAR[royal, 1] & state.pieces[player, 1])
    add(tally, I(GUARDS), sign * guards)


#                 empty  K  D    J    S    V    P    W    Q    R   O
WORTH = np.array([0, 0, 0, 760, 210, 270, 100, 175, 330, 400, 16], np.int64)
"""What each kind is worth when it is taken."""
DECISIVE = I(10_000)


@compiled
def gain(state: State, action: int) -> int:
    """What is taken, less a little of what takes it; what a pawn gains by its promotion; the altar above all."""
    origin, target = action // SQUARES, action % SQUARES
    piece = I(state.board[origin])
    kind = piece & (OWNER - 1)
    if kind == DIVINE_KING and target == I(ALTAR[1 - piece // OWNER]):
        return DECISIVE
    won = WORTH[I(state.board[target]) & (OWNER - 1)]
    if won > 0:
        won -= WORTH[kind] >> 6
    if kind == PAWN and target // SIZE == RIVER:
        won += WORTH[WARRIOR] - WORTH[PAWN]
    return won


@compiled
def danger(state: State) -> bool:
    """In check, or the enemy's divine king stands on the altar or is about to."""
    them = 1 - I(state.player)
    return check(state) or enters_altar(state, them) or on_altar(state, them)


@compiled
def wins_at_once(state: State) -> int:
    """One where the divine king may step onto the altar; mates are not looked for."""
    me = I(state.player)
    return I(enters_altar(state, me) and not on_altar(state, 1 - me))


@compiled
def enters_altar(state: State, player: int) -> bool:
    """Whether a player's divine king, were it to move, could lawfully go to the enemy's altar."""
    royal, altar = I(state.royal[player]), I(ALTAR[1 - player])
    if I(state.board[royal]) & (OWNER - 1) != DIVINE_KING or MOVES_TO_ALTAR[player, royal] > 1 or royal == altar:
        return False
    there = I(state.board[altar])
    if there != EMPTY and there // OWNER == player:
        return False
    return slides_to(state, royal, altar, player) and is_safe(state, royal, altar)


@compiled
def may_pass(state: State) -> bool:
    """Royal pieces that meet alone may have to give way; with a piece beside them a player can wait."""
    me = I(state.player)
    return popcount(state.pieces[me, 0]) + popcount(state.pieces[me, 1]) > 2
