"""The house from inside: one bad match stops nobody, what is told is stored, whoever is away is missed."""

import asyncio
import json
from typing import Any

import pytest
from insides import SHORT, Inside, begin, move, until
from sqlalchemy import select, update
from sqlalchemy.exc import OperationalError

from menagerie.match.clock import MINUTE
from menagerie.server import messages, presence
from menagerie.server.bodies import FischerClock, NewMatch
from menagerie.server.listeners import Listener
from menagerie.server.openings import new_match
from menagerie.server.refusals import Refusal
from menagerie.server.tables import matches


def test_one_unreadable_match_stops_no_other(inside: Inside) -> None:
    async def run() -> None:
        async with inside() as desk:
            bad = (await begin(desk, FischerClock(seconds=1, added=0))).sitting.id
            good = await begin(desk, FischerClock(seconds=1, added=0))
            await desk.house._forget(bad)
            await desk.store.write(update(matches).where(matches.c.id == bad).values(terms="{}", due=1))
            for _ in range(2):
                await move(desk, good)
            await until(lambda: not good.sitting.is_playing)
            row = await desk.store.row(select(matches.c.due).where(matches.c.id == bad))
            assert row and row.due > desk.time.now() + MINUTE, "it is left alone for a while"
        async with inside() as again:
            assert await begin(again), "and keeps no server from starting"

    asyncio.run(run())


def test_a_room_that_was_just_asked_for_is_not_forgotten(inside: Inside) -> None:
    async def run() -> None:
        async with inside() as desk:
            room = await begin(desk)
            room.idle_since = 0
            again = await desk.house.room(room.sitting.id)
            await desk.house._sweep()
            listener = Listener([0])
            again.join(listener, None)
            assert desk.house.rooms[room.sitting.id] is again
            await move(desk, await desk.house.room(room.sitting.id))
            assert listener.waiting.qsize() == 2, "a snapshot, and the turn"

    asyncio.run(run())


def test_everybody_hears_how_many_watch_and_not_too_often(inside: Inside) -> None:
    async def run() -> None:
        async with inside() as desk:
            room, player = await begin(desk), Listener([0])
            room.join(player, None)
            watchers = [Listener([]) for _ in range(200)]
            for watcher in watchers:
                room.join(watcher, None)
            assert player.waiting.qsize() == 1, "the snapshot"
            for listener in (player, watchers[0]):
                await listener.next()
            for number in (200, 199):
                for listener in (player, watchers[0]):
                    message = await asyncio.wait_for(listener.next(), 5)
                    changed = json.loads(message or b"")
                    assert (changed["type"], changed["v"]) == ("changed", room.sitting.version)
                    assert changed["state"]["watchers"] == number and listener.waiting.empty()
                room.part(watchers[-1])
            again = Listener([1])
            room.join(again, room.sitting.version)
            assert again.waiting.qsize() == 1, "and who comes back hears it once, with the clocks"

    asyncio.run(run())


def test_a_database_that_is_away_means_try_again(inside: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where reading fails as writing does; afterwards the room is as the database is, whatever was written."""

    async def run() -> None:
        async with inside() as desk:
            room = await begin(desk)
            ledger = desk.house.ledger
            commit, load = ledger.commit, ledger.load

            async def written_but_lost(*given: Any) -> bool:
                await commit(*given)
                raise OperationalError("COMMIT", {}, OSError("the connection broke"))

            async def away(_: str) -> None:
                raise OperationalError("SELECT", {}, OSError("nobody answers"))

            monkeypatch.setattr(ledger, "commit", written_but_lost)
            monkeypatch.setattr(ledger, "load", away)
            for _ in range(2):
                with pytest.raises(Refusal, match="try again"):
                    await move(desk, room)
            monkeypatch.setattr(ledger, "commit", commit)
            monkeypatch.setattr(ledger, "load", load)
            again = await move(desk, room)
            assert isinstance(again, messages.Ack) and again.ply == 0, "it was written, and is there once"
            assert len(room.sitting.turns) == 1

    asyncio.run(run())


def test_who_never_comes_is_away_from_the_beginning(inside: Inside) -> None:
    async def run() -> None:
        async with inside() as desk:
            room = await begin(desk)
            assert room.sitting.standing.absences.keys() == {0, 1}
            await presence.enter(desk.house, room, [1])
            assert room.sitting.standing.absences.keys() == {0}
            person = (await desk.accounts.guest())[0]
            alone = await desk.house.room(await new_match(desk, person, NewMatch(game=SHORT, against="machine")))
            assert not alone.sitting.standing.absences, "the machine waits for nobody"

    asyncio.run(run())


def test_a_flag_falls_at_its_moment(inside: Inside) -> None:
    async def run() -> None:
        async with inside() as desk:
            room = await begin(desk, FischerClock(seconds=1, added=0))
            await move(desk, room)
            await move(desk, room)
            begun = asyncio.get_running_loop().time()
            desk.house._tasks[0].cancel()  # the sweep, which would find it too, but later
            await until(lambda: not room.sitting.is_playing)
            assert 1.0 <= asyncio.get_running_loop().time() - begun < 1.0 + 0.5

    asyncio.run(run())


def test_where_no_worker_is_a_turn_comes_within_three_seconds(inside: Inside) -> None:
    async def run() -> None:
        async with inside() as desk:
            person = (await desk.accounts.guest())[0]
            for level in (1, 8):
                loop = asyncio.get_running_loop()
                begun = loop.time()
                name = await new_match(
                    desk, person, NewMatch(game=SHORT, against="machine", colour="second", level=level)
                )
                room = await desk.house.room(name)
                await until(lambda room=room: bool(room.sitting.turns))
                assert loop.time() - begun < 3
                assert room.state([]).engine == "stood_in"

    asyncio.run(run())


def test_busy_workers_are_waited_for(inside: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with inside() as desk:

            async def manned() -> bool:
                return True

            monkeypatch.setattr(desk.jobs, "is_manned", manned)
            person = (await desk.accounts.guest())[0]
            body = NewMatch(game=SHORT, against="machine", colour="second", level=8)
            room = await desk.house.room(await new_match(desk, person, body))
            await asyncio.sleep(7)
            assert not room.sitting.turns and room.state([]).engine == "busy"
            await until(lambda: bool(room.sitting.turns), 15)

    asyncio.run(run())
