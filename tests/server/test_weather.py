"""The network cut and restored, floods, and several servers that share matches, the queue and who is here."""

import asyncio
import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from clients import Json, Seat, Visitor, closed, pair
from servers import Site, postgres_server, redis_server
from websockets.exceptions import ConnectionClosed

import menagerie
from menagerie.games import names

SHORT = next(name for name in names() if not menagerie.game(name).game.long_turns)


class Cable:
    """A network between clients and the server that can be cut: nothing passes, and nobody is told."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.is_cut = False

    async def __aenter__(self) -> "Cable":
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        self.address = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_reader, there = await asyncio.open_connection("127.0.0.1", self._port)
        await asyncio.gather(self._pass(reader, there), self._pass(there_reader, writer), return_exceptions=True)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            if not self.is_cut:
                writer.write(data)
        writer.close()


async def turn_of(seat: Seat) -> dict[str, object]:
    """A legal turn in the first position."""
    view = (await seat.hear("snapshot"))["match"]
    position = view["position"]
    action = view["choice"]["actions"][0]["id"]
    return {"id": "mine", "ply": position["ply"], "key": position["key"], "actions": [action]}


def test_the_network_is_cut_and_restored(site: Site, visitor: Visitor, other: Visitor) -> None:
    match = pair(visitor, other, SHORT)

    async def cut() -> None:
        async with Cable(site.port) as cable, other.sit(match) as rival:
            away = Visitor(cable.address)
            away.http.cookies = visitor.http.cookies
            line = await away.socket(match)
            seat = Seat(line)
            turn = await turn_of(seat)
            cable.is_cut = True
            await seat.send({"type": "turn", **turn})
            begun = time.monotonic()
            while (await rival.hear("changed", 40))["state"]["players"][0]["is_here"]:
                pass
            assert time.monotonic() - begun < 25, "a client that answers no ping is gone"
            line.transport.abort()
            cable.is_cut = False
            async with away.sit(match) as again:
                assert (await again.ask("turn", 20, **turn))["type"] == "ack"
                assert (await again.ask("turn", 20, **turn))["type"] == "ack"
            assert (await rival.hear("played"))["turn"]["ply"] == 0

    asyncio.run(cut())
    assert len(visitor.get(f"/api/matches/{match}")["turns"]) == 1


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server with its usual limits."""
    with Site(f"sqlite:///{tmp_path_factory.mktemp('limited') / 'site.db'}", limited=True) as running:
        yield running


def test_floods_are_refused_politely_and_disturb_nobody(limited: Site) -> None:
    one, two = Visitor(limited.address), Visitor(limited.address)
    match = pair(one, two, SHORT)

    async def flood() -> None:
        async with one.sit(match) as seat, two.sit(match) as rival:
            answers = [await seat.ask("say", text=f"line {number}") for number in range(10)]
            assert [answer["type"] for answer in answers].count("ack") < 10
            refused = next(answer for answer in answers if answer["type"] == "refused")
            assert refused["reason"] == "limit" and "wait" in refused["words"]
            assert (await rival.ask("say", text="calm"))["type"] == "ack"
            for number in range(300):
                await seat.send({"type": "ask", "id": f"f{number}", "ply": 0, "actions": []})
            heard: list[Json] = []
            try:
                while True:
                    heard.append(json.loads(await seat.connection.recv()))
            except ConnectionClosed as end:
                assert end.rcvd and end.rcvd.code == 1008
            limited_ones = [one for one in heard if one["type"] == "refused"]
            assert limited_ones and all(one["reason"] == "limit" and one["id"] for one in limited_ones)
            assert (await rival.ask("offer", what="draw"))["type"] == "ack"

    asyncio.run(flood())


def test_a_flood_of_turns_is_refused_politely_and_the_other_plays_on(limited: Site) -> None:
    one, two = Visitor(limited.address), Visitor(limited.address)
    match = pair(one, two, SHORT)

    async def flood() -> None:
        async with one.sit(match) as seat, two.sit(match) as rival:
            told = (await seat.hear("snapshot"))["match"]
            turn = {"type": "turn", "ply": 0, "key": told["position"]["key"]}
            action = told["choice"]["actions"][0]["id"]
            for number in range(200):
                await seat.send({**turn, "id": f"f{number}", "actions": [action]})
            assert await closed(seat.connection) == 1008
            reply = await rival.played(0)
            answer = {"ply": 1, "key": reply["position"]["key"], "actions": [reply["choice"]["actions"][0]["id"]]}
            assert (await rival.ask("turn", **answer))["type"] == "ack"
        async with one.sit(match) as seat:
            told = (await seat.hear("snapshot"))["match"]
            assert len(told["turns"]) == 2 and told["state"]["status"] == "playing", "one turn of a flood was played"

    asyncio.run(flood())


def test_a_flood_of_seeks_is_refused_politely_and_others_may_ask(limited: Site) -> None:
    one, two = Visitor(limited.address), Visitor(limited.address)
    answers = []
    for _ in range(60):
        answers.append(one.http.post("/api/seeks", json={"game": SHORT}))
        if answers[-1].status_code == 200:
            one.http.delete(f"/api/seeks/{answers[-1].json()['id']}")
    assert [answer.status_code for answer in answers[:30]] == [200] * 30 and answers[-1].status_code == 429
    assert "too many new matches and seeks: wait" in answers[-1].json()["error"]
    assert two.post("/api/seeks", {"game": SHORT})["is_mine"]


def test_passwords_cannot_be_tried_for_ever(limited: Site) -> None:
    visitor = Visitor(limited.address)
    answers = [
        visitor.http.post("/api/login", json={"name": "Somebody", "password": "x" * 8}).status_code for _ in range(14)
    ]
    assert answers[0] == 400 and answers[-1] == 429


def test_bodies_have_a_limit(limited: Site) -> None:
    visitor = Visitor(limited.address)
    assert "longer" in visitor.refused("/api/matches", {"game": "x" * 20_000}, 400)
    assert visitor.http.post("/api/matches", content=b"{}").status_code == 400


@contextmanager
def several() -> Iterator[tuple[list[Site], subprocess.Popen[bytes]]]:
    """Two servers without workers, and one worker elsewhere."""
    with (
        postgres_server() as database,
        redis_server() as redis,
        Site(database, redis, workers=0) as one,
        Site(database, redis, workers=0) as two,
    ):
        worker = subprocess.Popen([sys.executable, "-m", "menagerie", "work", "--redis", redis])
        try:
            yield [one, two], worker
        finally:
            worker.terminate()
            worker.wait(20)


def at(visitor: Visitor, site: Site) -> Visitor:
    """The same person at another server."""
    found = Visitor(site.address)
    found.http.cookies = visitor.http.cookies
    return found


def children_of(process: int) -> list[str]:
    """The processes that one has started, once it has."""
    for _ in range(1200):
        found = subprocess.run(["pgrep", "-P", str(process)], capture_output=True, text=True, check=False)
        if found.stdout:
            return found.stdout.split()
        time.sleep(0.1)
    raise AssertionError("it has started none")


def test_servers_and_workers_share_the_load() -> None:
    with several() as (sites, worker):
        one, two = Visitor(sites[0].address), Visitor(sites[1].address)
        seek = one.post("/api/seeks", {"game": SHORT, "colour": "first", "is_private": True})
        match = str(two.post(f"/api/seeks/{seek['id']}/accept")["match"])

        async def play() -> None:
            async with one.sit(match) as seat, two.sit(match) as rival:
                await rival.hear("snapshot")
                turn = await turn_of(seat)
                assert (await seat.ask("turn", 20, **turn))["type"] == "ack"
                played = await rival.hear("played")
                assert played["turn"]["ply"] == 0 and played["choice"], "it has come through Redis"
                assert played["state"]["players"][0]["is_here"] and played["state"]["players"][1]["is_here"]
            async with two.sit(match) as rival:
                is_here = True
                while is_here:
                    message = await rival.hear(("snapshot", "changed"), 40)
                    is_here = message.get("match", message)["state"]["players"][0]["is_here"]

        asyncio.run(play())
        machine = one.against_machine(SHORT, colour="second")

        async def wait() -> None:
            async with at(one, sites[1]).sit(machine) as seat:
                if not (await seat.hear("snapshot"))["match"]["turns"]:
                    assert (await seat.hear("played", 240))["turn"]["player"] == 0

        asyncio.run(wait())
        for child in children_of(worker.pid):
            subprocess.run(["kill", "-9", child], check=True)
        machine = one.against_machine(SHORT, colour="second", level=2)
        asyncio.run(wait())


def test_the_server_moves_itself_where_no_worker_is(tmp_path: Path) -> None:
    """No worker anywhere: the machine answers all the same, soon, and it is told that it was not itself."""
    with redis_server() as redis, Site(f"sqlite:///{tmp_path / 'site.db'}", redis, workers=0) as site:
        person = Visitor(site.address)
        for game in names():
            match = person.against_machine(game, colour="second", level=1)

            async def wait(match: str = match) -> Json:
                async with person.sit(match) as seat:
                    view = (await seat.hear("snapshot"))["match"]
                    return view if view["turns"] else await seat.hear("played", 240)

            state = asyncio.run(wait())["state"]
            assert state["engine"] == "stood_in", state
        turns = [person.get(f"/api/matches/{one['id']}")["turns"][0] for one in person.get("/api/me")["playing"]]
        assert min(turn["spent_ms"] for turn in turns) <= 10_000, "one that was not compiled meanwhile"


def test_health_and_figures(site: Site, visitor: Visitor) -> None:
    assert visitor.get("/health")["status"] == "ok"
    assert "menagerie_turns_total" in visitor.http.get("/metrics").text
    described = visitor.get("/api/openapi.json")
    assert "/api/matches/{match}" in described["paths"] and "MatchFact" in described["components"]["schemas"]
    assert visitor.http.get("/api/docs").status_code == 200
    assert visitor.http.get("/../../etc/passwd").status_code in (200, 404)
    assert visitor.http.get("/api/nothing").status_code == 404
    with socket.create_connection(("127.0.0.1", site.port)) as raw:
        raw.sendall(b"GET /../pyproject.toml HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert b"build-system" not in raw.makefile("rb").read()
    assert json.loads(visitor.http.get("/api/games/none").text)["error"]
