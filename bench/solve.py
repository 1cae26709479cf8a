"""Solving from nothing: seconds, memory, every total of golden/endings.txt, and on a CUDA device the same bytes.

    python -m bench.solve [GAME] [--rules official] [--until PART] [--device cuda] [--check] [--compress] [--threads N]
                           [--folder F]

With --device cuda the device solves first, then the CPU, and the files must be equal byte for byte. The tables stay in
the folder that --folder names, else they are thrown away. The exit code is 1 where a number is wrong, or a table, its
download form or the memory it takes is too large; times depend on what else the machine does, and are only printed.
"""

import argparse
import hashlib
import random
import resource
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import endings
import numpy as np

from menagerie.game import Game
from menagerie.games import find, names
from menagerie.position import Position
from menagerie.solve import checkpoint
from menagerie.solve.check import check
from menagerie.solve.solver import Solver, endgame_of
from menagerie.solve.table import compress, small
from menagerie.solve.tablebase import Tablebase, place_of
from menagerie.variant import Variant

PROBES = 100_000
MOST_MEGABYTES, MOST_TO_DOWNLOAD, MOST_GIGABYTES = 170, 45, 1.5
"""What a table, its download form and the memory of the CPU's solver may take."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="")
    parser.add_argument("--rules", default=None)
    parser.add_argument("--until", default="")
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--compress", action="store_true")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--quiet", action="store_true", help="no line for each round")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as fleeting:
        folder = chosen.folder or Path(fleeting)
        folder.mkdir(parents=True, exist_ok=True)
        faults = [fault for variant in variants(chosen) for fault in measure(variant, chosen, folder)]
    for fault in faults:
        print(f"WRONG {fault}")
    sys.exit(bool(faults))


def variants(chosen: argparse.Namespace) -> list[Variant]:
    """The game under the rules that are asked for, or all that golden endings are known for."""
    games = [find(chosen.game)] if chosen.game else [find(name) for name in names() if endings.blocks(find(name))]
    return [Variant(game, game.agreed(rules)) for game in games for rules in rules_of(game, chosen.rules)]


def rules_of(game: Game, rules: str | None) -> list[str]:
    """The rules that are asked for, or all that the game's golden endings have."""
    if rules is not None:
        return [rules]
    return list(dict.fromkeys(block["rules"] for block in endings.blocks(game))) or [""]


def measure(variant: Variant, chosen: argparse.Namespace, folder: Path) -> list[str]:
    """Solve, and say what it took; what is wrong with the result."""
    file = folder / place_of(variant).name
    faults = []
    if chosen.device == "cuda":
        from menagerie.solve.cuda import CudaSolver  # noqa: PLC0415 - only where there is a device

        on_device = file.with_suffix(".cuda")
        for again in (False, True):  # The first run compiles.
            solver = CudaSolver(variant, chosen.until)
            run(solver, on_device, chosen.quiet or again)
            print(f"{variant}: {solver.device_seconds:.3f} s of work on the device{'' if again else ', compiling too'}")
    gigabytes = run(Solver(variant, chosen.until, chosen.threads), file, chosen.quiet)
    if chosen.device == "cpu":
        faults += too_much(f"{variant}: GB of memory", gigabytes, MOST_GIGABYTES)
    elif digest(on_device) != digest(file):
        faults.append(f"{variant}: the device's table differs from the CPU's")
    faults += [f"{variant}: {fault}" for fault in endings.differences(Tablebase(variant, file))]
    if chosen.check:
        begun = time.perf_counter()
        *_, checked = check(file, chosen.threads)
        seconds = time.perf_counter() - begun
        print(f"{variant}: {checked.positions:,} entries derived again in {seconds:.1f} s, {checked.wrong} wrong")
        faults += [f"{variant}: {checked.wrong} entries are wrong"] if checked.wrong else []
    megabytes = file.stat().st_size / 1e6
    print(f"{variant}: {megabytes:.1f} MB, SHA-256 {digest(file)}")
    faults += too_much(f"{variant}: MB of the table", megabytes, MOST_MEGABYTES)
    print(f"{variant}: {probes(Tablebase(variant, file))}")
    if chosen.compress:
        for _ in compress(file):
            pass
        megabytes = small(file).stat().st_size / 1e6
        print(f"{variant}: {megabytes:.1f} MB to download")
        faults += too_much(f"{variant}: MB to download", megabytes, MOST_TO_DOWNLOAD)
    return faults


def too_much(what: str, amount: float, most: float) -> list[str]:
    """A fault where an amount is not below its limit."""
    return [] if amount < most else [f"{what}: {amount:.2f}, and should be below {most}"]


def probes(base: Tablebase) -> str:
    """How long a probe takes, many at a time and one by one, warm."""
    game, chance = base.variant.game, random.Random(1)
    states = np.zeros(PROBES, game.rules.STATE)
    count = 0
    while count < PROBES:
        base.variant.options.into_state(states[count])
        count += bool(endgame_of(base.variant).set_up(chance.randrange(base.table.facts.places), states[count]))
    base.probe_states(states)
    begun = time.perf_counter()
    base.probe_states(states)
    many = time.perf_counter() - begun
    positions = [Position(game, state) for state in states[:1000]]
    begun = time.perf_counter()
    for position in positions:
        base.get(position)
    single = time.perf_counter() - begun
    return f"a probe takes {many / PROBES * 1e6:.2f} µs among {PROBES:,}, {single / 1000 * 1e6:.0f} µs singly"


def run(solver: Solver, file: Path, is_quiet: bool) -> float:
    """Solve and write the table; the most memory that this process has had, in GB."""
    wall, cpu = time.perf_counter(), time.process_time()
    for progress in checkpoint.make(solver, file):
        if progress.is_round and not is_quiet:
            print(progress, flush=True)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9
    print(f"{solver.variant}: {wall:.1f} s, {cpu:.1f} CPU seconds, {memory:.2f} GB at most, {file.name}")
    return memory


def digest(file: Path) -> str:
    """The file's SHA-256."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


if __name__ == "__main__":
    main()
