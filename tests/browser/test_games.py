"""Whole games against the machine, in every game, by clicks, by touch, and by keys alone."""

import random

import pytest
from browser.browsers import Open
from browser.hands import HANDS, Keys, match_id, play_out
from clients import Visitor
from playwright.sync_api import expect

from menagerie.games import names

LEVEL = 3
"""Strong enough to beat a random player soon."""
DEVICE = {"clicks": "W", "touches": "M", "keys": "W"}


@pytest.mark.parametrize("way", HANDS)
@pytest.mark.parametrize("game", names())
def test_a_whole_game_against_the_machine(open_page: Open, visitor: Visitor, game: str, way: str) -> None:
    page = open_page("/", DEVICE[way])
    page.evaluate("level => localStorage.setItem('menagerie.settings', JSON.stringify({ level }))", LEVEL)
    page.reload()
    hand = HANDS[way](page)
    start = page.locator(f"[data-game={game}] [data-play]")
    if isinstance(hand, Keys):
        hand.tab_to(lambda: bool(start.evaluate("element => element === document.activeElement")))
        page.keyboard.press("Enter")
    else:
        hand.press(f"data-game={game}] [data-play")
    page.wait_for_url("**/match/*")
    play_out(hand, random.Random(5))
    outcome = visitor.get(f"/api/matches/{match_id(page)}")["state"]["outcome"]
    expect(page.locator("[data-result] h2")).to_have_text(f"{outcome['words']}.")
