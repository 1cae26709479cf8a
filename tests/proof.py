"""Proof by trying everything: forced wins within so many turns, found without a search's window, order or judgement.

A turn is one of either player; a win in 3 is my turn, any answer, my turn. Where turns are several actions, they are
tried action by action: the player who goes on chooses again, and a turn has passed when the other is to move.

Nothing here asks about history. A shortest win comes nearer to its end with every turn, so none of its positions comes
again and no draw by repetition can be in its way. Where the turn that repeats a position too often is forbidden, that
takes more turns than are looked at. Turns that the board alone forbids, such as one that changes nothing, are left out
by the rules' own `legal`.
"""

import hashlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from menagerie import Position, Turn
from menagerie.game import Game
from menagerie.kernel.bits import ONE, U64, I, mix
from menagerie.kernel.compiled import instantiate, template, unbound
from menagerie.kernel.state import Actions, RecordType, State, key, new, record_type
from menagerie.kernel.walk import Rules

MOST_ACTIONS = 120
"""No line of actions that is looked at is longer."""
MEMORY = 1 << 22
"""How many answers are remembered, a power of two; a new one takes an old one's place."""

legal: Callable[[State, Actions], None] = unbound
play: Callable[[State, int], None] = unbound
outcome: Callable[[State], tuple[int, int]] = unbound

Line = np.record


@dataclass(frozen=True)
class Proof:
    """What is proven of a position: in how many turns its mover wins by force, and every turn that wins so fast."""

    turns: int
    best: tuple[Turn, ...]


def prove(position: Position, most: int) -> Proof | None:
    """The shortest forced win of the player to move, if there is one within so many turns."""
    for turns in range(1, most + 1):
        best = tuple(turn for turn in position.turns() if forces(turn.after, position.player, turns - 1))
        if best:
            return Proof(turns, best)
    return None


def holding(position: Position, turns: int) -> tuple[Turn, ...]:
    """The turns after which the other player has no forced win within so many turns, these included."""
    return tuple(turn for turn in position.turns() if not forces(turn.after, 1 - position.player, turns - 1))


def forces(position: Position, winner: int, turns: int) -> bool:
    """Whether a player wins by force before more than so many turns have been played from here."""
    parts = prover(position.game)
    line = new(parts.LINE)
    line.states[0] = position.state
    return bool(parts.is_forced(line, parts.memory, I(0), I(winner), I(turns)))


@cache
def prover(game: Game) -> SimpleNamespace:
    """The proof of one game with its memory, compiled; kept on disk under a name that changes with this file."""
    rules = game.rules
    label = f"{game.name}.{hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:16]}"
    return instantiate(
        sys.modules[__name__],
        label,
        legal=rules.legal,
        play=rules.play,
        outcome=rules.outcome,
        LINE=line_type(rules),
        memory=np.zeros(MEMORY, np.uint64),
    )


def line_type(rules: Rules) -> RecordType:
    """The states from the root to the present one, and the actions of each."""
    return record_type(("states", rules.STATE, MOST_ACTIONS + 1), ("actions", rules.ACTIONS, MOST_ACTIONS + 1))


@template
def is_forced(line: Line, memory: np.ndarray, ply: int, winner: int, turns: int) -> bool:
    """Whether `winner` wins from the state at this ply, whatever the other does, within so many more turns.

    A word of the memory is a hash of state, winner and turns, but for its last bit: the answer.
    """
    state, actions = line.states[ply], line.actions[ply]
    legal(state, actions)
    if actions.n == 0:
        return outcome(state)[0] == winner
    if turns == 0:
        return False
    name = mix(key(state), U64(2 * turns + winner)) | ONE
    slot = I((name >> U64(20)) & U64(len(memory) - 1))
    if memory[slot] | ONE == name:
        return memory[slot] == name
    chooses = I(state.player) == winner
    answer = not chooses
    for i in range(actions.n):
        line.states[ply + 1] = line.states[ply]
        play(line.states[ply + 1], I(actions.list[i]))
        passed = I(line.states[ply + 1].player != state.player)
        if is_forced(line, memory, ply + 1, winner, turns - passed) == chooses:
            answer = chooses
            break
    memory[slot] = name if answer else name ^ ONE
    return answer
