"""The engine's speed: nodes a second with one thread and with two, compile and start times, and the signature.

    python -m bench.engine [GAME ...]     (part of: make bench)

Each game is searched from positions of a seeded random game, ROOTS of them. The signature is the sum of the nodes that
searches to a fixed depth take: it changes when, and only when, the search or a judgement behaves differently.

Two threads are compared with one by the time that both take to the depth which one thread usually reaches in SECONDS:
the same depth for all positions, since one chosen for each position would be one at which a single thread was lucky.
"""

import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from rich.console import Console
from rich.table import Table

os.environ["MENAGERIE_TABLES"] = os.devnull  # The search is measured, not what a table knows.

import menagerie
from menagerie import Analysis, Limit, Position, Turn, Variant
from menagerie.games import names
from menagerie.position import Action

ROOTS, NODES, RUNS = 8, 400_000, 3
DEPTH = 7
SECONDS = 1.0
HEADINGS = (
    "game",
    "one thread",
    "two threads",
    "time to depth, 1 : 2",
    "stops in",
    "signature",
    "compiled",
    "warm start",
)
STOPS = 5
QUICK = 0.03
"""Seconds: positions that take less are decided, and tell nothing about threads."""
START = """
import sys, time
begun = time.perf_counter()
import menagerie
variant = menagerie.game(sys.argv[1])
menagerie.engine(variant, depth=1).choose(variant.start())
print(time.perf_counter() - begun)
"""
COMPILE = """
import sys, time, menagerie
variant = menagerie.game(sys.argv[1])
begun = time.perf_counter()
menagerie.engine(variant, depth=1).choose(variant.start())
print(time.perf_counter() - begun)
"""


def main() -> None:
    table = Table(title=f"The engine: {ROOTS} positions a game, {NODES:,} nodes each; CPU time for one thread")
    for heading in HEADINGS:
        table.add_column(heading, justify="left" if heading == "game" else "right")
    for name in sys.argv[1:] or names():
        table.add_row(name, *measured(menagerie.game(name)))
    Console(width=170).print(table)


def measured(variant: Variant) -> list[str]:
    """The cells of one game's row."""
    roots = positions(variant)
    one = [speed(variant, roots) for _ in range(RUNS)]
    more = positions(variant, 2 * ROOTS)
    depth = statistics.median_low(search(variant, root, 1, Limit(seconds=SECONDS)).depth for root in more)
    alone = [search(variant, root, 1, Limit(depth=depth)) for root in more]
    pairs = [(a, search(variant, a.position, 2, Limit(depth=depth))) for a in alone if a.seconds > QUICK]
    both = sum(two.nodes for _, two in pairs) / sum(two.seconds for _, two in pairs) if pairs else 0.0
    ratio = statistics.geometric_mean([one.seconds / two.seconds for one, two in pairs]) if pairs else 0.0
    with tempfile.TemporaryDirectory() as empty:
        compiled = started(variant, COMPILE, MENAGERIE_CACHE=empty)
    return [
        f"{statistics.median(one) / 1e6:.2f} M nodes/s [{min(one) / 1e6:.2f}-{max(one) / 1e6:.2f}]",
        f"{both / 1e6:.2f} M nodes/s" if pairs else "all decided",
        f"{ratio:.2f} times as fast" if pairs else "at once",
        f"{1000 * max(stop(variant, root) for root in roots for _ in range(STOPS)):.1f} ms at most",
        f"{sum(signature(variant, root) for root in roots)}",
        f"{compiled:.1f} s",
        f"{statistics.median(started(variant, START) for _ in range(RUNS)):.2f} s",
    ]


def positions(variant: Variant, count: int = ROOTS) -> list[Position]:
    """Some positions between turns, from a random game's middle on; the same ones every time."""
    chance = random.Random(11)
    found: list[Position] = []
    position = variant.start()
    while len(found) < count:
        indices, now = [], position
        while now.player == position.player and now.indices:
            indices.append(chance.choice(now.indices))
            now = Action(now, indices[-1]).after
        position = Turn(position, tuple(indices)).after
        if position.outcome:
            position = variant.start()
        elif position.ply >= 2 and chance.random() < 0.3:
            found.append(position)
    return found


def speed(variant: Variant, roots: list[Position]) -> float:
    """Nodes in a CPU second."""
    engine = menagerie.engine(variant, nodes=NODES)
    engine.choose(roots[0], Limit(depth=1))
    begun, nodes = time.process_time(), 0
    for root in roots:
        engine.forget()
        nodes += engine.analyse(root).nodes
    return nodes / (time.process_time() - begun)


def search(variant: Variant, root: Position, threads: int, limit: Limit) -> Analysis:
    """What a new engine thinks when a limit is reached."""
    engine = menagerie.engine(variant, threads=threads, megabytes=64)
    engine.choose(root, Limit(depth=1))
    engine.forget()
    return engine.analyse(root, limit)


def stop(variant: Variant, root: Position) -> float:
    """The seconds from `stop`, called by another thread, to the answer."""
    engine = menagerie.engine(variant)
    engine.choose(root, Limit(depth=1))
    told: list[float] = []
    timer = threading.Timer(QUICK, lambda: (told.append(time.perf_counter()), engine.stop()))  # type: ignore[func-returns-value]
    timer.start()
    engine.analyse(root)
    timer.cancel()
    return time.perf_counter() - told[0] if told else 0.0


def signature(variant: Variant, root: Position) -> int:
    """The nodes of a search to a fixed depth with nothing remembered."""
    return menagerie.engine(variant, depth=DEPTH).analyse(root).nodes


def started(variant: Variant, code: str, **variables: str) -> float:
    """The seconds that a program of its own reports."""
    command = [sys.executable, "-c", code, variant.game.name]
    done = subprocess.run(command, env=os.environ | variables, capture_output=True, text=True, check=True)
    return float(done.stdout)


if __name__ == "__main__":
    main()
