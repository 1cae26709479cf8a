"""The server is killed, stopped, started again: nothing that was acknowledged is lost, nobody loses time."""

import asyncio
import subprocess
from pathlib import Path

import pytest
from clients import Visitor, chooser, pair
from servers import Site

import menagerie
from menagerie.games import names

SHORT = next(name for name in names() if not menagerie.game(name).game.long_turns)
CLOCK = {"type": "fischer", "seconds": 60, "added": 0}


@pytest.fixture
def database(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'site.db'}"


async def move(visitor: Visitor, match: str) -> int:
    """Make a turn; the ply."""
    async with visitor.sit(match) as seat:
        view = (await seat.hear("snapshot"))["match"]
        position = view["position"]
        actions = await seat.complete(view["choice"], position, chooser(1))
        answer = await seat.ask("turn", ply=position["ply"], key=position["key"], actions=actions)
        assert answer["type"] == "ack", answer
        return int(answer["ply"])


@pytest.mark.parametrize("ending", ["kill", "stop"])
def test_nothing_is_lost_by_a_restart(database: str, ending: str) -> None:
    with Site(database) as site:
        one, two = Visitor(site.address), Visitor(site.address)
        match = pair(one, two, SHORT, clock=CLOCK)
        for player in (one, two, one):
            asyncio.run(move(player, match))
        before = one.get(f"/api/matches/{match}")
        if ending == "kill":
            site.kill()
        else:
            assert site.stop() == 0
        site.start()
        after = one.get(f"/api/matches/{match}")
        assert after["turns"] == before["turns"] and after["position"] == before["position"]
        faces = zip(after["state"]["clocks"]["faces"], before["state"]["clocks"]["faces"], strict=True)
        assert all(now["bank_ms"] >= then["bank_ms"] for now, then in faces)
        assert asyncio.run(move(two, match)) == 3


def test_a_turn_whose_answer_was_lost_is_in_the_record_once(database: str) -> None:
    """Killed right after the turn was sent: sent again under the same id it is acknowledged, and there once."""
    with Site(database) as site:
        one, two = Visitor(site.address), Visitor(site.address)
        for pause in (0.0, 0.001, 0.003, 0.01):
            match = pair(one, two, SHORT)

            async def send_and_kill(match: str = match, pause: float = pause) -> dict[str, object]:
                async with one.sit(match) as seat:
                    view = (await seat.hear("snapshot"))["match"]
                    turn = {
                        "type": "turn",
                        "id": "only",
                        "ply": view["position"]["ply"],
                        "key": view["position"]["key"],
                        "actions": [view["choice"]["actions"][0]["id"]],
                    }
                    await seat.send(turn)
                    await asyncio.sleep(pause)
                    site.kill()
                    return turn

            turn = asyncio.run(send_and_kill())
            site.start()

            async def send_again(match: str = match, turn: dict[str, object] = turn) -> None:
                async with one.sit(match) as seat:
                    await seat.hear("snapshot")
                    kind = str(turn.pop("type"))
                    assert (await seat.ask(kind, 20, **turn))["type"] == "ack"

            asyncio.run(send_again())
            assert len(one.get(f"/api/matches/{match}")["turns"]) == 1


def test_the_machine_is_asked_again_after_a_restart(database: str) -> None:
    with Site(database) as site:
        one = Visitor(site.address)
        match = one.against_machine(SHORT, colour="second", level=8)
        site.kill()
        site.start()

        async def wait() -> None:
            async with one.sit(match) as seat:
                if not (await seat.hear("snapshot"))["match"]["turns"]:
                    await seat.hear("played", 240)

        asyncio.run(wait())


def test_a_worker_that_dies_is_replaced(database: str) -> None:
    with Site(database) as site:
        assert site.process
        one = Visitor(site.address)
        found = subprocess.run(["pgrep", "-P", str(site.process.pid)], capture_output=True, text=True, check=True)
        for worker in found.stdout.split():
            subprocess.run(["kill", "-9", worker], check=True)
        match = one.against_machine(SHORT, colour="second")

        async def wait() -> None:
            async with one.sit(match) as seat:
                if not (await seat.hear("snapshot"))["match"]["turns"]:
                    await seat.hear("played", 240)

        asyncio.run(wait())
        assert "menagerie_workers_replaced_total" in one.http.get("/metrics").text
