"""Golden files of every game: counts from independent programs, the rules in examples, a whole game move by move."""

from itertools import takewhile

import pytest
from golden import Block, blocks, first, turns_of, variant_of
from playthrough import playthrough

import menagerie
from menagerie import IllegalMove, Match, Position
from menagerie.games import find, names

PERFTS = [(name, block) for name in names() for block in blocks(find(name), "perft.txt")]
CASES = [(name, block) for name in names() for block in blocks(find(name), "cases.txt")]

MOST_AVOIDING = 2_000
"""How many lines at most are walked through one by one."""


@pytest.mark.parametrize(("name", "block"), PERFTS, ids=lambda part: part if isinstance(part, str) else "")
def test_perft(name: str, block: Block) -> None:
    position = variant_of(find(name), block).position(first(block, "position"))
    assert {key.split()[0] for key, _ in block} & {"perft", "turns"}
    for key, value in block:
        if key.startswith("divide"):
            counts = dict(part.split("=") for part in value.split())
            found = {move.code: str(count) for move, count in position.divide(int(key.split()[1]))}
            assert found == counts
        elif key in ("perft", "turns"):
            expected = [int(count) for count in value.split()]
            assert [position.perft(depth + 1, turns=key == "turns") for depth in range(len(expected))] == expected
        elif key.startswith("avoiding"):
            expected = list(takewhile(lambda count: count <= MOST_AVOIDING, map(int, value.split())))
            reason = key.split()[1]
            assert [count_avoiding(position, reason, depth + 1) for depth in range(len(expected))] == expected


def count_avoiding(position: Position, reason: str, depth: int) -> int:
    """How many lines there are in which no action lets the opponent end the game at once for that reason."""
    safe = [action.after for action in position.actions() if not may_end(action.after, reason)]
    return len(safe) if depth == 1 else sum(count_avoiding(after, reason, depth - 1) for after in safe)


def may_end(position: Position, reason: str) -> bool:
    """Whether an action ends the game for that reason."""
    ends = (action.after.outcome for action in position.actions())
    return any(end.reason == reason for end in ends if end)


@pytest.mark.parametrize(("name", "block"), CASES, ids=lambda part: part if isinstance(part, str) else part[0][1][:60])
def test_case(name: str, block: Block) -> None:
    variant = variant_of(find(name), block)
    match = Match(variant, variant.position(first(block, "position")))
    examine_position(match.position, block)
    for move in turns_of(variant.game, first(block, "play")):
        match.play(move)
    for key, value in block:
        if key == "then":
            assert str(match.position) == value
        elif key == "counters":
            assert [match.position.quiet, match.position.ply // 2 + 1] == [int(number) for number in value.split()]
        elif key == "outcome":
            assert describe(match) == value
        elif key == "forbids":
            assert_refused(match, value)
    assert {key.partition(" from ")[0] for key, _ in block} <= KEYS, "a misspelt key tests nothing"
    assert len([key for key, _ in block if key in ("case", "position", "rules", "play")]) == len(
        {key for key, _ in block if key in ("case", "position", "rules", "play")}
    )


KEYS = {
    *("case", "position", "rules", "legal", "turns", "has", "lacks", "only", "check"),
    *("play", "then", "counters", "outcome", "refuses", "forbids", "name"),
}


def examine_position(position: Position, block: Block) -> None:
    codes = {action.code for action in position.actions()}
    for key, value in block:
        if key == "legal":
            assert codes == set(value.split())
        elif key == "turns":
            named = [position.find(text) for text in value.split()]
            assert [turn.code for turn in named] == value.split()
            assert len({turn.after for turn in named}) == len(named)
            assert {turn.after for turn in named} == {turn.after for turn in position.turns()}
        elif key == "has":
            assert set(value.split()) <= codes
        elif key == "lacks":
            assert not set(value.split()) & codes
        elif key.startswith("only from"):
            assert {code for code in codes if code.startswith(key.split()[-1])} == set(value.split())
        elif key == "check":
            assert position.check == (value == "yes")
        elif key == "name":
            code, _, name = value.partition(" = ")
            assert str(position.find(code)) == str(position.find_action(code)) == name
        elif key == "refuses":
            assert_refused(position, value)


def assert_refused(table: Position | Match, value: str) -> None:
    move, _, reason = value.partition(" = ")
    with pytest.raises(IllegalMove) as refused:
        table.play(move)
    assert refused.value.reason == reason


def describe(match: Match) -> str:
    if match.outcome is None:
        return "none"
    winner = match.outcome.winner
    return f"{'nobody' if winner is None else match.variant.game.players[winner]} {match.outcome.reason}"


@pytest.mark.parametrize("name", names())
def test_playthrough(name: str) -> None:
    expected = (find(name).folder / "golden" / "playthrough.txt").read_text(encoding="utf-8")
    assert playthrough(name) == expected


FORMS = [name for name in names() if (find(name).folder / "golden" / "forms.txt").is_file()]


@pytest.mark.parametrize("name", FORMS)
def test_other_forms_of_positions_are_read(name: str) -> None:
    text = (find(name).folder / "golden" / "forms.txt").read_text(encoding="utf-8")
    for block in text.strip().split("\n\n"):
        given, _, canonical = block.rpartition("\n= ")
        assert str(menagerie.game(name).position(given)) == canonical.strip()
