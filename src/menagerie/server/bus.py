"""How servers hear of each other: within one process by itself, between several through Redis."""

from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import Protocol

Handler = Callable[[bytes], Awaitable[None]]


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

    async def missing(self, names: list[str]) -> list[str]:
        """Those of them who are connected to no server."""


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
        """Remove a listener, if it is one."""
        if handler in self._handlers.get(channel, ()):
            self._handlers[channel].remove(handler)
            if not self._handlers[channel]:
                del self._handlers[channel]

    async def note_here(self, names: list[str]) -> None:
        """Whoever is here is known to this server anyway."""

    async def missing(self, names: list[str]) -> list[str]:
        """Nobody is anywhere else."""
        return names
