"""The solver: surveys and rounds of the analysis on all cores, part after part, kept safe on the way."""

import os
import queue
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from menagerie.errors import MenagerieError
from menagerie.kernel.bits import I
from menagerie.kernel.endgame import Endgame, Part
from menagerie.kernel.state import new
from menagerie.solve.cells import LOST, MOST_PLIES, OPEN, WON
from menagerie.solve.retrograde import BLOCK, FORESEEN, Task, analysis
from menagerie.variant import Variant

CHUNK = 1 << 20
"""How many places a thread takes at a time."""
TELLING = 3
"""To tell of a position takes about so many times what it takes to survey a place."""
EARLY, TAIL = 4, 10
"""From this round on, about one in so many of what is still to be found is found in a round."""

Work = Callable[[Task, int, int], None]


def endgame_of(variant: Variant) -> Endgame:
    """The places of a game; an error where it has none."""
    endgame = variant.game.endgame
    if endgame is None:
        raise MenagerieError(f"{variant.game.title} cannot be solved: it has no endgame.py that numbers its positions")
    return endgame


@dataclass
class Progress:
    """How far a solver is: the part, the round in plies (-1 while it surveys), and what it has seen and decided."""

    part: str
    plies: int
    decided: int
    """How many positions are known to be won or lost; which are drawn shows at the end of a part."""
    share: float
    """How much of the work is done, from 0 to 1, as far as can be told."""
    found: int = 0
    """At the end of a round: how many positions end in so many plies; of a survey: how many places it has seen."""
    seconds: float = 0
    """At the end of a round: how long it took."""
    is_round: bool = False
    """Whether a survey or a round has just ended."""

    @property
    def is_safe(self) -> bool:
        """Whether what is done so far can be kept: in a survey, or between rounds."""
        return self.is_round or self.plies < 0

    def __str__(self) -> str:
        each = self.seconds / max(self.found, 1) * 1e6
        what, things = ("survey ", "places   ") if self.plies < 0 else (f"round {self.plies:4}", "positions")
        return f"{self.part}: {what} {self.found:>12,} {things} {self.seconds:8.3f} s {each:10.3f} s a million"


class Solver:
    """Works out every place of a variant up to a part's end. A checkpoint keeps what `run` goes on with."""

    can_pause = True
    device_seconds = 0.0
    """What was spent on a device of its own."""

    def __init__(self, variant: Variant, until: str = "", threads: int = 0) -> None:
        self.variant = variant
        self.endgame = endgame_of(variant)
        self.parts = parts_until(self.endgame, until)
        self.total = self.parts[-1].last
        self.cells = shorts(self.total)
        self.dues = shorts(0)
        self.code = analysis(variant.game, self.endgame)
        self.threads = threads or os.cpu_count() or 1
        self.tasks = [new(self.code.TASK) for _ in range(self.threads)]
        self.is_foreseen = hasattr(self.endgame, "foresee")
        self.has_predecessors = hasattr(self.endgame, "predecessors")
        self.first_round = 0 if self.has_predecessors else 1
        self.part, self.plies, self.surveyed = 0, -1, 0
        """Where it is: the part, the round to come (-1: it surveys), and up to where it has surveyed."""
        self.decided = 0
        """How many positions surveys have found won or lost, and rounds besides."""
        self.open = 0
        """How many of this part are neither decided nor known to be drawn."""
        self.told = 0
        """How many rounds have told of, in all parts."""
        self.founds = [0, 0]
        """How many positions the last rounds of a loss and of a win have found."""
        self.latest = 0
        """The last round that there is something to do in, as far as is known."""

    def run(self) -> Iterator[Progress]:
        """Solve part after part, and tell how far it is; where it then `is_safe`, it can be gone on with from there."""
        for number in range(self.part, len(self.parts)):
            if number > self.part:
                self.part, self.plies, self.surveyed = number, -1, self.parts[number].first
            yield from self.solve(self.parts[number])

    def solve(self, part: Part) -> Iterator[Progress]:
        """Solve one part."""
        self.prepare(part)
        if self.plies < 0:
            yield from self.survey(part)
        while self.plies <= self.latest + (not self.has_predecessors):
            yield from self.round(part)
            if self.plies > MOST_PLIES:
                raise MenagerieError(f"{part.name}: wins take longer than {MOST_PLIES} plies")
        for _ in self.spread("close", part.first, part.last):
            pass
        self.open, self.founds = 0, [0, 0]

    def prepare(self, part: Part) -> None:
        """Give every thread its task. No block is marked yet: the next round looks at all, as those foreseen do."""
        self.unmarked = max(self.plies, int(FORESEEN) if self.is_foreseen else 0)
        is_due = self.has_predecessors and not self.is_foreseen
        if is_due and len(self.dues) != shorts_for(part.last - part.first):
            self.dues = shorts(part.last - part.first)
        self.marks = [shorts((self.total >> BLOCK) + 1) for _ in range(2)]
        for task in self.tasks:
            options = new(self.variant.game.rules.STATE)
            self.variant.options.into_state(options)
            task.room.states[0] = options
            task.cells = self.cells.ctypes.data
            task.dues = self.dues.ctypes.data if is_due else 0
            task.marks[0], task.marks[1] = (marks.ctypes.data for marks in self.marks)
            task.first, task.last = part.first, part.last
            task.latest = task.decided = task.told = task.fault = task.n = 0

    def survey(self, part: Part) -> Iterator[Progress]:
        """Give every place its first cell."""
        if self.has_predecessors and self.surveyed == part.first:
            self.latest = 0
        begun, before = time.perf_counter(), self.surveyed
        work = "survey_plainly"
        if self.has_predecessors:
            work = "survey_quickly" if self.is_foreseen else "survey"
        for seen in self.spread(work, self.surveyed, part.last):
            self.count(self.surveyed, seen)
            self.surveyed = seen
            yield self.progress(part)
        self.sum_of("decided")
        done = self.progress(part, self.surveyed - before, time.perf_counter() - begun)
        self.plies = self.first_round
        yield done

    def round(self, part: Part) -> Iterator[Progress]:
        """Tell the predecessors of what ends in so many plies; or look at everything again."""
        begun = time.perf_counter()
        self.order(int(LOST))
        if not self.has_predecessors:
            for _ in self.spread("look_again", part.first, part.last):
                yield self.progress(part)
            found = fresh = self.sum_of("decided")
        else:
            if len(self.dues):
                for _ in self.spread("fall_due", part.first, part.last):
                    pass
            is_counted = self.is_foreseen and self.plies == 1
            found = fresh = 0
            for kind in (LOST, WON) if not is_counted else (LOST,):
                self.order(int(kind))
                for _ in self.spread("expand", part.first, part.last):
                    yield self.progress(part)
                told = self.sum_of("told")
                found += told
                fresh += 0 if self.is_surveyed(int(kind)) else told
            self.sum_of("decided")
        self.decided += fresh
        self.open -= fresh
        self.told += found
        self.founds = [self.founds[1], found]
        done = self.progress(part, found, time.perf_counter() - begun)
        self.plies += 1
        yield done

    def is_surveyed(self, kind: int) -> bool:
        """Whether the survey has counted what ends this way in this round: games that are over, losses foreseen."""
        return self.plies == 0 or (self.is_foreseen and self.plies == FORESEEN and kind == LOST)

    def count(self, first: int, last: int) -> None:
        """Count what a survey has decided, and what it has left open."""
        decided, left = decided_and_open(self.cells[first:last])
        self.decided += decided
        self.open += left

    def order(self, kind: int) -> None:
        """Tell all threads the round, and whether to look for what is lost or what is won in it."""
        for task in self.tasks:
            task.plies, task.wanted = self.plies, kind + 2 * self.plies
            task.every_block = self.plies <= self.unmarked

    def sum_of(self, field: str) -> int:
        """What the threads counted since last asked; and note how far they have looked ahead."""
        total = sum(int(task[field]) for task in self.tasks)
        self.latest = max(self.latest, *(int(task.latest) for task in self.tasks))
        self.refuse_fault(any(task.fault for task in self.tasks))
        for task in self.tasks:
            task[field] = 0
        return total

    def refuse_fault(self, is_faulty: bool) -> None:
        """Stop where a game's places do not keep what they promise."""
        if is_faulty:
            raise MenagerieError(f"{self.variant}: a turn leads from {self.parts[self.part].name} out of all places")

    def progress(self, part: Part, found: int = 0, seconds: float = 0) -> Progress:
        """How far it is now."""
        return Progress(part.name, self.plies, self.decided, self.share, found, seconds, is_round=seconds > 0)

    @property
    def share(self) -> float:
        """How much of the work is done, if what is ahead is like what was seen; most of what stays open is drawn."""
        done = self.surveyed + TELLING * self.told
        left = min(self.open, TAIL * max(self.founds)) if self.plies >= EARLY else self.open
        of_each_place = 1 + TELLING * (self.told + self.open) / max(self.surveyed, 1)
        return done / max(done + TELLING * left + of_each_place * (self.total - self.surveyed), 1)

    def spread(self, work: str, first: int, last: int) -> Iterator[int]:
        """Let all threads work on chunks of places; after each, up to where all is done."""
        yield from together(getattr(self.code, work), self.tasks, first, last)


def together(work: Work, tasks: list[Task], first: int, last: int) -> Iterator[int]:
    """Let each task have a thread, and the threads take chunk after chunk; up to where all is done, now and then."""
    chunks = iter(range(first, last, CHUNK))
    lock, done = threading.Lock(), queue.SimpleQueue[int | BaseException | None]()

    def labour(task: Task) -> None:
        try:
            while (begin := next_of(chunks, lock)) is not None:
                work(task, I(begin), I(min(begin + CHUNK, last)))
                done.put(begin)
        except BaseException as fault:
            done.put(fault)
        done.put(None)

    workers = [threading.Thread(target=labour, args=(task,), daemon=True) for task in tasks]
    for worker in workers:
        worker.start()
    busy, ahead, upto = len(workers), set[int](), first
    try:
        while busy:
            said = done.get()
            if isinstance(said, BaseException):
                raise said
            if said is None:
                busy -= 1
                continue
            ahead.add(said)
            while upto in ahead:
                ahead.remove(upto)
                upto = min(upto + CHUNK, last)
            yield upto
    finally:
        with lock:
            chunks = iter(())
        for worker in workers:
            worker.join()


def decided_and_open(cells: np.ndarray) -> tuple[int, int]:
    """How many cells are won or lost, and how many are open."""
    left = int(np.count_nonzero(cells >= OPEN))
    return int(np.count_nonzero(cells >= LOST)) - left, left


def next_of(chunks: Iterator[int], lock: threading.Lock) -> int | None:
    """The next chunk, to one thread alone."""
    with lock:
        return next(chunks, None)


def parts_until(endgame: Endgame, until: str) -> list[Part]:
    """The parts up to the one of that name; all where none is named."""
    parts = list(endgame.parts())
    if until:
        names = [part.name for part in parts]
        if until not in names:
            raise MenagerieError(f"there is no part {until!r}; the parts are: {', '.join(names)}")
        parts = parts[: names.index(until) + 1]
    return parts


def shorts(count: int) -> np.ndarray:
    """Room for numbers of 16 bits; it can be read as words of 64, one beyond the last number."""
    return np.zeros(shorts_for(count), np.uint16)


def shorts_for(count: int) -> int:
    """How long that room is."""
    return (count + 3) // 4 * 4 + 4 if count else 0
