"""How a game of ours is compared with Fairy-Stockfish's, position by position; used by the tests and by bench."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from conftest import walk
from oracles import fairy

import menagerie

Witness = Callable[[str], tuple[set[str], bool | None]]
"""Says of a position's text which moves are legal and whether there is check (None where it cannot tell)."""


@dataclass
class Compared:
    """How many positions were compared, and how many of them were finished or in check."""

    positions: int = 0
    ends: int = 0
    checks: int = 0


def ask_pyffish(name: str) -> Witness:
    """Fairy-Stockfish as a library."""
    royal = fairy.VARIANTS[name].royal
    return lambda fen: (fairy.moves(name, fen), fairy.in_check(name, fen) if royal else None)


def compare(name: str, positions: int, seed: int, witness: Witness | None = None) -> Compared:
    """Compare move sets, checks and outcomes over random games; an AssertionError names the first difference."""
    witness = witness or ask_pyffish(name)
    variant = menagerie.game(name, **fairy.VARIANTS[name].options)
    chance = random.Random(seed)
    done = Compared()
    while True:
        for position in walk(variant, chance):
            if done.positions == positions:
                return done
            fen = str(position)
            moves, check = witness(fen)
            assert {action.code for action in position.actions()} == moves, fen
            if not moves:
                theirs = fairy.result(name, fen)
                assert position.outcome and theirs and position.outcome.winner == theirs.winner, fen
                done.ends += 1
            if check is not None:
                assert position.check == check, fen
                done.checks += check
            done.positions += 1
