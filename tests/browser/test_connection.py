"""Clock and connection: the server's clock alone, forged messages, lost networks, killed servers, absent people."""

import json
import random
import re
import time
from functools import partial
from pathlib import Path

import pytest
from browser.browsers import Open
from browser.hands import Clicks, count, name_of, play_turn, table, wait_for_turn, wait_until_idle
from browser.lines import Network
from browser.positions import counts_steps, opening, variant
from browser.tables import pair, pieces, truth
from clients import Visitor
from haste import fastest
from playwright.sync_api import Page, expect
from servers import Site

from menagerie.games import names

GAME = next(name for name in names() if not variant(name).game.long_turns)
BLITZ = {"type": "fischer", "seconds": 300, "added": 3}
CHANCE = random.Random(3)


def clocks(page: Page) -> list[int]:
    """What a page's clocks show, in milliseconds, by player."""
    return [int(page.locator(f"[data-clock='{player}']").get_attribute("data-ms") or 0) for player in range(2)]


def test_25_both_clients_show_the_same_clocks(open_page: Open, site: Site) -> None:
    """Also the clock that runs: on a busy machine news may come late to one of them, but not after turn and turn."""
    most, best = 12, [1.0, 1.0]
    with Network(site.port, delay=0.1) as slow:
        one, other = open_page("/"), open_page("/")
        for page in (one, other):
            page.goto(slow.address)
        pair(one, other, GAME, clock=BLITZ)
        for turn in range(most):
            page, running = (one, other)[turn % 2], (turn + 1) % 2
            wait_for_turn(page)
            play_turn(Clicks(page), CHANCE)
            for watcher in (one, other):
                expect(watcher.locator(f"[data-turns='{turn + 1}']")).to_have_count(1)
            assert abs(clocks(one)[turn % 2] - clocks(other)[turn % 2]) <= 300
            if turn:
                best[running] = min(best[running], fastest(partial(apart, one, other, running), 0.3))
            if turn >= 3 and max(best) <= 0.3:
                break
        assert max(best) <= 0.3
        mine = one.locator("[data-player='0'] [data-lag]")
        expect(mine).to_have_text(re.compile(r"^lag of your connection [234]\d\d ms$"))
        assert one.locator("[data-player='1'] [data-lag]").count() == 0, "another's is not told"


def apart(one: Page, other: Page, player: int) -> float:
    """How far, in seconds, two pages' running clocks differ: in the moment at which each would be zero."""
    ends = [clocks(page)[player] + time.monotonic() * 1000 for page in (one, other)]
    return abs(ends[0] - ends[1]) / 1000


def test_25_a_clock_that_has_slept_is_right_again_after_a_reconnect(open_page: Open) -> None:
    one, other = open_page("/"), open_page("/")
    pair(one, other, GAME, clock=BLITZ)
    for page in (one, other):
        wait_for_turn(page)
        play_turn(Clicks(page), CHANCE)
    expect(other.locator("[data-turns='2']")).to_have_count(1)
    for _ in range(3):  # news that comes meanwhile sets the clock right at once
        other.evaluate("() => { const now = performance.now.bind(performance); performance.now = () => now() - 9000; }")
        other.wait_for_timeout(3000)
        if apart(one, other, 0) > 1:
            break
    assert apart(one, other, 0) > 1  # it has stood still
    other.context.set_offline(True)
    expect(other.locator("[data-reconnecting]")).to_be_visible()
    other.context.set_offline(False)
    expect(other.locator("[data-reconnecting]")).to_have_count(0)
    assert fastest(partial(apart, one, other, 0), 0.3) <= 0.3


FORGE = """([match, texts]) => new Promise(done => {
  const socket = new WebSocket(`ws://${location.host}/socket/match/${match}`);
  const heard = [];
  socket.onmessage = event => heard.push(JSON.parse(event.data));
  socket.onopen = () => texts.forEach(text => socket.send(text));
  socket.onclose = () => heard.push({type: 'closed'});
  const isAnswered = () => heard.some(message => ['refused', 'closed', 'ack'].includes(message.type));
  const end = () => { socket.close(); done(heard); };
  setTimeout(end, 15000);
  setInterval(() => isAnswered() && end(), 50);
})"""


def test_26_forged_messages_are_refused_and_both_boards_stay(open_page: Open, visitor: Visitor) -> None:
    one, other = open_page("/"), open_page("/")
    match = pair(one, other, GAME, clock=BLITZ)
    fact = visitor.get(f"/api/matches/{match}")
    action = opening(GAME).actions()[0].index
    turn = {
        "type": "turn",
        "id": "f",
        "ply": fact["position"]["ply"],
        "key": fact["position"]["key"],
        "actions": [action],
    }
    illegal = next(number for number in range(5000) if number not in opening(GAME).indices)
    forged = {
        "another's turn": (other, json.dumps(turn)),
        "clock": (one, json.dumps({**turn, "clock": 999_999})),
        "seat": (one, json.dumps({**turn, "seat": 1})),
        "ply": (one, json.dumps({**turn, "ply": turn["ply"] + 1})),
        "position": (one, json.dumps({**turn, "key": "0" * 16})),
        "illegal": (one, json.dumps({**turn, "actions": [illegal]})),
        "no JSON": (one, "{{{"),
        "oversized": (one, json.dumps({"type": "say", "id": "s", "text": "x" * 5000})),
    }
    before = pieces(one)
    for what, (page, text) in forged.items():
        heard = page.evaluate(FORGE, [match, [text]])
        assert {"refused", "closed"} & {message["type"] for message in heard}, what
        assert not [message for message in heard if message["type"] in ("ack", "played")], what
    assert pieces(one) == pieces(other) == truth(one, match) == before
    assert count(one) == count(other) == 0
    play_turn(Clicks(one), CHANCE)


@pytest.mark.parametrize("way", ["cable", "device"])
def test_27_a_cut_network_comes_back_and_the_turn_is_applied_once(open_page: Open, site: Site, way: str) -> None:
    with Network(site.port) as network:
        page = open_page("/")
        page.goto(network.address)
        other = open_page("/")
        match = pair_over(page, other, network, site)
        wait_for_turn(page)
        if way == "cable":
            network.cut()
        else:
            page.context.set_offline(True)
        one, target = next(a.gesture.touches for a in opening(GAME).actions() if len(a.gesture.touches) == 2)
        page.locator(name_of(one)).click()
        page.locator(name_of(target)).click()
        if page.locator("[data-done]").count():
            page.locator("[data-done]").click()
        page.evaluate("window.isSamePage = true")
        expect(page.locator("[data-reconnecting]")).to_have_text("Reconnecting…", timeout=12_000)
        network.restore()
        page.context.set_offline(False)
        expect(page.locator("[data-turns='1']")).to_have_count(1, timeout=5_000)
        expect(page.locator("[data-reconnecting]")).to_have_count(0)
        expect(other.locator("[data-turns='1']")).to_have_count(1)
        assert pieces(page) == pieces(other) == truth(other, match)
        assert page.evaluate("window.isSamePage")


def pair_over(page: Page, other: Page, network: Network, site: Site) -> str:
    """A match between somebody behind a network and somebody at the server."""
    seek = page.request.post(f"{network.address}/api/seeks", data={"game": GAME, "colour": "first", "is_private": True})
    accepted = other.request.post(f"{site.address}/api/seeks/{seek.json()['id']}/accept", data={})
    match = str(accepted.json()["match"])
    page.goto(f"{network.address}/match/{match}")
    other.goto(f"{site.address}/match/{match}")
    for seat in (page, other):
        seat.wait_for_selector("[data-table][data-status]")
    return match


@pytest.mark.parametrize("game", [GAME, *(name for name in names() if counts_steps(name))])
def test_28_a_server_killed_in_the_middle_of_a_turn_loses_nothing(open_page: Open, tmp_path: Path, game: str) -> None:
    with Site(f"sqlite:///{tmp_path / 'killed.db'}") as own:
        one, other = open_page("/"), open_page("/")
        for page in (one, other):
            page.goto(own.address)
        match = pair(one, other, game, clock=BLITZ)
        for page in (one, other):
            wait_for_turn(page)
            play_turn(Clicks(page), CHANCE)
        wait_for_turn(one)
        one.locator("[role=gridcell].is-active").first.click()
        held = one.locator("[aria-selected=true]").get_attribute("data-touch")
        before, times = pieces(one), clocks(one)
        own.kill()
        for page in (one, other):
            expect(page.locator("[data-reconnecting]")).to_be_visible(timeout=12_000)
        own.start()
        for page in (one, other):
            expect(page.locator("[data-reconnecting]")).to_have_count(0, timeout=20_000)
            assert count(page) == 2
        assert pieces(one) == pieces(other) == truth(one, match) == before
        assert all(now >= then for now, then in zip(clocks(one), times, strict=True))
        assert one.locator("[aria-selected=true]").get_attribute("data-touch") == held
        play_turn(Clicks(one), CHANCE)
        expect(other.locator("[data-turns='3']")).to_have_count(1)


@pytest.mark.parametrize("game", [name for name in names() if counts_steps(name)])
def test_28_a_turn_that_is_half_built_when_the_server_is_killed_is_finished_afterwards(
    open_page: Open, tmp_path: Path, game: str
) -> None:
    with Site(f"sqlite:///{tmp_path / 'killed.db'}") as own:
        one, other = open_page("/"), open_page("/")
        for page in (one, other):
            page.goto(own.address)
        match = pair(one, other, game, clock=BLITZ)
        for page in (one, other):
            wait_for_turn(page)
            play_turn(Clicks(page), CHANCE)
        wait_for_turn(one)
        for _ in range(2):  # a step that is made, and a piece that is held
            one.locator("[role=gridcell].is-active").first.click()
            if not one.locator("[data-pending]").count():
                one.locator("[data-offered]").first.click()
                wait_until_idle(one)
        left = one.locator("[data-steps-left]").get_attribute("data-steps-left")
        held = one.locator("[aria-selected=true]").get_attribute("data-touch")
        built, before = pieces(one), pieces(other)
        assert held and built != before
        own.kill()
        expect(one.locator("[data-reconnecting]")).to_be_visible(timeout=12_000)
        own.start()
        for page in (one, other):
            expect(page.locator("[data-reconnecting]")).to_have_count(0, timeout=20_000)
        assert pieces(one) == built
        assert pieces(other) == truth(other, match) == before
        expect(one.locator("[data-steps-left]")).to_have_attribute("data-steps-left", str(left))
        expect(one.locator("[aria-selected=true]")).to_have_attribute("data-touch", held)
        one.locator("[data-send]").click()
        for page in (one, other):
            expect(page.locator("[data-turns='3']")).to_have_count(1)
            assert pieces(page) == truth(page, match) == built


@pytest.mark.parametrize("way", ["Claim the win", "Take a draw", "wait"])
def test_29_an_absent_opponent_can_be_waited_for_or_claimed_against(open_page: Open, way: str) -> None:
    one, other = open_page("/"), open_page("/")
    pair(one, other, GAME, clock=BLITZ)
    play_turn(Clicks(one), CHANCE)
    wait_for_turn(other)
    play_turn(Clicks(other), CHANCE)
    wait_for_turn(one)
    other.goto("about:blank")
    expect(one.locator("[data-player]").first).to_contain_text("away")
    assert one.locator("[data-gone]").count() == 0  # it runs only while the absent side is to move
    play_turn(Clicks(one), CHANCE)
    expect(one.locator("[data-gone]")).to_be_visible()
    left = [gone(one)]
    for _ in range(3):
        one.get_by_label("Say something").fill("Are you there?")  # an answer that brings the clocks up to date
        one.get_by_role("button", name="Say").click()
        one.wait_for_timeout(700)
        left.append(gone(one))
    assert left == sorted(left, reverse=True)
    assert left[-1] < left[0]
    claims = [one.get_by_role("button", name=name) for name in ("Claim the win", "Take a draw")]
    for claim in claims:
        expect(claim).to_be_visible(timeout=40_000)
    expect(one.locator("[data-gone]")).to_contain_text("You may claim, or wait.")
    if way == "wait":
        other.goto(one.url)
        for claim in claims:
            expect(claim).to_have_count(0)
        wait_for_turn(other)
        play_turn(Clicks(other), CHANCE)
        expect(one.locator("[data-turns='4']")).to_have_count(1)
    else:
        one.get_by_role("button", name=way).click()
        words = re.compile("wins" if way == "Claim the win" else "draw", re.IGNORECASE)
        expect(one.locator("[data-result] h2")).to_have_text(words)


def gone(page: Page) -> int:
    """The seconds until one may claim, as the page counts them."""
    return int(page.locator("[data-gone]").get_attribute("data-gone") or 0)


def test_30_the_flag_falls_even_if_nobody_looks(open_page: Open, visitor: Visitor) -> None:
    def fall() -> float:
        """How long after zero the match is over."""
        one, other = open_page("/"), open_page("/")
        match = pair(one, other, GAME, clock={"type": "fischer", "seconds": 6, "added": 0})
        for page in (one, other):
            wait_for_turn(page)
            play_turn(Clicks(page), CHANCE)
        asked = time.monotonic()
        left = visitor.get(f"/api/matches/{match}")["state"]["clocks"]["faces"][0]["flag_ms"]
        for page in (one, other):
            page.close()
        while (state := visitor.get(f"/api/matches/{match}")["state"])["status"] != "over":
            assert time.monotonic() < asked + 60
            time.sleep(0.02)
        assert state["outcome"]["winner"] == 1 and state["outcome"]["reason"] == "time"
        return time.monotonic() - asked - left / 1000

    assert fastest(fall, 0.5) <= 0.5


def test_31_a_background_tab_tells_by_title_and_sound_that_it_is_my_turn(open_page: Open) -> None:
    one, other = open_page("/"), open_page("/")
    pair(one, other, GAME)
    assert "Your turn" not in other.title()
    other.mouse.click(3, 3)  # browsers are silent until somebody has touched the page
    other.evaluate("Object.defineProperty(document, 'hidden', { get: () => true })")
    other.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    play_turn(Clicks(one), CHANCE)
    expect(table(other)).to_have_attribute("data-my-turn", "true")
    assert other.title().startswith("● Your turn")
    assert other.evaluate("document.documentElement.dataset.sound") == "turn"


def test_two_browsers_play_each_other_to_the_end(open_page: Open) -> None:
    one, other = open_page("/"), open_page("/", "M")
    shortest = min(names(), key=lambda name: variant(name).game.minutes)
    match = pair(one, other, shortest)
    chance = random.Random(11)
    for number in range(300):
        page = (one, other)[number % 2]
        if not wait_for_turn(page):
            break
        play_turn(Clicks(page), chance)
    for page in (one, other):
        expect(page.locator("[data-result] h2")).to_be_visible()
        assert pieces(page) == truth(one, match)
