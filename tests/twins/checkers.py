"""Checkers with triple kings, slow and plain: the rulings G1-G21 of its rules page, for tests to compare with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise, permutations, product

START = "B:W1,2,3,4,5,6,7,8,9,10,11,12:B21,22,23,24,25,26,27,28,29,30,31,32:H0:F1"

# The options and their values, the default first. The draw rules are about history, which a twin does not keep.
OPTIONS = {
    "men_capture_back": ("off", "on"),
    "promotion_ends_turn": ("off", "on"),
    "friend_hop": ("flying", "short"),
    "friend_hop_max": ("1", "2"),
    "draw_rules": ("on", "off"),
}

# The board is a string of 32 letters, square n of the page at n - 1; lower case is Black's (0), upper case White's (1).
#   row 0:    1   2   3   4
#   row 1:  5   6   7   8
SIZE = 8
CELLS = [(row, column) for row in range(SIZE) for column in range(SIZE) if (row + column) % 2]
INDEX = {cell: square for square, cell in enumerate(CELLS)}
EMPTY = "."
PLAYERS = (0, 1)
SIDES = "BW"
FACING = (-1, 1)  # what a step forward adds to the row, by player
FAR_ROWS, BACK_ROWS = (0, 7), (7, 0)  # by player

MAN, KING, TRIPLE = RANKS = "MKT"
PREFIXES = {"": MAN, "K": KING, "T": TRIPLE}  # in the text

Step = tuple[int, int]
Line = tuple[int, ...]
FORWARD: tuple[Step, ...] = ((1, -1), (1, 1))
DIAGONAL: tuple[Step, ...] = (*FORWARD, (-1, -1), (-1, 1))

# Which empty squares a jump may cross before what it jumps, and on which behind it may land.
Flight = tuple[str, str]
FLYING: Flight = (r"\.*", r"\.+")
SHORT: Flight = ("", r"\.")


@dataclass(frozen=True)
class Kind:
    """How a rank goes: steps (rows forward, columns to the right) as the owner sees them."""

    steps: tuple[Step, ...]
    flight: Flight
    takes: int  # enemies on consecutive squares in one jump, at most


KINDS = {
    MAN: Kind(FORWARD, SHORT, takes=1),
    KING: Kind(DIAGONAL, FLYING, takes=1),
    TRIPLE: Kind(DIAGONAL, FLYING, takes=2),
}


@dataclass(frozen=True)
class Twin:
    """A position with its options as pairs of name and value; the clock counts plies without capture or man's move."""

    board: str
    player: int
    clock: int
    turn: int
    options: frozenset[tuple[str, str]]


@dataclass(frozen=True)
class Capture:
    """A sequence of jumps: the start and every landing square, and the board behind it."""

    path: Line
    board: str


def read(text: str, **options: str) -> Twin:
    """The position of a PDN FEN with ranks K and T; ranges such as 1-12 are read, H and F may be left out."""
    form = re.fullmatch(r"([BW]):W([^:]*):B([^:]*)(?::H(\d+))?(?::F(\d+))?", text)
    if form is None:
        raise ValueError(f"not a position of checkers: {text!r}")
    side, white, black, clock, turn = form.groups()
    board = read_board((black, white))
    return Twin(board, SIDES.index(side), int(clock or 0), int(turn or 1), read_options(options))


def write(position: Twin) -> str:
    """The canonical text, all five fields, the squares one by one."""
    black, white = (write_pieces(position.board, player) for player in PLAYERS)
    return f"{SIDES[position.player]}:W{white}:B{black}:H{position.clock}:F{position.turn}"


def moves(position: Twin) -> list[str]:
    """Every legal turn: the greatest captures when there are any, else steps and friend hops."""
    captures = merge(position, list_greatest(position))
    if captures:
        return ["x".join(map(write_square, capture.path)) for capture in captures]
    quiet = [pair for origin in list_own(position) for pair in list_quiet(position, origin)]
    return ["-".join(map(write_square, pair)) for pair in quiet]


def play(position: Twin, move: str) -> Twin:
    """The position after one of its turns."""
    captures = "x" in move
    squares = [int(name) - 1 for name in re.split("[x-]", move)]
    board = position.board
    for origin, target in pairwise(squares):
        board = jump(board, origin, target) if captures else shift(board, origin, target)
    renews = captures or position.board[squares[0]].upper() == MAN
    return replace(
        position,
        board=board,
        player=1 - position.player,
        clock=0 if renews else position.clock + 1,
        turn=position.turn + position.player,
    )


def ends(position: Twin) -> list[Twin]:
    """The positions that the legal turns lead to."""
    return [play(position, move) for move in moves(position)]


def result(position: Twin) -> tuple[int | None, str] | None:
    """The winner and the reason, or nothing while the game goes on."""
    return None if moves(position) else (1 - position.player, "stuck")


def list_ending(name: str) -> Iterator[Twin]:
    """Every position in which the players have as many pieces as a name such as 2-1 says, Black to move."""
    numbers = [int(number) for number in name.split("-")]
    for mine, theirs in {(*numbers,), (*reversed(numbers),)}:
        for squares in permutations(range(len(CELLS)), mine + theirs):
            blacks, whites = squares[:mine], squares[mine:]
            if list(blacks) == sorted(blacks) and list(whites) == sorted(whites):
                for ranks in product(RANKS, repeat=mine + theirs):
                    yield from set_up((0,) * mine + (1,) * theirs, squares, ranks)


def set_up(owners: Line, squares: Line, ranks: tuple[str, ...]) -> Iterator[Twin]:
    """The position with these pieces, Black to move, unless a man stands where it would be a King (G5)."""
    cells = [EMPTY] * len(CELLS)
    for owner, square, rank in zip(owners, squares, ranks, strict=True):
        if rank == MAN and CELLS[square][0] == FAR_ROWS[owner]:
            return
        cells[square] = paint(rank, owner)
    yield Twin("".join(cells), 0, 0, 1, read_options({}))


def seen_by_first(position: Twin) -> Twin:
    """The position as Black sees it who is to move, the board turned if White is (G1), without its history."""
    board = position.board if position.player == 0 else position.board[::-1].swapcase()
    return replace(position, board=board, player=0, clock=0, turn=1)


def list_greatest(position: Twin) -> list[Capture]:
    """The capture sequences of all pieces that take the greatest number (G3)."""
    captures = [
        capture
        for origin in list_own(position)
        for capture in list_captures(position, Capture((origin,), position.board))
    ]
    greatest = max((count_taken(position, capture) for capture in captures), default=0)
    return [capture for capture in captures if count_taken(position, capture) == greatest]


def merge(position: Twin, captures: list[Capture]) -> list[Capture]:
    """One capture for each start, end, captured set and final rank: the one whose squares come first (G21)."""
    firsts: dict[tuple[int, int, frozenset[int], str], Capture] = {}
    for capture in sorted(captures, key=lambda capture: capture.path):
        start, end = capture.path[0], capture.path[-1]
        firsts.setdefault((start, end, find_taken(position, capture), capture.board[end]), capture)
    return list(firsts.values())


def list_captures(position: Twin, begun: Capture) -> Iterator[Capture]:
    """Every longer sequence that begins with this one; those that stop early count fewer and fall to G3."""
    origin = begun.path[-1]
    for target in list_jumps(position, begun.board, origin):
        longer = Capture((*begun.path, target), jump(begun.board, origin, target))
        yield longer
        crowned = (begun.board[origin].upper(), longer.board[target].upper()) == (MAN, KING)
        if not (crowned and has(position, "promotion_ends_turn", "on")):
            yield from list_captures(position, longer)


def find_taken(position: Twin, capture: Capture) -> frozenset[int]:
    """The squares of the enemies that are gone after the sequence."""
    enemies = paint(RANKS, 1 - position.player)
    before, after = (
        {square for square, piece in enumerate(board) if piece in enemies} for board in (position.board, capture.board)
    )
    return frozenset(before - after)


def count_taken(position: Twin, capture: Capture) -> int:
    return len(find_taken(position, capture))


def list_jumps(position: Twin, board: str, origin: int) -> list[int]:
    """The landing squares of one jump over enemies (G2, G8, G17)."""
    piece = board[origin]
    kind = KINDS[piece.upper()]
    back = piece.upper() == MAN and has(position, "men_capture_back", "on")
    form = draw_jump(paint(RANKS, 1 - position.player), kind.takes, kind.flight)
    lines = draw_lines(origin, DIAGONAL if back else kind.steps, position.player)
    return [square for line in lines for square in land(board, line, form)]


def list_quiet(position: Twin, origin: int) -> Iterator[tuple[int, int]]:
    """The steps of one piece and the friend hops of a Triple King (G7, G12)."""
    rank = position.board[origin].upper()
    lines = draw_lines(origin, KINDS[rank].steps, position.player)
    yield from ((origin, line[0]) for line in lines if position.board[line[0]] == EMPTY)
    if rank == TRIPLE:
        friends = paint(RANKS, position.player)
        most = 2 if has(position, "friend_hop_max", "2") else 1
        flight = FLYING if has(position, "friend_hop", "flying") else SHORT
        form = draw_jump(friends, most, flight)
        yield from ((origin, square) for line in lines for square in land(position.board, line, form))


@cache
def draw_jump(jumped: str, most: int, flight: Flight) -> re.Pattern[str]:
    """What a line must hold from the jumper on: one up to the most of those jumped without a gap, then room to land."""
    before, behind = flight
    return re.compile(f"{before}[{jumped}]{{1,{most}}}({behind})")


def land(board: str, line: Line, form: re.Pattern[str]) -> Line:
    """The squares of a line on which a jump of that form may land."""
    found = form.match("".join(board[square] for square in line))
    return line[slice(*found.span(1))] if found else ()


def jump(board: str, origin: int, target: int) -> str:
    """The board after a capturing jump: all between the two squares comes off at once (G10)."""
    cells = list(board)
    for square in find_between(origin, target):
        cells[square] = EMPTY
    return shift("".join(cells), origin, target)


def shift(board: str, origin: int, target: int) -> str:
    """The board after a piece went from one square to another, where it may be crowned."""
    cells = list(board)
    cells[origin] = EMPTY
    cells[target] = crown(board[origin], target)
    return "".join(cells)


def crown(piece: str, square: int) -> str:
    """What a piece is after landing on a square (G5, G6)."""
    player, row = find_owner(piece), CELLS[square][0]
    if piece.upper() == MAN and row == FAR_ROWS[player]:
        return paint(KING, player)
    if piece.upper() == KING and row == BACK_ROWS[player]:
        return paint(TRIPLE, player)
    return piece


@cache
def draw_lines(origin: int, steps: tuple[Step, ...], player: int) -> tuple[Line, ...]:
    """The squares of each diagonal from the origin to the edge, those of no square left out."""
    lines = (draw_line(origin, (FACING[player] * forward, right)) for forward, right in steps)
    return tuple(line for line in lines if line)


def draw_line(origin: int, step: Step) -> Line:
    row, column = CELLS[origin]
    cells = ((row + far * step[0], column + far * step[1]) for far in range(1, SIZE))
    return tuple(INDEX[cell] for cell in cells if cell in INDEX)


@cache
def find_between(origin: int, target: int) -> Line:
    """The squares strictly between two squares of a diagonal."""
    line = next(line for line in draw_lines(origin, DIAGONAL, 0) if target in line)
    return line[: line.index(target)]


def list_own(position: Twin) -> list[int]:
    """The squares of the mover's pieces."""
    own = paint(RANKS, position.player)
    return [square for square, piece in enumerate(position.board) if piece in own]


def has(position: Twin, name: str, value: str) -> bool:
    """Whether an option has the value."""
    return (name, value) in position.options


def find_owner(piece: str) -> int:
    return 0 if piece.islower() else 1


def paint(letters: str, player: int) -> str:
    """The letters of pieces on the board when the player owns them."""
    return (letters.lower(), letters.upper())[player]


def write_square(square: int) -> str:
    return str(square + 1)


def read_options(options: dict[str, str]) -> frozenset[tuple[str, str]]:
    """Every option with its value, the default where none is given."""
    chosen = {name: values[0] for name, values in OPTIONS.items()} | options
    for name, value in chosen.items():
        if value not in OPTIONS.get(name, ()):
            raise ValueError(f"not an option of checkers: {name}={value!r}, there are {OPTIONS}")
    return frozenset(chosen.items())


def read_board(listed: tuple[str, str]) -> str:
    """The board of the two lists of pieces, by player."""
    cells = [EMPTY] * len(CELLS)
    for player in PLAYERS:
        for square, rank in read_pieces(listed[player]):
            if square not in range(len(CELLS)) or cells[square] != EMPTY:
                raise ValueError(f"square {square + 1} does not exist or is listed twice: {listed}")
            if rank == MAN and CELLS[square][0] == FAR_ROWS[player]:
                raise ValueError(f"a man can never stand on its far row, square {square + 1}: {listed}")
            cells[square] = paint(rank, player)
    return "".join(cells)


def read_pieces(listed: str) -> Iterator[tuple[int, str]]:
    """The squares and ranks of one list; a rank before a range holds for all of it."""
    for item in listed.split(",") if listed else ():
        form = re.fullmatch(r"([KT]?)(\d+)(?:-(\d+))?", item)
        if form is None:
            raise ValueError(f"not a piece of checkers: {item!r} in {listed!r}")
        prefix, first, last = form.groups()
        for number in range(int(first), int(last or first) + 1):
            yield number - 1, PREFIXES[prefix]


def write_pieces(board: str, player: int) -> str:
    """The list of a player's pieces, ascending by square."""
    prefixes = {paint(rank, player): prefix for prefix, rank in PREFIXES.items()}
    return ",".join(prefixes[piece] + write_square(square) for square, piece in enumerate(board) if piece in prefixes)
