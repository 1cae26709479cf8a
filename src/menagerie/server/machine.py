"""The machine: asks workers for its turns, or finds one here where none is alive, and plays what comes."""

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING

from redis.exceptions import RedisError

from menagerie.match.clock import SECOND
from menagerie.search.limits import strength
from menagerie.server import decisions, messages, metrics
from menagerie.server.deadlines import is_busy, is_stuck
from menagerie.server.jobs import NOBODY_WAITS, PERSON_WAITS, Answer, Job
from menagerie.server.refusals import Refusal
from menagerie.server.scene import key_text
from menagerie.server.sitting import STOOD_IN, Sitting
from menagerie.server.standin import StandIn
from menagerie.server.standing import Change

if TYPE_CHECKING:
    from menagerie.server.house import House

log = logging.getLogger(__name__)

UNMANNED_SECONDS = 1.0
"""How long a turn waits for a worker where none is alive."""
SHARE = 20
"""The machine thinks for at most one part in so many of the time it has."""


class Machine:
    """The machine's side of all matches of a house."""

    def __init__(self, house: "House") -> None:
        self._house, self._jobs = house, house.jobs
        self._stand_in = StandIn()

    def ask(self, sitting: Sitting) -> None:
        """Have the machine's turn found, where it is to move; nobody waits until it is asked."""
        if sitting.level is not None:
            self._house.errand(self._ask(self._job(sitting, sitting.level)))

    async def _ask(self, job: Job) -> None:
        """Put a job into the queue; where no worker is alive, find the turn here. If it fails, the sweep asks again."""
        try:
            await self._jobs.put(job)
        except Exception as error:
            log.warning("the machine could not be asked about %s: %s", job.match, error)
        await asyncio.sleep(UNMANNED_SECONDS)
        if not await self._jobs.is_manned() and await self._is_wanted(job):
            self._stand_in.ask(job)

    async def _is_wanted(self, job: Job) -> bool:
        """Whether a job's turn is still to be made."""
        sitting = (await self._house.room(job.match)).sitting
        return sitting.ply == job.ply and sitting.level is not None

    async def look_after(self, sitting: Sitting) -> None:
        """The moment has come when a turn should be there: ask again, or find it here."""
        level, now = sitting.level, self._house.time.now()
        if level is None:
            return
        is_alone = is_busy(sitting.standing, level, now) and not await self._jobs.is_manned()
        if is_alone or is_stuck(sitting.standing, level, now):
            self._stand_in.ask(self._job(sitting, level))
        else:
            self.ask(sitting)

    def _job(self, sitting: Sitting, level: int) -> Job:
        """The question for the machine's turn."""
        terms, player = sitting.terms, sitting.position.player
        left = sitting.standing.clock.face(player, self._house.time.now()).flag
        seconds = None if left is None else max(0.05, min(strength(level).seconds, left / SECOND / SHARE))
        room = self._house.rooms.get(sitting.id)
        is_watched = not sitting.turns or (room is not None and bool(room.listeners))
        return Job(
            match=sitting.id,
            ply=sitting.ply,
            key=key_text(sitting.position.key),
            game=terms.game,
            rules=terms.rules,
            start=terms.start,
            turns=[turn.actions for turn in sitting.turns],
            level=level,
            seconds=seconds,
            priority=PERSON_WAITS if is_watched else NOBODY_WAITS,
        )

    async def listen_to_workers(self) -> None:
        """Play the turn that a worker has found next."""
        await self._play(await self._jobs.answer(), "machine")

    async def listen_to_stand_in(self) -> None:
        """Play the turn that was found here because no worker was there, and spare the workers the question."""
        job, answer = await self._stand_in.answer()
        await self._play(answer, STOOD_IN)
        metrics.stood_in.inc()
        with suppress(RedisError):  # then a worker finds it too, and nobody needs that
            await self._jobs.finish(job, None)

    async def _play(self, answer: Answer, name: str) -> None:
        """Play a turn of the machine's under the name of whoever has found it, if it is still wanted."""
        room = await self._house.room(answer.match)
        message = messages.Turn(id=name, ply=answer.ply, key=answer.key, actions=answer.actions)

        def decide(sitting: Sitting, now: int) -> Change | None:
            if sitting.ply != answer.ply or sitting.level is None:
                return None
            return decisions.turn(sitting, [sitting.position.player], message, now, 0)

        try:
            if await self._house.change(room, decide):
                metrics.turns.labels("machine").inc()
        except Refusal as refusal:
            log.info("an answer of the machine for %s is not needed: %s", answer.match, refusal)

    async def count(self) -> None:
        """See how much there is to do."""
        with suppress(RedisError):
            metrics.jobs_waiting.set(await self._jobs.waiting())
