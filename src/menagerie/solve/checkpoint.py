"""A checkpoint: what a solver has done so far, on disk, so that a killed one can go on; and making a table with it."""

import hashlib
import json
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryFile

import numpy as np

from menagerie.errors import TableError
from menagerie.solve.solver import Progress, Solver, decided_and_open, shorts
from menagerie.solve.table import DIGEST, Table, opened, sources, write, written_whole

MAGIC = b"MENAGERIE UNFINISHED TABLE 2\n"
EVERY = 5.0
"""Seconds between two checkpoints, at least."""
SHARE = 20
"""The time between them is so many times what one takes."""


def make(
    solver: Solver, file: Path, every: float = EVERY, say: Callable[[str], object] = warnings.warn
) -> Iterator[Progress]:
    """Solve, and write the table; what an earlier run has left unfinished is gone on with."""
    refuse_unwritable(file)
    refuse_smaller(solver, file)
    unfinished = file.with_name(f"{file.name}.unfinished")
    if unfinished.exists() and solver.can_pause:
        try:
            resume(solver, unfinished)
            say(f"going on with {unfinished}, {solver.decided:,} positions decided")
        except TableError as error:
            say(f"{error}; beginning anew")
    due = time.monotonic() + every
    for progress in solver.run():
        if progress.is_safe and solver.can_pause and (begun := time.monotonic()) >= due:
            try:
                save(solver, unfinished)
            except OSError as error:
                say(f"{unfinished} cannot be written, a killed run could not be gone on with: {error.strerror}")
            due = time.monotonic() + max(every, SHARE * (time.monotonic() - begun) if every else 0)
        yield progress
    write(file, solver.variant, solver.parts[-1].name, solver.cells[: solver.total])
    unfinished.unlink(missing_ok=True)
    unfinished.with_name(f"{unfinished.name}.new").unlink(missing_ok=True)


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


def refuse_smaller(solver: Solver, file: Path) -> None:
    """Refuse to put a table of fewer endings in the place of one of more."""
    try:
        there = Table(file)
        there.refuse_unfit(solver.variant)
    except TableError:
        return
    if there.facts.places > solver.total:
        until = solver.parts[-1].name
        raise TableError(
            f"{file} holds more than the endings up to {until}: those up to {there.facts.until}; remove it first"
        )


def identity(solver: Solver) -> dict[str, str]:
    """What a checkpoint must fit."""
    variant = solver.variant
    until, rules = solver.parts[-1].name, variant.options.in_full()
    return {"game": variant.game.name, "rules": rules, "sources": sources(variant.game), "until": until}


def save(solver: Solver, file: Path) -> None:
    """Write down everything at once or not at all."""
    latest = max(solver.latest, *(int(task.latest) for task in solver.tasks))
    where = {"part": solver.part, "plies": solver.plies, "surveyed": solver.surveyed, "latest": latest}
    cells = solver.cells[: solver.surveyed]  # Beyond, threads may be writing just now.
    dues = solver.dues[: solver.surveyed - solver.parts[solver.part].first]
    facts = identity(solver) | where | {"decided": solver.decided, "told": solver.told, "dues": len(dues)}
    beginning = MAGIC + json.dumps(facts).encode() + b"\n"
    with written_whole(file) as out:
        digest = hashlib.sha256()
        for piece in (beginning, cells.data, dues.data):
            out.write(piece)
            digest.update(piece)
        out.write(digest.digest())


def resume(solver: Solver, file: Path) -> None:
    """Let a solver go on from a checkpoint; an error, and nothing changed, where it does not fit."""
    with opened(file) as content:
        if content.readline() != MAGIC:
            raise TableError(f"{file} is no unfinished table")
        line = content.readline()
        try:
            facts = json.loads(line)
            part = solver.parts[facts["part"]]
            cells, dues = np.zeros_like(solver.cells), shorts(part.last - part.first if facts["dues"] else 0)
            done = cells[: facts["surveyed"]].data, dues[: facts["dues"]].data
        except (ValueError, KeyError, IndexError, TypeError) as error:
            raise TableError(f"{file} is damaged") from error
        if {name: facts.get(name) for name in identity(solver)} != identity(solver):
            raise TableError(f"{file} is unfinished work on something else")
        digest = hashlib.sha256(MAGIC + line)
        for piece in done:
            content.readinto(piece.cast("B"))  # type: ignore[attr-defined]  # BinaryIO lacks it
            digest.update(piece)
        if content.read(DIGEST + 1) != digest.digest():
            raise TableError(f"{file} is damaged")
    solver.cells, solver.dues = cells, dues
    solver.part, solver.plies, solver.surveyed = facts["part"], facts["plies"], facts["surveyed"]
    solver.latest, solver.decided, solver.told = facts["latest"], facts["decided"], facts["told"]
    solver.open = decided_and_open(cells[part.first : solver.surveyed])[1]
