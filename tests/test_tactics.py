"""Tactics of every game: each proven by trying everything, and each found by the engine.

The blocks of golden/tactics.txt are of two kinds. `wins in` says how many turns, of both players together, the shortest
forced win takes, and `best` lists every first turn that wins so fast. Where a win that is a little slower will do,
`also` lists every other first turn that wins at most two turns later. `only` lists every turn that does not lose by
force within the number of turns that `else loses in` names, the least in which all others have lost.
"""

import random
from functools import cache
from itertools import chain

import pytest
from golden import Block, blocks, first, turns_of, variant_of
from proof import forces, holding, prove
from walks import listed_turns, turn_starts

import menagerie
from menagerie import Engine, Position, Variant
from menagerie.games import find, names

NODES = 300_000
LEAST = 25
"""How many tactics a game with a judgement of its own has at least."""

FILES = [name for name in names() if (find(name).folder / "golden" / "tactics.txt").is_file()]
TACTICS = [(name, block) for name in FILES for block in blocks(find(name), "tactics.txt")]
WINS = [(name, block) for name, block in TACTICS if first(block, "best")]
DEFENCES = [(name, block) for name, block in TACTICS if first(block, "only")]


def label(part: str | Block) -> str:
    return part if isinstance(part, str) else first(part, "case")[:60]


def position_of(name: str, block: Block) -> Position:
    return variant_of(find(name), block).position(first(block, "position"))


def ends(position: Position, text: str) -> set[Position]:
    """The positions that the listed turns lead to."""
    turns = [position.find(code) for code in turns_of(position.game, text)]
    assert [turn.code for turn in turns] == turns_of(position.game, text)
    after = {turn.after for turn in turns}
    assert len(after) == len(turns)
    return after


@cache
def engine(variant: Variant) -> Engine:
    return menagerie.engine(variant, nodes=NODES)


@pytest.mark.parametrize(("name", "block"), WINS, ids=label)
def test_a_win_is_proven(name: str, block: Block) -> None:
    position, turns = position_of(name, block), int(first(block, "wins in"))
    found = prove(position, turns)
    assert found
    assert found.turns == turns
    best = ends(position, first(block, "best"))
    assert {turn.after for turn in found.best} == best
    if also := ends(position, first(block, "also")):
        slower = {turn.after for turn in position.turns() if forces(turn.after, position.player, turns + 1)}
        assert also == slower - best


@pytest.mark.parametrize(("name", "block"), DEFENCES, ids=label)
def test_a_defence_is_proven(name: str, block: Block) -> None:
    position, turns = position_of(name, block), int(first(block, "else loses in"))
    assert {turn.after for turn in holding(position, turns)} == ends(position, first(block, "only"))
    assert len(holding(position, turns - 1)) > len(holding(position, turns))
    assert prove(position, turns - 1) is None, "who can win need not defend"


@pytest.mark.parametrize(("name", "block"), TACTICS, ids=label)
def test_the_engine_finds_it(name: str, block: Block) -> None:
    position = position_of(name, block)
    searching = engine(variant_of(find(name), block))
    searching.forget()
    analysis = searching.analyse(position)
    wanted = set().union(*(ends(position, first(block, key)) for key in ("best", "also", "only")))
    assert analysis.best.after in wanted, f"{analysis.best.code} in {position}"
    if wins_in := first(block, "wins in"):
        turns = (int(wins_in) + 1) // 2
        assert analysis.lines[0].ends_in in (turns, turns + 1), "it may miss that a win is a turn nearer"


@pytest.mark.parametrize(("name", "block"), TACTICS, ids=label)
def test_what_it_claims_is_true_wherever_it_is_stopped(name: str, block: Block) -> None:
    """A search that was stopped in the middle of a depth has not seen every turn lose."""
    position, chance = position_of(name, block), random.Random(label(block))
    searching = engine(variant_of(find(name), block))
    for most in range(1, 14):
        searching.forget()
        ends_in = searching.analyse(position, nodes=int(30 * 1.7**most) + chance.randrange(30)).lines[0].ends_in
        if wins_in := first(block, "wins in"):
            assert ends_in is None or ends_in >= (int(wins_in) + 1) // 2
        else:
            assert ends_in is None or ends_in > 0 or -2 * ends_in > int(first(block, "else loses in"))


@pytest.mark.parametrize("name", FILES)
def test_no_tactic_stands_there_twice_or_misspelt(name: str) -> None:
    suite = [block for named, block in TACTICS if named == name]
    for block in suite:
        keys = [key for key, _ in block if key not in ("rules", "also")]
        assert keys in (["case", "position", "wins in", "best"], ["case", "position", "only", "else loses in"])
    assert len({first(block, "case") for block in suite}) == len(suite)
    assert len({position_of(name, block).key for block in suite}) == len(suite)


@pytest.mark.parametrize("name", names())
def test_a_game_with_judgement_has_tactics(name: str) -> None:
    if (find(name).folder / "evaluate.py").is_file():
        assert sum(named == name for named, _ in TACTICS) >= LEAST


MOST_LINES = 300
"""How many lines of turns are tried one by one."""


def is_lost(position: Position, turns: int) -> bool:
    """Whether the player who has just moved wins within so many more turns; plainly, turn by turn."""
    if position.outcome or turns == 0:
        return bool(position.outcome and position.outcome.winner == 1 - position.player)
    return all(is_won(turn.after, turns - 1) for turn in position.turns())


def is_won(position: Position, turns: int) -> bool:
    """Whether the player to move wins within so many more turns; plainly, turn by turn."""
    if position.outcome or turns == 0:
        return bool(position.outcome and position.outcome.winner == position.player)
    return any(is_lost(turn.after, turns - 1) for turn in position.turns())


def test_the_prover_agrees_with_trying_turns_one_by_one(usual: Variant) -> None:
    tactics = [position_of(name, block) for name, block in TACTICS if name == usual.game.name]
    last = chain.from_iterable(turn_starts(usual, seed, most=400)[-8:] for seed in range(3))
    answers = set()
    for position in (*tactics, *last):
        lines = len(listed_turns(position))
        turns = next((n for n in (4, 3, 2, 1) if 0 < lines**n <= MOST_LINES), 0)
        if turns:
            won = is_won(position, turns)
            assert forces(position, position.player, turns) == won, str(position)
            assert forces(position, 1 - position.player, turns) == is_lost(position, turns), str(position)
            answers.add(won)
    assert answers == {False, True}
