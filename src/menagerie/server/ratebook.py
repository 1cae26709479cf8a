"""Ratings in the database, changed by the end of a match."""

from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from menagerie.server import ratings
from menagerie.server.ratings import Rating
from menagerie.server.sitting import Sitting
from menagerie.server.standing import Standing, Terms
from menagerie.server.tables import ratings as table


async def rate(connection: AsyncConnection, sitting: Sitting, standing: Standing) -> None:
    """What the end of a match does to the ratings of those who played it; it is noted in the standing."""
    terms, outcome = sitting.terms, standing.outcome
    if outcome is None or not counts(terms, standing):
        return
    against = "machine" if terms.has_machine else "people"
    before = [ratings.machine(player.level or 1) for player in terms.players]
    people = [(player.person, number) for number, player in enumerate(terms.players) if player.person]
    for person, number in sorted(people):  # in the same order everywhere, so that nobody waits for each other
        before[number] = await read_rating(connection, person, terms.game, against)
    changes: list[int | None] = [None, None]
    for person, number in people:
        score = 0.5 if outcome.winner is None else float(outcome.winner == number)
        after = before[number].after(before[1 - number], score)
        await write_rating(connection, person, (terms.game, against), after)
        changes[number] = round(after.rating) - round(before[number].rating)
    standing.rating_changes = (changes[0], changes[1])


def counts(terms: Terms, standing: Standing) -> bool:
    """Whether a match changes ratings: played from the start, nothing taken back, by people who have an account."""
    if terms.is_one_screen or terms.start or standing.has_takebacks:
        return False
    return (terms.is_rated or terms.has_machine) and all(player.kind != "guest" for player in terms.players)


async def read_rating(connection: AsyncConnection, person: str, game: str, against: str) -> Rating:
    """Somebody's rating, kept for us until the transaction ends; made where there is none."""
    c = table.c
    of_person = (c.person == person, c.game == game, c.against == against)
    row = (await connection.execute(select(table).where(*of_person).with_for_update())).first()
    if row:
        return Rating(row.rating, row.deviation, row.volatility, row.games)
    fresh = Rating()
    await connection.execute(insert(table).values(person=person, game=game, against=against, **vars(fresh)))
    return fresh


async def write_rating(connection: AsyncConnection, person: str, what: tuple[str, str], rating: Rating) -> None:
    """Write somebody's rating."""
    c = table.c
    of_person = (c.person == person, c.game == what[0], c.against == what[1])
    await connection.execute(update(table).where(*of_person).values(**vars(rating)))
