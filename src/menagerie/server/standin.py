"""The stand-in: where no worker answers in time, the server finds a turn itself, a plain one, and nobody waits long."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from msgspec.structs import replace

from menagerie.server.jobs import Answer, Job
from menagerie.server.worker import Bench

PLAIN = 3
"""No level above this stands in: its search is over before anybody notices."""
SECONDS = 0.5


class StandIn:
    """Works off one job after the other, each in a thread; the event loop goes on."""

    def __init__(self) -> None:
        self._jobs: asyncio.Queue[Job] = asyncio.Queue()
        self._asked: set[str] = set()
        self._bench = Bench()
        self._thread = ThreadPoolExecutor(1, "stand-in")
        """Its own, so that it waits for nothing else that threads do."""

    def ask(self, job: Job) -> None:
        """Ask for a turn; asking again for the same one changes nothing."""
        if job.name not in self._asked:
            self._asked.add(job.name)
            seconds = min(job.seconds or SECONDS, SECONDS)
            self._jobs.put_nowait(replace(job, level=min(job.level, PLAIN), seconds=seconds))

    async def answer(self) -> tuple[Job, Answer]:
        """The next job that is done; waits until there is one."""
        job = await self._jobs.get()
        try:
            return job, await asyncio.get_running_loop().run_in_executor(self._thread, self._bench.work, job)
        finally:
            self._asked.discard(job.name)
