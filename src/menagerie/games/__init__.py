"""What is legal: one folder per game, each holding everything about its game. Games are found, never listed."""

import pkgutil
from functools import cache
from importlib import import_module

from menagerie.errors import UnknownGame
from menagerie.game import Game
from menagerie.kernel.cache import extra_game_folders

__path__ = [*__path__, *map(str, extra_game_folders())]


@cache
def names() -> tuple[str, ...]:
    """The names of all games, sorted."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg))


@cache
def find(name: str) -> Game:
    """The game with this name."""
    if name not in names():
        raise UnknownGame(f"there is no game {name!r}; the games are: {', '.join(names())}")
    game: Game = import_module(f"{__name__}.{name}").GAME
    return game
