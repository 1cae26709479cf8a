"""AEI, protocol version 1: the controller keeps the game, says what is played and what time there is.

controller                                          engine
aei                                                 protocol-version 1, id ..., aeiok
isready                                             readyok, when everything is compiled
newgame, setposition <g|s> [64 signs]
makemove <turn>                                     ends a search without an answer
setoption name <id> [value <x>]                     log Warning: ... where it is unknown
go                                                  info score|depth|nodes|time|pv ..., bestmove <turn>
go ponder                                           no answer, unless it is told to stop
stop                                                bestmove <turn>
quit                                                ends
what is unknown                                     log Error: ..., and ends
"""

import re
from collections.abc import Callable

import menagerie
from menagerie.errors import ProtocolError
from menagerie.position import Turn
from menagerie.protocols.conversation import AUTHOR, Conversation
from menagerie.protocols.options import WHOLE, Option
from menagerie.protocols.thought import Wish
from menagerie.search.engine import Analysis, Settings
from menagerie.search.limits import DEEPEST, Clock, Limit
from menagerie.variant import Variant

SIDES = "gs"
CONTROL = frozenset({"tcmove", "tcreserve", "tcmax", "tctotal", "tcturntime"})
CLOCKS = frozenset({"greserve", "sreserve", "gused", "sused", "lastmoveused", "moveused"})
"""What a controller says of the time control and of the clocks, in seconds."""
FACTS = frozenset({"tcpercent", "tcturns", "opponent", "opponent_rating", "rating", "rated", "event"})
"""What it says besides, and nothing here depends on."""
SECONDS = re.compile(r"[0-9]{1,8}(\.[0-9]{1,9})?")
SETTING = re.compile(r"name\s+(\S+)(?:\s+value(?:\s+(.*))?)?")
UNTIMED = 5.0
"""Seconds to think where neither a time nor a depth is set."""
LEAST = 0.01
"""Seconds that a turn has even where its time is up."""


class Aei(Conversation):
    """The engine's side of AEI."""

    protocol = "aei"

    def __init__(self, variant: Variant, settings: Settings, write: Callable[[str], None]) -> None:
        super().__init__(variant, settings, write)
        self.times: dict[str, float] = {}
        self.depth = 0
        self.is_open, self.is_pondering = False, False
        self.commands: dict[str, Callable[[str], None]] = {
            "aei": self.greet,
            "isready": self.get_ready,
            "newgame": self.begin_game,
            "setposition": self.set_position,
            "setoption": self.heed_option,
            "makemove": self.make_move,
            "go": self.go,
            "stop": self.stop,
        }

    def heed(self, line: str) -> int | None:
        """Do what a line says; one that is unknown ends the conversation, as the protocol demands."""
        kind, _, rest = line.strip().partition(" ")
        if not kind:
            return None
        if kind == "quit":
            return 0
        if kind not in self.commands:
            self.complain(f"unknown message {line.strip()[:200]!r}")
            return 1
        if self.is_open == (kind == "aei"):
            raise ProtocolError("aei has been said" if self.is_open else f"{kind} was said before aei")
        self.commands[kind](rest)
        return None

    def part(self) -> None:
        """Nobody waits for an answer any more."""
        self.abandon()

    def options(self) -> dict[str, Option]:
        """What can be set; the protocol has one line of play, and pondering is asked for by `go ponder`."""
        return {name: option for name, option in super().options().items() if option.field not in {"lines", "ponder"}}

    def setting_name(self, field: str) -> str:
        """What a setting is called."""
        return "hash" if field == "megabytes" else field

    def complain(self, fault: str) -> None:
        """Say what is wrong."""
        self.say(f"log Error: {fault}")

    def warn(self, warning: str) -> None:
        """Say what is not as it should be."""
        self.say(f"log Warning: {warning}")

    def greet(self, _: str) -> None:
        """Say who it is."""
        names = ("name", f"Menagerie {self.variant.game.name}"), ("author", AUTHOR), ("version", menagerie.__version__)
        self.say("protocol-version 1", *(f"id {kind} {value}" for kind, value in names), "aeiok")
        self.is_open = True

    def get_ready(self, _: str) -> None:
        """Say so when everything before has been done and nothing is left to compile."""
        self.compile()
        self.say("readyok")

    def begin_game(self, _: str) -> None:
        """A new game with the same time control and full reserves."""
        self.abandon()
        self.engine.forget()
        self.match = self.new_match()
        self.times = {name: seconds for name, seconds in self.times.items() if name in CONTROL}

    def set_position(self, text: str) -> None:
        """Go on from a position."""
        position = self.variant.position(self.dialect.read_position(text.strip()))
        self.abandon()
        self.match = self.new_match(position)

    def make_move(self, text: str) -> None:
        """Play a turn, whoever's it is."""
        turn = self.read_turn(self.match, text.strip())
        self.abandon()
        self.match.play(turn)

    def heed_option(self, text: str) -> None:
        """Note a fact of the game, or set something of the engine."""
        said = SETTING.fullmatch(text.strip())
        if not said:
            raise ProtocolError("setoption is followed by name <name> value <value>")
        name, value = said[1], said[2] or ""
        if name in CONTROL | CLOCKS:
            if not SECONDS.fullmatch(value):
                raise ProtocolError(f"the option {name}: it is a number of seconds, not {value[:80]!r}")
            self.times[name] = float(value)
        elif name == "depth":
            if not WHOLE.fullmatch(value):
                raise ProtocolError(f"the option depth: it is a number of steps, not {value[:80]!r}")
            self.depth = min(max(int(value), 0), DEEPEST)
        elif name not in FACTS:
            self.set_setting(name, value)

    def set_setting(self, name: str, value: str) -> None:
        """Set something of the engine; what it does not know is no fault."""
        if name.lower() not in map(str.lower, self.options()):
            self.warn(f"there is no option {name[:80]!r}; the options are: {', '.join(self.options())}")
        else:
            self.set_option(name, value)

    def go(self, text: str) -> None:
        """Think, or think ahead."""
        if text.strip() not in ("", "ponder"):
            raise ProtocolError(f"go is followed by nothing or ponder, not {text.strip()[:80]!r}")
        if self.is_pondering:
            self.abandon()
        self.is_pondering = text.strip() == "ponder"
        self.think(Wish(waits=True) if self.is_pondering else Wish(self.limit()))

    def limit(self) -> Limit:
        """How long to think: to the depth that is set, for a share of the time, or for a while."""
        share = self.share()
        if share is None and not self.depth:
            share = UNTIMED
        return Limit(depth=self.depth or None, seconds=share)

    def share(self) -> float | None:
        """How many seconds to think about this turn: its own time and a share of the reserve; None if untimed."""
        turn, most, used = (self.times.get(name, 0.0) for name in ("tcmove", "tcturntime", "moveused"))
        reserve = self.times.get(f"{SIDES[self.match.position.player]}reserve", self.times.get("tcreserve", 0.0))
        if not turn + reserve:
            turn = most
        if not turn + reserve:
            return None
        own, rest = max(turn - used, 0.0), max(reserve - max(used - turn, 0.0), 0.0)
        share = own + Clock(rest).share()
        return self.manners.in_time(max(min(share, most - used) if most else share, LEAST))

    def stop(self, _: str) -> None:
        """End the search; the answer follows."""
        if not self.errand:
            raise ProtocolError("stop was said while no search goes on")
        self.errand.stop()

    def inform(self, analysis: Analysis) -> None:
        """What is found; the turns of a line after the first are headed by whose they are."""
        line = analysis.lines[0]
        first, *others = line.turns
        later = (f"{SIDES[turn.position.player]} {self.write_turn(turn)}" for turn in others)
        self.say(
            f"info score {line.value}",
            f"info depth {analysis.depth}",
            f"info nodes {analysis.nodes}",
            f"info time {round(analysis.seconds)}",
            f"info pv {' '.join((self.write_turn(first), *later))}",
        )

    def answer(self, turn: Turn | None, _: Turn | None) -> None:
        """The turn to play; where there is none, the game is over and should not have been asked about."""
        if turn is None:
            self.complain(f"there is nothing to play: {self.match.outcome}")
        self.say(f"bestmove {self.write_turn(turn) if turn else 'resign'}")
