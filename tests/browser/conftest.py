"""A real Chromium, a real server, and people in front of them: at a desk (W) and with a phone (M)."""

import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browser.browsers import OPTIONS, ROOT, Open
from browser.browsers import chromium as launched
from clients import Visitor
from playwright.sync_api import Browser, BrowserContext, Page, expect
from servers import Site

PATIENCE = 20_000
"""Milliseconds until something that does not appear is missing; how fast it must be is for a test to say."""
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server on SQLite, without limits on rates, with the pages as their sources are."""
    subprocess.run(["make", "--silent", "web/dist/index.html"], cwd=ROOT, check=True)
    folder: Path = tmp_path_factory.mktemp("site")
    with Site(f"sqlite:///{folder / 'site.db'}") as running:
        yield running


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium."""
    with launched() as browser:
        yield browser


@pytest.fixture
def contexts(chromium: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Browsers of different people, each with cookies of its own, closed after the test."""
    opened: list[BrowserContext] = []

    def open_context(device: str = "W", **options: Any) -> BrowserContext:
        context = chromium.new_context(**{**OPTIONS[device], **options})
        context.set_default_timeout(PATIENCE)
        opened.append(context)
        return context

    yield open_context
    for context in opened:
        context.close()


@pytest.fixture
def open_page(contexts: Callable[..., BrowserContext], site: Site) -> Iterator[Open]:
    """A page of the site in a browser of its own; whatever it complains about fails the test."""
    complaints: list[str] = []

    def open_at(path: str | None = "/", device: str = "W", **options: Any) -> Page:
        page = contexts(device, **options).new_page()
        page.on(
            "console",
            lambda message: (
                complaints.append(f"{message.text} {message.location['url']}") if message.type == "error" else None
            ),
        )
        page.on("pageerror", lambda error: complaints.append(str(error)))
        if path is not None:
            page.goto(site.address + path)
        return page

    yield open_at
    # A cut network is no fault of the page, nor is a refusal that it shows in words; what is missing of the page is.
    known = re.compile(
        r"WebSocket|ERR_(INTERNET_DISCONNECTED|CONNECTION_\w+|NETWORK_\w+|EMPTY_RESPONSE)|status of 4.. .*/api/"
    )
    left = [text for text in complaints if not known.search(text)]
    assert not left


@pytest.fixture(params=["W", "M"])
def device(request: pytest.FixtureRequest) -> str:
    """At a desk and with a phone."""
    return str(request.param)


@pytest.fixture
def visitor(site: Site) -> Visitor:
    """Somebody without a browser."""
    return Visitor(site.address)
