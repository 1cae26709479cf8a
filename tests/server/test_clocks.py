"""Every kind of clock, played on the site: what players are told, when they have no time left, what lag is forgiven."""

import asyncio
import json
from typing import Any

from insides import Hands, Inside, ask, begin, move, until

from menagerie.server import presence
from menagerie.server.bodies import FischerClock
from menagerie.server.desk import Desk
from menagerie.server.messages import Claim, Offer
from menagerie.server.rooms import Room


def told(room: Room, *seats: int) -> Any:
    """The state of a match as clients get it who play these sides."""
    return json.loads(room.snapshot(list(seats)))["match"]["state"]


def faces(room: Room) -> Any:
    """Both sides of the clock as clients get them."""
    return told(room)["clocks"]["faces"]


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
            room, hands = await begin(desk, FischerClock(seconds=60, added=2)), Hands(desk)
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
