"""Who may be called what, and how often anybody may do something."""

import asyncio
import time

import pytest
from clients import Json, Visitor, pair
from insides import SHORT
from servers import Site

from menagerie.server import limits
from menagerie.server.bodies import LABEL_RULE, NAME_RULE, PASSWORD_RULE
from menagerie.server.limits import MESSAGES, Limits, Rule
from menagerie.server.messages import MOST_SAID, SAID_RULE, TURN_RULE
from menagerie.server.refusals import Refusal


@pytest.mark.parametrize("name", ["Bobby\n", "me", "Computer", "guest_1234", "ADMIN", "Guestly"])
def test_names_that_would_be_taken_for_somebody_else(visitor: Visitor, name: str) -> None:
    visitor.refused("/api/register", {"name": name, "password": "long enough"}, 400)


LONG = "long enough"


@pytest.mark.parametrize("path", ["/api/register", "/api/login"])
@pytest.mark.parametrize(
    ("name", "password", "rule"),
    [("José", LONG, NAME_RULE), ("x", LONG, NAME_RULE), ("A" * 21, LONG, NAME_RULE), ("Jose", "short", PASSWORD_RULE)],
)
def test_a_name_or_password_that_cannot_be_is_told_its_rule(
    visitor: Visitor, path: str, name: str, password: str, rule: str
) -> None:
    assert visitor.refused(path, {"name": name, "password": password}, 400) == rule


@pytest.mark.parametrize(
    ("path", "body", "rule"),
    [
        ("/api/tokens", {"label": "x" * 61}, LABEL_RULE),
        ("/api/records", {"text": ""}, "a record has 1 to 16000 characters"),
        ("/api/matches/{match}/messages", {"type": "say", "id": "s", "text": "x" * 201}, SAID_RULE),
        ("/api/matches/{match}/messages", {"type": "typed", "id": "s", "ply": 0, "text": "a\tb"}, TURN_RULE),
        ("/api/matches/{match}/turn", {"ply": 0, "text": ""}, TURN_RULE),
        (
            "/api/matches",
            {"game": SHORT, "against": "machine", "clock": {"type": "days", "days": 31}},
            "each turn has 1 to 30 whole days",
        ),
        (
            "/api/seeks",
            {"game": SHORT, "clock": {"type": "byoyomi", "seconds": 60, "period": 30, "periods": 61}},
            "there are 1 to 60 periods",
        ),
    ],
)
def test_whatever_people_fill_in_is_told_its_rule(visitor: Visitor, path: str, body: Json, rule: str) -> None:
    match = visitor.against_machine(SHORT, colour="first")
    assert visitor.refused(path.format(match=match), body, 400) == rule


def test_a_line_of_chat_that_is_too_long_is_told_its_rule_under_its_id(visitor: Visitor, other: Visitor) -> None:
    match = pair(visitor, other, SHORT)

    async def say() -> None:
        async with visitor.sit(match) as seat:
            assert (await seat.ask("say", text="x" * MOST_SAID))["type"] == "ack"
            assert (await seat.ask("say", text="x" * (MOST_SAID + 1)))["words"] == SAID_RULE

    asyncio.run(say())


def test_a_key_ends_where_its_text_ends(visitor: Visitor) -> None:
    match = visitor.against_machine(SHORT, colour="first")
    turn = {"type": "turn", "id": "x", "ply": 0, "key": "0" * 16 + "\n", "actions": [1]}
    assert "key" in visitor.refused(f"/api/matches/{match}/messages", turn, 400)


def test_chat_has_its_limit_over_http_too(tmp_path: object) -> None:
    with Site(f"sqlite:///{tmp_path}/limited.db", limited=True) as site:
        one, two = Visitor(site.address), Visitor(site.address)
        path = f"/api/matches/{pair(one, two, SHORT)}/messages"
        lines = [{"type": "say", "id": f"s{number}", "text": "again"} for number in range(10)]
        said = [one.http.post(path, json=line).status_code for line in lines]
        assert said[0] == 200 and said[-1] == 429
        assert two.http.post(path, json=lines[0]).status_code == 200


def test_what_nobody_asks_about_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    kept, now = Limits(), 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    for number in range(50):
        kept.take(MESSAGES, f"socket {number}")
        kept.forget(MESSAGES, f"socket {number}")
    assert not kept._buckets, "a socket that is gone leaves nothing"
    for _ in range(2):
        kept.take(Rule("tries", 2, 60), "one")
    kept.tidy()
    with pytest.raises(Refusal):
        kept.take(Rule("tries", 2, 60), "one")
    now += limits.LONGEST + 1
    kept.tidy()
    assert not kept._buckets, "nor who did something long ago"
