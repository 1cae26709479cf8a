"""Arimaa in text: official step notation, positions in three forms, and whole game files.

A position's canonical text is  `<g|s> <ranks 8 to 1> <turn number> <steps made this turn, or ->`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from menagerie.diagram import Fields, read_board, write_board
from menagerie.errors import NotationError, RecordError
from menagerie.game import Board, Gesture, Kind, Piece, View, Zone
from menagerie.games.arimaa import rules
from menagerie.games.arimaa.rules import (
    ARMY,
    ARMY_SIZE,
    BACKWARD,
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
    STEPS_A_TURN,
    STRIDE,
    TRAP_OF,
    TRAPS,
)
from menagerie.kernel.bits import U64, I, bit
from menagerie.kernel.state import State, copy
from menagerie.kernel.walk import legal_actions

PLAYERS = ("Gold", "Silver")
BOARD = Board(
    SIZE,
    SIZE,
    zones=(
        Zone("goal row", frozenset(range(SIZE)) | frozenset(range(SQUARES - SIZE, SQUARES)), "home"),
        Zone("trap", frozenset(square for square in range(SQUARES) if bit(square) & TRAPS), "stone"),
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
SIDES = {"g": 0, "s": 1, "w": 0, "b": 1}
DIRECTIONS = "nesw"

STEP = re.compile(r"([RCDHMErcdhme])([a-h][1-8])([nesw])")
PLACEMENT = re.compile(r"([RCDHMErcdhme])([a-h][1-8])")
REMOVAL = re.compile(r"([RCDHMErcdhme])([a-h][1-8])x")
LABEL = re.compile(r"(\d+)([gswb])")
SHORT_FORM = re.compile(r"(?s)\s*(\d*)([gswb])\s*([^\[\]]*)\[([^\[\]]{64})\]\s*")
LONG_FORM = re.compile(r"(?s)\s*(\d*)([gswb])([^\n+]*)\n\s*\+-+\+\s*\n((?:\s*[1-8]\|[^\n]*\|?[^\n]*\n)+)\s*\+-+\+.*")


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


def neighbours(squares: int) -> int:
    """The squares beside those of a set; Python's own numbers, which have no sign to lose."""
    return int(rules.beside(U64(squares)))


def write(state: State) -> str:
    """The canonical text of a position."""
    pieces = {square: LETTERS[piece] for square, piece in pieces_of(state).items()}
    steps = ",".join(item for made in trail(state) for item in step_items(made)) or "-"
    return f"{'gs'[state.player]} {write_board(pieces, BOARD)} {int(state.ply) // 2 + 1} {steps}"


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


def view(state: State) -> View:
    """The pieces as people see them."""
    board = {square: Piece(piece // KINDS, KIND[piece % KINDS].letter) for square, piece in pieces_of(state).items()}
    return View(board, ((), ()))


def code(state: State, action: int) -> str:
    """A step like Ee2n, a piece set up like Ra1, or pass."""
    if action >= PLACE:
        square = rules.setup_square(I(state.player), I(state.setup) - 1)
        return LETTERS[action - PLACE + KINDS * int(state.player)] + BOARD.name(square)
    if action == PASS:
        return "pass"
    return f"{LETTERS[rules.piece_on(state, action >> 2)]}{BOARD.name(action >> 2)}{DIRECTIONS[action & 3]}"


name = code


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


def refusal(state: State, text: str) -> str | None:
    """Why a turn that reads like this is not legal; the first step that fails says it."""
    items = text.split()
    patterns = (STEP, REMOVAL, PLACEMENT)
    if not items or not all(item == "pass" or any(p.fullmatch(item) for p in patterns) for item in items):
        return None
    if state.setup:
        return refused_setup(state, items)
    mover, state = int(state.player), copy(state)
    for item in items:
        if REMOVAL.fullmatch(item):
            continue
        if int(state.player) != mover:
            return f"a turn has {STEPS_A_TURN} steps, and {item} would be one more"
        action = next((action for action in legal_actions(rules, state) if code(state, action) == item), None)
        if action is None:
            return refused_step(state, item)
        rules.play(state, action)
    if int(state.player) == mover and state.push_into:
        return f"the push is not finished: a stronger piece must step to {BOARD.name(int(state.push_into) - 1)}"
    if int(state.player) == mover and state.hash == state.start:
        return "the turn would not change the board"
    return "a removal is written that does not happen"


def refused_setup(state: State, items: list[str]) -> str:
    """Why a setup is not legal."""
    me = int(state.player)
    left = ARMY_SIZE + 1 - int(state.setup)
    if not all(PLACEMENT.fullmatch(item) for item in items):
        return f"{PLAYERS[me]} is still setting up: pieces are written like {LETTERS[KINDS * me]}{BOARD.name(56 * me)}"
    if any(LETTERS.index(item[0]) // KINDS != me for item in items):
        return f"it is {PLAYERS[me]} who sets up now"
    if len(items) != left:
        return f"{left} pieces are left to set up, and {len(items)} are given"
    home = {BOARD.name(rules.setup_square(I(me), I(n))) for n in range(int(state.setup) - 1, ARMY_SIZE)}
    if {item[1:] for item in items} != home:
        return f"{PLAYERS[me]} sets up on every square of the two home rows, each once"
    return "an army has 8 Rabbits, 2 Cats, 2 Dogs, 2 Horses, a Camel and an Elephant"


def refused_step(state: State, item: str) -> str:
    """Why a single step is not legal now."""
    if not state.steps and not legal_actions(rules, state):
        return "the game is over"
    if item == "pass":
        return refused_pass(state)
    match = STEP.fullmatch(item)
    if not match:
        return "pieces are set up in turn 1 only"
    square, direction = BOARD.squares[match[2]], DIRECTIONS.index(match[3])
    board = pieces_of(state)
    if square not in board:
        return f"there is no piece on {match[2]}"
    if LETTERS[board[square]] != match[1]:
        return f"the piece on {match[2]} is {whose(board[square])}"
    target = square + int(STRIDE[direction])
    if not 0 <= target < SQUARES or abs(target % SIZE - square % SIZE) > 1:
        return f"{match[2]} is at the edge of the board"
    if state.push_into and target != int(state.push_into) - 1:
        return f"a push must be completed first, on {BOARD.name(int(state.push_into) - 1)}"
    if target in board:
        return f"{BOARD.name(target)} is not empty"
    if board[square] // KINDS == state.player:
        return refused_own_step(state, square, direction)
    return refused_push(state, square)


def refused_pass(state: State) -> str:
    """Why the turn cannot end here."""
    if state.push_into:
        return "a push must be completed first"
    return "the turn would not change the board" if state.steps else "a turn has at least one step"


def refused_own_step(state: State, square: int, direction: int) -> str:
    """Why a step of the mover's own piece onto an empty square is not legal."""
    board = pieces_of(state)
    kind, me = board[square] % KINDS, int(state.player)
    if not int(rules.unfrozen(state, I(me))) >> square & 1:
        freezer = next(
            other
            for other in board
            if neighbours(1 << square) >> other & 1 and board[other] // KINDS != me and board[other] % KINDS > kind
        )
        held_by = f"{whose(board[freezer])} on {BOARD.name(freezer)}"
        return f"the {KIND[kind].name} on {BOARD.name(square)} is frozen by {held_by}"
    if state.push_into and kind <= int(state.push_kind):
        return f"a {KIND[kind].name} cannot push a {KIND[int(state.push_kind)].name}: it is not stronger"
    if kind == RABBIT and direction == BACKWARD[me]:
        return "a Rabbit does not step backward"
    return "the turn would not change the board"


def refused_push(state: State, square: int) -> str:
    """Why an enemy piece cannot be moved onto an empty square beside it."""
    board, me = pieces_of(state), int(state.player)
    kind = board[square] % KINDS
    beside = [other for other in board if neighbours(1 << square) >> other & 1 and board[other] // KINDS == me]
    strong = [other for other in beside if board[other] % KINDS > kind]
    if not strong:
        return f"no stronger piece of {PLAYERS[me]} is beside {whose(board[square])} on {BOARD.name(square)}"
    if not any(int(rules.unfrozen(state, I(me))) >> other & 1 for other in strong):
        return f"every stronger piece of {PLAYERS[me]} beside {BOARD.name(square)} is frozen"
    if int(state.steps) == STEPS_A_TURN - 1:
        return "a push takes two steps, and only one is left"
    return "the turn would not change the board"


def whose(piece: int) -> str:
    """A piece in words."""
    return f"{PLAYERS[piece // KINDS]}'s {KIND[piece % KINDS].name}"


def write_turns(turns: Sequence[tuple[int, str]], comments: Mapping[int, str], _: str) -> str:
    """A game file: a line for every turn with its number and side, the bare next number at the end.

    The result stands in a tag.
    """
    lines = [f"{{{comments[0]}}}"] if 0 in comments else []
    ply = turns[0][0] if turns else 0
    for count, (ply, text) in enumerate(turns, 1):
        lines.append(f"{ply // 2 + 1}{'gs'[ply % 2]} {text}")
        if count in comments:
            lines.append(f"{{{comments[count]}}}")
    following = ply + 1 if turns else 0
    return "\n".join([*lines, f"{following // 2 + 1}{'gs'[following % 2]}"])


def read_turns(lines: Sequence[tuple[int, str]]) -> Iterator[tuple[str, str, int]]:
    """The turns of a game file: labelled g and s (or w and b), with takebacks, resignations and a bare last number."""
    for number, line in lines:
        text = line.strip()
        if text.startswith("{"):
            if not text.endswith("}") or text.count("{") > 1:
                raise RecordError(number, "a comment is not closed on its line")
            yield "comment", text[1:-1], number
            continue
        label, _, words = text.partition(" ")
        if not LABEL.fullmatch(label):
            raise RecordError(number, f"{label[:20]!r} is no turn number with a side, like 2g")
        words = words.strip()
        if words in ("takeback", "resigns"):
            yield words, words, number
        elif words:
            yield "turn", words, number
