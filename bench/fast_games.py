"""Fast games of our engine against itself under every rule option: no illegal move, no loss on time, no failure.

    python -m bench.fast_games [--games 1000] [--game NAME] [--processes 2] [--seed 1] [--longest 200]

Each game has options by chance and one of the controls of tests/fast_play.py: a tenth of a second a turn, clocks that
come down to a tenth of a second a turn and less, levels, few nodes. The referee is that of `menagerie match`. Whatever
it finds is printed, and the exit code is then 1. On a busy machine an engine may lose on time because it gets no
processor: a loss on time is therefore told with the part of its time that it had one.
"""

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from fast_play import play_all, total_of

from menagerie.games import names


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--game", choices=names(), action="append")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--longest", type=int, default=200, help="plies of games whose players use all their time")
    chosen = parser.parse_args()
    is_clean = True
    for name in chosen.game or names():
        begun = time.perf_counter()
        total = total_of(play_all(name, range(chosen.games), chosen.seed, chosen.longest, chosen.processes))
        print(f"{name}: {total} ({time.perf_counter() - begun:.0f} s)", flush=True)
        for fault in total.faults[:20]:
            print(f"  {fault}")
        is_clean &= not total.faults
    sys.exit(0 if is_clean else 1)


if __name__ == "__main__":
    main()
