"""Rooms: one for each match that is looked at, where changes are decided one after the other and told to everybody."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import msgspec
from msgspec.structs import replace
from sqlalchemy.exc import SQLAlchemyError

from menagerie.position import Turn
from menagerie.server import decisions, metrics, portrait, scene
from menagerie.server.bus import Bus
from menagerie.server.facts import MatchFact, StateFact
from menagerie.server.ledger import Ledger
from menagerie.server.listeners import Listener
from menagerie.server.messages import Changed, Played, Said, Snapshot
from menagerie.server.refusals import NotFound, Refusal
from menagerie.server.sitting import Sitting
from menagerie.server.standing import Change, Note, encode, read_note
from menagerie.server.timing import Time

log = logging.getLogger(__name__)

REMEMBERED = 64
"""Events that a reconnecting client can catch up on without a snapshot."""
TRIES = 8
WATCHERS_SECONDS = 1.0
"""How often at most everybody hears that watchers have come or gone."""

Decide = Callable[[Sitting, int], Change | None]


@dataclass
class Event:
    """Something that happened at a version: as watchers hear it, as each player does, and who is to move then."""

    version: int
    player: int
    for_players: list[bytes]
    for_watchers: bytes

    def heard_by(self, seats: list[int]) -> bytes:
        """The event for somebody who plays these sides."""
        if not seats:
            return self.for_watchers
        return self.for_players[self.player if self.player in seats else seats[0]]


class Room:
    """One match. Every change is decided under the lock, stored, and only then applied and told."""

    def __init__(self, sitting: Sitting, told: list[msgspec.Raw], at: tuple[Ledger, Bus, Time]) -> None:
        self.sitting, self.told = sitting, told
        self._ledger, self._bus, self._time = at
        self.listeners: set[Listener] = set()
        self.idle_since = self._time.now()
        self._lock = asyncio.Lock()
        self._is_stale = False
        """Whether the database may have gone on."""
        self._events: deque[Event] = deque(maxlen=REMEMBERED)
        self._count_soon: asyncio.TimerHandle | None = None

    async def change(self, decide: Decide) -> Change | None:
        """Decide, store, apply, tell; None: nothing changes. It is decided anew where another server was faster."""
        async with self._lock:
            try:
                note = await self._agree(decide)
            except (SQLAlchemyError, OSError) as error:
                log.warning("a change of %s could not be stored: %r", self.sitting.id, error)
                raise Refusal("limit", "the server could not store that; try again") from error
        if note and self._bus.is_shared:
            await self._bus.publish(f"match:{self.sitting.id}", encode(note))
        return note.change if note else None

    async def _agree(self, decide: Decide) -> Note | None:
        """Decide and store, as often as it takes."""
        if self._is_stale:
            await self._reload()
        for _ in range(TRIES):
            now = self._time.now()
            change = await self._judge(decide, now)
            if change is None:
                return None
            note = Note(match=self.sitting.id, version=self.sitting.version + 1, change=change)
            if await self._store(note, now):
                self._apply(note)
                return note
            metrics.conflicts.inc()
            await self._reload()
        raise Refusal("limit", "too much happens in this match at once; try again")

    async def _judge(self, decide: Decide, now: int) -> Change | None:
        """Decide; in a thread where judging history can take long. Nothing is changed by that."""
        if self.sitting.match.variant.game.repetition.is_illegal:
            return await asyncio.to_thread(decide, self.sitting, now)
        return decide(self.sitting, now)

    async def _store(self, note: Note, now: int) -> bool:
        """Write a change. Where that fails, nobody knows whether it was written before the match is read again."""
        try:
            return await self._ledger.commit(self.sitting, note, now)
        except BaseException:
            self._is_stale = True
            raise

    async def heed(self, data: bytes) -> None:
        """Follow what another server has stored."""
        note = read_note(data)
        async with self._lock:
            if note.version == self.sitting.version + 1:
                self._apply(note)
            elif note.version > self.sitting.version:
                await self._reload()

    async def refresh(self, version: int) -> None:
        """See that nothing was missed, given the version in the database."""
        async with self._lock:
            if version > self.sitting.version or self._is_stale:
                await self._reload()

    async def _reload(self) -> None:
        """Take the match as it is in the database; if it has gone on, everybody gets all of it."""
        sitting, known = await self._ledger.load(self.sitting.id), self.sitting.version
        if sitting is None:
            raise NotFound(f"there is no match {self.sitting.id}")
        self.told, self.sitting = await asyncio.to_thread(tell_turns, sitting), sitting
        self._is_stale = False
        if sitting.version != known:
            self._tell_all_anew()

    def _apply(self, note: Note) -> None:
        """Follow a change that is stored, and tell everybody."""
        change, sitting = note.change, self.sitting
        sitting.take(change, note.version)
        if change.back_to is not None:
            del self.told[len(sitting.turns) :]
            self._tell_all_anew()
        elif change.turn:
            self._tell_turn(change)
        elif change.line:
            self._tell(Said(v=note.version, line=change.line))
        else:
            self._tell(self._as_it_stands())

    def _tell_turn(self, change: Change) -> None:
        """Tell a turn, with what can be done next to the player who is next."""
        sitting = self.sitting
        assert change.turn
        before = sitting.match.positions[-1 - len(change.turn.actions)]
        played = Turn(before, tuple(change.turn.actions))
        fact = msgspec.Raw(encode(scene.turn_fact(played, change.turn.spent, sitting.standing.outcome)))
        self.told.append(fact)
        position = scene.position_fact(sitting.position, sitting.standing.outcome, sitting.fullest)
        self._tell(Played(v=sitting.version, turn=fact, position=position, choice=None, state=self.state([])))  # type: ignore[arg-type]

    def _as_it_stands(self) -> Changed:
        """That the match stands as it does."""
        return Changed(v=self.sitting.version, state=self.state([]))

    def _tell(self, message: Played | Changed | Said) -> None:
        """Tell everybody, and remember it for who comes back."""
        self._events.append(self._event(message))
        self._tell_event(self._events[-1])

    def _tell_event(self, event: Event) -> None:
        for listener in self.listeners:
            listener.tell(event.heard_by(listener.seats))

    def _event(self, message: Played | Changed | Said) -> Event:
        """A message as it is heard on every side: players are told besides what they can do."""
        told = encode(message)
        for_players = [told, told]
        if not isinstance(message, Said):
            for_players = [encode(own) if (own := self._addressed(message, seat)) else told for seat in range(2)]
        return Event(message.v, self.sitting.position.player, for_players, told)

    def _addressed(self, message: Played | Changed, seat: int) -> Played | Changed | None:
        """A message with what a player can do now: their turn, their claims; None where that is nothing."""
        sitting = self.sitting
        is_next = sitting.is_playing and sitting.position.player == seat and sitting.level is None
        found = decisions.claims(sitting, [seat], self._time.now())
        if isinstance(message, Played) and is_next:
            message = replace(message, choice=scene.choice(sitting.match, sitting.position))
        elif not found:
            return None
        return replace(message, state=replace(message.state, claims=found))

    def _tell_all_anew(self) -> None:
        """Send everybody the whole match."""
        self._events.clear()
        views: dict[tuple[int, ...], bytes] = {}
        for listener in self.listeners:
            seats = tuple(listener.seats)
            views[seats] = views.get(seats) or self.snapshot(listener.seats)
            listener.tell(views[seats])

    def state(self, seats: list[int]) -> StateFact:
        """How the match stands now, for somebody who plays these sides."""
        watchers = sum(not listener.seats for listener in self.listeners)
        return portrait.state_fact(self.sitting, seats, self._time.now(), watchers)

    def fact(self, seats: list[int]) -> MatchFact:
        """The whole match as somebody sees it who plays these sides."""
        return portrait.match_fact(self.sitting, seats, self.told, self.state(seats))

    def snapshot(self, seats: list[int]) -> bytes:
        """The whole match as a message."""
        return encode(Snapshot(v=self.sitting.version, match=self.fact(seats)))

    def join(self, listener: Listener, version: int | None) -> None:
        """Somebody begins to listen who has heard everything up to a version: tell the rest, or all of it."""
        self.listeners.add(listener)
        self._note_watcher(listener)
        for message in self._missed(listener.seats, version):
            listener.tell(message)

    def _missed(self, seats: list[int], version: int | None) -> list[bytes]:
        first = self._events[0].version if self._events else self.sitting.version + 1
        if version is None or not first - 1 <= version <= self.sitting.version:
            return [self.snapshot(seats)]
        events = [event.heard_by(seats) for event in self._events if event.version > version]
        return [*events, encode(Changed(v=self.sitting.version, state=self.state(seats)))]

    def part(self, listener: Listener) -> None:
        """Somebody listens no more."""
        self.listeners.discard(listener)
        self._note_watcher(listener)
        self.idle_since = self._time.now()

    def _note_watcher(self, listener: Listener) -> None:
        """Somebody has come or gone: if it was a watcher, everybody hears so soon, once for all who come meanwhile."""
        if not listener.seats and self._count_soon is None:
            self._count_soon = asyncio.get_running_loop().call_later(WATCHERS_SECONDS, self._tell_watchers)

    def _tell_watchers(self) -> None:
        """Tell everybody how many watch; nobody who comes back need hear of it."""
        self._count_soon = None
        self._tell_event(self._event(self._as_it_stands()))

    def is_left(self, since: int) -> bool:
        """Whether nobody has been here, nor done anything, since then."""
        return not self.listeners and not self._lock.locked() and self.idle_since < since

    def seats_here(self) -> set[int]:
        """The sides whose players are connected to this server."""
        return {seat for listener in self.listeners for seat in listener.seats}

    async def settle(self) -> None:
        """Wait until what is being decided is stored."""
        async with self._lock:
            pass


def tell_turns(sitting: Sitting) -> list[msgspec.Raw]:
    """All turns as they are told, encoded once; takes a while for a long match."""
    turns, outcome = sitting.match.turns, sitting.standing.outcome
    return [
        msgspec.Raw(encode(scene.turn_fact(turn, stored.spent, outcome if number == len(turns) else None)))
        for number, (turn, stored) in enumerate(zip(turns, sitting.turns, strict=True), 1)
    ]
