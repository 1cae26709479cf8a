"""Hexapawn: a place for every board, as the player to move sees it, read as a number in base three."""

from menagerie.kernel.bits import I
from menagerie.kernel.compiled import compiled
from menagerie.kernel.endgame import Part, before_type
from menagerie.kernel.state import State

from .rules import BLACK, SIZE, SQUARES, WHITE, has_broken_through

BEFORE = before_type(1)
BOARDS = 3**SQUARES


def parts() -> tuple[Part, ...]:
    """Every board."""
    return (Part("all", 0, BOARDS),)


@compiled
def place(state: State) -> int:
    """The first square is the lowest digit; the second player sees the board turned round, in other colours."""
    number = I(0)
    for index in range(SQUARES):
        square = SQUARES - 1 - index if state.player == 0 else index
        pawn = I(state.board[square])
        number = 3 * number + (pawn if state.player == 0 else (3 - pawn) % 3)
    return number


@compiled
def set_up(place: int, state: State) -> bool:
    """White to move; nobody has more than three pawns, and White has not yet won."""
    white, black = I(0), I(0)
    for square in range(SQUARES):
        pawn = place % 3
        place //= 3
        state.board[square] = pawn
        white += I(pawn == WHITE)
        black += I(pawn == BLACK)
    state.player = 0
    state.quiet = 0
    state.ply = 0
    return white <= SIZE and black <= SIZE and not has_broken_through(state, I(0))
