"""Clients in bad weather: lines that break, messages that come twice or in the wrong order, servers that die."""

import asyncio
import json
import random
from typing import Any

from clients import Visitor
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

import menagerie

Json = dict[str, Any]
BROKEN = (ConnectionClosed, InvalidHandshake, InvalidMessage, OSError, TimeoutError, EOFError)
PATIENCE = 15.0
PAUSE = 0.3


class Robot:
    """One side of a match, as careless with its connection as can be, but careful about versions and ids.

    It goes on until the match is over; after so many turns the first player resigns. Where it takes turns back, a turn
    that was promised may be undone; otherwise it stands for ever.
    """

    def __init__(
        self, visitors: list[Visitor], match: str, seat: int | None, chance: random.Random, takes_back: bool = False
    ) -> None:
        self.visitors, self.match, self.seat, self.chance, self.takes_back = visitors, match, seat, chance, takes_back
        self.variant = menagerie.game(str(visitors[0].get(f"/api/matches/{match}")["game"]))
        self.has_long_turns = self.variant.game.long_turns
        self.version: int | None = None
        self.turns: list[Json] = []
        self.position: Json = {}
        self.choice: Json | None = None
        self.state: Json = {}
        self.acknowledged: dict[int, list[int]] = {}
        self.pending: Json | None = None
        self.sent: list[Json] = []
        self.gaps = 0
        self.lines = 0
        self.made = 0
        self.undone = 0

    async def play(self, plies: int) -> None:
        """Play on, over as many connections as it takes."""
        while not self.is_over:
            try:
                await self._one_connection(plies)
            except BROKEN:
                await asyncio.sleep(PAUSE * self.chance.random())

    def __repr__(self) -> str:
        return f"{self.variant.game.name} {self.match}, seat {self.seat}: {len(self.turns)} turns, {self.state}"

    @property
    def is_over(self) -> bool:
        """Whether the match is over, as far as this client knows."""
        return self.state.get("status") == "over"

    async def _one_connection(self, plies: int) -> None:
        visitor = self.chance.choice(self.visitors)
        self.lines += 1
        if self.chance.random() < 0.2:
            self.version = None  # as a page that is loaded anew
        connection = await asyncio.wait_for(visitor.socket(self.match, self.version), PATIENCE)
        try:
            if self.pending:
                await self._send(connection, self.pending)
            while not self.is_over:
                await self._take(connection, json.loads(await asyncio.wait_for(connection.recv(), PATIENCE)))
                await self._act(connection, plies)
                if self.chance.random() < 0.06:
                    break
        finally:
            if self.chance.random() < 0.5:
                connection.transport.abort()
            await connection.close()

    async def _send(self, connection: ClientConnection, message: Json) -> None:
        """Send, now and then twice, or after something old."""
        if self.sent and self.chance.random() < 0.15:
            await connection.send(json.dumps(self.chance.choice(self.sent)))
        for _ in range(2 if self.chance.random() < 0.15 else 1):
            await connection.send(json.dumps(message))
        if self.chance.random() < 0.05:
            connection.transport.abort()

    async def _take(self, connection: ClientConnection, message: Json) -> None:
        """Follow a message."""
        kind = message["type"]
        if kind == "ping":
            await connection.send(json.dumps({"type": "pong", "n": message["n"]}))
        elif kind == "snapshot":
            view = message["match"]
            self.undone += len(view["turns"]) < len(self.turns)
            self.version, self.turns, self.state = message["v"], view["turns"], view["state"]
            self.position, self.choice = view["position"], view["choice"]
        elif kind == "ack" and self.pending and message["id"] == self.pending["id"] and "actions" in self.pending:
            self.acknowledged[message["ply"]] = self.pending["actions"]
            self.made += 1
            self.pending = None
        elif kind == "refused":
            # A turn may be impossible only where it repeats a position, or is sent late after something else.
            assert message["reason"] in ("late", "seat", "over", "limit", "impossible"), message
            if self.pending and message["id"] == self.pending["id"]:
                self.pending = None
        elif kind in ("played", "changed", "said"):
            self._follow(message)

    def _follow(self, message: Json) -> None:
        """Follow an event in its order; a gap means to ask anew."""
        assert self.version is not None
        if message["v"] > self.version + 1:
            self.gaps += 1
            self.version = None
            raise ConnectionError("a gap")
        if message["v"] == self.version + 1 and message["type"] == "played":
            assert message["turn"]["ply"] == len(self.turns)
            self.turns.append(message["turn"])
            self.position, self.choice = message["position"], message["choice"]
        if message["v"] >= self.version and "state" in message:
            self.state = message["state"]
        self.version = max(self.version, message["v"])

    async def _act(self, connection: ClientConnection, plies: int) -> None:
        """Make a turn if it is time for one; resign when it has been enough."""
        if self.is_over or self.seat is None or self.pending or not self.position:
            return
        if len(self.turns) >= plies or (self.seat == 0 and self.made >= plies):
            if self.seat == 0:
                await self._send(connection, {"type": "resign", "id": f"end{self.lines}"})
            return
        if self.takes_back and not self.undone and self._has_asked:
            return
        if self.takes_back and self.chance.random() < self._readiness:
            await connection.send(json.dumps({"type": "offer", "id": f"back{self.lines}", "what": "takeback"}))
            return
        if self.chance.random() < 0.05:
            await connection.send(json.dumps(self._aside()))
        if self.choice and self.position["player"] == self.seat:
            request = f"{self.seat}-{self.position['ply']}-{self.chance.getrandbits(20)}"
            actions = self._whole_turn()
            ply, key = self.position["ply"], self.position["key"]
            self.pending = {"type": "turn", "id": request, "ply": ply, "key": key, "actions": actions}
            self.choice = None
            self.sent.append(self.pending)
            await self._send(connection, self.pending)

    @property
    def _has_asked(self) -> bool:
        """Whether this side wants to take something back, and has had no answer yet."""
        return bool(self.state["offers"]["takeback"] == self.seat)

    @property
    def _is_asked(self) -> bool:
        """Whether the other side wants to take something back."""
        return self.seat is not None and self.state["offers"]["takeback"] == 1 - self.seat

    @property
    def _readiness(self) -> float:
        """How likely it takes back now, or agrees to: the first player's first turn for certain, later ones rarely.

        It asks once it has seen that turn on the board, so that it sees it vanish too.
        """
        if self.undone:
            return 0.7 if self._is_asked else 0.1
        return 1.0 if self._is_asked or (self.seat == 0 and self.turns) else 0.0

    def _aside(self) -> Json:
        """Something that changes the match, but not the turns."""
        request = f"aside{self.chance.getrandbits(20)}"
        said: list[Json] = [{"type": "say", "id": request, "text": "what weather"}]
        return self.chance.choice([*said, {"type": "offer", "id": request, "what": "rematch"}])

    def _whole_turn(self) -> list[int]:
        """A turn: set up, or one that the rules find from what the server says of the position."""
        assert self.choice
        setup = self.choice["setup"]
        if setup:
            return [setup["actions"][letter] for letter in setup["ready"][0]["letters"]]
        if not self.has_long_turns:
            return [self.chance.choice(self.choice["actions"])["id"]]
        position = self.variant.position(self.position["text"])
        actions: list[int] = []
        while position.player == self.seat and not position.outcome:
            action = self.chance.choice([one for one in position.actions() if one.gesture.does != "pass"])
            actions.append(action.index)
            position = action.after
            ending = next((one for one in position.actions() if one.gesture.does == "pass"), None)
            if ending and position.player == self.seat:
                return [*actions, ending.index]
        return actions

    def agrees_with(self, record: Json) -> None:
        """What this client holds is what the server has; every turn it was promised is there, once."""
        assert [turn["actions"] for turn in self.turns] == [turn["actions"] for turn in record["turns"]]
        for what in ("text", "key", "ply", "player", "pieces", "hands", "lost"):
            assert self.position[what] == record["position"][what]
        assert self.state["outcome"] == record["state"]["outcome"]
        assert [turn["ply"] for turn in record["turns"]] == list(range(len(record["turns"])))
        for ply, actions in self.acknowledged.items() if not self.takes_back else ():
            assert record["turns"][ply]["actions"] == actions
