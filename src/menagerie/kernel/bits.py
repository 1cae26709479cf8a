"""Sets of squares as the bits of a uint64, and the mixing of words: alike in plain Python, on a CPU and on CUDA.

A uint64 never meets a bare int: Numba would make a float of the two. Use `bit(s)`, `ZERO`, `ONE` and `U64(...)`.
The bodies here are what plain Python runs; `intrinsics.py` has those of compiled code, a few machine instructions each.
"""

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    I = int  # what a reader and a type checker should think
else:
    I = np.int64
U64 = np.uint64
ZERO, ONE = U64(0), U64(1)
MASK = (1 << 64) - 1
MIX = U64(0x9E3779B97F4A7C15)
"""2**64 over the golden ratio: odd, with its bits well spread."""


def bit(square: int) -> np.uint64:
    """The set of one square."""
    return U64(1 << int(square))


def popcount(squares: np.uint64) -> int:
    """How many squares a set has."""
    return I(int(squares).bit_count())


def lowest(squares: np.uint64) -> int:
    """The lowest square of a set that is not empty."""
    value = int(squares)
    return I((value & -value).bit_length() - 1)


def without_lowest(squares: np.uint64) -> np.uint64:
    """The set less its lowest square."""
    return U64(int(squares) & (int(squares) - 1))


def mix(hashed: np.uint64, word: np.uint64) -> np.uint64:
    """Fold one more word into a hash: every bit of either reaches every bit of the result (after two more folds)."""
    value = (int(word) * int(MIX)) & MASK
    value ^= value >> 32
    value = (value * int(MIX)) & MASK
    return U64(((int(hashed) ^ value) * int(MIX)) & MASK)


def next_random(seed: np.uint64) -> np.uint64:
    """The next state of a xorshift generator; its high half is the random number. Never 0 unless begun at 0."""
    seed ^= seed >> U64(12)
    seed ^= seed << U64(25)
    seed ^= seed >> U64(27)
    return seed


def below(seed: np.uint64, n: int) -> int:
    """A number from 0 to n - 1 out of a random state; n is less than 2**31."""
    return I(((seed >> U64(32)) * U64(n)) >> U64(32))
