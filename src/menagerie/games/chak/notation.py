"""Chak in text: positions like FEN with +K and +P for the promoted, moves like e4d5 and e4e5+, or Jf9 and Ke5=D."""

import re
from collections.abc import Sequence

from menagerie.diagram import Fields, read_board, write_board, write_counters
from menagerie.game import Board, Gesture, Kind, Piece, View, Zone
from menagerie.games.chak import rules
from menagerie.games.chak.rules import (
    ALTAR,
    COMMITTED,
    DIVINE_KING,
    EMPTY,
    JAGUAR,
    KING,
    OFFERING,
    OWNER,
    PAWN,
    QUETZAL,
    RIVER,
    SERPENT,
    SHAMAN,
    SIZE,
    SQUARES,
    VULTURE,
    WARRIOR,
    beyond,
)
from menagerie.kernel.bits import I
from menagerie.kernel.state import State, copy
from menagerie.kernel.walk import after, legal_actions
from menagerie.shorthand import apart

PLAYERS = ("White", "Green")
TEMPLES = frozenset(SIZE * rank + file for rank in (0, 1, 2, 6, 7, 8) for file in (3, 4, 5))
BOARD = Board(
    SIZE,
    SIZE,
    zones=(
        Zone("river", frozenset(range(RIVER * SIZE, (RIVER + 1) * SIZE)), "water"),
        Zone("temple", TEMPLES, "stone"),
        Zone("altar", frozenset(int(square) for square in ALTAR), "gold"),
    ),
)
KIND = {
    KING: Kind(
        "K", "King", "king", "steps one square in any direction; at the river it becomes a Divine King", is_royal=True
    ),
    DIVINE_KING: Kind(
        "D",
        "Divine King",
        "divine_king",
        "slides one or two squares in any direction, never back across the river; on the enemy's altar it wins",
        is_royal=True,
    ),
    JAGUAR: Kind("J", "Jaguar", "jaguar", "moves like a chess knight or one step in any direction"),
    QUETZAL: Kind(
        "Q", "Quetzal", "quetzal", "jumps over exactly one piece on a straight or diagonal line, then goes on freely"
    ),
    SHAMAN: Kind("S", "Shaman", "shaman", "steps one square diagonally or straight forward or backward"),
    VULTURE: Kind("V", "Vulture", "vulture", "jumps like a chess knight"),
    SERPENT: Kind("R", "Serpent", "serpent", "slides straight like a chess rook"),
    PAWN: Kind(
        "P",
        "Pawn",
        "pawn",
        "steps one square forward or sideways, takes one square diagonally forward; at the river it becomes a Warrior",
    ),
    WARRIOR: Kind("W", "Warrior", "warrior", "moves like a Shaman, never back across the river"),
    OFFERING: Kind("O", "Offering", "offering", "never moves; it may be taken"),
}
MOST = {JAGUAR: 1, QUETZAL: 1, SHAMAN: 2, VULTURE: 2, SERPENT: 2, PAWN: 5, OFFERING: 1}
"""How many of each a side has at the start; warriors count as pawns."""

CANONICAL = {kind: known.letter for kind, known in KIND.items()} | {DIVINE_KING: "+K", WARRIOR: "+P"}
LETTER_OF = {
    kind + player * OWNER: letter if player == 0 else letter.lower()
    for player in range(2)
    for kind, letter in CANONICAL.items()
}
LETTERS = {letter: piece for piece, letter in LETTER_OF.items()} | {
    "D": DIVINE_KING,
    "W": WARRIOR,
    "d": DIVINE_KING + OWNER,
    "w": WARRIOR + OWNER,
}

MOVE = re.compile(r"([a-i][1-9])([a-i][1-9])(\+?)")
SHORT = re.compile(r"([KDJQSVRPWO]?)([a-i]?[1-9]?)x?([a-i][1-9])(=[DW])?[+#]?")


def read(text: str, state: State) -> None:
    """Write the position that a text like `4k4/4o4/9/…/9/4O4/4K4 w - - 0 1` describes into a state."""
    fields = Fields.of(text)
    state.board[:] = EMPTY
    for square, piece in read_board(fields, 0, BOARD, LETTERS).items():
        state.board[square] = piece
    state.player = fields.one_of(1, "the side to move", "wb")
    fields.counters(state)
    for player in range(2):
        refuse_impossible(fields, state, player)
    rules.derive(state)
    me = int(state.player)
    if rules.on_altar(state, me):
        raise fields.fault(0, f"{PLAYERS[me]} stands on the altar and has won, though {PLAYERS[me]} is to move")
    if rules.attacked(state, I(state.royal[1 - me]), me):
        raise fields.fault(0, f"{PLAYERS[me]}, who is to move, could take {PLAYERS[1 - me]}'s royal piece")


def refuse_impossible(fields: Fields, state: State, player: int) -> None:
    """One royal piece a side, no more of a kind than at the start, everything where it can come to."""
    kinds = [int(piece) % OWNER if piece and piece // OWNER == player else EMPTY for piece in state.board]
    if kinds.count(KING) + kinds.count(DIVINE_KING) != 1:
        raise fields.fault(0, f"{PLAYERS[player]} has not exactly one King or Divine King")
    for kind, most in MOST.items():
        count = kinds.count(kind) + (kinds.count(WARRIOR) if kind == PAWN else 0)
        if count > most:
            raise fields.fault(0, f"{PLAYERS[player]} has {count} {KIND[kind].name}s instead of at most {most}")
    for square, kind in enumerate(kinds):
        if kind in COMMITTED and not beyond(player, square // SIZE):
            raise fields.fault(0, f"{PLAYERS[player]}'s {KIND[kind].name} cannot come to {BOARD.name(square)}")
        if kind == OFFERING and square != ALTAR[player]:
            raise fields.fault(0, f"{PLAYERS[player]}'s Offering never leaves {BOARD.name(int(ALTAR[player]))}")


def write(state: State) -> str:
    """The text of a position."""
    pieces = {square: LETTER_OF[int(piece)] for square, piece in enumerate(state.board) if piece != EMPTY}
    return f"{write_board(pieces, BOARD)} {write_counters(state)}"


def view(state: State) -> View:
    """The pieces as people see them."""
    board = {
        square: Piece(int(piece) // OWNER, KIND[int(piece) % OWNER].letter)
        for square, piece in enumerate(state.board)
        if piece != EMPTY
    }
    return View(board, ((), ()))


def code(state: State, action: int) -> str:
    """The machine form: e4d5, e4e5+."""
    origin, target = divmod(action, SQUARES)
    return BOARD.name(origin) + BOARD.name(target) + ("+" if promotes(state, origin, target) else "")


def name(state: State, action: int) -> str:
    """The people's form: Jf9, Rxe8, cxd5=W, with + for check and # when the game ends."""
    origin, target = divmod(action, SQUARES)
    piece = int(state.board[origin])
    rivals = [
        other // SQUARES
        for other in legal_actions(rules, state)
        if other % SQUARES == target and state.board[other // SQUARES] == piece
    ]
    is_pawn, takes = piece % OWNER == PAWN, state.board[target] != EMPTY
    told_apart = BOARD.name(origin)[0] if is_pawn and takes else apart(origin, rivals, BOARD)
    letter = "" if is_pawn else KIND[piece % OWNER].letter
    promotion = ("=W" if is_pawn else "=D") if promotes(state, origin, target) else ""
    following = after(rules, state, action)
    sign = "#" if not legal_actions(rules, following) else "+" if rules.check(following) else ""
    return f"{letter}{told_apart}{'x' if takes else ''}{BOARD.name(target)}{promotion}{sign}"


def promotes(state: State, origin: int, target: int) -> bool:
    """Whether a move takes a king or a pawn to the river."""
    return state.board[origin] % OWNER in (KING, PAWN) and beyond(int(state.player), target // SIZE)


def gesture(state: State, action: int) -> Gesture:
    """Every move touches two squares."""
    origin, target = divmod(action, SQUARES)
    return Gesture((BOARD.name(origin), BOARD.name(target)), "capture" if state.board[target] else "move")


def refusal(state: State, text: str) -> str | None:
    """Why a move that reads like this is not legal."""
    if match := MOVE.fullmatch(text):
        return refused_move(state, BOARD.squares[match[1]], BOARD.squares[match[2]])
    if match := SHORT.fullmatch(text):
        return refused_short(state, match[1] or "P", match[2], BOARD.squares[match[3]])
    return None


def wish(_: State, touches: Sequence[str]) -> str | None:
    """Two squares are a move."""
    return "".join(touches) if len(touches) == 2 else None


def refused_move(state: State, origin: int, target: int) -> str:
    """Why a move between two squares is not legal."""
    me = int(state.player)
    piece, there = int(state.board[origin]), int(state.board[target])
    if piece == EMPTY:
        return f"there is no piece on {BOARD.name(origin)}"
    kind = KIND[piece % OWNER].name
    if piece // OWNER != me:
        return f"the {kind} on {BOARD.name(origin)} is {PLAYERS[1 - me]}'s, and {PLAYERS[me]} is to move"
    if not legal_actions(rules, state):
        return "the game is over"
    if there != EMPTY and there // OWNER == me:
        return f"{PLAYERS[me]}'s own {KIND[there % OWNER].name} stands on {BOARD.name(target)}"
    if not goes(state, origin, target):
        return refused_way(state, origin, target)
    if attacker := attacker_after(state, origin, target):
        return f"{PLAYERS[me]}'s royal piece could then be taken by {attacker}"
    return f"it is written {code(state, origin * SQUARES + target)}"


def refused_way(state: State, origin: int, target: int) -> str:
    """Why a piece cannot go that way."""
    kind, me = int(state.board[origin]) % OWNER, int(state.player)
    if kind == OFFERING:
        return "an Offering never moves"
    if kind in COMMITTED and not beyond(me, target // SIZE):
        return f"a {KIND[kind].name} never goes back across the river"
    return f"the {KIND[kind].name} on {BOARD.name(origin)} does not go to {BOARD.name(target)}: it {KIND[kind].about}"


def refused_short(state: State, letter: str, hint: str, target: int) -> str:
    """Why a move in the people's form is not legal."""
    me = int(state.player)
    origins = [
        square
        for square, piece in enumerate(state.board)
        if piece != EMPTY
        and piece // OWNER == me
        and KIND[int(piece) % OWNER].letter == letter
        and all(sign in BOARD.name(square) for sign in hint)
    ]
    actions = set(legal_actions(rules, state))
    fitting = [origin * SQUARES + target for origin in origins if origin * SQUARES + target in actions]
    if fitting:
        return f"it is written {' or '.join(name(state, action) for action in fitting)}"
    if len(origins) == 1:
        return refused_move(state, origins[0], target)
    kind = next(known.name for known in KIND.values() if known.letter == letter)
    return f"{PLAYERS[me]} has no {kind} that may go to {BOARD.name(target)}"


def goes(state: State, origin: int, target: int) -> bool:
    """Whether the piece on a square moves to another, never mind the royal piece."""
    low, high = rules.targets(state, I(origin), I(state.player))
    return bool((int(low) | int(high) << 64) >> target & 1)


def attacker_after(state: State, origin: int, target: int) -> str | None:
    """The enemy piece that could take the mover's royal piece after a move, in words."""
    me = int(state.player)
    following = copy(state)
    rules.play(following, I(origin * SQUARES + target))
    royal = int(following.royal[me])
    for square, piece in enumerate(following.board):
        if piece != EMPTY and piece // OWNER != me and goes(following, square, royal):
            return f"the {KIND[int(piece) % OWNER].name} on {BOARD.name(square)}"
    return None
