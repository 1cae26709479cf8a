"""What every test shares: the games, each under its usual rules or under a few sets in which all its options meet."""

import os
from pathlib import Path

os.environ.setdefault("MENAGERIE_GAMES", str(Path(__file__).parent / "games"))  # before the package looks for games
os.environ["MENAGERIE_TABLES"] = str(Path(__file__).parent / "no tables")  # engines in tests know nothing beforehand

import pytest
from rule_sets import covering

import menagerie
from menagerie import Variant
from menagerie.games import names


@pytest.fixture(
    params=[variant for name in names() for variant in covering(name)],
    ids=lambda variant: f"{variant.game.name}-{variant.options}".strip("-"),
)
def variant(request: pytest.FixtureRequest) -> Variant:
    """Each game under a few sets of rules in which any two of its options meet in every way."""
    chosen: Variant = request.param
    return chosen


@pytest.fixture(params=names())
def usual(request: pytest.FixtureRequest) -> Variant:
    """Each game under its usual rules."""
    return menagerie.game(request.param)
