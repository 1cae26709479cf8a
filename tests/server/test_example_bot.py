"""The bot of the docs plays."""

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from clients import Visitor
from servers import Site

import menagerie
from menagerie.games import names

DOCS = Path(__file__).parents[2] / "docs" / "bots.md"
SHORT = next(name for name in names() if not menagerie.game(name).game.long_turns)


@contextmanager
def bot(site: Site, name: str, folder: Path) -> Iterator[None]:
    """The bot of the docs, at work under a name."""
    code = re.search(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert code
    file = folder / "bot.py"
    file.write_text(code[1], encoding="utf-8")
    owner = Visitor(site.address)
    owner.post("/api/register", {"name": name, "password": "something long"})
    token = owner.post("/api/tokens", {"label": "docs", "is_bot": True})["secret"]
    program = subprocess.Popen(
        [sys.executable, str(file)], env={**os.environ, "SITE": site.address, "TOKEN": token, "GAME": SHORT}
    )
    try:
        yield
    finally:
        program.kill()
        program.wait()


def test_the_bot_of_the_docs_plays(site: Site, visitor: Visitor, tmp_path: Path) -> None:
    with bot(site, "Docsbot", tmp_path):
        asyncio.run(play(visitor, asyncio.run(meet(visitor, "Docsbot")), 2))


def test_the_bot_of_the_docs_comes_back_when_the_server_does(tmp_path: Path) -> None:
    """It plays on in its match, and seeks the next."""
    with Site(f"sqlite:///{tmp_path / 'site.db'}") as site, bot(site, "Docsbot", tmp_path):
        visitor = Visitor(site.address)
        match = asyncio.run(meet(visitor, "Docsbot"))
        asyncio.run(play(visitor, match, 1))
        site.kill()
        site.start()
        asyncio.run(play(visitor, match, 1))
        visitor.post(f"/api/matches/{match}/messages", {"type": "resign", "id": "x"})
        assert asyncio.run(meet(visitor, "Docsbot")) != match


async def meet(visitor: Visitor, name: str) -> str:
    """Accept the bot's seek."""
    async with asyncio.timeout(60):
        while not (seeks := [seek for seek in visitor.get("/api/seeks") if seek["name"] == name]):
            await asyncio.sleep(0.2)
    return str(visitor.post(f"/api/seeks/{seeks[0]['id']}/accept")["match"])


async def play(visitor: Visitor, match: str, turns: int) -> None:
    """Play some turns, and hear the answer to the last."""
    async with visitor.sit(match) as seat:
        view = (await seat.hear("snapshot"))["match"]
        for _ in range(turns):
            while not view["choice"]:
                view = await seat.hear("played")
            position = view["position"]
            actions = [view["choice"]["actions"][0]["id"]]
            answer = await seat.ask("turn", ply=position["ply"], key=position["key"], actions=actions)
            assert answer["type"] == "ack"
            view = {"choice": None}
            seat.heard.clear()
        while (await seat.hear("played"))["turn"]["ply"] == position["ply"]:
            pass
