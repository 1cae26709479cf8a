"""The search: principal-variation alpha-beta over actions, written once for every game.

The player to move may stay the same after an action; then the value is not negated. Everything a thread needs is one
record, the context: the line of states, the path behind it, what it has learnt about good actions. Scores are for the
player to move; a win in n turns from the root, those of both players, is WIN - n.
"""

import sys
from collections.abc import Callable
from math import log
from types import SimpleNamespace

import numpy as np

from menagerie.kernel.bits import ONE, U64, ZERO, I, below, mix
from menagerie.kernel.compiled import compiled, instantiate, template, unbound
from menagerie.kernel.judgement import TALLY, Tally
from menagerie.kernel.memory import load
from menagerie.kernel.path import PATH, Path, occurrences, push
from menagerie.kernel.state import Actions, RecordType, State, end_turn, key, record_type
from menagerie.kernel.walk import NOBODY, Rules
from menagerie.search.table import (
    EXACT,
    LOWER,
    NO_ACTION,
    UNKNOWN,
    UNTOLD,
    UPPER,
    action_of,
    bound_of,
    depth_of,
    expect,
    keep,
    packed,
    probe,
    score_of,
    static_of,
)

MOST_ACTIONS = 120
"""How far a line of actions goes at most."""
WIN = I(30_000)
PROVEN = WIN - 2 * MOST_ACTIONS
"""A score beyond this is a win or a loss that was seen to its end."""
MOST_VALUE = PROVEN - 1
"""No judgement is surer than this."""
MOST_LINES = 64
MOST_AMONG = 1024
"""How many first turns a search can be confined to."""

KILLERS = 2
BEST_ORDER, FORCING_ORDER, KILLER_ORDER, COUNTER_ORDER = I(1 << 40), I(1 << 30), I(1 << 22), I(1 << 21)
"""Which actions are tried first: the table's, then forcing ones by gain, killers, the answer that did well before."""
PLACE_BITS, LAST_PLACE = I(16), I(0xFFFF)
"""An order and an action's place in the list are one number, so that the best is found without a branch; of equals the
first in the list is the higher number."""
TAKEN = I(-(1 << 62))
HISTORY_LIMIT = I(1 << 14)
PAIR_WORDS = 1 << 16

JUDGED = I(1)
"""The depth of a quiescence of a state that the search has judged; others begin at 0 and go down."""
CLOCK_NODES = 1 << 4
"""A search looks for its orders once in so many nodes, a few of which may take long."""

DEEP = 64


def reduction_table() -> np.ndarray:
    """reductions[depth, count]: by how much the search of the count-th action of a node is shortened."""
    table = np.zeros((DEEP, DEEP), np.int64)
    for depth in range(1, DEEP):
        for count in range(1, DEEP):
            table[depth, count] = int(0.4 + log(depth) * log(count) / 2.1)
    return table


REDUCTIONS = reduction_table()

# The free names of the templates below; `searcher` binds them to a game's own functions.
legal: Callable[[State, Actions], None] = unbound
play: Callable[[State, int], None] = unbound
outcome: Callable[[State], tuple[int, int]] = unbound
evaluate: Callable[[State, Tally], int] = unbound
gain: Callable[[State, int], int] = unbound
danger: Callable[[State], bool] = unbound
wins_at_once: Callable[[State], int] = unbound
forcing: Callable[[State, Actions], None] = unbound
may_pass: Callable[[State], bool] = unbound
LISTS_FORCING = False
USUAL_TURN = I(1)

Context = np.record


def searcher(rules: Rules, judging: SimpleNamespace, label: str) -> SimpleNamespace:
    """The search of one game, and the type of its context."""
    return instantiate(
        sys.modules[__name__],
        label,
        legal=rules.legal,
        play=rules.play,
        outcome=rules.outcome,
        evaluate=judging.evaluate,
        gain=judging.gain,
        danger=judging.danger,
        wins_at_once=judging.wins_at_once,
        forcing=judging.forcing or rules.legal,
        LISTS_FORCING=judging.forcing is not None,
        may_pass=judging.may_pass,
        USUAL_TURN=I(judging.USUAL_TURN),
        CONTEXT=context_type(rules),
    )


def context_type(rules: Rules) -> RecordType:
    """What one thread of a search knows."""
    room = MOST_ACTIONS + 2
    return record_type(
        ("states", rules.STATE, room),
        ("actions", rules.ACTIONS, room),
        ("order", np.int64, (room, rules.MAX_LEGAL)),
        ("tried", np.int64, (room, rules.MAX_LEGAL)),  # the quiet ones, as they were tried
        ("keys", np.uint64, room),
        ("ahead", rules.STATE, room),  # the state after an action that will be tried next
        ("keys_ahead", np.uint64, room),
        ("statics", np.int64, room),
        ("played", np.int64, room),
        ("turns", np.int64, room),  # how many have been ended since the root
        ("killers", np.int64, (room, KILLERS)),
        ("lengths", np.int64, room),
        ("path", PATH),
        ("tally", TALLY),
        # How to search.
        ("table", np.uint64),
        ("mask", np.uint64),
        ("age", np.uint64),
        ("orders", np.uint64),  # where a word lies that is not zero once the search shall stop
        ("most_nodes", np.int64),
        ("is_plain", np.int64),  # 1: every action to the same depth, nothing left out, no quiescence
        ("is_illegal", np.int64),  # 1: a turn that repeats a position too often may not be played
        ("noise", np.int64),  # how far judgement errs, for weak players
        ("seed", np.uint64),
        ("banned", np.uint64, MOST_LINES),  # positions that the first turn shall not lead to
        ("bans", np.int64),
        ("allowed", np.uint64, MOST_AMONG),  # where there are any, the only ones it may lead to
        ("among", np.int64),
        # How it went.
        ("root", np.int64),  # how many turns stood on the path when the search began
        ("nodes", np.int64),
        ("value", np.int64),  # of the best action at the root so far
        ("deepest", np.int64),
        ("stopped", np.int64),
        # What it has learnt, and the best line from each ply; narrow fields come last, or Numba loses count.
        ("history", np.int32, (2, rules.ACTION_COUNT)),
        ("answers", np.uint16, (2, rules.ACTION_COUNT)),
        ("pairs", np.int16, PAIR_WORDS),
        ("lines", np.uint16, (room, room)),
    )


@template
def search(c: Context, ply: int, depth: int, alpha: int, beta: int) -> int:
    """The value of the state at a ply of the line, within a window, `depth` actions deep."""
    state = c.states[ply]
    me = I(state.player)
    is_root = ply == 0
    is_open = beta - alpha > 1
    begins_turn = is_root or I(c.states[ply - 1].player) != me
    c.lengths[ply] = 0

    # 1. History: a position that comes again is worth a draw, where the rules do not forbid it altogether.
    left = plies_left(c, I(state.quiet))
    out_of_time = not is_root and begins_turn and left <= 0
    if not is_root and begins_turn and c.is_illegal == 0 and repeats(c.path, I(state.quiet), I(c.root)):
        return I(0)

    # 2. The horizon.
    if depth <= 0 and c.is_plain == 0 and not out_of_time:
        return quiesce(c, ply, alpha, beta, I(0))

    # 3. Count, and look for orders. A win already found is nearer than any below here.
    if looks_up(c, ply):
        return I(0)
    if ply >= MOST_ACTIONS:
        return static_value(c, ply)
    if not is_root:
        alpha = max(alpha, c.turns[ply] - WIN)
        beta = min(beta, WIN - c.turns[ply] - 1)
        if alpha >= beta:
            return alpha

    # 4. What the table knows, unless the move limit may come within this depth: the table does not count plies. The
    # first turn under a ban is a search of its own.
    name = c.keys[ply]
    is_private = (c.bans > 0 or c.among > 0) and c.path.n == c.root
    data = probe(c.table, c.mask, name)
    known = data != ZERO
    best_known = action_of(data) if known else NO_ACTION
    if known and not is_private and depth_of(data) >= depth and not is_open and left > depth:
        score = from_table(score_of(data), c.turns[ply], left)
        bound = bound_of(data)
        if bound == EXACT or (bound == LOWER and score >= beta) or (bound == UPPER and score <= alpha):
            return score

    # 5. A win before the other player moves: sought where the turn begins, and not again where the table knows better.
    looks_for_win = (begins_turn or ply == 1) and c.is_plain == 0
    if looks_for_win and not (known or is_root or is_private or out_of_time) and wins_at_once(state) > 0:
        return WIN - c.turns[ply] - 1
    if depth <= 0 and c.is_plain != 0 and not out_of_time:
        legal(state, c.actions[ply])
        return static_value(c, ply) if c.actions[ply].n > 0 else ended(c, ply)

    # 6. Where standing still would lose, look deeper.
    in_danger = False
    if c.is_plain == 0:
        in_danger = static_of(data) == UNTOLD if known else danger(state)
    if in_danger:
        depth += 1

    # 7. Judgement, of which there is none in danger, and what can be left out because of it.
    if c.is_plain != 0:
        static = I(0)
    elif known:
        static = static_of(data)
    else:
        static = UNTOLD if in_danger else static_value(c, ply)
    c.statics[ply] = I(0) if in_danger else static
    is_rising = ply < 2 or in_danger or I(c.states[ply - 2].player) != me or static > c.statics[ply - 2]
    can_prune = c.is_plain == 0 and not (is_open or in_danger or is_private or out_of_time or is_root)
    if can_prune and abs(beta) < PROVEN:
        if depth <= 6 and static - 70 * (depth - I(is_rising)) >= beta and static < PROVEN:
            return static
        if depth <= 2 and static + 150 + 150 * depth <= alpha:
            score = quiesce(c, ply, alpha, beta, JUDGED)
            if score <= alpha:
                return score
        passes = depth >= 2 + USUAL_TURN and begins_turn and c.played[ply - 1] != NO_ACTION and static >= beta
        if passes and may_pass(state):
            c.states[ply + 1] = c.states[ply]
            end_turn(c.states[ply + 1])
            c.states[ply + 1].quiet = U64(0)
            c.keys[ply + 1] = key(c.states[ply + 1])
            c.played[ply] = NO_ACTION
            c.turns[ply + 1] = c.turns[ply] + 1
            push(c.path, c.keys[ply + 1])
            less = USUAL_TURN + 2 + depth // 4 + min((static - beta) // 150, I(3))
            score = -search(c, ply + 1, depth - less, -beta, -beta + 1)
            c.path.n -= 1
            if c.stopped != 0:
                return I(0)
            if score >= beta:
                return score if score < PROVEN else beta
    if c.is_plain == 0 and best_known == NO_ACTION and depth >= 4 and not is_root:
        depth -= 1

    # 8. The actions, the promising first.
    legal(state, c.actions[ply])
    n = I(c.actions[ply].n)
    if n == 0:
        return ended(c, ply)
    if out_of_time:
        return I(0)
    put_in_order(c, ply, best_known)

    # 9. Try them.
    best, best_action, first_alpha, count = I(-WIN), NO_ACTION, alpha, I(0)
    quiet_tried = I(0)
    is_ahead, next_order, next_action = False, I(0), NO_ACTION
    for i in range(n):
        order, action = (next_order, next_action) if is_ahead else pick(c, ply, n)
        is_quiet = order < FORCING_ORDER
        if can_prune and count > 0 and best > -PROVEN and is_quiet:
            if quiet_tried > (3 + depth * depth) * (2 if is_rising else 1) * USUAL_TURN:
                break  # whatever follows is no more promising
            if depth <= 5 and static + 100 + 100 * depth <= alpha and order < KILLER_ORDER:
                break
        if not is_ahead:
            make(c, ply, action)
        is_ahead = False
        again = enter(c, ply, action)
        if not again:
            if is_private and is_banned(c, c.keys[ply + 1]):
                continue
            push(c.path, c.keys[ply + 1])
            if c.is_illegal != 0 and is_forbidden(c.path, I(c.states[ply + 1].quiet)):
                c.path.n -= 1
                continue
        count += 1

        # Unless this may well be the last one, make the next before it is tried: then the table's word comes in time.
        if count > 1 and i + 1 < n:
            next_order, next_action = pick(c, ply, n)
            make(c, ply, next_action)
            is_ahead = True

        # The first with the whole window, the others only to see whether they are better: late ones less deeply.
        low, high, less = alpha, beta, I(0)
        if count > 1:
            high = alpha + 1
            if depth >= 3 and c.is_plain == 0 and is_quiet and not in_danger:
                less = REDUCTIONS[min(depth, I(DEEP - 1)), min(count, I(DEEP - 1))]
                if not is_open:
                    less += 1
                if not is_rising:
                    less += 1
                if order >= COUNTER_ORDER:
                    less -= 1
                else:
                    less -= order // 6000
                less = max(I(0), min(less, depth - 2))
        score = I(0)
        while True:
            if again:
                score = search(c, ply + 1, depth - 1 - less, low, high)
            else:
                score = -search(c, ply + 1, depth - 1 - less, -high, -low)
            if c.stopped != 0 or score <= alpha or (high == beta and less == 0):
                break
            if less > 0:
                less = I(0)
            elif score < beta:
                high = beta
            else:
                break
        if not again:
            c.path.n -= 1
        if c.stopped != 0:
            return I(0)

        if score > best:
            best = score
            if score > alpha:
                alpha = score
                best_action = action
                note_line(c, ply, action)
                if is_root:
                    c.value = score
                if score >= beta:
                    break
        if is_quiet:
            c.tried[ply, quiet_tried] = action
            quiet_tried += 1
    if count == 0:
        return c.turns[ply] - WIN  # every turn would repeat a position, or is banned

    # 10. Learn.
    if alpha >= beta:
        learn(c, ply, depth, best_action, quiet_tried)
    if not is_private:
        bound = LOWER if best >= beta else EXACT if best > first_alpha else UPPER
        if left <= depth:
            bound = UNKNOWN
        data = packed(best_action, to_table(best, c.turns[ply]), static, depth, bound) | c.age << U64(58)
        keep(c.table, c.mask, name, data)
    return best


@template
def quiesce(c: Context, ply: int, alpha: int, beta: int, depth: int) -> int:
    """The value of a state when only forcing actions are tried, or all where standing still would lose."""
    state = c.states[ply]
    c.lengths[ply] = 0
    if depth != JUDGED and looks_up(c, ply):
        return I(0)
    if ply >= MOST_ACTIONS:
        return static_value(c, ply)

    # 1. What the rules say of history, what the table knows, what is seen, and what judgement says.
    begins_turn = I(c.states[ply - 1].player) != I(state.player)
    left = plies_left(c, I(state.quiet))
    if begins_turn and left <= 0:
        legal(state, c.actions[ply])
        return I(0) if c.actions[ply].n > 0 else ended(c, ply)
    name = c.keys[ply]
    data = probe(c.table, c.mask, name)
    known = data != ZERO
    if known and beta - alpha == 1:
        score = from_table(score_of(data), c.turns[ply], left)
        bound = bound_of(data)
        if bound == EXACT or (bound == LOWER and score >= beta) or (bound == UPPER and score <= alpha):
            return score
    if depth != JUDGED and not known and begins_turn and wins_at_once(state) > 0:
        return WIN - c.turns[ply] - 1
    static = static_of(data) if known else c.statics[ply] if depth == JUDGED else UNTOLD
    in_danger = (known and static == UNTOLD) or (not known and depth != JUDGED and danger(state))
    best, first_alpha = c.turns[ply] - WIN, alpha
    stands = not in_danger or depth < -8
    if stands and static == UNTOLD:
        static = static_value(c, ply)

    # 2. Standing still, where that does not lose.
    if stands:
        best = static
        if best >= beta:
            if not known and not in_danger:
                data = packed(NO_ACTION, to_table(best, c.turns[ply]), static, I(0), LOWER) | c.age << U64(58)
                keep(c.table, c.mask, name, data)
            return best
        alpha = max(alpha, best)

    # 3. Forcing actions, the most promising first.
    if stands and LISTS_FORCING:
        forcing(state, c.actions[ply])
    else:
        legal(state, c.actions[ply])
        if c.actions[ply].n == 0:
            return ended(c, ply)
    n = put_forcing_in_order(c, ply, action_of(data) if known else NO_ACTION, not stands)
    best_action = NO_ACTION
    for _ in range(n):
        order, action = pick(c, ply, n)
        if stands and static + (order - FORCING_ORDER) + 200 <= alpha and order < BEST_ORDER:
            break  # whatever follows wins no more
        make(c, ply, action)
        again = enter(c, ply, action)
        is_noted = not again and c.is_illegal != 0
        if is_noted:
            push(c.path, c.keys[ply + 1])
            if is_forbidden(c.path, I(c.states[ply + 1].quiet)):
                c.path.n -= 1
                continue
        deeper = depth - 1
        score = quiesce(c, ply + 1, alpha, beta, deeper) if again else -quiesce(c, ply + 1, -beta, -alpha, deeper)
        if is_noted:
            c.path.n -= 1
        if c.stopped != 0:
            return I(0)
        if score > best:
            best = score
            if score > alpha:
                alpha = score
                best_action = action
                note_line(c, ply, action)
                if score >= beta:
                    break
    bound = LOWER if best >= beta else EXACT if best > first_alpha else UPPER
    if stands and not in_danger:
        data = packed(best_action, to_table(best, c.turns[ply]), static, I(0), bound) | c.age << U64(58)
        keep(c.table, c.mask, name, data)
    return best


@compiled
def looks_up(c: Context, ply: int) -> bool:
    """Count a node, and see whether it is time to stop."""
    nodes = I(c.nodes) + 1
    c.nodes = nodes
    c.deepest = max(ply, I(c.deepest))
    if nodes >= c.most_nodes or (nodes & (CLOCK_NODES - 1) == 0 and load(c.orders) != ZERO):
        c.stopped = 1
    return c.stopped != 0


@template
def static_value(c: Context, ply: int) -> int:
    """What judgement says of a state, with the noise that weak players hear; never so sure as a proof."""
    value = evaluate(c.states[ply], c.tally)
    if c.noise > 0:
        chance = mix(mix(c.seed, c.keys[ply]), ONE)
        value += below(chance, 2 * c.noise + 1) - c.noise
    return max(-MOST_VALUE, min(MOST_VALUE, value))


@template
def ended(c: Context, ply: int) -> int:
    """The value of a state that has no actions; the last turn is ended, whoever is said to be next."""
    winner, _ = outcome(c.states[ply])
    if winner == NOBODY:
        return I(0)
    me = I(c.states[ply].player)
    turns = c.turns[ply] + I(ply > 0 and I(c.states[ply - 1].player) == me)
    return WIN - turns if winner == me else turns - WIN


@template
def put_in_order(c: Context, ply: int, best_known: int) -> None:
    """Say of each action how promising it is."""
    state = c.states[ply]
    actions = c.actions[ply]
    me = I(state.player)
    last = c.played[ply - 1] if ply > 0 else NO_ACTION
    answer = I(c.answers[me, last]) if last != NO_ACTION else NO_ACTION
    first, second = c.killers[ply, 0], c.killers[ply, 1]
    for i in range(actions.n):
        action = I(actions.list[i])
        won = gain(state, action)
        if action == best_known:
            order = BEST_ORDER
        elif won > 0:
            order = FORCING_ORDER + won
        elif action == first or action == second:
            order = KILLER_ORDER + I(action == first)
        elif action == answer:
            order = COUNTER_ORDER
        else:
            order = I(c.history[me, action]) + I(c.pairs[pair_of(last, action)])
        c.order[ply, i] = order << PLACE_BITS | LAST_PLACE - i


@template
def put_forcing_in_order(c: Context, ply: int, best_known: int, everything: bool) -> int:
    """Keep the forcing actions, or all, and say how promising each is; returns how many there are."""
    state = c.states[ply]
    actions = c.actions[ply]
    n = I(0)
    for i in range(actions.n):
        action = I(actions.list[i])
        won = gain(state, action)
        if won > 0 or everything:
            actions.list[n] = action
            order = FORCING_ORDER + won if won > 0 else I(c.history[state.player, action])
            if action == best_known:
                order = BEST_ORDER
            c.order[ply, n] = order << PLACE_BITS | LAST_PLACE - n
            n += 1
    return n


@template
def pick(c: Context, ply: int, n: int) -> tuple[int, int]:
    """Take the most promising of n actions that is not taken yet: its order and itself."""
    best = TAKEN
    for i in range(U64(n)):  # numbers without a sign, which cannot count from the end
        best = max(best, c.order[ply, i])
    place = U64(LAST_PLACE - (best & LAST_PLACE))
    c.order[ply, place] = TAKEN
    return best >> PLACE_BITS, I(c.actions[ply].list[place])


@template
def make(c: Context, ply: int, action: int) -> None:
    """Make the state after an action, and say to the table that it will be asked for."""
    c.ahead[ply] = c.states[ply]
    play(c.ahead[ply], action)
    c.keys_ahead[ply] = key(c.ahead[ply])
    expect(c.table, c.mask, c.keys_ahead[ply])


@template
def enter(c: Context, ply: int, action: int) -> bool:
    """Go on to the state that was made; whether the same player is to move again."""
    c.states[ply + 1] = c.ahead[ply]
    c.keys[ply + 1] = c.keys_ahead[ply]
    c.played[ply] = action
    again = I(c.states[ply + 1].player) == I(c.states[ply].player)
    c.turns[ply + 1] = c.turns[ply] + I(not again)
    return again


@template
def note_line(c: Context, ply: int, action: int) -> None:
    """The best line from here is this action and the best line after it."""
    c.lines[ply, 0] = action
    length = I(c.lengths[ply + 1])
    for i in range(length):
        c.lines[ply, i + 1] = c.lines[ply + 1, i]
    c.lengths[ply] = length + 1


@template
def learn(c: Context, ply: int, depth: int, action: int, quiet_tried: int) -> None:
    """A quiet action refuted what came before: try it sooner, and later those that did not."""
    me = I(c.states[ply].player)
    last = c.played[ply - 1] if ply > 0 else NO_ACTION
    bonus = min(16 * depth * depth + 32 * depth, I(1600))
    if gain(c.states[ply], action) <= 0:
        if c.killers[ply, 0] != action:
            c.killers[ply, 1] = c.killers[ply, 0]
            c.killers[ply, 0] = action
        if last != NO_ACTION:
            c.answers[me, last] = action
        reward(c, me, last, action, bonus)
    for i in range(quiet_tried):
        tried = c.tried[ply, i]
        if tried != action:
            reward(c, me, last, tried, -bonus)


@template
def reward(c: Context, me: int, last: int, action: int, bonus: int) -> None:
    """Move what is thought of an action towards a limit."""
    old = I(c.history[me, action])
    c.history[me, action] = old + bonus - old * abs(bonus) // HISTORY_LIMIT
    pair = pair_of(last, action)
    old = I(c.pairs[pair])
    c.pairs[pair] = old + bonus - old * abs(bonus) // HISTORY_LIMIT


@compiled
def pair_of(last: int, action: int) -> int:
    """Where is kept what is thought of an action as the answer to another; a few pairs share a place."""
    return I((U64(last * 31 + action) * U64(0x9E3779B97F4A7C15)) >> U64(48)) & (PAIR_WORDS - 1)


@template
def is_banned(c: Context, name: np.uint64) -> bool:
    """Whether the first turn shall not lead to a position."""
    for i in range(c.bans):
        if c.banned[i] == name:
            return True
    for i in range(c.among):
        if c.allowed[i] == name:
            return False
    return c.among > 0


@compiled
def repeats(path: Path, quiet: int, root: int) -> bool:
    """Whether the last position came before: since the search began, or as often as makes a draw."""
    if path.times == 0:
        return False
    last = path.n - 1
    mask = len(path.keys) - 1
    name = path.keys[last & mask]
    back = min(quiet, last, I(mask))
    count = I(1)
    for distance in range(2, back + 1, 2):
        if path.keys[(last - distance) & mask] == name:
            count += 1
            if last - distance >= root - 1 or count >= path.times:
                return True
    return False


@compiled
def plies_left(c: Context, quiet: int) -> int:
    """How many plies may still be played before the move limit makes a draw; many where there is none."""
    return c.path.plies - quiet if c.path.plies > 0 and c.is_illegal == 0 else I(WIN)


@compiled
def is_forbidden(path: Path, quiet: int) -> bool:
    """Whether the last position has come too often, where that is illegal."""
    return path.times > 0 and occurrences(path, quiet) >= path.times


@compiled
def to_table(score: int, turns: int) -> int:
    """A score as the table keeps it: a win counts from the state, not from the root."""
    return score + turns if score >= PROVEN else score - turns if score <= -PROVEN else score


@compiled
def from_table(score: int, turns: int, left: int) -> int:
    """A score of the table, counted from the root; no proof where a move limit may come before the end."""
    if abs(score) < PROVEN:
        return score
    if WIN - abs(score) > left:
        return MOST_VALUE if score > 0 else -MOST_VALUE
    return score - turns if score > 0 else score + turns
