"""Servers for all tests of this folder that do not disturb them, and the inside of one."""

from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path

import pytest
from clients import Visitor
from insides import Inside
from servers import Site, postgres_server, redis_server

from menagerie.server.desk import Desk
from menagerie.server.settings import Settings


@pytest.fixture(scope="session", params=["sqlite", "postgresql and redis"])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server without limits on rates, on either kind of database."""
    with ExitStack() as stack:
        database, redis = f"sqlite:///{tmp_path_factory.mktemp('site') / 'site.db'}", ""
        if request.param != "sqlite":
            database, redis = stack.enter_context(postgres_server()), stack.enter_context(redis_server())
        running = stack.enter_context(Site(database, redis))
        yield running
        assert '"level": "error"' not in running.said(), running.said()


@pytest.fixture
def visitor(site: Site) -> Visitor:
    """Somebody new."""
    return Visitor(site.address)


@pytest.fixture
def other(site: Site) -> Visitor:
    """Somebody else."""
    return Visitor(site.address)


@pytest.fixture
def inside(tmp_path: Path) -> Inside:
    """The parts of a server in this process, at work without workers or sockets."""

    @asynccontextmanager
    async def open_desk(database: str = f"sqlite:///{tmp_path / 'inside.db'}", redis: str = "") -> AsyncIterator[Desk]:
        desk = Desk.of(Settings(database=database, redis=redis or None, workers=0))
        await desk.open()
        try:
            yield desk
        finally:
            await desk.close()

    return open_desk
