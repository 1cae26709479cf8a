"""The application: routes, pages, headers, health and figures, put together."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Response
from fastapi.responses import HTMLResponse, JSONResponse
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from sqlalchemy import text
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import menagerie
from menagerie.errors import MenagerieError
from menagerie.server import metrics
from menagerie.server.api import api
from menagerie.server.audience import KEEP_SECONDS, Guestbook, lobby
from menagerie.server.bots import bots
from menagerie.server.chores import end, forever
from menagerie.server.description import describe, docs_page
from menagerie.server.desk import Desk
from menagerie.server.memory import COLLECT_SECONDS, collect, spare_collections
from menagerie.server.pages import add_pages
from menagerie.server.settings import Settings
from menagerie.server.sockets import sockets

log = logging.getLogger(__name__)
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; media-src 'self' blob:; worker-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "X-Frame-Options": "DENY",
}
ONLY_HTTPS = (b"strict-transport-security", b"max-age=31536000")
LAG_SECONDS = 0.5


def make_app(settings: Settings) -> FastAPI:
    """The application for some settings."""
    desk = Desk.of(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        try:
            await desk.open()
        except MenagerieError as fault:
            app.state.faults.append(fault)
            raise
        app.state.guestbook = Guestbook(desk)
        await app.state.guestbook.open()
        chores = [
            asyncio.create_task(forever(app.state.guestbook.keep, KEEP_SECONDS)),
            asyncio.create_task(forever(app.state.guestbook.tell, 0.0)),
            asyncio.create_task(forever(measure_lag, 0.0)),
            asyncio.create_task(forever(collect, COLLECT_SECONDS)),
        ]
        spare_collections()
        yield
        await end(chores)
        await desk.close()

    app = FastAPI(
        title="Menagerie",
        version=menagerie.__version__,
        lifespan=lifespan,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
    )
    app.state.desk = desk
    app.state.faults = []
    """Why it could not start."""
    for router in (api, bots, sockets, lobby):
        app.include_router(router)
    add_operations(app, desk)
    add_pages(app, settings.pages)
    app.add_middleware(SecureHeaders)
    return app


async def measure_lag() -> None:
    """How late the event loop is: whoever computes too long in it shows here."""
    begun = time.perf_counter()
    await asyncio.sleep(LAG_SECONDS)
    metrics.loop_lag.observe(max(0.0, time.perf_counter() - begun - LAG_SECONDS))


class SecureHeaders:
    """Puts the headers that keep pages safe on every answer. Who asks for headers alone gets those of the page."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._headers = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request."""
        headers = self._headers + ([ONLY_HTTPS] if scope.get("scheme") == "https" else [])

        async def send_secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *headers]
            await send(message)

        if scope.get("method") == "HEAD":  # The server leaves out the body.
            scope = {**scope, "method": "GET"}
        await self._app(scope, receive, send_secured if scope["type"] == "http" else send)


def add_operations(app: FastAPI, desk: Desk) -> None:
    """Health, figures, and the description of the API."""

    @app.get("/health", include_in_schema=False)
    async def health() -> JSONResponse:
        try:
            async with asyncio.timeout(3):
                await desk.store.row(text("SELECT 1"))
                waiting = await desk.jobs.waiting()
        except Exception as error:
            log.warning("not healthy: %r", error)
            return JSONResponse({"status": "failing", "error": type(error).__name__}, 503)
        return JSONResponse({"status": "ok", "rooms": len(desk.house.rooms), "jobs_waiting": waiting})

    @app.get("/metrics", include_in_schema=False)
    async def figures() -> Response:
        return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)

    @app.get("/api/openapi.json", include_in_schema=False)
    async def openapi() -> JSONResponse:
        return JSONResponse(describe(app))

    @app.get("/api/docs", include_in_schema=False)
    async def docs() -> HTMLResponse:
        return HTMLResponse(docs_page(describe(app)))
