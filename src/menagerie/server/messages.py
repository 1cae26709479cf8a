"""The messages of a match's socket, both ways. Every one is a JSON object with a `type`; unknown fields are refused."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from menagerie.server.facts import (
    ChatFact,
    ChoiceFact,
    ClocksFact,
    Fact,
    FollowsFact,
    MatchFact,
    PositionFact,
    StateFact,
    TurnFact,
)

MOST_ACTIONS = 64
MESSAGE_BYTES = 4096
MOST_SAID = 200
"""Characters of a line of chat."""

LINE = r"^[^\x00-\x1f\x7f]*$(?!\n)"
"""Text of one line, without what no person types and some databases do not take."""
Id = Annotated[str, Meta(min_length=1, max_length=40, pattern=LINE)]
"""The client's own name for a request; the answer carries it, and a turn sent again under it is played once."""
Ply = Annotated[int, Meta(ge=0, le=100_000)]
Key = Annotated[str, Meta(pattern="^[0-9a-f]{16}$(?!\\n)")]
ActionNumber = Annotated[int, Meta(ge=0, le=65_535)]
Actions = Annotated[list[ActionNumber], Meta(max_length=MOST_ACTIONS)]
TURN_RULE = "a turn is written in 1 to 400 characters of one line, without tabs"
Text = Annotated[str, Meta(min_length=1, max_length=400, pattern=LINE, description=TURN_RULE)]
"""What people fill in has its rule as a description: they are told it where they break it."""
SAID_RULE = f"a line of chat has 1 to {MOST_SAID} characters, without tabs"
Touch = Annotated[str, Meta(min_length=1, max_length=8)]


class Message(Struct, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """Something that is sent over a socket."""


class Turn(Message, tag="turn"):
    """A whole turn in the position of that ply and key."""

    id: Id
    ply: Ply
    key: Key
    actions: Annotated[list[ActionNumber], Meta(min_length=1, max_length=MOST_ACTIONS)]


class Ask(Message, tag="ask"):
    """What follows these actions of the turn at this ply? Changes nothing; answered by `follows`."""

    id: Id
    ply: Ply
    actions: Actions


class Typed(Message, tag="typed"):
    """What turn does this text mean? Answered by `follows` with its actions, or `refused` with what may be meant."""

    id: Id
    ply: Ply
    text: Text


class Why(Message, tag="why"):
    """Why can these squares (or a letter in hand first) not be touched in this order? Answered by `because`."""

    id: Id
    ply: Ply
    actions: Actions
    touches: Annotated[list[Touch], Meta(min_length=1, max_length=8)]


class Resign(Message, tag="resign"):
    """I give up."""

    id: Id


class Offer(Message, tag="offer"):
    """I offer a draw, ask for my last turn back, or for another match. Accepts the same offer of the other."""

    id: Id
    what: Literal["draw", "takeback", "rematch"]


class Decline(Message, tag="decline"):
    """I decline the other's offer, or withdraw my own."""

    id: Id
    what: Literal["draw", "takeback", "rematch"]


class Claim(Message, tag="claim"):
    """I claim what `StateFact.claims` lists."""

    id: Id
    what: Literal["draw", "absent_win", "absent_draw"]


class Abort(Message, tag="abort"):
    """Let there be no match; possible before both players have made a turn."""

    id: Id


class Say(Message, tag="say"):
    """A line of chat."""

    id: Id
    text: Annotated[str, Meta(min_length=1, max_length=MOST_SAID, pattern=LINE, description=SAID_RULE)]


class Pong(Message, tag="pong"):
    """The answer to a ping, to be sent at once; it measures the lag."""

    n: int


FromClient = Turn | Ask | Typed | Why | Resign | Offer | Decline | Claim | Abort | Say | Pong


class Snapshot(Message, tag="snapshot"):
    """The whole match; replaces whatever the client has."""

    v: int
    match: MatchFact


class Played(Message, tag="played"):
    """A turn was played. The choice is there for the player who is next."""

    v: int
    turn: TurnFact
    position: PositionFact
    choice: ChoiceFact | None
    state: StateFact


class Changed(Message, tag="changed"):
    """Something other than the board has changed."""

    v: int
    state: StateFact


class Said(Message, tag="said"):
    """Somebody said something."""

    v: int
    line: ChatFact


class Ack(Message, tag="ack"):
    """What was asked for under this id is done and stored; for a turn, the ply it was played at and the clocks."""

    id: str
    v: int
    ply: int
    clocks: ClocksFact | None


class Refused(Message, tag="refused"):
    """What was asked for under this id is not done, and nothing has changed."""

    id: str | None
    reason: Literal["illegal", "late", "seat", "over", "limit", "malformed", "impossible"]
    """`late`: the match has gone on since (a snapshot follows); `limit`: too much too fast."""
    words: str
    nearest: list[str] = []
    """Legal turns that a typed text may have meant."""


class Follows(Message, tag="follows"):
    """The answer to `ask` and `typed`."""

    id: str
    ply: int
    follows: FollowsFact


class Because(Message, tag="because"):
    """The answer to `why`."""

    id: str
    words: str


class Ping(Message, tag="ping"):
    """Are you there? Comes every few seconds; tells the lag that was measured last."""

    n: int
    lag_ms: int | None


FromServer = Snapshot | Played | Changed | Said | Ack | Refused | Follows | Because | Ping


class LobbySeek(Fact):
    """An open seek: what somebody wants to play, in words that both sides see before they accept."""

    id: str
    name: str
    rating: int | None
    game: str
    title: str
    options: dict[str, str]
    rules: list[str]
    """The options in words, a sentence each."""
    unusual: list[str]
    """Those of them that are not as usual."""
    clock: str
    colour: Literal["first", "second", "random"]
    colour_words: str
    """Which side whoever reads this will have."""
    is_rated: bool
    is_private: bool
    is_mine: bool
    match: str | None
    """The match that has come of it."""


class Lobby(Message, tag="lobby"):
    """The open seeks, whenever they change."""

    seeks: list[LobbySeek]
    people: int


class Begun(Message, tag="begun"):
    """A match of yours has begun, from a seek or a rematch."""

    match: str
    game: str


class YourTurn(Message, tag="your_turn"):
    """It is your turn in a match of yours."""

    match: str
    game: str


class Finished(Message, tag="finished"):
    """A match of yours is over."""

    match: str
    game: str
    words: str


FromLobby = Lobby | Begun | YourTurn | Finished | Ping
