"""Why a turn of checkers is not legal, in words."""

from collections.abc import Sequence
from itertools import pairwise

from menagerie.games.checkers import rules
from menagerie.games.checkers.pieces import CELLS, KIND, PLAYERS, stands, takes
from menagerie.games.checkers.rules import BETWEEN, KING, MAN, NOWHERE, NUMBERS, SQUARES, TRIPLE
from menagerie.games.checkers.turns import Said, fitting, is_turn, listen, turn_code
from menagerie.kernel.bits import bit
from menagerie.kernel.state import State, copy, new
from menagerie.kernel.walk import legal_actions


def refusal(state: State, text: str) -> str | None:
    """Why a turn that reads like this is not legal."""
    said = listen(text)
    if said is None or said.fault:
        return said and said.fault
    if fits := fitting(state, said):
        texts = [turn_code(state, turn) for turn in fits]
        if len(texts) == 1:
            return f"one jump is asked for, not the turn {texts[0]}"
        return f"it could be {' or '.join(texts)}"
    if not legal_actions(rules, state):
        return "the game is over"
    origin, me = said.numbers[0], int(state.player)
    stone = stands(state, origin)
    if stone is None:
        return f"there is no piece on {origin + 1}"
    if stone.player != me:
        return f"the piece on {origin + 1} is {stone}, and {PLAYERS[me]} is to move"
    if state.jumper not in (NOWHERE, SQUARES[origin]):
        return f"the capture must go on from {SQUARES.index(int(state.jumper)) + 1}"
    return refused_capture(state, said) if said.sign == "x" else refused_quiet(state, said.route[0], stone.rank)


def refused_quiet(state: State, action: int, rank: int) -> str:
    """Why a move without capture is not legal."""
    friends = crossed(state, action, int(state.player))
    enemies = crossed(state, action, 1 - int(state.player))
    if most := greatest(state):
        if fits := fitting(state, Said(divmod(action, NUMBERS), "x", "")):
            return f"it is a capture, written {' or '.join(turn_code(state, turn) for turn in fits)}"
        if state.jumper != NOWHERE:
            return f"the capture must go on, {most} more can be taken"
        if rank == TRIPLE and friends:
            return "a friend is jumped only where there is nothing to capture"
        return f"{PLAYERS[state.player]} must capture, and can take {most}"
    if reason := refused_way(state, action):
        return reason
    if rank == MAN and is_back(state, action):
        return "a Man does not go backward"
    if rank != TRIPLE:
        return f"only a {KIND[TRIPLE].name} jumps over a friend" if friends else f"a {KIND[rank].name} goes one square"
    if enemies:
        return f"{stands(state, enemies[0])} on {enemies[0] + 1} is in the way"
    if not friends:
        return f"a {KIND[rank].name} goes one square, or jumps over a friend"
    if len(friends) > 1 + int(state.friend_hop_max) or not in_a_row(friends):
        return "a jump over friends passes one" + (" or two in a row" if state.friend_hop_max else "")
    return "a jump over a friend passes a neighbour, and lands on the square behind"


def refused_capture(state: State, said: Said) -> str:
    """Why a capture is not legal: a jump that cannot be, or too few pieces taken."""
    now, taken, most = copy(state), 0, greatest(state)
    if most == 0 and is_turn(state, said.route):
        return f"it takes nothing, and is written {turn_code(state, said.route)}"
    for action in said.route:
        if now.player != state.player:
            return f"the capture ends on {action // NUMBERS + 1}"
        if reason := refused_jump(now, action):
            return reason
        taken += takes(now, action)
        rules.play(now, action)
    if now.player == state.player and taken + greatest(now) == most:
        return f"the capture must go on, {most - taken} more can be taken"
    best = {action // NUMBERS for action in legal_actions(rules, state)}
    by_whom = "" if said.numbers[0] in best else f" by {stands(state, min(best))} on {min(best) + 1}"
    return f"it takes {taken}, and {most} can be taken{by_whom}"


def refused_jump(state: State, action: int) -> str | None:
    """Why a piece cannot make a capturing jump; None if it can."""
    origin, landing = divmod(action, NUMBERS)
    me = int(state.player)
    rank = int(rules.rank_of(state, bit(SQUARES[origin])))
    if reason := refused_way(state, action):
        return reason
    if rank == MAN and is_back(state, action) and not state.men_capture_back:
        return "a Man does not capture backward"
    if friends := crossed(state, action, me):
        return f"{stands(state, friends[0])} on {friends[0] + 1} is in the way"
    enemies = crossed(state, action, 1 - me)
    if not enemies:
        return f"there is nothing to capture between {origin + 1} and {landing + 1}"
    if rank == MAN and row_of(origin) - row_of(landing) not in (-2, 2):
        return "a Man captures a neighbour, and lands on the square behind"
    if rank == KING and len(enemies) > 1 and in_a_row(enemies[:2]):
        return "two enemies in a row stop a King"
    if rank == TRIPLE and len(enemies) > 2 and in_a_row(enemies[:3]):
        return "three enemies in a row stop a Triple King"
    if len(enemies) > (2 if rank == TRIPLE and in_a_row(enemies) else 1):
        return "one jump takes one enemy" + (" or two in a row" if rank == TRIPLE else "")
    return None


def refused_way(state: State, action: int) -> str | None:
    """Why nothing goes that way, whatever stands between."""
    origin, landing = divmod(action, NUMBERS)
    if there := stands(state, landing):
        return f"{there} stands on {landing + 1}"
    if abs(row_of(origin) - row_of(landing)) != abs(CELLS[origin][1] - CELLS[landing][1]):
        return f"{origin + 1} and {landing + 1} are not on one diagonal"
    return None


def is_back(state: State, action: int) -> bool:
    """Whether an action leads away from the far row."""
    origin, landing = divmod(action, NUMBERS)
    return (landing > origin) == (state.player == 0)


def greatest(state: State) -> int:
    """How many pieces the greatest capture takes."""
    actions = new(rules.ACTIONS)
    rules.legal(state, actions)
    return int(actions.most)


def crossed(state: State, action: int, player: int) -> list[int]:
    """The squares between the two of an action where that player's pieces stand, the nearest first."""
    origin, landing = divmod(action, NUMBERS)
    between = BETWEEN[action] & state.pieces[player]
    found = [number for number in range(NUMBERS) if between & bit(SQUARES[number])]
    return found if landing > origin else found[::-1]


def in_a_row(numbers: Sequence[int]) -> bool:
    """Whether squares of one diagonal, in order, are neighbours."""
    return all(abs(row_of(one) - row_of(other)) == 1 for one, other in pairwise(numbers))


def row_of(number: int) -> int:
    """The row of a square, counted from the top."""
    return CELLS[number][0]
