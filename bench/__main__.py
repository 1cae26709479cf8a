"""The table of speeds: every game on one core, beside peers where they play the game.

    python -m bench [GAME ...]            (`make bench` runs it and the engine's, python -m bench.engine)

Times are CPU seconds, the median of several runs. What is measured stands in each game's golden/bench.txt, a line a
measurement, words `key:value`:

    perft:5 [rules:NAME] [peer:VARIANT]   lines of play, bulk-counted and played; Fairy-Stockfish's perft
    playouts:20000 [peer:PACKAGE]         random games by the rules of a match
    turns:10000 [peer:PACKAGE]            distinct turns of the positions in turns.txt that have at least so many
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from oracles import stockfish

from bench import libraries, peers
from menagerie.game import Game
from menagerie.games import find, names
from menagerie.position import Position
from menagerie.variant import Variant

RUNS = 5
DEEP = 5
"""How many steps deep played steps are counted from the positions of turns.txt."""


def main() -> None:
    table = Table(title=f"One core, CPU time, median of {RUNS} runs (range in brackets)")
    for heading in ("what", "count", "ours", "peer", "ratio"):
        table.add_column(heading, justify="left" if heading == "what" else "right")
    for name in sys.argv[1:] or names():
        add_game(table, find(name))
    Console(width=150).print(table)
    if isinstance(missing := stockfish.find(), stockfish.Missing):
        print(f"Fairy-Stockfish is {missing.reason}")


def add_game(table: Table, game: Game) -> None:
    """The rows of one game."""
    text = (game.folder / "golden" / "bench.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        words = dict(word.split(":") for word in line.split() if not line.startswith("#"))
        for kind, measure in MEASURES.items():
            if kind in words:
                measure(table, Variant(game, game.agreed(words.get("rules", ""))), words)
    table.add_row(f"{game.name}: perft compiled from nothing", "", f"{cold(game):.1f} s", "", "")
    table.add_row(f"{game.name}: `menagerie perft {game.name} 3`, warm, in all", "", f"{warm(game):.2f} s", "", "")
    table.add_section()


def measure_perft(table: Table, variant: Variant, words: dict[str, str]) -> None:
    """Lines of play from the start."""
    start, depth = variant.start(), int(words["perft"])
    nodes, ours = rate(lambda: start.perft(depth))
    theirs: list[float] = []
    if "peer" in words:
        counts = [peers.perft(words["peer"], depth) for _ in range(3)]
        theirs = [c.nodes / c.cpu_seconds for c in counts if isinstance(c, peers.Count) and c.nodes == nodes]
    add_row(table, f"{variant}: perft {depth}, bulk", nodes, (ours, theirs, "leaves"))
    played, speeds = rate(lambda: start.perft_played(depth - 1))
    add_row(table, f"{variant}: perft {depth - 1}, every move played", played, (speeds, [], "moves"))


def measure_playouts(table: Table, variant: Variant, words: dict[str, str]) -> None:
    """Random games from the start."""
    start, games = variant.start(), int(words["playouts"])
    steps, ours = rate(lambda: start.playouts(games, seed=1).steps)
    found = [libraries.playouts(words["peer"]) for _ in range(3)] if "peer" in words else []
    theirs = [count / seconds for count, seconds in filter(None, found)]
    add_row(table, f"{variant}: random playouts", steps, (ours, theirs, "steps"))


def measure_turns(table: Table, variant: Variant, words: dict[str, str]) -> None:
    """Distinct turns, and steps played, from positions in the middle of games."""
    roots = list(busy_positions(variant, int(words["turns"])))
    count, ours = rate(lambda: sum(root.perft(1, turns=True) for root in roots))
    found = [libraries.turns(words["peer"], str(root)) for root in roots[:4]] if "peer" in words else []
    theirs = [turns / seconds for turns, seconds in filter(None, found)]
    add_row(table, f"{variant}: distinct turns of {len(roots)} positions", count, (ours, theirs, "turns"))
    steps, speeds = rate(lambda: roots[0].perft_played(DEEP))
    add_row(table, f"{variant}: steps played, {DEEP} deep", steps, (speeds, [], "steps"))


MEASURES = {"perft": measure_perft, "playouts": measure_playouts, "turns": measure_turns}


def busy_positions(variant: Variant, least: int) -> list[Position]:
    """The positions of golden/turns.txt that have at least so many turns."""
    text = (variant.game.folder / "golden" / "turns.txt").read_text(encoding="utf-8")
    blocks = [dict(line.split(": ", 1) for line in block.splitlines() if ": " in line) for block in text.split("\n\n")]
    return [variant.position(b["position"]) for b in blocks if int(b.get("turns", 0)) >= least]


def rate(work: Callable[[], int]) -> tuple[int, list[float]]:
    """What the work counts, and how much of it a CPU second does, in several runs."""
    work()
    speeds = []
    for _ in range(RUNS):
        begun = time.process_time()
        count = work()
        speeds.append(count / (time.process_time() - begun))
    return count, speeds


def add_row(table: Table, what: str, count: int, speeds: tuple[list[float], list[float], str]) -> None:
    """A row with our speed, the peer's at the same count, and how many times as fast ours is."""
    ours, theirs, unit = speeds
    ratio = f"{statistics.median(ours) / statistics.median(theirs):.1f}" if theirs else ""
    table.add_row(what, f"{count:,}", show(ours, unit), show(theirs, unit) if theirs else "", ratio)


def show(speeds: list[float], unit: str) -> str:
    """The median speed with its range, in millions a second."""
    low, middle, high = min(speeds) / 1e6, statistics.median(speeds) / 1e6, max(speeds) / 1e6
    return f"{middle:.3g} M {unit}/s [{low:.3g}-{high:.3g}]"


def cold(game: Game) -> float:
    """The seconds that compiling perft takes on a machine that has never done it, imports not counted."""
    code = (
        "import sys, time, menagerie; start = menagerie.game(sys.argv[1]).start; begun = time.perf_counter();"
        "start().perft(2); print(time.perf_counter() - begun)"
    )
    with tempfile.TemporaryDirectory() as empty:
        command = [sys.executable, "-c", code, game.name]
        environment = os.environ | {"MENAGERIE_CACHE": empty}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return float(done.stdout)


def warm(game: Game) -> float:
    """The seconds that a whole command takes once everything is compiled: the median of several."""
    times = []
    for _ in range(RUNS):
        begun = time.perf_counter()
        subprocess.run([sys.executable, "-m", "menagerie", "perft", game.name, "3"], capture_output=True, check=True)
        times.append(time.perf_counter() - begun)
    return statistics.median(times)


if __name__ == "__main__":
    main()
