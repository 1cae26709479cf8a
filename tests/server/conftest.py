"""A server for all tests of this folder that do not disturb it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from clients import Visitor
from servers import Site


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server on SQLite, without limits on rates."""
    folder: Path = tmp_path_factory.mktemp("site")
    with Site(f"sqlite:///{folder / 'site.db'}") as running:
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
