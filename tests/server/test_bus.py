"""Redis comes and goes: channels work again afterwards, nobody waits for it, and whoever is away is missed."""

import asyncio
from dataclasses import replace
from typing import cast

import msgspec
import pytest
from insides import SHORT, Inside, begin, move, until
from redis.exceptions import RedisError
from servers import postgres_server, redis_process, redis_server
from sqlalchemy import update

from menagerie.search.limits import STRENGTH
from menagerie.server import jobs as jobs_here
from menagerie.server import presence
from menagerie.server import sharedjobs as jobs_shared
from menagerie.server.bodies import FischerClock, NewMatch
from menagerie.server.desk import GIVEN_BACK, Desk
from menagerie.server.jobs import MOST_TRIES, NOBODY_WAITS, PERSON_WAITS, Answer, Job, Jobs, MemoryJobs
from menagerie.server.listeners import Listener
from menagerie.server.openings import new_match
from menagerie.server.settings import Settings
from menagerie.server.sharedbus import RedisBus
from menagerie.server.sharedjobs import BELL, RedisJobs
from menagerie.server.tables import servers


def test_a_channel_that_could_not_be_listened_to_can_be_later() -> None:
    async def run() -> None:
        heard: list[bytes] = []

        async def hear(data: bytes) -> None:
            heard.append(data)

        with redis_process() as redis:
            bus = RedisBus(redis.address)
            await bus.open()
            await bus.listen("before", hear)
            redis.kill()
            with pytest.raises((RedisError, TimeoutError, OSError)):
                await bus.listen("meanwhile", hear)
            redis.start()
            await asyncio.sleep(2)
            await bus.listen("meanwhile", hear)
            await bus.publish("before", b"1")
            await bus.publish("meanwhile", b"2")
            await until(lambda: len(heard) >= 2)
            assert heard == [b"1", b"2"], "each heard once, in order"
            await bus.ignore("meanwhile", hear)
            await bus.ignore("meanwhile", hear)
            await bus.close()

    asyncio.run(run())


def test_nobody_waits_for_a_redis_that_hangs(inside: Inside) -> None:
    async def run() -> None:
        loop = asyncio.get_running_loop()
        with redis_process() as redis:
            async with inside(redis=redis.address) as desk:
                room = await begin(desk)
                person = (await desk.accounts.guest())[0]
                body = NewMatch(game=SHORT, against="machine", colour="first")
                alone = await desk.house.room(await new_match(desk, person, body))
                redis.hang()
                begun = loop.time()
                for one in (room, room, alone):
                    await move(desk, one)
                assert loop.time() - begun < 0.5
                await until(lambda: len(alone.sitting.turns) == 2, 6)
                redis.go_on()

    asyncio.run(run())


def test_players_of_a_server_that_died_are_missed(inside: Inside) -> None:
    """Nobody says that they have left: their names vanish from Redis, and whoever is still there notices."""

    async def run() -> None:
        with redis_server() as redis:
            async with inside(redis=redis) as desk:
                room = await begin(desk)
                await presence.enter(desk.house, room, [0])
                room.join(Listener([1]), None)
                await presence.enter(desk.house, room, [1])
                assert not room.sitting.standing.absences, "the first is at another server"
                bus = cast(RedisBus, desk.bus)
                await bus._redis.delete(f"menagerie:here:{presence.here(room, 0)}")
                await presence.refresh(desk.house)
                assert room.sitting.standing.absences.keys() == {0}

    asyncio.run(run())


def job(number: int, priority: int = PERSON_WAITS, level: int = 1) -> Job:
    """A question."""
    of: dict[str, object] = {
        "match": "m",
        "key": "k",
        "game": SHORT,
        "rules": "",
        "start": None,
        "turns": [],
        "level": level,
        "seconds": None,
    }
    return msgspec.convert({**of, "ply": number, "priority": priority}, Job)


@pytest.mark.parametrize("is_shared", [False, True])
def test_the_queue(is_shared: bool) -> None:
    """A person's turn is raised, an asked one is asked once, what kills workers ends, the bell does not grow."""

    async def run(jobs: Jobs) -> None:
        for number in range(3):
            await jobs.put(job(number, NOBODY_WAITS))
        await jobs.put(job(2))
        await jobs.put(job(1, NOBODY_WAITS))
        for number in (2, 0, 1):
            async with asyncio.timeout(5):
                taken = await jobs.take()
            assert taken.ply == number
            await jobs.put(taken)
            await jobs.finish(taken, None)
        assert await jobs.waiting() == 0
        for _ in range(MOST_TRIES):
            await jobs.put(job(7))
            async with asyncio.timeout(5):
                await jobs.give_back(await jobs.take())
        await jobs.put(job(7))
        await jobs.put(job(8))
        async with asyncio.timeout(5):
            assert (await jobs.take()).ply == 8, "the other has had its tries"
        assert not await jobs.is_manned()
        await jobs.note_manned()
        assert await jobs.is_manned()
        if isinstance(jobs, RedisJobs):
            for number in range(50):
                await jobs.put(job(200 + number))
                await jobs.finish(await jobs.take(), None)
            assert int(await jobs._redis.llen(BELL)) <= 1
        await jobs.close()

    with redis_server() as address:
        asyncio.run(run(RedisJobs(address) if is_shared else MemoryJobs()))


@pytest.mark.parametrize("is_shared", [False, True])
def test_a_quick_turn_does_not_wait_for_all_the_slow_ones(is_shared: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run(jobs: Jobs) -> None:
        for number in range(3):
            await jobs.put(job(number, level=8))
        await jobs.put(job(3, NOBODY_WAITS))
        await jobs.put(job(4))
        async with asyncio.timeout(5):
            taken = [(await jobs.take()).ply for _ in range(5)]
        assert taken == [4, 0, 1, 2, 3]
        monkeypatch.setitem(STRENGTH, 8, replace(STRENGTH[8], seconds=STRENGTH[1].seconds + 0.2))
        await jobs.put(job(5, level=8))
        await asyncio.sleep(0.4)
        await jobs.put(job(6))
        async with asyncio.timeout(5):
            assert (await jobs.take()).ply == 5, "which has waited long enough"
        await jobs.close()

    with redis_server() as address:
        asyncio.run(run(RedisJobs(address) if is_shared else MemoryJobs()))


@pytest.mark.parametrize("is_shared", [False, True])
def test_a_job_whose_lease_runs_out_goes_to_somebody_else(is_shared: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever took it first may still answer, and so may the other: the answer counts once."""
    for module in (jobs_here, jobs_shared):
        monkeypatch.setattr(module, "LEASE_SECONDS", 0.5)

    async def run(jobs: Jobs) -> None:
        await jobs.put(job(1))
        async with asyncio.timeout(5):
            first = await jobs.take()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(jobs.take(), 0.2)
        async with asyncio.timeout(5):
            second = await jobs.take()
        assert first == second == job(1)
        found = Answer(match="m", ply=1, key="k", actions=[1])
        await jobs.finish(second, found)
        async with asyncio.timeout(5):
            assert await jobs.answer() == found
        await asyncio.sleep(0.6)
        assert await jobs.waiting() == 0
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(jobs.take(), 1.5)
        await jobs.close()

    with redis_server() as address:
        asyncio.run(run(RedisJobs(address) if is_shared else MemoryJobs()))


def test_servers_that_start_together_give_time_back_once() -> None:
    async def run(database: str, redis: str) -> None:
        settings = Settings(database=database, redis=redis, workers=0)
        before = Desk.of(settings)
        await before.open()
        room = await begin(before, FischerClock(seconds=600, added=0))
        for _ in range(2):
            await move(before, room)
        name, had = room.sitting.id, room.sitting.standing.clock.banks
        await before.close()
        await before.store.write(update(servers).values(seen=before.time.now() - 60_000))
        both = [Desk.of(settings) for _ in range(2)]
        await asyncio.gather(*(desk.open() for desk in both))
        for desk in both:
            clock = (await desk.house.room(name)).sitting.standing.clock
            assert clock.banks == (had[0] + GIVEN_BACK, had[1] + GIVEN_BACK)
            assert clock.since - desk.time.now() < 61_000, "and the pause of a minute is counted once"
            await desk.close()
        await before.store.close()

    with postgres_server() as database, redis_server() as redis:
        asyncio.run(run(database, redis))
