"""What is legal: one folder per game, each holding everything about its game. Games are found, never listed."""

import pkgutil
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from unicodedata import combining, normalize

from menagerie.errors import GameError, UnknownGame
from menagerie.game import Game
from menagerie.kernel.cache import extra_game_folders

__path__ = [*__path__, *map(str, extra_game_folders())]


@cache
def names() -> tuple[str, ...]:
    """The names of all games, sorted."""
    for folder in extra_game_folders():
        if not games_in([str(folder)]):
            raise GameError(f"MENAGERIE_GAMES names {folder}, and no game is there: no folder with an __init__.py")
    return tuple(sorted(games_in(__path__)))


def games_in(folders: Iterable[str]) -> list[str]:
    """The names of the games in these folders."""
    return [module.name for module in pkgutil.iter_modules(folders) if module.ispkg]


@cache
def find(name: str) -> Game:
    """The game with this name."""
    if name not in names():
        raise UnknownGame(f"there is no game {name!r}; the games are: {', '.join(names())}")
    place = find_spec(f"{__name__}.{name}")
    try:
        game = import_module(f"{__name__}.{name}").GAME
        if not isinstance(game, Game):
            raise TypeError("its GAME is no Game")
    except Exception as error:  # Whatever is wrong with a game that somebody wrote, one sentence says it.
        raise GameError(
            f"the game in {place and place.origin} cannot be loaded: {type(error).__name__}: {error}"
        ) from error
    return game


def find_called(text: str) -> Game:
    """The game whose name or title this is, whatever its capitals and accents."""
    called = [name for name in names() if plain(name) == plain(text)]
    called = called or [name for name in names() if plain(find(name).title) == plain(text)]
    return find(called[0] if called else text)


def plain(text: str) -> str:
    """A text without capitals and accents."""
    return "".join(sign for sign in normalize("NFKD", text.casefold()) if not combining(sign))
