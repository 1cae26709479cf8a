"""Machine code on disk: compiled once, loaded by every later run, never stale and never trusted blindly.

Numba's own cache does not notice a changed helper, table or flag. Ours lies in a folder named by a hash of everything
that could change the code: the sources and data of every layer that compiles, the versions beneath, every `NUMBA_*`
variable.
Each file carries a checksum; one that does not fit is compiled anew.
"""

import hashlib
import os
import pickle
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

import llvmlite
import numba
import numpy as np
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

PACKAGE = Path(__file__).parents[1]
LAYERS = ("kernel", "game.py", "games", "search", "solve")
"""Where functions are compiled, and what they are made from; a test finds them nowhere else."""
SOURCES = {".py", ".json", ".npy", ".npz"}
"""Files that can change what is compiled. Weights are not among them: code made with some carries their name."""
CHECKSUM_BYTES = 32
STALE_AFTER_DAYS = 30


watchers: list[Callable[[str], None]] = []
"""Told the name of each function that has to be compiled, before it is."""


class DiskCache(_Cache):
    """The compiled versions of one function; Numba asks it before compiling and tells it afterwards."""

    def __init__(self, function: Callable[..., object]) -> None:
        self.function = function
        self.enabled = True

    @property
    def cache_path(self) -> str:
        """The folder, as Numba asks for it."""
        return str(folder())

    def load_overload(self, signature: object, target_context: Any) -> object | None:
        """What was compiled for a signature, or None."""
        if not self.enabled:
            return None
        target_context.refresh()
        payload = read_checked(self.file(signature, target_context.codegen()))
        if payload is None:
            for watcher in watchers:
                watcher(self.function.__qualname__)
            return None
        return CompileResult._rebuild(target_context, *pickle.loads(payload))

    def save_overload(self, signature: object, result: CompileResult) -> None:
        """Keep what was compiled for a signature."""
        if not self.enabled or result.entry_point is None:
            return
        if result.library.has_dynamic_globals:
            raise TypeError(f"{self.function.__qualname__} refers to a global that cannot be kept on disk")
        write_checked(self.file(signature, result.codegen), dumps(result._reduce()))

    def file(self, signature: object, codegen: Any) -> Path:
        """Where the machine code for a signature and a processor lies."""
        magic = codegen.magic_tuple()
        name = f"{self.function.__module__}.{self.function.__qualname__}"
        digest = hashlib.sha256(repr((name, str(signature), magic)).encode()).hexdigest()[:24]
        return folder() / f"{self.function.__qualname__.replace('<', '').replace('>', '')}-{digest}.code"

    def enable(self) -> None:
        """Use the disk."""
        self.enabled = True

    def disable(self) -> None:
        """Leave the disk alone."""
        self.enabled = False

    def flush(self) -> None:
        """Forget every version of this function."""
        for file in folder().glob(f"{self.function.__qualname__}-*.code"):
            file.unlink(missing_ok=True)


@cache
def folder() -> Path:
    """Where this version's machine code lies; folders unused for a month are swept away."""
    here = base() / fingerprint()
    with suppress(OSError):  # Where nothing can be written everything still runs, compiled anew each time.
        here.mkdir(parents=True, exist_ok=True)
        os.utime(here)
        sweep(base(), keep=here)
    return here


def base() -> Path:
    """The user's cache directory, or what MENAGERIE_CACHE names."""
    if chosen := os.environ.get("MENAGERIE_CACHE"):
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "menagerie" / "code"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "menagerie" / "code"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "menagerie" / "code"


@cache
def fingerprint() -> str:
    """A hash of everything that the machine code depends on."""
    digest = hashlib.sha256()
    versions = (sys.version, numba.__version__, llvmlite.__version__, np.__version__)
    flags = sorted((name, value) for name, value in os.environ.items() if name.startswith("NUMBA_"))
    digest.update(repr((versions, flags)).encode())
    for root in (*(PACKAGE / layer for layer in LAYERS), *extra_game_folders()):
        for file in sources(root):
            digest.update(f"{file.relative_to(root.parent)}\0".encode())
            digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:20]


def extra_game_folders() -> list[Path]:
    """Folders with further games, from MENAGERIE_GAMES (several are separated as in PATH)."""
    return [Path(part).resolve() for part in os.environ.get("MENAGERIE_GAMES", "").split(os.pathsep) if part]


def sources(root: Path) -> Iterator[Path]:
    """The files under a folder that can change what is compiled, in a fixed order."""
    files = root.rglob("*") if root.is_dir() else [root]
    yield from sorted(file for file in files if file.suffix in SOURCES and file.is_file())


def read_checked(file: Path) -> bytes | None:
    """What was written, or None where there is no such file or it is damaged."""
    try:
        content = file.read_bytes()
    except OSError:
        return None
    checksum, payload = content[:CHECKSUM_BYTES], content[CHECKSUM_BYTES:]
    return payload if hashlib.sha256(payload).digest() == checksum else None


def write_checked(file: Path, payload: bytes) -> None:
    """Write at once or not at all, so that processes may share the folder."""
    unfinished = file.with_suffix(f".{uuid4().hex[:8]}")
    try:
        unfinished.write_bytes(hashlib.sha256(payload).digest() + payload)
        unfinished.replace(file)
    except OSError:
        with suppress(OSError):
            unfinished.unlink()


def sweep(shelf: Path, keep: Path) -> None:
    """Remove the folders of versions nobody has run for a month."""
    oldest = time.time() - STALE_AFTER_DAYS * 86_400
    for other in shelf.iterdir():
        if other != keep and other.is_dir() and other.stat().st_mtime < oldest:
            shutil.rmtree(other, ignore_errors=True)
