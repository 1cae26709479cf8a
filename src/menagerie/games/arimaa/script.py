"""How Arimaa's game files write the moves: one turn a line, under its number and side; the result is in a tag."""

import re
from collections.abc import Iterator, Mapping, Sequence

from menagerie.errors import RecordError

has_result = False

LABEL = re.compile(r"([0-9]+)([gswb])")
SIDES = {"g": "g", "s": "s", "w": "g", "b": "s"}
"""The sides as files write them, those of old times too."""


def number(ply: int) -> str:
    """The number and side of a turn."""
    return f"{ply // 2 + 1}{'gs'[ply % 2]}"


def write(first: int, turns: Sequence[str], comments: Mapping[int, str], _: str) -> str:
    """A game file: a line for every turn with its number and side, the bare next number at the end."""
    lines = []
    for count, text in enumerate((*turns, "")):
        if count in comments:
            lines.append(f"{{{comments[count]}}}")
        lines.append(f"{number(first + count)} {text}".rstrip())
    return "\n".join(lines)


def read(lines: Sequence[tuple[int, str]]) -> Iterator[tuple[str, str, int]]:
    """The turns of a game file: labelled g and s (or w and b), with takebacks, resignations and a bare last number."""
    for line, content in lines:
        text = content.strip()
        if text.startswith("{"):
            if not text.endswith("}") or text.count("{") > 1:
                raise RecordError(line, "a comment is not closed on its line")
            yield "comment", text[1:-1], line
            continue
        label, _, words = text.partition(" ")
        known = LABEL.fullmatch(label)
        if not known:
            raise RecordError(line, f"{label[:20]!r} is no turn number with a side, like 2g")
        yield "number", known[1] + SIDES[known[2]], line
        words = words.strip()
        if words in ("takeback", "resigns"):
            yield words, words, line
        elif words:
            yield "turn", words, line
