"""Arimaa as AEI writes it: positions in the short form, `g [` 64 signs from a8 to h1 `]`; turns as everywhere."""

import re

from menagerie.errors import ProtocolError


def read_position(text: str) -> str:
    """The short form is one of those that positions are read in."""
    return text


def write_position(text: str) -> str:
    """The short form of a canonical text; AEI tells the setup and the steps of a turn as turns only."""
    side, board, number, steps = text.split(" ")
    if number == "1" or steps != "-":
        raise ProtocolError(f"AEI can tell only positions after the setup and between turns, not {text}")
    signs = re.sub("[1-8]", lambda run: " " * int(run[0]), board.replace("/", ""))
    return f"{side} [{signs}]"


def read_turn(text: str) -> str:
    """Steps or placements with spaces between them."""
    return text


def write_turn(code: str) -> str:
    """Steps or placements with spaces between them."""
    return code
