"""Matches between players: honest numbers, fair openings, a referee who names the culprit, contests to go on with."""

import dataclasses
import json
import math
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from fast_play import CONTROLS, play_all, total_of

import menagerie
from menagerie import IllegalMove, Limit, Match, MenagerieError, Turn, Variant, cli
from menagerie.arena import ladder, openings, players, referee, report
from menagerie.arena.contest import Contest, Played, Room, Score, run
from menagerie.arena.elo import Sprt, Tally, elo_of, likeliest, mean, score_of
from menagerie.arena.players import Clocks, random_turn, read_player, time_to_think
from menagerie.arena.referee import Control, pressed, read_clock
from menagerie.arena.workers import together
from menagerie.errors import EngineError, PlayerError
from menagerie.games import find, names
from menagerie.match.match import read_all
from menagerie.search.limits import Clock

EXAMPLE = next(folder.name for folder in (Path(__file__).parent / "games").iterdir() if (folder / "rules.py").exists())
"""The small game in which contests are tried out."""


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    def run_command(*words: str) -> str:
        monkeypatch.setattr(sys, "argv", ["menagerie", *words])
        cli.main()
        return capsys.readouterr().out

    return run_command


def example() -> Variant:
    game = find(EXAMPLE)
    return Variant(game, game.options())


# Numbers


@pytest.mark.parametrize(
    ("pairs", "elo", "margin"),
    [
        ((34, 54, 63, 64, 75), 55.58, 27.65),
        ((332, 433, 498, 333, 334), -8.64, 10.33),
        ((7895, 8757, 5685, 568, 9999), -21.04, 2.95),
        ((1, 10, 78, 48, 13), 72.85, 22.33),
        ((352, 579, 1264, 743, 464), 19.83, 6.77),
    ],
)
def test_elo_and_its_error_are_those_of_fastchess(pairs: tuple[int, ...], elo: float, margin: float) -> None:
    tally = Tally(pairs)  # type: ignore[arg-type]
    assert tally.elo == pytest.approx(elo, abs=0.01)
    assert tally.margin == pytest.approx(margin, rel=0.01)


def test_superiority_is_that_of_fastchess() -> None:
    assert Tally((332, 433, 498, 333, 334)).superiority == pytest.approx(0.0505, abs=0.0005)


@pytest.mark.parametrize(
    ("pairs", "test", "ratio"),
    [
        ((223, 9863, 21279, 10037, 246), Sprt(0.5, 2.5), -3.07),
        ((871, 26175, 55983, 26678, 821), Sprt(0, 2), -4.98),
    ],
)
def test_the_likelihood_ratio_is_that_of_fastchess(pairs: tuple[int, ...], test: Sprt, ratio: float) -> None:
    assert test.ratio(Tally(pairs)) == pytest.approx(ratio, abs=0.01)  # type: ignore[arg-type]
    assert test.bounds == pytest.approx((-2.944, 2.944), abs=0.001)


def test_elo_is_the_inverse_of_score() -> None:
    for elo in (-700, -3, 0, 100, 400):
        assert elo_of(score_of(elo)) == pytest.approx(elo)
    assert score_of(400) == pytest.approx(10 / 11)
    assert (elo_of(1.0), elo_of(0.0)) == (math.inf, -math.inf)


def test_the_likeliest_distribution_has_its_mean_and_is_likelier_than_its_neighbours() -> None:
    counts, score = [3.0, 11.0, 40.0, 17.0, 9.0], 0.6
    best = likeliest(counts, score)
    assert sum(best) == pytest.approx(1) and mean(best) == pytest.approx(score)
    chance = random.Random(1)
    for _ in range(200):
        other = [share * math.exp(chance.gauss(0, 0.1)) for share in best]
        other = likeliest([share / sum(other) for share in other], score)
        assert sum(c * math.log(o / b) for c, o, b in zip(counts, other, best, strict=True)) <= 1e-9


def test_winning_everything_is_no_proof_of_invincibility() -> None:
    few, many = Tally((0, 0, 0, 0, 3)), Tally((0, 0, 0, 0, 50))
    assert few.elo == math.inf and 0 < few.interval.low < many.interval.low < math.inf
    assert Tally().interval == (-math.inf, math.inf) and Tally().superiority == 0.5
    mirrored = Tally((50, 0, 0, 0, 0))
    assert mirrored.interval.high == pytest.approx(-many.interval.low)
    assert Tally((0, 0, 8, 0, 0)).margin > 20


@pytest.mark.parametrize(
    ("pairs", "words"),
    [
        ((0, 0, 0, 0, 50), "at least +662 with 95 %"),
        ((50, 0, 0, 0, 0), "at most -662 with 95 %"),
        ((1, 10, 78, 48, 13), "+73 ± 22, from +5"),
        ((0, 0, 0, 1, 5), "+545, at least +224 with 95 %"),
        ((0, 0, 0, 0, 0), "unknown"),
    ],
)
def test_strength_is_told_with_its_error_or_as_a_bound(pairs: tuple[int, ...], words: str) -> None:
    told = report.strength(Tally(pairs))  # type: ignore[arg-type]
    assert told.startswith(words) and "∞" not in told and "inf" not in told


def drawn(elo: float, count: int, chance: np.random.Generator) -> Tally:
    """The pairs of a contest between players whose strengths differ by so much."""
    shares = likeliest([1.0, 4.0, 6.0, 4.0, 1.0], score_of(elo))
    return Tally(tuple(int(number) for number in chance.multinomial(count, shares)))  # type: ignore[arg-type]


def test_the_truth_lies_in_the_interval_as_often_as_it_says() -> None:
    chance = np.random.default_rng(2)
    for elo, pairs in ((0, 20), (120, 50), (-300, 100)):
        intervals = [drawn(elo, pairs, chance).interval for _ in range(500)]
        assert 0.92 <= np.mean([low <= elo <= high for low, high in intervals]) <= 0.985


def test_a_sequential_test_is_seldom_wrong_and_stops_early() -> None:
    chance = np.random.default_rng(3)
    test, step = Sprt(0, 60), 8
    for elo, right in ((0, "lower"), (60, "higher")):
        verdicts, used = [], []
        for _ in range(60):
            tally = Tally()
            while not test.verdict(tally):
                more = drawn(elo, step, chance)
                tally = Tally(tuple(map(sum, zip(tally.pairs, more.pairs, strict=True))))  # type: ignore[arg-type]
            verdicts.append(test.verdict(tally))
            used.append(len(tally))
        assert verdicts.count(right) >= 52  # 57 of 60 are expected.
        assert np.mean(used) < 250


def test_a_sequential_test_may_err_one_way_more_than_the_other() -> None:
    test = Sprt.read("0,60,0.01,0.2")
    assert test == Sprt(0, 60, alpha=0.01, beta=0.2)
    assert test.bounds == pytest.approx((math.log(0.2 / 0.99), math.log(0.8 / 0.01)))
    assert Sprt.read("0,60").bounds == pytest.approx((-math.log(19), math.log(19)))
    good, bad = Tally((0, 2, 8, 14, 0)), Tally((0, 6, 8, 4, 0))
    assert test.bounds.high > test.ratio(good) > Sprt(0, 60).bounds.high
    assert (test.verdict(good), Sprt(0, 60).verdict(good)) == ("", "higher")
    assert test.bounds.low > test.ratio(bad) > Sprt(0, 60).bounds.low
    assert (test.verdict(bad), Sprt(0, 60).verdict(bad)) == ("lower", "")


@pytest.mark.parametrize("text", ["", "5", "30,0", "a,b", "0,99999", "nan,1", "1,2,3", "0,30,0,0.1", "0,30,0.1,0.5"])
def test_a_sequential_test_that_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(MenagerieError, match="a sequential test"):
        Sprt.read(text)


# Players


def test_players_are_made_from_texts() -> None:
    recipe = read_player(" nodes=5000, threads=2 ,name=Anna")
    assert (recipe.name, recipe.limit, recipe.settings.threads) == ("Anna", Limit(nodes=5000), 2)
    assert read_player("level=5").settings.level == 5 and read_player("level=5").name == "level=5"
    assert read_player("seconds=0.5").limit.seconds == 0.5
    assert read_player("random,seed=3").name == "random,seed=3"
    program = read_player("uci:some-engine --quiet 'a b';Variant=this;Skill Level=3;nodes=7;name=Bert")
    assert program.command == ("some-engine", "--quiet", "a b") and program.kind == "uci" and program.name == "Bert"
    assert program.options == {"Variant": "this", "Skill Level": "3"} and program.limit == Limit(nodes=7)
    assert read_player("aei:/opt/bot_x").name == "bot_x"


@pytest.mark.parametrize(
    "text",
    [
        *("", "level", "level=9", "level=x", "nodes=0", "nodes=1,nodes=2", "levle=3", "seconds=-1", "random,level=2"),
        *("uci:", "uci: ;a=b", "uci:engine;broken", "usi:'unclosed", "depth=1.5", "threads=0", "=5", "level=", "x:y"),
    ],
)
def test_a_text_that_means_no_player_is_one_clear_error(text: str) -> None:
    with pytest.raises(PlayerError) as refused:
        read_player(text)
    assert repr(text) in str(refused.value) and "\n" not in str(refused.value)


def test_a_contest_refuses_players_who_would_think_for_ever() -> None:
    endless = Contest(EXAMPLE, ("threads=2", "level=1"))
    with pytest.raises(PlayerError, match="threads=2 would think for ever"):
        _ = endless.recipes
    _ = dataclasses.replace(endless, control=Control(Limit(seconds=1))).recipes
    same = Contest(EXAMPLE, ("level=1", "level=1")).recipes
    assert [recipe.name for recipe in same] == ["level=1", "level=1 (2)"]


def test_time_to_think_leaves_time_to_answer() -> None:
    assert 0.05 < (time_to_think(Limit(seconds=0.1), None).seconds or 0) < 0.1
    assert time_to_think(Limit(nodes=5), None) == Limit(nodes=5)
    for left in (0.05, 0.2, 3.0):
        assert 0 < (time_to_think(None, Clock(left, 0.1)).seconds or 0) < left


# Openings


def test_openings_are_different_undecided_and_follow_from_the_seed(usual: Variant) -> None:
    turns = openings.usual_turns(usual)
    some = list(islice(openings.book(usual, turns, seed=5), 4))
    assert some == list(islice(openings.book(usual, turns, seed=5), 4))
    assert some != list(islice(openings.book(usual, turns, seed=6), 4))
    matches = [opening.played(usual) for opening in some]
    assert len({match.position.key for match in matches}) == len(some) == 4
    assert [opening.number for opening in some] == [0, 1, 2, 3]
    for match in matches:
        assert match.outcome is None and len(match.turns) >= turns


def test_a_book_ends_where_a_game_has_no_more_openings_and_may_be_empty_handed() -> None:
    variant = example()
    book = list(openings.book(variant, 2, seed=1))
    keys = {opening.played(variant).position.key for opening in book}
    assert 10 < len(book) == len(keys) < 1000
    bare = list(islice(openings.book(variant, 0, seed=1), 3))
    assert [opening.turns for opening in bare] == [(), (), ()] and [o.number for o in bare] == [0, 1, 2]


# The referee


class Stub:
    """A player that plays at random until its third turn, and then does something."""

    tolerance = 0.0

    def __init__(self, name: str) -> None:
        self.name, self.is_closed = name, False
        self.chance = random.Random(4)

    def new_game(self, seed: int = 0) -> None: ...

    def choose(self, match: Match, _: Limit | None = None, __: Clocks | None = None) -> Turn:
        return self.act(match) if len(match.turns) >= 2 else random_turn(match, self.chance)

    def act(self, match: Match) -> Turn:
        return random_turn(match, self.chance)

    def close(self) -> None:
        self.is_closed = True


class Cheat(Stub):
    def act(self, match: Match) -> Turn:
        wrong = next(n for n in range(match.variant.game.rules.ACTION_COUNT) if n not in match.position.indices)
        return Turn(match.position, (wrong,))


class Babbler(Stub):
    def act(self, match: Match) -> Turn:
        return match.position.find("{nonsense}")


class Sleeper(Stub):
    def act(self, match: Match) -> Turn:
        time.sleep(0.5)
        return super().act(match)


class Stubborn(Stub):
    def act(self, _: Match) -> Turn:
        while not self.is_closed:
            time.sleep(0.01)
        raise MenagerieError("stopped by force")


class Wreck(Stub):
    def act(self, _: Match) -> Turn:
        raise OSError("the pipe is broken")


class Idler(Stub):
    def act(self, match: Match) -> Turn:
        return Turn(match.position, ())


class Dreamer(Stub):
    def act(self, match: Match) -> Turn:
        return random_turn(Match(match.variant), self.chance)


@pytest.mark.parametrize(
    ("kind", "reason", "words"),
    [
        (Cheat, "illegal", "is not legal"),
        (Babbler, "illegal", "nonsense"),
        (Idler, "illegal", "not complete"),
        (Dreamer, "illegal", "another position"),
        (Sleeper, "time", "where 0.400 s were left"),
        (Stubborn, "time", "where 0.400 s were left"),
        (Wreck, "forfeit", "OSError: the pipe is broken"),
    ],
)
def test_the_referee_names_who_did_what_where(
    usual: Variant, kind: type[Stub], reason: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(referee, "GRACE", 0.1)
    match = Match(usual)
    rogue, honest = kind("Rogue"), Stub("Honest")
    fault = referee.play(match, (rogue, honest), Control(Limit(seconds=0.4)))
    assert fault is not None and match.outcome is not None
    assert (fault.reason, match.outcome.reason, match.outcome.winner) == (reason, reason, 1)
    assert "Rogue" in fault.words and str(match.position) in fault.words and words in fault.words
    assert len(match.turns) == 2
    again = Match.read(match.record())
    assert again.outcome == match.outcome and "Rogue" in again.comments[2]


def test_an_answer_may_be_as_late_as_the_margin(usual: Variant) -> None:
    control = Control(Limit(seconds=0.4), longest=4, margin=30)
    assert str(control) == "--seconds 0.4 --longest 4 --margin 30"
    assert referee.play(Match(usual), (Sleeper("Late"), Stub("Honest")), control) is None


def test_a_turn_that_stops_half_way_is_not_complete(usual: Variant) -> None:
    match = Match(usual)
    chance = random.Random(7)
    for _ in range(30):
        if match.outcome:
            break
        turn = random_turn(match, chance)
        assert referee.refusal(match, turn) == ""
        if len(turn.indices) > 1:
            assert referee.refusal(match, Turn(turn.position, turn.indices[:-1])) == "the turn is not complete"
            longer = Turn(turn.position, (*turn.indices, 0))
            assert "over before its action" in referee.refusal(match, longer)
        match.play(turn)


def test_the_clock_runs_for_whoever_thinks_and_time_is_added() -> None:
    seen: list[tuple[int, Clocks]] = []

    class Thinker(Stub):
        def choose(self, match: Match, _: Limit | None = None, clocks: Clocks | None = None) -> Turn:
            assert clocks
            seen.append((match.position.player, clocks))
            if match.position.player == 1:
                time.sleep(0.02)
            return random_turn(match, self.chance)

    referee.play(Match(example()), (Thinker("a"), Thinker("b")), Control(clock=read_clock("50+1")))
    clocks = [clocks for _, clocks in seen]
    assert clocks[0] == (Clock(50, 1), Clock(50, 1))
    assert 50.9 < clocks[1][0].left <= 51 and clocks[1][1] == Clock(50, 1)
    assert clocks[2][1].left <= 51 - 0.02 and clocks[2][0] == clocks[1][0]


def test_a_period_of_turns_ends_with_the_time_of_the_next() -> None:
    control = Control(clock=read_clock("2/50+1"))
    assert str(control) == "--clock 2/50+1" and control.clock == Clock(50, 1, 2)
    clocks = [control.clock]
    for _ in range(4):
        clocks.append(pressed(clocks[-1], 3, control.clock))
    assert clocks[1:] == [Clock(48, 1, 1), Clock(96, 1, 2), Clock(94, 1, 1), Clock(142, 1, 2)]
    assert pressed(Clock(2, 0.5), 3, Clock(60, 0.5)) == Clock(0.501, 0.5)


@pytest.mark.parametrize(
    "text", ["", "x", "-5", "0", "5+-1", "5+x", "nan", "1e9", "0/60", "x/60", "40/", "40/0+1", "/5"]
)
def test_a_clock_that_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(MenagerieError, match="a clock is seconds"):
        read_clock(text)


def test_a_game_that_is_too_long_is_a_draw_by_adjudication(usual: Variant) -> None:
    match = Match(usual)
    assert referee.play(match, (Stub("a"), Stub("b")), Control(longest=2)) is None
    assert match.outcome is not None and (match.outcome.winner, match.outcome.reason) == (None, "adjudication")
    assert Match.read(match.record()).outcome == match.outcome


# Foreign programs


class Foreign:
    """What stands in for a program that speaks a protocol."""

    made: list["Foreign"] = []  # noqa: RUF012
    margin = 0.0

    def __init__(self, command: tuple[str, ...], variant: Variant, protocol: str, options: dict[str, str]) -> None:
        self.told = (command, variant, protocol, options)
        self.games, self.is_closed = 0, False
        Foreign.made.append(self)

    def new_game(self) -> None:
        if self.is_closed:
            raise EngineError("prog", "has ended")
        self.games += 1

    def choose(self, match: Match, limit: Limit | None, clocks: Clocks | None) -> Turn:
        assert limit == Limit(nodes=9, seconds=5) and clocks is None
        raise IllegalMove(str(match.position), "z9z9", "there is no such square")

    def close(self) -> None:
        self.is_closed = True


def test_a_foreign_program_is_told_to_stop_no_earlier_than_it_has_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "ForeignEngine", Foreign)
    room = Room(Contest(EXAMPLE, ("random", "uci:prog"), control=Control(Limit(seconds=5), margin=3)))
    room.open()
    room.players[1].close()
    room.players[1].new_game()
    assert [program.margin for program in Foreign.made[-2:]] == [3, 3]


def test_a_foreign_program_is_told_its_options_and_judged_by_the_referee(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "ForeignEngine", Foreign)
    player = read_player("usi:prog x;A=b;nodes=9").make(example())
    player.new_game(3)
    match = Match(example())
    fault = referee.play(match, (player, Stub("Honest")), Control(Limit(seconds=5)))
    assert fault is not None and fault.reason == "illegal"
    assert fault.words == f"prog played 'z9z9' in {match.position}: there is no such square"
    assert (Foreign.made[-1].told, Foreign.made[-1].games) == ((("prog", "x"), example(), "usi", {"A": "b"}), 1)


CRASHING = """
import sys
from pathlib import Path
starts = Path(__file__).with_name("starts")
starts.write_text(starts.read_text() + "x" if starts.exists() else "x")
games, most = 0, int(sys.argv[1])
if len(starts.read_text()) > most:
    sys.exit("no more")
answers = {"uci": "uciok", "isready": "readyok", "go": "bestmove resign"}
for line in sys.stdin:
    word = line.split()[0]
    games += word == "ucinewgame"
    if games == 4 or word == "quit":
        sys.exit(word != "quit")
    print(answers.get(word, ""), flush=True)
"""
"""A program that gives up whenever it is asked, dies of its third game, and can be started so many times."""


def crashing(folder: Path, starts: int) -> tuple[str, Path]:
    """Such a program as a player, and where it notes its starts."""
    program = folder / "crashing.py"
    program.write_text(CRASHING, encoding="utf-8")
    return f"uci:{sys.executable} {program} {starts};name=Fake;nodes=1", folder / "starts"


def test_a_program_that_dies_between_games_is_started_anew(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    player, starts = crashing(tmp_path, starts=99)
    found = json.loads(command("match", EXAMPLE, "random", player, "--games", "8", "--processes", "1", "--json"))
    assert found["games"] == found["wins"] == 8
    assert len(starts.read_text(encoding="utf-8")) > 2


def test_a_program_that_cannot_be_started_any_more_forfeits(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    player, starts = crashing(tmp_path, starts=2)  # one for the look at what is wrong with it, one for the games
    file = tmp_path / "games.txt"
    words = ("match", EXAMPLE, "random", player, "--games", "4", "--processes", "1", "--records", str(file), "--json")
    found = json.loads(command(*words))
    assert found["wins"] == 4 and found["ends"] == {"resignation": 2, "forfeit": 2}
    assert len(found["faults"]) == 2
    for fault in found["faults"]:
        assert ": Fake failed before the game: " in fault and "no more" in fault
    starts.unlink()
    assert json.loads(command(*words))["faults"] == found["faults"]


def test_giving_up_is_no_fault(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    player, starts = crashing(tmp_path, starts=99)
    file = tmp_path / "games.txt"
    words = ("match", EXAMPLE, "random", player, "--games", "2", "--processes", "1", "--records", str(file), "--json")
    found = json.loads(command(*words))
    assert found["ends"] == {"resignation": 2} and found["wins"] == 2 and found["faults"] == []
    assert json.loads(command(*words)) == found
    assert all(match.comments == {} for match in read_all(file.read_text(encoding="utf-8")))
    assert len(starts.read_text(encoding="utf-8")) == 3


def test_the_table_is_printed_before_a_failure(  # type: ignore[no-untyped-def]
    command, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> Iterator[Score]:
        yield Score({(0, 0): Played(0, 0, 1.0, "resignation")})
        raise MenagerieError("a process that played ended by itself")

    monkeypatch.setattr("menagerie.arena.contest.run", broken)
    with pytest.raises(SystemExit) as stopped:
        command("match", EXAMPLE, "random", "random", "--games", "4")
    printed = capsys.readouterr()
    assert stopped.value.code == 2 and "1 of 4 games" in printed.out and "ended by itself" in printed.err


# Processes


class Doubler:
    """A station that doubles, dies or fails."""

    def open(self) -> None: ...

    def work(self, job: int) -> Iterator[int]:
        if job == 7:
            os._exit(9)
        if job == 8:
            raise MenagerieError("eight is bad")
        if job == 9:
            raise KeyError("nine")
        yield 2 * job
        yield 2 * job + 1

    def close(self) -> None: ...


def test_processes_share_the_work_and_tell_what_went_wrong() -> None:
    assert sorted(together(Doubler(), range(1, 5), 2)) == list(range(2, 10))
    with pytest.raises(MenagerieError, match="exit code 9"):
        list(together(Doubler(), [7], 1))
    with pytest.raises(MenagerieError, match="eight is bad"):
        list(together(Doubler(), [8], 1))
    with pytest.raises(RuntimeError, match="nine"):
        list(together(Doubler(), [9], 1))
    assert list(together(Doubler(), [], 2)) == []


def test_whoever_stops_asking_stops_the_work() -> None:
    made: list[int] = []

    def jobs() -> Iterator[int]:
        for job in range(10, 10_000):
            made.append(job)
            yield job

    work = together(Doubler(), jobs(), 1)
    assert next(work) == 20
    work.close()
    assert len(made) < 10


# Contests, as people type them


def test_two_levels_play_a_match_that_can_be_gone_on_with(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "games.txt"
    file.touch()
    words = ("match", EXAMPLE, "level=2", "level=1", "--nodes", "30", "--seed", "3", "--records", str(file))
    first = json.loads(command(*words, "--games", "6", "--json"))
    assert first["games"] == first["wins"] + first["draws"] + first["losses"] == 6
    assert sum(first["pairs"]) == 3 and first["players"] == ["level=2", "level=1"] and first["faults"] == []
    written = file.read_text(encoding="utf-8")
    matches = list(read_all(written))
    assert {match.tags["Round"] for match in matches} == {f"{n}.{game}" for n in (1, 2, 3) for game in (1, 2)}
    players = find(EXAMPLE).players
    for match in matches:
        seat = int(match.tags["Round"][-1]) - 1
        assert match.tags[players[seat]] == "level=2" and match.tags[players[1 - seat]] == "level=1"
        assert match.outcome and match.tags["Event"] == f"match {EXAMPLE} level=2 level=1 --nodes 30 --seed 3"
    scores = find(EXAMPLE).scores
    assert first["wins"] == sum(
        scores[int(m.tags["Round"][-1]) - 1] == m.variant.game.score(m.outcome) for m in matches
    )

    # Going on: nothing is played twice, and what was cut out is played again exactly as before.
    more = json.loads(command(*words, "--games", "8", "--json"))
    longer = file.read_text(encoding="utf-8")
    assert more["games"] == 8 and longer.startswith(written) and len(list(read_all(longer))) == 8
    sections = [f"[Game{part}" for part in longer.split("[Game")[1:]]
    file.write_text("".join(sections[1:]), encoding="utf-8")
    again = json.loads(command(*words, "--games", "8", "--json", "--processes", "1"))
    assert again == more | {"ends": again["ends"]}
    assert sorted(file.read_text(encoding="utf-8").split("[Game")) == sorted(longer.split("[Game"))
    file.write_text(longer + "[Game nonsense\n\nx\n", encoding="utf-8")
    with pytest.raises(SystemExit):
        command(*words)


def test_a_match_is_shown_as_a_table_and_stops_when_the_test_is_decided(command) -> None:  # type: ignore[no-untyped-def]
    words = ("match", EXAMPLE, "random", "random,name=Rita", "--openings", "0", "--games", "2000", "--sprt=-999,-900")
    text = command(*words)
    assert "random" in text and "Rita" in text and "sequential test" in text and "it is" in text
    played = int(text.split(" of 2000 games")[0].split()[-1])
    assert played < 200


BABBLING = """
import sys
answers = {"uci": "uciok", "isready": "readyok", "go": "bestmove a1[/b][c]"}
for line in sys.stdin:
    print(answers.get(line.split()[0], ""), flush=True)
"""


def test_what_a_program_says_is_printed_as_it_is(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    program = tmp_path / "babbler.py"
    program.write_text(BABBLING, encoding="utf-8")
    player = f"uci:{sys.executable} {program};name=[/b] :dog:;nodes=1"
    text = command("match", EXAMPLE, "random", player, "--games", "2")
    assert "\n[/b] :dog: " in text and "[/b] :dog: played 'a1[/b][c]' in " in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["match", "GAME", "levle=3", "random"], "the player 'levle=3' makes no sense"),
        (["match", "GAME", "random", "depth=2", "--clock", "x"], "a clock is seconds"),
        (["match", "GAME", "random", "random", "--clock", "1", "--seconds", "1"], "do not go together"),
        (["match", "GAME", "random", "random", "--games", "3"], "--games is an even number, not 3"),
        (["ladder", "GAME", "--games", "5"], "--games is an even number, not 5"),
        (["match", "GAME", "random", "random", "--sprt", "1"], "a sequential test is two numbers"),
        (["match", "GAME", "random", "nodes=5,weights=/no/such"], "/no/such"),
        (["match", "GAME", "random", "megabytes=1"], "would think for ever"),
        (["match", "GAME", "random", "random", "--rules", "bogus"], "is no rule set"),
        (["ladder", "GAME", "--level", "1"], "Invalid value"),
        (["tune", "GAME", "--games", "1"], "Invalid value"),
    ],
    ids=lambda part: " ".join(part) if isinstance(part, list) else "",
)
def test_wrong_words_are_one_sentence(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["menagerie", *(EXAMPLE if word == "GAME" else word for word in words)])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    printed = capsys.readouterr()
    assert stopped.value.code == 2 and printed.out == ""
    assert message in printed.err and len(printed.err.splitlines()) == 1


def test_ctrl_c_ends_a_match_and_still_prints_the_table(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    words = ["match", EXAMPLE, "random", "random", "--openings", "0", "--games", "1000000", "--records", str(file)]
    with subprocess.Popen(
        [sys.executable, "-m", "menagerie", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        while not (file.exists() and file.stat().st_size > 3000):
            assert process.poll() is None
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "")
    count = int(out.split(" of 1000000 games")[0].split()[-1])
    assert "ends: " in out and 0 < count <= len(list(read_all(file.read_text(encoding="utf-8"))))


def test_games_begin_with_the_turns_of_a_book(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    variant, book, file = example(), tmp_path / "book.txt", tmp_path / "games.txt"
    starts = [openings.attempt(variant, turns, random.Random(seed)) for turns, seed in ((1, 1), (2, 5))]
    starts.append(Match(variant, openings.attempt(variant, 2, random.Random(2)).position))
    starts.append(Match(variant, starts[0].position))  # The same position once more, which is left out.
    book.write_text("\n".join(match.record() for match in starts), encoding="utf-8")
    words = ("match", EXAMPLE, "random", "random", "--book", str(book), "--records", str(file), "--json")
    found = json.loads(command(*words, "--games", "10"))
    assert found["games"] == 6 and f"--book {book}" in found["event"]
    for match in read_all(file.read_text(encoding="utf-8")):
        begun = starts[int(match.tags["Round"].split(".")[0]) - 1]
        assert match.positions[: len(begun.positions)] == begun.positions and str(book) in match.tags["Opening"]
    assert json.loads(command(*words, "--games", "10")) == found
    short = list(openings.read_book(variant, book, turns=1))
    assert [len(opening.turns) for opening in short] == [1, 1, 0]


def test_games_begin_at_the_positions_of_a_book(usual: Variant, tmp_path: Path) -> None:
    book, chance = tmp_path / "book.fen", random.Random(71)
    starts = [openings.attempt(usual, 2, chance).position for _ in range(3)]
    book.write_text("\n".join(map(str, [*starts, starts[0]])) + "\n\n", encoding="utf-8")
    found = list(openings.read_book(usual, book))
    assert [str(opening.played(usual).position) for opening in found] == list(dict.fromkeys(map(str, starts)))
    book.write_text(f"{starts[0]}\nnonsense\n", encoding="utf-8")
    with pytest.raises(MenagerieError, match=re.escape(f"line 2 of {book}: ")):
        list(openings.read_book(usual, book))


def test_the_same_two_games_again_do_not_count() -> None:
    """Players without chance repeat themselves from an opening; that makes no error bar smaller."""
    endless = Contest(EXAMPLE, ("nodes=50", "nodes=60"), turns=0)
    *_, score = run(endless, pairs=4, processes=1)
    assert score.games == 8 and len(score.tally) == 1 and score.repeats == 3
    assert "3 pairs were the same two games as another, and do not count" in report.words(4, score, None)


def test_a_book_that_cannot_be_played_is_refused(usual: Variant, tmp_path: Path) -> None:
    book = tmp_path / "book.txt"
    other = example() if usual.game.name != EXAMPLE else menagerie.game(next(n for n in names() if n != EXAMPLE))
    book.write_text(Match(other).record(), encoding="utf-8")
    with pytest.raises(MenagerieError, match=re.escape(f"game 1 of {book} is one of {other}, and not of {usual}")):
        list(openings.read_book(usual, book))
    over = Match(example())
    while not over.outcome:
        over.play(random_turn(over, random.Random(1)))
    book.write_text(over.record(), encoding="utf-8")
    with pytest.raises(MenagerieError, match="leaves nothing to play for"):
        list(openings.read_book(example(), book))
    assert len(list(openings.read_book(example(), book, turns=1))) == 1


def test_a_ladder_is_data(command, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "ladder.toml"
    words = ("ladder", EXAMPLE, "--games", "4", "--out", str(file))
    assert "level 3 against 2, 4 games: Elo" in command(*words, "--level", "3")
    command(*words, "--level", "2")
    rungs = ladder.read(file)
    assert sorted(rungs) == [2, 3]
    for rung in rungs.values():
        assert rung.made_by == f"menagerie ladder {EXAMPLE} --level {rung.level} --games 4 --seed 1"
        assert rung.games == rung.wins + rung.draws + rung.losses == 4 and len(rung.tally) == 2
        assert rung.low <= rung.elo <= rung.high
    score = Score()
    endless = ladder.Rung.of(8, score, "x")
    ladder.write(file, {8: endless})
    assert ladder.read(file) == {8: endless}
    file.write_text("[[rung]]\nlevel = 1\n", encoding="utf-8")
    with pytest.raises(MenagerieError, match="cannot be read"):
        ladder.read(file)


def test_a_contest_can_be_run_from_python() -> None:
    contest = Contest(EXAMPLE, ("nodes=50", "random"), turns=2, seed=2)
    *_, score = run(contest, pairs=3, processes=2)
    assert score.games == 6 and len(score.tally) == 3 and not score.faults
    assert sum(score.reasons.values()) == 6
    assert score.tally.score >= 0.5


# Fast games


def check_fast(name: str, numbers: range, longest: int) -> None:
    """No illegal move, no failure; and lost on time only where with a processor of its own it had been in time.

    They are played in a process of their own, as a match is: in this one a look for garbage may take as long as a turn.
    """
    total = total_of(play_all(name, numbers, seed=1, longest=longest, processes=1))
    assert total.games == len(numbers)
    assert not total.ends["illegal"] and not total.ends["forfeit"], total.faults
    assert all(busy < 1 for busy in total.overruns), total.faults


def test_fast_games_are_clean_in_the_small_game_with_every_control() -> None:
    check_fast(EXAMPLE, range(2 * len(CONTROLS)), longest=100)


@pytest.mark.parametrize("name", names())
def test_fast_games_are_clean(name: str) -> None:
    check_fast(name, range(len(CONTROLS)), longest=12)
