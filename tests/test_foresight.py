"""Foresight within a turn against every way the turn can go: all that is claimed is so, and nothing exact is missed."""

import random
from collections.abc import Iterator
from importlib import import_module
from itertools import islice
from pathlib import Path
from types import ModuleType

import pytest
from exhaustion import TOO_MANY, fewest_to_win
from walks import positions, turn_starts

import menagerie
from menagerie import Position, Variant
from menagerie.game import Game
from menagerie.position import Action

GAMES = sorted(path.stem for path in (Path(__file__).parent / "foresights").glob("[!_]*.py"))


@pytest.fixture(params=GAMES)
def keen(request: pytest.FixtureRequest) -> Variant:
    """Each game that is tried on positions of its own."""
    return menagerie.game(request.param)


def special(game: Game) -> ModuleType:
    """A game's own positions and twins."""
    return import_module(f"foresights.{game.name}")


def within_turns(starts: Iterator[Position], seed: int) -> Iterator[Position]:
    """Each position, and one after some random actions of the same turn."""
    chance = random.Random(seed)
    for start in starts:
        yield start
        now = start
        for _ in range(chance.randint(1, start.game.judgement.USUAL_TURN - 1)):
            if now.player == start.player and now.indices:
                now = Action(now, chance.choice(now.indices)).after
        if now.player == start.player and now.indices and now != start:
            yield now


def played(variant: Variant, games: int) -> Iterator[Position]:
    """The positions between turns of quick games of the engine against itself, each after a few random turns."""
    for seed in range(games):
        engine = menagerie.engine(variant, nodes=300, megabytes=1, seed=seed)
        position = turn_starts(variant, seed, most=3 + seed)[-1]
        while not position.outcome and position.ply < 90:
            position = engine.choose(position).after
            if not position.outcome:
                yield position


def check_wins(position: Position) -> int:
    """Hold the claim for one position against every way its turn can go; 1 where there is a win, 0 where not."""
    game, state = position.game, position.state
    claimed = int(game.judgement.wins_at_once(state))
    exact = [fewest_to_win(game, state, reason) for reason in getattr(game.judgement, "EXACT", ())]
    exact = [number for number in exact if number != TOO_MANY]
    if claimed:
        assert claimed in exact or claimed == fewest_to_win(game, state), f"{position}: claims a win in {claimed}"
    if any(exact):
        assert 0 < claimed <= min(filter(None, exact)), f"{position}: claims {claimed}, but {exact} is possible"
    return int(any(exact))


def test_wins_on_sparse_boards_are_seen_exactly(keen: Variant) -> None:
    tried = list(islice(special(keen.game).sparse(keen, random.Random(1)), 4000))
    wins = sum(map(check_wins, tried))
    assert 400 < wins < 3600, "both must come often"


def test_wins_in_games_are_seen_exactly(keen: Variant) -> None:
    for position in within_turns(played(keen, 2), seed=2):
        check_wins(position)
    for position in positions(keen, 200, seed=3):
        check_wins(position)


def test_captures_on_sparse_boards_are_seen_exactly(keen: Variant) -> None:
    found = 0
    for position in islice(special(keen.game).sparse(keen, random.Random(4)), 4000):
        found += check_captures(position)
    assert 400 < found < 3600


def test_captures_in_games_are_seen_exactly(keen: Variant) -> None:
    for position in within_turns(played(keen, 1), seed=5):
        check_captures(position)
    for position in positions(keen, 200, seed=6):
        check_captures(position)


def check_captures(position: Position) -> int:
    """Compare what can be captured in this turn with playing it out; 1 where anything can."""
    seen = int(special(position.game).captures_in_turn(position.state))
    known = special(position.game).captured(position.game, position.state)
    assert seen == known, f"{position}: sees {names(position, seen)}, but it is {names(position, known)}"
    return int(known != 0)


def names(position: Position, squares: int) -> str:
    """The names of a set of squares."""
    return " ".join(name for square, name in position.game.board.names.items() if squares >> square & 1) or "nothing"
