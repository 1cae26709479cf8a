"""Every game against its slow twin, written from the rules pages and sharing no code with the package."""

import importlib
import random

from conftest import walk

from menagerie import Variant

POSITIONS = {"quick": 20_000, "slow": 4_000}
"""How many positions a twin is asked about under one set of rules; a twin says in PACE which it can bear."""


def test_the_twin_agrees_over_random_games(variant: Variant) -> None:
    twin = importlib.import_module(f"twins.{variant.game.name}")
    wanted = POSITIONS[getattr(twin, "PACE", "quick")]
    chosen = {name: getattr(variant.options, name) for name in variant.options.names()}
    chance = random.Random(20)
    asked = 0
    reasons: set[str] = set()
    while asked < wanted:
        for position in walk(variant, chance):
            theirs = twin.read(str(position), **chosen)
            assert twin.write(theirs) == str(position)
            turns = position.turns()
            if variant.game.long_turns:
                ends = {str(turn.after) for turn in turns}
                assert len(ends) == len(turns)
                assert ends == {twin.write(twin.play(theirs, move)) for move in twin.moves(theirs)}, str(position)
            else:
                assert sorted(turn.code for turn in turns) == sorted(twin.moves(theirs)), str(position)
            if position.outcome:
                assert twin.result(theirs) == (position.outcome.winner, position.outcome.reason), str(position)
                reasons.add(position.outcome.reason)
            else:
                assert twin.result(theirs) is None
                turn = chance.choice(turns)
                assert twin.write(twin.play(theirs, turn.code)) == str(turn.after)
            if variant.game.check:
                assert twin.in_check(theirs) == position.check, str(position)
            asked += 1
    assert len(reasons) >= 2, "the walks must meet different ends"
