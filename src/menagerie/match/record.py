"""Game records: tags in brackets, then the moves as people write them, after the manner of PGN.

[Game "name"]
[Rules "option=value,..."]
[First "Ixchel"]
[Second "Itzamna"]
[Result "1-0"]
[Termination "resignation"]

1. Cb3 Gxc3 2. Lc2 {bold} 1-0

The tags of the players are named as the game names them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from menagerie.errors import MenagerieError, RecordError
from menagerie.game import Game, Outcome, Script
from menagerie.games import find
from menagerie.position import Position, Turn
from menagerie.variant import Variant

WIDTH = 100
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
ENDINGS = {
    "resignation": "{loser} resigns",
    "agreement": "both players agree",
    "time": "{loser} has no time left",
    "forfeit": "{loser} does not play on",
    "repetition": "claimed, the same position came again",
    "limit": "claimed, no progress for too long",
    "score": "{winner} has more pieces at the limit",
    "illegal": "{loser} made an illegal move",
    "abandoned": "the match was abandoned",
    "unknown": "the record does not say why",
}
"""The ways a match ends other than on the board, in words."""

TAG = re.compile(r'\[([A-Za-z0-9_]+) "((?:[^"\\]|\\.)*)"\]')
TOKEN = re.compile(r"\{(?P<comment>[^}]*)\}|(?P<open>\{)|(?P<number>\d+\.+)|(?P<turn>[^\s{}]+)")


@dataclass(frozen=True)
class Record:
    """What is written of a match. Comments are keyed by the number of turns before them."""

    variant: Variant
    start: Position
    turns: tuple[Turn, ...]
    outcome: Outcome | None
    tags: dict[str, str] = field(default_factory=dict)
    comments: dict[int, str] = field(default_factory=dict)


class Line(NamedTuple):
    """A line of a file, counted from 1."""

    number: int
    text: str


class Word(NamedTuple):
    """A word of a record: a turn, comment, result, resigns or takeback, with its line."""

    kind: str
    text: str
    line: int


def ending(game: Game, reason: str, winner: int | None) -> Outcome:
    """The outcome of a match that did not end on the board."""
    if reason not in ENDINGS:
        raise MenagerieError(f"a match does not end by {reason!r}; the ways are: {', '.join(ENDINGS)}")
    if winner is None:
        return Outcome(None, reason, f"Draw: {ENDINGS[reason]}")
    names = {"winner": game.players[winner], "loser": game.players[1 - winner]}
    return Outcome(winner, reason, f"{names['winner']} wins: {ENDINGS[reason].format(**names)}")


def write(record: Record) -> str:
    """The record as text."""
    game = record.variant.game
    result = game.score(record.outcome)
    tags = {"Game": game.name, "Rules": record.variant.options.in_full()}
    tags |= {name: record.tags.get(name, "?") for name in game.players}
    tags |= {name: value for name, value in record.tags.items() if name not in tags}
    tags |= game.record_tags
    tags["Result"] = result
    if record.outcome:
        tags["Termination"] = record.outcome.reason
    if record.start != record.variant.start():
        tags["FEN"] = str(record.start)
    head = "\n".join(f'[{name} "{escape(value)}"]' for name, value in tags.items())
    script = game.script or Numbered()
    turns = [(turn.position.ply, str(turn)) for turn in record.turns]
    return f"{head}\n\n{script.write(turns, record.comments, result)}\n"


class Numbered:
    """The usual way to write moves: numbered, both players' turns in a row, comments in braces, the result last."""

    has_result = True

    def write(self, turns: Sequence[tuple[int, str]], comments: Mapping[int, str], result: str) -> str:
        """The moves with their numbers, the comments and the result."""
        parts = [f"{{{comments[0]}}}"] if 0 in comments else []
        numbered = False
        for count, (ply, text) in enumerate(turns, 1):
            if ply % 2 == 0 or not numbered:
                parts.append(f"{ply // 2 + 1}{'...' if ply % 2 else '.'}")
            parts.append(text)
            numbered = count not in comments
            if not numbered:
                parts.append(f"{{{comments[count]}}}")
        return wrap([*parts, result])

    def read(self, lines: Sequence[tuple[int, str]]) -> Iterator[tuple[str, str, int]]:
        """The comments, turns and result with their lines; a comment may go over several lines."""
        starts = [0]
        for _, text in lines:
            starts.append(starts[-1] + len(text) + 1)
        index = 0
        for match in TOKEN.finditer("\n".join(text for _, text in lines)):
            while match.start() >= starts[index + 1]:
                index += 1
            if match["open"]:
                raise RecordError(lines[index][0], "a comment is not closed")
            kind = "result" if match["turn"] in RESULTS else str(match.lastgroup)
            if kind != "number":
                yield kind, " ".join(str(match[match.lastgroup or ""]).split()), lines[index][0]


def wrap(parts: list[str]) -> str:
    """The words in lines that are not too long."""
    lines = [""]
    for part in parts:
        if lines[-1] and len(lines[-1]) + 1 + len(part) > WIDTH:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + part
    return "\n".join(lines)


@dataclass(frozen=True)
class Sheet:
    """A record as it was read: its game and start, its tags, and its words, none of them played yet."""

    variant: Variant
    start: Position
    tags: dict[str, str]
    lines: tuple[tuple[int, str], ...]

    @property
    def script(self) -> Script:
        """How the moves are written."""
        return self.variant.game.script or Numbered()

    def words(self) -> Iterator[Word]:
        """The words of the moves in order; a RecordError where they cannot be told apart."""
        for kind, text, line in self.script.read(self.lines):
            yield Word(kind, text, line)

    @property
    def last_line(self) -> int:
        """Where the record ends."""
        return self.lines[-1][0] if self.lines else 1

    def own_tags(self) -> dict[str, str]:
        """The tags that say nothing the match itself knows."""
        known = {"Game", "Rules", "Result", "Termination", "FEN", *self.variant.game.record_tags}
        return {name: value for name, value in self.tags.items() if name not in known}


def read_all(text: str, variant: Variant | None = None) -> Iterator[Sheet]:
    """Every record of a file, one after the other; the variant is for files that do not name their game."""
    for lines in sections(text):
        yield read_section(lines, variant)


def sections(text: str) -> Iterator[list[Line]]:
    """The lines of each record: a new one begins with the first tag after moves."""
    lines: list[Line] = []
    has_moves = False
    for number, line in enumerate(text.splitlines(), 1):
        is_tag = line.startswith("[")
        if is_tag and has_moves:
            yield lines
            lines, has_moves = [], False
        has_moves |= bool(line.strip()) and not is_tag
        if line.strip():
            lines.append(Line(number, line))
    if lines:
        yield lines


def read_section(lines: list[Line], variant: Variant | None) -> Sheet:
    """One record from its lines."""
    tags: dict[str, str] = {}
    moves: list[Line] = []
    for line in lines:
        if moves or not line.text.startswith("["):
            moves.append(line)
            continue
        match = TAG.fullmatch(line.text.strip())
        if not match:
            raise RecordError(line.number, f'{line.text.strip()[:80]!r} is not a tag like [Name "value"]')
        if match[1] in tags:
            raise RecordError(line.number, f"the tag {match[1]} stands twice")
        tags[match[1]] = re.sub(r"\\(.)", r"\1", match[2])
    chosen, start = read_rules(tags, lines[0].number, variant)
    return Sheet(chosen, start, tags, tuple(moves))


def read_rules(tags: dict[str, str], line: int, variant: Variant | None) -> tuple[Variant, Position]:
    """The game, its options and the first position that the tags name."""
    try:
        if "Game" in tags:
            game = find(tags["Game"])
            variant = Variant(game, game.agreed(tags.get("Rules", "")))
        if variant is None:
            raise MenagerieError("there is no tag that names the game")
        return variant, variant.position(tags["FEN"]) if "FEN" in tags else variant.start()
    except MenagerieError as error:
        raise RecordError(line, str(error)) from error


def read_result(sheet: Sheet, written: str) -> tuple[str, int | None]:
    """The result that a record claims, as written after its moves or in its tag, and who won by it."""
    result = written if sheet.script.has_result else written or sheet.tags.get("Result", "")
    if not result:
        raise RecordError(sheet.last_line, "the record ends without a result")
    if result not in RESULTS:
        raise RecordError(sheet.last_line, f"the result is {result[:20]!r} and should be one of {', '.join(RESULTS)}")
    if sheet.tags.get("Result", result) != result:
        raise RecordError(sheet.last_line, f"the result is {result}, but its tag says {sheet.tags['Result']}")
    scores = sheet.variant.game.scores
    return result, scores.index(result) if result in scores else None


def escape(value: str) -> str:
    """A tag's value with its quotes and backslashes marked, in one line."""
    return " ".join(value.split("\n")).replace("\\", "\\\\").replace('"', '\\"')
