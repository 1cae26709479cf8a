"""The search against plain minimax, and what people may rely on: lines, limits, stopping, the same answer again."""

import pickle
import random
import threading
import time
from collections.abc import Iterator
from itertools import combinations, islice, product

import numpy as np
import pytest
from golden import tactics_positions
from walks import random_turn, turn_starts, walk

import menagerie
from menagerie import Analysis, Limit, Match, Position, Turn, Variant
from menagerie.errors import GameOver, LimitError, MenagerieError
from menagerie.game import Game
from menagerie.games import names
from menagerie.kernel.bits import I
from menagerie.kernel.judgement import TALLY
from menagerie.kernel.state import State, key, new
from menagerie.kernel.walk import NOBODY, after, legal_actions
from menagerie.position import Action
from menagerie.search.alphabeta import PROVEN, WIN
from menagerie.search.engine import HURRY, Engine, Root, Search, Settings, parts
from menagerie.search.limits import LEVELS, strength

MOST_LEAVES = 3_000
COMPARED = 40
AFTERWARDS = 6_000
"""Nodes that may be searched once a search was told to stop."""


def minimax(game: Game, root: Root, states: list[State], keys: list[int], depth: int) -> int:
    """The value of the last state for its mover: every action to the same depth, nothing clever.

    The keys are those of the positions between turns, the root's history included.
    """
    state, rules, repetition = states[-1], game.rules, game.repetition.under(root.position.options)
    ply, turns = len(states) - 1, len(keys) - len(root.keys)
    ends_turn = ply > 0 and states[-2].player != state.player
    judges = ends_turn and not repetition.is_illegal
    if judges and repetition.times and comes_again(keys, int(state.quiet), len(root.keys) - 1, repetition.times):
        return 0
    actions = legal_actions(rules, state)
    if not actions:
        winner, _ = rules.outcome(state)
        turns += not ends_turn
        return 0 if winner == NOBODY else WIN - turns if winner == state.player else turns - WIN
    if judges and 0 < repetition.plies <= state.quiet:
        return 0
    if depth == 0:
        return int(parts(game).evaluate(state, new(TALLY)))
    best = turns - WIN
    for action in actions:
        following = after(rules, state, action)
        same = following.player == state.player
        path = keys if same else [*keys, int(key(following))]
        if not same and repetition.is_illegal and is_forbidden(path, int(following.quiet), repetition.times):
            continue
        value = minimax(game, root, [*states, following], path, depth - 1)
        best = max(best, value if same else -value)
    return best


def earlier(keys: list[int], quiet: int) -> list[int]:
    """Where the last position stood before, since the last turn that can never be undone, the same player to move."""
    last = len(keys) - 1
    return [n for n in range(last) if keys[n] == keys[last] and (last - n) % 2 == 0 and last - n <= quiet]


def comes_again(keys: list[int], quiet: int, root: int, times: int) -> bool:
    """Whether a search takes the last position for a draw: it came since the root, or as often as the rules say."""
    return any(n >= root for n in earlier(keys, quiet)) or len(earlier(keys, quiet)) + 1 >= times


def is_forbidden(keys: list[int], quiet: int, times: int) -> bool:
    """Whether the last position has come too often."""
    return len(earlier(keys, quiet)) + 1 >= times


def plain_search(engine: Engine, root: Root, depth: int) -> int:
    """Alpha-beta with table and windows, but without anything that leaves out or shortens lines."""
    engine.forget()
    run = Search(engine, root, Limit(), 1, 0)
    context = engine._contexts[0]
    run.prepare(context, 1)
    context.is_plain = 1
    value = 0
    for deeper in range(1, depth + 1):
        value = run.look(context, deeper, value if deeper > 1 else None).value
    return value


def roots(variant: Variant, chance: random.Random) -> Iterator[Root]:
    """Positions to compare at: of random games from their middle on, in the middle of turns, of golden tactics.

    Some have a history: the position after one of the turns has come almost too often, or the move limit is near.
    """
    known = [p for p in tactics_positions(variant.game) if p.options == variant.start().options] or [variant.start()]
    while True:
        starts = turn_starts(variant, chance.randrange(10**6))
        for place in (chance.choice(starts[len(starts) // 2 :]), chance.choice(known)):
            position = deeper(place, chance)
            if not position.outcome:
                yield Root(position, (position.key,))
                yield with_history(position, chance)


def deeper(position: Position, chance: random.Random) -> Position:
    """A position in the middle of a turn, where turns have one."""
    while position.indices and chance.random() < 0.5:
        following = chance.choice(position.actions()).after
        if following.player != position.player:
            break
        position = following
    return position


def with_history(position: Position, chance: random.Random) -> Root:
    """The position after some quiet plies, in which that after one of its turns came almost as often as it may."""
    repetition = position.game.repetition.under(position.options)
    state = position.state
    state.quiet = max(40, repetition.plies - chance.randint(1, 3))
    root = Position(position.game, state)
    turn = random_turn(root, chance)
    again = (turn.after.key, 0) * max(0, repetition.times - 1)
    return Root(root, (*again[:-1], root.key) if again else (root.key,))


def test_the_search_is_plain_minimax_at_small_depth(variant: Variant) -> None:
    engine, chance = Engine(variant), random.Random(3)
    decided = moved = 0
    for root in islice(roots(variant, chance), COMPARED):
        position = root.position
        depth = next(d for d in (4, 3, 2, 1) if d == 1 or len(position.indices) ** d < MOST_LEAVES)
        expected = minimax(variant.game, root, [position.state], list(root.keys), depth)
        assert plain_search(engine, root, depth) == expected, f"{position} {root.keys}"
        decided += abs(expected) > PROVEN or expected == 0
        moved += position.ply > 2
    assert decided >= 2, "wins, losses and draws are among them"
    assert moved >= COMPARED // 4, "and positions further on"


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


@pytest.mark.parametrize("nodes", [1, 40, 3_000])
def test_it_can_be_confined_to_some_turns(usual: Variant, nodes: int) -> None:
    engine, chance = menagerie.engine(usual, nodes=nodes), random.Random(nodes)
    for position in turn_starts(usual, 8)[2::12]:
        turns = [random_turn(position, chance) for _ in range(3)]
        for among in (turns[:1], turns):
            engine.forget()
            for analysis in engine.watch(position, lines=2, among=among):
                found = [line.turns[0] for line in analysis.lines]
                assert (
                    all(turn in among for turn in found) and len({turn.after.key for turn in found}) == len(found) <= 2
                )
        best = engine.analyse(position, nodes=2_000).best
        assert engine.analyse(position, nodes=2_000, among=[best]).best.after == best.after


def test_it_cannot_be_confined_to_other_positions_turns(usual: Variant) -> None:
    first, second = turn_starts(usual, 8)[:2]
    engine, chance = menagerie.engine(usual, depth=1), random.Random(1)
    with pytest.raises(LimitError, match="no turn of the position"):
        engine.analyse(first, among=[random_turn(first, chance), random_turn(second, chance)])
    with pytest.raises(LimitError, match="at most, not 1025"):
        engine.analyse(first, among=[random_turn(first, chance)] * 1025)


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
    """`python -m bench.engine` says in how many milliseconds; here, that little is searched after that."""
    engine = menagerie.engine(usual)
    engine.choose(usual.start(), Limit(depth=1))
    for position in turn_starts(usual, 4)[3:8]:
        told: list[int] = []

        def tell(told: list[int] = told) -> None:
            engine.stop()
            told.append(sum(int(context.nodes) for context in engine._contexts))

        timer = threading.Timer(0.1, tell)
        timer.start()
        analysis = engine.analyse(position, Limit(seconds=20))
        if abs(analysis.value) >= PROVEN:  # a tiny game is searched to its end before that
            timer.cancel()
            continue
        assert analysis.nodes - told[0] < AFTERWARDS
        assert analysis.best.position == analysis.position


def test_time_is_kept_whatever_its_reader_does(usual: Variant) -> None:
    engine = menagerie.engine(usual)
    engine.choose(usual.start(), Limit(depth=1))
    reports = engine.watch(turn_starts(usual, 4)[3], seconds=0.1)
    first = next(reports)
    time.sleep(1.5)  # as a slow display may
    assert all(later.seconds < 1 for later in (first, *reports)), "it ended while its first report was read"


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
    engines = {level: menagerie.engine(usual, level=level, nodes=300, seed=level) for level in LEVELS}
    match = Match(usual)
    while not match.outcome and len(match.turns) < 60:
        match.play(engines[chance.choice(list(engines))].choose(match))


def remembered(position: Position, after: int) -> Root:
    """A position after quiet plies in which one that a turn leads to has come almost too often."""
    state = position.state
    state.quiet = 40
    times = position.game.repetition.under(position.options).times
    return Root(Position(position.game, state), (*((after, 0) * (times - 1))[:-1], position.key))


def thought(engine: Engine, root: Root) -> Analysis:
    """What an engine thinks of a position with a history."""
    engine.forget()
    return list(engine._begin(Search(engine, root, Limit(nodes=3_000), 1, 0)))[-1]


def test_a_level_never_takes_more_than_its_seconds(usual: Variant) -> None:
    for level in LEVELS:
        engine = menagerie.engine(usual, level=level)
        engine.watch(usual.start())
        assert engine._search and engine._search.limit.seconds == strength(level).seconds
        engine.watch(usual.start(), seconds=100)
        assert engine._search.limit.seconds == (strength(level).seconds if level < max(LEVELS) else 100)
    assert strength(1).seconds < 1


def test_history_is_seen(usual: Variant) -> None:
    """In golden tactics: who is lost takes a draw by repetition, and who wins does not give one."""
    repetition = usual.game.repetition
    if repetition.is_illegal or not repetition.times:
        return
    engine, chance = menagerie.engine(usual), random.Random(1)
    saved = kept = 0
    for position in tactics_positions(usual.game)[:30]:
        if position.options != usual.start().options or engine.analyse(position, nodes=3_000).value < PROVEN:
            continue
        best = engine.analyse(position, nodes=3_000).best
        if not best.after.outcome and remembered(position, 0).position.play(best.code).state.quiet > 40:
            given = thought(engine, remembered(position, best.after.key))
            assert given.best.after.key != best.after.key or given.value == 0
            kept += given.value > 0
        if best.after.outcome:
            continue
        answer = random_turn(remembered(best.after, 0).position, chance)
        if not answer.after.outcome and answer.after.state.quiet > 40:
            found = thought(engine, remembered(best.after, answer.after.key))
            assert found.value == 0, str(best.after)
            assert found.best.after.key == answer.after.key
            saved += 1
    assert (saved and kept) or not tactics_positions(usual.game)


@pytest.mark.parametrize("left", [1, 2, 3, 4, 6])
def test_a_win_that_the_move_limit_prevents_is_not_claimed(usual: Variant, left: int) -> None:
    """Tactics with so many plies left until the game is a draw: a line that claims a win ends in one."""
    plies = usual.game.repetition.plies
    if not plies:
        return
    claimed = 0
    engine = menagerie.engine(usual, nodes=3_000)
    for position, depth in product(tactics_positions(usual.game), (1, 4, 6)):
        if position.options != usual.start().options:
            continue
        state = position.state
        state.quiet = plies - left
        late = Position(usual.game, state)
        if depth == 6:
            engine.analyse(position)  # What the table learnt with time left must not be believed now.
        else:
            engine.forget()
        analysis = engine.analyse(late, depth=depth)
        if abs(analysis.value) < PROVEN:
            continue
        match = Match(usual, late)
        for turn in analysis.lines[0].turns:
            assert not match.outcome, f"{late}: {analysis.lines[0]}"
            match.play(turn)
        assert match.outcome and match.outcome.winner == (late.player if analysis.value > 0 else 1 - late.player)
        claimed += 1
    assert claimed, "the nearest ones still are"


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


def test_an_engine_without_any_limit_does_not_choose(usual: Variant) -> None:
    with pytest.raises(LimitError, match="think for ever: it needs a level, or a limit"):
        menagerie.engine(usual).choose(usual.start())
    assert menagerie.engine(usual, level=1).choose(usual.start()).position == usual.start()


def test_limits_can_be_given_as_words(usual: Variant) -> None:
    engine = menagerie.engine(usual)
    assert engine.analyse(usual.start(), depth=2).depth == 2
    assert engine.analyse(usual.start(), nodes=200, lines=2).nodes < 200 + 10 * HURRY
    assert engine.choose(usual.start(), seconds=0.05).position == usual.start()


def test_nodes_are_counted_over_all_threads(usual: Variant) -> None:
    if not usual.game.long_turns:
        analysis = menagerie.engine(usual, threads=2, nodes=20_000).analyse(turn_starts(usual, 4)[3])
        assert analysis.nodes <= 20_000 + 20 * HURRY


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


@pytest.mark.parametrize("nodes", range(4000, 8400, 100))
def test_one_lost_turn_is_no_lost_game(nodes: int) -> None:
    """The first turn it looks at loses in 7; two others hold, and a search that is stopped before them must not say."""
    position = menagerie.game("dobutsu").position("l1G/3/gcL/E1C[e] b - - 13 7")
    assert menagerie.engine("dobutsu", nodes=nodes).analyse(position).value > -PROVEN


def test_a_turn_without_alternative_is_not_thought_about(usual: Variant, monkeypatch: pytest.MonkeyPatch) -> None:
    chance, engine, asked = random.Random(77), menagerie.engine(usual, nodes=2000), list[Limit]()

    def analyse(place: Position, limit: Limit) -> Analysis:
        asked.append(limit)
        return Engine.analyse(engine, place, limit)

    monkeypatch.setattr(engine, "analyse", analyse)
    known = {True: 0, False: 0}
    for _ in range(30):
        position = usual.start()
        while not position.outcome:
            turn = random_turn(position, chance)
            if known[position.is_forced] < 3:
                known[position.is_forced] += 1
                chosen = engine.choose(position)
                assert asked.pop().depth == (1 if position.is_forced else None)
                assert not position.is_forced or chosen.after == turn.after
            position = turn.after
    assert known[False] == 3


def test_the_highest_level_heeds_other_limits_alone_and_a_lower_one_its_own_too() -> None:
    name = next(name for name in names() if menagerie.game(name).game.judgement.TERMS)
    position = menagerie.game(name).start()
    usual = strength(max(LEVELS) - 1).nodes * position.game.judgement.USUAL_TURN
    low, high = (menagerie.engine(name, level=level).analyse(position, nodes=2 * usual) for level in LEVELS[-2:])
    assert low.nodes <= 1.1 * usual < high.nodes


def test_no_step_of_a_turn_is_taken_back_in_it(usual: Variant) -> None:
    """Weak levels see no difference between ways to the same end; people do: a step and its return look foolish."""
    chance, plain = random.Random(78), 0
    for number in range(6):
        match, engine = Match(usual), menagerie.engine(usual, level=1, seed=1 + number)
        for _ in range(12):
            if match.outcome:
                break
            turn = engine.choose(match)
            for i, j in combinations(range(len(turn.indices) if len(turn.indices) <= 8 else 0), 2):
                fewer = [index for at, index in enumerate(turn.indices) if at not in (i, j)]
                assert not leads_to(turn.position, fewer, turn.after), f"{turn} in {turn.position}"
            plain += 1
            match.play(turn if chance.random() < 0.7 else random_turn(match.position, chance))
    assert plain


def leads_to(position: Position, indices: list[int], end: Position) -> bool:
    """Whether these actions, and one more if the turn is not over, are legal and end there."""
    now = position
    for index in indices:
        if now.player != position.player or index not in now.indices:
            return False
        now = Action(now, index).after
    return now == end or (now.player == position.player and any(action.after == end for action in now.actions()))
