"""Chikkin, slow and plain: the rulings B1-B16 of its rules page, for tests to compare with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

START = "RRRDWRRR/CCCCCCCC/8/8/8/8/cccccccc/rrrdwrrr e 0 1"

# The amendments and their values, the default first.
OPTIONS = {
    "slide": ("line", "path"),
    "push_follow": ("off", "on"),
    "dog_push": ("free8", "away8", "away4"),
    "dog_move_then_push": ("on", "off"),
    "wolf_takes_own": ("on", "off"),
    "wolf_eats_roosters": ("on", "off"),
}

# The board is a string of 64 letters, a1 b1 ... h1 a2 ... h8; lower case is East's (0), upper case West's (1).
SIZE = 8
SQUARES = [file + rank for rank in "12345678" for file in "abcdefgh"]
INDEX = {name: square for square, name in enumerate(SQUARES)}
EMPTY = "."
PLAYERS = (0, 1)
SIDES = "ew"
GOALS = (7, 0)  # ranks counted from 0, by owner

CHICKEN, ROOSTER, DOG, WOLF = "CRDW"
SLIDERS = ROOSTER + DOG
PUSHABLE = {ROOSTER: DOG + WOLF, DOG: ROOSTER + WOLF}  # of either side

Step = tuple[int, int]
Arrival = tuple[int, Step]  # a square a slider may stand on and the last step that led to it
Aim = tuple[int, Step]  # a square a slider may push from and the step from there to what it pushes
STRAIGHT: tuple[Step, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL: tuple[Step, ...] = ((1, 1), (1, -1), (-1, -1), (-1, 1))
AROUND = STRAIGHT + DIAGONAL

# The square one step away, for every step that stays on the board.
BESIDE = {
    (y * SIZE + x, (right, up)): (y + up) * SIZE + x + right
    for y in range(SIZE)
    for x in range(SIZE)
    for right, up in AROUND
    if 0 <= x + right < SIZE and 0 <= y + up < SIZE
}
# The straight steps from each square, with where they lead.
WAYS = [
    [(step, BESIDE[square, step]) for step in STRAIGHT if (square, step) in BESIDE] for square in range(len(SQUARES))
]


@dataclass(frozen=True)
class Twin:
    """A position with its amendments as pairs of name and value; the clock counts plies since the last capture."""

    board: str
    player: int
    clock: int
    turn: int
    options: frozenset[tuple[str, str]]


def read(text: str, **options: str) -> Twin:
    """The position of a text; the two numbers may be left out."""
    form = re.fullmatch(r"(\S+) ([ew])(?: (\d+)(?: (\d+))?)?", text)
    if form is None:
        raise ValueError(f"not a position of chikkin: {text!r}")
    placed, side, clock, turn = form.groups()
    position = Twin(read_board(placed), SIDES.index(side), int(clock or 0), int(turn or 1), read_options(options))
    if len(list_winners(position.board)) > 1:
        raise ValueError(f"two players cannot both have a Dog on its goal rank: {text!r}")
    return position


def write(position: Twin) -> str:
    """The canonical text, all four fields."""
    return f"{write_board(position.board)} {SIDES[position.player]} {position.clock} {position.turn}"


def moves(position: Twin) -> list[str]:
    """Every legal move; none when the game is over."""
    if list_winners(position.board):
        return []
    return [move for origin in list_own(position) for move in list_moves(position, origin)]


def play(position: Twin, move: str) -> Twin:
    """The position after one of its moves."""
    walk, _, push = move.partition(">")
    origin, stand = read_squares(walk)
    captures = stand != origin and position.board[stand] != EMPTY
    board = shift(position.board, origin, stand)
    if push:
        pushed, target = read_squares(push)
        board = shift(board, pushed, target)
        if has(position, "push_follow", "on"):
            board = shift(board, stand, pushed)
    return replace(
        position,
        board=board,
        player=1 - position.player,
        clock=0 if captures else position.clock + 1,
        turn=position.turn + position.player,
    )


def result(position: Twin) -> tuple[int | None, str] | None:
    """The winner (none for a draw) and the reason, or nothing while the game goes on."""
    for winner in list_winners(position.board):
        return winner, "dog"
    return None if moves(position) else (None, "stuck")


def list_winners(board: str) -> list[int]:
    """The players with a Dog on its goal rank, whoever brought it there."""
    dogs = [(find_owner(piece), square) for square, piece in enumerate(board) if piece.upper() == DOG]
    return sorted({owner for owner, square in dogs if is_goal(square, owner)})


def list_own(position: Twin) -> list[int]:
    """The squares of the mover's pieces."""
    squares = [square for square, piece in enumerate(position.board) if piece != EMPTY]
    return [square for square in squares if find_owner(position.board[square]) == position.player]


def list_moves(position: Twin, origin: int) -> Iterator[str]:
    """Every move of one piece, first without a push, then with one."""
    if position.board[origin].upper() not in SLIDERS:
        yield from (write_squares(origin, target) for target in list_steps(position, origin))
        return
    stands = sorted({stand for stand, _ in list_arrivals(position, origin)})
    yield from (write_squares(origin, stand) for stand in stands if stand != origin)
    yield from list_pushes(position, origin)


def list_steps(position: Twin, origin: int) -> list[int]:
    """The squares a Chicken or Wolf may step to: empty ones, and what a Wolf takes."""
    around = [BESIDE[origin, step] for step in AROUND if (origin, step) in BESIDE]
    wolf = position.board[origin].upper() == WOLF
    return [
        square
        for square in around
        if position.board[square] == EMPTY or (wolf and is_prey(position, position.board[square]))
    ]


def is_prey(position: Twin, piece: str) -> bool:
    """Whether the mover's Wolf may take the piece (B13, B16)."""
    prey = CHICKEN + ROOSTER if has(position, "wolf_eats_roosters", "on") else CHICKEN
    spared = has(position, "wolf_takes_own", "off") and find_owner(piece) == position.player
    return piece.upper() in prey and not spared


def list_arrivals(position: Twin, origin: int) -> list[Arrival]:
    """Every square a slider may stand on with every step that can have led to it.

    Where it stands now counts as arrived at from all sides: with no slide before it a push may go any way (B4).
    """
    unmoved = [(origin, step) for step in STRAIGHT]
    list_slides = list_walks if has(position, "slide", "path") else list_lines
    return unmoved + [arrival for arrival in list_slides(position.board, origin) if arrival[0] != origin]


def list_lines(board: str, origin: int) -> Iterator[Arrival]:
    """The slides of a chess rook over empty squares."""
    for step in STRAIGHT:
        square = BESIDE.get((origin, step))
        while square is not None and board[square] == EMPTY:
            yield square, step
            square = BESIDE.get((square, step))


def list_walks(board: str, origin: int) -> Iterator[Arrival]:
    """The walks by orthogonal steps through empty squares; a Dog's ends where it meets its goal rank (B12)."""
    piece = board[origin]
    seen, order = {origin}, [origin]
    for square in order:  # grows while it is walked through
        if ends_walk(piece, square):
            continue
        for step, target in WAYS[square]:
            if board[target] == EMPTY:
                yield target, step
                if target not in seen:
                    seen.add(target)
                    order.append(target)


def list_pushes(position: Twin, origin: int) -> Iterator[str]:
    """Every push of one slider, with or without a move before it."""
    kind = position.board[origin].upper()
    for stand, step in list_rooster_aims(position, origin) if kind == ROOSTER else list_dog_aims(position, origin):
        pushed = BESIDE.get((stand, step))
        if (
            pushed is None or position.board[pushed].upper() not in PUSHABLE[kind]
        ):  # none pushes its own kind, or itself
            continue
        board = shift(position.board, origin, stand)  # the origin is empty now, so it may be the target (B7)
        for shove in AROUND if kind == DOG and has(position, "dog_push", "free8") else (step,):
            target = BESIDE.get((pushed, shove))
            if target is not None and board[target] == EMPTY:
                yield write_squares(origin, stand) + ">" + write_squares(pushed, target)


def list_rooster_aims(position: Twin, origin: int) -> list[Aim]:
    """Straight ahead from wherever it arrives (B4)."""
    return list_arrivals(position, origin)


def list_dog_aims(position: Twin, origin: int) -> list[Aim]:
    """All around from wherever it arrives and the game goes on (B8, B9, B12)."""
    stands = {stand for stand, _ in list_arrivals(position, origin) if not ends_walk(position.board[origin], stand)}
    if has(position, "dog_move_then_push", "off"):
        stands = {origin}
    touched = STRAIGHT if has(position, "dog_push", "away4") else AROUND
    return [(stand, step) for stand in sorted(stands) for step in touched]


def ends_walk(piece: str, square: int) -> bool:
    """Whether the piece has ended the game by arriving: a Dog on its goal rank (B12)."""
    return piece.upper() == DOG and is_goal(square, find_owner(piece))


def is_goal(square: int, owner: int) -> bool:
    return square // SIZE == GOALS[owner]


def shift(board: str, origin: int, target: int) -> str:
    """The board after what stands on one square went to another (or stayed)."""
    cells = list(board)
    cells[origin] = EMPTY
    cells[target] = board[origin]
    return "".join(cells)


def has(position: Twin, name: str, value: str) -> bool:
    """Whether an amendment has the value."""
    return (name, value) in position.options


def find_owner(piece: str) -> int:
    return 0 if piece.islower() else 1


def read_squares(names: str) -> tuple[int, int]:
    return INDEX[names[:2]], INDEX[names[2:]]


def write_squares(first: int, second: int) -> str:
    return SQUARES[first] + SQUARES[second]


def read_options(options: dict[str, str]) -> frozenset[tuple[str, str]]:
    """Every amendment with its value, the default where none is given."""
    chosen = {name: values[0] for name, values in OPTIONS.items()} | options
    for name, value in chosen.items():
        if value not in OPTIONS.get(name, ()):
            raise ValueError(f"not an option of chikkin: {name}={value!r}, there are {OPTIONS}")
    return frozenset(chosen.items())


def read_board(placed: str) -> str:
    """The board of the first field."""
    ranks = [re.sub("[1-8]", lambda run: EMPTY * int(run[0]), rank) for rank in placed.split("/")]
    board = "".join(reversed(ranks))
    known = {EMPTY, CHICKEN, ROOSTER, DOG, WOLF}
    if EMPTY in placed or [len(rank) for rank in ranks] != [SIZE] * SIZE or set(board.upper()) - known:
        raise ValueError(f"not a board of chikkin: {placed!r}")
    return board


def write_board(board: str) -> str:
    """The first field."""
    ranks = [board[start : start + SIZE] for start in range(0, len(board), SIZE)]
    return "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), rank) for rank in reversed(ranks))
