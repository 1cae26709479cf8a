"""Turns in text: 21-17, or 29x18x11 with every landing; shortened to 29x11, or with the hand-out's pairs, on input."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from menagerie.games.checkers import rules
from menagerie.games.checkers.pieces import CELLS, takes
from menagerie.games.checkers.rules import NUMBERS, ROWS
from menagerie.kernel.state import State, copy, key
from menagerie.kernel.walk import after, legal_actions

SQUARE = r"(?:[0-9]{1,2}|\([0-9], ?[0-9]\))"
TURN = re.compile(rf"{SQUARE}(?:(-){SQUARE}|(?:(x){SQUARE})+)[!?]*")


def turn_code(state: State, actions: Sequence[int]) -> str:
    """The form of a turn, for people and machines: 21-17, or every landing of a capture as in 29x18x11."""
    numbers = [actions[0] // NUMBERS, *(action % NUMBERS for action in actions)]
    return ("x" if takes(state, actions[0]) else "-").join(str(number + 1) for number in numbers)


turn_name = turn_code


class Said(NamedTuple):
    """What a text says: the squares in order and the sign between them, or what is wrong with one of the squares."""

    numbers: tuple[int, ...]
    sign: str
    fault: str

    @property
    def route(self) -> tuple[int, ...]:
        """The actions from square to square."""
        return tuple(origin * NUMBERS + landing for origin, landing in pairwise(self.numbers))


def listen(text: str) -> Said | None:
    """What a text says; None where it does not read like a turn."""
    match = TURN.fullmatch(text)
    if not match:
        return None
    numbers: list[int] = []
    for square in re.findall(SQUARE, text):
        pair = tuple(int(digit) for digit in square if digit.isdigit())
        if square[0] != "(":
            if not 1 <= int(square) <= NUMBERS:
                return Said((), "", f"there is no square {square}, they are numbered 1 to {NUMBERS}")
            numbers.append(int(square) - 1)
        elif max(pair) >= ROWS:
            return Said((), "", f"{square} is not on the board, rows and columns go from 0 to {ROWS - 1}")
        elif pair not in CELLS:
            return Said((), "", f"{square} is not a dark square")
        else:
            numbers.append(CELLS.index((pair[0], pair[1])))
    return Said(tuple(numbers), match[1] or match[2], "")


def read_turn(state: State, text: str) -> Sequence[int] | None:
    """The actions of the turn that a text means; landings may be left out where only one legal turn fits."""
    said = listen(text)
    fits = fitting(state, said) if said and not said.fault else []
    return fits[0] if len(fits) == 1 else None


def fitting(state: State, said: Said) -> list[tuple[int, ...]]:
    """The legal turns that a text can mean, one for each position they lead to; only that one if it is spelt out."""
    legal = legal_actions(rules, state)
    if not legal or (takes(state, legal[0]) > 0) != (said.sign == "x"):
        return []
    return [said.route] if is_turn(state, said.route) else list(shortened(state, said.numbers).values())


def is_turn(state: State, route: Sequence[int]) -> bool:
    """Whether the actions are a whole legal turn."""
    now = copy(state)
    for action in route:
        if now.player != state.player or action not in legal_actions(rules, now):
            return False
        rules.play(now, action)
    return bool(now.player != state.player)


def shortened(state: State, numbers: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """The turns that begin and end there and land on the squares between in that order, by where they lead."""
    found: dict[int, tuple[int, ...]] = {}
    known = set()
    begun: list[tuple[State, tuple[int, ...], int]] = [(state, (), 1)]
    while begun:
        now, route, met = begun.pop()
        for action in legal_actions(rules, now):
            origin, landing = divmod(action, NUMBERS)
            if not route and origin != numbers[0]:
                continue
            following = after(rules, now, action)
            reached, is_last = int(key(following)), met == len(numbers) - 1
            if following.player != state.player:
                if is_last and landing == numbers[-1]:
                    found.setdefault(reached, (*route, action))
                continue
            passed = met + (not is_last and landing == numbers[met])
            if (reached, passed) not in known:
                known.add((reached, passed))
                begun.append((following, (*route, action), passed))
    return found
