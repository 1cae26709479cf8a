"""Who may be called what, and how often anybody may do something."""

import time

import pytest
from clients import Visitor, pair
from insides import SHORT
from servers import Site

from menagerie.server import limits
from menagerie.server.limits import MESSAGES, Limits, Rule
from menagerie.server.refusals import Refusal


@pytest.mark.parametrize("name", ["Bobby\n", "me", "Computer", "guest_1234", "ADMIN", "Guestly"])
def test_names_that_would_be_taken_for_somebody_else(visitor: Visitor, name: str) -> None:
    visitor.refused("/api/register", {"name": name, "password": "long enough"}, 400)


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
