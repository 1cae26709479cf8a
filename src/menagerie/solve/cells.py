"""Cells: what a solver knows of a place, in 16 bits.

0               nothing stands there
1               a draw
2 + 2 * d + w   decided, in d plies: a win of the player to move if w is 1, else a loss
OPEN + n        not yet: n turns are left that may not lose; or, where n is DUE, a win is known but not yet due
"""

from typing import NamedTuple

from menagerie.kernel.bits import I

NOTHING, DRAW, LOST, WON = I(0), I(1), I(2), I(3)
"""LOST and WON are the cells of games that are over."""
OPEN = I(1 << 15)
DUE = OPEN - 1
MOST_PLIES = (int(OPEN) - int(LOST)) // 2 - 1


class Verdict(NamedTuple):
    """What is proven of a position: 1 a win of the player to move, 0 a draw, -1 a loss; and in how many plies."""

    value: int
    plies: int

    @classmethod
    def of(cls, cell: int) -> "Verdict":
        """What a decided cell says."""
        if cell == DRAW:
            return cls(0, 0)
        plies, is_won = divmod(cell - int(LOST), 2)
        return cls(1 if is_won else -1, plies)

    @property
    def cell(self) -> int:
        """The way back."""
        if self.value == 0:
            return int(DRAW)
        return int(LOST) + 2 * self.plies + (self.value > 0)

    @property
    def before(self) -> "Verdict":
        """What this is to the player whose turn led here."""
        return Verdict(-self.value, self.plies + 1 if self.value else 0)

    @property
    def rank(self) -> int:
        """Higher is better for the player to move: quick wins, slow wins, draws, slow losses, quick losses."""
        return self.value * (MOST_PLIES - self.plies) if self.value else 0

    def __str__(self) -> str:
        if self.value == 0:
            return "draw"
        return f"{'win' if self.value > 0 else 'loss'} in {self.plies}"
