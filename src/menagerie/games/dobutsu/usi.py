"""Dōbutsu shōgi as USI writes it: files 3 to 1 from the left, ranks a to d from the top, Sente called black.

  3 2 1            gle/1c1/1C1/ELG b - 1    the start: board, side to move, hands, number of the ply
a g l e            2c2b                     b2b3, a step
b . c .            2b2a+                    b3b4+, a chick becomes a hen
c . C .            C*2b                     C@b3, a drop
d E L G            2C1g                     hands: two chicks of Sente's, one giraffe of Gote's
"""

import re

from menagerie.diagram import Fields

FILES, RANKS = dict(zip("abc", "321", strict=True)), dict(zip("4321", "abcd", strict=True))
OUR_FILES = {file: ours for ours, file in FILES.items()}
OUR_RANKS = {rank: ours for ours, rank in RANKS.items()}
SIDES = "bw"
HELD = re.compile(r"([1-9]?)([A-Za-z])")
"""Some pieces of a kind in a hand; more than nine of them there never are."""


def read_position(text: str) -> str:
    """The FEN of an SFEN; it tells nothing of quiet turns, so they are counted anew."""
    fields = Fields.of(text)
    player = fields.one_of(1, "the side to move", SIDES)
    hands, held, at = fields.string(2, "the hands") if len(fields) > 2 else "-", "", 0
    while hands != "-" and at < len(hands):
        match = HELD.match(hands, at)
        if not match:
            raise fields.fault(2, f"{hands[at]!r} is no piece in a hand, like C or 2C", at)
        held += match[2] * int(match[1] or 1)
        at = match.end()
    number = fields.number(3, "the number of the ply", 1)
    fields.nothing_after(4)
    return f"{fields.string(0, 'the board')}[{held}] {'wb'[player]} - - 0 {(max(number, 1) - 1) // 2 + 1}"


def write_position(text: str) -> str:
    """The SFEN of a FEN."""
    board, side, _, _, _, move = text.split(" ")
    placed, _, hands = board.partition("[")
    player = "wb".index(side)
    held = "".join(
        (str(hands.count(letter)) if hands.count(letter) > 1 else "") + letter for letter in dict.fromkeys(hands[:-1])
    )
    return f"{placed} {SIDES[player]} {held or '-'} {2 * (int(move) - 1) + player + 1}"


def read_turn(text: str) -> str:
    """b2b3 for 2c2b, C@b2 for C*2c."""
    text = re.sub("([1-3])([a-d])", lambda square: OUR_FILES[square[1]] + OUR_RANKS[square[2]], text)
    return text.replace("*", "@")


def write_turn(code: str) -> str:
    """2c2b for b2b3, C*2c for C@b2."""
    code = re.sub("([a-c])([1-4])", lambda square: FILES[square[1]] + RANKS[square[2]], code)
    return code.replace("@", "*")
