"""The solver on a CUDA device: the same analysis, compiled for it, with thousands of threads and the same result."""

import time
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

from menagerie.errors import MenagerieError
from menagerie.kernel.bits import U64
from menagerie.kernel.device import cuda
from menagerie.kernel.endgame import Part
from menagerie.kernel.state import new
from menagerie.solve.retrograde import BLOCK
from menagerie.solve.solver import Progress, Solver, shorts_for
from menagerie.variant import Variant

THREADS, WIDTH = 1 << 16, 128
"""Threads in all, and in a block."""
COUNTS = 3
"""What threads count: decided places, the last round they know of, faults."""


class CudaSolver(Solver):
    """Keeps the cells on the device until the end; `device_seconds` is what was spent there, compiling not counted."""

    can_pause = False

    def __init__(self, variant: Variant, until: str = "", threads: int = THREADS) -> None:
        if not cuda.is_available():
            raise MenagerieError("there is no CUDA device here, or no driver and toolkit for it")
        super().__init__(variant, until, threads=1)
        self.workers = threads
        self.collected = 0
        """How many places this round has collected to tell of."""
        self.device_seconds = 0.0
        self._compile()

    def _compile(self) -> None:
        """The kernels: one for each piece of work, and a few to give orders and count."""
        code = self.code
        self.kernels = {}
        for name in ("survey_quickly", "survey", "survey_plainly", "look_again", "fall_due", "close"):
            if self._needs(name):
                self.kernels[name] = over_places(getattr(code, name))
        if self.has_predecessors:
            self.collect, self.tell = over_numbers(code.collect), over_numbers(code.tell_found)

    def _needs(self, name: str) -> bool:
        """Whether this game is solved with that piece of work."""
        if name == "close":
            return True
        if not self.has_predecessors:
            return name in ("survey_plainly", "look_again")
        return name == "survey_quickly" if self.is_foreseen else name in ("survey", "fall_due")

    def prepare(self, part: Part) -> None:
        """Put everything on the device."""
        is_due = self.has_predecessors and not self.is_foreseen
        self.dues = np.zeros(shorts_for(part.last - part.first) if is_due else 0, np.uint16)
        self._cells = cuda.to_device(self.cells)
        self._dues = cuda.to_device(np.zeros(max(4, len(self.dues)), np.uint16))
        self._marks = [cuda.to_device(np.zeros((self.total >> BLOCK) + 4, np.uint16)) for _ in range(2)]
        self._found = cuda.to_device(np.zeros(self.total if self.has_predecessors else 1, np.uint32))
        self._counter = cuda.to_device(np.zeros(1, np.uint32))
        self._sums = cuda.to_device(np.zeros((self.workers, COUNTS), np.int64))
        pattern = new(self.code.TASK)
        self.variant.options.into_state(pattern.room.states[0])
        pattern.cells, pattern.dues = address(self._cells), address(self._dues) if is_due else 0
        pattern.marks[0], pattern.marks[1] = (address(marks) for marks in self._marks)
        pattern.first, pattern.last = part.first, part.last
        one = cuda.to_device(np.array([pattern], self.code.TASK))
        self._tasks = cuda.device_array(self.workers, self.code.TASK)
        copy_task[self._grid](self._tasks, one)

    @property
    def _grid(self) -> tuple[int, int]:
        return -(-self.workers // WIDTH), WIDTH

    def solve(self, part: Part) -> Iterator[Progress]:
        """Solve one part, and fetch its cells."""
        yield from super().solve(part)
        self._cells.copy_to_host(self.cells)

    def count(self, first: int, last: int) -> None:
        """Count what a survey has decided; no more than the other places can be open."""
        decided = self.sum_of("decided")
        self.decided += decided
        self.open += last - first - decided

    def order(self, kind: int) -> None:
        """Tell all threads the round, and whether to look for what is lost or what is won in it."""
        give_orders[self._grid](self._tasks, self.plies, kind + 2 * self.plies)

    def spread(self, name: str, first: int, last: int) -> Iterator[int]:
        """Let the device do a piece of work on all places."""
        begun = time.perf_counter()
        if name == "expand":
            self._expand(first, last)
        else:
            self.kernels[name][self._grid](self._tasks, first, last)
        cuda.synchronize()
        self.device_seconds += time.perf_counter() - begun
        yield last

    def _expand(self, first: int, last: int) -> None:
        """Collect the places with the wanted cell, then let each thread tell the predecessors of some."""
        self._counter.copy_to_device(np.zeros(1, np.uint32))
        self.collect[self._grid](self._tasks, first, last, address(self._found), address(self._counter))
        found = int(self._counter.copy_to_host()[0])
        self.collected += found
        if found:
            self.tell[self._grid](self._tasks, 0, found, address(self._found), U64(0))

    def sum_of(self, field: str) -> int:
        """What the threads counted since last asked."""
        if field == "told":
            told, self.collected = self.collected, 0
            return told
        count[self._grid](self._tasks, self._sums)
        sums = self._sums.copy_to_host()
        self.latest = max(self.latest, int(sums[:, 1].max()))
        self.refuse_fault(bool(sums[:, 2].any()))
        return int(sums[:, 0].sum())


def address(array: object) -> np.uint64:
    """Where an array lies on the device."""
    return U64(array.__cuda_array_interface__["data"][0])  # type: ignore[attr-defined]


@cache
def over_places(work: Callable[..., object]) -> Any:
    """A kernel that lets each thread work on every so-many-th place."""

    @cuda.jit
    def kernel(tasks, first, last):  # type: ignore[no-untyped-def]
        thread = cuda.grid(1)
        if thread < tasks.shape[0]:
            for index in range(first + thread, last, tasks.shape[0]):
                work(tasks[thread], index, index + 1)

    return kernel


@cache
def over_numbers(work: Callable[..., object]) -> Any:
    """The same for work that takes one number and an address, or two."""

    @cuda.jit
    def kernel(tasks, first, last, found, counter):  # type: ignore[no-untyped-def]
        thread = cuda.grid(1)
        if thread < tasks.shape[0]:
            for index in range(first + thread, last, tasks.shape[0]):
                work(tasks[thread], index, found, counter)

    return kernel


@cuda.jit
def copy_task(tasks, pattern):  # type: ignore[no-untyped-def]
    """Give every thread the same task."""
    thread = cuda.grid(1)
    if thread < tasks.shape[0]:
        tasks[thread] = pattern[0]


@cuda.jit
def give_orders(tasks, plies, wanted):  # type: ignore[no-untyped-def]
    """Write into all tasks."""
    thread = cuda.grid(1)
    if thread < tasks.shape[0]:
        tasks[thread].plies = plies
        tasks[thread].wanted = wanted


@cuda.jit
def count(tasks, sums):  # type: ignore[no-untyped-def]
    """Read out what the threads counted."""
    thread = cuda.grid(1)
    if thread < tasks.shape[0]:
        sums[thread, 0] = tasks[thread].decided
        sums[thread, 1] = tasks[thread].latest
        sums[thread, 2] = tasks[thread].fault
        tasks[thread].decided = 0
