"""What can be set over a protocol: the fields of the engine's settings, of the conversation's, and of the rules."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Literal

from menagerie.errors import LimitError
from menagerie.game import Options
from menagerie.search.alphabeta import MOST_LINES
from menagerie.search.engine import Settings

WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
TRUTH = {"true": True, "false": False}


@dataclass(frozen=True)
class Manners:
    """What can be set of a conversation besides the engine itself."""

    lines: int = field(default=1, metadata={"least": 1, "most": MOST_LINES, "about": "how many lines to tell of"})
    ponder: bool = field(default=False, metadata={"about": "whether the controller lets it think in the other's time"})
    overhead: int = field(
        default=100, metadata={"least": 0, "most": 5000, "about": "milliseconds that the way there and back may take"}
    )

    def in_time(self, seconds: float) -> float:
        """How long to think about a turn so that the answer comes within so many seconds; at least half of them."""
        return seconds - min(self.overhead / 1000, seconds / 2)


@dataclass(frozen=True)
class Option:
    """A field that can be set, as a protocol describes it."""

    field: str
    kind: Literal["spin", "check", "combo", "button"]
    default: str = ""
    values: tuple[str, ...] = ()
    bounds: tuple[int, int] = (0, 0)

    def __str__(self) -> str:
        least, most = self.bounds
        if self.kind == "button":
            return "type button"
        tail = {"spin": f" min {least} max {most}", "check": "", "combo": "".join(f" var {v}" for v in self.values)}
        return f"type {self.kind} default {self.default}{tail[self.kind]}"

    def read(self, text: str) -> int | bool | str:
        """The value that a text means; a LimitError says what it should be."""
        if self.kind == "spin":
            least, most = self.bounds
            if WHOLE.fullmatch(text) and least <= int(text) <= most:
                return int(text)
            raise LimitError(f"it is a whole number from {least} to {most}, not {text!r}")
        known: Mapping[str, bool | str] = TRUTH if self.kind == "check" else {v.lower(): v for v in self.values}
        if text.lower() in known:
            return known[text.lower()]
        raise LimitError(f"it is one of: {', '.join(self.values or TRUTH)}, and not {text!r}")


def options_of(settings: Settings | Manners) -> dict[str, Option]:
    """The options that settings are made of, as they are set now, by field."""
    found = {}
    for known in fields(settings):
        value = getattr(settings, known.name)
        if isinstance(value, bool):
            found[known.name] = Option(known.name, "check", str(value).lower())
        else:
            bounds = known.metadata["least"], known.metadata["most"]
            found[known.name] = Option(known.name, "spin", str(value), bounds=bounds)
    return found


def rules_of(options: Options) -> dict[str, Option]:
    """The options that rules are made of, as they are set now, by name."""
    return {name: Option(name, "combo", getattr(options, name), options.values(name)) for name in options.names()}
