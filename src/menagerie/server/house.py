"""The house: opens matches, keeps their rooms, asks the machine for its turns and looks after what time brings."""

import asyncio
import contextlib
import logging
import secrets
from functools import partial

from menagerie.match.clock import SECOND
from menagerie.search.limits import strength
from menagerie.server import decisions, messages, metrics
from menagerie.server.bus import Bus
from menagerie.server.chores import end, finish, forever
from menagerie.server.deadlines import is_busy, tick
from menagerie.server.jobs import NOBODY_WAITS, PERSON_WAITS, Answer, Job, Jobs
from menagerie.server.ledger import Ledger
from menagerie.server.offers import fresh
from menagerie.server.refusals import NotFound, Refusal
from menagerie.server.rooms import Decide, Room, tell_turns
from menagerie.server.scene import key_text
from menagerie.server.sitting import STOOD_IN, Sitting
from menagerie.server.standin import StandIn
from menagerie.server.standing import Change, Opening, Terms, encode
from menagerie.server.timing import Time

log = logging.getLogger(__name__)

SWEEP_SECONDS = 0.2
MOST_SWEPT = 200
ROOM_IDLE = 60 * SECOND
REFRESH_SECONDS = 4.0
SHARE = 20
"""The machine thinks for at most one part in so many of the time it has."""


def new_name() -> str:
    """A name for something new, that nobody can guess."""
    return secrets.token_urlsafe(9).replace("-", "x").replace("_", "y")


class House:
    """All matches of one server."""

    def __init__(self, ledger: Ledger, bus: Bus, jobs: Jobs, time: Time) -> None:
        self.ledger, self.bus, self.jobs, self.time = ledger, bus, jobs, time
        self.rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self._stand_in = StandIn()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to look after the matches."""
        chores = [
            (self._sweep, SWEEP_SECONDS),
            (self._listen_to_engines, 0.0),
            (self._listen_to_stand_in, 0.0),
            (self._refresh, REFRESH_SECONDS),
        ]
        self._tasks = [asyncio.create_task(forever(chore, pause)) for chore, pause in chores]

    async def stop(self) -> None:
        """Look after nothing any more; what is being stored is finished first."""
        await end(self._tasks)
        for room in self.rooms.values():
            await room.settle()

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
            await self.ask_machine(Sitting.of(opening.name, terms, opening.standing))

    async def tell(self, terms: Terms, message: messages.Begun | messages.YourTurn | messages.Finished) -> None:
        """Tell the people who play a match something wherever they are."""
        for person in {player.person for player in terms.players if player.person}:
            await self.bus.publish(f"person:{person}", encode(message))

    async def room(self, name: str) -> Room:
        """The room of a match; a NotFound where there is no such match."""
        if name in self.rooms:
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
            await self.bus.listen(f"match:{name}", room.heed)
            await room.refresh((await self.ledger.versions([name]))[name])
        self.rooms[name] = room
        return room

    async def change(self, room: Room, decide: Decide) -> Change | None:
        """Change a match, and see to what follows; both are finished even if whoever asked vanishes meanwhile."""
        return await finish(self._change(room, decide))

    async def _change(self, room: Room, decide: Decide) -> Change | None:
        was_playing = room.sitting.is_playing
        change = await room.change(decide)
        if change is not None:
            await self._follow(room.sitting, change, was_playing)
        return change

    async def _follow(self, sitting: Sitting, change: Change, was_playing: bool) -> None:
        if change.opens:
            await self.opened(change.opens)
        if was_playing and not sitting.is_playing and sitting.standing.outcome:
            words = sitting.standing.outcome.words
            await self.tell(sitting.terms, messages.Finished(match=sitting.id, game=sitting.terms.game, words=words))
        elif change.turn and sitting.level is not None:
            await self.ask_machine(sitting)
        elif change.turn and decisions.is_slow(sitting):
            person = sitting.terms.players[sitting.position.player].person
            news = messages.YourTurn(match=sitting.id, game=sitting.terms.game)
            await self.bus.publish(f"person:{person}", encode(news))

    async def ask_machine(self, sitting: Sitting) -> None:
        """Put the machine's turn into the queue; if that fails, the sweep asks again."""
        if sitting.level is None:
            return
        try:
            await self.jobs.put(self._job(sitting, sitting.level))
        except Exception as error:
            log.warning("the machine could not be asked about %s: %s", sitting.id, error)

    def _job(self, sitting: Sitting, level: int) -> Job:
        """The question for the machine's turn."""
        terms, player = sitting.terms, sitting.position.player
        left = sitting.standing.clock.face(player, self.time.now()).flag
        seconds = None if left is None else max(0.05, min(strength(level).seconds, left / SECOND / SHARE))
        is_watched = sitting.id in self.rooms and bool(self.rooms[sitting.id].listeners)
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

    async def _listen_to_engines(self) -> None:
        """Play the turns that the machine has found."""
        await self._play_machine(await self.jobs.answer(), "machine")

    async def _listen_to_stand_in(self) -> None:
        """Play the turns that were found here because no worker was free, and spare the workers the question."""
        job, answer = await self._stand_in.answer()
        await self._play_machine(answer, STOOD_IN)
        metrics.stood_in.inc()
        await self.jobs.finish(job, None)

    async def _play_machine(self, answer: Answer, name: str) -> None:
        """Play a turn of the machine's under the name of whoever has found it, if it is still wanted."""
        room = await self.room(answer.match)
        message = messages.Turn(id=name, ply=answer.ply, key=answer.key, actions=answer.actions)

        def decide(sitting: Sitting, now: int) -> Change | None:
            if sitting.ply != answer.ply or sitting.level is None:
                return None
            return decisions.turn(sitting, [sitting.position.player], message, now, 0)

        try:
            if await self.change(room, decide):
                metrics.turns.labels("machine").inc()
        except Refusal as refusal:
            log.info("an answer of the machine for %s is not needed: %s", answer.match, refusal)

    async def _sweep(self) -> None:
        """Look at every match whose time has come, and forget rooms that nobody is in."""
        now = self.time.now()
        for name in await self.ledger.overdue(now, MOST_SWEPT):
            room = await self.room(name)
            if await self.change(room, tick) and (level := room.sitting.level) is not None:
                await self.ask_machine(room.sitting)
                if is_busy(room.sitting.standing, level, now):
                    self._stand_in.ask(self._job(room.sitting, level))
        idle = [name for name, room in self.rooms.items() if not room.listeners and room.idle_since + ROOM_IDLE < now]
        for name in idle:
            await self._forget(name)
        metrics.rooms.set(len(self.rooms))
        metrics.jobs_waiting.set(await self.jobs.waiting())

    async def _forget(self, name: str) -> None:
        room = self.rooms.pop(name)
        if self.bus.is_shared:
            await self.bus.ignore(f"match:{name}", room.heed)

    async def _refresh(self) -> None:
        """Where servers share matches, see that no message between them was lost, and say who is here."""
        if not self.bus.is_shared or not self.rooms:
            return
        rooms = list(self.rooms.items())
        versions = await self.ledger.versions([name for name, _ in rooms])
        for name, room in rooms:
            with contextlib.suppress(NotFound):
                await room.refresh(versions.get(name, 0))
            here = [seat for seat in room.seats_here() if seat in room.sitting.standing.absences]
            if here:  # another server has lost one of several connections of somebody who is still here
                await self.change(room, partial(decide_enter, here))
        await self.bus.note_here([f"{name}:{seat}" for name, room in rooms for seat in room.seats_here()])


def decide_enter(seats: list[int], sitting: Sitting, _: int) -> Change | None:
    """These players are here."""
    return decisions.enter(sitting, seats)
