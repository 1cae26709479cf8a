"""The check: every entry of a table derived again from its successors, by the plain rules, on all cores."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from menagerie.games import find
from menagerie.kernel.state import new
from menagerie.solve.solver import together
from menagerie.solve.table import Table
from menagerie.solve.tablebase import Tablebase
from menagerie.variant import Variant


@dataclass
class Checked:
    """How far a check is: places seen of all; positions compared, how many entries are wrong and where the first is."""

    seen: int
    total: int
    positions: int = 0
    wrong: int = 0
    first_wrong: int | None = None


def variant_of(file: Path) -> Variant:
    """The variant that a table file says it is for; an error where the file is damaged."""
    facts = Table(file).facts
    game = find(facts.game)
    return Variant(game, game.agreed(facts.rules))


def check(file: Path, threads: int = 0) -> Iterator[Checked]:
    """Check a table, and tell how far it is."""
    base = Tablebase(variant_of(file), file)
    tasks = [new(base._code.TASK) for _ in range(threads or os.cpu_count() or 1)]
    for task in tasks:
        base.variant.options.into_state(task.room.states[0])

    def work(task: object, first: int, last: int) -> None:
        base._code.check(task, base._lookup, first, last)

    total = base.table.facts.places
    yield Checked(0, total)
    for seen in together(work, tasks, 0, total):
        yield Checked(seen, total)
    found = [int(task.latest) - 1 for task in tasks if task.latest]
    positions, wrong = (sum(int(task[field]) for task in tasks) for field in ("decided", "told"))
    yield Checked(total, total, positions, wrong, min(found, default=None))
