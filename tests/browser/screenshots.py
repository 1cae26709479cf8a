"""Pictures of every page in every theme, at a desk and on a phone: python tests/browser/screenshots.py FOLDER."""

import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser.browsers import OPTIONS, chromium
from browser.positions import opening, variant, walk
from browser.tables import begin, pair, set_up, sit
from playwright.sync_api import Browser, Page
from servers import Site

from menagerie.games import names
from menagerie.match.match import Match

THEMES = ("light", "dark", "contrast")


def main(folder: Path) -> None:
    """All pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, Site(f"sqlite:///{place}/site.db") as site, chromium() as browser:
        for device in OPTIONS:
            one, other = (person(browser, device, site) for _ in range(2))
            for theme in THEMES:
                set_up(one, theme=theme, motion=False)
                for name, show in scenes(one, other):
                    show()
                    one.wait_for_timeout(500)
                    one.mouse.move(1, 1)
                    path = folder / f"{name}-{theme}-{'phone' if device == 'M' else 'desk'}.png"
                    one.screenshot(path=path, full_page=not name.startswith("match"))
                    print(path)


def person(browser: Browser, device: str, site: Site) -> Page:
    """Somebody's browser."""
    page = browser.new_context(**OPTIONS[device]).new_page()
    page.goto(site.address)
    return page


def scenes(page: Page, other: Page) -> Iterator[tuple[str, Callable[[], None]]]:
    """What to show, and how to come there."""
    for game in names():
        yield f"match-{game}", partial(show_play, page, game)
    yield "match-set-up", partial(show_set_up, page)
    yield "match-clocks-chat", partial(show_people, page, other)
    yield "match-rules", partial(show_rules, page)
    yield "over", partial(show_end, page, other)
    yield "invitation", partial(show_invitation, page, other)
    paths = {"home": "/", "lobby": "/lobby", "new": f"/new/{names()[1]}", "rules": f"/rules/{names()[1]}"}
    paths |= {"profile": "/people/me", "settings": "/settings", "import": "/import", "missing": "/nowhere"}
    for name, path in paths.items():
        yield name, partial(visit, page, path)


def visit(page: Page, path: str) -> None:
    """A page by its path."""
    page.goto("/".join(page.url.split("/")[:3]) + path, wait_until="networkidle")


def show_set_up(page: Page) -> None:
    """An army being set up."""
    begin(page, next(name for name in names() if variant(name).game.setups))


def show_rules(page: Page) -> None:
    """The rules beside a match."""
    show_play(page, names()[1])
    page.locator("[data-rules]").click()


def show_play(page: Page, game: str) -> None:
    """The middle of a match with a piece in hand."""
    position = list(islice(walk(game, 4), 9))[-1]
    begin(page, game, position=str(position))
    page.locator("[role=gridcell].is-active").first.wait_for()
    ways = [action.gesture.touches[0] for action in position.actions() if action.gesture.touches]
    most = max(set(ways), key=ways.count)
    if len(position.actions()) > 1:
        page.locator(f"[data-touch='{most}']").first.click()


def show_people(page: Page, other: Page) -> None:
    """Two people with clocks who talk."""
    pair(page, other, names()[1], clock={"type": "fischer", "seconds": 300, "added": 3})
    page.get_by_label("Say something").fill("Good luck!")
    page.get_by_role("button", name="Say").click()
    other.get_by_label("Say something").fill("Have fun")
    other.get_by_role("button", name="Say").click()


def show_end(page: Page, other: Page) -> None:
    """A match that is over, shared."""
    game = names()[1]
    match = pair(page, other, game)
    played = Match(variant(game), opening(game))
    for seat in (page, other, page, other):
        turn = played.position.turns()[3]
        sit(seat, match)
        seat.get_by_label("Type a turn").fill(str(turn))
        seat.get_by_label("Type a turn").press("Enter")
        if seat.locator("[data-send]").count():
            seat.locator("[data-send]:enabled").click()
        played.play(turn)
        seat.wait_for_selector(f"[data-turns='{len(played.turns)}']")
    other.locator("[data-resign]").click()
    other.locator("[data-resign-yes]").click()
    page.get_by_role("button", name="Share").click()


def show_invitation(page: Page, other: Page) -> None:
    """What somebody sees who was sent a link."""
    address = "/".join(page.url.split("/")[:3])
    seek = other.request.post(f"{address}/api/seeks", data={"game": names()[1], "is_private": True}).json()
    page.goto(f"{address}/join/{seek['id']}", wait_until="networkidle")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
