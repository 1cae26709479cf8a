"""A visit: one HTTP request, who makes it, and how it is answered."""

import logging
from collections.abc import Awaitable, Callable
from ipaddress import ip_address, ip_network
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec
from fastapi import APIRouter, Request, Response
from starlette.requests import ClientDisconnect, HTTPConnection

from menagerie.errors import MenagerieError
from menagerie.server import limits, metrics
from menagerie.server.accounts import Person
from menagerie.server.bodies import ErrorFact
from menagerie.server.description import description
from menagerie.server.desk import Desk
from menagerie.server.faults import in_words
from menagerie.server.limits import Rule
from menagerie.server.refusals import OUTAGE, NotFound, Refusal
from menagerie.server.standing import encode

log = logging.getLogger(__name__)
COOKIE = "menagerie"
COOKIE_SECONDS = 400 * 86_400
BODY_BYTES = 16_384
AWAY = "the server cannot do that just now; try again in a moment"
BROKEN = "something is broken here: try again, and if it stays so, tell whoever runs this site"
HOUSEHOLD = 64
"""Bits of an IPv6 address that name a household; the rest it chooses itself."""
STATUS = {"limit": 429, "late": 409, "over": 409, "seat": 403}

Body = TypeVar("Body", bound=msgspec.Struct)
Handler = Callable[..., Awaitable[Any]]


class Visit:
    """One request."""

    def __init__(self, request: Request, desk: Desk, person: Person | None, secret: str | None) -> None:
        self.request, self.desk = request, desk
        self.person = person
        self.secret = secret
        """The session's, if there is one."""
        self.cookie: str | None = None
        """What the answer sets the cookie to; empty to forget it."""

    @property
    def address(self) -> str:
        """Where it comes from."""
        return address_of(self.request)

    def limit(self, rule: Rule) -> None:
        """Refuse too much from one place."""
        self.desk.limits.take(rule, self.person.id if self.person else self.address)

    async def somebody(self) -> Person:
        """Who makes the request; a guest is made for whoever is nobody yet."""
        if self.person is None:
            self.desk.limits.take(limits.GUESTS, self.address)
            self.person, self.cookie = await self.desk.accounts.guest()
        return self.person

    def query(self, name: str, default: str = "") -> str:
        """A parameter of the address."""
        return self.request.query_params.get(name, default)

    def numbers(self, name: str) -> list[int]:
        """A parameter that is numbers with commas between them."""
        parts = self.query(name).split(",") if self.query(name) else []
        if len(parts) > 64 or not all(part.isdecimal() and len(part) < 7 for part in parts):
            raise Refusal("malformed", f"{name} should be up to 64 numbers with commas between them")
        return [int(part) for part in parts]


def address_of(connection: HTTPConnection) -> str:
    """Where a connection comes from, as limits count: a whole network of the new kind is one household's."""
    host = connection.client.host if connection.client else "?"
    try:
        address = ip_address(host)
    except ValueError:
        return host
    return str(ip_network((address, HOUSEHOLD), strict=False)) if address.version == 6 else host


async def recognise(desk: Desk, connection: HTTPConnection) -> tuple[Person | None, str | None]:
    """Who is at the other end: by a program's token, or by the session's cookie and its secret."""
    header = connection.headers.get("authorization", "")
    if header:
        kind, _, secret = header.partition(" ")
        person = await desk.accounts.by_token(secret.strip()) if kind.lower() == "bearer" else None
        if person is None:
            raise Refusal("seat", "this token is not known here")
        return person, None
    secret = connection.cookies.get(COOKIE, "")
    return (await desk.accounts.by_session(secret), secret) if secret else (None, None)


def is_foreign(connection: HTTPConnection) -> bool:
    """Whether a browser says that another site's page has sent this."""
    origin = connection.headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != connection.headers.get("host")


def route(router: APIRouter, method: str, path: str, takes: Any = None, **about: Any) -> Callable[[Handler], Handler]:
    """Make a function answer a request: it gets the visit, the path's parameters and the body, and gives a fact.

    What else is said describes it: `gives`, `asks` and `media`, as `description` takes them.
    """

    def register(handler: Handler) -> Handler:
        async def endpoint(request: Request) -> Response:
            return await respond(request, handler, takes)

        router.add_api_route(
            path,
            endpoint,
            methods=[method],
            name=handler.__name__,
            summary=(handler.__doc__ or "").split("\n")[0],
            openapi_extra=description(path, takes, **about),
            responses={},
            response_class=Response,
        )
        return handler

    return register


async def respond(request: Request, handler: Handler, takes: Any) -> Response:
    """Answer a request; whatever is wrong with it is one sentence."""
    desk: Desk = request.app.state.desk
    visit: Visit | None = None
    try:
        if request.method not in ("GET", "HEAD") and is_foreign(request):
            raise Refusal("seat", "another site's page cannot do this")
        refuse_control(*request.path_params.values(), *request.query_params.values())
        visit = Visit(request, desk, *await recognise(desk, request))
        arguments = [await read_body(request, takes)] if takes is not None else []
        answer = await handler(visit, *request.path_params.values(), *arguments)
        response = answer if isinstance(answer, Response) else as_json(answer)
    except ClientDisconnect:
        response = Response(status_code=400)
    except (Refusal, NotFound, MenagerieError) as error:
        response = fault_response(error)
    except OUTAGE as error:
        log.warning("%s %s could not be answered: %r", request.method, request.url.path[:200], error)
        response = Response(encode(ErrorFact(error=AWAY)), 503, media_type="application/json")
    except Exception:
        log.exception("%s %s could not be answered", request.method, request.url.path[:200])
        response = Response(encode(ErrorFact(error=BROKEN)), 500, media_type="application/json")
    if visit is not None and visit.cookie is not None:
        set_cookie(response, visit.cookie, request.url.scheme == "https")
    metrics.requests.labels(str(response.status_code)).inc()
    return response


def refuse_control(*texts: str) -> None:
    """Refuse what no person types and some databases do not take."""
    if any(ord(letter) < ord(" ") and letter not in "\t\r\n" for text in texts for letter in text):
        raise Refusal("malformed", "there are control characters in that")


async def read_body(request: Request, takes: type[Body]) -> Body:
    """The body of a request, bounded and checked."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise Refusal("malformed", "the body should be application/json")
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > BODY_BYTES:
            raise Refusal("malformed", f"what was sent is longer than {BODY_BYTES} bytes")
    try:
        return msgspec.json.decode(body, type=takes)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Refusal("malformed", in_words(error, takes, body)) from error


def as_json(answer: object) -> Response:
    """A fact as it is sent."""
    return Response(encode(answer), media_type="application/json", headers={"Cache-Control": "no-store"})


def fault_response(error: MenagerieError) -> Response:
    """What was wrong, in words."""
    status = 404 if isinstance(error, NotFound) else 400
    nearest: list[str] = []
    if isinstance(error, Refusal):
        status, nearest = STATUS.get(error.ground, 400), error.nearest
        metrics.refusals.labels(error.ground).inc()
    return Response(encode(ErrorFact(error=str(error), nearest=nearest)), status, media_type="application/json")


def set_cookie(response: Response, secret: str, is_secure: bool) -> None:
    """Give a browser its session, or take it away."""
    age = COOKIE_SECONDS if secret else 0
    response.set_cookie(COOKIE, secret, max_age=age, httponly=True, samesite="lax", secure=is_secure, path="/")
