"""Damaged game files: golden/match.txt is sound, golden/faults.txt tells how it can be damaged and what is said of it.

line 9: 2g Ee3n        line 9 reads so instead; without words, it is missing
before 9: 2g Ee3n      a line more
end 9: 2g Ee           the file ends with this instead of line 9 and all that follow
refused: 9 = reason    the line that is named, and words of the reason
turns: 2 4             what a lenient reading finds in each game of the file; - where it leaves one out
"""

import re
import sys
from pathlib import Path

import pytest
from golden import Block, blocks, first

from menagerie import Match, RecordError, cli
from menagerie.games import find, names
from menagerie.match.match import read_all, read_leniently

DAMAGED = [name for name in names() if (find(name).folder / "golden" / "faults.txt").is_file()]
FAULTS = [(name, block) for name in DAMAGED for block in blocks(find(name), "faults.txt")]


def sound(name: str) -> str:
    return (find(name).folder / "golden" / "match.txt").read_text(encoding="utf-8")


def damaged(name: str, block: Block) -> bytes:
    """The file as a case has it; \\xff stands for that byte."""
    lines = sound(name).splitlines()
    for key, value in block:
        how, _, number = key.partition(" ")
        at = int(number or 0) - 1
        if how == "line":
            lines[at : at + 1] = [value] if value else []
        elif how == "before":
            lines.insert(at, value)
        elif how == "end":
            lines[at:] = [value]
        else:
            assert key in ("case", "refused", "turns"), "a misspelt key tests nothing"
    return re.sub(rb"\\x([0-9a-f]{2})", lambda found: bytes.fromhex(found[1].decode()), "\n".join(lines).encode())


def refusal(block: Block) -> tuple[int, str]:
    """The line that is named, and words of the reason."""
    line, _, reason = first(block, "refused").partition(" = ")
    return int(line), reason


@pytest.mark.parametrize("name", DAMAGED)
def test_the_sound_file_is_read(name: str) -> None:
    matches = list(read_all(sound(name)))
    assert [match.record() for match in matches] == [
        match.record() for match in read_leniently(sound(name)) if isinstance(match, Match)
    ]
    assert len(matches) == 2 and all(match.outcome for match in matches)
    assert len({first(block, "case") for damaged_name, block in FAULTS if damaged_name == name}) >= 5


@pytest.mark.parametrize(("name", "block"), FAULTS, ids=lambda part: part if isinstance(part, str) else part[0][1])
def test_a_fault_is_refused_with_line_and_reason_and_read_up_to_if_asked(name: str, block: Block) -> None:
    text = damaged(name, block).decode(errors="replace")
    with pytest.raises(RecordError) as refused:
        list(read_all(text))
    line, reason = refusal(block)
    assert refused.value.line == line and reason and reason in refused.value.reason
    found = list(read_leniently(text))
    assert " ".join(str(len(match.turns)) if isinstance(match, Match) else "-" for match in found) == first(
        block, "turns"
    )
    faults = [match.fault if isinstance(match, Match) else match for match in found]
    assert str(next(filter(None, faults))) == str(refused.value)
    for match, whole in zip(found, read_all(sound(name)), strict=False):
        if isinstance(match, Match):
            assert match.positions == whole.positions[: len(match.positions)]
            assert Match.read(match.record()).positions == match.positions


@pytest.mark.parametrize("name", DAMAGED)
def test_the_command_says_the_same(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "game.txt"
    for _, block in (fault for fault in FAULTS if fault[0] == name):
        content = damaged(name, block)
        file.write_bytes(content)
        line, reason = refusal(block)
        told = f"line {line} of the record: "
        monkeypatch.setattr(sys, "argv", ["menagerie", "records", str(file)])
        with pytest.raises(SystemExit) as stopped:
            cli.main()
        printed = capsys.readouterr().err
        assert stopped.value.code == 2 and len(printed.splitlines()) == 1
        assert told in printed and (reason if is_text(content) else "it is not text in UTF-8") in printed
        monkeypatch.setattr(sys, "argv", ["menagerie", "records", str(file), "--lenient"])
        cli.main()
        printed = capsys.readouterr().err
        what = "was left out" if "-" in first(block, "turns") else "was read up to a fault"
        assert f"{what}: {told}" in printed and reason in printed


def is_text(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True
