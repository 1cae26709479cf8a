"""The clock in the words of its rules; every time control is also held against a slow twin that counts each second."""

from collections.abc import Sequence

import pytest
from golden import Block, blocks, first
from hypothesis import given
from hypothesis import strategies as st

from menagerie.errors import MenagerieError
from menagerie.games import find, names
from menagerie.match import clock
from menagerie.match.clock import DAY, HOUR, MINUTE, SECOND, Clock, Control


def played(control: Control, *seconds: float) -> Clock:
    """A clock after turns that took so long, the first player's first."""
    now = 0
    running = Clock.of(control).start(0, now)
    for took in seconds:
        now += int(took * SECOND)
        running = running.press(now)
    return running


def test_fischer_adds_after_each_turn_and_the_first_turn_of_each_side_is_free() -> None:
    running = played(clock.fischer(60, 2), 30, 30, 10, 5)
    assert running.banks == (52_000, 57_000)
    assert running.face(0, running.since + 2_000).bank == 50_000
    assert running.flag_at() == running.since + 52_000
    assert played(clock.fischer(60, 2), 10).flag_at() is None


def test_a_delay_costs_nothing_and_is_not_kept() -> None:
    running = played(clock.delay(60, 5), 0, 0, 3, 8)
    assert running.banks == (60_000, 57_000)
    assert running.face(0, running.since + 1_000)[:2] == (4_000, 60_000)


def test_a_byoyomi_period_is_lost_only_when_it_is_used_up() -> None:
    control = clock.byoyomi(10, 30, 3)
    assert (played(control, 0, 0, 39.9).banks[0], played(control, 0, 0, 39.9).periods[0]) == (0, 3)
    assert played(control, 0, 0, 40).periods[0] == 2
    assert played(control, 0, 0, 39, 0, 29, 0, 31).periods[0] == 2
    running = played(control, 0, 0)
    assert running.flag_at() == running.since + 100_000
    assert running.face(0, running.since + 45_000) == clock.Face(0, 0, 25_000, 2, 55_000)


def test_days_begin_anew_with_each_turn() -> None:
    running = played(clock.days(3), 2 * 86_400)
    assert running.flag_at() == running.since + 3 * DAY


def test_nobody_loses_without_a_clock() -> None:
    assert played(clock.NONE, 1e6).flag_at() is None


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("4/2", {"free": 4 * MINUTE, "bank": 2 * MINUTE, "percent": 100}),
        ("4/2/50/10/6", {"free": 4 * MINUTE, "bank": 2 * MINUTE, "percent": 50, "most": 10 * MINUTE, "game": 6 * HOUR}),
        (
            "0:30/5/100/5/6:30",
            {"free": 30 * SECOND, "bank": 5 * MINUTE, "percent": 100, "most": 5 * MINUTE, "game": 390 * MINUTE},
        ),
        (
            "1:30/2/100/0/60t/5",
            {"free": 90 * SECOND, "bank": 2 * MINUTE, "percent": 100, "turns": 60, "cap": 5 * MINUTE},
        ),
        ("24h5m10s/0/0/0", {"free": 24 * HOUR + 5 * MINUTE + 10 * SECOND, "bank": 0, "percent": 0}),
        ("3d/10d", {"free": 3 * DAY, "bank": 10 * DAY, "percent": 100}),
    ],
)
def test_reserve_texts_mean_what_the_rules_say(text: str, control: dict[str, int]) -> None:
    read = clock.reserve(text)
    assert {name: getattr(read, name) for name in control} == control
    assert read.setup == (MINUTE if read.free < MINUTE else 0)


TIMES = [
    block
    for game in map(find, names())
    if (game.folder / "golden" / "times.txt").is_file()
    for block in blocks(game, "times.txt")
]


@pytest.mark.parametrize("block", TIMES, ids=lambda block: first(block, "control"))
def test_reserve_texts_mean_what_others_read_in_them(block: Block) -> None:
    read = clock.reserve(first(block, "control"))
    times = {"move": read.free, "reserve": read.bank, "reserve_limit": read.most}
    times |= {"game_limit": read.game, "turn_max": read.cap}
    counts = {"percent": read.percent, "turn_limit": read.turns}
    means = dict(part.split() for part in first(block, "means").split(","))
    assert {name: time / SECOND for name, time in times.items()} | counts == {
        name: int(number) for name, number in means.items()
    }


@pytest.mark.parametrize(
    "text",
    [
        "",
        "4",
        "4/",
        "x/2",
        "4/2/101",
        "4/2/-1",
        "4/2/1/2/3/4/5",
        "0/0",
        "4/2/100/5/t",
        "31d/0",
        "4/2/0/0/367d",
        "4/2/100/5/0t",
    ],
)
def test_a_reserve_text_that_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(MenagerieError):
        clock.reserve(text)


def test_unused_time_goes_to_the_reserve_up_to_its_limit() -> None:
    running = played(clock.reserve("2/2/50/3"), 120, 120, 60, 0, 0)
    assert running.banks[0] == 180_000, "120 s + half of 60 s, then half of 120 s but no further than 180 s"
    assert running.banks[1] == 180_000


def test_a_starting_reserve_above_the_limit_is_kept_and_only_falls() -> None:
    running = played(clock.reserve("1/10/100/5"), 0, 60, 90)
    assert running.banks[0] == 570_000
    assert played(clock.reserve("1/10/100/5"), 0, 60, 90, 0, 10).banks[0] == 570_000


def test_the_reserve_falls_only_when_the_time_for_the_turn_is_used_up() -> None:
    running = played(clock.reserve("1/5"), 60, 60)
    assert running.face(0, running.since + 70_000)[:2] == (0, 290_000)
    assert running.flag_at() == running.since + 6 * MINUTE


def test_setup_has_a_minute_where_turns_have_less() -> None:
    running = Clock.of(clock.reserve("0:15/1/100/0")).start(0, 0)
    assert running.flag_at() == 2 * MINUTE
    after = running.press(50_000)
    assert after.banks[0] == MINUTE, "nothing lost, and nothing of the extra time kept"
    later = after.press(60_000).press(80_000)
    assert later.banks[0] == 55_000


def test_no_cap_is_shorter_than_setup_and_both_sides_see_their_minute() -> None:
    running = Clock.of(clock.reserve("0:15/5/100/5/0/0:30")).start(0, 0)
    assert running.face(0, 0)[:1] == running.face(1, 0)[:1] == (MINUTE,)
    assert running.flag_at() == running.face(1, 0).flag == MINUTE
    second = running.press(50_000)
    assert second.face(0, 50_000).free == 15 * SECOND and second.face(0, 50_000).flag == 30 * SECOND
    assert second.flag_at() == 110_000
    assert second.press(60_000).face(1, 60_000).free == 15 * SECOND


def test_no_turn_takes_longer_than_its_cap() -> None:
    assert played(clock.reserve("1/30/100/0/0/5"), 0, 0).face(0, 0).flag == 5 * MINUTE


def test_the_whole_match_has_a_limit_in_time_or_turns() -> None:
    running = played(clock.reserve("4/2/100/0/1"), 100, 100)
    assert running.limit_at() == HOUR
    assert not played(clock.reserve("4/2/100/0/2t"), 1, 1, 1).is_at_turn_limit
    assert played(clock.reserve("4/2/100/0/2t"), 1, 1, 1, 1).is_at_turn_limit


def test_lag_is_forgiven_and_never_gives_time() -> None:
    running = played(clock.fischer(60, 0), 0, 0)
    assert running.press(running.since + 5_000, forgiven=300).banks[0] == 55_300
    assert running.press(running.since + 100, forgiven=300).banks[0] == 60_000


def test_a_takeback_gives_no_time() -> None:
    running = played(clock.fischer(60, 2), 0, 0, 10, 5)
    again = running.take_back(2, 0, running.since + 7_000)
    assert (again.banks, again.plies, again.running) == ((45_000, 57_000), 2, 0), "7 s of the running turn are gone"
    later = again.press(again.since + 3_000).press(again.since + 4_000)
    assert later.banks == (42_000, 56_000), "the increments came with the turns that were undone"
    assert later.press(later.since + 1_000).banks == (43_000, 56_000), "and come with new ones"


def test_over_and_over_a_takeback_gives_no_time() -> None:
    running = played(clock.reserve("0:10/1/100/2"), 0, 0)
    banks = running.banks
    for _ in range(100):
        running = running.press(running.since + 1_000)
        running = running.take_back(1, 0, running.since)
    assert running.banks == (banks[0] + 9_000, banks[1]), "what the first of them has added, once"


def test_a_first_turn_that_is_made_again_is_counted() -> None:
    again = played(clock.fischer(60, 2), 30, 30, 1).take_back(3, 0, 100_000)
    assert again.flag_at() == again.since + again.banks[0]
    assert played(clock.fischer(60, 2), 30).take_back(1, 0, 40_000).flag_at() is None, "the clock had not begun"


def test_what_was_taken_back_counts_for_the_whole_match_and_not_as_turns() -> None:
    again = played(clock.reserve("4/2/100/0/1"), 100, 100).take_back(1, 1, 250_000)
    assert again.limit_at() == HOUR
    assert not played(clock.reserve("4/2/100/0/2t"), 1, 1, 1, 1).take_back(1, 1, 9_000).is_at_turn_limit


@given(st.sampled_from(range(6)), st.lists(st.tuples(st.integers(0, 60), st.booleans()), max_size=20))
def test_no_bank_rises_by_a_takeback(number: int, turns: Sequence[tuple[int, bool]]) -> None:
    running, now = Clock.of(CONTROLS[number]).start(0, 0), 0
    for took, is_taken_back in turns:
        now += took * SECOND
        if is_taken_back and running.plies:
            player = 1 - (running.running or 0)
            before = running.banks
            running = running.take_back(1, player, now)
            assert all(after <= bank for after, bank in zip(running.banks, before, strict=True))
        else:
            running = running.press(now)


def test_after_a_standstill_nobody_has_less() -> None:
    running = played(clock.fischer(60, 0), 0, 0, 10)
    again = running.resume(DAY, 15_000)
    assert again.face(1, running.since + DAY + 5_000).bank == 70_000 and again.banks[0] == 65_000
    slow = played(clock.days(3), 60)
    assert slow.resume(HOUR, 15_000).flag_at() == slow.since + 3 * DAY + HOUR


CONTROLS = [
    clock.fischer(90, 3),
    clock.delay(90, 4),
    clock.byoyomi(20, 10, 3),
    clock.days(1),
    clock.reserve("0:20/1/75/1:10"),
    clock.reserve("0:10/2/100/1/0/0:50"),
]


@given(st.sampled_from(CONTROLS), st.lists(st.integers(0, 130), max_size=12))
def test_every_clock_counts_as_its_slow_twin(control: Control, turns: Sequence[int]) -> None:
    twin = Twin(control)
    running, now = Clock.of(control).start(0, 0), 0
    for took in turns:
        flag = running.flag_at()
        fell = twin.turn(took)
        assert fell == (flag is not None and now + took * SECOND >= flag)
        if fell:
            return
        now += took * SECOND
        running = running.press(now)
        assert running.banks == tuple(bank * SECOND for bank in twin.banks)
        assert running.periods == tuple(twin.periods)


class Twin:
    """Counts second by second."""

    def __init__(self, control: Control) -> None:
        self.control, self.ply = control, 0
        self.banks = [control.bank / SECOND, control.bank / SECOND]
        self.periods = [control.periods, control.periods]

    def turn(self, took: int) -> bool:
        """Make a turn that takes so many seconds; whether the flag falls."""
        control, me = self.control, self.ply % 2
        is_untimed = self.ply < control.untimed
        self.ply += 1
        if is_untimed:
            return False
        free = max(control.free, control.setup if self.ply <= 2 else 0) / SECOND
        period = control.period / SECOND
        for second in range(took):
            if control.cap and (second + 1) * SECOND >= max(control.cap, control.setup if self.ply <= 2 else 0):
                return True
            if free > 0:
                free -= 1
            elif self.banks[me] > 0:
                self.banks[me] -= 1
            elif period:
                period -= 1
                if period == 0:
                    self.periods[me] -= 1
                    period = control.period / SECOND
            if free <= 0 and self.banks[me] <= 0 and self.periods[me] <= 0:
                return True
        unused = max(0, control.free / SECOND - took) * control.percent / 100
        if control.most:
            unused = min(unused, max(0, control.most / SECOND - self.banks[me]))
        self.banks[me] += control.added / SECOND + unused
        return False
