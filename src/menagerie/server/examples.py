"""Examples of how each kind of piece moves under some rules: found in random games, so that they are always right."""

import random
from collections.abc import Iterator
from functools import lru_cache
from itertools import count, islice

from menagerie.position import Action, Position
from menagerie.server.catalogue import variant_of, with_armies
from menagerie.server.facts import ExampleFact
from menagerie.server.scene import action_fact, piece_fact

LOOKED_AT = 300
"""Positions from which examples are taken."""
LONGEST = 160
STRIDE = 3
"""Not every position of a walk is looked at: neighbours resemble each other."""


@lru_cache(maxsize=64)
def examples(game: str, rules: str) -> list[ExampleFact]:
    """For each kind that was seen to move, the piece that shows most; takes about a second."""
    best: dict[str, tuple[float, ExampleFact]] = {}
    for position in islice(positions(game, rules), LOOKED_AT):
        for square, actions in by_origin(position).items():
            piece = position.piece_at(square)
            worth = instructive(position, actions)
            if piece and piece.player == 0 and worth > best.get(piece.letter, (0.0,))[0]:
                best[piece.letter] = worth, example(position, square, actions)
    kinds = variant_of(game, rules).game.kinds
    return [best[kind.letter][1] for kind in kinds if kind.letter in best]


def positions(game: str, rules: str) -> Iterator[Position]:
    """Positions of random games without end, always the same ones, in which the first player moves."""
    variant = variant_of(game, rules)
    for seed in count():
        chance, position = random.Random(seed), with_armies(variant.start())
        for number in range(LONGEST):
            if position.outcome:
                break
            if position.player == 0 and number // 2 % STRIDE == 0:
                yield position
            position = chance.choice(position.actions()).after


def by_origin(position: Position) -> dict[str, list[Action]]:
    """The actions of each piece on the board, by its square."""
    found: dict[str, list[Action]] = {}
    for action in position.actions():
        touches = action.gesture.touches
        if len(touches) > 1 and touches[0] in position.game.board.squares:
            found.setdefault(touches[0], []).append(action)
    return found


def instructive(position: Position, actions: list[Action]) -> float:
    """How much can be seen: many ways and different deeds on a board that is not crowded."""
    ways, deeds = {action.gesture.touches[1] for action in actions}, {action.gesture.does for action in actions}
    return 20 + 4 * len(ways) + 4 * len(deeds) - 0.5 * len(position.view.board)


def example(position: Position, square: str, actions: list[Action]) -> ExampleFact:
    """What a client draws."""
    piece = position.piece_at(square)
    assert piece
    return ExampleFact(
        letter=piece.letter,
        square=square,
        pieces=[piece_fact(position.game, place, one) for place, one in position.view.board.items()],
        actions=[action_fact(action) for action in actions],
    )
