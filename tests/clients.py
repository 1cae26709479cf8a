"""Clients for tests: people with a browser's habits, but no browser."""

import asyncio
import json
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

Json = dict[str, Any]


class Visitor:
    """Somebody with a cookie jar."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.http = httpx.Client(base_url=address, timeout=30)

    def get(self, path: str, **query: str) -> Any:
        """What a GET finds."""
        answer = self.http.get(path, params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, body: Json | None = None) -> Any:
        """What a POST brings."""
        answer = self.http.post(path, json=body or {})
        assert answer.status_code in (200, 204), answer.text
        return answer.json() if answer.content else None

    def refused(self, path: str, body: Json | None = None, status: int | None = None) -> str:
        """Why a POST is refused."""
        answer = self.http.post(path, json=body or {})
        assert 400 <= answer.status_code < 500, answer.text
        assert status in (None, answer.status_code), answer.text
        return str(answer.json()["error"])

    @property
    def cookie(self) -> str:
        """The cookie as it is sent."""
        return "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())

    def against_machine(self, game: str, **terms: Any) -> str:
        """A match against the machine."""
        return str(self.post("/api/matches", {"game": game, "against": "machine", **terms})["match"])

    @asynccontextmanager
    async def sit(self, match: str, version: int | None = None) -> AsyncIterator["Seat"]:
        """A socket of a match."""
        async with self.socket(match, version) as connection:
            yield Seat(connection)

    def socket(self, match: str, version: int | None = None, origin: str | None = None) -> connect:
        """A connection to a match."""
        address = self.address.replace("http", "ws", 1) + f"/socket/match/{match}"
        headers = {"Cookie": self.cookie} if self.cookie else {}
        if origin:
            headers["Origin"] = origin
        query = "" if version is None else f"?v={version}"
        return connect(address + query, additional_headers=headers, max_size=1 << 22)


def pair(one: Visitor, other: Visitor, game: str, **terms: Any) -> str:
    """A match between two people, the first of them first to move, by link."""
    seek = one.post("/api/seeks", {"game": game, "colour": "first", "is_private": True, **terms})
    return str(other.post(f"/api/seeks/{seek['id']}/accept")["match"])


class Seat:
    """One end of a match's socket: answers pings, keeps what it hears."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.heard: list[Json] = []
        self._count = 0

    async def hear(self, kind: str | tuple[str, ...], seconds: float = 20) -> Json:
        """The next message of a kind; others are kept, pings answered."""
        kinds = (kind,) if isinstance(kind, str) else kind
        async with asyncio.timeout(seconds):
            while True:
                message: Json = json.loads(await self.connection.recv())
                if message["type"] == "ping":
                    await self.send({"type": "pong", "n": message["n"]})
                    continue
                self.heard.append(message)
                if message["type"] in kinds:
                    return message

    async def played(self, ply: int) -> Json:
        """That a turn was played, heard already or heard now."""
        for message in reversed(self.heard):
            if message["type"] == "played" and message["turn"]["ply"] == ply:
                return message
        while (message := await self.hear("played"))["turn"]["ply"] != ply:
            pass
        return message

    async def send(self, message: Json) -> None:
        """Send a message as it is."""
        await self.connection.send(json.dumps(message))

    async def ask(self, kind: str, seconds: float = 20, **content: Any) -> Json:
        """Send a request and wait for whatever answers it."""
        self._count += 1
        request = content.pop("id", f"r{self._count}")
        await self.send({"type": kind, "id": request, **content})
        async with asyncio.timeout(seconds):
            while True:
                answer = await self.hear(("ack", "refused", "follows", "because"), seconds)
                if answer["id"] == request:
                    return answer

    async def complete(self, choice: Json, position: Json, pick: Callable[[list[Any]], Any]) -> list[int]:
        """The actions of a whole turn, chosen one by one with questions in between, as a hand does."""
        if choice["setup"]:
            setup = choice["setup"]
            return [setup["actions"][letter] for letter in setup["ready"][0]["letters"]]
        actions: list[int] = []
        while True:
            if choice["finish"] and actions and pick([True, False]):
                return [*actions, *choice["finish"]]
            options = [action for action in choice["actions"] if action["does"] != "pass"]
            if not options:
                return [*actions, *(choice["finish"] or [])]
            actions.append(pick(options)["id"])
            answer = await self.ask("ask", ply=position["ply"], actions=actions)
            assert answer["type"] == "follows", answer
            choice = answer["follows"]["choice"]
            if choice["is_whole"]:
                return actions
            if choice["problem"] and not choice["actions"]:
                actions = []
                choice = (await self.ask("ask", ply=position["ply"], actions=[]))["follows"]["choice"]


async def closed(connection: ClientConnection, seconds: float = 10) -> int:
    """Wait until the server closes a connection; the code."""
    async with asyncio.timeout(seconds):
        try:
            while True:
                await connection.recv()
        except ConnectionClosed as end:
            return end.rcvd.code if end.rcvd else 1006


def chooser(seed: int) -> Callable[[list[Any]], Any]:
    """Somebody who chooses by chance."""
    return random.Random(seed).choice
