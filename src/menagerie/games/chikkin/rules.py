"""Chikkin: roosters and dogs slide and push, wolves take; bring your dog to the enemy's back rank."""

from dataclasses import dataclass

import numpy as np

from menagerie.game import Options, choice
from menagerie.kernel.bits import U64, ZERO, I, bit, lowest, without_lowest
from menagerie.kernel.chessboard import mirrored, upside_down
from menagerie.kernel.compiled import compiled
from menagerie.kernel.state import Actions, State, actions_type, end_turn, state_type
from menagerie.kernel.walk import NOBODY

#   56 ... 63   rank 8, West's      a square is 8 * rank + file
#   0  ...  7   rank 1, East's
SIZE = 8
SQUARES = SIZE * SIZE
NOWHERE = SQUARES

CHICKEN, ROOSTER, DOG, WOLF = range(4)
"""What a Wolf can take comes first."""
KINDS = 4

MOST_PIECES, MOST = 16, {ROOSTER: 6, DOG: 1, WOLF: 1}
"""What a side can have: that many pieces, and of a kind no more than this. Chickens may stand for any that lack."""

# An action below PUSH is origin * 64 + target. The pushes come after, in five blocks of the same size:
#
#   PUSH + direction * 4096 + origin * 64 + stand     a Rooster comes from origin to stand and pushes straight ahead
#   DOG_PUSH + stand * 64 + aim * 8 + shove           the Dog comes to stand and pushes its neighbour in direction
#                                                     `aim` one square in direction `shove`
#
# The origin of a Dog's push is not told: a side has one Dog.
PUSH = SQUARES * SQUARES
DOG_PUSH = 5 * PUSH
ACTION_COUNT = 6 * PUSH

# With 16 pieces against 6 Roosters, a Dog and a Wolf, 40 squares are empty: 8 Chickens and the Wolf have 8 steps each
# (72); 6 Roosters and the Dog come to each empty square (280); each Rooster pushes 4 Dogs and Wolves in 4 directions
# (96); the Dog pushes 14 Roosters and Wolves from any of 8 squares to any other of them (14 * 56). A piece less leaves
# a square more to 7 sliders, and takes more than 7 of these away; another Chicken of the enemy's takes squares only.
MAX_LEGAL = 72 + 280 + 96 + 14 * 56

ARRIVED, STUCK = I(0), I(1)


@dataclass(frozen=True)
class Rules(Options):
    """What players may agree on before a game of Chikkin."""

    slide: str = choice(
        "line", "path", about="Roosters and Dogs slide in a straight line, or around corners through empty squares"
    )
    push_follow: str = choice(
        "off", "on", about="whether the pusher steps onto the square that the pushed piece has left"
    )
    dog_push: str = choice(
        "free8",
        "away8",
        "away4",
        about="a Dog pushes any neighbour in any direction, or only straight away, or only straight neighbours so",
    )
    dog_move_then_push: str = choice("on", "off", about="whether a Dog may slide before it pushes")
    wolf_takes_own: str = choice("on", "off", about="whether a Wolf may take Chickens and Roosters of its own side")
    wolf_eats_roosters: str = choice("on", "off", about="whether a Wolf takes Roosters as well as Chickens")


PATH, FOLLOW, FREE8, AWAY4, ON = I(1), I(1), I(0), I(2), I(0)
"""The numbers of the options' values that the rules ask for."""

STATE = state_type(identity=[("pieces", np.uint64, (2, KINDS))], options=Rules.names())
"""pieces[player, kind]: where they stand."""
ACTIONS = actions_type(MAX_LEGAL)

# Steps as (files, ranks); the four straight ones first.
STEPS = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)]
STRIDE = np.array([files + SIZE * ranks for files, ranks in STEPS], np.int64)
STRAIGHT, RIGHT, LEFT = 4, I(1), I(3)


def beside(square: int, files: int, ranks: int) -> int:
    """The square some files and ranks away; NOWHERE off the board."""
    file, rank = square % SIZE + files, square // SIZE + ranks
    return SIZE * rank + file if 0 <= file < SIZE and 0 <= rank < SIZE else NOWHERE


def inner_table() -> np.ndarray:
    """inner[direction]: the squares from where a step that way stays on the board."""
    return np.array(
        [sum(1 << square for square in range(SQUARES) if beside(square, *step) != NOWHERE) for step in STEPS], np.uint64
    )


def near_table() -> np.ndarray:
    """near[square]: its neighbours in all directions."""
    around = [{beside(square, *step) for step in STEPS} - {NOWHERE} for square in range(SQUARES)]
    return np.array([sum(1 << square for square in squares) for squares in around], np.uint64)


def heading_table() -> np.ndarray:
    """heading[9 + difference of two neighbours]: the direction from the one to the other."""
    table = np.zeros(2 * SIZE + 3, np.uint8)
    for direction, stride in enumerate(STRIDE):
        table[SIZE + 1 + stride] = direction
    return table


INNER = inner_table()
NEAR = near_table()
HEADING = heading_table()
TURN = np.array([stride % SQUARES for stride in STRIDE], np.uint64)
BITS = U64(SQUARES)
GOAL = np.array([0xFF << 56, 0xFF], np.uint64)
"""Where each player's Dog wins."""
START = np.array(
    [[0xFF << 8, 0b11100111, 0b1000, 0b10000], [0xFF << 48, 0b11100111 << 56, 1 << 59, 1 << 60]], np.uint64
)


@compiled
def initial(state: State) -> None:
    """Chickens before Roosters, Dogs and Wolves face to face."""
    for player in range(2):
        for kind in range(KINDS):
            state.pieces[player, kind] = START[player, kind]
    state.player = 0
    state.quiet = 0
    state.ply = 0


@compiled
def exchange(state: State) -> None:
    """Exchange top and bottom, and let the players change seats."""
    for kind in range(KINDS):
        east, west = state.pieces[0, kind], state.pieces[1, kind]
        state.pieces[0, kind] = upside_down(west)
        state.pieces[1, kind] = upside_down(east)
    state.player = 1 - state.player


@compiled
def mirror(state: State) -> None:
    """Exchange left and right."""
    for player in range(2):
        for kind in range(KINDS):
            state.pieces[player, kind] = mirrored(state.pieces[player, kind])


@compiled
def legal(state: State, actions: Actions) -> None:
    """Every step, slide and push, while no Dog is on its goal rank."""
    actions.n = 0
    if winner(state) != NOBODY:
        return
    me = I(state.player)
    empty = ~(army(state, I(0)) | army(state, I(1)))
    n = add_steps(actions, I(0), state.pieces[me, CHICKEN], empty)
    n = add_steps(actions, n, state.pieces[me, WOLF], empty | prey(state, me))
    n = add_slides(state, actions, n, empty)
    actions.n = n


@compiled
def winner(state: State) -> int:
    """The owner of a Dog that is on its goal rank, whoever brought it there."""
    for player in range(2):
        if (state.pieces[player, DOG] & GOAL[player]) != ZERO:
            return I(player)
    return NOBODY


@compiled
def army(state: State, player: int) -> np.uint64:
    """Where a player's pieces stand."""
    return (
        state.pieces[player, CHICKEN]
        | state.pieces[player, ROOSTER]
        | state.pieces[player, DOG]
        | state.pieces[player, WOLF]
    )


@compiled
def either(state: State, kind: int) -> np.uint64:
    """Where the pieces of a kind stand, of either side."""
    return state.pieces[0, kind] | state.pieces[1, kind]


@compiled
def prey(state: State, me: int) -> np.uint64:
    """What a player's Wolf may take."""
    food = either(state, I(CHICKEN))
    if state.wolf_eats_roosters == ON:
        food |= either(state, I(ROOSTER))
    return food if state.wolf_takes_own == ON else food & ~army(state, me)


@compiled
def add_steps(actions: Actions, n: int, walkers: np.uint64, targets: np.uint64) -> int:
    """Note the steps of Chickens or a Wolf to neighbouring targets."""
    while walkers != ZERO:
        origin = lowest(walkers)
        walkers = without_lowest(walkers)
        n = add_moves(actions, n, origin * SQUARES, NEAR[origin] & targets)
    return n


@compiled
def add_moves(actions: Actions, n: int, base: int, targets: np.uint64) -> int:
    """Note an action for each target: the base plus the square."""
    while targets != ZERO:
        actions.list[n] = base + lowest(targets)
        targets = without_lowest(targets)
        n += 1
    return n


@compiled
def add_slides(state: State, actions: Actions, n: int, empty: np.uint64) -> int:
    """Note the slides of Roosters and Dog, and the pushes at their ends."""
    me = I(state.player)
    dog = state.pieces[me, DOG]
    heavy = either(state, I(DOG)) | either(state, I(WOLF))
    left = state.pieces[me, ROOSTER] | dog
    while left != ZERO:
        origin = lowest(left)
        left = without_lowest(left)
        here = bit(origin)
        free = empty | here
        region, stands = here, ZERO
        if state.slide == PATH:
            region = walk(here, empty, GOAL[me] if here == dog else ZERO)
            stands = region ^ here
        for direction in range(STRAIGHT):
            # The squares where the last step was in this direction. Standing still counts as coming from anywhere.
            if state.slide == PATH:
                arrived = here | (region & step(region, direction))
            else:
                arrived = line(here, empty, direction)
                stands |= arrived ^ here
            if here != dog:
                pushed = step(arrived, direction) & heavy & step(free, direction ^ 2)
                base = PUSH + direction * PUSH + origin * SQUARES - STRIDE[direction]
                n = add_moves(actions, n, base, pushed)
        n = add_moves(actions, n, origin * SQUARES, stands)
        if here == dog:
            stands = here if state.dog_move_then_push != ON else (stands & ~GOAL[me]) | here
            n = add_dog_pushes(state, actions, n, stands, free)
    return n


@compiled
def step(squares: np.uint64, direction: int) -> np.uint64:
    """The squares one step away; as none falls off the board, the 64 bits are simply rotated."""
    inside = squares & INNER[direction]
    return (inside << TURN[direction]) | (inside >> (BITS - TURN[direction]))


@compiled
def line(here: np.uint64, empty: np.uint64, direction: int) -> np.uint64:
    """The straight way over empty squares, its beginning included."""
    way = here
    ahead = step(here, direction) & empty
    while ahead != ZERO:
        way |= ahead
        ahead = step(ahead, direction) & empty
    return way


@compiled
def walk(here: np.uint64, empty: np.uint64, goal: np.uint64) -> np.uint64:
    """All that straight steps over empty squares lead to, its beginning included; no way goes on from the goal."""
    region, edge = here, here
    while edge != ZERO:
        around = (edge << U64(SIZE)) | (edge >> U64(SIZE)) | step(edge, RIGHT) | step(edge, LEFT)
        found = around & empty & ~region
        region |= found
        edge = found & ~goal
    return region


@compiled
def add_dog_pushes(state: State, actions: Actions, n: int, stands: np.uint64, free: np.uint64) -> int:
    """Note what the Dog pushes from where it can stand: neither Chickens nor Dogs, and onto free squares only."""
    left = either(state, I(ROOSTER)) | either(state, I(WOLF))
    while left != ZERO:
        pushed = lowest(left)
        left = without_lowest(left)
        pushers = stands & NEAR[pushed]
        while pushers != ZERO:
            stand = lowest(pushers)
            pushers = without_lowest(pushers)
            aim = I(HEADING[SIZE + 1 + pushed - stand])
            targets = NEAR[pushed] & free & ~bit(stand)
            if state.dog_push != FREE8:
                targets &= step(bit(pushed), aim)
                if state.dog_push == AWAY4 and aim >= STRAIGHT:
                    targets = ZERO
            base = DOG_PUSH + stand * SQUARES + aim * SIZE
            while targets != ZERO:
                actions.list[n] = base + I(HEADING[SIZE + 1 + lowest(targets) - pushed])
                targets = without_lowest(targets)
                n += 1
    return n


@compiled
def squares_of(state: State, action: int) -> tuple[int, int, int, int]:
    """From where the mover comes, where it stands then, what it pushes from where to where (or NOWHERE)."""
    if action >= DOG_PUSH:
        stand = (action - DOG_PUSH) // SQUARES
        pushed = stand + STRIDE[(action // SIZE) % SIZE]
        return lowest(state.pieces[state.player, DOG]), stand, pushed, pushed + STRIDE[action % SIZE]
    origin, stand = (action // SQUARES) % SQUARES, action % SQUARES
    if action < PUSH:
        return origin, stand, I(NOWHERE), I(NOWHERE)
    stride = STRIDE[action // PUSH - 1]
    return origin, stand, stand + stride, stand + 2 * stride


@compiled
def play(state: State, action: int) -> None:
    """Move, take what stands there, push; the pusher may follow."""
    origin, stand, pushed, target = squares_of(state, action)
    taken = False
    if origin != stand:
        taken = remove(state, stand)
        shift(state, origin, stand)
    if pushed != NOWHERE:
        shift(state, pushed, target)
        if state.push_follow == FOLLOW:
            shift(state, stand, pushed)
    end_turn(state)
    if taken:
        state.quiet = 0


@compiled
def remove(state: State, square: int) -> bool:
    """Take the Chicken or Rooster on a square off the board, if there is one."""
    here, found = bit(square), ZERO
    for player in range(2):
        for kind in range(ROOSTER + 1):
            found |= state.pieces[player, kind] & here
            state.pieces[player, kind] &= ~here
    return found != ZERO


@compiled
def shift(state: State, origin: int, target: int) -> None:
    """Let whatever stands on one square stand on another, empty one."""
    here, there = bit(origin), bit(target)
    for player in range(2):
        for kind in range(KINDS):
            if (state.pieces[player, kind] & here) != ZERO:
                state.pieces[player, kind] ^= here | there


@compiled
def outcome(state: State) -> tuple[int, int]:
    """A Dog has arrived, or nobody wins because the player to move cannot."""
    owner = winner(state)
    return owner, STUCK if owner == NOBODY else ARRIVED
