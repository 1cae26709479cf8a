"""How servers hear of each other: within one process by itself, between several through Redis."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import Protocol

from redis.asyncio import Redis
from redis.exceptions import RedisError

from menagerie.errors import MenagerieError
from menagerie.server.chores import end

Handler = Callable[[bytes], Awaitable[None]]
log = logging.getLogger(__name__)

PREFIX = "menagerie:"
HERE_SECONDS = 15
"""How long somebody counts as here after a server last said so."""
CONFIRMED_SECONDS = 5
PAUSE = 0.5


class Bus(Protocol):
    """Carries messages on named channels, and knows who is connected anywhere."""

    is_shared: bool
    """Whether other processes listen too."""

    async def open(self) -> None:
        """Begin to listen."""

    async def close(self) -> None:
        """Listen no more."""

    async def publish(self, channel: str, data: bytes) -> None:
        """Tell everybody who listens to a channel, here and elsewhere."""

    async def listen(self, channel: str, handler: Handler) -> None:
        """Hear what comes on a channel from now on."""

    async def ignore(self, channel: str, handler: Handler) -> None:
        """Hear it no more."""

    async def note_here(self, names: list[str]) -> None:
        """These are connected to this server; to be said again every few seconds."""

    async def is_here(self, name: str) -> bool:
        """Whether somebody is connected to any server."""


class MemoryBus:
    """The bus of a single process."""

    is_shared = False

    def __init__(self) -> None:
        self._handlers: dict[str, list[Handler]] = defaultdict(list)

    async def open(self) -> None:
        """Nothing to do."""

    async def close(self) -> None:
        """Nothing to do."""

    async def publish(self, channel: str, data: bytes) -> None:
        """Tell everybody at once."""
        for handler in list(self._handlers.get(channel, ())):
            await handler(data)

    async def listen(self, channel: str, handler: Handler) -> None:
        """Add a listener."""
        self._handlers[channel].append(handler)

    async def ignore(self, channel: str, handler: Handler) -> None:
        """Remove a listener."""
        self._handlers[channel].remove(handler)
        if not self._handlers[channel]:
            del self._handlers[channel]

    async def note_here(self, names: list[str]) -> None:
        """Whoever is here is known to this server anyway."""

    async def is_here(self, name: str) -> bool:  # noqa: ARG002
        """Nobody is anywhere else."""
        return False


class RedisBus:
    """The bus between processes. It may lose messages when a connection breaks: versions show what is missing."""

    is_shared = True

    def __init__(self, address: str) -> None:
        self._redis = Redis.from_url(address)
        self._pubsub = self._redis.pubsub()
        self._handlers: dict[str, list[Handler]] = defaultdict(list)
        self._confirmed: dict[str, asyncio.Event] = {}
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Subscribe, and hear what comes in a task of its own."""
        try:
            await self._redis.ping()
        except RedisError as error:
            raise MenagerieError(f"Redis cannot be used: {error}") from error
        await self._pubsub.subscribe(PREFIX + "all")
        self._task = asyncio.create_task(self._hear())

    async def close(self) -> None:
        """End the task and the connections."""
        await end([self._task] if self._task else [])
        await self._pubsub.aclose()  # type: ignore[no-untyped-call]
        await self._redis.aclose()

    async def publish(self, channel: str, data: bytes) -> None:
        """Tell all servers; where Redis is away for a moment, they find out by the versions in the database."""
        try:
            await self._redis.publish(PREFIX + channel, data)
        except RedisError as error:
            log.warning("Redis does not take messages: %s", error)

    async def listen(self, channel: str, handler: Handler) -> None:
        """Add a listener; the subscription is in force when this returns."""
        self._handlers[channel].append(handler)
        if len(self._handlers[channel]) == 1:
            self._confirmed[channel] = asyncio.Event()
            await self._pubsub.subscribe(PREFIX + channel)
        await asyncio.wait_for(self._confirmed[channel].wait(), CONFIRMED_SECONDS)

    async def ignore(self, channel: str, handler: Handler) -> None:
        """Remove a listener."""
        self._handlers[channel].remove(handler)
        if not self._handlers[channel]:
            del self._handlers[channel], self._confirmed[channel]
            await self._pubsub.unsubscribe(PREFIX + channel)

    async def note_here(self, names: list[str]) -> None:
        """Keep a key for each that vanishes by itself."""
        try:
            async with self._redis.pipeline(transaction=False) as pipe:
                for name in names:
                    pipe.set(f"{PREFIX}here:{name}", b"1", ex=HERE_SECONDS)
                await pipe.execute()
        except RedisError as error:
            log.warning("Redis does not take who is here: %s", error)

    async def is_here(self, name: str) -> bool:
        """Look for the key; where nobody can tell, somebody is taken to be here."""
        try:
            return bool(await self._redis.exists(f"{PREFIX}here:{name}"))
        except RedisError:
            return True

    async def _hear(self) -> None:
        """Hand on what comes, for ever; after a break the client subscribes to everything again."""
        while True:
            try:
                message = await self._pubsub.get_message(timeout=5)
            except RedisError as error:
                log.warning("Redis cannot be heard: %s", error)
                await asyncio.sleep(PAUSE)
                continue
            if message is None:
                continue
            channel = message["channel"].decode().removeprefix(PREFIX)
            if message["type"] == "subscribe" and channel in self._confirmed:
                self._confirmed[channel].set()
            if message["type"] != "message":
                continue
            for handler in list(self._handlers.get(channel, ())):
                try:
                    await handler(message["data"])
                except Exception:
                    log.exception("a message on %s was not understood", channel)


def make_bus(address: str | None) -> Bus:
    """The bus for a Redis address, or for one process alone."""
    return RedisBus(address) if address else MemoryBus()
