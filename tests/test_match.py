"""Matches of every game: history, taking back, resigning, claiming, and records that say it all."""

import random

import pytest
from conftest import walk

import menagerie
from menagerie import Match, MenagerieError, RecordError, Variant
from menagerie.errors import GameOver
from menagerie.match.match import read_all


def random_match(variant: Variant, seed: int, longest: int = 1000) -> Match:
    match = Match(variant)
    chance = random.Random(seed)
    while not match.outcome and len(match.actions) < longest:
        match.play(chance.choice(match.position.actions()))
    return match


def test_records_round_trip(variant: Variant) -> None:
    for seed in range(5):
        match = random_match(variant, seed)
        match.tags["Event"] = 'Ball\'s "Cup" \\ 2026'
        match.comments[0] = "before the first move"
        match.comments[3] = "after the third"
        text = match.record()
        again = Match.read(text)
        assert again.record() == text
        assert again.positions == match.positions
        assert again.outcome == match.outcome
        assert again.variant == variant
        assert (again.tags["Event"], again.comments) == (match.tags["Event"], match.comments)


def test_records_from_any_position_and_of_unfinished_games(variant: Variant) -> None:
    for start in list(walk(variant, random.Random(50)))[:-1:7]:
        match = Match(variant, start)
        match.play(match.position.actions()[-1])
        if not match.outcome:
            assert match.record().endswith(" *\n")
        assert Match.read(match.record()).positions == match.positions


def test_a_file_may_hold_many_records(usual: Variant) -> None:
    matches = [random_match(usual, seed, longest=20) for seed in range(6)]
    text = "\n".join(match.record() for match in matches)
    assert [match.record() for match in read_all(text)] == [match.record() for match in matches]
    with pytest.raises(RecordError, match="6 records instead of one"):
        Match.read(text)


def test_undo_goes_back_to_every_earlier_match(variant: Variant) -> None:
    match = random_match(variant, 51, longest=60)
    played = list(match.actions)
    while match.actions:
        match.undo()
        assert match.outcome is None
        replayed = Match(variant)
        for action in played[: len(match.actions)]:
            replayed.play(action)
        assert replayed.positions == match.positions
    with pytest.raises(MenagerieError, match="nothing to take back"):
        match.undo()


def test_resigning_and_agreeing_end_a_match_and_can_be_taken_back(usual: Variant) -> None:
    match = Match(usual)
    assert match.resign().winner == 1 and match.outcome and match.outcome.reason == "resignation"
    with pytest.raises(GameOver):
        match.play(match.position.actions()[0])
    with pytest.raises(GameOver):
        match.resign()
    assert Match.read(match.record()).outcome == match.outcome
    match.undo()
    assert match.outcome is None
    assert match.resign(1).winner == 0
    match.undo()
    assert match.agree_draw().winner is None
    assert Match.read(match.record()).outcome == match.outcome


def test_a_refused_move_changes_nothing(usual: Variant) -> None:
    match = random_match(usual, 52, longest=6)
    before = match.record()
    foreign = usual.start().actions()[0]
    for wrong in ("", "nonsense", "a1a1", foreign):
        with pytest.raises(MenagerieError):
            match.play(wrong)
        assert match.record() == before


def shuffles(match: Match) -> list[str]:
    """Four actions that lead back to the same position, if there are some: out and back for both players."""
    for out in match.position.actions():
        for reply in out.after.actions():
            for home in reply.after.actions():
                for back in home.after.actions():
                    if back.after.key == match.position.key:
                        return [out.code, reply.code, home.code, back.code]
    return []


def test_the_third_occurrence_ends_a_match_or_can_be_claimed(usual: Variant) -> None:
    game = usual.game
    circle = shuffles(Match(usual))
    assert circle
    match, people = Match(usual), Match(usual, automatic=False)
    for code in circle + circle:
        assert match.outcome is None and people.claimable is None
        with pytest.raises(MenagerieError, match="no draw to claim"):
            people.claim()
        match.play(code)
        people.play(code)
    assert match.outcome and (match.outcome.winner, match.outcome.reason) == (None, "repetition")
    assert Match.read(match.record()).outcome == match.outcome
    assert (people.outcome is None) == game.repetition.needs_claim
    if game.repetition.needs_claim:
        assert people.claimable == match.outcome
        people.play(circle[0])
        people.undo()
        assert people.claim() == match.outcome
        assert people.outcome == match.outcome


def test_long_matches_outgrow_the_first_path(usual: Variant) -> None:
    if not usual.game.repetition.needs_claim:
        return
    match = Match(usual, automatic=False)
    circle = shuffles(match)
    for _ in range(300):
        for code in circle:
            match.play(code)
    assert len(match.actions) == 1200
    assert match.claimable and match.claimable.reason == "repetition"
    for _ in range(1200 - 7):
        match.undo()
    assert match.claimable is None


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda text: text.replace('[Game "', '[Game "no'), "line 1 .*there is no game"),
        (lambda text: text.replace("[Game", "[Gaem"), "line 1 .*no tag that names the game"),
        (lambda text: text.replace('[Result "', "[Result "), "line 5 .*is not a tag"),
        (lambda text: text.replace("1. ", "1. z9z9 "), "line 7 .*turn 1: .*cannot be read"),
        (lambda text: text[: text.rindex("*")], "line 7 .*ends without a result"),
        (lambda text: text + " more", "line 8 .*after the result"),
        (lambda text: text.replace(" *\n", " 1-0\n"), "the result is 1-0, but its tag says"),
        (lambda text: text.replace("1. ", "1. { "), "line 7 .*comment is not closed"),
        (lambda text: text.replace("[Rules", '[Rules "a=b"]\n[Rules'), "line 3 .*the tag Rules stands twice"),
    ],
)
def test_damaged_records_are_refused_with_line_and_reason(usual: Variant, change, reason: str) -> None:  # type: ignore[no-untyped-def]
    match = random_match(usual, 53, longest=2)
    damaged = change(match.record())
    with pytest.raises(RecordError, match=reason):
        Match.read(damaged)


def test_a_record_that_contradicts_the_board_is_refused(usual: Variant) -> None:
    for seed in range(50):
        match = random_match(usual, seed)
        if match.position.outcome and match.position.outcome.winner is not None:
            break
    right = usual.game.score(match.outcome)
    text = match.record().replace(right, {"1-0": "0-1", "0-1": "1-0"}[right])
    with pytest.raises(RecordError, match="but on the board"):
        Match.read(text)


def test_matches_are_reached_from_the_package(usual: Variant) -> None:
    assert menagerie.Match is Match
    assert usual in menagerie.games()
