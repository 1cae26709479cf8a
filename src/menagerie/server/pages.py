"""The browser client's files, and its first page for every address that is nothing else."""

import gzip
import mimetypes
from functools import lru_cache
from pathlib import Path

from fastapi import FastAPI, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse

from menagerie.games import names
from menagerie.server import catalogue

FOR_EVER, ASK_AGAIN = "public, max-age=31536000, immutable", "no-cache"
COMPRESSED = ("text/", "application/javascript", "application/json", "application/manifest+json", "image/svg+xml")
NO_PAGES = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Menagerie</title>
<h1>Menagerie</h1><p>The server runs, but its pages are not built: run <code>make run</code>, or
<code>npm run build</code> in <code>web/</code>. The API has <a href="/api/docs">a page of its own</a>.</p>"""


def add_pages(app: FastAPI, folder: Path) -> None:
    """Serve what the client was built into."""
    root = folder.resolve()

    @app.get("/{path:path}", include_in_schema=False)
    async def page(request: Request, path: str) -> Response:
        if path.startswith(("api/", "socket/")):
            return JSONResponse({"error": f"there is nothing at {request.url.path}", "nearest": []}, 404)
        file = file_at(root, path)
        if file is None:
            return HTMLResponse(first_page(root / "index.html", path), headers={"Cache-Control": ASK_AGAIN})
        return send(file, "gzip" in request.headers.get("accept-encoding", ""), path.startswith("assets/"))


def file_at(root: Path, path: str) -> Path | None:
    """The file that a path names; None where there is none, or none of ours."""
    try:
        file = (root / path).resolve()
        return file if path and file.is_relative_to(root) and file.is_file() else None
    except (OSError, ValueError):  # No file has such a name.
        return None


def first_page(file: Path, path: str) -> str:
    """The page that the client begins with; for browsers without scripts it holds the rules."""
    if not file.is_file():
        return NO_PAGES
    game = path.removeprefix("rules/") if path.startswith("rules/") else None
    rules = catalogue.plain_rules(game if game in names() else None)
    return file.read_text(encoding="utf-8").replace("<!--rules-->", rules)


def send(file: Path, takes_gzip: bool, is_lasting: bool) -> Response:
    """A file, compressed for whoever takes it so; files with a hash in their names never change."""
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    headers = {"Cache-Control": FOR_EVER if is_lasting else ASK_AGAIN, "Vary": "Accept-Encoding"}
    is_compressed = takes_gzip and kind.startswith(COMPRESSED)
    if is_compressed:
        headers["Content-Encoding"] = "gzip"
    return Response(content(file, file.stat().st_mtime_ns, is_compressed), media_type=kind, headers=headers)


@lru_cache(512)
def content(file: Path, _: int, is_compressed: bool) -> bytes:
    """What is in a file as it was changed last."""
    data = file.read_bytes()
    return gzip.compress(data, 9) if is_compressed else data
