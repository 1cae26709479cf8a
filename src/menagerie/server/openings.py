"""How matches begin that need nobody's consent: against the machine, or at one screen."""

import random

from menagerie.errors import MenagerieError
from menagerie.games import find, names
from menagerie.server.accounts import Person
from menagerie.server.bodies import (
    ByoyomiClock,
    ClockBody,
    ClockPreset,
    DaysClock,
    DelayClock,
    FischerClock,
    NewMatch,
    NoClock,
    ReserveClock,
)
from menagerie.server.desk import Desk
from menagerie.server.refusals import Refusal
from menagerie.server.standing import Player, Terms, control_of
from menagerie.variant import Variant

USUAL: tuple[ClockBody, ...] = (
    NoClock(),
    FischerClock(seconds=180, added=2),
    FischerClock(seconds=300, added=3),
    FischerClock(seconds=600, added=5),
    FischerClock(seconds=1800, added=20),
    DelayClock(seconds=600, delay=5),
    ByoyomiClock(seconds=600, period=30, periods=3),
    DaysClock(days=3),
)
SETUP_USUAL: tuple[ClockBody, ...] = (ReserveClock(text="0:30/3/100/3/6"), ReserveClock(text="2/2/100/10/8"))
"""Offered first where armies are set up."""

MOST_PLAYING = 100
"""Matches that somebody may have begun and not finished when they begin another alone."""


async def new_match(desk: Desk, person: Person, body: NewMatch) -> str:
    """Begin a match; its name."""
    if body.game not in names():
        raise MenagerieError(f"there is no game {body.game!r}; the games are: {', '.join(names())}")
    game = find(body.game)
    variant = Variant(game, game.options.of(body.options))
    start = variant.position(body.position) if body.position else variant.start()
    if start.outcome:
        raise Refusal("impossible", f"that position is over: {start.outcome}")
    control_of(body.clock)
    if await desk.people.count_playing(person) >= MOST_PLAYING:
        raise Refusal("limit", f"you are playing {MOST_PLAYING} matches: finish one first, or resign it")
    me = await desk.people.player(person, body.game)
    terms = Terms(
        game=body.game,
        rules=variant.options.in_full(),
        start=str(start) if body.position else None,
        clock=body.clock,
        is_rated=False,
        is_private=True,
        players=seated(me, body),
        created=desk.time.now(),
    )
    return await desk.house.open(terms, start.player)


def seated(me: Player, body: NewMatch) -> tuple[Player, Player]:
    """Who sits where."""
    if body.against == "same_screen":
        return me, me
    machine = Player(person=None, name=f"Computer, level {body.level}", kind="machine", level=body.level)
    colour = random.choice(("first", "second")) if body.colour == "random" else body.colour
    return (me, machine) if colour == "first" else (machine, me)


def presets(game: str) -> list[ClockPreset]:
    """Usual time controls in words."""
    has_setup = game in names() and bool(find(game).setups)
    usual = (*USUAL[:1], *SETUP_USUAL, *USUAL[1:]) if has_setup else USUAL
    return [ClockPreset(words=control_of(clock).words, clock=clock) for clock in usual]
