"""Our games against public programs, where they play the same game."""

import random

import pytest
from agreement import compare
from oracles import pyrimaa
from oracles.fairy import VARIANTS
from walks import walk

import menagerie
from menagerie import Position


@pytest.mark.parametrize("seed", [30, 31])  # two halves, for two cores
@pytest.mark.parametrize("name", sorted(VARIANTS))
def test_moves_checks_and_outcomes_agree(name: str, seed: int) -> None:
    compared = compare(name, positions=10_000, seed=seed)
    assert compared.positions == 10_000
    assert compared.ends >= 50 and len(compared.reasons) >= 3
    assert compared.checks >= 300 or not VARIANTS[name].royal


def test_turns_agree_with_pyrimaa() -> None:
    variant = menagerie.game(pyrimaa.GAME)
    chance = random.Random(32)
    turns = compared = 0
    while turns < 120_000:
        for position in walk(variant, chance):
            if position.ply < 2 or not is_turn_start(position) or chance.random() > 0.02:
                continue
            ours = {" ".join(str(turn.after).split()[:2]) for turn in position.turns()}
            assert ours == pyrimaa.turns(str(position)), str(position)
            turns += len(ours)
            compared += 1
    assert compared > 10


def test_pyrimaa_accepts_unfinished_pushes_and_we_do_not() -> None:
    position = menagerie.game(pyrimaa.GAME).position("g 7r/8/8/3r4/3E4/8/8/7R 2 -")
    ours = {" ".join(str(turn.after).split()[:2]) for turn in position.turns()}
    wrong = pyrimaa.unfinished(str(position))
    assert "s 7r/8/3r4/8/3E4/8/8/5R2" in wrong, "two rabbit steps and half a push"
    assert not ours & wrong


def is_turn_start(position: Position) -> bool:
    return str(position).endswith(" -")
