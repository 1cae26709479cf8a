"""Our games against Fairy-Stockfish, where it plays the same game."""

import pytest
from agreement import compare
from oracles.fairy import VARIANTS


@pytest.mark.parametrize("seed", [30, 31])  # two halves, for two cores
@pytest.mark.parametrize("name", sorted(VARIANTS))
def test_moves_checks_and_outcomes_agree(name: str, seed: int) -> None:
    compared = compare(name, positions=10_000, seed=seed)
    assert compared.positions == 10_000
    assert compared.ends > 10
    assert compared.checks > 50 or not VARIANTS[name].royal
