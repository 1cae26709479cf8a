"""UCI, as engines of chess variants speak it: for every game, its own texts of positions, and one word a turn.

controller                                          engine
uci                                                 id ..., option ..., uciok
isready                                             readyok, when everything is compiled
setoption name UCI_Variant value <name>             info string variant <name> files <n> ranks <n> startpos <text>
position startpos|fen <text> [moves <turn> ...]
go [depth|nodes|movetime|mate|perft <n>]            info depth ... pv ..., bestmove <turn> [ponder <turn>]
   [wtime btime winc binc movestogo <n>]            w is the player who moves first
   [infinite] [ponder] [searchmoves <turn> ...]
stop, ponderhit, ucinewgame, debug on|off, quit
d                                                   Fen: <text>
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import menagerie
from menagerie.errors import MenagerieError, ProtocolError
from menagerie.kernel.walk import DEEPEST
from menagerie.position import Position, Turn
from menagerie.protocols.conversation import AUTHOR, CLEAR, VARIANT, Conversation, Told
from menagerie.protocols.dialect import UCI
from menagerie.protocols.options import WHOLE, Manners
from menagerie.protocols.thought import Count, Wish
from menagerie.search import limits
from menagerie.search.alphabeta import MOST_AMONG
from menagerie.search.engine import AT_ONCE, Analysis, Line, Settings
from menagerie.search.limits import Clock, Limit
from menagerie.variant import Variant

SETTING = re.compile(r"name\s+(.+?)(?:\s+value(?:\s+(.*))?)?")
LIMITS = frozenset({"searchmoves", "ponder", "infinite", "depth", "nodes", "movetime", "mate", "perft"})
CLOCKS = frozenset({"wtime", "btime", "winc", "binc", "movestogo"})
MOST = 10**11
"""No time or count that is sent means more than this; in milliseconds, three years."""


@dataclass(frozen=True)
class Tongue:
    """The words in which UCI and its children differ."""

    name: str
    """The greeting; `ok` after it is the answer, and `newgame` after it begins a new game."""
    position: str
    """What stands before the text of a position."""
    sides: str
    """The letters of the first and the second player's clocks."""
    nothing: str
    """What is answered where there is no turn."""
    options: Mapping[str, str]
    """What settings are called, where not by their own names, with a capital letter."""


TONGUE = Tongue(
    UCI,
    "fen",
    "wb",
    "(none)",
    {"megabytes": "Hash", "lines": "MultiPV", "overhead": "Move Overhead", CLEAR: "Clear Hash", VARIANT: "UCI_Variant"},
)


class Uci(Conversation):
    """The engine's side of UCI."""

    protocol = UCI
    tongue = TONGUE
    manners = Manners(overhead=10)
    limits = LIMITS | CLOCKS
    """What `go` may be followed by."""

    def __init__(self, variant: Variant, settings: Settings, write: Callable[[str], None]) -> None:
        super().__init__(variant, settings, write)
        self.commands: dict[str, Callable[[list[str]], None]] = {
            self.tongue.name: self.greet,
            f"{self.tongue.name}newgame": self.begin_game,
            "isready": self.get_ready,
            "setoption": self.heed_option,
            "position": self.set_position,
            "go": self.go,
            "stop": self.stop,
            "ponderhit": self.resume,
            "debug": self.set_debugging,
            "d": self.show,
        }
        self.is_debugging = False

    def heed(self, line: str) -> int | None:
        """Do what a line says. Words before a known command are passed over, as the protocol demands."""
        words = line.split()
        known = next((at for at, word in enumerate(words) if word in self.commands or word == "quit"), None)
        if self.is_debugging and words[:known]:
            self.complain(f"unknown: {' '.join(words[:known])[:200]}")
        if known is None:
            return None
        if words[known] == "quit":
            return 0
        self.commands[words[known]](words[known + 1 :])
        return None

    def setting_name(self, field: str) -> str:
        """What a setting is called."""
        return self.tongue.options.get(field, field.capitalize())

    def complain(self, fault: str) -> None:
        """Say what is wrong."""
        self.say(f"info string error: {fault}")

    def warn(self, warning: str) -> None:
        """Say what is not as it should be."""
        self.say(f"info string warning: {warning}")

    def greet(self, _: list[str]) -> None:
        """Say who it is and what can be set."""
        options = (f"option name {name} {option}" for name, option in self.options().items())
        name = f"Menagerie {menagerie.__version__} {self.variant.game.name}"
        self.say(f"id name {name}", f"id author {AUTHOR}", *options, f"{self.tongue.name}ok")

    def get_ready(self, _: list[str]) -> None:
        """Say so when everything before has been done and nothing is left to compile."""
        self.compile()
        self.say("readyok")

    def begin_game(self, _: list[str]) -> None:
        """What was found before belongs to another game."""
        self.finish()
        self.engine.forget()
        self.match = self.new_match()

    def heed_option(self, words: list[str]) -> None:
        """Set an option."""
        said = SETTING.fullmatch(" ".join(words))
        if not said:
            raise ProtocolError("setoption is followed by name <name> value <value>")
        if self.set_option(said[1], said[2] or "").field == VARIANT:
            board = self.variant.game.board
            start = self.dialect.write_position(str(self.variant.start()))
            facts = f"{said[2]} files {board.files} ranks {board.ranks} startpos {start}"
            self.say(f"info string variant {facts}")

    def set_position(self, words: list[str]) -> None:
        """Go on from the match so far; where anything in it is wrong, there is none until another one is told of."""
        self.match.is_outdated = True
        self.match = self.told(words)

    def told(self, words: list[str]) -> Told:
        """The match that a position and the turns since make."""
        at = next((at for at, word in enumerate(words) if word in ("startpos", self.tongue.position)), None)
        if at is None:
            raise ProtocolError(f"position is followed by startpos or {self.tongue.position} and a text")
        moves = words.index("moves", at) if "moves" in words[at:] else len(words)
        text = " ".join(words[at + 1 : moves])
        is_start = words[at] == "startpos"
        match = self.new_match(None if is_start else self.variant.position(self.dialect.read_position(text)))
        for word in words[moves + 1 :]:
            match.play(self.read_turn(match, word))
        return match

    @property
    def position(self) -> Position:
        """The position now; a ProtocolError where the last one was refused."""
        if self.match.is_outdated:
            raise ProtocolError(str(self.match.outcome))
        return self.match.position

    def go(self, words: list[str]) -> None:
        """Search, or count."""
        said: dict[str, list[str]] = {}
        for word in words:
            if word in self.limits:
                said[word] = []
            elif said:
                said[next(reversed(said))].append(word)
        if depth := self.number(said, "perft", DEEPEST):
            self.finish()
            self.begin(Count(self.position, depth, self.tell_count, self.complain))
        elif self.match.is_outdated:
            self.complain(str(self.match.outcome))
            self.think(Wish(waits="infinite" in said or "ponder" in said))
        else:
            self.think(self.wish(said))

    def wish(self, said: Mapping[str, Sequence[str]]) -> Wish:
        """What `go` asks for."""
        depth, nodes = (self.number(said, name, int(limits.MOST[name])) for name in ("depth", "nodes"))
        milliseconds = self.number(said, "movetime")
        seconds = milliseconds / 1000 if milliseconds else self.share(said)
        seconds = self.manners.in_time(seconds) if seconds else None
        among = self.allowed(said.get("searchmoves", ()))
        ponders = "ponder" in said
        is_endless = ponders or "infinite" in said
        if seconds and not (milliseconds or is_endless) and self.match.position.is_forced:
            depth = AT_ONCE.depth  # The clock is for turns that have alternatives.
        return Wish(
            limit=Limit(depth, nodes, None if is_endless else seconds),
            lines=self.manners.lines,
            waits=is_endless,
            later=seconds if ponders else None,
            among=among,
            win=self.number(said, "mate"),
        )

    def share(self, said: Mapping[str, Sequence[str]]) -> float | None:
        """How many seconds the clocks leave for this turn; None where they do not count."""
        side = self.tongue.sides[self.match.position.player]
        left = self.number(said, f"{side}time")
        if left is None:
            return None
        added, turns = self.number(said, f"{side}inc", least=0), self.number(said, "movestogo")
        return Clock(left / 1000, (added or 0) / 1000, turns).share()

    def number(self, said: Mapping[str, Sequence[str]], name: str, most: int = MOST, least: int = 1) -> int | None:
        """The number after a word, moved within its bounds; None where the word is missing.

        Where the number is none, the least stands for it: whoever set a limit waits for an answer.
        """
        if name not in said:
            return None
        if not said[name] or not WHOLE.fullmatch(said[name][0]):
            self.complain(f"{name} is followed by a whole number, not {' '.join(said[name])[:80]!r}")
            return least
        return min(max(int(said[name][0]), least), most)

    def allowed(self, words: Sequence[str]) -> tuple[Turn, ...]:
        """The turns that a search is confined to; none where it is not."""
        found = []
        for word in words:
            try:
                found.append(self.read_turn(self.match, word))
            except MenagerieError as fault:
                self.complain(str(fault))
        if len(found) > MOST_AMONG:
            self.complain(f"a search can be confined to {MOST_AMONG} turns at most; all are searched")
            return ()
        return tuple(found)

    def stop(self, _: list[str]) -> None:
        """End the search, if there is one; the answer follows."""
        if self.errand:
            self.errand.stop()

    def resume(self, _: list[str]) -> None:
        """The opponent has played what was expected."""
        if self.errand:
            self.errand.resume()

    def set_debugging(self, words: list[str]) -> None:
        """Say more, or less."""
        self.is_debugging = words[:1] == ["on"]

    def show(self, _: list[str]) -> None:
        """Say which position it is."""
        position = self.dialect.write_position(str(self.position))
        self.say(f"{self.tongue.position.capitalize()}: {position}")

    def inform(self, analysis: Analysis) -> None:
        """A line of information for every line of play."""
        milliseconds = round(analysis.seconds * 1000)
        speed = round(analysis.nodes / max(analysis.seconds, 1e-3))
        full = round(1000 * analysis.fullness)
        self.say(
            *(
                f"info depth {analysis.depth} seldepth {max(analysis.deepest, analysis.depth)} multipv {count} "
                f"score {self.score(line)} nodes {analysis.nodes} nps {speed} hashfull {full} "
                f"time {milliseconds} pv {' '.join(map(self.write_turn, line.turns))}"
                for count, line in enumerate(analysis.lines, 1)
            )
        )

    def score(self, line: Line) -> str:
        """The value of a line; ends in the mover's own turns."""
        return f"cp {line.value}" if line.ends_in is None else f"mate {line.ends_in or -1}"

    def answer(self, turn: Turn | None, reply: Turn | None) -> None:
        """The turn to play, or that there is none."""
        if turn is None:
            self.say(f"bestmove {self.tongue.nothing}")
        else:
            self.say(f"bestmove {self.write_turn(turn)}" + (f" ponder {self.write_turn(reply)}" if reply else ""))

    def tell_count(self, turn: Turn | None, count: int) -> None:
        """A number of perft, or the sum."""
        self.say(f"{self.write_turn(turn)}: {count}" if turn else f"Nodes searched: {count}")
