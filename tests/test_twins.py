"""Every game against its slow twin, written from the rules pages and sharing no code with the package."""

import importlib
import random
from types import ModuleType

from conftest import listed_turns, random_turn, walk

from menagerie import Position, Variant

POSITIONS = {"quick": 20_000, "slow": 4_000}
"""How many positions a twin is asked about under one set of rules; a twin says in PACE which it can bear."""

TURNS = 12_000
"""How many turns of several actions a twin is asked for in all; every position's single actions are compared."""


def test_the_twin_agrees_over_random_games(extreme: Variant) -> None:
    variant = extreme
    twin = importlib.import_module(f"twins.{variant.game.name}")
    wanted = POSITIONS[getattr(twin, "PACE", "quick")]
    chosen = {name: getattr(variant.options, name) for name in variant.options.names()}
    chance = random.Random(20)
    asked = turns = 0
    endings: set[tuple[int | None, str]] = set()
    while asked < wanted:
        before = -1
        for position in walk(variant, chance):
            begins_turn, before = position.ply != before, position.ply
            if not begins_turn and not hasattr(twin, "steps"):
                continue  # this twin knows whole turns only
            theirs = twin.read(str(position), **chosen)
            assert twin.write(theirs) == str(position)
            if hasattr(twin, "steps"):
                assert {action.code for action in position.actions()} == set(twin.steps(theirs)), str(position)
            if turns < TURNS and chance.random() < getattr(twin, "TURNS_ASKED", 1):
                turns += compare_turns(position, theirs, twin) if variant.game.long_turns else 0
            if not variant.game.long_turns:
                assert sorted(action.code for action in position.actions()) == sorted(twin.moves(theirs)), str(position)
            if position.outcome:
                assert twin.result(theirs) == (position.outcome.winner, position.outcome.reason), str(position)
                endings.add((position.outcome.winner, position.outcome.reason))
            else:
                assert twin.result(theirs) is None
                if not variant.game.long_turns:
                    turn = random_turn(position, chance)
                    assert twin.write(twin.play(theirs, turn.code)) == str(turn.after)
            if variant.game.check:
                assert twin.in_check(theirs) == position.check, str(position)
            asked += 1
    assert len(endings) >= 2, "the walks must meet different ends"


def compare_turns(position: Position, theirs: object, twin: ModuleType) -> int:
    """Compare where all distinct turns lead; how many there are."""
    turns = listed_turns(position)
    if not turns and position.indices:
        return 0
    ends = {str(turn.after) for turn in turns}
    assert len(ends) == len(turns)
    assert ends == {twin.write(twin.play(theirs, move)) for move in twin.moves(theirs)}, str(position)
    return len(turns)
