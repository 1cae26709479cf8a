"""Whether the draw for want of progress, which tables do not count, takes any win: all positions that end later.

    python -m bench.limits GAME [--rules official]

From the counter at 0, the winner making the quickest turns, the loser any: won in time, if each line comes to its end,
or to a turn that sets the counter back, before the limit. The table is looked for where it is kept (MENAGERIE_TABLES).
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator

import numpy as np

from menagerie.games import find
from menagerie.position import Position
from menagerie.solve.cells import Verdict
from menagerie.solve.solver import endgame_of
from menagerie.solve.tablebase import Tablebase
from menagerie.variant import Variant


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--rules", default="")
    chosen = parser.parse_args()
    variant = Variant(find(chosen.game), find(chosen.game).agreed(chosen.rules))
    base, limit = Tablebase.find(variant), variant.game.repetition.under(variant.options).plies
    assert base, f"there is no table of {variant}"
    assert limit, f"{variant} has no such limit"
    sys.setrecursionlimit(10_000)
    known: dict[tuple[int, int], bool] = {}
    in_time = Counter(is_won_in_time(base, position, limit, known) for position in longer(base, limit))
    print(f"{variant}: {in_time.total():,} positions end in more than {limit} plies: by the quickest turns", end=" ")
    print(f"{in_time[True]:,} are won in time, {in_time[False]:,} are not")


def longer(base: Tablebase, limit: int) -> Iterator[Position]:
    """The positions of a table that end in more than so many plies."""
    facts, game = base.table.facts, base.variant.game
    verdicts = [Verdict.of(cell) for cell in facts.palette]
    late = [number for number, verdict in enumerate(verdicts) if verdict.value and verdict.plies > limit]
    codes = base.table.codes.view(np.uint16 if facts.is_wide else np.uint8)[: facts.written]
    written = np.flatnonzero(np.unpackbits(base.table.bits, bitorder="little"))
    for place in written[np.isin(codes, late)].tolist():
        state = game.state(base.variant.options)
        assert endgame_of(base.variant).set_up(place, state)
        yield Position(game, state)


def is_won_in_time(base: Tablebase, position: Position, limit: int, known: dict[tuple[int, int], bool]) -> bool:
    """Whether who wins by the board does so before the limit, by turns that are the quickest without one."""
    verdict = base.on_the_board(position)
    assert verdict and verdict.value
    if position.quiet + verdict.plies <= limit:
        return True
    if position.quiet >= limit:
        return False
    name = position.key, position.quiet
    if name not in known:
        following = [turn.after for turn in position.turns()]
        if verdict.value < 0:
            known[name] = all(is_won_in_time(base, after, limit, known) for after in following)
        else:
            quickest = Verdict(-1, verdict.plies - 1)
            best = (after for after in following if base.on_the_board(after) == quickest)
            known[name] = any(is_won_in_time(base, after, limit, known) for after in best)
    return known[name]


if __name__ == "__main__":
    main()
