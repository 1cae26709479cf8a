"""Whether a player played perfectly, turn by turn and in the end, by a table; used by the tests and by bench."""

from menagerie import Match
from menagerie.solve.cells import Verdict
from menagerie.solve.tablebase import Tablebase

DRAW = Verdict(0, 0)
WORDS = {1: "won", 0: "drawn", -1: "lost"}


def judge(match: Match, base: Tablebase, begun: int, seat: int) -> tuple[int, list[str]]:
    """How many turns a player made of its own, and those that were not perfect.

    A turn that ends the game by its history, which the table does not know, is a draw: a fault of who had a win.
    """
    turns = match.turns
    made = [turn for turn in turns[begun:] if turn.position.player == seat]
    last = turns[-1] if is_by_history(match) else None
    wrong = []
    for turn in made:
        best, got = base.probe(turn.position), DRAW if turn is last else base.probe(turn.after).before
        if best.value > 0 if turn is last else got != best:
            wrong.append(f"{turn.position}: {turn} is a {got}, where there is a {best}")
    return len(made), wrong


def is_by_history(match: Match) -> bool:
    """Whether the last turn has ended the game, and not the position it led to."""
    return bool(match.outcome and not match.position.outcome and match.outcome.reason != "adjudication")


def result(match: Match, base: Tablebase, begun: int, seat: int) -> tuple[str, bool]:
    """What a player began with and what came of it, and whether that is less than the table promises.

    A win must not take longer than the table says either.
    """
    position = match.turns[begun].position
    verdict = base.probe(position)
    value = verdict.value if position.player == seat else -verdict.value
    assert match.outcome
    winner = match.outcome.winner
    got = 0 if winner is None else 1 if winner == seat else -1
    is_late = value == got == 1 and len(match.turns) - begun > verdict.plies
    what = f"{WORDS[value]} by the table, {WORDS[got]} in the game{', late' if is_late else ''}"
    return what, got < value or is_late
