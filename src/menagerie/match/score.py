"""Who is ahead when a match reaches its limit of time or turns."""

from collections import Counter

from menagerie.match.match import Match


def leader(match: Match) -> int:
    """Who has, or most recently had, more pieces at the end of a turn.

    The first turn does not count: the second player may have no pieces yet. If the numbers never differed, the second
    player is ahead.
    """
    for turn in reversed(match.turns[1:]):
        counts = Counter(piece.player for piece in turn.after.view.board.values())
        if counts[0] != counts[1]:
            return 0 if counts[0] > counts[1] else 1
    return 1
