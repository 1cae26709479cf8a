"""Every way the present turn can go, played out with the rules: what foresight is held against."""

import hashlib
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np

from menagerie.game import Game
from menagerie.kernel.bits import I
from menagerie.kernel.compiled import instantiate, template, unbound
from menagerie.kernel.state import Actions, State, new
from menagerie.kernel.walk import DEEPEST, walk_type

MOST = 4_000_000
"""Turns with more ways to go are not played out."""
ANY, TOO_MANY = -1, -1

# The free names of the template below, and of those of other modules.
legal: Callable[[State, Actions], None] = unbound
play: Callable[[State, int], None] = unbound
outcome: Callable[[State], tuple[int, int]] = unbound


def fewest_to_win(game: Game, state: State, reason: str = "") -> int:
    """In how few actions the mover can win before the other moves, in one way or any; 0 for never, or TOO_MANY."""
    walk = new(walk_type(game.rules))
    walk.states[0] = state
    number = [way.name for way in game.reasons].index(reason) if reason else ANY
    return int(walks(game).fewest(walk, I(number), I(MOST)))


@cache
def walks(game: Game, module: ModuleType = sys.modules[__name__]) -> SimpleNamespace:
    """A module's walks over one game's turns; kept machine code is named by their source, which may change."""
    label = f"{game.name}.{hashlib.sha256(Path(str(module.__file__)).read_bytes()).hexdigest()[:8]}"
    return instantiate(module, label, legal=game.rules.legal, play=game.rules.play, outcome=game.rules.outcome)


@template
def fewest(walk: np.record, reason: int, most: int) -> int:
    """Walk through the turn, never deeper than the shortest win so far."""
    me = I(walk.states[0].player)
    best, ply, played = I(DEEPEST), I(0), I(0)
    legal(walk.states[0], walk.actions[0])
    walk.tried[0] = 0
    while ply >= 0:
        if walk.tried[ply] == walk.actions[ply].n or ply + 1 >= best:
            ply -= 1
            continue
        played += 1
        if played > most:
            return I(TOO_MANY)
        walk.states[ply + 1] = walk.states[ply]
        play(walk.states[ply + 1], I(walk.actions[ply].list[walk.tried[ply]]))
        walk.tried[ply] += 1
        legal(walk.states[ply + 1], walk.actions[ply + 1])
        if walk.actions[ply + 1].n == 0:
            winner, why = outcome(walk.states[ply + 1])
            if winner == me and reason in (ANY, why):
                best = ply + 1
        elif walk.states[ply + 1].player == me:
            ply += 1
            walk.tried[ply] = 0
    return best if best < DEEPEST else I(0)
