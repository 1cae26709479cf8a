"""The same rules on a CUDA device: random games as on a CPU, move for move, and how many steps a second.

    python -m bench.cuda [--threads 65536]

Needs a CUDA device and the package numba-cuda, the extra `cuda` of this one.
"""

import argparse
import time

import numpy as np

from menagerie.game import Game
from menagerie.games import find, names
from menagerie.kernel.device import cuda
from menagerie.position import start

SEED = np.uint64(11)
BLOCK = 128
CHECKED = 512
"""How many threads are compared with the CPU."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=1 << 16)
    parser.add_argument("--games", type=int, default=20, help="games a thread")
    chosen = parser.parse_args()
    for name in names():
        measure(find(name), chosen.threads, chosen.games)


def measure(game: Game, threads: int, games: int) -> None:
    """Play on the device, compare the first threads with the CPU, print the speed."""
    playouts = game.walks.playouts

    @cuda.jit
    def kernel(runs, seed, games):  # type: ignore[no-untyped-def]
        thread = cuda.grid(1)
        if thread < runs.shape[0]:
            playouts(runs[thread], seed, thread * games, games)

    runs = np.zeros(threads, game.walks.RUN)
    runs["states"][:, 0] = start(game, game.options()).state
    runs["path"]["times"], runs["path"]["plies"] = game.repetition.times, game.repetition.plies
    fresh = runs[:CHECKED].copy()
    on_device = cuda.to_device(runs)
    begun = time.perf_counter()
    kernel[-(-threads // BLOCK), BLOCK](on_device, SEED, games)
    cuda.synchronize()
    compiled = time.perf_counter() - begun
    played = on_device.copy_to_host()
    for thread in range(CHECKED):
        playouts(fresh[thread], SEED, thread * games, games)
    assert played[:CHECKED].tobytes() == fresh.tobytes(), f"{game.name}: the device plays otherwise than the CPU"
    begun = time.perf_counter()
    kernel[-(-threads // BLOCK), BLOCK](on_device, SEED, games)
    cuda.synchronize()
    seconds = time.perf_counter() - begun
    steps = int(on_device.copy_to_host()["steps"].sum()) - int(played["steps"].sum())
    print(
        f"{game.name}: {CHECKED * games:,} games equal on CPU and CUDA; {steps:,} steps in {seconds:.3f} s,"
        f" {steps / seconds / 1e6:,.0f} M steps/s (compiled in {compiled:.0f} s)"
    )


if __name__ == "__main__":
    main()
