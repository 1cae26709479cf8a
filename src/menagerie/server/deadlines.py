"""When something happens to a match by itself: a flag falls, patience ends, the machine is asked again."""

from msgspec.structs import replace

from menagerie.game import Game
from menagerie.match.clock import MINUTE, SECOND
from menagerie.match.record import ending
from menagerie.match.score import leader
from menagerie.search.limits import strength
from menagerie.server import lag
from menagerie.server.sitting import Sitting
from menagerie.server.standing import Change, Standing, Terms

FIRST_TURN = 5 * MINUTE
"""How long a match on the clock waits for each side's first turn, which the clock does not count."""
BUSY_AFTER = 2 * SECOND
"""The machine is busy when it takes so much longer than its level thinks."""
ASK_AGAIN = 10 * SECOND
STUCK_AFTER = 10 * SECOND
"""Workers who are alive and busy are waited for so much longer than the level thinks."""


def due(terms: Terms, standing: Standing, now: int) -> int | None:
    """When somebody must look at a match that stands like this; None: never."""
    player = standing.clock.running
    if standing.status != "playing" or player is None:
        return None
    ends = [
        moment for moment in (flag(standing), standing.clock.limit_at(), first_turn(standing)) if moment is not None
    ]
    if any(moment <= now for moment in ends):
        return now
    level = terms.players[player].level
    news = [patience_ends(standing, player)]
    if level is not None:
        news += [busy_at(standing, level), now + ASK_AGAIN]
    return min([*ends, *(moment for moment in news if moment is not None and moment > now)], default=None)


def flag(standing: Standing) -> int | None:
    """When the flag falls for good, with a little time for a turn that is on its way."""
    at, player = standing.clock.flag_at(), standing.clock.running
    return None if at is None or player is None else at + min(lag.GRACE, standing.quotas[player])


def first_turn(standing: Standing) -> int | None:
    """When a match that has not begun is over."""
    return standing.clock.since + FIRST_TURN if standing.clock.is_untimed else None


def patience_ends(standing: Standing, player: int) -> int | None:
    """When the other need not wait any longer for an absent player whose turn it is."""
    absence = standing.absences.get(player)
    return None if absence is None else max(absence.since, standing.clock.since) + absence.patience


def busy_at(standing: Standing, level: int) -> int | None:
    """When the machine that is to move is taking too long."""
    return None if standing.asked is None else standing.asked + round(strength(level).seconds * SECOND) + BUSY_AFTER


def is_busy(standing: Standing, level: int, now: int) -> bool:
    """Whether the machine that is to move is taking too long."""
    busy = busy_at(standing, level)
    return busy is not None and busy <= now


def is_stuck(standing: Standing, level: int, now: int) -> bool:
    """Whether the machine that is to move takes so long that somebody else must."""
    busy = busy_at(standing, level)
    return busy is not None and busy - BUSY_AFTER + STUCK_AFTER <= now


def tick(sitting: Sitting, now: int) -> Change | None:
    """What time alone does to a match whose moment has come; if nothing else, everybody hears how it stands."""
    standing, player, game = sitting.standing, sitting.position.player, sitting.match.variant.game
    if standing.due is None or standing.due > now:
        return None
    flag_at, limit_at, first_at = flag(standing), standing.clock.limit_at(), first_turn(standing)
    if flag_at is not None and flag_at <= now:
        return Change(standing=over(standing, "time", game, 1 - player, now))
    if limit_at is not None and limit_at <= now:
        return Change(standing=over(standing, "score", game, leader(sitting.match), now))
    if first_at is not None and first_at <= now:
        return Change(standing=aborted(standing, now))
    return Change(standing=standing)


def over(standing: Standing, reason: str, game: Game, winner: int | None, now: int) -> Standing:
    """The match ends for a reason that is not on the board."""
    outcome = ending(game, reason, winner)
    return replace(standing, status="over", outcome=outcome, clock=standing.clock.stop(now), offers={}, asked=None)


def aborted(standing: Standing, now: int) -> Standing:
    """There is no match."""
    return replace(standing, status="aborted", clock=standing.clock.stop(now), offers={}, asked=None)
