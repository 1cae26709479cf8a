"""What is sent and answered over HTTP besides facts: people, seeks, new matches, tokens."""

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from menagerie.server.facts import Fact
from menagerie.server.messages import LINE, LobbySeek, Text

NAME_RULE = "a name has 2 to 20 letters from A to Z, digits, _ or -, and begins with a letter"
Name = Annotated[str, Meta(pattern="^[A-Za-z][A-Za-z0-9_-]{1,19}$(?!\\n)", description=NAME_RULE)]
"""The end of the pattern is the end of the text: `$` alone allows a newline after it."""
PASSWORD_RULE = "a password has 8 to 200 characters"
Password = Annotated[str, Meta(min_length=8, max_length=200, description=PASSWORD_RULE)]
OptionValues = Annotated[dict[str, str], Meta(max_length=32)]
Seconds = Annotated[int, Meta(ge=0, le=24 * 3600, description="a clock's times are whole seconds, up to 24 hours")]


class NoClock(Struct, frozen=True, forbid_unknown_fields=True, tag="none"):
    """Nobody counts."""


class FischerClock(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="fischer"):
    """Seconds for the match, and seconds added after each turn."""

    seconds: Seconds
    added: Seconds


class DelayClock(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="delay"):
    """Seconds for the match; each turn's first seconds are free."""

    seconds: Seconds
    delay: Seconds


class ByoyomiClock(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="byoyomi"):
    """Seconds for the match, then so many periods, each lost only when a turn uses it up."""

    seconds: Seconds
    period: Annotated[int, Meta(ge=1, le=3600, description="a period has 1 to 3600 whole seconds")]
    periods: Annotated[int, Meta(ge=1, le=60, description="there are 1 to 60 periods")]


class DaysClock(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="days"):
    """Days for each turn."""

    days: Annotated[int, Meta(ge=1, le=30, description="each turn has 1 to 30 whole days")]


class ReserveClock(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="reserve"):
    """Time for each turn and a reserve, written M/R/P/L/G/T."""

    text: Annotated[str, Meta(min_length=3, max_length=60, description="M/R/P/L/G/T is 3 to 60 characters")]


ClockBody = NoClock | FischerClock | DelayClock | ByoyomiClock | DaysClock | ReserveClock


class RatingFact(Fact):
    """A rating in one game, with its 95 % interval, and what it was won from."""

    rating: int
    plus_minus: int
    games: int
    is_provisional: bool


class PersonFact(Fact):
    """Somebody: ratings by game against people, and apart from them against machines."""

    name: str
    kind: Literal["account", "guest", "bot"]
    ratings: dict[str, RatingFact]
    machine_ratings: dict[str, RatingFact]


class MeFact(Fact):
    """Who you are to the server; null before anything was done that needs a name."""

    person: PersonFact | None
    playing: list["MatchSummary"]
    invitations: list[LobbySeek]
    """Yours that nobody has accepted yet: only you see them, whoever has the link can accept them."""


class Credentials(Struct, kw_only=True, forbid_unknown_fields=True):
    """A name and a password, to register or to log in."""

    name: Name
    password: Password


class NewMatch(Struct, kw_only=True, forbid_unknown_fields=True):
    """A match against a level of the machine, or of two people at one screen; `position` is where to begin."""

    game: Annotated[str, Meta(max_length=40)]
    against: Literal["machine", "same_screen"]
    level: Annotated[int, Meta(ge=1, le=8)] = 1
    colour: Literal["first", "second", "random"] = "random"
    options: OptionValues = {}
    clock: ClockBody = NoClock()
    position: Annotated[str, Meta(max_length=400)] | None = None


class NewSeek(Struct, kw_only=True, forbid_unknown_fields=True):
    """A wish to play a person: open to all in the lobby, or private, for whoever has the link."""

    game: Annotated[str, Meta(max_length=40)]
    colour: Literal["first", "second", "random"] = "random"
    options: OptionValues = {}
    clock: ClockBody = NoClock()
    is_rated: bool = False
    is_private: bool = False


class Begin(Fact):
    """The match that has begun."""

    match: str


class MatchSummary(Fact):
    """A match in a list."""

    id: str
    game: str
    players: list[str]
    seats: list[int]
    """The sides that you play."""
    status: Literal["playing", "over", "aborted"]
    words: str
    ply: int
    is_your_turn: bool
    clock: str
    created_ms: int


class MatchList(Fact):
    """Matches, the newest first; `before` asks for older ones."""

    matches: list[MatchSummary]
    before: str | None


class TextTurn(Struct, kw_only=True, forbid_unknown_fields=True):
    """A turn as text, in people's form or machine form, at this ply."""

    ply: Annotated[int, Meta(ge=0, le=100_000)]
    text: Text


class RecordText(Struct, kw_only=True, forbid_unknown_fields=True):
    """A record to be replayed; `game` where the text does not name it."""

    text: Annotated[str, Meta(min_length=1, max_length=16_000, description="a record has 1 to 16000 characters")]
    game: Annotated[str, Meta(max_length=40)] | None = None


LABEL_RULE = "what a token is for is said in 1 to 60 characters, without tabs"


class NewToken(Struct, kw_only=True, forbid_unknown_fields=True):
    """A token for a program; with `is_bot` the account is a bot's from now on."""

    label: Annotated[str, Meta(min_length=1, max_length=60, pattern=LINE, description=LABEL_RULE)]
    is_bot: bool = False


class TokenFact(Fact):
    """A token; the secret is told once, when it is made."""

    id: str
    label: str
    secret: str | None
    created_ms: int


class ErrorFact(Fact):
    """What was wrong, in words."""

    error: str
    nearest: list[str] = field(default_factory=list)


class WhyFact(Fact):
    """Why something cannot be done, in words."""

    words: str


class ServerFact(Fact):
    """The server: its version, and the figures a page shows."""

    version: str
    people: int
    matches: int
    levels: list[str]
    """What each level is like, in words."""


class ClockPreset(Fact):
    """A usual time control, in words and as it is sent back."""

    words: str
    clock: ClockBody
