"""Whether our engine plays perfectly where it has a table: many games from chance positions, every turn judged.

    python -m bench.perfect GAME [--rules official] [--against "uci:fairy-stockfish;nodes=10000"] [--games 1000]

Without --against it plays itself. A turn is perfect if it keeps the value: a win in as few plies as the table says, a
draw, or the longest resistance. Who plays only such turns never loses a drawn position, nor fails to win a won one in
time; both are looked at besides, for themselves. Whatever is not so is printed, and the exit code is 1. Tables are
looked for where they are kept (MENAGERIE_TABLES).
"""

import argparse
import random
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from perfection import judge, result

from menagerie import Match, Variant
from menagerie.arena import referee
from menagerie.arena.players import random_turn, read_player
from menagerie.arena.referee import Control
from menagerie.games import find
from menagerie.solve.tablebase import Tablebase

OURS = "nodes=1000"
"""Should the table not tell, the search would be short."""
MOST_RANDOM = 30
"""Up to so many random turns are played first."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--rules", default="")
    parser.add_argument("--against", default="")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    variant = Variant(find(chosen.game), find(chosen.game).agreed(chosen.rules))
    base, chance = Tablebase.find(variant), random.Random(chosen.seed)
    assert base, f"there is no table of {variant}"
    results, turns, faults, disappointments = Counter[str](), 0, list[str](), list[str]()
    with (
        closing(read_player(OURS).make(variant)) as ours,
        closing(read_player(chosen.against or OURS).make(variant)) as other,
    ):
        for number in range(chosen.games):
            match = opening(variant, chance)
            begun, seat = len(match.turns), number % 2
            ours.new_game(number)
            other.new_game(number)
            fault = referee.play(match, (ours, other) if seat == 0 else (other, ours), Control())
            assert not fault, fault
            for mine in (seat,) if chosen.against else (0, 1):
                judged, wrong = judge(match, base, begun, mine)
                turns += judged
                faults += wrong
                what, is_fault = result(match, base, begun, mine)
                results[what] += 1
                disappointments += [f"{match.turns[begun].position}: {what}"] if is_fault else []
    for what, count in sorted(results.items()):
        print(f"{what}: {count}")
    print(f"{chosen.games} games, {turns} turns, {len(faults)} not perfect", *faults, sep="\n")
    print(f"{len(disappointments)} games with less than the table promises", *disappointments, sep="\n")
    sys.exit(bool(faults or disappointments))


def opening(variant: Variant, chance: random.Random) -> Match:
    """A match some random turns after its beginning, not yet over."""
    while True:
        match = Match(variant)
        for _ in range(chance.randrange(1, MOST_RANDOM)):
            if not match.outcome:
                match.play(random_turn(match, chance))
        if not match.outcome:
            return match


if __name__ == "__main__":
    main()
