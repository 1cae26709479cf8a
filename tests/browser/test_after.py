"""After the game: the result, sharing, replaying, keeping what one has, records out and in."""

import random

import pytest
from browser.browsers import Open
from browser.hands import Clicks, count, match_id, play_turn, table, wait_for_turn
from browser.positions import opening, variant
from browser.tables import begin, pair, pieces, set_up, sit
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


def test_32_against_the_machine_the_four_ways_on_lead_to_another_level(open_page: Open) -> None:
    page = open_page("/")
    match = begin(page, GAME, against="machine", level=2, colour="first", position=str(opening(GAME)))
    play_turn(Clicks(page), random.Random(2))
    if wait_for_turn(page):
        resign(page)
    ways = page.locator("[data-result]").locator("button, a")
    expect(ways).to_have_text(["Rematch", "New level", "Review", "Share"])
    page.get_by_role("button", name="Review").click()
    expect(page.get_by_role("button", name="To the beginning")).to_be_disabled()
    page.get_by_role("button", name="Rematch").click()  # a machine always wants one
    page.wait_for_url(lambda url: "/match/" in url and match not in url)
    assert wait_for_turn(page)
    sit(page, match)
    page.get_by_role("link", name="New level").click()
    expect(page.get_by_label("The computer")).to_be_checked()
    page.get_by_label("Level 1 of").fill("3")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_selector("[data-table]")
    expect(page.locator("main")).to_contain_text("Computer, level 3")


def test_32_the_ways_on_lead_where_they_say(open_page: Open) -> None:
    one, other = open_page("/"), open_page("/")
    match = finished(one, other, GAME)
    for page in (one, other):
        page.get_by_role("button", name="Rematch").click()
    one.wait_for_url(lambda url: match not in url)
    again = one.url
    sit(one, match)
    one.get_by_role("button", name="Rematch").click()  # there is one already: on to it
    one.wait_for_url(again)
    sit(one, match)
    one.get_by_role("link", name="New opponent").click()
    expect(one.get_by_label("Whoever comes to the lobby")).to_be_checked()


def test_32_a_rematch_at_one_screen_keeps_clock_and_start(open_page: Open, visitor: Visitor) -> None:
    page, start = open_page("/"), str(opening(GAME).turns()[0].after)
    match = begin(page, GAME, clock={"type": "fischer", "seconds": 300, "added": 3}, position=start)
    for _ in range(2):
        play_turn(Clicks(page), random.Random(2))
    resign(page)
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_url(lambda url: match not in url)
    before, after = (visitor.get(f"/api/matches/{name}") for name in (match, match_id(page)))
    assert (after["clock"], after["start"]["text"]) == (before["clock"], before["start"]["text"])
    sit(page, match)
    page.get_by_role("link", name="New opponent").click()
    expect(page.get_by_label("Two people at this screen")).to_be_checked()


def test_34_a_record_that_is_not_finished_says_so_and_is_shared_as_text(open_page: Open, site: Site) -> None:
    page = open_page("/")
    match = begin(page, GAME)
    for _ in range(2):
        play_turn(Clicks(page), random.Random(2))
    text = page.request.get(f"{site.address}/api/matches/{match}/record").text()
    page.goto(f"{site.address}/import")
    page.get_by_label("Record").fill(text)
    page.get_by_role("button", name="Replay").click()
    expect(page.locator("[data-result] h2")).to_have_text("This record ends before the match does.")
    page.get_by_role("button", name="Share").click()
    share = page.locator("[data-share]")
    share.locator("summary").click()
    expect(share.locator("[data-record]")).to_have_text(text)
    assert share.locator("[data-copy]").count() == 0
    with page.expect_download() as saved:
        share.get_by_role("link", name="Download the record").click()
    assert saved.value.path().read_text(encoding="utf-8") == text


def test_an_imported_replay_comes_back_after_a_reload_and_on_the_way_back(open_page: Open, site: Site) -> None:
    page = open_page("/")
    match = begin(page, GAME)
    for _ in range(2):
        play_turn(Clicks(page), random.Random(2))
    text = page.request.get(f"{site.address}/api/matches/{match}/record").text()
    page.goto(site.address)
    page.get_by_role("link", name="Replay a record").click()
    field, replay = page.get_by_label("Record"), page.locator("[data-turns='2']")
    field.fill(text)
    page.get_by_role("button", name="Replay").click()
    expect(replay).to_have_count(1)
    shown = pieces(page)
    page.reload()
    expect(replay).to_have_count(1)
    page.get_by_role("navigation").get_by_role("link", name="Lobby").click()
    expect(page.locator("h1")).to_have_text("Lobby")
    page.go_back()
    expect(replay).to_have_count(1)
    assert pieces(page) == shown
    page.go_back()
    expect(field).to_be_visible()
    page.go_forward()
    expect(replay).to_have_count(1)
    page.get_by_role("navigation").get_by_role("link", name="Import").click()
    expect(field).to_be_visible()  # another one
    page.go_back()
    expect(replay).to_have_count(1)
    page.go_back()
    page.go_back()
    expect(page.locator("[data-game]").first).to_be_visible()


def test_the_sides_of_the_table_follow_the_view(open_page: Open) -> None:
    one, other = open_page("/"), open_page("/")
    pair(one, other, GAME)
    below = other.locator("[data-player]").last
    expect(below).to_have_attribute("data-player", "1")
    other.get_by_role("button", name="Flip").click()
    expect(below).to_have_attribute("data-player", "0")
    other.get_by_role("button", name="Flip").click()
    expect(below).to_have_attribute("data-player", "1")


def test_a_turn_taken_back_while_looking_back_leaves_the_board_at_the_present(open_page: Open) -> None:
    one, other = open_page("/"), open_page("/")
    pair(one, other, GAME)
    for page in (one, other):
        wait_for_turn(page)
        play_turn(Clicks(page), random.Random(2))
    expect(one.locator("[data-turns='2']")).to_have_count(1)
    one.locator("[data-count='1']").click()
    other.get_by_role("button", name="Take back").click()
    one.get_by_role("button", name="Accept").click()
    expect(one.locator("[data-turns='1']")).to_have_count(1)
    expect(one.locator("[data-count='1']")).to_have_attribute("aria-current", "step")
    wait_for_turn(other)
    play_turn(Clicks(other), random.Random(3))
    expect(one.locator("[data-count='2']")).to_have_attribute("aria-current", "step")
    expect(one.locator("[role=gridcell].is-active").first).to_be_visible()  # the first touch is not lost


def test_an_offer_never_comes_where_another_button_was(open_page: Open) -> None:
    one, other = open_page("/"), open_page("/")
    pair(one, other, GAME)
    for page in (one, other):
        wait_for_turn(page)
        play_turn(Clicks(page), random.Random(2))
    wait_for_turn(one)
    where = one.locator("[data-resign]").bounding_box()
    other.get_by_role("button", name="Take back").click()
    expect(one.get_by_role("button", name="Accept")).to_be_visible()
    assert one.locator("[data-resign]").bounding_box() == where
    one.locator("[data-resign]").dblclick()  # a finger that trembles
    expect(one.locator("[data-resign]")).to_have_text("Resign")
    expect(table(one)).to_have_attribute("data-status", "playing")


def test_nothing_is_taken_back_in_a_rated_match(open_page: Open, site: Site) -> None:
    one, other = open_page("/"), open_page("/")
    for page in (one, other):
        body = {"name": f"Rated{random.randrange(10**9)}", "password": "correct horse"}
        assert page.request.post(f"{site.address}/api/register", data=body).ok
    pair(one, other, GAME, is_rated=True, clock={"type": "fischer", "seconds": 300, "added": 3})
    for page in (one, other):
        wait_for_turn(page)
        play_turn(Clicks(page), random.Random(2))
    expect(one.locator("[data-resign]")).to_be_visible()
    assert one.get_by_role("button", name="Take back").count() == 0


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
    over = begin(page, GAME, against="machine", colour="first")
    play_turn(Clicks(page), random.Random(2))
    if wait_for_turn(page):
        resign(page)
    words = page.locator("[data-result] h2").inner_text().removesuffix(".")
    match = begin(page, GAME, against="machine", colour="first")
    wait_for_turn(page)
    name = f"Anna{random.Random(match).randrange(10**6)}"
    page.goto(f"{site.address}/settings")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill("correct horse")
    page.locator("[data-register]").click()
    page.get_by_role("navigation").get_by_role("link", name=name).click()
    expect(page.locator(f"a[href='/match/{match}']")).to_be_visible()
    expect(page.locator(f"a[href='/match/{over}']")).to_contain_text(words)
    expect(page.locator(f"a[href='/match/{over}']")).to_contain_text(name)
    expect(page.locator("section", has_text="Against the computer").get_by_role("row").last).to_contain_text(
        "provisional"
    )
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
