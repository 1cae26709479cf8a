"""Fairy-Stockfish as a witness: what pyffish says of a single position, in our notation."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import pyffish

from oracles.stockfish import CONFIG

# pyffish dies on a variant it has not been told of, so this stands before everything else.
pyffish.load_variant_config(CONFIG.read_text())


@dataclass(frozen=True)
class Variant:
    """How pyffish plays one of our games."""

    name: str
    options: Mapping[str, str] = field(default_factory=dict)
    """The rule options under which our game is the same game."""
    royal: bool = True
    """Whether pyffish knows check; a piece that may be left to be taken is not royal."""
    taken: str = ""
    """The piece whose capture ends the game: pyffish puts it in the taker's hand, we take it off."""


VARIANTS = {
    "chak": Variant("chak"),
    "dobutsu": Variant("dobutsu", {"chick_drop_mate": "allowed"}, royal=False, taken="Ll"),
}


class Result(NamedTuple):
    """The end of a game: player 0 or 1 won, or nobody."""

    winner: int | None


def moves(game: str, fen: str) -> set[str]:
    """The legal moves; none when the game is over. Repetition and move counts never end it here."""
    return set(pyffish.legal_moves(VARIANTS[game].name, fen, []))


def result(game: str, fen: str) -> Result | None:
    """How the game ended in this position, or None while it goes on."""
    if moves(game, fen):
        return None
    mover = "wb".index(fen.split()[1])
    score = pyffish.game_result(VARIANTS[game].name, fen, [])
    if score == pyffish.VALUE_DRAW:
        return Result(None)
    return Result(mover if score > 0 else 1 - mover)


def in_check(game: str, fen: str) -> bool:
    """Whether the mover's royal piece is attacked; a ValueError for a game without one."""
    variant = VARIANTS[game]
    if not variant.royal:
        raise ValueError(f"{game}: pyffish knows no check here, its pieces may all be left to be taken")
    return pyffish.gives_check(variant.name, fen, [])


def play(game: str, fen: str, move: str) -> str:
    """The position after a legal move; promoted pieces are spelled as in the position given."""
    variant = VARIANTS[game]
    board, bracket, rest = pyffish.get_fen(variant.name, fen, [move]).partition("[")
    hand, closing, fields = rest.partition("]")
    return board + bracket + hand.translate(dict.fromkeys(map(ord, variant.taken))) + closing + fields
