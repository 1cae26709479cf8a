"""Listeners: what somebody is told, in line until they have read it."""

import asyncio
from dataclasses import dataclass, field

MOST_WAITING, MOST_BYTES = 200, 4 << 20
"""Messages that a slow client may leave unread before its connection is closed; it comes again and catches up."""


@dataclass(eq=False)
class Listener:
    """Somebody who is told what happens: the sides they play, and what they have not read yet; None ends it."""

    seats: list[int]
    waiting: asyncio.Queue[bytes | None] = field(default_factory=asyncio.Queue)
    unread: int = 0
    """Bytes that wait."""
    set_right_at: int | None = None
    """The version at which they were last sent all of the match because they were behind."""

    def tell(self, message: bytes) -> None:
        """Put a message in line; who is too slow is let go."""
        if self.waiting.qsize() >= MOST_WAITING or self.unread > MOST_BYTES:
            self.let_go()
        else:
            self.unread += len(message)
            self.waiting.put_nowait(message)

    def let_go(self) -> None:
        """End it; what was not read is not read."""
        while not self.waiting.empty():
            self.waiting.get_nowait()
        self.waiting.put_nowait(None)

    async def hear(self, message: bytes) -> None:
        """The same, for a bus."""
        self.tell(message)

    async def next(self) -> bytes | None:
        """What is next in line; waits until there is something."""
        message = await self.waiting.get()
        self.unread -= len(message or b"")
        return message
