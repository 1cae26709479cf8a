"""Things that are done in the background: again and again, or to their end whoever waits for them."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, TypeVar

from menagerie.errors import MenagerieError
from menagerie.server.refusals import OUTAGE

log = logging.getLogger(__name__)
PAUSE = 1.0
INSIST_SECONDS = 0.5
T = TypeVar("T")


async def forever(chore: Callable[[], Awaitable[None]], pause: float) -> None:
    """Do something again and again, whatever goes wrong with it."""
    while True:
        try:
            await chore()
        except OUTAGE as error:
            log.warning("a chore has to wait: %s: %r", chore, error)
            await asyncio.sleep(PAUSE)
        except Exception:
            log.exception("a chore failed: %s", chore)
            await asyncio.sleep(PAUSE)
        await asyncio.sleep(pause)


async def end(tasks: Sequence[asyncio.Task[None]]) -> None:
    """End tasks, and insist: a library that one waits in may overlook the first request."""
    waiting = set(tasks)
    while waiting:
        for task in waiting:
            task.cancel()
        _, waiting = await asyncio.wait(waiting, timeout=INSIST_SECONDS)


async def finish(work: Coroutine[Any, Any, T] | asyncio.Task[T]) -> T:
    """Do something to its end, even if whoever waits for it vanishes meanwhile."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        task.add_done_callback(hear_out)
        raise


def hear_out(task: asyncio.Task[Any]) -> None:
    """Take an answer that nobody waits for any more: that something could not be concerns nobody, a fault is logged."""
    if not task.cancelled() and (error := task.exception()) and not isinstance(error, (MenagerieError, *OUTAGE)):
        log.error("something failed after whoever asked for it had gone", exc_info=error)
