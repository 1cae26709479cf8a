"""What players decide, and what follows: each function judges one request and says what it changes, or refuses it."""

from msgspec.structs import replace

from menagerie.arena.referee import refusal as breach
from menagerie.game import Outcome
from menagerie.match.clock import HOUR, SECOND, Control
from menagerie.match.match import Match
from menagerie.match.score import leader
from menagerie.position import Turn as Moves
from menagerie.server import lag, messages
from menagerie.server.deadlines import aborted, over, patience_ends
from menagerie.server.facts import ChatFact
from menagerie.server.refusals import Refusal
from menagerie.server.scene import key_text, repetition
from menagerie.server.sitting import Sitting
from menagerie.server.standing import Absence, Change, Standing, StoredTurn, Terms

LEFT = 10 * SECOND
LOST = 30 * SECOND
PATIENCE = ((1500 * SECOND, 10), (480 * SECOND, 4), (180 * SECOND, 2), (0, 1))
"""How often the time after a lost connection is waited for, by the estimated length of a game."""
MOST_LINES = 500


def refuse_unless_playing(sitting: Sitting) -> None:
    """Nothing more happens in a match that is over."""
    if not sitting.is_playing:
        outcome = sitting.standing.outcome
        raise Refusal("over", f"the match is over: {outcome}" if outcome else "the match was aborted")


def seat_of(sitting: Sitting, seats: list[int]) -> int:
    """The side that somebody decides for: the one to move where both are theirs."""
    if not seats:
        raise Refusal("seat", "you do not play in this match, you only watch")
    return sitting.position.player if len(seats) > 1 else seats[0]


def player_at(sitting: Sitting, ply: int) -> int:
    """Whose turn it is or was at a ply."""
    return (sitting.position.player + sitting.ply - ply) % 2


def is_again(sitting: Sitting, seats: list[int], message: messages.Turn) -> bool:
    """Whether a turn has been played already, and this is the same request sent once more."""
    stored = sitting.stored_at(message.ply)
    if stored is None or player_at(sitting, message.ply) not in seats:
        return False
    return (stored.request, stored.actions) == (message.id, message.actions)


def turn(sitting: Sitting, seats: list[int], message: messages.Turn, now: int, lagged: int) -> Change:
    """A whole turn."""
    refuse_turn(sitting, seats, message)
    standing, player = sitting.standing, sitting.position.player
    pardon = lag.forgiven(lagged, standing.quotas[player])
    flag = standing.clock.flag_at()
    if flag is not None and now - pardon >= flag:
        raise Refusal("over", "the turn came too late: there was no time left")
    spent = max(0, now - standing.clock.since - pardon)
    stored = StoredTurn(ply=message.ply, actions=message.actions, request=message.id, spent=spent, at=now)
    after = sitting.match.copy()
    after.play(Moves(after.position, tuple(message.actions)))
    return Change(standing=after_turn(sitting.terms, standing, after, (now, pardon)), turn=stored)


def refuse_turn(sitting: Sitting, seats: list[int], message: messages.Turn) -> None:
    """Refuse a turn that is not this player's, not this position's, or not legal."""
    refuse_unless_playing(sitting)
    seat_of(sitting, seats)
    if message.ply != sitting.ply or message.key != key_text(sitting.position.key):
        raise Refusal("late", "the match has gone on since, or this turn belongs to another position")
    if sitting.position.player not in seats:
        raise Refusal("seat", "it is not your turn")
    moves = Moves(sitting.position, tuple(message.actions))
    fault = breach(sitting.match, moves) or repetition(sitting.match, moves.after)
    if fault:
        raise Refusal("illegal", fault)


def after_turn(terms: Terms, before: Standing, match: Match, when: tuple[int, int]) -> Standing:
    """How a match stands after a turn that was made at a time, with some lag forgiven."""
    now, pardon = when
    player, control = 1 - match.position.player, before.clock.control
    quota = lag.next_quota(control, before.quotas[player], pardon)
    standing = replace(
        before,
        clock=before.clock.press(now, pardon),
        offers={what: seat for what, seat in before.offers.items() if (what, seat) == ("draw", player)},
        quotas=(quota, before.quotas[1]) if player == 0 else (before.quotas[0], quota),
        asked=None,
    )
    if outcome := match.outcome:
        return ended(standing, outcome, now)
    if standing.clock.is_at_turn_limit:
        return over(standing, "score", match.variant.game, leader(match), now)
    is_machine = terms.players[match.position.player].level is not None
    return replace(standing, asked=now if is_machine else None)


def ended(standing: Standing, outcome: Outcome, now: int) -> Standing:
    """The match has ended on the board, or as history has it."""
    return replace(standing, status="over", outcome=outcome, clock=standing.clock.stop(now), offers={}, asked=None)


def resign(sitting: Sitting, seats: list[int], now: int) -> Change:
    """A player gives up."""
    refuse_unless_playing(sitting)
    seat = seat_of(sitting, seats)
    return Change(standing=over(sitting.standing, "resignation", sitting.match.variant.game, 1 - seat, now))


def abort(sitting: Sitting, seats: list[int], now: int) -> Change:
    """There is no match, as long as not both players have made a turn."""
    refuse_unless_playing(sitting)
    seat_of(sitting, seats)
    if not may_abort(sitting):
        raise Refusal("impossible", "both players have made a turn: resign instead")
    return Change(standing=aborted(sitting.standing, now))


def may_abort(sitting: Sitting) -> bool:
    """Whether the match can still be called off."""
    return sitting.is_playing and len(sitting.turns) < 2


def claim(sitting: Sitting, seats: list[int], what: str, now: int) -> Change:
    """A draw by history, or the end because the other has left."""
    refuse_unless_playing(sitting)
    seat = seat_of(sitting, seats)
    if what in claims(sitting, [1 - seat], now):
        raise Refusal("seat", "that is the other player's to claim")
    if what not in claims(sitting, [seat], now):
        raise Refusal("impossible", "there is nothing of that kind to claim now")
    if what == "draw":
        outcome = sitting.match.claimable
        assert outcome
        return Change(standing=ended(sitting.standing, outcome, now))
    reason, winner = ("forfeit", seat) if what == "absent_win" else ("abandoned", None)
    return Change(standing=over(sitting.standing, reason, sitting.match.variant.game, winner, now))


def claims(sitting: Sitting, seats: list[int], now: int) -> list[str]:
    """What somebody may claim now: a draw who is to move, the end who waits for somebody who has left."""
    if not sitting.is_playing:
        return []
    found, player, game = [], sitting.position.player, sitting.match.variant.game
    if player in seats and game.repetition.needs_claim and sitting.match.claimable:
        found.append("draw")
    patience = patience_ends(sitting.standing, player)
    if 1 - player in seats and patience is not None and patience <= now:
        found += ["absent_win", "absent_draw"] if game.draws_by_agreement else ["absent_win"]
    return found


def say(sitting: Sitting, seats: list[int], name: str, text: str, now: int) -> Change:
    """A line of chat, by a player."""
    if not seats:
        raise Refusal("seat", "only the players of a match talk in it: you watch")
    text = " ".join(text.split())
    if not text:
        raise Refusal("impossible", "there is nothing to say in that")
    if len(sitting.chat) >= MOST_LINES:
        raise Refusal("limit", "enough has been said in this match")
    line = ChatFact(name=name, seat=seats[0] if len(seats) == 1 else None, text=text, at_ms=now)
    return Change(standing=sitting.standing, line=line)


def enter(sitting: Sitting, seats: list[int]) -> Change | None:
    """Somebody is there (again); None where nothing changes by that."""
    absences = {seat: absence for seat, absence in sitting.standing.absences.items() if seat not in seats}
    if len(absences) == len(sitting.standing.absences) or not sitting.is_playing:
        return None
    return Change(standing=replace(sitting.standing, absences=absences))


def leave(sitting: Sitting, seats: list[int], is_deliberate: bool, now: int) -> Change | None:
    """A player is gone: on purpose, or the connection was lost."""
    before = sitting.standing
    away = [seat for seat in seats if seat not in before.absences]
    if not away or not sitting.is_playing:
        return None
    standing = missed(sitting.terms, before, away, absence(before.clock.control, is_deliberate, now))
    return None if standing is before else Change(standing=standing)


def absence(control: Control, is_deliberate: bool, now: int) -> Absence:
    """A player's absence from now on, and how long the other has to wait."""
    factor = next(factor for least, factor in PATIENCE if (control.estimate or PATIENCE[0][0]) >= least)
    return Absence(since=now, patience=LEFT if is_deliberate else LOST * factor)


def missed(terms: Terms, standing: Standing, seats: list[int], away: Absence) -> Standing:
    """These players are away, if anybody waits for them."""
    if terms.has_machine or terms.is_one_screen or is_slow(standing):
        return standing
    return replace(standing, absences=standing.absences | dict.fromkeys(seats, away))


def is_slow(standing: Standing) -> bool:
    """Whether players are not expected to stay: days per turn."""
    return standing.clock.control.free >= HOUR
