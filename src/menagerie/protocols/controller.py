"""Engines of others, asked over UCI, USI or AEI: any program that plays can be an opponent or a player."""

import re
import time
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from types import TracebackType
from typing import ClassVar, Self

from menagerie.errors import BadMove, EngineError, GameOver, LimitError, MenagerieError, OptionError, Resignation
from menagerie.match.match import Match
from menagerie.position import Turn
from menagerie.protocols import aei, uci, usi
from menagerie.protocols.conversation import VARIANT
from menagerie.protocols.dialect import dialect
from menagerie.protocols.program import Program
from menagerie.search.limits import Clock, Limit
from menagerie.variant import Variant

PATIENCE = 120.0
"""Seconds that a program has for an answer, besides the time to think; it may have to compile something first."""
LONGEST = 3600.0
"""Seconds that a search without a limit of time may take."""

Clocks = tuple[Clock, Clock]


class ForeignEngine:
    """A program that plays one game, from its start until `close`, which a `with` block calls at its end."""

    margin: float = 0.0
    """How many seconds after its time is up it is told to stop; what a busy machine may cost a program."""

    def __init__(
        self,
        command: str | Sequence[str],
        variant: Variant,
        protocol: str = uci.TONGUE.name,
        options: Mapping[str, str] | None = None,
    ) -> None:
        self.variant, self._dialect = variant, dialect(variant.game, protocol)
        self._program = Program(command)
        self._talk = TALKS[protocol](self._program, variant, protocol)
        try:
            self._talk.greet()
            for name, value in (options or {}).items():
                self._talk.set_option(name, value)
            self._talk.agree(set(options or ()))
            self.new_game()
        except BaseException:
            self.close()
            raise

    @property
    def name(self) -> str:
        """What it calls itself."""
        return self._program.name

    def new_game(self) -> None:
        """Let it forget the last game; it is ready when this returns."""
        self._talk.begin_game()
        self._talk.wait_until_ready()

    def set_option(self, name: str, value: str) -> None:
        """Set something of the program."""
        self._talk.set_option(name, value)

    def choose(self, match: Match, limit: Limit | None = None, clocks: Clocks | None = None) -> Turn:
        """The turn that it plays; a BadMove where it is none that may be played, a Resignation where it gives up."""
        if match.outcome:
            raise GameOver(f"there is nothing to play: {match.outcome}")
        if match.variant != self.variant:
            raise MenagerieError(f"{self.name} plays {self.variant}, the match is of {match.variant}")
        if clocks is None and limit in (None, Limit()):
            raise LimitError(f"{self.name} would think for ever: it needs a limit or clocks")
        self._talk.wait_until_ready()
        self._talk.ask(match, limit or Limit(), clocks)
        return self._understood(match, self._answer(match, limit, clocks))

    def close(self) -> None:
        """End the program."""
        self._program.close("quit")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, _: TracebackType | None) -> None:
        self.close()

    def _answer(self, match: Match, limit: Limit | None, clocks: Clocks | None) -> str:
        """What it answers; when its time is up it is told to stop."""
        seconds = (limit or Limit()).seconds or LONGEST
        if clocks:
            seconds = min(seconds, clocks[match.position.player].left)
        doing = f"while thinking about {match.position}"
        try:
            return self._talk.wait_for("bestmove", seconds + self.margin, doing)
        except TimeoutError:
            self._program.tell("stop")
        try:
            return self._talk.wait_for("bestmove", PATIENCE, doing)
        except TimeoutError as fault:
            raise EngineError(self.name, f"does not answer {doing}") from fault

    def _understood(self, match: Match, text: str) -> Turn:
        """The turn that an answer means."""
        text = self._talk.move_in(text)
        if text == self._talk.surrender:
            raise Resignation(self.name)
        try:
            turn = match.position.find(self._dialect.read_turn(text))
        except MenagerieError as fault:
            raise BadMove(self.name, text, str(match.position), getattr(fault, "reason", str(fault))) from fault
        if not match.allows(turn.after):
            raise BadMove(self.name, text, str(match.position), "history forbids it")
        return turn


class Talk(ABC):
    """The controller's side of a protocol."""

    surrender: ClassVar[str]
    """What is answered in place of a turn by who gives up."""

    def __init__(self, program: Program, variant: Variant, protocol: str) -> None:
        self.program, self.variant, self.protocol = program, variant, protocol
        self.dialect = dialect(variant.game, protocol)

    @abstractmethod
    def greet(self) -> None:
        """Say which protocol is spoken, and hear who it is."""

    @abstractmethod
    def agree(self, chosen: Collection[str]) -> None:
        """Say which game is played, as far as the options that were chosen do not."""

    @abstractmethod
    def begin_game(self) -> None:
        """Say that what follows is another game."""

    @abstractmethod
    def ask(self, match: Match, limit: Limit, clocks: Clocks | None) -> None:
        """Say how the match stands, and ask for a turn."""

    @abstractmethod
    def move_in(self, answer: str) -> str:
        """The text of the turn in what follows `bestmove`."""

    @abstractmethod
    def heed(self, line: str) -> None:
        """Note what else it says."""

    def set_option(self, name: str, value: str) -> None:
        """Set something of the program."""
        if "\n" in name + value or "\r" in name + value:
            raise OptionError(f"the option {name!r} must be one line, not {value!r}")
        self.program.tell(f"setoption name {name} value {value}")

    def wait_until_ready(self) -> None:
        """Wait until everything said has been heeded; older answers are then behind us."""
        self.program.tell("isready")
        self.hear("readyok", "while getting ready")

    def hear(self, word: str, doing: str) -> str:
        """What follows a word that must come."""
        try:
            return self.wait_for(word, PATIENCE, doing)
        except TimeoutError as fault:
            raise EngineError(self.program.name, f"does not say {word} {doing}") from fault

    def wait_for(self, word: str, seconds: float, doing: str) -> str:
        """What follows a word, when a line begins with it; a TimeoutError where none does in time."""
        deadline = time.monotonic() + seconds
        while True:
            line = self.program.hear(deadline, doing)
            first, _, rest = line.partition(" ")
            if first == word:
                return rest.strip()
            self.heed(line)
            if time.monotonic() > deadline:
                raise TimeoutError


class UciTalk(Talk):
    """The controller's side of UCI and its children."""

    tongue = uci.TONGUE
    surrender = "resign"

    def __init__(self, program: Program, variant: Variant, protocol: str) -> None:
        super().__init__(program, variant, protocol)
        self.options: dict[str, str] = {}
        """What can be set, each with its description."""

    def greet(self) -> None:
        """Hear its name and what can be set."""
        self.program.tell(self.tongue.name)
        self.hear(f"{self.tongue.name}ok", "while greeting")

    def heed(self, line: str) -> None:
        """Note its name and its options; everything unknown is passed over, as the protocol demands."""
        if match := re.match(r"option name (.+?) type (.*)", line):
            self.options[match[1]] = match[2]
        elif match := re.match(r"id name (.+)", line):
            self.program.name = match[1]

    def set_option(self, name: str, value: str) -> None:
        """Set one of the options there are."""
        known = next((known for known in self.options if known.lower() == name.lower()), None)
        if known is None:
            raise EngineError(self.program.name, f"has no option {name!r}; it has: {', '.join(self.options)}")
        super().set_option(known, value)

    def agree(self, chosen: Collection[str]) -> None:
        """Name the variant and its rules, where the program can be told them."""
        option, name = self.tongue.options[VARIANT], self.variant.game.name
        chosen = {known.lower() for known in chosen}
        if option in self.options and option.lower() not in chosen:
            if name not in self.options[option].split():
                self.greet()  # other options may have told it of more variants
            if name not in self.options[option].split():
                raise EngineError(self.program.name, f"does not play {name}")
            self.set_option(option, name)
        for rule in self.variant.options.names():
            if rule in self.options and rule not in chosen:
                self.set_option(rule, getattr(self.variant.options, rule))

    def begin_game(self) -> None:
        """Say so."""
        self.program.tell(f"{self.tongue.name}newgame")

    def ask(self, match: Match, limit: Limit, clocks: Clocks | None) -> None:
        """The first position and all turns since; in the middle of a turn the position alone."""
        first, turns = match.positions[0], match.turns
        if sum(len(turn.indices) for turn in turns) != len(match.actions):
            first, turns = match.position, ()
        text = f"{self.tongue.position} {self.dialect.write_position(str(first))}"
        moves = "".join(f" {self.dialect.write_turn(turn.code)}" for turn in turns)
        start = "startpos" if first == self.variant.start() else text
        self.program.tell(f"position {start}" + (f" moves{moves}" if moves else ""))
        self.program.tell(f"go {' '.join(self.limits(limit, clocks, match.position.player))}")

    def limits(self, limit: Limit, clocks: Clocks | None, player: int) -> Iterable[str]:
        """How long it may think, in the protocol's words."""
        if limit.depth:
            yield f"depth {limit.depth}"
        if limit.nodes:
            yield f"nodes {limit.nodes}"
        if limit.seconds:
            yield f"movetime {milliseconds(limit.seconds)}"
        for side, clock in zip(self.tongue.sides, clocks or (), strict=False):
            yield f"{side}time {milliseconds(clock.left)} {side}inc {milliseconds(clock.added)}"
        if clocks and clocks[player].turns:
            yield f"movestogo {clocks[player].turns}"

    def move_in(self, answer: str) -> str:
        """The first word; the turn it expects in reply may follow."""
        return answer.partition(" ")[0]


class UsiTalk(UciTalk):
    """The controller's side of USI."""

    tongue = usi.TONGUE
    surrender = usi.TONGUE.nothing

    def limits(self, limit: Limit, clocks: Clocks | None, player: int) -> Iterable[str]:
        """The time for a turn is a byoyomi after clocks that have run out; beside others, only `stop` keeps it."""
        yield from super().limits(replace(limit, seconds=None), clocks, player)
        if limit.seconds and not clocks:
            yield f"btime 0 wtime 0 byoyomi {milliseconds(limit.seconds)}"


class AeiTalk(Talk):
    """The controller's side of AEI."""

    surrender = "resign"
    known = frozenset({"protocol-version", "id", "aeiok", "readyok", "bestmove", "info", "log", ""})

    def __init__(self, program: Program, variant: Variant, protocol: str) -> None:
        super().__init__(program, variant, protocol)
        self.told: Match = Match(variant)
        """The match as the program knows it."""

    def greet(self) -> None:
        """Hear its name."""
        self.program.tell("aei")
        self.hear("protocol-version", "while greeting")
        self.hear("aeiok", "while greeting")

    def heed(self, line: str) -> None:
        """Note its name, and what it says of faults."""
        kind, _, rest = line.partition(" ")
        if kind not in self.known:
            raise EngineError(self.program.name, f"says {line[:80]!r}, which is no message of AEI")
        if kind == "id" and rest.startswith("name "):
            self.program.name = rest.removeprefix("name ").strip()
        elif kind == "log" and rest.startswith("Error"):
            self.program.note(rest)

    def agree(self, chosen: Collection[str]) -> None:
        """There is one game only."""

    def begin_game(self) -> None:
        """Say so."""
        self.program.tell("newgame")
        self.told = Match(self.variant)

    def ask(self, match: Match, limit: Limit, clocks: Clocks | None) -> None:
        """What was played since it was asked last, and what time there is."""
        self.tell_match(match)
        for name, value in self.limits(limit, clocks, match.position.player):
            self.set_option(name, f"{value:.3f}".rstrip("0").rstrip("."))
        self.program.tell("go")

    def tell_match(self, match: Match) -> None:
        """The turns it does not know, or everything where it knows another match."""
        known = self.told.turns
        if sum(len(turn.indices) for turn in match.turns) != len(match.actions):
            raise EngineError(self.program.name, "can be asked only between turns")
        if self.told.positions[0] != match.positions[0] or match.turns[: len(known)] != known:
            self.begin_game()
            if match.positions[0] != self.variant.start():
                self.program.tell(f"setposition {self.dialect.write_position(str(match.positions[0]))}")
                self.told = Match(self.variant, match.positions[0])
        for turn in match.turns[len(self.told.turns) :]:
            self.program.tell(f"makemove {self.dialect.write_turn(turn.code)}")
            self.told.play(turn)

    def limits(self, limit: Limit, clocks: Clocks | None, player: int) -> Iterable[tuple[str, float]]:
        """How long it may think, in options: in seconds, with a fraction where there is one; nodes are unknown.

        What a clock adds after a turn is the next turn's own time, and all else that is left the reserve. A cap of the
        turn is said even where it is the turn's own time: there are programs that else leave seconds to the way back.
        """
        if limit.nodes and not (limit.depth or limit.seconds or clocks):
            raise LimitError("AEI knows no limit of nodes")
        turn, reserves = limit.seconds or LONGEST, [0.0, 0.0]
        if clocks:
            turn = min(clocks[player].added, clocks[player].left)
            reserves = [max(clock.left - clock.added, 0.0) for clock in clocks]
        yield "depth", limit.depth or 0
        yield from (("tcmove", turn), ("tcreserve", max(reserves)), ("tcturntime", limit.seconds or 0), ("moveused", 0))
        yield from zip((f"{side}reserve" for side in aei.SIDES), reserves, strict=True)

    def move_in(self, answer: str) -> str:
        """All of it."""
        return answer


def milliseconds(seconds: float) -> int:
    """A time as UCI counts it; one that is left is never told as none."""
    return max(round(1000 * seconds), 1) if seconds else 0


TALKS: dict[str, type[Talk]] = {"uci": UciTalk, "usi": UsiTalk, "aei": AeiTalk}
