"""A worker: a process that finds the machine's turns. Jobs come in on stdin, answers go out on stdout, length first.

It does nothing else, so that it can be killed at any moment; whoever started it starts another.
"""

import os
import select
import signal
import struct
from collections import OrderedDict
from contextlib import suppress
from typing import BinaryIO

import msgspec

from menagerie.games import find, names
from menagerie.match.match import Match
from menagerie.position import Turn
from menagerie.search.engine import Engine, Settings
from menagerie.search.limits import Limit
from menagerie.server.jobs import Answer, Job
from menagerie.variant import Variant

LENGTH = struct.Struct(">I")
HELLO = LENGTH.pack(0)
"""What a worker says first: it is there."""
KEPT = 4
"""Engines that stay ready; each holds a table of what it has found."""
MEGABYTES = 8


def main() -> None:
    """Work until there is nobody to work for."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Who types Ctrl-C talks to the server.
    inbox, outbox = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # Nothing that is printed may get among the answers.
    bench = Bench()
    outbox.write(HELLO)
    outbox.flush()
    for name in names():
        if select.select([inbox], [], [], 0)[0]:
            break
        bench.warm(name)
    while (job := read(inbox)) is not None:
        write(outbox, bench.work(job))


def read(inbox: BinaryIO) -> Job | None:
    """The next job; None at the end."""
    head = inbox.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    return msgspec.msgpack.decode(inbox.read(LENGTH.unpack(head)[0]), type=Job)


def write(outbox: BinaryIO, answer: Answer) -> None:
    """Hand over an answer."""
    body = msgspec.msgpack.encode(answer)
    outbox.write(LENGTH.pack(len(body)) + body)
    outbox.flush()


class Bench:
    """The engines of a worker, each with the match it has been thinking about."""

    def __init__(self) -> None:
        self._engines: OrderedDict[tuple[str, str, int], tuple[Engine, str]] = OrderedDict()

    def work(self, job: Job) -> Answer:
        """Find the turn."""
        variant = variant_of(job)
        engine = self._engine(job, variant)
        turn = engine.choose(match_of(job, variant), Limit(seconds=job.seconds))
        return Answer(match=job.match, ply=job.ply, key=job.key, actions=list(turn.indices))

    def warm(self, game: str) -> None:
        """Load the machine code of a game, or compile it, before anybody waits for it."""
        variant = Variant(find(game), find(game).agreed(""))
        Engine(variant, Settings(megabytes=1, level=1)).choose(Match(variant))

    def _engine(self, job: Job, variant: Variant) -> Engine:
        """An engine for the game, its rules and the level; what it knows of another match is forgotten."""
        kind = (job.game, job.rules, job.level)
        engine, match = self._engines.pop(kind, (None, ""))
        engine = engine or Engine(variant, Settings(megabytes=MEGABYTES, level=job.level))
        if match != job.match:
            engine.forget()
        self._engines[kind] = engine, job.match
        while len(self._engines) > KEPT:
            self._engines.popitem(last=False)
        return engine


def variant_of(job: Job) -> Variant:
    """The game under the rules of the match."""
    game = find(job.game)
    return Variant(game, game.agreed(job.rules))


def match_of(job: Job, variant: Variant) -> Match:
    """The match so far, so that repetitions are known."""
    match = Match(variant, variant.position(job.start) if job.start else None)
    for actions in job.turns:
        match.play(Turn(match.position, tuple(actions)))
    return match


if __name__ == "__main__":
    with suppress(BrokenPipeError):  # Whom it works for has been killed.
        main()
