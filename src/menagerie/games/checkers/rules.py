"""Checkers with kings and triple kings: capture as many as you can; a king that comes home again is a triple king."""

import itertools
from dataclasses import dataclass

import numpy as np

from menagerie.game import Options, choice
from menagerie.kernel.bits import U64, ZERO, I, bit, lowest, popcount, without_lowest
from menagerie.kernel.compiled import compiled
from menagerie.kernel.state import Actions, State, end_turn, record_type, state_type

#         0   1   2   3     row 0, White's      the dark squares, with a gap after every second row:
#       4   5   6   7   ,                       a diagonal step is 4 or 5 everywhere, and one over the
#         9  10  11  12                         edge ends in a gap (8, 17, 26) or off the board
#      13  14  15  16   ,
#        18  19  20  21
#      22  23  24  25   ,
#        27  28  29  30
#      31  32  33  34       row 7, Black's      Black is the first player and moves up, to lower numbers
ROWS, COLUMNS = 8, 4
LAST = 34
NOWHERE = 35
NUMBERS = ROWS * COLUMNS
"""An action names squares by their numbers without the gaps, from 0: origin * NUMBERS + landing."""

FLIES, PAIRS = 1, 2
"""How a jump goes: over any empty squares before and behind; over one, or also two on consecutive squares."""
MAN, KING, TRIPLE = 0, FLIES, FLIES | PAIRS
"""The rank of a piece is the manner of its captures."""

PIECES = 12
DIAGONALS = 13
"""How many other squares lie on the diagonals of a square, at most."""
MAX_LEGAL = PIECES * DIAGONALS
ACTION_COUNT = NUMBERS * NUMBERS

STUCK = I(0)


@dataclass(frozen=True)
class Rules(Options):
    """What players may agree on before a game of checkers."""

    men_capture_back: str = choice("off", "on", about="whether men capture backward too")
    promotion_ends_turn: str = choice("off", "on", about="whether a man crowned during a capture stops there")
    friend_hop: str = choice(
        "flying", "short", about="whether a hop over a friend flies, or goes over a neighbour to the square behind it"
    )
    friend_hop_max: str = choice("1", "2", about="how many friends on consecutive squares one hop may pass")
    draw_rules: str = choice("on", "off", about="whether the third repetition and 80 quiet plies are draws")


STATE = state_type(
    identity=[
        ("pieces", np.uint64, 2),
        ("kings", np.uint64),  # of both players, the triple kings among them
        ("triples", np.uint64),
        ("jumper", np.uint8),  # the square of the piece in the middle of a capture, or NOWHERE
    ],
    options=Rules.names(),
)

# One jump in the search for the greatest capture: where the jumper stands, what it is, who is left to take and how
# many it has taken; which way it looks and where that ends; what it takes that way, and the landings still to try.
JUMP = record_type(
    ("here", np.uint64),
    ("theirs", np.uint64),
    ("taken", np.uint64),
    ("landings", np.uint64),
    ("rank", np.int64),
    ("direction", np.int64),
    ("until", np.int64),
    ("total", np.int64),
)
Jump = np.record
Sets = tuple[np.uint64, np.uint64]
ACTIONS = record_type(("n", np.int64), ("most", np.int64), ("list", np.uint16, MAX_LEGAL), ("jumps", JUMP, PIECES + 1))


SQUARES = [COLUMNS * row + row // 2 + column for row in range(ROWS) for column in range(COLUMNS)]
"""The square of each number."""


def square_set(squares: list[int]) -> np.uint64:
    """Some squares as a set."""
    return U64(sum(1 << square for square in squares))


def between_table() -> np.ndarray:
    """between[action]: the squares that lie between the two of an action, on a diagonal."""
    table = np.zeros(ACTION_COUNT, np.uint64)
    for number, origin in enumerate(SQUARES):
        for step in (-5, -4, 4, 5):
            line = list(itertools.takewhile(SQUARES.__contains__, range(origin + step, NOWHERE * step, step)))
            for far, landing in enumerate(line):
                table[number * NUMBERS + SQUARES.index(landing)] = square_set(line[:far])
    return table


BETWEEN = between_table()
BOARD = square_set(SQUARES)
FAR_ROW = np.array([square_set(SQUARES[:4]), square_set(SQUARES[-4:])])
"""Where each player's men become kings. It is the other player's back row, where that one's kings become triple."""
START = np.array([square_set(SQUARES[-PIECES:]), square_set(SQUARES[:PIECES])])


@compiled
def beside(squares: np.uint64, direction: int) -> np.uint64:
    """Each square's neighbour in a direction: 0 and 1 lead up, Black's way, 2 and 3 down; d ^ 2 leads back."""
    far = U64(4 + (direction & 1))
    return squares >> far if direction < 2 else squares << far


@compiled
def place(number: int) -> int:
    """The square with a number, counted from 0."""
    return number + (number >> 3)


@compiled
def action_between(origin: int, landing: int) -> int:
    """The action that leads from one square to another."""
    return (origin - origin // 9) * NUMBERS + landing - landing // 9


@compiled
def initial(state: State) -> None:
    """Twelve men a side, on the three rows next to each player."""
    for player in range(2):
        state.pieces[player] = START[player]
    state.kings = ZERO
    state.triples = ZERO
    state.jumper = NOWHERE
    state.player = 0
    state.quiet = 0
    state.ply = 0


@compiled
def exchange(state: State) -> None:
    """Turn the board by half a circle and let the players change colours."""
    black = turned(state.pieces[0])
    state.pieces[0] = turned(state.pieces[1])
    state.pieces[1] = black
    state.kings = turned(state.kings)
    state.triples = turned(state.triples)
    if state.jumper != NOWHERE:
        state.jumper = LAST - state.jumper
    state.player = 1 - state.player


@compiled
def turned(squares: np.uint64) -> np.uint64:
    """A set turned by half a circle."""
    image = ZERO
    while squares != ZERO:
        image |= bit(LAST - lowest(squares))
        squares = without_lowest(squares)
    return image


@compiled
def legal(state: State, actions: Actions) -> None:
    """The jumps that lead on to the greatest captures; where there is nothing to capture, steps and hops."""
    actions.n = 0
    actions.most = 0
    movers = find_jumpers(state) if state.jumper == NOWHERE else bit(I(state.jumper))
    while movers != ZERO:
        search_captures(state, actions, lowest(movers))
        movers = without_lowest(movers)
    if actions.n == 0:
        list_steps(state, actions)
        list_hops(state, actions)


@compiled
def find_jumpers(state: State) -> np.uint64:
    """The men who can capture, and all kings."""
    me = I(state.player)
    theirs = state.pieces[1 - me]
    empty = BOARD & ~(state.pieces[0] | state.pieces[1])
    kings = state.pieces[me] & state.kings
    men = state.pieces[me] ^ kings
    found = kings
    for direction in range(4):
        if direction >> 1 == me or state.men_capture_back != 0:
            back = direction ^ 2
            found |= men & beside(theirs & beside(empty, back), back)
    return found


@compiled
def search_captures(state: State, actions: Actions, origin: int) -> None:
    """Try every capture of one piece; keep the first jumps of those that take more than any before, or as many.

    A sequence that can go on is never kept: the longer one takes more.
    """
    me = I(state.player)
    others = state.pieces[me] & ~bit(origin)
    n, most, first, depth = I(actions.n), I(actions.most), I(0), I(0)
    begin_jump(state, actions.jumps[0], bit(origin), rank_of(state, bit(origin)))
    actions.jumps[0].theirs = state.pieces[1 - me]
    actions.jumps[0].total = 0
    while depth >= 0:
        jump = actions.jumps[depth]
        if jump.landings != ZERO:
            landing = bit(lowest(jump.landings))
            jump.landings ^= landing
            total = jump.total + popcount(jump.taken)
            if depth == 0:
                first = action_between(origin, lowest(landing))
            if total > most:
                most = total
                n = I(0)
            if total == most and (n == 0 or actions.list[n - 1] != first):
                actions.list[n] = first
                n += 1
            rank = crown(landing, I(jump.rank), me)
            if not stops(state, I(jump.rank), rank):
                depth += 1
                begin_jump(state, actions.jumps[depth], landing, rank)
                actions.jumps[depth].theirs = jump.theirs & ~jump.taken
                actions.jumps[depth].total = total
        elif jump.direction < jump.until:
            empty = BOARD & ~(others | jump.theirs)
            jump.taken, jump.landings = leap(jump.here, I(jump.direction), I(jump.rank), jump.theirs, empty)
            jump.direction += 1
        else:
            depth -= 1
    actions.n = n
    actions.most = most


@compiled
def begin_jump(state: State, jump: Jump, here: np.uint64, rank: int) -> None:
    """A piece of that rank stands here and looks for its next jump; men look forward only, where that is the rule."""
    jump.here = here
    jump.rank = rank
    jump.landings = ZERO
    forward_only = rank == MAN and state.men_capture_back == 0
    jump.direction = 2 * I(state.player) if forward_only else I(0)
    jump.until = jump.direction + 2 if forward_only else I(4)


@compiled
def leap(
    here: np.uint64, direction: int, manner: int, over: np.uint64, empty: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """A jump over one of a set, or two on consecutive squares: which are jumped, and where it can land; or nothing."""
    jumped = beside(here, direction)
    if manner & FLIES != 0:
        while (jumped & empty) != ZERO:
            jumped = beside(jumped, direction)
    landings = ZERO
    if (jumped & over) != ZERO:
        behind = beside(jumped, direction)
        if manner & PAIRS != 0 and (behind & over) != ZERO:
            jumped |= behind
            behind = beside(behind, direction)
        landings = behind & empty
        if manner & FLIES != 0:
            while (behind & empty) != ZERO:
                landings |= behind
                behind = beside(behind, direction)
    return jumped, landings


@compiled
def list_steps(state: State, actions: Actions) -> None:
    """One square diagonally: kings every way, men forward."""
    me = I(state.player)
    n = I(actions.n)
    empty = BOARD & ~(state.pieces[0] | state.pieces[1])
    for direction in range(4):
        movers = state.pieces[me] if direction >> 1 == me else state.pieces[me] & state.kings
        targets = beside(movers, direction) & empty
        while targets != ZERO:
            target = lowest(targets)
            targets = without_lowest(targets)
            actions.list[n] = action_between(lowest(beside(bit(target), direction ^ 2)), target)
            n += 1
    actions.n = n


@compiled
def list_hops(state: State, actions: Actions) -> None:
    """The jumps of triple kings over friends."""
    me = I(state.player)
    n = I(actions.n)
    empty = BOARD & ~(state.pieces[0] | state.pieces[1])
    left = state.pieces[me] & state.triples
    while left != ZERO:
        origin = lowest(left)
        left = without_lowest(left)
        for direction in range(4):
            _, landings = leap(bit(origin), direction, hop_manner(state), state.pieces[me], empty)
            while landings != ZERO:
                actions.list[n] = action_between(origin, lowest(landings))
                landings = without_lowest(landings)
                n += 1
    actions.n = n


@compiled
def hop_manner(state: State) -> int:
    """How a hop over friends goes."""
    return (FLIES if state.friend_hop == 0 else 0) + (PAIRS if state.friend_hop_max != 0 else 0)


@compiled
def play(state: State, action: int) -> None:
    """Move the piece, take what it jumped, crown it; the turn ends unless it captured and can capture again."""
    me = I(state.player)
    origin, landing = bit(place(action // NUMBERS)), bit(place(action % NUMBERS))
    taken = BETWEEN[action] & state.pieces[1 - me]
    before = rank_of(state, origin)
    rank = crown(landing, before, me)
    state.pieces[me] ^= origin | landing
    state.pieces[1 - me] ^= taken
    gone = ~(origin | taken)
    state.kings = (state.kings & gone) | (landing if rank != MAN else ZERO)
    state.triples = (state.triples & gone) | (landing if rank == TRIPLE else ZERO)
    if taken != ZERO and not stops(state, before, rank) and can_jump(state, landing):
        state.jumper = lowest(landing)
        return
    state.jumper = NOWHERE
    end_turn(state)
    if taken != ZERO or before == MAN:
        state.quiet = 0


@compiled
def can_jump(state: State, here: np.uint64) -> bool:
    """Whether the mover's piece on a square has anything to capture."""
    me = I(state.player)
    rank = rank_of(state, here)
    empty = BOARD & ~(state.pieces[0] | state.pieces[1])
    for direction in range(4):
        if rank != MAN or direction >> 1 == me or state.men_capture_back != 0:
            _, landings = leap(here, direction, rank, state.pieces[1 - me], empty)
            if landings != ZERO:
                return True
    return False


@compiled
def rank_of(state: State, here: np.uint64) -> int:
    """The rank of the piece on a square."""
    if (state.kings & here) == ZERO:
        return I(MAN)
    return I(KING) if (state.triples & here) == ZERO else I(TRIPLE)


@compiled
def crown(landing: np.uint64, rank: int, me: int) -> int:
    """The rank of a piece that lands on a square: the far row makes a king, the own back row a triple king of one."""
    if rank == MAN and (landing & FAR_ROW[me]) != ZERO:
        return I(KING)
    if rank == KING and (landing & FAR_ROW[1 - me]) != ZERO:
        return I(TRIPLE)
    return rank


@compiled
def stops(state: State, before: int, rank: int) -> bool:
    """Whether a piece that was just crowned ends its turn."""
    return before == MAN and rank != MAN and state.promotion_ends_turn != 0


@compiled
def outcome(state: State) -> tuple[int, int]:
    """Who cannot move, with pieces or without, has lost."""
    return 1 - I(state.player), STUCK
