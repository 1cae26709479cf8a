"""The search against plain minimax, and what people may rely on: lines, limits, stopping, the same answer again."""

import pickle
import random
import threading
import time
from itertools import chain

import numpy as np
import pytest
from walks import turn_starts, walk

import menagerie
from menagerie import Limit, Match, Position, Turn, Variant
from menagerie.errors import GameOver, LimitError, MenagerieError
from menagerie.game import Game
from menagerie.games import names
from menagerie.kernel.bits import I
from menagerie.kernel.judgement import TALLY
from menagerie.kernel.state import State, key, new
from menagerie.kernel.walk import NOBODY, after, legal_actions
from menagerie.search.alphabeta import PROVEN, WIN
from menagerie.search.engine import PEEK, Engine, Root, Search, Settings, parts

MOST_LEAVES = 3_000


def minimax(game: Game, states: list[State], keys: list[int], depth: int) -> int:
    """The value of the last state for its mover: every action to the same depth, nothing clever."""
    state, rules = states[-1], game.rules
    ply = len(states) - 1
    ends_turn = ply > 0 and states[-2].player != state.player
    if ends_turn and not game.repetition.is_illegal and game.repetition.times and keys.count(keys[-1]) > 1:
        return 0
    actions = legal_actions(rules, state)
    if not actions:
        winner, _ = rules.outcome(state)
        return 0 if winner == NOBODY else WIN - ply if winner == state.player else ply - WIN
    if depth == 0:
        return int(parts(game).evaluate(state, new(TALLY)))
    best = ply - WIN
    for action in actions:
        following = after(rules, state, action)
        same = following.player == state.player
        path = keys if same else [*keys, int(key(following))]
        value = minimax(game, [*states, following], path, depth - 1)
        best = max(best, value if same else -value)
    return best


def plain_search(engine: Engine, position: Position, depth: int) -> int:
    """Alpha-beta with table and windows, but without anything that leaves out or shortens lines."""
    engine.forget()
    run = Search(engine, Root.of(position, engine.variant), Limit(), 1, 0)
    context = engine._contexts[0]
    run.prepare(context, 1)
    context.is_plain = 1
    value = 0
    for deeper in range(1, depth + 1):
        value = run.look(context, deeper, value if deeper > 1 else None).value
    return value


def test_the_search_is_plain_minimax_at_small_depth(variant: Variant) -> None:
    engine, chance = Engine(variant), random.Random(3)
    compared = 0
    for position in chain.from_iterable(walk(variant, chance) for _ in range(20)):
        if position.outcome or chance.random() < 0.6:
            continue
        depth = next(d for d in (4, 3, 2, 1) if d == 1 or len(position.indices) ** d < MOST_LEAVES)
        expected = minimax(variant.game, [position.state], [position.key], depth)
        assert plain_search(engine, position, depth) == expected, str(position)
        compared += 1
        if compared == 12:
            return
    raise AssertionError("the walks are too short")


def test_the_same_nodes_give_the_same_answer(usual: Variant) -> None:
    position = turn_starts(usual, 5)[-1]
    found = [menagerie.engine(usual, nodes=20_000).analyse(position) for _ in range(2)]
    assert found[0].lines == found[1].lines
    assert found[0].nodes == found[1].nodes
    engine = menagerie.engine(usual, nodes=20_000)
    engine.analyse(position)
    engine.forget()
    assert engine.analyse(position).lines == found[0].lines


def test_lines_are_distinct_legal_and_best_first(usual: Variant) -> None:
    engine = menagerie.engine(usual, nodes=30_000)
    for position in turn_starts(usual, 8)[2::12]:
        analysis = engine.analyse(position, lines=3)
        assert 1 <= len(analysis.lines) <= 3
        ends = [line.turns[0].after.key for line in analysis.lines]
        assert len(set(ends)) == len(ends)
        values = [line.value for line in analysis.lines]
        assert values == sorted(values, reverse=True)
        for line in analysis.lines:
            now = position
            for turn in line.turns:
                assert turn.position == now
                now = now.play(turn)
            assert line.turns[0].after.player != position.player or line.turns[0].after.outcome
            assert 0 <= line.chance <= 1


def test_progress_comes_while_it_thinks_and_leaving_stops_it(usual: Variant) -> None:
    engine = menagerie.engine(usual)
    position = usual.start()
    depths = []
    for analysis in engine.watch(position):
        depths.append(analysis.depth)
        if len(depths) == 3:
            break
    assert depths == [1, 2, 3]
    assert engine.choose(position, Limit(depth=1)).position == position


def test_it_stops_when_told_to(usual: Variant) -> None:
    engine = menagerie.engine(usual)
    engine.choose(usual.start(), Limit(depth=1))
    told = []

    def tell() -> None:
        told.append(time.perf_counter())
        engine.stop()

    timer = threading.Timer(0.2, tell)
    timer.start()
    analysis = engine.analyse(turn_starts(usual, 4)[3], Limit(seconds=20))
    if abs(analysis.value) >= PROVEN:  # a tiny game is searched to its end before that
        timer.cancel()
        return
    assert time.perf_counter() - told[0] < 1  # a few milliseconds where nothing else runs
    assert analysis.best.position == analysis.position


def test_a_win_is_seen_to_its_end(usual: Variant) -> None:
    """The last turn before a random game's end, where the mover won: the engine finds a win at once."""
    engine = menagerie.engine(usual, nodes=200_000)
    found = 0
    for seed in range(60):
        starts = turn_starts(usual, seed, most=400)
        for position in starts[-1:]:
            wins = [a for a in position.turns()[:400] if a.after.outcome and a.after.outcome.winner == position.player]
            if not wins:
                continue
            analysis = engine.analyse(position)
            assert analysis.lines[0].ends_in == 1, str(position)
            assert analysis.value >= PROVEN and analysis.chance == 1
            last = analysis.best.after.outcome
            assert last and last.winner == position.player
            found += 1
        if found == 4:
            return
    assert found > 0


def test_two_threads_share_one_table(usual: Variant) -> None:
    engine = menagerie.engine(usual, threads=2)
    analysis = engine.analyse(turn_starts(usual, 4)[3], Limit(seconds=0.4))
    assert analysis.best in analysis.position.turns()[:] or usual.game.long_turns
    assert int(engine._contexts[1].nodes) > 0


def test_every_level_plays_legal_turns(usual: Variant) -> None:
    chance = random.Random(2)
    engines = {level: menagerie.engine(usual, level=level, nodes=300, seed=level) for level in (1, 3, 6)}
    match = Match(usual)
    while not match.outcome and len(match.turns) < 60:
        match.play(engines[chance.choice(list(engines))].choose(match))


def test_history_is_seen(usual: Variant) -> None:
    """A match is more than its last position: what history forbids is not chosen, a repetition is worth a draw."""
    repetition = usual.game.repetition
    match = Match(usual)
    engine = menagerie.engine(usual, nodes=500)
    while not match.outcome and len(match.turns) < 40:
        match.play(engine.choose(match))
    assert engine._contexts[0].path.times == repetition.times
    assert len(match.keys) == len(match.turns) + 1


@pytest.mark.parametrize("nodes", [1, 40, 3_000])
def test_turns_that_history_forbids_are_not_chosen(usual: Variant, nodes: int) -> None:
    """What the engine would play is forbidden, as if it had come too often; it then plays something else, and so on."""
    if not usual.game.repetition.is_illegal:
        return
    engine = Engine(usual)
    for position in turn_starts(usual, 4)[20:26]:  # with a past long enough
        forbidden: list[int] = []
        for _ in range(4):
            root = Root(position, (*forbidden, position.key))
            engine.forget()
            last = list(engine._begin(Search(engine, root, Limit(nodes=nodes), 1, 0)))[-1]
            assert last.best.after.player != position.player or last.best.after.outcome
            assert last.best.after.key not in forbidden
            forbidden += [0, last.best.after.key] * (usual.game.repetition.times - 1)  # with the other's turns between


@pytest.mark.parametrize(
    "limit",
    [
        {"depth": 0},
        {"depth": 1.5},
        {"depth": True},
        {"nodes": -1},
        {"nodes": 10**30},
        {"nodes": "5"},
        {"seconds": 0},
        {"seconds": float("nan")},
        {"seconds": float("inf")},
        {"lines": 2.5},
        {"lines": 0},
        {"patience": 3},
    ],
)
def test_limits_that_make_no_sense_are_refused(usual: Variant, limit: dict[str, float]) -> None:
    with pytest.raises(LimitError, match=next(iter(limit))):
        menagerie.engine(usual).analyse(usual.start(), **limit)  # type: ignore[arg-type]


def test_limits_can_be_given_as_words(usual: Variant) -> None:
    engine = menagerie.engine(usual)
    assert engine.analyse(usual.start(), depth=2).depth == 2
    assert engine.analyse(usual.start(), nodes=200, lines=2).nodes < 200 + 10 * PEEK
    assert engine.choose(usual.start(), seconds=0.05).position == usual.start()


def test_nodes_are_counted_over_all_threads(usual: Variant) -> None:
    if not usual.game.long_turns:
        analysis = menagerie.engine(usual, threads=2, nodes=20_000).analyse(turn_starts(usual, 4)[3])
        assert analysis.nodes <= 20_000 + PEEK


def test_only_positions_of_its_own_game_are_searched(usual: Variant) -> None:
    engine = menagerie.engine(usual, depth=1)
    others = [menagerie.game(name) for name in names() if name != usual.game.name]
    for place in (others[0].start(), Match(others[0])):
        with pytest.raises(MenagerieError, match=f"plays {usual.game.title}, not {others[0].game.title}"):
            engine.choose(place)
    with pytest.raises(MenagerieError, match="a position or a match, not 'e4'"):
        engine.choose("e4")  # type: ignore[arg-type]


# One thing at a time


def test_a_new_search_ends_the_one_before(usual: Variant) -> None:
    engine = menagerie.engine(usual, threads=2)
    first = engine.watch(usual.start())
    begun = next(first)
    assert engine.analyse(turn_starts(usual, 4)[3], depth=2).depth >= 1
    rest = list(first)
    assert not rest or rest[-1].depth >= begun.depth, "it ends, and answers with what it has"


def test_a_search_that_never_began_gives_way(usual: Variant) -> None:
    engine = menagerie.engine(usual, depth=1)
    late = engine.watch(usual.start())
    engine.choose(usual.start())
    with pytest.raises(MenagerieError, match="something else since"):
        next(late)


def test_many_threads_may_ask_one_engine(usual: Variant) -> None:
    engine = menagerie.engine(usual, nodes=3_000)
    positions = turn_starts(usual, 4)[2:8]
    answers: list[object] = []

    def ask() -> None:
        for position in positions:
            try:
                answers.append(engine.analyse(position).best)
            except MenagerieError as refused:
                answers.append(refused)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 4 * len(positions) and any(isinstance(answer, Turn) for answer in answers)


def test_a_fault_in_a_search_is_raised_where_it_was_asked_for(usual: Variant, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("no")

    monkeypatch.setattr(Search, "prepare", broken)
    with pytest.raises(RuntimeError, match="no"):
        menagerie.engine(usual, threads=2, depth=1).choose(usual.start())


@pytest.mark.parametrize("setting", [{"threads": 0}, {"level": 9}, {"megabytes": 0}, {"threads": 1.5}])
def test_settings_that_make_no_sense_are_refused(setting: dict[str, int]) -> None:
    with pytest.raises(LimitError, match=next(iter(setting))):
        Settings(**setting)


def test_a_finished_position_is_refused(usual: Variant) -> None:
    over = next(p for seed in range(50) for p in walk(usual, random.Random(seed)) if p.outcome)
    with pytest.raises(GameOver):
        menagerie.engine(usual, depth=1).choose(over)


def test_a_line_can_be_kept(usual: Variant) -> None:
    analysis = menagerie.engine(usual, nodes=2_000).analyse(usual.start())
    assert pickle.loads(pickle.dumps(analysis.position)) == analysis.position
    assert str(analysis.lines[0]).split()[0]
    assert isinstance(analysis.value, int) and not isinstance(analysis.value, np.integer)
    assert I(analysis.value) == analysis.lines[0].value
