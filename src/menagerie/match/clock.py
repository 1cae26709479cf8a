"""The clock of a match: how time is counted, as pure values. Everything is in whole milliseconds.

A turn's time is taken from here, in this order; who has used up everything has lost:

    free (a delay, the time for a turn)  →  bank (main time, reserve)  →  periods (each lost only when used up)
"""

import re
from dataclasses import dataclass, replace
from typing import NamedTuple

from menagerie.errors import MenagerieError

SECOND, MINUTE, HOUR, DAY = 1000, 60_000, 3_600_000, 86_400_000
UNITS = {"s": SECOND, "m": MINUTE, "h": HOUR, "d": DAY}
USUAL_TURNS = 40
"""How many turns a side makes in a game, for an estimate of its length."""
LONGEST, LONGEST_MATCH = 30 * DAY, 366 * DAY
"""The most that a text may give for a turn or in reserve, and for a whole match."""

Pair = tuple[int, int]


@dataclass(frozen=True)
class Control:
    """How much time players get. `words` says it to people."""

    words: str
    free: int = 0
    """Of each turn, at no cost."""
    bank: int = 0
    """At the start."""
    added: int = 0
    """To the bank after each turn."""
    period: int = 0
    periods: int = 0
    percent: int = 0
    """How much of a turn's unused free time goes to the bank."""
    most: int = 0
    """Where the bank stops to grow by that; 0: nowhere. A larger bank is kept, and only falls."""
    cap: int = 0
    """What one turn may take at most; 0: whatever there is."""
    game: int = 0
    """What the whole match may take; 0: any time."""
    turns: int = 0
    """How many turns each side may make; 0: any number."""
    setup: int = 0
    """Free time of each side's first turn, where that is more."""
    untimed: int = 0
    """So many plies at the start are not counted."""

    @property
    def is_endless(self) -> bool:
        """Whether nobody can lose on time."""
        return not (self.free or self.bank or self.periods)

    @property
    def estimate(self) -> int | None:
        """About how long each side has for a whole game; None where nobody counts."""
        if self.is_endless:
            return None
        each = max(self.added, self.free, self.period if self.periods else 0)
        return self.bank + USUAL_TURNS * each


class Face(NamedTuple):
    """What a player has at some moment; the flag falls after `flag` (None: never)."""

    free: int
    bank: int
    period: int
    periods: int
    flag: int | None


@dataclass(frozen=True)
class Clock:
    """A clock at work: what each player has had when the present turn began, whose turn it is, and since when."""

    control: Control
    banks: Pair
    periods: Pair
    plies: int = 0
    """How many turns were made, less those that were taken back."""
    furthest: int = 0
    """How many turns there have been at most: one that is made again after a takeback adds nothing."""
    running: int | None = None
    """Who is to move; None while the clock stands."""
    since: int = 0
    used: int = 0
    """What the match has taken before the present turn."""

    @classmethod
    def of(cls, control: Control) -> "Clock":
        """A clock before the first turn."""
        return cls(control, (control.bank, control.bank), (control.periods, control.periods))

    def start(self, player: int, now: int) -> "Clock":
        """A player's turn begins."""
        return replace(self, running=player, since=now)

    def face(self, player: int, now: int) -> Face:
        """What a player has at some moment."""
        control = self.control
        runs = player == self.running
        spent = self._counted(now) if runs else 0
        free = self._free(player)
        used, bank, periods = self._taken(player, spent)
        total = free + self.banks[player] + control.period * self.periods[player]
        if control.cap:
            total = min(total, max(control.cap, self._setup(player)))
        return Face(
            max(0, free - spent),
            bank,
            control.period - used,
            periods,
            None if control.is_endless or (runs and self.is_untimed) else max(0, total - spent),
        )

    def flag_at(self) -> int | None:
        """When the flag of the player to move falls; None while it cannot."""
        if self.running is None:
            return None
        left = self.face(self.running, self.since).flag
        return None if left is None else self.since + left

    def limit_at(self) -> int | None:
        """When the time for the whole match is over; None where there is no such time."""
        if not self.control.game or self.running is None:
            return None
        return self.since + max(0, self.control.game - self.used)

    @property
    def is_at_turn_limit(self) -> bool:
        """Whether both sides have made all the turns that they may."""
        return 0 < 2 * self.control.turns <= self.plies

    @property
    def is_untimed(self) -> bool:
        """Whether the present turn is not counted: it is one of the first, made for the first time."""
        return max(self.plies, self.furthest) < self.control.untimed

    def press(self, now: int, forgiven: int = 0) -> "Clock":
        """The player to move has made a turn; of the time it took, so much was the network's."""
        assert self.running is not None
        player = self.running
        spent = max(0, self._counted(now) - forgiven)
        _, bank, periods = self._taken(player, spent)
        if not self.is_untimed and self.plies >= self.furthest:
            bank = self._grown(bank, spent)
        return replace(
            self,
            banks=swapped(self.banks, player, bank),
            periods=swapped(self.periods, player, periods),
            plies=self.plies + 1,
            furthest=max(self.furthest, self.plies + 1),
            running=1 - player,
            since=now,
            used=self._used(now),
        )

    def stop(self, now: int) -> "Clock":
        """It stands: what the player to move has used is gone."""
        if self.running is None:
            return self
        _, bank, periods = self._taken(self.running, self._counted(now))
        return replace(
            self,
            banks=swapped(self.banks, self.running, bank),
            periods=swapped(self.periods, self.running, periods),
            running=None,
            used=self._used(now),
        )

    def take_back(self, turns: int, player: int, now: int) -> "Clock":
        """The last turns are undone, and that player's turn begins. Nobody gets any time by that.

        What was thought is gone, in the running turn too, and a turn that is made again adds nothing a second time.
        """
        return replace(self.stop(now), plies=self.plies - turns).start(player, now)

    def resume(self, pause: int, given: int) -> "Clock":
        """Nobody could play for a while: that does not count, and both sides get some time."""
        if self.control.is_endless or self.control.free >= HOUR:
            given = 0
        return replace(self, since=self.since + pause, banks=(self.banks[0] + given, self.banks[1] + given))

    def _counted(self, now: int) -> int:
        """What the present turn has taken so far, as far as it counts."""
        return 0 if self.is_untimed else max(0, now - self.since)

    def _used(self, now: int) -> int:
        """What the match has taken by now, where that is limited."""
        return self.used + max(0, now - self.since) if self.control.game else 0

    def _free(self, player: int) -> int:
        """What a player's present or next turn may take at no cost."""
        return max(self.control.free, self._setup(player))

    def _setup(self, player: int) -> int:
        """The time for setting up, where that is what a player's present or next turn is: the first of each side."""
        return self.control.setup if self.plies + (player != self.running) < 2 else 0

    def _taken(self, player: int, spent: int) -> tuple[int, int, int]:
        """After so much of the turn: what of a period is used, the bank, and the periods left."""
        over = max(0, spent - self._free(player))
        bank, period = self.banks[player], self.control.period
        if over <= bank or not period:
            return 0, max(0, bank - over), self.periods[player]
        lost, used = divmod(over - bank, period)
        return used, 0, max(0, self.periods[player] - lost)

    def _grown(self, bank: int, spent: int) -> int:
        """The bank after a turn, with what is added to it."""
        control = self.control
        unused = max(0, control.free - spent) * control.percent // 100
        if control.most:
            unused = min(unused, max(0, control.most - bank))
        return bank + control.added + unused


def swapped(pair: Pair, player: int, value: int) -> Pair:
    """A pair with one of its values replaced."""
    return (value, pair[1]) if player == 0 else (pair[0], value)


NONE = Control("no clock")


def fischer(seconds: int, added: int) -> Control:
    """Time for the match, and some more after each turn."""
    refuse_nothing(seconds + added)
    more = f" + {duration(added * SECOND)} per turn" if added else ""
    start = max(seconds, added)
    return Control(f"{duration(seconds * SECOND)}{more}", bank=start * SECOND, added=added * SECOND, untimed=2)


def delay(seconds: int, free: int) -> Control:
    """Time for the match; the first seconds of each turn are free."""
    refuse_nothing(seconds + free)
    words = f"{duration(seconds * SECOND)}, the first {duration(free * SECOND)} of each turn free"
    return Control(words, bank=seconds * SECOND, free=free * SECOND, untimed=2)


def byoyomi(seconds: int, period: int, periods: int) -> Control:
    """Time for the match, then periods, each lost only when a turn uses it up."""
    refuse_nothing(period * periods)
    words = f"{duration(seconds * SECOND)}, then {periods} × {duration(period * SECOND)}"
    return Control(words, bank=seconds * SECOND, period=period * SECOND, periods=periods, untimed=2)


def days(number: int) -> Control:
    """Days for each turn."""
    refuse_nothing(number)
    return Control(f"{duration(number * DAY)} per turn", free=number * DAY)


def reserve(text: str) -> Control:
    """Time for each turn and a reserve, as M/R/P/L/G/T says; with under a minute a turn, setup has a minute."""
    fields = [field.strip() for field in text.split("/")]
    if not 2 <= len(fields) <= 6:
        raise MenagerieError(f"a time control is written M/R/P/L/G/T with at least M and R, not {text!r}")
    turn, bank, percent, most, game, cap = fields + [""] * (6 - len(fields))
    free = read_time("the time for each turn", turn, MINUTE)
    number = re.fullmatch(r"(\d+)t", game)
    control = Control(
        words="",
        free=free,
        bank=read_time("the starting reserve", bank, MINUTE),
        percent=read_percent(percent),
        most=read_time("the reserve's limit", most or "0", MINUTE),
        game=0 if number else read_time("the match's limit", game or "0", HOUR, LONGEST_MATCH),
        turns=int(number[1]) if number else 0,
        cap=read_time("a turn's limit", cap or "0", MINUTE),
        setup=MINUTE if free < MINUTE else 0,
    )
    refuse_nothing(control.free + control.bank)
    if number and not control.turns:
        raise MenagerieError("a match of no turns is none: leave the match's limit out, or let it be 1t or more")
    return replace(control, words=reserve_words(control))


def read_time(what: str, text: str, unit: int, longest: int = LONGEST) -> int:
    """A duration: a plain number of units, a:b with b in the next smaller unit, or like 24h5m10s."""
    units = re.fullmatch(r"(?=\d)(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?", text)
    pair = re.fullmatch(r"(\d+)(?::(\d+))?", text)
    if units:
        time = sum(int(number or 0) * UNITS[name] for number, name in zip(units.groups(), "dhms", strict=True))
    elif pair:
        time = int(pair[1]) * unit + int(pair[2] or 0) * (unit // 60)
    else:
        raise MenagerieError(f"{what} is {text[:20]!r} and should be like 4, 1:30 or 24h5m10s")
    if time > longest:
        raise MenagerieError(f"{what} is {text[:20]!r}, and the most is {duration(longest)}")
    return time


def read_percent(text: str) -> int:
    """How much of the unused time is added: 100 if nothing is said."""
    if not re.fullmatch(r"\d{0,3}", text) or int(text or 0) > 100:
        raise MenagerieError(f"the percentage is {text[:20]!r} and should be a number from 0 to 100")
    return int(text or 100)


def refuse_nothing(time: int) -> None:
    """Refuse a clock without any time on it."""
    if time <= 0:
        raise MenagerieError("a clock needs some time on it")


def reserve_words(control: Control) -> str:
    """The time control in a sentence."""
    parts = [f"{duration(control.free)} per turn", f"{duration(control.bank)} in reserve"]
    if control.percent:
        part = "unused time" if control.percent == 100 else f"{control.percent} % of unused time"
        parts.append(part + " is added" + (f" up to {duration(control.most)}" if control.most else ""))
    if control.game:
        parts.append(f"{duration(control.game)} in all")
    if control.turns:
        parts.append(f"{control.turns} turns a side")
    if control.cap:
        parts.append(f"no turn over {duration(control.cap)}")
    return ", ".join(parts)


def duration(time: int) -> str:
    """A duration in words."""
    parts = []
    for name, unit in (("day", DAY), ("hour", HOUR), ("minute", MINUTE), ("second", SECOND)):
        number, time = divmod(time, unit)
        if number:
            parts.append(f"{number} {name}{'s' if number > 1 else ''}")
    return " ".join(parts) or "0 seconds"
