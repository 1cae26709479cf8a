"""Tables as files: compact, mapped into memory, checksummed, and bound to the rules they were made from.

    MAGIC | version 4 | length 4 | facts, in JSON, to a multiple of 4096 | bits | ranks | codes | SHA-256

The palette, which is among the facts, lists the cells that occur; `lookup.py` tells of the rest.
"""

import glob
import hashlib
import io
import json
import lzma
import os
import struct
import time
import tokenize
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

import numpy as np

from menagerie.errors import TableError, UselessTable
from menagerie.game import Game
from menagerie.solve.cells import NOTHING, Verdict
from menagerie.solve.lookup import STEP
from menagerie.variant import Variant

MAGIC, VERSION = b"MENAGERIE TABLE\n", 1
PAGE = 4096
DIGEST = 32
CHUNK = 1 << 22
"""How many places are written, or bytes read, at a time."""
STALE_AFTER = 3600
"""Seconds after which a file that was to be written whole, and that nobody has touched, is a killed writer's."""
SOURCES = ("rules.py", "endgame.py")
PACKED = b"\xfd7zXZ"
"""What the download form begins with."""
SMALL = [{"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": 1 << 26}]
MOUTHFUL = 1 << 20
"""How many bytes are compressed at a time, in about a second."""


@dataclass(frozen=True)
class Facts:
    """What a table says of itself."""

    game: str
    rules: str
    sources: str
    until: str
    places: int
    usual: int
    written: int
    palette: list[int]
    counts: dict[str, int]
    """How often each cell occurs, by its number."""

    @property
    def is_wide(self) -> bool:
        """Whether a code takes two bytes."""
        return len(self.palette) > 256

    @property
    def sizes(self) -> tuple[int, int, int]:
        """The bytes of bits, ranks and codes; each begins at a word."""
        steps = -(-self.places // STEP)
        return steps * STEP // 8, words(4 * steps), words(self.written << self.is_wide)

    @property
    def head(self) -> bytes:
        """Everything before the bits."""
        text = json.dumps(asdict(self), separators=(",", ":")).encode()
        size = -(-(len(MAGIC) + 8 + len(text)) // PAGE) * PAGE
        return (MAGIC + struct.pack("<II", VERSION, len(text)) + text).ljust(size, b" ")

    @classmethod
    def of(cls, variant: Variant, until: str, cells: np.ndarray) -> "Facts":
        """The facts of solved cells."""
        counts = np.zeros(1 << 16, np.int64)
        for first in range(0, len(cells), CHUNK):
            counts += np.bincount(cells[first : first + CHUNK], minlength=1 << 16)
        counts[NOTHING] = 0
        usual = int(counts.argmax())
        palette = [int(cell) for cell in np.flatnonzero(counts) if cell != usual]
        return cls(
            game=variant.game.name,
            rules=variant.options.in_full(),
            sources=sources(variant.game),
            until=until,
            places=len(cells),
            usual=usual,
            written=int(counts.sum() - counts[usual]),
            palette=palette,
            counts={str(cell): int(counts[cell]) for cell in sorted([*palette, usual])},
        )


def totals(facts: Facts) -> dict[str, int]:
    """How many positions are won, lost and drawn for the player to move."""
    sums = {1: 0, -1: 0, 0: 0}
    for cell, count in facts.counts.items():
        sums[Verdict.of(int(cell)).value] += count
    return {"wins": sums[1], "losses": sums[-1], "draws": sums[0]}


def longest(facts: Facts) -> int:
    """The plies of the longest win."""
    verdicts = (Verdict.of(int(cell)) for cell in facts.counts)
    return max((verdict.plies for verdict in verdicts if verdict.value > 0), default=0)


def words(size: int) -> int:
    """A size in bytes, filled up to words."""
    return -(-size // 8) * 8


def sources(game: Game) -> str:
    """A hash of what decides which table is right: the code of the rules and of the places, whatever its layout."""
    digest = hashlib.sha256()
    for name in SOURCES:
        for word in code_of((game.folder / name).read_text(encoding="utf-8")):
            digest.update(word.encode() + b"\0")
    return digest.hexdigest()


def code_of(text: str) -> Iterator[str]:
    """The words of a source without comments, blank lines and the strings that only explain."""
    line: list[tokenize.TokenInfo] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.INDENT, tokenize.DEDENT):
            yield str(token.type)
        elif token.type == tokenize.NEWLINE:
            if any(word.type != tokenize.STRING for word in line):
                yield from (word.string for word in line)
                yield ";"
            line.clear()
        elif token.type not in (tokenize.COMMENT, tokenize.NL):
            line.append(token)


def write(file: Path, variant: Variant, until: str, cells: np.ndarray) -> Facts:
    """Write a table at once or not at all; the same cells always give the same bytes."""
    facts = Facts.of(variant, until, cells)
    with written_whole(file) as out:
        digest = hashlib.sha256()
        for piece in pieces(facts, cells):
            digest.update(piece)
            out.write(piece)
        out.write(digest.digest())
    return facts


@contextmanager
def written_whole(file: Path) -> Iterator[BinaryIO]:
    """A file to write into that takes its name once it is whole and on the disk; else nothing has changed.

    Several may write the same file at a time, each has its own beside it: the last to be done counts.
    """
    unfinished = file.with_name(f"{file.name}.{uuid4().hex[:8]}.new")
    try:
        with unfinished.open("wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        unfinished.replace(file)
    except OSError as error:
        raise TableError(f"{file} cannot be written: {error.strerror}") from error
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def half_written(file: Path) -> list[Path]:
    """What writers of a file have beside it, whether they are at work or were killed."""
    return [*file.parent.glob(f"{glob.escape(file.name)}.????????.new")]


def sweep(file: Path) -> None:
    """Remove what killed writers of a file have left."""
    for left in half_written(file):
        with suppress(OSError):
            if left.stat().st_mtime < time.time() - STALE_AFTER:
                left.unlink()


def pieces(facts: Facts, cells: np.ndarray) -> Iterator[bytes]:
    """A table in the order of its bytes, up to the checksum."""
    yield facts.head
    bits = np.zeros(facts.sizes[0], np.uint8)
    for first in range(0, facts.places, CHUNK):
        chosen = np.packbits(is_written(facts, cells[first : first + CHUNK]), bitorder="little")
        bits[first // 8 : first // 8 + len(chosen)] = chosen
    yield bits.tobytes()
    each = np.bitwise_count(bits.view(np.uint64)).reshape(-1, STEP // 64).sum(axis=1, dtype=np.uint32)
    yield (np.cumsum(each, dtype=np.uint32) - each).tobytes().ljust(facts.sizes[1], b"\0")
    number = np.zeros(1 << 16, np.uint16 if facts.is_wide else np.uint8)
    number[facts.palette] = np.arange(len(facts.palette))
    size = 0
    for first in range(0, facts.places, CHUNK):
        here = cells[first : first + CHUNK]
        codes = number[here[is_written(facts, here)]].tobytes()
        size += len(codes)
        yield codes
    yield b"\0" * (facts.sizes[2] - size)


def is_written(facts: Facts, cells: np.ndarray) -> np.ndarray:
    """Which cells are written down."""
    return (cells != facts.usual) & (cells != NOTHING)


class Table:
    """A table file, mapped into memory. A damaged or foreign one is refused with the reason."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.facts, begin = read_facts(file)
        refuse_damaged(file, begin + sum(self.facts.sizes) + DIGEST)
        content = np.memmap(file, np.uint8, "r")
        ends = np.cumsum([begin, *self.facts.sizes])
        self.bits, self.ranks, self.codes = (content[a:b] for a, b in pairwise(ends))
        self.palette = np.array([*self.facts.palette, 0], np.uint16)

    def refuse_unfit(self, variant: Variant) -> None:
        """Refuse a table that was made for something else."""
        facts = self.facts
        if facts.game != variant.game.name:
            raise TableError(f"{self.file} is a table of {facts.game}, not of {variant.game.name}")
        if facts.rules != variant.options.in_full():
            raise TableError(f"{self.file} is for other rules: {facts.rules}, not {variant.options.in_full()}")
        if facts.sources != sources(variant.game):
            raise UselessTable(f"{self.file} was made from another version of the rules of {facts.game}: make it again")


def read_facts(file: Path) -> tuple[Facts, int]:
    """The facts of a table file, and where its bits begin."""
    with opened(file) as content:
        head = content.read(len(MAGIC) + 8)
        if head[: len(MAGIC)] != MAGIC:
            hint = f": it is the download form, unpack it with `xz -d {file}`" if head.startswith(PACKED) else ""
            raise TableError(f"{file} is not a table{hint}")
        if len(head) < len(MAGIC) + 8:
            raise UselessTable(f"{file} is cut off: it has {len(head)} bytes")
        version, length = struct.unpack("<II", head[len(MAGIC) :])
        if version != VERSION:
            raise TableError(f"{file} is a table of version {version}; this program reads version {VERSION}")
        try:
            facts = Facts(**json.loads(content.read(length)))
            if not is_sound(facts):
                raise TypeError("a fact is not what it should be")
            return facts, len(facts.head)
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            raise UselessTable(f"{file} is damaged: its facts cannot be read") from error


def is_sound(facts: Facts) -> bool:
    """Whether facts that were read are texts and whole numbers where they should be; an error where no list is."""
    texts = (facts.game, facts.rules, facts.sources, facts.until, *facts.counts)
    numbers = (facts.places, facts.usual, facts.written, *facts.palette, *facts.counts.values())
    return all(isinstance(text, str) for text in texts) and all(
        type(number) is int and number >= 0 for number in numbers
    )


def refuse_damaged(file: Path, size: int) -> None:
    """Refuse a file that is too short or too long, or does not have the checksum it ends with."""
    there = file.stat().st_size
    if there != size:
        raise UselessTable(f"{file} is {'cut off' if there < size else 'damaged'}: it has {there} bytes, not {size}")
    with opened(file) as content:
        digest = hashlib.sha256()
        for first in range(0, size - DIGEST, CHUNK):
            digest.update(content.read(min(CHUNK, size - DIGEST - first)))
        if content.read() != digest.digest():
            raise UselessTable(f"{file} is damaged: its checksum does not fit")


def opened(file: Path) -> BinaryIO:
    """The file, open; a plain error where that cannot be."""
    try:
        return file.open("rb")
    except OSError as error:
        raise TableError(f"{file} cannot be read: {error.strerror}") from error


def small(file: Path) -> Path:
    """Where the download form of a table is."""
    return file.with_name(f"{file.name}.xz")


def compress(file: Path) -> Iterator[int]:
    """Write the download form of a table beside it, and tell after each step how many bytes of the table it took."""
    with opened(file) as content, written_whole(small(file)) as whole, lzma.open(whole, "wb", filters=SMALL) as out:
        while piece := content.read(MOUTHFUL):
            out.write(piece)
            yield len(piece)
