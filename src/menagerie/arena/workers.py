"""Processes that work side by side: each is set up once and keeps what it has until there is no more work."""

import os
import signal
import traceback
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, NoReturn, Protocol, TypeVar

from menagerie.errors import MenagerieError
from menagerie.search.engine import settle

Job_contra = TypeVar("Job_contra", contravariant=True)
Done_co = TypeVar("Done_co", covariant=True)
Job = TypeVar("Job")
Done = TypeVar("Done")

SECONDS_TO_LEAVE = 3.0


class Station(Protocol[Job_contra, Done_co]):
    """Where work is done. It travels to each process unopened, and stays there."""

    def open(self) -> None:
        """Get everything ready that all jobs need."""

    def work(self, job: Job_contra) -> Iterator[Done_co]:
        """Do a job; what comes of it, piece by piece."""

    def close(self) -> None:
        """Leave nothing behind."""


def together(station: Station[Job, Done], jobs: Iterable[Job], processes: int) -> Generator[Done, None, None]:
    """What comes of all jobs, as it comes; whoever stops asking stops the processes.

    The next job is ready before anybody asks for it, and jobs that nobody asks for are never made.
    """
    context = get_context("spawn")
    waiting = iter(jobs)
    crew: dict[Connection, BaseProcess] = {}
    try:
        upcoming = next(waiting, None)
        while upcoming is not None and len(crew) < processes:
            here, there = context.Pipe()
            process = context.Process(target=serve, args=(station, there), daemon=True)
            with deaf():
                process.start()
            there.close()
            crew[here] = process
            here.send(upcoming)
            upcoming = next(waiting, None)
        while crew:
            for link in wait(list(crew)):
                assert isinstance(link, Connection)
                kind, content = receive(link, crew[link])
                if kind == "done":
                    yield content
                elif upcoming is None:
                    link.send(None)
                    crew.pop(link).join()
                else:
                    link.send(upcoming)
                    upcoming = next(waiting, None)
    finally:
        dismiss(crew.values())


@contextmanager
def deaf() -> Iterator[None]:
    """What is started here never hears Ctrl-C, not even while it starts: that is for the process that started it."""
    resource_tracker.ensure_running()  # Python's own helper, which lets Ctrl-C through again when it is started.
    heard = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, heard)


def receive(link: Connection, process: BaseProcess) -> tuple[str, Any]:
    """What a process has to say; what went wrong there goes wrong here."""
    try:
        kind, content = link.recv()
    except (EOFError, ConnectionError):
        process.join()
        raise MenagerieError(f"a process that played ended by itself, with exit code {process.exitcode}") from None
    if kind == "fault":
        raise content
    return kind, content


def dismiss(processes: Iterable[BaseProcess]) -> None:
    """End what is still at work."""
    for process in processes:
        process.terminate()
    for process in processes:
        process.join(SECONDS_TO_LEAVE)
        if process.is_alive():
            process.kill()
            process.join()


def serve(station: Station[Job, Done], link: Connection) -> None:
    """The life of one process."""
    signal.signal(signal.SIGTERM, lambda *_: leave(station))
    try:
        station.open()
        settle()
        for job in iter(link.recv, None):
            for done in station.work(job):
                link.send(("done", done))
            link.send(("next", None))
    except (EOFError, ConnectionError):
        pass  # Nobody is left to work for.
    except MenagerieError as fault:
        link.send(("fault", fault))
    except Exception:
        link.send(("fault", RuntimeError(traceback.format_exc())))
    finally:
        with suppress(Exception):
            station.close()


def leave(station: Station[Job, Done]) -> NoReturn:
    """End this process at once, wherever it is: an exception raised from a signal could be lost."""
    with suppress(Exception):
        station.close()
    os._exit(0)
