"""A program that is talked to line by line, and what is said of it when it dies or falls silent."""

import queue
import shlex
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from menagerie.errors import EngineError

PARTING = 3.0
"""Seconds that a program has to end by itself once it was asked to."""
LAST_LINES = 5
"""How many of its last cries are quoted."""


class Program:
    """A running program."""

    def __init__(self, command: str | Sequence[str]) -> None:
        words = split(command) if isinstance(command, str) else list(command)
        if not words:
            raise EngineError("a program without a name", "cannot be started")
        self.name = Path(words[0]).name
        self._heard: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._cries: deque[str] = deque(maxlen=LAST_LINES)
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
                bufsize=1,
            )
        except (OSError, ValueError) as fault:
            raise EngineError(words[0], f"cannot be started: {fault}") from fault
        out, err = self._process.stdout, self._process.stderr
        assert out and err
        self._readers = [
            threading.Thread(target=listen, args=(out, self._heard.put), daemon=True),
            threading.Thread(target=listen, args=(err, self.note), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def tell(self, line: str) -> None:
        """Say a line to it."""
        assert self._process.stdin
        try:
            self._process.stdin.write(f"{' '.join(line.splitlines())}\n")
            self._process.stdin.flush()
        except (OSError, ValueError) as fault:
            raise self.death(f"when it was told {line[:80]!r}") from fault

    def hear(self, deadline: float, doing: str) -> str:
        """Its next line; a TimeoutError where none comes until the deadline (of `time.monotonic`)."""
        try:
            line = self._heard.get(timeout=max(deadline - time.monotonic(), 0))
        except queue.Empty as late:
            raise TimeoutError from late
        if line is None:
            raise self.death(doing)
        return line

    def note(self, cry: str | None) -> None:
        """Keep what may explain its death."""
        if cry:
            self._cries.append(cry)

    def death(self, doing: str) -> EngineError:
        """The error that says how it ended."""
        self._heard.put(None)  # whoever asks again hears the same
        try:
            code = self._process.wait(PARTING)
        except subprocess.TimeoutExpired:
            return EngineError(self.name, f"has closed its output {doing}")
        self._readers[1].join(PARTING)
        cries = f": {' / '.join(self._cries)}" if self._cries else ""
        return EngineError(self.name, f"ended with exit code {code} {doing}{cries}")

    def close(self, farewell: str) -> None:
        """Ask it to end, and end it."""
        with suppress(EngineError):
            self.tell(farewell)
        for harder in (self._process.terminate, self._process.kill):
            try:
                self._process.wait(PARTING)
                break
            except subprocess.TimeoutExpired:
                harder()
        self._process.wait()
        for reader in self._readers:
            reader.join(PARTING)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            with suppress(OSError):
                assert stream
                stream.close()


def split(command: str) -> list[str]:
    """The words of a command, as a shell takes them."""
    try:
        return shlex.split(command)
    except ValueError as fault:
        raise EngineError(command, f"cannot be started: {fault}") from fault


def listen(stream: IO[str], take: Callable[[str | None], None]) -> None:
    """Pass on the lines of a stream, and None at its end."""
    with suppress(ValueError, OSError):
        for line in stream:
            take(line.strip())
    take(None)
