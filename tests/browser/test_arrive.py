"""Arrive and start: from a cold page to a live board, without an account."""

import gzip
import os
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

from browser.browsers import ROOT, Open
from browser.hands import table
from browser.tables import pieces
from clients import Visitor
from haste import fastest
from playwright.sync_api import Page, expect
from servers import Site, free_port

from menagerie.games import find, names

COVERED = """cells => cells.filter(cell => {
  const box = cell.getBoundingClientRect();
  return !cell.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
}).length"""


def test_1_cold_load_shows_heading_and_all_cards_soon_from_this_host_alone(open_page: Open, site: Site) -> None:
    asked: list[str] = []

    def arrive() -> float:
        page = open_page(None)  # nothing is known of the site yet
        page.on("request", lambda request: asked.append(request.url))
        begun = time.monotonic()
        page.goto(site.address)
        expect(page.locator("h1")).to_be_visible()
        expect(page.locator("[data-game]")).to_have_count(len(names()))
        expect(page.locator("[data-game] [data-play]").nth(4)).to_be_in_viewport()  # five without scrolling
        return time.monotonic() - begun

    assert fastest(arrive, 1.5) <= 1.5
    assert all(url.startswith(site.address) for url in asked), asked
    scripts = (ROOT / "web" / "dist").rglob("*.js")
    assert sum(len(gzip.compress(script.read_bytes())) for script in scripts) <= 150_000


def test_2_play_the_computer_starts_a_playable_game_with_one_click(open_page: Open, device: str) -> None:
    """Until it is one's turn, also where the computer begins; a busy machine has a few tries."""
    page = open_page("/", device)

    def play(game: str) -> float:
        begun = time.monotonic()
        page.locator(f"[data-game={game}] [data-play]").click()
        playable = "[data-table][data-status=playing][data-my-turn=true] [role=gridcell].is-active"
        expect(page.locator(playable).first).to_be_visible()
        spent = time.monotonic() - begun
        assert page.locator("form:not([data-typed]), dialog").count() == 0
        page.go_back()
        return spent

    for game in names():
        assert fastest(partial(play, game), 3) <= 3


def test_3_nothing_covers_the_board_before_the_first_move(open_page: Open, device: str) -> None:
    page = open_page("/", device)
    page.locator("[data-game] [data-play]").first.click()
    page.wait_for_selector("[data-board]")
    page.locator("[data-board]").scroll_into_view_if_needed()
    assert page.locator("[role=gridcell]").evaluate_all(COVERED) == 0


def test_4_each_card_shows_board_goal_length_and_difficulty(open_page: Open, visitor: Visitor) -> None:
    page = open_page("/")
    for game in visitor.get("/api/games"):
        card = page.locator(f"[data-game={game['name']}]")
        card.scroll_into_view_if_needed()
        for text in (game["title"], game["goal"], f"{game['minutes']} minutes", game["difficulty"]):
            expect(card).to_contain_text(text)
        picture = card.locator("img")
        page.wait_for_function("image => image.complete && image.naturalWidth > 0", arg=picture.element_handle())


def test_5_one_click_invites_a_friend_by_a_link_and_both_boards_are_live(open_page: Open) -> None:
    def meet() -> float:
        one, other = open_page("/"), open_page("/")
        title = one.locator("[data-game] h2").first.inner_text()
        one.locator("[data-invite]").first.click()
        address = one.locator("[data-invitation] [data-copy]").input_value()
        one.get_by_role("button", name="Copy").click()
        expect(one.get_by_role("button", name="Copied")).to_be_visible()
        one.reload()  # it stands as long as it is not withdrawn
        expect(one.locator("[data-invitation] [data-copy]")).to_have_value(address)
        other.goto(address)
        for text in (title, "Side", "Time", "no clock"):
            expect(other.locator("main")).to_contain_text(text)
        assert other.get_by_role("button", name="Accept").count() == 1
        begun = time.monotonic()
        other.get_by_role("button", name="Accept").click()
        for page in (one, other):
            expect(table(page)).to_have_attribute("data-status", "playing")
        spent = time.monotonic() - begun
        assert one.url == other.url
        assert pieces(one) == pieces(other) or one.locator("[data-ready]").count()
        one.go_back()
        expect(one.locator("[data-game]")).to_have_count(len(names()))  # an invitation is no place to come back to
        return spent

    assert fastest(meet, 2) <= 2


def test_5_both_sides_see_side_time_and_unusual_rules_before_they_accept(open_page: Open) -> None:
    game = next(name for name in names() if find(name).options.names())
    option = find(game).options.names()[0]
    usual, other_value = find(game).options.values(option)[:2]
    one, other = open_page(f"/new/{game}?with=anyone"), open_page("/lobby")
    one.get_by_label(f"{find(game).players[0]} (first)").check()
    one.get_by_label("Time", exact=True).select_option("another…")
    one.get_by_label("How time is counted").select_option("byoyomi")
    one.get_by_label("Minutes for the match").fill("7.5")
    one.get_by_text("Rules", exact=True).click()
    one.locator(f"#{option}").select_option(other_value)
    one.locator("[data-begin]").click()
    for page, side in ((one, 0), (other, 1)):
        seek = page.locator("[data-seek]")
        expect(seek).to_contain_text(f"You play {find(game).players[side]}")
        expect(seek).to_contain_text("7 minutes 30 seconds")
        expect(seek.locator("[data-unusual]")).to_contain_text(f": {other_value} (not the usual rule)")
        assert f": {usual} " not in seek.locator("[data-unusual]").inner_text()
    other.get_by_role("button", name="Accept").click()
    for page in (one, other):
        expect(table(page)).to_have_attribute("data-status", "playing")


def test_5_rules_are_chosen_all_at_once_by_their_names_and_seen_at_the_board(open_page: Open) -> None:
    for game in (name for name in names() if find(name).rule_sets):
        page = open_page(f"/new/{game}?with=same_screen")
        for name, options in find(game).rule_sets.items():
            page.get_by_text("Rules", exact=True).click()
            page.get_by_label(name, exact=True).check()
            for option, value in options.items():
                expect(page.locator(f"#{option}")).to_have_value(value)
            page.locator("[data-begin]").click()
            for value in options.values():
                expect(page.locator("[data-unusual]").first).to_contain_text(f": {value} (not the usual rule)")
            page.go_back()


def test_6_an_empty_lobby_says_so_and_offers_the_computer_and_an_invitation(open_page: Open) -> None:
    page = open_page("/lobby")
    expect(page.locator("[data-empty]")).to_be_visible()
    for name in ("Play the computer", "Invite a friend"):
        assert page.get_by_role("link", name=name).count() == len(names())


def moved(page: Page) -> str:
    """Where a page stands: its address and who sits below."""
    return f"{page.url} {page.locator('[data-player]').last.get_attribute('aria-label')}"


def test_7_back_returns_to_where_one_was_and_reload_to_the_same_seat(open_page: Open) -> None:
    page = open_page("/lobby")
    page.goto(page.url.replace("/lobby", "/"))
    page.locator("[data-game] [data-play]").first.click()
    page.wait_for_selector("[data-table]")
    expect(page.locator("[data-player]").last).to_contain_text("you")
    before = moved(page)
    page.reload()
    expect(page.locator("[data-player]").last).to_contain_text("you")
    assert moved(page) == before
    page.go_back()
    expect(page.locator("h1")).to_be_visible()
    assert page.url.endswith("/")


def test_an_address_that_cannot_be_read_is_a_missing_page(open_page: Open) -> None:
    for path in ("/match/%E0%A4%A", "/rules/%", "/people/%ff"):
        page = open_page(path)
        expect(page.locator("h1")).to_have_text("There is no such page")


SLOW_SITE = """
import http.server, pathlib, threading, time
begun, opened = time.monotonic(), pathlib.Path({opened!r})
class Site(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        is_ready = time.monotonic() > begun + 3
        if is_ready:
            opened.with_name("ready").touch()
        self.send_response(200 if is_ready else 503)
        self.end_headers()
server = http.server.HTTPServer(("127.0.0.1", {port}), Site)
threading.Thread(target=server.serve_forever, daemon=True).start()
while not opened.exists() and time.monotonic() < begun + 60:
    time.sleep(0.1)
"""
"""A site that answers only after a while, and ends when somebody has opened it."""


def test_make_run_opens_a_browser_once_the_site_answers(tmp_path: Path) -> None:
    port, opened = free_port(), tmp_path / "opened"
    programs = {
        "menagerie": f"exec {sys.executable} {tmp_path / 'site.py'}",
        "python": f'exec {sys.executable} "$@"',
        "browser": f"test -e {tmp_path / 'ready'} && echo $1 > {opened}",
    }
    (tmp_path / "site.py").write_text(SLOW_SITE.format(opened=str(opened), port=port), encoding="utf-8")
    for name, script in programs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    known = ["-o", ".venv/ready", "-o", "web/dist/index.html"]
    given = [f"BIN={tmp_path}", f"SITE=http://127.0.0.1:{port}"]
    environment = os.environ | {"DISPLAY": ":0", "BROWSER": f"{tmp_path / 'browser'} %s"}
    subprocess.run(["make", "--silent", *known, "run", *given], cwd=ROOT, env=environment, check=True, timeout=100)
    assert opened.read_text(encoding="utf-8").strip() == f"http://127.0.0.1:{port}/"
