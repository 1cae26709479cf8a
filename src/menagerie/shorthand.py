"""Moves as people write them in games of the chess family: only as much of the origin as tells two pieces apart."""

from collections.abc import Iterable

from menagerie.game import Board


def apart(origin: int, rivals: Iterable[int], board: Board) -> str:
    """What tells a piece from its rivals, who could go there too: nothing, its file, its rank, or its square."""
    others = [board.name(rival) for rival in rivals if rival != origin]
    here = board.name(origin)
    if not others:
        return ""
    if all(other[0] != here[0] for other in others):
        return here[0]
    if all(other[1:] != here[1:] for other in others):
        return here[1:]
    return here
