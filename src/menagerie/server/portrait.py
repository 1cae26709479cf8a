"""A match as facts: how it stands, and the whole of it as one client sees it."""

from typing import cast

import msgspec

from menagerie.game import Options
from menagerie.server import scene
from menagerie.server.deadlines import is_busy, patience_ends
from menagerie.server.decisions import claims, may_abort
from menagerie.server.facts import (
    ClocksFact,
    FaceFact,
    MatchFact,
    OffersFact,
    OutcomeFact,
    SeatFact,
    StateFact,
    TurnFact,
)
from menagerie.server.sitting import STOOD_IN, Sitting


def state_fact(sitting: Sitting, seats: list[int], now: int, watchers: int) -> StateFact:
    """Everything that can change without a turn, as somebody sees it who plays these sides."""
    standing = sitting.standing
    return StateFact(
        status=standing.status,
        players=[seat_fact(sitting, player, now) for player in range(2)],
        clocks=clocks_fact(sitting, now),
        offers=OffersFact(**standing.offers),
        outcome=outcome_fact(sitting),
        claims=claims(sitting, seats, now),  # type: ignore[arg-type]  # the words of the facts
        may_abort=may_abort(sitting),
        engine=engine_state(sitting, now),  # type: ignore[arg-type]
        watchers=watchers,
        rematch=standing.rematch,
    )


def outcome_fact(sitting: Sitting) -> OutcomeFact | None:
    """How it ended."""
    if sitting.standing.status == "aborted":
        return OutcomeFact(winner=None, reason="aborted", words="The match was called off")
    return scene.outcome_fact(sitting.standing.outcome)


def seat_fact(sitting: Sitting, player: int, now: int) -> SeatFact:
    """Who sits on one side, and whether they are there."""
    sat, standing = sitting.terms.players[player], sitting.standing
    is_away = player in standing.absences and sitting.is_playing
    patience = patience_ends(standing, player) if is_away and sitting.position.player == player else None
    return SeatFact(
        name=sat.name,
        kind=sat.kind,
        level=sat.level,
        rating=sat.rating,
        rating_change=standing.rating_changes[player],
        is_here=not is_away,
        gone_ms=None if patience is None else max(0, patience - now),
    )


def clocks_fact(sitting: Sitting, now: int) -> ClocksFact | None:
    """Both sides of the clock now; None where nobody counts."""
    clock = sitting.standing.clock
    if clock.control.is_endless:
        return None
    faces = [clock.face(player, now) for player in range(2)]
    return ClocksFact(
        running=clock.running if faces[clock.running or 0].flag is not None else None,
        faces=[
            FaceFact(
                free_ms=face.free, bank_ms=face.bank, period_ms=face.period, periods=face.periods, flag_ms=face.flag
            )
            for face in faces
        ],
    )


def engine_state(sitting: Sitting, now: int) -> str:
    """Whether the machine thinks, or takes too long, or the server has just moved in its place."""
    level = sitting.level
    if level is None or sitting.standing.asked is None:
        return "stood_in" if sitting.is_playing and has_stood_in(sitting) else "idle"
    return "busy" if is_busy(sitting.standing, level, now) else "thinking"


def has_stood_in(sitting: Sitting) -> bool:
    """Whether the last turn was the machine's, found by the server."""
    last = sitting.terms.players[1 - sitting.position.player]
    return last.level is not None and bool(sitting.turns) and sitting.turns[-1].request == STOOD_IN


def match_fact(sitting: Sitting, seats: list[int], turns: list[msgspec.Raw], state: StateFact) -> MatchFact:
    """The whole match, with its turns as they were told."""
    terms, match, options = sitting.terms, sitting.match, sitting.match.variant.options
    is_mine = sitting.is_playing and sitting.position.player in seats
    return MatchFact(
        id=sitting.id,
        game=terms.game,
        options={name: getattr(options, name) for name in options.names()},
        rules=rules_in_words(options),
        clock=sitting.standing.clock.control.words,
        is_rated=terms.is_rated,
        is_private=terms.is_private,
        seats=seats,
        start=scene.position_fact(match.positions[0], None),
        turns=cast(list[TurnFact], turns),  # they are encoded already
        position=scene.position_fact(sitting.position, sitting.standing.outcome, sitting.fullest),
        choice=scene.choice(match, sitting.position) if is_mine else None,
        state=state,
        chat=sitting.chat,
        created_ms=terms.created,
    )


def rules_in_words(options: Options) -> list[str]:
    """The rule options as players see them before they accept; those that are not as usual say so."""
    return [rule_in_words(options, name) for name in options.names()]


def rule_in_words(options: Options, name: str) -> str:
    """One rule option as players see it."""
    note = " (not the usual rule)" if name in options.chosen() else ""
    return f"{title(name)}: {getattr(options, name)}{note}. {sentence(options.about(name))}"


def title(name: str) -> str:
    """An option's name as people write it."""
    return name.replace("_", " ").capitalize()


def sentence(about: str) -> str:
    """What is said about an option, as a sentence."""
    return about[:1].upper() + about[1:].rstrip(".") + "."
