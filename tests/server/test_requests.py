"""Requests that nobody should make, what every answer bears, and how the API describes itself."""

import asyncio
import time
from contextlib import ExitStack

import pytest
from clients import Visitor
from insides import SHORT, Inside, begin
from servers import Site
from sqlalchemy import insert, select

from menagerie.match.clock import DAY
from menagerie.server import limits
from menagerie.server.accounts import Accounts
from menagerie.server.limits import Limits
from menagerie.server.listeners import MOST_BYTES, Listener
from menagerie.server.refusals import Refusal
from menagerie.server.sockets import refuse
from menagerie.server.tables import people

POLICY = {
    "default-src": ["'none'"],
    "script-src": ["'self'"],
    "style-src": ["'self'"],
    "img-src": ["'self'", "data:", "blob:"],
    "font-src": ["'self'"],
    "connect-src": ["'self'"],
    "media-src": ["'self'", "blob:"],
    "worker-src": ["'self'"],
    "manifest-src": ["'self'"],
    "base-uri": ["'none'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'none'"],
}
"""Nothing from elsewhere, nothing written into a page, in nobody's frame."""


@pytest.mark.parametrize("path", ["/", "/api/games", "/api/docs", "/api/nothing", "/assets/nothing.js"])
def test_every_answer_says_what_a_page_may_do(visitor: Visitor, path: str) -> None:
    headers = visitor.http.get(path).headers
    said = [part.split() for part in headers["content-security-policy"].split(";")]
    assert {name: sources for name, *sources in said} == POLICY and len(said) == len(POLICY)
    assert headers["x-content-type-options"] == "nosniff" and headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["permissions-policy"] == "camera=(), geolocation=(), microphone=()"


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_behind_a_proxy_with_https_the_cookie_is_for_https_alone(visitor: Visitor, scheme: str) -> None:
    body, host = {"game": SHORT, "against": "machine"}, visitor.address.removeprefix("http://")
    headers = {"X-Forwarded-Proto": scheme, "Origin": f"{scheme}://{host}"}
    answer = visitor.http.post("/api/matches", json=body, headers=headers)
    assert answer.status_code == 200
    cookie = [part.strip().lower() for part in answer.headers["set-cookie"].split(";")]
    assert {"httponly", "samesite=lax", "path=/"} <= set(cookie)
    assert ("secure" in cookie) == (scheme == "https")
    found = answer.headers.get("strict-transport-security")
    assert found == ("max-age=31536000" if scheme == "https" else None)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/matches?before=" + "9" * 40, 400),
        ("/api/matches?before=١", 400),
        ("/api/people/a%00b", 400),
        ("/%00", 200),
        ("/" + "x" * 5000, 200),
    ],
)
def test_addresses_that_make_no_sense(visitor: Visitor, path: str, status: int) -> None:
    answer = visitor.http.get(path)
    assert answer.status_code == status
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_control_characters_are_refused(site: Site) -> None:
    me = Visitor(site.address)
    me.post("/api/register", {"name": f"Ctrl{time.time_ns() % 10**9}", "password": "long enough"})
    me.refused("/api/tokens", {"label": "a\0b"}, 400)
    match = me.against_machine(SHORT, colour="first")
    me.refused(f"/api/matches/{match}/messages", {"type": "say", "id": "x", "text": "a\0b"}, 400)
    me.refused(f"/api/matches/{match}/messages", {"type": "resign", "id": "a\0b"}, 400)
    secret = me.post("/api/tokens", {"label": "fine"})["secret"]
    program = Visitor(site.address)
    program.http.headers["Authorization"] = f"Bearer {secret}"
    assert "no further" in program.refused("/api/tokens", {"label": "more"}, 403)


def test_headers_alone_can_be_asked_for(visitor: Visitor) -> None:
    for path in ("/", "/api/games", "/health"):
        answer = visitor.http.head(path)
        assert answer.status_code == 200 and answer.content == b""


def test_asking_who_i_am_makes_nobody(visitor: Visitor) -> None:
    assert visitor.get("/api/matches", person="me") == {"matches": [], "before": None}
    assert visitor.get("/api/me")["person"] is None


def test_the_description_is_whole(visitor: Visitor) -> None:
    found = visitor.get("/api/openapi.json")
    position = found["paths"]["/api/games/{game}/position"]["get"]["parameters"]
    assert [(one["name"], one["in"]) for one in position] == [
        ("game", "path"),
        ("text", "query"),
        ("rules", "query"),
        ("actions", "query"),
    ]
    messages = found["paths"]["/api/matches/{match}/messages"]["post"]
    for content in (messages["requestBody"]["content"], messages["responses"]["200"]["content"]):
        assert "anyOf" in content["application/json"]["schema"]
    stream = found["paths"]["/api/matches/{match}/stream"]["get"]["responses"]["200"]["content"]
    assert list(stream) == ["application/x-ndjson"]
    assert set(found["components"]["securitySchemes"]) == {"token", "session"}
    assert visitor.http.get("/api/docs").status_code == 200


def test_nobody_else_can_keep_somebody_from_logging_in() -> None:
    taken = Limits()
    for _ in range(10):
        taken.take(limits.NAMES, "name 10.0.0.1")
    with pytest.raises(Refusal):
        taken.take(limits.NAMES, "name 10.0.0.1")
    taken.take(limits.NAMES, "name 10.0.0.2")


def test_connections_of_one_address_are_bounded() -> None:
    bounded = Limits()
    with ExitStack() as stack:
        for _ in range(limits.MOST_CONNECTIONS):
            stack.enter_context(bounded.connection("one"))
        with pytest.raises(Refusal), bounded.connection("one"):
            pass
        with bounded.connection("another"):
            pass
    assert not bounded._connected


def test_a_client_that_reads_nothing_is_let_go_by_bytes() -> None:
    async def run() -> None:
        listener = Listener([])
        for _ in range(10):
            listener.tell(b"x" * (MOST_BYTES // 5))
        assert await listener.next() is None

    asyncio.run(run())


def test_who_is_behind_is_sent_the_match_once(inside: Inside) -> None:
    async def run() -> None:
        async with inside() as desk:
            room, listener = await begin(desk), Listener([0])
            for _ in range(3):
                refuse(room, listener, "x", Refusal("late", "the match has gone on"))
            assert listener.waiting.qsize() == 4, "three refusals and one snapshot"

    asyncio.run(run())


def test_unknown_names_take_no_longer_than_wrong_passwords(inside: Inside) -> None:
    async def run() -> None:
        async with inside() as desk:
            hashed: list[str] = []
            hasher = desk.accounts._hasher
            original = type(hasher).hash

            def count(self: object, password: str) -> str:
                hashed.append(password)
                return original(self, password)  # type: ignore[arg-type]

            type(hasher).hash = count  # type: ignore[method-assign,assignment]
            try:
                with pytest.raises(Refusal):
                    await desk.accounts.login("Nobody1", "wrong words")
            finally:
                type(hasher).hash = original  # type: ignore[method-assign]
            assert not hashed, "nothing is hashed for a name that nobody has; only verified"

    asyncio.run(run())


def test_guests_who_never_played_are_forgotten(inside: Inside) -> None:
    async def run() -> None:
        async with inside() as desk:
            await begin(desk)
            old = desk.time.now() - 40 * DAY
            await desk.store.write(insert(people).values(id="old", name="Guest 1", kind="guest", created=old))
            fresh, secret = await desk.accounts.guest()
            await desk.tidy()
            known = [row.id for row in await desk.store.rows(select(people.c.id))]
            assert "old" not in known and fresh.id in known and len(known) == 3
            assert isinstance(desk.accounts, Accounts) and await desk.accounts.by_session(secret) == fresh

    asyncio.run(run())
