"""Chikkin: how good a state looks; the Dogs' ways to their goals, what guards them, what Wolves and Roosters can do."""

import numpy as np

from menagerie.games.chikkin.rules import (
    CHICKEN,
    DOG,
    DOG_PUSH,
    FOLLOW,
    FREE8,
    GOAL,
    INNER,
    LEFT,
    NEAR,
    ON,
    PATH,
    PUSH,
    RIGHT,
    ROOSTER,
    SIZE,
    SQUARES,
    STRAIGHT,
    STRIDE,
    TURN,
    WOLF,
    army,
    either,
    line,
    prey,
    step,
    walk,
    winner,
)
from menagerie.kernel.bits import U64, ZERO, I, bit, lowest, popcount, without_lowest
from menagerie.kernel.compiled import compiled, template
from menagerie.kernel.judgement import Tally, Term, add, offsets
from menagerie.kernel.state import State
from menagerie.kernel.walk import NOBODY

TERMS: tuple[Term, ...] = (
    Term("tempo", "being the one to move"),
    Term("chicken", "a Chicken on its n-th rank, seen from its side", 8),
    Term("rooster", "a Rooster on its n-th rank, seen from its side", 8),
    Term("wolf", "the Wolf, 1 to 7 ranks from home; first slide=line, then slide=path", 14),
    Term("dog", "the Dog, 1 to 6 ranks from home; first slide=line, then slide=path", 12),
    Term("line_run", "slide=line: the Dog arrives with its n-th slide if nothing else moves", 4),
    Term("path_run", "slide=path: the Dog arrives with its next walk"),
    Term("open", "a file with nothing between the Dog's rank and the goal"),
    Term("soft", "a file with no Chicken between the Dog's rank and the goal"),
    Term("guard", "a Chicken that the enemy's Dog has not yet passed"),
    Term("dog_room", "a square that the Dog slides to: slide=line, slide=path", 2),
    Term("wolf_room", "a square that the Wolf steps to"),
    Term("prey", "an enemy Chicken, or Rooster, that the Wolf can take", 2),
    Term("scent", "an enemy Chicken, or Rooster, that it could take after one more step", 2),
    Term("shove", "a Rooster can push forward: the own Dog, the own Wolf, the enemy's Dog, his Wolf", 4),
    Term("chase", "the Dog can come next to the enemy's Wolf, or to its own, to push it", 2),
)
(
    TEMPO,
    CHICKEN_RANK,
    ROOSTER_RANK,
    WOLF_RANK,
    DOG_RANK,
    LINE_RUN,
    PATH_RUN,
    OPEN,
    SOFT,
    GUARD,
    DOG_ROOM,
    WOLF_ROOM,
    CATCH,
    SCENT,
    SHOVE,
    CHASE,
) = offsets(TERMS)

USUAL_TURN = 1

ARRIVAL = I(10_000)
WORTH = np.array([100, 150], np.int64)
"""What the Wolf gains by taking a Chicken or a Rooster."""

FORWARD = np.array([0, 2], np.int64)
"""The direction of each player's goal; with the second bit turned, the way back."""
RANKS = np.array([0xFF << SIZE * rank for rank in range(SIZE)], np.uint64)


def ahead_table() -> np.ndarray:
    """ahead[player, rank]: the ranks between this one and the player's goal, the goal included."""
    ranks = [int(rank) for rank in RANKS]
    return np.array([[sum(ranks[n + 1 :]) for n in range(SIZE)], [sum(ranks[:n]) for n in range(SIZE)]], np.uint64)


AHEAD = ahead_table()


@compiled
def gain(state: State, action: int) -> int:
    """What the Wolf takes from the enemy, or much for a Dog that arrives."""
    me = I(state.player)
    last = action & I(SQUARES - 1)
    if action < PUSH:
        there = bit(last)
        for kind in range(ROOSTER + 1):
            if (there & state.pieces[1 - me, kind]) != ZERO:
                return WORTH[kind]
        is_dog = bit(action >> I(6)) == state.pieces[me, DOG]
        return ARRIVAL if is_dog and (there & GOAL[me]) != ZERO else I(0)
    if action < DOG_PUSH:
        stride = STRIDE[(action >> I(12)) - 1]
        is_dog = bit(last + stride) == state.pieces[me, DOG]
        return ARRIVAL if is_dog and (bit(last + 2 * stride) & GOAL[me]) != ZERO else I(0)
    pushed = ((action - DOG_PUSH) >> I(6)) + STRIDE[last >> I(3)]
    return ARRIVAL if state.push_follow == FOLLOW and (bit(pushed) & GOAL[me]) != ZERO else I(0)


@compiled
def danger(state: State) -> bool:
    """Whether the enemy's Dog would arrive next; or a Dog has arrived."""
    return winner(state) != NOBODY or arrives(state, I(1 - state.player))


@compiled
def wins_at_once(state: State) -> int:
    """One action, where the Dog of the player to move can arrive with it."""
    return I(winner(state) == NOBODY and arrives(state, I(state.player)))


@compiled
def arrives(state: State, player: int) -> bool:
    """Whether a player, were he to move, could bring his Dog to the goal rank: by itself, or pushed by a Rooster.

    A Rooster that pushes it straight ahead needs no look, for the Dog could take that step; but see `steps_aside`.
    """
    dog, goal = state.pieces[player, DOG], GOAL[player]
    if dog == ZERO:
        return False
    empty = ~(army(state, I(0)) | army(state, I(1)))
    is_path = state.slide == PATH
    reach = walk(dog, empty, goal) if is_path else line(dog, empty, FORWARD[player])
    if (reach & goal) != ZERO or (is_path and steps_aside(state, player, empty)):
        return True
    return state.push_follow == FOLLOW and state.dog_push == FREE8 and breaks_in(state, player, empty, reach)


@compiled
def steps_aside(state: State, player: int, empty: np.uint64) -> bool:
    """Whether a Rooster on the goal square ahead of its Dog can walk around the Dog and push it to where it stood."""
    dog, forward = state.pieces[player, DOG], FORWARD[player]
    rooster = step(dog, forward) & GOAL[player] & state.pieces[player, ROOSTER]
    stand = step(dog, forward ^ 2) & empty
    run_up = step(stand, forward ^ 2) & empty
    return rooster != ZERO and run_up != ZERO and (around(walk(stand, empty, ZERO)) & rooster) != ZERO


@compiled
def around(squares: np.uint64) -> np.uint64:
    """The straight neighbours of a set."""
    return (squares << U64(SIZE)) | (squares >> U64(SIZE)) | step(squares, RIGHT) | step(squares, LEFT)


@compiled
def breaks_in(state: State, player: int, empty: np.uint64, reach: np.uint64) -> bool:
    """Whether the Dog can push a piece off its square on the goal rank, and follow onto it."""
    dog, goal = state.pieces[player, DOG], GOAL[player]
    stands = dog
    if state.dog_move_then_push == ON:
        stands = reach if state.slide == PATH else reach | line(dog, empty, RIGHT) | line(dog, empty, LEFT)
    stands &= step(goal, FORWARD[player] ^ 2)
    left = (either(state, I(ROOSTER)) | either(state, I(WOLF))) & goal
    while left != ZERO and stands != ZERO:
        near = NEAR[lowest(left)]
        left = without_lowest(left)
        # One free square to push from, another to push to.
        if (stands & near) != ZERO and popcount(near & (empty | dog)) > 1:
            return True
    return False


@template
def judge(state: State, tally: Tally) -> None:
    """Add every term; the phase is how full the board still is."""
    empty = ~(army(state, I(0)) | army(state, I(1)))
    tally.phase = I(2) * popcount(~empty)
    add(tally, I(TEMPO), I(1) - 2 * I(state.player))
    for kind in range(ROOSTER + 1):
        for rank in range(SIZE):
            mine = popcount(state.pieces[0, kind] & RANKS[rank])
            yours = popcount(state.pieces[1, kind] & RANKS[SIZE - 1 - rank])
            add(tally, I(CHICKEN_RANK) + SIZE * kind + rank, mine - yours)
    for player in range(2):
        judge_dog(state, tally, I(player), empty)
        judge_wolf(state, tally, I(player), empty)
        judge_roosters(state, tally, I(player), empty)


@template
def judge_dog(state: State, tally: Tally, player: int, empty: np.uint64) -> None:
    """How far the Dog has come, and what is between it and its goal."""
    dog, sign = state.pieces[player, DOG], I(1) - 2 * player
    if dog == ZERO:
        return
    rank = lowest(dog) >> I(3)
    come = min(rank ^ (I(7) * player), I(6))
    if come > 0:
        add(tally, I(DOG_RANK) - 1 + 6 * I(state.slide) + come, sign)
    ahead = AHEAD[player, rank]
    add(tally, I(GUARD), -sign * popcount(ahead & state.pieces[1 - player, CHICKEN]))
    lanes = clear_lanes(player, empty | dog)
    add(tally, I(OPEN), sign * popcount(lanes & RANKS[rank]))
    add(tally, I(SOFT), sign * popcount(clear_lanes(player, ~either(state, I(CHICKEN))) & RANKS[rank]))
    if state.slide == PATH:
        room = walk(dog, empty, GOAL[player])
        add(tally, I(DOG_ROOM) + 1, sign * popcount(room))
        if (room & GOAL[player]) != ZERO:
            add(tally, I(PATH_RUN), sign)
    else:
        room = dog
        for direction in range(STRAIGHT):
            room |= slide(dog, empty, I(direction))
        add(tally, I(DOG_ROOM), sign * popcount(room))
        slides = slides_needed(lanes, empty | dog, dog)
        if slides < 4:
            add(tally, I(LINE_RUN) + slides, sign)
    stands = room if state.dog_move_then_push == ON else dog
    for side in range(2):
        wolf = state.pieces[side, WOLF]
        if wolf != ZERO and (NEAR[lowest(wolf)] & stands) != ZERO:
            add(tally, I(CHASE) + (I(side) ^ player ^ 1), sign)


@compiled
def clear_lanes(player: int, clear: np.uint64) -> np.uint64:
    """The squares from which a straight way over clear ones leads to a player's goal."""
    goal = GOAL[player] & clear
    return goal | slide(goal, clear, FORWARD[player] ^ 2)


@compiled
def slides_needed(lanes: np.uint64, clear: np.uint64, dog: np.uint64) -> int:
    """How many straight slides come before the one that arrives, if nothing else moves; 4: too many to look."""
    reach = lanes
    for slides in range(4):
        if (reach & dog) != ZERO:
            return I(slides)
        way = I(slides + 1) & 1
        reach |= slide(reach, clear, way) | slide(reach, clear, way | 2)
    return I(4)


@compiled
def slide(sources: np.uint64, empty: np.uint64, direction: int) -> np.uint64:
    """The empty squares that straight ways in one direction lead to; the ways double their length twice."""
    turn = TURN[direction]
    way = empty & INNER[direction ^ 2]
    found = turned(sources, turn) & way
    for _ in range(2):
        found |= turned(found, turn) & way
        way &= turned(way, turn)
        turn = (turn + turn) & U64(SQUARES - 1)
    return found | (turned(found, turn) & way)


@compiled
def turned(squares: np.uint64, turn: np.uint64) -> np.uint64:
    """The 64 bits rotated; `turn` is neither 0 nor 64."""
    return (squares << turn) | (squares >> (U64(SQUARES) - turn))


@template
def judge_wolf(state: State, tally: Tally, player: int, empty: np.uint64) -> None:
    """How far the Wolf has come, and what it can take there."""
    wolf, sign = state.pieces[player, WOLF], I(1) - 2 * player
    if wolf == ZERO:
        return
    square = lowest(wolf)
    come = (square >> I(3)) ^ (I(7) * player)
    if come > 0:
        add(tally, I(WOLF_RANK) - 1 + 7 * I(state.slide) + come, sign)
    near = NEAR[square]
    add(tally, I(WOLF_ROOM), sign * popcount(near & empty))
    food = prey(state, player)
    steps = near & empty
    far = steps | (steps << U64(SIZE)) | (steps >> U64(SIZE))
    far = (far | step(far, RIGHT) | step(far, LEFT)) & ~near
    for kind in range(ROOSTER + 1):
        victims = food & state.pieces[1 - player, kind]
        add(tally, I(CATCH) + kind, sign * popcount(victims & near))
        add(tally, I(SCENT) + kind, sign * popcount(victims & far))


@template
def judge_roosters(state: State, tally: Tally, player: int, empty: np.uint64) -> None:
    """What the Roosters can push towards the enemy's home, seen along the files."""
    forward, sign = FORWARD[player], I(1) - 2 * player
    roosters = state.pieces[player, ROOSTER]
    movable = step(roosters | slide(roosters, empty, forward), forward) & step(empty, forward ^ 2)
    for side in range(2):
        for kind in range(DOG, WOLF + 1):
            place = I(SHOVE) + 2 * (I(side) ^ player) + kind - DOG
            add(tally, place, sign * popcount(movable & state.pieces[side, kind]))


@compiled
def may_pass(state: State) -> bool:
    """There is nearly always a harmless move."""
    return True
