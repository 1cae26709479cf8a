"""Checkers in text: positions as in PDN with T for triple kings, like `B:W5,K12,T14:B22,T29:H0:F1`."""

import re
from collections.abc import Sequence

from menagerie.diagram import Fields
from menagerie.game import Gesture, Piece, View
from menagerie.games.checkers import rules
from menagerie.games.checkers.pieces import KIND, ON_BOARD, PLAYERS, PREFIX, stands, stones, takes
from menagerie.games.checkers.refusals import refusal
from menagerie.games.checkers.rules import FAR_ROW, MAN, NOWHERE, NUMBERS, PIECES, SQUARES, TRIPLE
from menagerie.games.checkers.turns import read_turn, turn_code, turn_name
from menagerie.kernel.bits import ZERO, bit, popcount
from menagerie.kernel.state import State
from menagerie.kernel.walk import legal_actions

__all__ = [
    "actions_left",
    "code",
    "gesture",
    "name",
    "read",
    "read_turn",
    "refusal",
    "turn_code",
    "turn_name",
    "view",
    "wish",
    "write",
]

SIDES = ("B", "W")
ITEM = re.compile(r"([KT]?)([0-9]{1,2})(?:-([0-9]{1,2}))?")


def read(text: str, state: State) -> None:
    """Write the position that a text like `B:W5,K12:B22,T29:H0:F1` describes into a state."""
    fields, index = split(text)
    state.pieces[:] = state.kings = state.triples = ZERO
    for player, side in enumerate(SIDES):
        if side not in index:
            raise fields.fault(len(fields), f"the list of {PLAYERS[player]}'s pieces is missing")
        read_pieces(fields, index[side], player, state)
    state.player = SIDES.index(text[0])
    state.quiet = fields.number(index.get("H", len(fields)), "the ply counter", 0)
    turn = fields.number(index.get("F", len(fields)), "the number of the turn", 1)
    if turn == 0:
        raise fields.fault(index["F"], "turns are counted from 1")
    state.ply = 2 * (turn - 1) + int(state.player)
    state.jumper = NOWHERE
    if "C" in index:
        read_jumper(fields, index["C"], state)


def split(text: str) -> tuple[Fields, dict[str, int]]:
    """The fields of a text less their first letters, and which of them begins with which letter."""
    parts, index, at = [], {}, 0
    for count, part in enumerate(text.split(":")):
        parts.append((part[1:], at + 1))
        letter, known = part[:1], SIDES if count == 0 else (*SIDES, "H", "F", "C")
        fields = Fields(text, tuple(parts))
        if letter not in known:
            raise fields.fault(count, f"{letter!r} stands where one of {', '.join(known)} should", -1)
        if letter in index:
            raise fields.fault(count, f"there are two fields {letter}", -1)
        if count == 0 and part != letter:
            raise fields.fault(count, "a colon follows the side to move")
        if count > 0:
            index[letter] = count
        at += len(part) + 1
    return fields, index


def read_pieces(fields: Fields, field: int, player: int, state: State) -> None:
    """Put the pieces of one list on the board."""
    listed, at = fields.parts[field][0], 0
    for item in listed.split(",") if listed else ():
        match = ITEM.fullmatch(item)
        if not match:
            raise fields.fault(field, f"{item!r} is no piece like 5, K12 or T29, and no range like 1-12", at)
        first, last = int(match[2]), int(match[3] or match[2])
        if not 1 <= first <= last <= NUMBERS:
            raise fields.fault(field, f"{item} is not within the squares 1 to {NUMBERS}", at)
        rank = next(rank for rank, prefix in PREFIX.items() if prefix == match[1])
        for number in range(first - 1, last):
            if reason := refused_piece(state, number, player, rank):
                raise fields.fault(field, reason, at)
            put(state, number, player, rank)
        at += len(item) + 1


def refused_piece(state: State, number: int, player: int, rank: int) -> str | None:
    """Why a piece cannot stand on a square."""
    here = bit(SQUARES[number])
    if (state.pieces[0] | state.pieces[1]) & here:
        return f"there are two pieces on {number + 1}"
    if rank == MAN and here & FAR_ROW[player]:
        return f"{PLAYERS[player]}'s Man on {number + 1}, on its far row, would be a King"
    if popcount(state.pieces[player]) == PIECES:
        return f"{PLAYERS[player]} has more than {PIECES} pieces"
    return None


def put(state: State, number: int, player: int, rank: int) -> None:
    """Put a piece on a square."""
    here = bit(SQUARES[number])
    state.pieces[player] |= here
    if rank != MAN:
        state.kings |= here
    if rank == TRIPLE:
        state.triples |= here


def read_jumper(fields: Fields, field: int, state: State) -> None:
    """Note the piece that is in the middle of a capture."""
    number = fields.number(field, "the square of the capturing piece", 0) - 1
    stone = stands(state, number)
    if stone is None or stone.player != state.player:
        raise fields.fault(field, f"{PLAYERS[state.player]} has no piece on {number + 1}")
    if not rules.can_jump(state, bit(SQUARES[number])):
        raise fields.fault(field, f"the piece on {number + 1} has nothing to capture")
    state.jumper = SQUARES[number]


def write(state: State) -> str:
    """The text of a position."""
    lists: tuple[list[str], list[str]] = ([], [])
    for number, stone in stones(state).items():
        lists[stone.player].append(f"{PREFIX[stone.rank]}{number + 1}")
    black, white = (",".join(listed) for listed in lists)
    jumper = "" if state.jumper == NOWHERE else f":C{SQUARES.index(int(state.jumper)) + 1}"
    return f"{SIDES[state.player]}:W{white}:B{black}:H{state.quiet}:F{int(state.ply) // 2 + 1}{jumper}"


def view(state: State) -> View:
    """The pieces as people see them."""
    board = {ON_BOARD[number]: Piece(stone.player, KIND[stone.rank].letter) for number, stone in stones(state).items()}
    return View(board, ((), ()))


def code(state: State, action: int) -> str:
    """The form of an action, for people and machines: 21-17, 29x18."""
    return turn_code(state, (action,))


name = code


def wish(state: State, touches: Sequence[str]) -> str | None:
    """Two squares are a move or a jump."""
    if len(touches) != 2:
        return None
    action = (int(touches[0]) - 1) * NUMBERS + int(touches[1]) - 1
    takes_some = action in legal_actions(rules, state) and takes(state, action)
    return ("x" if takes_some else "-").join(touches)


def actions_left(_: State) -> int | None:
    """A capture goes on as long as it can."""
    return None


def gesture(state: State, action: int) -> Gesture:
    """Every action touches two squares."""
    touches = (str(action // NUMBERS + 1), str(action % NUMBERS + 1))
    return Gesture(touches, "capture" if takes(state, action) else "move")
