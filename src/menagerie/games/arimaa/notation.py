"""Arimaa in text: official step notation, and positions in three forms.

A position's canonical text is  `<g|s> <ranks 8 to 1> <turn number> <steps made this turn, or ->`.
"""

import re
from collections.abc import Sequence

from menagerie.diagram import Fields, read_board, write_board
from menagerie.errors import NotationError
from menagerie.game import Gesture, Piece, View
from menagerie.games.arimaa import rules
from menagerie.games.arimaa.pieces import (
    BOARD,
    DIRECTIONS,
    KIND,
    LETTERS,
    PLACEMENT,
    PLAYERS,
    REMOVAL,
    STEP,
    code,
    neighbours,
    pieces_of,
    step_items,
    trail,
)
from menagerie.games.arimaa.refusals import refusal, refused_step
from menagerie.games.arimaa.rules import ARMY, ARMY_SIZE, KINDS, PASS, PLACE, SIZE, SQUARES, STEPS_A_TURN, STRIDE, TRAPS
from menagerie.kernel.bits import I, bit
from menagerie.kernel.state import State, copy
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

SIDES = {"g": 0, "s": 1, "w": 0, "b": 1}
SHORT_FORM = re.compile(r"(?s)\s*(\d*)([gswb])\s*([^\[\]]*)\[([^\[\]]{64})\]\s*")
LONG_FORM = re.compile(r"(?s)\s*(\d*)([gswb])([^\n+]*)\n\s*\+-+\+\s*\n((?:\s*[1-8]\|[^\n]*\|?[^\n]*\n)+)\s*\+-+\+.*")

name = code


def read(text: str, state: State) -> None:
    """Write the position that a text describes into a state; any of the three forms, in the middle of a turn too."""
    side, board, number, steps = split(text)
    fields = Fields.of(text)
    rules.initial(state)
    state.setup = 0
    state.player = side
    state.ply = 2 * (number - 1) + side
    state.quiet = state.ply
    for square, piece in board.items():
        state.pieces[piece // KINDS, piece % KINDS] |= bit(square)
    rules.derive(state)
    refuse_impossible(fields, state)
    if number == 1:
        begin_setup(fields, state)
        if steps:
            raise fields.fault(3, "there are no steps before the second turn")
    elif steps:
        retrace(fields, state, steps)


def split(text: str) -> tuple[int, dict[int, int], int, list[str]]:
    """The parts of a position's text: side, board, turn number, steps made."""
    if "[" in text or "|" in text:
        return split_drawn(text)
    fields = Fields.of(text)
    side = fields.one_of(0, "the side to move", "gswb") % 2
    board = read_board(fields, 1, BOARD, {letter: piece for piece, letter in enumerate(LETTERS)})
    number = fields.number(2, "the turn number", 2)
    if number == 0:
        raise fields.fault(2, "turns are counted from 1")
    steps = fields.string(3, "the steps") if len(fields) > 3 else "-"
    fields.nothing_after(4)
    return side, board, number, [] if steps == "-" else steps.split(",")


def split_drawn(text: str) -> tuple[int, dict[int, int], int, list[str]]:
    """The parts of a position in the short form [64 signs] or drawn in a frame."""
    if match := SHORT_FORM.fullmatch(text):
        signs = match[4]
    elif match := LONG_FORM.fullmatch(text):
        rows = [row[row.index("|") + 1 :] for row in match[4].splitlines() if "|" in row]
        signs = "".join(row.ljust(2 * SIZE)[1 : 2 * SIZE : 2] for row in rows)
        if [row.strip()[0] for row in match[4].splitlines() if "|" in row] != list("87654321"):
            raise NotationError("the position", text, match.start(4), "the frame does not hold the rows 8 to 1")
    else:
        raise NotationError("the position", text, 0, "it is neither [64 signs] after a side nor a board in a frame")
    board = {}
    for index, sign in enumerate(signs):
        square = SIZE * (SIZE - 1 - index // SIZE) + index % SIZE
        if sign in LETTERS:
            board[square] = LETTERS.index(sign)
        elif sign not in " .xX":
            raise NotationError("the position", text, text.index(sign, match.start(4)), f"{sign!r} is no piece")
    if len(match[1]) > 8 or match[1] == "0":
        raise NotationError("the position", text, match.start(1), "turns are counted from 1")
    return SIDES[match[2]], board, int(match[1] or 2), match[3].split()


def refuse_impossible(fields: Fields, state: State) -> None:
    """No more pieces than an army has, and nobody on a trap who would have been lost."""
    for player in range(2):
        for kind in range(KINDS):
            count = int(state.pieces[player, kind]).bit_count()
            if count > ARMY[kind]:
                raise fields.fault(
                    1, f"{PLAYERS[player]} has {count} {KIND[kind].name}s instead of at most {ARMY[kind]}"
                )
        army = int(state.army[player])
        for trap in (square for square in range(SQUARES) if army & int(TRAPS) & ~neighbours(army) & 1 << square):
            reason = f"{PLAYERS[player]}'s piece on {BOARD.name(trap)} would be lost: no friend is beside it"
            raise fields.fault(1, reason)


def begin_setup(fields: Fields, state: State) -> None:
    """Turn 1 is the setup: the mover has filled some squares in order, Gold all of them before Silver begins."""
    me = int(state.player)
    done = int(state.army[me]).bit_count()
    in_order = sum(1 << rules.setup_square(me, count) for count in range(min(done, ARMY_SIZE)))
    other = [0, sum(1 << rules.setup_square(0, count) for count in range(ARMY_SIZE))][me]
    if done >= ARMY_SIZE or int(state.army[me]) != in_order or int(state.army[1 - me]) != other:
        raise fields.fault(1, "in turn 1 pieces are set up square by square, Gold's 16 first")
    state.setup = done + 1


def retrace(fields: Fields, state: State, steps: list[str]) -> None:
    """Make the steps of the turn again from the board before them, so that the state knows how it came about."""
    now = copy(state)
    for item in reversed(steps):
        take_back(fields, state, item)
    rules.derive(state)
    try:
        play_steps(state, [item for item in steps if not REMOVAL.fullmatch(item)])
    except NotationError as error:
        raise fields.fault(3, error.reason) from error
    if state.steps == 0 or state.pieces.tobytes() != now.pieces.tobytes():
        raise fields.fault(3, "the steps do not lead to this board within the turn")


def take_back(fields: Fields, state: State, item: str) -> None:
    """Undo a step or a removal on the board."""
    removal, made = REMOVAL.fullmatch(item), STEP.fullmatch(item)
    if not removal and not made:
        raise fields.fault(3, f"{item[:20]!r} is no step")
    match = removal or made
    assert match
    piece, square = LETTERS.index(match[1]), BOARD.squares[match[2]]
    pieces = state.pieces[piece // KINDS]
    if made:
        target = square + STRIDE[DIRECTIONS.index(made[3])]
        if not 0 <= target < SQUARES or not pieces[piece % KINDS] & bit(target):
            raise fields.fault(3, f"{item} cannot have led to this board")
        pieces[piece % KINDS] ^= bit(target)
    occupied = 0
    for player in range(2):
        for kind in range(KINDS):
            occupied |= int(state.pieces[player, kind])
    if occupied >> square & 1:
        raise fields.fault(3, f"{item} cannot have led to this board")
    pieces[piece % KINDS] |= bit(square)


def play_steps(state: State, items: Sequence[str]) -> None:
    """Play steps given by their texts; a NotationError says which is not legal."""
    for item in items:
        action = next((action for action in legal_actions(rules, state) if code(state, action) == item), None)
        if action is None:
            raise NotationError("the step", item, 0, f"{item} is not legal there: {refused_step(state, item)}")
        rules.play(state, action)


def write(state: State) -> str:
    """The canonical text of a position."""
    pieces = {square: LETTERS[piece] for square, piece in pieces_of(state).items()}
    steps = ",".join(item for made in trail(state) for item in step_items(made)) or "-"
    return f"{'gs'[state.player]} {write_board(pieces, BOARD)} {int(state.ply) // 2 + 1} {steps}"


def view(state: State) -> View:
    """The pieces as people see them."""
    board = {square: Piece(piece // KINDS, KIND[piece % KINDS].letter) for square, piece in pieces_of(state).items()}
    return View(board, ((), ()))


def gesture(state: State, action: int) -> Gesture:
    """A step touches two squares; a piece is set up by its letter and square."""
    if action >= PLACE:
        square = rules.setup_square(I(state.player), I(state.setup) - 1)
        return Gesture((KIND[action - int(PLACE)].letter, BOARD.name(square)), "drop")
    if action == PASS:
        return Gesture((), "pass")
    square = action >> 2
    is_own = rules.piece_on(state, square) // KINDS == state.player
    return Gesture((BOARD.name(square), BOARD.name(square + int(STRIDE[action & 3]))), "move" if is_own else "push")


def wish(state: State, touches: Sequence[str]) -> str | None:
    """A square and its neighbour are a step, a letter and a square a piece set up."""
    if len(touches) != 2:
        return None
    if touches[0] not in BOARD.squares:
        return (touches[0].lower() if state.player else touches[0]) + touches[1]
    square, target = (BOARD.squares[touch] for touch in touches)
    way = next((way for way in range(4) if square + int(STRIDE[way]) == target), None)
    if way is None or abs(square % SIZE - target % SIZE) > 1:
        return None
    return LETTERS[pieces_of(state).get(square, 0)] + touches[0] + DIRECTIONS[way]


def actions_left(state: State) -> int | None:
    """Four steps, or the pieces that are not set up yet."""
    return ARMY_SIZE + 1 - int(state.setup) if state.setup else STEPS_A_TURN - int(state.steps)


def turn_code(state: State, actions: Sequence[int]) -> str:
    """The steps of a turn with the removals after them; passed steps are absent."""
    state = copy(state)
    items = []
    for action in actions:
        if state.setup:
            items.append(code(state, action))
        elif action != PASS:
            done = copy(state)
            rules.step(done, action)
            items += step_items(trail(done)[-1])
        rules.play(state, action)
    return " ".join(items)


turn_name = turn_code


def read_turn(state: State, text: str) -> Sequence[int] | None:
    """The actions of the legal turn that a text means: steps, removals where written, or a whole setup."""
    if state.setup:
        return read_setup(state, text)
    mover, state = int(state.player), copy(state)
    actions: list[int] = []
    lost: list[str] = []
    for item in text.split():
        if int(state.player) != mover:
            if item in lost:
                continue
            return None
        if item in lost:
            lost.remove(item)
            continue
        action = next((action for action in legal_actions(rules, state) if code(state, action) == item), None)
        if action is None:
            return None
        if action != PASS:
            done = copy(state)
            rules.step(done, action)
            lost += step_items(trail(done)[-1])[1:]
        actions.append(action)
        rules.play(state, action)
    if int(state.player) == mover:
        if PASS not in legal_actions(rules, state):
            return None
        actions.append(int(PASS))
    return actions


def read_setup(state: State, text: str) -> Sequence[int] | None:
    """The rest of a setup, its pieces in any order."""
    placed: dict[int, int] = {}
    for item in text.split():
        match = PLACEMENT.fullmatch(item)
        if not match or LETTERS.index(match[1]) // KINDS != state.player:
            return None
        placed[BOARD.squares[match[2]]] = LETTERS.index(match[1]) % KINDS
    squares = [rules.setup_square(I(state.player), I(n)) for n in range(int(state.setup) - 1, ARMY_SIZE)]
    if sorted(placed) != sorted(squares) or len(text.split()) != len(placed):
        return None
    actions = [int(PLACE) + placed[square] for square in squares]
    state = copy(state)
    for action in actions:
        if action not in legal_actions(rules, state):
            return None
        rules.play(state, action)
    return actions
