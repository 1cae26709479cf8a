"""Laws of judgement for every game: no favourite colour or side, no false claims, and values that are sums of terms."""

import random
from collections.abc import Iterator
from itertools import chain, islice

import numpy as np
from exhaustion import TOO_MANY, fewest_to_win
from walks import positions, walk_eagerly

from menagerie import Position, Variant
from menagerie.kernel.judgement import PHASES, TALLY, counter, counting_tally, places
from menagerie.kernel.state import State, copy, new
from menagerie.kernel.walk import legal_actions
from menagerie.search.engine import parts

COUNT = 600


def eager(variant: Variant, seed: int) -> Iterator[Position]:
    """Positions of random games that end soon."""
    chance = random.Random(seed)
    return islice(chain.from_iterable(walk_eagerly(variant.start(), chance) for _ in range(COUNT)), COUNT)


def value(variant: Variant, state: State) -> int:
    """What judgement says of a state, for its mover."""
    return int(parts(variant.game).evaluate(state, new(TALLY)))


def test_players_exchanged_are_judged_the_same(variant: Variant) -> None:
    judgement = variant.game.judgement
    changes = [change for change in (variant.game.exchange, variant.game.mirror) if change is not None]
    for position in chain(positions(variant, COUNT, seed=31), eager(variant, seed=32)):
        state = position.state
        for change in changes:
            image = copy(state)
            change(image)
            assert value(variant, image) == value(variant, state), str(position)
            assert judgement.wins_at_once(image) == judgement.wins_at_once(state), str(position)
            assert judgement.danger(image) == judgement.danger(state), str(position)


def test_judging_changes_nothing(variant: Variant) -> None:
    judgement = variant.game.judgement
    for position in positions(variant, COUNT // 4, seed=33):
        state = position.state
        before = state.tobytes()
        value(variant, state)
        judgement.wins_at_once(state)
        judgement.danger(state)
        for action in position.indices:
            judgement.gain(state, action)
        assert state.tobytes() == before


def test_forcing_actions_are_those_with_a_gain(variant: Variant) -> None:
    rules, judgement = variant.game.rules, variant.game.judgement
    for position in chain(positions(variant, COUNT, seed=34), eager(variant, seed=35)):
        state = position.state
        if not hasattr(judgement, "forcing") or judgement.danger(state) or judgement.wins_at_once(state):
            continue
        listed = new(rules.ACTIONS)
        judgement.forcing(state, listed)
        with_gain = [action for action in legal_actions(rules, state) if judgement.gain(state, action) > 0]
        assert sorted(listed.list[: listed.n].tolist()) == sorted(with_gain), str(position)


def test_a_win_that_is_claimed_can_be_played(variant: Variant) -> None:
    game = variant.game
    for position in chain(positions(variant, COUNT, seed=36), eager(variant, seed=37)):
        claimed = int(game.judgement.wins_at_once(position.state))
        if claimed:
            fewest = fewest_to_win(game, position.state)
            assert fewest == TOO_MANY or 0 < fewest <= claimed, f"{position}: claims a win in {claimed}"


def test_where_the_game_is_over_there_is_danger_and_no_win(variant: Variant) -> None:
    """Else a search that lists only forcing actions would stand still there."""
    judgement = variant.game.judgement
    for position in eager(variant, seed=38):
        if position.outcome:
            assert judgement.wins_at_once(position.state) == 0, str(position)
            assert judgement.danger(position.state) or not hasattr(judgement, "forcing"), str(position)


def test_the_value_is_the_sum_of_the_terms(usual: Variant) -> None:
    judgement, weights = usual.game.judgement, usual.game.weights.values
    if not judgement.TERMS:
        return
    count, kind = counter(judgement, f"{usual.game.name}.law"), counting_tally(judgement)
    for position in positions(usual, COUNT, seed=39):
        tally = new(kind)
        tally.phase = PHASES
        count(position.state, tally)
        early, late = tally.amounts @ weights
        score = int(early * tally.phase + late * (PHASES - tally.phase))
        score = score if position.player == 0 else -score
        assert value(usual, position.state) == (score // PHASES if score >= 0 else -(-score // PHASES))


def test_every_term_has_its_weights_and_says_what_it_is(usual: Variant) -> None:
    terms, weights = usual.game.judgement.TERMS, usual.game.weights
    assert weights.values.shape == (places(terms), 2) and weights.values.dtype == np.int64
    assert len({term.name for term in terms}) == len(terms) == len({term.about for term in terms})
    assert all(term.about and term.places > 0 for term in terms)
