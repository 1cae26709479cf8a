"""Move: by clicking, dragging and touching; turns of several steps; set-up; captures of several jumps; promotion."""

import random
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import chain, groupby, pairwise
from pathlib import Path

import pytest
from browser.browsers import Open
from browser.hands import (
    OFFERED,
    Clicks,
    centre,
    count,
    drag,
    match_id,
    name_of,
    play_turn,
    wait_for_turn,
    wait_until_idle,
)
from browser.lines import Network
from browser.positions import chains, counts_steps, has_deed, jumping, opening, path, positions, variant, walk
from browser.tables import SHOWS, begin, pair, pieces, said, set_up, sit, truth
from clients import Json, Visitor
from haste import fastest
from playwright.sync_api import Page, Route, expect
from servers import Site, redis_server

from menagerie.games import names
from menagerie.position import Position, Turn
from menagerie.search.limits import strength
from menagerie.server import standin
from menagerie.server.machine import UNMANNED_SECONDS

COUNTED = [name for name in names() if counts_steps(name)]
HANDED = [name for name in names() if variant(name).game.hands]


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


def plain(position: Position) -> dict[str, tuple[str, str]]:
    """For each kind that can simply move, or capture, one such move: two touches, and it stays what it is."""
    found: dict[str, tuple[str, str]] = {}
    for action in position.actions():
        touches = action.gesture.touches
        if len(touches) != 2 or touches[0] == touches[1] or touches[0] not in position.game.board.squares:
            continue
        piece = position.piece_at(touches[0])
        if piece and action.after.piece_at(touches[1]) == piece and not goes_on(position, touches):
            found.setdefault(piece.letter, (touches[0], touches[1]))
    return found


def goes_on(position: Position, touches: tuple[str, ...]) -> bool:
    """Whether other gestures begin with these touches."""
    return any(len(one) > len(touches) and one[: len(touches)] == touches for one in longer(position))


def all_plain(game: str) -> list[tuple[Position, str, str]]:
    """For each kind of a game that ever moves a position where one simply can, and the move."""
    found: dict[str, tuple[Position, str, str]] = {}
    moving: set[str] = set()
    for position in chain([opening(game)], *(walk(game, seed) for seed in range(4))):
        if len(found) == len(position.game.kind):
            break
        moving |= {piece.letter for piece in map(position.piece_at, origins(position)) if piece}
        if len(position.actions()) > 1:
            found = {kind: (position, *move) for kind, move in plain(position).items()} | found
    assert set(found) >= moving
    return list(found.values())


def origins(position: Position) -> set[str]:
    """The squares from which something can move."""
    return {touches[0] for touches in longer(position) if touches and touches[0] in position.game.board.squares}


@pytest.mark.parametrize("way", ["click", "drag"])
@pytest.mark.parametrize("game", names())
def test_14_every_kind_of_piece_moves_by_click_click_and_by_dragging(open_page: Open, game: str, way: str) -> None:
    page = open_page("/")
    set_up(page, confirm=True)
    for position, moves in groupby(all_plain(game), key=lambda found: found[0]):
        begin(page, game, position=str(position))
        before = pieces(page)
        for _, one, other in moves:
            if way == "drag":
                drag(page, one, other)
            else:
                page.locator(name_of(one)).first.click()
                page.locator(name_of(other)).first.click()
            target = page.locator(f"[role=gridcell]{name_of(other)}")
            expect(target).to_have_attribute("data-piece", before[one])
            wait_until_idle(page)
            page.keyboard.press("u")
            page.wait_for_function(SHOWS, arg=before)


def drop_of(position: Position) -> tuple[str, ...]:
    """The touches that drop some piece."""
    return next(action.gesture.touches for action in position.actions() if action.gesture.does == "drop")


@pytest.mark.parametrize("way", ["click", "drag", "finger"])
def test_14_a_piece_in_hand_is_dropped_by_click_click_and_by_dragging(open_page: Open, way: str) -> None:
    found = positions(has_deed("drop"), among=HANDED)
    assert set(found) == set(HANDED)
    for game, position in found.items():
        page = open_page("/", "M" if way == "finger" else "W")
        begin(page, game, position=str(position))
        drop = drop_of(position)
        if way == "drag":
            drag(page, *drop)
        elif way == "finger":
            (x, y), (to_x, to_y) = (centre(page.locator(name_of(touch)).first) for touch in drop)
            swipe(page, (x, y), (to_x - x, to_y - y))
            assert page.evaluate("scrollY") == 0
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


def test_14_a_piece_in_hand_is_let_go_and_changed_for_another(open_page: Open) -> None:
    def has_two(position: Position) -> bool:
        drops = {
            touches[0] for touches in longer(position) if touches and touches[0] not in position.game.board.squares
        }
        return len(drops) > 1

    found = positions(has_two, among=HANDED)
    assert found
    for game, position in found.items():
        page = open_page("/")
        begin(page, game, position=str(position))
        known = position.game.board.squares
        drops = sorted({touches[0] for touches in longer(position) if touches and touches[0] not in known})
        held = page.locator("[data-hand] [aria-pressed=true]")
        for letter in drops:
            page.locator(f"[data-hand] {name_of(letter)}").click()
            expect(held).to_have_attribute("data-touch", letter)
            expect(held).to_have_count(1)
        on_board = next(touches[0] for touches in longer(position) if touches[0] in known)
        page.locator(f"[role=gridcell]{name_of(on_board)}").click()
        expect(held).to_have_count(0)
        expect(page.locator("[aria-selected=true]")).to_have_attribute("data-touch", on_board)
        page.locator(f"[data-hand] {name_of(drops[0])}").click()
        page.locator(f"[data-hand] {name_of(drops[0])}").click()
        expect(page.locator("[data-offered]")).to_have_count(0)


@pytest.mark.parametrize("game", names())
def test_14_a_finger_drags_a_piece_to_its_square(open_page: Open, game: str) -> None:
    page, position = open_page("/", "M"), opening(game)
    begin(page, game, position=str(position))
    one, other = pure(position)
    before = pieces(page)
    (x, y), (to_x, to_y) = centre(page.locator(name_of(one))), centre(page.locator(name_of(other)))
    swipe(page, (x, y), (to_x - x, to_y - y))
    expect(page.locator(f"[role=gridcell]{name_of(other)}")).to_have_attribute("data-piece", before[one])
    assert page.evaluate("scrollY") == 0


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


@pytest.mark.parametrize("game", names())
def test_15_dragging_a_piece_never_scrolls_and_a_swipe_on_an_empty_board_does(open_page: Open, game: str) -> None:
    page = open_page("/", "M")
    begin(page, game, position=str(opening(game)))
    one = pure(opening(game))[0]
    swipe(page, centre(page.locator(name_of(one))), (0, -150))
    assert page.evaluate("scrollY") == 0
    begin(page, game, position=str(opening(game)))
    empty = page.locator("[role=gridcell][data-touch]:not([data-piece])").last
    swipe(page, centre(empty), (0, -150))
    assert page.evaluate("scrollY") > 50


@pytest.mark.parametrize("game", names())
def test_15_a_swipe_on_ones_own_piece_scrolls_while_the_other_is_to_move(open_page: Open, game: str) -> None:
    one, other = open_page("/"), open_page("/", "M")
    pair(one, other, game)
    if variant(game).game.setups:
        for page in (one, other):
            wait_for_turn(page)
            page.locator("[data-ready]").click()
        wait_for_turn(one)
    swipe(other, centre(other.locator("[role=gridcell][data-piece^='1']").first), (0, -150))
    assert other.evaluate("scrollY") > 50
    assert other.locator("[data-words]").count() == 0  # nothing was touched


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
def test_16_the_counter_stays_while_the_server_answers_and_a_typed_turn_is_undone_without_it(
    open_page: Open, site: Site, game: str
) -> None:
    with Network(site.port, delay=0.3) as slow:
        page = open_page("/")
        page.goto(slow.address)
        set_up(page, confirm=True)
        begin(page, game, position=str(opening(game)))
        one, other = pure(opening(game))
        page.locator(name_of(one)).click()
        page.locator(name_of(other)).click()
        expect(page.locator("[data-table]")).to_have_attribute("data-busy", "true")
        assert page.locator("[data-steps-left]").count() == 1
        wait_until_idle(page)
        page.locator("[data-undo]").click()
        before = pieces(page)
        field = page.get_by_label("Type a turn")
        field.fill(str(opening(game).turns()[-1]))
        field.press("Enter")
        expect(page.locator("[data-pending]")).to_be_visible()
        spy = "() => { window.sent = []; const send = WebSocket.prototype.send;"
        page.evaluate(spy + "WebSocket.prototype.send = function(t) { window.sent.push(t); send.call(this, t); }; }")
        page.locator("[data-undo]").click()
        expect(page.locator("[data-pending]")).to_have_count(0)
        assert pieces(page) == before
        assert [text for text in page.evaluate("window.sent") if "pong" not in text] == []


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


def pulls(position: Position) -> list[tuple[str, str, str]]:
    """Steps after which a hostile piece can go where the step came from, and nowhere else: from, to, and that piece."""
    found = []
    for action in position.actions():
        own, later = action.gesture.touches, [touches for touches in longer(action.after) if touches]
        enemies = {touches[0] for touches in later if is_hostile(action.after, touches[0])}
        pulled = [enemy for enemy in enemies if {touches[1] for touches in later if touches[0] == enemy} == {own[0]}]
        if len(own) == 2 and not is_hostile(position, own[0]):
            found += [(own[0], own[1], enemy) for enemy in pulled]
    return found


def is_hostile(position: Position, square: str) -> bool:
    """Whether the other side's piece stands there."""
    piece = position.piece_at(square)
    return piece is not None and piece.player != position.player


@pytest.mark.parametrize("game", COUNTED)
def test_17_a_pull_takes_the_enemy_to_where_the_step_came_from(open_page: Open, game: str) -> None:
    page = open_page("/")
    position = positions(lambda position: bool(pulls(position)), among=[game])[game]
    begin(page, game, position=str(position))
    source, target, enemy = pulls(position)[0]
    before = pieces(page)
    for touch in (source, target):
        page.locator(name_of(touch)).click()
    wait_until_idle(page)
    page.locator(name_of(enemy)).click()
    offered = page.locator("[data-offered]")
    expect(offered).to_have_count(1)
    expect(offered).to_have_attribute("data-touch", source)
    page.keyboard.press("Escape")
    expect(offered).to_have_count(0)
    assert pieces(page)[target] == before[source], "the step stands by itself"
    for touch in (enemy, source):
        page.locator(name_of(touch)).click()
    wait_until_idle(page)
    assert (pieces(page)[source], pieces(page).get(enemy)) == (before[enemy], None)
    for _ in range(2):
        page.keyboard.press("u")
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


def test_19_a_quick_hand_touches_the_final_square_before_the_ways_are_known(open_page: Open, site: Site) -> None:
    found = positions(is_clear, 60, jumping())
    with Network(site.port, delay=0.15) as slow:
        for game, position in found.items():
            page, way = open_page("/"), clear_way(position)
            page.goto(slow.address)
            begin(page, game, position=str(position))
            for touch in (way[0], way[-1]):
                page.locator(name_of(touch)).click()
            expect(page.locator("[data-turns='1']")).to_have_count(1)
            expect(page.locator(f"[role=gridcell]{name_of(way[-1])}")).to_have_attribute("data-piece", re.compile("."))


def promotions(position: Position) -> dict[str, tuple[str, str]]:
    """Moves by which a piece becomes another kind, and which end the turn, by that kind."""
    found: dict[str, tuple[str, str]] = {}
    for action in position.actions():
        touches = action.gesture.touches
        if len(touches) != 2 or touches[0] not in position.game.board.squares or action.after.player == position.player:
            continue
        before, after = position.piece_at(touches[0]), action.after.piece_at(touches[1])
        is_other = before and after and before.player == after.player and before.letter != after.letter
        if after and is_other and not any(o[:2] == touches and len(o) > 2 for o in longer(position)):
            found[after.letter] = touches[0], touches[1]
    return found


def all_promotions(game: str, kinds: set[str]) -> dict[str, tuple[Position, str, str]]:
    """For each of these kinds a position where a piece becomes one, and the move."""
    found: dict[str, tuple[Position, str, str]] = {}
    for position in chain.from_iterable(walk(game, seed) for seed in range(60)):
        if set(found) == kinds:
            break
        if len(position.actions()) > 1:
            found = {kind: (position, *move) for kind, move in promotions(position).items()} | found
    return found


ANIMATED = """() => {
  window.animated = [];
  const isPiece = element => element.matches('.is-promoted') && !!element.querySelector('image, text');
  addEventListener('animationstart', event => window.animated.push([event.animationName, isPiece(event.target)]));
}"""
"""Note every animation that begins, and whether it is a piece's that has become another kind."""


@pytest.mark.parametrize("game", names())
def test_20_each_promotion_is_animated_and_named(open_page: Open, game: str) -> None:
    kinds = variant(game).game.kind
    first = {piece.letter for piece in opening(game).view.board.values()}
    become = set(kinds) - first  # kinds that are not there at first are those that pieces become
    found = all_promotions(game, become)
    assert set(found) == become
    for kind, (position, *move) in found.items():
        page = open_page("/", reduced_motion="no-preference")
        begin(page, game, position=str(position))
        page.evaluate(ANIMATED)
        for touch in move:
            page.locator(name_of(touch)).click()
        expect(page.locator(".is-promoted")).to_have_count(1)
        page.wait_for_function("() => window.animated.some(([name, piece]) => name.endsWith('promote') && piece)")
        expect(page.locator("[data-live]")).to_contain_text(f"becomes {kinds[kind].name}")


@pytest.mark.parametrize("game", names())
def test_20_nothing_is_promoted_where_other_pieces_come_to_stand(open_page: Open, game: str) -> None:
    one, other = open_page("/"), open_page("/")
    match = pair(one, other, game)
    if variant(game).game.setups:
        army = pieces(one)
        first = min(army)
        for square in (first, next(square for square in army if army[square] != army[first])):
            one.locator(name_of(square)).click()
        expect(one.locator(".is-promoted")).to_have_count(0)
    chance, turns = random.Random(4), 4
    for number in range(turns):
        page = (one, other)[number % 2]
        assert wait_for_turn(page)
        play_turn(Clicks(page), chance)
    assert not any(is_promotion(step) for turn in turns_of(one, match) for step in turn["steps"])
    for page in (one, other):
        expect(page.locator(f"[data-turns='{turns}']")).to_have_count(1)
        for number in (1, 4, 2, 3):
            page.locator(f"[data-count='{number}']").click()
        expect(page.locator(".is-promoted")).to_have_count(0)


def turns_of(page: Page, match: str) -> list[Json]:
    """The turns of a match as the server tells them."""
    address = "/".join(page.url.split("/")[:3])
    return list(page.request.get(f"{address}/api/matches/{match}").json()["turns"])


def is_promotion(step: Json) -> bool:
    """Whether a piece becomes another kind."""
    before, after = ([change[side] for change in step["changes"] if change[side]] for side in ("before", "after"))
    kinds = {(piece["player"], piece["letter"]) for piece in before}
    return any((piece["player"], piece["letter"]) not in kinds for piece in after) and step["does"] != "drop"


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


FRAMES = """() => {
  window.frames_seen = [];
  const board = () => [...document.querySelectorAll('[role=gridcell][data-piece]')]
    .map(cell => cell.dataset.touch + cell.dataset.piece).join();
  let last = board();
  const look = () => {
    const now = board();
    if (now !== last) window.frames_seen.push([performance.now(), now]);
    last = now;
    requestAnimationFrame(look);
  };
  look();
}"""


def stand_still(page: Page) -> None:
    """Watch the board; time stands still until it is let go."""
    page.evaluate(FRAMES)
    page.clock.pause_at(datetime.fromtimestamp(page.evaluate("Date.now()") / 1000) + timedelta(seconds=1))


def assert_shown_in_steps(page: Page, steps: int) -> None:
    """Once time goes on, each step is a board of its own, and none takes longer or shorter than it may."""
    slide = float(page.evaluate(DURATION).removesuffix("s"))
    begun = page.evaluate("performance.now()")
    page.clock.run_for(3000)
    seen = page.evaluate("window.frames_seen")
    assert len(seen) == steps
    legs = [(then[0] - now[0]) / 1000 for now, then in pairwise(seen)]
    assert all(slide < leg <= 0.4 for leg in legs), legs
    assert (seen[-1][0] - begun) / 1000 + slide <= 1.6


@pytest.mark.parametrize("game", COUNTED)
def test_21_a_turn_of_several_steps_is_shown_step_by_step(open_page: Open, game: str) -> None:
    """Time stands still for whoever looks on, and is then let go: how long steps are shown, whatever else goes on."""
    one, other = open_page("/"), open_page("/", reduced_motion="no-preference")
    other.clock.install()
    pair(one, other, game)
    for page in (one, other):
        wait_for_turn(page)
        page.locator("[data-ready]").click()
    wait_for_turn(one)
    expect(other.locator("[data-turns='2']")).to_have_count(1)
    stand_still(other)
    steps = int(one.locator("[data-steps-left]").get_attribute("data-steps-left") or 0)
    for left in range(steps, 1, -1):
        expect(one.locator(f"[data-steps-left='{left}']")).to_have_count(1)
        wait_until_idle(one)
        fresh = one.locator("[role=gridcell].is-active:not(:has(~ *[data-unsent]))")
        one.locator(name_of(str(fresh.nth(left).get_attribute("data-touch")))).click()
        one.locator("[data-offered]").first.click()
        expect(one.locator(f"[data-steps-left='{left - 1}']")).to_have_count(1)
    one.locator("[data-send]:enabled").click()
    expect(other.locator("[data-turns='3']")).to_have_count(1)
    assert_shown_in_steps(other, steps - 1)
    assert pieces(other) == pieces(one)


def jumps() -> Turn:
    """A capture of several jumps."""
    position = next(iter(positions(lambda position: bool(chains(position)), among=jumping()).values()))
    return max(chains(position), key=lambda turn: len(turn.indices))


def push() -> Turn:
    """A push, and nothing else in the turn."""
    position = next(iter(positions(has_deed("push"), among=COUNTED).values()))
    first = next(action for action in position.actions() if action.gesture.does == "push")
    second = first.after.actions()[0]
    rest = [action.index for action in second.after.actions() if action.gesture.does == "pass"]
    return Turn(position, (first.index, second.index, *rest))


@pytest.mark.parametrize("turn", [jumps, push])
def test_21_jumps_and_a_push_are_shown_step_by_step(open_page: Open, turn: Callable[[], Turn]) -> None:
    made = turn()
    page, watcher = open_page("/"), open_page("/", reduced_motion="no-preference")
    watcher.clock.install()
    sit(watcher, begin(page, made.position.game.name, position=str(made.position)))
    expect(watcher.locator("[role=gridcell][data-piece]").first).to_be_visible()
    stand_still(watcher)
    page.get_by_label("Type a turn").fill(str(made))
    page.get_by_label("Type a turn").press("Enter")
    for there in (page, watcher):
        expect(there.locator("[data-turns='1']")).to_have_count(1)
    steps = sum(action.gesture.does != "pass" for action in made.actions)
    assert steps > 1
    assert_shown_in_steps(watcher, steps)
    assert pieces(watcher) == pieces(page)


def test_21_a_hand_does_not_wait_for_an_animation(open_page: Open) -> None:
    game = names()[-1]
    one, other = open_page("/"), open_page("/", reduced_motion="no-preference")
    pair(one, other, game)
    answer = """move => new Promise(done => {
      const look = () => {
        if (!document.querySelector("[data-turns='1']")) return requestAnimationFrame(look);
        for (const touch of move) document.querySelector(`[data-touch='${touch}']`).click();
        requestAnimationFrame(() => requestAnimationFrame(() =>
          done(document.querySelector(`[data-touch='${move[1]}']`).dataset.piece)));
      };
      look();
    })"""
    first = pure(opening(game))
    position = next(action for action in opening(game).actions() if action.gesture.touches == first).after
    reply = pure(position)
    other.evaluate("([script, move]) => { window.answered = eval(script)(move); }", [answer, list(reply)])
    for touch in first:
        one.locator(name_of(touch)).click()
    shown = other.evaluate("window.answered")
    assert shown and shown[0] == "1"


@pytest.mark.parametrize("game", names())
def test_22_the_lowest_level_answers_soon(open_page: Open, visitor: Visitor, game: str) -> None:
    """It may search for a third of the time. A busy machine may be late with fewer than half of the answers."""
    assert strength(1).seconds <= 0.5
    page = open_page("/")
    match = begin(page, game, against="machine", level=1, colour="first", position=str(opening(game)))
    for _ in range(4):
        if not wait_for_turn(page):
            break
        play_turn(Clicks(page), random.Random(7))
    wait_for_turn(page)
    turns = visitor.get(f"/api/matches/{match}")["turns"]
    spent = sorted(turn["spent_ms"] for turn in turns if turn["player"] == 1)
    assert spent
    assert spent[len(spent) // 2] <= 1500


THINKING = """() => {
  const first = {};
  const look = () => {
    if (document.querySelector('[data-table]')) first.shown ??= performance.now();
    const words = document.querySelector('[data-notice]')?.innerText ?? '';
    if (words.includes('thinking')) window.after = performance.now() - first.shown;
    if (window.after === undefined) requestAnimationFrame(look);
  };
  look();
}"""


def test_22_thinking_is_shown_but_not_at_once(open_page: Open) -> None:
    """The machine thinks for as long as one likes: the page says so after 300 ms, lest a quick answer flickers."""
    page, game = open_page("/"), names()[-1]
    match = begin(page, game, against="machine", level=1, colour="first")

    def think(route: Route) -> None:
        told = route.fetch().json()
        told["state"]["engine"] = "thinking"
        route.fulfill(json=told)

    def thinks() -> float:
        page.reload()
        page.wait_for_function("() => window.after")
        after = float(page.evaluate("window.after")) / 1000
        assert after >= 0.25
        return after

    page.route(f"**/api/matches/{match}", think)
    page.route_web_socket("**/socket/match/*", lambda _: None)  # it says nothing else
    page.add_init_script(f"({THINKING})()")
    assert fastest(thinks, 0.6) <= 0.6


def test_22_without_a_worker_the_server_moves_itself_and_says_so(open_page: Open, tmp_path: Path) -> None:
    """It waits and thinks for less than two seconds; a busy machine has a few turns to be done within three."""
    assert UNMANNED_SECONDS + standin.SECONDS < 2
    with redis_server() as redis, Site(f"sqlite:///{tmp_path / 'alone.db'}", redis, workers=0) as own:
        page, game = open_page("/"), names()[-1]
        page.goto(own.address)
        begin(page, game, against="machine", colour="first", level=1)

        def answer() -> float:
            play_turn(Clicks(page), random.Random(7))
            expect(page.locator("[data-notice]")).to_contain_text("thinking")
            assert wait_for_turn(page, 60)
            expect(page.locator("[data-notice]")).to_contain_text("a plainer one has moved for it")
            last = turns_of(page, match_id(page))[-1]
            assert last["player"] == 1
            return float(last["spent_ms"]) / 1000

        assert fastest(answer, 3) <= 3


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


UNDER = "([x, y]) => document.elementFromPoint(x, y)?.closest('button, a')?.outerHTML ?? ''"
"""What could be pressed at a place."""


def winning(position: Position) -> bool:
    """Whether some move of two touches ends the match."""
    return any(action.after.outcome and len(action.gesture.touches) == 2 for action in position.actions())


@pytest.mark.parametrize("game", names())
def test_24_where_send_was_no_other_button_comes(open_page: Open, device: str, game: str) -> None:
    page = open_page("/", device)
    set_up(page, confirm=True)
    ending = positions(winning, 60, [game])
    for position in (opening(game), *ending.values()):
        begin(page, game, position=str(position))
        moves = [a.gesture.touches for a in position.actions() if winning(position) and a.after.outcome]
        for touch in next((move for move in moves if len(move) == 2), pure(position)):
            page.locator(name_of(touch)).first.click()
        wait_until_idle(page)
        if page.locator("[data-done]").count():
            page.locator("[data-done]").click()
        where = centre(page.locator("[data-send]:enabled"))
        page.locator("[data-send]").click()
        expect(page.locator("[data-turns='1']")).to_have_count(1)
        if position.player is not None and moves:
            expect(page.locator("[data-result]")).to_be_visible()
        under = page.evaluate(UNDER, where)
        assert not under or "data-send" in under, under


def test_24_confirmation_is_on_for_phones_and_remembered(open_page: Open, site: Site) -> None:
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
            page.locator("[data-send]").click()
        expect(page.locator("[data-turns='1']")).to_have_count(1)
    page.goto(f"{site.address}/settings")
    page.get_by_label("Confirm each turn").check()
    begin(page, game, position=str(opening(game)))
    expect(page.locator("[data-send]")).to_be_visible()
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
