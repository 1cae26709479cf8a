"""How a server is set up."""

import os
from dataclasses import dataclass, field
from pathlib import Path


def data_folder() -> Path:
    """Where the embedded database lives if nothing else is said."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "menagerie"


def default_database() -> str:
    """The embedded database of this user."""
    return f"sqlite:///{data_folder() / 'menagerie.db'}"


def default_pages() -> Path:
    """The built pages of the browser client: in the package, or beside it in a checkout."""
    packaged = Path(__file__).parent / "pages"
    return packaged if packaged.is_dir() else Path(__file__).parents[3] / "web" / "dist"


@dataclass(frozen=True)
class Settings:
    """Everything that can be set."""

    host: str = "127.0.0.1"
    port: int = 8000
    database: str = field(default_factory=default_database)
    redis: str | None = None
    workers: int = 1
    pages: Path = field(default_factory=default_pages)
    proxies: str = "127.0.0.1"
    """The addresses of proxies whose word about a client's address is taken."""
    unlimited: bool = False
    """Whether rates are not limited, for measurements."""
    access_log: bool = False
