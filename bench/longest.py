"""The positions with the longest win: all of them, with the turns that keep it and those that win at all.

    python -m bench.longest GAME [--rules official]

The table is looked for where it is kept (MENAGERIE_TABLES).
"""

import argparse

import numpy as np

from bench.limits import cells_of, position_at
from menagerie.games import find
from menagerie.solve.cells import Verdict
from menagerie.solve.table import longest
from menagerie.solve.tablebase import Tablebase
from menagerie.variant import Variant


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--rules", default="")
    chosen = parser.parse_args()
    variant = Variant(find(chosen.game), find(chosen.game).agreed(chosen.rules))
    base = Tablebase.find(variant)
    assert base, f"there is no table of {variant}"
    verdict = Verdict(1, longest(base.table.facts))
    places = np.flatnonzero(cells_of(base) == verdict.cell).tolist()
    print(f"{variant}: {verdict}, {len(places)} times")
    for place in places:
        position = position_at(variant, place)
        worth = [(str(turn), base.on_the_board(turn.after)) for turn in position.turns()]
        winning = [(turn, after) for turn, after in worth if after and after.value < 0]
        best = [turn for turn, after in winning if after.before == verdict]
        print(f"{position}: {' '.join(best)}; {len(winning)} of {len(worth)} turns win")


if __name__ == "__main__":
    main()
