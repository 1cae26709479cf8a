"""A checkpoint: what a solver has done so far, on disk, so that a killed one can go on; and making a table with it."""

import hashlib
import json
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryFile
from threading import Thread
from typing import Any

import numpy as np

from menagerie.errors import TableError, UselessTable
from menagerie.solve.solver import Progress, Solver, decided_and_open, shorts
from menagerie.solve.table import (
    Table,
    half_written,
    opened,
    refuse_damaged,
    sources,
    sweep,
    write,
    written_whole,
)

MAGIC = b"MENAGERIE UNFINISHED TABLE 2\n"
EVERY = 5.0
"""Seconds from the beginning of a checkpoint to that of the next, at least."""
SHARE = 5
"""It is at least so many times what one takes to be written, while the solver goes on."""

INSTEAD = "remove it first, or name another file with --out"
"""What can be done where a file holds something else."""

Piece = bytes | memoryview
Say = Callable[[str], object]


def make(solver: Solver, file: Path, every: float = EVERY, say: Say = warnings.warn) -> Iterator[Progress]:
    """Solve, and write the table; what an earlier run has left unfinished is gone on with.

    An error, before any work, where the file could not be written, or where something else would be lost.
    """
    refuse_unwritable(file)
    refuse_another(solver, file)
    unfinished = file.with_name(f"{file.name}.unfinished")
    if unfinished.exists():
        go_on(solver, unfinished, say)
    for kept in (file, unfinished):
        sweep(kept)
    keeper = Keeper(solver, unfinished, every, say)
    for progress in solver.run():
        if progress.is_safe and solver.can_pause:
            keeper.keep()
        yield progress
    write(file, solver.variant, solver.parts[-1].name, solver.cells[: solver.total])
    keeper.finish()
    for done in (unfinished, *half_written(unfinished)):
        done.unlink(missing_ok=True)


def go_on(solver: Solver, file: Path, say: Say) -> None:
    """Let a solver that can go on from a checkpoint; begin anew where that is of no use, and say so."""
    try:
        if solver.can_pause:
            resume(solver, file)
            say(f"going on with {file}, {solver.decided:,} positions decided")
        else:
            begun(solver, file)
    except UselessTable as error:
        say(f"{error}; beginning anew")


class Keeper:
    """Writes checkpoints beside the solver's work, one at a time; where it is to write always, it waits for each."""

    def __init__(self, solver: Solver, file: Path, every: float, say: Say) -> None:
        self.solver, self.file, self.every, self.say = solver, file, every, say
        self.due = time.monotonic() + every
        self.room = room_for(solver)  # One for all: fresh memory costs more time than what is written into it.
        self.fault: TableError | None = None
        self.writer: Thread | None = None

    def keep(self) -> None:
        """Begin a checkpoint of where the solver is now, if it is time for one."""
        if time.monotonic() < self.due or (self.every and self.writer and self.writer.is_alive()):
            return
        self.finish()
        self.writer = Thread(target=self.write, args=(taken(self.solver, self.room),))
        self.writer.start()
        if not self.every:
            self.finish()

    def write(self, pieces: list[Piece]) -> None:
        """Write one, and set when the next is due."""
        begun = time.monotonic()
        try:
            save(pieces, self.file)
        except TableError as error:
            self.fault = error
        self.due = begun + max(self.every, SHARE * (time.monotonic() - begun) if self.every else 0)

    def finish(self) -> None:
        """Wait for the last one, and tell what was wrong with it."""
        if self.writer:
            self.writer.join()
        if self.fault:
            self.say(f"{self.fault}; a killed run could not be gone on with")
        self.writer = self.fault = None


def refuse_unwritable(file: Path) -> None:
    """Refuse a file that could not be written in the end."""
    if file.is_dir():
        raise TableError(f"{file} is a folder; name a file in it")
    if not file.parent.is_dir():
        raise TableError(f"{file} cannot be written: there is no folder {file.parent}")
    try:
        with TemporaryFile(dir=file.parent):
            pass
    except OSError as error:
        raise TableError(f"{file} cannot be written: {error.strerror}") from error


def refuse_another(solver: Solver, file: Path) -> None:
    """Refuse to put a table in the place of anything but one of the same game and rules, with no more endings."""
    if not file.exists():
        return
    try:
        there = Table(file)
        there.refuse_unfit(solver.variant)
    except UselessTable:
        return
    except TableError as error:
        raise TableError(f"{error}; {INSTEAD}") from error
    if there.facts.places > solver.total:
        more, until = there.facts.until, solver.parts[-1].name
        raise TableError(f"{file} holds more than the endings up to {until}: those up to {more}; {INSTEAD}")


def identity(solver: Solver) -> dict[str, str]:
    """What a checkpoint must fit."""
    variant = solver.variant
    until, rules = solver.parts[-1].name, variant.options.in_full()
    return {"game": variant.game.name, "rules": rules, "sources": sources(variant.game), "until": until}


def room_for(solver: Solver) -> np.ndarray:
    """Room for the cells and the dues of any part."""
    return np.empty(2 * max(part.last - part.first for part in solver.parts), np.uint16)


def taken(solver: Solver, room: np.ndarray) -> list[Piece]:
    """What a checkpoint consists of, as it is now, whatever the solver does then: earlier parts stay as they are."""
    first = solver.parts[solver.part].first
    latest = max(solver.latest, *(int(task.latest) for task in solver.tasks))
    where = {"part": solver.part, "plies": solver.plies, "surveyed": solver.surveyed, "latest": latest}
    cells, dues = solver.cells[first : solver.surveyed], solver.dues[: solver.surveyed - first]
    facts = identity(solver) | where | {"decided": solver.decided, "told": solver.told, "dues": len(dues)}
    beginning = MAGIC + json.dumps(facts).encode() + b"\n"
    copied = np.concatenate((cells, dues), out=room[: len(cells) + len(dues)])
    return [beginning, solver.cells[:first].data, copied.data]


def save(pieces: list[Piece], file: Path) -> None:
    """Write down everything at once or not at all."""
    with written_whole(file) as out:
        digest = hashlib.sha256()
        for piece in pieces:
            out.write(piece)
            digest.update(piece)
        out.write(digest.digest())


def begun(solver: Solver, file: Path) -> tuple[dict[str, Any], int]:
    """What a checkpoint says of itself, and where its cells begin; an error where it is useless, or of other work."""
    refuse_damaged(file, file.stat().st_size)
    with opened(file) as content:
        if content.readline() != MAGIC:
            raise UselessTable(f"{file} is no unfinished table")
        facts = json.loads(content.readline())
        begin = content.tell()
    wanted = identity(solver)
    if facts["game"] == wanted["game"] and facts["sources"] != wanted["sources"]:
        raise UselessTable(f"{file} was begun with another version of the rules of {facts['game']}")
    if {name: facts[name] for name in wanted} != wanted:
        raise TableError(f"{file} is unfinished work on {in_words(facts)}, not on {in_words(wanted)}; {INSTEAD}")
    return facts, begin


def in_words(facts: Mapping[str, str]) -> str:
    """What a checkpoint is of."""
    rules = f" with {facts['rules']}" if facts["rules"] else ""
    return f"{facts['game']}{rules} up to {facts['until']}"


def resume(solver: Solver, file: Path) -> None:
    """Let a solver go on from a checkpoint; an error, and nothing changed, where it does not fit."""
    facts, begin = begun(solver, file)
    part = solver.parts[facts["part"]]
    cells, dues = np.zeros_like(solver.cells), shorts(part.last - part.first if facts["dues"] else 0)
    with opened(file) as content:
        content.seek(begin)
        for piece in cells[: facts["surveyed"]].data, dues[: facts["dues"]].data:
            content.readinto(piece.cast("B"))  # type: ignore[attr-defined]  # BinaryIO lacks it
    solver.cells, solver.dues = cells, dues
    solver.part, solver.plies, solver.surveyed = facts["part"], facts["plies"], facts["surveyed"]
    solver.latest, solver.decided, solver.told = facts["latest"], facts["decided"], facts["told"]
    solver.open = decided_and_open(cells[part.first : solver.surveyed])[1]
