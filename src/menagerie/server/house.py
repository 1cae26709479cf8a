"""The house: opens matches, keeps their rooms, asks the machine for its turns and looks after what time brings."""

import asyncio
import logging
import secrets
from collections.abc import Coroutine

from menagerie.match.clock import MINUTE, SECOND
from menagerie.server import decisions, messages, metrics
from menagerie.server.bus import Bus
from menagerie.server.chores import end, finish, forever, hear_out
from menagerie.server.deadlines import tick
from menagerie.server.jobs import Jobs
from menagerie.server.ledger import Ledger
from menagerie.server.machine import Machine
from menagerie.server.offers import fresh
from menagerie.server.refusals import OUTAGE, NotFound, Refusal
from menagerie.server.rooms import Decide, Room, tell_turns
from menagerie.server.sitting import Sitting
from menagerie.server.standing import Change, Opening, Terms, encode
from menagerie.server.timing import Time

log = logging.getLogger(__name__)

SWEEP_SECONDS = 0.2
MOST_SWEPT = 200
ROOM_IDLE = 60 * SECOND
COUNT_SECONDS = 5.0
UNREADABLE_FOR = 10 * MINUTE
"""How long a match that cannot be looked at is left alone, so that it stops nobody else."""


def new_name() -> str:
    """A name for something new, that nobody can guess."""
    return secrets.token_urlsafe(9).replace("-", "x").replace("_", "y")


class House:
    """All matches of one server."""

    def __init__(self, ledger: Ledger, bus: Bus, jobs: Jobs, time: Time) -> None:
        self.ledger, self.bus, self.jobs, self.time = ledger, bus, jobs, time
        self.rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self.machine = Machine(self)
        self._tasks: list[asyncio.Task[None]] = []
        self._errands: set[asyncio.Task[None]] = set()
        self._alarms: dict[str, asyncio.TimerHandle] = {}

    def start(self) -> None:
        """Begin to look after the matches."""
        chores = [
            (self._sweep, SWEEP_SECONDS),
            (self.machine.listen_to_workers, 0.0),
            (self.machine.listen_to_stand_in, 0.0),
            (self.machine.count, COUNT_SECONDS),
        ]
        self._tasks = [asyncio.create_task(forever(chore, pause)) for chore, pause in chores]

    async def stop(self) -> None:
        """Look after nothing any more; what is being stored is finished first."""
        await end(self._tasks)
        for alarm in self._alarms.values():
            alarm.cancel()
        for room in list(self.rooms.values()):
            await room.settle()
        await end(list(self._errands))

    def errand(self, errand: Coroutine[None, None, None]) -> None:
        """Have something done that nobody waits for."""
        task = asyncio.create_task(errand)
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)
        task.add_done_callback(hear_out)

    async def open(self, terms: Terms, player: int) -> str:
        """A new match, in which that player moves first."""
        now = self.time.now()
        opening = Opening(name=new_name(), terms=terms, standing=fresh(terms, player, now))
        await self.ledger.open(opening, now)
        await self.opened(opening)
        return opening.name

    async def opened(self, opening: Opening) -> None:
        """A match is in the database: tell those who play it, and ask the machine if it begins."""
        terms = opening.terms
        metrics.matches.labels(terms.game).inc()
        await self.tell(terms, messages.Begun(match=opening.name, game=terms.game))
        if opening.standing.asked is not None:
            self.machine.ask(Sitting.of(opening.name, terms, opening.standing))

    async def tell(self, terms: Terms, message: messages.Begun | messages.YourTurn | messages.Finished) -> None:
        """Tell the people who play a match something wherever they are."""
        for person in {player.person for player in terms.players if player.person}:
            await self.bus.publish(f"person:{person}", encode(message))

    async def room(self, name: str) -> Room:
        """The room of a match; a NotFound where there is no such match."""
        if name in self.rooms:
            self.rooms[name].idle_since = self.time.now()
            return self.rooms[name]
        if name not in self._loading:
            self._loading[name] = asyncio.create_task(self._load(name))
            self._loading[name].add_done_callback(lambda _: self._loading.pop(name))
        return await finish(self._loading[name])

    async def _load(self, name: str) -> Room:
        sitting = await self.ledger.load(name) if 1 <= len(name) <= 16 else None
        if sitting is None:
            raise NotFound(f"there is no match {name[:20]!r}")
        told = await asyncio.to_thread(tell_turns, sitting)
        room = Room(sitting, told, (self.ledger, self.bus, self.time))
        if self.bus.is_shared:
            await self._join_others(room)
        self.rooms[name] = room
        self._set_alarm(room)
        return room

    async def _join_others(self, room: Room) -> None:
        """Hear what other servers do to a match."""
        name = room.sitting.id
        await self.bus.listen(f"match:{name}", room.heed)
        try:
            await room.refresh((await self.ledger.versions([name]))[name])
        except BaseException:
            await self.bus.ignore(f"match:{name}", room.heed)
            raise

    async def change(self, room: Room, decide: Decide) -> Change | None:
        """Change a match, and see to what follows; both are finished even if whoever asked vanishes meanwhile."""
        return await finish(self._change(room, decide))

    async def _change(self, room: Room, decide: Decide) -> Change | None:
        was_playing = room.sitting.is_playing
        change = await room.change(decide)
        if change is not None:
            self._set_alarm(room)
            await self._follow(room.sitting, change, was_playing)
        return change

    def _set_alarm(self, room: Room) -> None:
        """Look at a match at the very moment when something is due; the sweep finds what is missed."""
        name, due = room.sitting.id, room.sitting.standing.due
        if name in self._alarms:
            self._alarms.pop(name).cancel()
        if due is not None and due - self.time.now() < MINUTE:
            wait = max(0, due - self.time.now()) / SECOND
            self._alarms[name] = asyncio.get_running_loop().call_later(wait, self._ring, name)

    def _ring(self, name: str) -> None:
        self._alarms.pop(name, None)
        self.errand(self._look_at(name))

    async def _follow(self, sitting: Sitting, change: Change, was_playing: bool) -> None:
        if change.opens:
            await self.opened(change.opens)
        if was_playing and not sitting.is_playing and sitting.standing.outcome:
            words = sitting.standing.outcome.words
            await self.tell(sitting.terms, messages.Finished(match=sitting.id, game=sitting.terms.game, words=words))
        elif change.turn and sitting.level is not None:
            self.machine.ask(sitting)
        elif change.turn and decisions.is_slow(sitting.standing):
            person = sitting.terms.players[sitting.position.player].person
            news = messages.YourTurn(match=sitting.id, game=sitting.terms.game)
            await self.bus.publish(f"person:{person}", encode(news))

    async def _sweep(self) -> None:
        """Look at every match whose time has come, and forget rooms that nobody is in."""
        for name in await self.ledger.overdue(self.time.now(), MOST_SWEPT):
            await self._look_at(name)
        since = self.time.now() - ROOM_IDLE
        for name in [name for name, room in self.rooms.items() if room.is_left(since)]:
            await self._forget(name)
        metrics.rooms.set(len(self.rooms))

    async def _look_at(self, name: str) -> None:
        """Do what time does to a match. One that cannot be looked at is left alone for a while."""
        try:
            room = await self.room(name)
            if await self.change(room, tick):
                await self.machine.look_after(room.sitting)
        except (Refusal, *OUTAGE) as error:
            log.warning("%s could not be looked at: %r", name, error)
        except Exception:
            log.exception("%s cannot be looked at", name)
            await self.ledger.postpone(name, self.time.now() + UNREADABLE_FOR)

    async def _forget(self, name: str) -> None:
        room = self.rooms.pop(name)
        if name in self._alarms:
            self._alarms.pop(name).cancel()
        if self.bus.is_shared:
            await self.bus.ignore(f"match:{name}", room.heed)
