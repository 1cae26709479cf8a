"""Laws that hold for every game under every set of rules, over random games."""

import pickle
import random
from itertools import pairwise

import numpy as np
from walks import count_reachable, listed_turns, positions, walk

from menagerie import Position, Variant
from menagerie.kernel.bits import MASK, MIX
from menagerie.kernel.state import copy, field_offset, key
from menagerie.kernel.walk import NOBODY, after, legal_actions


def test_legal_actions_are_distinct_in_range_and_never_too_many(variant: Variant) -> None:
    rules = variant.game.rules
    for position in positions(variant, 1500, seed=1):
        assert len(set(position.indices)) == len(position.indices) <= rules.MAX_LEGAL
        assert all(0 <= index < rules.ACTION_COUNT for index in position.indices)


def test_there_are_no_actions_exactly_when_the_position_is_over(variant: Variant) -> None:
    ends = 0
    for position in positions(variant, 1500, seed=2):
        assert (position.outcome is None) == bool(position.indices)
        if position.outcome:
            ends += 1
            assert position.outcome.winner in (0, 1, None)
            assert position.outcome.reason in {reason.name for reason in variant.game.reasons}
    assert ends > 0


def test_judging_a_state_leaves_it_as_it_was(variant: Variant) -> None:
    for position in positions(variant, 500, seed=3):
        before = position.state
        state = copy(before)
        legal_actions(variant.game.rules, state)
        variant.game.rules.outcome(state)
        key(state)
        assert state.tobytes() == before.tobytes()


def test_the_key_is_the_recomputed_key_and_names_the_identity(variant: Variant) -> None:
    seen: dict[int, bytes] = {}
    for position in positions(variant, 3000, seed=4):
        state = position.state
        identity = state.tobytes()[: field_offset(state.dtype, "quiet")]
        assert position.key == hash_by_hand(identity)
        assert seen.setdefault(position.key, identity) == identity
    assert len(set(seen.values())) == len(seen)
    assert len(seen) >= count_reachable(variant.start(), most=2000), "as many as there are, in a small game"


def hash_by_hand(identity: bytes) -> int:
    """The key, computed with Python's own numbers."""

    def mixed(hashed: int, word: int) -> int:
        word = word * int(MIX) & MASK
        word = (word ^ word >> 32) * int(MIX) & MASK
        return (hashed ^ word) * int(MIX) & MASK

    words = [int.from_bytes(identity[at : at + 8], "little") for at in range(0, len(identity), 8)]
    hashed = 0
    for index, word in enumerate(words):
        hashed ^= mixed(mixed(0, word ^ word >> 32), index)
    hashed = mixed(hashed, len(words))
    return hashed ^ hashed >> 29


def test_position_texts_round_trip_with_everything_derived(variant: Variant) -> None:
    for position in positions(variant, 1500, seed=5):
        again = variant.position(str(position))
        assert again == position
        assert again.state.tobytes() == position.state.tobytes()
        assert (hash(again), again.key, str(again)) == (hash(position), position.key, str(position))


def test_move_texts_round_trip_in_both_forms(variant: Variant) -> None:
    for position in positions(variant, 150, seed=6):
        actions = position.actions()
        assert len({action.code for action in actions}) == len({str(action) for action in actions}) == len(actions)
        for action in actions:
            assert position.find_action(action.code) == position.find_action(str(action)) == action
        turns = listed_turns(position)
        for turn in turns[:: max(1, len(turns) // 20)]:
            assert position.find(turn.code).after == position.find(str(turn)).after == turn.after


def test_gestures_tell_actions_apart(variant: Variant) -> None:
    for position in positions(variant, 300, seed=7):
        gestures = [action.gesture for action in position.actions()]
        assert len(set(gestures)) == len(gestures)
        for gesture in gestures:
            for touch in gesture.touches:
                assert touch in variant.game.board.squares or touch in variant.game.kind


def test_what_a_gesture_means_reads_like_a_move(variant: Variant) -> None:
    notation = variant.game.notation
    for position in positions(variant, 300, seed=7):
        for action in position.actions():
            touches = action.gesture.touches
            text = notation.wish(position.state, touches) if touches else action.code
            assert text is not None
            assert text.rstrip("+") == action.code.rstrip("+") or notation.refusal(position.state, text)


def test_positions_are_values(variant: Variant) -> None:
    for position in positions(variant, 200, seed=8):
        again = pickle.loads(pickle.dumps(position))
        assert again == position and hash(again) == hash(position) and again is not position
        assert position != str(position)
        state = position.state
        state.ply += np.uint64(1)
        assert position.state.tobytes() != state.tobytes(), "a position hands out copies only"


def test_a_move_gives_another_position_and_changes_nothing(variant: Variant) -> None:
    for before, now in pairwise(walk(variant, random.Random(9))):
        text = str(before)
        assert now != before and now.ply in (before.ply, before.ply + 1)
        assert (now.player != before.player) == (now.ply != before.ply)
        assert str(before) == text


def test_players_exchanged_play_the_same_game(variant: Variant) -> None:
    assert_symmetric(variant, variant.game.exchange, exchanged=True)


def test_mirror_images_play_the_same_game(variant: Variant) -> None:
    if variant.game.mirror is not None:
        assert_symmetric(variant, variant.game.mirror, exchanged=False)


def assert_symmetric(variant: Variant, change: object, exchanged: bool) -> None:
    """The images of all successors are the successors of the image; who won, and why, follows suit."""
    rules = variant.game.rules
    assert callable(change)
    for position in positions(variant, 400, seed=10):
        state, image = position.state, position.state
        change(image)
        children = set()
        for index in position.indices:
            child = after(rules, state, index)
            change(child)
            children.add(int(key(child)))
        assert children == {int(key(after(rules, image, index))) for index in legal_actions(rules, image)}
        if not children:
            winner, reason = rules.outcome(state)
            swapped = 1 - winner if exchanged and winner != NOBODY else winner
            assert rules.outcome(image) == (swapped, reason)
        twice = copy(image)
        change(twice)
        assert Position(variant.game, twice) == position


def test_perft_counts_what_playing_counts(variant: Variant) -> None:
    start = variant.start()
    assert start.perft(0) == 1
    for depth in (1, 2, 3):
        by_hand = count_by_hand(start, depth)
        assert start.perft(depth) == start.perft_played(depth) == by_hand
        assert sum(count for _, count in start.divide(depth)) == by_hand
    if listed_turns(start):
        assert sum(count for _, count in start.divide(2, turns=True)) == start.perft(2, turns=True)


def count_by_hand(position: Position, depth: int) -> int:
    return 1 if depth == 0 else sum(count_by_hand(action.after, depth - 1) for action in position.actions())


def test_playouts_end_add_up_and_repeat(variant: Variant) -> None:
    start = variant.start()
    whole = start.playouts(300, seed=7)
    assert whole == start.playouts(300, seed=7) != start.playouts(300, seed=8)
    parts = start.playouts(100, seed=7) + start.playouts(200, seed=7, first=100)
    assert parts.games == whole.games == 300 and parts.steps == whole.steps
    assert sorted(parts.ends, key=str) == sorted(whole.ends, key=str)
    assert sum(games for _, _, games in whole.ends) == 300
    assert not [end for end in whole.ends if end[0] in ("", "unfinished")], "every walk ends"


def test_turns_are_sequences_of_legal_actions_that_pass_the_move(variant: Variant) -> None:
    for position in positions(variant, 60, seed=11):
        turns = listed_turns(position)
        for turn in turns[:: max(1, len(turns) // 50)]:
            assert turn.after.player != position.player or turn.after.outcome
            assert all(action.index in action.position.indices for action in turn.actions)
