"""What a client's message does, and the answer to it."""

import time
from dataclasses import dataclass

from menagerie.errors import IllegalMove, MenagerieError, NotationError
from menagerie.server import decisions, explanations, messages, metrics, offers, scene
from menagerie.server.house import House, new_name
from menagerie.server.portrait import clocks_fact
from menagerie.server.refusals import Refusal
from menagerie.server.rooms import Decide, Room
from menagerie.server.sitting import Sitting
from menagerie.server.standing import Change


@dataclass
class Caller:
    """Who sends a message: what they are called, the sides they play, and their lag in milliseconds."""

    name: str
    seats: list[int]
    lag: int = 0


async def answer(house: House, room: Room, caller: Caller, message: messages.FromClient) -> messages.Message | None:
    """Do what a message asks for; a Refusal where that cannot be."""
    match message:
        case messages.Ask():
            return follows(room.sitting, message.id, message.ply, message.actions)
        case messages.Typed():
            return typed(room.sitting, message)
        case messages.Why():
            refuse_late(room.sitting, message.ply)
            words = explain(room.sitting, caller, message)
            return messages.Because(id=message.id, words=words)
        case messages.Pong():
            return None
        case messages.Turn():
            return await play(house, room, caller, message)
        case _:
            await house.change(room, decision(caller, message))
            return acknowledge(house, room, message.id, room.sitting.ply)


async def play(house: House, room: Room, caller: Caller, message: messages.Turn) -> messages.Ack:
    """A turn; sent again, it is acknowledged again."""
    begun = time.perf_counter()

    def decide(sitting: Sitting, now: int) -> Change | None:
        if decisions.is_again(sitting, caller.seats, message):
            return None
        return decisions.turn(sitting, caller.seats, message, now, caller.lag)

    if await house.change(room, decide):
        metrics.turns.labels("person").inc()
    metrics.turn_seconds.observe(time.perf_counter() - begun)
    return acknowledge(house, room, message.id, message.ply)


def acknowledge(house: House, room: Room, request: str, ply: int) -> messages.Ack:
    """It is done."""
    clocks = clocks_fact(room.sitting, house.time.now())
    return messages.Ack(id=request, v=room.sitting.version, ply=ply, clocks=clocks)


def decision(caller: Caller, message: messages.FromClient) -> Decide:
    """What a message decides."""

    def decide(sitting: Sitting, now: int) -> Change:
        seats = caller.seats
        match message:
            case messages.Resign():
                return decisions.resign(sitting, seats, now)
            case messages.Abort():
                return decisions.abort(sitting, seats, now)
            case messages.Claim(what=what):
                return decisions.claim(sitting, seats, what, now)
            case messages.Offer(what=what):
                return offers.offer(sitting, seats, what, now, new_name())
            case messages.Decline(what=what):
                return offers.decline(sitting, seats, what)
            case messages.Say(text=text):
                return decisions.say(sitting, seats, caller.name, text, now)
        raise Refusal("malformed", "that is no decision")

    return decide


def refuse_late(sitting: Sitting, ply: int) -> None:
    """Refuse a question about a turn that is not to be made now."""
    decisions.refuse_unless_playing(sitting)
    if ply != sitting.ply:
        raise Refusal("late", "the match has gone on since")


def follows(sitting: Sitting, request: str, ply: int, actions: list[int]) -> messages.Follows:
    """What follows some actions."""
    refuse_late(sitting, ply)
    try:
        return messages.Follows(id=request, ply=ply, follows=scene.follows(sitting.match, actions))
    except IllegalMove as error:
        raise Refusal("illegal", error.reason) from error


def typed(sitting: Sitting, message: messages.Typed) -> messages.Follows:
    """What a typed turn means."""
    refuse_late(sitting, message.ply)
    try:
        turn = explanations.read_typed(sitting.match, message.text)
    except (IllegalMove, NotationError) as error:
        raise Refusal("illegal", str(error), explanations.nearest(sitting.match, message.text)) from error
    return follows(sitting, message.id, message.ply, list(turn.indices))


def explain(sitting: Sitting, caller: Caller, message: messages.Why) -> str:
    """Why something cannot be touched."""
    player = sitting.position.player
    if player not in caller.seats:
        return f"it is {sitting.match.variant.game.players[player]}'s turn"
    try:
        return explanations.why_not(sitting.match, message.actions, message.touches)
    except MenagerieError as error:
        raise Refusal("illegal", str(error)) from error
