"""Words and shorts at an address: what threads share without a lock, since each is written and read at once."""

import ctypes

import numpy as np

from menagerie.kernel.bits import U64, I


def load(address: np.uint64) -> np.uint64:
    """The word that lies there now, whoever wrote it."""
    return U64(ctypes.c_uint64.from_address(int(address)).value)


def store(address: np.uint64, word: np.uint64) -> None:
    """Put a word there."""
    ctypes.c_uint64.from_address(int(address)).value = int(word)


def fetch_early(address: np.uint64) -> None:
    """Tell the processor that what lies there will soon be asked for."""


def load_short(address: np.uint64) -> int:
    """The 16 bits that lie there now, as a number."""
    return I(ctypes.c_uint16.from_address(int(address)).value)


def store_short(address: np.uint64, number: int) -> None:
    """Put a number of 16 bits there."""
    ctypes.c_uint16.from_address(int(address)).value = int(number)


def take_one(address: np.uint64) -> int:
    """Make the short there, which is above 0, less by one, whoever else does the same now; what it was before.

    It lies in a word of 32 bits, which is what every machine can change at once; no borrow leaves the short.
    """
    short = ctypes.c_uint16.from_address(int(address))
    short.value -= 1
    return I(short.value + 1)


def next_slot(address: np.uint64) -> int:
    """Count one more in the word of 32 bits there, whoever else does the same now; what it was before."""
    word = ctypes.c_uint32.from_address(int(address))
    word.value += 1
    return I(word.value - 1)
