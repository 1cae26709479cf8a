"""Hexapawn: the example of docs/new-game.md."""

from menagerie.game import Colours, Game, Reason, Repetition

from . import endgame, notation, rules

GAME = Game(
    package=__name__,
    title="Hexapawn",
    goal="Bring a pawn to the far row, or leave your enemy without a move.",
    players=notation.PLAYERS,
    board=notation.BOARD,
    kinds=(notation.PAWN,),
    rules=rules,
    endgame=endgame,
    notation=notation,
    options=rules.Rules,
    reasons=(
        Reason("through", "{winner}'s pawn has broken through"),
        Reason("stuck", "one player has no legal move"),
    ),
    colours=(Colours("#fdf3dc", "#43301f"), Colours("#5a4632", "#fdf6e3")),
    exchange=rules.exchange,
    repetition=Repetition(times=0),
)
