"""Our games against Fairy-Stockfish over millions of random positions: move sets, checks and outcomes.

    python -m bench.agree [--positions 2000000] [--game NAME] [--processes 2] [--checks 1.0] [--skip 0]

The program (tests/oracles/stockfish.py) answers some 8,000 positions a second, the library pyffish 600, and only the
library tells of checks: `--checks 0.1` asks it about every tenth position, and an hour becomes ten minutes.
Every 25,000 positions have their own seed: `--skip 1000000` goes on where an earlier run ended.
"""

import argparse
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from agreement import Compared, Witness, ask_pyffish, compare
from oracles import fairy, stockfish
from oracles.fairy import VARIANTS

from bench import peers

CHUNK = 25_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=2_000_000)
    parser.add_argument("--game", choices=sorted(VARIANTS), action="append")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--checks", type=float, default=1.0, help="the share of positions whose check is compared")
    parser.add_argument("--skip", type=int, default=0, help="how many positions an earlier run has compared")
    chosen = parser.parse_args()
    for name in chosen.game or sorted(VARIANTS):
        begun = time.perf_counter()
        seeds = range(chosen.skip // CHUNK, -(-chosen.positions // CHUNK))
        total = Compared()
        with ProcessPoolExecutor(chosen.processes) as pool:
            for part in pool.map(compare_chunk, repeat(name), seeds, repeat(chosen.checks)):
                total = Compared(total.positions + part.positions, total.ends + part.ends, total.checks + part.checks)
                print(f"\r{name}: {total.positions:,} positions", end="", file=sys.stderr, flush=True)
        seconds = time.perf_counter() - begun
        print(
            f"\r{name}: {total.positions:,} positions agree, {total.ends:,} of them finished,"
            f" {total.checks:,} in check ({seconds:.0f} s)"
        )


def compare_chunk(name: str, seed: int, checks: float) -> Compared:
    """One share of the comparison."""
    program = stockfish.find()
    if isinstance(program, stockfish.Missing):
        return compare(name, CHUNK, seed, ask_pyffish(name))
    with peers.Conversation(program, name) as engine:
        return compare(name, CHUNK, seed, ask_program(engine, name, checks))


def ask_program(engine: peers.Conversation, name: str, checks: float) -> Witness:
    """Fairy-Stockfish as a program; it does not tell of checks, so the library is asked for those."""
    chance = random.Random(0)

    def ask(fen: str) -> tuple[set[str], bool | None]:
        asked = VARIANTS[name].royal and chance.random() < checks
        return set(engine.divide(f"fen {fen}", 1)), fairy.in_check(name, fen) if asked else None

    return ask


if __name__ == "__main__":
    main()
