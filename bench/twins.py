"""Our games against their slow twins under every set of rules there is: texts, moves, checks and outcomes.

    python -m bench.twins [--positions 20000] [--game NAME] [--processes 2]

A test run tries a few sets of rules in which any two options meet; this tries them all, and ends with exit code 1 if
there is a difference.
"""

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from resemblance import Compared, compare
from rule_sets import every

from menagerie import Variant
from menagerie.games import find, names

CHUNK = 20_000


class Share(NamedTuple):
    """A game, its rules, and as many positions; the first of them, as a number, is what chance begins with."""

    name: str
    rules: str
    first: int
    positions: int


@dataclass
class Tally:
    """What came of the comparisons."""

    rule_sets: int = 0
    compared: Compared = field(default_factory=Compared)
    differences: list[str] = field(default_factory=list)

    def __add__(self, other: "Tally") -> "Tally":
        differences = self.differences + other.differences
        return Tally(self.rule_sets + other.rule_sets, self.compared + other.compared, differences)

    def __str__(self) -> str:
        found = f"{len(self.differences)} differences" if self.differences else "all agree"
        ends = self.compared.ends.total()
        sets = f"{self.rule_sets} set{'s' * (self.rule_sets != 1)} of rules"
        return f"{sets}, {self.compared.positions:,} positions, {ends:,} of them finished: {found}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=20_000, help="for each set of rules")
    parser.add_argument("--game", choices=names(), action="append")
    parser.add_argument("--processes", type=int, default=2)
    chosen = parser.parse_args()
    begun = time.perf_counter()
    games = chosen.game or names()
    total = Tally()
    for name in games:
        total += compare_game(name, chosen.positions, chosen.processes)
    print(f"{len(games)} games, {total} ({time.perf_counter() - begun:.0f} s)")
    sys.exit(bool(total.differences))


def compare_game(name: str, positions: int, processes: int) -> Tally:
    """Compare a game under all its sets of rules, tell how far that is, and print what came of it."""
    begun = time.perf_counter()
    variants = every(name)
    compare_share(Share(name, rules="", first=0, positions=1))  # compiled once, here, and not in every process
    shares = [
        Share(name, str(variant.options), first, min(CHUNK, positions - first))
        for first in range(0, positions, CHUNK)
        for variant in variants
    ]
    done = Tally(len(variants))
    with ProcessPoolExecutor(processes) as pool:
        for number, tally in enumerate(pool.map(compare_share, shares), 1):
            done += tally
            told = f"{number} of {len(shares)} shares, {done.compared.positions:,} positions"
            print(f"\r{name}: {told}", end="", file=sys.stderr, flush=True)
    print(f"\r{name}: {done} ({time.perf_counter() - begun:.0f} s)", *done.differences, sep="\n", flush=True)
    return done


def compare_share(share: Share) -> Tally:
    """Compare one share; a difference ends it."""
    game = find(share.name)
    try:
        return Tally(compared=compare(Variant(game, game.agreed(share.rules)), share.positions, share.first))
    except AssertionError as difference:
        return Tally(differences=[str(difference)])


if __name__ == "__main__":
    main()
