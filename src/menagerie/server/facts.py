"""What the server tells of games, positions and matches: all that a client without rules needs to draw and to play."""

from typing import Literal

from msgspec import Struct

Does = Literal["move", "capture", "drop", "push", "pass"]
Colour = Literal["first", "second", "random"]


class Fact(Struct, kw_only=True, forbid_unknown_fields=True):
    """Something that is told."""


class SquareFact(Fact):
    """A square: its name (empty where nothing is ever played), where it lies, and what it looks like."""

    name: str
    file: int
    rank: int
    is_dark: bool
    tint: str | None = None
    zones: list[str] = []


class BoardFact(Fact):
    """The board. File 0 is on the left and rank 0 at the bottom, the first player's side."""

    files: int
    ranks: int
    squares: list[SquareFact]
    names_inside: bool
    """Whether squares show their own names instead of letters and numbers along the edges."""


class KindFact(Fact):
    """A kind of piece: letter, name, how it moves in a sentence, and the pictures of both players' tokens."""

    letter: str
    name: str
    about: str
    art: list[str]
    dots: list[tuple[int, int]] = []
    """Steps as (files, ranks forward) for a small diagram; empty where the sentence must do."""
    is_royal: bool = False


class OptionFact(Fact):
    """A rule option: its values, the default first, and a sentence about it."""

    name: str
    title: str
    about: str
    values: list[str]


class RuleSetFact(Fact):
    """Options that belong together under a name."""

    name: str
    options: dict[str, str]


class ViewFact(Fact):
    """Another way to look at the board: clockwise quarter turns, then whether top and bottom are exchanged."""

    name: str
    quarter_turns: int
    mirrored: bool


class ReadySetup(Fact):
    """A setup to begin with: the letter for each square of `SetupFact.squares`."""

    name: str
    letters: list[str]


class SetupFact(Fact):
    """A turn that sets up an army. Its actions are `actions[letter]` for each square in order."""

    squares: list[str]
    actions: dict[str, int]
    ready: list[ReadySetup]


class GameFact(Fact):
    """A game: what a card, the board component, forms and the rules panel are made of."""

    name: str
    title: str
    goal: str
    players: list[str]
    colours: list[tuple[str, str]]
    """Each player's token and the ink on it."""
    board: BoardFact
    kinds: list[KindFact]
    options: list[OptionFact]
    rule_sets: list[RuleSetFact]
    views: list[ViewFact]
    has_hands: bool
    has_long_turns: bool
    """Whether a turn may be several actions: ask what follows after each, and send the turn when it is whole."""
    can_draw: bool
    """Whether players may offer draws."""
    picture: str
    levels: int
    minutes: int
    """How long a game usually takes, in minutes."""
    difficulty: str


class RulesSection(Fact):
    """A chapter of the rules, as safe HTML."""

    id: str
    title: str
    html: str


class RulesFact(Fact):
    """The rules in words."""

    game: str
    title: str
    intro: str
    sections: list[RulesSection]


class PieceFact(Fact):
    """A piece on the board."""

    square: str
    player: int
    letter: str


class CountFact(Fact):
    """So many pieces of a kind."""

    letter: str
    count: int


class ActionFact(Fact):
    """A legal action: its number, what a hand touches in order (square names; a letter in hand first), what it does."""

    id: int
    touches: list[str]
    does: Does


class ExampleFact(Fact):
    """A position that shows what a kind of piece can do: the piece on a square, and its actions there."""

    letter: str
    square: str
    pieces: list[PieceFact]
    actions: list[ActionFact]


class OutcomeFact(Fact):
    """How a match ended: the winner (0, 1 or nobody), the reason, and a sentence."""

    winner: int | None
    reason: str
    words: str


class PositionFact(Fact):
    """A position as the board shows it."""

    text: str
    key: str
    ply: int
    player: int
    pieces: list[PieceFact]
    hands: list[list[CountFact]]
    lost: list[list[CountFact]]
    """Each player's pieces that are gone since the match began; empty where pieces change hands instead."""
    in_check: bool
    check_squares: list[str]
    outcome: OutcomeFact | None
    words: str
    """Who is to move, or how it ended."""


class ChoiceFact(Fact):
    """What the player to move can do: the legal actions now, and whether the turn may end here."""

    actions: list[ActionFact]
    is_whole: bool
    """Whether the actions so far are a whole turn that may be sent; the first question of a turn is never whole."""
    problem: str
    """Why a turn that ends here may not be sent, in words; empty where nothing is wrong."""
    finish: list[int] | None = None
    """The action that passes what is left of the turn, to be sent after those so far; null where there is none."""
    actions_left: int | None = None
    """How many actions the turn may still have; null where nobody counts."""
    setup: SetupFact | None = None
    """Given while an army is being set up."""


class ChangeFact(Fact):
    """What a step changes on a square: the piece before and after, null for none."""

    square: str
    before: PieceFact | None
    after: PieceFact | None


class StepFact(Fact):
    """One action of a turn as it is drawn: apply the changes forward or backward, animate the touches."""

    touches: list[str]
    does: Does
    changes: list[ChangeFact]
    hands: list[list[CountFact]]
    """Both hands after the step."""


class TurnFact(Fact):
    """A turn that was played: numbers, texts, a sentence for people who listen, and its steps."""

    ply: int
    player: int
    actions: list[int]
    code: str
    name: str
    sentence: str
    steps: list[StepFact]
    check_squares: list[str]
    spent_ms: int | None


class FollowsFact(Fact):
    """What follows some actions: steps made so far, the position after them and what can be done there."""

    actions: list[int]
    steps: list[StepFact]
    position: PositionFact
    choice: ChoiceFact


class FaceFact(Fact):
    """A player's side of the clock at the moment of the message.

    While it runs, time is taken from `free_ms` first, then `bank_ms`, then `periods` of `period_ms` each; the flag
    falls after `flag_ms` (null: never).
    """

    free_ms: int
    bank_ms: int
    period_ms: int
    periods: int
    flag_ms: int | None


class ClocksFact(Fact):
    """Both sides of the clock; `running` is who loses time now."""

    running: int | None
    faces: list[FaceFact]


class SeatFact(Fact):
    """Who sits on one side: a person, a guest, a bot, or a machine's level; and whether they are there."""

    name: str
    kind: Literal["account", "guest", "bot", "machine", "nobody"]
    level: int | None = None
    rating: int | None = None
    rating_change: int | None = None
    is_here: bool = True
    gone_ms: int | None = None
    """Counts down while this absent player is to move; at 0 the other may claim. Null while they are here."""


class OffersFact(Fact):
    """Who has offered what: the player's number, or null."""

    draw: int | None = None
    takeback: int | None = None
    rematch: int | None = None


class ChatFact(Fact):
    """A line that somebody said."""

    name: str
    seat: int | None
    text: str
    at_ms: int


class StateFact(Fact):
    """Everything about a match that can change without a turn."""

    status: Literal["playing", "over", "aborted"]
    players: list[SeatFact]
    clocks: ClocksFact | None
    offers: OffersFact
    outcome: OutcomeFact | None
    claims: list[Literal["draw", "absent_win", "absent_draw"]]
    """What this client may claim now: a draw where it is to move, the end where the other has left."""
    may_abort: bool
    engine: Literal["idle", "thinking", "busy", "stood_in"]
    """Whether the machine thinks, takes too long, or had the server move in its place, no worker being free."""
    watchers: int
    """At this server, where there are several."""
    rematch: str | None
    """The match that goes on from this one."""


class MatchFact(Fact):
    """A match as one client sees it."""

    id: str
    game: str
    options: dict[str, str]
    rules: list[str]
    """The options in words, a sentence each."""
    clock: str
    """The time control in words."""
    is_rated: bool
    is_private: bool
    seats: list[int]
    """The sides that this client plays: none for a watcher, both at one screen."""
    start: PositionFact
    turns: list[TurnFact]
    position: PositionFact
    choice: ChoiceFact | None
    """Given to the player to move."""
    state: StateFact
    chat: list[ChatFact]
    created_ms: int
