"""Menagerie: five board games, each rulebook written once in plain Python and run at full speed everywhere."""

from menagerie.errors import IllegalMove, MenagerieError, NotationError, OptionError, RecordError, UnknownGame
from menagerie.game import Gesture, Outcome
from menagerie.match.match import Match
from menagerie.position import Action, Position, Turn
from menagerie.search.engine import Analysis, Engine, Line, engine
from menagerie.search.limits import Limit
from menagerie.solve.tablebase import Tablebase
from menagerie.variant import Variant
from menagerie.variant import variant as game
from menagerie.variant import variants as games

__all__ = [
    "Action",
    "Analysis",
    "Engine",
    "Gesture",
    "IllegalMove",
    "Limit",
    "Line",
    "Match",
    "MenagerieError",
    "NotationError",
    "OptionError",
    "Outcome",
    "Position",
    "RecordError",
    "Tablebase",
    "Turn",
    "UnknownGame",
    "Variant",
    "engine",
    "game",
    "games",
]
__version__ = "0.1.0"
