"""Games with fewer pieces than they have, so that what is too large to be solved in a test can be: one module a game.

A module's `ENDGAME` has the places of positions that lack some pieces for good, made with the game's own functions.
"""

import pkgutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

from menagerie.games import find
from menagerie.kernel.endgame import Endgame


def names() -> tuple[str, ...]:
    """The games that there is such a module for."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))


def install(name: str) -> None:
    """From now on the game of that name has only these places."""
    set_endgame(name, import_module(f"{__name__}.{name}").ENDGAME)


@contextmanager
def installed(name: str) -> Iterator[None]:
    """The same for a while."""
    whole = find(name).endgame
    install(name)
    try:
        yield
    finally:
        set_endgame(name, whole)


def set_endgame(name: str, endgame: Endgame | None) -> None:
    """A game does not change, but here."""
    object.__setattr__(find(name), "endgame", endgame)
