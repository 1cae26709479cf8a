"""Matches of every game: history, taking back, resigning, claiming, and records that say it all."""

import random

import pytest
from golden import blocks, first
from walks import random_match, random_turn, turn_starts

import menagerie
from menagerie import Match, MenagerieError, Position, RecordError, Variant
from menagerie.errors import GameOver
from menagerie.games import plain
from menagerie.match.match import read_all, read_leniently


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
    for start in turn_starts(variant, seed=50)[::7]:
        match = Match(variant, start)
        match.play(random_turn(start, random.Random(50)))
        if not match.outcome and not variant.game.script:
            assert match.record().endswith(" *\n")
        assert Match.read(match.record()).positions == match.positions


def test_a_file_may_hold_many_records(usual: Variant) -> None:
    matches = [random_match(usual, seed, longest=20) for seed in range(6)]
    text = "\n".join(match.record() for match in matches)
    assert [match.record() for match in read_all(text)] == [match.record() for match in matches]
    with pytest.raises(RecordError, match="6 records instead of one"):
        Match.read(text)


def test_undo_goes_back_to_every_earlier_match(variant: Variant) -> None:
    match = random_match(variant, 51, longest=12)
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


def repetition_case(variant: Variant) -> tuple[Position, list[str]]:
    """A golden case that ends by repetition: where it begins and what is played."""
    for block in blocks(variant.game, "cases.txt"):
        if first(block, "outcome") == "nobody repetition":
            moves = first(block, "play")
            return variant.position(first(block, "position")), moves.replace(";", " ").split()
    raise AssertionError("cases.txt has no case that ends by repetition")


def test_the_third_occurrence_ends_a_match_or_can_be_claimed(usual: Variant) -> None:
    game = usual.game
    if game.repetition.is_illegal or game.repetition.times == 0:
        return  # golden cases have the one; the other cannot happen
    start, moves = repetition_case(usual)
    match, people = Match(usual, start), Match(usual, start, automatic=False)
    for code in moves:
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
        people.play(people.position.turns()[0])
        people.undo_turn()
        assert people.claim() == match.outcome
        assert people.outcome == match.outcome


def test_a_record_may_go_on_after_a_draw_that_nobody_claimed(usual: Variant) -> None:
    if not usual.game.repetition.needs_claim:
        return
    start, moves = repetition_case(usual)
    match = Match(usual, start, automatic=False)
    for code in moves:
        match.play(code)
    match.play(match.position.turns()[0])
    again = Match.read(match.record())
    assert again.positions == match.positions and again.outcome is None


def test_long_matches_outgrow_the_first_path(usual: Variant) -> None:
    if not usual.game.repetition.needs_claim:
        return
    start, moves = repetition_case(usual)
    match = Match(usual, start, automatic=False)
    circle = moves[-4:]
    for _ in range(300):
        for code in circle:
            match.play(code)
        if match.position.key != start.key:
            circle = moves[:4]
    assert len(match.actions) == 1200
    assert match.claimable and match.claimable.reason == "repetition"
    for _ in range(1200 - 5):
        match.undo()
    assert match.claimable is None


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda text: text.replace('[Game "', '[Game "no'), "line 1 .*there is no game"),
        (lambda text: text.replace("[", "[Un"), "line 1 .*no tag that names the game"),
        (lambda text: text.replace('[Result "', "[Result "), "line RESULT .*is not a tag"),
        (lambda text: text.replace("1. ", "1. z9z9 "), "line MOVES .*turn 1: .*cannot be read"),
        (lambda text: text[: text.rindex("*")], "line MOVES .*ends without a result"),
        (lambda text: text + " more", "line AFTER .*after the end of the match"),
        (lambda text: text.replace(" *\n", " 1-0\n"), "the result is 1-0, but its tag says"),
        (lambda text: text.replace("1. ", "1. { "), "line MOVES .*comment is not closed"),
        (lambda text: text.replace("[Rules", '[Rules "a=b"]\n[Rules'), "line 3 .*the tag Rules stands twice"),
    ],
)
def test_damaged_records_are_refused_with_line_and_reason(usual: Variant, change, reason: str) -> None:  # type: ignore[no-untyped-def]
    if usual.game.script:
        return  # its files have no such words; golden/faults.txt damages them
    match = random_match(usual, 53, longest=2)
    damaged = change(match.record())
    result = 5 + len(usual.game.record_tags)
    for word, line in (("RESULT", result), ("MOVES", result + 2), ("AFTER", result + 3)):
        reason = reason.replace(word, str(line))
    with pytest.raises(RecordError, match=reason):
        Match.read(damaged)


def test_a_record_that_contradicts_the_board_is_refused(usual: Variant) -> None:
    for seed in range(50):
        match = random_match(usual, seed, longest=1000)
        if match.position.outcome and match.position.outcome.winner is not None:
            break
    right = usual.game.score(match.outcome)
    wrong = {"1-0": "0-1", "0-1": "1-0"}[right]
    text = match.record().replace(f'"{right}"', f'"{wrong}"').replace(f" {right}\n", f" {wrong}\n")
    with pytest.raises(RecordError, match="but on the board"):
        Match.read(text)


def test_matches_are_reached_from_the_package(usual: Variant) -> None:
    assert menagerie.Match is Match
    assert usual in menagerie.games()


def test_a_damaged_record_is_read_up_to_its_fault_if_asked(usual: Variant) -> None:
    match = random_match(usual, 54, longest=6)
    whole = match.record()
    lines = whole.splitlines()
    for cut in range(len(lines[-1]) + 1):
        text = "\n".join([*lines[:-1], lines[-1][:cut]])
        [read] = read_leniently(text)
        assert isinstance(read, Match)
        assert read.positions == match.positions[: len(read.positions)]
        if read.fault is None:
            assert Match.read(text).record() == read.record()
        else:
            with pytest.raises(RecordError) as refused:
                Match.read(text)
            assert str(refused.value) == str(read.fault)


def test_archives_are_read_as_they_come(usual: Variant) -> None:
    folder = usual.game.folder / "golden"
    if not (folder / "archive.txt").is_file():
        return
    text = (folder / "archive.txt").read_text(encoding="utf-8")
    canonical = (folder / "archive_canonical.txt").read_text(encoding="utf-8")
    assert "\n".join(match.record() for match in read_all(text, usual)) == canonical


def test_games_are_called_by_their_names_and_titles(usual: Variant) -> None:
    game, text = usual.game, Match(usual).record()
    for called in (game.name.upper(), game.title, game.title.lower(), plain(game.title)):
        assert Match.read(text.replace(f'[Game "{game.name}"]', f'[Game "{called}"]')).record() == text


def test_games_are_known_by_the_tags_of_their_own(usual: Variant) -> None:
    text = random_match(usual, 55, longest=4).record()
    for name in usual.game.record_tags:
        others = {"Game", *usual.game.record_tags} - {name}
        foreign = "".join(line for line in text.splitlines(keepends=True) if line[1:].split(" ")[0] not in others)
        assert foreign != text and Match.read(foreign).record() == text


def test_the_rules_in_a_tag_hold_where_the_game_is_not_named(variant: Variant) -> None:
    text = random_match(variant, 56, longest=4).record()
    nameless = text.replace(f'[Game "{variant.game.name}"]\n', "")
    assert Match.read(nameless, menagerie.game(variant.game.name)).record() == text


def test_moves_without_tags_are_a_match(usual: Variant) -> None:
    match = random_match(usual, 57, longest=4)
    moves = match.record().partition("\n\n")[2]
    assert Match.read(moves, usual).record() == match.record()


@pytest.mark.parametrize("text", ["", "\n", " \n\t\n"])
def test_nothing_is_no_match(text: str) -> None:
    with pytest.raises(RecordError, match="line 1 of the record: there is no game in it"):
        Match.read(text)
    with pytest.raises(RecordError, match="line 1 of the record: there is no game in it"):
        list(read_leniently(text))


def test_a_match_whose_tags_cannot_be_read_is_left_out_and_the_others_are_read(usual: Variant) -> None:
    texts = [random_match(usual, seed, longest=4).record() for seed in range(4)]
    texts[1] = texts[1].replace('"]', "", 1)
    texts[2] = texts[2].replace("[", "[Un")
    line = 2 + texts[0].count("\n")
    first, second, third, last = read_leniently("\n".join(texts))
    assert isinstance(first, Match) and isinstance(last, Match)
    assert (first.record(), last.record()) == (texts[0], texts[3])
    assert isinstance(second, RecordError) and second.line == line and "is not a tag" in second.reason
    assert isinstance(third, RecordError) and third.line > line and "no tag that names the game" in third.reason


def test_whatever_is_said_fits_into_a_record(usual: Variant) -> None:
    match = random_match(usual, 58, longest=3)
    match.comments = {0: 'so\n[Game "x"]\nit {begins}', 2: "x " * 100}
    assert Match.read(match.record()).comments == {0: 'so [Game "x"] it (begins)', 2: ("x " * 100).strip()}


def test_a_copy_goes_on_by_itself(usual: Variant) -> None:
    match, chance = Match(usual), random.Random(6)
    for _ in range(6):
        if not match.outcome:
            match.play(random_turn(match.position, chance))
    text, other = match.record(), match.copy()
    assert other.record() == text and other.keys == match.keys
    while not other.outcome and len(other.turns) < 20:
        other.play(random_turn(other.position, chance))
    other.undo_turn()
    assert match.record() == text
