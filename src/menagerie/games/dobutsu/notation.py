"""Dōbutsu shōgi in text: positions like FEN with the hands in brackets, moves like b2b3 and C@b2, or Cb3 and C*b2."""

import re
from collections.abc import Sequence

from menagerie.diagram import Fields, read_board, write_board, write_counters
from menagerie.game import Board, Gesture, Kind, Piece, View, Zone
from menagerie.games.dobutsu import rules
from menagerie.games.dobutsu.rules import (
    CHICK,
    ELEPHANT,
    EMPTY,
    FAR_ROW,
    FILES,
    GIRAFFE,
    HEN,
    IN_HAND,
    LION,
    OWNER,
    RANKS,
    REACH,
    SQUARES,
    STEPS,
)
from menagerie.kernel.bits import bit
from menagerie.kernel.state import State
from menagerie.kernel.walk import after, legal_actions
from menagerie.shorthand import apart

PLAYERS = ("Sente", "Gote")
BOARD = Board(
    FILES,
    RANKS,
    zones=tuple(
        Zone(name, frozenset(square for square in range(SQUARES) if bit(square) & FAR_ROW[row]), "home")
        for name, row in (("Gote's home row", 0), ("Sente's home row", 1))
    ),
)
KIND = {
    kind: Kind(letter, name, name.lower(), about, dots=tuple(STEPS[kind]), is_royal=kind == LION)
    for kind, letter, name, about in (
        (LION, "L", "Lion", "steps one square in any direction; whoever takes it wins"),
        (ELEPHANT, "E", "Elephant", "steps one square diagonally"),
        (GIRAFFE, "G", "Giraffe", "steps one square forward, backward or sideways"),
        (CHICK, "C", "Chick", "steps one square forward; walking onto the far row it becomes a Hen"),
        (HEN, "H", "Hen", "steps one square in any direction but diagonally backward; taken, it is a Chick again"),
    )
}
MOST = {LION: 1, ELEPHANT: 2, GIRAFFE: 2, CHICK: 2}
"""How many of each there are (of lions, each side's own); a hen counts as a chick."""

LETTERS = {
    (letter if player == 0 else letter.lower()): kind + player * OWNER
    for player in range(2)
    for kind, letter in {LION: "L", ELEPHANT: "E", GIRAFFE: "G", CHICK: "C", HEN: "+C"}.items()
}
LETTER_OF = {piece: letter for letter, piece in LETTERS.items()}

STEP = re.compile(r"([a-c][1-4])([a-c][1-4])(\+?)")
DROP = re.compile(r"([LEGCH])[@*]([a-c][1-4])#?")
SHORT = re.compile(r"([LEGCH])([a-c]?[1-4]?)x?([a-c][1-4])(=H)?#?")


def read(text: str, state: State) -> None:
    """Write the position that a text like `gle/1c1/1C1/ELG[] w - - 0 1` describes into a state."""
    fields = Fields.of(text)
    board, bracket, hands = fields.string(0, "the board").partition("[")
    pieces = read_board(fields.until(0, "["), 0, BOARD, LETTERS)
    if bracket and not hands.endswith("]"):
        raise fields.fault(0, "the hands end with ]", len(board) + len(bracket) + len(hands))
    state.hand[:] = 0
    for at, letter in enumerate(hands[:-1], len(board) + 1):
        piece = LETTERS.get(letter, EMPTY)
        if piece % OWNER not in IN_HAND:
            raise fields.fault(0, f"{letter!r} cannot be in a hand", at)
        state.hand[piece // OWNER, IN_HAND.index(piece % OWNER)] += 1
    state.board[:] = EMPTY
    for square, piece in pieces.items():
        state.board[square] = piece
    state.player = fields.one_of(1, "the side to move", "wb")
    fields.counters(state)
    refuse_impossible(fields, state)
    rules.derive(state)


def refuse_impossible(fields: Fields, state: State) -> None:
    """No more pieces than there are, and lions as play can leave them."""
    pieces = [int(piece) for piece in state.board]
    for kind, most in MOST.items():
        if kind == LION:
            continue
        count = sum(piece % OWNER in (kind, HEN if kind == CHICK else kind) for piece in pieces)
        count += int(state.hand[:, IN_HAND.index(kind)].sum())
        if count > most:
            raise fields.fault(0, f"there are {count} {KIND[kind].name}s instead of at most {most}")
    lions = [pieces.count(LION), pieces.count(LION + OWNER)]
    me = int(state.player)
    if max(lions) > 1:
        raise fields.fault(0, f"{PLAYERS[lions.index(max(lions))]} has more than one Lion")
    if lions[1 - me] == 0:
        raise fields.fault(0, f"{PLAYERS[1 - me]} has no Lion, though {PLAYERS[me]} is to move")


def write(state: State) -> str:
    """The text of a position."""
    pieces = {square: LETTER_OF[int(piece)] for square, piece in enumerate(state.board) if piece != EMPTY}
    held = "".join(
        LETTER_OF[kind + player * OWNER] * int(state.hand[player, index])
        for player in range(2)
        for index, kind in enumerate(IN_HAND)
    )
    return f"{write_board(pieces, BOARD)}[{held}] {write_counters(state)}"


def view(state: State) -> View:
    """The pieces as people see them."""
    board = {
        square: Piece(int(piece) // OWNER, KIND[int(piece) % OWNER].letter)
        for square, piece in enumerate(state.board)
        if piece != EMPTY
    }
    first, second = (
        tuple((KIND[kind].letter, int(n)) for kind, n in zip(IN_HAND, held, strict=True) if n) for held in state.hand
    )
    return View(board, (first, second))


def code(state: State, action: int) -> str:
    """The machine form: b2b3, b3b4+, C@b2."""
    origin, target = divmod(action, SQUARES)
    if origin >= SQUARES:
        return f"{KIND[IN_HAND[origin - SQUARES]].letter}@{BOARD.name(target)}"
    return BOARD.name(origin) + BOARD.name(target) + ("+" if promotes(state, origin, target) else "")


def name(state: State, action: int) -> str:
    """The people's form: Cb3, Gxc3, C*b2, Cb4=H, with # when the game ends."""
    origin, target = divmod(action, SQUARES)
    end = "" if legal_actions(rules, after(rules, state, action)) else "#"
    if origin >= SQUARES:
        return f"{KIND[IN_HAND[origin - SQUARES]].letter}*{BOARD.name(target)}{end}"
    piece = int(state.board[origin])
    rivals = [
        other // SQUARES
        for other in legal_actions(rules, state)
        if other % SQUARES == target and other // SQUARES < SQUARES and state.board[other // SQUARES] == piece
    ]
    takes = "x" if state.board[target] != EMPTY else ""
    hen = "=H" if promotes(state, origin, target) else ""
    return f"{KIND[piece % OWNER].letter}{apart(origin, rivals, BOARD)}{takes}{BOARD.name(target)}{hen}{end}"


def promotes(state: State, origin: int, target: int) -> bool:
    """Whether a step makes a hen."""
    return bool(state.board[origin] % OWNER == CHICK and bit(target) & FAR_ROW[state.player])


def gesture(state: State, action: int) -> Gesture:
    """A step touches two squares, a drop a piece in hand and a square."""
    origin, target = divmod(action, SQUARES)
    if origin >= SQUARES:
        return Gesture((KIND[IN_HAND[origin - SQUARES]].letter, BOARD.name(target)), "drop")
    return Gesture((BOARD.name(origin), BOARD.name(target)), "capture" if state.board[target] else "move")


def refusal(state: State, text: str) -> str | None:
    """Why a move that reads like this is not legal."""
    if match := DROP.fullmatch(text):
        return refused_drop(state, match[1], BOARD.squares[match[2]])
    if match := STEP.fullmatch(text):
        return refused_step(state, BOARD.squares[match[1]], BOARD.squares[match[2]])
    if match := SHORT.fullmatch(text):
        return refused_short(state, match[1], match[2], match[3])
    return None


def wish(_: State, touches: Sequence[str]) -> str | None:
    """Two squares are a step, a letter in hand and a square a drop."""
    if len(touches) != 2:
        return None
    return ("" if touches[0] in BOARD.squares else "@").join(touches)


def refused_drop(state: State, letter: str, target: int) -> str:
    """Why a drop is not legal."""
    kind = next(kind for kind, known in KIND.items() if known.letter == letter)
    if kind not in IN_HAND:
        return f"a {KIND[kind].name} is never dropped"
    if not state.hand[state.player, IN_HAND.index(kind)]:
        return f"{PLAYERS[state.player]} has no {KIND[kind].name} in hand"
    if state.board[target] != EMPTY:
        return f"{BOARD.name(target)} is not empty"
    if not legal_actions(rules, state):
        return "the game is over"
    return f"the Chick dropped on {BOARD.name(target)} would be mate, which is forbidden"


def refused_step(state: State, origin: int, target: int) -> str:
    """Why a step between two squares is not legal."""
    me = int(state.player)
    piece = int(state.board[origin])
    if piece == EMPTY:
        return f"there is no piece on {BOARD.name(origin)}"
    kind = KIND[piece % OWNER].name
    if piece // OWNER != me:
        return f"the {kind} on {BOARD.name(origin)} is {PLAYERS[1 - me]}'s, and {PLAYERS[me]} is to move"
    if not legal_actions(rules, state):
        return "the game is over"
    if not REACH[me, piece % OWNER, origin] & bit(target):
        return f"a {kind} does not step from {BOARD.name(origin)} to {BOARD.name(target)}"
    if state.board[target] != EMPTY and state.board[target] // OWNER == me:
        return f"{PLAYERS[me]}'s own {KIND[int(state.board[target]) % OWNER].name} stands on {BOARD.name(target)}"
    return f"it is written {code(state, origin * SQUARES + target)}"


def refused_short(state: State, letter: str, hint: str, square: str) -> str:
    """Why a move in the people's form is not legal."""
    fitting = [
        action
        for action in legal_actions(rules, state)
        if action // SQUARES < SQUARES
        and BOARD.name(action % SQUARES) == square
        and KIND[int(state.board[action // SQUARES]) % OWNER].letter == letter
        and all(sign in BOARD.name(action // SQUARES) for sign in hint)
    ]
    if fitting:
        return f"it is written {' or '.join(name(state, action) for action in fitting)}"
    if not legal_actions(rules, state):
        return "the game is over"
    kind = next(known.name for known in KIND.values() if known.letter == letter)
    return f"{PLAYERS[state.player]} has no {kind} that steps to {square}"
