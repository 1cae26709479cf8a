"""A conversation with a controller: what it says is heeded line by line, also while a search goes on."""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, ClassVar

from menagerie.errors import MenagerieError, ProtocolError
from menagerie.game import Options, Outcome
from menagerie.match.match import Match
from menagerie.position import Position, Turn
from menagerie.protocols.dialect import dialect
from menagerie.protocols.options import Manners, Option, options_of, rules_of
from menagerie.protocols.thought import Errand, Listener, Thought, Wish
from menagerie.search.engine import Analysis, Engine, Settings, settle
from menagerie.search.limits import Limit
from menagerie.variant import Variant

AUTHOR = "the authors of Menagerie"
VARIANT = "variant"
"""The option that names the game with one of its rule sets."""
CLEAR = "clear"
"""The option, a button, that lets the engine forget what it has found."""


class Told(Match):
    """A match as a controller tells of it. The controller is the arbiter: no draw by history ends it."""

    is_outdated = False
    """Whether another one was told of since, and refused: then there is nothing to play."""

    @property
    def outcome(self) -> Outcome | None:
        """How it has ended on the board, or because history forbids every turn."""
        outcome = super().outcome
        if self.is_outdated:
            return Outcome(None, "unknown", "there is no position: the last one was refused")
        return self.position.outcome if outcome and outcome.winner is None else outcome


class Conversation(ABC):
    """What the protocols share: a match, an engine, options, one errand at a time, and whole lines."""

    protocol: ClassVar[str]
    manners = Manners()
    """What can be set of the conversation, as the protocol usually has it."""

    def __init__(self, variant: Variant, settings: Settings, write: Callable[[str], None]) -> None:
        self.variant, self.settings = variant, settings
        self.dialect = dialect(variant.game, self.protocol)
        self._write, self._lock = write, threading.Lock()
        self._warned = set[str]()
        self.engine = self.new_engine(variant, settings)
        self.match = self.new_match()
        self._errand: Errand | None = None
        self._is_compiled = False

    def hold(self, lines: Iterable[str]) -> int:
        """Heed one line after another, until one of them or their end is the end of it; the exit code."""
        try:
            for line in lines:
                try:
                    code = self.heed(line)
                except MenagerieError as fault:
                    self.complain(str(fault))
                    continue
                if code is not None:
                    return code
            return 0
        finally:
            self.part()

    @abstractmethod
    def heed(self, line: str) -> int | None:
        """Do what a line says; the exit code where it is the last."""

    @abstractmethod
    def setting_name(self, field: str) -> str:
        """What the protocol calls a setting."""

    @abstractmethod
    def complain(self, fault: str) -> None:
        """Say what is wrong."""

    @abstractmethod
    def warn(self, warning: str) -> None:
        """Say what is not as it should be, though it goes on."""

    @abstractmethod
    def inform(self, analysis: Analysis) -> None:
        """Say what is thought, and what it cost."""

    @abstractmethod
    def answer(self, turn: Turn | None, reply: Turn | None) -> None:
        """Say what would be played, and what is expected after it."""

    def part(self) -> None:
        """The conversation is over; a search that goes on gives its answer."""
        self.finish()

    def say(self, *lines: str) -> None:
        """Say lines that belong together."""
        with self._lock:
            for line in lines:
                self._write(" ".join(line.splitlines()))

    @property
    def errand(self) -> Errand | None:
        """What goes on now."""
        return self._errand if self._errand and self._errand.goes_on else None

    def think(self, wish: Wish) -> None:
        """Search; an earlier search gives its answer first."""
        self.finish()
        self.compile()
        listener = Listener(self.inform, self.answer, self.complain)
        self.begin(Thought(self.engine, self.match, wish, listener))

    def begin(self, errand: Errand) -> None:
        """Send off an errand."""
        self._errand = errand
        errand.start()

    def finish(self) -> None:
        """End what goes on; its answer comes before anything else."""
        if self._errand:
            self._errand.stop()
            self._errand.join()

    def abandon(self) -> None:
        """End what goes on without an answer."""
        if self._errand:
            self._errand.abandon()
            self._errand.join()

    def compile(self) -> None:
        """Compile the search, where that has not been done, so that thinking begins when it is asked for."""
        if not self._is_compiled:
            for level in (1, 0):  # A gentle engine searches, even where one of full strength plays from a table.
                small = self.new_engine(self.variant, Settings(megabytes=1, level=level))
                small.analyse(self.variant.start(), Limit(depth=1))
            settle()
            self._is_compiled = True

    def new_engine(self, variant: Variant, settings: Settings) -> Engine:
        """An engine whose warnings are passed on, each once."""
        return Engine(variant, settings, warn=self.warn_once)

    def warn_once(self, warning: str) -> None:
        """Say what is not as it should be, unless it has been said."""
        if warning not in self._warned:
            self._warned.add(warning)
            self.warn(warning)

    def new_match(self, start: Position | None = None) -> Told:
        """A match that has not begun."""
        return Told(self.variant, start)

    def read_turn(self, match: Match, text: str) -> Turn:
        """The turn that a program's text means in a match."""
        try:
            return match.position.find(self.dialect.read_turn(text))
        except MenagerieError as fault:
            raise ProtocolError(f"the move {text[:200]!r}: {fault}") from fault

    def write_turn(self, turn: Turn) -> str:
        """A turn as the protocol writes it."""
        return self.dialect.write_turn(turn.code)

    def options(self) -> dict[str, Option]:
        """Everything that can be set, by the name that the protocol has for it."""
        names = tuple(self.rule_sets())
        chosen = next((name for name, rules in self.rule_sets().items() if rules == self.variant.options), names[0])
        known = options_of(self.settings) | options_of(self.manners)
        known |= {CLEAR: Option(CLEAR, "button"), VARIANT: Option(VARIANT, "combo", chosen, names)}
        return {self.setting_name(field): option for field, option in known.items()} | rules_of(self.variant.options)

    def rule_sets(self) -> dict[str, Options]:
        """The names under which the game goes, each with its rules: its own, and one for every rule set."""
        game = self.variant.game
        named = {f"{game.name}-{name}": game.options.of(chosen) for name, chosen in game.rule_sets.items()}
        return {game.name: game.options(), **named}

    def set_option(self, name: str, text: str) -> Option:
        """Set an option from a text; a refused one changes nothing."""
        known = {known.lower(): (known, option) for known, option in self.options().items()}
        if name.lower() not in known:
            raise ProtocolError(f"there is no option {name[:80]!r}; the options are: {', '.join(self.options())}")
        name, option = known[name.lower()]
        try:
            if option.field == CLEAR:
                self.refuse_while_searching()
                self.engine.forget()
                return option
            change: dict[str, Any] = {option.field: option.read(text)}  # of the type that the field has
            if option.field in options_of(self.manners):
                self.manners = replace(self.manners, **change)
            elif option.field in options_of(self.settings):
                self.rebuild(self.variant, replace(self.settings, **change))
            else:
                is_set = option.field == VARIANT
                rules = self.rule_sets()[change[VARIANT]] if is_set else replace(self.variant.options, **change)
                self.rebuild(Variant(self.variant.game, rules), self.settings)
                self.match = self.new_match()
        except (MenagerieError, MemoryError) as fault:
            raise ProtocolError(f"the option {name}: {fault}") from fault
        return option

    def rebuild(self, variant: Variant, settings: Settings) -> None:
        """Another engine in place of the one there is."""
        self.refuse_while_searching()
        self.engine = self.new_engine(variant, settings)
        self.variant, self.settings = variant, settings

    def refuse_while_searching(self) -> None:
        """What a search works with stays as it is."""
        if self.errand:
            raise ProtocolError("it cannot be set while a search goes on")
