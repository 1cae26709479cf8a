"""The peer of the benchmarks: Fairy-Stockfish, run as a program beside us where it can be had."""

import os
import re
import resource
import shutil
from dataclasses import dataclass
from pathlib import Path
from subprocess import PIPE, Popen
from typing import NamedTuple, Self

CONFIG = Path(__file__).parents[1] / "tests" / "oracles" / "chak.ini"
CACHE = Path.home() / ".cache" / "menagerie"
PACKAGE = "fairy-stockfish-nnue.wasm"
INSTALL = f"npm install --prefix {CACHE} {PACKAGE}, or set FAIRY_STOCKFISH to a program built with largeboards=yes"
START = "startpos"


class Count(NamedTuple):
    """What a perft found and what it cost; the caller holds the nodes against the oracle (Debian's 11.1 miscounts)."""

    nodes: int
    cpu_seconds: float


@dataclass(frozen=True)
class Missing:
    """There is no peer, and why."""

    reason: str


def perft(game: str, depth: int) -> Count | Missing:
    """The peer's perft of the start position; its start-up time, that of a run at depth 1, is taken off."""
    command = find()
    if isinstance(command, Missing):
        return command
    idle, busy = _timed(command, game, 1), _timed(command, game, depth)
    return Count(busy.nodes, busy.cpu_seconds - idle.cpu_seconds)


def find() -> list[str] | Missing:
    """The command that starts the peer: the program first, it is twice as fast as the npm package."""
    if program := shutil.which(os.environ.get("FAIRY_STOCKFISH", "fairy-stockfish")):
        return [program]
    script, node = CACHE / "node_modules" / PACKAGE / "uci.js", shutil.which("node")
    if node and script.exists():
        # Where node has fetch the package tries to load its own file as if from a server.
        return [node, "--no-experimental-fetch", str(script)]
    return Missing(f"not installed: {INSTALL}")


class Conversation:
    """A running peer that is asked about one game."""

    def __init__(self, command: list[str], game: str) -> None:
        # The package sees no disk: UCI_NNUE_FILE is its one way to carry a file inside, and puts it at the root.
        config = f"/{CONFIG.name}" if command[-1].endswith(".js") else str(CONFIG)
        environment = os.environ | {"UCI_NNUE_FILE": str(CONFIG)}
        self.engine = Popen(command, stdin=PIPE, stdout=PIPE, text=True, env=environment)
        self.say(f"setoption name VariantPath value {config}\nsetoption name UCI_Variant value {game}")

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


def _timed(command: list[str], game: str, depth: int) -> Count:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with Conversation(command, game) as peer:
        leaves = peer.divide(START, depth)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Count(sum(leaves.values()), cpu)
