"""A match as one server holds it: what is stored, and the game itself."""

from dataclasses import dataclass, field

from menagerie.games import find
from menagerie.match.match import Match
from menagerie.position import Position, Turn
from menagerie.server.facts import ChatFact
from menagerie.server.standing import Change, Standing, StoredTurn, Terms
from menagerie.variant import Variant

STOOD_IN = "stand-in"
"""The request of a turn that the server has found itself because no worker was free."""


@dataclass
class Sitting:
    """Terms, standing, turns and chat at a version. Everything here follows from what is in the database."""

    id: str
    terms: Terms
    standing: Standing
    version: int
    match: Match
    turns: list[StoredTurn] = field(default_factory=list)
    chat: list[ChatFact] = field(default_factory=list)

    @classmethod
    def of(cls, name: str, terms: Terms, standing: Standing, version: int = 0) -> "Sitting":
        """A match before its first turn."""
        variant = variant_of(terms)
        start = variant.position(terms.start) if terms.start else None
        return cls(name, terms, standing, version, Match(variant, start, automatic=is_automatic(terms)))

    @property
    def position(self) -> Position:
        """The position between turns."""
        return self.match.position

    @property
    def ply(self) -> int:
        """How many turns were played before this one, counted as the position does."""
        return self.position.ply

    @property
    def first_ply(self) -> int:
        """The ply of the first turn."""
        return self.match.positions[0].ply

    @property
    def is_playing(self) -> bool:
        """Whether it goes on."""
        return self.standing.status == "playing"

    @property
    def level(self) -> int | None:
        """The level of the machine that is to move; None where a person is, or nobody."""
        return self.terms.players[self.position.player].level if self.is_playing else None

    @property
    def fullest(self) -> Position:
        """The position with the most pieces: the start, or the first after armies were set up."""
        return fullest(self.match)

    def stored_at(self, ply: int) -> StoredTurn | None:
        """The turn that was played at a ply."""
        number = ply - self.first_ply
        return self.turns[number] if 0 <= number < len(self.turns) else None

    def play(self, stored: StoredTurn) -> None:
        """Make a turn that is stored."""
        self.match.play(Turn(self.position, tuple(stored.actions)))
        self.turns.append(stored)

    def take(self, change: Change, version: int) -> None:
        """Follow a change that was stored."""
        if change.back_to is not None:
            while self.ply > change.back_to:
                self.match.undo_turn()
            del self.turns[change.back_to - self.first_ply :]
        if change.turn:
            self.play(change.turn)
        if change.line:
            self.chat.append(change.line)
        self.standing = change.standing
        self.version = version


FEW = 20
"""Setting up takes at most so many actions a side."""


def fullest(match: Match) -> Position:
    """The position of a match with the most pieces."""
    return max(match.positions[: 2 * FEW], key=lambda position: len(position.view.board))


def variant_of(terms: Terms) -> Variant:
    """The game under the rules that were agreed."""
    game = find(terms.game)
    return Variant(game, game.agreed(terms.rules))


def is_automatic(terms: Terms) -> bool:
    """Whether draws by history come without a claim: a machine takes them as they come."""
    return terms.has_machine
