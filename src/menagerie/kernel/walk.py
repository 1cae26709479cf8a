"""Walks over a game's positions: perft, distinct turns and random playouts, written once for every game."""

import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Protocol

import numpy as np

from menagerie.kernel.bits import U64, ZERO, I, below, mix, next_random
from menagerie.kernel.compiled import instantiate, template, unbound
from menagerie.kernel.path import GOES_ON, PATH, REPEATED, ROOM, push, verdict
from menagerie.kernel.state import Actions, RecordType, State, copy, key, new, record_type

DEEPEST = 32
REASONS = 16
PATIENCE = I(256)
NOBODY = I(2)
"""The third column of a tally, after the two players."""


class Rules(Protocol):
    """What a game's `rules.py` supplies; all that the kernel knows of a game."""

    STATE: RecordType
    ACTIONS: RecordType
    MAX_LEGAL: int
    """No state has more legal actions."""
    ACTION_COUNT: int
    """Actions are numbers below this."""

    def initial(self, state: State) -> None:
        """Write the starting position; the options are already in the state."""

    def legal(self, state: State, actions: Actions) -> None:
        """Fill in the legal actions, distinct, in a fixed order; none exactly when the state itself is over."""

    def play(self, state: State, action: int) -> None:
        """Change the state in place; the action is legal."""

    def outcome(self, state: State) -> tuple[int, int]:
        """Asked when `legal` found nothing: the winner (0, 1 or NOBODY) and the number of the reason."""


# The free names of the templates below; `walks` binds them to a game's own functions.
legal: Callable[[State, Actions], None] = unbound
play: Callable[[State, int], None] = unbound
outcome: Callable[[State], tuple[int, int]] = unbound

Walk = np.record
Run = np.record


def walks(rules: Rules, label: str) -> SimpleNamespace:
    """The walks of one game, and the types of their records."""
    return instantiate(
        sys.modules[__name__],
        label,
        legal=rules.legal,
        play=rules.play,
        outcome=rules.outcome,
        WALK=walk_type(rules),
        RUN=run_type(rules),
    )


def walk_type(rules: Rules) -> RecordType:
    """The line of states from the root to the present one, and at each how far its actions have been tried."""
    return record_type(
        ("states", rules.STATE, DEEPEST + 1), ("actions", rules.ACTIONS, DEEPEST + 1), ("tried", np.int64, DEEPEST + 1)
    )


def run_type(rules: Rules) -> RecordType:
    """A run of playouts: the start, the present state and the last turn's end; the path; and the sums so far.

    tally[reason, winner] counts the games that ended on the board, tally[REASONS + verdict] the others.
    """
    return record_type(
        ("states", rules.STATE, 3),
        ("actions", rules.ACTIONS),
        ("path", PATH),
        ("is_illegal", np.int64),
        ("games", np.int64),
        ("steps", np.int64),
        ("turns", np.int64),
        ("longest", np.int64),
        ("tally", np.int64, (REASONS + 3, 3)),
    )


@template
def count(walk: Walk, depth: int) -> int:
    """How many lines of `depth` actions lead on from the root; the last action of each is counted, not played."""
    lines = ply = I(0)
    walk.tried[0] = -1
    while ply >= 0:
        if walk.tried[ply] < 0:
            legal(walk.states[ply], walk.actions[ply])
            walk.tried[ply] = 0
            if ply + 1 == depth:
                lines += walk.actions[ply].n
                walk.tried[ply] = walk.actions[ply].n
        if walk.tried[ply] == walk.actions[ply].n:
            ply -= 1
        else:
            walk.states[ply + 1] = walk.states[ply]
            play(walk.states[ply + 1], I(walk.actions[ply].list[walk.tried[ply]]))
            walk.tried[ply] += 1
            ply += 1
            walk.tried[ply] = -1
    return lines


@template
def count_played(walk: Walk, depth: int) -> int:
    """The same number, with every action played."""
    lines = ply = I(0)
    walk.tried[0] = -1
    while ply >= 0:
        if ply == depth:
            lines += 1
            ply -= 1
            continue
        if walk.tried[ply] < 0:
            legal(walk.states[ply], walk.actions[ply])
            walk.tried[ply] = 0
        if walk.tried[ply] == walk.actions[ply].n:
            ply -= 1
        else:
            walk.states[ply + 1] = walk.states[ply]
            play(walk.states[ply + 1], I(walk.actions[ply].list[walk.tried[ply]]))
            walk.tried[ply] += 1
            ply += 1
            walk.tried[ply] = -1
    return lines


@template
def spread(walk: Walk, states: np.ndarray, links: np.ndarray, ends: np.ndarray, known: np.ndarray) -> int:
    """Every distinct turn from states[0]: the states within the turn, breadth first, and the ways to its ends.

    links[i] and ends[i] are a parent among the states and the action that leads on from it. Returns the number of
    ends, or -1 where a room is too small for them. `known` holds the keys met so far; it comes filled with 0, and its
    length is a power of two, well above the number of states and ends.
    """
    inner, outer, head = I(1), I(0), I(0)
    mover = states[0].player
    while head < inner:
        legal(states[head], walk.actions[0])
        if walk.actions[0].n == 0 and head > 0:
            ends[outer, 0], ends[outer, 1] = links[head, 0], links[head, 1]
            outer += 1
        for i in range(walk.actions[0].n):
            if inner == len(states) or outer >= len(ends) - 1:
                return I(-1)
            states[inner] = states[head]
            play(states[inner], I(walk.actions[0].list[i]))
            name = key(states[inner])
            slot = I(name & U64(len(known) - 1))
            while known[slot] != ZERO and known[slot] != name:
                slot = (slot + 1) & (len(known) - 1)
            if known[slot] == ZERO:
                known[slot] = name
                if states[inner].player == mover:
                    links[inner, 0], links[inner, 1] = head, walk.actions[0].list[i]
                    inner += 1
                else:
                    ends[outer, 0], ends[outer, 1] = head, walk.actions[0].list[i]
                    outer += 1
        head += 1
    return outer


@template
def playouts(run: Run, seed: np.uint64, first: int, games: int) -> None:
    """Play that many random games from the start, the i-th with its own seed, and add them to the sums."""
    for game in range(first, first + games):
        playout(run, mix(mix(seed, U64(1)), U64(game)) | U64(1))


@template
def playout(run: Run, seed: np.uint64) -> None:
    """One random game: every legal action is equally likely, history ends it as in a match.

    Where the turn that repeats a position is illegal, a turn that would is begun anew; if that happens too often,
    the player has no other turn and has lost.
    """
    state, actions, path = run.states[1], run.actions, run.path
    run.states[1] = run.states[0]
    run.states[2] = run.states[0]
    path.n = 0
    push(path, key(state))
    turns = steps = refused = I(0)
    judged = GOES_ON
    while True:
        legal(state, actions)
        if actions.n == 0:
            winner, reason = outcome(state)
            break
        if judged != GOES_ON or state.quiet >= ROOM:
            winner, reason = NOBODY, I(REASONS) + judged
            break
        if refused == PATIENCE:
            winner, reason = I(1 - state.player), I(REASONS) + REPEATED
            break
        seed = next_random(seed)
        play(state, I(actions.list[below(seed, actions.n)]))
        steps += 1
        if state.player != run.states[2].player:
            push(path, key(state))
            judged = verdict(path, I(state.quiet))
            if judged == REPEATED and run.is_illegal != 0:
                path.n -= 1
                judged = GOES_ON
                refused += 1
                run.states[1] = run.states[2]
            else:
                turns += 1
                refused = I(0)
                run.states[2] = run.states[1]
    run.tally[reason, winner] += 1
    run.games += 1
    run.steps += steps
    run.turns += turns
    run.longest = max(run.longest, turns)


def legal_actions(rules: Rules, state: State) -> list[int]:
    """The legal actions as a list."""
    actions = new(rules.ACTIONS)
    rules.legal(state, actions)
    return [int(action) for action in actions.list[: actions.n]]


def after(rules: Rules, state: State, action: int) -> State:
    """The state after an action; the given one stays as it is."""
    following = copy(state)
    rules.play(following, action)
    return following
