"""After the game: the result, sharing, replaying, keeping what one has, records out and in."""

import random

import pytest
from browser.browsers import Open
from browser.hands import Clicks, count, match_id, play_turn, table, wait_for_turn
from browser.positions import variant
from browser.tables import begin, pair, pieces, set_up
from clients import Visitor
from playwright.sync_api import Page, expect
from servers import Site

from menagerie.games import names

GAME = next(name for name in names() if not variant(name).game.long_turns)


def resign(page: Page) -> None:
    """Give up; it asks once."""
    page.locator("[data-resign]").click()
    page.locator("[data-resign-yes]").click()


def finished(one: Page, other: Page, game: str, turns: int = 4) -> str:
    """A match between two people that is over, or that one of them has given up after some turns."""
    match = pair(one, other, game)
    chance = random.Random(2)
    for number in range(turns):
        page = (one, other)[number % 2]
        if wait_for_turn(page):
            play_turn(Clicks(page), chance)
    if wait_for_turn(one):
        resign(one)
    expect(table(other)).to_have_attribute("data-status", "over")
    return match


def test_32_the_result_in_words_then_exactly_four_ways_on(open_page: Open, visitor: Visitor) -> None:
    one, other = open_page("/"), open_page("/")
    match = finished(one, other, GAME)
    words = visitor.get(f"/api/matches/{match}")["state"]["outcome"]["words"]
    for page in (one, other):
        result = page.locator("[data-result]")
        expect(result.locator("h2")).to_have_text(f"{words}.")
        names_of_ways = [way.inner_text() for way in result.locator("button, a").all()]
        assert names_of_ways == ["Rematch", "New opponent", "Review", "Share"]
    one.get_by_role("button", name="Rematch").click()
    other.get_by_role("button", name="Rematch").click()
    for page in (one, other):
        page.wait_for_url(lambda url: match not in url)
        expect(table(page)).to_have_attribute("data-status", "playing")
    assert match_id(one) == match_id(other)


def test_34_share_gives_address_text_and_picture_and_anybody_can_replay(open_page: Open) -> None:
    one, other = open_page("/"), open_page("/")
    match = finished(one, other, GAME)
    one.get_by_role("button", name="Share").click()
    share = one.locator("[data-share]")
    address = share.locator("[data-copy]").input_value()
    assert address.endswith(f"/match/{match}")
    share.locator("summary").click()
    expect(share.locator("[data-record]")).to_contain_text("[Game ")
    picture = share.locator("img")
    one.wait_for_function("image => image.complete && image.naturalWidth > 0", arg=picture.element_handle())
    for device in ("W", "M"):
        stranger = open_page("/", device)
        stranger.goto(address)
        stranger.wait_for_selector("[data-turns='4']")
        last = pieces(stranger)
        assert last == pieces(one)
        for _ in range(4):
            stranger.keyboard.press("ArrowLeft")
        assert pieces(stranger) != last
        for _ in range(4):
            stranger.keyboard.press("ArrowRight")
        assert pieces(stranger) == last
    box = stranger.locator("[data-board]").bounding_box()
    assert box
    session = stranger.context.new_cdp_session(stranger)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x + 100, "y": y}]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(stranger.locator("[data-count='3']")).to_have_attribute("aria-current", "step")


def test_35_a_guest_who_registers_keeps_matches_and_settings(open_page: Open, site: Site) -> None:
    page = open_page("/")
    set_up(page, pieces="letters")
    match = begin(page, GAME, against="machine", colour="first")
    wait_for_turn(page)
    name = f"Anna{random.Random(match).randrange(10**6)}"
    page.goto(f"{site.address}/settings")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill("correct horse")
    page.locator("[data-register]").click()
    page.get_by_role("navigation").get_by_role("link", name=name).click()
    expect(page.locator(f"a[href='/match/{match}']")).to_be_visible()
    page.goto(f"{site.address}/match/{match}")
    expect(table(page)).to_have_attribute("data-my-turn", "true")
    assert page.locator("svg image").count() == 0  # letters, as was set before


@pytest.mark.parametrize("game", names())
def test_39_a_record_goes_out_and_comes_in_the_same(open_page: Open, site: Site, game: str) -> None:
    one, other = open_page("/"), open_page("/")
    match = finished(one, other, game, turns=8)
    text = one.request.get(f"{site.address}/api/matches/{match}/record").text()
    result, last, turns = one.locator("[data-result] h2").inner_text(), pieces(one), count(one)
    one.goto(f"{site.address}/import")
    one.get_by_label("Record").fill(text)
    one.get_by_role("button", name="Replay").click()
    expect(one.locator(f"[data-turns='{turns}']")).to_have_count(1)
    assert pieces(one) == last
    expect(one.locator("[data-result] h2")).to_have_text(result)
    one.goto(f"{site.address}/import")
    one.get_by_label("Record").fill(f"{text}\nnonsense")
    one.get_by_role("button", name="Replay").click()
    expect(one.get_by_role("alert")).to_be_visible()
