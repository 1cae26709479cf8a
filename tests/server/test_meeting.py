"""People: guests, accounts, invitations, the lobby, rules in words, ratings, tokens."""

import asyncio
import json
import time

import pytest
from clients import Seat, Visitor, closed, pair
from servers import Site
from websockets.asyncio.client import connect

import menagerie
from menagerie import Turn
from menagerie.games import names
from menagerie.server.lobby import TOO_MANY

SHORT = next(name for name in names() if not menagerie.game(name).game.long_turns)
WITH_OPTIONS = next(name for name in names() if menagerie.game(name).game.options.names())


def account(site: Site, name: str) -> Visitor:
    """Somebody with an account."""
    visitor = Visitor(site.address)
    visitor.post("/api/register", {"name": name, "password": "correct horse"})
    return visitor


def resign_first(visitor: Visitor, match: str) -> None:
    """Give up at once."""

    async def resign() -> None:
        async with visitor.sit(match) as seat:
            assert (await seat.ask("resign"))["type"] == "ack"

    asyncio.run(resign())


def turn_each(match: str, *players: Visitor) -> None:
    """A turn of each of these, one after the other, and the machine's if it has one to make."""
    for number, player in enumerate(players):
        told = player.get(f"/api/matches/{match}")
        key, action = told["position"]["key"], told["choice"]["actions"][0]["id"]
        message = {"type": "turn", "id": f"t{number}", "ply": number, "key": key, "actions": [action]}
        assert player.post(f"/api/matches/{match}/messages", message)["type"] == "ack"
    while len(players[0].get(f"/api/matches/{match}")["turns"]) < 2:
        time.sleep(0.05)


def test_nobody_is_somebody_before_it_matters(visitor: Visitor) -> None:
    assert visitor.get("/api/me") == {"person": None, "playing": [], "invitations": []}
    match = visitor.against_machine(SHORT, colour="first")
    me = visitor.get("/api/me")
    assert me["person"]["kind"] == "guest" and [one["id"] for one in me["playing"]] == [match]
    assert me["playing"][0]["is_your_turn"]


def test_a_guest_who_registers_keeps_everything(site: Site, visitor: Visitor) -> None:
    match = visitor.against_machine(SHORT)
    visitor.post("/api/register", {"name": "Keeper", "password": "long enough"})
    me = visitor.get("/api/me")
    assert me["person"]["name"] == "Keeper" and [one["id"] for one in me["playing"]] == [match]
    again = Visitor(site.address)
    assert again.refused("/api/login", {"name": "keeper", "password": "not this one"}, 400)
    assert again.post("/api/login", {"name": "keeper", "password": "long enough"})["playing"][0]["id"] == match
    assert again.get(f"/api/matches/{match}")["seats"] == visitor.get(f"/api/matches/{match}")["seats"] != []
    again.post("/api/logout")
    assert again.get("/api/me")["person"] is None


def test_names_are_taken_once_and_passwords_are_long(site: Site, visitor: Visitor) -> None:
    account(site, "Unique")
    assert "taken" in visitor.refused("/api/register", {"name": "uNIQUE", "password": "long enough"})
    for name, password in (
        ("x", "long enough"),
        ("Good", "short"),
        ("with space", "long enough"),
        ("9lives", "12345678"),
    ):
        visitor.refused("/api/register", {"name": name, "password": password}, 400)


def test_the_cookie_is_out_of_reach_of_scripts(visitor: Visitor) -> None:
    answer = visitor.http.post("/api/matches", json={"game": SHORT, "against": "machine"})
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=lax" in cookie


def test_an_invitation_says_in_words_what_will_be_played(visitor: Visitor, other: Visitor) -> None:
    game = menagerie.game(WITH_OPTIONS).game
    option = game.options.names()[0]
    value = game.options.values(option)[1]
    clock = {"type": "fischer", "seconds": 300, "added": 3}
    seek = visitor.post(
        "/api/seeks",
        {"game": game.name, "options": {option: value}, "clock": clock, "colour": "second", "is_private": True},
    )
    seen = other.get(f"/api/seeks/{seek['id']}")
    assert seen["clock"] == "5 minutes + 3 seconds per turn" and game.players[0] in seen["colour_words"]
    assert [rule for rule in seen["rules"] if value in rule and "not the usual" in rule] == seen["unusual"]
    own = visitor.get(f"/api/seeks/{seek['id']}")
    assert own["is_mine"] and game.players[1] in own["colour_words"], "each side reads what it plays itself"
    assert seek["id"] not in [one["id"] for one in other.get("/api/seeks")], "a private one is not in the lobby"
    visitor.refused(f"/api/seeks/{seek['id']}/accept")
    match = other.post(f"/api/seeks/{seek['id']}/accept")["match"]
    assert other.get(f"/api/matches/{match}")["seats"] == [0]
    assert other.get(f"/api/matches/{match}")["options"][option] == value
    assert "faster" in Visitor(visitor.address).refused(f"/api/seeks/{seek['id']}/accept", None, 409)
    assert visitor.get(f"/api/seeks/{seek['id']}")["match"] == match


@pytest.mark.parametrize(
    "wrong",
    [
        {"game": "chess"},
        {"options": {"no_such": "on"}},
        {"options": {"x": 3}},
        {"clock": {"type": "fischer", "seconds": 0, "added": 0}},
        {"clock": {"type": "reserve", "text": "soon"}},
        {"clock": {"type": "hourglass"}},
        {"level": 9},
        {"position": "nonsense"},
        {"colour": "green"},
        {"unknown": 1},
    ],
)
def test_terms_that_make_no_sense_are_refused(visitor: Visitor, wrong: dict[str, object]) -> None:
    assert visitor.refused("/api/matches", {"game": SHORT, "against": "machine", **wrong})


def test_the_lobby_is_told_of_seeks_and_their_end(site: Site, visitor: Visitor, other: Visitor) -> None:
    async def meet() -> None:
        visitor.against_machine(SHORT)
        address = site.address.replace("http", "ws", 1) + "/socket/lobby"
        async with connect(address, additional_headers={"Cookie": visitor.cookie}) as connection:
            porch = Seat(connection)
            await porch.hear("lobby")
            seek = await asyncio.to_thread(visitor.post, "/api/seeks", {"game": SHORT})
            while not [
                one for one in (await porch.hear("lobby"))["seeks"] if one["id"] == seek["id"] and one["is_mine"]
            ]:
                pass
            match = (await asyncio.to_thread(other.post, f"/api/seeks/{seek['id']}/accept"))["match"]
            assert (await porch.hear("begun"))["match"] == match
            while [one for one in (await porch.hear("lobby"))["seeks"] if one["id"] == seek["id"]]:
                pass
            await connection.send(json.dumps({"type": "resign", "id": "x"}))
            assert await closed(connection) == 1008

    asyncio.run(meet())


def test_ones_own_invitations_are_listed_and_can_be_withdrawn(visitor: Visitor, other: Visitor) -> None:
    wish = {"game": SHORT, "is_private": True}
    made = [visitor.post("/api/seeks", wish)["id"] for _ in range(5)]
    assert visitor.refused("/api/seeks", wish, 429) == TOO_MANY
    assert [one["id"] for one in visitor.get("/api/me")["invitations"]] == made[::-1]
    other.post("/api/seeks", {"game": SHORT})
    assert other.get("/api/me")["invitations"] == [], "another's are not listed, nor are seeks that all can see"
    other.post(f"/api/seeks/{made[0]}/accept")
    assert visitor.http.delete(f"/api/seeks/{made[1]}").status_code == 204
    assert [one["id"] for one in visitor.get("/api/me")["invitations"]] == made[:1:-1]
    assert visitor.post("/api/seeks", wish)["is_mine"]


def test_rated_matches_move_ratings_of_both(site: Site) -> None:
    one, two = account(site, "Winner"), account(site, "Loser")
    match = pair(one, two, SHORT, is_rated=True)
    turn_each(match, one, two)
    resign_first(two, match)
    changes = [seat["rating_change"] for seat in one.get(f"/api/matches/{match}")["state"]["players"]]
    assert changes[0] > 0 > changes[1]
    assert one.get("/api/people/winner")["ratings"][SHORT]["rating"] == 1500 + changes[0]
    assert one.get("/api/people/loser")["ratings"][SHORT]["is_provisional"]
    assert one.get(f"/api/leaders/{SHORT}") == []
    guest = Visitor(site.address)
    assert "register" in guest.refused("/api/seeks", {"game": SHORT, "is_rated": True})


def test_machine_matches_are_rated_apart(site: Site) -> None:
    me = account(site, "Solo")
    match = me.against_machine(SHORT, colour="first")
    turn_each(match, me)
    resign_first(me, match)
    person = me.get("/api/me")["person"]
    assert person["ratings"] == {} and person["machine_ratings"][SHORT]["rating"] < 1500


def test_a_guest_who_registers_keeps_what_was_won_and_lost(visitor: Visitor) -> None:
    def lose() -> None:
        match = visitor.against_machine(SHORT, colour="first")
        turn_each(match, visitor)
        resign_first(visitor, match)

    lose()
    before = visitor.get("/api/me")["person"]["machine_ratings"][SHORT]
    assert before["games"] == 1 and before["rating"] < 1500
    visitor.post("/api/register", {"name": f"Kept{time.time_ns() % 10**9}", "password": "long enough"})
    me = visitor.get("/api/me")["person"]
    assert me["kind"] == "account" and me["machine_ratings"][SHORT] == before
    lose()
    assert visitor.get("/api/me")["person"]["machine_ratings"][SHORT]["games"] == 2


def test_a_finished_match_is_in_the_list(site: Site) -> None:
    me = account(site, "Lister")
    match = me.against_machine(SHORT, colour="first")
    resign_first(me, match)
    listed = me.get("/api/matches", person="me")["matches"]
    assert [one["id"] for one in listed] == [match] and "resigns" in listed[0]["words"]
    stranger = Visitor(site.address)
    assert stranger.get("/api/matches", person="Lister")["matches"] == [], "matches against the machine are private"


def test_a_long_turn_as_text_is_another_where_only_its_end_differs(visitor: Visitor, other: Visitor) -> None:
    game = next(menagerie.game(name).game for name in names() if menagerie.game(name).game.setups)
    match = pair(visitor, other, game.name)
    setup = visitor.get(f"/api/matches/{match}")["choice"]["setup"]
    one, *_ = setup["ready"]
    last = max(n for n in range(len(setup["squares"]) - 1) if one["letters"][n] != one["letters"][-1])
    swapped = [*one["letters"]]
    swapped[last], swapped[-1] = swapped[-1], swapped[last]
    variant = menagerie.game(game.name)
    texts = [
        str(Turn(variant.start(), tuple(setup["actions"][letter] for letter in letters)))
        for letters in (one["letters"], swapped)
    ]
    assert texts[0] != texts[1] and texts[0][:40] == texts[1][:40]
    for _ in range(2):
        assert visitor.post(f"/api/matches/{match}/turn", {"ply": 0, "text": texts[0]})["type"] == "ack"
    assert visitor.refused(f"/api/matches/{match}/turn", {"ply": 0, "text": texts[1]}, 409)


def test_a_bot_plays_with_a_token(site: Site, visitor: Visitor) -> None:
    bot = account(site, "Robot")
    token = bot.post("/api/tokens", {"label": "test", "is_bot": True})
    assert bot.get("/api/tokens")[0]["secret"] is None
    program = Visitor(site.address)
    program.http.headers["Authorization"] = f"Bearer {token['secret']}"
    assert program.get("/api/me")["person"]["kind"] == "bot"
    match = pair(visitor, program, SHORT)
    with program.http.stream("GET", "/api/events") as events:
        first = json.loads(next(line for line in events.iter_lines() if line))
        assert first == {"type": "begun", "match": match, "game": SHORT}
    start = menagerie.game(SHORT).start()
    turn = start.turns()[0]
    visitor.post(f"/api/matches/{match}/turn", {"ply": 0, "text": str(turn)})
    answer = turn.after.turns()[0]
    assert program.post(f"/api/matches/{match}/turn", {"ply": 1, "text": answer.code})["type"] == "ack"
    assert program.post(f"/api/matches/{match}/turn", {"ply": 1, "text": answer.code})["type"] == "ack"
    wrong = program.http.post(f"/api/matches/{match}/turn", json={"ply": 2, "text": answer.code})
    assert wrong.status_code in (400, 403) and wrong.json()["error"]
    with program.http.stream("GET", f"/api/matches/{match}/stream") as stream:
        assert len(json.loads(next(stream.iter_lines()))["match"]["turns"]) == 2
    assert program.post(f"/api/matches/{match}/messages", {"type": "resign", "id": "x"})["type"] == "ack"
    bot.http.delete(f"/api/tokens/{token['id']}")
    assert program.http.get("/api/me").status_code == 403
