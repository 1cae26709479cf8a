"""What is known of people: their ratings, their matches, who leads."""

from typing import Any

from sqlalchemy import Row, and_, desc, func, or_, select

from menagerie.server.accounts import Person
from menagerie.server.bodies import MatchList, MatchSummary, PersonFact, RatingFact
from menagerie.server.ratings import PROVISIONAL, Rating
from menagerie.server.sitting import variant_of
from menagerie.server.standing import Player, control_of, read_standing, read_terms
from menagerie.server.store import Store
from menagerie.server.tables import matches, people, ratings, seats

PAGE = 30
LEADERS = 50


class People:
    """Questions about people and their matches."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def fact(self, person: Person) -> PersonFact:
        """Somebody with their ratings."""
        rows = await self._store.rows(select(ratings).where(ratings.c.person == person.id))
        found: dict[str, dict[str, RatingFact]] = {"people": {}, "machine": {}}
        for row in rows:
            rating = Rating(row.rating, row.deviation, row.volatility, row.games)
            found[row.against][row.game] = rating_fact(rating)
        return PersonFact(name=person.name, kind=person.kind, ratings=found["people"], machine_ratings=found["machine"])

    async def player(self, person: Person, game: str) -> Player:
        """Somebody about to play a game."""
        of_person = (ratings.c.person == person.id, ratings.c.game == game, ratings.c.against == "people")
        row = await self._store.row(select(ratings.c.rating).where(*of_person))
        return Player(person=person.id, name=person.name, kind=person.kind, rating=round(row.rating) if row else None)

    async def leaders(self, game: str) -> list[PersonFact]:
        """The strongest at a game whose ratings are more than a guess."""
        among = and_(
            ratings.c.game == game,
            ratings.c.against == "people",
            ratings.c.deviation <= PROVISIONAL,
            people.c.kind != "bot",
        )
        rows = await self._store.rows(
            select(people.c.name, people.c.kind, ratings)
            .join(people, people.c.id == ratings.c.person)
            .where(among)
            .order_by(desc(ratings.c.rating))
            .limit(LEADERS)
        )
        return [
            PersonFact(
                name=row.name,
                kind=row.kind,
                ratings={game: rating_fact(Rating(row.rating, row.deviation, row.volatility, row.games))},
                machine_ratings={},
            )
            for row in rows
        ]

    async def playing(self, person: Person) -> list[MatchSummary]:
        """The matches that somebody is playing."""
        mine = select(seats.c.match).where(seats.c.person == person.id)
        question = select(matches).where(matches.c.id.in_(mine), matches.c.status == "playing")
        question = question.order_by(desc(matches.c.created), matches.c.id).limit(PAGE)
        return [summary(row, person) for row in await self._store.rows(question)]

    async def count_playing(self, person: Person) -> int:
        """How many matches somebody is playing."""
        mine = select(seats.c.match).where(seats.c.person == person.id)
        row = await self._store.row(select(func.count()).where(matches.c.id.in_(mine), matches.c.status == "playing"))
        return int(row[0]) if row else 0

    async def matches(
        self, viewer: Person | None, person: Person | None, filters: dict[str, str], before: int | None
    ) -> MatchList:
        """A page of matches, the newest first; private ones only for those who play them."""
        question = select(matches).order_by(desc(matches.c.created), matches.c.id).limit(PAGE)
        if person:
            mine = select(seats.c.match).where(seats.c.person == person.id)
            question = question.where(matches.c.id.in_(mine))
        for name, value in filters.items():
            question = question.where(matches.c[name] == value)
        theirs = select(seats.c.match).where(seats.c.person == (viewer.id if viewer else None))
        question = question.where(or_(matches.c.is_private.is_(False), matches.c.id.in_(theirs)))
        if before:
            question = question.where(matches.c.created < before)
        rows = await self._store.rows(question)
        shown = [summary(row, viewer) for row in rows]
        return MatchList(matches=shown, before=str(rows[-1].created) if len(rows) == PAGE else None)


def summary(row: Row[Any], viewer: Person | None) -> MatchSummary:
    """A match in a list."""
    terms, standing = read_terms(row.terms), read_standing(row.standing)
    game, mine = variant_of(terms).game, terms.seats_of(viewer.id if viewer else None)
    mover = standing.clock.running
    words = f"{game.players[mover]} to move" if mover is not None else "The match was called off"
    return MatchSummary(
        id=row.id,
        game=terms.game,
        players=[player.name for player in terms.players],
        seats=mine,
        status=standing.status,
        words=standing.outcome.words if standing.outcome else words,
        ply=row.ply,
        is_your_turn=mover in mine and standing.status == "playing",
        clock=control_of(terms.clock).words,
        created_ms=terms.created,
    )


def rating_fact(rating: Rating) -> RatingFact:
    """A rating as it is shown."""
    return RatingFact(
        rating=round(rating.rating),
        plus_minus=round(2 * rating.deviation),
        games=rating.games,
        is_provisional=rating.is_provisional,
    )
