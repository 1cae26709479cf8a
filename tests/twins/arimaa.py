"""Arimaa, slow and plain: the sentences of its rules page, one function each, for tests to compare with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

TURNS_ASKED = 0.01  # a turn has thousands of ends
START = "g 8/8/8/8/8/8/8/8 1 -"

# The board is a string of 64 letters, a1 b1 ... h1 a2 ... h8; upper case is Gold's (0), lower case Silver's (1).
SIZE = 8
SQUARES = [file + rank for rank in "12345678" for file in "abcdefgh"]
INDEX = {name: square for square, name in enumerate(SQUARES)}
EMPTY = "."
PLAYERS = (0, 1)
SIDES = "gs"

RABBIT = "R"
KINDS = "RCDHME"  # the weakest first
STRENGTH = {letter: strength for letters in (KINDS, KINDS.lower()) for strength, letter in enumerate(letters)}
ARMY = {"R": 8, "C": 2, "D": 2, "H": 2, "M": 1, "E": 1}
TRAPS = [INDEX[name] for name in ("c3", "f3", "c6", "f6")]
GOAL_RANKS = (7, 0)  # by owner, counted from 0
BACKWARD = "sn"  # by owner
STEPS_A_TURN = 4

SETUP_TURN = 1
CAMPS = (tuple(range(16)), (*range(56, 64), *range(48, 56)))  # by owner, in the order in which the squares are filled

DIRECTIONS = {"n": (0, 1), "e": (1, 0), "s": (0, -1), "w": (-1, 0)}
WAYS: list[dict[str, int]] = [
    {
        direction: (y + up) * SIZE + x + right
        for direction, (right, up) in DIRECTIONS.items()
        if 0 <= x + right < SIZE and 0 <= y + up < SIZE
    }
    for y in range(SIZE)
    for x in range(SIZE)
]
BESIDE = [list(ways.values()) for ways in WAYS]

PASS = "pass"
REMOVAL = "x"
NO_STEPS = "-"


@dataclass(frozen=True)
class Pull:
    """The last step was an ordinary one: its piece, even if it died, may pull a weaker enemy to where it came from."""

    puller: str
    left: int


@dataclass(frozen=True)
class Push:
    """The last step began a push: one of the pushers, none other, must now step into the square the enemy left."""

    pushers: frozenset[int]
    left: int


# How the last step may be understood; None: it neither lets a piece pull nor obliges one to move.
Reading = Pull | Push | None


@dataclass(frozen=True)
class Twin:
    """A position, perhaps in the middle of a turn; a setup lists nothing as taken."""

    board: str
    player: int
    turn: int
    before: str  # the board at the start of the turn
    taken: tuple[str, ...]  # the steps and removals of the turn so far
    # An enemy's step may complete a pull and may as well begin a push: every way to understand the last step is kept.
    readings: frozenset[Reading]


def read(text: str, **options: str) -> Twin:
    """The position of a canonical text; turn number and steps may be left out. Arimaa has no options."""
    if options:
        raise ValueError(f"arimaa has no options: {options}")
    form = re.fullmatch(r"([gs]) (\S+)(?: ([1-9]\d*) (\S+))?", text)
    if form is None:
        raise ValueError(f"not a text of arimaa: {text!r}")
    side, placed, number, listed = form.groups()
    player, turn, board = SIDES.index(side), int(number or SETUP_TURN + 1), read_board(placed)
    taken = [] if listed in (None, NO_STEPS) else listed.split(",")
    position = read_setup(board, player) if turn == SETUP_TURN else begin(undo(board, taken), player, turn)
    for action in (word for word in taken if not is_removal(word)):
        position = step(position, action)
    if (position.board, position.taken) != (board, tuple(taken)):
        raise ValueError(f"the steps do not lead to the board: {text!r}")
    return position


def write(position: Twin) -> str:
    """The canonical text."""
    listed = ",".join(position.taken) or NO_STEPS
    return f"{SIDES[position.player]} {write_board(position.board)} {position.turn} {listed}"


def steps(position: Twin) -> list[str]:
    """Every legal single action; none when the game is over."""
    return list(find_actions(position))


def step(position: Twin, action: str) -> Twin:
    """The position after one of its actions."""
    after = find_actions(position).get(action)
    if after is None:
        raise ValueError(f"not a legal action in {write(position)!r}: {action!r}")
    return after


def moves(position: Twin) -> list[str]:
    """One text for every distinct legal turn, or rest of a turn; `pass` where it may end at once.

    A setup has 64,864,800 of them at its start: ask late.
    """
    return [" ".join(words) or PASS for words in find_turns(position).values()]


def ends(position: Twin) -> list[Twin]:
    """The positions that the distinct legal turns lead to."""
    return list(find_turns(position))


def play(position: Twin, move: str) -> Twin:
    """The position after a turn, or the rest of one; the removals must stand where they happen."""
    words = [] if move == PASS else move.split()
    told: list[str] = []
    here = position
    for action in (word for word in words if not is_removal(word)):
        if is_turn_over(position, here):
            raise ValueError(f"the turn is over before {action!r}: {move!r}")
        after = step(here, action)
        told += tell(here, action)
        here = after
    if told != words:
        raise ValueError(f"the removals are not those of {' '.join(told)!r}: {move!r}")
    return here if is_turn_over(position, here) else step(here, PASS)


def result(position: Twin) -> tuple[int | None, str] | None:
    """The winner and the reason, or nothing while the game goes on; judged between turns, in the order of the page."""
    if position.taken or is_setup(position):
        return None
    board, to_move = position.board, position.player
    moved = 1 - to_move
    for player in (moved, to_move):
        if has_goal(board, player):
            return player, "goal"
    for player in (to_move, moved):
        if paint(RABBIT, player) not in board:
            return 1 - player, "elimination"
    return None if find_steps(position) else (moved, "immobilization")


def results(position: Twin) -> set[str]:
    """Side to move and board, `s 8/...`, after every distinct legal turn."""
    return {write_end(end) for end in find_turns(position)}


def find_turns(position: Twin) -> dict[Twin, list[str]]:
    """Every end of the turn, with the first of the shortest ways to it."""
    found: dict[Twin, list[str]] = {}
    frontier: dict[object, tuple[Twin, list[str]]] = {None: (position, [])}
    while frontier:
        deeper: dict[object, tuple[Twin, list[str]]] = {}
        for here, words in frontier.values():
            for action, after in find_actions(here).items():
                # What can still be done depends on nothing else: all of the frontier has taken as many steps.
                key = after.board, after.readings
                if is_turn_over(here, after) and after not in found:
                    found[after] = words + tell(here, action)
                elif not is_turn_over(here, after) and key not in deeper:
                    deeper[key] = after, words + tell(here, action)
        frontier = deeper
    return found


def find_actions(position: Twin) -> dict[str, Twin]:
    """Every legal action and the position after it."""
    if is_setup(position):
        return find_placements(position)
    if result(position) is not None:
        return {}
    # The turn ends by itself after its last step.
    after = {
        action: there if count_steps(there) < STEPS_A_TURN else end_turn(there)
        for action, there in find_steps(position).items()
    }
    return after | ({PASS: end_turn(position)} if may_end(position) else {})


def end_turn(position: Twin) -> Twin:
    return begin(position.board, 1 - position.player, position.turn + position.player)


def begin(board: str, player: int, turn: int) -> Twin:
    """The position at the start of a turn."""
    return Twin(board, player, turn, before=board, taken=(), readings=frozenset([None]))


def is_turn_over(before: Twin, after: Twin) -> bool:
    return before.player != after.player


def is_setup(position: Twin) -> bool:
    return position.turn == SETUP_TURN


def find_placements(position: Twin) -> dict[str, Twin]:
    """Every piece not yet placed on the one square that is next; the last placement ends the turn."""
    player, board = position.player, position.board
    square, *others = (square for square in CAMPS[player] if board[square] == EMPTY)
    pieces = [paint(kind, player) for kind in KINDS if board.count(paint(kind, player)) < ARMY[kind]]
    after = {piece + SQUARES[square]: begin(put(board, square, piece), player, position.turn) for piece in pieces}
    return after if others else {action: end_turn(there) for action, there in after.items()}


def find_steps(position: Twin) -> dict[str, Twin]:
    """Every step after which the turn can still be brought to a legal end, and the position after it."""
    return {action: after for action, after in find_attempts(position).items() if can_end(after)}


def can_end(position: Twin) -> bool:
    """Whether the turn may end here or further on."""
    return may_end(position) or (count_steps(position) < STEPS_A_TURN and bool(find_steps(position)))


def may_end(position: Twin) -> bool:
    """Whether the board is not what it was and the last step can be understood as leaving no push unfinished."""
    return is_finished(position) and position.board != position.before


def is_finished(position: Twin) -> bool:
    return any(not isinstance(reading, Push) for reading in position.readings)


def find_vain(position: Twin) -> list[str]:
    """Every sequence of steps that would be a turn if it did not end on the board it began with."""
    found: list[str] = []
    left: list[tuple[Twin, list[str]]] = [(position, [])]
    while left:
        here, words = left.pop()
        for action, after in find_attempts(here).items():
            if is_finished(after) and after.board == position.before:
                found.append(" ".join([*words, action]))
            if count_steps(after) < STEPS_A_TURN:
                left.append((after, [*words, action]))
    return found


def find_attempts(position: Twin) -> dict[str, Twin]:
    """Every step that a piece can make, whatever becomes of the turn; the turn goes on even after the last."""
    found: dict[str, Twin] = {}
    for origin, piece in enumerate(position.board):
        for direction, target in WAYS[origin].items():
            if piece != EMPTY and position.board[target] == EMPTY:
                action = piece + SQUARES[origin] + direction
                if readings := understand(position, action):
                    board, words = move_piece(position.board, action)
                    taken = position.taken + tuple(words)
                    found[action] = Twin(board, position.player, position.turn, position.before, taken, readings)
    return found


def understand(position: Twin, action: str) -> frozenset[Reading]:
    """Every way to understand a step, after every way to understand the last one; none if the step is illegal."""
    board, (origin, _) = position.board, find_ends(action)
    if find_owner(board[origin]) == position.player:
        found = [own for reading in position.readings for own in read_own_step(board, action, reading)]
    else:
        # A push is two steps of the same turn.
        room = STEPS_A_TURN - count_steps(position) >= 2
        pushers = find_pushers(board, origin) if room else frozenset()
        found = [enemy for reading in position.readings for enemy in read_enemy_step(board, action, reading, pushers)]
    return frozenset(found)


def read_own_step(board: str, action: str, reading: Reading) -> Iterator[Reading]:
    """An own piece steps: to complete the push that was begun, or else ordinarily."""
    origin, target = find_ends(action)
    piece = board[origin]
    if isinstance(reading, Push):
        # A piece that completes a push does not pull with that step.
        if target == reading.left and origin in reading.pushers:
            yield None
    elif not is_frozen(board, origin) and not is_rabbit_back(action):
        yield Pull(piece, origin)


def read_enemy_step(board: str, action: str, reading: Reading, pushers: frozenset[int]) -> Iterator[Reading]:
    """An enemy piece steps: pulled into the square just left, or at the beginning of a push."""
    origin, target = find_ends(action)
    if isinstance(reading, Push):
        return
    if isinstance(reading, Pull) and target == reading.left and is_stronger(reading.puller, board[origin]):
        # A pulled piece pulls nothing.
        yield None
    if pushers:
        yield Push(pushers, origin)


def find_pushers(board: str, victim: int) -> frozenset[int]:
    """The enemies beside a piece that are stronger and not frozen."""
    return frozenset(
        square
        for square in BESIDE[victim]
        if is_enemy(board[square], board[victim])
        and is_stronger(board[square], board[victim])
        and not is_frozen(board, square)
    )


def is_frozen(board: str, square: int) -> bool:
    """Whether the piece stands beside a strictly stronger enemy and beside no friend."""
    piece = board[square]
    beside = [board[near] for near in BESIDE[square]]
    held = any(is_enemy(other, piece) and is_stronger(other, piece) for other in beside)
    return held and not has_friend(board, square)


def has_friend(board: str, square: int) -> bool:
    """Whether a piece of the same player stands beside the piece."""
    owner = find_owner(board[square])
    return any(board[near] != EMPTY and find_owner(board[near]) == owner for near in BESIDE[square])


def is_rabbit_back(action: str) -> bool:
    """Whether the step is that of a rabbit backward."""
    piece, direction = action[0], action[-1]
    return piece.upper() == RABBIT and direction == BACKWARD[find_owner(piece)]


def has_goal(board: str, player: int) -> bool:
    """Whether a rabbit of the player stands on the player's goal rank."""
    first = GOAL_RANKS[player] * SIZE
    return paint(RABBIT, player) in board[first : first + SIZE]


def move_piece(board: str, action: str) -> tuple[str, list[str]]:
    """The board after a step and the removals it causes, and the words for all of it."""
    origin, target = find_ends(action)
    moved = put(put(board, target, board[origin]), origin, EMPTY)
    lonely = list_lonely(moved)
    words = [action] + [moved[trap] + SQUARES[trap] + REMOVAL for trap in lonely]
    for trap in lonely:
        moved = put(moved, trap, EMPTY)
    return moved, words


def list_lonely(board: str) -> list[int]:
    """The traps with a piece that has no friend beside it."""
    return [trap for trap in TRAPS if board[trap] != EMPTY and not has_friend(board, trap)]


def tell(position: Twin, action: str) -> list[str]:
    """The words of an action in the text of a turn: a pass has none, a step is followed by its removals."""
    if action == PASS:
        return []
    return [action] if is_setup(position) else move_piece(position.board, action)[1]


def undo(board: str, taken: list[str]) -> str:
    """The board before the steps and removals were made."""
    for word in reversed(taken):
        if not re.fullmatch(r"[RCDHMErcdhme][a-h][1-8][nesw]|[RCDHMErcdhme][cf][36]x", word):
            raise ValueError(f"neither a step nor a removal: {word!r}")
        piece, origin = word[0], INDEX[word[1:3]]
        if not is_removal(word):
            target = WAYS[origin].get(word[3], origin)
            if board[target] != piece:
                raise ValueError(f"the piece of the step {word!r} does not stand where it went")
            board = put(board, target, EMPTY)
        if board[origin] != EMPTY:
            raise ValueError(f"the square of {word!r} is not empty")
        board = put(board, origin, piece)
    return board


def is_removal(word: str) -> bool:
    return word.endswith(REMOVAL)


def count_steps(position: Twin) -> int:
    """How many steps of the turn were taken."""
    return sum(not is_removal(word) for word in position.taken)


@cache
def find_ends(action: str) -> tuple[int, int]:
    """The squares from and to which a step goes."""
    origin = INDEX[action[1:3]]
    return origin, WAYS[origin][action[3]]


def is_stronger(piece: str, other: str) -> bool:
    return STRENGTH[piece] > STRENGTH[other]


def is_enemy(piece: str, other: str) -> bool:
    return EMPTY not in (piece, other) and find_owner(piece) != find_owner(other)


def find_owner(piece: str) -> int:
    return 0 if piece.isupper() else 1


def paint(kind: str, player: int) -> str:
    """The letter of a kind of piece on the board when the player owns it."""
    return (kind.upper(), kind.lower())[player]


def put(board: str, square: int, piece: str) -> str:
    return board[:square] + piece + board[square + 1 :]


def write_end(position: Twin) -> str:
    """Side to move and board, by which the ends of turns are told apart."""
    return f"{SIDES[position.player]} {write_board(position.board)}"


def write_board(board: str) -> str:
    """The ranks from the eighth to the first, runs of empty squares as digits."""
    ranks = [board[start : start + SIZE] for start in range(0, len(board), SIZE)]
    return "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), rank) for rank in reversed(ranks))


def read_board(placed: str) -> str:
    """The board of the second field; nobody has more pieces than an army, and none stands lonely on a trap."""
    ranks = [re.sub(r"[1-8]", lambda run: EMPTY * int(run[0]), rank) for rank in placed.split("/")]
    board = "".join(reversed(ranks))
    if [len(rank) for rank in ranks] != [SIZE] * SIZE or set(board) - set(STRENGTH) - {EMPTY}:
        raise ValueError(f"not a board of arimaa: {placed!r}")
    if write_board(board) != placed:
        raise ValueError(f"runs of empty squares are one digit each: {placed!r}")
    if any(board.count(paint(kind, player)) > ARMY[kind] for kind in KINDS for player in PLAYERS):
        raise ValueError(f"more pieces than an army has: {placed!r}")
    if list_lonely(board):
        raise ValueError(f"a piece on a trap needs a friend beside it: {placed!r}")
    return board


def read_setup(board: str, player: int) -> Twin:
    """The setup in which the board comes about, its squares filled in their order."""
    position = begin(EMPTY * len(SQUARES), 0, SETUP_TURN)
    while is_setup(position) and position.board != board:
        square = next(square for square in CAMPS[position.player] if position.board[square] == EMPTY)
        position = step(position, board[square] + SQUARES[square])
    if (position.board, position.player, position.turn) != (board, player, SETUP_TURN):
        raise ValueError(f"not a setup in progress: {write_board(board)!r}")
    return position
