"""Chak, slow and plain: the tables and sentences of its rules page, for tests to compare with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

START = "rvsqkjsvr/4o4/p1p1p1p1p/9/9/9/P1P1P1P1P/4O4/RVSJKQSVR w - - 0 1"

# The board is a string of 81 letters, a1 b1 ... i1 a2 ... i9; upper case is White's (0), lower case Green's (1).
SIZE = 9
SQUARES = [file + rank for rank in "123456789" for file in "abcdefghi"]
INDEX = {name: square for square, name in enumerate(SQUARES)}
EMPTY = "."
PLAYERS = (0, 1)
SIDES = "wb"
RIVER = 4  # ranks from the owner's side, counted from 0; the river is the middle one for both
ALTARS = (INDEX["e2"], INDEX["e8"])  # by owner
ROYALS = "KD"
PROMOTIONS = {"K": "D", "P": "W"}

Step = tuple[int, int]
Line = tuple[int, ...]
FORWARD: tuple[Step, ...] = ((0, 1),)
BACKWARD: tuple[Step, ...] = ((0, -1),)
SIDEWAYS: tuple[Step, ...] = ((-1, 0), (1, 0))
STRAIGHT = FORWARD + BACKWARD + SIDEWAYS
FORWARD_DIAGONAL: tuple[Step, ...] = ((-1, 1), (1, 1))
DIAGONAL: tuple[Step, ...] = (*FORWARD_DIAGONAL, (-1, -1), (1, -1))
KNIGHT: tuple[Step, ...] = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


@dataclass(frozen=True)
class Kind:
    """How a piece goes: steps (files to the right, ranks forward) as the owner sees them."""

    quiet: tuple[Step, ...]  # to an empty square
    takes: tuple[Step, ...]  # to an enemy piece
    reach: int = 1  # how often a step may be repeated in a line
    screens: int = 0  # how many pieces must be jumped first
    confined: bool = False  # to the river and the enemy half


KINDS = {
    "K": Kind(STRAIGHT + DIAGONAL, STRAIGHT + DIAGONAL),
    "D": Kind(STRAIGHT + DIAGONAL, STRAIGHT + DIAGONAL, reach=2, confined=True),
    "J": Kind(STRAIGHT + DIAGONAL + KNIGHT, STRAIGHT + DIAGONAL + KNIGHT),
    "Q": Kind(STRAIGHT + DIAGONAL, STRAIGHT + DIAGONAL, reach=SIZE, screens=1),
    "S": Kind(DIAGONAL + FORWARD + BACKWARD, DIAGONAL + FORWARD + BACKWARD),
    "V": Kind(KNIGHT, KNIGHT),
    "R": Kind(STRAIGHT, STRAIGHT, reach=SIZE),
    "P": Kind(FORWARD + SIDEWAYS, FORWARD_DIAGONAL),
    "W": Kind(DIAGONAL + FORWARD + BACKWARD, DIAGONAL + FORWARD + BACKWARD, confined=True),
    "O": Kind((), ()),
}


@dataclass(frozen=True)
class Twin:
    """A position; the clock counts plies since the last capture."""

    board: str
    player: int
    clock: int
    turn: int


def read(text: str, **options: str) -> Twin:
    """The position of a FEN; fields after the side to move may be left out. Chak has no options."""
    if options:
        raise ValueError(f"chak has no options: {options}")
    form = re.fullmatch(r"(\S+) ([wb])(?: - -(?: (\d+) (\d+))?)?", text)
    if form is None:
        raise ValueError(f"not a FEN of chak: {text!r}")
    placed, side, clock, turn = form.groups()
    position = Twin(read_board(placed), SIDES.index(side), int(clock or 0), int(turn or 1))
    if is_checked(position.board, 1 - position.player):
        raise ValueError(f"the royal piece of the player not to move is attacked: {text!r}")
    return position


def write(position: Twin) -> str:
    """The canonical FEN."""
    return f"{write_board(position.board)} {SIDES[position.player]} - - {position.clock} {position.turn}"


def moves(position: Twin) -> list[str]:
    """Every legal move; none when the game is over."""
    if judge_altars(position.board) is not None:
        return []
    return [
        move
        for move in list_moves(position.board, position.player)
        if not is_checked(shift(position.board, move), position.player)
    ]


def play(position: Twin, move: str) -> Twin:
    """The position after one of its moves."""
    captures = position.board[INDEX[move[2:4]]] != EMPTY
    return Twin(
        board=shift(position.board, move),
        player=1 - position.player,
        clock=0 if captures else position.clock + 1,
        turn=position.turn + position.player,
    )


def result(position: Twin) -> tuple[int | None, str] | None:
    """The winner and the reason, or nothing while the game goes on."""
    verdict = judge_altars(position.board)
    if verdict is None and not moves(position):
        return 1 - position.player, "mate" if in_check(position) else "stuck"
    return verdict


def in_check(position: Twin) -> bool:
    """Whether the mover's royal piece is attacked."""
    return is_checked(position.board, position.player)


def judge_altars(board: str) -> tuple[int, str] | None:
    """The win of a divine king that stands on the enemy altar."""
    for player in PLAYERS:
        if board[ALTARS[1 - player]] == paint("D", player):
            return player, "altar"
    return None


def is_checked(board: str, player: int) -> bool:
    """Whether the player's royal piece is among what the enemy could capture."""
    royal = find_royal(board, player)
    near = [square for square in list_own(board, 1 - player) if royal in draw_capture_squares(board[square], square)]
    return any(royal in list_captures(board, square) for square in near)


def find_royal(board: str, player: int) -> int:
    return next(square for square, piece in enumerate(board) if piece in paint(ROYALS, player))


def shift(board: str, move: str) -> str:
    """The board after a move."""
    origin, target = INDEX[move[:2]], INDEX[move[2:4]]
    piece = board[origin]
    cells = list(board)
    cells[origin] = EMPTY
    cells[target] = paint(PROMOTIONS[piece.upper()], find_owner(piece)) if move.endswith("+") else piece
    return "".join(cells)


def list_moves(board: str, player: int) -> Iterator[str]:
    """Every move of the player's pieces, whatever becomes of the royal piece."""
    for origin in list_own(board, player):
        for target in list_quiet(board, origin) + list_captures(board, origin):
            promotes = board[origin].upper() in PROMOTIONS and is_beyond(target, player)
            yield SQUARES[origin] + SQUARES[target] + "+" * promotes


def list_own(board: str, player: int) -> list[int]:
    """The squares of the player's pieces."""
    return [square for square, piece in enumerate(board) if piece != EMPTY and find_owner(piece) == player]


def list_quiet(board: str, origin: int) -> list[int]:
    """The empty squares the piece may go to."""
    piece = board[origin]
    screens = KINDS[piece.upper()].screens
    lines = draw_quiet_lines(piece, origin)
    return [square for line in lines for square in trace(board, line, screens) if board[square] == EMPTY]


def list_captures(board: str, origin: int) -> list[int]:
    """The enemy pieces the piece attacks."""
    piece = board[origin]
    screens = KINDS[piece.upper()].screens
    lines = draw_capture_lines(piece, origin)
    ends = [square for line in lines for square in trace(board, line, screens)[-1:] if board[square] != EMPTY]
    return [square for square in ends if find_owner(board[square]) != find_owner(piece)]


def trace(board: str, line: Line, screens: int) -> Line:
    """The squares of a line behind so many screens, up to and with the next piece."""
    pieces = [place for place, square in enumerate(line) if board[square] != EMPTY]
    if len(pieces) < screens:
        return ()
    first = pieces[screens - 1] + 1 if screens else 0
    return line[first : pieces[screens] + 1] if len(pieces) > screens else line[first:]


@cache
def draw_quiet_lines(piece: str, origin: int) -> tuple[Line, ...]:
    return tuple(draw_line(piece, origin, step) for step in KINDS[piece.upper()].quiet)


@cache
def draw_capture_lines(piece: str, origin: int) -> tuple[Line, ...]:
    return tuple(draw_line(piece, origin, step) for step in KINDS[piece.upper()].takes)


@cache
def draw_capture_squares(piece: str, origin: int) -> frozenset[int]:
    """The squares on which the piece can ever capture from there."""
    return frozenset(square for line in draw_capture_lines(piece, origin) for square in line)


def draw_line(piece: str, origin: int, step: Step) -> Line:
    """The squares a piece passes on the empty board by repeating a step within its reach and its region."""
    kind, player = KINDS[piece.upper()], find_owner(piece)
    facing = (1, -1)[player]
    y, x = divmod(origin, SIZE)
    line: list[int] = []
    for _ in range(kind.reach):
        x, y = x + step[0], y + facing * step[1]
        if not (0 <= x < SIZE and 0 <= y < SIZE):
            break
        square = y * SIZE + x
        if kind.confined and not is_beyond(square, player):
            break
        line.append(square)
    return tuple(line)


def is_beyond(square: int, player: int) -> bool:
    """Whether the square lies on the river or in the enemy half."""
    rank = square // SIZE
    return (rank, SIZE - 1 - rank)[player] >= RIVER


def find_owner(piece: str) -> int:
    return 0 if piece.isupper() else 1


def paint(letters: str, player: int) -> str:
    """The letters of pieces on the board when the player owns them."""
    return (letters.upper(), letters.lower())[player]


def read_board(placed: str) -> str:
    """The board of the first FEN field."""
    for player in PLAYERS:
        for plain, promoted in PROMOTIONS.items():
            placed = placed.replace("+" + paint(plain, player), paint(promoted, player))
    ranks = [re.sub(r"\d", lambda run: EMPTY * int(run[0]), rank) for rank in placed.split("/")]
    board = "".join(reversed(ranks))
    if [len(rank) for rank in ranks] != [SIZE] * SIZE or set(board.upper()) - set(KINDS) - {EMPTY}:
        raise ValueError(f"not a board of chak: {placed!r}")
    if any(sum(board.count(royal) for royal in paint(ROYALS, player)) != 1 for player in PLAYERS):
        raise ValueError(f"one royal piece each: {placed!r}")
    for square, piece in enumerate(board):
        if piece != EMPTY and KINDS[piece.upper()].confined and not is_beyond(square, find_owner(piece)):
            raise ValueError(f"{piece} can never stand on {SQUARES[square]}: {placed!r}")
    return board


def write_board(board: str) -> str:
    """The first FEN field."""
    ranks = [board[start : start + SIZE] for start in range(0, len(board), SIZE)]
    placed = "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), rank) for rank in reversed(ranks))
    for player in PLAYERS:
        for plain, promoted in PROMOTIONS.items():
            placed = placed.replace(paint(promoted, player), "+" + paint(plain, player))
    return placed
