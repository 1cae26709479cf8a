"""The bot of the docs plays."""

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path

from clients import Visitor
from servers import Site

import menagerie
from menagerie.games import names

DOCS = Path(__file__).parents[2] / "docs" / "bots.md"
SHORT = next(name for name in names() if not menagerie.game(name).game.long_turns)


def test_the_bot_of_the_docs_plays(site: Site, visitor: Visitor, tmp_path: Path) -> None:
    code = re.search(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert code
    file = tmp_path / "bot.py"
    file.write_text(code[1], encoding="utf-8")
    owner = Visitor(site.address)
    owner.post("/api/register", {"name": "Docsbot", "password": "something long"})
    token = owner.post("/api/tokens", {"label": "docs", "is_bot": True})["secret"]
    bot = subprocess.Popen(
        [sys.executable, str(file)], env={**os.environ, "SITE": site.address, "TOKEN": token, "GAME": SHORT}
    )
    try:
        asyncio.run(meet(visitor))
    finally:
        bot.kill()
        bot.wait()


async def meet(visitor: Visitor) -> None:
    """Accept the bot's seek and play two turns."""
    async with asyncio.timeout(60):
        while not (seeks := [seek for seek in visitor.get("/api/seeks") if seek["name"] == "Docsbot"]):
            await asyncio.sleep(0.2)
        match = visitor.post(f"/api/seeks/{seeks[0]['id']}/accept")["match"]
        async with visitor.sit(match) as seat:
            view = (await seat.hear("snapshot"))["match"]
            for _ in range(2):
                while not view["choice"]:
                    view = await seat.hear("played")
                position = view["position"]
                actions = [view["choice"]["actions"][0]["id"]]
                answer = await seat.ask("turn", ply=position["ply"], key=position["key"], actions=actions)
                assert answer["type"] == "ack"
                view = {"choice": None}
                seat.heard.clear()
            await seat.hear("played")
