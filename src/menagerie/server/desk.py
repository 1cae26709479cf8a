"""The desk: everything that a request may need, put together once when the server starts."""

import asyncio
import dataclasses
import logging
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from msgspec.structs import replace
from sqlalchemy import delete, func, insert, select, update

from menagerie.arena.players import random_turn
from menagerie.games import names
from menagerie.match.clock import DAY, SECOND
from menagerie.match.match import Match
from menagerie.server import catalogue, decisions, presence, scene
from menagerie.server.accounts import Accounts
from menagerie.server.bus import Bus
from menagerie.server.chores import end, forever
from menagerie.server.house import House, new_name
from menagerie.server.jobs import Jobs
from menagerie.server.ledger import Ledger
from menagerie.server.limits import Limits
from menagerie.server.lobby import Lobby
from menagerie.server.people import People
from menagerie.server.settings import Settings
from menagerie.server.sharedbus import make_bus
from menagerie.server.sharedjobs import make_jobs
from menagerie.server.sitting import Sitting
from menagerie.server.standing import Change
from menagerie.server.store import Store
from menagerie.server.tables import people, seats, seeks, servers, sessions
from menagerie.server.timing import Time
from menagerie.server.worker import Bench
from menagerie.server.workers import Crew

log = logging.getLogger(__name__)

ALIVE_SECONDS = 2.0
DEAD_AFTER = 8 * SECOND
"""A server that was not seen for so long is gone."""
TIDY_SECONDS = 600.0
UNUSED_FOR = 30 * DAY
"""How long a guest is kept who has never played."""
GIVEN_BACK = 15 * SECOND
"""What both sides get after a time in which nobody could play."""


@dataclass
class Desk:
    """The parts of a server."""

    settings: Settings
    store: Store
    bus: Bus
    jobs: Jobs
    time: Time
    limits: Limits
    accounts: Accounts
    people: People
    house: House
    lobby: Lobby
    crew: Crew
    name: str
    is_stopping: Callable[[], bool] = field(default=lambda: False)
    """Whether connections end because the server does: then nobody has left."""

    @classmethod
    def of(cls, settings: Settings) -> "Desk":
        """All parts, none of them at work."""
        store, time = Store(settings.database), Time()
        bus, jobs, people = make_bus(settings.redis), make_jobs(settings.redis), People(store)
        house = House(Ledger(store), bus, jobs, time)
        return cls(
            settings=settings,
            store=store,
            bus=bus,
            jobs=jobs,
            time=time,
            limits=Limits(settings.unlimited),
            accounts=Accounts(store, time),
            people=people,
            house=house,
            lobby=Lobby(store, house, people),
            crew=Crew(jobs, settings.workers),
            name=new_name(),
        )

    async def open(self) -> None:
        """Set everything to work: tables first, then rules, then the matches that were interrupted."""
        await self.store.open()
        if not self.bus.is_shared:
            await self.store.claim()
        await self.time.agree(self.store)
        await self.bus.open()
        await asyncio.to_thread(warm, not self.settings.workers)
        await self._resume()
        self._chores = [
            asyncio.create_task(forever(self._beat, ALIVE_SECONDS)),
            asyncio.create_task(forever(self.tidy, TIDY_SECONDS)),
            asyncio.create_task(forever(partial(presence.refresh, self.house), presence.REFRESH_SECONDS)),
        ]
        self.house.start()
        self.crew.start()
        log.info("ready: %s", self.store.url.render_as_string(hide_password=True))

    async def close(self) -> None:
        """Put everything down, losing nothing."""
        await end(self._chores)
        await self.crew.stop()
        await self.house.stop()
        await self._beat()
        await self.jobs.close()
        await self.bus.close()
        await self.store.close()

    async def _beat(self) -> None:
        """Say that this server is alive."""
        seen = {"seen": self.time.now()}
        if not await self.store.write(update(servers).where(servers.c.id == self.name).values(**seen)):
            await self.store.write(insert(servers).values(id=self.name, **seen))

    async def _resume(self) -> None:
        """If no server was there for a while, that does not count on any clock, and both sides get some time.

        Of servers that start together one does it, and the others see that it was there.
        """
        async with self.store.alone():
            row = await self.store.row(select(func.max(servers.c.seen)))
            now = self.time.now()
            seen = int(row[0]) if row and row[0] else None
            if not self.bus.is_shared or seen is None or now - seen >= DEAD_AFTER:
                await self.store.write(delete(servers))
                for name in await self.house.ledger.waiting():
                    await self._resume_match(name, max(0, now - (seen or now)))
            await self._beat()

    async def _resume_match(self, name: str, pause: int) -> None:
        """A match goes on; one that cannot does not stop the others."""
        try:
            room = await self.house.room(name)
            await self.house.change(room, partial(resume, pause))
            self.house.machine.ask(room.sitting)
        except Exception:
            log.exception("%s cannot go on", name)

    async def tidy(self) -> None:
        """Throw away what nobody can use any more."""
        now = self.time.now()
        self.limits.tidy()
        kept = select(seats.c.person).union(select(seeks.c.person)).scalar_subquery()
        idle = people.c.kind == "guest", people.c.created < now - UNUSED_FOR, people.c.id.not_in(kept)
        unused = select(people.c.id).where(*idle).scalar_subquery()
        await self.store.write(
            delete(sessions).where(sessions.c.expires < now),
            delete(seeks).where(seeks.c.expires < now - DAY, seeks.c.match.is_(None)),
            delete(servers).where(servers.c.seen < now - DAY),
            delete(sessions).where(sessions.c.person.in_(unused)),
            delete(people).where(people.c.id.in_(unused)),
        )


def resume(pause: int, sitting: Sitting, now: int) -> Change:
    """A match goes on after a standstill; who is not back yet is away from now on."""
    standing = sitting.standing
    clock = standing.clock.resume(pause, GIVEN_BACK)
    asked = None if standing.asked is None else now
    resumed = dataclasses.replace(sitting, standing=replace(standing, clock=clock, absences={}, asked=asked))
    return decisions.leave(resumed, people_of(sitting), False, now) or Change(standing=resumed.standing)


def people_of(sitting: Sitting) -> list[int]:
    """The sides that people play."""
    return [seat for seat in range(2) if sitting.terms.players[seat].person]


def warm(is_alone: bool) -> None:
    """Load or compile the rules of every game, so that no request has to wait for it; alone, the engine too."""
    bench = Bench()
    for name in names():
        if is_alone:
            bench.warm(name)
        match = Match(catalogue.variant_of(name, ""))
        catalogue.game_fact(name)
        for _ in range(4):
            if match.outcome:
                break
            turn = random_turn(match, random.Random(1))
            match.play(turn)
            scene.turn_fact(turn, 0, None)
            scene.position_fact(match.position, match.outcome)
            scene.choice(match, match.position)
        match.position.turns()
