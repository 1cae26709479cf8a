"""Chak: a chess variant on nine by nine squares with a river, temples and altars, designed by Couch Tomato in 2021."""

from menagerie.game import Colours, Game, Reason, Repetition
from menagerie.games.chak import endgame, evaluate, notation, rules

GAME = Game(
    package=__name__,
    title="Chak",
    goal="Mate the enemy's king, or lead your own across the river to the enemy's altar.",
    players=notation.PLAYERS,
    board=notation.BOARD,
    kinds=tuple(notation.KIND.values()),
    rules=rules,
    judgement=evaluate,
    endgame=endgame,
    notation=notation,
    options=rules.Rules,
    reasons=(
        Reason("altar", "{winner}'s divine king stands on {loser}'s altar"),
        Reason("mate", "{loser}'s royal piece is mated"),
        Reason("stuck", "{loser} has no legal move"),
    ),
    colours=(Colours("#fdf3dc", "#43301f"), Colours("#2f6b4f", "#fdf6e3")),
    minutes=30,
    difficulty="hard",
    repetition=Repetition(times=3, plies=100, needs_claim=True),
    check=rules.check,
    exchange=rules.exchange,
    mirror=rules.mirror,
)
