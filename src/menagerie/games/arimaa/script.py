"""How Arimaa's game files write the moves: one turn a line, under its number and side; the result is in a tag."""

import re
from collections.abc import Iterator, Mapping, Sequence

from menagerie.errors import RecordError

has_result = False

LABEL = re.compile(r"(\d+)([gswb])")


def write(turns: Sequence[tuple[int, str]], comments: Mapping[int, str], _: str) -> str:
    """A game file: a line for every turn with its number and side, the bare next number at the end."""
    lines = [f"{{{comments[0]}}}"] if 0 in comments else []
    ply = turns[0][0] if turns else 0
    for count, (ply, text) in enumerate(turns, 1):
        lines.append(f"{ply // 2 + 1}{'gs'[ply % 2]} {text}")
        if count in comments:
            lines.append(f"{{{comments[count]}}}")
    following = ply + 1 if turns else 0
    return "\n".join([*lines, f"{following // 2 + 1}{'gs'[following % 2]}"])


def read(lines: Sequence[tuple[int, str]]) -> Iterator[tuple[str, str, int]]:
    """The turns of a game file: labelled g and s (or w and b), with takebacks, resignations and a bare last number."""
    for number, line in lines:
        text = line.strip()
        if text.startswith("{"):
            if not text.endswith("}") or text.count("{") > 1:
                raise RecordError(number, "a comment is not closed on its line")
            yield "comment", text[1:-1], number
            continue
        label, _, words = text.partition(" ")
        if not LABEL.fullmatch(label):
            raise RecordError(number, f"{label[:20]!r} is no turn number with a side, like 2g")
        words = words.strip()
        if words in ("takeback", "resigns"):
            yield words, words, number
        elif words:
            yield "turn", words, number
