"""Game records: tags in brackets, then the moves as people write them, after the manner of PGN.

[Game "name"]
[Rules "option=value,..."]
[First "Ixchel"]
[Second "Itzamna"]
[Result "1-0"]
[Termination "resignation"]

1. Cb3 Gxc3 2. Lc2 {bold} 1-0

The tags of the players are named as the game names them. A record that does not begin from the usual start has the tags
SetUp "1" and FEN. The numbers, and the result at the end, are what tells a whole record from one that has lost a part.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from menagerie.errors import MenagerieError, RecordError
from menagerie.game import Game, Outcome, Script
from menagerie.games import find, find_called, names
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
    "adjudication": "the referee called it so",
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
    """A line of a file, counted from 1, with its line break."""

    number: int
    text: str


class Word(NamedTuple):
    """A word of a record: a number, turn, comment, result, resigns or takeback, with its line."""

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
        tags |= {"SetUp": "1", "FEN": str(record.start)}
    head = "\n".join(f'[{name} "{escape(value)}"]' for name, value in tags.items())
    script = game.script or Numbered()
    turns = [str(turn) for turn in record.turns]
    comments = {count: remark(text) for count, text in record.comments.items()}
    return f"{head}\n\n{script.write(record.start.ply, turns, comments, result)}\n"


def remark(text: str) -> str:
    """A comment that fits between braces, in one line."""
    return " ".join(text.split()).translate({ord("{"): "(", ord("}"): ")"})


class Numbered:
    """The usual way to write moves: numbered, both players' turns in a row, comments in braces, the result last."""

    has_result = True

    def number(self, ply: int) -> str:
        """The number that stands before a turn: three dots are the second player's."""
        return f"{ply // 2 + 1}{'...' if ply % 2 else '.'}"

    def write(self, first: int, turns: Sequence[str], comments: Mapping[int, str], result: str) -> str:
        """The moves with their numbers, the comments and the result.

        A line begins with a number, and the last turn and the result share one: no line can be lost unnoticed.
        """
        lines = [f"{{{comments[0]}}}" if 0 in comments else ""]
        for count, text in enumerate(turns, 1):
            ply = first + count - 1
            words = f"{text} {{{comments[count]}}}" if count in comments else text
            if lines[-1] and len(" ".join((lines[-1], self.number(ply), words, result))) > WIDTH:
                lines.append("")
            is_due = ply % 2 == 0 or not lines[-1] or lines[-1].endswith("}")
            lines[-1] = " ".join(filter(None, (lines[-1], self.number(ply) if is_due else "", words)))
        lines[-1] = f"{lines[-1]} {result}".strip()
        return "\n".join(lines)

    def read(self, lines: Sequence[tuple[int, str]]) -> Iterator[tuple[str, str, int]]:
        """The numbers, comments, turns and result with their lines; a comment may go over several lines."""
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
            yield kind, " ".join(str(match[match.lastgroup or ""]).split()), lines[index][0]


@dataclass(frozen=True)
class Sheet:
    """A record as it was read: its game and start, its tags, and its words, none of them played yet."""

    variant: Variant
    start: Position
    tags: dict[str, str]
    lines: tuple[Line, ...]
    """Those of the moves."""
    last: Line
    """The last one, of the tags if there are no moves."""

    @property
    def script(self) -> Script:
        """How the moves are written."""
        return self.variant.game.script or Numbered()

    def words(self) -> Iterator[Word]:
        """The words of the moves in order; a RecordError where they cannot be told apart."""
        for kind, text, line in self.script.read(self.lines):
            yield Word(kind, text, line)

    @property
    def is_cut(self) -> bool:
        """Whether the last line has no line break, so that it may have been longer."""
        return not self.last.text.endswith(("\n", "\r"))

    def own_tags(self) -> dict[str, str]:
        """The tags that say nothing the match itself knows."""
        known = {"Game", "Rules", "Result", "Termination", "SetUp", "FEN", *self.variant.game.record_tags}
        return {name: value for name, value in self.tags.items() if name not in known}


def decode(content: bytes) -> str:
    """The text of a file of records; a RecordError at the line that is none."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8")
        raise RecordError(len(f"{before}?".splitlines()), "it is not text in UTF-8") from error


def sections(text: str) -> Iterator[list[Line]]:
    """The lines of each record, of which there is one at least: a new one begins with the first tag after moves."""
    lines: list[Line] = []
    has_moves = False
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        is_tag = line.startswith("[")
        if is_tag and has_moves:
            yield lines
            lines, has_moves = [], False
        has_moves |= bool(line.strip()) and not is_tag
        if line.strip():
            lines.append(Line(number, line))
    if not lines:
        raise RecordError(1, "there is no game in it")
    yield lines


def read_section(lines: list[Line], variant: Variant | None) -> Sheet:
    """One record from its lines; the variant is for those that do not name their game."""
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
    return Sheet(chosen, start, tags, tuple(moves), lines[-1])


def read_rules(tags: dict[str, str], line: int, variant: Variant | None) -> tuple[Variant, Position]:
    """The game, its options and the first position that the tags name."""
    try:
        if variant is None or "Game" in tags:
            game = read_game(tags)
            variant = Variant(game, game.agreed(tags.get("Rules", "")))
        elif "Rules" in tags:
            variant = Variant(variant.game, variant.game.agreed(tags["Rules"]))
        if tags.get("SetUp") == "1" and "FEN" not in tags:
            raise MenagerieError("the match does not begin from the usual start, and there is no tag FEN")
        return variant, variant.position(tags["FEN"]) if "FEN" in tags else variant.start()
    except MenagerieError as error:
        raise RecordError(line, str(error)) from error


def read_game(tags: dict[str, str]) -> Game:
    """The game that the tags name, or the only one that marks its records with one of them."""
    if "Game" in tags:
        return find_called(tags["Game"])
    marked = [game for game in map(find, names()) if game.record_tags.items() & tags.items()]
    if len(marked) != 1:
        raise MenagerieError("there is no tag that names the game")
    return marked[0]


def read_result(sheet: Sheet, written: str) -> tuple[str, int | None]:
    """The result that a record claims, as written after its moves or in its tag, and who won by it."""
    unfinished = "" if "Termination" in sheet.tags else "*"
    result = written if sheet.script.has_result else sheet.tags.get("Result", unfinished)
    if not result:
        raise RecordError(sheet.last.number, "the record ends without a result")
    if result not in RESULTS:
        raise RecordError(sheet.last.number, f"the result is {result[:20]!r} and should be one of {', '.join(RESULTS)}")
    if sheet.tags.get("Result", result) != result:
        raise RecordError(sheet.last.number, f"the result is {result}, but its tag says {sheet.tags['Result']}")
    scores = sheet.variant.game.scores
    return result, scores.index(result) if result in scores else None


def escape(value: str) -> str:
    """A tag's value with its quotes and backslashes marked, in one line."""
    return " ".join(value.split("\n")).replace("\\", "\\\\").replace('"', '\\"')
