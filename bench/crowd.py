"""A crowd of clients, in a process of its own: pairs who play each other, watchers, and people against the machine.

Both clients of a match are in the same process, so that the time from sending a turn to the opponent's receipt is
measured by one clock. Thinking times are drawn from an exponential distribution around a mean, as in blitz.
"""

import asyncio
import gc
import random
import time
from collections.abc import Coroutine
from dataclasses import dataclass, field
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect

from menagerie.games import find

Json = dict[str, Any]
decode = msgspec.json.decode
STALLED, STALLED_THINKING = 15.0, 10.0
"""Seconds, and thinking times, after which a match in which nothing happens has stalled: few think so long."""
AT_ONCE = 20
"""Matches that are made at the same time."""


def encode(message: Json) -> str:
    """A message as text."""
    return msgspec.json.encode(message).decode()


@dataclass
class Orders:
    """What a crowd is to do."""

    address: str
    games: list[str]
    pairs: int
    machine: int
    watchers: int
    think: float
    seconds: float
    settle: float
    """Seconds at the start that are not measured: everybody arrives."""


@dataclass
class Findings:
    """What it has seen: delays in seconds from a turn sent to the opponent's receipt, turns, errors."""

    delays: list[float] = field(default_factory=list)
    echoes: list[float] = field(default_factory=list)
    """From a turn sent to its acknowledgement."""
    answers: list[float] = field(default_factory=list)
    """From a turn sent to the machine's turn."""
    errors: list[str] = field(default_factory=list)

    def add(self, other: "Findings") -> None:
        """Take over what another crowd has seen."""
        for name in ("delays", "echoes", "answers", "errors"):
            getattr(self, name).extend(getattr(other, name))


class Player:
    """One client at a match."""

    def __init__(self, crowd: "Crowd", cookie: str) -> None:
        self.crowd, self.cookie = crowd, cookie
        self.sent: dict[int, float] = {}
        """When each ply's turn was sent; both players of a match share it."""
        self._count, self._is_long = 0, False
        self._answer: asyncio.Future[Json] | None = None

    async def play(self, match: str, is_machine: bool) -> None:
        """Play a match to its end, or until time is up."""
        thinking: asyncio.Task[None] | None = None
        self.crowd.moved[match] = time.perf_counter()
        async with self.crowd.connect(match, self.cookie) as line:
            try:
                while not self.crowd.is_over:
                    message = decode(await line.recv())
                    view = await self._heed(line, message, is_machine)
                    if view:
                        self.crowd.moved[match] = time.perf_counter()
                    if view and view["state"]["status"] != "playing":
                        self.crowd.moved.pop(match)
                        return
                    if view and view["choice"]:
                        thinking = asyncio.create_task(self.crowd.guard(self._turn(line, view, is_machine)))
            finally:
                if thinking:
                    thinking.cancel()

    async def _heed(self, line: ClientConnection, message: Json, is_machine: bool) -> Json | None:
        """Answer a ping, note what is measured; the position that a message brings."""
        kind, findings = message["type"], self.crowd.findings
        if kind == "ping":
            await line.send(encode({"type": "pong", "n": message["n"]}))
        elif kind == "refused":
            findings.errors.append(message["words"])
        elif kind == "ack":
            self._note(findings.echoes, message["ply"])
        elif kind == "follows" and self._answer:
            self._answer.set_result(message["follows"]["choice"])
        elif kind == "snapshot":
            found: Json = message["match"]
            self._is_long = find(found["game"]).long_turns
            return found
        elif kind == "played":
            if message["choice"] or message["state"]["status"] == "over":
                self._note(findings.answers if is_machine else findings.delays, message["turn"]["ply"])
            return message
        return None

    def _note(self, where: list[float], ply: int) -> None:
        begun = self.sent.get(ply)
        if begun is not None and begun > self.crowd.measured_from:
            where.append(time.perf_counter() - begun)

    async def _turn(self, line: ClientConnection, view: Json, is_machine: bool) -> None:
        """Think, build a turn as a hand does, and send it."""
        await asyncio.sleep(self.crowd.chance.expovariate(1 / self.crowd.orders.think))
        position = view["position"]
        actions = await self._build(line, view["choice"], position["ply"])
        message = {
            "type": "turn",
            "id": f"t{position['ply']}",
            "ply": position["ply"],
            "key": position["key"],
            "actions": actions,
        }
        self.sent[position["ply"] + is_machine] = self.sent[position["ply"]] = time.perf_counter()
        await line.send(encode(message))

    async def _build(self, line: ClientConnection, choice: Json, ply: int) -> list[int]:
        """The actions of a turn, with a question after each where a turn may be several."""
        if choice["setup"]:
            return [choice["setup"]["actions"][letter] for letter in choice["setup"]["ready"][0]["letters"]]
        actions: list[int] = []
        while True:
            options = [action["id"] for action in choice["actions"] if action["does"] != "pass"]
            if choice["finish"] and (actions or not options):
                return [*actions, *choice["finish"]]
            actions.append(self.crowd.chance.choice(options))
            if not self._is_long:
                return actions
            self._answer = asyncio.get_running_loop().create_future()
            self._count += 1
            await line.send(encode({"type": "ask", "id": f"q{self._count}", "ply": ply, "actions": actions}))
            choice = await self._answer
            if choice["is_whole"]:
                return actions


class Crowd:
    """Everybody in this process."""

    def __init__(self, orders: Orders, seed: int) -> None:
        self.orders, self.chance, self.findings = orders, random.Random(seed), Findings()
        self.is_over = False
        self.moved: dict[str, float] = {}
        """When something has happened last in each match that is being played."""
        self.measured_from = time.perf_counter() + orders.settle
        forgetful = CookieJar(DefaultCookiePolicy(allowed_domains=[]))  # Each request says itself whose it is.
        self._http = httpx.AsyncClient(base_url=orders.address, timeout=60, cookies=forgetful)
        self._making = asyncio.Semaphore(AT_ONCE)

    def connect(self, match: str, cookie: str) -> connect:
        """A socket of a match."""
        headers = {"Cookie": cookie} if cookie else {}
        address = self.orders.address.replace("http", "ws", 1) + f"/socket/match/{match}"
        return connect(address, additional_headers=headers, max_size=1 << 22, compression=None, ping_interval=None)

    async def run(self) -> Findings:
        """Do what was ordered."""
        tasks = [asyncio.create_task(self.guard(self._pair(n))) for n in range(self.orders.pairs)]
        tasks += [asyncio.create_task(self.guard(self._alone(n))) for n in range(self.orders.machine)]
        if self.orders.watchers:
            tasks.append(asyncio.create_task(self.guard(self._watched())))
        await asyncio.sleep(self.orders.settle + self.orders.seconds)
        self.is_over = True
        self._note_stalled()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._http.aclose()
        return self.findings

    async def guard(self, doing: Coroutine[None, None, None]) -> None:
        """Do something; whatever fails before the time is up is an error, of the server's or of ours."""
        try:
            await doing
        except Exception as error:
            if not self.is_over:
                self.findings.errors.append(repr(error))

    def _note_stalled(self) -> None:
        """A match in which nothing has happened for far longer than anybody thinks is an error too."""
        patience = STALLED + STALLED_THINKING * self.orders.think
        for match, since in self.moved.items():
            if time.perf_counter() - since > patience:
                self.findings.errors.append(f"nothing happens in {match} any more")

    async def _post(self, path: str, body: Json, cookie: str = "") -> tuple[Json, str]:
        """Post something; the answer, and the cookie of whoever did it."""
        async with self._making:
            answer = await self._http.post(path, json=body, headers={"Cookie": cookie} if cookie else {})
        answer.raise_for_status()
        found: Json = answer.json()
        given = answer.headers.get("set-cookie", "").partition(";")[0]
        return found, given or cookie

    async def _match(self, number: int, cookies: tuple[str, str]) -> tuple[str, tuple[str, str]]:
        """A match between two people."""
        game = self.orders.games[number % len(self.orders.games)]
        clock = {"type": "fischer", "seconds": 3600, "added": 2}
        body = {"game": game, "colour": "first", "is_private": True, "clock": clock}
        seek, one = await self._post("/api/seeks", body, cookies[0])
        begun, two = await self._post(f"/api/seeks/{seek['id']}/accept", {}, cookies[1])
        return begun["match"], (one, two)

    async def _pair(self, number: int) -> None:
        """Two people who play one match after the other."""
        cookies = ("", "")
        while not self.is_over:
            match, cookies = await self._match(number, cookies)
            players = [Player(self, cookie) for cookie in cookies]
            players[1].sent = players[0].sent
            await asyncio.gather(*(player.play(match, False) for player in players))

    async def _alone(self, number: int) -> None:
        """Somebody who plays the machine."""
        cookie = ""
        while not self.is_over:
            game = self.orders.games[number % len(self.orders.games)]
            body = {"game": game, "against": "machine", "level": 3, "colour": "first"}
            begun, cookie = await self._post("/api/matches", body, cookie)
            await Player(self, cookie).play(begun["match"], True)

    async def _watched(self) -> None:
        """A match with many watchers; every watcher's delay is measured."""
        cookies = ("", "")
        while not self.is_over:
            match, cookies = await self._match(0, cookies)
            players = [Player(self, cookie) for cookie in cookies]
            players[1].sent = players[0].sent
            watching = [asyncio.create_task(self._watch(match, players[0].sent)) for _ in range(self.orders.watchers)]
            await asyncio.gather(*(player.play(match, False) for player in players), *watching)

    async def _watch(self, match: str, sent: dict[int, float]) -> None:
        async with self.connect(match, "") as line:
            while not self.is_over:
                message = decode(await line.recv())
                if message["type"] == "ping":
                    await line.send(encode({"type": "pong", "n": message["n"]}))
                elif message["type"] == "played":
                    begun = sent.get(message["turn"]["ply"], 0.0)
                    if begun > self.measured_from:
                        self.findings.delays.append(time.perf_counter() - begun)
                if message.get("state", {}).get("status") == "over":
                    return


def run_crowd(orders: Orders, seed: int) -> Findings:
    """A crowd from its arrival to its end, in a process of its own, which no garbage collector holds up."""
    gc.disable()
    return asyncio.run(Crowd(orders, seed).run())
