"""Dōbutsu shōgi, slow and plain: the sentences of its rules page, one function each, for tests to compare with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

START = "gle/1c1/1C1/ELG[] w - - 0 1"

# The board is a string of 12 letters, a1 b1 c1 a2 ... c4; upper case is the first player's (0), lower case the other's.
FILES, RANKS = "abc", "1234"
SQUARES = [file + rank for rank in RANKS for file in FILES]
INDEX = {name: square for square, name in enumerate(SQUARES)}
EMPTY = "."
PLAYERS = (0, 1)
SIDES = "wb"

Step = tuple[int, int]
FORWARD: tuple[Step, ...] = ((0, 1),)
STRAIGHT: tuple[Step, ...] = (*FORWARD, (-1, 0), (1, 0), (0, -1))
FORWARD_DIAGONAL: tuple[Step, ...] = ((-1, 1), (1, 1))
DIAGONAL: tuple[Step, ...] = (*FORWARD_DIAGONAL, (-1, -1), (1, -1))

# Steps (files to the right, ranks forward) as the owner sees them.
LION, HEN, CHICK = "L", "H", "C"
STEPS = {
    LION: STRAIGHT + DIAGONAL,
    "E": DIAGONAL,
    "G": STRAIGHT,
    CHICK: FORWARD,
    HEN: STRAIGHT + FORWARD_DIAGONAL,
}
HAND_ORDER = "GEC"
WRITTEN_HEN = "+C"
CHICK_DROP_MATE = ("forbidden", "allowed")


@dataclass(frozen=True)
class Twin:
    """A position; the hands hold upper-case letters in the order G E C."""

    board: str
    hands: tuple[str, str]
    player: int
    clock: int
    turn: int
    chick_drop_mate: str


def read(text: str, **options: str) -> Twin:
    """The position of a FEN; fields after the side to move may be left out. The one option is chick_drop_mate."""
    chick_drop_mate = options.pop("chick_drop_mate", CHICK_DROP_MATE[0])
    if options or chick_drop_mate not in CHICK_DROP_MATE:
        raise ValueError(f"the one option is chick_drop_mate, one of {CHICK_DROP_MATE}: {chick_drop_mate!r} {options}")
    form = re.fullmatch(r"([^\s\[\]]+)\[([GECgec]*)\] ([wb])(?: - -(?: (\d+) (\d+))?)?", text)
    if form is None:
        raise ValueError(f"not a FEN of dobutsu: {text!r}")
    placed, held, side, clock, turn = form.groups()
    hands = (sort_hand(re.sub("[a-z]", "", held)), sort_hand(re.sub("[A-Z]", "", held).upper()))
    return Twin(read_board(placed), hands, SIDES.index(side), int(clock or 0), int(turn or 1), chick_drop_mate)


def write(position: Twin) -> str:
    """The canonical FEN."""
    hands = position.hands[0] + position.hands[1].lower()
    counters = f"{position.clock} {position.turn}"
    return f"{write_board(position.board)}[{hands}] {SIDES[position.player]} - - {counters}"


def moves(position: Twin) -> list[str]:
    """Every legal move; none when the game is over."""
    if judge_lions(position) is not None:
        return []
    return [move for move in list_moves(position) if not is_banned(position, move)]


def play(position: Twin, move: str) -> Twin:
    """The position after one of its moves."""
    player = position.player
    board, hand = list(position.board), position.hands[player]
    target = INDEX[move.rstrip("+")[-2:]]
    if "@" in move:
        piece = move[0]
        hand = hand.replace(piece, "", 1)
    else:
        origin = INDEX[move[:2]]
        piece = HEN if move.endswith("+") else board[origin].upper()
        hand = sort_hand(hand + list_spoils(board[target]))
        board[origin] = EMPTY
    board[target] = paint(piece, player)
    first, second = (hand if owner == player else position.hands[owner] for owner in PLAYERS)
    return replace(
        position,
        board="".join(board),
        hands=(first, second),
        player=1 - player,
        clock=position.clock + 1,
        turn=position.turn + player,
    )


def result(position: Twin) -> tuple[int | None, str] | None:
    """The winner (none for a draw) and the reason, or nothing while the game goes on."""
    verdict = judge_lions(position)
    if verdict is None and not moves(position):
        return 1 - position.player, "stuck"
    return verdict


def in_check(position: Twin) -> bool:
    """Whether the mover's lion could be taken if it were the other's turn."""
    return is_lion_capturable(position.board, position.player)


def judge_lions(position: Twin) -> tuple[int | None, str] | None:
    """The end by a taken lion or by a lion safe on the far rank, whoever is to move."""
    for player in PLAYERS:
        if paint(LION, player) not in position.board:
            return 1 - player, "lion"
    tries = [player for player in PLAYERS if is_lion_home(position.board, player)]
    if tries == list(PLAYERS):
        return None, "tries"
    return (tries[0], "try") if tries else None


def is_lion_home(board: str, player: int) -> bool:
    """Whether the player's lion stands on the far rank on a square no enemy piece attacks."""
    return is_far(board.index(paint(LION, player)), player) and not is_lion_capturable(board, player)


def is_lion_capturable(board: str, player: int) -> bool:
    """Whether an enemy piece reaches the player's lion; a lion already taken cannot be captured."""
    lion = board.find(paint(LION, player))
    return any(lion in list_reach(board[square], square) for square in list_own(board, 1 - player))


def is_banned(position: Twin, move: str) -> bool:
    """Whether the rule set forbids the move as a mate by a dropped chick.

    The page: illegal iff after the drop the enemy Lion is attacked, the dropper's own Lion cannot be captured, and
    every reply leaves the enemy Lion capturable.
    """
    if position.chick_drop_mate == "allowed" or not move.startswith(f"{CHICK}@"):
        return False
    dropper, enemy = position.player, 1 - position.player
    after = play(position, move)
    return (
        is_lion_capturable(after.board, enemy)
        and not is_lion_capturable(after.board, dropper)
        # A drop never shields a lion, so it does not matter here that some chick drops among the replies may be banned.
        and all(is_lion_capturable(play(after, reply).board, enemy) for reply in list_moves(after))
    )


def list_moves(position: Twin) -> Iterator[str]:
    """Every board move and drop, before the ban on mating with a dropped chick."""
    board, player = position.board, position.player
    own = list_own(board, player)
    for origin in own:
        for target in list_reach(board[origin], origin):
            if target not in own:
                promotes = board[origin].upper() == CHICK and is_far(target, player)
                yield SQUARES[origin] + SQUARES[target] + "+" * promotes
    for piece in HAND_ORDER:
        if piece in position.hands[player]:
            yield from (f"{piece}@{name}" for name, held in zip(SQUARES, board, strict=True) if held == EMPTY)


def list_own(board: str, player: int) -> list[int]:
    """The squares of the player's pieces."""
    return [square for square, piece in enumerate(board) if piece != EMPTY and piece == paint(piece, player)]


@cache
def list_reach(piece: str, origin: int) -> tuple[int, ...]:
    """The squares one step away for a piece, whatever stands there."""
    y, x = divmod(origin, len(FILES))
    facing = 1 if piece.isupper() else -1
    ends = [(x + right, y + facing * forward) for right, forward in STEPS[piece.upper()]]
    return tuple(b * len(FILES) + a for a, b in ends if 0 <= a < len(FILES) and 0 <= b < len(RANKS))


def list_spoils(taken: str) -> str:
    """What goes to hand for what stood on the target: a hen as a chick, a lion to nobody."""
    piece = CHICK if taken.upper() == HEN else taken.upper()
    return piece if piece in HAND_ORDER else ""


def is_far(square: int, player: int) -> bool:
    """Whether the square lies on the player's far rank."""
    return square // len(FILES) == (len(RANKS) - 1, 0)[player]


def paint(piece: str, player: int) -> str:
    """The letter of a piece on the board when the player owns it."""
    return (piece.upper(), piece.lower())[player]


def sort_hand(hand: str) -> str:
    return "".join(sorted(hand, key=HAND_ORDER.index))


def read_board(placed: str) -> str:
    """The board of the first FEN field without the hands."""
    if HEN in placed.upper():
        raise ValueError(f"a hen is written {WRITTEN_HEN}: {placed!r}")
    for player in PLAYERS:
        placed = placed.replace(paint(WRITTEN_HEN, player), paint(HEN, player))
    ranks = [re.sub(r"\d", lambda run: EMPTY * int(run[0]), rank) for rank in placed.split("/")]
    board = "".join(reversed(ranks))
    if [len(rank) for rank in ranks] != [len(FILES)] * len(RANKS) or set(board.upper()) - set(STEPS) - {EMPTY}:
        raise ValueError(f"not a board of dobutsu: {placed!r}")
    lions = [board.count(paint(LION, player)) for player in PLAYERS]
    if max(lions) > 1 or lions == [0, 0]:
        raise ValueError(f"a lion each, at most one of them taken: {placed!r}")
    return board


def write_board(board: str) -> str:
    """The first FEN field without the hands."""
    ranks = [board[start : start + len(FILES)] for start in range(0, len(board), len(FILES))]
    placed = "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), rank) for rank in reversed(ranks))
    for player in PLAYERS:
        placed = placed.replace(paint(HEN, player), paint(WRITTEN_HEN, player))
    return placed
