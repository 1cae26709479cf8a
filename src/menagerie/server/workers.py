"""The crew of engine processes: takes jobs from the queue, hands them out, replaces who has died or takes too long."""

import asyncio
import contextlib
import logging
import sys
import time

import msgspec
from redis.exceptions import RedisError

from menagerie.server import metrics
from menagerie.server.chores import end, forever
from menagerie.server.jobs import LEASE_SECONDS, Answer, Job, Jobs
from menagerie.server.worker import HELLO, LENGTH

log = logging.getLogger(__name__)

FIRST_JOB_SECONDS = 120.0
"""A new process may have to compile a game first; the lease of the job runs out meanwhile, and another may take it."""
LONGEST_ANSWER = 1 << 16
PAUSE = 0.5
MANNED_EVERY = 1.0


class Worker:
    """One engine process, started when there is something to do and started anew when it has died."""

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        self._process: asyncio.subprocess.Process | None = None
        self._has_begun = False
        self._done: set[str] = set()
        """The games it has played: their machine code is loaded."""

    async def run(self) -> None:
        """Work for ever."""
        try:
            while True:
                try:
                    await self._one()
                except RedisError as error:
                    log.warning("no jobs, Redis is away: %s", error)
                    await asyncio.sleep(PAUSE)
                except Exception:
                    log.exception("a worker could not work")
                    await asyncio.sleep(PAUSE)
        finally:
            await self._end()

    async def _one(self) -> None:
        """Take a job and see that it is answered, or given back."""
        try:
            await self._ready()
        except (EOFError, TimeoutError) as error:
            log.warning("a worker did not start: %r", error)
            await self._end()
            await asyncio.sleep(PAUSE)
            return
        job = await self._jobs.take()
        begun = time.monotonic()
        try:
            answer = await self._ask_while_alive(job)
        except Exception as error:  # Whatever ends a process, and however the loop says so, it is replaced.
            log.warning("a worker failed at %s and is replaced: %r", job.name, error)
            metrics.workers_replaced.inc()
            await self._end()
            await self._jobs.give_back(job)
            await asyncio.sleep(PAUSE)
            return
        self._done.add(job.game)
        metrics.engine_seconds.observe(time.monotonic() - begun)
        await self._jobs.finish(job, answer)

    async def _ask_while_alive(self, job: Job) -> Answer:
        """Ask the process; it may end, or take too long."""
        assert self._process
        asking, ending = asyncio.ensure_future(self._ask(job)), asyncio.ensure_future(self._process.wait())
        try:
            done, _ = await asyncio.wait((asking, ending), timeout=self._patience(job), return_when="FIRST_COMPLETED")
        finally:
            ending.cancel()
            if not asking.done():
                asking.cancel()
        if asking in done:
            return asking.result()
        raise EOFError("it ended") if done else TimeoutError("it took too long")

    def _patience(self, job: Job) -> float:
        return LEASE_SECONDS if job.game in self._done else FIRST_JOB_SECONDS

    async def _ask(self, job: Job) -> Answer:
        """Hand a job to the process and wait for its answer."""
        process = self._process
        assert process and process.stdin and process.stdout
        body = msgspec.msgpack.encode(job)
        process.stdin.write(LENGTH.pack(len(body)) + body)
        await process.stdin.drain()
        (length,) = LENGTH.unpack(await process.stdout.readexactly(LENGTH.size))
        if length > LONGEST_ANSWER:
            raise EOFError(f"an answer of {length} bytes is none")
        return msgspec.msgpack.decode(await process.stdout.readexactly(length), type=Answer)

    async def _ready(self) -> None:
        """See that there is a process, and that it has said that it is there."""
        if not self.is_alive:
            await self._end()
            self._done.clear()
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "menagerie.server.worker",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
            )
            assert self._process.stdout
            async with asyncio.timeout(FIRST_JOB_SECONDS):
                await self._process.stdout.readexactly(len(HELLO))
            self._has_begun = True

    @property
    def is_alive(self) -> bool:
        """Whether there is a process that can work."""
        return self._has_begun and self._process is not None and self._process.returncode is None

    async def _end(self) -> None:
        """See that there is none."""
        if self._process and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()
        self._process, self._has_begun = None, False


class Crew:
    """So many workers."""

    def __init__(self, jobs: Jobs, size: int) -> None:
        self._jobs = jobs
        self._workers = [Worker(jobs) for _ in range(size)]
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Let them work."""
        self._tasks = [asyncio.create_task(worker.run()) for worker in self._workers]
        self._tasks.append(asyncio.create_task(forever(self._note_manned, MANNED_EVERY)))

    async def _note_manned(self) -> None:
        """Say that somebody is here, as long as a process is alive."""
        if any(worker.is_alive for worker in self._workers):
            with contextlib.suppress(RedisError):
                await self._jobs.note_manned()

    async def stop(self) -> None:
        """Send them home; jobs that are not done stay in the queue."""
        await end(self._tasks)
