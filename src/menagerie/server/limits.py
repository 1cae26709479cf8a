"""Limits: how often anybody may do something. Whoever does too much hears it politely."""

import time
from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from menagerie.server.refusals import Refusal

MOST_KEPT = 100_000


@dataclass(frozen=True)
class Rule:
    """So many at once, and so many in a period of seconds; `what` says what of."""

    what: str
    number: int
    seconds: float


MESSAGES = Rule("messages", 100, 20)
WATCHED = Rule("messages", 50, 20)
CHAT = Rule("lines of chat", 6, 15)
LOGINS = Rule("tries to log in or register", 10, 600)
NAMES = Rule("tries to log in under this name", 10, 900)
"""From one address: nobody else's tries keep somebody from logging in."""
ALL_NAMES = Rule("tries to log in under this name from anywhere", 100, 900)
GUESTS = Rule("new guests from your address", 60, 600)
NEW_MATCHES = Rule("new matches and seeks", 30, 60)
QUESTIONS = Rule("questions", 300, 60)
PAGES = Rule("requests", 600, 60)
SOCKETS = Rule("new connections", 120, 60)
LONGEST = 900.0
"""No rule's period is longer."""
MOST_CONNECTIONS = 200
"""Sockets and streams that are open at a time from one address."""


class Limits:
    """Who has done how much lately: a bucket for each, which fills again with time."""

    def __init__(self, is_off: bool = False) -> None:
        self._buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()
        self._connected: Counter[str] = Counter()
        self._is_off = is_off

    def take(self, rule: Rule, who: str) -> None:
        """Note that somebody does something; a Refusal where it is too much."""
        if self._is_off:
            return
        now = time.monotonic()
        key = (rule.what, who)
        left, then = self._buckets.pop(key, (float(rule.number), now))
        left = min(rule.number, left + (now - then) * rule.number / rule.seconds)
        self._buckets[key] = (left - 1 if left >= 1 else left, now)
        if len(self._buckets) > MOST_KEPT:
            self._buckets.popitem(last=False)
        if left < 1:
            wait = (1 - left) * rule.seconds / rule.number
            raise Refusal("limit", f"too many {rule.what}: wait {max(1, round(wait))} s and go on")

    @contextmanager
    def connection(self, who: str) -> Iterator[None]:
        """Somebody is connected; a Refusal where they are too often already."""
        if self._connected[who] >= MOST_CONNECTIONS and not self._is_off:
            raise Refusal("limit", f"at most {MOST_CONNECTIONS} connections are open at a time: close one first")
        self._connected[who] += 1
        try:
            yield
        finally:
            self._connected[who] -= 1
            if not self._connected[who]:
                del self._connected[who]

    def forget(self, rule: Rule, who: str) -> None:
        """Somebody will never come again under this name."""
        self._buckets.pop((rule.what, who), None)

    def tidy(self) -> None:
        """Forget all who have done nothing for so long that they may do everything again."""
        oldest = time.monotonic() - LONGEST
        while self._buckets and next(iter(self._buckets.values()))[1] < oldest:
            self._buckets.popitem(last=False)
