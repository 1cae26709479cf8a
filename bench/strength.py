"""How strong our engine is beside other programs: the matches of docs/strength.md, one after the other.

    python -m bench.strength [chak dobutsu arimaa] [--games 100] [--seconds 0.5] [--sharp PROGRAM]

One thread each and the same time for both, no endgame tables, random openings played twice with the colours swapped, by
our rules. Fairy-Stockfish is whichever tests/oracles/stockfish.py finds (FAIRY_STOCKFISH names a native one), with its
classical judgement; simple_engine is the one of the package aei; sharp is a program of one's own building, from
lightvector/arimaasharp. Each command is printed before it runs, so that it can be typed.
"""

import argparse
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from oracles import stockfish

GAMES = {"chak": "", "dobutsu": "official", "arimaa": ""}
"""The games that other programs play, by the rules that they play."""
MARGIN = {"uci": 0.2, "aei": 1.0}
"""Seconds that an answer may come late on a busy machine, theirs or ours."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="*", choices=list(GAMES), default=list(GAMES))
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--sharp", help="the program sharp, for Arimaa")
    chosen = parser.parse_args()
    environment = {**os.environ, "MENAGERIE_TABLES": os.devnull}
    failed = False
    for game in chosen.game or GAMES:
        for opponent in opponents(game, chosen.sharp):
            words = ["match", game, f"seconds={chosen.seconds}", opponent, "--seconds", str(chosen.seconds)]
            words += ["--margin", str(MARGIN[opponent.partition(":")[0]]), "--games", str(chosen.games)]
            words += ["--rules", GAMES[game]] if GAMES[game] else []
            print(f"\n{shlex.join(['menagerie', *words])}", flush=True)
            done = subprocess.run([sys.executable, "-m", "menagerie", *words], env=environment, check=False)
            failed |= done.returncode != 0
    sys.exit(failed)


def opponents(game: str, sharp: str | None) -> Iterator[str]:
    """Who can be had for a game, as `menagerie match` is told."""
    if game == "arimaa":
        yield f"aei:{shlex.join([sys.executable, '-m', 'pyrimaa.simple_engine'])};name=simple_engine"
        if sharp:
            yield f"aei:{shlex.join([sharp, 'aei'])};name=sharp"
        return
    program = stockfish.find()
    if isinstance(program, stockfish.Missing):
        sys.exit(f"Fairy-Stockfish is {program.reason}")
    options = {**program.options("uci"), "Hash": "16", "name": "Fairy-Stockfish"}
    yield ";".join([f"uci:{shlex.join(program.command)}", *(f"{name}={value}" for name, value in options.items())])


if __name__ == "__main__":
    main()
