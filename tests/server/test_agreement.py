"""What players agree on and claim: draws, takebacks, rematches, abort, absence, time."""

import asyncio
import time

from clients import Seat, Visitor, pair
from haste import fastest
from servers import Site

import menagerie
from menagerie.games import names

SHORT = next(name for name in names() if not menagerie.game(name).game.long_turns)
DRAWLESS = [name for name in names() if not menagerie.game(name).game.draws_by_agreement]
FAST = {"type": "fischer", "seconds": 2, "added": 0}


async def first_turn(seat: Seat, kinds: str = "snapshot") -> None:
    """Make the first legal turn that the last message offers."""
    message = await seat.hear(kinds)
    view = message.get("match", message)
    answer = await seat.ask(
        "turn",
        ply=view["position"]["ply"],
        key=view["position"]["key"],
        actions=[view["choice"]["actions"][0]["id"]],
    )
    assert answer["type"] == "ack", answer


def test_a_draw_is_agreed_on_and_can_be_declined(visitor: Visitor, other: Visitor) -> None:
    match = pair(visitor, other, SHORT)

    async def agree() -> None:
        async with visitor.sit(match) as seat, other.sit(match) as rival:
            assert (await seat.ask("offer", what="draw"))["type"] == "ack"
            while (await rival.hear("changed"))["state"]["offers"]["draw"] != 0:
                pass
            assert (await rival.ask("decline", what="draw"))["type"] == "ack"
            assert (await rival.ask("decline", what="draw"))["reason"] == "impossible"
            assert "declined" in (await seat.ask("offer", what="draw"))["words"], "not again before a turn"
            await rival.ask("offer", what="draw")
            assert (await seat.ask("offer", what="draw"))["type"] == "ack"

    asyncio.run(agree())
    assert visitor.get(f"/api/matches/{match}")["state"]["outcome"]["reason"] == "agreement"


def test_a_draw_offered_with_a_turn_stands_until_the_other_has_moved(visitor: Visitor, other: Visitor) -> None:
    match = pair(visitor, other, SHORT)

    def offered() -> object:
        return visitor.get(f"/api/matches/{match}")["state"]["offers"]["draw"]

    async def lapse() -> None:
        async with visitor.sit(match) as seat, other.sit(match) as rival:
            await seat.ask("offer", what="draw")
            async with visitor.sit(match) as again:
                await first_turn(again)
            assert offered() == 0
            await first_turn(rival, "played")
            assert offered() is None

    asyncio.run(lapse())


def test_no_draws_by_agreement_where_the_rules_have_none(visitor: Visitor, other: Visitor) -> None:
    for game in DRAWLESS:
        match = pair(visitor, other, game)

        async def offer(match: str = match) -> None:
            async with visitor.sit(match) as seat:
                assert (await seat.ask("offer", what="draw"))["reason"] == "impossible"

        asyncio.run(offer())
        assert not visitor.get(f"/api/games/{game}")["can_draw"]


def test_a_turn_is_taken_back_by_agreement(visitor: Visitor, other: Visitor) -> None:
    match = pair(visitor, other, SHORT)

    async def take_back() -> None:
        async with visitor.sit(match) as seat, other.sit(match) as rival:
            assert (await seat.ask("offer", what="takeback"))["reason"] == "impossible", "there is nothing to take back"
        async with visitor.sit(match) as seat, other.sit(match) as rival:
            await first_turn(seat)
            await first_turn(rival, "played")
            await seat.ask("offer", what="takeback")
            seat.heard.clear()
            await rival.ask("offer", what="takeback")
            view = (await seat.hear("snapshot"))["match"]
            assert view["turns"] == [] and view["choice"] and view["position"]["ply"] == 0

    asyncio.run(take_back())
    assert visitor.get(f"/api/matches/{match}")["turns"] == []


def test_the_very_first_turn_is_taken_back_before_it_is_answered(visitor: Visitor, other: Visitor) -> None:
    match = pair(visitor, other, SHORT)

    async def take_back() -> None:
        async with visitor.sit(match) as seat, other.sit(match) as rival:
            await first_turn(seat)
            await rival.hear("played")
            assert (await rival.ask("offer", what="takeback"))["reason"] == "impossible", "it has made no turn itself"
            assert (await seat.ask("offer", what="takeback"))["type"] == "ack"
            assert (await rival.ask("offer", what="takeback"))["type"] == "ack"

    asyncio.run(take_back())
    assert visitor.get(f"/api/matches/{match}")["turns"] == []


def test_the_machine_lets_one_take_back_and_play_again(visitor: Visitor) -> None:
    match = visitor.against_machine(SHORT, colour="first")

    async def play() -> str:
        async with visitor.sit(match) as seat:
            await first_turn(seat)
            await seat.played(1)
            assert (await seat.ask("offer", what="takeback"))["type"] == "ack"
            assert (await seat.ask("offer", what="draw"))["reason"] == "impossible"
            await seat.ask("resign")
            await seat.ask("offer", what="rematch")
            return str(next(m for m in reversed(seat.heard) if m["type"] == "changed")["state"]["rematch"])

    again = visitor.get(f"/api/matches/{asyncio.run(play())}")
    assert again["seats"] == [1] and again["state"]["status"] == "playing"


def test_two_people_play_again_with_colours_exchanged(visitor: Visitor, other: Visitor) -> None:
    match = pair(visitor, other, SHORT)

    async def again() -> str:
        async with visitor.sit(match) as seat, other.sit(match) as rival:
            assert (await seat.ask("offer", what="rematch"))["reason"] == "impossible"
            await seat.ask("resign")
            await seat.ask("offer", what="rematch")
            await rival.ask("offer", what="rematch")
            return str(next(m for m in reversed(rival.heard) if m["type"] == "changed")["state"]["rematch"])

    assert visitor.get(f"/api/matches/{asyncio.run(again())}")["seats"] == [1]


def test_a_match_is_called_off_only_at_the_beginning(visitor: Visitor, other: Visitor) -> None:
    match, later = pair(visitor, other, SHORT), pair(visitor, other, SHORT)

    async def abort() -> None:
        async with visitor.sit(match) as seat:
            assert (await seat.ask("abort"))["type"] == "ack"
            assert (await seat.ask("resign"))["reason"] == "over"
        async with visitor.sit(later) as seat, other.sit(later) as rival:
            await first_turn(seat)
            await first_turn(rival, "played")
            assert (await seat.ask("abort"))["reason"] == "impossible"

    asyncio.run(abort())
    assert visitor.get(f"/api/matches/{match}")["state"]["status"] == "aborted"


def test_a_flag_falls_though_nobody_looks(visitor: Visitor, other: Visitor, site: Site) -> None:
    match = pair(visitor, other, SHORT, clock=FAST)

    async def begin() -> None:
        async with visitor.sit(match) as seat, other.sit(match) as rival:
            await first_turn(seat)
            await first_turn(rival, "played")

    asyncio.run(begin())
    begun = time.monotonic()
    while (found := Visitor(site.address).get(f"/api/matches/{match}")["state"])["status"] != "over":
        assert time.monotonic() - begun < 30
        time.sleep(0.1)
    assert found["outcome"]["reason"] == "time" and found["outcome"]["winner"] == 1


def test_the_flag_ends_the_match_within_half_a_second(visitor: Visitor, other: Visitor) -> None:
    async def wait() -> float:
        match = pair(visitor, other, SHORT, clock=FAST)
        async with visitor.sit(match) as seat, other.sit(match) as rival:
            await first_turn(seat)
            await first_turn(rival, "played")
            begun = time.monotonic()
            while (await seat.hear(("changed", "played")))["state"]["status"] != "over":
                pass
            return time.monotonic() - begun

    assert 0.5 < fastest(lambda: asyncio.run(wait()), 2.5) <= 2.5


def test_who_leaves_on_purpose_is_waited_for_ten_seconds(visitor: Visitor, other: Visitor) -> None:
    match = pair(visitor, other, SHORT)

    async def wait() -> None:
        async with other.sit(match) as rival:
            async with visitor.sit(match):
                while not (await rival.hear("changed"))["state"]["players"][0]["is_here"]:
                    pass
            state = (await rival.hear("changed"))["state"]
            assert not state["players"][0]["is_here"] and 0 < state["players"][0]["gone_ms"] <= 10_000
            assert (await rival.ask("claim", what="absent_win"))["reason"] == "impossible"
            async with visitor.sit(match):
                assert (await rival.hear("changed"))["state"]["players"][0]["is_here"]
            begun = time.monotonic()
            while "absent_win" not in (await rival.hear("changed"))["state"]["claims"]:
                pass
            assert 9 < time.monotonic() - begun < 25, "ten seconds, and not the half minute of a lost connection"
            assert (await rival.ask("claim", what="absent_win"))["type"] == "ack"

    asyncio.run(wait())
    assert visitor.get(f"/api/matches/{match}")["state"]["outcome"]["winner"] == 1


def test_a_lost_connection_is_waited_for_longer(visitor: Visitor, other: Visitor) -> None:
    match = pair(visitor, other, SHORT, clock={"type": "fischer", "seconds": 60, "added": 0})

    async def lose() -> None:
        async with other.sit(match) as rival:
            seat = await visitor.socket(match)
            while not (await rival.hear("changed"))["state"]["players"][0]["is_here"]:
                pass
            seat.transport.abort()
            while (state := (await rival.hear("changed"))["state"])["players"][0]["is_here"]:
                pass
            assert 10_000 < state["players"][0]["gone_ms"] <= 30_000 and state["claims"] == []
            assert (await rival.ask("claim", what="absent_win"))["reason"] == "impossible"

    asyncio.run(lose())


def test_no_close_code_of_a_client_hides_that_it_has_left(visitor: Visitor, other: Visitor) -> None:
    match = pair(visitor, other, SHORT)

    async def leave() -> None:
        async with other.sit(match) as rival:
            seat = await visitor.socket(match)
            while not (await rival.hear("changed"))["state"]["players"][0]["is_here"]:
                pass
            await seat.close(1012)
            assert not (await rival.hear("changed"))["state"]["players"][0]["is_here"]

    asyncio.run(leave())


def test_one_page_of_several_closed_is_no_absence(visitor: Visitor, other: Visitor) -> None:
    match = pair(visitor, other, SHORT)

    async def close_one() -> bool:
        async with visitor.sit(match) as seat:
            await seat.hear("snapshot")
            async with visitor.sit(match) as second:
                await second.hear("snapshot")
            await asyncio.sleep(0.3)
            return bool(other.get(f"/api/matches/{match}")["state"]["players"][0]["is_here"])

    assert asyncio.run(close_one())


def test_two_people_at_one_screen(visitor: Visitor) -> None:
    match = str(visitor.post("/api/matches", {"game": SHORT, "against": "same_screen"})["match"])

    async def play() -> None:
        async with visitor.sit(match) as seat:
            await first_turn(seat)
            played = next(m for m in seat.heard if m["type"] == "played")
            assert played["choice"], "the same client has the next turn too"
            await seat.ask("offer", what="takeback")

    asyncio.run(play())
    assert visitor.get(f"/api/matches/{match}")["turns"] == []


def test_only_players_talk(visitor: Visitor, other: Visitor, site: Site) -> None:
    match = pair(visitor, other, SHORT)
    stranger = Visitor(site.address)
    stranger.against_machine(SHORT)

    async def talk() -> None:
        async with visitor.sit(match) as seat, stranger.sit(match) as watcher:
            assert (await seat.ask("say", text="hello"))["type"] == "ack"
            answer = await watcher.ask("say", text="move the other one")
            assert answer["reason"] == "seat" and "only the players" in answer["words"]

    asyncio.run(talk())
    line = {"type": "say", "id": "x", "text": "move the other one"}
    assert "only the players" in stranger.refused(f"/api/matches/{match}/messages", line, 403)
    assert [line["text"] for line in visitor.get(f"/api/matches/{match}")["chat"]] == ["hello"]


def test_questions_answers_and_reasons(visitor: Visitor) -> None:
    match = visitor.against_machine(SHORT, colour="first")
    start = menagerie.game(SHORT).start()
    turn = start.turns()[0]

    async def ask() -> None:
        async with visitor.sit(match) as seat:
            meant = await seat.ask("typed", ply=0, text=str(turn))
            assert meant["follows"]["actions"] == list(turn.indices) and meant["follows"]["choice"]["is_whole"]
            wrong = await seat.ask("typed", ply=0, text=turn.code[:-1] + "9")
            assert wrong["type"] == "refused" and wrong["words"]
            square = next(name for name in start.game.board.squares if start.piece_at(name) is None)
            assert (await seat.ask("why", ply=0, actions=[], touches=[square]))[
                "words"
            ] == f"there is no piece on {square}"

    asyncio.run(ask())
