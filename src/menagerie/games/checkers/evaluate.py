"""Checkers: how good a state looks; who gets kings first, who must give a piece, and who is caught without a move."""

import numpy as np

from menagerie.games.checkers.rules import (
    BETWEEN,
    BOARD,
    MAN,
    NOWHERE,
    NUMBERS,
    PIECES,
    ROWS,
    SQUARES,
    beside,
    crown,
    hop_manner,
    leap,
    place,
    rank_of,
    square_set,
)
from menagerie.kernel.bits import U64, ZERO, I, bit, lowest, popcount, without_lowest
from menagerie.kernel.compiled import compiled, template
from menagerie.kernel.judgement import PHASES, Tally, Term, add, offsets
from menagerie.kernel.state import State

TERMS: tuple[Term, ...] = (
    Term("home", "the men on the own back row, by the squares they hold: from the left 1, 2, 4 and 8", 16),
    Term("man", "a man n rows beyond the one next to the back row", 6),
    Term("king", "a king n rows from the back row that makes it triple", 8),
    Term("triple", "a triple king"),
    Term("lead", "to have more pieces: with men among them, then with kings only, who may never catch the last", 2),
    Term("only_crowned", "to have kings where the other has none"),
    Term("runaway", "such a man, of any of those rows, with no enemy before him, where the other has no king", 6),
    Term("passed", "a man with no enemy before him, where the other has a king"),
    Term("centre_man", "a man on the eight squares in the middle"),
    Term("centre_king", "a king there"),
    Term("edge_man", "a man at a side of the board, where nobody takes him"),
    Term("safe_step", "a step of a man after which he cannot be taken"),
    Term("safe_king_step", "a step of a king after which it cannot be taken"),
    Term("trapped_man", "a man without a step, the back row apart"),
    Term("trapped_king", "a king without a safe step"),
    Term("cramped", "to have no safe step at all: on move, then not on move", 2),
    Term("threatened", "a piece that can be taken: of the player on move, then of the other", 2),
    Term("hunted", "a man, once for each king of the other"),
    Term("open_line", "a diagonal on which a piece has both neighbours empty, where the other has a king"),
    Term("open_pair", "two pieces in a row with both ends empty, where the other has a triple king"),
    Term("long_diagonal", "a king on the longest diagonal"),
    Term("double_corner", "a king in the corners of two squares, where it goes to and fro and nobody takes it"),
    Term("opposition", "with as many pieces each, to move last when both walk up to each other"),
    Term("turn", "to be on move"),
)
(
    HOME,
    MAN_ROW,
    KING_ROW,
    TRIPLE_KING,
    LEAD,
    ONLY_CROWNED,
    RUNAWAY,
    PASSED,
    CENTRE_MAN,
    CENTRE_KING,
    EDGE_MAN,
    SAFE_STEP,
    SAFE_KING_STEP,
    TRAPPED_MAN,
    TRAPPED_KING,
    CRAMPED,
    THREATENED,
    HUNTED,
    OPEN_LINE,
    OPEN_PAIR,
    LONG_DIAGONAL,
    DOUBLE_CORNER,
    OPPOSITION,
    TURN,
) = offsets(TERMS)
USUAL_TURN = 1

Strikes = tuple[np.uint64, np.uint64, np.uint64, np.uint64]

ROW = np.array([[square_set(SQUARES[4 * row : 4 * row + 4]) for row in rows] for rows in (range(7, -1, -1), range(8))])
"""ROW[player, n]: the n-th row from a player's side."""
HOME_START = np.array([SQUARES[-4], SQUARES[0]])
HOME_PATTERN = np.array([range(16), [int(f"{held:04b}"[::-1], 2) for held in range(16)]])
"""Which place a back row has by the bits of its squares: White sees them the other way round."""
SYSTEM = np.array([sum(ROW[player, ::2], ZERO) for player in range(2)])
"""Each player's back row and every second one from there."""
SIDES = square_set([SQUARES[4 * row + (0 if row % 2 else 3)] for row in range(ROWS)])
CENTRE = square_set([SQUARES[4 * row + column] for row in range(2, 6) for column in (1, 2)])
LONG_LINE = square_set(list(range(SQUARES[3], SQUARES[-4] + 1, 4)))
DOUBLE_CORNERS = square_set([SQUARES[0], SQUARES[4], SQUARES[-5], SQUARES[-1]])
PHASE = np.array([total * PHASES // (2 * PIECES) for total in range(2 * PIECES + 1)])
"""PHASE[total]: how early it is with so many pieces on the board."""

A_MAN, A_CROWN, A_THIRD = 100, 60, 25
"""What a man is worth to `gain`, a king more than a man, and a triple king more than a king."""


@template
def judge(state: State, tally: Tally) -> None:
    """The fewer pieces there are, the later it is."""
    tally.phase = PHASE[popcount(state.pieces[0] | state.pieces[1])]
    judge_balance(state, tally)
    for player in range(2):
        judge_men(state, tally, player)
        if (state.pieces[player] & state.kings) != ZERO:
            judge_kings(state, tally, player)
            judge_exposure(state, tally, 1 - player)
        judge_steps(state, tally, player)


@template
def judge_balance(state: State, tally: Tally) -> None:
    """What lies between the players rather than in the pieces of either."""
    on_move = 1 - 2 * I(state.player)
    add(tally, I(TURN), on_move)
    lead = popcount(state.pieces[0]) - popcount(state.pieces[1])
    if lead != 0:
        leader = I(0) if lead > 0 else I(1)
        has_men = (state.pieces[leader] & ~state.kings) != ZERO
        add(tally, I(LEAD) if has_men else I(LEAD) + 1, 1 - 2 * leader)
    else:
        standing = popcount((state.pieces[0] | state.pieces[1]) & SYSTEM[I(state.player)])
        add(tally, I(OPPOSITION), on_move * (2 * (standing & 1) - 1))


@template
def judge_men(state: State, tally: Tally, player: int) -> None:
    """Men are worth what they guard at home, and what they may become."""
    sign = 1 - 2 * player
    theirs = state.pieces[1 - player]
    men = state.pieces[player] & ~state.kings
    held = I((men >> U64(HOME_START[player])) & U64(15))
    add(tally, I(HOME) + HOME_PATTERN[player, held], sign)
    for row in range(6):
        add(tally, I(MAN_ROW) + row, sign * popcount(men & ROW[player, row + 1]))
    add(tally, I(CENTRE_MAN), sign * popcount(men & CENTRE))
    add(tally, I(EDGE_MAN), sign * popcount(men & SIDES))
    free = men & ~shadow(theirs, player)
    if free == ZERO:
        return
    if (theirs & state.kings) != ZERO:
        add(tally, I(PASSED), sign * popcount(free))
    else:
        for row in range(6):
            add(tally, I(RUNAWAY) + row, sign * popcount(free & ROW[player, row + 1]))


@compiled
def shadow(enemies: np.uint64, player: int) -> np.uint64:
    """The squares from which a player's man has one of these somewhere before him."""
    back = 2 - 2 * player
    seen = enemies
    for _ in range(ROWS - 2):
        seen |= (beside(seen, back) | beside(seen, back + 1)) & BOARD
    return seen


@template
def judge_kings(state: State, tally: Tally, player: int) -> None:
    """Kings are worth more the nearer they are to being triple, and where they see much."""
    sign = 1 - 2 * player
    crowned = state.pieces[player] & state.kings
    kings = crowned & ~state.triples
    for row in range(ROWS):
        add(tally, I(KING_ROW) + row, sign * popcount(kings & ROW[player, row]))
    add(tally, I(TRIPLE_KING), sign * popcount(crowned & state.triples))
    add(tally, I(CENTRE_KING), sign * popcount(crowned & CENTRE))
    add(tally, I(LONG_DIAGONAL), sign * popcount(crowned & LONG_LINE))
    add(tally, I(DOUBLE_CORNER), sign * popcount(crowned & DOUBLE_CORNERS))
    if (state.pieces[1 - player] & state.kings) == ZERO:
        add(tally, I(ONLY_CROWNED), sign)


@template
def judge_exposure(state: State, tally: Tally, player: int) -> None:
    """A king takes from afar: pieces stand well at edges and in chains, against a triple king in longer ones."""
    sign = 1 - 2 * player
    mine, theirs = state.pieces[player], state.pieces[1 - player]
    empty = BOARD & ~(mine | theirs)
    lines = pairs = I(0)
    for direction in range(2):
        before = mine & beside(empty, direction)
        lines += popcount(before & beside(empty, direction ^ 2))
        pairs += popcount(before & beside(mine & beside(empty, direction ^ 2), direction ^ 2))
    add(tally, I(HUNTED), sign * popcount(mine & ~state.kings) * popcount(theirs & state.kings))
    add(tally, I(OPEN_LINE), sign * lines)
    if (theirs & state.triples) != ZERO:
        add(tally, I(OPEN_PAIR), sign * pairs)


@template
def judge_steps(state: State, tally: Tally, player: int) -> None:
    """Nobody may pass and captures are compulsory: who runs out of steps that cost nothing loses pieces."""
    sign = 1 - 2 * player
    waits = I(0) if state.player == player else I(1)
    mine = state.pieces[player]
    crowned = mine & state.kings
    empty = BOARD & ~(mine | state.pieces[1 - player])
    strikes = all_strikes(state, 1 - player)
    weak = ZERO
    for direction in range(4):
        weak |= strikes[direction] & beside(empty, direction ^ 2)
    able = sure = ZERO
    steps = king_steps = I(0)
    for direction in range(4):
        back = direction ^ 2
        movers = mine if direction >> 1 == player else crowned
        targets = beside(movers, direction) & empty
        able |= beside(targets, back)
        # Whoever strikes from ahead lands where the piece came from.
        safe = beside(targets & ~(weak | strikes[back]), back)
        sure |= safe
        steps += popcount(safe & ~crowned)
        king_steps += popcount(safe & crowned)
    add(tally, I(SAFE_STEP), sign * steps)
    add(tally, I(SAFE_KING_STEP), sign * king_steps)
    add(tally, I(TRAPPED_MAN), sign * popcount(mine & ~(crowned | able | ROW[player, 0])))
    add(tally, I(TRAPPED_KING), sign * popcount(crowned & ~sure))
    add(tally, I(THREATENED) + waits, sign * popcount((weak & mine) | paired(state, 1 - player)))
    if sure == ZERO:
        add(tally, I(CRAMPED) + waits, sign)


@compiled
def all_strikes(state: State, player: int) -> Strikes:
    """For each direction, where a piece is taken that way by this player if the square behind it is empty."""
    return (
        strike(state, player, I(0)),
        strike(state, player, I(1)),
        strike(state, player, I(2)),
        strike(state, player, I(3)),
    )


@compiled
def strike(state: State, player: int, direction: int) -> np.uint64:
    """Where a piece is taken in one direction: next to men who may capture that way, and at the end of kings' views."""
    mine = state.pieces[player]
    crowned = mine & state.kings
    strikers = crowned
    if crowned != ZERO:
        strikers = view(crowned, BOARD & ~(mine | state.pieces[1 - player]), direction)
    if direction >> 1 == player or state.men_capture_back != 0:
        strikers |= mine
    return beside(strikers, direction)


@compiled
def view(crowned: np.uint64, empty: np.uint64, direction: int) -> np.uint64:
    """The kings, and the empty squares before each up to five away: more leave no room to land."""
    seen = crowned
    for _ in range(5):
        seen |= beside(seen, direction) & empty
    return seen


@compiled
def paired(state: State, player: int) -> np.uint64:
    """The enemies that this player's triple kings can take two at a time."""
    triples = state.pieces[player] & state.triples
    theirs = state.pieces[1 - player]
    found = ZERO
    if triples != ZERO:
        empty = BOARD & ~(state.pieces[player] | theirs)
        for direction in range(4):
            back = direction ^ 2
            first = theirs & beside(theirs & beside(empty, back), back)
            first &= beside(view(triples, empty, direction), direction)
            found |= first | beside(first, direction)
    return found


@compiled
def gain(state: State, action: int) -> int:
    """The pieces jumped, and the rank won."""
    me = I(state.player)
    origin, landing = bit(place(action // NUMBERS)), bit(place(action % NUMBERS))
    taken = BETWEEN[action] & state.pieces[1 - me]
    won = popcount(taken) * A_MAN + popcount(taken & state.kings) * A_CROWN + popcount(taken & state.triples) * A_THIRD
    before = rank_of(state, origin)
    if crown(landing, before, me) != before:
        won += A_CROWN if before == MAN else A_THIRD
    return won


@compiled
def danger(state: State) -> bool:
    """Standing still tells nothing where a capture is compulsory, where no move is left, and before the last loss."""
    me = I(state.player)
    return captures(state, me) or finishes(state, 1 - me) or is_stuck(state)


@compiled
def wins_at_once(state: State) -> int:
    """One action, where one jump takes all that is left."""
    me = I(state.player)
    if state.jumper != NOWHERE:  # A capture that goes on takes another piece.
        return I(1) if popcount(state.pieces[1 - me]) == 1 else I(0)
    return I(1) if finishes(state, me) else I(0)


@compiled
def finishes(state: State, player: int) -> bool:
    """Whether a player, on move, could take all that the other has left with one jump."""
    left = popcount(state.pieces[1 - player])
    if left == 1:
        return captures(state, player)
    return left == 2 and paired(state, player) != ZERO


@compiled
def captures(state: State, player: int) -> bool:
    """Whether a player, on move, could capture; who is in the middle of a capture can."""
    theirs = state.pieces[1 - player]
    empty = BOARD & ~(state.pieces[player] | theirs)
    for direction in range(4):
        if (strike(state, player, direction) & theirs & beside(empty, direction ^ 2)) != ZERO:
            return True
    return paired(state, player) != ZERO


@compiled
def is_stuck(state: State) -> bool:
    """Whether the player on move, with nothing to capture, has neither a step nor a hop."""
    me = I(state.player)
    mine = state.pieces[me]
    empty = BOARD & ~(mine | state.pieces[1 - me])
    for direction in range(4):
        movers = mine if direction >> 1 == me else mine & state.kings
        if (beside(movers, direction) & empty) != ZERO:
            return False
    left = mine & state.triples
    while left != ZERO:
        for direction in range(4):
            _, landings = leap(bit(lowest(left)), direction, hop_manner(state), mine, empty)
            if landings != ZERO:
                return False
        left = without_lowest(left)
    return True


@compiled
def may_pass(state: State) -> bool:
    """Who must move must often give way: the opposition decides endings, and captures are forced."""
    return False
