"""Sets of squares on a board of eight by eight, one bit a square from a1 to h8, turned over."""

import numpy as np

from menagerie.kernel.bits import U64, ZERO
from menagerie.kernel.compiled import compiled

SIZE = 8
FILE, RANK = U64(0x0101010101010101), U64(0xFF)
"""The first file and the first rank."""


@compiled
def upside_down(squares: np.uint64) -> np.uint64:
    """The set with rank 1 where rank 8 was."""
    turned = ZERO
    for rank in range(SIZE):
        turned |= ((squares >> U64(SIZE * rank)) & RANK) << U64(SIZE * (SIZE - 1 - rank))
    return turned


@compiled
def mirrored(squares: np.uint64) -> np.uint64:
    """The set with file a where file h was."""
    turned = ZERO
    for file in range(SIZE):
        turned |= ((squares >> U64(file)) & FILE) << U64(SIZE - 1 - file)
    return turned
