"""Matches over real sockets: whole games of every kind, refusals that change nothing, offers, claims, clocks."""

import asyncio
from typing import Any

import pytest
from clients import Visitor, chooser, closed, pair
from servers import Site

import menagerie
from menagerie import Match
from menagerie.games import names

Json = dict[str, Any]


@pytest.mark.parametrize("game", names())
def test_a_whole_match_between_two_people(site: Site, visitor: Visitor, other: Visitor, game: str) -> None:
    match = pair(visitor, other, game)
    asyncio.run(play_out(visitor, other, match))
    end = visitor.get(f"/api/matches/{match}")
    watcher = Visitor(site.address).get(f"/api/matches/{match}")
    assert end["turns"] == watcher["turns"] and end["position"] == watcher["position"]
    assert watcher["seats"] == [] and end["seats"] == [0]
    assert [turn["ply"] for turn in end["turns"]] == list(range(len(end["turns"])))
    record = visitor.http.get(f"/api/matches/{match}/record").text
    read = Match.read(record)
    assert str(read.position) == end["position"]["text"]
    assert read.outcome and read.outcome.words == end["state"]["outcome"]["words"]
    replayed = replay(end)
    assert replayed == sorted(
        (piece["square"], piece["player"], piece["letter"]) for piece in end["position"]["pieces"]
    )


async def play_out(one: Visitor, two: Visitor, match: str, most: int = 60) -> None:
    """Play by chance to the end, or until somebody resigns."""
    pick = chooser(5)
    async with one.sit(match) as first, two.sit(match) as second:
        seats = [first, second]
        views = [(await seat.hear("snapshot"))["match"] for seat in seats]
        position, choice, state = views[0]["position"], views[0]["choice"], views[0]["state"]
        for _ in range(most):
            mover = seats[position["player"]]
            assert choice, "the player to move has a choice"
            actions = await mover.complete(choice, position, pick)
            answer = await mover.ask("turn", ply=position["ply"], key=position["key"], actions=actions)
            assert answer["type"] == "ack" and answer["ply"] == position["ply"], answer
            played = [await seat.played(position["ply"]) for seat in seats]
            assert played[0]["turn"] == played[1]["turn"] and played[0]["position"] == played[1]["position"]
            position, state = played[0]["position"], played[0]["state"]
            if state["status"] == "over":
                return
            assert played[1 - position["player"]]["choice"] is None
            choice = played[position["player"]]["choice"]
        assert (await first.ask("resign"))["type"] == "ack"
        assert (await second.hear("changed"))["state"]["outcome"]["reason"] == "resignation"


def replay(match: Json) -> list[tuple[str, int, str]]:
    """The pieces at the end, by applying the changes of every step to the start as a client does."""
    board = {piece["square"]: (piece["player"], piece["letter"]) for piece in match["start"]["pieces"]}
    for turn in match["turns"]:
        for step in turn["steps"]:
            for change in step["changes"]:
                before = change["before"]
                assert board.get(change["square"]) == (before and (before["player"], before["letter"]))
                board.pop(change["square"], None)
                if change["after"]:
                    board[change["square"]] = (change["after"]["player"], change["after"]["letter"])
    return sorted((square, player, letter) for square, (player, letter) in board.items())


@pytest.mark.parametrize("game", names())
def test_the_machine_answers(visitor: Visitor, game: str) -> None:
    match = visitor.against_machine(game, colour="second", level=1)

    async def play() -> None:
        async with visitor.sit(match) as seat:
            snapshot = await seat.hear("snapshot")
            turns = len(snapshot["match"]["turns"])
            choice, position = snapshot["match"]["choice"], snapshot["match"]["position"]
            if turns == 0:
                played = await seat.hear("played", 240)
                choice, position = played["choice"], played["position"]
            actions = await seat.complete(choice, position, chooser(2))
            await seat.ask("turn", ply=position["ply"], key=position["key"], actions=actions)
            while (await seat.hear("played", 240))["turn"]["player"] != 0:
                pass

    asyncio.run(play())


def start_of(game: str) -> menagerie.Position:
    return menagerie.game(game).start()


def test_forged_and_malformed_messages_change_nothing(visitor: Visitor, other: Visitor, site: Site) -> None:
    game = next(name for name in names() if not menagerie.game(name).game.long_turns)
    match = pair(visitor, other, game, clock={"type": "fischer", "seconds": 60, "added": 0})

    async def forge() -> None:
        stranger = Visitor(site.address)
        async with visitor.sit(match) as seat, other.sit(match) as rival, stranger.sit(match) as watcher:
            view = (await seat.hear("snapshot"))["match"]
            ply, key = view["position"]["ply"], view["position"]["key"]
            legal = [view["choice"]["actions"][0]["id"]]
            await rival.hear("snapshot"), await watcher.hear("snapshot")
            turn = {"ply": ply, "key": key, "actions": legal}
            for who, content, reason in [
                (rival, turn, "seat"),
                (watcher, turn, "seat"),
                (seat, {**turn, "ply": ply + 1}, "late"),
                (seat, {**turn, "key": "0" * 16}, "late"),
                (seat, {**turn, "actions": [60000]}, "illegal"),
                (seat, {**turn, "actions": legal * 2}, "illegal"),
            ]:
                assert (await who.ask("turn", **content))["reason"] == reason, content
            assert (await rival.ask("claim", what="absent_win"))["reason"] == "impossible"
            assert (await watcher.ask("resign"))["reason"] == "seat"
            for text in (
                f'{{"type":"turn","id":"x","ply":0,"key":"{key}","actions":[1],"clock":99}}',
                f'{{"type":"turn","id":"x","ply":0,"key":"{key}","actions":[1],"seat":1}}',
                '{"type":"win"}',
                "[]",
                "{",
                f'{{"type":"turn","id":"x","ply":-1,"key":"{key}","actions":[]}}',
                '{"type":"say","id":"x","text":""}',
            ):
                await seat.connection.send(text)
                refused = await seat.hear("refused")
                name = "x" if '"id":"x"' in text else None
                assert (refused["reason"], refused["id"]) == ("malformed", name), (
                    "it is told by the name it was sent under"
                )
            await rival.connection.send("x" * 5000)
            assert await closed(rival.connection) == 1009

    asyncio.run(forge())
    after = visitor.get(f"/api/matches/{match}")
    assert after["turns"] == [] and after["state"]["status"] == "playing"
    assert all(face["bank_ms"] == 60_000 for face in after["state"]["clocks"]["faces"])


def test_a_page_of_another_site_cannot_connect_or_post(visitor: Visitor) -> None:
    game = names()[0]
    match = visitor.against_machine(game)

    async def connect() -> int:
        async with visitor.socket(match, origin="https://evil.example") as connection:
            return await closed(connection)

    assert asyncio.run(connect()) == 1008
    body = {"game": game, "against": "machine"}
    assert visitor.http.post("/api/matches", json=body, headers={"Origin": "https://evil.example"}).status_code == 403


def test_a_turn_sent_twice_is_played_once(visitor: Visitor, other: Visitor) -> None:
    game = next(name for name in names() if not menagerie.game(name).game.long_turns)
    match = pair(visitor, other, game)

    async def twice() -> None:
        async with visitor.sit(match) as seat:
            view = (await seat.hear("snapshot"))["match"]
            turn = {
                "id": "mine",
                "ply": view["position"]["ply"],
                "key": view["position"]["key"],
                "actions": [view["choice"]["actions"][0]["id"]],
            }
            assert (await seat.ask("turn", **turn))["type"] == "ack"
            assert (await seat.ask("turn", **turn))["type"] == "ack"
            assert (await seat.ask("turn", **{**turn, "id": "other"}))["reason"] == "late"
        async with visitor.sit(match) as seat:
            assert (await seat.ask("turn", **turn))["type"] == "ack"

    asyncio.run(twice())
    assert len(visitor.get(f"/api/matches/{match}")["turns"]) == 1


def test_a_client_that_comes_back_hears_what_it_has_missed(visitor: Visitor, other: Visitor) -> None:
    game = next(name for name in names() if not menagerie.game(name).game.long_turns)
    match = pair(visitor, other, game)

    async def come_back() -> None:
        async with visitor.sit(match) as seat, other.sit(match) as rival:
            view = (await seat.hear("snapshot"))["match"]
            version = (await rival.hear("snapshot"))["v"]
            position = view["position"]
            action = view["choice"]["actions"][0]["id"]
            await seat.ask("turn", ply=position["ply"], key=position["key"], actions=[action])
            await seat.ask("say", text="hello")
        async with other.sit(match, version) as again:
            played = await again.hear("played")
            assert played["turn"]["ply"] == 0 and played["choice"]
            assert (await again.hear("said"))["line"]["text"] == "hello"
            assert "snapshot" not in [message["type"] for message in again.heard]
        async with other.sit(match, 10_000) as lost:
            assert len((await lost.hear("snapshot"))["match"]["turns"]) == 1

    asyncio.run(come_back())
