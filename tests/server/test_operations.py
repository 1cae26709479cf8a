"""Starting: what is wrong is one sentence, tables come from the migrations, a server ends in order."""

import asyncio
import json
import logging
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from clients import Visitor, closed
from insides import SHORT
from servers import Site, free_port
from sqlalchemy import create_engine, event, text
from websockets.asyncio.client import connect

from menagerie.server.logs import JsonLines
from menagerie.server.store import migrate, prepare_sqlite
from menagerie.server.tables import metadata


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--database", "mysql://x"], "should be sqlite"),
        (["--database", "postgresql://nobody@127.0.0.1:1/x"], "cannot be used"),
        (["--redis", "redis://127.0.0.1:1/0"], "Redis cannot be used"),
        (["--workers", "0"], "needs a worker"),
    ],
)
def test_what_is_wrong_with_the_settings_is_one_sentence(tmp_path: Path, words: list[str], said: str) -> None:
    database = [] if "--database" in words else ["--database", f"sqlite:///{tmp_path / 'x.db'}"]
    command = [sys.executable, "-m", "menagerie", "serve", "--port", str(free_port()), *database, *words]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 2
    assert said in ended.stderr and "Traceback" not in ended.stderr
    assert "nobody@" not in ended.stdout


def test_a_database_has_one_server_unless_redis_joins_them(tmp_path: Path) -> None:
    with Site(f"sqlite:///{tmp_path / 'site.db'}") as site:
        words = [str(word) for word in site.command]
        words[words.index("--port") + 1] = str(free_port())
        ended = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 2 and "another server uses this database" in ended.stderr


def test_a_server_that_ends_says_come_again_and_has_logged_lines_of_json(tmp_path: Path) -> None:
    with Site(f"sqlite:///{tmp_path / 'site.db'}") as site:
        visitor = Visitor(site.address)
        match = visitor.against_machine(SHORT, colour="first")
        address = site.address.replace("http", "ws", 1) + "/socket/lobby"

        async def end() -> list[int]:
            porch = connect(address, additional_headers={"Cookie": visitor.cookie})
            async with visitor.socket(match) as player, Visitor(site.address).socket(match) as watcher, porch:
                connections = [player, watcher, porch.connection]
                for one in connections:
                    await one.recv()
                stopping = asyncio.create_task(asyncio.to_thread(site.stop))
                codes = [await closed(one, 20) for one in connections]
                assert await stopping == 0
                return codes

        assert asyncio.run(end()) == [1012, 1012, 1012]
        greeting, *logged = site.said().splitlines()
    lines = [json.loads(line) for line in logged]
    assert "is starting" in greeting, "that one is for people"
    assert any("ready" in line["event"] for line in lines)
    for line in lines:
        assert {"time", "level", "from", "event"} <= line.keys() <= {"time", "level", "from", "event", "error"}
        assert line["level"] in ("info", "warning") and datetime.fromisoformat(line["time"]).tzinfo


def test_a_fault_is_one_line_of_json_too() -> None:
    try:
        raise ValueError("two\nlines")
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, __file__, 1, "%s\nfailed", ("it",), sys.exc_info())
    text = JsonLines().format(record)
    assert "\n" not in text
    line = json.loads(text)
    assert (line["level"], line["event"]) == ("error", "it\nfailed") and "ValueError: two" in line["error"]


def test_the_migrations_make_the_tables(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / 'x.db'}")
    with engine.begin() as connection:
        migrate(connection)
        migrate(connection)
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_a_database_of_the_first_version_goes_on(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / 'x.db'}")
    event.listen(engine, "connect", prepare_sqlite)
    with engine.begin() as connection:
        migrate(connection, "0001")
        person = "INSERT INTO people (id, name, kind, created) VALUES ('p', 'P', 'guest', 0)"
        connection.execute(text(person))
        for name, is_private in (("a", "true"), ("b", "false")):
            terms = f'{{"is_private":{is_private}}}'
            known = "id, game, terms, standing, status, version, ply, created"
            values = {"id": name, "terms": terms}
            match = text(f"INSERT INTO matches ({known}) VALUES (:id, 'g', :terms, '{{}}', 'over', 1, 0, 0)")
            connection.execute(match, values)
            connection.execute(text("INSERT INTO seats VALUES (:id, 0, 'p', 0)"), values)
    with engine.begin() as connection:
        migrate(connection)
        found = connection.execute(text("SELECT id, is_private FROM matches ORDER BY id")).all()
    assert [tuple(row) for row in found] == [("a", 1), ("b", 0)]


def test_playing_in_python_needs_nothing_of_the_server() -> None:
    code = (
        "import sys, menagerie, menagerie.cli; "
        "print([name for name in ('fastapi', 'uvicorn', 'msgspec', 'sqlalchemy', 'redis') if name in sys.modules])"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "[]"
