"""People: guests at once, accounts with a password, sessions in a cookie, tokens for programs."""

import asyncio
import hashlib
import re
import secrets
from typing import Any, Literal

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Insert, Select, delete, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from menagerie.match.clock import DAY
from menagerie.server.bodies import TokenFact
from menagerie.server.house import new_name
from menagerie.server.refusals import NotFound, Refusal
from menagerie.server.standing import Terms, encode, read_terms
from menagerie.server.store import Store
from menagerie.server.tables import matches, people, seats, sessions, tokens
from menagerie.server.timing import Time

SESSION = 400 * DAY
MOST_TOKENS = 10
RESERVED = re.compile(
    r"guest.*|me|computer|machine|nobody|admin|administrator|moderator|menagerie|support", re.IGNORECASE
)
"""Names that would be taken for the server's own words."""
HASHES_AT_ONCE = 2
"""A hash takes tens of megabytes on purpose."""


class Person(Struct, kw_only=True, frozen=True):
    """Somebody known to the server."""

    id: str
    name: str
    kind: Literal["account", "guest", "bot"]


def digest(secret: str) -> str:
    """What is stored of a secret that is long enough to need no salt."""
    return hashlib.sha256(secret.encode()).hexdigest()


class Accounts:
    """Who is who."""

    def __init__(self, store: Store, time: Time) -> None:
        self._store, self._time = store, time
        self._hasher = PasswordHasher()
        self._nobody = self._hasher.hash(secrets.token_urlsafe())
        """To be compared with where there is no such account: it takes as long."""
        self._hashing = asyncio.Semaphore(HASHES_AT_ONCE)

    async def by_session(self, secret: str) -> Person | None:
        """Who a cookie belongs to."""
        of_secret = (sessions.c.digest == digest(secret), sessions.c.expires > self._time.now())
        return await self._person(select(people).join(sessions, sessions.c.person == people.c.id).where(*of_secret))

    async def by_token(self, secret: str) -> Person | None:
        """Who a program's token belongs to."""
        of_secret = tokens.c.digest == digest(secret)
        return await self._person(select(people).join(tokens, tokens.c.person == people.c.id).where(of_secret))

    async def by_name(self, name: str) -> Person:
        """The account of that name."""
        person = await self._person(select(people).where(people.c.folded == name.lower()))
        if person is None:
            raise NotFound(f"nobody here is called {name[:40]!r}")
        return person

    async def _person(self, question: Select[Any]) -> Person | None:
        row = await self._store.row(question)
        return Person(id=row.id, name=row.name, kind=row.kind) if row else None

    async def guest(self) -> tuple[Person, str]:
        """A new guest, and the secret of their session."""
        person = Person(id=new_name(), name=f"Guest {secrets.randbelow(9000) + 1000}", kind="guest")
        secret = secrets.token_urlsafe(32)
        await self._store.write(
            insert(people).values(id=person.id, name=person.name, kind="guest", created=self._time.now()),
            self._new_session(person, secret),
        )
        return person, secret

    def _new_session(self, person: Person, secret: str) -> Insert:
        values = {"digest": digest(secret), "person": person.id, "expires": self._time.now() + SESSION}
        return insert(sessions).values(**values)

    async def register(self, guest: Person | None, name: str, password: str) -> tuple[Person, str]:
        """An account; a guest who registers stays the same person and keeps everything."""
        if guest and guest.kind != "guest":
            raise Refusal("impossible", f"you are logged in as {guest.name}; log out first")
        if RESERVED.fullmatch(name):
            raise Refusal("impossible", f"the name {name} is not to be had: choose another")
        hashed = await self._hash(password)
        person = Person(id=guest.id if guest else new_name(), name=name, kind="account")
        values = {"name": name, "folded": name.lower(), "kind": "account", "password": hashed}
        secret = secrets.token_urlsafe(32)
        try:
            async with self._store.writing() as connection:
                if guest:
                    await self._promote(connection, person, values)
                else:
                    await connection.execute(insert(people).values(id=person.id, created=self._time.now(), **values))
                await connection.execute(self._new_session(person, secret))
        except IntegrityError as error:
            raise Refusal("impossible", f"the name {name} is taken") from error
        return person, secret

    async def _promote(self, connection: AsyncConnection, person: Person, values: dict[str, str]) -> None:
        """A guest becomes an account: other sessions of the guest end, and matches bear the new name."""
        guest = update(people).where(people.c.id == person.id, people.c.kind == "guest")
        if (await connection.execute(guest.values(**values))).rowcount != 1:
            raise Refusal("late", "this guest has an account already: log in")
        await connection.execute(delete(sessions).where(sessions.c.person == person.id))
        mine = select(seats.c.match).where(seats.c.person == person.id)
        rows = (await connection.execute(select(matches.c.id, matches.c.terms).where(matches.c.id.in_(mine)))).all()
        for row in rows:
            terms = encode(called(read_terms(row.terms), person)).decode()
            await connection.execute(update(matches).where(matches.c.id == row.id).values(terms=terms))

    async def login(self, name: str, password: str) -> tuple[Person, str]:
        """The account of that name, if the password is right."""
        row = await self._store.row(select(people).where(people.c.folded == name.lower()))
        hashed = row.password if row else self._nobody
        async with self._hashing:
            is_right = await asyncio.to_thread(self._verify, hashed, password)
        if not row or not is_right:
            raise Refusal("impossible", "there is no account with this name and password")
        person, secret = Person(id=row.id, name=row.name, kind=row.kind), secrets.token_urlsafe(32)
        await self._store.write(self._new_session(person, secret))
        return person, secret

    async def logout(self, secret: str) -> None:
        """End a session."""
        await self._store.write(delete(sessions).where(sessions.c.digest == digest(secret)))

    async def _hash(self, password: str) -> str:
        async with self._hashing:
            return await asyncio.to_thread(self._hasher.hash, password)

    def _verify(self, hashed: str, password: str) -> bool:
        try:
            return self._hasher.verify(hashed, password)
        except Argon2Error:
            return False

    async def new_token(self, person: Person, label: str, is_bot: bool) -> TokenFact:
        """A token for a program; an account becomes a bot's only before it has played."""
        if person.kind == "guest":
            raise Refusal("impossible", "tokens are for accounts: register first")
        if len(await self.tokens(person)) >= MOST_TOKENS:
            raise Refusal("limit", f"an account has at most {MOST_TOKENS} tokens")
        if is_bot and person.kind != "bot":
            if await self._store.row(select(seats.c.match).where(seats.c.person == person.id).limit(1)):
                raise Refusal("impossible", "this account has played as a person: a bot needs an account of its own")
            await self._store.write(update(people).where(people.c.id == person.id).values(kind="bot"))
        secret = "men_" + secrets.token_urlsafe(32)
        fact = TokenFact(id=new_name(), label=label, secret=secret, created_ms=self._time.now())
        values = {"id": fact.id, "digest": digest(secret), "person": person.id, "label": label}
        await self._store.write(insert(tokens).values(created=fact.created_ms, **values))
        return fact

    async def tokens(self, person: Person) -> list[TokenFact]:
        """Somebody's tokens, without their secrets."""
        rows = await self._store.rows(select(tokens).where(tokens.c.person == person.id).order_by(tokens.c.created))
        return [TokenFact(id=row.id, label=row.label, secret=None, created_ms=row.created) for row in rows]

    async def drop_token(self, person: Person, name: str) -> None:
        """A token is good for nothing any more."""
        if not await self._store.write(delete(tokens).where(tokens.c.id == name, tokens.c.person == person.id)):
            raise NotFound("there is no such token of yours")


def called(terms: Terms, person: Person) -> Terms:
    """The terms of a match with somebody's new name; whatever else was agreed stays."""
    one, two = (replace(player, name=person.name) if player.person == person.id else player for player in terms.players)
    return replace(terms, players=(one, two))
