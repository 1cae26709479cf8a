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
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from menagerie.errors import IllegalMove, MenagerieError, NotationError, RecordError
from menagerie.game import Game, Outcome
from menagerie.games import find
from menagerie.position import Action, Position
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
TOKEN = re.compile(r"\{(?P<comment>[^}]*)\}|(?P<open>\{)|(?P<number>\d+\.+)|(?P<word>[^\s{}]+)")


@dataclass(frozen=True)
class Record:
    """Everything that a record tells of a match. Comments are keyed by the number of actions before them."""

    variant: Variant
    start: Position
    actions: tuple[Action, ...]
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
    result = record.outcome.result if record.outcome else "*"
    tags = {"Game": game.name, "Rules": record.variant.options.in_full()}
    tags |= {name: record.tags.get(name, "?") for name in game.players}
    tags |= {name: value for name, value in record.tags.items() if name not in tags}
    tags["Result"] = result
    if record.outcome:
        tags["Termination"] = record.outcome.reason
    if record.start != record.variant.start():
        tags["FEN"] = str(record.start)
    head = "\n".join(f'[{name} "{escape(value)}"]' for name, value in tags.items())
    return f"{head}\n\n{wrap([*words(record), result])}\n"


def words(record: Record) -> Iterator[str]:
    """The moves with their numbers, and the comments."""
    if comment := record.comments.get(0):
        yield f"{{{comment}}}"
    numbered = False
    for count, action in enumerate(record.actions, 1):
        if action.position.player == 0:
            yield f"{action.position.ply // 2 + 1}."
        elif not numbered:
            yield f"{action.position.ply // 2 + 1}..."
        yield str(action)
        numbered = count not in record.comments
        if comment := record.comments.get(count):
            yield f"{{{comment}}}"


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
    """The record with these tags, its moves played one by one."""
    chosen, start = read_rules(tags, first)
    actions: list[Action] = []
    comments: dict[int, str] = {}
    position, result = start, ""
    for kind, word, line in tokens(lines):
        if result and kind != "comment":
            raise RecordError(line, f"{word[:40]!r} stands after the result")
        if kind == "comment":
            comments[len(actions)] = " ".join(filter(None, (comments.get(len(actions)), word)))
        elif kind == "word" and word in RESULTS:
            result = word
        elif kind == "word":
            try:
                actions.append(position.find(word))
            except (IllegalMove, NotationError) as error:
                raise RecordError(line, f"move {len(actions) + 1}: {error}") from error
            position = actions[-1].after
    last = lines[-1].number if lines else first
    if not result:
        raise RecordError(last, "the record ends without a result")
    outcome = read_outcome(tags, result, position, last)
    known = {"Game", "Rules", "Result", "Termination", "FEN"}
    rest = {name: value for name, value in tags.items() if name not in known}
    return Record(chosen, start, tuple(actions), outcome, rest, comments)


def tokens(lines: list[Line]) -> Iterator[tuple[str, str, int]]:
    """The comments, move numbers and words of the moves with their lines; a comment may go over several lines."""
    text = "\n".join(line.text for line in lines)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line.text) + 1)
    index = 0
    for match in TOKEN.finditer(text):
        while match.start() >= starts[index + 1]:
            index += 1
        if match["open"]:
            raise RecordError(lines[index].number, "a comment is not closed")
        kind = str(match.lastgroup)
        yield kind, " ".join(str(match[kind]).split()), lines[index].number


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
        if position.outcome.result != result:
            raise RecordError(line, f"the result is {result}, but on the board: {position.outcome}")
        return position.outcome
    if result == "*":
        return None
    winner = {"1-0": 0, "0-1": 1}.get(result)
    reason = tags.get("Termination", "unknown")
    try:
        return ending(position.game, reason, winner)
    except MenagerieError as error:
        raise RecordError(line, str(error)) from error


def escape(value: str) -> str:
    """A tag's value with its quotes and backslashes marked, in one line."""
    return " ".join(value.split("\n")).replace("\\", "\\\\").replace('"', '\\"')
