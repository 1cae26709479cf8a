"""Matches as records: written, and read again to be replayed."""

from datetime import UTC, datetime

from menagerie.game import Game
from menagerie.match import record
from menagerie.match.match import Match
from menagerie.server import scene
from menagerie.server.catalogue import variant_of
from menagerie.server.facts import MatchFact, OffersFact, SeatFact, StateFact
from menagerie.server.portrait import rules_in_words
from menagerie.server.sitting import Sitting, fullest


def record_of(sitting: Sitting) -> str:
    """The record of a match with its players, date and time control."""
    match, terms = sitting.match, sitting.terms
    game = match.variant.game
    tags = {game.players[number]: player.name for number, player in enumerate(terms.players)}
    tags["Date"] = datetime.fromtimestamp(terms.created / 1000, UTC).strftime("%Y.%m.%d")
    tags["TimeControl"] = sitting.standing.clock.control.words
    kept = record.Record(match.variant, match.positions[0], match.turns, sitting.standing.outcome, tags)
    return record.write(kept)


def replay_of(text: str, game: str | None) -> MatchFact:
    """A match to be looked at, from a record in a game's notation; nothing of it is kept.

    Who pastes a text easily loses its last line break.
    """
    match = Match.read(f"{text}\n", variant_of(game, "") if game else None)
    options, turns = match.variant.options, match.turns
    return MatchFact(
        id="",
        game=match.variant.game.name,
        options={name: getattr(options, name) for name in options.names()},
        rules=rules_in_words(options),
        clock=match.tags.get("TimeControl", "no clock"),
        is_rated=False,
        is_private=True,
        seats=[],
        start=scene.position_fact(match.positions[0], None),
        turns=[
            scene.turn_fact(turn, None, match.outcome if number == len(turns) else None)
            for number, turn in enumerate(turns, 1)
        ],
        position=scene.position_fact(match.position, match.outcome, fullest(match)),
        choice=None,
        state=ended(match.variant.game, match),
        chat=[],
        created_ms=0,
    )


def ended(game: Game, match: Match) -> StateFact:
    """How a match stands that nobody plays any more."""
    return StateFact(
        status="over",
        players=[
            SeatFact(
                name=match.tags.get(name, name),
                kind="nobody",
                level=None,
                rating=None,
                rating_change=None,
                is_here=True,
                gone_ms=None,
            )
            for name in game.players
        ],
        clocks=None,
        offers=OffersFact(draw=None, takeback=None, rematch=None),
        outcome=scene.outcome_fact(match.outcome),
        claims=[],
        may_abort=False,
        engine="idle",
        watchers=0,
        rematch=None,
    )
