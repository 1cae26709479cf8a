"""Boards as lines of letters and digits, as FEN writes them: reading, with the place of every fault, and writing."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from menagerie.errors import NotationError
from menagerie.game import Board
from menagerie.kernel.state import State

MOST = 10**9
"""Counters in texts stay below this, so that no number overflows."""


@dataclass(frozen=True)
class Fields:
    """A position's text cut at its spaces, each field with the place where it begins."""

    text: str
    parts: tuple[tuple[str, int], ...]

    @classmethod
    def of(cls, text: str) -> "Fields":
        """Cut a text into its fields."""
        parts, at = [], 0
        for part in text.split(" "):
            if part:
                parts.append((part, at))
            at += len(part) + 1
        return cls(text, tuple(parts))

    def __len__(self) -> int:
        return len(self.parts)

    def until(self, field: int, sign: str) -> "Fields":
        """The same with one field cut off before a sign."""
        cut = tuple((part.partition(sign)[0] if i == field else part, at) for i, (part, at) in enumerate(self.parts))
        return Fields(self.text, cut)

    def fault(self, field: int, reason: str, offset: int = 0) -> NotationError:
        """The error that says what is wrong with a field (or with its absence)."""
        at = self.parts[field][1] + offset if field < len(self.parts) else len(self.text)
        return NotationError("the position", self.text, at, reason)

    def string(self, field: int, what: str) -> str:
        """A field that must be there."""
        if field >= len(self.parts):
            raise self.fault(field, f"{what} is missing")
        return self.parts[field][0]

    def one_of(self, field: int, what: str, values: str) -> int:
        """A field of one letter; which of the values it is."""
        string = self.string(field, what)
        if len(string) != 1 or string not in values:
            raise self.fault(field, f"{what} is {string!r} and should be one of {', '.join(values)}")
        return values.index(string)

    def number(self, field: int, what: str, default: int) -> int:
        """A field that is a number, or the default where the text ends before it."""
        if field >= len(self.parts):
            return default
        string = self.parts[field][0]
        if not (string.isascii() and string.isdigit() and len(string) < 10):
            raise self.fault(field, f"{what} is {string!r} and should be a number below {MOST}")
        return int(string)

    def nothing_after(self, field: int) -> None:
        """Refuse a text that goes on after its last field."""
        if len(self.parts) > field:
            raise self.fault(field, f"nothing is expected after the first {field} fields")

    def counters(self, state: State) -> None:
        """The end of a FEN, from its third field: two dashes, the plies without progress, the number of the move."""
        for field in (2, 3):
            if len(self.parts) > field and self.parts[field][0] != "-":
                raise self.fault(field, "this field is always -")
        state.quiet = self.number(4, "the ply counter", 0)
        move = self.number(5, "the move number", 1)
        if move == 0:
            raise self.fault(5, "moves are counted from 1")
        state.ply = 2 * (move - 1) + int(state.player)
        self.nothing_after(6)


def read_board(fields: Fields, field: int, board: Board, letters: Mapping[str, int]) -> dict[int, int]:
    """The pieces of a board written rank by rank from the top: square to the meaning of its letter."""
    text = fields.string(field, "the board")
    pieces: dict[int, int] = {}
    rank, file = board.ranks - 1, 0
    for token, at in tokens(text):
        if token == "/":
            if file != board.files:
                raise fields.fault(field, f"rank {rank + 1} has {file} squares instead of {board.files}", at)
            if rank == 0:
                raise fields.fault(field, f"there are more than {board.ranks} ranks", at)
            rank, file = rank - 1, 0
        elif token in letters:
            if file < board.files:
                pieces[board.files * rank + file] = letters[token]
            file += 1
        elif token.isascii() and token.isdigit() and token != "0":
            file += int(token)
        else:
            raise fields.fault(field, f"{token!r} is no piece", at)
        if file > board.files:
            raise fields.fault(field, f"rank {rank + 1} has more than {board.files} squares", at)
    if rank > 0 or file != board.files:
        raise fields.fault(field, f"the board ends early, on rank {rank + 1} after {file} squares", len(text))
    return pieces


def tokens(text: str) -> Iterator[tuple[str, int]]:
    """The letters of a board with their places; a plus sign belongs to the letter after it."""
    at = 0
    while at < len(text):
        size = 2 if text[at] == "+" else 1
        yield text[at : at + size], at
        at += size


def write_counters(state: State) -> str:
    """The end of a FEN, from its second field."""
    return f"{'wb'[state.player]} - - {state.quiet} {int(state.ply) // 2 + 1}"


def write_board(pieces: Mapping[int, str], board: Board) -> str:
    """The board rank by rank from the top, runs of empty squares as digits."""
    ranks = []
    for rank in reversed(range(board.ranks)):
        written, empty = "", 0
        for square in range(board.files * rank, board.files * (rank + 1)):
            if square in pieces:
                written += (str(empty) if empty else "") + pieces[square]
                empty = 0
            else:
                empty += 1
        ranks.append(written + (str(empty) if empty else ""))
    return "/".join(ranks)
