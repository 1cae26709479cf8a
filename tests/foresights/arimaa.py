"""Arimaa: sparse boards where rabbits run and pieces hang, and which pieces a turn can capture, by playing it out."""

import random
import sys
from collections.abc import Iterator

import numpy as np
from exhaustion import legal, play, walks

from menagerie import Position, Variant
from menagerie.errors import MenagerieError
from menagerie.game import Game
from menagerie.games.arimaa.evaluate import captures_in_turn
from menagerie.games.arimaa.rules import PASS, STEPS_A_TURN, STRIDE
from menagerie.kernel.bits import ZERO, I, bit
from menagerie.kernel.compiled import template
from menagerie.kernel.state import State, new
from menagerie.kernel.walk import walk_type

__all__ = ["captured", "captures_in_turn", "sparse"]

STRONG = "CCDDHHME"
TRAP_NEIGHBOURHOOD = [
    8 * (rank + up) + file + right
    for rank in (2, 5)
    for file in (2, 5)
    for up in (-2, -1, 0, 1, 2)
    for right in (-2, -1, 0, 1, 2)
    if abs(up) + abs(right) <= 2
]


def sparse(variant: Variant, chance: random.Random) -> Iterator[Position]:
    """Positions with few pieces, many of them near goal or near traps, and at any step of a turn."""
    while True:
        try:
            position = variant.position(f"{chance.choice('gs')} {board(chance)} 20 -")
        except MenagerieError:
            continue
        for _ in range(chance.randrange(STEPS_A_TURN)):
            if position.indices:
                position = position.play(chance.choice(position.actions()))
        if not position.outcome:
            yield position


def board(chance: random.Random) -> str:
    """A few pieces of both sides."""
    squares = [" "] * 64
    near, far = chance.choice([(TRAP_NEIGHBOURHOOD, range(64)), (range(64), range(64))])
    for case in (str.upper, str.lower):
        pieces = "R" * chance.randint(1, 4) + "".join(chance.sample(STRONG, chance.randint(1, 6)))
        for piece in pieces:
            square = chance.choice(near if chance.random() < 0.7 else far)
            if piece == "R" and chance.random() < 0.6:
                square = 8 * chance.randint(3, 6) + chance.randrange(8)
                square = square if case is str.upper else square ^ 56
            if squares[square] == " ":
                squares[square] = case(piece)
    rows = ["".join(squares[8 * rank : 8 * rank + 8]) for rank in reversed(range(8))]
    return "/".join("".join(c if c != " " else "1" for c in row) for row in rows)


def captured(game: Game, state: State) -> int:
    """The squares of the enemies that some way of playing this turn captures."""
    walk = new(walk_type(game.rules))
    walk.states[0] = state
    return int(walks(game, sys.modules[__name__]).every_capture(walk))


@template
def every_capture(walk: np.record) -> np.uint64:
    """Play every way this turn can go, and follow each captured enemy back to where it stood."""
    me = I(walk.states[0].player)
    found, ply = ZERO, I(0)
    legal(walk.states[0], walk.actions[0])
    walk.tried[0] = 0
    while ply >= 0:
        if walk.tried[ply] == walk.actions[ply].n:
            ply -= 1
            continue
        action = I(walk.actions[ply].list[walk.tried[ply]])
        walk.tried[ply] += 1
        if action >= PASS:
            continue
        walk.states[ply + 1] = walk.states[ply]
        play(walk.states[ply + 1], action)
        theirs = walk.states[ply].army[1 - me]
        if (theirs & bit(action >> 2)) != ZERO:
            theirs ^= bit(action >> 2) | bit((action >> 2) + STRIDE[action & 3])
        lost = theirs & ~walk.states[ply + 1].army[1 - me]
        for back in range(ply + 1):
            if lost != ZERO:
                made = I(walk.actions[ply - back].list[walk.tried[ply - back] - 1])
                if lost == bit((made >> 2) + STRIDE[made & 3]):
                    lost = bit(made >> 2)
        found |= lost
        if walk.states[ply + 1].player == me:
            ply += 1
            legal(walk.states[ply], walk.actions[ply])
            walk.tried[ply] = 0
    return found
