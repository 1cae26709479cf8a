"""The contract: what a game is, to everything that plays it without knowing which one it is."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import SimpleNamespace
from typing import Literal, NamedTuple, Protocol, Self

from menagerie.errors import OptionError
from menagerie.kernel import judgement
from menagerie.kernel.endgame import Endgame
from menagerie.kernel.judgement import Judgement, Weights, read_weights
from menagerie.kernel.path import REPEATED, TOO_LONG, Path, new_path
from menagerie.kernel.state import State, new
from menagerie.kernel.walk import NOBODY, Rules, walks

ORDINALS = ("", "first", "second", "third", "fourth", "fifth")


def choice(*values: str, about: str) -> str:
    """A rule option: the values it can have, the default first, and a sentence about it."""
    option: str = field(default=values[0], metadata={"values": values, "about": about})
    return option


@dataclass(frozen=True)
class Options:
    """The rules that players may set before play. A game derives from this, one `choice` per field."""

    def __post_init__(self) -> None:
        for name in self.names():
            value = getattr(self, name)
            if value not in self.values(name):
                raise OptionError(f"{name} cannot be {value!r}; it is one of: {', '.join(self.values(name))}")

    @classmethod
    def names(cls) -> list[str]:
        """The options there are."""
        return [option.name for option in fields(cls)]

    @classmethod
    def values(cls, name: str) -> tuple[str, ...]:
        """What an option can be, the default first."""
        values: tuple[str, ...] = cls.__dataclass_fields__[name].metadata["values"]
        return values

    @classmethod
    def about(cls, name: str) -> str:
        """A sentence about an option."""
        return str(cls.__dataclass_fields__[name].metadata["about"])

    @classmethod
    def of(cls, chosen: Mapping[str, object]) -> Self:
        """The options with some values chosen; True and False stand for on and off."""
        for name in chosen:
            if name not in cls.names():
                known = ", ".join(cls.names()) or "it has none"
                raise OptionError(f"there is no rule option {name!r}; the options are: {known}")
        words = {True: "on", False: "off"}
        return cls(**{n: words[v] if isinstance(v, bool) else str(v) for n, v in chosen.items()})

    @classmethod
    def from_state(cls, state: State) -> Self:
        """The options that a state was made with."""
        return cls(**{name: cls.values(name)[int(state[name])] for name in cls.names()})

    def into_state(self, state: State) -> None:
        """Write each option into the state, as the number of its value."""
        for name in self.names():
            state[name] = self.values(name).index(getattr(self, name))

    def chosen(self) -> dict[str, str]:
        """The options that are not at their defaults."""
        pairs = ((name, str(getattr(self, name))) for name in self.names())
        return {name: value for name, value in pairs if value != self.values(name)[0]}

    def in_full(self) -> str:
        """Every option as text, so that a record means the same after the defaults have changed."""
        return ",".join(f"{name}={getattr(self, name)}" for name in self.names())

    def __str__(self) -> str:
        return ",".join(f"{name}={value}" for name, value in self.chosen().items())


@dataclass(frozen=True)
class Kind:
    """A kind of piece: its letters in texts, its name, the picture in `art/`, and how it moves, in a sentence."""

    letter: str
    name: str
    art: str
    about: str
    dots: tuple[tuple[int, int], ...] = ()
    """Steps as (files, ranks forward) that a picture of the piece shows as dots on its rim."""
    is_royal: bool = False
    """Whether it is this piece that a check threatens."""


class Piece(NamedTuple):
    """A piece somewhere: whose, and the letter of its kind."""

    player: int
    letter: str


class View(NamedTuple):
    """What a person sees of a state: the piece on each occupied square, and what each player holds."""

    board: dict[int, Piece]
    hands: tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]]


@dataclass(frozen=True)
class Zone:
    """Squares that look different, with a name."""

    name: str
    squares: frozenset[int]
    tint: Literal["water", "stone", "gold", "home", "dark", "danger"]


@dataclass(frozen=True)
class Board:
    """Squares in files (from the left) and ranks (from the bottom, the first player's side), and their zones.

    A square is the number  files * rank + file;  its name is a letter for the file and the rank from 1.
    """

    files: int
    ranks: int
    zones: tuple[Zone, ...] = ()
    labels: tuple[tuple[int, str], ...] = ()
    """The squares that are played on with names of their own, where these are not letters and numbers."""

    def __len__(self) -> int:
        return self.files * self.ranks

    @cached_property
    def names(self) -> dict[int, str]:
        """The name of each square that is played on."""
        if self.labels:
            return dict(self.labels)
        return {
            square: "abcdefghijklmnopqrstuvwxyz"[square % self.files] + str(square // self.files + 1)
            for square in range(len(self))
        }

    def name(self, square: int) -> str:
        """The name of a square."""
        return self.names[square]

    @cached_property
    def squares(self) -> dict[str, int]:
        """The number of each square by its name."""
        return {name: square for square, name in self.names.items()}


@dataclass(frozen=True)
class Colours:
    """What a player's pieces look like: the token and the ink on it."""

    token: str
    ink: str


@dataclass(frozen=True)
class Gesture:
    """How a hand makes an action: what it touches in order (squares, or a letter in hand), and what that does."""

    touches: tuple[str, ...]
    does: Literal["move", "capture", "drop", "push", "pass"]


@dataclass(frozen=True)
class Reason:
    """A way in which a game ends on the board: a short name, and words with {winner} and {loser} in them."""

    name: str
    words: str


@dataclass(frozen=True)
class Repetition:
    """What history decides: how often a position may come, how long a game goes on without progress.

    `times` occurrences of a position, or `plies` turns after the last that can never be undone (0: no matter how
    many), are a draw. Between people such a draw `needs_claim` in some games; machines take it as it comes. In others
    there is no draw: the turn that would bring a position that often `is_illegal`.
    """

    times: int = 3
    plies: int = 0
    needs_claim: bool = False
    is_illegal: bool = False
    unless: tuple[str, str] | None = None
    """An option and the value of it that lifts all this."""
    machine_plies: int = 0
    """The limit that machines set themselves where the rules have none, so that random games end."""

    def under(self, options: Options) -> "Repetition":
        """The same as the options have it."""
        lifted = self.unless and getattr(options, self.unless[0]) == self.unless[1]
        return replace(self, times=0, plies=0) if lifted else self

    def outcome(self, verdict: int) -> "Outcome | None":
        """What a verdict of the path means; None while the game goes on."""
        if verdict == REPEATED:
            return Outcome(None, "repetition", f"Draw: the same position for the {ORDINALS[self.times]} time")
        if verdict == TOO_LONG:
            return Outcome(None, "limit", f"Draw: {self.plies} plies without progress")
        return None


@dataclass(frozen=True)
class Outcome:
    """How a game ended: the winner (0, 1, or None for nobody), the reason's name, and a sentence."""

    winner: int | None
    reason: str
    words: str

    def __str__(self) -> str:
        return self.words


class Notation(Protocol):
    """What a game's `notation.py` supplies: texts for people and machines."""

    def read(self, text: str, state: State) -> None:
        """Write the position that a text describes into a state that holds the options; or a NotationError."""

    def write(self, state: State) -> str:
        """The text of a position; `read` gives the same state back."""

    def view(self, state: State) -> View:
        """The pieces as people see them."""

    def code(self, state: State, action: int) -> str:
        """The machine form of an action."""

    def name(self, state: State, action: int) -> str:
        """The people's form of an action."""

    def gesture(self, state: State, action: int) -> Gesture:
        """How a hand makes an action."""

    def refusal(self, state: State, text: str) -> str | None:
        """Why a move that reads like this is not legal, in words; None where the text is no move at all."""

    def wish(self, state: State, touches: Sequence[str]) -> str | None:
        """How one would write the move that a hand means with these touches, legal or not; None where it means none."""


class TurnNotation(Protocol):
    """What `notation.py` supplies besides in a game where a turn can be several actions."""

    def turn_code(self, state: State, actions: Sequence[int]) -> str:
        """The machine form of a whole turn."""

    def turn_name(self, state: State, actions: Sequence[int]) -> str:
        """The people's form of a whole turn."""

    def read_turn(self, state: State, text: str) -> Sequence[int] | None:
        """The actions of the legal turn that a text means; None where it means none."""

    def actions_left(self, state: State) -> int | None:
        """How many actions this turn may still have; None where nobody counts."""


class Script(Protocol):
    """How a game writes the moves of a record, where that is not the usual way."""

    has_result: bool
    """Whether the result stands after the moves; if not, a tag has it, and the next turn's number ends the moves."""

    def number(self, ply: int) -> str:
        """The number that stands before a turn, with its side."""

    def write(self, first: int, turns: Sequence[str], comments: Mapping[int, str], result: str) -> str:
        """The moves, of which the first has this ply, what was said after so many turns, and the result."""

    def read(self, lines: Sequence[tuple[int, str]]) -> Iterator[tuple[str, str, int]]:
        """The words of such a text, each with its line and kind: number, turn, comment, result, resigns, takeback."""


class Dialect(Protocol):
    """How a protocol between programs writes positions and turns, where not as the game itself; text to text."""

    def read_position(self, text: str) -> str:
        """The game's own text of a position that a program has sent; or a NotationError."""

    def write_position(self, text: str) -> str:
        """How a program is told a position, given by the game's own text; a ProtocolError where it cannot be."""

    def read_turn(self, text: str) -> str:
        """The machine form of a turn that a program has sent; what is no turn may stay as it is."""

    def write_turn(self, code: str) -> str:
        """How a program is told a turn, given by its machine form."""


class Judge(Protocol):
    """A rules function that says yes or no of a state."""

    def __call__(self, state: State) -> bool:
        """The answer."""


class Change(Protocol):
    """A rules function that changes a state in place."""

    def __call__(self, state: State) -> None:
        """Change it."""


@dataclass(frozen=True, eq=False)
class Game:
    """A rulebook with its facts. Made once, by the `__init__` of the game's own folder."""

    package: str
    title: str
    goal: str
    players: tuple[str, str]
    board: Board
    kinds: tuple[Kind, ...]
    rules: Rules
    notation: Notation
    options: type[Options]
    reasons: tuple[Reason, ...]
    colours: tuple[Colours, Colours]
    exchange: Change
    """Turns a state into the same one with the players exchanged; every move and every end follows suit."""
    mirror: Change | None = None
    """Turns a state into its mirror image, where that plays the same."""
    minutes: int = 20
    """How long a game between people usually takes."""
    difficulty: str = "medium"
    """How hard it is to learn, in a word or two."""
    draws_by_agreement: bool = True
    """Whether players may agree on a draw."""
    setups: Mapping[str, str] = field(default_factory=dict)
    """Where armies are set up in the first turn: ready ones by name, the letters in the order of the actions."""
    hands: bool = False
    """Whether players can hold pieces."""
    repetition: Repetition = field(default_factory=Repetition)
    rule_sets: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    check: Judge | None = None
    judgement: Judgement = judgement
    """How good a state looks, to search; without one, nothing but wins and losses are seen."""
    endgame: Endgame | None = None
    """The places of its positions, where it can be solved or its endings can."""
    capitals: int = 0
    """The player whose pieces are capital letters in texts."""
    views: Mapping[str, tuple[int, bool]] = field(default_factory=dict)
    """Other ways to look at the board, by name: clockwise quarter turns, then whether top and bottom are exchanged."""
    turn_notation: TurnNotation | None = None
    """Given where a turn may be several actions; turns that lead to the same position are then one."""
    script: Script | None = None
    """How the moves of a record are written, where not in the usual way."""
    scores: tuple[str, str] = ("1-0", "0-1")
    """How a record writes the first player's win and the second's."""
    record_tags: Mapping[str, str] = field(default_factory=dict)
    """Tags that every record of this game carries."""
    dialects: Mapping[str, Dialect] = field(default_factory=dict)
    """The protocols that engines of this game speak besides UCI, by name, each with its own way to write the game."""

    @property
    def name(self) -> str:
        """The name of the game's folder."""
        return self.package.rpartition(".")[2]

    @property
    def folder(self) -> Traversable:
        """Where the game's art, rules text and golden files are."""
        return files(self.package)

    @cached_property
    def walks(self) -> SimpleNamespace:
        """Perft, turns and playouts, compiled for this game."""
        return walks(self.rules, self.name)

    @cached_property
    def weights(self) -> Weights:
        """The numbers that its judgement is made of, from `weights.toml`."""
        return read_weights(self.folder / "weights.toml", self.judgement.TERMS)

    @cached_property
    def kind(self) -> dict[str, Kind]:
        """The kinds of pieces by their letters."""
        return {kind.letter: kind for kind in self.kinds}

    @property
    def long_turns(self) -> bool:
        """Whether a turn may be several actions."""
        return self.turn_notation is not None

    def score(self, outcome: Outcome | None) -> str:
        """How a record writes an outcome."""
        if outcome is None:
            return "*"
        return "1/2-1/2" if outcome.winner is None else self.scores[outcome.winner]

    def state(self, options: Options) -> State:
        """An empty state that holds the options."""
        state = new(self.rules.STATE)
        options.into_state(state)
        return state

    def agreed(self, text: str) -> Options:
        """The options that a text names: a rule set of the game, or values like slide=path,wolf_takes_own=off."""
        chosen: dict[str, object] = {}
        for part in (part.strip() for part in text.split(",") if part.strip()):
            name, equals, value = (piece.strip() for piece in part.partition("="))
            if not equals and part not in self.rule_sets:
                known = ", ".join(self.rule_sets) or "none"
                raise OptionError(f"{part!r} is no rule set (known: {known}) and no option like name=value")
            values = {name: value} if equals else self.rule_sets[part]
            for name, value in values.items():
                if name in chosen:
                    raise OptionError(f"the rule option {name} is set twice")
                chosen[name] = value
        return self.options.of(chosen)

    def path(self, options: Options, room: int) -> Path:
        """An empty path that sees `room` turns back, under this game's limits."""
        repetition = self.repetition.under(options)
        return new_path(repetition.times, repetition.plies, room)

    def outcome(self, state: State) -> Outcome:
        """How the game ended in a state without legal actions."""
        winner, number = self.rules.outcome(state)
        reason = self.reasons[number]
        if winner == NOBODY:
            return Outcome(None, reason.name, f"Draw: {reason.words}")
        names = {"winner": self.players[winner], "loser": self.players[1 - winner]}
        return Outcome(int(winner), reason.name, f"{names['winner']} wins: {reason.words.format(**names)}")
