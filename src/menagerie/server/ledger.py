"""Matches in the database: every change is one transaction that succeeds only on the version it was decided on."""

import asyncio
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace
from sqlalchemy import Row, and_, bindparam, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from menagerie.server.deadlines import due
from menagerie.server.facts import ChatFact
from menagerie.server.ratebook import rate
from menagerie.server.sitting import Sitting
from menagerie.server.standing import Note, Opening, Player, StoredTurn, encode, read_standing, read_terms
from menagerie.server.store import Store
from menagerie.server.tables import chat, matches, people, ratings, seats, turns

Connection = AsyncConnection

# Made once: putting a statement together takes longer than running it.
CHANGE = (
    update(matches)
    .where(matches.c.id == bindparam("name"), matches.c.version == bindparam("known"))
    .values({name: bindparam(f"new_{name}") for name in ("standing", "status", "version", "ply", "due")})
)
ADD_TURN, ADD_LINE = insert(turns), insert(chat)
DROP_TURNS = delete(turns).where(turns.c.match == bindparam("name"), turns.c.ply >= bindparam("least"))
OVERDUE = select(matches.c.id).where(matches.c.due <= bindparam("now")).order_by(matches.c.due).limit(bindparam("most"))


class Ledger:
    """Reads and writes matches."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def open(self, opening: Opening, now: int) -> None:
        """Write a new match."""
        async with self.store.writing() as connection:
            await insert_match(connection, opening, now)

    async def load(self, name: str) -> Sitting | None:
        """The match as it is stored; None where there is none."""
        async with self.store.reading_at_once() as connection:
            row = (await connection.execute(select(matches).where(matches.c.id == name))).first()
            if row is None:
                return None
            of_match = [
                (await connection.execute(select(table).where(table.c.match == name).order_by(order))).all()
                for table, order in ((turns, turns.c.ply), (chat, chat.c.number))
            ]
        return await asyncio.to_thread(replay, row, *of_match)

    async def commit(self, sitting: Sitting, note: Note, now: int) -> bool:
        """Store a change; False, and nothing stored, where somebody else has changed the match since."""
        change, name = note.change, sitting.id
        change.standing = replace(change.standing, due=due(sitting.terms, change.standing, now))
        async with self.store.writing() as connection:
            if change.standing.status == "over" and sitting.is_playing:
                await rate(connection, sitting, change, now)
            taken = await connection.execute(CHANGE, match_row(sitting, note))
            if taken.rowcount != 1:
                await connection.rollback()
                return False
            if change.back_to is not None:
                await connection.execute(DROP_TURNS, {"name": name, "least": change.back_to})
            if change.turn:
                await connection.execute(ADD_TURN, {"match": name, **turn_row(change.turn)})
            if change.opens:
                change.opens = await renewed(connection, change.opens)
                await insert_match(connection, change.opens, now)
            if change.line:
                await connection.execute(ADD_LINE, {"match": name, **line_row(change.line, len(sitting.chat))})
        return True

    async def overdue(self, now: int, most: int) -> list[str]:
        """The matches that somebody must look at now."""
        rows = await self.store.rows(OVERDUE, {"now": now, "most": most})
        return [row.id for row in rows]

    async def postpone(self, name: str, until: int) -> None:
        """Let nobody look at a match before then."""
        await self.store.write(update(matches).where(matches.c.id == name).values(due=until))

    async def versions(self, names: list[str]) -> dict[str, int]:
        """The versions of some matches."""
        rows = await self.store.rows(select(matches.c.id, matches.c.version).where(matches.c.id.in_(names)))
        return {row.id: row.version for row in rows}

    async def waiting(self) -> list[str]:
        """All matches that time does something to."""
        return [row.id for row in await self.store.rows(select(matches.c.id).where(matches.c.due.is_not(None)))]


def replay(row: Row[Any], turn_rows: Sequence[Row[Any]], lines: Sequence[Row[Any]]) -> Sitting:
    """A match from what is stored of it; takes a while for a long one."""
    sitting = Sitting.of(row.id, read_terms(row.terms), read_standing(row.standing), row.version)
    for stored in turn_rows:
        sitting.play(read_turn(stored))
    sitting.chat = [ChatFact(name=line.name, seat=line.player, text=line.text, at_ms=line.at) for line in lines]
    return sitting


async def insert_match(connection: Connection, opening: Opening, now: int) -> None:
    """Write a new match and who sits at it."""
    name, terms = opening.name, opening.terms
    standing = replace(opening.standing, due=due(terms, opening.standing, now))
    await connection.execute(
        insert(matches).values(
            id=name,
            game=terms.game,
            terms=encode(terms).decode(),
            standing=encode(standing).decode(),
            status=standing.status,
            version=0,
            ply=0,
            due=standing.due,
            created=terms.created,
            is_private=terms.is_private,
        )
    )
    sitting = [
        {"match": name, "player": number, "person": player.person, "created": terms.created}
        for number, player in enumerate(terms.players)
        if player.person
    ]
    if sitting:
        await connection.execute(insert(seats), sitting)


async def renewed(connection: Connection, opening: Opening) -> Opening:
    """A rematch, with its players as they are now called and rated."""
    players = [await renewed_player(connection, player, opening.terms.game) for player in opening.terms.players]
    return replace(opening, terms=replace(opening.terms, players=(players[0], players[1])))


async def renewed_player(connection: Connection, player: Player, game: str) -> Player:
    """A player as they are now; the machine is always the same."""
    if player.person is None:
        return player
    of_person = and_(ratings.c.person == people.c.id, ratings.c.game == game, ratings.c.against == "people")
    named = select(people.c.name, people.c.kind, ratings.c.rating).outerjoin(ratings, of_person)
    row = (await connection.execute(named.where(people.c.id == player.person))).one()
    return replace(player, name=row.name, kind=row.kind, rating=None if row.rating is None else round(row.rating))


def ply_after(sitting: Sitting, note: Note) -> int:
    """How many turns the match has after a change."""
    change = note.change
    if change.turn:
        return change.turn.ply - sitting.first_ply + 1
    return len(sitting.turns) if change.back_to is None else change.back_to - sitting.first_ply


def match_row(sitting: Sitting, note: Note) -> dict[str, Any]:
    """What a change writes into the row of the match, if it is still at the version before."""
    standing = note.change.standing
    return {
        "name": sitting.id,
        "known": note.version - 1,
        "new_standing": encode(standing).decode(),
        "new_status": standing.status,
        "new_version": note.version,
        "new_ply": ply_after(sitting, note),
        "new_due": standing.due,
    }


def turn_row(turn: StoredTurn) -> dict[str, Any]:
    """A turn as a row."""
    actions = ",".join(map(str, turn.actions))
    return {"ply": turn.ply, "actions": actions, "request": turn.request, "spent": turn.spent, "at": turn.at}


def read_turn(row: Any) -> StoredTurn:
    """A row as a turn."""
    actions = [int(number) for number in row.actions.split(",")]
    return StoredTurn(ply=row.ply, actions=actions, request=row.request, spent=row.spent, at=row.at)


def line_row(line: ChatFact, number: int) -> dict[str, Any]:
    """A line of chat as a row."""
    return {"number": number, "name": line.name, "player": line.seat, "text": line.text, "at": line.at_ms}
