"""The queue of the machine's turns in Redis, for several servers and workers. What must happen at once is a script."""

import asyncio

from redis.asyncio import Redis
from redis.exceptions import RedisError

from menagerie.server.jobs import (
    LEASE_SECONDS,
    MANNED_SECONDS,
    MOST_TRIES,
    Answer,
    Job,
    Jobs,
    MemoryJobs,
    read_answer,
    read_job,
)
from menagerie.server.sharedbus import connect
from menagerie.server.standing import encode

QUEUE, LEASES, BODIES, BELL, RESULTS, TRIES, MANNED = (
    f"menagerie:jobs:{part}" for part in ("queue", "leases", "bodies", "bell", "results", "tries", "manned")
)
NOW = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
"""
"""Redis's own time: the clocks of machines differ."""
PUT = (
    NOW
    + """
if tonumber(redis.call('HGET', KEYS[5], ARGV[1]) or 0) >= tonumber(ARGV[5]) then return end
redis.call('HSETNX', KEYS[3], ARGV[1], ARGV[2])
if redis.call('ZSCORE', KEYS[2], ARGV[1]) then return end
redis.call('ZADD', KEYS[1], 'LT', now + ARGV[3], ARGV[1])
redis.call('DEL', KEYS[4])
redis.call('RPUSH', KEYS[4], unpack(redis.call('ZRANGE', KEYS[1], 0, ARGV[4])))
"""
)
"""Put a job in line, or further forward, unless somebody works on it; the bell has a stroke for each that waits."""
TAKE = (
    NOW
    + """
for _, name in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now)) do
  redis.call('ZREM', KEYS[2], name)
  if redis.call('HEXISTS', KEYS[3], name) == 1 then redis.call('ZADD', KEYS[1], now, name) end
end
local first = redis.call('ZPOPMIN', KEYS[1])
if #first == 0 then return false end
redis.call('ZADD', KEYS[2], now + ARGV[1], first[1])
return redis.call('HGET', KEYS[3], first[1])
"""
)
"""Put back what was leased too long, then lease the first job."""
GIVE_BACK = (
    NOW
    + """
if redis.call('ZREM', KEYS[2], ARGV[1]) == 0 then return end
if redis.call('HINCRBY', KEYS[5], ARGV[1], 1) >= tonumber(ARGV[3]) then return end
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('RPUSH', KEYS[4], '1')
"""
)
"""Put a job that somebody has died of behind the others; after some tries, nowhere."""
MOST_STROKES = 100
FAR = 10**13


class RedisJobs:
    """The queue that servers and workers share."""

    def __init__(self, address: str) -> None:
        self._redis = connect(address)
        """Answers at once, or fails."""
        self._patient = Redis.from_url(address)
        """For those who have nothing to do but wait."""
        self._put, self._give_back = (self._redis.register_script(script) for script in (PUT, GIVE_BACK))
        self._take = self._patient.register_script(TAKE)
        self._keys = [QUEUE, LEASES, BODIES, BELL, TRIES]

    async def put(self, job: Job) -> None:
        """Put it in line unless it is there, and ring the bell."""
        await self._put(keys=self._keys, args=[job.name, encode(job), place(job), MOST_STROKES, MOST_TRIES])

    async def take(self) -> Job:
        """The first in line, or one whose lease has run out."""
        while True:
            body = await self._take(keys=self._keys, args=[round(LEASE_SECONDS * 1000)])
            if body:
                return read_job(body)
            await self._patient.blpop([BELL], timeout=1)

    async def finish(self, job: Job, answer: Answer | None) -> None:
        """Forget the job, hand on the answer, all at once."""
        async with self._redis.pipeline() as pipe:
            pipe.zrem(LEASES, job.name)
            pipe.zrem(QUEUE, job.name)
            pipe.hdel(BODIES, job.name)
            pipe.hdel(TRIES, job.name)
            if answer:
                pipe.rpush(RESULTS, encode(answer))
            await pipe.execute()

    async def give_back(self, job: Job) -> None:
        """Put it in line again."""
        await self._give_back(keys=self._keys, args=[job.name, place(job), MOST_TRIES])

    async def answer(self) -> Answer:
        """The next answer, for whichever server asks first."""
        while True:
            try:
                found = await self._patient.blpop([RESULTS], timeout=1)
            except RedisError:
                await asyncio.sleep(1)
                continue
            if found:
                return read_answer(found[1])

    async def waiting(self) -> int:
        """Those in line."""
        return int(await self._redis.zcard(QUEUE))

    async def note_manned(self) -> None:
        """Keep a key that vanishes by itself."""
        await self._redis.set(MANNED, b"1", px=round(MANNED_SECONDS * 1000))

    async def is_manned(self) -> bool:
        """Look for the key."""
        try:
            return bool(await self._redis.exists(MANNED))
        except RedisError:
            return False

    async def close(self) -> None:
        """End the connections."""
        await self._redis.aclose()
        await self._patient.aclose()


def place(job: Job) -> int:
    """How far behind now a job lines up: by what it takes; those that nobody waits for stand behind all others."""
    return round(job.priority * FAR + job.takes * 1000)


def make_jobs(address: str | None) -> Jobs:
    """The queue for a Redis address, or for one process alone."""
    return RedisJobs(address) if address else MemoryJobs()
