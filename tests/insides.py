"""The inside of a server, in the test's own process: a desk at work without workers or sockets."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import menagerie
from menagerie.games import names
from menagerie.server import messages
from menagerie.server.answers import Caller, answer
from menagerie.server.bodies import NewSeek
from menagerie.server.desk import Desk
from menagerie.server.rooms import Room

Inside = Callable[..., AbstractAsyncContextManager[Desk]]
SHORT = next(name for name in names() if not menagerie.game(name).game.long_turns)


async def begin(desk: Desk, clock: Any = None) -> Room:
    """A match between two people."""
    one, two = (await desk.accounts.guest())[0], (await desk.accounts.guest())[0]
    extra = {"clock": clock} if clock else {}
    seek = await desk.lobby.seek(one, NewSeek(game=SHORT, colour="first", is_private=True, **extra))
    return await desk.house.room(await desk.lobby.accept(seek.id, two))


async def move(desk: Desk, room: Room) -> messages.Message | None:
    """The first legal turn."""
    sitting = room.sitting
    position = sitting.position
    turn = position.turns()[0]
    key = f"{position.key:016x}"
    content = messages.Turn(id=f"t{sitting.ply}", ply=sitting.ply, key=key, actions=list(turn.indices))
    return await answer(desk.house, room, Caller(name="x", seats=[position.player]), content)


async def until(is_so: Any, seconds: float = 10) -> None:
    """Wait for something."""
    async with asyncio.timeout(seconds):
        while not is_so():
            await asyncio.sleep(0.02)
