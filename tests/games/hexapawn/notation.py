"""Hexapawn in text: positions like `ppp/3/PPP w 1`, moves like a1a2 or axb2."""

import re
from collections.abc import Sequence

from menagerie.diagram import Fields, read_board, write_board
from menagerie.game import Board, Gesture, Kind, Piece, View, Zone
from menagerie.kernel.state import State
from menagerie.kernel.walk import after, legal_actions

from . import rules
from .rules import BLACK, EMPTY, SIZE, SQUARES, WHITE

PLAYERS = ("White", "Black")
BOARD = Board(SIZE, SIZE, zones=(Zone("home rows", frozenset({0, 1, 2, 6, 7, 8}), "home"),))
PAWN = Kind("P", "Pawn", "pawn", "steps one square forward, takes one square diagonally forward")
LETTERS = {"P": WHITE, "p": BLACK}
MOVE = re.compile(r"([a-c][1-3])([a-c][1-3])")


def read(text: str, state: State) -> None:
    """Write the position that a text describes into a state."""
    fields = Fields.of(text)
    state.board[:] = EMPTY
    for square, piece in read_board(fields, 0, BOARD, LETTERS).items():
        state.board[square] = piece
    state.player = fields.one_of(1, "the side to move", "wb")
    move = fields.number(2, "the move number", 1)
    if move == 0:
        raise fields.fault(2, "moves are counted from 1")
    fields.nothing_after(3)
    state.ply = 2 * (move - 1) + int(state.player)
    for player in range(2):
        if sum(piece == 1 + player for piece in state.board) > SIZE:
            raise fields.fault(0, f"{PLAYERS[player]} has more than {SIZE} pawns")
    if rules.has_broken_through(state, int(state.player)):
        raise fields.fault(0, f"{PLAYERS[state.player]} is to move and has broken through already")


def write(state: State) -> str:
    """The text of a position."""
    pieces = {square: "Pp"[int(piece) - 1] for square, piece in enumerate(state.board) if piece != EMPTY}
    return f"{write_board(pieces, BOARD)} {'wb'[state.player]} {int(state.ply) // 2 + 1}"


def view(state: State) -> View:
    """The pieces as people see them."""
    board = {square: Piece(int(piece) - 1, PAWN.letter) for square, piece in enumerate(state.board) if piece != EMPTY}
    return View(board, ((), ()))


def code(_: State, action: int) -> str:
    """The machine form: both squares."""
    return BOARD.name(action // SQUARES) + BOARD.name(action % SQUARES)


def name(state: State, action: int) -> str:
    """The people's form: a2, axb2, with # when the game ends."""
    origin, target = BOARD.name(action // SQUARES), BOARD.name(action % SQUARES)
    end = "" if legal_actions(rules, after(rules, state, action)) else "#"
    return (target if origin[0] == target[0] else f"{origin[0]}x{target}") + end


def gesture(state: State, action: int) -> Gesture:
    """Every move touches two squares."""
    touches = (BOARD.name(action // SQUARES), BOARD.name(action % SQUARES))
    return Gesture(touches, "capture" if state.board[action % SQUARES] != EMPTY else "move")


def wish(_: State, touches: Sequence[str]) -> str | None:
    """Two squares are a move."""
    return "".join(touches) if len(touches) == 2 else None


def refusal(state: State, text: str) -> str | None:
    """Why a move between two squares is not legal."""
    match = MOVE.fullmatch(text)
    if not match:
        return None
    if state.board[BOARD.squares[match[1]]] != 1 + state.player:
        return f"{PLAYERS[state.player]} has no pawn on {match[1]}"
    if not legal_actions(rules, state):
        return "the game is over"
    return f"a pawn does not go from {match[1]} to {match[2]}: it {PAWN.about}"
