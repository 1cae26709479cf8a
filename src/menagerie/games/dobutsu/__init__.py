"""Dōbutsu shōgi: the children's shogi on three files and four rows."""

from menagerie.game import Colours, Game, Reason, Repetition
from menagerie.games.dobutsu import endgame, evaluate, notation, rules, usi

GAME = Game(
    package=__name__,
    title="Dōbutsu shōgi",
    goal="Catch the enemy's lion, or walk your own safely to the far row.",
    players=notation.PLAYERS,
    board=notation.BOARD,
    kinds=tuple(notation.KIND.values()),
    rules=rules,
    judgement=evaluate,
    endgame=endgame,
    dialects={"usi": usi},
    notation=notation,
    options=rules.Rules,
    rule_sets={"official": {"chick_drop_mate": "allowed"}},
    reasons=(
        Reason("lion", "{loser}'s lion is taken"),
        Reason("try", "{winner}'s lion is safe on the far row"),
        Reason("tries", "both lions are safe on their far rows"),
        Reason("stuck", "{loser} has no legal move"),
    ),
    colours=(Colours("#ffe9a8", "#5b2a12"), Colours("#a9d6e5", "#123047")),
    minutes=5,
    difficulty="easy",
    hands=True,
    repetition=Repetition(times=3),
    check=rules.check,
    exchange=rules.exchange,
    mirror=rules.mirror,
)
