"""Chikkin: a game of pushing on a chessboard, after its author's own rulebook."""

from menagerie.game import Colours, Game, Reason, Repetition
from menagerie.games.chikkin import evaluate, notation, rules

GAME = Game(
    package=__name__,
    title="Chikkin",
    goal="Bring your Dog to the enemy's back rank.",
    players=notation.PLAYERS,
    board=notation.BOARD,
    kinds=tuple(notation.KIND.values()),
    rules=rules,
    judgement=evaluate,
    notation=notation,
    options=rules.Rules,
    reasons=(
        Reason("dog", "{winner}'s Dog has reached {loser}'s back rank"),
        Reason("stuck", "the player to move has no legal move"),
    ),
    colours=(Colours("#ffd9a0", "#6b2416"), Colours("#c3cdea", "#1d2c54")),
    minutes=20,
    difficulty="medium",
    repetition=Repetition(times=3, machine_plies=200),
    capitals=1,
    views={"rulebook": (1, True)},
    exchange=rules.exchange,
    mirror=rules.mirror,
)
