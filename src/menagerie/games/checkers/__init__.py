"""Checkers with kings and triple kings: draughts on 64 squares with two ranks above the man."""

from menagerie.game import Colours, Game, Reason, Repetition
from menagerie.games.checkers import endgame, evaluate, notation, pieces, rules

GAME = Game(
    package=__name__,
    title="Triple-king checkers",
    goal="Leave your opponent without a piece, or without a move.",
    players=pieces.PLAYERS,
    board=pieces.BOARD,
    kinds=tuple(pieces.KIND.values()),
    rules=rules,
    notation=notation,
    turn_notation=notation,
    options=rules.Rules,
    reasons=(Reason("stuck", "{loser} has no piece left or cannot move"),),
    colours=(Colours("#4a3b32", "#f6e7c8"), Colours("#fdf6e6", "#6b4a2f")),
    minutes=15,
    difficulty="medium",
    repetition=Repetition(times=3, plies=80, unless=("draw_rules", "off"), machine_plies=80),
    scores=("0-1", "1-0"),
    record_tags={
        "Variant": "triple-king",
        "Colours": "White on 1-12, Black on 21-32 and first to move: the other way round than in English draughts",
    },
    capitals=1,
    exchange=rules.exchange,
    judgement=evaluate,
    endgame=endgame,
)
