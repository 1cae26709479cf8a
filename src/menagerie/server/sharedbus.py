"""The bus between servers, through Redis. Nobody waits for it for long."""

import asyncio
import logging
from collections import defaultdict
from contextlib import suppress

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from menagerie.errors import MenagerieError
from menagerie.server.bus import Bus, Handler, MemoryBus
from menagerie.server.chores import end, forever

log = logging.getLogger(__name__)

PREFIX = "menagerie:"
HERE_SECONDS = 15
"""How long somebody counts as here after a server last said so."""
CONFIRMED_SECONDS = 5
ANSWER_SECONDS = 0.9
"""How long Redis may take to answer: whoever waits for it waits no longer."""
PAUSE = 0.5
MOST_UNSENT = 10_000
"""Messages that wait for Redis; what is more is lost, as when a connection breaks."""


class RedisBus:
    """The bus between processes. It may lose messages when a connection breaks: versions show what is missing."""

    is_shared = True

    def __init__(self, address: str) -> None:
        self._redis = connect(address)
        self._pubsub = self._redis.pubsub()
        self._handlers: dict[str, list[Handler]] = defaultdict(list)
        self._confirmed: dict[str, asyncio.Event] = {}
        self._outbox: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue()
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Subscribe, and hear and tell in tasks of their own."""
        try:
            await self._redis.ping()
        except RedisError as error:
            raise MenagerieError(f"Redis cannot be used: {error}") from error
        await self._pubsub.subscribe(PREFIX + "all")
        self._tasks = [asyncio.create_task(forever(chore, 0.0)) for chore in (self._hear, self._send)]

    async def close(self) -> None:
        """End the tasks and the connections."""
        if not self._outbox.empty():
            await self._send()
        await end(self._tasks)
        await self._pubsub.aclose()  # type: ignore[no-untyped-call]
        await self._redis.aclose()

    async def publish(self, channel: str, data: bytes) -> None:
        """Tell all servers, soon and in order; nobody waits for it.

        Where Redis is away for a moment, they find out by the versions in the database.
        """
        if self._outbox.qsize() < MOST_UNSENT:
            self._outbox.put_nowait((channel, data))

    async def _send(self) -> None:
        """Send all that waits, at once."""
        waiting = [await self._outbox.get()]
        while not self._outbox.empty():
            waiting.append(self._outbox.get_nowait())
        try:
            async with self._redis.pipeline(transaction=False) as pipe:
                for channel, data in waiting:
                    pipe.publish(PREFIX + channel, data)
                await pipe.execute()
        except RedisError as error:
            log.warning("Redis does not take messages: %s", error)

    async def listen(self, channel: str, handler: Handler) -> None:
        """Add a listener; the subscription is in force when this returns, and there is none if it fails."""
        self._handlers[channel].append(handler)
        confirmed = self._confirmed.setdefault(channel, asyncio.Event())
        try:
            if not confirmed.is_set():
                await self._pubsub.subscribe(PREFIX + channel)
            await asyncio.wait_for(confirmed.wait(), CONFIRMED_SECONDS)
        except BaseException:
            await self.ignore(channel, handler)
            raise

    async def ignore(self, channel: str, handler: Handler) -> None:
        """Remove a listener, if it is one."""
        handlers = self._handlers.get(channel, [])
        if handler not in handlers:
            return
        handlers.remove(handler)
        if not handlers:
            del self._handlers[channel], self._confirmed[channel]
            with suppress(RedisError):  # then what still comes is for nobody
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

    async def missing(self, names: list[str]) -> list[str]:
        """Look for the keys; where nobody can tell, everybody is taken to be here."""
        try:
            async with self._redis.pipeline(transaction=False) as pipe:
                for name in names:
                    pipe.exists(f"{PREFIX}here:{name}")
                found = await pipe.execute()
        except RedisError:
            return []
        return [name for name, is_here in zip(names, found, strict=True) if not is_here]

    async def _hear(self) -> None:
        """Hand on what comes next; after a break the client subscribes to everything again."""
        try:
            message = await self._pubsub.get_message(timeout=5)
        except RedisError as error:
            log.warning("Redis cannot be heard: %s", error)
            await asyncio.sleep(PAUSE)
            return
        if message is None:
            return
        channel = message["channel"].decode().removeprefix(PREFIX)
        if message["type"] == "subscribe" and channel in self._confirmed:
            self._confirmed[channel].set()
        if message["type"] != "message":
            return
        for handler in list(self._handlers.get(channel, ())):
            try:
                await handler(message["data"])
            except Exception:
                log.exception("a message on %s was not understood", channel)


def connect(address: str) -> Redis:
    """A Redis that answers soon, or fails."""
    once = Retry(NoBackoff(), 0)
    return Redis.from_url(address, socket_timeout=ANSWER_SECONDS, socket_connect_timeout=ANSWER_SECONDS, retry=once)


def make_bus(address: str | None) -> Bus:
    """The bus for a Redis address, or for one process alone."""
    return RedisBus(address) if address else MemoryBus()
