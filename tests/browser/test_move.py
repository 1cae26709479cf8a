"""Move: by clicking, dragging and touching; turns of several steps; set-up; captures of several jumps; promotion."""

import random
import re
from pathlib import Path

import pytest
from browser.browsers import Open
from browser.hands import OFFERED, Clicks, centre, count, drag, name_of, play_turn, wait_for_turn, wait_until_idle
from browser.positions import chains, counts_steps, has_deed, jumping, opening, path, positions, variant
from browser.tables import begin, pair, pieces, said, set_up, truth
from clients import Visitor
from playwright.sync_api import Page, expect
from servers import Site, redis_server

from menagerie.games import names
from menagerie.position import Position

COUNTED = [name for name in names() if counts_steps(name)]


def pure(position: Position) -> tuple[str, str]:
    """A touch and a target that make an action at once."""
    actions = [action.gesture.touches for action in position.actions() if len(action.gesture.touches) == 2]
    return next((a, b) for a, b in actions if not any(o[:2] == (a, b) and len(o) > 2 for o in longer(position)))


def longer(position: Position) -> list[tuple[str, ...]]:
    """All gestures of a position."""
    return [action.gesture.touches for action in position.actions()]


def after(position: Position, touches: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The gestures that follow one."""
    return longer(next(action for action in position.actions() if action.gesture.touches == touches).after)


@pytest.mark.parametrize("way", ["click", "drag"])
@pytest.mark.parametrize("game", names())
def test_14_a_piece_moves_by_click_click_and_by_dragging(open_page: Open, game: str, way: str) -> None:
    page, position = open_page("/"), opening(game)
    begin(page, game, position=str(position))
    one, other = pure(position)
    before = pieces(page)
    if way == "drag":
        drag(page, one, other)
    else:
        page.locator(name_of(one)).click()
        page.locator(name_of(other)).click()
    expect(page.locator(f"[role=gridcell]{name_of(other)}")).to_have_attribute("data-piece", before[one])


@pytest.mark.parametrize("way", ["click", "drag"])
def test_14_a_piece_in_hand_is_dropped_by_click_click_and_by_dragging(open_page: Open, way: str) -> None:
    found = positions(has_deed("drop"))
    assert found
    for game, position in found.items():
        page = open_page("/")
        begin(page, game, position=str(position))
        drop = next(action.gesture.touches for action in position.actions() if action.gesture.does == "drop")
        if way == "drag":
            drag(page, *drop)
        else:
            page.locator(name_of(drop[0])).first.click()
            page.locator(name_of(drop[1])).click()
        expect(page.locator(f"[role=gridcell]{name_of(drop[1])}")).to_have_attribute("data-piece", re.compile(drop[0]))


def test_14_another_piece_switches_the_selection_and_the_same_one_lets_go(open_page: Open) -> None:
    page = open_page("/")
    for game in names():
        begin(page, game, position=str(opening(game)))
        actions = opening(game).actions()
        one = actions[0].gesture.touches[0]
        ends = {touch for action in actions if action.gesture.touches[0] == one for touch in action.gesture.touches}
        other = next((a.gesture.touches[0] for a in actions if a.gesture.touches[0] not in ends), None)
        page.locator(name_of(one)).click()
        expect(page.locator("[aria-selected=true]")).to_have_attribute("data-touch", one)
        if other:
            page.locator(name_of(other)).click()
            expect(page.locator("[aria-selected=true]")).to_have_attribute("data-touch", other)
            page.locator(name_of(other)).click()
        else:
            page.locator(name_of(one)).click()
        expect(page.locator("[aria-selected=true]")).to_have_count(0)


def swipe(page: Page, begin_at: tuple[float, float], by: tuple[float, float]) -> None:
    """Move a finger over the screen."""
    session = page.context.new_cdp_session(page)
    points = [{"x": begin_at[0] + by[0] * n / 10, "y": begin_at[1] + by[1] * n / 10} for n in range(11)]
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [points[0]]})
    for point in points[1:]:
        session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
        page.wait_for_timeout(20)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_timeout(300)


def test_15_dragging_a_piece_never_scrolls_and_a_swipe_on_an_empty_board_does(open_page: Open) -> None:
    page = open_page("/", "M")
    game = names()[0]
    begin(page, game, position=str(opening(game)))
    one = pure(opening(game))[0]
    swipe(page, centre(page.locator(name_of(one))), (0, -150))
    assert page.evaluate("scrollY") == 0
    page.keyboard.press("Escape")
    empty = page.locator("[role=gridcell][data-touch]:not([data-piece])").last
    swipe(page, centre(empty), (0, -150))
    assert page.evaluate("scrollY") > 50


@pytest.mark.parametrize("game", COUNTED)
def test_16_steps_appear_at_once_and_wait_unsent(open_page: Open, game: str) -> None:
    one, other = open_page("/"), open_page("/")
    match = pair(one, other, game)
    for page in (one, other):
        wait_for_turn(page)
        page.locator("[data-ready]").click()
        expect(page.locator("[data-ready]")).to_have_count(0)
    wait_for_turn(one)
    sent: list[str] = []
    before = pieces(one)
    left = int(one.locator("[data-steps-left]").get_attribute("data-steps-left") or 0)
    expect(one.locator("[data-send]")).to_be_disabled()
    step = next(touches for touches in longer(opening(game)) if touches[::-1] in after(opening(game), touches))
    one.locator(name_of(step[0])).click()
    one.locator(name_of(step[1])).click()
    expect(one.locator("[data-steps-left]")).to_have_attribute("data-steps-left", str(left - 1))
    expect(one.locator("[data-pending]")).to_be_visible()
    expect(one.locator(f"[data-unsent='{step[1]}']")).to_have_count(1)
    assert truth(one, match) == pieces(other) == before
    one.locator(name_of(step[1])).click()
    one.locator(name_of(step[0])).click()  # back again: the position would not change
    expect(one.locator("[data-send]")).to_be_disabled()
    expect(one.locator("[data-pending]")).to_contain_text(re.compile("chang|same", re.IGNORECASE))
    spy = "() => { window.sent = []; const send = WebSocket.prototype.send;"
    one.evaluate(spy + "WebSocket.prototype.send = function(t) { window.sent.push(t); send.call(this, t); }; }")
    one.locator("[data-undo]").click()
    expect(one.locator("[data-steps-left]")).to_have_attribute("data-steps-left", str(left - 1))
    one.keyboard.press("u")
    expect(one.locator("[data-pending]")).to_have_count(0)
    sent = [text for text in one.evaluate("window.sent") if "pong" not in text]
    assert sent == []
    one.locator(name_of(step[0])).click()
    one.locator(name_of(step[1])).click()
    one.locator("[data-send]").click()  # what is left of the turn is passed without a question
    expect(other.locator("[data-turns='3']")).to_have_count(1)
    assert pieces(one) == pieces(other) == truth(one, match)


@pytest.mark.parametrize("game", COUNTED)
def test_17_after_half_a_push_only_completing_squares_are_offered_and_escape_cancels(
    open_page: Open, game: str
) -> None:
    page = open_page("/")
    position = positions(has_deed("push"))[game]
    begin(page, game, position=str(position))
    push = next(action for action in position.actions() if action.gesture.does == "push")
    before = pieces(page)
    page.locator(name_of(push.gesture.touches[0])).click()
    page.locator(name_of(push.gesture.touches[1])).click()
    expect(page.locator("[data-pending]")).to_be_visible()
    wait_until_idle(page)
    expect(page.locator("[data-send]")).to_be_disabled()
    completing = {action.gesture.touches[0] for action in push.after.actions()}
    script = "cells => cells.map(cell => cell.dataset.touch)"
    assert set(page.locator("[role=gridcell].is-active").evaluate_all(script)) == completing
    page.keyboard.press("Escape")
    expect(page.locator("[data-pending]")).to_have_count(0)
    assert pieces(page) == before


@pytest.mark.parametrize("game", [name for name in names() if variant(name).game.setups])
def test_18_an_army_is_ready_can_be_swapped_also_while_waiting_and_sent(open_page: Open, game: str) -> None:
    one, other = open_page("/"), open_page("/")
    pair(one, other, game)
    for page in (other, one):  # the second prepares while the first is to move
        expect(page.locator("[data-ready]")).to_be_visible()
        army = pieces(page)
        first = min(army)
        second = next(square for square in army if army[square] != army[first])
        page.locator(name_of(first)).click()
        page.locator(name_of(second)).click()
        swapped = pieces(page)
        assert (swapped[first], swapped[second]) == (army[second], army[first])
    expect(other.locator("[data-ready]")).to_be_disabled()
    mine = pieces(other)
    one.locator("[data-ready]").click()
    expect(other.locator("[data-ready]")).to_be_enabled()
    assert mine.items() <= pieces(other).items()
    other.locator("[data-ready]").click()
    expect(one.locator("[data-turns='2']")).to_have_count(1)
    assert mine.items() <= pieces(one).items()


def is_clear(position: Position) -> bool:
    """Whether a piece has a choice of captures, one of several jumps, whose end only one way leads to."""
    ways = [path(turn) for turn in chains(position)]
    return len(position.actions()) > 1 and any(
        sum(way[0] == other[0] and way[-1] == other[-1] for other in ways) == 1 and way[0] != way[-1] for way in ways
    )


def clear_way(position: Position) -> list[str]:
    """The squares of such a capture."""
    ways = [path(turn) for turn in chains(position)]
    return next(w for w in ways if sum(w[0] == o[0] and w[-1] == o[-1] for o in ways) == 1 and w[0] != w[-1])


@pytest.mark.parametrize("manner", ["square by square", "by the final square"])
def test_19_several_jumps_are_entered_either_way(open_page: Open, manner: str) -> None:
    found = positions(is_clear, 60, jumping())
    assert found
    for game, position in found.items():
        page, way = open_page("/"), clear_way(position)
        begin(page, game, position=str(position))
        page.locator(name_of(way[0])).click()
        if manner == "by the final square":
            expect(page.locator(f"{OFFERED}{name_of(way[-1])}")).to_have_count(1)
            page.locator(name_of(way[-1])).click()
        else:
            for square in way[1:]:
                page.locator(name_of(square)).click()  # a quick hand does not wait for the server
        expect(page.locator("[data-turns='1']")).to_have_count(1)
        expect(page.locator(f"[role=gridcell]{name_of(way[-1])}")).to_have_attribute("data-piece", re.compile("."))


def test_19_a_sole_capture_is_completed_with_one_click(open_page: Open) -> None:
    found = positions(lambda position: bool(chains(position)) and len(position.turns()) == 1, 80, jumping())
    assert found
    for game, position in found.items():
        page = open_page("/")
        begin(page, game, position=str(position))
        page.locator(name_of(path(position.turns()[0])[0])).click()
        expect(page.locator("[data-turns='1']")).to_have_count(1)


def is_ambiguous(position: Position) -> bool:
    """Whether two ways of several jumps lead one piece to the same square."""
    return forked(position) is not None


def forked(position: Position) -> tuple[list[str], list[str]] | None:
    """Two such ways."""
    ways = [path(turn) for turn in chains(position)]
    pairs = ((a, b) for a in ways for b in ways if a != b and (a[0], a[-1]) == (b[0], b[-1]) and a[1] != b[1])
    return next((pair for pair in pairs if pair[0][0] != pair[0][-1]), None)


def test_19_ambiguous_paths_ask_by_showing_both_routes(open_page: Open) -> None:
    found = positions(is_ambiguous, 400, jumping())
    assert found
    for game, position in found.items():
        ways = forked(position)
        assert ways
        page = open_page("/")
        begin(page, game, position=str(position))
        page.locator(name_of(ways[0][0])).click()
        expect(page.locator(f"{OFFERED}{name_of(ways[0][-1])}")).to_have_count(1)
        page.locator(name_of(ways[0][-1])).click()
        expect(page.locator("[data-words]")).to_contain_text("More than one way")
        for way in ways:
            expect(page.locator(f"[data-arrow='{way[0]}{way[1]}']")).to_have_count(1)
        page.locator(name_of(ways[1][1])).click()
        expect(page.locator(f"[role=gridcell]{name_of(ways[1][1])}")).to_have_attribute("data-piece", re.compile("."))


def promotion(position: Position) -> tuple[str, str] | None:
    """A move by which a piece becomes another kind, and which ends the turn."""
    for action in position.actions():
        touches = action.gesture.touches
        if len(touches) != 2 or touches[0] not in position.game.board.squares or action.after.player == position.player:
            continue
        before, after = position.piece_at(touches[0]), action.after.piece_at(touches[1])
        is_other = before and after and before.player == after.player and before.letter != after.letter
        if is_other and not any(o[:2] == touches and len(o) > 2 for o in longer(position)):
            return touches[0], touches[1]
    return None


def test_20_promotion_is_animated_and_named(open_page: Open) -> None:
    found = positions(lambda position: promotion(position) is not None and len(position.actions()) > 1, 10)
    assert found
    for game, position in found.items():
        page, move = open_page("/"), promotion(position)
        assert move
        begin(page, game, position=str(position))
        page.locator(name_of(move[0])).click()
        page.locator(name_of(move[1])).click()
        expect(page.locator(".is-promoted")).to_have_count(1)
        expect(page.locator("[data-live]")).to_contain_text("becomes")


DURATION = "() => getComputedStyle(document.querySelector('.token')).transitionDuration"


def test_21_turns_slide_and_stay_marked_and_reduced_motion_does_not_slide(open_page: Open) -> None:
    game = names()[-1]
    still = open_page("/", reduced_motion="reduce")
    moving = open_page("/", reduced_motion="no-preference")
    pair(still, moving, game)
    still.wait_for_timeout(100)
    assert still.evaluate(DURATION) == "0s"
    assert 0 < float(moving.evaluate(DURATION).removesuffix("s")) <= 0.4
    play_turn(Clicks(still), random.Random(1))
    expect(moving.locator("[data-turns='1']")).to_have_count(1)
    expect(moving.locator("rect.last")).not_to_have_count(0)
    assert moving.locator("rect.last").count() == still.locator("rect.last").count()


def test_22_the_lowest_level_answers_soon_and_shows_that_it_thinks(open_page: Open, visitor: Visitor) -> None:
    page = open_page("/")
    for game in names():
        match = begin(page, game, against="machine", level=1, colour="first", position=str(opening(game)))
        wait_for_turn(page)
        for _ in range(3):
            if not wait_for_turn(page):
                break
            play_turn(Clicks(page), random.Random(7))
        wait_for_turn(page)
        turns = visitor.get(f"/api/matches/{match}")["turns"]
        spent = sorted(turn["spent_ms"] or 0 for turn in turns if turn["player"] == 1)
        assert not spent or spent[0] <= 1500


def test_22_without_a_worker_the_server_moves_itself_and_says_so(open_page: Open, tmp_path: Path) -> None:
    with redis_server() as redis, Site(f"sqlite:///{tmp_path / 'alone.db'}", redis, workers=0) as own:
        page, game = open_page("/"), names()[-1]
        page.goto(own.address)
        begin(page, game, against="machine", colour="first", level=1)
        play_turn(Clicks(page), random.Random(7))
        expect(page.locator("[data-notice]")).to_contain_text("thinking")
        assert wait_for_turn(page, 60)
        expect(page.locator("[data-notice]")).to_contain_text("a plainer one has moved for it")


def test_23_arrows_disappear_with_the_next_move(open_page: Open) -> None:
    page, game = open_page("/"), names()[-1]
    begin(page, game, position=str(opening(game)))
    one, other = pure(opening(game))
    drag(page, one, other, button="right")
    expect(page.locator("[data-arrow]")).to_have_count(1)
    page.locator(name_of(one)).click()
    page.locator(name_of(other)).click()
    expect(page.locator("[data-turns='1']")).to_have_count(1)
    expect(page.locator("[data-arrow]")).to_have_count(0)


def test_24_confirmation_is_on_for_phones_and_remembered(open_page: Open) -> None:
    game = names()[-1]
    one, other = pure(opening(game))
    for device, is_on in (("M", True), ("W", False)):
        page = open_page("/", device)
        begin(page, game, position=str(opening(game)))
        page.locator(name_of(one)).click()
        page.locator(name_of(other)).click()
        if is_on:
            expect(page.locator("[data-pending]")).to_be_visible()
            assert count(page) == 0
            where = centre(page.locator("[data-send]"))
            page.locator("[data-send]").click()
            expect(page.locator("[data-turns='1']")).to_have_count(1)
            under = "([x, y]) => document.elementFromPoint(x, y)?.closest('button')?.dataset.send ?? null"
            assert page.evaluate(under, where) in ("", None)  # no other action has come to that place
        expect(page.locator("[data-turns='1']")).to_have_count(1)
    set_up(page, confirm=True)
    page.reload()
    expect(page.locator("[data-send]")).to_be_visible()


def test_a_turn_is_heard_once(open_page: Open) -> None:
    page, game = open_page("/"), names()[-1]
    begin(page, game, position=str(opening(game)))
    one, other = pure(opening(game))
    page.locator(name_of(one)).click()
    page.locator(name_of(other)).click()
    expect(page.locator("[data-turns='1']")).to_have_count(1)
    assert said(page).count(f"{one} to {other}") == 1
