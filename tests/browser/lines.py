"""A network between browser and server that can be slow, and be cut."""

import asyncio
import threading

from servers import free_port


class Network:
    """A port that leads to another, through as much delay as is wanted; while it is cut, nothing comes through."""

    def __init__(self, to: int, delay: float = 0.0) -> None:
        self.to, self.delay = to, delay
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self._loop = asyncio.new_event_loop()
        self._whole = asyncio.Event()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> "Network":
        self._thread.start()
        self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def cut(self) -> None:
        """Nothing comes through any more, and nobody is told."""
        self._loop.call_soon_threadsafe(self._whole.clear)

    def restore(self) -> None:
        """What was held back comes through."""
        self._loop.call_soon_threadsafe(self._whole.set)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._whole.set()
        self._loop.run_until_complete(asyncio.start_server(self._join, "127.0.0.1", self.port))
        self._ready.set()
        self._loop.run_forever()

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._whole.wait()
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.to)
        except OSError:
            writer.close()
            return
        await asyncio.gather(self._carry(reader, far_writer), self._carry(far_reader, writer))

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65_536):
                await self._whole.wait()
                self._loop.call_later(self.delay, writer.write, data)
        except OSError:
            pass
        if self._loop.is_running():
            self._loop.call_later(self.delay, writer.close)
