"""People: logging in and out, what a profile shows, what is set on a device, tokens for programs."""

import random
import re
from collections import Counter
from itertools import chain, pairwise

import httpx
import pytest
from browser.browsers import Open
from browser.hands import Clicks, play_turn, wait_for_turn
from browser.positions import opening, variant, walk
from browser.tables import begin, pair
from clients import Json, Visitor
from playwright.sync_api import Page, expect
from servers import Site

from menagerie.games import find, names
from menagerie.position import Position, Turn
from menagerie.server.bodies import NAME_RULE, PASSWORD_RULE

GAME = next(name for name in names() if not variant(name).game.long_turns)
PASSWORD = "correct horse"


def new_name() -> str:
    """A name that nobody has."""
    return f"Berta{random.randrange(10**9)}"


def fill_in(page: Page, name: str, password: str, button: str) -> None:
    """Fill in the form of the account."""
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name=button, exact=True).click()


def account(page: Page) -> str:
    """Register without a form; the name."""
    name, address = new_name(), "/".join(page.url.split("/")[:3])
    answer = page.request.post(f"{address}/api/register", data={"name": name, "password": PASSWORD})
    assert answer.ok, answer.text()
    return name


def test_somebody_logs_out_and_in_again(open_page: Open) -> None:
    page, name = open_page("/settings"), new_name()
    box = page.get_by_role("region", name="Account")
    person = page.get_by_role("navigation").get_by_role("link", name=name)
    fill_in(page, name, PASSWORD, "Register")
    expect(box.get_by_role("status")).to_have_text("You are registered.")
    expect(person).to_be_visible()
    box.get_by_role("button", name="Log out").click()
    expect(person).to_have_count(0)
    expect(box.get_by_role("button", name="Register")).to_be_visible()
    page.reload()
    expect(person).to_have_count(0)
    fill_in(page, name, "wrong horse", "Log in")
    expect(box.get_by_role("status")).to_contain_text("there is no account with this name and password")
    fill_in(page, name, PASSWORD, "Log in")
    expect(box.get_by_role("status")).to_have_text("Welcome back.")
    expect(person).to_be_visible()
    page.reload()
    expect(person).to_be_visible()


def test_a_name_that_is_taken_is_refused_in_words(open_page: Open) -> None:
    one, other = open_page("/settings"), open_page("/settings")
    fill_in(other, account(one), PASSWORD, "Register")
    expect(other.get_by_role("region", name="Account").get_by_role("status")).to_contain_text("is taken")


def test_the_rules_for_name_and_password_are_told_before_and_when_they_are_broken(open_page: Open) -> None:
    page = open_page("/settings")
    box = page.get_by_role("region", name="Account")
    for rule in (NAME_RULE, PASSWORD_RULE):
        expect(box).to_contain_text(rule[1:])
    fill_in(page, "José", PASSWORD, "Register")
    expect(box.get_by_role("status")).to_have_text(NAME_RULE)
    fill_in(page, new_name(), "short", "Register")
    expect(box.get_by_role("status")).to_have_text(PASSWORD_RULE)


def test_a_profile_shows_ratings_and_matches(open_page: Open, site: Site, visitor: Visitor) -> None:
    one, other = open_page("/"), open_page("/")
    winner, loser = account(one), account(other)
    match = pair(
        one, other, GAME, is_private=False, is_rated=True, clock={"type": "fischer", "seconds": 300, "added": 3}
    )
    for page in (one, other):
        wait_for_turn(page)
        play_turn(Clicks(page), random.Random(2))
    other.locator("[data-resign]").click()
    other.locator("[data-resign-yes]").click()
    words = other.locator("[data-result] h2").inner_text().removesuffix(".")
    reader = open_page(f"/people/{winner}")
    expect(reader.locator("h1")).to_have_text(winner)
    expect(reader.locator("main")).to_contain_text(f"{winner} has an account.")
    told: Json = visitor.get(f"/api/people/{winner}")["ratings"][GAME]
    row = reader.locator("section", has_text="Against people").get_by_role("row").last
    for text in (find(GAME).title, f"{told['rating']} ± {told['plus_minus']}, provisional"):
        expect(row).to_contain_text(text)
    expect(row.get_by_role("cell").last).to_have_text(str(told["games"]))
    assert reader.get_by_text("Against the computer").count() == 0
    link = reader.locator(f"a[href='/match/{match}']")
    for text in (find(GAME).title, f"{winner} – {loser}", words):
        expect(link).to_contain_text(text)
    link.click()
    expect(reader.locator("[data-result] h2")).to_have_text(f"{words}.")
    seat = reader.locator("[data-player]", has_text=winner)
    seat.get_by_role("link", name=winner).click()
    expect(reader.locator("h1")).to_have_text(winner)
    nobody = open_page("/people/Nobody12345")
    expect(nobody.get_by_role("alert")).to_contain_text("nobody here is called")
    assert site.address in nobody.url


def test_who_leads_is_told_for_each_game_or_that_nobody_does(open_page: Open, site: Site) -> None:
    page = open_page(f"/new/{GAME}")
    page.get_by_role("link", name="Leaders").click()
    expect(page.locator("h1")).to_have_text(f"Leaders at {find(GAME).title}")
    expect(page.locator("[data-empty]")).to_contain_text("Nobody leads yet")
    fact = {"plus_minus": 90, "games": 40, "is_provisional": False}
    told = [
        {"name": name, "kind": "account", "ratings": {GAME: {"rating": rating, **fact}}, "machine_ratings": {}}
        for name, rating in (("Anna", 1812), ("Berta", 1640))
    ]
    page.route("**/api/leaders/*", lambda route: route.fulfill(json=told))
    page.goto(f"{site.address}/lobby")
    page.get_by_role("link", name=f"Leaders at {find(GAME).title}").click()
    rows = page.locator("[data-leaders] tbody tr")
    expect(rows).to_have_text([re.compile("1.*Anna.*1812"), re.compile("2.*Berta.*1640")])
    expect(rows.first.get_by_role("link")).to_have_attribute("href", "/people/Anna")


def test_a_profile_shows_what_one_plays_oneself_and_older_matches_when_asked(open_page: Open, site: Site) -> None:
    page, body = open_page("/"), {"game": GAME, "against": "same_screen"}
    told = site.address + "/api/matches"
    matches = [page.request.post(told, data=body).json()["match"]]
    while not page.request.get(f"{told}?person=me").json()["before"]:
        matches.append(page.request.post(told, data=body).json()["match"])
    page.goto(f"{site.address}/people/me")
    rows = page.locator("main a[href^='/match/']")
    expect(rows.first).to_have_attribute("href", f"/match/{matches[-1]}")
    expect(rows.first).to_contain_text("Your turn")
    page.get_by_role("button", name="Older matches").click()
    expect(rows).to_have_count(len(matches))
    expect(rows.last).to_have_attribute("href", f"/match/{matches[0]}")
    expect(page.get_by_role("button", name="Older matches")).to_have_count(0)


def knows(site: Site, secret: str) -> str | None:
    """Who the site takes a program with this token for."""
    answer = httpx.get(f"{site.address}/api/me", headers={"Authorization": f"Bearer {secret}"})
    return str(answer.json()["person"]["name"]) if answer.status_code == 200 else None


def test_a_token_is_made_shown_once_and_revoked(open_page: Open, site: Site) -> None:
    page, name = open_page("/settings"), new_name()
    box = page.get_by_role("region", name="Programs")
    expect(page.get_by_role("region", name="Account")).to_be_visible()
    assert box.count() == 0  # guests have none
    fill_in(page, name, PASSWORD, "Register")
    expect(box).to_be_visible()
    tokens, status = box.locator("[data-token]"), box.get_by_role("status")
    secrets = []
    for number, label in enumerate(("my laptop", "the attic")):
        box.get_by_label("What it is for").fill(label)
        page.keyboard.press("Enter")
        expect(tokens).to_have_count(number + 1)
        expect(status).to_contain_text("it is not shown again")
        secrets.append(box.get_by_label(f"The token “{label}”").input_value())
        box.get_by_role("button", name="Copy").click()
        expect(box.get_by_role("button", name="Copied")).to_be_visible()
    assert [knows(site, secret) for secret in secrets] == [name, name]
    page.reload()
    expect(tokens).to_have_count(2)
    assert not any(secret in page.content() for secret in secrets)
    assert box.locator("[data-copy]").count() == 0
    box.get_by_role("button", name="Revoke my laptop").click()
    expect(tokens).to_have_count(1)
    expect(status).to_have_text("The token “my laptop” is revoked.")
    expect(box.get_by_role("heading", name="Programs")).to_be_focused()
    assert [knows(site, secret) for secret in secrets] == [None, name]
    page.get_by_role("button", name="Log out").click()
    expect(box).to_have_count(0)


def test_an_account_becomes_a_programs_unless_it_has_played(open_page: Open, site: Site) -> None:
    for has_played in (False, True):
        page = open_page("/")
        name = account(page)
        if has_played:
            begin(page, GAME, against="machine", level=1)
        page.goto(f"{site.address}/settings")
        box = page.get_by_role("region", name="Programs")
        box.get_by_label("What it is for").fill("a bot")
        box.get_by_label("This account is a program’s").check()
        box.get_by_role("button", name="Make a token").click()
        if has_played:
            expect(box.get_by_role("status")).to_contain_text("has played as a person")
            assert box.locator("[data-token]").count() == 0
        else:
            expect(box.locator("[data-token]")).to_have_count(1)
            expect(box.get_by_label("This account is a program’s")).to_have_count(0)
        page.goto(f"{site.address}/people/{name}")
        expect(page.locator("main")).to_contain_text("has an account" if has_played else "is a program")


PAPER = "() => getComputedStyle(document.body).backgroundColor"


def test_themes_are_chosen_and_stay(open_page: Open) -> None:
    page = open_page("/settings", color_scheme="light")
    papers = []
    for name, theme in (("Light", "light"), ("Dark", "dark"), ("High contrast", "contrast")):
        page.get_by_label(name, exact=True).check()
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        papers.append(page.evaluate(PAPER))
        page.reload()
        expect(page.get_by_label(name, exact=True)).to_be_checked()
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        assert page.evaluate(PAPER) == papers[-1]
    assert len(set(papers)) == 3
    page.get_by_label("As the device").check()
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        expect(page.locator("html")).to_have_attribute("data-theme", scheme)


def test_sounds_are_switched_off_and_on_where_one_plays(open_page: Open) -> None:
    page = open_page("/settings")
    switch, heard = page.get_by_label("Sounds"), "() => document.documentElement.dataset.sound"
    switch.uncheck()
    assert page.evaluate(heard) is None
    begin(page, GAME, position=str(opening(GAME)))
    page.get_by_role("button", name="Flip").click()  # browsers are silent until somebody has touched the page
    play_turn(Clicks(page), random.Random(2))
    assert page.evaluate(heard) is None
    page.get_by_role("button", name="Sound off").click()
    expect(page.get_by_role("button", name="Sound on")).to_have_attribute("aria-pressed", "true")
    play_turn(Clicks(page), random.Random(3))
    page.wait_for_function(heard)
    page.get_by_role("navigation").get_by_role("link", name="Settings").click()
    expect(switch).to_be_checked()


def standing(position: Position, player: int) -> Counter[str]:
    """The pieces of one side on the board, by their names."""
    letters = (piece.letter for piece in position.view.board.values() if piece.player == player)
    return Counter(position.game.kind[letter].name for letter in letters)


def losing(game: str) -> tuple[Position, Turn, list[Counter[str]]]:
    """A position and a turn by which pieces go and none becomes another, with what each side loses."""
    for before, after in chain.from_iterable(pairwise(walk(game, seed)) for seed in range(20)):
        lost = [standing(before, player) - standing(after, player) for player in range(2)]
        more = [standing(after, player) - standing(before, player) for player in range(2)]
        if any(lost) and not any(more):
            return before, next(turn for turn in before.turns() if turn.after.key == after.key), lost
    raise AssertionError("nothing is ever lost")


@pytest.mark.parametrize("game", [name for name in names() if not variant(name).game.hands])
def test_what_is_lost_is_shown_beside_whoever_has_lost_it(open_page: Open, game: str) -> None:
    page, (position, turn, lost) = open_page("/"), losing(game)
    begin(page, game, position=str(position))
    assert page.locator("[data-player] [role=img]").count() == 0
    field = page.get_by_label("Type a turn")
    field.fill(str(turn))
    field.press("Enter")
    expect(page.locator("[data-turns='1']")).to_have_count(1)
    for player, side in enumerate(find(game).players):
        told = page.locator(f"[data-player='{player}'] [role=img]")
        words = [f"{side} has lost {', '.join(f'{n} {kind}' for kind, n in lost[player].items())}"]
        assert told.evaluate_all("all => all.map(one => one.ariaLabel)") == (words if lost[player] else [])
        assert told.locator("svg").count() == len(lost[player])
