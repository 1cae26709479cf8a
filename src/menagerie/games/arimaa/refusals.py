"""Why a turn of Arimaa is refused, in words; the first step that fails says it."""

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
    whose,
)
from menagerie.games.arimaa.rules import ARMY_SIZE, BACKWARD, KINDS, RABBIT, SIZE, SQUARES, STEPS_A_TURN, STRIDE
from menagerie.kernel.bits import I
from menagerie.kernel.state import State, copy
from menagerie.kernel.walk import legal_actions


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
