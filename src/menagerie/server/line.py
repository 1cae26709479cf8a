"""A line: a connection that is pinged, sends what waits, and ends where nobody reads."""

import asyncio
import time

from fastapi import WebSocket

from menagerie.server.house import new_name
from menagerie.server.listeners import Listener
from menagerie.server.messages import Ping, Pong
from menagerie.server.standing import encode

PING_SECONDS = 4.0
MOST_UNANSWERED = 3
"""Pings that a client may leave unanswered; after that it is taken to be gone."""
WRITE_SECONDS = 20.0
"""How long a client may leave the line so full that nothing more goes into it."""
SMOOTHING = 0.3


class Line:
    """A connection that is pinged: sends what waits, and measures the lag."""

    def __init__(self, websocket: WebSocket, listener: Listener) -> None:
        self._websocket, self._listener = websocket, listener
        self._number, self._sent, self._unanswered = 0, 0.0, 0
        self.name = new_name()
        self.lag: int | None = None

    async def send(self) -> None:
        """Send what waits, and a ping now and then, until the listener is let go."""
        self._timer = asyncio.get_running_loop().call_later(PING_SECONDS, self._ping)
        try:
            while (message := await self._listener.next()) is not None:
                async with asyncio.timeout(WRITE_SECONDS):
                    await self._websocket.send_text(message.decode())
        finally:
            self._timer.cancel()

    def _ping(self) -> None:
        """Ask whether the client is there."""
        self._timer = asyncio.get_running_loop().call_later(PING_SECONDS, self._ping)
        self._unanswered += 1
        if self._unanswered > MOST_UNANSWERED:
            self._listener.let_go()
            return
        self._number, self._sent = self._number + 1, time.monotonic()
        self._listener.tell(encode(Ping(n=self._number, lag_ms=self.lag)))

    def heard(self, pong: Pong) -> None:
        """The answer to a ping; only the last one measures the lag."""
        self._unanswered = 0
        if pong.n == self._number and self._sent:
            measured = (time.monotonic() - self._sent) * 1000
            self.lag = round(measured if self.lag is None else self.lag + SMOOTHING * (measured - self.lag))
            self._sent = 0.0
