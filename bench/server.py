"""The site under load: delays, memory, where it saturates, and whether anything grows.

    python -m bench.server                       all of it, as below (about half an hour)
    python -m bench.server load  [--matches 500] matches of two clients each, thinking times as in blitz
    python -m bench.server watch                 50 machine matches and 200 watchers on one match, at the same time
    python -m bench.server saturate              thinking times halved until the delay's p99 passes 100 ms
    python -m bench.server soak  [--seconds 600] memory over ten minutes of load, and the pauses between

It ends with 1 where something is not as the site promises.

    --database URL --redis URL --servers N   what to measure on; a fresh SQLite file and one server if not given

Clients run in processes of their own on the same machine, so they share its cores with the server. The delay is from a
turn sent to the opponent's receipt of it: parsing, rules, storing (fsync included), and two trips through sockets.
"""

import argparse
import math
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
MOST_DELAY, MOST_TRIP = 0.1, 0.2
"""Seconds: the p99 between two people, and the p95 beside 50 machine matches and 200 watchers."""
VISITS, FILLING, EMPTY_SECONDS = 7, 3, 130.0
"""A room is forgotten a minute after the last has left, and memory given back within another."""
MOST_GROWTH = 1.0
"""MiB, less than two matches keep."""
MANY, WATCHED_SECONDS = 400, 10.0
"""Watchers of one match, half of them at first: what the others add is what a socket takes."""
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
        return self._status("VmRSS")

    @property
    def most_memory(self) -> int:
        """The most bytes that it has held."""
        return self._status("VmHWM")

    def _status(self, name: str) -> int:
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        return int(next(line for line in status.splitlines() if line.startswith(name)).split()[1]) * 1024

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
    """Matches of two clients each; before them, a match with as many watchers, to see what a socket takes."""
    with serving(options) as servers:
        _, findings = measure(servers, replace(orders_of(THINK, 1, WATCHED_SECONDS), watchers=MANY // 2))
        report(findings)
        before = sum(server.most_memory for server in servers)
        _, findings = measure(servers, replace(orders_of(THINK, 1, WATCHED_SECONDS), watchers=MANY))
        report(findings)
        grown = sum(server.most_memory for server in servers) - before
        console.print(f"memory: {grown / (MANY - MANY // 2) / 1024:.0f} KiB a watcher's socket")
    with serving(options) as servers:
        before = sum(server.memory for server in servers)
        row, findings = measure(servers, orders_of(THINK, options.matches, options.seconds))
        after = sum(server.memory for server in servers)
        table = new_table(f"{options.matches} matches of two clients, {THINK:g} s thought a turn")
        table.add_row(*row)
        console.print(table)
        require(bool(findings.delays) and quantile(findings.delays, 0.99) <= MOST_DELAY, "the p99 is too long")
        console.print(f"memory: {(after - before) / options.matches / 1024:.0f} KiB a match with its two sockets")
        report(findings)


def watch(options: argparse.Namespace) -> None:
    """Machine matches, and many watchers of one match, all at once, as the site promises."""
    with serving(options) as servers:
        before = servers[0].memory
        orders = replace(orders_of(2.0, 0, options.seconds), machine=50, watchers=200, settle=30)
        row, findings = measure(servers, orders)
        table = new_table("50 matches against level 3 and 200 watchers on one match, at the same time")
        table.add_row(*row)
        console.print(table)
        trip = quantile(findings.echoes, 0.95) if findings.echoes else math.inf
        seen = quantile(findings.delays, 0.95) if findings.delays else math.inf
        machine = quantile(findings.answers, 0.95) if findings.answers else math.inf
        console.print(
            f"p95: {trip * 1000:.0f} ms from a turn to its acknowledgement, {seen * 1000:.0f} ms to a watcher, "
            f"{machine * 1000:.0f} ms to the machine's answer; {(servers[0].memory - before) / 2**20:.0f} MiB for all"
        )
        report(findings)
        require(max(trip, seen) <= MOST_TRIP, f"a round trip is to take at most {MOST_TRIP * 1000:.0f} ms")


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
    """Memory under a steady load: crowds come and go, and after each everything they have left is given back."""
    with serving(options) as servers:
        pairs, seen = min(options.matches, 200), []
        orders = replace(orders_of(THINK, pairs, options.seconds / VISITS), machine=10, watchers=40)
        for _ in range(VISITS):
            _, findings = measure(servers, orders)
            report(findings)
            time.sleep(EMPTY_SECONDS)
            seen.append(sum(server.memory for server in servers) / 2**20)
            console.print(f"soak: {seen[-1]:.1f} MiB when everybody had left")
        slope = statistics.linear_regression(range(VISITS - FILLING), seen[FILLING:]).slope
        console.print(f"soak: {slope:+.2f} MiB a crowd, the first {FILLING} of {VISITS} not counted: caches fill")
        require(slope <= MOST_GROWTH, f"memory is to grow by no more than {MOST_GROWTH} MiB a crowd")


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


def report(findings: Findings) -> None:
    """The first few errors, if there were any, and that none were allowed."""
    for error in findings.errors[:5]:
        console.print(f"[red]{error}[/]", highlight=False)
    require(not findings.errors, f"{len(findings.errors)} errors")


def require(is_so: bool, words: str) -> None:
    """Note what does not hold; the command ends with it."""
    if not is_so:
        console.print(f"[red]not as it should be: {words}[/]", highlight=False)
        broken.append(words)


broken: list[str] = []
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
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
