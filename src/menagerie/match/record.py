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

from menagerie.errors import IllegalMove, MenagerieError, NotationError, RecordError
from menagerie.game import Game, Outcome
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
    "unknown": "the record does not say why",
}
"""The ways a match ends other than on the board, in words."""

TAG = re.compile(r'\[([A-Za-z0-9_]+) "((?:[^"\\]|\\.)*)"\]')
TOKEN = re.compile(r"\{(?P<comment>[^}]*)\}|(?P<open>\{)|(?P<number>\d+\.+)|(?P<turn>[^\s{}]+)")


@dataclass(frozen=True)
class Record:
    """Everything that a record tells of a match. Comments are keyed by the number of turns before them."""

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
    """The usual way to write moves: numbered, both players' turns in a row, comments in braces."""

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


def read(text: str) -> Record:
    """The one record that a text holds."""
    records = list(read_all(text))
    if len(records) != 1:
        raise RecordError(1, f"there are {len(records)} records instead of one")
    return records[0]


def read_all(text: str) -> Iterator[Record]:
    """Every record of a file, one after the other."""
    for lines in sections(text):
        yield read_section(lines)


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


def read_section(lines: list[Line]) -> Record:
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
    return read_moves(tags, moves, lines[0].number)


def read_moves(tags: dict[str, str], lines: list[Line], first: int) -> Record:
    """The record with these tags, its turns played one by one."""
    chosen, start = read_rules(tags, first)
    game = chosen.game
    turns: list[Turn] = []
    comments: dict[int, str] = {}
    position, result, resigned = start, "", False
    for kind, word, line in (game.script or Numbered()).read(lines):
        if result and kind != "comment":
            raise RecordError(line, f"{word[:40]!r} stands after the result")
        if kind == "comment":
            comments[len(turns)] = " ".join(filter(None, (comments.get(len(turns)), word)))
        elif kind == "result":
            result = word
        elif kind == "takeback":
            if not turns:
                raise RecordError(line, "there is no turn to take back")
            position = turns.pop().position
        elif kind == "resigns":
            resigned = True
            result = game.scores[1 - position.player]
        else:
            try:
                turns.append(position.find(word))
            except (IllegalMove, NotationError) as error:
                raise RecordError(line, f"turn {len(turns) + 1}: {error}") from error
            position = turns[-1].after
    last = lines[-1].number if lines else first
    if not result:
        raise RecordError(last, "the record ends without a result")
    if resigned:
        tags = {"Termination": "resignation"} | tags
    outcome = read_outcome(tags, result, position, last)
    known = {"Game", "Rules", "Result", "Termination", "FEN", *game.record_tags}
    rest = {name: value for name, value in tags.items() if name not in known}
    return Record(chosen, start, tuple(turns), outcome, rest, comments)


def read_rules(tags: dict[str, str], line: int) -> tuple[Variant, Position]:
    """The game, its options and the first position that the tags name."""
    if "Game" not in tags:
        raise RecordError(line, "there is no tag that names the game")
    try:
        game = find(tags["Game"])
        chosen = Variant(game, game.agreed(tags.get("Rules", "")))
        return chosen, chosen.position(tags["FEN"]) if "FEN" in tags else chosen.start()
    except MenagerieError as error:
        raise RecordError(line, str(error)) from error


def read_outcome(tags: dict[str, str], result: str, position: Position, line: int) -> Outcome | None:
    """How the match ended; the result, its tag and the board must not contradict each other."""
    if tags.get("Result", result) != result:
        raise RecordError(line, f"the result is {result}, but its tag says {tags['Result']}")
    if position.outcome:
        if position.game.score(position.outcome) != result:
            raise RecordError(line, f"the result is {result}, but on the board: {position.outcome}")
        return position.outcome
    if result == "*":
        return None
    winner = None if result == "1/2-1/2" else position.game.scores.index(result)
    reason = tags.get("Termination", "unknown")
    try:
        return ending(position.game, reason, winner)
    except MenagerieError as error:
        raise RecordError(line, str(error)) from error


def escape(value: str) -> str:
    """A tag's value with its quotes and backslashes marked, in one line."""
    return " ".join(value.split("\n")).replace("\\", "\\\\").replace('"', '\\"')
