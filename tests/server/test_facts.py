"""What the server tells of games and positions, for every game: all that a client without rules needs."""

import random

from walks import walk

from menagerie import Match, Turn, Variant
from menagerie.arena.players import random_turn
from menagerie.match.score import leader
from menagerie.server import catalogue, examples, explanations, scene
from menagerie.server.ratings import Rating, machine


def test_a_game_is_told_whole(usual: Variant) -> None:
    fact = catalogue.game_fact(usual.game.name)
    squares = {square.name for square in fact.board.squares if square.name}
    assert squares == set(usual.game.board.squares) and len(fact.board.squares) == len(usual.game.board)
    for kind in fact.kinds:
        for player in range(2):
            assert catalogue.token_picture(fact.name, kind.letter, player).startswith("<svg")
    for option in fact.options:
        assert option.about.endswith(".") and len(option.values) > 1
    assert "<svg" in catalogue.board_picture(usual, None, [])


def test_the_rules_are_safe_html(usual: Variant) -> None:
    rules = catalogue.rules_fact(usual.game.name)
    text = rules.intro + "".join(section.html for section in rules.sections)
    assert "<p>" in text
    assert not any(word in text.lower() for word in ("<script", "javascript:", "onerror", "style="))


def test_examples_show_the_actions_of_their_piece(usual: Variant) -> None:
    rules = usual.options.in_full()
    shown = examples.examples(usual.game.name, rules)
    assert shown and len({one.letter for one in shown}) == len(shown)
    for one in shown:
        standing = {piece.square: piece for piece in one.pieces}
        assert (standing[one.square].letter, standing[one.square].player) == (one.letter, 0)
        assert one.actions and all(action.touches[0] == one.square for action in one.actions)
    assert examples.examples(usual.game.name, rules) is shown


def test_html_in_a_text_stays_text() -> None:
    assert "<script" not in catalogue.html("<script>alert(1)</script> [x](javascript:alert(1))")


def test_what_follows_actions_is_what_playing_them_gives(usual: Variant) -> None:
    chance = random.Random(3)
    match = Match(usual)
    for _ in range(12):
        if match.outcome:
            break
        turn = random_turn(match, chance)
        now = match.position
        for count, action in enumerate(turn.actions):
            told = scene.follows(match, turn.indices[:count])
            assert told.position.key == scene.key_text(now.key)
            assert [fact.id for fact in told.choice.actions] == list(now.indices)
            assert not told.choice.is_whole
            now = action.after
        whole = scene.follows(match, turn.indices)
        assert whole.choice.is_whole and not whole.choice.actions
        match.play(turn)


def test_a_turn_can_be_passed_exactly_where_the_rules_let_it_end(usual: Variant) -> None:
    match = Match(usual)
    chance = random.Random(8)
    for _ in range(6):
        if match.outcome:
            return
        turn = random_turn(match, chance)
        for count in range(1, len(turn.indices)):
            told = scene.follows(match, turn.indices[:count]).choice
            can_pass = any(action.does == "pass" for action in told.actions)
            assert (told.finish is not None) == (can_pass and not told.problem)
            assert told.finish or told.problem
        match.play(turn)


def test_a_setup_is_a_legal_turn(usual: Variant) -> None:
    match = Match(usual)
    for player in range(2 if usual.game.setups else 0):
        setup = scene.choice(match, match.position).setup
        assert setup and match.position.player == player
        for ready in setup.ready:
            assert scene.follows(match, [setup.actions[letter] for letter in ready.letters]).choice.is_whole
        match.play(Turn(match.position, tuple(setup.actions[letter] for letter in setup.ready[0].letters)))
    assert scene.choice(match, match.position).setup is None


def test_every_turn_has_a_sentence_and_every_refusal_a_reason(usual: Variant) -> None:
    match, chance = Match(usual), random.Random(4)
    squares = list(usual.game.board.squares)
    for _ in range(25):
        if match.outcome:
            break
        for _ in range(10):
            touches = chance.sample(squares, chance.choice((1, 2)))
            assert explanations.why_not(match, [], touches)
        turn = random_turn(match, chance)
        match.play(turn)
        sentence = scene.turn_fact(turn, 0, match.outcome).sentence
        assert sentence.startswith(usual.game.players[turn.position.player]) and sentence.endswith(".")
        assert "a piece" not in sentence


def test_a_written_turn_with_a_slip_finds_its_neighbours(usual: Variant) -> None:
    match = Match(usual)
    turn = random_turn(match, random.Random(1))
    assert explanations.read_typed(match, str(turn)).after == turn.after
    text = str(turn.actions[0])
    assert isinstance(explanations.nearest(match, text[:-1] + "?"), list)


def test_nobody_has_lost_pieces_at_the_start(variant: Variant) -> None:
    for position in walk(variant, random.Random(2)):
        lost = scene.lost(position, position)
        assert lost == [[], []]


def test_who_had_more_pieces_last_leads_at_the_limit(usual: Variant) -> None:
    assert leader(Match(usual)) == 1


def test_ratings_follow_the_published_example() -> None:
    """The example in Glickman's paper: three results in one period. It rounds on the way; the last digit may differ."""
    results = (Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)
    rating = Rating(1500, 200, 0.06).after(*results)
    assert abs(rating.rating - 1464.06) < 0.015 and abs(rating.deviation - 151.52) < 0.005
    assert abs(rating.volatility - 0.059996) < 0.0000005, "it was 0.06"


def test_who_surprises_is_less_steady_and_who_does_not_is_steadier() -> None:
    strong, weak = Rating(2000, 60), Rating(1000, 60)
    assert weak.after(*[(strong, 1.0)] * 5).volatility > 0.0601
    assert strong.after(*[(weak, 1.0)] * 5).volatility < 0.06


def test_a_win_against_the_stronger_is_worth_more() -> None:
    gains = [Rating().after((machine(level), 1.0)).rating for level in range(1, 9)]
    assert gains == sorted(gains)
    assert Rating().after((Rating(), 0.5)).rating == 1500
