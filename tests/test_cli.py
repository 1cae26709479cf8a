"""The command as a user types it, for every game; whatever is wrong is one sentence and exit code 2."""

import json
import os
import pty
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console
from walks import listed_turns, random_turn, turn_starts

import menagerie
from menagerie import Match, MenagerieError, Variant, cli, terminal
from menagerie.games import names


def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str) -> str:
    """What a successful command prints."""
    monkeypatch.setattr(sys, "argv", ["menagerie", *words])
    cli.main()
    return capsys.readouterr().out


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    return lambda *words: run(capsys, monkeypatch, *words)


def test_games_lists_every_game(command) -> None:  # type: ignore[no-untyped-def]
    text = command("games")
    for variant in menagerie.games():
        assert variant.game.name in text and variant.game.title in text
        assert all(option in text for option in variant.game.options.names())


def test_show_prints_the_board_or_writes_a_picture(command, usual: Variant, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    text = command("show", usual.game.name)
    assert f"{usual.game.players[0]} to move" in text
    assert len(text.splitlines()) > usual.game.board.ranks
    picture = tmp_path / "board.svg"
    command("show", usual.game.name, str(usual.start()), "--svg", str(picture))
    assert picture.read_text(encoding="utf-8") == usual.start().svg()


def test_moves_prints_one_turn_per_line(command, variant: Variant) -> None:  # type: ignore[no-untyped-def]
    position = next(position for position in turn_starts(variant, seed=60) if listed_turns(position))
    words = (variant.game.name, str(position), "--rules", variant.options.in_full())
    turns = position.turns()
    assert command("moves", *words).splitlines() == [turn.code for turn in turns]
    assert command("moves", *words, "--people").splitlines() == [str(turn) for turn in turns]


def test_perft_counts(command, usual: Variant) -> None:  # type: ignore[no-untyped-def]
    start = usual.start()
    name = usual.game.name
    assert f"{start.perft(3)} nodes" in command("perft", name, "3")
    found = json.loads(command("perft", name, "2", "--divide", "--json"))
    assert (found["nodes"], found["depth"], found["position"]) == (start.perft(2), 2, str(start))
    assert found["divide"] == {action.code: count for action, count in start.divide(2)}
    assert json.loads(command("perft", name, "0", "--json"))["nodes"] == 1
    position = next(position for position in turn_starts(usual, seed=61) if listed_turns(position))
    turns = json.loads(command("perft", name, "1", "--turns", "--json", "--position", str(position)))
    assert turns["nodes"] == position.perft(1, turns=True) == len(position.turns())
    after = start.actions()[0].after
    divided = command("perft", name, "1", "--divide", "--position", str(after)).splitlines()
    assert divided[:-1] == [f"{action.code}: 1" for action in after.actions()]


def test_playouts_count(command, usual: Variant) -> None:  # type: ignore[no-untyped-def]
    words = ("playouts", usual.game.name, "--count", "700", "--seed", "3", "--json")
    found, again = json.loads(command(*words)), json.loads(command(*words))
    expected = usual.start().playouts(700, seed=3)
    assert found["steps"] == again["steps"] == expected.steps
    assert sum(end["games"] for end in found["ends"]) == found["games"] == 700
    assert "700 games" in command("playouts", usual.game.name, "--count", "700")


def test_warm_compiles_everything(command) -> None:  # type: ignore[no-untyped-def]
    assert f"{len(names())} games ready" in command("warm")


def test_records_are_checked_and_printed(  # type: ignore[no-untyped-def]
    command, usual: Variant, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = Match(usual)
    chance = random.Random(65)
    while not match.outcome and len(match.turns) < 5:
        match.play(random_turn(match.position, chance))
    whole = tmp_path / "whole.txt"
    whole.write_text(match.record() + "\n" + match.record(), encoding="utf-8")
    assert command("records", str(whole)) == f"{match.record()}\n{match.record()}\n"
    damaged = tmp_path / "damaged.txt"
    damaged.write_text(match.record().replace(str(match.turns[-1]), "nonsense", 1), encoding="utf-8")
    with pytest.raises(SystemExit) as stopped:
        command("records", str(damaged))
    assert stopped.value.code == 2
    assert "of the record: " in capsys.readouterr().err
    sys.argv = ["menagerie", "records", str(damaged), "--lenient"]
    cli.main()
    printed = capsys.readouterr()
    read = Match.read(printed.out)
    assert 0 < len(read.turns) < len(match.turns) and read.positions == match.positions[: len(read.positions)]
    assert "game 1 was read up to a fault: line " in printed.err


@pytest.mark.parametrize("words", [(), ("--lenient",)])
def test_a_file_without_a_game_is_an_error(  # type: ignore[no-untyped-def]
    command, words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "empty.txt"
    for content in ("", "\n \n"):
        file.write_text(content, encoding="utf-8")
        with pytest.raises(SystemExit) as stopped:
            command("records", str(file), *words)
        assert stopped.value.code == 2 and capsys.readouterr().err.endswith("there is no game in it\n")


BROKEN = {
    None: "and no game is there",
    "GAME = 3": "its GAME is no Game",
    "GAME =": "SyntaxError: invalid syntax",
    "import no_such_module": "ModuleNotFoundError: No module named 'no_such_module'",
    "GAME = 1 / 0": "ZeroDivisionError: division by zero",
}


@pytest.mark.parametrize(("source", "message"), BROKEN.items(), ids=map(str, BROKEN))
def test_a_broken_game_is_one_sentence(source: str | None, message: str, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    if source is not None:
        (folder / "broken").mkdir(parents=True)
        (folder / "broken" / "__init__.py").write_text(source, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "menagerie", "games"],
        env=os.environ | {"MENAGERIE_GAMES": str(folder), "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "") and len(done.stderr.splitlines()) == 1
    assert str(folder) in done.stderr and message in done.stderr


WRONG = [
    (["show", "bogus"], "there is no game 'bogus'"),
    (["show", "GAME", "bogus"], "the position 'bogus' cannot be read"),
    (["show", "GAME", "--svg", "/no/such/folder/x.svg"], "/no/such/folder/x.svg: No such file or directory"),
    (["moves", "GAME", "--rules", "bogus=1"], "there is no rule option 'bogus'"),
    (["moves", "GAME", "--rules", "bogus"], "'bogus' is no rule set"),
    (["moves"], "Missing argument"),
    (["perft", "GAME", "many"], "Invalid value"),
    (["perft", "GAME", "--", "-1"], "the depth of perft is -1"),
    (["perft", "GAME", "99"], "the depth of perft is 99"),
    (["playouts", "GAME", "--count", "0"], "Invalid value for"),
    (["play", "GAME", "--against", "bogus"], "the player 'bogus' makes no sense"),
    (["play", "GAME", "--against", "0"], "there is no level 0; levels are 1 to 8"),
    (["bogus"], "No such command"),
    (["games", "--bogus"], "No such option"),
]


@pytest.mark.parametrize(("words", "message"), WRONG, ids=lambda part: " ".join(part) if isinstance(part, list) else "")
def test_wrong_input_is_one_sentence(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["menagerie", *(names()[0] if word == "GAME" else word for word in words)])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    printed = capsys.readouterr()
    assert stopped.value.code == 2
    assert printed.out == ""
    assert printed.err.startswith("menagerie: ") and message in printed.err
    assert len(printed.err.splitlines()) == 1


def typed(words: list[str], lines: list[str], **variables: str) -> tuple[int, str]:
    """The exit code and output of a command that reads these lines from a terminal of its own."""
    controller, terminal = pty.openpty()
    command = [sys.executable, "-m", "menagerie", *words]
    environment = os.environ | {"TERM": "dumb", "COLUMNS": "200"} | variables
    with subprocess.Popen(
        command, stdin=terminal, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as process:
        os.close(terminal)
        os.write(controller, "".join(f"{line}\n" for line in lines).encode(errors="surrogateescape"))
        out, err = process.communicate(timeout=120)
    os.close(controller)
    assert b"Traceback" not in err
    return process.returncode, out.decode()


def test_two_people_play_in_the_terminal(usual: Variant, tmp_path: Path) -> None:
    saved = tmp_path / "game.txt"
    chance = random.Random(62)
    first = random_turn(usual.start(), chance)
    second = random_turn(first.after, chance)
    words = ["play", usual.game.name, "--against", "person"]
    lines = [
        "help",
        "moves",
        first.code,
        "nonsense",
        "undo",
        str(first),
        second.code,
        f"save {saved}",
        "record",
        "quit",
    ]
    code, text = typed(words, lines)
    assert code == 0
    assert "cannot be read" in text and "Goodbye" in text
    match = Match.read(saved.read_text(encoding="utf-8"))
    assert tuple(action.index for action in match.actions) == first.indices + second.indices
    code, text = typed(words, [f"load {saved}", "load /no/such", "draw", "quit"])
    assert code == 0 and "No such file" in text and "both players agree" in text
    code, text = typed(words, ["claim", "resign", "quit"])
    assert "no draw to claim" in text and f"{usual.game.players[1]} wins: {usual.game.players[0]} resigns" in text


def test_whatever_is_typed_the_game_goes_on(usual: Variant) -> None:
    words = ["play", usual.game.name, "--against", "person"]
    strange = ["[/]", "[bold]a1", ":dog:", "\udcff", "load [/b]", f"load {sys.executable}", "save /no/such/[/b]"]
    code, text = typed(words, [*strange, "quit"])
    assert code == 0 and text.endswith("Goodbye.\n")
    for shown in ("'[/]'", "'[bold]a1'", "':dog:'", "'[/b]'", "'/no/such/[/b]'"):
        assert shown in text
    assert "it is not text in UTF-8" in text


@pytest.mark.parametrize("against", ["random", "1", "2", "8"])
def test_a_person_plays_against_the_machine(usual: Variant, against: str) -> None:
    words = ["play", usual.game.name, "--against", against, "--second", "--seed", "5"]
    code, text = typed(words, ["draw", "undo", "resign", "quit"])
    assert code == 0
    assert text.count(f"{usual.game.players[0]} plays ") == 1
    assert "the machine does not agree" in text and "no turn of yours" in text
    assert f"{usual.game.players[0]} wins: {usual.game.players[1]} resigns" in text


def test_a_match_that_is_over_is_saved_and_taken_back(usual: Variant, tmp_path: Path) -> None:
    saved = tmp_path / "over.txt"
    first = random_turn(usual.start(), random.Random(68))
    lines = [first.code, "resign", f"save {saved}", "hint", first.code, "undo", "undo", first.code, "quit"]
    code, text = typed(["play", usual.game.name, "--against", "random", "--seed", "3"], lines)
    over = f"{usual.game.players[1]} wins: {usual.game.players[0]} resigns"
    assert code == 0 and text.count(f"{over}\nIt can be saved") == 1 and "the match is over" in text
    assert text.count(f"{usual.game.players[1]} plays ") == 2
    match = Match.read(saved.read_text(encoding="utf-8"))
    assert str(match.outcome) == over and match.tags[usual.game.players[1]] == "random"
    code, text = typed(["play", usual.game.name, "--against", "person"], [f"load {saved}", "quit"])
    assert code == 0 and over in text and text.endswith("Goodbye.\n")


def test_a_hint_is_a_turn_with_its_value(usual: Variant) -> None:
    code, text = typed(["play", usual.game.name, "--against", "person"], ["hint", "quit"])
    hint = re.search(r"^(?:.*> )?(.+)  \((?:[+-]\d+\.\d\d|(?:wins|loses) in \d+), \d+% to win\)$", text, re.MULTILINE)
    assert code == 0 and hint
    assert usual.start().find(hint[1]).position == usual.start()


FAILING = """
import sys
answers = {"uci": "uciok", "isready": "readyok", "go": "bestmove " + sys.argv[1]}
for line in sys.stdin:
    word = line.split()[0]
    if word == "go" and sys.argv[1] == "death":
        sys.exit("alas")
    print(answers.get(word, ""), flush=True)
"""


@pytest.mark.parametrize(("answer", "words"), [("z9z9", "sent 'z9z9' in "), ("death", "alas")])
def test_a_match_outlives_a_machine_that_fails(usual: Variant, tmp_path: Path, answer: str, words: str) -> None:
    program, saved = tmp_path / "broken.py", tmp_path / "game.txt"
    program.write_text(FAILING, encoding="utf-8")
    first = random_turn(usual.start(), random.Random(66))
    second = random_turn(first.after, random.Random(67))
    lines = [first.code, second.code, f"save {saved}", "draw", "quit"]
    code, text = typed(["play", usual.game.name, "--against", f"uci:{sys.executable} {program} {answer}"], lines)
    assert code == 0 and words in text and "goes on with you on both sides" in text
    assert [turn.after for turn in Match.read(saved.read_text(encoding="utf-8")).turns] == [first.after, second.after]


def test_a_loaded_match_goes_on_as_it_began(variant: Variant, tmp_path: Path) -> None:
    saved, silent, people = tmp_path / "game.txt", Console(quiet=True), (True, False)
    saved.write_text(Match(variant).record(), encoding="utf-8")
    for automatic in (True, False):
        loaded = terminal.load(Match(variant, automatic=automatic), str(saved), people, silent)
        assert loaded.automatic == automatic and loaded.position == variant.start()
    usual = menagerie.game(variant.game.name)
    if variant != usual:
        with pytest.raises(MenagerieError, match=re.escape(f"is a match of {variant}, and this is one of {usual}")):
            terminal.load(Match(usual), str(saved), people, silent)


def test_the_end_of_input_ends_the_game(usual: Variant) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "menagerie", "play", usual.game.name],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("Goodbye.\n")
