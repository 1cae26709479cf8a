"""The application: routes, pages, headers, health and figures, put together."""

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from html import escape
from typing import Any

from fastapi import FastAPI, Response
from fastapi.responses import HTMLResponse, JSONResponse
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from sqlalchemy import text
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import menagerie
from menagerie.errors import MenagerieError
from menagerie.server import metrics, visits
from menagerie.server.api import api
from menagerie.server.audience import KEEP_SECONDS, Guestbook, lobby
from menagerie.server.bots import bots
from menagerie.server.chores import end, forever
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
    """Puts the headers that keep pages safe on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._headers = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request."""

        async def send_secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *self._headers]
            await send(message)

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


def describe(app: FastAPI) -> dict[str, Any]:
    """The API in OpenAPI's form."""
    found: dict[str, Any] = app.openapi()
    found.setdefault("components", {}).setdefault("schemas", {}).update(visits.described)
    return found


def docs_page(found: dict[str, Any]) -> str:
    """The API for people, on one plain page."""
    parts = ["<!doctype html><html lang=en><meta charset=utf-8><title>Menagerie API</title><h1>Menagerie API</h1>"]
    parts.append('<p>The whole description: <a href="/api/openapi.json">openapi.json</a>. Bots: docs/bots.md.</p>')
    for path, methods in found["paths"].items():
        for method, about in methods.items():
            parts.append(f"<h2><code>{method.upper()} {escape(path)}</code></h2><p>{escape(about['summary'])}</p>")
            for kind, of in (("takes", about.get("requestBody")), ("gives", about["responses"].get("200"))):
                schema = (of or {}).get("content", {}).get("application/json", {}).get("schema")
                parts += [f"<p>{kind} <code>{escape(json.dumps(schema))}</code></p>"] if schema else []
    parts.append("<h1>Schemas</h1>")
    for name, schema in found["components"]["schemas"].items():
        parts.append(f"<h2 id='{escape(name)}'>{escape(name)}</h2><pre>{escape(json.dumps(schema, indent=1))}</pre>")
    return "\n".join(parts)
