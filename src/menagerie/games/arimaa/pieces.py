"""Arimaa's pieces, squares and steps in letters."""

import re

from menagerie.game import Board, Kind, Zone
from menagerie.games.arimaa import rules
from menagerie.games.arimaa.rules import (
    CAMEL,
    CAT,
    DOG,
    ELEPHANT,
    HORSE,
    KINDS,
    LOST,
    MOVER,
    PASS,
    PLACE,
    RABBIT,
    SIZE,
    SQUARES,
    TRAP_OF,
    TRAPS,
)
from menagerie.kernel.bits import U64, I, bit
from menagerie.kernel.state import State

PLAYERS = ("Gold", "Silver")
BOARD = Board(
    SIZE,
    SIZE,
    zones=(
        Zone("goal row", frozenset(range(SIZE)) | frozenset(range(SQUARES - SIZE, SQUARES)), "home"),
        Zone("trap", frozenset(square for square in range(SQUARES) if bit(square) & TRAPS), "danger"),
    ),
)
KIND = {
    RABBIT: Kind("R", "Rabbit", "rabbit", "steps forward or sideways; on the far row at the end of a turn it wins"),
    CAT: Kind("C", "Cat", "cat", "steps in four directions; stronger than a Rabbit"),
    DOG: Kind("D", "Dog", "dog", "steps in four directions; stronger than Cat and Rabbit"),
    HORSE: Kind("H", "Horse", "horse", "steps in four directions; stronger than Dog, Cat and Rabbit"),
    CAMEL: Kind("M", "Camel", "camel", "steps in four directions; only the Elephant is stronger"),
    ELEPHANT: Kind("E", "Elephant", "elephant", "steps in four directions; the strongest of all"),
}
KIND_OF = {known.letter: kind for kind, known in KIND.items()}
LETTERS = "".join(KIND[kind].letter for kind in range(KINDS))
LETTERS += LETTERS.lower()
"""The letter of a piece, by its number 6 * player + kind."""
DIRECTIONS = "nesw"

STEP = re.compile(r"([RCDHMErcdhme])([a-h][1-8])([nesw])")
PLACEMENT = re.compile(r"([RCDHMErcdhme])([a-h][1-8])")
REMOVAL = re.compile(r"([RCDHMErcdhme])([a-h][1-8])x")


def code(state: State, action: int) -> str:
    """A step like Ee2n, a piece set up like Ra1, or pass."""
    if action >= PLACE:
        square = rules.setup_square(I(state.player), I(state.setup) - 1)
        return LETTERS[action - PLACE + KINDS * int(state.player)] + BOARD.name(square)
    if action == PASS:
        return "pass"
    return f"{LETTERS[rules.piece_on(state, action >> 2)]}{BOARD.name(action >> 2)}{DIRECTIONS[action & 3]}"


def pieces_of(state: State) -> dict[int, int]:
    """The piece on each occupied square, as 6 * player + kind."""
    found = {}
    for piece in range(2 * KINDS):
        left = int(state.pieces[piece // KINDS, piece % KINDS])
        for square in range(SQUARES):
            if left >> square & 1:
                found[square] = piece
    return found


def trail(state: State) -> list[int]:
    """The steps made in this turn, as the state notes them."""
    return [int(made) for made in state.trail[: int(state.steps)]]


def step_items(made: int) -> list[str]:
    """A step as written, and the removal it caused."""
    items = [f"{LETTERS[(made >> MOVER & 15) - 1]}{BOARD.name(made >> 2 & 63)}{DIRECTIONS[made & 3]}"]
    if made >> LOST & 15:
        items.append(f"{LETTERS[(made >> LOST & 15) - 1]}{BOARD.name(made >> TRAP_OF & 63)}x")
    return items


def neighbours(squares: int) -> int:
    """The squares beside those of a set; Python's own numbers, which have no sign to lose."""
    return int(rules.beside(U64(squares)))


def whose(piece: int) -> str:
    """A piece in words."""
    return f"{PLAYERS[piece // KINDS]}'s {KIND[piece % KINDS].name}"
