"""Every kind of clock, played on the site: what players are told, when they have no time left, what lag is forgiven."""

import asyncio
import json
import random
from typing import Any

import pytest
from clients import Seat, Visitor, pair
from insides import SHORT, Hands, Inside, ask, begin, make, move, until

import menagerie
from menagerie.arena.players import random_turn
from menagerie.games import names
from menagerie.match.score import leader
from menagerie.server import lag, presence
from menagerie.server.bodies import DaysClock, DelayClock, FischerClock, ReserveClock
from menagerie.server.desk import Desk
from menagerie.server.listeners import Listener
from menagerie.server.messages import Claim, Offer
from menagerie.server.refusals import Refusal
from menagerie.server.rooms import Room

SET_UP = next(name for name in names() if menagerie.game(name).game.setups)
NEWS = 500
"""Milliseconds that news may be under way on a busy machine."""


def told(room: Room, *seats: int) -> Any:
    """The state of a match as clients get it who play these sides."""
    return json.loads(room.snapshot(list(seats)))["match"]["state"]


def faces(room: Room) -> Any:
    """Both sides of the clock as clients get them."""
    return told(room)["clocks"]["faces"]


def face(free: float, bank: float, flag: float) -> Any:
    """A side of a clock without periods, in seconds."""
    told = {"free_ms": free, "bank_ms": bank, "flag_ms": flag}
    return {"period_ms": 0, "periods": 0, **{name: round(seconds * 1000) for name, seconds in told.items()}}


async def watched(desk: Desk, clock: Any, game: str = SHORT) -> Room:
    """A match that somebody watches: its room stays, however late it gets."""
    room = await begin(desk, clock, game)
    room.join(Listener([]), None)
    return room


async def turns(desk: Desk, room: Room, hands: Hands, *seconds: float) -> None:
    """Turns that take so long, by whoever is to move."""
    for took in seconds:
        hands.forward(took)
        await move(desk, room)


async def ends(room: Room) -> tuple[str, int | None]:
    """How a match ends, once somebody has looked at it."""
    await until(lambda: not room.sitting.is_playing)
    outcome = told(room)["outcome"]
    return outcome["reason"], outcome["winner"]


def test_a_takeback_gives_no_time_and_brings_nobody_back(inside: Inside) -> None:
    async def run() -> None:
        async with inside() as desk:
            hands, room = Hands(desk), await watched(desk, FischerClock(seconds=60, added=2))
            await presence.enter(desk.house, room, [0])
            await turns(desk, room, hands, 1, 1, 10, 5)
            hands.forward(7)
            for seat in (0, 1):
                await ask(desk, room, seat, Offer(id="x", what="takeback"))
            assert [face["bank_ms"] for face in faces(room)] == [45_000, 57_000]
            assert [seat["is_here"] for seat in told(room)["players"]] == [True, False], "the second has never come"
            await turns(desk, room, hands, 1)
            assert [face["bank_ms"] for face in faces(room)] == [44_000, 57_000], "nothing is added a second time"
            hands.forward(31)
            await until(lambda: "absent_win" in told(room, 0)["claims"])
            await ask(desk, room, 0, Claim(id="x", what="absent_win"))
            assert await ends(room) == ("forfeit", 0)

    asyncio.run(run())


def test_a_delay(inside: Inside) -> None:
    """The first seconds of each turn cost nothing and are not kept."""

    async def run() -> None:
        async with inside() as desk:
            hands, room = Hands(desk), await watched(desk, DelayClock(seconds=60, delay=5))
            await turns(desk, room, hands, 100, 100)
            assert faces(room) == [face(5, 60, 65), face(5, 60, 65)], "the first turns are not counted"
            await turns(desk, room, hands, 3, 8)
            hands.forward(2)
            assert faces(room) == [face(3, 60, 63), face(5, 57, 62)] and told(room)["clocks"]["running"] == 0
            hands.forward(62.9)
            await turns(desk, room, hands, 0)
            assert faces(room)[0] == face(5, 0.1, 5.1)
            hands.forward(62.3)
            assert await ends(room) == ("time", 0)

    asyncio.run(run())


def test_days_for_each_turn(inside: Inside) -> None:
    async def run() -> None:
        async with inside() as desk:
            hands, heard, room = Hands(desk), Listener([]), await watched(desk, DaysClock(days=2))
            await desk.bus.listen(f"person:{room.sitting.terms.players[1].person}", heard.hear)
            assert faces(room) == [face(2 * 86_400, 0, 2 * 86_400)] * 2
            await turns(desk, room, hands, 86_400 + 3_600)
            assert json.loads(await heard.next() or b"")["type"] == "your_turn"
            hands.forward(2 * 86_400 - 1)
            assert faces(room) == [face(2 * 86_400, 0, 2 * 86_400), face(1, 0, 1)] and told(room)["status"] == "playing"
            await turns(desk, room, hands, 0)
            hands.forward(2 * 86_400 + 1)
            assert await ends(room) == ("time", 1)

    asyncio.run(run())


def test_a_reserve_grows_by_unused_time_up_to_its_limit(inside: Inside) -> None:
    """M/R/P/L: one minute a turn, two in reserve, half of what is left is added, up to two minutes and a half."""

    async def run() -> None:
        async with inside() as desk:
            hands, room = Hands(desk), await watched(desk, ReserveClock(text="1/2/50/2:30"))
            assert told(room)["clocks"]["running"] == 0, "every turn is counted, the first too"
            assert faces(room) == [face(60, 120, 180)] * 2
            await turns(desk, room, hands, 20, 0)
            assert faces(room) == [face(60, 140, 200), face(60, 150, 210)], "20 s, and half of 60 s"
            await turns(desk, room, hands, 20, 90)
            assert faces(room) == [face(60, 150, 210), face(60, 120, 180)], "no further than the limit; 30 s of reserve"
            hands.forward(210.3)
            assert await ends(room) == ("time", 1)

    asyncio.run(run())


def test_setting_up_has_a_minute_where_turns_have_less(inside: Inside) -> None:
    async def run() -> None:
        async with inside() as desk:
            hands, room = Hands(desk), await watched(desk, ReserveClock(text="0:15/1/0"), SET_UP)
            assert faces(room) == [face(60, 60, 120)] * 2
            for took in (50, 55):
                hands.forward(took)
                await make(desk, room, random_turn(room.sitting.match, random.Random(took)))
            assert faces(room) == [face(15, 60, 75)] * 2
            hands.forward(75.3)
            assert await ends(room) == ("time", 1)

    asyncio.run(run())


def test_no_turn_takes_longer_than_its_limit(inside: Inside) -> None:
    """T, the last field: there is reserve for more, and the flag falls all the same."""

    async def run() -> None:
        async with inside() as desk:
            hands, room = Hands(desk), await watched(desk, ReserveClock(text="1/30/100/0/0/2"))
            await turns(desk, room, hands, 0, 119)
            assert faces(room)[0] == face(60, 31 * 60, 120)
            hands.forward(120.3)
            assert await ends(room) == ("time", 1)

    asyncio.run(run())


@pytest.mark.parametrize(("limit", "took"), [("0:10", 250), ("2t", 1)])
def test_at_the_limit_of_the_match_whoever_has_more_pieces_wins(inside: Inside, limit: str, took: float) -> None:
    """G: in time, counted through turns and takebacks, or in turns of each side."""

    async def run() -> None:
        async with inside() as desk:
            hands, room = Hands(desk), await watched(desk, ReserveClock(text=f"1/60/100/0/{limit}"))
            await turns(desk, room, hands, took, took)
            hands.forward(took / 10)
            for seat in (0, 1):
                await ask(desk, room, seat, Offer(id="x", what="takeback"))
            assert told(room)["status"] == "playing" and not told(room, 0)["claims"]
            if limit == "2t":
                await turns(desk, room, hands, took, took, took, took)
            else:
                hands.forward(600 - 2 * took - took / 10 - 1)
                assert told(room)["status"] == "playing"
                hands.forward(1)
            assert await ends(room) == ("score", leader(room.sitting.match))

    asyncio.run(run())


def test_lag_is_forgiven_within_its_quota(inside: Inside) -> None:
    async def run() -> None:
        async with inside() as desk:
            hands, room = Hands(desk), await watched(desk, FischerClock(seconds=10, added=0))
            await turns(desk, room, hands, 1, 1)
            quota = room.sitting.standing.quotas[0]
            hands.forward(2)
            await move(desk, room, lag=250)
            assert faces(room)[0]["bank_ms"] == 10_000 - 2_000 + 250 and room.sitting.turns[2].spent == 1_750
            await turns(desk, room, hands, 1)
            left = room.sitting.standing.quotas[0]
            assert left < quota + lag.gain(room.sitting.standing.clock.control), "what was used is gone"
            hands.forward(4)
            await move(desk, room, lag=60_000)
            assert faces(room)[0]["bank_ms"] == 8_250 - 4_000 + left, "who feigns lag gains no more than the quota"

    asyncio.run(run())


def test_a_turn_that_was_on_its_way_at_zero_counts_and_no_other(inside: Inside) -> None:
    async def run() -> None:
        async with inside() as desk:
            control = FischerClock(seconds=10, added=0)
            hands, room, late = Hands(desk), await watched(desk, control), await watched(desk, control)
            for one in (room, late):
                await turns(desk, one, hands, 0, 0)
            hands.forward(10 + (lag.GRACE - 100) / 1000)
            await desk.house._sweep()
            assert room.sitting.is_playing and faces(room)[0]["flag_ms"] == 0
            with pytest.raises(Refusal, match="too late"):
                await move(desk, late, lag=lag.GRACE - 100)
            await move(desk, room, lag=lag.GRACE - 99)
            assert faces(room)[0]["bank_ms"] == 1 and room.sitting.is_playing
            hands.forward(0.1)
            assert await ends(late) == ("time", 1)

    asyncio.run(run())


def test_lag_is_measured_by_pings_and_forgiven(visitor: Visitor, other: Visitor) -> None:
    """Who answers pings late has lag; told to them, and taken from what a turn has cost."""
    match = pair(visitor, other, SHORT, clock={"type": "fischer", "seconds": 300, "added": 0})

    async def play() -> None:
        async with visitor.sit(match) as seat, other.sit(match) as rival:
            await take(seat, await seat.hear("snapshot"))
            await take(rival, await rival.played(0))
            next_turn = await seat.played(1)
            heard = asyncio.get_running_loop().time()
            first = await ping(seat)
            assert first["lag_ms"] is None
            await asyncio.sleep(0.6)
            await seat.send({"type": "pong", "n": first["n"]})
            lagged = (await ping(seat))["lag_ms"]
            assert lagged >= 600
            sent = asyncio.get_running_loop().time()
            answer = await take(seat, next_turn)
            done = asyncio.get_running_loop().time()
            spent = visitor.get(f"/api/matches/{match}")["turns"][2]["spent_ms"]
            assert (sent - heard) * 1000 - lagged - NEWS <= spent <= (done - heard) * 1000 - lagged + NEWS
            assert answer["clocks"]["faces"][0]["bank_ms"] == 300_000 - spent

    asyncio.run(play())


async def ping(seat: Seat) -> Any:
    """The next ping, which is not answered."""
    async with asyncio.timeout(20):
        while (message := json.loads(await seat.connection.recv()))["type"] != "ping":
            pass
    return message


async def take(seat: Seat, message: Any) -> Any:
    """The first legal turn that a message offers; the acknowledgement."""
    view = message.get("match", message)
    position, actions = view["position"], [view["choice"]["actions"][0]["id"]]
    answer = await seat.ask("turn", ply=position["ply"], key=position["key"], actions=actions)
    assert answer["type"] == "ack", answer
    return answer
