"""The one way to compile: `@compiled` for functions, `@template` and `instantiate` for algorithms over any game."""

import os
from collections.abc import Callable
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any, TypeVar

import numba

from menagerie.kernel.cache import DiskCache
from menagerie.kernel.function import Function

F = TypeVar("F", bound=Callable[..., object])

PLAIN = bool(numba.config.DISABLE_JIT)
"""True where NUMBA_DISABLE_JIT is set: the same source then runs as ordinary Python."""

if "NUMBA_OPT" not in os.environ:
    numba.config.OPT = type(numba.config.OPT)(2)  # As fast as with 3, and compiled in a tenth less time.


def compiled(function: F) -> F:
    """Compile on the first call, or load the machine code kept on disk; run as ordinary Python in plain mode."""
    if PLAIN:
        return function
    dispatcher = Function(function)
    dispatcher._cache = DiskCache(function)
    return dispatcher


def template(function: F) -> F:
    """Mark a function that is compiled once per game, with the game's own functions in place of its free names."""
    function.is_template = True  # type: ignore[attr-defined]
    return function


def unbound(*arguments: object) -> Any:
    """What a template's free name means until `instantiate` gives it the game's own function."""
    raise TypeError(f"a template was called with {arguments} outside any game")


def instantiate(module: ModuleType, label: str, **parts: object) -> SimpleNamespace:
    """A copy of a module's templates whose free names mean `parts`.

    Each instance carries the label in its `__qualname__`, which keeps the machine code of two games apart.
    """
    namespace: dict[str, object] = {**vars(module), **parts}
    for name, function in vars(module).items():
        if name not in parts and isinstance(function, FunctionType) and hasattr(function, "is_template"):
            instance = FunctionType(function.__code__, namespace, name, function.__defaults__)
            instance.__qualname__ = f"{name}.{label}"
            instance.__module__ = module.__name__
            namespace[name] = compiled(instance)
    return SimpleNamespace(**namespace)
