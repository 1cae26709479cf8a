"""What may be claimed, and by whom: a draw by history, and the end where the other has left."""

import asyncio
import json
from typing import Any

import pytest
from insides import Hands, Inside, ask, begin, make, until

import menagerie
from menagerie.games import names
from menagerie.position import Position, Turn
from menagerie.server import presence
from menagerie.server.bodies import DaysClock, FischerClock, NewSeek, NoClock
from menagerie.server.decisions import LEFT, LOST
from menagerie.server.desk import Desk
from menagerie.server.listeners import Listener
from menagerie.server.messages import Claim, Resign
from menagerie.server.refusals import Refusal
from menagerie.server.rooms import Room

CLAIMED = next(name for name in names() if menagerie.game(name).game.repetition.needs_claim)
DRAWN = next(name for name in names() if menagerie.game(name).game.draws_by_agreement)
DRAWLESS = next(name for name in names() if not menagerie.game(name).game.draws_by_agreement)
SLOWEST = 10
"""How often the time after a lost connection is waited for in the slowest games that are played at a sitting."""


def circle(position: Position) -> list[Turn]:
    """Four turns, both players' out and back, after which everything is as before."""
    for out in position.turns():
        for reply in out.after.turns():
            home = back(reply.after, out)
            last = home and back(home.after, reply)
            if home and last and last.after.key == position.key:
                return [out, reply, home, last]
    raise AssertionError("nobody can go back here")


def back(position: Position, turn: Turn) -> Turn | None:
    """The turn that takes another's piece back to where it came from."""
    touches = turn.actions[-1].gesture.touches[::-1]
    return next((one for one in position.turns() if one.actions[-1].gesture.touches == touches), None)


async def resigns(desk: Desk, room: Room) -> None:
    """Who is to move gives up."""
    await ask(desk, room, room.sitting.position.player, Resign(id="x"))


async def leaves(desk: Desk, room: Room) -> None:
    """Who is to move goes away, and the other claims the win."""
    hands, player = Hands(desk), room.sitting.position.player
    for seat in (0, 1):
        await presence.enter(desk.house, room, [seat])
    await presence.leave(desk.house, room, [player], True)
    hands.forward(LEFT / 1000)
    await ask(desk, room, 1 - player, Claim(id="x", what="absent_win"))


async def last_heard(listener: Listener) -> Any:
    """The last message that somebody was told."""
    message = None
    while listener.waiting.qsize():
        message = await listener.next()
    assert message
    return json.loads(message)


def test_a_draw_by_history_is_claimed_by_who_is_to_move(inside: Inside) -> None:
    async def run() -> None:
        async with inside() as desk:
            room = await begin(desk, game=CLAIMED)
            mover, other, watcher, late = Listener([0]), Listener([1]), Listener([]), Listener([1])
            for listener in (mover, other, watcher):
                room.join(listener, None)
            turns = circle(room.sitting.position)
            for turn in turns * 2:
                with pytest.raises(Refusal, match="nothing of that kind"):
                    await ask(desk, room, 0, Claim(id="x", what="draw"))
                await make(desk, room, turn)
            claims = [(await last_heard(one))["state"]["claims"] for one in (mover, other, watcher)]
            assert claims == [["draw"], [], []]
            room.join(late, None)
            assert (await last_heard(late))["match"]["state"]["claims"] == []
            with pytest.raises(Refusal, match="other player's"):
                await ask(desk, room, 1, Claim(id="x", what="draw"))
            await ask(desk, room, 0, Claim(id="x", what="draw"))
            ended = await last_heard(mover)
            assert ended["state"]["outcome"]["reason"] == "repetition" and ended["state"]["claims"] == []

    asyncio.run(run())


@pytest.mark.parametrize(
    ("game", "what", "reason", "winner"),
    [
        (DRAWN, "absent_win", "forfeit", 1),
        (DRAWN, "absent_draw", "abandoned", None),
        (DRAWLESS, "absent_win", "forfeit", 1),
    ],
)
def test_who_waits_for_somebody_who_has_left_may_end_it(
    inside: Inside, game: str, what: Any, reason: str, winner: int | None
) -> None:
    async def run() -> None:
        async with inside() as desk:
            hands, room = Hands(desk), await begin(desk, NoClock(), game)
            listeners = [Listener([1]), Listener([0]), Listener([])]
            for listener in listeners:
                room.join(listener, None)
            for seat in (0, 1):
                await presence.enter(desk.house, room, [seat])
            room.part(listeners[1])
            await presence.leave(desk.house, room, [0], False)
            gone = room.state([1]).players[0]
            assert (gone.is_here, gone.gone_ms) == (False, LOST * SLOWEST), "a lost connection has time to come back"
            hands.forward(LOST * SLOWEST / 1000 - 1)
            with pytest.raises(Refusal, match="nothing of that kind"):
                await ask(desk, room, 1, Claim(id="x", what=what))
            hands.forward(1)
            offered = ["absent_win"] + ["absent_draw"] * (game == DRAWN)
            await until(lambda: room.sitting.standing.due is None)
            assert [(await last_heard(one))["state"]["claims"] for one in (listeners[0], listeners[2])] == [offered, []]
            assert room.state([0]).claims == []
            with pytest.raises(Refusal, match="other player's"):
                await ask(desk, room, 0, Claim(id="x", what=what))
            await ask(desk, room, 1, Claim(id="x", what=what))
            outcome = room.state([]).outcome
            assert outcome and (outcome.reason, outcome.winner) == (reason, winner)

    asyncio.run(run())


@pytest.mark.parametrize("end", [resigns, leaves])
@pytest.mark.parametrize("turns", range(3))
def test_a_match_in_which_not_both_have_made_a_turn_changes_no_ratings(inside: Inside, end: Any, turns: int) -> None:
    async def run() -> None:
        async with inside() as desk:
            one, two = [(await desk.accounts.register(None, name, "correct horse"))[0] for name in ("Anna", "Berta")]
            seek = await desk.lobby.seek(one, NewSeek(game=DRAWN, colour="first", is_rated=True))
            room = await desk.house.room(await desk.lobby.accept(seek.id, two))
            for _ in range(turns):
                await make(desk, room, room.sitting.position.turns()[0])
            await end(desk, room)
            changes = [player.rating_change for player in room.state([]).players]
            assert room.state([]).status == "over" and (changes == [None, None]) == (turns < 2)
            assert bool((await desk.people.fact(one)).ratings) == (turns == 2)

    asyncio.run(run())


def test_a_draw_cannot_be_had_of_somebody_absent_where_the_rules_have_none(inside: Inside) -> None:
    async def run() -> None:
        async with inside() as desk:
            hands, room = Hands(desk), await begin(desk, NoClock(), DRAWLESS)
            hands.forward(LOST)
            with pytest.raises(Refusal, match="nothing of that kind"):
                await ask(desk, room, 1, Claim(id="x", what="absent_draw"))

    asyncio.run(run())


@pytest.mark.parametrize(
    ("clock", "factor"),
    [
        (FischerClock(seconds=60, added=0), 1),
        (FischerClock(seconds=180, added=0), 2),
        (FischerClock(seconds=480, added=0), 4),
        (FischerClock(seconds=900, added=15), SLOWEST),
    ],
)
def test_a_lost_connection_has_more_time_in_slower_games(inside: Inside, clock: Any, factor: int) -> None:
    async def run() -> None:
        async with inside() as desk:
            room = await begin(desk, clock)
            Hands(desk)
            for is_deliberate, patience in ((False, LOST * factor), (True, LEFT)):
                await presence.enter(desk.house, room, [0])
                assert room.state([1]).players[0].is_here
                await presence.leave(desk.house, room, [0], is_deliberate)
                assert room.state([1]).players[0].gone_ms == patience

    asyncio.run(run())


def test_nobody_is_missed_where_a_turn_may_take_days(inside: Inside) -> None:
    async def run() -> None:
        async with inside() as desk:
            room = await begin(desk, DaysClock(days=2))
            await presence.leave(desk.house, room, [0], True)
            assert room.state([1]).players[0].is_here and room.state([1]).claims == []

    asyncio.run(run())
