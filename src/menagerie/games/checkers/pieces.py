"""The pieces and squares of checkers in names and numbers."""

from typing import NamedTuple

from menagerie.game import Board, Kind, Zone
from menagerie.games.checkers.rules import BETWEEN, COLUMNS, KING, MAN, ROWS, SQUARES, TRIPLE
from menagerie.kernel.bits import popcount
from menagerie.kernel.state import State

PLAYERS = ("Black", "White")
KIND = {
    MAN: Kind("M", "Man", "man", "goes and captures diagonally forward; on the far row it becomes a King"),
    KING: Kind(
        "K", "King", "king", "goes one square, captures over one enemy from afar; home again it becomes a Triple King"
    ),
    TRIPLE: Kind(
        "T", "Triple King", "triple_king", "a King who also jumps over a friend, or over two enemies in a row"
    ),
}
PREFIX = {MAN: "", KING: "K", TRIPLE: "T"}

CELLS = [(row, 2 * column + 1 - row % 2) for row in range(ROWS) for column in range(COLUMNS)]
"""Row and column of each square, from 0 at the top left. Numbers are from 0 too, but texts count them from 1."""
ON_BOARD = [ROWS * (ROWS - 1 - row) + column for row, column in CELLS]
"""Where each number lies on the whole board, light squares and all, counted from the bottom left."""
BOARD = Board(
    files=ROWS,
    ranks=ROWS,
    zones=(Zone("dark squares", frozenset(ON_BOARD), "dark"),),
    labels=tuple((square, str(number + 1)) for number, square in enumerate(ON_BOARD)),
)


class Stone(NamedTuple):
    """A piece on the board: whose, and its rank."""

    player: int
    rank: int

    def __str__(self) -> str:
        return f"{PLAYERS[self.player]}'s {KIND[self.rank].name}"


def stones(state: State) -> dict[int, Stone]:
    """Every occupied square with its piece."""
    black, white = (int(squares) for squares in state.pieces)
    kings, triples = int(state.kings), int(state.triples)
    found = {}
    for number, square in enumerate(SQUARES):
        here = 1 << square
        if (black | white) & here:
            rank = TRIPLE if triples & here else KING if kings & here else MAN
            found[number] = Stone(1 if white & here else 0, rank)
    return found


def stands(state: State, number: int) -> Stone | None:
    """The piece on a square."""
    return stones(state).get(number)


def takes(state: State, action: int) -> int:
    """How many enemies stand between the two squares of an action."""
    return int(popcount(BETWEEN[action] & state.pieces[1 - state.player]))
