"""The queue of turns that the machine is asked for: in memory for one process, in Redis for several.

Every job is taken with a lease. Whoever lets it run out has died, and the job goes to somebody else. An answer names
the match, the ply and the key it belongs to, so that one that comes twice or too late changes nothing.
"""

import asyncio
import heapq
import time
from typing import Protocol

import msgspec
from msgspec import Struct
from redis.asyncio import Redis
from redis.exceptions import RedisError

from menagerie.server.standing import encode

LEASE_SECONDS = 15.0
"""Longer than any level thinks; a first search may have to load or compile its code besides."""
PERSON_WAITS, NOBODY_WAITS = 0, 1
QUEUE, LEASES, BODIES, BELL, RESULTS = (
    f"menagerie:jobs:{part}" for part in ("queue", "leases", "bodies", "bell", "results")
)
TAKE = """
for _, name in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[1])) do
  redis.call('ZREM', KEYS[2], name)
  if redis.call('HEXISTS', KEYS[3], name) == 1 then redis.call('ZADD', KEYS[1], ARGV[1], name) end
end
local first = redis.call('ZPOPMIN', KEYS[1])
if #first == 0 then return false end
redis.call('ZADD', KEYS[2], ARGV[2], first[1])
return redis.call('HGET', KEYS[3], first[1])
"""
"""Put back what was leased too long, then lease the first job."""


class Job(Struct, kw_only=True, frozen=True):
    """A turn to be found: the match so far, and how strong and how fast the machine is to play."""

    match: str
    ply: int
    key: str
    game: str
    rules: str
    start: str | None
    turns: list[list[int]]
    level: int
    seconds: float | None
    priority: int

    @property
    def name(self) -> str:
        """What tells it from others: the same question has the same name."""
        return f"{self.match}:{self.ply}:{self.key}"


class Answer(Struct, kw_only=True, frozen=True):
    """The turn that was found for a position."""

    match: str
    ply: int
    key: str
    actions: list[int]


read_job = msgspec.json.Decoder(Job).decode
read_answer = msgspec.json.Decoder(Answer).decode


class Jobs(Protocol):
    """Where jobs wait, and answers."""

    async def put(self, job: Job) -> None:
        """Ask for a turn; asking again for the same one changes nothing."""

    async def take(self) -> Job:
        """The most urgent job, leased to the caller; waits until there is one."""

    async def finish(self, job: Job, answer: Answer | None) -> None:
        """The job is done (or cannot be): nobody else need take it."""

    async def give_back(self, job: Job) -> None:
        """The job could not be done: somebody else may take it at once."""

    async def answer(self) -> Answer:
        """The next answer; waits until there is one."""

    async def waiting(self) -> int:
        """How many jobs nobody has taken."""

    async def close(self) -> None:
        """Let go of everything."""


class MemoryJobs:
    """The queue of a single process."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, str]] = []
        self._jobs: dict[str, Job] = {}
        self._leases: dict[str, float] = {}
        self._count = 0
        self._bell = asyncio.Condition()
        self._answers: asyncio.Queue[Answer] = asyncio.Queue()

    async def put(self, job: Job) -> None:
        """Put it in line unless it is there."""
        async with self._bell:
            if job.name not in self._jobs:
                self._jobs[job.name] = job
                self._line_up(job)
            self._bell.notify_all()

    def _line_up(self, job: Job) -> None:
        self._count += 1
        heapq.heappush(self._heap, (job.priority, self._count, job.name))

    async def take(self) -> Job:
        """The first in line."""
        async with self._bell:
            while True:
                now = time.monotonic()
                for name in [name for name, until in self._leases.items() if until < now]:
                    del self._leases[name]
                    self._line_up(self._jobs[name])
                while self._heap:
                    name = heapq.heappop(self._heap)[2]
                    if name in self._jobs:  # else it was done while it stood in line
                        self._leases[name] = now + LEASE_SECONDS
                        return self._jobs[name]
                try:
                    await asyncio.wait_for(self._bell.wait(), 1)
                except TimeoutError:
                    continue

    async def finish(self, job: Job, answer: Answer | None) -> None:
        """Forget the job, hand on the answer."""
        self._leases.pop(job.name, None)
        if self._jobs.pop(job.name, None) and answer:
            await self._answers.put(answer)

    async def give_back(self, job: Job) -> None:
        """Put it in line again."""
        async with self._bell:
            if self._leases.pop(job.name, None) is not None:
                self._line_up(job)
            self._bell.notify_all()

    async def answer(self) -> Answer:
        """The next answer."""
        return await self._answers.get()

    async def waiting(self) -> int:
        """Those in line."""
        return len(self._heap)

    async def close(self) -> None:
        """Nothing is held."""


class RedisJobs:
    """The queue that servers and workers share."""

    def __init__(self, address: str) -> None:
        self._redis = Redis.from_url(address)
        self._take = self._redis.register_script(TAKE)

    async def put(self, job: Job) -> None:
        """Put it in line unless it is there, and ring the bell."""
        if await self._redis.hsetnx(BODIES, job.name, encode(job)):
            score = job.priority * 10**13 + time.time() * 1000
            await self._redis.zadd(QUEUE, {job.name: score})
        await self._redis.rpush(BELL, b"1")

    async def take(self) -> Job:
        """The first in line, or one whose lease has run out."""
        while True:
            now = time.time() * 1000
            body = await self._take(keys=[QUEUE, LEASES, BODIES], args=[now, now + LEASE_SECONDS * 1000])
            if body:
                return read_job(body)
            await self._redis.blpop([BELL], timeout=1)

    async def finish(self, job: Job, answer: Answer | None) -> None:
        """Forget the job, hand on the answer, all at once."""
        async with self._redis.pipeline() as pipe:
            pipe.zrem(LEASES, job.name)
            pipe.zrem(QUEUE, job.name)
            pipe.hdel(BODIES, job.name)
            if answer:
                pipe.rpush(RESULTS, encode(answer))
            await pipe.execute()

    async def give_back(self, job: Job) -> None:
        """Put it in line again."""
        if await self._redis.zrem(LEASES, job.name):
            await self._redis.zadd(QUEUE, {job.name: job.priority * 10**13})
            await self._redis.rpush(BELL, b"1")

    async def answer(self) -> Answer:
        """The next answer, for whichever server asks first."""
        while True:
            try:
                found = await self._redis.blpop([RESULTS], timeout=1)
            except RedisError:
                await asyncio.sleep(1)
                continue
            if found:
                return read_answer(found[1])

    async def waiting(self) -> int:
        """Those in line."""
        return int(await self._redis.zcard(QUEUE))

    async def close(self) -> None:
        """End the connections."""
        await self._redis.aclose()


def make_jobs(address: str | None) -> Jobs:
    """The queue for a Redis address, or for one process alone."""
    return RedisJobs(address) if address else MemoryJobs()
