"""Dialogues: golden files of what a controller and an engine say to each other, line by line, beside each game.

golden/dialogues/<protocol>_*.txt        our engine, and a controller that says what is written
golden/controllers/<protocol>_*.txt      our controller, and a program (`actor.py`) that says what is written

> said by the controller
< said by the engine; * stands for anything, ? for a sign
< ...                           any lines, until the next that is expected
rules official                  under these rules (first line)
quiet 0.2                       nothing is said for so long
eof                             the controller says nothing more
exit 0                          the engine ends, with this code
@ start|choose|play ...         what our controller is asked to do, with name=value
= b2b3                          what comes of it: a turn, or an error by its kind and its words
! alas                          said by the engine on stderr
"""

import queue
import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from menagerie import Limit, Match, MenagerieError, Variant
from menagerie.arena.referee import read_clock
from menagerie.games import find, names
from menagerie.protocols import controller, conversation
from menagerie.protocols.controller import ForeignEngine
from menagerie.search.engine import Settings

LONGEST = 60.0
"""Seconds that any line may take to come on a slow and busy machine."""


class Step(NamedTuple):
    """A line of a dialogue: its sign or word, and the rest."""

    kind: str
    text: str


class Dialogue(NamedTuple):
    """A golden file."""

    name: str
    variant: Variant
    protocol: str
    path: Path
    steps: tuple[Step, ...]


def find_all(folder: str) -> list[Dialogue]:
    """Every dialogue of that kind beside any game."""
    return [
        read(name, path)
        for name in names()
        for path in sorted(Path(str(find(name).folder / "golden" / folder)).glob("*.txt"))
    ]


def read(name: str, path: Path) -> Dialogue:
    """The dialogue in a file."""
    steps = tuple(read_steps(path))
    game = find(name)
    rules = next((step.text for step in steps if step.kind == "rules"), "")
    return Dialogue(f"{name}-{path.stem}", Variant(game, game.agreed(rules)), path.stem.partition("_")[0], path, steps)


def read_steps(path: Path) -> Iterator[Step]:
    """The lines of a file, less comments."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            kind, _, text = line.partition(" ")
            yield Step(kind, text)


def fits(pattern: str, line: str) -> bool:
    """Whether a line is what was expected."""
    return re.fullmatch(re.escape(pattern).replace(r"\*", ".*").replace(r"\?", "."), line) is not None


class Engine:
    """Our engine in a thread, talked to as a program."""

    def __init__(self, variant: Variant, protocol: str, settings: Settings | None = None) -> None:
        self._said: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._heard: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self.code: int | None = None
        self.talk = conversation(variant, protocol, settings or Settings(megabytes=1), self._said.put)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        self.code = self.talk.hold(iter(self._heard.get, None))

    def tell(self, line: str) -> None:
        """Say a line to it."""
        self._heard.put(line)

    def hear(self, seconds: float = LONGEST) -> str:
        """Its next line."""
        return self._said.get(timeout=seconds)

    def hear_until(self, pattern: str) -> str:
        """The next line that fits."""
        while not fits(pattern, line := self.hear()):
            pass
        return line

    def is_ready(self) -> bool:
        """Whether it says so; if not, it has ended."""
        self.tell("isready")
        while self.code is None:
            with suppress(queue.Empty):
                if self.hear(0.1) == "readyok":
                    return True
        return False

    def end(self) -> int | None:
        """Say nothing more; the code it ends with."""
        self._heard.put(None)
        return self.wait()

    def wait(self) -> int | None:
        """The code it ends with."""
        self._thread.join(LONGEST)
        return self.code


def act(dialogue: Dialogue) -> None:
    """Say to our engine what the controller says, and hold its answers against what is written."""
    engine, skips = Engine(dialogue.variant, dialogue.protocol), False
    for count, (kind, text) in enumerate(dialogue.steps):
        place = f"{dialogue.name}, step {count + 1}: {kind} {text}"
        if kind == ">":
            engine.tell(text)
        elif kind == "<" and text == "...":
            skips = True
        elif kind == "<":
            line = engine.hear()
            while skips and not fits(text, line):
                line = engine.hear()
            assert fits(text, line), f"{place}\nbut it said: {line}"
            skips = False
        elif kind == "quiet":
            try:
                line = engine.hear(float(text))
            except queue.Empty:
                continue
            raise AssertionError(f"{place}\nbut it said: {line}")
        elif kind == "eof":
            engine.end()
        elif kind == "exit":
            assert engine.wait() == int(text), place
    engine.end()


class Stage:
    """Our controller on a stage with an actor."""

    def __init__(self, dialogue: Dialogue) -> None:
        self.dialogue = dialogue
        self.match = Match(dialogue.variant)
        self.engine: ForeignEngine | None = None

    def play(self) -> None:
        """Do what is asked, and hold what comes of it against what is written."""
        steps = [step for step in self.dialogue.steps if step.kind in "@="]
        for count, (kind, text) in enumerate(steps):
            if kind == "@":
                expected = next((step.text for step in steps[count + 1 : count + 2] if step.kind == "="), "")
                done = self.do(text)
                assert fits(expected, done), f"{self.dialogue.name}: {text}\n{expected}\nbut it was: {done}"
        if self.engine:
            self.engine.close()
            assert self.engine._program._process.returncode == self.exit_code()

    def exit_code(self) -> int:
        """How the actor ends if everything went as written."""
        return next((int(step.text) for step in self.dialogue.steps if step.kind == "exit"), 0)

    def do(self, text: str) -> str:
        """Do one thing; what comes of it."""
        verb, _, rest = text.partition(" ")
        verbs: dict[str, Callable[[str], str | None]] = {
            "start": self.start,
            "choose": self.choose,
            "option": self.option,
            "new": self.begin_game,
            "play": self.play_turn,
            "position": self.set_position,
            "patience": self.lose_patience,
        }
        try:
            return verbs[verb](rest) or ""
        except MenagerieError as fault:
            return f"{type(fault).__name__} {fault}"

    def start(self, rest: str) -> None:
        command = [sys.executable, str(Path(__file__).with_name("actor.py")), str(self.dialogue.path)]
        options = dict(pair.split("=", 1) for pair in rest.split())
        self.engine = ForeignEngine(command, self.dialogue.variant, self.dialogue.protocol, options)

    def choose(self, rest: str) -> str:
        assert self.engine
        said = dict(pair.split("=", 1) for pair in rest.split())
        clocks = None
        if "clocks" in said:
            first, second = map(read_clock, said.pop("clocks").split(","))
            clocks = first, second
        numbers = {name: float(value) if name == "seconds" else int(value) for name, value in said.items()}
        limit = Limit(**numbers) if numbers else None  # type: ignore[arg-type]  # whole numbers but for the seconds
        return self.engine.choose(self.match, limit, clocks).code

    def option(self, rest: str) -> None:
        assert self.engine
        name, _, value = rest.partition("=")
        self.engine.set_option(name, value)

    def begin_game(self, _: str) -> None:
        assert self.engine
        self.engine.new_game()

    def play_turn(self, rest: str) -> None:
        self.match.play(rest)

    def set_position(self, rest: str) -> None:
        self.match = Match(self.dialogue.variant, self.dialogue.variant.position(rest))

    def lose_patience(self, rest: str) -> None:
        controller.PATIENCE = float(rest)
