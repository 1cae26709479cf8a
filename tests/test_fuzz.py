"""Whatever somebody types: it is read, or refused with the right error; nothing crashes, hangs or changes."""

import os
import random
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from walks import positions, random_turn, turn_starts

import menagerie
from menagerie import IllegalMove, Match, MenagerieError, NotationError, RecordError
from menagerie.games import names

# The same cases every time where a verdict hangs on it, new ones on every other run.
ALWAYS = settings(deadline=None, suppress_health_check=list(HealthCheck), derandomize="CI" in os.environ)
MANY, SOME = settings(ALWAYS, max_examples=5000), settings(ALWAYS, max_examples=1000)
SIGNS = 'abcdefghi0123456789/[]+-@*x=#KDJQSVRPWOLEGCHkdjqsvrpwolegchwb :T,MB\n\t\x00é{}()".'


def mangled(texts: list[str]) -> st.SearchStrategy[str]:
    """Texts of the given kind with some characters changed, doubled, dropped or moved."""

    @st.composite
    def build(draw: Callable[..., int]) -> str:
        text = texts[draw(st.integers(0, len(texts) - 1))]
        for _ in range(draw(st.integers(0, 4))):
            at, size = draw(st.integers(0, len(text))), draw(st.integers(0, 6))
            other = draw(st.integers(0, len(text)))
            sign = SIGNS[draw(st.integers(0, len(SIGNS) - 1))]
            text = [
                text[:at] + sign + text[at + 1 :],
                text[:at] + text[at + size :],
                text[:at] + text[other : other + size] + text[at:],
                text[:at] + sign + text[at:],
            ][draw(st.integers(0, 3))]
        return text

    return build()


@pytest.mark.parametrize("name", names())
def test_position_texts(name: str) -> None:
    variant = menagerie.game(name)
    texts = [str(position) for position in positions(variant, 60, seed=40)]

    @MANY
    @given(mangled(texts) | st.text(SIGNS) | st.text())
    def fuzz(text: str) -> None:
        try:
            position = variant.position(text)
        except NotationError as error:
            assert error.text == text and 0 <= error.at <= len(text) and error.reason
            return
        assert variant.position(str(position)) == position
        assert bool(position.indices) == (position.outcome is None)
        for action in position.actions():
            assert action.after.indices or action.after.outcome

    fuzz()


@pytest.mark.parametrize("name", names())
def test_move_texts(name: str) -> None:
    some = turn_starts(menagerie.game(name), seed=41)
    chance = random.Random(42)
    moves = [form for p in some for turn in [random_turn(p, chance)] for form in (turn.code, str(turn))]

    @MANY
    @given(st.integers(0, len(some) - 1), mangled(moves) | st.text(SIGNS, max_size=8) | st.text(max_size=8))
    def fuzz(which: int, text: str) -> None:
        position = some[which]
        before = position.state.tobytes()
        try:
            after = position.play(text)
        except (IllegalMove, NotationError) as error:
            assert error.text == text and error.reason and len(str(error).splitlines()) <= 1 + len(text.splitlines())
        else:
            assert after == position.find(text).after
            assert after.player != position.player or after.outcome
        assert position.state.tobytes() == before

    fuzz()


@pytest.mark.parametrize("name", names())
def test_records(name: str) -> None:
    records = []
    for seed in range(4):
        match = Match(menagerie.game(name))
        chance = random.Random(seed)
        while not match.outcome and len(match.turns) < 10:
            match.play(random_turn(match.position, chance))
        match.tags["Event"] = 'A "quoted" name \\ with a backslash'
        match.comments[2] = "a remark"
        records.append(match.record())

    @SOME
    @given(mangled(records))
    def fuzz(text: str) -> None:
        try:
            match = Match.read(text)
        except RecordError as error:
            assert error.line >= 1 and error.reason
            return
        assert Match.read(match.record()).record() == match.record()

    fuzz()


@SOME
@given(st.text(SIGNS) | st.sampled_from(["official", "chick_drop_mate=allowed"]) | st.text())
def test_rule_texts(text: str) -> None:
    for variant in menagerie.games():
        try:
            options = variant.game.agreed(text)
        except MenagerieError as error:
            assert str(error)
        else:
            assert variant.game.agreed(str(options)) == options
