"""Who is in the lobby: sockets and bots' streams that hear of seeks and of their own matches."""

import asyncio
import logging
from typing import Any

from fastapi import APIRouter, WebSocket
from sqlalchemy import Row

from menagerie.server import metrics
from menagerie.server.accounts import Person
from menagerie.server.desk import Desk
from menagerie.server.line import Line
from menagerie.server.listeners import Listener
from menagerie.server.lobby import seek_fact
from menagerie.server.messages import Lobby, Pong
from menagerie.server.refusals import OUTAGE, Refusal
from menagerie.server.sockets import POLICY, admit_anybody, converse, parse, turn_away, turn_away_for_now
from menagerie.server.standing import encode
from menagerie.server.visits import address_of

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
        self._news = asyncio.Event()
        self._told = b""

    async def open(self) -> None:
        """Hear of changes."""
        await self._desk.bus.listen("lobby", self._changed)

    async def enter(self, listener: Listener, person: Person | None) -> None:
        """Somebody comes in; from now on they hear of the lobby, and of their own matches too."""
        self._present[listener] = person
        if person:
            await self._desk.bus.listen(f"person:{person.id}", listener.hear)
        listener.tell(self._seeks(await self._desk.lobby.rows(), person))

    async def leave(self, listener: Listener) -> None:
        """Somebody goes."""
        person = self._present.pop(listener, None)
        if person:
            await self._desk.bus.ignore(f"person:{person.id}", listener.hear)

    async def _changed(self, _: bytes) -> None:
        self._news.set()

    async def tell(self) -> None:
        """Wait for news and tell everybody, once for all that changes together; most see the same."""
        await self._news.wait()
        await asyncio.sleep(TOGETHER_SECONDS)
        self._news.clear()
        rows = await self._desk.lobby.rows()
        owners, for_others = {row.person for row in rows}, self._seeks(rows, None)
        if for_others == self._told:
            return
        self._told = for_others
        for listener, person in list(self._present.items()):
            listener.tell(self._seeks(rows, person) if person and person.id in owners else for_others)

    def _seeks(self, rows: list[Row[Any]], person: Person | None) -> bytes:
        """The open seeks as somebody sees them."""
        return encode(Lobby(seeks=[seek_fact(row, person) for row in rows], people=len(self._present)))

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
        with desk.limits.connection(address_of(websocket)):
            await wait_in_lobby(book, websocket, await admit_anybody(desk, websocket))
    except Refusal as error:
        await turn_away(websocket, POLICY, str(error))
    except OUTAGE as error:
        await turn_away_for_now(websocket, error)


async def wait_in_lobby(book: Guestbook, websocket: WebSocket, person: Person | None) -> None:
    """Somebody is in the lobby until the connection ends."""
    await websocket.accept()
    listener = Listener([])
    line = Line(websocket, listener)
    metrics.sockets.labels("lobby").inc()
    try:
        await book.enter(listener, person)
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
            content = parse(message.get("text") or "")
        except Refusal:
            return POLICY
        if not isinstance(content, Pong):
            return POLICY
        line.heard(content)
