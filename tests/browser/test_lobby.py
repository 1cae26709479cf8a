"""The lobby, and what somebody hears of their matches while they do something else on the site."""

import random

from browser.browsers import Open
from browser.hands import Clicks, match_id, play_turn, table, wait_for_turn
from browser.positions import opening, variant
from browser.tables import begin, pair, said
from playwright.sync_api import Page, WebSocketRoute, expect
from servers import Site

from menagerie.games import find, names

GAME = next(name for name in names() if not variant(name).game.long_turns)
SLOW = {"type": "days", "days": 2}


def ask(page: Page, site: Site) -> None:
    """Ask in the lobby for an opponent, with the hands of a newcomer."""
    page.goto(f"{site.address}/new/{GAME}?with=anyone")
    page.locator("[data-begin]").click()
    expect(page.locator("[data-seek]").get_by_role("button", name="Withdraw")).to_be_visible()


def accept(page: Page) -> None:
    """Accept what somebody else asks for."""
    page.get_by_role("navigation").get_by_role("link", name="Lobby").click()
    page.get_by_role("button", name="Accept").first.click()
    page.wait_for_selector("[data-table]")


def tidings(page: Page) -> list[str]:
    """What a page tells of matches elsewhere."""
    return page.locator("[data-tidings] li span").all_inner_texts()


def test_whoever_waits_in_the_lobby_is_taken_to_the_match(open_page: Open, site: Site) -> None:
    one, other = open_page("/"), open_page("/")
    ask(one, site)
    accept(other)
    one.wait_for_url("**/match/*")
    assert match_id(one) == match_id(other)


def test_a_seek_accepted_while_one_plays_the_computer_is_told_and_disturbs_nothing(
    open_page: Open, site: Site, device: str
) -> None:
    one, other = open_page("/", device), open_page("/")
    ask(one, site)
    one.get_by_role("link", name="Menagerie").click()
    one.locator(f"[data-game={GAME}] [data-play]").click()
    wait_for_turn(one)
    own = match_id(one)
    field = one.get_by_label("Type a turn")
    field.fill("half a tu")
    accept(other)
    notice = one.locator("[data-tidings]")
    expect(notice).to_contain_text(f"{find(GAME).title} against")
    expect(notice).to_contain_text("has begun.")
    expect(field).to_be_focused()
    expect(field).to_have_value("half a tu")
    assert match_id(one) == own
    assert said(one).count(tidings(one)[0]) == 1
    assert one.locator("[data-board]").bounding_box() == board_without(one)
    notice.get_by_role("link", name="Go there").click()
    expect(table(one)).to_have_attribute("data-status", "playing")
    assert match_id(one) == match_id(other) != own
    expect(notice).to_have_count(0)


def board_without(page: Page) -> object:
    """Where the board is when nothing is told."""
    page.locator("[data-tidings]").evaluate("notice => (notice.hidden = true, notice.style.display = 'none')")
    box = page.locator("[data-board]").bounding_box()
    page.locator("[data-tidings]").evaluate("notice => (notice.hidden = false, notice.style.display = '')")
    return box


def test_a_turn_and_an_end_elsewhere_are_told_until_they_are_heeded(open_page: Open) -> None:
    one, other = open_page("/"), open_page("/")
    match = pair(one, other, GAME, clock=SLOW)
    for page in (one, other):
        wait_for_turn(page)
        play_turn(Clicks(page), random.Random(2))
    wait_for_turn(one)
    play_turn(Clicks(one), random.Random(3))
    one.get_by_role("navigation").get_by_role("link", name="Settings").click()
    wait_for_turn(other)
    play_turn(Clicks(other), random.Random(2))
    notice = one.locator("[data-tidings]")
    expect(notice).to_contain_text(f"It is your turn in {find(GAME).title} against")
    notice.get_by_role("button", name="Later").click()
    expect(notice).to_have_count(0)
    expect(one.locator("#main")).to_be_focused()
    other.locator("[data-resign]").click()
    other.locator("[data-resign-yes]").click()
    words = other.locator("[data-result] h2").inner_text()
    expect(notice).to_contain_text(words)
    assert len(tidings(one)) == 1
    assert said(one).count(words) == 1
    one.get_by_role("link", name="Go there").click()
    expect(one.locator("[data-result] h2")).to_have_text(words)
    assert match_id(one) == match
    expect(notice).to_have_count(0)


def test_a_match_that_begins_while_the_network_is_away_is_told_when_it_is_back(open_page: Open, site: Site) -> None:
    one, other = open_page("/"), open_page("/")
    ask(one, site)
    one.get_by_role("navigation").get_by_role("link", name="Settings").click()
    expect(one.locator("h1")).to_have_text("Settings")
    one.context.set_offline(True)
    accept(other)
    one.context.set_offline(False)
    expect(one.locator("[data-tidings]")).to_contain_text("has begun.")
    one.get_by_role("link", name="Go there").click()
    one.wait_for_url(f"**/match/{match_id(other)}")


def test_nothing_is_told_of_a_match_that_this_person_plays_against_the_computer(open_page: Open, site: Site) -> None:
    page = open_page("/settings")
    tab = page.context.new_page()
    tab.goto(site.address)
    match = begin(tab, GAME, against="machine", level=1, colour="first", position=str(opening(GAME)))
    play_turn(Clicks(tab), random.Random(7))
    wait_for_turn(tab)
    tab.locator("[data-resign]").click()
    tab.locator("[data-resign-yes]").click()
    expect(tab.locator("[data-result]")).to_be_visible()
    page.get_by_role("navigation").get_by_role("link", name="Lobby").click()
    expect(page.locator("h1")).to_have_text("Lobby")
    assert tidings(page) == []
    assert match not in page.url


def test_a_seek_is_withdrawn_and_vanishes_for_everybody(open_page: Open, site: Site) -> None:
    one, other = open_page("/"), open_page("/lobby")
    ask(one, site)
    seek = one.locator("[data-seek]", has_text="with you").get_attribute("data-seek")
    expect(other.locator(f"[data-seek='{seek}']")).to_have_count(1)
    one.locator(f"[data-seek='{seek}']").get_by_role("button", name="Withdraw").click()
    for page in (one, other):
        expect(page.locator(f"[data-seek='{seek}']")).to_have_count(0)
    other.goto(f"{site.address}/join/{seek}")
    expect(other.get_by_role("alert")).to_contain_text("does not stand any more")


def test_an_invitation_is_withdrawn_where_it_was_made(open_page: Open) -> None:
    one, other = open_page("/"), open_page("/")
    one.locator("[data-invite]").first.click()
    address = one.locator("[data-invitation] [data-copy]").input_value()
    other.goto(address)
    expect(other.locator("[data-accept]")).to_be_visible()
    one.get_by_role("button", name="Withdraw").click()
    expect(one.locator("[data-game]").first).to_be_visible()
    other.locator("[data-accept]").click()
    expect(other.get_by_role("alert")).to_contain_text("does not stand any more")
    assert other.url == address


def test_who_has_invited_too_many_is_told_where_to_withdraw_one(open_page: Open, site: Site) -> None:
    page = open_page("/")
    wish = {"game": GAME, "is_private": True}
    made = [page.request.post(f"{site.address}/api/seeks", data=wish).json()["id"] for _ in range(5)]
    page.locator("[data-invite]").first.click()
    expect(page.get_by_role("alert")).to_contain_text("withdraw one in the lobby")
    page.get_by_role("navigation").get_by_role("link", name="Lobby").click()
    own = page.locator("[data-own]")
    expect(own).to_have_count(5)
    oldest = page.locator(f"[data-own='{made[0]}']")
    expect(oldest.get_by_role("link")).to_have_attribute("href", f"/join/{made[0]}")
    oldest.get_by_role("button", name="Withdraw").click()
    expect(own).to_have_count(4)
    page.get_by_role("link", name="Menagerie").click()
    page.locator("[data-invite]").first.click()
    expect(page.locator("[data-invitation] [data-copy]")).to_be_visible()


def test_whoever_accepts_second_hears_that_somebody_was_faster(open_page: Open, site: Site) -> None:
    """Three see one seek; what the slowest hears of the lobby is held back, so that it still offers the seek."""
    one, fast = open_page("/"), open_page("/lobby")
    ask(one, site)
    slow = open_page(None)
    slow.route_web_socket("**/socket/lobby", hold_after_the_first)
    slow.goto(f"{site.address}/lobby")
    seek = one.locator("[data-seek]", has_text="with you").get_attribute("data-seek")
    places = [page.locator(f"[data-seek='{seek}']").get_by_role("button", name="Accept") for page in (fast, slow)]
    for place in places:
        expect(place).to_be_visible()
    for place in places:
        place.click()
        if place is places[0]:
            fast.wait_for_url("**/match/*")
    expect(slow.get_by_role("alert")).to_contain_text("somebody else was faster")
    assert slow.url.endswith("/lobby")
    one.wait_for_url(fast.url)


def hold_after_the_first(route: WebSocketRoute) -> None:
    """Let only the first telling of the seeks through."""
    server = route.connect_to_server()
    told: list[str | bytes] = []

    def tell(message: str | bytes) -> None:
        is_seeks = '"type":"lobby"' in str(message)
        if not (is_seeks and told):
            route.send(message)
        if is_seeks:
            told.append(message)

    server.on_message(tell)
