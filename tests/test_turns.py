"""Turns of several actions: counts from independent programs, in golden/turns.txt of the games that have them."""

from collections import Counter
from importlib import import_module

import pytest
from golden import Block, blocks, first

import menagerie
from menagerie import IllegalMove, Position
from menagerie.games import find, names
from menagerie.kernel.walk import after, legal_actions

MOST_LINES = 15_000
MOST_SECOND_TURNS = 100_000
"""What a test run bears; `python -m bench.turns` counts the rest."""

COUNTED = [
    (name, block)
    for name in names()
    if (find(name).folder / "golden" / "turns.txt").is_file()
    for block in blocks(find(name), "turns.txt")
]


def numbers(block: Block, key: str) -> list[int]:
    return [int(number) for number in first(block, key).split()]


@pytest.mark.parametrize(("name", "block"), COUNTED, ids=lambda part: part if isinstance(part, str) else part[0][1])
def test_turns_and_steps(name: str, block: Block) -> None:
    position = menagerie.game(name).position(first(block, "position"))
    assert [position.perft(1, turns=True)] == numbers(block, "turns")
    assert [len(position.indices)] == numbers(block, "first steps")
    if sum(numbers(block, "lines by steps")) <= MOST_LINES:
        check_lines(position, block)
    if first(block, "second turns") and numbers(block, "second turns")[0] <= MOST_SECOND_TURNS:
        assert [position.perft(2, turns=True)] == numbers(block, "second turns")


def check_lines(position: Position, block: Block) -> None:
    """Every line of steps, one by one, every turn with what it leads to, and the lines that are no turns."""
    lines: Counter[int] = Counter()
    boards: dict[int, set[int]] = {}
    for steps, end in whole_turns(position):
        lines[steps] += 1
        boards.setdefault(steps, set()).add(end)
    depth = len(numbers(block, "lines by steps"))
    assert [lines[steps] for steps in range(1, depth + 1)] == numbers(block, "lines by steps")
    assert [len(boards.get(steps, ())) for steps in range(1, depth + 1)] == numbers(block, "boards by steps")
    mine, theirs = count_pieces(position)
    after = [turn.after for turn in position.turns()]
    assert [sum(count_pieces(end)[0] < theirs for end in after)] == numbers(block, "taking")
    assert [sum(count_pieces(end)[1] < mine for end in after)] == numbers(block, "losing")
    assert Counter(ending(position, end) for end in after if end.outcome) == {
        key: int(count) for key, count in (part.split("=") for part in first(block, "ends").split())
    }
    check_vain_lines(position, block)


def check_vain_lines(position: Position, block: Block) -> None:
    """The lines of steps that a twin finds to change nothing: as many as there should be, and all of them refused."""
    twin = import_module(f"twins.{position.game.name}")
    lines = twin.find_vain(twin.read(str(position)))
    lengths = Counter(len(line.split()) for line in lines)
    depth = len(numbers(block, "vain lines by steps"))
    assert [lengths[steps] for steps in range(1, depth + 1)] == numbers(block, "vain lines by steps")
    for line in lines:
        with pytest.raises(IllegalMove):
            position.find(line)


def whole_turns(position: Position) -> list[tuple[int, int]]:
    """Each sequence of actions that is a whole turn: how many steps it has, and the key of the position it leads to."""
    rules = position.game.rules
    found = []
    stack = [(position.state, 0)]
    while stack:
        state, steps = stack.pop()
        for index in legal_actions(rules, state):
            following = after(rules, state, index)
            made = steps + (position.game.notation.code(state, index) != "pass")
            if following.player == position.player:
                stack.append((following, made))
            else:
                found.append((made, menagerie.Position(position.game, following).key))
    return found


def count_pieces(position: Position) -> tuple[int, int]:
    """The pieces of the player to move and of the other."""
    players = [piece.player for piece in position.view.board.values()]
    return players.count(position.player), players.count(1 - position.player)


def ending(position: Position, end: Position) -> str:
    """How a turn ended the game, seen from its mover."""
    assert end.outcome
    short = {"elimination": "elim", "immobilization": "immob"}.get(end.outcome.reason, end.outcome.reason)
    return f"{short}_{'win' if end.outcome.winner == position.player else 'loss'}"
