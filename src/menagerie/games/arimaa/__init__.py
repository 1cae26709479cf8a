"""Arimaa: a game of four steps a turn on a chess board. Unofficial; Arimaa is a trademark of its owner."""

from menagerie.game import Colours, Game, Reason, Repetition
from menagerie.games.arimaa import aei, evaluate, notation, pieces, rules, script

GAME = Game(
    package=__name__,
    title="Arimaa",
    goal="Bring one of your rabbits to the far row.",
    players=pieces.PLAYERS,
    board=pieces.BOARD,
    kinds=tuple(pieces.KIND.values()),
    rules=rules,
    judgement=evaluate,
    dialects={"aei": aei},
    notation=notation,
    turn_notation=notation,
    script=script,
    options=rules.Rules,
    reasons=(
        Reason("goal", "{winner}'s rabbit is on its goal row"),
        Reason("elimination", "{loser} has no rabbit left"),
        Reason("immobilization", "{loser} cannot make a step"),
    ),
    colours=(Colours("#e8c15a", "#3b2a10"), Colours("#c9d1d9", "#22303c")),
    minutes=40,
    difficulty="deep",
    draws_by_agreement=False,
    setups={"99of9": "RRRDDRRRRHCMECHR", "Dogs in front": "RRRCCRRRRHDMEDHR", "Fritz": "RRRDCRRRRHCMEDHR"},
    repetition=Repetition(times=3, is_illegal=True),
    exchange=rules.exchange,
)
