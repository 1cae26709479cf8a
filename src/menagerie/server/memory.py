"""Memory: what the server keeps, and what it gives back to the machine while it runs."""

import ctypes
import gc
import logging

from menagerie.search.engine import settle
from menagerie.server import metrics

log = logging.getLogger(__name__)

COLLECT_SECONDS = 60.0
"""How often the collector looks through everything; it takes a tenth of a second where there are many matches."""
M_ARENA_MAX, ARENAS = -8, 2
"""glibc keeps a heap for each thread, up to eight a core, and what is freed in one is of no use to the others."""
FIGURES = (
    *("arena", "ordblks", "smblks", "hblks", "hblkhd"),
    *("usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"),
)
"""As malloc.h lists them."""


class HeapFigures(ctypes.Structure):
    """What glibc says about its heaps: `uordblks` bytes are in use."""

    _fields_ = tuple((name, ctypes.c_size_t) for name in FIGURES)


def glibc() -> ctypes.CDLL | None:
    """The C library, where it is one whose heaps can be told what to do."""
    try:
        library = ctypes.CDLL("libc.so.6")
        library.mallinfo2.restype = HeapFigures
        library.mallopt, library.malloc_trim  # noqa: B018 - an AttributeError where they are missing
    except (OSError, AttributeError):
        return None
    return library


LIBRARY = glibc()


def share_heaps() -> None:
    """Let threads share two heaps; to be called before there are any."""
    if LIBRARY:
        LIBRARY.mallopt(M_ARENA_MAX, ARENAS)


def spare_collections() -> None:
    """Leave looking through everything for garbage to `collect`, and never look among what is there for good.

    Everybody waits for the collector, and matches hold hundreds of thousands of objects that live for long.
    """
    settle()
    gc.set_threshold(50_000, 20, 1_000_000)


async def collect() -> None:
    """Look through everything for garbage, and give back what is free."""
    gc.collect()
    if LIBRARY:
        LIBRARY.malloc_trim(0)
        figures = LIBRARY.mallinfo2()
        metrics.heap.set(figures.uordblks + figures.hblkhd)
