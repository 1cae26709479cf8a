"""Understand: rules within reach, every legal way shown, every refusal explained."""

import re
from collections.abc import Iterator
from functools import partial
from itertools import islice

import pytest
from browser.browsers import Open
from browser.hands import drag, name_of, wait_until_idle
from browser.positions import counts_steps, has_deed, opening, positions, variant, walk
from browser.tables import begin, pair, pieces, set_up, sit
from golden import blocks, first
from haste import fastest
from playwright.sync_api import expect

from menagerie.games import find, names
from menagerie.match.match import Match
from menagerie.position import Position
from menagerie.server.examples import examples as shown_examples
from menagerie.server.explanations import why_not


def test_8_rules_open_beside_the_board_without_leaving_the_game(open_page: Open, device: str) -> None:
    page = open_page("/", device)
    for game in names():
        begin(page, game)
        address, button = page.url, page.locator("[data-rules]")
        expect(button).to_be_in_viewport()
        button.click()
        panel = page.get_by_role("dialog")
        expect(panel.locator(".text").first).to_be_visible()
        assert panel.locator("svg").count() > 1  # the pieces are drawn
        expect(panel.locator("[data-diagram] [data-does]").first).to_be_attached()  # and how they move
        assert page.url == address
        page.keyboard.press("Escape")
        expect(panel).to_have_count(0)
        expect(button).to_be_focused()


SHOWN = """([piece]) => {
  const begun = performance.now();
  piece.click();
  return new Promise(done => setTimeout(() => done([
    performance.now() - begun,
    Object.fromEntries([...document.querySelectorAll('[data-offered]')].map(
      ({dataset}) => [dataset.touch, dataset.offered])),
  ]), 0));
}"""


def offers(position: Position, origin: str) -> dict[str, str]:
    """What can be touched after a first square, and what it does; the last deed where an action ends."""
    found: dict[str, str] = {}
    for action in position.actions():
        gesture = action.gesture
        if gesture.touches[:1] != (origin,) or len(gesture.touches) < 2:
            continue
        is_last = len(gesture.touches) == 2
        if is_last or gesture.touches[1] not in found:
            found[gesture.touches[1]] = gesture.does if is_last or gesture.does == "push" else "move"
    return found


@pytest.mark.parametrize("game", names())
def test_9_a_touched_piece_shows_all_its_ways_at_once(open_page: Open, game: str) -> None:
    """They are there once the touch is dealt with, before any answer comes; each piece has a few tries to be quick."""
    page = open_page("/")
    set_up(page, confirm=True)
    position = [found for found in islice(walk(game, 3), 9) if len(found.actions()) > 1][-1]
    begin(page, game, position=str(position))
    origins = {action.gesture.touches[0] for action in position.actions() if action.gesture.touches}

    def show(origin: str) -> float:
        cell = page.locator(name_of(origin)).first.element_handle()
        elapsed, shown = page.evaluate(SHOWN, [cell])
        assert {square: does for square, does in shown.items() if does != "way"} == offers(position, origin)
        page.keyboard.press("Escape")
        expect(page.locator("[data-offered]")).to_have_count(0)
        return float(elapsed) / 1000

    for origin in sorted(origins)[:6]:
        assert fastest(partial(show, origin), 0.1) <= 0.1


def test_9_deeds_differ_in_shape_not_in_colour_alone(open_page: Open) -> None:
    page = open_page("/")
    shapes: dict[str, str] = {}
    for does in ("move", "capture", "push", "drop"):
        for game, position in positions(has_deed(does)).items():
            begin(page, game, position=str(position))
            action = next(action for action in position.actions() if action.gesture.does == does)
            page.locator(name_of(action.gesture.touches[0])).first.click()
            mark = page.locator(f"[data-mark] [data-does={does}]").first
            if mark.count():
                shapes[does] = re.sub(r' class="[^"]*"', "", mark.inner_html())
                break
    assert len(shapes) == 4
    assert len(set(shapes.values())) == 4


@pytest.mark.parametrize("game", names())
def test_10_hover_focus_and_long_press_tell_what_a_piece_does(open_page: Open, game: str) -> None:
    position = opening(game)
    origin = next(action.gesture.touches[0] for action in position.actions() if action.gesture.does == "move")
    piece = position.piece_at(origin)
    assert piece
    kind = variant_kind(position, piece.letter)
    page = open_page("/")
    begin(page, game, position=str(position))
    card = page.locator("[data-piece-card]")
    page.locator(name_of(origin)).hover()
    expect(card).to_contain_text(kind)
    expect(card.locator("[data-diagram] [data-does]").first).to_be_visible()
    page.mouse.move(2, 2)
    expect(card).to_have_count(0)
    page.keyboard.press("Tab")
    page.locator(name_of(origin)).focus()
    expect(card).to_contain_text(kind)
    phone = open_page("/", "M")
    begin(phone, game, position=str(position))
    box = phone.locator(name_of(origin)).bounding_box()
    assert box
    session = phone.context.new_cdp_session(phone)
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    expect(phone.locator("[data-piece-card]")).to_contain_text(kind)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@pytest.mark.parametrize("game", names())
def test_10_every_piece_that_is_looked_at_shows_how_it_moves(open_page: Open, game: str) -> None:
    """One's own and the enemy's, those that can move now and those that cannot, whoever is to move, in hands too."""
    position = next((one for one in islice(walk(game, 4), 12, 60) if any(one.view.hands)), opening(game))
    board = position.game.board
    moving = {action.gesture.touches[0] for action in position.actions() if action.gesture.touches}
    pieces = {board.name(square): piece for square, piece in position.view.board.items()}
    examples = {example.letter for example in shown_examples(game, "")}
    sorts = {(piece.player, square in moving): square for square, piece in pieces.items() if piece.letter in examples}
    page, watcher = open_page("/"), open_page("/")
    match = begin(page, game, position=str(position))
    sit(watcher, match)
    for onlooker in (page, watcher):
        diagram = onlooker.locator("[data-piece-card] [data-diagram] [data-does]").first
        for square in sorts.values():
            onlooker.locator(f"[role=gridcell]{name_of(square)}").hover()
            expect(onlooker.locator("[data-piece-card]")).to_contain_text(variant_kind(position, pieces[square].letter))
            expect(diagram).to_be_visible()
        for held in onlooker.locator("[data-hand] button").all():
            held.hover()
            expect(onlooker.locator("[data-piece-card]")).to_contain_text(str(held.get_attribute("title")))
            expect(diagram).to_be_visible()


def test_10_the_card_goes_when_the_keys_go_on(open_page: Open) -> None:
    page, game = open_page("/"), names()[-1]
    begin(page, game, position=str(opening(game)))
    page.keyboard.press("Tab")
    page.locator("[role=gridcell][data-piece]").first.focus()
    expect(page.locator("[data-piece-card]")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.locator("[data-piece-card]")).to_have_count(0)


def variant_kind(position: Position, letter: str) -> str:
    """The name of a kind."""
    return position.game.kind[letter].name


def refused(position: Position) -> Iterator[tuple[list[str], str]]:
    """Pairs of touches that are impossible, and why, each sort of reason once."""
    match, known = Match(variant(position.game.name), position), set()
    board = position.game.board
    own = [board.name(square) for square, piece in position.view.board.items() if piece.player == position.player]
    legal = [action.gesture.touches for action in position.actions()]
    movable = {touches[0] for touches in legal if touches}
    begun = [(origin,) for origin in own] + sorted({touches[:2] for touches in legal if len(touches) > 2})
    for first_ones in begun:
        ends = {touch for touches in legal if touches[: len(first_ones)] == first_ones for touch in touches} | movable
        for target in [None, *board.names.values()]:
            if (target is None) == (first_ones[0] in movable) or target in ends:
                continue
            touches = [*first_ones] if target is None else [*first_ones, target]
            words = why_not(match, [], touches)
            sort = re.sub(r"\b([a-i]\d|\d+)\b", "#", words)
            if sort not in known:
                known.add(sort)
                yield touches, words


@pytest.mark.parametrize("game", names())
def test_11_an_impossible_touch_explains_why_in_words(open_page: Open, game: str) -> None:
    page, told = open_page("/"), 0
    for seed in (1, 2):
        for position in list(islice(walk(game, seed), 40))[1::9]:
            if len(position.actions()) < 2:
                continue
            begin(page, game, position=str(position))
            for touches, words in islice(refused(position), 3):
                for touch in touches:
                    page.locator(name_of(touch)).first.click()
                expect(page.locator("[data-words]")).to_have_text(words[0].upper() + words[1:])
                page.keyboard.press("Escape")
                told += 1
    assert told


REASONS = {
    "a frozen piece": "is frozen",
    "a forced capture": "must capture|can be taken",
    "no room for a push": "there is no room",
}
"""What must be explained somewhere, and how it is said."""


def told(reason: str) -> tuple[str, Position, list[str], str]:
    """A position of some game's golden cases where touches are impossible for this reason, and the words."""
    for game in names():
        for block in blocks(find(game), "cases.txt"):
            if not any(re.search(REASONS[reason], value) for _, value in block):
                continue
            position = variant(game).position(first(block, "position"))
            for touches, words in refused(position):
                if re.search(REASONS[reason], words):
                    return game, position, touches, words
    raise AssertionError(f"nowhere: {reason}")


@pytest.mark.parametrize("reason", REASONS)
def test_11_each_reason_that_people_meet_is_told(open_page: Open, reason: str) -> None:
    page = open_page("/")
    game, position, touches, words = told(reason)
    begin(page, game, position=str(position))
    for touch in touches:
        page.locator(name_of(touch)).first.click()
    expect(page.locator("[data-words]")).to_have_text(words[0].upper() + words[1:])
    if len(touches) == 1:  # a mouse that drags the piece hears the same
        page.keyboard.press("Escape")
        begin(page, game, position=str(position))
        drag(page, touches[0], next(iter(position.game.board.squares)))
        expect(page.locator("[data-words]")).to_have_text(words[0].upper() + words[1:])


def held_letter(position: Position) -> str:
    """A piece in hand that can be dropped."""
    return next(action.gesture.touches[0] for action in position.actions() if action.gesture.does == "drop")


@pytest.mark.parametrize("way", ["click", "drag"])
def test_11_a_drop_that_is_refused_says_why_and_changes_nothing(open_page: Open, way: str) -> None:
    """A piece in hand put where another stands: the words are the server's, hand and board stay."""
    found = positions(has_deed("drop"), among=[name for name in names() if variant(name).game.hands])
    assert found
    for game, position in found.items():
        page = open_page("/")
        begin(page, game, position=str(position))
        letter, board = held_letter(position), position.view.board.items()
        square = next(position.game.board.name(at) for at, piece in board if piece.player != position.player)
        before = pieces(page)
        held = page.locator("[data-hand] button").evaluate_all("all => all.map(one => one.ariaLabel)")
        if way == "drag":
            drag(page, letter, square)
        else:
            page.locator(name_of(letter)).first.click()
            page.locator(name_of(square)).click()
        words = why_not(Match(variant(game), position), [], [letter, square])
        expect(page.locator("[data-words]")).to_have_text(words[0].upper() + words[1:])
        assert square in words
        assert pieces(page) == before
        assert page.locator("[data-hand] button").evaluate_all("all => all.map(one => one.ariaLabel)") == held
        expect(page.locator("[data-turns='0']")).to_have_count(1)


@pytest.mark.parametrize("game", [name for name in names() if counts_steps(name)])
def test_11_the_limit_of_steps_and_a_repetition_are_told(open_page: Open, game: str) -> None:
    page, position = open_page("/"), opening(game)
    begin(page, game, position=str(position))
    there = [there_and_back(position), there_and_back(pass_on(position))]
    left = int(page.locator("[data-steps-left]").get_attribute("data-steps-left") or 0)
    now = position
    for _ in range(left):
        step = next(action for action in now.actions() if len(action.gesture.touches) == 2)
        for touch in step.gesture.touches:
            page.locator(name_of(touch)).click()
        now = step.after
    expect(page.locator("[data-steps-left='0']")).to_have_count(1)
    page.locator(name_of(step.gesture.touches[-1])).click()
    expect(page.locator("[data-words]")).to_contain_text("The turn is complete")
    page.locator("[data-reset]").click()
    expect(page.locator("[data-steps-left]")).to_have_attribute("data-steps-left", str(left))
    expect(page.locator("[data-pending]")).to_have_count(0)
    for number in range(8):  # the same position for the third time
        for touch in there[number % 2][:: 1 if number % 4 < 2 else -1]:
            page.locator(name_of(touch)).click()
        expect(page.locator("[data-pending]")).to_be_visible()
        wait_until_idle(page)
        if number < 7:
            page.locator("[data-send]").click()
            expect(page.locator(f"[data-turns='{number + 1}']")).to_have_count(1)
    expect(page.locator("[data-send]")).to_be_disabled()
    expect(page.locator("[data-pending]")).to_contain_text("third time")
    expect(page.locator("[data-live]")).to_contain_text("third time")


def there_and_back(position: Position) -> tuple[str, ...]:
    """A step that the same piece can take back at once."""
    return next(
        action.gesture.touches
        for action in position.actions()
        if any(after.gesture.touches == action.gesture.touches[::-1] for after in action.after.actions())
    )


def pass_on(position: Position) -> Position:
    """The position after one such step, when the other is to move."""
    stepped = next(action for action in position.actions() if action.gesture.touches == there_and_back(position)).after
    return next(action for action in stepped.actions() if action.gesture.does == "pass").after


def test_11_touching_out_of_turn_says_whose_turn_it_is(open_page: Open) -> None:
    one, other = open_page("/"), open_page("/")
    game = names()[-1]
    pair(one, other, game)
    mine = "[role=gridcell][data-piece^='1']"
    other.locator(mine).first.click()
    expect(other.locator("[data-words]")).to_contain_text("not your turn")
    other.keyboard.press("Escape")
    other.reload()
    square = str(other.locator(mine).first.get_attribute("data-touch"))
    drag(other, square, next(iter(variant(game).game.board.squares)))
    expect(other.locator("[data-words]")).to_contain_text("not your turn")


def test_11_a_piece_in_hand_out_of_turn_says_whose_turn_it_is(open_page: Open) -> None:
    for game in (name for name in names() if variant(name).game.hands):
        one, other, watcher = open_page("/"), open_page("/"), open_page("/")
        match = pair(one, other, game)
        capture = next(action for action in opening(game).actions() if action.gesture.does == "capture")
        for touch in capture.gesture.touches:
            one.locator(name_of(touch)).click()
        expect(other.locator("[data-turns='1']")).to_have_count(1)
        sit(watcher, match)
        for page, words in ((one, "not your turn"), (other, "That piece is in"), (watcher, "You are watching")):
            page.locator("[data-hand] button").first.click()
            expect(page.locator("[data-words]")).to_contain_text(words)


CLOCKS = {
    "5 minutes + 3 seconds per turn": ({"type": "fischer", "seconds": 300, "added": 3}, "5 minutes"),
    "5 minutes, the first 15 seconds of each turn free": (
        {"type": "delay", "seconds": 300, "delay": 15},
        "5 minutes, 15 seconds free",
    ),
    "10 minutes, then 3 × 30 seconds": (
        {"type": "byoyomi", "seconds": 600, "period": 30, "periods": 3},
        "10 minutes, then 3 times 30 seconds",
    ),
    "3 days per turn": ({"type": "days", "days": 3}, "3 days"),
    "1 minute per turn, 5 minutes in reserve, unused time is added, no turn over 4 minutes": (
        {"type": "reserve", "text": "1/5/100/0/0/4"},
        "5 minutes, 1 minute free, at most 4 minutes for the turn",
    ),
}
"""Clocks as they are agreed on, and what each side has at the beginning."""


@pytest.mark.parametrize("words", CLOCKS)
def test_13_the_time_control_is_written_out(open_page: Open, words: str) -> None:
    """Beside the board in one sentence, and on the clock that stands in all its parts."""
    clock, told = CLOCKS[words]
    page = open_page("/")
    begin(page, names()[0], clock=clock)
    expect(page.locator("[data-clock-words]")).to_have_text(words)
    expect(page.locator("[data-clock='1']")).to_have_attribute("aria-label", told)
