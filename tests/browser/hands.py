"""Hands that play in a browser: with a mouse, a finger, or keys alone; they see only what the page shows."""

import random
import re
import time
from collections.abc import Callable
from itertools import cycle

from playwright.sync_api import Locator, Page, expect

ACTIVE = "[role=gridcell].is-active[data-touch]"
IN_HAND = "[data-hand] [data-touch]"
OFFERED = "[role=gridcell][data-offered]"
FAR = 120
LONG = 60
"""Seconds after which a turn will not be finished any more."""


def name_of(touch: str) -> str:
    """What finds a square, or a letter in hand."""
    return f"[data-touch='{touch}']"


def centre(locator: Locator) -> tuple[float, float]:
    """The middle of something on the page."""
    box = locator.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, one: str, other: str, button: str = "left") -> None:
    """Drag with a mouse."""
    page.mouse.move(*centre(page.locator(name_of(one)).first))
    page.mouse.down(button=button)  # type: ignore[arg-type]
    page.mouse.move(*centre(page.locator(name_of(other)).first), steps=5)
    page.mouse.up(button=button)  # type: ignore[arg-type]


class Clicks:
    """A mouse."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def touch(self, touch: str) -> None:
        """Touch a square or a piece in hand."""
        self.page.locator(name_of(touch)).first.click()

    def press(self, button: str) -> None:
        """Press a button that some attribute names."""
        self.page.locator(f"[{button}]").click()


class Touches(Clicks):
    """A finger."""

    def touch(self, touch: str) -> None:
        """Touch a square or a piece in hand."""
        self.page.locator(name_of(touch)).first.tap()

    def press(self, button: str) -> None:
        """Press a button that some attribute names."""
        self.page.locator(f"[{button}]").tap()


KEYS = {"data-send": "s", "data-ready": "s", "data-undo": "u", "data-done": "d"}


class Keys(Clicks):
    """Nothing but keys; Enter and Space in turn."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self._keys = cycle(("Enter", "Space"))

    def touch(self, touch: str) -> None:
        """Go to a square or a piece in hand, and press it."""
        self.go_to(touch)
        self.page.keyboard.press(next(self._keys))

    def go_to(self, touch: str) -> None:
        """Walk to a square with the arrows; tab to a piece in hand."""
        target = self.page.locator(name_of(touch)).first
        cell = target.get_attribute("data-cell")
        if cell is None:
            self.tab_to(lambda: bool(target.evaluate("element => element === document.activeElement")))
        else:
            self.walk_to(*map(int, cell.split(",")))

    def tab_to(self, is_there: Callable[[], bool]) -> None:
        """Press Tab until the focus is where it should be."""
        for _ in range(FAR):
            if is_there():
                return
            self.page.keyboard.press("Tab")
        raise AssertionError("Tab does not lead there")

    def walk_to(self, column: int, row: int) -> None:
        """Tab to the board, then arrows."""
        inside = "() => document.activeElement?.dataset.cell ?? ''"
        self.tab_to(lambda: bool(self.page.evaluate(inside)))
        here_column, here_row = map(int, self.page.evaluate(inside).split(","))
        across, down = column - here_column, row - here_row
        for key, times in (("ArrowRight", across), ("ArrowLeft", -across), ("ArrowDown", down), ("ArrowUp", -down)):
            for _ in range(times):
                self.page.keyboard.press(key)
        assert self.page.evaluate(inside) == f"{column},{row}"

    def press(self, button: str) -> None:
        """Press the key of a button, or tab to it."""
        if button in KEYS:
            self.page.keyboard.press(KEYS[button])
            return
        target = self.page.locator(f"[{button}]")
        self.tab_to(lambda: bool(target.evaluate("element => element === document.activeElement")))
        self.page.keyboard.press("Enter")


HANDS = {"clicks": Clicks, "touches": Touches, "keys": Keys}


def table(page: Page) -> Locator:
    """The match on the page."""
    return page.locator("[data-table]")


def count(page: Page) -> int:
    """How many turns the page shows as played."""
    return int(page.locator("[data-turns]").get_attribute("data-turns") or 0)


def wait_for_turn(page: Page, seconds: float = 120) -> bool:
    """Wait until it is this person's turn; False where the match is over."""
    state = page.locator("[data-table][data-my-turn=true], [data-table]:not([data-status=playing])")
    expect(state).to_have_count(1, timeout=seconds * 1000)
    return table(page).get_attribute("data-status") == "playing"


def play_turn(hand: Clicks, chance: random.Random) -> None:
    """Make some turn: touch what can be touched until it is sent."""
    page, before = hand.page, count(hand.page)
    played = page.locator(f"[data-turns]:not([data-turns='{before}'])")
    if page.locator("[data-ready]").count():
        hand.press("data-ready")
    else:
        begun = time.monotonic()
        while time.monotonic() - begun < LONG:
            wait_until_idle(page)
            if played.count() or not touch_something(hand, chance):
                break
    expect(played).to_have_count(1)


def wait_until_idle(page: Page) -> None:
    """Wait until the page has heard what follows the last touch: before that, nothing can be touched."""
    expect(page.locator("[data-table][data-busy=true]")).to_have_count(0)


def touch_something(hand: Clicks, chance: random.Random) -> bool:
    """Send the turn if it can be, or else touch a piece and then a square that is offered."""
    page = hand.page
    send, done = page.locator("[data-send]:enabled"), page.locator("[data-done]")
    if send.count() and (chance.random() < 0.5 or not choices(page)):
        hand.press("data-send")
        return False
    if done.count():
        hand.press("data-done")
        return True
    offered = page.locator(OFFERED)
    if offered.count():
        targets = [str(cell.get_attribute("data-touch")) for cell in offered.all()]
        hand.touch(chance.choice(targets))
    else:
        touches = choices(page)
        if touches:
            hand.touch(chance.choice(touches))
        elif page.locator("[data-pending]").count() and page.locator("[data-undo]").count():
            hand.press("data-undo")  # a turn that may not end here
    return True


def choices(page: Page) -> list[str]:
    """The pieces that can be touched now."""
    script = "cells => cells.filter(cell => !cell.dataset.offered).map(cell => cell.dataset.touch)"
    return list(page.locator(f"{ACTIVE}, {IN_HAND}").evaluate_all(script))


def play_out(hand: Clicks, chance: random.Random, most: int = 150) -> int:
    """Play until the match is over; how many turns this person made."""
    for made in range(most):
        if not wait_for_turn(hand.page):
            return made
        play_turn(hand, chance)
    raise AssertionError(f"the match is not over after {most} turns")


def match_id(page: Page) -> str:
    """The match of a page."""
    found = re.search(r"/match/([^/?]+)", page.url)
    assert found, page.url
    return found[1]
