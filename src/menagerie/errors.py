"""What can be wrong with what somebody gave us, each kind with the thing that failed."""


class MenagerieError(ValueError):
    """Any fault in what was given: its text is one sentence that says what and where."""


class UnknownGame(MenagerieError):
    """No game has this name."""


class GameError(MenagerieError):
    """A folder of games without one, or a game that cannot be loaded."""


class OptionError(MenagerieError):
    """No such rule option, or no such value of it."""


class NotationError(MenagerieError):
    """A text that cannot be read; `at` is where, counted in characters from 0."""

    def __init__(self, what: str, text: str, at: int, reason: str) -> None:
        self.text, self.at, self.reason = text, at, reason
        shown = text if len(text) <= 200 else text[:200] + "…"
        super().__init__(f"{what} {shown!r} cannot be read: {reason} (character {at + 1})")

    def __reduce__(self) -> tuple[object, ...]:
        return _notation_error, (str(self), self.text, self.at, self.reason)


class IllegalMove(MenagerieError):
    """A move that the rules refuse in this position; `reason` says why in words."""

    def __init__(self, position: str, text: str, reason: str) -> None:
        self.position, self.text, self.reason = position, text, reason
        super().__init__(f"{text} is not legal: {reason}")

    def __reduce__(self) -> tuple[object, ...]:
        return IllegalMove, (self.position, self.text, self.reason)


class TooManyTurns(MenagerieError):
    """A position has more distinct turns than anybody wants listed."""


class GameOver(MenagerieError):
    """Something was tried in a match that has ended."""


class RecordError(MenagerieError):
    """A game record that cannot be read; `line` counts from 1."""

    def __init__(self, line: int, reason: str) -> None:
        self.line, self.reason = line, reason
        super().__init__(f"line {line} of the record: {reason}")

    def __reduce__(self) -> tuple[object, ...]:
        return RecordError, (self.line, self.reason)


def _notation_error(message: str, text: str, at: int, reason: str) -> NotationError:
    """Put a NotationError together again after pickling."""
    error = NotationError.__new__(NotationError)
    error.text, error.at, error.reason, error.args = text, at, reason, (message,)
    return error


class WeightsError(MenagerieError):
    """A file of weights that does not fit the judgement it is for."""


class LimitError(MenagerieError):
    """A limit, a level or another setting of an engine that makes no sense."""


class PlayerError(MenagerieError):
    """A text that describes no player."""


class ProtocolError(MenagerieError):
    """A message between programs that cannot be heeded, or a protocol that a game is not spoken in."""


class EngineError(MenagerieError):
    """A program that plays did what no player may: it did not start, fell silent, died, or cannot do what is asked."""

    def __init__(self, program: str, reason: str) -> None:
        self.program, self.reason = program, reason
        super().__init__(f"{program} {reason}")

    def __reduce__(self) -> tuple[object, ...]:
        return EngineError, (self.program, self.reason)


class BadMove(EngineError):
    """A program that plays sent a move that is illegal or cannot be read; `text` is what it sent."""

    def __init__(self, program: str, text: str, position: str, reason: str) -> None:
        super().__init__(program, f"sent {text!r} in {position}: {reason}")
        self.text, self.position, self.why = text, position, reason

    def __reduce__(self) -> tuple[object, ...]:
        return BadMove, (self.program, self.text, self.position, self.why)


class Resignation(EngineError):
    """A program that plays gives up."""

    def __init__(self, program: str) -> None:
        super().__init__(program, "resigns")

    def __reduce__(self) -> tuple[object, ...]:
        return Resignation, (self.program,)


class TableError(MenagerieError):
    """A file that is no table, or not the one that is needed; or a position that a table does not hold."""


class UselessTable(TableError):
    """A table, or work on one, that is damaged or from another version of the rules: nothing is lost with it."""
