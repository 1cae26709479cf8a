"""The peer of the benchmarks: Fairy-Stockfish, run as a program beside us where it can be had."""

import re
import resource
import sys
from pathlib import Path
from subprocess import PIPE, Popen
from typing import NamedTuple, Self

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from oracles.stockfish import Missing, Program, find

START = "startpos"


class Count(NamedTuple):
    """What a perft found and what it cost; the caller holds the nodes against the oracle (Debian's 11.1 miscounts)."""

    nodes: int
    cpu_seconds: float


def perft(game: str, depth: int) -> Count | Missing:
    """The peer's perft of the start position; its start-up time, that of a run at depth 1, is taken off."""
    program = find()
    if isinstance(program, Missing):
        return program
    idle, busy = _timed(program, game, 1), _timed(program, game, depth)
    return Count(busy.nodes, busy.cpu_seconds - idle.cpu_seconds)


class Conversation:
    """A running peer that is asked about one game."""

    def __init__(self, program: Program, game: str) -> None:
        self.engine = Popen(program.command, stdin=PIPE, stdout=PIPE, text=True)
        self.say(f"setoption name VariantPath value {program.config}\nsetoption name UCI_Variant value {game}")

    def say(self, words: str) -> None:
        """Send a line or several."""
        assert self.engine.stdin
        self.engine.stdin.write(words + "\n")
        self.engine.stdin.flush()

    def divide(self, position: str, depth: int) -> dict[str, int]:
        """The leaves below each legal move of a position (START or `fen ...`)."""
        self.say(f"position {position}\ngo perft {depth}")
        assert self.engine.stdout
        leaves: dict[str, int] = {}
        for line in self.engine.stdout:
            if line.startswith("Nodes searched"):
                return leaves
            if found := re.fullmatch(r"(\S+): (\d+)\n", line):
                leaves[found[1]] = int(found[2])
        raise EOFError("the peer stopped before its answer was complete")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.engine.communicate()  # Hear the peer out: node complains at length of a pipe closed under it.


def _timed(program: Program, game: str, depth: int) -> Count:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with Conversation(program, game) as peer:
        leaves = peer.divide(START, depth)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Count(sum(leaves.values()), cpu)
