"""Endings solved slowly and plainly: every position set up, its turns those of a twin, and the ends of games led back.

python tests/twins/backward.py checkers 1-1 2-1
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

Value = tuple[int, int]
"""1, 0 or -1 for a win, draw or loss of the player to move, and in how many plies."""
DRAW = (0, 0)


def totals(twin: Any, endings: Iterable[str]) -> dict[str, int]:
    """What golden endings tell of the last of some endings; turns lead to these, or end the game."""
    positions: dict[str, list[str]] = {}
    for ending in endings:
        last = [twin.write(position) for position in twin.list_ending(ending)]
        positions |= {name: followers(twin, name) for name in last}
    for end in {end for ends in positions.values() for end in ends} - positions.keys():
        assert not twin.ends(twin.read(end)), f"a turn leads to {end}, which is not among {endings}"
    values = solve(positions)
    return tell(Counter(values[name] for name in last))


def followers(twin: Any, name: str) -> list[str]:
    """The positions that the turns of one lead to, the first player to move."""
    return [twin.write(twin.seen_by_first(end)) for end in twin.ends(twin.read(name))]


def solve(positions: dict[str, list[str]]) -> dict[str, Value]:
    """The value of each position, by where its turns lead; where one leads that is none of them, the game is over."""
    values: dict[str, Value] = {end: (-1, 0) for ends in positions.values() for end in ends if end not in positions}
    values |= {name: (-1, 0) for name, ends in positions.items() if not ends}
    left = [name for name in positions if name not in values]
    for plies in count(1):
        found = {name: value for name in left if (value := look(positions[name], values, plies))}
        values |= found
        left = [name for name in left if name not in found]
        if not found:
            return values | dict.fromkeys(left, DRAW)
    raise AssertionError


def look(ends: list[str], values: dict[str, Value], plies: int) -> Value | None:
    """The value of a position that ends in so many plies, if it does."""
    after = [values.get(end, DRAW) for end in ends]
    if (-1, plies - 1) in after:
        return 1, plies
    if all(value == 1 for value, _ in after):
        return -1, plies
    return None


def tell(values: Counter[Value]) -> dict[str, int]:
    """The totals, by the words of golden endings."""
    longest = max(plies for value, plies in values if value > 0)
    return {
        "positions": values.total(),
        "wins at once": values[1, 1],
        "wins": sum(number for (value, _), number in values.items() if value > 0),
        "losses": sum(number for (value, _), number in values.items() if value < 0),
        "draws": values[DRAW],
        "longest": longest,
        "longest wins": values[1, longest],
        "longest loss": max(plies for value, plies in values if value < 0),
    }


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    for what, number in totals(import_module(f"twins.{sys.argv[1]}"), sys.argv[2:]).items():
        print(f"{what}: {number}")
