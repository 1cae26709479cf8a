"""The transposition table: what a search has found out about states, shared by threads without a lock.

bucket   four entries, one line of the processor's cache
entry    check | data        check = key ^ data, so that halves written by two threads are taken for no entry
data     action 16 | score 16 | static value 16 | depth 8 | bound 2 | age 6       from the lowest bit
"""

import numpy as np

from menagerie.kernel.bits import U64, ZERO, I
from menagerie.kernel.compiled import compiled
from menagerie.kernel.memory import fetch_early, load, store

ENTRY, BUCKET = 16, 64
"""Bytes."""
AGES = 64
UNKNOWN, LOWER, UPPER, EXACT = I(0), I(1), I(2), I(3)
"""What a score is to the true value: nothing, at most it, at least it, or equal."""
NO_ACTION = I(0xFFFF)
ZERO_SCORE = 1 << 15
UNTOLD = I(-ZERO_SCORE)
"""The static value of a state in danger, which cannot be told by standing still."""
OLD = I(8)
"""One search more counts as much as this depth less, when an entry must go."""


class Table:
    """Room for some million entries; at least a bucket, at most what was asked for."""

    def __init__(self, megabytes: float = 16) -> None:
        buckets = 1
        while 2 * buckets * BUCKET <= megabytes * 2**20:
            buckets *= 2
        words = np.zeros((buckets * BUCKET + BUCKET) // 8, np.uint64)
        offset = (-words.ctypes.data) % BUCKET
        self.words = words[offset // 8 : offset // 8 + buckets * BUCKET // 8]
        self.address = U64(self.words.ctypes.data)
        self.mask = U64(buckets - 1)
        self.age = 0

    def grow_older(self) -> None:
        """Another search begins; what it does not use again may go."""
        self.age = (self.age + 1) % AGES

    def clear(self) -> None:
        """Forget everything."""
        self.words[:] = 0
        self.age = 0

    def fullness(self) -> float:
        """The share of a sample of the entries that this search has written or used."""
        data = self.words[1:2000:2]
        return float(np.mean((data != 0) & (data >> U64(58) == U64(self.age))))


@compiled
def bucket(address: np.uint64, mask: np.uint64, key: np.uint64) -> np.uint64:
    """Where a key's entries lie."""
    return address + (key & mask) * U64(BUCKET)


@compiled
def expect(address: np.uint64, mask: np.uint64, key: np.uint64) -> None:
    """A key will be asked for soon."""
    fetch_early(bucket(address, mask, key))


@compiled
def probe(address: np.uint64, mask: np.uint64, key: np.uint64) -> np.uint64:
    """The data kept for a key; zero where there is none."""
    place = bucket(address, mask, key)
    for _ in range(BUCKET // ENTRY):
        data = load(place + U64(8))
        if load(place) ^ data == key and data != ZERO:
            return data
        place += U64(ENTRY)
    return ZERO


@compiled
def keep(address: np.uint64, mask: np.uint64, key: np.uint64, data: np.uint64) -> None:
    """Keep data for a key: in its own entry, or in that of the shallowest and oldest of the bucket."""
    place = bucket(address, mask, key)
    chosen, least = place, I(1 << 30)
    for _ in range(BUCKET // ENTRY):
        old = load(place + U64(8))
        if load(place) ^ old == key:
            chosen = place
            if action_of(data) == NO_ACTION:
                data = (data & ~U64(0xFFFF)) | (old & U64(0xFFFF))
            break
        worth = depth_of(old) - OLD * ((age_of(data) - age_of(old)) & (AGES - 1)) if old != ZERO else I(-(1 << 20))
        if worth < least:
            chosen, least = place, worth
        place += U64(ENTRY)
    store(chosen, key ^ data)
    store(chosen + U64(8), data)


@compiled
def packed(action: int, score: int, static: int, depth: int, bound: int) -> np.uint64:
    """Everything an entry says, but for its age."""
    low = U64(action) | U64(score + ZERO_SCORE) << U64(16) | U64(static + ZERO_SCORE) << U64(32)
    return low | U64(max(depth, I(0))) << U64(48) | U64(bound) << U64(56)


@compiled
def action_of(data: np.uint64) -> int:
    """The best action, or NO_ACTION."""
    return I(data & U64(0xFFFF))


@compiled
def score_of(data: np.uint64) -> int:
    """The score, as a distance from the state itself."""
    return I((data >> U64(16)) & U64(0xFFFF)) - ZERO_SCORE


@compiled
def static_of(data: np.uint64) -> int:
    """The static value."""
    return I((data >> U64(32)) & U64(0xFFFF)) - ZERO_SCORE


@compiled
def depth_of(data: np.uint64) -> int:
    """How deep the search below the state went."""
    return I((data >> U64(48)) & U64(0xFF))


@compiled
def bound_of(data: np.uint64) -> int:
    """What the score is to the true value."""
    return I((data >> U64(56)) & U64(3))


@compiled
def age_of(data: np.uint64) -> int:
    """In which search it was found."""
    return I(data >> U64(58))
