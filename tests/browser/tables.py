"""Matches in a browser, begun without clicking through forms."""

from typing import Any

from playwright.sync_api import Page

SETTINGS = "menagerie.settings"


def begin(page: Page, game: str, **terms: Any) -> str:
    """Begin a match as the person of this page, at one screen if nothing else is said, and go there."""
    address = "/".join(page.url.split("/")[:3])
    body = {"game": game, "against": "same_screen", **terms}
    answer = page.request.post(f"{address}/api/matches", data=body)
    assert answer.ok, answer.text()
    match = str(answer.json()["match"])
    sit(page, match)
    return match


def sit(page: Page, match: str) -> None:
    """Go to a match."""
    address = "/".join(page.url.split("/")[:3])
    page.goto(f"{address}/match/{match}")
    page.wait_for_selector("[data-table][data-status]")


def set_up(page: Page, **settings: Any) -> None:
    """Set something on this device."""
    merged = "JSON.stringify({...JSON.parse(localStorage[key] ?? '{}'), ...more})"
    page.evaluate(f"([key, more]) => localStorage.setItem(key, {merged})", [SETTINGS, settings])


def pair(one: Page, other: Page, game: str, **terms: Any) -> str:
    """A match between two people, the first of them first to move."""
    address = "/".join(one.url.split("/")[:3])
    wish = {"game": game, "colour": "first", "is_private": True, **terms}
    seek = one.request.post(f"{address}/api/seeks", data=wish).json()
    match = str(other.request.post(f"{address}/api/seeks/{seek['id']}/accept", data={}).json()["match"])
    sit(one, match)
    sit(other, match)
    return match


def pieces(page: Page) -> dict[str, str]:
    """The pieces that a page shows, by their squares."""
    script = "cells => Object.fromEntries(cells.map(cell => [cell.dataset.touch, cell.dataset.piece]))"
    return dict(page.locator("[role=gridcell][data-piece]").evaluate_all(script))


SHOWS = """board => {
  const cells = [...document.querySelectorAll('[role=gridcell][data-piece]')];
  const shown = cells.map(({ dataset }) => dataset.touch + dataset.piece).sort();
  return shown.join() === Object.entries(board).map(entry => entry.join('')).sort().join();
}"""
"""Whether a page shows these pieces."""


def truth(page: Page, match: str) -> dict[str, str]:
    """The pieces that the server knows."""
    address = "/".join(page.url.split("/")[:3])
    fact = page.request.get(f"{address}/api/matches/{match}").json()
    return {piece["square"]: f"{piece['player']}{piece['letter']}" for piece in fact["position"]["pieces"]}


def said(page: Page) -> str:
    """Everything that screen readers have heard."""
    return str(page.locator("[data-live]").inner_text())
