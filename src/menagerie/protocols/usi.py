"""USI, the child of UCI that shogi programs speak; it differs in words, in how it counts, and in resigning.

controller                                          engine
usi, usinewgame                                     as in UCI
position startpos|sfen <text> [moves <turn> ...]
go [btime wtime byoyomi binc winc <n>] ...          b is the player who moves first; bestmove resign
go mate <n>|infinite                                checkmate notimplemented
d                                                   Sfen: <text>
gameover win|lose|draw                              stops thinking
"""

from collections.abc import Callable, Mapping, Sequence

from menagerie.protocols import uci
from menagerie.protocols.conversation import VARIANT
from menagerie.protocols.options import Manners
from menagerie.protocols.uci import Tongue, Uci
from menagerie.search.engine import Line, Settings
from menagerie.variant import Variant

TONGUE = Tongue(
    "usi",
    "sfen",
    "bw",
    "resign",
    {
        **uci.TONGUE.options,
        **{"megabytes": "USI_Hash", "lines": "USI_MultiPV", "ponder": "USI_Ponder", VARIANT: "USI_Variant"},
    },
)


class Usi(Uci):
    """The engine's side of USI."""

    protocol = TONGUE.name
    tongue = TONGUE
    manners = Manners()
    limits = Uci.limits | {"byoyomi"}

    def __init__(self, variant: Variant, settings: Settings, write: Callable[[str], None]) -> None:
        super().__init__(variant, settings, write)
        self.commands["gameover"] = lambda _: self.abandon()

    def go(self, words: list[str]) -> None:
        """Search; problems of mate are not solved."""
        if "mate" in words:
            self.finish()
            self.say("checkmate notimplemented")
        else:
            super().go(words)

    def share(self, said: Mapping[str, Sequence[str]]) -> float | None:
        """How many seconds the clocks leave for this turn: a share of the time, and the byoyomi besides."""
        byoyomi = (self.number(said, "byoyomi", least=0) or 0) / 1000
        share = super().share(said)
        return byoyomi + (share or 0) if byoyomi else share

    def score(self, line: Line) -> str:
        """The value of a line; ends in the turns of both players."""
        if line.ends_in is None:
            return f"cp {line.value}"
        return f"mate {2 * line.ends_in - 1 if line.ends_in > 0 else 2 * line.ends_in or -1}"
