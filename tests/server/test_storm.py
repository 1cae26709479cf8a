"""Random matches in bad weather: every client ends with the server's record, and every promised turn is in it once."""

import asyncio
import os
import random
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from clients import Visitor, pair
from servers import Redis, Site, postgres_server, redis_process
from storms import Robot

from menagerie.games import names

PLIES = 16
MATCHES = 8
CLOCKS: list[dict[str, object]] = [
    {"type": "none"},
    {"type": "fischer", "seconds": 600, "added": 5},
    {"type": "byoyomi", "seconds": 600, "period": 30, "periods": 3},
]
SECONDS = 240
STORMS = int(os.environ.get("MENAGERIE_STORMS", "1"))
"""How many to live through whose seeds are known; more than one takes minutes."""
SEED = "MENAGERIE_STORM_SEED"
"""The variable that repeats a storm of a new seed, which is printed where it fails."""
TAKEN_BACK, AGAINST_MACHINE = 3, 4
"""In every so manieth match turns are taken back, or one side is the machine's; in one of the eight both."""


Breakable = Site | Redis


@contextmanager
def one_server(folder: Path) -> Iterator[tuple[list[Site], list[Breakable]]]:
    """One process on SQLite; what can break, in turn."""
    with Site(f"sqlite:///{folder / 'storm.db'}") as site:
        yield [site], [site, site]


@contextmanager
def two_servers(_: Path) -> Iterator[tuple[list[Site], list[Breakable]]]:
    """Two processes on PostgreSQL and Redis, which breaks too."""
    with ExitStack() as stack:
        database, redis = stack.enter_context(postgres_server()), stack.enter_context(redis_process())
        sites = [stack.enter_context(Site(database, redis.address)) for _ in range(2)]
        yield sites, [sites[0], redis, sites[1]]


@pytest.mark.parametrize("weather", [one_server, two_servers])
@pytest.mark.parametrize("seed", [*range(1, 1 + STORMS), None])
def test_everybody_ends_with_the_same_record(tmp_path: Path, weather: object, seed: int | None) -> None:
    assert callable(weather)
    if seed is None:
        seed = int(os.environ.get(SEED) or int.from_bytes(os.urandom(4)))
        print(f"to repeat this storm: {SEED}={seed}")
    with weather(tmp_path) as (sites, breakable):
        asyncio.run(storm(sites, breakable, random.Random(seed)))


async def storm(sites: list[Site], breakable: list[Breakable], chance: random.Random) -> None:
    """Play matches while servers die."""
    robots: list[Robot] = []
    for number in range(MATCHES):
        players = [Visitor(sites[0].address), Visitor(sites[0].address)]
        game, clock = names()[number % len(names())], CLOCKS[number % len(CLOCKS)]
        if number % AGAINST_MACHINE == AGAINST_MACHINE - 1:
            players.pop()
            match = players[0].against_machine(game, clock=clock, colour="first")
        else:
            match = pair(players[0], players[1], game, clock=clock)
        takes_back = number % TAKEN_BACK == 1
        robots += [Robot(everywhere(who, sites), match, seat, chance, takes_back) for seat, who in enumerate(players)]
        robots.append(Robot([Visitor(site.address) for site in sites], match, None, chance, takes_back))
    try:
        async with asyncio.timeout(SECONDS):
            await asyncio.gather(break_all(breakable, chance), *(robot.play(PLIES) for robot in robots))
    except TimeoutError:
        pytest.fail(f"these do not come to an end: {[robot for robot in robots if not robot.is_over]}")
    for robot in robots:
        for site in sites:
            robot.agrees_with(Visitor(site.address).get(f"/api/matches/{robot.match}"))
    assert not [site.said() for site in sites if '"level": "error"' in site.said()]
    assert sum(robot.lines for robot in robots) > len(robots), "lines were broken"
    assert sum(robot.undone for robot in robots), "turns were taken back"
    assert sum(len(robot.acknowledged) for robot in robots) > MATCHES * PLIES / 2


def everywhere(visitor: Visitor, sites: list[Site]) -> list[Visitor]:
    """The same person at every server."""
    found = [Visitor(site.address) for site in sites]
    for other in found:
        other.http.cookies = visitor.http.cookies
    return found


async def break_all(breakable: list[Breakable], chance: random.Random) -> None:
    """Kill one after the other in the middle of things, and start it again."""
    for one in breakable:
        await asyncio.sleep(0.3 + chance.random())
        one.kill()
        await asyncio.sleep(chance.random())
        await asyncio.to_thread(one.start)
