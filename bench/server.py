"""The site under load: delays, memory, where it saturates, and whether anything grows.

    python -m bench.server                       all of it, as below (about 20 minutes)
    python -m bench.server load  [--matches 500] matches of two clients each, thinking times as in blitz
    python -m bench.server watch                 50 machine matches, and 200 watchers on one match
    python -m bench.server saturate              thinking times halved until the delay's p99 passes 100 ms
    python -m bench.server soak  [--seconds 600] memory over ten minutes

    --database URL --redis URL --servers N   what to measure on; a fresh SQLite file and one server if not given

Clients run in processes of their own on the same machine, so they share its cores with the server. The delay is from a
turn sent to the opponent's receipt of it: parsing, rules, storing (fsync included), and two trips through sockets.
"""

import argparse
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import httpx
from rich.console import Console
from rich.table import Table

from bench.crowd import Findings, Orders, run_crowd
from menagerie.games import names

READY_SECONDS = 300
THINK = 5.0
"""Seconds for a turn, on average: a blitz game of 40 turns a side is played in about six minutes."""
MOST_DELAY = 0.1
CROWDS = 2
console = Console(width=140)


class Server:
    """A server process on a port of its own."""

    def __init__(self, database: str, redis: str, workers: int) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.address = f"http://127.0.0.1:{port}"
        words = ["serve", "--port", str(port), "--database", database, "--workers", str(workers), "--unlimited"]
        words += ["--redis", redis] if redis else []
        self.process = subprocess.Popen(
            [sys.executable, "-m", "menagerie", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self._wait()

    def _wait(self) -> None:
        begun = time.monotonic()
        while time.monotonic() - begun < READY_SECONDS and self.process.poll() is None:
            try:
                if httpx.get(f"{self.address}/health", timeout=5).is_success:
                    return
            except httpx.TransportError:
                time.sleep(0.2)
        raise SystemExit("the server did not start")

    @property
    def memory(self) -> int:
        """Bytes that it holds, its workers not counted."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) * 1024

    @property
    def cpu(self) -> float:
        """CPU seconds that it has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def serving(options: argparse.Namespace) -> Iterator[list[Server]]:
    """The servers to measure."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="bench"))
        database = options.database or f"sqlite:///{folder}/bench.db"
        servers = [Server(database, options.redis, options.workers) for _ in range(options.servers)]
        for server in servers:
            stack.callback(server.process.wait)
            stack.callback(server.process.terminate)
        yield servers


def crowd(servers: list[Server], orders: Orders) -> Findings:
    """What crowds find who share the work between them, each at one of the servers."""
    number = max(CROWDS, len(servers))
    shares = [
        replace(
            orders,
            address=servers[n % len(servers)].address,
            pairs=share(orders.pairs, n, number),
            machine=share(orders.machine, n, number),
            watchers=orders.watchers if n == 0 else 0,
        )
        for n in range(number)
    ]
    with ProcessPoolExecutor(number, mp_context=get_context("spawn")) as pool:
        findings = Findings()
        for found in pool.map(run_crowd, shares, range(number)):
            findings.add(found)
    return findings


def share(total: int, index: int, number: int) -> int:
    """One part of a whole number."""
    return total // number + (index < total % number)


def orders_of(think: float, pairs: int, seconds: float) -> Orders:
    """Pairs who play all games."""
    settle = 5 + pairs / 25
    return Orders("", list(names()), pairs, 0, 0, think, seconds, settle)


def load(options: argparse.Namespace) -> None:
    """Matches of two clients each."""
    with serving(options) as servers:
        before = sum(server.memory for server in servers)
        row, findings = measure(servers, orders_of(THINK, options.matches, options.seconds))
        after = sum(server.memory for server in servers)
        table = new_table(f"{options.matches} matches of two clients, {THINK:g} s thought a turn")
        table.add_row(*row)
        console.print(table)
        console.print(f"memory: {(after - before) / options.matches / 1024:.0f} KiB a match with its two sockets")
        report_errors(findings)


def watch(options: argparse.Namespace) -> None:
    """Machine matches, and many watchers of one match."""
    with serving(options) as servers:
        table = new_table("50 matches against level 3, and 200 watchers on one match")
        alone = replace(orders_of(THINK, 0, options.seconds), machine=50, settle=20)
        row, machine = measure(servers, alone)
        table.add_row(*("50 machine matches", *row[1:]))
        before = servers[0].memory
        many = replace(orders_of(2.0, 0, options.seconds), watchers=200, settle=15)
        row, watchers = measure(servers, many)
        table.add_row(*("200 watchers", *row[1:]))
        console.print(table)
        console.print(f"memory: {(servers[0].memory - before) / 200 / 1024:.0f} KiB a watcher's socket")
        if machine.answers:
            console.print(f"the machine's answer: p95 {quantile(machine.answers, 0.95) * 1000:.0f} ms")
        report_errors(machine)
        report_errors(watchers)


def saturate(options: argparse.Namespace) -> None:
    """Halve thinking times until the delay is too long."""
    table = new_table(f"{options.matches} matches, thinking times halved")
    with serving(options) as servers:
        think = THINK
        while think > 0.05:
            row, findings = measure(servers, orders_of(think, options.matches, 30))
            table.add_row(*row)
            if not findings.delays or quantile(findings.delays, 0.99) > MOST_DELAY:
                break
            think /= 2
    console.print(table)


def soak(options: argparse.Namespace) -> None:
    """Memory over time under a steady load."""
    with serving(options) as servers:
        seen = []
        for _ in range(5):
            orders = orders_of(THINK, min(options.matches, 200), options.seconds / 5)
            _, findings = measure(servers, orders)
            seen.append(sum(server.memory for server in servers))
            report_errors(findings)
        console.print("soak: " + ", ".join(f"{memory / 2**20:.1f}" for memory in seen) + " MiB after each fifth")


def measure(servers: list[Server], orders: Orders) -> tuple[tuple[str, ...], Findings]:
    """One load; a row of the table."""
    before = sum(server.cpu for server in servers)
    findings = crowd(servers, orders)
    used = (sum(server.cpu for server in servers) - before) / (orders.seconds + orders.settle)
    delays = findings.delays or findings.answers or [0.0]
    turns = len(findings.echoes) / orders.seconds
    row = (
        f"{orders.think:g} s",
        f"{turns:.1f}",
        f"{quantile(delays, 0.5) * 1000:.1f}",
        f"{quantile(delays, 0.95) * 1000:.1f}",
        f"{quantile(delays, 0.99) * 1000:.1f}",
        f"{used * 100:.0f} %",
        str(len(findings.errors)),
    )
    return row, findings


def quantile(values: list[float], part: float) -> float:
    """The value below which that part lies."""
    return (
        sorted(values)[min(len(values) - 1, int(part * len(values)))] if len(values) > 1 else statistics.fmean(values)
    )


def new_table(title: str) -> Table:
    """A table of loads."""
    table = Table(title=title)
    for heading in ("thought", "turns/s", "p50 ms", "p95 ms", "p99 ms", "server CPU", "errors"):
        table.add_column(heading, justify="right")
    return table


def report_errors(findings: Findings) -> None:
    """The first few, if there were any."""
    for error in findings.errors[:5]:
        console.print(f"[red]{error}[/]", highlight=False)


SECONDS = {"soak": 600.0}
MEASURES = {"load": load, "watch": watch, "saturate": saturate, "soak": soak}


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.server")
    parser.add_argument("what", nargs="*", choices=[[], *MEASURES], default=[])
    parser.add_argument("--matches", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=None)
    parser.add_argument("--database", default="")
    parser.add_argument("--redis", default="")
    parser.add_argument("--servers", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    chosen = options.seconds
    for what in options.what or MEASURES:
        options.seconds = chosen or SECONDS.get(what, 60.0)
        MEASURES[what](options)


if __name__ == "__main__":
    main()
