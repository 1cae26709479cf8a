"""Who is in the lobby: sockets and bots' streams that hear of seeks and of their own matches."""

import asyncio
import logging

from fastapi import APIRouter, WebSocket

from menagerie.server import metrics
from menagerie.server.accounts import Person
from menagerie.server.desk import Desk
from menagerie.server.messages import Lobby, Pong
from menagerie.server.refusals import Refusal
from menagerie.server.rooms import Listener
from menagerie.server.sockets import POLICY, Line, admit_anybody, converse, parse, turn_away
from menagerie.server.standing import encode

log = logging.getLogger(__name__)
lobby = APIRouter(prefix="/socket")
TOGETHER_SECONDS = 0.2
"""Seeks that change within so short a time are told together."""
KEEP_SECONDS = 15.0


class Guestbook:
    """Everybody in the lobby of this server, each with what they are told."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._present: dict[Listener, Person | None] = {}
        self._telling: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Hear of changes."""
        await self._desk.bus.listen("lobby", self._changed)

    async def enter(self, listener: Listener, person: Person | None) -> None:
        """Somebody comes in; from now on they hear of their own matches too."""
        self._present[listener] = person
        if person:
            await self._desk.bus.listen(f"person:{person.id}", listener.hear)

    async def leave(self, listener: Listener) -> None:
        """Somebody goes."""
        person = self._present.pop(listener, None)
        if person:
            await self._desk.bus.ignore(f"person:{person.id}", listener.hear)

    async def _changed(self, _: bytes) -> None:
        if self._telling is None or self._telling.done():
            self._telling = asyncio.create_task(self._tell())

    async def _tell(self) -> None:
        await asyncio.sleep(TOGETHER_SECONDS)
        for listener, person in list(self._present.items()):
            listener.tell(await self.seeks(person))

    async def seeks(self, person: Person | None) -> bytes:
        """The open seeks as somebody sees them."""
        return encode(Lobby(seeks=await self._desk.lobby.open(person), people=len(self._present)))

    async def keep(self) -> None:
        """The seeks of those who are here stand a while longer; those of others vanish."""
        await self._desk.lobby.keep({person.id for person in self._present.values() if person})
        await self._changed(b"")


@lobby.websocket("/lobby")
async def lobby_socket(websocket: WebSocket) -> None:
    """Hear of seeks, and of one's own matches."""
    desk: Desk = websocket.app.state.desk
    book: Guestbook = websocket.app.state.guestbook
    try:
        person = await admit_anybody(desk, websocket)
    except Refusal as error:
        await turn_away(websocket, POLICY, str(error))
        return
    await websocket.accept()
    listener = Listener([])
    line = Line(websocket, listener)
    await book.enter(listener, person)
    listener.tell(await book.seeks(person))
    metrics.sockets.labels("lobby").inc()
    try:
        await converse(websocket, line, hear_pongs(websocket, line))
    finally:
        await book.leave(listener)
        metrics.sockets.labels("lobby").dec()


async def hear_pongs(websocket: WebSocket, line: Line) -> int:
    """Nothing but pongs is sent to the lobby; anything else ends it."""
    while True:
        message = await websocket.receive()
        if message["type"] == "websocket.disconnect":
            return int(message.get("code") or 1005)
        try:
            content = parse(message.get("text"))
        except Refusal:
            return POLICY
        if not isinstance(content, Pong):
            return POLICY
        line.heard(content)
