"""The database: connections, migrations at the start, and one way to write.

SQLite (WAL) is built in; PostgreSQL comes by its URL. SQLite has one writer at a time, so writers queue up here
instead of waiting for its locks; PostgreSQL sorts them out itself. The same statements serve both.
"""

import asyncio
import fcntl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any, TextIO

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Executable, Row, event, make_url, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from sqlalchemy.pool import StaticPool

from menagerie.errors import MenagerieError

MIGRATIONS = Path(__file__).parent / "migrations"
DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}
MIGRATION_LOCK, CLAIM_LOCK, RESUME_LOCK = 7_301_953, 7_301_954, 7_301_955
"""Any numbers: servers that start together take it in turn to migrate; a server that is alone says so."""
READERS, PAGES = 4, "cache_size=-512"
"""Connections to SQLite that stay open, and the KiB that each keeps of the file: the machine keeps it too."""
CLAIM_TRIES, CLAIM_PAUSE = 10, 0.5


class Store:
    """The database of a site."""

    def __init__(self, address: str) -> None:
        url = make_url(address)
        if url.drivername not in {*DRIVERS, *DRIVERS.values()}:
            raise MenagerieError(
                f"the database is {url.drivername!r}, and should be sqlite:///FILE or postgresql://..."
            )
        self.url = url.set(drivername=DRIVERS.get(url.drivername, url.drivername))
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        options: dict[str, Any] = {"hide_parameters": True}
        if self.is_sqlite and url.database in (None, "", ":memory:"):
            options["poolclass"] = StaticPool
        elif self.is_sqlite:
            options |= {"pool_size": READERS, "max_overflow": READERS}
        elif not self.is_sqlite:
            options |= {"pool_size": 10, "max_overflow": 10, "pool_pre_ping": True}
        self.engine = create_async_engine(self.url, **options)
        self._writer: asyncio.Lock | nullcontext[None] = asyncio.Lock() if self.is_sqlite else nullcontext()
        self._claimed: TextIO | None = None
        self._session: AsyncConnection | None = None
        if self.is_sqlite:
            event.listen(self.engine.sync_engine, "connect", prepare_sqlite)

    async def open(self) -> None:
        """Bring the tables up to date."""
        if self.is_sqlite and self.url.database:
            Path(self.url.database).parent.mkdir(parents=True, exist_ok=True)
        try:
            async with self.engine.begin() as connection:
                if not self.is_sqlite:
                    await connection.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})"))
                await connection.run_sync(migrate)
        except (OSError, SQLAlchemyError) as error:
            shown = self.url.render_as_string(hide_password=True)
            raise MenagerieError(f"the database {shown} cannot be used: {error}") from error

    async def claim(self) -> None:
        """See that no other server uses the database: without Redis they would not hear of each other.

        The claim ends with the process, however that ends.
        """
        for _ in range(CLAIM_TRIES):
            if await (self._claim_file() if self.is_sqlite else self._claim_session()):
                return
            await asyncio.sleep(CLAIM_PAUSE)
        raise MenagerieError("another server uses this database; several share one only with --redis")

    async def _claim_file(self) -> bool:
        if not self.url.database or self.url.database == ":memory:":
            return True
        self._claimed = open(f"{self.url.database}.lock", "w")  # noqa: SIM115 - it is held on purpose
        try:
            fcntl.flock(self._claimed, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._claimed.close()
            return False
        return True

    async def _claim_session(self) -> bool:
        self._session = await self.engine.connect()
        row = (await self._session.execute(text(f"SELECT pg_try_advisory_lock({CLAIM_LOCK})"))).first()
        await self._session.commit()
        if row and row[0]:
            return True
        await self._session.close()
        return False

    async def close(self) -> None:
        """Let go of all connections."""
        if self._session:
            await self._session.close()
        if self._claimed:
            self._claimed.close()
        await self.engine.dispose()

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A connection that changes nothing."""
        async with self.engine.connect() as connection:
            yield connection

    @asynccontextmanager
    async def reading_at_once(self) -> AsyncIterator[AsyncConnection]:
        """A connection whose questions are all answered from the same moment, whatever others write meanwhile."""
        async with self.engine.connect() as connection:
            if self.is_sqlite:
                await connection.exec_driver_sql("BEGIN")
            else:
                await connection.execution_options(isolation_level="REPEATABLE READ")
            yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction: all of it is on the disk when the block is left, or nothing if it fails."""
        async with self._writer, self.engine.begin() as connection:
            yield connection

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[None]:
        """What several servers must not do at the same time. SQLite's one server is alone."""
        if self.is_sqlite:
            yield
            return
        async with self.engine.begin() as connection:
            await connection.execute(text(f"SELECT pg_advisory_xact_lock({RESUME_LOCK})"))
            yield

    async def rows(self, statement: Executable, values: dict[str, Any] | None = None) -> list[Row[Any]]:
        """What a question finds."""
        async with self.reading() as connection:
            return list((await connection.execute(statement, values)).all())

    async def row(self, statement: Executable) -> Row[Any] | None:
        """The first that a question finds."""
        async with self.reading() as connection:
            return (await connection.execute(statement)).first()

    async def write(self, *statements: Executable) -> int:
        """Write in one transaction; how many rows the last statement has changed."""
        changed = 0
        async with self.writing() as connection:
            for statement in statements:
                changed = (await connection.execute(statement)).rowcount
        return changed


def migrate(connection: Connection, to: str = "head") -> None:
    """Run the migrations that are missing."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, to)


def prepare_sqlite(connection: Any, _: object) -> None:
    """What every connection to SQLite needs: readers beside a writer, and commits that are on the disk."""
    cursor = connection.cursor()
    for setting in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=10000", PAGES):
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()
