"""Accessibility and robustness: keys, screen readers, contrast, zoom, limits, no scripts."""

import base64
import random
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from browser.browsers import ROOT, Open
from browser.hands import FAR, Keys, match_id, name_of, table, wait_for_turn, wait_until_idle
from browser.positions import counts_steps, has_deed, opening, positions, variant, walk
from browser.tables import SHOWS, begin, pair, pieces, said, set_up, sit
from clients import Visitor
from playwright.sync_api import Locator, Page, expect
from servers import Site

from menagerie.games import find, names
from menagerie.position import Action, Position
from menagerie.server.messages import MOST_SAID

GAME = next(name for name in names() if not variant(name).game.long_turns)
THEMES = ("light", "dark", "contrast")
PAGES = ("/", "/lobby", "/settings", "/import", f"/leaders/{GAME}", f"/new/{GAME}", f"/rules/{GAME}", "/nowhere")


PIXELS = """async ([one, other]) => {
  const read = async base64 => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
    canvas.drawImage(image, 0, 0);
    return canvas.getImageData(0, 0, image.width, image.height).data;
  };
  const part = value => value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
  const bright = (data, at) => 0.2126 * part(data[at]) + 0.7152 * part(data[at + 1]) + 0.0722 * part(data[at + 2]);
  const [before, after] = [await read(one), await read(other)];
  let changed = 0;
  for (let at = 0; at < before.length; at += 4) {
    const [low, high] = [bright(before, at), bright(after, at)].sort((a, b) => a - b);
    if ((high + 0.05) / (low + 0.05) >= 3) changed += 1;
  }
  return changed;
}"""


@pytest.mark.parametrize("theme", THEMES)
def test_40_the_focus_is_seen_on_every_kind_of_square(open_page: Open, theme: str) -> None:
    """Where it is, at least as much as a line of two pixels around the square changes by 3:1."""
    page = open_page("/", bypass_csp=True)
    set_up(page, theme=theme, motion=False)
    faint = []
    for game in names():
        begin(page, game, position=str(opening(game)))
        page.keyboard.press("Tab")
        for name in one_of_each_tint(page):
            cell = page.locator(f"[role=gridcell]{name_of(name)}")
            page.locator("[data-rules]").focus()
            shots = [picture(cell)]
            cell.focus()
            shots.append(picture(cell))
            if page.evaluate(PIXELS, shots) < line_around(cell):
                faint.append((game, name))
    assert not faint


def picture(square: Locator) -> str:
    """What a square looks like."""
    box = square.bounding_box()
    assert box
    return base64.b64encode(square.page.screenshot(clip=box)).decode()


def line_around(square: Locator) -> float:
    """The pixels of a line around a square, two pixels wide: as much as is seen without being looked for."""
    box = square.bounding_box()
    assert box
    return 4 * (box["width"] + box["height"])


def one_of_each_tint(page: Page) -> list[str]:
    """An empty square and one with a piece of each colour that squares have."""
    script = """() => {
      const squares = [...document.querySelectorAll('[data-board] rect.square')];
      const cells = [...document.querySelectorAll('[role=gridcell]')];
      const known = new Map(cells.map((cell, at) =>
        [`${getComputedStyle(squares[at]).fill} ${cell.dataset.piece?.[0]}`, cell.dataset.touch]));
      return [...known.values()].filter(Boolean);
    }"""
    return list(page.evaluate(script))


FOCUS = """() => {
  const at = document.activeElement;
  return at === document.body ? 'nowhere' : getComputedStyle(at).outlineStyle;
}"""
STOPS = """() => [...document.querySelectorAll('a[href], button:enabled, input, select, textarea, summary, [tabindex]')]
  .filter(one => one.tabIndex >= 0 && one.checkVisibility({ visibilityProperty: true })).length"""


def test_40_tab_leads_to_everything_and_the_focus_is_seen_there(open_page: Open) -> None:
    page = open_page("/")
    drops = positions(has_deed("drop"), among=[name for name in names() if variant(name).game.hands])
    for game in names():
        begin(page, game, position=str(drops.get(game, opening(game))))
        page.keyboard.press("Tab")
        seen = [page.evaluate(FOCUS)]
        while seen[-1] != "nowhere" and len(seen) < FAR:  # beyond the last it is out of the page, and only there
            page.keyboard.press("Tab")
            seen.append(page.evaluate(FOCUS))
        assert set(seen[:-1]) <= {"solid", "auto"}, (game, seen)
        assert len(seen) > page.evaluate(STOPS)


def focused(page: Page) -> str:
    """The square that the focus is on."""
    return str(page.evaluate("() => document.activeElement.dataset.cell"))


def test_40_every_key_that_is_listed_has_its_deed(open_page: Open) -> None:
    page, position = open_page("/"), opening(GAME)
    set_up(page, confirm=True)
    begin(page, GAME, position=str(position))
    keys, dialog = Keys(page), page.get_by_role("dialog", name="Keys")
    page.locator("body").press("?")
    listed = dialog.locator("kbd").all_inner_texts()
    assert listed == ["Tab", "Arrow keys", "Enter or Space", "Escape", "D", "U", "S", "F", "?"]
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    keys.walk_to(1, 1)
    for key, where in (("Right", "2,1"), ("Down", "2,2"), ("Left", "1,2"), ("Up", "1,1")):
        page.keyboard.press(f"Arrow{key}")
        assert focused(page) == where
    one, other = next(a.gesture.touches for a in position.actions() if len(a.gesture.touches) == 2)
    held, unsent = page.locator("[aria-selected=true]"), page.locator("[data-pending]")
    before = pieces(page)
    for take, put in (("Enter", "Space"), ("Space", "Enter")):
        keys.go_to(one)
        page.keyboard.press(take)
        expect(held).to_have_attribute("data-touch", one)
        page.keyboard.press("Escape")
        expect(held).to_have_count(0)
        page.keyboard.press(take)
        keys.go_to(other)
        page.keyboard.press(put)
        expect(unsent).to_be_visible()
        wait_until_idle(page)
        page.keyboard.press("u")
        expect(unsent).to_have_count(0)
        assert pieces(page) == before
    keys.touch(one)
    keys.touch(other)
    wait_until_idle(page)
    after = pieces(page)
    page.keyboard.press("s")
    expect(page.locator("[data-turns='1']")).to_have_count(1)
    page.locator("[data-rules]").focus()
    for key, board in (("Left", before), ("Right", after), ("Up", before), ("Down", after)):
        page.keyboard.press(f"Arrow{key}")
        page.wait_for_function(SHOWS, arg=board)
    corner = page.locator("[data-cell='0,0']")
    square = str(corner.get_attribute("data-touch"))
    page.keyboard.press("f")
    expect(corner).not_to_have_attribute("data-touch", square)
    page.keyboard.press("f")
    expect(corner).to_have_attribute("data-touch", square)


def stops_short(position: Position) -> tuple[str, ...] | None:
    """The touches of an action that others go on from."""
    ways = [action.gesture.touches for action in position.actions()]
    return next((way for way in ways if len(way) == 2 and any(o[:2] == way and len(o) > 2 for o in ways)), None)


def test_40_d_stops_where_the_piece_stands(open_page: Open) -> None:
    found = positions(lambda position: stops_short(position) is not None, 6)
    assert found
    for game, position in found.items():
        page, way = open_page("/"), stops_short(position) or ()
        begin(page, game, position=str(position))
        piece = pieces(page)[way[0]]
        for touch in way:
            Keys(page).touch(touch)
        expect(page.locator("[data-done]")).to_be_visible()
        page.keyboard.press("d")
        expect(page.locator(f"[role=gridcell]{name_of(way[1])}")).to_have_attribute("data-piece", piece)
        expect(page.locator("[data-done]")).to_have_count(0)


def test_40_keys_in_a_panel_do_nothing_to_the_match(open_page: Open) -> None:
    page = open_page("/")
    begin(page, GAME, position=str(opening(GAME)))
    set_up(page, confirm=True)
    page.reload()
    make_a_turn(page)
    page.locator("[data-send]").click()
    expect(page.locator("[data-turns='1']")).to_have_count(1)
    make_a_turn(page)
    page.locator("[data-rules]").click()
    inside = page.get_by_role("dialog").get_by_role("region")
    inside.focus()
    for key in ("ArrowUp", "ArrowLeft", "s", "u", "d", "f"):
        page.keyboard.press(key)
    page.keyboard.press("ArrowDown")
    page.wait_for_function("element => element.scrollTop > 0", arg=inside.element_handle())  # they scroll
    expect(page.locator("[data-pending]")).to_be_visible()
    expect(page.locator("[data-count='1']")).to_have_attribute("aria-current", "step")
    expect(page.locator("[data-turns='1']")).to_have_count(1)


def test_40_a_panel_that_covers_the_board_keeps_the_focus(open_page: Open) -> None:
    page = open_page("/", "M")
    begin(page, GAME)
    page.locator("[data-rules]").click()
    panel = page.get_by_role("dialog")
    expect(panel).to_be_visible()
    outside = "() => document.activeElement !== document.body && !document.activeElement.closest('dialog')"
    for _ in range(12):
        page.keyboard.press("Tab")
        assert not page.evaluate(outside)
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    expect(page.locator("[data-rules]")).to_be_focused()


def make_a_turn(page: Page) -> None:
    """Some turn, which waits for Send where the person has set it so."""
    page.locator("[role=gridcell].is-active").first.click()
    page.locator("[data-offered]").first.click()
    wait_until_idle(page)
    if page.locator("[data-done]").count():
        page.locator("[data-done]").click()


def test_40_a_button_that_goes_away_leaves_the_focus_on_the_board(open_page: Open) -> None:
    one, other = open_page("/"), open_page("/")
    set_up(one, confirm=True)
    pair(one, other, GAME)
    is_somewhere = "() => document.activeElement !== document.body"
    board = "() => !!document.activeElement.closest('[role=grid]')"
    for button in ("data-undo", "data-send"):
        make_a_turn(one)
        one.locator(f"[{button}]:enabled").focus()
        one.keyboard.press("Enter")
        expect(one.locator("[data-pending]")).to_have_count(0)
        one.wait_for_function(board)
    make_a_turn(other)
    wait_for_turn(one)
    one.locator("[data-resign]").focus()
    for words in ("Play on", "Resign"):
        one.keyboard.press("Enter")
        expect(one.locator("[data-resign]")).to_have_text(words)
        assert one.evaluate(is_somewhere)
    one.keyboard.press("Enter")
    one.locator("[data-resign-yes]").focus()
    one.keyboard.press("Enter")
    expect(one.locator("[data-result]")).to_be_visible()
    one.wait_for_function(board)


def test_41_the_board_stays_within_reach_of_tab_when_it_is_turned(open_page: Open) -> None:
    page = open_page("/")
    for game in names():
        begin(page, game, position=str(opening(game)))
        stop = page.locator("[role=gridcell][tabindex='0']")
        for corner in ("first", "last"):
            getattr(page.get_by_role("gridcell"), corner).focus()
            for _ in range(4):
                page.get_by_role("button", name="Turn", exact=True).click()
                expect(stop).to_have_count(1)


def test_41_a_step_what_is_left_and_why_it_cannot_be_sent_are_heard(open_page: Open) -> None:
    for game in (name for name in names() if counts_steps(name)):
        page, position = open_page("/"), opening(game)
        begin(page, game, position=str(position))
        left = int(page.locator("[data-steps-left]").get_attribute("data-steps-left") or 0)
        there = next(action for action in position.actions() if back(action))
        for touches in (there.gesture.touches, there.gesture.touches[::-1]):
            for touch in touches:
                page.locator(name_of(touch)).click()
            left -= 1
            heard = page.locator("[data-live]")
            expect(heard).to_contain_text(f"{touches[0]} to {touches[1]}. {left} steps left.")
        expect(heard).to_contain_text("It cannot be sent: ")
        page.keyboard.press("u")
        expect(heard).to_contain_text(f"Step taken back. {left + 1} steps left. Not sent yet.")


def back(action: Action) -> bool:
    """Whether the piece can go back where it came from."""
    return any(after.gesture.touches == action.gesture.touches[::-1] for after in action.after.actions())


def test_41_offers_and_leaving_are_heard(open_page: Open) -> None:
    game = next(name for name in names() if find(name).draws_by_agreement and not variant(name).game.long_turns)
    one, other = open_page("/"), open_page("/")
    pair(one, other, game)
    for page in (one, other):
        wait_for_turn(page)
        make_a_turn(page)
    wait_for_turn(one)
    first, second = find(game).players
    for button, words in (("Offer draw", "offers a draw"), ("Take back", "asks for the last turn back")):
        other.get_by_role("button", name=button).click()
        expect(one.locator("[data-live]")).to_contain_text(f"{second} {words}.")
        assert one.evaluate("document.documentElement.dataset.sound") == "offer"
        one.get_by_role("button", name="Decline").click()
        expect(one.get_by_role("button", name="Decline")).to_have_count(0)
    address = other.url
    other.goto("about:blank")
    expect(one.locator("[data-live]")).to_contain_text(f"{second} has left.")
    other.goto(address)
    expect(one.locator("[data-live]")).to_contain_text(f"{second} is back.")
    other.locator("[data-resign]").click()
    other.locator("[data-resign-yes]").click()
    one.get_by_role("button", name="Rematch").click()
    expect(other.locator("[data-live]")).to_contain_text(f"{first} would like another match.")


def test_41_the_board_is_one_tab_stop_with_named_cells(open_page: Open) -> None:
    page = open_page("/")
    for game in names():
        position = opening(game)
        begin(page, game, position=str(position))
        grid = page.get_by_role("grid")
        assert grid.locator("[role=gridcell][tabindex='0']").count() == 1
        assert grid.locator("[role=row]").count() == variant(game).game.board.ranks
        for square, piece in position.view.board.items():
            name = position.game.board.name(square)
            kind = position.game.kind[piece.letter].name
            label = grid.locator(name_of(name)).get_attribute("aria-label") or ""
            assert label.startswith(f"{name}, {position.game.players[piece.player]} {kind}"), label
        origin = next(action.gesture.touches[0] for action in position.actions())
        page.locator(name_of(origin)).click()
        expect(page.locator(name_of(origin))).to_have_attribute("aria-label", re.compile("selected"))
        expect(page.locator("[data-offered]").first).to_have_attribute("aria-label", re.compile("can|push"))


def test_41_turns_and_the_result_are_announced_once(open_page: Open) -> None:
    one, other = open_page("/"), open_page("/")
    pair(one, other, GAME)
    for page, opponent in ((one, other), (other, one)):
        wait_for_turn(page)
        origin = page.locator("[role=gridcell].is-active").first.get_attribute("data-touch") or ""
        page.locator(name_of(origin)).click()
        target = page.locator("[data-offered]").first.get_attribute("data-touch") or ""
        page.locator(name_of(target)).click()
        if page.locator("[data-done]").count():
            page.locator("[data-done]").click()
        expect(opponent.locator("[data-live]")).to_contain_text(f"{origin} to {target}")
        for listener in (one, other):
            assert said(listener).count(f"{origin} to {target}") == 1
    other.locator("[data-resign]").click()
    other.locator("[data-resign-yes]").click()
    for page in (one, other):
        expect(page.locator("[data-live]")).to_contain_text("wins")
        assert said(page).count("wins") == 1


SLEEP = """ms => {
  const now = performance.now.bind(performance);
  performance.now = () => now() + ms;
}"""
"""Let this page's time be later."""
CLOCKS = [
    {"type": "fischer", "seconds": 900, "added": 0},
    {"type": "delay", "seconds": 600, "delay": 15},  # whose free seconds are few from the first one on
    {"type": "reserve", "text": "2/30/100/0/0/8"},  # whose reserve is never used up in one turn
]


@pytest.mark.parametrize("clock", CLOCKS, ids=lambda clock: clock["type"])
def test_41_a_clock_is_told_at_60_30_and_10_seconds_once_each(open_page: Open, clock: Any) -> None:
    """The page's own time is set forward: what it shows in between is counted from the server's last word."""
    one, other = open_page("/"), open_page("/")
    pair(one, other, GAME, clock=clock)
    for page in (one, other):
        wait_for_turn(page)
        make_a_turn(page)
    wait_for_turn(one)
    expect(other.locator("[data-turns='2']")).to_have_count(1)
    mine = one.locator("[data-clock='0']")
    expect(mine).not_to_have_class(re.compile("is-low"))
    for seconds in (60, 30, 10):
        for page in (one, other):
            left = int(page.locator("[data-clock='0']").get_attribute("data-flag") or 0)
            page.evaluate(SLEEP, left - seconds * 1000 + 100)
        expect(one.locator("[data-live]")).to_contain_text(f"{seconds} seconds left.")
    for seconds in (60, 30, 10):
        assert said(one).count(f"{seconds} seconds left.") == 1
    assert "seconds left" not in said(other)  # it is not their time
    expect(mine).to_have_class(re.compile("is-low"))
    assert one.evaluate("document.documentElement.dataset.sound") == "low"


@pytest.mark.parametrize("game", names())
def test_42_typed_turns_are_played(open_page: Open, game: str) -> None:
    """At the beginning and later on, whatever they do, in people's form and in machine form."""
    page, chance = open_page("/"), random.Random(game)
    for position in [opening(game), *list(islice(walk(game, 6), 40))[5::12]]:
        turn = chance.choice(position.turns())
        for text in {str(turn), turn.code}:
            begin(page, game, position=str(position))
            field = page.get_by_label("Type a turn")
            field.fill(text)
            field.press("Enter")
            expect(page.locator("[data-turns='1']")).to_have_count(1)
            board, pieces_after = position.game.board, turn.after.view.board.items()
            assert pieces(page) == {board.name(at): f"{piece.player}{piece.letter}" for at, piece in pieces_after}
            expect(field).to_have_value("")


@pytest.mark.parametrize("game", names())
def test_42_a_mistyped_turn_changes_nothing_and_offers_what_may_be_meant(open_page: Open, game: str) -> None:
    page, text = open_page("/"), str(opening(game).turns()[0])
    begin(page, game, position=str(opening(game)))
    before, field = pieces(page), page.get_by_label("Type a turn")
    for wrong in ("nonsense", f"{text}{text[-1]}"):
        field.fill(wrong)
        field.press("Enter")
        expect(page.locator("[data-words]")).to_be_visible()
        expect(page.locator("[data-live]")).to_contain_text(page.locator("[data-words]").inner_text())
        expect(field).to_have_value(wrong)
        assert pieces(page) == before
    near = page.locator("[data-notice] .near")
    expect(near.first).to_be_visible()
    assert text in near.all_inner_texts()
    near.get_by_text(text, exact=True).click()
    expect(page.locator("[data-turns='1']")).to_have_count(1)


def test_41_check_is_announced(open_page: Open) -> None:
    def checks(position: Position) -> list[Action]:
        actions = [action for action in position.actions() if len(action.gesture.touches) == 2]
        return [action for action in actions if action.after.check and action.after.player != position.player]

    found = positions(lambda position: bool(checks(position)) and len(position.actions()) > 1, 10)
    assert found
    for game, position in found.items():
        page = open_page("/")
        begin(page, game, position=str(position))
        for touch in checks(position)[0].gesture.touches:
            page.locator(name_of(touch)).first.click()
        if page.locator("[data-done]").count():
            page.locator("[data-done]").click()
        expect(page.locator("[data-live]")).to_contain_text("Check.")
        assert said(page).count("Check.") == 1


AXE = (ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
RUN = """() => axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
  .filter(({ impact }) => ['serious', 'critical'].includes(impact))
  .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(node => node.html.slice(0, 160)).join(' | ')}`))"""


def faults(page: Page) -> list[str]:
    """What axe finds that is serious or critical."""
    page.wait_for_timeout(400)
    page.evaluate(AXE)
    return list(page.evaluate(RUN))


@pytest.mark.parametrize("theme", THEMES)
def test_43_axe_finds_nothing_serious(open_page: Open, theme: str, device: str) -> None:
    found: dict[str, list[str]] = {}
    page = open_page("/", device, bypass_csp=True)
    set_up(page, theme=theme, motion=False)
    for name in every_page(page, open_page("/")):
        found[name] = faults(page)
    assert not {where: what for where, what in found.items() if what}


def every_page(page: Page, other: Page) -> Iterator[str]:
    """Every page of the site one after the other, in every state that looks different, with its name."""
    address = "/".join(page.url.split("/")[:3])
    for path in PAGES:
        page.goto(address + path)
        page.wait_for_load_state("networkidle")
        yield path
    for game in names():
        begin(page, game, position=str(opening(game)))
        page.locator("[role=gridcell].is-active").first.click()
        yield game
    for button in ("Rules", "Keys"):
        page.get_by_role("button", name=button).click()
        expect(page.get_by_role("dialog")).to_be_visible()
        yield button
        page.keyboard.press("Escape")
    for owner in (page, other):
        wish = {"game": GAME, "is_private": True}
        seek = owner.request.post(f"{address}/api/seeks", data=wish).json()["id"]
        page.goto(f"{address}/join/{seek}")
        expect(page.locator("[data-invitation]")).to_be_visible()
        yield "invitation" if owner is other else "own invitation"
    seek = page.request.post(f"{address}/api/seeks", data={"game": GAME}).json()["id"]
    page.goto(f"{address}/lobby")
    expect(page.locator(f"[data-seek='{seek}']")).to_be_visible()
    yield "lobby with a seek"
    page.get_by_role("navigation").get_by_role("link", name="Settings").click()
    other.request.post(f"{address}/api/seeks/{seek}/accept", data={})
    expect(page.locator("[data-tidings]")).to_be_visible()
    yield "tidings"
    pair(page, other, GAME, clock={"type": "fischer", "seconds": 60, "added": 1})
    yield "people"
    make_a_turn(page)
    if page.locator("[data-send]").count():
        page.locator("[data-send]").click()
    wait_for_turn(other)
    make_a_turn(other)
    page.get_by_role("button", name="Resign").click()
    yield "resigning"
    page.get_by_role("button", name="Yes, resign").click()
    page.get_by_role("button", name="Share").click()
    yield "over"
    page.goto(f"{address}/people/me")
    expect(page.get_by_role("link", name=find(GAME).title).first).to_be_visible()
    yield "profile"
    name = f"Clara{random.randrange(10**9)}"
    page.request.post(f"{address}/api/register", data={"name": name, "password": "correct horse"})
    page.goto(f"{address}/settings")
    page.get_by_label("What it is for").fill("my laptop")
    page.get_by_role("button", name="Make a token").click()
    expect(page.locator("[data-token]")).to_have_count(1)
    yield "tokens"


def luminance(colour: str) -> float:
    """How bright a colour is, as WCAG counts."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """How far apart two colours are."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


LAYERS = [[], ["held"], ["last"], ["unsent"], ["check"], ["last", "held"], ["last", "check"], ["unsent", "check"]]
"""What lies on squares, one over another."""

SQUARES = """layers => {
  const style = getComputedStyle(document.documentElement);
  const paint = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const hex = () => '#' + [...paint.getImageData(0, 0, 1, 1).data].slice(0, 3)
    .map(part => part.toString(16).padStart(2, '0')).join('');
  const over = (fill, names) => {
    for (const colour of [fill, ...names.map(name => style.getPropertyValue(`--${name}`))]) {
      paint.fillStyle = colour;
      paint.fillRect(0, 0, 1, 1);
    }
    return hex();
  };
  const squares = [...document.querySelectorAll('[data-board] rect.square')];
  const fills = new Set(squares.map(square => getComputedStyle(square).fill));
  return [...fills].flatMap(fill => layers.map(names => [over(fill, names), names.join()]));
}"""


@pytest.mark.parametrize("theme", THEMES)
def test_43_pieces_stand_out_from_every_square(open_page: Open, theme: str) -> None:
    page = open_page("/")
    set_up(page, theme=theme)
    faint = []
    for game in names():
        begin(page, game)
        for square, layers in page.evaluate(SQUARES, LAYERS):
            for colours in find(game).colours:
                # A token is seen by its body or by the line around it.
                if max(contrast(square, colours.token), contrast(square, colours.ink)) < 3:
                    faint.append((game, square, layers, colours))
    assert not faint


@pytest.mark.parametrize("theme", THEMES)
def test_43_the_last_turn_is_marked_by_an_edge_that_stands_out(open_page: Open, theme: str) -> None:
    page = open_page("/")
    set_up(page, theme=theme)
    for game in names():
        begin(page, game, position=str(opening(game)))
        edge = page.evaluate(SQUARES, [["last-edge"]])[0][0]
        for square, _ in page.evaluate(SQUARES, [[], ["last"]]):
            assert contrast(square, edge) >= 3, (game, square, edge)


OUTLINES = """async () => {
  const isFilled = shape => shape.getAttribute('fill') !== 'none';
  const shape = root => [...root.querySelectorAll('circle, rect')].find(isFilled)?.tagName;
  const found = {};
  for (const token of document.querySelectorAll('[data-board] .token')) {
    const image = token.querySelector('image');
    const source = image && await (await fetch(image.getAttribute('href'))).text();
    const root = source ? new DOMParser().parseFromString(source, 'image/svg+xml').documentElement : token;
    const [x, y] = token.style.transform.match(/[-\\d.]+/g).map(Number);
    const squares = [...document.querySelectorAll('[data-board] rect.square')];
    const at = squares.findIndex(one => one.getAttribute('x') == x && one.getAttribute('y') == y);
    const side = document.querySelectorAll('[role=gridcell]')[at].dataset.piece[0];
    (found[side] ??= new Set()).add(shape(root));
  }
  return Object.fromEntries(Object.entries(found).map(([side, shapes]) => [side, [...shapes]]));
}"""
"""The outline of every token that stands on the board, by the side that the square's name tells."""


@pytest.mark.parametrize("kind", ["art", "letters"])
def test_43_sides_differ_without_colour(open_page: Open, kind: str) -> None:
    page = open_page("/")
    set_up(page, pieces=kind)
    for game in names():
        begin(page, game, position=str(opening(game)))
        expect(page.locator("[data-board] .token").first).to_be_visible()
        assert page.evaluate(OUTLINES) == {"0": ["circle"], "1": ["rect"]}, game


@pytest.mark.parametrize("sight", ["achromatopsia", "deuteranopia"])
def test_43_sides_differ_for_those_who_see_no_or_other_colours(open_page: Open, sight: str) -> None:
    """The same animal of both sides differs at least as much as by a line around it; two of one side hardly do."""
    page = open_page("/", bypass_csp=True)
    set_up(page, motion=False)
    page.context.new_cdp_session(page).send("Emulation.setEmulatedVisionDeficiency", {"type": sight})
    for game in names():
        begin(page, game, position=str(opening(game)))
        page.mouse.move(1, 1)
        board = pieces(page)
        for letter in sorted({piece[1:] for piece in board.values()}):
            sides = [[square for square in board if board[square] == side + letter] for side in "01"]
            mine, theirs = ([page.locator(f"[role=gridcell]{name_of(square)}") for square in side] for side in sides)
            if not mine or not theirs:
                continue
            apart = page.evaluate(PIXELS, [picture(mine[0]), picture(theirs[0])])
            assert apart >= line_around(mine[0]), (game, letter)
            alike = page.evaluate(PIXELS, [picture(mine[0]), picture(mine[-1])])
            assert alike < line_around(mine[0]) / 2, (game, letter)


FULL = {"type": "reserve", "text": "2/30/100/0/0/8"}
"""A clock with a time, free time and a limit on each side."""


def test_44_everything_is_within_reach_on_a_phone(open_page: Open) -> None:
    page = open_page("/", "M")
    for game in names():
        begin(page, game, clock=FULL, position=str(opening(game)))
        for needed in ("[data-clock='0']", "[data-clock='1']", "[data-send]", "[data-rules]"):
            expect(page.locator(needed)).to_be_in_viewport(ratio=1)
        board = page.locator("[data-board]").bounding_box()
        assert board and board["y"] >= 0 and board["y"] + board["height"] <= 844
        if variant(game).game.board.files <= 8:
            cell = page.locator("[role=gridcell]").first.bounding_box()
            assert cell and min(cell["width"], cell["height"]) >= 44
        assert_touchable(page)
        one, other = next(a.gesture.touches for a in opening(game).actions() if len(a.gesture.touches) == 2)
        for touch in (one, other):
            page.locator(name_of(touch)).click()
        wait_until_idle(page)
        for needed in ("[data-clock='0']", "[data-clock='1']", "[data-send]", "[data-undo], [data-done]"):
            expect(page.locator(needed).first).to_be_in_viewport(ratio=1)
        assert_touchable(page)
        if variant(game).game.setups:
            begin(page, game, clock=FULL)
            for needed in ("[data-clock='0']", "[data-clock='1']", "[data-ready]", "[data-rules]"):
                expect(page.locator(needed)).to_be_in_viewport(ratio=1)
            assert_touchable(page)


NARROW = {"320 pixels": {"width": 320, "height": 640}, "200 %": {"width": 683, "height": 384}}


def assert_narrow(page: Page) -> None:
    """Nothing lies beside the screen."""
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.parametrize("size", NARROW)
def test_44_every_page_fits_a_narrow_screen(open_page: Open, size: str) -> None:
    page = open_page("/", viewport=NARROW[size])
    for _ in every_page(page, open_page("/")):
        assert_narrow(page)


@pytest.mark.parametrize("size", NARROW)
@pytest.mark.parametrize("game", names())
def test_44_everything_can_be_done_on_a_narrow_screen(open_page: Open, game: str, size: str) -> None:
    page = open_page("/", viewport=NARROW[size])
    start = opening(game)
    begin(page, game, position=str(start), clock=FULL)
    for side in page.locator("[data-player]").all():
        side.scroll_into_view_if_needed()
        expect(side.locator("[data-clock]")).to_be_in_viewport(ratio=1)
        assert side.locator(".name").evaluate("name => name.clientWidth") >= 60
    page.locator("[data-rules]").click()
    panel = page.get_by_role("dialog")
    expect(panel.locator(".text").first).to_be_visible()
    for chapter in panel.locator("summary").all()[1:]:
        chapter.click()
    panel.locator(".text").last.scroll_into_view_if_needed()
    expect(panel.locator(".text").last).to_be_in_viewport()
    assert panel.get_by_role("region").evaluate("inside => inside.scrollWidth - inside.clientWidth") <= 0
    panel.get_by_role("button", name="Close").click()
    expect(panel).to_have_count(0)
    field, turn = page.get_by_label("Type a turn"), start.turns()[0]
    field.fill(str(turn))
    field.press("Enter")
    expect(page.locator("[data-turns='1']")).to_have_count(1)
    make_a_turn(page)
    if page.locator("[data-send]").count():
        page.locator("[data-send]").click()
    expect(page.locator("[data-turns='2']")).to_have_count(1)
    assert_narrow(page)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes, resign").click()
    expect(page.locator("[data-result] h2")).to_be_visible()
    page.get_by_role("button", name="Share").click()
    expect(page.locator("[data-copy]")).to_be_visible()
    assert_narrow(page)


def assert_touchable(page: Page) -> None:
    """Every button is large enough for a finger."""
    small = page.locator("button:visible, a.button:visible").evaluate_all(
        "all => all.map(e => [e.innerText || e.ariaLabel, e.getBoundingClientRect()])"
        ".filter(([, box]) => box.height < 43.5 || box.width < 43.5).map(([name]) => name)"
    )
    assert not small


NAMELESS = """() => [...document.querySelectorAll('button, a, summary, [role=button]')]
  .filter(one => one.checkVisibility({ visibilityProperty: true }) && one.ariaHidden !== 'true')
  .filter(one => !one.innerText.trim() && !(one.ariaLabel?.trim() && one.title.trim()))
  .map(one => one.outerHTML)"""
"""What can be pressed, and neither says what it does nor has both a name and a tooltip."""


def test_45_everything_that_can_be_pressed_has_a_name_on_every_page(open_page: Open, device: str) -> None:
    page = open_page("/", device)
    for name in every_page(page, open_page("/")):
        assert page.evaluate(NAMELESS) == [], name


def test_45_resign_asks_once(open_page: Open) -> None:
    one, other = open_page("/"), open_page("/")
    pair(one, other, GAME)
    for seat in (one, other):
        wait_for_turn(seat)
        make_a_turn(seat)
    resign = one.get_by_role("button", name="Resign")
    resign.click()
    one.get_by_role("button", name="Play on").click()
    expect(table(one)).to_have_attribute("data-status", "playing")
    resign.click()
    one.get_by_role("button", name="Yes, resign").click()
    expect(one.locator("[data-result]")).to_be_visible()


def test_46_flooding_gets_a_polite_word_and_disturbs_nobody(open_page: Open, tmp_path: Any) -> None:
    with Site(f"sqlite:///{tmp_path / 'limited.db'}", limited=True) as own:
        one, other = open_page("/"), open_page("/")
        for page in (one, other):
            page.goto(own.address)
        pair(one, other, GAME)
        fault = one.locator("[data-chat-fault]")
        for number in range(40):
            one.get_by_label("Say something").fill(f"line {number}")
            one.get_by_role("button", name="Say").click()
            if fault.count():
                break
        expect(fault).to_contain_text("too many")
        other.get_by_label("Say something").fill("I can still speak")
        other.get_by_role("button", name="Say").click()
        expect(one.locator("main")).to_contain_text("I can still speak")
        field = one.get_by_label("Say something")
        field.fill("x" * (MOST_SAID + 100))
        assert len(field.input_value()) == MOST_SAID, "no more can be typed than the server takes"
        match = match_id(one)
        for page in (one, other):
            page.goto(own.address)
        seek = {"game": GAME, "is_private": True}
        answers = [one.request.post(f"{own.address}/api/seeks", data=seek).status for _ in range(60)]
        assert answers[0] == 200 and answers[-1] == 429
        one.locator("[data-invite]").first.click()
        expect(one.get_by_role("alert")).to_contain_text("too many new matches and seeks: wait")
        other.locator("[data-invite]").first.click()
        expect(other.locator("[data-invitation]")).to_be_visible()
        sit(one, match)
        make_a_turn(one)
        expect(one.locator("[data-turns='1']")).to_have_count(1)


def test_48_without_scripts_the_page_explains_and_shows_rules(open_page: Open, visitor: Visitor) -> None:
    page = open_page("/", java_script_enabled=False)
    expect(page.locator("main")).to_contain_text("JavaScript")
    for game in visitor.get("/api/games"):
        page.goto(page.url.split("/rules")[0].rstrip("/") + f"/rules/{game['name']}")
        expect(page.locator("main h1").last).to_have_text(game["title"])
        section = visitor.get(f"/api/games/{game['name']}/rules")["sections"][:1]
        for chapter in section:
            expect(page.locator("main")).to_contain_text(chapter["title"])
