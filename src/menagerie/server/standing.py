"""What is stored of a match: its terms, which never change, and its standing, which does."""

from typing import Literal

import msgspec
from msgspec import Struct, field

from menagerie.game import Outcome
from menagerie.match import clock
from menagerie.match.clock import Clock, Control
from menagerie.server.bodies import (
    ByoyomiClock,
    ClockBody,
    DaysClock,
    DelayClock,
    FischerClock,
    NoClock,
    ReserveClock,
)
from menagerie.server.facts import ChatFact

Status = Literal["playing", "over", "aborted"]
OfferKind = Literal["draw", "takeback", "rematch"]


class Player(Struct, kw_only=True):
    """Who sits on one side: a person, or the machine at a level."""

    person: str | None
    name: str
    kind: Literal["account", "guest", "bot", "machine"]
    level: int | None = None
    rating: int | None = None


class Terms(Struct, kw_only=True):
    """What was agreed before the first turn."""

    game: str
    rules: str
    """Every option, as the game writes them in full."""
    start: str | None
    clock: ClockBody
    is_rated: bool
    is_private: bool
    players: tuple[Player, Player]
    created: int

    def seats_of(self, person: str | None) -> list[int]:
        """The sides that somebody plays."""
        return [n for n in range(2) if person is not None and self.players[n].person == person]

    @property
    def has_machine(self) -> bool:
        """Whether one side is the machine's."""
        return any(player.kind == "machine" for player in self.players)

    @property
    def is_one_screen(self) -> bool:
        """Whether one person plays both sides."""
        return self.players[0].person is not None and self.players[0].person == self.players[1].person


class Absence(Struct, kw_only=True):
    """A player who has left: since when, and how long the other has to wait."""

    since: int
    patience: int


class Standing(Struct, kw_only=True):
    """How a match stands, less the turns."""

    clock: Clock
    status: Status = "playing"
    outcome: Outcome | None = None
    offers: dict[OfferKind, int] = field(default_factory=dict)
    declined: dict[OfferKind, tuple[int, int]] = field(default_factory=dict)
    """Whose offer of each kind was declined last, and at which ply."""
    absences: dict[int, Absence] = field(default_factory=dict)
    quotas: tuple[int, int] = (0, 0)
    """How much lag each side will still be forgiven."""
    asked: int | None = None
    """Since when the machine has been asked for this turn."""
    rematch: str | None = None
    rating_changes: tuple[int | None, int | None] = (None, None)
    has_takebacks: bool = False
    due: int | None = None
    """When somebody must look at the match again."""


class StoredTurn(Struct, kw_only=True):
    """A turn as it is stored."""

    ply: int
    actions: list[int]
    request: str
    spent: int | None
    at: int


class Opening(Struct, kw_only=True):
    """A match that begins."""

    name: str
    terms: Terms
    standing: Standing


class Change(Struct, kw_only=True):
    """What a decision changes; stored in one transaction, then told to everybody."""

    standing: Standing
    turn: StoredTurn | None = None
    back_to: int | None = None
    """The ply that a takeback returns to."""
    line: ChatFact | None = None
    opens: Opening | None = None
    """The rematch that begins with it."""


class Note(Struct, kw_only=True):
    """A change that was stored, as servers tell each other; `version` is the match's after it."""

    match: str
    version: int
    change: Change


def control_of(body: ClockBody) -> Control:
    """The time control that a body describes; a MenagerieError where it makes no sense."""
    match body:
        case FischerClock(seconds=seconds, added=added):
            return clock.fischer(seconds, added)
        case DelayClock(seconds=seconds, delay=free):
            return clock.delay(seconds, free)
        case ByoyomiClock(seconds=seconds, period=period, periods=periods):
            return clock.byoyomi(seconds, period, periods)
        case DaysClock(days=number):
            return clock.days(number)
        case ReserveClock(text=text):
            return clock.reserve(text)
        case NoClock():
            return clock.NONE


encode = msgspec.json.encode
read_terms = msgspec.json.Decoder(Terms).decode
read_standing = msgspec.json.Decoder(Standing).decode
read_note = msgspec.json.Decoder(Note).decode
