"""What turns on the rules: two tables of a game beside each other, and what others counted in golden/endings.txt.

    python -m bench.beside GAME

Both tables are looked for where they are kept (MENAGERIE_TABLES). The exit code is 1 where a number differs.
"""

import argparse
import hashlib
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import endings
import numpy as np

from menagerie.game import Game
from menagerie.games import find
from menagerie.kernel.bits import ONE, U64, ZERO
from menagerie.kernel.compiled import instantiate, template, unbound
from menagerie.kernel.memory import load
from menagerie.kernel.state import Actions, RecordType, State, new, record_type
from menagerie.solve.cells import Verdict
from menagerie.solve.solver import endgame_of, together
from menagerie.solve.table import CHUNK, Table
from menagerie.solve.tablebase import Tablebase
from menagerie.variant import Variant

WORDS = ("loss", "draw", "win")
THREADS = 2

legal: Callable[[State, Actions], None] = unbound
set_up: Callable[[int, State], bool] = unbound

Task = np.record


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    game = find(parser.parse_args().game)
    faults = []
    for block in endings.blocks(game):
        if "beside" in block:
            one, other = (base_of(game, block[rules]) for rules in ("rules", "beside"))
            found = changes(one.table, other.table) | {"fewer turns": fewer_turns(one, other)}
            for what, number in found.items():
                print(f"{what}: {number:,}")
                if number != int(block[what]):
                    faults.append(f"{what} {number:,}, and should be {int(block[what]):,}")
    for fault in faults:
        print(f"WRONG {fault}")
    sys.exit(bool(faults))


def base_of(game: Game, rules: str) -> Tablebase:
    """The table of a game under these rules, all of whose numbers are right."""
    base = Tablebase.find(Variant(game, game.agreed(rules)))
    assert base, f"there is no table of {game.name} {rules}: make it with `menagerie solve`"
    assert not [*endings.differences(base)]
    return base


def changes(one: Table, other: Table) -> dict[str, int]:
    """From which value to which positions go that both tables write down: those that do not win at once."""
    assert one.facts.usual == other.facts.usual == Verdict(1, 1).cell
    assert np.array_equal(one.bits, other.bits), "not the same positions win at once"
    counts = np.zeros((len(WORDS), len(WORDS)), np.int64)
    for first in range(0, one.facts.written, CHUNK):
        before, after = (values(table, first, min(first + CHUNK, one.facts.written)) for table in (one, other))
        counts += np.bincount(len(WORDS) * before + after, minlength=counts.size).reshape(counts.shape)
    return {f"{WORDS[old]} to {WORDS[new]}": int(number) for (old, new), number in np.ndenumerate(counts)}


def values(table: Table, first: int, last: int) -> np.ndarray:
    """The values that a table writes down, from one to another: 0 a loss, 1 a draw, 2 a win."""
    codes = table.codes.view(np.uint16 if table.facts.is_wide else np.uint8)[first:last]
    return np.array([Verdict.of(cell).value + 1 for cell in table.facts.palette], np.uint8)[codes]


def fewer_turns(one: Tablebase, other: Tablebase) -> int:
    """How many positions that do not win at once have fewer turns under the other rules."""
    game = one.variant.game
    label = f"{game.name}.{hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:16]}"
    code = instantiate(sys.modules[__name__], label, legal=game.rules.legal, set_up=endgame_of(one.variant).set_up)
    tasks = [new(task_type(game)) for _ in range(THREADS)]
    for task in tasks:
        for state, base in zip(task.states, (one, other), strict=True):
            base.variant.options.into_state(state)
        task.bits = one.table.bits.ctypes.data
    for _ in together(code.count, tasks, 0, one.table.facts.places):
        pass
    return sum(int(task.found) for task in tasks)


def task_type(game: Game) -> RecordType:
    """What one thread works with: a state under each of the rules, and where the bits of the table lie."""
    return record_type(
        ("states", game.rules.STATE, 2), ("actions", game.rules.ACTIONS, 2), ("bits", np.uint64), ("found", np.int64)
    )


@template
def count(task: Task, first: int, last: int) -> None:
    """Count the places that are written down and have fewer turns under the second rules."""
    for index in range(first, last):
        if (load(task.bits + U64((index >> 6) << 3)) >> U64(index & 63)) & ONE == ZERO:
            continue
        for rules in range(2):
            set_up(index, task.states[rules])
            legal(task.states[rules], task.actions[rules])
        if task.actions[1].n < task.actions[0].n:
            task.found += 1


if __name__ == "__main__":
    main()
