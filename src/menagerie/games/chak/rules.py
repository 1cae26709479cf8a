"""Chak: a chess of the Maya; mate the king, or lead your own, made divine at the river, to the enemy's altar."""

from dataclasses import dataclass

import numpy as np

from menagerie.game import Options
from menagerie.kernel.bits import U64, ZERO, I, bit, lowest, without_lowest
from menagerie.kernel.compiled import compiled
from menagerie.kernel.state import Actions, State, actions_type, end_turn, state_type

#   72 ... 80   rank 9, Green's      a square is 9 * rank + file
#   36 ... 44   rank 5, the river
#   0  ...  8   rank 1, White's
SIZE = 9
SQUARES = SIZE * SIZE
RIVER = 4
RIVER_SQUARES = U64(0b111_111_111 << RIVER * SIZE)
EVERY = ~ZERO

EMPTY, KING, DIVINE_KING, JAGUAR, SHAMAN, VULTURE, PAWN, WARRIOR, QUETZAL, SERPENT, OFFERING = range(11)
"""The kinds that have steps come first, up to the warrior."""
OWNER = 16
"""A piece on the board is its kind, plus OWNER if it is Green's."""

ALTAR = np.array([13, 67], np.uint8)
"""e2 and e8: each player's own altar."""

# The most each side can have of a kind bounds what `legal` can find: two serpents 32, quetzal 32, jaguar 16,
# two vultures 16, two shamans 12, five warriors 30, divine king 16: 154 in all.
MAX_LEGAL = 160
ACTION_COUNT = SQUARES * SQUARES

ALTAR_MATE, CHECKMATE, STUCK = I(0), I(1), I(2)


@dataclass(frozen=True)
class Rules(Options):
    """Chak has no options."""


STATE = state_type(
    identity=[("board", np.uint8, SQUARES)],
    options=Rules.names(),
    derived=[("pieces", np.uint64, (2, 2)), ("sliders", np.uint64, (2, 2)), ("royal", np.uint8, 2)],
)
ACTIONS = actions_type(MAX_LEGAL)

# Steps as (files, ranks), the ranks counted forward from the mover.
DIRECTIONS = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)]
KNIGHT_STEPS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
SHAMAN_STEPS = [(0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)]
STEPS = {
    KING: DIRECTIONS,
    DIVINE_KING: [(n * files, n * ranks) for files, ranks in DIRECTIONS for n in (1, 2)],
    JAGUAR: DIRECTIONS + KNIGHT_STEPS,
    SHAMAN: SHAMAN_STEPS,
    VULTURE: KNIGHT_STEPS,
    PAWN: [(1, 1), (-1, 1)],
    WARRIOR: SHAMAN_STEPS,
}
"""Where a piece takes; all but the pawn also go there without taking."""
PAWN_WALKS = [(0, 1), (1, 0), (-1, 0)]
COMMITTED = (DIVINE_KING, WARRIOR)
"""Once promoted at the river, these never leave the river and the enemy half."""


def beyond(player: int, rank: int) -> bool:
    """Whether a rank is the river or on its far side, seen by that player."""
    return rank >= RIVER if player == 0 else rank <= RIVER


def squares_from(square: int, steps: list[tuple[int, int]], player: int, committed: bool = False) -> list[int]:
    """The squares on the board that steps lead to from a square."""
    forward = 1 - 2 * player
    landings = [(square % SIZE + files, square // SIZE + forward * ranks) for files, ranks in steps]
    return [
        SIZE * rank + file
        for file, rank in landings
        if 0 <= file < SIZE and 0 <= rank < SIZE and (not committed or beyond(player, rank))
    ]


def square_set(squares: list[int]) -> list[int]:
    """A set of squares as two words: squares 0-63 and 64-80."""
    whole = sum(1 << square for square in squares)
    return [whole & (2**64 - 1), whole >> 64]


def reach_table() -> np.ndarray:
    """reach[player, kind, square]: the squares a piece takes on, on an empty board; two words each."""
    table = np.zeros((2, WARRIOR + 1, SQUARES, 2), np.uint64)
    for player in range(2):
        for kind, steps in STEPS.items():
            for square in range(SQUARES):
                table[player, kind, square] = square_set(squares_from(square, steps, player, kind in COMMITTED))
    return table


def every_square(steps: list[tuple[int, int]], player: int) -> np.ndarray:
    """The squares that steps lead to from each square; two words each."""
    return np.array([square_set(squares_from(square, steps, player)) for square in range(SQUARES)], np.uint64)


def ray_table() -> np.ndarray:
    """rays[square, direction]: how many squares lie that way until the edge."""
    far = range(1, SIZE)
    return np.array(
        [
            [len(squares_from(square, [(n * files, n * ranks) for n in far], 0)) for files, ranks in DIRECTIONS]
            for square in range(SQUARES)
        ],
        np.uint8,
    )


def direction_table() -> np.ndarray:
    """direction[a, b]: the index of the direction that leads straight from a to b; 8 where none does."""
    table = np.full((SQUARES, SQUARES), len(DIRECTIONS), np.uint8)
    for index, (files, ranks) in enumerate(DIRECTIONS):
        for a in range(SQUARES):
            for b in squares_from(a, [(n * files, n * ranks) for n in range(1, SIZE)], 0):
                table[a, b] = index
    return table


REACH = reach_table()
WALKS = np.array([every_square(PAWN_WALKS, player) for player in range(2)])
RAY = ray_table()
STRIDE = np.array([files + SIZE * ranks for files, ranks in DIRECTIONS], np.int64)
DIRECTION = direction_table()
LINES = every_square([(n * files, n * ranks) for files, ranks in DIRECTIONS for n in range(1, SIZE)], 0)
LINE = np.array(
    [every_square([(n * files, n * ranks) for n in range(1, SIZE)], 0) for files, ranks in DIRECTIONS], np.uint64
)
HOME_RANK = np.array([SERPENT, VULTURE, SHAMAN, JAGUAR, KING, QUETZAL, SHAMAN, VULTURE, SERPENT], np.uint8)


@compiled
def initial(state: State) -> None:
    """The two armies face each other, turned by half a circle, each with its offering on its altar."""
    for square in range(SQUARES):
        state.board[square] = EMPTY
    for file in range(SIZE):
        put_both(state, I(file), I(HOME_RANK[file]))
        if file % 2 == 0:
            put_both(state, I(2 * SIZE + file), I(PAWN))
    put_both(state, I(ALTAR[0]), I(OFFERING))
    state.player = 0
    state.quiet = 0
    state.ply = 0
    derive(state)


@compiled
def put_both(state: State, square: int, kind: int) -> None:
    """Place a kind for White, and for Green on the square opposite."""
    state.board[square] = kind
    state.board[SQUARES - 1 - square] = kind + OWNER


@compiled
def derive(state: State) -> None:
    """Write down again what the board already says: who stands where, which pieces slide, and the royal ones."""
    for player in range(2):
        for word in range(2):
            state.pieces[player, word] = ZERO
            state.sliders[player, word] = ZERO
    for square in range(SQUARES):
        piece = I(state.board[square])
        if piece != EMPTY:
            add(state, square, piece // OWNER, piece % OWNER)


@compiled
def add(state: State, square: int, player: int, kind: int) -> None:
    """Note in the derived sets that a piece arrives."""
    word, here = square >> 6, bit(square & 63)
    state.pieces[player, word] |= here
    if kind == SERPENT or kind == QUETZAL or kind == DIVINE_KING:
        state.sliders[player, word] |= here
    if kind == KING or kind == DIVINE_KING:
        state.royal[player] = square


@compiled
def exchange(state: State) -> None:
    """Turn the board by half a circle and let the players change seats."""
    for square in range((SQUARES + 1) // 2):
        piece, other = I(state.board[square]), I(state.board[SQUARES - 1 - square])
        state.board[square] = other ^ OWNER if other != EMPTY else EMPTY
        state.board[SQUARES - 1 - square] = piece ^ OWNER if piece != EMPTY else EMPTY
    state.player = 1 - state.player
    derive(state)


@compiled
def mirror(state: State) -> None:
    """Exchange left and right."""
    for rank in range(SIZE):
        for file in range(SIZE // 2):
            left, right = SIZE * rank + file, SIZE * rank + SIZE - 1 - file
            piece = state.board[left]
            state.board[left] = state.board[right]
            state.board[right] = piece
    derive(state)


@compiled
def legal(state: State, actions: Actions) -> None:
    """Every move that leaves the own royal piece out of reach."""
    list_moves(state, actions, EVERY, EVERY)


@compiled
def forcing(state: State, actions: Actions) -> None:
    """The legal moves that take something, and those of pawns to the river."""
    them = 1 - I(state.player)
    list_moves(state, actions, state.pieces[them, 0], state.pieces[them, 1])


@compiled
def list_moves(state: State, actions: Actions, low_wanted: np.uint64, high_wanted: np.uint64) -> None:
    """The legal moves to some squares, and those of pawns to the river.

    Only moves that touch a line between the royal piece and an enemy that attacks from afar can open it to attack;
    those are tried out, and so are all moves of the royal piece. In check, a move that touches neither such a line
    nor a checking piece does not help.
    """
    actions.n = 0
    me = I(state.player)
    them = 1 - me
    if on_altar(state, them):
        return
    n = I(0)
    royal = I(state.royal[me])
    low_lines, high_lines = lines_in_danger(state, royal, them)
    low_free, high_free = ~low_lines, ~high_lines
    low_tried, high_tried = low_lines, high_lines
    if attacked(state, royal, them):
        low_free = high_free = ZERO
        low_checkers, high_checkers = near_attackers(state, royal, them)
        low_tried |= low_checkers
        high_tried |= high_checkers
    for word in range(2):
        left = state.pieces[me, word]
        while left != ZERO:
            square = lowest(left) + (word << 6)
            here = left & ~(left - U64(1))
            left = without_lowest(left)
            low, high = targets(state, square, me)
            low &= low_wanted | (RIVER_SQUARES if I(state.board[square]) & (OWNER - 1) == PAWN else ZERO)
            high &= high_wanted
            if square == royal or (here & (low_lines if word == 0 else high_lines)) != ZERO:
                low_now = high_now = ZERO
                low_try, high_try = low, high
            else:
                low_now, high_now = low & low_free, high & high_free
                low_try, high_try = low & low_tried, high & high_tried
            base = square * SQUARES
            while low_now != ZERO:
                actions.list[n] = base + lowest(low_now)
                low_now = without_lowest(low_now)
                n += 1
            base += 64
            while high_now != ZERO:
                actions.list[n] = base + lowest(high_now)
                high_now = without_lowest(high_now)
                n += 1
            while (low_try | high_try) != ZERO:
                if low_try != ZERO:
                    target = lowest(low_try)
                    low_try = without_lowest(low_try)
                else:
                    target = lowest(high_try) + 64
                    high_try = without_lowest(high_try)
                if is_safe(state, square, target):
                    actions.list[n] = square * SQUARES + target
                    n += 1
    actions.n = n


@compiled
def reach(player: int, kind: int, square: int, word: int) -> np.uint64:
    """One word of REACH. Asked for here only, so that CUDA's constant memory holds the table once."""
    return REACH[player, kind, square, word]


@compiled
def targets(state: State, square: int, me: int) -> tuple[np.uint64, np.uint64]:
    """Where the piece on a square goes, never mind the royal piece; two words."""
    kind = I(state.board[square]) & (OWNER - 1)
    low_mine, high_mine = state.pieces[me, 0], state.pieces[me, 1]
    if kind == SERPENT or kind == QUETZAL or kind == DIVINE_KING:
        low, high = slides(state, square, kind, me)
        return low & ~low_mine, high & ~high_mine
    if kind == OFFERING:
        return ZERO, ZERO
    low, high = reach(me, kind, square, I(0)), reach(me, kind, square, I(1))
    if kind == PAWN:
        low_theirs, high_theirs = state.pieces[1 - me, 0], state.pieces[1 - me, 1]
        low = (low & low_theirs) | (WALKS[me, square, 0] & ~(low_mine | low_theirs))
        high = (high & high_theirs) | (WALKS[me, square, 1] & ~(high_mine | high_theirs))
        return low, high
    return low & ~low_mine, high & ~high_mine


@compiled
def slides(state: State, square: int, kind: int, me: int) -> tuple[np.uint64, np.uint64]:
    """The squares a sliding piece comes to, the first piece it meets included, whoever owns it; two words."""
    low = high = ZERO
    for direction in range(I(4) if kind == SERPENT else I(8)):
        stride = STRIDE[direction]
        far = I(RAY[square, direction])
        if kind == DIVINE_KING:
            far = min(far, I(2))
        screens = I(kind == QUETZAL)
        target = square
        for _ in range(far):
            target += stride
            if screens == 0:
                if target < 64:
                    low |= bit(target)
                else:
                    high |= bit(target - 64)
            if state.board[target] != EMPTY:
                if screens == 0:
                    break
                screens = I(0)
    if kind == DIVINE_KING:
        low &= reach(me, I(DIVINE_KING), square, I(0))
        high &= reach(me, I(DIVINE_KING), square, I(1))
    return low, high


@compiled
def play(state: State, action: int) -> None:
    """Move, take what stands there, promote at the river."""
    me = I(state.player)
    origin, target = action // SQUARES, action % SQUARES
    kind = I(state.board[origin]) & (OWNER - 1)
    taken = I(state.board[target])
    remove(state, origin, me)
    if taken != EMPTY:
        remove(state, target, 1 - me)
    if (kind == KING or kind == PAWN) and (target >= RIVER * SIZE if me == 0 else target < (RIVER + 1) * SIZE):
        kind = I(DIVINE_KING) if kind == KING else I(WARRIOR)
    state.board[target] = kind + me * OWNER
    add(state, target, me, kind)
    end_turn(state)
    if taken != EMPTY:
        state.quiet = 0


@compiled
def remove(state: State, square: int, player: int) -> None:
    """Take a piece off the board."""
    state.board[square] = EMPTY
    word, others = square >> 6, ~bit(square & 63)
    state.pieces[player, word] &= others
    state.sliders[player, word] &= others


@compiled
def outcome(state: State) -> tuple[int, int]:
    """The player to move has lost: the enemy stands on the altar, or there is no way to move."""
    them = 1 - I(state.player)
    if on_altar(state, them):
        return them, ALTAR_MATE
    return them, CHECKMATE if check(state) else STUCK


@compiled
def check(state: State) -> bool:
    """Whether the royal piece of the player to move is attacked."""
    me = I(state.player)
    return attacked(state, I(state.royal[me]), 1 - me)


@compiled
def on_altar(state: State, player: int) -> bool:
    """Whether a player's divine king stands on the enemy's altar."""
    royal = I(state.royal[player])
    return royal == I(ALTAR[1 - player]) and I(state.board[royal]) & (OWNER - 1) == DIVINE_KING


@compiled
def is_safe(state: State, origin: int, target: int) -> bool:
    """Whether the mover's royal piece is out of reach after a move; the board is as before when this returns."""
    piece, taken = state.board[origin], state.board[target]
    me = I(piece) // OWNER
    royal = I(state.royal[me])
    state.board[origin] = EMPTY
    state.board[target] = piece
    safe = not attacked(state, target if royal == origin else royal, 1 - me)
    state.board[origin] = piece
    state.board[target] = taken
    return safe


@compiled
def attacked(state: State, square: int, by: int) -> bool:
    """Whether a player's piece on the board could take on a square.

    The sets only say where to look: while a move is tried out, the board alone is right.
    """
    low, high = near_attackers(state, square, by)
    if (low | high) != ZERO:
        return True
    for word in range(2):
        left = LINES[square, word] & state.sliders[by, word]
        while left != ZERO:
            origin = lowest(left) + (word << 6)
            left = without_lowest(left)
            if slides_to(state, origin, square, by):
                return True
    return False


@compiled
def near_attackers(state: State, square: int, by: int) -> tuple[np.uint64, np.uint64]:
    """The pieces of a player that take on a square by a single step; two words."""
    low = high = ZERO
    for word in range(2):
        left = reach(I(0), I(JAGUAR), square, word) & state.pieces[by, word]
        while left != ZERO:
            origin = lowest(left) + (word << 6)
            here = left & ~(left - U64(1))
            left = without_lowest(left)
            piece = I(state.board[origin])
            kind = piece & (OWNER - 1)
            if piece // OWNER == by and kind <= WARRIOR and kind != DIVINE_KING:
                reached = reach(by, kind, origin, square >> 6)
                if (reached & bit(square & 63)) != ZERO:
                    if word == 0:
                        low |= here
                    else:
                        high |= here
    return low, high


@compiled
def slides_to(state: State, origin: int, square: int, by: int) -> bool:
    """Whether a player's sliding piece on `origin`, in line with the square, could take there."""
    piece = I(state.board[origin])
    if piece // OWNER != by:
        return False
    kind = piece & (OWNER - 1)
    direction = I(DIRECTION[origin, square])
    if kind == SERPENT and direction >= 4:
        return False
    if kind == DIVINE_KING and (reach(by, I(DIVINE_KING), origin, square >> 6) & bit(square & 63)) == ZERO:
        return False
    between = I(0)
    stride = STRIDE[direction]
    step = origin + stride
    while step != square:
        between += I(state.board[step] != EMPTY)
        step += stride
    return between == I(kind == QUETZAL)


@compiled
def line_from(square: int, direction: int, word: int) -> np.uint64:
    """One word of LINE, asked for here only as REACH is."""
    return LINE[direction, square, word]


@compiled
def lines_in_danger(state: State, royal: int, by: int) -> tuple[np.uint64, np.uint64]:
    """The lines through the royal piece on which an enemy slides, however many pieces stand between; two words."""
    low = high = ZERO
    low_sliders, high_sliders = state.sliders[by, 0], state.sliders[by, 1]
    if ((LINES[royal, 0] & low_sliders) | (LINES[royal, 1] & high_sliders)) != ZERO:
        for direction in range(8):
            low_line, high_line = line_from(royal, direction, I(0)), line_from(royal, direction, I(1))
            if ((low_line & low_sliders) | (high_line & high_sliders)) != ZERO:
                low |= low_line
                high |= high_line
    return low, high
