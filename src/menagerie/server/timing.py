"""The server's time: it never jumps back, and servers that share a database on another machine have the same."""

import time

from sqlalchemy import text

from menagerie.server.store import Store


class Time:
    """Tells the time. It goes on steadily from when the server started, whatever happens to the machine's clock."""

    def __init__(self) -> None:
        self._zero = time.time() - time.monotonic()

    def now(self) -> int:
        """Milliseconds since 1970."""
        return round((self._zero + time.monotonic()) * 1000)

    async def agree(self, store: Store) -> None:
        """Take over the time of a database that is another machine's too, so that all servers have the same."""
        if store.is_sqlite:
            return
        before = time.monotonic()
        row = await store.row(text("SELECT extract(epoch from clock_timestamp())"))
        assert row is not None
        self._zero = float(row[0]) - (before + time.monotonic()) / 2
