"""How a game is written in a protocol: as the game says, and in UCI, which every game is spoken in, much as ever."""

from menagerie.errors import ProtocolError
from menagerie.game import Dialect, Game

UCI = "uci"


class OneWord:
    """Positions as the game writes them. A turn is always one word: commas stand where the machine form has spaces."""

    def read_position(self, text: str) -> str:
        """The same."""
        return text

    def write_position(self, text: str) -> str:
        """The same."""
        return text

    def read_turn(self, text: str) -> str:
        """Commas become spaces."""
        return text.replace(",", " ")

    def write_turn(self, code: str) -> str:
        """Spaces become commas."""
        return code.replace(" ", ",")


def spoken(game: Game) -> tuple[str, ...]:
    """The protocols that a game is spoken in."""
    return tuple(dict.fromkeys((UCI, *game.dialects)))


def dialect(game: Game, protocol: str) -> Dialect:
    """How a game is written in a protocol."""
    if protocol not in spoken(game):
        raise ProtocolError(f"{game.title} is not spoken in {protocol!r}, but in: {', '.join(spoken(game))}")
    return game.dialects.get(protocol, OneWord())
