"""The queue of turns that the machine is asked for: in memory for one process, in Redis for several.

Of those that somebody waits for, the first is the one that would be done first if all began when they were asked for: a
quick one does not wait for all the slow ones before it, and a slow one never for long.

Every job is taken with a lease. Whoever lets it run out has died, and the job goes to somebody else. An answer names
the match, the ply and the key it belongs to, so that one that comes twice or too late changes nothing.
"""

import asyncio
import heapq
import time
from collections import Counter
from typing import Protocol

import msgspec
from msgspec import Struct

from menagerie.search.limits import strength

LEASE_SECONDS = 15.0
"""Longer than any level thinks; a first search may have to load or compile its code besides."""
MANNED_SECONDS = 4.0
"""How long a worker counts as alive after it was last said."""
MOST_TRIES = 3
"""Workers may die of a job so often; then nobody is asked again, and the server finds the turn itself."""
PERSON_WAITS, NOBODY_WAITS = 0, 1


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

    @property
    def takes(self) -> float:
        """How many seconds it takes at most."""
        usual = strength(self.level).seconds
        return usual if self.seconds is None else min(usual, self.seconds)


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

    async def note_manned(self) -> None:
        """A worker is alive; to be said again every second."""

    async def is_manned(self) -> bool:
        """Whether any worker is alive; where nobody can tell, none is."""

    async def close(self) -> None:
        """Let go of everything."""


class MemoryJobs:
    """The queue of a single process."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, float, int, str]] = []
        self._jobs: dict[str, Job] = {}
        self._leases: dict[str, float] = {}
        self._tries: Counter[str] = Counter()
        self._count = 0
        self._bell = asyncio.Condition()
        self._answers: asyncio.Queue[Answer] = asyncio.Queue()
        self._manned = -MANNED_SECONDS

    async def put(self, job: Job) -> None:
        """Put it in line unless it is there."""
        async with self._bell:
            known = self._jobs.get(job.name)
            if known is None or (job.priority < known.priority and job.name not in self._leases):
                self._jobs[job.name] = job
                self._line_up(job)
            self._bell.notify_all()

    def _line_up(self, job: Job) -> None:
        self._count += 1
        heapq.heappush(self._heap, (job.priority, time.monotonic() + job.takes, self._count, job.name))

    async def take(self) -> Job:
        """The first in line."""
        async with self._bell:
            while True:
                now = time.monotonic()
                for name in [name for name, until in self._leases.items() if until < now]:
                    del self._leases[name]
                    self._line_up(self._jobs[name])
                while self._heap:
                    name = heapq.heappop(self._heap)[-1]
                    if name in self._jobs and name not in self._leases:  # else it was done, or stood in line twice
                        self._leases[name] = now + LEASE_SECONDS
                        return self._jobs[name]
                try:
                    await asyncio.wait_for(self._bell.wait(), 1)
                except TimeoutError:
                    continue

    async def finish(self, job: Job, answer: Answer | None) -> None:
        """Forget the job, hand on the answer."""
        self._leases.pop(job.name, None)
        self._tries.pop(job.name, None)
        if self._jobs.pop(job.name, None) and answer:
            await self._answers.put(answer)

    async def give_back(self, job: Job) -> None:
        """Put it in line again."""
        async with self._bell:
            self._tries[job.name] += 1
            if self._leases.pop(job.name, None) is not None and self._tries[job.name] < MOST_TRIES:
                self._line_up(job)
            self._bell.notify_all()

    async def answer(self) -> Answer:
        """The next answer."""
        return await self._answers.get()

    async def waiting(self) -> int:
        """Those in line."""
        return len({name for *_, name in self._heap if name in self._jobs and name not in self._leases})

    async def note_manned(self) -> None:
        """Note the time."""
        self._manned = time.monotonic()

    async def is_manned(self) -> bool:
        """Whether it was noted lately."""
        return time.monotonic() - self._manned < MANNED_SECONDS

    async def close(self) -> None:
        """Nothing is held."""
