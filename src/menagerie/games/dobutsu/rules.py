"""Dōbutsu shōgi: five animals on twelve squares; catch the lion, or walk yours safely to the far row."""

from dataclasses import dataclass

import numpy as np

from menagerie.game import Options, choice
from menagerie.kernel.bits import U64, ZERO, I, bit, lowest, without_lowest
from menagerie.kernel.compiled import compiled
from menagerie.kernel.state import Actions, State, actions_type, end_turn, state_type
from menagerie.kernel.walk import NOBODY

#   c4 = 11        a square is 3 * row + file; rows count from the first player's side
#   6  7  8
#   3  4  5
#   a1 1  2
FILES, RANKS = 3, 4
SQUARES = FILES * RANKS
NOWHERE = SQUARES

EMPTY, LION, ELEPHANT, GIRAFFE, CHICK, HEN = range(6)
OWNER = 8
"""A piece on the board is its kind, plus OWNER if it is the second player's."""

IN_HAND = (GIRAFFE, ELEPHANT, CHICK)
"""The kinds that can be held, in the order of the hand; an action's origin past the squares is an index here."""
HAND_INDEX = np.array([0, 0, 1, 0, 2, 2], np.uint8)
"""Where a captured kind goes in the hand. The hen goes there as a chick."""

MAX_LEGAL = 72
ACTION_COUNT = (SQUARES + len(IN_HAND)) * SQUARES

LION_TAKEN, TRY, BOTH_TRY, STUCK = I(0), I(1), I(2), I(3)


@dataclass(frozen=True)
class Rules(Options):
    """What players may agree on before a game of Dōbutsu shōgi."""

    chick_drop_mate: str = choice(
        "forbidden", "allowed", about="whether a dropped chick may give mate (the official leaflet allows it)"
    )


FORBIDDEN = I(0)

STATE = state_type(
    identity=[("board", np.uint8, SQUARES), ("hand", np.uint8, (2, len(IN_HAND)))],
    options=Rules.names(),
    derived=[("pieces", np.uint16, 2), ("lion", np.uint8, 2)],
)
ACTIONS = actions_type(MAX_LEGAL)

# Steps as (files, rows), the rows counted forward from the mover.
STEPS = {
    LION: [(-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (-1, -1), (0, -1), (1, -1)],
    ELEPHANT: [(-1, 1), (1, 1), (-1, -1), (1, -1)],
    GIRAFFE: [(0, 1), (-1, 0), (1, 0), (0, -1)],
    CHICK: [(0, 1)],
    HEN: [(-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (0, -1)],
}


def reach_table() -> np.ndarray:
    """reach[player, kind, square]: the squares a piece steps to on an empty board, as a set."""
    table = np.zeros((2, len(STEPS) + 1, SQUARES), np.uint64)
    for player, forward in enumerate((1, -1)):
        for kind, steps in STEPS.items():
            for square in range(SQUARES):
                for files, rows in steps:
                    file, rank = square % FILES + files, square // FILES + forward * rows
                    if 0 <= file < FILES and 0 <= rank < RANKS:
                        table[player, kind, square] |= bit(FILES * rank + file)
    return table


REACH = reach_table()
BOARD = U64((1 << SQUARES) - 1)
FAR_ROW = np.array([0b111_000_000_000, 0b000_000_000_111], np.uint64)
START = np.array([ELEPHANT, LION, GIRAFFE, EMPTY, CHICK, EMPTY], np.uint8)


@compiled
def initial(state: State) -> None:
    """Both armies face each other, turned by half a circle."""
    for square in range(SQUARES):
        state.board[square] = EMPTY
    for square in range(len(START)):
        if START[square] != EMPTY:
            state.board[square] = START[square]
            state.board[SQUARES - 1 - square] = START[square] + OWNER
    for kind in range(len(IN_HAND)):
        state.hand[0, kind] = 0
        state.hand[1, kind] = 0
    state.player = 0
    state.quiet = 0
    state.ply = 0
    derive(state)


@compiled
def derive(state: State) -> None:
    """Write down again what the board already says: who stands where, and the lions."""
    for player in range(2):
        state.pieces[player] = 0
        state.lion[player] = NOWHERE
    for square in range(SQUARES):
        piece = I(state.board[square])
        if piece != EMPTY:
            player = piece // OWNER
            state.pieces[player] |= np.uint16(1 << square)
            if piece % OWNER == LION:
                state.lion[player] = square


@compiled
def exchange(state: State) -> None:
    """Turn the board by half a circle and let the players change seats."""
    for square in range(SQUARES // 2):
        piece, other = I(state.board[square]), I(state.board[SQUARES - 1 - square])
        state.board[square] = other ^ OWNER if other != EMPTY else EMPTY
        state.board[SQUARES - 1 - square] = piece ^ OWNER if piece != EMPTY else EMPTY
    for kind in range(len(IN_HAND)):
        held = state.hand[0, kind]
        state.hand[0, kind] = state.hand[1, kind]
        state.hand[1, kind] = held
    state.player = 1 - state.player
    derive(state)


@compiled
def mirror(state: State) -> None:
    """Exchange left and right."""
    for row in range(RANKS):
        piece = state.board[FILES * row]
        state.board[FILES * row] = state.board[FILES * row + 2]
        state.board[FILES * row + 2] = piece
    derive(state)


@compiled
def legal(state: State, actions: Actions) -> None:
    """Every step and every drop, except the drop of a chick that mates where that is forbidden."""
    actions.n = 0
    me = I(state.player)
    if is_over(state, me):
        return
    n = I(0)
    mine = U64(state.pieces[me])
    left = mine
    while left != ZERO:
        square = lowest(left)
        left = without_lowest(left)
        kind = I(state.board[square]) & (OWNER - 1)
        targets = REACH[me, kind, square] & ~mine
        while targets != ZERO:
            actions.list[n] = square * SQUARES + lowest(targets)
            targets = without_lowest(targets)
            n += 1
    empty = BOARD & ~(mine | U64(state.pieces[1 - me]))
    for index in range(len(IN_HAND)):
        if state.hand[me, index] > 0:
            targets = empty
            if index == 2 and state.chick_drop_mate == FORBIDDEN:
                targets &= ~mating_drops(state, me, empty)
            while targets != ZERO:
                actions.list[n] = (SQUARES + index) * SQUARES + lowest(targets)
                targets = without_lowest(targets)
                n += 1
    actions.n = n


@compiled
def play(state: State, action: int) -> None:
    """Step or drop; what is taken goes to the taker's hand, except the lion."""
    me = I(state.player)
    origin, target = action // SQUARES, action % SQUARES
    here = np.uint16(1 << target)
    if origin < SQUARES:
        piece = I(state.board[origin])
        taken = I(state.board[target]) & (OWNER - 1)
        if taken != EMPTY:
            state.pieces[1 - me] ^= here
            if taken == LION:
                state.lion[1 - me] = NOWHERE
            else:
                state.hand[me, HAND_INDEX[taken]] += np.uint8(1)
        state.board[origin] = EMPTY
        state.pieces[me] ^= np.uint16(1 << origin)
        kind = piece & (OWNER - 1)
        if kind == LION:
            state.lion[me] = target
        elif kind == CHICK and (bit(target) & FAR_ROW[me]) != ZERO:
            piece += HEN - CHICK
    else:
        piece = I(IN_HAND[origin - SQUARES]) + me * OWNER
        state.hand[me, origin - SQUARES] -= np.uint8(1)
    state.board[target] = piece
    state.pieces[me] |= here
    end_turn(state)


@compiled
def outcome(state: State) -> tuple[int, int]:
    """A taken lion, a lion home and safe (both at once: nobody wins), or a player who cannot move."""
    me = I(state.player)
    if state.lion[me] == NOWHERE:
        return 1 - me, LION_TAKEN
    mine, theirs = is_home(state, me), is_home(state, 1 - me)
    if mine and theirs:
        return NOBODY, BOTH_TRY
    if mine:
        return me, TRY
    if theirs:
        return 1 - me, TRY
    return 1 - me, STUCK


@compiled
def check(state: State) -> bool:
    """Whether the lion of the player to move can be taken."""
    me = I(state.player)
    return state.lion[me] != NOWHERE and attacked(state, I(state.lion[me]), 1 - me)


@compiled
def is_over(state: State, me: int) -> bool:
    """Whether the board alone ends the game before `me` moves."""
    if state.lion[me] == NOWHERE:
        return True
    return is_home(state, me) or is_home(state, 1 - me)


@compiled
def is_home(state: State, player: int) -> bool:
    """Whether a player's lion stands on the far row and cannot be taken there."""
    lion = I(state.lion[player])
    return (bit(lion) & FAR_ROW[player]) != ZERO and not attacked(state, lion, 1 - player)


@compiled
def attacked(state: State, square: int, by: int) -> bool:
    """Whether a piece of that player steps to the square."""
    return attackers(state, square, by) != ZERO


@compiled
def attackers(state: State, square: int, by: int) -> np.uint64:
    """The squares from where that player's pieces step to the square."""
    found = ZERO
    near = REACH[0, LION, square] & U64(state.pieces[by])
    while near != ZERO:
        origin = lowest(near)
        near = without_lowest(near)
        kind = I(state.board[origin]) & (OWNER - 1)
        if (REACH[by, kind, origin] & bit(square)) != ZERO:
            found |= bit(origin)
    return found


@compiled
def can_win(state: State, me: int) -> bool:
    """Whether a player, were he to move in a game that goes on, could take the lion or bring his own home.

    Nothing moves from afar, so a square is as safe after a step to it as before. Besides, a lion attacked on the far
    row is home as soon as its only attacker is taken. That the other has no move left never comes about otherwise.
    """
    them = 1 - me
    lion = I(state.lion[me])
    if attackers(state, I(state.lion[them]), me) != ZERO:
        return True
    if (bit(lion) & FAR_ROW[me]) != ZERO:
        hunters = attackers(state, lion, them)
        if without_lowest(hunters) == ZERO and (attackers(state, lowest(hunters), me) & ~bit(lion)) != ZERO:
            return True
    targets = REACH[me, LION, lion] & FAR_ROW[me] & ~U64(state.pieces[me])
    while targets != ZERO:
        if attackers(state, lowest(targets), them) == ZERO:
            return True
        targets = without_lowest(targets)
    return False


@compiled
def mating_drops(state: State, me: int, empty: np.uint64) -> np.uint64:
    """The squares where a dropped chick would mate.

    It mates if the enemy lion is then attacked, by the chick or by what attacked it before, and no reply mends that.
    Nothing in this game moves from afar, so there are two kinds of reply: the lion steps out of reach, or another
    piece takes the only attacker. And nothing mates while the dropper's own lion can be taken.
    """
    them = 1 - me
    lion = I(state.lion[them])
    before = attackers(state, lion, me)
    front = empty & chick_reach(bit(lion), them)
    drops = empty if before != ZERO else front
    if drops == ZERO or attacked(state, I(state.lion[me]), them):
        return ZERO
    escapes = ZERO
    left = REACH[them, LION, lion] & ~U64(state.pieces[them])
    while left != ZERO:
        square = lowest(left)
        left = without_lowest(left)
        if not attacked(state, square, me):
            escapes |= bit(square)
    mating = ZERO
    while drops != ZERO:
        chick = bit(lowest(drops))
        drops = without_lowest(drops)
        attacking = before | (chick & front)
        if (escapes & ~chick_reach(chick, me)) == ZERO:
            takers = attackers(state, lowest(attacking), them) & ~bit(lion)
            if without_lowest(attacking) != ZERO or takers == ZERO:
                mating |= chick
    return mating


@compiled
def chick_reach(chick: np.uint64, player: int) -> np.uint64:
    """The square before a player's chick, as sets."""
    return (chick << U64(FILES)) & BOARD if player == 0 else chick >> U64(FILES)
