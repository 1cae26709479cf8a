"""A record that has lost a part is refused with line and reason, or still tells the same match; it never tells another.

What a tag said goes with it: without Rules the usual rules hold, without Termination nobody knows why a match ended.
"""

import random
import re

import pytest
from golden import case_positions
from walks import random_match, random_turn

from menagerie import Match, RecordError, Variant
from menagerie.match import record
from menagerie.match.record import Numbered, decode


def short(variant: Variant) -> list[str]:
    """Records of short matches that end in every way, from the start and from elsewhere; golden ones as they are."""
    matches = [Match(variant), *(random_match(variant, 70, longest=5) for _ in range(4)), finish(variant)]
    for match, reason, winner in zip(matches, ("resignation", "", "time", "agreement"), (1, 0, 1, None), strict=False):
        match.comments[2] = "so far"
        if reason and not match.outcome:
            match.end(reason, winner)
    return [*(match.record() for match in (*matches, *begun(variant))), *golden(variant)]


def finish(variant: Variant) -> Match:
    """The last turns of a match that ends on the board."""
    whole = next(match for seed in range(1000) if (match := random_match(variant, seed, 1000)).position.outcome)
    turns = whole.turns[-3:]
    match = Match(variant, turns[0].position)
    for turn in turns:
        match.play(turn)
    return match


def begun(variant: Variant) -> list[Match]:
    """A turn from the positions of some golden cases."""
    starts = [position for position in case_positions(variant) if not position.outcome and position != variant.start()]
    matches = [Match(variant, start) for start in starts[:3]]
    for match in matches:
        match.play(random_turn(match.position, random.Random(71)))
    return matches


def golden(variant: Variant) -> list[str]:
    files = [variant.game.folder / "golden" / name for name in ("match.txt", "archive.txt")]
    texts = [file.read_text(encoding="utf-8") for file in files if file.is_file()]
    return ["".join(line.text for line in lines) for text in texts for lines in record.sections(text)]


def read_whole(content: bytes, variant: Variant) -> Match | None:
    """The match that is read, or None where the record is refused as it should be."""
    try:
        return Match.read(decode(content), variant)
    except RecordError as refused:
        assert refused.line >= 1 and refused.reason
        return None


def test_a_record_that_is_cut_off_anywhere(usual: Variant) -> None:
    for text in short(usual):
        content, whole = text.encode(), Match.read(text, usual).record()
        cuts = {end: read_whole(content[:end], usual) for end in range(len(content))}
        assert {match.record() for match in cuts.values() if match} <= {whole}
        assert sum(match is None for match in cuts.values()) > 0.9 * len(content) - 20


def test_a_record_without_one_of_its_lines(usual: Variant) -> None:
    for text in [*short(usual), random_match(usual, 73, longest=60).record()]:
        lines, whole = text.splitlines(keepends=True), Match.read(text, usual)
        for number, line in enumerate(lines):
            match = read_whole("".join(lines[:number] + lines[number + 1 :]).encode(), usual)
            if match is None:
                assert line.strip() and not line.startswith("{"), "what says nothing of the match may be lost"
                continue
            assert list(map(str, match.positions)) == list(map(str, whole.positions)), line
            assert usual.game.score(match.outcome) == usual.game.score(whole.outcome), line
            assert match.outcome == whole.outcome or line.startswith("[Termination ")
            assert match.variant == whole.variant or line.startswith("[Rules ")


def test_a_record_without_its_first_position(usual: Variant) -> None:
    for match in begun(usual):
        with pytest.raises(RecordError, match="does not begin from the usual start, and there is no tag FEN"):
            Match.read(re.sub(r"\[FEN .*\n", "", match.record()))


def test_every_line_of_moves_is_numbered_and_the_result_is_not_alone(usual: Variant) -> None:
    if usual.game.script:
        return
    for seed in range(10):
        match = random_match(usual, seed, longest=20 + seed)
        match.comments = dict.fromkeys(range(0, 30, 7), "so far " * seed)
        lines = match.record().partition("\n\n")[2].splitlines()
        assert all(re.match(r"\{.*\}$|(\{.*\} )?[0-9]+[.]+ ", line) for line in lines)
        assert re.match(r"(\{.*\} )?[0-9]+[.]+ \S+ .+", lines[-1])


def test_a_record_with_a_wrong_number(usual: Variant) -> None:
    script = usual.game.script or Numbered()
    for text in short(usual):
        whole = Match.read(text, usual)
        head, _, moves = text.rpartition("]\n")
        for turn in whole.turns:
            ply = turn.position.ply
            announced = re.compile(rf"(?<![0-9]){re.escape(script.number(ply))}(?![.0-9])", re.MULTILINE)
            for other in (ply + 1, ply + 2, ply + 20):
                wrong = announced.sub(script.number(other), moves, count=1)
                if wrong != moves:
                    with pytest.raises(RecordError, match=re.escape(f"turn {script.number(other)} is announced where")):
                        Match.read(f"{head}]\n{wrong}", usual)


def test_a_record_without_numbers(usual: Variant) -> None:
    if usual.game.script:
        return  # Its files have a number on every line.
    text = random_match(usual, 72, longest=6).record()
    head, _, moves = text.rpartition("]\n")
    assert Match.read(f"{head}]\n{re.sub(r'[0-9]+[.]+ ', '', moves)}").record() == text
