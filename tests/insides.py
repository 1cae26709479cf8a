"""The inside of a server, in the test's own process: a desk at work without workers or sockets."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import menagerie
from menagerie.games import names
from menagerie.position import Turn
from menagerie.server import messages
from menagerie.server.answers import Caller, answer
from menagerie.server.bodies import NewSeek
from menagerie.server.desk import Desk
from menagerie.server.rooms import Room
from menagerie.server.scene import key_text

Inside = Callable[..., AbstractAsyncContextManager[Desk]]
SHORT = next(name for name in names() if not menagerie.game(name).game.long_turns)


class Hands:
    """The hands of a server's clock: they stand still until somebody moves them."""

    def __init__(self, desk: Desk) -> None:
        self.at = desk.time.now()
        desk.time.now = lambda: self.at  # type: ignore[method-assign]

    def forward(self, seconds: float) -> None:
        """So much later."""
        self.at += round(seconds * 1000)


async def begin(desk: Desk, clock: Any = None, game: str = SHORT) -> Room:
    """A match between two people."""
    one, two = (await desk.accounts.guest())[0], (await desk.accounts.guest())[0]
    extra = {"clock": clock} if clock else {}
    seek = await desk.lobby.seek(one, NewSeek(game=game, colour="first", is_private=True, **extra))
    return await desk.house.room(await desk.lobby.accept(seek.id, two))


async def move(desk: Desk, room: Room, lag: int = 0) -> messages.Message | None:
    """The first legal turn, by somebody with so much lag."""
    return await make(desk, room, room.sitting.position.turns()[0], lag)


async def make(desk: Desk, room: Room, turn: Turn, lag: int = 0) -> messages.Message | None:
    """A turn, by somebody with so much lag."""
    sitting = room.sitting
    key = key_text(sitting.position.key)
    content = messages.Turn(id=f"t{sitting.ply}", ply=sitting.ply, key=key, actions=list(turn.indices))
    return await answer(desk.house, room, Caller(name="x", seats=[sitting.position.player], lag=lag), content)


async def ask(desk: Desk, room: Room, seat: int, content: Any) -> messages.Message | None:
    """Whatever else somebody at a seat asks for."""
    return await answer(desk.house, room, Caller(name="x", seats=[seat]), content)


async def until(is_so: Any, seconds: float = 10) -> None:
    """Wait for something."""
    async with asyncio.timeout(seconds):
        while not is_so():
            await asyncio.sleep(0.02)
