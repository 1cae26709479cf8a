"""For programs that sit at the board: streams of events as lines of JSON, and turns as text."""

import asyncio
from collections.abc import AsyncIterator
from hashlib import sha256

from fastapi import APIRouter
from fastapi.responses import StreamingResponse

from menagerie.errors import IllegalMove, NotationError
from menagerie.server import explanations, limits
from menagerie.server.accounts import Person
from menagerie.server.answers import Caller, answer
from menagerie.server.audience import Guestbook
from menagerie.server.bodies import TextTurn
from menagerie.server.chores import finish
from menagerie.server.desk import Desk
from menagerie.server.listeners import Listener
from menagerie.server.messages import Ack, Begun, FromClient, FromLobby, FromServer, Message, Say, Turn
from menagerie.server.presence import enter, leave
from menagerie.server.refusals import Refusal
from menagerie.server.rooms import Room
from menagerie.server.scene import key_text
from menagerie.server.sockets import take_chat
from menagerie.server.standing import encode
from menagerie.server.visits import Visit, route

bots = APIRouter(prefix="/api")

LINES = "application/x-ndjson"
ALIVE_SECONDS = 5.0
"""An empty line comes at least so often."""


@route(bots, "GET", "/events", gives=FromLobby, media=LINES)
async def events(visit: Visit) -> StreamingResponse:
    """What concerns me, a line of JSON each, for as long as the connection lasts: `begun`, `your_turn`, `finished`."""
    person = named(visit)
    visit.limit(limits.SOCKETS)
    playing = await visit.desk.people.playing(person)
    first = [encode(Begun(match=match.id, game=match.game)) for match in playing]
    return lines(visit, hear_events(visit.request.app.state.guestbook, person, first))


async def hear_events(book: Guestbook, person: Person, first: list[bytes]) -> AsyncIterator[bytes]:
    """The matches being played, then what happens."""
    listener = Listener([])
    try:
        await book.enter(listener, person)
        for message in first:
            listener.tell(message)
        async for line in told(listener):
            if b'"type":"lobby"' not in line[:20]:
                yield line
    finally:
        await book.leave(listener)


@route(bots, "GET", "/matches/{match}/stream", gives=FromServer, media=LINES)
async def stream(visit: Visit, match: str) -> StreamingResponse:
    """A match as it goes on: the messages of its socket, a line of JSON each, beginning with `snapshot`."""
    visit.limit(limits.SOCKETS)
    room = await visit.desk.house.room(match)
    return lines(visit, hear_match(visit.desk, room, seats_of(visit, room)))


async def hear_match(desk: Desk, room: Room, seats: list[int]) -> AsyncIterator[bytes]:
    """Everything that is told in a room; the player is there as long as it is heard."""
    listener = Listener(seats)
    room.join(listener, None)
    try:
        await enter(desk.house, room, seats)
        async for line in told(listener):
            yield line
    finally:
        room.part(listener)
        if not desk.is_stopping():
            await finish(leave(desk.house, room, seats, False))


async def told(listener: Listener) -> AsyncIterator[bytes]:
    """What a listener is told, a line each, and an empty line when nothing happens."""
    while True:
        try:
            message = await asyncio.wait_for(listener.next(), ALIVE_SECONDS)
        except TimeoutError:
            message = b""
        if message is None:
            return
        yield message + b"\n"


def lines(visit: Visit, content: AsyncIterator[bytes]) -> StreamingResponse:
    """Lines as they come, kept by nobody on the way."""
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    allowed, address = visit.desk.limits, visit.address
    with allowed.connection(address):
        pass  # a Refusal in time to be answered with

    async def counted() -> AsyncIterator[bytes]:
        with allowed.connection(address):
            async for line in content:
                yield line

    return StreamingResponse(counted(), media_type=LINES, headers=headers)


@route(bots, "POST", "/matches/{match}/turn", takes=TextTurn, gives=Ack)
async def turn(visit: Visit, match: str, body: TextTurn) -> Message:
    """Play a turn written as text. Sent again for the same ply, it is played once."""
    room = await visit.desk.house.room(match)
    sitting, request = room.sitting, request_of(body.text)
    stored = sitting.stored_at(body.ply)
    if stored is not None and stored.request == request:
        return await send(visit, room, Turn(id=request, ply=body.ply, key="0" * 16, actions=stored.actions))
    try:
        actions = list(explanations.read_typed(sitting.match, body.text).indices)
    except (IllegalMove, NotationError) as error:
        if body.ply != sitting.ply:
            raise Refusal("late", "the match has gone on since") from error
        raise Refusal("illegal", str(error), explanations.nearest(sitting.match, body.text)) from error
    key = key_text(sitting.position.key)
    return await send(visit, room, Turn(id=request, ply=body.ply, key=key, actions=actions))


def request_of(text: str) -> str:
    """What a turn is called that is written so: no other text has the same name."""
    return f"text:{sha256(text.encode()).hexdigest()[:32]}"


@route(bots, "POST", "/matches/{match}/messages", takes=FromClient, gives=FromServer)
async def message(visit: Visit, match: str, body: FromClient) -> Message:
    """Send any message of the match's socket; the answer to it comes back."""
    return await send(visit, await visit.desk.house.room(match), body)


async def send(visit: Visit, room: Room, content: FromClient) -> Message:
    """Do what a message asks for."""
    person = named(visit)
    visit.desk.limits.take(limits.MESSAGES, person.id)
    caller = Caller(name=person.name, seats=seats_of(visit, room))
    if isinstance(content, Say):
        take_chat(visit.desk, caller, visit.address)
    reply = await answer(visit.desk.house, room, caller, content)
    if reply is None:
        raise Refusal("malformed", "nobody has pinged")
    return reply


def named(visit: Visit) -> Person:
    """Somebody who is known."""
    if visit.person is None:
        raise Refusal("seat", "this needs a token, or a session")
    return visit.person


def seats_of(visit: Visit, room: Room) -> list[int]:
    """The sides that the visitor plays."""
    return room.sitting.terms.seats_of(visit.person.id if visit.person else None)
