"""A match: positions in order, the turns between them, and how it ends, by the board, by history or by the players."""

from collections import Counter
from collections.abc import Iterator
from copy import copy

from menagerie.errors import GameOver, IllegalMove, MenagerieError, RecordError
from menagerie.game import ORDINALS, Outcome
from menagerie.kernel.bits import U64
from menagerie.kernel.path import ROOM, push, verdict
from menagerie.kernel.state import copy as copy_record
from menagerie.match import record
from menagerie.position import Action, Position, Turn
from menagerie.variant import Variant


class Match:
    """A game being played.

    Draws that a game lets people claim (`claim`) come by themselves unless `automatic` is False.
    """

    def __init__(self, variant: Variant, start: Position | None = None, automatic: bool = True) -> None:
        self.variant = variant
        self.automatic = automatic
        self.tags: dict[str, str] = {}
        self.comments: dict[int, str] = {}
        """What was said after so many turns; 0 is before the first."""
        self.positions: list[Position] = [start or variant.start()]
        self.actions: list[Action] = []
        self.fault: RecordError | None = None
        """Where and why the record of this match could not be read any further."""
        self._ended: Outcome | None = None
        self._rebuild_path()

    @classmethod
    def read(cls, text: str, variant: Variant | None = None) -> "Match":
        """The match that a record describes; the variant is for files that do not name their game."""
        matches = list(read_all(text, variant))
        if len(matches) != 1:
            raise RecordError(1, f"there are {len(matches)} records instead of one")
        return matches[0]

    def copy(self) -> "Match":
        """The same match, to go on by itself."""
        other = copy(self)
        other.tags, other.comments = dict(self.tags), dict(self.comments)
        other.positions, other.actions = list(self.positions), list(self.actions)
        other._path = copy_record(self._path)
        return other

    def record(self) -> str:
        """The record of the match as text; a turn that is still being made is not in it."""
        return record.write(
            record.Record(
                self.variant, self.positions[0], self.turns, self.outcome, dict(self.tags), dict(self.comments)
            )
        )

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns played so far; one that is still being made is not among them."""
        turns: list[Turn] = []
        begun = 0
        for count in range(1, len(self.positions)):
            if self._ends_turn(count):
                indices = tuple(action.index for action in self.actions[begun:count])
                turns.append(Turn(self.positions[begun], indices))
                begun = count
        return tuple(turns)

    def legal(self) -> tuple[Turn, ...]:
        """The turns that may be played now; history can forbid some."""
        if self.outcome:
            return ()
        forbidden = self._forbidden()
        turns = self.position.turns()
        return tuple(turn for turn in turns if turn.after.key not in forbidden) if forbidden else turns

    @property
    def position(self) -> Position:
        """The position now."""
        return self.positions[-1]

    @property
    def outcome(self) -> Outcome | None:
        """How the match has ended; None while it goes on."""
        if self._ended or self.position.outcome:
            return self._ended or self.position.outcome
        return self._judged if self.automatic or not self.variant.game.repetition.needs_claim else None

    @property
    def claimable(self) -> Outcome | None:
        """The draw that the player to move may claim now."""
        return None if self.outcome else self._judged

    @property
    def keys(self) -> tuple[int, ...]:
        """The keys of the positions between turns, in order."""
        return tuple(int(self.positions[count].key) for count in range(len(self.positions)) if self._ends_turn(count))

    def allows(self, after: Position) -> bool:
        """Whether history allows a turn that leads to this position."""
        return after.key not in self._forbidden()

    def play(self, move: str | Action | Turn) -> Position:
        """Play an action or a turn; a refused one changes nothing."""
        self._refuse_if_over()
        if isinstance(move, str):
            move = self.position.find(move)
        after = self.position.play(move)
        if not self.allows(after):
            times = ORDINALS[self.variant.game.repetition.times]
            raise IllegalMove(str(self.position), str(move), f"it would make the same position for the {times} time")
        for action in move.actions if isinstance(move, Turn) else (move,):
            self.actions.append(action)
            self.positions.append(action.after)
            self._note(len(self.actions))
        return self.position

    def undo(self) -> Position:
        """Take back the last action, or what the players decided after it."""
        if self._ended:
            self._ended = None
        elif not self.actions:
            raise MenagerieError("there is nothing to take back")
        else:
            if self._ends_turn(len(self.actions)):
                self.comments.pop(len(self.turns), None)
                self._path.n -= 1
            self.actions.pop()
            self.positions.pop()
        return self.position

    def undo_turn(self) -> Position:
        """Take back the last turn, or as much of one as has been made."""
        self.undo()
        while self.actions and not self._ends_turn(len(self.actions)):
            self.undo()
        return self.position

    def resign(self, player: int | None = None) -> Outcome:
        """A player gives up: the one to move, or the one named."""
        return self.end("resignation", 1 - (self.position.player if player is None else player))

    def agree_draw(self) -> Outcome:
        """Both players call it a draw."""
        return self.end("agreement", None)

    def claim(self) -> Outcome:
        """Claim the draw that history offers."""
        self._refuse_if_over()
        if not self._judged:
            raise MenagerieError("there is no draw to claim: no repetition, and the move limit is not reached")
        self._ended = self._judged
        return self._ended

    def end(self, reason: str, winner: int | None) -> Outcome:
        """End the match for a reason that is not on the board (see `record.ENDINGS`)."""
        self._refuse_if_over()
        self._ended = record.ending(self.variant.game, reason, winner)
        return self._ended

    def _refuse_if_over(self) -> None:
        if self.outcome:
            raise GameOver(f"the match is over: {self.outcome}")

    @property
    def _judged(self) -> Outcome | None:
        """What history says of a turn that has just ended."""
        game = self.variant.game
        if not self._ends_turn(len(self.actions)):
            return None
        forbidden = self._forbidden()
        if forbidden and not self._leads_elsewhere(forbidden):
            winner = 1 - self.position.player
            words = f"{game.players[winner]} wins: every turn of {game.players[1 - winner]} would repeat a position"
            return Outcome(winner, "repetition", words)
        judged = game.repetition.outcome(verdict(self._path, self.position.quiet))
        return None if game.repetition.is_illegal else judged

    def _leads_elsewhere(self, forbidden: set[int]) -> bool:
        """Whether some turn leads to none of these positions; almost always the first that comes to hand does."""
        position = self.position
        while position.player == self.position.player and position.indices:
            position = Action(position, position.indices[0]).after
        return position.key not in forbidden or any(turn.after.key not in forbidden for turn in self.position.turns())

    def _forbidden(self) -> set[int]:
        """The keys of the positions that a turn must not bring again, where that is illegal."""
        repetition = self.variant.game.repetition.under(self.variant.options)
        if not repetition.is_illegal:
            return set()
        counts = Counter(int(key) for key in self._path.keys[: self._path.n])
        return {key for key, count in counts.items() if count >= repetition.times - 1}

    def _ends_turn(self, count: int) -> bool:
        """Whether a turn ended with that many actions; the first position counts as the end of one."""
        return count == 0 or self.positions[count].player != self.positions[count - 1].player

    def _rebuild_path(self) -> None:
        """Make a path that has room for all positions and as many again."""
        self._room = ROOM
        while self._room < 2 * len(self.positions):
            self._room *= 2
        self._path = self.variant.game.path(self.variant.options, self._room)
        for count in range(len(self.positions)):
            self._note(count)

    def _note(self, count: int) -> None:
        """Put the position after that many actions on the path if a turn ended with it."""
        if count >= self._room:
            self._rebuild_path()
        elif self._ends_turn(count):
            push(self._path, U64(self.positions[count].key))


def read_all(text: str, variant: Variant | None = None) -> Iterator[Match]:
    """Every match of a file of records, one after the other; a RecordError at the first fault."""
    for match in read_leniently(text, variant):
        if isinstance(match, RecordError):
            raise match
        if match.fault:
            raise match.fault
        yield match


def read_leniently(text: str, variant: Variant | None = None) -> Iterator[Match | RecordError]:
    """Every match of a file of records; a faulty one as far as it can be read, with its `fault`.

    Where not even the tags can be read, the fault stands for the match.
    """
    for lines in record.sections(text):
        try:
            sheet = record.read_section(lines, variant)
        except RecordError as fault:
            yield fault
            continue
        match = Match(sheet.variant, sheet.start, automatic=False)
        try:
            replay(match, sheet)
        except RecordError as fault:
            match.fault = fault
        yield match


def replay(match: Match, sheet: record.Sheet) -> None:
    """Play what a record tells of."""
    match.tags = sheet.own_tags()
    result = last = ""
    for word in sheet.words():
        kind, text, line = word
        if (result and kind != "comment") or (match.outcome and kind not in ("comment", "number", "result")):
            raise RecordError(line, f"{text[:40]!r} stands after the end of the match")
        if kind == "comment":
            count = len(match.turns)
            match.comments[count] = " ".join(filter(None, (match.comments.get(count), text)))
            continue
        if kind == "number":
            due = sheet.script.number(match.position.ply)
            if text != due:
                raise RecordError(line, f"turn {text[:20]} is announced where turn {due} comes")
        elif kind == "result":
            result = text
        else:
            heed(match, word)
        last = kind
    refuse_if_cut(match, sheet, last)
    conclude(match, sheet, result)


def heed(match: Match, word: record.Word) -> None:
    """Do what a word says that changes the match."""
    try:
        if word.kind == "turn":
            match.play(word.text)
        elif word.kind == "resigns":
            match.resign()
        else:
            match.undo_turn()
    except MenagerieError as error:
        raise RecordError(word.line, f"turn {len(match.turns) + 1}: {error}") from error


def refuse_if_cut(match: Match, sheet: record.Sheet, last: str) -> None:
    """Refuse a record that may have gone on, by its last word; where a result stands after the moves, that one tells.

    Elsewhere it is the number of the next turn, which old files leave out where the game is over on the board. A number
    that nothing follows may be what is left of a turn, though, and a turn that wins what is left of a longer one.
    """
    if sheet.script.has_result or last == "resigns" or (last == "number" and match.outcome):
        return
    if last != "number" and not match.outcome:
        raise RecordError(sheet.last.number, "the record ends without the number of the next turn")
    if sheet.is_cut:
        raise RecordError(sheet.last.number, "the last line has no line break, and may have been longer")


def conclude(match: Match, sheet: record.Sheet, written: str) -> None:
    """End the match as its record says; the result, its tag and the board must not contradict each other."""
    game = sheet.variant.game
    if match.outcome and not sheet.script.has_result and "Result" not in sheet.tags:
        return
    result, winner = record.read_result(sheet, written)
    if match.outcome:
        if game.score(match.outcome) != result:
            raise RecordError(sheet.last.number, f"the result is {result}, but on the board: {match.outcome}")
    elif result != "*":
        reason = sheet.tags.get("Termination", "unknown")
        if match.claimable and match.claimable.reason == reason and winner is None:
            match.claim()
        else:
            try:
                match.end(reason, winner)
            except MenagerieError as error:
                raise RecordError(sheet.last.number, str(error)) from error
