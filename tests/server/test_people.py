"""Accounts, ratings and lists from inside, on both databases."""

import asyncio
from collections.abc import Iterator

import pytest
from insides import SHORT, Inside
from servers import postgres_server
from sqlalchemy import insert

from menagerie.match.clock import DAY
from menagerie.server.accounts import Accounts
from menagerie.server.answers import Caller, answer
from menagerie.server.bodies import NewSeek
from menagerie.server.messages import Offer, Resign
from menagerie.server.ratebook import read_rating, write_rating
from menagerie.server.ratings import NARROWEST, WIDEST, Rating
from menagerie.server.refusals import Refusal
from menagerie.server.store import Store
from menagerie.server.tables import ratings
from menagerie.server.timing import Time

PASSWORD = "correct horse"


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a database of either kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path_factory.mktemp('people') / 'people.db'}"
    else:
        with postgres_server() as address:
            yield address


async def opened(database: str) -> tuple[Store, Accounts]:
    """The tables, and those who are in them."""
    store = Store(database)
    await store.open()
    return store, Accounts(store, Time())


def test_two_first_matches_that_end_at_once_make_one_rating(database: str) -> None:
    async def run() -> None:
        store, accounts = await opened(database)
        person, _ = await accounts.guest()

        async def read() -> Rating:
            async with store.writing() as connection:
                found = await read_rating(connection, person.id, (SHORT, "people"), DAY)
                await asyncio.sleep(0.2)
                await write_rating(connection, person.id, (SHORT, "people"), (Rating(games=found.games + 1), DAY))
                return found

        assert sorted(rating.games for rating in await asyncio.gather(read(), read())) == [0, 1]
        await store.close()

    asyncio.run(run())


def test_a_rating_is_less_sure_after_a_while(database: str) -> None:
    async def run() -> None:
        store, accounts = await opened(database)
        person, _ = await accounts.guest()
        what = (SHORT, "people")
        async with store.writing() as connection:
            await read_rating(connection, person.id, what, DAY)
            await write_rating(connection, person.id, what, (Rating(1700.0, 60.0), DAY))
            soon = await read_rating(connection, person.id, what, DAY)
            later = await read_rating(connection, person.id, what, 31 * DAY)
            much_later = await read_rating(connection, person.id, what, 3000 * DAY)
        assert (soon.deviation, much_later.deviation) == (60.0, WIDEST) and 80 < later.deviation < 110
        assert soon.rating == later.rating == 1700.0
        assert Rating(deviation=NARROWEST).later(0).deviation == NARROWEST
        await store.close()

    asyncio.run(run())


def test_a_guest_is_registered_once_and_other_sessions_end(database: str) -> None:
    async def run() -> None:
        store, accounts = await opened(database)
        guest, secret = await accounts.guest()
        first, again = await asyncio.gather(
            accounts.register(guest, f"First{store.is_sqlite}", PASSWORD),
            accounts.register(guest, f"Second{store.is_sqlite}", PASSWORD),
            return_exceptions=True,
        )
        assert sorted(isinstance(one, Refusal) for one in (first, again)) == [False, True], (first, again)
        assert await accounts.by_session(secret) is None, "the guest's old cookie is good for nothing"
        made = again if isinstance(first, Refusal) else first
        assert isinstance(made, tuple)
        assert await accounts.by_session(made[1]) == made[0]
        await store.close()

    asyncio.run(run())


def test_matches_bear_the_name_of_a_guest_who_registered_and_so_does_the_rematch(inside: Inside) -> None:
    async def run() -> None:
        async with inside() as desk:
            guest, rival = (await desk.accounts.guest())[0], (await desk.accounts.guest())[0]
            seek = await desk.lobby.seek(guest, NewSeek(game=SHORT, colour="first"))
            room = await desk.house.room(await desk.lobby.accept(seek.id, rival))
            await answer(desk.house, room, Caller(name="", seats=[0]), Resign(id="x"))
            person, _ = await desk.accounts.register(guest, "Named", PASSWORD)
            values = {"person": person.id, "game": SHORT, "against": "people", **vars(Rating(1650.0))}
            await desk.store.write(insert(ratings).values(**values))
            listed = (await desk.people.matches(None, person, {}, None)).matches
            assert [one.players[0] for one in listed] == ["Named"]
            for seat in range(2):
                await answer(desk.house, room, Caller(name="", seats=[seat]), Offer(id="r", what="rematch"))
            again = await desk.house.room(str(room.sitting.standing.rematch))
            sat = again.sitting.terms.players[1]
            assert (sat.name, sat.kind, sat.rating) == ("Named", "account", 1650)

    asyncio.run(run())


def test_leaders_are_people_whose_rating_is_more_than_a_guess_the_strongest_first(inside: Inside) -> None:
    async def run() -> None:
        async with inside() as desk:
            known = {"Anna": Rating(1600.0, 60.0), "Berta": Rating(1800.0, 60.0), "Guesser": Rating(2000.0, 200.0)}
            for name, rating in known.items():
                person, _ = await desk.accounts.register(None, name, PASSWORD)
                values = {"person": person.id, "game": SHORT, "against": "people", **vars(rating)}
                await desk.store.write(insert(ratings).values(**values))
            leaders = await desk.people.leaders(SHORT)
            assert [(one.name, one.ratings[SHORT].rating) for one in leaders] == [("Berta", 1800), ("Anna", 1600)]

    asyncio.run(run())


def test_private_matches_do_not_push_others_out_of_a_list(inside: Inside) -> None:
    async def run() -> None:
        async with inside() as desk:
            one, two = (await desk.accounts.guest())[0], (await desk.accounts.guest())[0]
            for number in range(32):
                seek = await desk.lobby.seek(one, NewSeek(game=SHORT, is_private=number > 0))
                await desk.lobby.accept(seek.id, two)
            seen = await desk.people.matches(None, one, {}, None)
            assert len(seen.matches) == 1 and seen.before is None
            assert len((await desk.people.matches(one, one, {}, None)).matches) == 30

    asyncio.run(run())
