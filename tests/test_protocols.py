"""UCI, USI and AEI in both directions: golden dialogues, whole games, other people's programs, garbage."""

import pickle
import random
import re
import shlex
import subprocess
import sys
import time
from collections import deque
from pathlib import Path

import pytest
from dialogues import LONGEST, Dialogue, Engine, Stage, act, find_all
from oracles import fairy, pyrimaa, stockfish
from walks import random_turn, turn_starts

import menagerie
from menagerie import Limit, Match, Variant, cli
from menagerie.errors import BadMove, EngineError, ProtocolError, Resignation
from menagerie.games import find, names
from menagerie.protocols import controller, conversation
from menagerie.protocols.controller import ForeignEngine
from menagerie.protocols.dialect import dialect, spoken
from menagerie.search.engine import Line, Settings
from menagerie.search.limits import Clock

pytestmark = pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")

SPOKEN = [(name, protocol) for name in names() for protocol in spoken(find(name))]
FAIRY = stockfish.find()
AEI = [name for name, protocol in SPOKEN if protocol == "aei"]
SIMPLE = [sys.executable, "-m", "pyrimaa.simple_engine"]
PATIENT = (
    "import sys; from pyrimaa import aei, {0}; aei.START_TIME = aei.INIT_TIME = 60; sys.exit({0}.main(sys.argv[1:]))"
)
"""A tool of aei, with patience for a machine that does other things too."""


def ours(name: str, protocol: str, *more: str) -> list[str]:
    """The command that runs our engine."""
    return [sys.executable, "-m", "menagerie", "engine", name, "--protocol", protocol, "--megabytes", "1", *more]


@pytest.mark.parametrize("dialogue", find_all("dialogues"), ids=lambda dialogue: dialogue.name)
def test_our_engine_says_what_is_written(dialogue: Dialogue) -> None:
    act(dialogue)


@pytest.mark.parametrize("dialogue", find_all("controllers"), ids=lambda dialogue: dialogue.name)
def test_our_controller_says_what_is_written(dialogue: Dialogue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(controller, "PATIENCE", controller.PATIENCE)  # and back again, whatever the dialogue does
    Stage(dialogue).play()


@pytest.mark.parametrize(("name", "protocol"), SPOKEN)
def test_a_dialect_tells_every_turn_and_position(name: str, protocol: str) -> None:
    variant, chance, tongue = menagerie.game(name), random.Random(70), dialect(find(name), protocol)
    for position in turn_starts(variant, seed=71):
        turn = random_turn(position, chance)
        said = tongue.write_turn(turn.code)
        assert protocol == "aei" or " " not in said
        assert position.find(tongue.read_turn(said)).after == turn.after
        try:
            text = tongue.write_position(str(position))
        except ProtocolError:
            assert position.ply < 2
        else:
            assert variant.position(tongue.read_position(text)).key == position.key


@pytest.mark.parametrize(("name", "protocol"), SPOKEN)
def test_our_engine_is_an_opponent_like_any_other(name: str, protocol: str) -> None:
    variant, chance = menagerie.game(name), random.Random(72)
    limits = [Limit(depth=2), Limit(depth=2, seconds=60), None]
    with ForeignEngine(ours(name, protocol), variant, protocol, {"level": "1"}) as engine:
        assert engine.name.startswith("Menagerie")
        match = Match(variant)
        while not match.outcome and len(match.turns) < 8:
            limit = limits[len(match.turns) // 2 % 3]
            clocks = None if limit else (Clock(30, 1), Clock(30, 1))
            ask = len(match.turns) % 2 == 0
            match.play(engine.choose(match, limit, clocks) if ask else random_turn(match.position, chance))
        engine.new_game()
        assert engine.choose(Match(variant), Limit(depth=1)).position == variant.start()
        for match in begun_turns(variant):
            if protocol == "aei":
                with pytest.raises(EngineError, match="only between turns"):
                    engine.choose(match, Limit(depth=1))
            else:
                after = match.play(engine.choose(match, Limit(depth=1)))
                assert after.player != match.positions[0].player or after.outcome


def begun_turns(variant: Variant) -> list[Match]:
    """A match in the middle of a turn, in a game that knows such a thing."""
    for action in (action for position in turn_starts(variant, seed=79) for action in position.actions()):
        if action.after.player == action.position.player and action.after.indices:
            match = Match(variant, action.position)
            match.play(action)
            return [match]
    return []


@pytest.mark.parametrize(("name", "protocol"), [pair for pair in SPOKEN if pair[1] != "aei"])
def test_rules_travel_with_the_game(name: str, protocol: str) -> None:
    game = find(name)
    rules = {option: game.options.values(option)[-1] for option in game.options.names()}
    engine = Engine(menagerie.game(name), protocol)
    for option, value in rules.items():
        engine.tell(f"setoption name {option} value {value}")
    engine.tell("isready")
    assert engine.hear() == "readyok"
    assert engine.talk.match.position == menagerie.game(name, **rules).start()
    assert engine.end() == 0


@pytest.mark.skipif(isinstance(FAIRY, stockfish.Missing), reason=f"Fairy-Stockfish: {FAIRY}")
@pytest.mark.parametrize(("name", "protocol"), [pair for pair in SPOKEN if pair[0] in fairy.VARIANTS])
def test_fairy_stockfish_is_an_opponent(name: str, protocol: str) -> None:
    variant = menagerie.game(name, **fairy.VARIANTS[name].options)
    mind = menagerie.engine(variant, nodes=300)
    assert isinstance(FAIRY, stockfish.Program)
    with ForeignEngine(FAIRY.command, variant, protocol, FAIRY.options(protocol)) as rival:
        assert rival.name.startswith("Fairy-Stockfish")
        for start in (None, mind.choose(variant.start()).after):
            match = Match(variant, start)
            rival.new_game()
            while not match.outcome and len(match.turns) < 30:
                rivals = len(match.turns) % 2 == 0
                match.play(rival.choose(match, Limit(depth=2)) if rivals else mind.choose(match))


class Dreamer:
    """A program that thinks until it is told to stop, and notes how long that would be."""

    name = "Dreamer"

    def __init__(self, answer: str) -> None:
        self.waits: list[float] = []
        self._answers = {"uci": "uciok", "usi": "usiok", "isready": "readyok", "stop": f"bestmove {answer}"}
        self._answers["aei"] = "protocol-version 1\naeiok"
        self._says: deque[str] = deque()

    def tell(self, line: str) -> None:
        self._says.extend(self._answers.get(line, "").splitlines())

    def hear(self, deadline: float, _: str) -> str:
        if not self._says:
            self.waits.append(deadline - time.monotonic())
            raise TimeoutError
        return self._says.popleft()

    def close(self, farewell: str) -> None: ...


@pytest.mark.parametrize(("name", "protocol"), SPOKEN)
def test_a_program_is_told_to_stop_when_its_time_is_up(
    name: str, protocol: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    variant = menagerie.game(name)
    turn = random_turn(variant.start(), random.Random(80))
    dreamer = Dreamer(dialect(variant.game, protocol).write_turn(turn.code))
    monkeypatch.setattr(controller, "Program", lambda _: dreamer)
    clocks = Clock(300, 5), Clock(200, 5)
    for limit, clock, seconds in ((400, None, 400), (None, clocks, 300), (100, clocks, 100), (400, clocks, 300)):
        with ForeignEngine("dreamer", variant, protocol) as rival:
            found = rival.choose(Match(variant), Limit(seconds=limit), clock)
            rival.margin = 1000
            again = rival.choose(Match(variant), Limit(seconds=limit), clock)
        assert found.after == again.after == turn.after
        assert all(-50 < wait - due <= 0 for wait, due in zip(dreamer.waits, (seconds, seconds + 1000), strict=True))
        dreamer.waits.clear()


@pytest.mark.parametrize("name", AEI)
def test_aeis_simple_engine_is_an_opponent(name: str) -> None:
    variant = menagerie.game(name)
    mind = menagerie.engine(variant, nodes=300)
    with ForeignEngine(SIMPLE, variant, "aei") as rival:
        match = Match(variant)
        while not match.outcome and len(match.turns) < 8:
            rivals = len(match.turns) % 2 == 1
            match.play(rival.choose(match, Limit(seconds=5)) if rivals else mind.choose(match))


@pytest.mark.parametrize("name", AEI)
def test_aeis_roundrobin_plays_a_game_with_our_engine(name: str, tmp_path: Path) -> None:
    config = tmp_path / "roundrobin.cfg"
    config.write_text(
        "[global]\nrounds = 1\ntimecontrol = 5s/20s/100/60s/12s\nstrict_setup = yes\nbots = ours simple\n"
        f"[ours]\ncmdline = {' '.join(ours(name, 'aei', '--level', '1'))}\n"
        f"[simple]\ncmdline = {' '.join(SIMPLE)}\n",
        encoding="utf-8",
    )
    pgn = tmp_path / "games.pgn"
    words = [sys.executable, "-c", PATIENT.format("roundrobin"), "--config", str(config), "--pgn", str(pgn)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=3 * LONGEST)
    assert done.returncode == 0, done.stderr
    result = re.search(r"(\w+) beat (\w+) because of (\w) playing side", done.stdout)
    assert result, done.stdout
    assert result[3] in "gems" or result[2] == "simple", done.stdout  # an illegal or late turn is never ours
    turns = re.findall(r"^\d+[gs] (.+)$", pgn.read_text(encoding="utf-8"), re.MULTILINE)
    match = Match(menagerie.game(name))
    for turn in turns if result[3] != "i" else turns[:-1]:
        match.play(turn)
    assert len(match.turns) > 4


@pytest.mark.parametrize("name", AEI)
def test_aeis_analyze_asks_our_engine(name: str, tmp_path: Path) -> None:
    config = tmp_path / "analyze.cfg"
    config.write_text(
        f"[global]\ndefault_engine = ours\n[ours]\ncmdline = {' '.join(ours(name, 'aei'))}\nbot_depth = 4\n",
        encoding="utf-8",
    )
    starts = [position for position in turn_starts(menagerie.game(name), seed=73) if position.ply > 1]
    played, board = tmp_path / "game.txt", tmp_path / "board.txt"
    match, chance = Match(menagerie.game(name)), random.Random(74)
    while len(match.turns) < 6:
        match.play(random_turn(match.position, chance))
    labels = [f"{turn.position.ply // 2 + 1}{pyrimaa.SIDES[turn.position.player]} {turn.code}" for turn in match.turns]
    played.write_text("\n".join(labels), encoding="utf-8")
    drawn = pyrimaa.read(str(starts[-1])).board_to_str()
    board.write_text(f"{starts[-1].ply // 2 + 1}{pyrimaa.SIDES[starts[-1].player]}\n{drawn}", encoding="utf-8")
    for file, position in ((played, match.position), (board, starts[-1])):
        words = [sys.executable, "-c", PATIENT.format("analyze"), "--config", str(config), str(file)]
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=3 * LONGEST)
        assert done.returncode == 0, done.stderr
        answer = re.search(r"^bestmove: (.+)$", done.stdout, re.MULTILINE)
        assert answer, done.stdout
        assert position.find(answer[1]).position == position
        assert re.search(r"^(depth 4|score 29999)$", done.stdout, re.MULTILINE), "so deep, or to a win at once"
        assert "Error" not in done.stdout


@pytest.mark.parametrize("name", AEI)
def test_a_person_plays_against_a_program(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["play", name, "--against", f"aei:{shlex.join(SIMPLE)};delaymove=0", "--second"]
    monkeypatch.setattr(sys, "argv", ["menagerie", *words])
    typed = iter(("resign", "quit"))
    monkeypatch.setattr(cli.console, "input", lambda _: next(typed))
    cli.main()
    printed = capsys.readouterr().out
    first, second = find(name).players
    assert f"{first} plays " in printed and f"{first} wins: {second} resigns" in printed


def mangled(lines: list[str], chance: random.Random) -> str:
    """A line with words lost, doubled, exchanged, or made of anything."""
    words = chance.choice(lines).split(" ")
    others = chance.choice(lines).split(" ")
    for _ in range(chance.randrange(4)):
        at = chance.randrange(len(words) + 1)
        junk = "".join(chance.choice("aZ09-+*@,[]/\\ \t\x00é将=#") for _ in range(chance.randrange(9)))
        words[at : at + chance.randrange(2)] = [chance.choice([*others, junk, "-1", "99999999999999999999", "value"])]
    return " ".join(words)


@pytest.mark.parametrize("protocol", sorted({protocol for _, protocol in SPOKEN}))
def test_garbage_never_breaks_a_conversation(protocol: str) -> None:
    chance = random.Random(75)
    some = [dialogue for dialogue in find_all("dialogues") if dialogue.protocol == protocol]
    for dialogue in some:
        lines = [text for kind, text in dialogue.steps if kind == ">" and "quit" not in text]
        engine = fresh(dialogue)
        for _ in range(60):
            line = mangled(lines, chance)
            if "quit" in line.split() or re.search(r"hash|threads", line, re.IGNORECASE):
                continue  # it would end as it should, or take all the memory it was offered
            engine.tell(line)
            if not engine.is_ready():  # AEI ends a conversation where it does not understand
                assert protocol == "aei" and engine.end() == 1
                engine = fresh(dialogue)
        assert engine.is_ready() and engine.end() == 0


def fresh(dialogue: Dialogue) -> Engine:
    """An engine that has been greeted."""
    engine = Engine(dialogue.variant, dialogue.protocol)
    engine.tell(dialogue.protocol)
    engine.hear_until(f"{dialogue.protocol}ok")
    return engine


@pytest.mark.parametrize("last", [b"quit\n", b"", b"\xff\xfe\x80\n"], ids=["quit", "eof", "no text"])
def test_the_command_ends_when_it_should(last: bytes) -> None:
    process = subprocess.Popen(ours(names()[0], "uci"), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin and process.stdout
    process.stdin.write(b"isready\nposition startpos\ngo infinite\n")
    process.stdin.flush()
    while not process.stdout.readline().startswith(b"info depth 1 "):
        pass
    out, _ = process.communicate(last, timeout=LONGEST)
    assert process.returncode == 0
    assert out.splitlines()[-1].startswith(b"bestmove ")


@pytest.mark.parametrize("name", AEI)
def test_the_command_ends_with_the_code_of_the_conversation(name: str) -> None:
    for said, code in (("aei\nblah\n", 1), ("aei\nquit\n", 0)):
        done = subprocess.run(ours(name, "aei"), input=said, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (code, "")


def test_nobody_may_be_there_to_read() -> None:
    process = subprocess.Popen(
        ours(names()[0], "uci"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin and process.stdout and process.stderr
    process.stdout.close()
    process.stdin.write(b"uci\nisready\nposition startpos\ngo depth 3\n")
    process.stdin.close()
    assert process.wait(LONGEST) == 0
    assert process.stderr.read() == b""
    process.stderr.close()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--protocol", "bogus"], "is not spoken in 'bogus', but in: uci"),
        (["--level", "99"], "level must be a whole number from 0 to 8, not 99"),
        (["--rules", "bogus"], "'bogus' is no rule set"),
    ],
    ids=["protocol", "level", "rules"],
)
def test_a_wrong_command_is_one_sentence(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["menagerie", "engine", names()[0], *words])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    printed = capsys.readouterr()
    assert stopped.value.code == 2 and printed.out == "" and message in printed.err


@pytest.mark.parametrize(
    ("ends_in", "uci", "usi"), [(None, "cp 7", "cp 7"), (1, "mate 1", "mate 1"), (3, "mate 3", "mate 5")]
)
def test_scores_count_as_each_protocol_does(ends_in: int | None, uci: str, usi: str) -> None:
    line = Line((), 7, 0.5, ends_in)
    for protocol, expected in (("uci", uci), ("usi", usi)):
        for variant in (menagerie.game(name) for name, other in SPOKEN if other == protocol):
            talk = conversation(variant, protocol, Settings(megabytes=1), print)
            assert talk.score(line) == expected  # type: ignore[attr-defined]  # AEI knows no other score
            if ends_in:
                lost = {"uci": f"mate -{ends_in}", "usi": f"mate -{2 * ends_in}"}
                assert talk.score(Line((), 7, 0.5, -ends_in)) == lost[protocol]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("protocol", "said", "seconds"),
    [
        ("uci", {"movetime": ["1000"]}, 0.7),
        ("uci", {"movetime": ["400"]}, 0.2),
        ("uci", {"wtime": ["30000"]}, 0.7),
        ("uci", {"wtime": ["30000"], "infinite": []}, None),
        ("usi", {"byoyomi": ["1000"]}, 0.7),
        ("usi", {"btime": ["30000"], "byoyomi": ["1000"]}, 1.7),
    ],
    ids=str,
)
def test_the_way_there_and_back_is_no_time_to_think(
    protocol: str, said: dict[str, list[str]], seconds: float | None
) -> None:
    for name in (name for name, other in SPOKEN if other == protocol):
        talk = conversation(menagerie.game(name), protocol, Settings(megabytes=1), print)
        talk.hold(["setoption name Move Overhead value 300"])
        wish = talk.wish(said)  # type: ignore[attr-defined]  # AEI keeps the time in options
        assert wish.limit.seconds == pytest.approx(seconds)


@pytest.mark.parametrize(("name", "protocol"), SPOKEN)
def test_a_cleared_engine_has_forgotten_what_it_found(name: str, protocol: str) -> None:
    said: list[str] = []
    talk = conversation(menagerie.game(name), protocol, Settings(megabytes=1), said.append)
    button = next(name for name, option in talk.options().items() if option.kind == "button")
    fresh, again = (talk.engine.analyse(talk.match, Limit(depth=4)).nodes for _ in range(2))
    talk.set_option(button, "")
    assert talk.engine.analyse(talk.match, Limit(depth=4)).nodes == fresh != again


@pytest.mark.parametrize("name", AEI)
@pytest.mark.parametrize(
    ("times", "least", "most"),
    [
        ({"tcmove": 1}, 0.85, 0.95),
        ({"tcmove": 0.5, "tcturntime": 0.5}, 0.35, 0.45),
        ({"tcmove": 10, "greserve": 60}, 11, 13),
        ({"tcmove": 10, "greserve": 60, "moveused": 4}, 7, 9),
        ({"tcmove": 10, "greserve": 60, "moveused": 40}, 0.5, 2),
        ({"tcmove": 10, "greserve": 60, "tcturntime": 5}, 4.5, 5),
        ({"tcreserve": 60}, 1, 3),
        ({"tcturntime": 3}, 2.5, 3),
        ({"tcmove": 1, "moveused": 3}, 0, 0.01),
    ],
    ids=str,
)
def test_a_turn_has_its_own_time_and_a_share_of_the_reserve(
    name: str, times: dict[str, float], least: float, most: float
) -> None:
    talk = conversation(menagerie.game(name), "aei", Settings(megabytes=1), print)
    talk.hold(["aei", *(f"setoption name {key} value {value}" for key, value in times.items())])
    assert least < (talk.limit().seconds or 0) < most  # type: ignore[attr-defined]  # AEI keeps the time in options


@pytest.mark.parametrize("name", AEI)
def test_a_line_names_whose_turn_it_is_after_the_first(name: str) -> None:
    said: list[str] = []
    variant = menagerie.game(name)
    position = next(position for position in turn_starts(variant, seed=76) if position.ply > 1)
    first = random_turn(position, random.Random(77))
    second = random_turn(first.after, random.Random(78))
    analysis = menagerie.engine(variant, depth=1).analyse(position)
    vars(analysis)["lines"] = (Line((first, second), 12, 0.5, None),)
    conversation(variant, "aei", Settings(megabytes=1), said.append).inform(analysis)
    side = pyrimaa.SIDES[second.position.player]
    assert said[:2] == ["info score 12", "info depth 1"]
    assert said[-1] == f"info pv {first.code} {side} {second.code}"


@pytest.mark.parametrize("command", ["", "/no/such/program", "an 'odd one", str(Path(__file__).parent), "true"])
def test_a_program_that_cannot_play_is_named(command: str, usual: Variant) -> None:
    with pytest.raises(EngineError) as fault:
        ForeignEngine(command, usual)
    assert fault.value.program and str(fault.value).startswith(fault.value.program)


@pytest.mark.parametrize(
    "error",
    [EngineError("a", "b"), BadMove("a", "b", "c", "d"), Resignation("a")],
    ids=lambda error: type(error).__name__,
)
def test_errors_travel(error: EngineError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error) and str(again) == str(error) and vars(again) == vars(error)
