"""Starting the server, or workers by themselves."""

import asyncio
import contextlib
import logging
import signal

import uvicorn

from menagerie.errors import MenagerieError
from menagerie.server import logs, memory
from menagerie.server.app import make_app
from menagerie.server.messages import MESSAGE_BYTES
from menagerie.server.settings import Settings
from menagerie.server.sharedjobs import make_jobs
from menagerie.server.workers import Crew

PATIENCE = 5
"""Seconds that open requests get when the server is told to end."""


def serve(settings: Settings) -> None:
    """Serve until a signal comes; then finish what was begun, and end."""
    if settings.workers < 1 and not settings.redis:
        raise MenagerieError("without Redis the server needs a worker of its own: --workers 1 or more")
    memory.share_heaps()
    logs.set_up()
    app = make_app(settings)
    logging.getLogger("uvicorn.error").addFilter(lambda _: not app.state.faults)  # Our own sentence says it better.
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        ws="websockets-sansio",
        ws_max_size=MESSAGE_BYTES,
        ws_ping_interval=None,
        ws_per_message_deflate=False,
        forwarded_allow_ips=settings.proxies,
        timeout_graceful_shutdown=PATIENCE,
        server_header=False,
        access_log=settings.access_log,
        log_config=None,
    )
    server = uvicorn.Server(config)
    app.state.desk.is_stopping = lambda: server.should_exit
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: None)  # The server hands its signal on when it has ended in order.
    with contextlib.suppress(SystemExit):
        server.run()
    if app.state.faults:
        raise app.state.faults[0]
    if not server.started:
        raise MenagerieError("the server could not start; the lines above say why")


def work(redis: str, workers: int) -> None:
    """Find the machine's turns for servers elsewhere, until a signal comes."""
    logs.set_up()
    asyncio.run(work_until_told(redis, workers))


async def work_until_told(redis: str, workers: int) -> None:
    """Work; end in order at SIGTERM or SIGINT."""
    jobs = make_jobs(redis)
    crew = Crew(jobs, workers)
    told = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, told.set)
    crew.start()
    await told.wait()
    await crew.stop()
    await jobs.close()
