"""The socket of a match: what a client sends is bounded, judged and answered; what happens is told."""

import asyncio
import contextlib
import logging
from collections.abc import Coroutine

import msgspec
from fastapi import APIRouter, WebSocket
from starlette.websockets import WebSocketState

from menagerie.errors import MenagerieError
from menagerie.server import limits, metrics
from menagerie.server.accounts import Person
from menagerie.server.answers import Caller, answer
from menagerie.server.chores import finish
from menagerie.server.desk import Desk
from menagerie.server.faults import envelope, in_words
from menagerie.server.line import PING_SECONDS, Line
from menagerie.server.listeners import Listener
from menagerie.server.messages import MESSAGE_BYTES, FromClient, Pong, Refused, Say
from menagerie.server.presence import enter, leave
from menagerie.server.refusals import OUTAGE, NotFound, Refusal
from menagerie.server.rooms import Room
from menagerie.server.standing import encode
from menagerie.server.visits import address_of, is_foreign, recognise

log = logging.getLogger(__name__)
sockets = APIRouter(prefix="/socket")
read_message = msgspec.json.Decoder(FromClient).decode

NO_MATCH, POLICY, AGAIN, LOST = 4004, 1008, 1012, 1006
MOST_FAULTS = 20
"""Messages that make no sense or come too fast, before the connection is closed."""
DELIBERATE = (1000, 1001)


@sockets.websocket("/match/{name}")
async def match_socket(websocket: WebSocket, name: str) -> None:
    """Play or watch a match."""
    desk: Desk = websocket.app.state.desk
    try:
        with desk.limits.connection(address_of(websocket)):
            await take_part(desk, websocket, *await admit(desk, websocket, name))
    except NotFound as error:
        await turn_away(websocket, NO_MATCH, str(error))
    except Refusal as error:
        await turn_away(websocket, POLICY, str(error))
    except OUTAGE as error:
        await turn_away_for_now(websocket, error)


async def take_part(desk: Desk, websocket: WebSocket, person: Person | None, room: Room) -> None:
    """Somebody is connected to a match until the connection ends."""
    seats = room.sitting.terms.seats_of(person.id if person else None)
    await websocket.accept()
    listener = Listener(seats)
    line = Line(websocket, listener)
    room.join(listener, version_of(websocket))
    metrics.sockets.labels("match").inc()
    code = LOST
    try:
        await enter(desk.house, room, seats)
        caller = Caller(name=person.name if person else "", seats=seats)
        code = await converse(websocket, line, receive(desk, websocket, room, (caller, line, listener)))
    finally:
        room.part(listener)
        metrics.sockets.labels("match").dec()
        desk.limits.forget(rule_for(seats), line.name)
        if not desk.is_stopping():
            await finish(leave(desk.house, room, seats, code in DELIBERATE))


async def converse(websocket: WebSocket, line: Line, receiving: Coroutine[None, None, int]) -> int:
    """Send and receive until either ends; the code that the connection ended with."""
    sending, hearing = asyncio.create_task(line.send()), asyncio.create_task(receiving)
    try:
        await asyncio.wait((sending, hearing), return_when=asyncio.FIRST_COMPLETED)
        code = LOST
        if hearing.done():
            code = hearing.result()
        if code in (LOST, POLICY):
            with contextlib.suppress(RuntimeError, OSError, TimeoutError):
                async with asyncio.timeout(PING_SECONDS):
                    await websocket.close(POLICY, "too slow, too many messages, or none that make sense")
        return code
    finally:
        sending.cancel()
        hearing.cancel()
        await asyncio.gather(sending, hearing, return_exceptions=True)


async def admit(desk: Desk, websocket: WebSocket, name: str) -> tuple[Person | None, Room]:
    """Who connects, and the room they go to."""
    return await admit_anybody(desk, websocket), await desk.house.room(name)


async def admit_anybody(desk: Desk, websocket: WebSocket) -> Person | None:
    """Who connects; no page of another site may."""
    if is_foreign(websocket):
        raise Refusal("seat", "another site's page cannot connect")
    desk.limits.take(limits.SOCKETS, address_of(websocket))
    person, _ = await recognise(desk, websocket)
    return person


async def turn_away(websocket: WebSocket, code: int, words: str) -> None:
    """Say why, and close."""
    if websocket.application_state == WebSocketState.CONNECTING:
        await websocket.accept()
    await websocket.close(code, words[:100])


async def turn_away_for_now(websocket: WebSocket, error: Exception) -> None:
    """Something is away that is needed: come again."""
    log.warning("somebody is turned away for now: %r", error)
    with contextlib.suppress(RuntimeError, OSError):
        await turn_away(websocket, AGAIN, "the server is busy with itself; come again")


def version_of(websocket: WebSocket) -> int | None:
    """The version that a client has heard everything up to."""
    text = websocket.query_params.get("v", "")
    return int(text) if text.isdecimal() and len(text) < 10 else None


def rule_for(seats: list[int]) -> limits.Rule:
    """How much whoever plays these sides may send."""
    return limits.MESSAGES if seats else limits.WATCHED


async def receive(desk: Desk, websocket: WebSocket, room: Room, at: tuple[Caller, Line, Listener]) -> int:
    """Answer what comes until the client leaves, or makes too many faults; the code it ended with."""
    caller, line, listener = at
    rule = rule_for(caller.seats)
    faults = 0
    while faults < MOST_FAULTS:
        message = await websocket.receive()
        if message["type"] == "websocket.disconnect":
            return int(message.get("code") or 1005)
        text = message.get("text") or ""
        request = envelope(text).id
        try:
            content = parse(text)
            desk.limits.take(rule, line.name)
            if isinstance(content, Pong):
                line.heard(content)
                continue
            if isinstance(content, Say):
                take_chat(desk, caller, address_of(websocket))
            caller.lag = line.lag or 0
            reply = await answer(desk.house, room, caller, content)
            if reply is not None:
                listener.tell(encode(reply))
        except Refusal as error:
            faults += error.ground in ("limit", "malformed")
            refuse(room, listener, request, error)
        except MenagerieError as error:
            refuse(room, listener, request, Refusal("impossible", str(error)))
    return POLICY


def parse(text: str) -> FromClient:
    """The message that a text is; a Refusal where it is none."""
    if not text or len(text) > MESSAGE_BYTES:
        raise Refusal("malformed", f"a message is text of at most {MESSAGE_BYTES} bytes")
    try:
        return read_message(text)
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise Refusal("malformed", in_words(error, FromClient, text)) from error


def take_chat(desk: Desk, caller: Caller, address: str) -> None:
    """Refuse too much chat."""
    desk.limits.take(limits.CHAT, caller.name + address)


def refuse(room: Room, listener: Listener, request: str | None, refusal: Refusal) -> None:
    """Tell a client that nothing was done; one that is behind gets the match as it is."""
    metrics.refusals.labels(refusal.ground).inc()
    message = Refused(id=request, reason=refusal.ground, words=str(refusal), nearest=refusal.nearest)
    listener.tell(encode(message))
    if refusal.ground == "late" and listener.set_right_at != room.sitting.version:
        listener.set_right_at = room.sitting.version
        listener.tell(room.snapshot(listener.seats))
