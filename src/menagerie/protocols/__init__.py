"""How programs talk: engines that are asked over UCI, USI or AEI, and engines of others that are asked by us."""

from collections.abc import Callable

from menagerie.protocols.aei import Aei
from menagerie.protocols.conversation import Conversation
from menagerie.protocols.dialect import dialect
from menagerie.protocols.uci import Uci
from menagerie.protocols.usi import Usi
from menagerie.search.engine import Settings
from menagerie.variant import Variant

CONVERSATIONS: dict[str, type[Conversation]] = {known.protocol: known for known in (Uci, Usi, Aei)}
"""The engine's side of each protocol."""


def conversation(variant: Variant, protocol: str, settings: Settings, write: Callable[[str], None]) -> Conversation:
    """An engine of a game that speaks a protocol; each whole line goes to `write`."""
    dialect(variant.game, protocol)
    return CONVERSATIONS[protocol](variant, settings, write)
