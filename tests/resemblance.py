"""How a game is compared with its slow twin, position by position; used by the tests and by bench."""

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from types import ModuleType

from golden import case_positions
from walks import LONGEST, listed_turns

from menagerie import Action, Position, Turn, Variant

TURNS_A_POSITION = 1
"""How many turns are compared on average where they are several steps each; the steps are compared everywhere."""


@dataclass
class Compared:
    """How many positions were compared, how many turns where these are several actions, and the ends met."""

    positions: int = 0
    turns: int = 0
    ends: Counter[tuple[int | None, str]] = field(default_factory=Counter)

    def __add__(self, other: "Compared") -> "Compared":
        return Compared(self.positions + other.positions, self.turns + other.turns, self.ends + other.ends)


def compare(variant: Variant, positions: int, seed: int) -> Compared:
    """Compare texts, moves, checks and outcomes over random games; an AssertionError names the first difference.

    Every other game begins from the position of a golden case.
    """
    twin = import_module(f"twins.{variant.game.name}")
    chosen = {name: getattr(variant.options, name) for name in variant.options.names()}
    chance = random.Random(seed)
    known = known_starts(variant, twin)
    done = Compared()
    while done.positions < positions:
        position = chance.choice([variant.start(), chance.choice(known)])
        theirs = twin.read(str(position), **chosen)
        for _ in range(LONGEST):
            moves = compare_position(position, theirs, twin)
            done.positions += 1
            if position.outcome:
                done.ends[position.outcome.winner, position.outcome.reason] += 1
            if done.turns < TURNS_A_POSITION * positions and chance.random() < getattr(twin, "TURNS_ASKED", 0):
                done.turns += compare_turns(position, theirs, twin)
            if not moves or done.positions == positions:
                break
            code = chance.choice(sorted(moves))
            position = moves[code].after
            theirs = twin.step(theirs, code) if knows_steps(twin) else twin.play(theirs, code)
    return done


def knows_steps(twin: ModuleType) -> bool:
    """Whether a twin knows the actions of which a turn may consist; others know whole turns."""
    return hasattr(twin, "steps")


def known_starts(variant: Variant, twin: ModuleType) -> list[Position]:
    """The positions of the golden cases; a twin that knows whole turns can read none inside a turn."""
    return [position for position in case_positions(variant) if knows_steps(twin) or is_readable(position, twin)]


def is_readable(position: Position, twin: ModuleType) -> bool:
    """Whether the twin can read a position."""
    try:
        twin.read(str(position))
    except ValueError:
        return False
    return True


def compare_position(position: Position, theirs: object, twin: ModuleType) -> Mapping[str, Action | Turn]:
    """Compare the text of a position, its moves or steps, its check and its outcome; the moves or steps by text."""
    same(position, str(position), twin.write(theirs))
    moves = compare_steps(position, theirs, twin) if knows_steps(twin) else compare_moves(position, theirs, twin)
    if not moves:  # a twin, too, has none exactly when it is over
        outcome = position.outcome
        same(position, outcome and (outcome.winner, outcome.reason), twin.result(theirs))
    if position.game.check:
        same(position, position.check, twin.in_check(theirs))
    return moves


def compare_steps(position: Position, theirs: object, twin: ModuleType) -> dict[str, Action]:
    """Compare the single actions; ours by their texts."""
    steps = {action.code: action for action in position.actions()}
    same(position, sorted(steps), sorted(twin.steps(theirs)))
    return steps


def compare_moves(position: Position, theirs: object, twin: ModuleType) -> dict[str, Turn]:
    """Compare the turns; ours by their texts. Where two ways lead to the same end, either may name the turn."""
    moves = {turn.code: turn for turn in position.turns()}
    ours, others = sorted(moves), sorted(twin.moves(theirs))
    if position.game.long_turns and ours != others:
        compare_turns(position, theirs, twin)
    else:
        same(position, ours, others)
    return moves


def compare_turns(position: Position, theirs: object, twin: ModuleType) -> int:
    """Compare where all distinct turns lead, and what some of their texts mean; how many there are."""
    turns = listed_turns(position)
    if not turns and position.indices:
        return 0
    ours = [str(turn.after) for turn in turns]
    same(position, sorted(ours), sorted(map(twin.write, twin.ends(theirs))))
    for turn, end in list(zip(turns, ours, strict=True))[::20]:
        same(position, end, twin.write(twin.play(theirs, turn.code)))
    return len(turns)


def same(position: Position, ours: object, theirs: object) -> None:
    """Refuse a difference, and tell where it is."""
    if ours != theirs:
        where = f"{position.game.name} ({position.options.in_full()}) {position}"
        raise AssertionError(f"{where}:\n  ours: {ours}\n  the twin's: {theirs}")
