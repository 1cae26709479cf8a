"""Dōbutsu shōgi: how good a state looks: who stands where, who holds what, and what the lions may hope for and fear."""

import numpy as np

from menagerie.games.dobutsu.rules import (
    CHICK,
    ELEPHANT,
    EMPTY,
    FAR_ROW,
    FILES,
    GIRAFFE,
    HEN,
    IN_HAND,
    LION,
    NOWHERE,
    OWNER,
    RANKS,
    REACH,
    SQUARES,
    can_win,
    is_over,
)
from menagerie.kernel.bits import U64, ZERO, I, bit, lowest, popcount, without_lowest
from menagerie.kernel.compiled import compiled, template
from menagerie.kernel.judgement import PHASES, Tally, Term, add, offsets
from menagerie.kernel.state import Actions, State

#   6 7 6      a place is a square seen from its owner's side, left and right being the same
#   4 5 4
#   2 3 2
#   0 1 0
PLACES = 2 * RANKS
FEW = 3
"""With so many squares to flee to, a lion needs no more."""

TERMS: tuple[Term, ...] = (
    Term("lion", "the lion on each place; on the far row it can be taken, or the game were over", PLACES),
    Term("elephant", "an elephant on each place", PLACES),
    Term("giraffe", "a giraffe on each place", PLACES),
    Term("chick", "a chick on each place; on the far row it was dropped and is stuck", PLACES),
    Term("hen", "a hen on each place", PLACES),
    Term("held", "a giraffe, an elephant or a chick in hand", len(IN_HAND)),
    Term("loose", "a piece that can be taken and is not protected: its owner is to move, or the other is", 2),
    Term("flights", "the lion has no safe square to step to, one, or two", FEW),
    Term("siege", "a square beside the lion that enemies other than the lion step to"),
    Term("checks", "a square where an enemy may step or drop to attack the lion and is not taken: the same cases", 2),
    Term("tries", "a square of the far row that no enemy steps to, once the lion has left its first row"),
    Term("tempo", "being to move"),
)
LION_AT, ELEPHANT_AT, GIRAFFE_AT, CHICK_AT, HEN_AT, HELD, LOOSE, FLIGHTS, SIEGE, CHECKS, TRIES, TEMPO = offsets(TERMS)

USUAL_TURN = 1


def place_table() -> np.ndarray:
    """place[player, kind, square]: the number of the place where a piece stands, among all terms."""
    table = np.zeros((2, HEN + 1, SQUARES), np.int64)
    starts = {LION: LION_AT, ELEPHANT: ELEPHANT_AT, GIRAFFE: GIRAFFE_AT, CHICK: CHICK_AT, HEN: HEN_AT}
    for kind, start in starts.items():
        for square in range(SQUARES):
            row, file = divmod(square, FILES)
            for player, forward in enumerate((row, RANKS - 1 - row)):
                table[player, kind, square] = start + 2 * forward + file % 2
    return table


PLACE = place_table()
PIECE_PHASE = I(PHASES // 8)
"""There are eight pieces."""

WORTH = np.array([0, 4000, 330, 390, 230, 350], np.int64)
"""What taking each kind wins: one side loses it, the other may drop it."""
GROWTH = I(120)
"""What a chick wins by becoming a hen."""


@template
def judge(state: State, tally: Tally) -> None:
    """Both armies, then the lions between them; it is early with every piece on the board, late with all in hand."""
    if I(state.lion[0]) == NOWHERE or I(state.lion[1]) == NOWHERE:
        return
    tally.phase = PIECE_PHASE * popcount(U64(state.pieces[0]) | U64(state.pieces[1]))
    first, first_checks = judge_army(state, tally, I(0))
    second, second_checks = judge_army(state, tally, I(1))
    judge_lion(state, tally, I(0), first, second)
    judge_lion(state, tally, I(1), second, first)
    judge_checks(state, tally, I(0), second_checks & ~first)
    judge_checks(state, tally, I(1), first_checks & ~second)
    add(tally, I(TEMPO), I(1) - I(2) * I(state.player))


@template
def judge_army(state: State, tally: Tally, player: int) -> tuple[np.uint64, np.uint64]:
    """Add a player's pieces; returned are the squares that all but the lion step to, and those for protected checks."""
    sign = I(1) - I(2) * player
    enemy = I(state.lion[1 - player])
    mine = U64(state.pieces[player])
    steps, twice, checks = ZERO, ZERO, ZERO
    left = mine
    while left != ZERO:
        square = lowest(left)
        left = without_lowest(left)
        kind = I(state.board[square]) & (OWNER - 1)
        add(tally, I(PLACE[player, kind, square]), sign)
        if kind != LION:
            reach = REACH[player, kind, square]
            twice |= steps & reach
            steps |= reach
            checks |= reach & REACH[1 - player, kind, enemy]
    near = REACH[player, LION, I(state.lion[player])]
    checks &= (twice | near) & ~mine
    footholds = (steps | near) & ~(mine | U64(state.pieces[1 - player]))
    for index in range(len(IN_HAND)):
        held = I(state.hand[player, index])
        add(tally, I(HELD) + index, sign * held)
        if held > 0:
            checks |= footholds & REACH[1 - player, IN_HAND[index], enemy]
    return steps, checks


@template
def judge_lion(state: State, tally: Tally, player: int, ours: np.uint64, theirs: np.uint64) -> None:
    """Add how a player's lion and its army stand between the squares that the one army steps to and the other."""
    sign = I(1) - I(2) * player
    lion = I(state.lion[player])
    mine = U64(state.pieces[player])
    near = REACH[player, LION, lion]
    unsafe = theirs | REACH[1 - player, LION, I(state.lion[1 - player])]
    flights = popcount(near & ~(mine | unsafe))
    if flights < FEW:
        add(tally, I(FLIGHTS) + flights, sign)
    add(tally, I(SIEGE), sign * popcount(near & theirs))
    if (bit(lion) & FAR_ROW[1 - player]) == ZERO:
        add(tally, I(TRIES), sign * popcount(FAR_ROW[player] & ~unsafe))
    loose = mine & unsafe & ~(ours | near | bit(lion))
    add(tally, I(LOOSE) + (I(state.player) ^ player), sign * popcount(loose))


@template
def judge_checks(state: State, tally: Tally, player: int, squares: np.uint64) -> None:
    """Add the checks that a player has to fear."""
    add(tally, I(CHECKS) + (I(state.player) ^ player), (I(1) - I(2) * player) * popcount(squares))


@compiled
def gain(state: State, action: int) -> int:
    """What a step takes, a little less for a worthy taker, and a chick's growth."""
    if action >= SQUARES * SQUARES:
        return I(0)
    origin, target = action // SQUARES, action % SQUARES
    kind, taken = I(state.board[origin]) & (OWNER - 1), I(state.board[target]) & (OWNER - 1)
    won = WORTH[taken] - (WORTH[kind] >> 6) if taken != EMPTY else I(0)
    if kind == CHICK and (bit(target) & FAR_ROW[state.player]) != ZERO:
        won += GROWTH
    return won


@compiled
def forcing(state: State, actions: Actions) -> None:
    """The steps that take something, and a chick's last."""
    actions.n = 0
    me = I(state.player)
    if is_over(state, me):
        return
    n = I(0)
    theirs, home = U64(state.pieces[1 - me]), FAR_ROW[me] & ~U64(state.pieces[me])
    left = U64(state.pieces[me])
    while left != ZERO:
        square = lowest(left)
        left = without_lowest(left)
        kind = I(state.board[square]) & (OWNER - 1)
        targets = REACH[me, kind, square] & (theirs | home if kind == CHICK else theirs)
        while targets != ZERO:
            actions.list[n] = square * SQUARES + lowest(targets)
            targets = without_lowest(targets)
            n += 1
    actions.n = n


@compiled
def danger(state: State) -> bool:
    """Whether the other would win if the player to move passed, by the lion or by a try; or the game is over."""
    me = I(state.player)
    return is_over(state, me) or can_win(state, 1 - me)


@compiled
def wins_at_once(state: State) -> int:
    """1 exactly when an action wins."""
    me = I(state.player)
    return I(1) if not is_over(state, me) and can_win(state, me) else I(0)


@compiled
def may_pass(state: State) -> bool:
    """On twelve squares a tempo is often a burden, and a mate is lost by it."""
    return False
