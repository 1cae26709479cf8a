"""Offers between players: a draw, a turn taken back, another match. Offering what the other has offered accepts it."""

from msgspec.structs import replace

from menagerie.match.clock import Clock
from menagerie.server import lag
from menagerie.server.deadlines import over
from menagerie.server.decisions import absence, missed, refuse_unless_playing, seat_of
from menagerie.server.refusals import Refusal
from menagerie.server.sitting import Sitting
from menagerie.server.standing import Change, OfferKind, Opening, Standing, Terms, control_of

NOT_AGAIN = 2
"""Plies after which what was declined may be offered again."""


def offer(sitting: Sitting, seats: list[int], what: OfferKind, now: int, name: str) -> Change:
    """An offer, or the answer to one; `name` is what a rematch would be called."""
    seat = seat_of(sitting, seats)
    offered = sitting.standing.offers.get(what)
    offerer = seat if offered is None else offered
    refuse_offer(sitting, offerer, what)
    if offerer != seat or sitting.terms.players[1 - seat].kind == "machine" or sitting.terms.is_one_screen:
        return accepted(sitting, offerer, what, now, name)
    whose, ply = sitting.standing.declined.get(what, (1 - seat, 0))
    if whose == seat and sitting.ply < ply + NOT_AGAIN:
        raise Refusal("impossible", "that was declined just now: make a turn of yours first")
    if offered == seat:
        raise Refusal("impossible", "that is offered already; the other has not answered")
    return Change(standing=replace(sitting.standing, offers=sitting.standing.offers | {what: seat}))


def refuse_offer(sitting: Sitting, seat: int, what: OfferKind) -> None:
    """Refuse an offer that makes no sense now."""
    if what == "rematch":
        if sitting.is_playing:
            raise Refusal("impossible", "the match is not over yet")
        if sitting.standing.rematch:
            raise Refusal("impossible", "there is a rematch already")
        return
    refuse_unless_playing(sitting)
    if what == "draw":
        refuse_draw(sitting, seat)
    elif sitting.terms.is_rated:
        raise Refusal("impossible", "nothing is taken back in a rated match")
    elif sitting.ply - last_own_ply(sitting, asker(sitting, seat)) > len(sitting.turns):
        raise Refusal("impossible", "there is no turn of yours to take back")


def refuse_draw(sitting: Sitting, seat: int) -> None:
    """Refuse a draw where there is none, or where nobody could agree."""
    game = sitting.match.variant.game
    if not game.draws_by_agreement:
        raise Refusal("impossible", f"there are no draws by agreement in {game.title}")
    if sitting.terms.players[1 - seat].kind == "machine":
        raise Refusal("impossible", "the machine does not agree on a draw")


def asker(sitting: Sitting, seat: int) -> int:
    """Whose turn is taken back: at one screen, that of whoever has moved last."""
    return 1 - sitting.position.player if sitting.terms.is_one_screen else seat


def last_own_ply(sitting: Sitting, seat: int) -> int:
    """The ply of a player's last turn."""
    return sitting.ply - (2 if sitting.position.player == seat else 1)


def accepted(sitting: Sitting, offerer: int, what: OfferKind, now: int, name: str) -> Change:
    """What an accepted offer does."""
    standing = sitting.standing
    if what == "draw":
        return Change(standing=over(standing, "agreement", sitting.match.variant.game, None, now))
    if what == "rematch":
        opening = rematch(sitting, name, now)
        return Change(standing=replace(standing, rematch=name, offers={}), opens=opening)
    player = asker(sitting, offerer)
    ply = last_own_ply(sitting, player)
    clock = standing.clock.take_back(sitting.ply - ply, player, now)
    return Change(standing=replace(standing, clock=clock, offers={}, asked=None, has_takebacks=True), back_to=ply)


def decline(sitting: Sitting, seats: list[int], what: OfferKind) -> Change:
    """No to the other's offer, which then is not made again at once; or one's own is withdrawn."""
    seat = seat_of(sitting, seats)
    if what not in sitting.standing.offers:
        raise Refusal("impossible", "nothing of that kind is offered")
    offers = {kind: seat for kind, seat in sitting.standing.offers.items() if kind != what}
    declined = sitting.standing.declined
    if sitting.standing.offers[what] != seat:
        declined = declined | {what: (1 - seat, sitting.ply)}
    return Change(standing=replace(sitting.standing, offers=offers, declined=declined))


def rematch(sitting: Sitting, name: str, now: int) -> Opening:
    """The same again with colours exchanged."""
    first, second = sitting.terms.players
    terms = replace(sitting.terms, players=(second, first), created=now)
    return Opening(name=name, terms=terms, standing=fresh(terms, sitting.match.positions[0].player, now))


def fresh(terms: Terms, player: int, now: int) -> Standing:
    """How a match stands before its first turn, with that player to move; people are away until they come."""
    control = control_of(terms.clock)
    quota = lag.first_quota(control)
    is_machine = terms.players[player].level is not None
    standing = Standing(
        clock=Clock.of(control).start(player, now), quotas=(quota, quota), asked=now if is_machine else None
    )
    people = [seat for seat in range(2) if terms.players[seat].person]
    return missed(terms, standing, people, absence(control, False, now))
