"""How Arimaa's game files write the moves: one turn a line, under its number and side."""

from menagerie.games.arimaa.notation import read_turns as read
from menagerie.games.arimaa.notation import write_turns as write

__all__ = ["has_result", "read", "write"]

has_result = False
