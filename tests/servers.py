"""Real servers for tests: the site as a process, and PostgreSQL and Redis, installed and started where missing."""

import fcntl
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

import httpx

READY_SECONDS = 180
"""The first start may have to compile every game."""


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Site:
    """A server process. It can be killed and started again on the same database."""

    def __init__(self, database: str, redis: str = "", workers: int = 1, limited: bool = False) -> None:
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        words = ["serve", "--port", str(self.port), "--database", database, "--workers", str(workers)]
        words += ["--redis", redis] if redis else []
        words += [] if limited else ["--unlimited"]
        self.command = [sys.executable, "-m", "menagerie", *words]
        self.log = tempfile.NamedTemporaryFile("w+", prefix="site", suffix=".log")  # noqa: SIM115 - it lives as long
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> "Site":
        """Start the process and wait until it answers."""
        self.process = subprocess.Popen(self.command, stdout=self.log, stderr=self.log, text=True)
        begun = time.monotonic()
        while time.monotonic() - begun < READY_SECONDS:
            with suppress(httpx.TransportError):
                if httpx.get(f"{self.address}/health", timeout=5).status_code == 200:
                    return self
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        raise AssertionError(f"the server did not start:\n{self.said()}")

    def said(self) -> str:
        """What it has written to its log."""
        return Path(self.log.name).read_text(encoding="utf-8")

    def kill(self) -> None:
        """End it without warning."""
        assert self.process
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """Ask it to end; its exit code."""
        assert self.process
        self.process.terminate()
        return self.process.wait(30)

    def __enter__(self) -> "Site":
        return self.start()

    def __exit__(self, fault: object, *_: object) -> None:
        if self.process and self.process.poll() is None:
            self.kill()
        if fault:
            print(self.said())


@cache
def installed(package: str, program: str) -> Path:
    """A program of Debian's, installed if it is missing, by one process while the others wait."""
    if not found(program):
        if os.geteuid() != 0:
            raise AssertionError(f"{program} is missing: run  apt-get install {package}  as root, then the tests again")
        with (Path(tempfile.gettempdir()) / "menagerie-install.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not found(program):
                install(package)
    path = found(program)
    assert path, f"{program} is missing, and {package} does not bring it"
    return path


def found(program: str) -> Path | None:
    """Where a program lies; Debian keeps PostgreSQL's in a folder of their own."""
    path = shutil.which(program) or next(iter(Path("/usr/lib/postgresql").glob(f"*/bin/{program}")), None)
    return Path(path) if path else None


def install(package: str) -> None:
    """Install a package of Debian's, after whoever else is installing just now."""
    apt = ["apt-get", "-qq", "-o", "DPkg::Lock::Timeout=300"]
    subprocess.run([*apt, "update"], check=False)
    subprocess.run([*apt, "install", "-y", "--no-install-recommends", package], check=True)


class Redis:
    """A Redis of our own, which can die, come back, and hang."""

    def __init__(self) -> None:
        self._port = free_port()
        self.address = f"redis://127.0.0.1:{self._port}/0"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> "Redis":
        """Start it, empty."""
        program = installed("redis-server", "redis-server")
        words = [str(program), "--port", str(self._port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen(words, stdout=quiet, stderr=quiet, cwd=tempfile.gettempdir())
        wait_for_port(self._port)
        return self

    def kill(self) -> None:
        """End it without warning."""
        assert self._process
        self._process.kill()
        self._process.wait()

    def hang(self) -> None:
        """Let it take connections and answer nothing."""
        assert self._process
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it answer again."""
        assert self._process
        self._process.send_signal(signal.SIGCONT)


@contextmanager
def redis_process() -> Iterator[Redis]:
    """A Redis to be disturbed."""
    redis = Redis().start()
    try:
        yield redis
    finally:
        redis.kill()


@contextmanager
def redis_server() -> Iterator[str]:
    """A Redis that is left in peace; its address."""
    with redis_process() as redis:
        yield redis.address


@contextmanager
def postgres_server() -> Iterator[str]:
    """A PostgreSQL of our own; the address of its database. It never runs as root."""
    installed("postgresql", "initdb")
    bins = next(Path("/usr/lib/postgresql").glob("*/bin"))
    port, folder = free_port(), Path(tempfile.mkdtemp(prefix="postgres"))
    as_other = []
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
        folder.chmod(0o700)
        as_other = ["runuser", "-u", "postgres", "--"]
    data = str(folder / "data")
    initdb = [str(bins / "initdb"), "-D", data, "-U", "menagerie", "-A", "trust", "-E", "UTF8", "--no-sync"]
    subprocess.run([*as_other, *initdb], check=True, stdout=subprocess.DEVNULL, cwd=folder)
    options = ["-p", str(port), "-c", "listen_addresses=127.0.0.1", "-c", f"unix_socket_directories={folder}"]
    options += ["-c", "max_connections=100"]
    process = subprocess.Popen(
        [*as_other, str(bins / "postgres"), "-D", data, *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        start_new_session=True,
    )
    try:
        wait_for_port(port)
        time.sleep(0.5)
        yield f"postgresql://menagerie@127.0.0.1:{port}/postgres"
    finally:
        subprocess.run(
            [*as_other, str(bins / "pg_ctl"), "stop", "-D", data, "-m", "immediate"],
            check=False,
            stdout=subprocess.DEVNULL,
            cwd=folder,
        )
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        shutil.rmtree(folder, ignore_errors=True)


def wait_for_port(port: int) -> None:
    """Wait until somebody listens on a port."""
    begun = time.monotonic()
    while time.monotonic() - begun < 30:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError(f"nobody listens on port {port}")
