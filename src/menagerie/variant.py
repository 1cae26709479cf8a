"""A game with its options chosen: where positions come from."""

from dataclasses import dataclass

from menagerie.game import Game, Options
from menagerie.games import find, names
from menagerie.position import Position, read, start


@dataclass(frozen=True)
class Variant:
    """A game as it is about to be played."""

    game: Game
    options: Options

    def start(self) -> Position:
        """The starting position."""
        return start(self.game, self.options)

    def position(self, text: str) -> Position:
        """The position that a text describes."""
        return read(self.game, self.options, text)

    def __str__(self) -> str:
        return f"{self.game.title} ({self.options})" if str(self.options) else self.game.title


def variant(name: str, **chosen: object) -> Variant:
    """The game of that name with these rule options, the others as usual."""
    game = find(name)
    return Variant(game, game.options.of(chosen))


def variants() -> tuple[Variant, ...]:
    """Every game with its usual options."""
    return tuple(variant(name) for name in names())
