"""Every game against its slow twin, written from the rules pages and sharing no code with the package."""

from itertools import combinations, product

import pytest
from resemblance import compare
from rule_sets import covering, every

import menagerie
from menagerie import Variant
from menagerie.games import names

POSITIONS = 20_000
"""How many positions a twin is asked about under one set of rules; `python -m bench.twins` tries all sets there are."""


def test_the_twin_agrees_over_random_games(variant: Variant) -> None:
    compared = compare(variant, POSITIONS, seed=20)
    assert compared.positions == POSITIONS
    assert len(compared.ends) >= 2, "the walks must meet different ends"


@pytest.mark.parametrize("name", names())
def test_every_value_of_an_option_meets_every_value_of_any_other(name: str) -> None:
    tried = [variant.options for variant in covering(name)]
    assert tried[0] == menagerie.game(name).options
    options = tried[0]
    for option in options.names():
        assert {getattr(rules, option) for rules in tried} == set(options.values(option))
    for one, other in combinations(options.names(), 2):
        met = {(getattr(rules, one), getattr(rules, other)) for rules in tried}
        assert met == set(product(options.values(one), options.values(other)))


@pytest.mark.parametrize("name", names())
def test_every_set_of_rules_is_listed_once(name: str) -> None:
    options = menagerie.game(name).options
    count = 1
    for option in options.names():
        count *= len(options.values(option))
    assert len({variant.options for variant in every(name)}) == len(every(name)) == count
