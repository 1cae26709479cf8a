"""How a game of ours is compared with Fairy-Stockfish's, position by position; used by the tests and by bench."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from golden import case_positions
from oracles import fairy
from walks import walk_eagerly

import menagerie

Witness = Callable[[str], tuple[set[str], bool | None]]
"""Says of a position's text which moves are legal and whether there is check (None where it cannot tell)."""


@dataclass
class Compared:
    """How many positions were compared, how many of them were finished or in check, and the reasons of the ends."""

    positions: int = 0
    ends: int = 0
    checks: int = 0
    reasons: set[str] = field(default_factory=set)


def ask_pyffish(name: str) -> Witness:
    """Fairy-Stockfish as a library."""
    royal = fairy.VARIANTS[name].royal
    return lambda fen: (fairy.moves(name, fen), fairy.in_check(name, fen) if royal else None)


def compare(name: str, positions: int, seed: int, witness: Witness | None = None) -> Compared:
    """Compare move sets, checks and outcomes over random games; an AssertionError names the first difference.

    Half of the games begin from the position of a golden case.
    """
    witness = witness or ask_pyffish(name)
    variant = menagerie.game(name, **fairy.VARIANTS[name].options)
    chance = random.Random(seed)
    known = case_positions(variant)
    done = Compared()
    while True:
        start = chance.choice([variant.start(), chance.choice(known)])
        for position in walk_eagerly(start, chance):
            if done.positions == positions:
                return done
            fen = str(position)
            moves, check = witness(fen)
            assert {action.code for action in position.actions()} == moves, fen
            if not moves:
                theirs = fairy.result(name, fen)
                assert position.outcome and theirs and position.outcome.winner == theirs.winner, fen
                done.ends += 1
                done.reasons.add(position.outcome.reason)
            if check is not None:
                assert position.check == check, fen
                done.checks += check
            done.positions += 1
