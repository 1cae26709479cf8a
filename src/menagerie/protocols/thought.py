"""What an engine does while its controller is still heard: a search that is told of and answered, or a count."""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field

from menagerie.errors import MenagerieError
from menagerie.match.match import Match
from menagerie.position import Position, Turn
from menagerie.search.engine import Analysis, Engine
from menagerie.search.limits import Limit

AT_ONCE = 4
"""How many turns deep a count goes between two looks at whether it shall stop; one where turns are long."""


@dataclass(frozen=True)
class Wish:
    """What a search is asked for."""

    limit: Limit = field(default_factory=Limit)
    lines: int = 1
    waits: bool = False
    """Whether the answer is given only when it is told to stop, or to go on because its guess was right."""
    later: float | None = None
    """How many seconds to go on then."""
    among: tuple[Turn, ...] = ()
    """The only turns that may be answered, where there are any."""
    win: int | None = None
    """Stop where a win in so many turns is seen."""


@dataclass(frozen=True)
class Listener:
    """Who is told of a search: of what it finds, its answer (a turn, and the reply it expects), its faults."""

    inform: Callable[[Analysis], None]
    answer: Callable[[Turn | None, Turn | None], None]
    complain: Callable[[str], None]


class Errand(ABC):
    """Something done in a thread of its own."""

    def __init__(self) -> None:
        self.goes_on = True
        """Whether something is left to be done but to say its last words."""
        self._thread = threading.Thread(target=self.run, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def join(self) -> None:
        """Wait for its end."""
        self._thread.join()

    @abstractmethod
    def run(self) -> None:
        """Do it, in the thread."""

    @abstractmethod
    def stop(self) -> None:
        """End as soon as possible, with the best answer there is."""

    @abstractmethod
    def abandon(self) -> None:
        """End as soon as possible and say nothing more."""

    @abstractmethod
    def resume(self) -> None:
        """The guess was right: go on as if it had been asked for only now."""


class Thought(Errand):
    """A search. Its answer is given once: when the search has ended, and not before it may be told."""

    def __init__(self, engine: Engine, match: Match, wish: Wish, listener: Listener) -> None:
        super().__init__()
        self._engine, self._wish, self._listener = engine, wish, listener
        self._may_answer, self._is_abandoned = threading.Event(), False
        if not wish.waits:
            self._may_answer.set()
        self._timer: threading.Timer | None = None
        # The engine forgets earlier orders here and now, so a `stop` is heeded even before the thread has begun.
        self._analyses = iter(()) if match.outcome else engine.watch(match, wish.limit, wish.lines, wish.among)

    def run(self) -> None:
        """Search, tell, answer."""
        turns = self._wish.among[:1]
        try:
            for found in self._analyses:
                turns = found.lines[0].turns
                self._note(found)
        except Exception as fault:  # Whatever happens to a search, somebody waits for its answer.
            self._listener.complain(str(fault))
        self._may_answer.wait()
        if self._timer:
            self._timer.cancel()
            self._timer.join()
        self.goes_on = False
        if not self._is_abandoned:
            self._listener.answer(turns[0] if turns else None, turns[1] if len(turns) > 1 else None)

    def stop(self) -> None:
        """End the search; the answer follows."""
        self._may_answer.set()
        self._engine.stop()

    def abandon(self) -> None:
        """End the search and say nothing more."""
        self._is_abandoned = True
        self.stop()

    def resume(self) -> None:
        """The guess was right: the search goes on for as long as a turn may take."""
        if self._wish.later is not None and not self._may_answer.is_set():
            self._timer = threading.Timer(self._wish.later, self._engine.stop)
            self._timer.daemon = True
            self._timer.start()
        self._may_answer.set()

    def _note(self, found: Analysis) -> None:
        """Tell what is found, and stop where it is all that is asked for."""
        if not self._is_abandoned:
            self._listener.inform(found)
        ends_in = found.lines[0].ends_in
        if self._wish.win and ends_in and 0 < ends_in <= self._wish.win:
            self._engine.stop()


class Count(Errand):
    """Perft: how many lines of so many turns there are, by the first turn, and in all."""

    def __init__(
        self,
        position: Position,
        depth: int,
        tell: Callable[[Turn | None, int], None],
        complain: Callable[[str], None],
    ) -> None:
        super().__init__()
        self._position, self._depth, self._tell, self._complain = position, depth, tell, complain
        self._is_stopped = False

    def run(self) -> None:
        """Count, and tell each number; the last, of no turn, is the sum."""
        total = 0
        try:
            for turn in self._position.turns():
                count = self._below(turn.after, self._depth - 1)
                if self._is_stopped:
                    return
                self._tell(turn, count)
                total += count
        except MenagerieError as fault:
            self._complain(str(fault))
        else:
            self.goes_on = False
            self._tell(None, total)
        finally:
            self.goes_on = False

    def stop(self) -> None:
        """Count no further."""
        self._is_stopped = True

    abandon = resume = stop

    def _below(self, position: Position, depth: int) -> int:
        """How many lines lead on from a position, as far as it is not stopped."""
        if depth <= (1 if position.game.long_turns else AT_ONCE):
            return position.perft(depth, turns=True)
        return sum(0 if self._is_stopped else self._below(turn.after, depth - 1) for turn in position.turns())
