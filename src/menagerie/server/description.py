"""The API's description, in OpenAPI's form and as a page for people, made of the types that routes take and give."""

import json
from html import escape
from typing import Any

import msgspec
from fastapi import FastAPI

from menagerie.server.bodies import ErrorFact

described: dict[str, Any] = {}
"""The schemas of everything that routes take and give."""


def description(
    path: str, takes: Any = None, gives: Any = None, asks: str = "", media: str = "application/json"
) -> dict[str, Any]:
    """What a route takes in its body, gives, and asks of the address; `media` is how it answers."""
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    text = {"schema": {"type": "string"}}
    found: dict[str, Any] = {
        "parameters": [
            *({"name": name, "in": "path", "required": True, **text} for name in names),
            *({"name": name, "in": "query", **text} for name in asks.split()),
        ]
    }
    if takes is not None:
        found["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema(takes)}}}
    content = {media: {"schema": schema(gives)} if gives else text} if gives or media != "application/json" else {}
    fault = {"application/json": {"schema": schema(ErrorFact)}}
    found["responses"] = {
        "200": {"description": "Done: a message each line" if "ndjson" in media else "Done", "content": content},
        "4XX": {"description": "Refused, with the reason in words", "content": fault},
    }
    return found


def schema(kind: Any) -> dict[str, Any]:
    """A reference to a schema, which is noted for the description."""
    (found,), parts = msgspec.json.schema_components([kind], ref_template="#/components/schemas/{name}")
    described.update(parts)
    return found


def describe(app: FastAPI) -> dict[str, Any]:
    """The API in OpenAPI's form."""
    found: dict[str, Any] = app.openapi()
    parts = found.setdefault("components", {})
    parts.setdefault("schemas", {}).update(described)
    parts["securitySchemes"] = {
        "token": {"type": "http", "scheme": "bearer", "description": "A program's token, from POST /api/tokens"},
        "session": {"type": "apiKey", "in": "cookie", "name": "menagerie", "description": "A browser's session"},
    }
    found["security"] = [{"token": []}, {"session": []}, {}]
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
