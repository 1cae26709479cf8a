"""The tablebase: what is proven of a position, its best turns, and how the game goes on when both play perfectly."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import numpy as np

from menagerie.errors import TableError
from menagerie.kernel.bits import U64
from menagerie.kernel.endgame import Part
from menagerie.kernel.state import new
from menagerie.position import Position, Turn
from menagerie.solve.cells import LOST, MOST_PLIES, Verdict
from menagerie.solve.lookup import LOOKUP, UNKNOWN, lookups
from menagerie.solve.solver import endgame_of
from menagerie.solve.table import Table
from menagerie.variant import Variant

ENDLESS = 1 << 62
UNTOLD = 2
"""The value in the row of a state that the table does not tell of."""


class Choice(NamedTuple):
    """A turn and what it is worth to the player who makes it, in plies from before it."""

    turn: Turn
    verdict: Verdict


class Tablebase:
    """The proven values of a variant's positions, out of a table file."""

    def __init__(self, variant: Variant, file: Path) -> None:
        self.variant = variant
        self.table = Table(file)
        self.table.refuse_unfit(variant)
        self._code = lookups(variant.game, endgame_of(variant))
        self._lookup = new(LOOKUP)
        self._lookup.bits, self._lookup.ranks, self._lookup.codes, self._lookup.palette = (
            U64(part.ctypes.data) for part in (self.table.bits, self.table.ranks, self.table.codes, self.table.palette)
        )
        self._lookup.is_wide = self.table.facts.is_wide
        self._lookup.places, self._lookup.usual = self.table.facts.places, self.table.facts.usual
        self._task, self._lock = new(self._code.TASK), Lock()
        """Where a question is worked out, one at a time: engines in several threads share a tablebase."""
        self._options = self._options_of(variant.start())
        self._limit = variant.game.repetition.under(variant.options).plies
        """After so many plies without progress a game is drawn (0: never). The table does not count them."""

    def _options_of(self, position: Position) -> list[int]:
        """The options of a position, as numbers."""
        return [int(position._state[name]) for name in self.variant.game.options.names()]

    @classmethod
    def find(cls, variant: Variant) -> "Tablebase | None":
        """The tablebase of a variant if there is one where tables are kept; an error where it is not to be trusted."""
        file = place_of(variant)
        try:
            facts = file.stat()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise TableError(f"{file} cannot be read: {error.strerror}") from error
        found = kept(variant, file, facts.st_mtime_ns, facts.st_size)
        if isinstance(found, str):
            raise TableError(found)
        return found

    def probe(self, position: Position) -> Verdict:
        """What is proven of a position; an error where the table does not tell."""
        verdict = self.get(position)
        if verdict is None and (found := self.on_the_board(position)):
            raise TableError(
                f"{self.table.file} says {found} of {position}, but it may be drawn before that: {self._limit} plies "
                "without progress"
            )
        if verdict is None:
            raise TableError(f"{self.table.file} does not hold {position}")
        return verdict

    def get(self, position: Position) -> Verdict | None:
        """What is proven of a position, if anything: no win that the draw for want of progress may come before."""
        verdict = self.on_the_board(position)
        is_late = verdict and verdict.value and 0 < self._limit < position.quiet + verdict.plies
        return None if is_late else verdict

    def on_the_board(self, position: Position) -> Verdict | None:
        """The same, however many plies without progress there were."""
        if position.game is not self.variant.game or self._options_of(position) != self._options:
            return None
        with self._lock:
            self._task.room.states[0] = position._state
            cell = int(self._code.value(self._task, self._lookup))
        return None if cell == UNKNOWN else Verdict.of(cell)

    def probe_all(self, positions: Iterable[Position]) -> list[Verdict | None]:
        """What is proven of each of many positions, None where the table does not tell.

        An error where one is of another game or under other rules.
        """
        asked = list(positions)
        for position in asked:
            self._refuse_other(position)
        states = np.array([position._state for position in asked], self.variant.game.rules.STATE)
        rows = self.probe_states(states).tolist()
        return [None if value == UNTOLD else Verdict(value, plies) for value, plies in rows]

    def _refuse_other(self, position: Position) -> None:
        """Refuse a position that another table is for."""
        game = self.variant.game
        if position.game is not game:
            raise TableError(f"{self.table.file} is a table of {game.name}, not of {position.game.name}: {position}")
        if self._options_of(position) != self._options:
            rules, other = self.variant.options.in_full(), position.options.in_full()
            raise TableError(f"{self.table.file} is for other rules: {rules}, not {other}: {position}")

    def probe_states(self, states: np.ndarray) -> np.ndarray:
        """The value and plies of many states, a row each; a value of 2 where the table does not tell.

        The states are records of the game's rules, and such as play can lead to: nobody checks that here.
        """
        name, kind = self.variant.game.name, self.variant.game.rules.STATE
        if not isinstance(states, np.ndarray) or states.ndim != 1 or states.dtype != kind:
            raise TableError(f"probe_states takes an array of the STATE of {name}'s rules; probe_all takes positions")
        cells = np.zeros(len(states), np.int64)
        with self._lock:
            self._code.values(self._task, self._lookup, np.require(states, kind, ("C", "W")), cells)
        for option, value in zip(self.variant.game.options.names(), self._options, strict=True):
            cells[states[option] != value] = UNKNOWN
        rows = np.zeros((len(cells), 2), np.int16)
        decided = (cells >= LOST) & (cells <= LOST + 2 * MOST_PLIES + 1)
        rows[decided, 0] = 2 * ((cells[decided] - LOST) & 1) - 1
        rows[decided, 1] = (cells[decided] - LOST) >> 1
        is_late = (rows[:, 0] != 0) & (states["quiet"].astype(np.int64) + rows[:, 1] > (self._limit or ENDLESS))
        rows[is_late | (cells == UNKNOWN)] = UNTOLD, 0
        return rows

    def counts(self, part: Part) -> dict[int, int]:
        """How often each cell occurs in a part."""
        if part.first == 0 and part.last == self.table.facts.places:
            return {int(cell): count for cell, count in self.table.facts.counts.items()}
        counts = np.zeros(1 << 16, np.int64)
        with self._lock:
            self._code.tally(self._task, self._lookup, counts, part.first, part.last)
        return {int(cell): int(counts[cell]) for cell in np.flatnonzero(counts)}

    def choices(self, position: Position) -> tuple[Choice, ...]:
        """The turns with what they are worth, the best first: quick wins, then slow ones, draws, slow losses, quick.

        All of them, but for those whose worth the table does not tell.
        """
        found = ((turn, self.get(turn.after)) for turn in position.turns())
        choices = [Choice(turn, verdict.before) for turn, verdict in found if verdict]
        return tuple(sorted(choices, key=lambda choice: -choice.verdict.rank))

    def line(self, position: Position, most: int | None = None) -> tuple[Turn, ...]:
        """How the game goes on when both play perfectly: to the end, until a drawn position comes again, or so far."""
        self.probe(position)
        return tuple(islice(self._line(position), most))

    def _line(self, position: Position) -> Iterator[Turn]:
        seen = set[int]()
        while not position.outcome and position.key not in seen:
            seen.add(position.key)
            turn = self.choices(position)[0].turn
            yield turn
            position = turn.after


def folder() -> Path:
    """Where tables are kept: what MENAGERIE_TABLES names, or the user's data directory."""
    if chosen := os.environ.get("MENAGERIE_TABLES"):
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "menagerie" / "tables"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "menagerie" / "tables"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "menagerie" / "tables"


def place_of(variant: Variant) -> Path:
    """The file where a variant's table is kept."""
    chosen: Sequence[str] = [f"{name}={value}" for name, value in variant.options.chosen().items()]
    return folder() / f"{','.join([variant.game.name, *chosen])}.table"


@lru_cache(maxsize=8)
def kept(variant: Variant, file: Path, changed: int, size: int) -> Tablebase | str:  # noqa: ARG001 - a changed file is another
    """A tablebase that is opened, and its checksum proven, once in a process; or why it is refused."""
    try:
        return Tablebase(variant, file)
    except TableError as error:
        return str(error)
