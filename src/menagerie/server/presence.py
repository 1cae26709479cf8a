"""Who is there: a player is as long as a connection of theirs is open at any server."""

from functools import partial

from menagerie.server import decisions
from menagerie.server.house import House
from menagerie.server.rooms import Room
from menagerie.server.sitting import Sitting
from menagerie.server.standing import Change

REFRESH_SECONDS = 4.0


async def enter(house: House, room: Room, seats: list[int]) -> None:
    """A player is there; where several servers share the match, see whether the other is too."""
    if not seats:
        return
    await house.change(room, lambda sitting, _: decisions.enter(sitting, seats))
    if house.bus.is_shared:
        await house.bus.note_here([here(room, seat) for seat in seats])
        await miss(house, [room])


async def leave(house: House, room: Room, seats: list[int], is_deliberate: bool) -> None:
    """A player may be gone: not if another of their pages is open."""

    def decide(sitting: Sitting, now: int) -> Change | None:
        gone = [seat for seat in seats if seat not in room.seats_here()]
        return decisions.leave(sitting, gone, is_deliberate, now)

    if seats:
        await house.change(room, decide)


async def refresh(house: House) -> None:
    """Where servers share matches, see that no message between them was lost, say who is here, and miss who is not."""
    rooms = list(house.rooms.values())
    if not house.bus.is_shared or not rooms:
        return
    versions = await house.ledger.versions([room.sitting.id for room in rooms])
    for room in rooms:
        if room.sitting.id not in versions:
            continue
        await room.refresh(versions[room.sitting.id])
        back = [seat for seat in room.seats_here() if seat in room.sitting.standing.absences]
        if back:  # another server has lost one of several connections of somebody who is still here
            await house.change(room, partial(decide_enter, back))
    await house.bus.note_here([here(room, seat) for room in rooms for seat in room.seats_here()])
    await miss(house, rooms)


async def miss(house: House, rooms: list[Room]) -> None:
    """Find out who is at no server, as when one has died: nobody else says that they have left."""
    awaited = {
        here(room, seat): (room, seat)
        for room in rooms
        for seat in {0, 1} - room.seats_here() - room.sitting.standing.absences.keys()
        if room.sitting.is_playing and room.sitting.terms.players[seat].person
    }
    for name in await house.bus.missing(list(awaited)) if awaited else []:
        room, seat = awaited[name]
        await leave(house, room, [seat], False)


def decide_enter(seats: list[int], sitting: Sitting, _: int) -> Change | None:
    """These players are here."""
    return decisions.enter(sitting, seats)


def here(room: Room, seat: int) -> str:
    """What a player at a match is called among servers."""
    return f"{room.sitting.id}:{seat}"
