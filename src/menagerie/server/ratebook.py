"""Ratings in the database, changed by the end of a match."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import ColumnElement, Table, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from menagerie.match.clock import DAY
from menagerie.server import ratings
from menagerie.server.ratings import Rating
from menagerie.server.sitting import Sitting
from menagerie.server.standing import Change
from menagerie.server.tables import ratings as table

INSERT: dict[str, Callable[[Table], Any]] = {"postgresql": postgresql.insert, "sqlite": sqlite.insert}
"""Two matches may end at once that are both somebody's first."""


async def rate(connection: AsyncConnection, sitting: Sitting, change: Change, now: int) -> None:
    """What the end of a match does to the ratings of those who played it; it is noted in the standing."""
    terms, standing = sitting.terms, change.standing
    outcome = standing.outcome
    if outcome is None or not counts(sitting, change):
        return
    against = "machine" if terms.has_machine else "people"
    before = [ratings.machine(player.level or 1) for player in terms.players]
    people = [(player.person, number) for number, player in enumerate(terms.players) if player.person]
    for person, number in sorted(people):  # in the same order everywhere, so that nobody waits for each other
        before[number] = await read_rating(connection, person, (terms.game, against), now)
    changes: list[int | None] = [None, None]
    for person, number in people:
        score = 0.5 if outcome.winner is None else float(outcome.winner == number)
        after = before[number].after((before[1 - number], score))
        await write_rating(connection, person, (terms.game, against), (after, now))
        changes[number] = round(after.rating) - round(before[number].rating)
    standing.rating_changes = (changes[0], changes[1])


def counts(sitting: Sitting, change: Change) -> bool:
    """Whether a match changes ratings: agreed on, or against the machine, from the start and with nothing taken back.

    It must have been played: until both sides have made a turn it could be called off, and no other end counts either.
    Guests are rated against the machine too, and keep that when they register.
    """
    terms, turns = sitting.terms, len(sitting.turns) + (change.turn is not None)
    if terms.is_one_screen or terms.start or change.standing.has_takebacks or turns < 2:
        return False
    return terms.is_rated or terms.has_machine


async def read_rating(connection: AsyncConnection, person: str, what: tuple[str, str], now: int) -> Rating:
    """Somebody's rating as it is now, kept for us until the transaction ends; made where there is none."""
    named = {"person": person, "game": what[0], "against": what[1]}
    fresh = INSERT[connection.dialect.name](table).values(**named, **vars(Rating()), changed=now)
    await connection.execute(fresh.on_conflict_do_nothing())
    row = (await connection.execute(select(table).where(*of_person(named)).with_for_update())).one()
    known = Rating(row.rating, row.deviation, row.volatility, row.games)
    return known.later((now - row.changed) / DAY) if row.changed else known


async def write_rating(
    connection: AsyncConnection, person: str, what: tuple[str, str], became: tuple[Rating, int]
) -> None:
    """Write what somebody's rating has become, and when."""
    named = {"person": person, "game": what[0], "against": what[1]}
    rating, now = became
    await connection.execute(update(table).where(*of_person(named)).values(**vars(rating), changed=now))


def of_person(named: dict[str, str]) -> list[ColumnElement[bool]]:
    """The row that these name."""
    return [table.c[name] == value for name, value in named.items()]
