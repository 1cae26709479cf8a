"""Arimaa: four steps a turn, strong pushes weak, traps take the lonely; a rabbit across the board wins."""

from dataclasses import dataclass

import numpy as np

from menagerie.game import Options
from menagerie.kernel.bits import ONE, U64, ZERO, I, bit, lowest, mix, popcount, without_lowest
from menagerie.kernel.chessboard import upside_down
from menagerie.kernel.compiled import compiled
from menagerie.kernel.state import Actions, State, actions_type, end_turn, state_type

#   56 ... 63   rank 8, Silver's      a square is 8 * rank + file
#    0 ...  7   rank 1, Gold's        a set of squares is one uint64
SIZE, SQUARES = 8, 64
RABBIT, CAT, DOG, HORSE, CAMEL, ELEPHANT = range(6)
"""The kinds in order of strength."""
KINDS = 6
ARMY = np.array([8, 2, 2, 2, 1, 1], np.uint8)
ARMY_SIZE = 16

NORTH, EAST, SOUTH, WEST = range(4)
STRIDE = np.array([8, 1, -8, -1], np.int64)
LEFTMOST, RIGHTMOST = U64(0x0101010101010101), U64(0x8080808080808080)
TRAPS = U64(1 << 18 | 1 << 21 | 1 << 42 | 1 << 45)
GOAL = np.array([0xFF << 56, 0xFF], np.uint64)
BACKWARD = np.array([SOUTH, NORTH], np.uint8)

STEPS_A_TURN = 4
PASS = I(SQUARES * 4)
PLACE = PASS + 1
"""An action is 4 * square + direction, or PASS, or PLACE + kind while a side is set up."""
ACTION_COUNT = int(PLACE) + KINDS
# Each of 32 pieces has at most four ways, and there is the pass.
MAX_LEGAL = 32 * 4 + 1

AT_GOAL, ELIMINATED, IMMOBILE = I(0), I(1), I(2)


@dataclass(frozen=True)
class Rules(Options):
    """Arimaa has no options."""


STATE = state_type(
    identity=[
        ("pieces", np.uint64, (2, KINDS)),
        ("start", np.uint64),  # the board's hash before the turn, once it has begun; 0 before
        ("steps", np.uint8),  # how many steps of the turn were made
        ("push_into", np.uint8),  # 1 + the square that a push must be completed on; 0 for none
        ("push_kind", np.uint8),  # the kind that was pushed away from there
        ("pull_into", np.uint8),  # 1 + the square that the last piece stepped off, if it may pull; 0 for none
        ("pull_kind", np.uint8),  # the kind of that piece
        ("setup", np.uint8),  # 1 + how many pieces the mover has set up; 0 in play
    ],
    options=Rules.names(),
    derived=[
        ("army", np.uint64, 2),
        ("occupied_before", np.uint64),  # the squares that were not empty when the turn began
        ("hash", np.uint64),
        ("trail", np.uint32, STEPS_A_TURN),
    ],
)
"""The trail tells the steps of this turn: 4 * square + direction, then 8 bits up 1 + the piece, then what was lost."""
ACTIONS = actions_type(MAX_LEGAL)

MOVER, LOST = 8, 12
"""Where in a step of the trail 1 + the piece stands that moved, and 1 + the piece that was lost (its trap above)."""
TRAP_OF = LOST + 4


def hash_table() -> np.ndarray:
    """A number for every piece (6 * player + kind) on every square; a board's hash is all of them together."""
    words = [[mix(mix(U64(7), U64(piece)), U64(square)) for square in range(SQUARES)] for piece in range(2 * KINDS)]
    return np.array(words, np.uint64)


HASH = hash_table()


@compiled
def initial(state: State) -> None:
    """An empty board; Gold sets up first."""
    for player in range(2):
        for kind in range(KINDS):
            state.pieces[player, kind] = ZERO
    state.steps = 0
    state.push_into = 0
    state.push_kind = 0
    state.pull_into = 0
    state.pull_kind = 0
    state.setup = 1
    state.player = 0
    state.quiet = 0
    state.ply = 0
    for step in range(STEPS_A_TURN):
        state.trail[step] = 0
    derive(state)


@compiled
def derive(state: State) -> None:
    """Write down again what the pieces and the trail already say."""
    state.hash = ZERO
    for player in range(2):
        state.army[player] = ZERO
        for kind in range(KINDS):
            left = state.pieces[player, kind]
            state.army[player] |= left
            while left != ZERO:
                state.hash ^= HASH[player * KINDS + kind, lowest(left)]
                left = without_lowest(left)
    look_back(state)


@compiled
def look_back(state: State) -> None:
    """Find what the board was when the turn began by taking the trail back; nothing if it has not begun."""
    state.start = state.occupied_before = ZERO
    if state.steps == 0:
        return
    before, occupied = state.hash, state.army[0] | state.army[1]
    for back in range(I(state.steps)):
        made = I(state.trail[I(state.steps) - 1 - back])
        lost = ((made >> LOST) & 15) - 1
        if lost >= 0:
            trap = (made >> TRAP_OF) & 63
            before ^= HASH[lost, trap]
            occupied ^= bit(trap)
        square, piece = (made >> 2) & 63, ((made >> MOVER) & 15) - 1
        target = square + STRIDE[made & 3]
        before ^= HASH[piece, square] ^ HASH[piece, target]
        occupied ^= bit(square) | bit(target)
    state.start, state.occupied_before = before, occupied


@compiled
def exchange(state: State) -> None:
    """Turn the ranks over and let the players change sides."""
    for kind in range(KINDS):
        gold = state.pieces[0, kind]
        state.pieces[0, kind] = upside_down(state.pieces[1, kind])
        state.pieces[1, kind] = upside_down(gold)
    if state.push_into != 0:
        state.push_into = 1 + ((I(state.push_into) - 1) ^ 56)
    if state.pull_into != 0:
        state.pull_into = 1 + ((I(state.pull_into) - 1) ^ 56)
    for step in range(I(state.steps)):
        state.trail[step] = turn_over(state, I(step))
    state.player = 1 - state.player
    derive(state)


@compiled
def turn_over(state: State, step: int) -> int:
    """A step of the trail with the ranks turned over and the players exchanged."""
    made = I(state.trail[step])
    square, direction = ((made >> 2) & 63) ^ 56, made & 3
    if direction == NORTH or direction == SOUTH:
        direction ^= 2
    piece, lost = ((made >> MOVER) & 15) - 1, ((made >> LOST) & 15) - 1
    image = 4 * square + direction | (1 + (piece + KINDS) % (2 * KINDS)) << MOVER
    if lost >= 0:
        image |= (1 + (lost + KINDS) % (2 * KINDS)) << LOST | (((made >> TRAP_OF) & 63) ^ 56) << TRAP_OF
    return image


@compiled
def legal(state: State, actions: Actions) -> None:
    """Every step, every first and second half of a push or pull, and the pass; or the kinds left to set up."""
    actions.n = 0
    if state.setup != 0:
        place_kinds(state, actions)
        return
    steps = I(state.steps)
    if steps == 0 and is_decided(state):
        return
    me = I(state.player)
    them = 1 - me
    free = unfrozen(state, me)
    empty = ~(state.army[0] | state.army[1])
    if state.push_into != 0:
        square = I(state.push_into) - 1
        pushers = free & stronger(state, me, I(state.push_kind))
        ordinary, displaced, hole = pushers, ZERO, bit(square)
    else:
        ordinary, displaced, hole = free, ZERO, empty
        if steps < STEPS_A_TURN - 1:
            displaced = pushable(state, free, me)
    pull_hole, pulled = ZERO, ZERO
    if state.pull_into != 0:
        pull_hole = bit(I(state.pull_into) - 1)
        pulled = weaker(state, them, I(state.pull_kind))
    n = I(0)
    for direction in range(4):
        walkers = ordinary
        if direction == BACKWARD[me]:
            walkers = ordinary & ~state.pieces[me, RABBIT]
        movers = (walkers | displaced) & neighbours_at(hole, direction)
        movers |= pulled & neighbours_at(pull_hole, direction)
        while movers != ZERO:
            actions.list[n] = 4 * lowest(movers) + direction
            movers = without_lowest(movers)
            n += 1
    actions.n = n
    if steps >= STEPS_A_TURN - 2 and popcount(~empty ^ state.occupied_before) == 2:
        drop_vain(state, actions, free)
    if steps > 0 and state.push_into == 0 and state.hash != state.start:
        actions.list[actions.n] = PASS
        actions.n += 1


@compiled
def place_kinds(state: State, actions: Actions) -> None:
    """The kinds that the mover has not yet set up in full, strongest last."""
    me = I(state.player)
    for kind in range(KINDS):
        if popcount(state.pieces[me, kind]) < I(ARMY[kind]):
            actions.list[actions.n] = PLACE + kind
            actions.n += 1


@compiled
def neighbours_at(squares: np.uint64, direction: int) -> np.uint64:
    """The squares from where a step in that direction leads into the set."""
    if direction == NORTH:
        return squares >> U64(8)
    if direction == SOUTH:
        return squares << U64(8)
    if direction == EAST:
        return (squares & ~LEFTMOST) >> U64(1)
    return (squares & ~RIGHTMOST) << U64(1)


@compiled
def beside(squares: np.uint64) -> np.uint64:
    """The squares next to any of the set."""
    sideways = (squares & ~LEFTMOST) >> U64(1) | (squares & ~RIGHTMOST) << U64(1)
    return squares >> U64(8) | squares << U64(8) | sideways


@compiled
def unfrozen(state: State, me: int) -> np.uint64:
    """A player's pieces that are next to a friend or to no stronger enemy."""
    held = above = ZERO
    for weakness in range(KINDS):
        kind = ELEPHANT - weakness
        held |= state.pieces[me, kind] & beside(above)
        above |= state.pieces[1 - me, kind]
    mine = state.army[me]
    return mine & (~held | beside(mine))


@compiled
def pushable(state: State, free: np.uint64, me: int) -> np.uint64:
    """The enemy pieces next to a stronger one of the free pieces."""
    found = above = ZERO
    for weakness in range(KINDS):
        kind = ELEPHANT - weakness
        found |= state.pieces[1 - me, kind] & beside(above)
        above |= state.pieces[me, kind] & free
    return found


@compiled
def stronger(state: State, player: int, than: int) -> np.uint64:
    """A player's pieces of the kinds above one."""
    found = ZERO
    for kind in range(than + 1, KINDS):
        found |= state.pieces[player, kind]
    return found


@compiled
def weaker(state: State, player: int, than: int) -> np.uint64:
    """A player's pieces of the kinds below one."""
    found = ZERO
    for kind in range(than):
        found |= state.pieces[player, kind]
    return found


@compiled
def drop_vain(state: State, actions: Actions, free: np.uint64) -> None:
    """Leave out last steps that would give back the board as it was, and pushes that could only end so.

    Either is possible only where just two squares are not as empty or full as when the turn began. With two steps left
    a push can still be begun, and must be completed with the last. A board equal to the one at the start has no loser
    on a trap, so only a loss in the middle of the push can make a difference.
    """
    kept = I(0)
    for i in range(actions.n):
        action = I(actions.list[i])
        square = action >> 2
        target = square + STRIDE[action & 3]
        piece = piece_on(state, square)
        after = state.hash ^ HASH[piece, square] ^ HASH[piece, target]
        if state.steps == STEPS_A_TURN - 1:
            vain = after == state.start
        else:
            vain = piece // KINDS != state.player and is_vain_push(state, action, after, free)
        if not vain:
            actions.list[kept] = action
            kept += 1
    actions.n = kept


@compiled
def is_vain_push(state: State, action: int, after: np.uint64, free: np.uint64) -> bool:
    """Whether an enemy's step, with two steps left, is a push that only ends on the board as it was."""
    me = I(state.player)
    square = action >> 2
    target = square + STRIDE[action & 3]
    piece = piece_on(state, square)
    if state.pull_into != 0 and target == I(state.pull_into) - 1 and piece % KINDS < I(state.pull_kind):
        return False
    theirs = (state.army[1 - me] & ~bit(square)) | bit(target)
    if (theirs & TRAPS & ~beside(theirs)) != ZERO:
        return False
    pushers = free & stronger(state, me, piece % KINDS) & beside(bit(square))
    while pushers != ZERO:
        pusher = lowest(pushers)
        pushers = without_lowest(pushers)
        number = piece_on(state, pusher)
        if after ^ HASH[number, pusher] ^ HASH[number, square] != state.start:
            return False
    return True


@compiled
def piece_on(state: State, square: int) -> int:
    """The piece on an occupied square: 6 * player + kind."""
    player = owner_on(state, square)
    return player * KINDS + kind_on(state, square, player)


@compiled
def owner_on(state: State, square: int) -> int:
    """Whose piece stands on an occupied square."""
    return I((state.army[1] >> U64(square)) & ONE)


@compiled
def kind_on(state: State, square: int, player: int) -> int:
    """The kind of a player's piece on a square; without branches, which nobody could predict."""
    found = I(0)
    for kind in range(1, KINDS):
        found += kind * I((state.pieces[player, kind] >> U64(square)) & ONE)
    return found


@compiled
def play(state: State, action: int) -> None:
    """Set up a piece, make a step, or end the turn."""
    if action >= PLACE:
        place(state, action - PLACE)
    elif action == PASS:
        finish(state)
    else:
        step(state, action)
        if state.steps == STEPS_A_TURN:
            finish(state)


@compiled
def place(state: State, kind: int) -> None:
    """Put a piece on the next square of the mover's two home rows, the back row first."""
    me = I(state.player)
    square = setup_square(me, I(state.setup) - 1)
    state.pieces[me, kind] |= bit(square)
    state.army[me] |= bit(square)
    state.hash ^= HASH[me * KINDS + kind, square]
    if state.setup < ARMY_SIZE:
        state.setup += np.uint8(1)
    else:
        state.setup = 1 if state.army[1 - me] == ZERO else 0
        end_turn(state)


@compiled
def setup_square(player: int, count: int) -> int:
    """The square for a player's piece after so many: a1 to h1, a2 to h2; a8 to h8, a7 to h7."""
    return count if player == 0 else count ^ 56


@compiled
def step(state: State, action: int) -> None:
    """Move a piece to the next square, take away who is lost on a trap, and note what may or must follow."""
    me = I(state.player)
    square = action >> 2
    target = square + STRIDE[action & 3]
    owner = owner_on(state, square)
    kind = kind_on(state, square, owner)
    piece = owner * KINDS + kind
    if state.steps == 0:
        state.start = state.hash
        state.occupied_before = state.army[0] | state.army[1]
    both = bit(square) | bit(target)
    state.pieces[owner, kind] ^= both
    state.army[owner] ^= both
    state.hash ^= HASH[piece, square] ^ HASH[piece, target]
    made = action | (piece + 1) << MOVER
    if owner == me:
        near = beside(bit(square)) & state.army[1 - me]
        may_pull = state.push_into == 0 and near != ZERO and (near & weaker(state, 1 - me, kind)) != ZERO
        state.push_into = 0
        state.push_kind = 0
        state.pull_into = square + 1 if may_pull else 0
        state.pull_kind = kind if may_pull else 0
    else:
        is_pull = target + 1 == I(state.pull_into) and kind < I(state.pull_kind)
        state.push_into = 0 if is_pull else square + 1
        state.push_kind = 0 if is_pull else kind
        state.pull_into = 0
        state.pull_kind = 0
    state.trail[state.steps] = made | take_lost(state)
    state.steps += np.uint8(1)


@compiled
def take_lost(state: State) -> int:
    """Take away the piece that stands on a trap without a friend beside it; a step can cost one at most.

    Returns what the trail says of it.
    """
    if ((state.army[0] | state.army[1]) & TRAPS) == ZERO:
        return I(0)
    for player in range(2):
        lost = state.army[player] & TRAPS & ~beside(state.army[player])
        if lost != ZERO:
            square = lowest(lost)
            kind = kind_on(state, square, I(player))
            piece = player * KINDS + kind
            state.pieces[player, kind] ^= lost
            state.army[player] ^= lost
            state.hash ^= HASH[piece, square]
            return (piece + 1) << LOST | square << TRAP_OF
    return I(0)


@compiled
def finish(state: State) -> None:
    """The turn is over; nothing of how it went remains."""
    state.steps = 0
    state.start = state.occupied_before = ZERO
    state.push_into = 0
    state.push_kind = 0
    state.pull_into = 0
    state.pull_kind = 0
    for made in range(STEPS_A_TURN):
        state.trail[made] = 0
    end_turn(state)


@compiled
def is_decided(state: State) -> bool:
    """Whether rabbits decide the game before the mover steps."""
    me = I(state.player)
    mine, theirs = state.pieces[me, RABBIT], state.pieces[1 - me, RABBIT]
    return ((theirs & GOAL[1 - me]) | (mine & GOAL[me])) != ZERO or mine == ZERO or theirs == ZERO


@compiled
def outcome(state: State) -> tuple[int, int]:
    """In this order: the last mover's rabbit at goal, the other's; the next mover without rabbits, the last; stuck."""
    me = I(state.player)
    them = 1 - me
    if (state.pieces[them, RABBIT] & GOAL[them]) != ZERO:
        return them, AT_GOAL
    if (state.pieces[me, RABBIT] & GOAL[me]) != ZERO:
        return me, AT_GOAL
    if state.pieces[me, RABBIT] == ZERO:
        return them, ELIMINATED
    if state.pieces[them, RABBIT] == ZERO:
        return me, ELIMINATED
    return them, IMMOBILE
