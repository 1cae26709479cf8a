"""The path: the positions of a match in order, and what history says of the last one.

A path is a ring of keys, one per turn end. How often a position may come again and how long a game may go on without
progress are numbers in the record, so one piece of code judges every game, in matches, searches and batches alike.
"""

import numpy as np

from menagerie.kernel.bits import I
from menagerie.kernel.compiled import compiled
from menagerie.kernel.state import RecordType, new, record_type

ROOM = 1024
"""How many turns back a path sees unless it is made longer; a power of two."""

GOES_ON, REPEATED, TOO_LONG = I(0), I(1), I(2)

Path = np.record


def path_type(room: int = ROOM) -> RecordType:
    """The record of a path that sees `room` turns back."""
    return record_type(("n", np.int64), ("times", np.int64), ("plies", np.int64), ("keys", np.uint64, room))


PATH = path_type()


def new_path(times: int, plies: int, room: int = ROOM) -> Path:
    """An empty path of a game where `times` occurrences or `plies` quiet plies mean something (0: never)."""
    path = new(path_type(room))
    path.times, path.plies = times, plies
    return path


@compiled
def push(path: Path, key: np.uint64) -> None:
    """One more turn has ended, in the position with this key."""
    path.keys[path.n & (len(path.keys) - 1)] = key
    path.n += 1


@compiled
def occurrences(path: Path, quiet: int) -> int:
    """How often the last position stands on the path.

    Only every other entry is asked (the same player to move), and none from before the last turn that can never
    be undone, `quiet` plies ago.
    """
    last = path.n - 1
    key = path.keys[last & (len(path.keys) - 1)]
    back = min(I(quiet), last, I(len(path.keys) - 1))
    count = I(1)
    for distance in range(2, back + 1, 2):
        if path.keys[(last - distance) & (len(path.keys) - 1)] == key:
            count += 1
    return count


@compiled
def verdict(path: Path, quiet: int) -> int:
    """What history says of the last position, `quiet` plies after the last that can never be undone."""
    if path.times > 0 and occurrences(path, quiet) >= path.times:
        return REPEATED
    if path.plies > 0 and quiet >= path.plies:
        return TOO_LONG
    return GOES_ON
