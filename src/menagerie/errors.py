"""What can be wrong with what somebody gave us, each kind with the thing that failed."""


class MenagerieError(ValueError):
    """Any fault in what was given: its text is one sentence that says what and where."""


class UnknownGame(MenagerieError):
    """No game has this name."""


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
