"""Whether the draw for want of progress, which tables do not count, takes any win: all positions that end later.

    python -m bench.limits GAME [--rules official]

From the counter at 0. First the winner makes the quickest turns, the loser any: won in time, if each line comes to its
end, or to a turn that sets the counter back, before the limit. The parts that hold the others are then solved once more
for the plies until the game is over or something is captured. What takes longer than the limit is drawn where captures
alone set the counter back, as in Chak. The table is looked for where it is kept (MENAGERIE_TABLES). It prints of which
pieces the drawn ones are; the exit code is 1 where a number is not that of golden/endings.txt.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import endings
import numpy as np

from menagerie.games import find
from menagerie.position import Position
from menagerie.solve.cells import DRAW, LOST, Verdict
from menagerie.solve.solver import Solver, endgame_of
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
    late = longer(base, limit)
    known: dict[tuple[int, int], bool] = {}
    slow = [place for place in late if not is_won_in_time(base, position_at(variant, place), limit, known)]
    drawn = not_captured_in_time(base, slow, limit) if slow else []
    print(f"{variant}: {len(late):,} positions end in more than {limit} plies; in time are won", end=" ")
    print(f"{len(late) - len(slow):,} by the quickest turns, {len(slow) - len(drawn):,} by others, {len(drawn):,} not")
    for pieces, count in Counter(pieces_of(position_at(variant, place)) for place in drawn).items():
        print(f"  {count:,} of {pieces}")
    faults = differences(variant, {"limit": limit, "late": len(late), "won in time": len(late) - len(drawn)})
    for fault in faults:
        print(f"WRONG {fault}")
    sys.exit(bool(faults))


def differences(variant: Variant, found: dict[str, int]) -> list[str]:
    """What should be otherwise by the game's golden endings."""
    blocks = (block for block in endings.blocks(variant.game) if "limit" in block)
    same = [block for block in blocks if variant.game.agreed(block["rules"]) == variant.options]
    assert same, f"nothing is known of {variant}"
    return [
        f"{what} {number:,}, and should be {int(block[what]):,}"
        for block in same
        for what, number in found.items()
        if number != int(block[what])
    ]


def longer(base: Tablebase, limit: int) -> list[int]:
    """The places of a table whose positions end in more than so many plies."""
    return np.flatnonzero(is_late(cells_of(base), limit)).tolist()


def is_late(cells: np.ndarray, limit: int) -> np.ndarray:
    """Which cells say that it ends in more than so many plies."""
    return cells >= LOST + 2 * (limit + 1)


def cells_of(base: Tablebase) -> np.ndarray:
    """The cells of a table; where nothing stands, the usual one."""
    facts = base.table.facts
    cells = np.full(facts.places, facts.usual, np.uint16)
    codes = base.table.codes.view(np.uint16 if facts.is_wide else np.uint8)[: facts.written]
    is_written = np.unpackbits(base.table.bits, count=facts.places, bitorder="little").view(bool)
    cells[is_written] = np.array(facts.palette, np.uint16)[codes]
    return cells


def position_at(variant: Variant, place: int) -> Position:
    """The position with a place."""
    state = variant.game.state(variant.options)
    assert endgame_of(variant).set_up(place, state)
    return Position(variant.game, state)


def pieces_of(position: Position) -> str:
    """The letters of the pieces on the board, the first player's in capitals."""
    return " ".join(sorted(endings.PIECE.findall(str(position).split()[0])))


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


def not_captured_in_time(base: Tablebase, places: list[int], limit: int) -> list[int]:
    """Which of some places are not won before the limit, whatever the winner does; all others of the table must be."""
    cells, drawn = cells_of(base), list[int]()
    for number, part in enumerate(endgame_of(base.variant).parts()):
        here = [place for place in places if part.first <= place < part.last]
        if here:
            to_capture = plies_to_capture(base.variant, number, cells)
            drawn += [place for place in here if to_capture[place - part.first] > limit]
            cells[drawn] = DRAW
    return drawn


def plies_to_capture(variant: Variant, number: int, cells: np.ndarray) -> np.ndarray:
    """How many plies the positions of a part take until they are over or a capture leads to an earlier part.

    That is how long they take to be over if all that is won or lost in earlier parts were over at once.
    """
    solver = Solver(variant, list(endgame_of(variant).parts())[number].name)
    part = solver.parts[number]
    before = cells[: part.first]
    solver.cells[: part.first] = np.where(before >= LOST, before % 2 + np.uint16(LOST), before)
    solver.part, solver.plies, solver.surveyed = number, -1, part.first
    for _ in solver.run():
        pass
    found = solver.cells[part.first : part.last].astype(np.int64)
    return (found - int(LOST)) >> 1


if __name__ == "__main__":
    main()
