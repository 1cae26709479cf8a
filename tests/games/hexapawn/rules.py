"""Hexapawn: three pawns a side on nine squares; break through, or leave the enemy without a move."""

from dataclasses import dataclass

import numpy as np

from menagerie.game import Options, choice
from menagerie.kernel.bits import I
from menagerie.kernel.compiled import compiled
from menagerie.kernel.state import Actions, State, actions_type, end_turn, state_type

#   6 7 8    Black's home row        a square is 3 * row + file
#   3 4 5
#   0 1 2    White's home row
SIZE, SQUARES = 3, 9
EMPTY, WHITE, BLACK = range(3)
"""A square holds 1 + the player whose pawn stands there."""

MAX_LEGAL = 9
"""Three pawns, each straight on or to two sides."""
ACTION_COUNT = SQUARES * SQUARES
BROKEN_THROUGH, STUCK = I(0), I(1)


@dataclass(frozen=True)
class Rules(Options):
    """What players may agree on."""

    stuck: str = choice("loses", "wins", about="what becomes of a player who cannot move")


LOSES = I(0)

STATE = state_type(identity=[("board", np.uint8, SQUARES)], options=Rules.names())
ACTIONS = actions_type(MAX_LEGAL)


@compiled
def initial(state: State) -> None:
    """White below, Black above, an empty row between."""
    for square in range(SQUARES):
        state.board[square] = WHITE if square < SIZE else BLACK if square >= 2 * SIZE else EMPTY
    state.player = 0
    state.quiet = 0
    state.ply = 0


@compiled
def legal(state: State, actions: Actions) -> None:
    """Straight forward onto an empty square, diagonally forward onto an enemy."""
    actions.n = 0
    me = I(state.player)
    if has_broken_through(state, 1 - me):
        return
    for square in range(SQUARES):
        row = square // SIZE + 1 - 2 * me
        if state.board[square] == 1 + me and 0 <= row < SIZE:
            for file in range(max(0, square % SIZE - 1), min(SIZE, square % SIZE + 2)):
                wanted = EMPTY if file == square % SIZE else 2 - me
                if state.board[SIZE * row + file] == wanted:
                    actions.list[actions.n] = square * SQUARES + SIZE * row + file
                    actions.n += 1


@compiled
def play(state: State, action: int) -> None:
    """Every move is one that can never be undone."""
    state.board[action // SQUARES] = EMPTY
    state.board[action % SQUARES] = 1 + state.player
    end_turn(state)
    state.quiet = 0


@compiled
def outcome(state: State) -> tuple[int, int]:
    """The enemy has broken through, or the player to move is stuck."""
    me = I(state.player)
    if has_broken_through(state, 1 - me):
        return 1 - me, BROKEN_THROUGH
    return 1 - me if state.stuck == LOSES else me, STUCK


@compiled
def has_broken_through(state: State, player: int) -> bool:
    """Whether a player's pawn stands on the far row."""
    for file in range(SIZE):
        if state.board[2 * SIZE * (1 - player) + file] == 1 + player:
            return True
    return False


@compiled
def exchange(state: State) -> None:
    """Turn the board by half a circle and let the players change seats."""
    for square in range((SQUARES + 1) // 2):
        one, other = I(state.board[square]), I(state.board[SQUARES - 1 - square])
        state.board[square] = (3 - other) % 3
        state.board[SQUARES - 1 - square] = (3 - one) % 3
    state.player = 1 - state.player
