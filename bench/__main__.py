"""The table of speeds: perft and playouts of every game on one core, beside Fairy-Stockfish where it plays the game.

    python -m bench            (or: make bench)

Times are CPU seconds, the median of several runs. Which walk is measured stands in each game's golden/bench.txt.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

from rich.console import Console
from rich.table import Table

from bench import peers
from menagerie.game import Game
from menagerie.games import find, names
from menagerie.position import Position
from menagerie.variant import Variant

RUNS = 5
PLAYOUTS = 20_000


def main() -> None:
    table = Table(title=f"One core, CPU time, median of {RUNS} runs (range in brackets)")
    for heading in ("what", "count", "ours", "peer", "ratio"):
        table.add_column(heading, justify="left" if heading == "what" else "right")
    for name in names():
        add_game(table, find(name))
    Console(width=130).print(table)
    if isinstance(missing := peers.find(), peers.Missing):
        print(f"Fairy-Stockfish is {missing.reason}")


def add_game(table: Table, game: Game) -> None:
    """The rows of one game."""
    for words in walks(game):
        variant = Variant(game, game.agreed(words.get("rules", "")))
        start, depth = variant.start(), int(words["depth"])
        title = f"{game.name} {words.get('rules', '')}".strip()
        nodes, ours = rate(lambda start=start, depth=depth: start.perft(depth))  # type: ignore[misc]
        row = [f"{title}: perft {depth}, bulk", f"{nodes:,}", show(ours, "leaves")]
        table.add_row(*row, *beside(words, depth, nodes, statistics.median(ours)))
        played, speeds = rate(lambda start=start, depth=depth: start.perft_played(depth - 1))  # type: ignore[misc]
        table.add_row(f"{title}: perft {depth - 1}, every move played", f"{played:,}", show(speeds, "moves"), "", "")
        steps, speeds = rate(lambda start=start: count_steps(start))  # type: ignore[misc]
        table.add_row(f"{title}: random playouts, by the rules of a match", f"{steps:,}", show(speeds, "steps"), "", "")
    table.add_row(f"{game.name}: perft compiled from nothing", "", f"{cold(game):.1f} s", "", "")
    table.add_row(f"{game.name}: `menagerie perft {game.name} 3`, warm, in all", "", f"{warm(game):.2f} s", "", "")
    table.add_section()


def walks(game: Game) -> list[dict[str, str]]:
    """What is measured for a game: lines like `depth:5 peer:variant`, in its golden/bench.txt."""
    text = (game.folder / "golden" / "bench.txt").read_text(encoding="utf-8")
    lines = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    return [dict(word.split(":") for word in line) for line in lines]


def rate(work: Callable[[], int]) -> tuple[int, list[float]]:
    """What the work counts, and how much of it a CPU second does, in several runs."""
    work()
    speeds = []
    for _ in range(RUNS):
        begun = time.process_time()
        count = work()
        speeds.append(count / (time.process_time() - begun))
    return count, speeds


def count_steps(start: Position) -> int:
    return start.playouts(PLAYOUTS, seed=1).steps


def show(speeds: list[float], unit: str) -> str:
    """The median speed with its range, in millions a second."""
    low, middle, high = min(speeds), statistics.median(speeds), max(speeds)
    return f"{middle / 1e6:.1f} M {unit}/s [{low / 1e6:.0f}-{high / 1e6:.0f}]"


def beside(words: dict[str, str], depth: int, nodes: int, ours: float) -> tuple[str, str]:
    """The peer's speed at the same count, and how many times as fast ours is."""
    if "peer" not in words:
        return "", ""
    counts = [peers.perft(words["peer"], depth) for _ in range(3)]
    speeds = [count.nodes / count.cpu_seconds for count in counts if isinstance(count, peers.Count)]
    if not speeds:
        return "not installed", ""
    if any(isinstance(count, peers.Count) and count.nodes != nodes for count in counts):
        return "counts something else", ""
    return show(speeds, "leaves"), f"{ours / statistics.median(speeds):.1f}"


def cold(game: Game) -> float:
    """The seconds that compiling perft takes on a machine that has never done it, imports not counted."""
    code = (
        "import sys, time, menagerie; start = menagerie.game(sys.argv[1]).start; begun = time.perf_counter();"
        "start().perft(2); print(time.perf_counter() - begun)"
    )
    with tempfile.TemporaryDirectory() as empty:
        command = [sys.executable, "-c", code, game.name]
        done = subprocess.run(
            command, env=os.environ | {"MENAGERIE_CACHE": empty}, capture_output=True, text=True, check=True
        )
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
