"""Chikkin in text: positions like FEN with small letters for East, moves like c1c5>c6c7, or Rc1-c5>c6c7."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from menagerie.diagram import Fields, read_board, write_board
from menagerie.game import Board, Gesture, Kind, Piece, View, Zone
from menagerie.games.chikkin import rules
from menagerie.games.chikkin.rules import (
    CHICKEN,
    DOG,
    GOAL,
    HEADING,
    KINDS,
    MOST,
    MOST_PIECES,
    NEAR,
    NOWHERE,
    ROOSTER,
    SIZE,
    SQUARES,
    STRAIGHT,
    WOLF,
)
from menagerie.kernel.bits import I, bit, popcount
from menagerie.kernel.state import State
from menagerie.kernel.walk import NOBODY, after, legal_actions

PLAYERS = ("East", "West")
BOARD = Board(
    SIZE,
    SIZE,
    zones=tuple(
        Zone(name, frozenset(square for square in range(SQUARES) if bit(square) & GOAL[player]), "home")
        for name, player in (("West's home", 0), ("East's home", 1))
    ),
)
KIND = {
    CHICKEN: Kind("C", "Chicken", "chicken", "steps one square in any direction; it is never pushed"),
    ROOSTER: Kind("R", "Rooster", "rooster", "slides straight over empty squares, and may push a Dog or Wolf ahead"),
    DOG: Kind(
        "D",
        "Dog",
        "dog",
        "slides straight over empty squares, and may push a Rooster or Wolf; it wins on its goal rank",
    ),
    WOLF: Kind("W", "Wolf", "wolf", "steps one square in any direction; it takes Chickens and Roosters"),
}
PUSHES = {ROOSTER: (DOG, WOLF), DOG: (ROOSTER, WOLF)}

LETTER_OF = {
    (player, kind): known.letter.lower() if player == 0 else known.letter
    for player in range(2)
    for kind, known in KIND.items()
}
LETTERS = {letter: player * KINDS + kind for (player, kind), letter in LETTER_OF.items()}

MOVE = re.compile(r"([CRDW]?)([a-h][1-8])[-x]?([a-h][1-8])(?:>([a-h][1-8])([a-z][0-9]))?#?")
STANDING = re.compile(r"([CRDW]?)([a-h][1-8])()>([a-h][1-8])([a-z][0-9])#?")


def read(text: str, state: State) -> None:
    """Write the position that a text like `8/8/4R3/8/4w3/8/8/8 e 0 1` describes into a state."""
    fields = Fields.of(text)
    state.pieces[:] = 0
    for square, piece in read_board(fields, 0, BOARD, LETTERS).items():
        state.pieces[piece // KINDS, piece % KINDS] |= bit(square)
    state.player = fields.one_of(1, "the side to move", "ew")
    state.quiet = fields.number(2, "the number of plies since a capture", 0)
    turn = fields.number(3, "the turn number", 1)
    if turn == 0:
        raise fields.fault(3, "turns are counted from 1")
    state.ply = 2 * (turn - 1) + int(state.player)
    fields.nothing_after(4)
    refuse_impossible(fields, state)


def refuse_impossible(fields: Fields, state: State) -> None:
    """No more pieces than a side can have, and no more than one winner."""
    for player in range(2):
        for kind, most in MOST.items():
            count = popcount(state.pieces[player, kind])
            if count > most:
                letter = LETTER_OF[player, kind]
                raise fields.fault(0, f"{PLAYERS[player]} has {count} pieces {letter!r} instead of at most {most}")
        count = popcount(rules.army(state, I(player)))
        if count > MOST_PIECES:
            raise fields.fault(0, f"{PLAYERS[player]} has {count} pieces instead of at most {MOST_PIECES}")
    if all(state.pieces[player, DOG] & GOAL[player] for player in range(2)):
        raise fields.fault(0, "both Dogs stand on their goal ranks, and the first of them has ended the game")


def write(state: State) -> str:
    """The text of a position."""
    pieces = {square: LETTER_OF[piece] for square, piece in pieces_of(state)}
    return f"{write_board(pieces, BOARD)} {'ew'[state.player]} {state.quiet} {int(state.ply) // 2 + 1}"


def view(state: State) -> View:
    """The pieces as people see them."""
    return View({square: Piece(player, KIND[kind].letter) for square, (player, kind) in pieces_of(state)}, ((), ()))


def pieces_of(state: State) -> Iterator[tuple[int, tuple[int, int]]]:
    """Every occupied square, and whose piece of which kind stands there."""
    sets = state.pieces.tolist()
    for player, kind in LETTER_OF:
        left = sets[player][kind]
        while left:
            yield left.bit_length() - 1, (player, kind)
            left ^= 1 << left.bit_length() - 1


def piece_on(state: State, square: int) -> tuple[int, int] | None:
    """Whose piece of which kind stands on a square."""
    sets = state.pieces.tolist()
    return next(((player, kind) for player, kind in LETTER_OF if sets[player][kind] >> square & 1), None)


class Move(NamedTuple):
    """The squares of a move: from where it comes, where it stands then, what it pushes from where to where."""

    origin: int
    stand: int
    pushed: int = NOWHERE
    target: int = NOWHERE

    @classmethod
    def of(cls, state: State, action: int) -> "Move":
        """The squares of an action."""
        return cls(*(int(square) for square in rules.squares_of(state, I(action))))

    def push(self) -> str:
        """The push, if there is one: >c6c7."""
        return f">{BOARD.name(self.pushed)}{BOARD.name(self.target)}" if self.pushed != NOWHERE else ""


def code(state: State, action: int) -> str:
    """The machine form: e2e3, c1c5>c6c7, d4d4>e5f4."""
    move = Move.of(state, action)
    return BOARD.name(move.origin) + BOARD.name(move.stand) + move.push()


def name(state: State, action: int) -> str:
    """The people's form: Ce2-e3, We4xd5, Rc1-c5>c6c7, Dd4>e5f4, with # when a Dog arrives on its goal rank."""
    move = Move.of(state, action)
    walk = ""
    if move.stand != move.origin:
        walk = ("x" if piece_on(state, move.stand) else "-") + BOARD.name(move.stand)
    end = "#" if rules.winner(after(rules, state, action)) != NOBODY else ""
    return f"{letter_on(state, move.origin)}{BOARD.name(move.origin)}{walk}{move.push()}{end}"


def letter_on(state: State, square: int) -> str:
    """The letter of the kind that stands on a square."""
    piece = piece_on(state, square)
    return KIND[piece[1]].letter if piece else ""


def gesture(state: State, action: int) -> Gesture:
    """A move touches two squares; a push the pusher, where it goes, what it pushes and where that goes."""
    move = Move.of(state, action)
    touched = [move.origin, move.stand] if move.stand != move.origin else [move.origin]
    if move.pushed != NOWHERE:
        return Gesture(names((*touched, move.pushed, move.target)), "push")
    return Gesture(names(touched), "capture" if piece_on(state, move.stand) else "move")


def names(squares: Iterable[int]) -> tuple[str, ...]:
    """The names of some squares."""
    return tuple(BOARD.name(square) for square in squares)


def refusal(state: State, text: str) -> str | None:
    """Why a move that reads like this is not legal."""
    match = MOVE.fullmatch(text) or STANDING.fullmatch(text)
    if not match:
        return None
    letter, origin, stand, pushed, target = match.groups()
    me, here = int(state.player), piece_on(state, BOARD.squares[origin])
    if here is None:
        return f"there is no piece on {origin}"
    kind = KIND[here[1]]
    if here[0] != me:
        return f"the {kind.name} on {origin} is {PLAYERS[1 - me]}'s, and {PLAYERS[me]} is to move"
    if not legal_actions(rules, state):
        return "the game is over"
    if letter not in ("", kind.letter):
        return f"the piece on {origin} is a {kind.name}"
    if target and target not in BOARD.squares:
        return f"nothing is pushed off the board, and {target} is not on it"
    square = BOARD.squares
    move = Move(square[origin], square[stand or origin], square.get(pushed, NOWHERE), square.get(target, NOWHERE))
    return refused_move(state, move, here[1])


def wish(_: State, touches: Sequence[str]) -> str | None:
    """Two squares are a move; the last two of three or four are a push."""
    if len(touches) not in (2, 3, 4):
        return None
    push = f">{''.join(touches[-2:])}" if len(touches) > 2 else ""
    return touches[0] + touches[0 if len(touches) == 3 else 1] + push


def refused_move(state: State, move: Move, kind: int) -> str:
    """Why an own piece does not move, or move and push, like this."""
    for action in legal_actions(rules, state):
        if Move.of(state, action) == move:
            return f"it is written {name(state, action)} or {code(state, action)}"
    if move.stand == move.origin and move.pushed == NOWHERE:
        return "a move ends on another square; there is no passing"
    if move.stand != move.origin:
        way = refused_step if kind in (CHICKEN, WOLF) else refused_slide
        if reason := way(state, move, kind):
            return reason
    return refused_push(state, move, kind)


def refused_step(state: State, move: Move, kind: int) -> str | None:
    """Why a Chicken or Wolf does not step there."""
    if not NEAR[move.origin] & bit(move.stand):
        return f"a {KIND[kind].name} {KIND[kind].about.partition(';')[0]}"
    there = piece_on(state, move.stand)
    if there is None or (kind == WOLF and rules.prey(state, I(state.player)) & bit(move.stand)):
        return None
    if kind == CHICKEN:
        return f"{in_words(there)} stands on {BOARD.name(move.stand)}, and only a Wolf takes"
    if there[1] in (DOG, WOLF):
        return f"a Wolf never takes a {KIND[there[1]].name}"
    if there[1] == ROOSTER and state.wolf_eats_roosters != rules.ON:
        return "by the rules of this match a Wolf takes Chickens only (wolf_eats_roosters=off)"
    return "by the rules of this match a Wolf takes nothing of its own side (wolf_takes_own=off)"


def refused_slide(state: State, move: Move, kind: int) -> str | None:
    """Why a Rooster or Dog does not slide there."""
    there = piece_on(state, move.stand)
    if there:
        return f"{in_words(there)} stands on {BOARD.name(move.stand)}, and only a Wolf takes"
    if any(Move.of(state, action)[:2] == move[:2] for action in legal_actions(rules, state)):
        return None
    origin, stand = BOARD.name(move.origin), BOARD.name(move.stand)
    if state.slide == rules.PATH:
        end = ", and a Dog goes no further from its goal rank" if kind == DOG else ""
        return f"no way of straight steps over empty squares leads from {origin} to {stand}{end}"
    if origin[0] != stand[0] and origin[1] != stand[1]:
        return f"a {KIND[kind].name} slides along a file or rank, and {origin} and {stand} share neither"
    first = first_piece(state, move)
    return f"the way from {origin} to {stand} is blocked on {BOARD.name(first)}"


def first_piece(state: State, move: Move) -> int:
    """The first occupied square on the line from origin to stand."""
    apart = SIZE if (move.stand - move.origin) % SIZE == 0 else 1
    stride = apart if move.stand > move.origin else -apart
    return next(square for square in range(move.origin + stride, move.stand, stride) if piece_on(state, square))


def refused_push(state: State, move: Move, kind: int) -> str:
    """Why a Rooster or Dog that can come there does not push so."""
    pusher, stand, pushed, target = KIND[kind].name, *names(move[1:])
    if kind not in PUSHES:
        return f"a {pusher} does not push"
    there = piece_on(state, move.pushed) if move.pushed != move.origin else None
    if there is None:
        return f"there is no piece to push on {pushed}"
    if there[1] == CHICKEN:
        return "a Chicken is never pushed"
    if there[1] not in PUSHES[kind]:
        return f"a {pusher} never pushes a {KIND[there[1]].name}"
    if not NEAR[move.stand] & bit(move.pushed):
        return f"{pushed} is not next to {stand}"
    if not NEAR[move.pushed] & bit(move.target):
        return f"a push goes one square, and {target} is not next to {pushed}"
    aim, shove = (int(HEADING[SIZE + 1 + b - a]) for a, b in (move[1:3], move[2:4]))
    if kind == ROOSTER and (aim >= STRAIGHT or aim != shove):
        return "a Rooster pushes straight ahead, along a file or rank"
    if kind == DOG and (reason := refused_dog_push(state, move, aim, shove)):
        return reason
    full = piece_on(state, move.target) if move.target != move.origin else None
    if move.target == move.stand or full:
        return f"there is no room on {target}: {in_words(full) if full else f'the {pusher} itself'} stands there"
    return f"a Rooster pushes in the direction of its last step, and it does not come to {stand} that way"


def refused_dog_push(state: State, move: Move, aim: int, shove: int) -> str | None:
    """Why a Dog does not push from there, or in this direction."""
    if bit(move.stand) & GOAL[state.player]:
        return f"the game ends as the Dog comes to {BOARD.name(move.stand)}; nothing is pushed after that"
    if move.stand != move.origin and state.dog_move_then_push != rules.ON:
        return "by the rules of this match a Dog that has moved does not push (dog_move_then_push=off)"
    if state.dog_push != rules.FREE8 and aim != shove:
        return "by the rules of this match a Dog pushes straight away from itself only (dog_push=away8 or away4)"
    if state.dog_push == rules.AWAY4 and aim >= STRAIGHT:
        return "by the rules of this match a Dog pushes along a file or rank only (dog_push=away4)"
    return None


def in_words(piece: tuple[int, int]) -> str:
    """A piece with its owner."""
    return f"{PLAYERS[piece[0]]}'s {KIND[piece[1]].name}"
