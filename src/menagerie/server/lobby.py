"""The lobby: wishes to play, open to all or behind a link, until somebody accepts."""

import random
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import Row, Select, insert, select, update

from menagerie.games import find
from menagerie.match.clock import DAY, MINUTE, SECOND
from menagerie.server.accounts import Person
from menagerie.server.bodies import ClockBody, DaysClock, NewSeek
from menagerie.server.facts import Colour
from menagerie.server.house import House, new_name
from menagerie.server.ledger import insert_match
from menagerie.server.messages import LobbySeek
from menagerie.server.offers import fresh
from menagerie.server.people import People
from menagerie.server.portrait import rule_in_words, rules_in_words
from menagerie.server.refusals import NotFound, Refusal
from menagerie.server.sitting import variant_of
from menagerie.server.standing import Opening, Player, Terms, control_of, encode
from menagerie.server.store import Store
from menagerie.server.tables import seeks
from menagerie.variant import Variant

OPEN_FOR = MINUTE
"""An open seek stands as long as its owner is connected, and this long after."""
PRIVATE_FOR, SLOW_FOR = DAY, 7 * DAY
MOST_SEEKS = 5
TOO_MANY = f"{MOST_SEEKS} seeks and invitations of yours are open, and no more can be: withdraw one in the lobby first"


class Wish(Struct, kw_only=True):
    """What a seek asks for, as it is stored."""

    game: str
    rules: str
    clock: ClockBody
    colour: Colour
    is_rated: bool
    owner: Player


read_wish = msgspec.json.Decoder(Wish).decode


class Lobby:
    """All seeks of a site."""

    def __init__(self, store: Store, house: House, people: People) -> None:
        self._store, self._house, self._people = store, house, people

    async def seek(self, person: Person, body: NewSeek) -> LobbySeek:
        """A new wish."""
        game = find(body.game)
        options = game.options.of(body.options)
        control_of(body.clock)
        if body.is_rated and person.kind == "guest":
            raise Refusal("impossible", "rated matches are for accounts: register first")
        now = self._house.time.now()
        mine = await self._store.rows(self._standing(now).where(seeks.c.person == person.id))
        if len(mine) >= MOST_SEEKS:
            raise Refusal("limit", TOO_MANY)
        owner = await self._people.player(person, body.game)
        wish = Wish(
            game=body.game,
            rules=options.in_full(),
            clock=body.clock,
            colour=body.colour,
            is_rated=body.is_rated,
            owner=owner,
        )
        name = new_name()
        stays = PRIVATE_FOR if body.is_private else OPEN_FOR
        if isinstance(body.clock, DaysClock):
            stays = SLOW_FOR
        await self._store.write(
            insert(seeks).values(
                id=name,
                person=person.id,
                terms=encode(wish).decode(),
                is_private=body.is_private,
                created=now,
                expires=now + stays,
            )
        )
        await self._changed()
        return await self.find(name, person)

    def _standing(self, now: int) -> Select[Any]:
        return select(seeks).where(seeks.c.match.is_(None), seeks.c.expires > now)

    async def rows(self) -> list[Row[Any]]:
        """The open seeks as they are stored, the oldest first."""
        public = self._standing(self._house.time.now()).where(seeks.c.is_private.is_(False))
        return await self._store.rows(public.order_by(seeks.c.created))

    async def open(self, person: Person | None) -> list[LobbySeek]:
        """The open seeks as somebody sees them."""
        return [seek_fact(row, person) for row in await self.rows()]

    async def invitations(self, person: Person) -> list[LobbySeek]:
        """What somebody has invited others to behind a link, the newest first."""
        mine = self._standing(self._house.time.now()).where(seeks.c.person == person.id, seeks.c.is_private)
        return [seek_fact(row, person) for row in await self._store.rows(mine.order_by(seeks.c.created.desc()))]

    async def find(self, name: str, person: Person | None) -> LobbySeek:
        """One seek, also one that has become a match."""
        row = await self._store.row(select(seeks).where(seeks.c.id == name))
        if row is None or (row.match is None and row.expires <= self._house.time.now()):
            raise NotFound("this invitation does not stand any more")
        return seek_fact(row, person)

    async def accept(self, name: str, person: Person) -> str:
        """Somebody wants to play too: the match, opened exactly once whoever else accepts."""
        seek = await self.find(name, person)
        row = await self._store.row(select(seeks).where(seeks.c.id == name))
        assert row is not None
        wish = read_wish(row.terms)
        if seek.is_mine:
            raise Refusal("impossible", "this is your own invitation: send the link to somebody else")
        if wish.is_rated and person.kind == "guest":
            raise Refusal("impossible", "rated matches are for accounts: register first")
        now = self._house.time.now()
        opening = begin(wish, await self._people.player(person, wish.game), row.is_private, now)
        async with self._store.writing() as connection:
            taken = await connection.execute(
                update(seeks)
                .where(seeks.c.id == name, seeks.c.match.is_(None), seeks.c.expires > now)
                .values(match=opening.name)
            )
            if taken.rowcount != 1:
                raise Refusal("late", "somebody else was faster")
            await insert_match(connection, opening, now)
        await self._house.opened(opening)
        await self._changed()
        return opening.name

    async def withdraw(self, name: str, person: Person) -> None:
        """The wish does not stand any more."""
        of_mine = (seeks.c.id == name, seeks.c.person == person.id, seeks.c.match.is_(None))
        if not await self._store.write(update(seeks).where(*of_mine).values(expires=0)):
            raise NotFound("there is no such invitation of yours")
        await self._changed()

    async def keep(self, persons: set[str]) -> None:
        """These people are connected: their open seeks stand a while longer."""
        now = self._house.time.now()
        if persons:
            standing = (seeks.c.person.in_(persons), seeks.c.match.is_(None), seeks.c.expires > now)
            short = seeks.c.expires < now + OPEN_FOR - 10 * SECOND
            await self._store.write(update(seeks).where(*standing, short).values(expires=now + OPEN_FOR))

    async def _changed(self) -> None:
        await self._house.bus.publish("lobby", b"seeks")


def begin(wish: Wish, other: Player, is_private: bool, now: int) -> Opening:
    """The match that two people have agreed on."""
    colour = random.choice(("first", "second")) if wish.colour == "random" else wish.colour
    players = (wish.owner, other) if colour == "first" else (other, wish.owner)
    terms = Terms(
        game=wish.game,
        rules=wish.rules,
        start=None,
        clock=wish.clock,
        is_rated=wish.is_rated,
        is_private=is_private,
        players=players,
        created=now,
    )
    return Opening(name=new_name(), terms=terms, standing=fresh(terms, variant_of(terms).start().player, now))


def seek_fact(row: Row[Any], person: Person | None) -> LobbySeek:
    """A seek in words."""
    wish = read_wish(row.terms)
    game = find(wish.game)
    variant = Variant(game, game.agreed(wish.rules))
    is_mine = person is not None and person.id == row.person
    sides = (f"You play {game.players[0]}, and begin", f"You play {game.players[1]}")
    own, other = sides if wish.colour == "first" else sides[::-1]
    return LobbySeek(
        id=row.id,
        name=wish.owner.name,
        rating=wish.owner.rating,
        game=wish.game,
        title=game.title,
        options={name: getattr(variant.options, name) for name in variant.options.names()},
        rules=rules_in_words(variant.options),
        unusual=[rule_in_words(variant.options, name) for name in variant.options.chosen()],
        clock=control_of(wish.clock).words,
        colour=wish.colour,
        colour_words="Chance decides who begins" if wish.colour == "random" else own if is_mine else other,
        is_rated=wish.is_rated,
        is_private=row.is_private,
        is_mine=is_mine,
        match=row.match,
    )
