"""A match: positions in order, the turns between them, and how it ends, by the board, by history or by the players."""

from collections import Counter
from collections.abc import Iterable

from menagerie.errors import GameOver, IllegalMove, MenagerieError
from menagerie.game import ORDINALS, Outcome
from menagerie.kernel.bits import U64
from menagerie.kernel.path import ROOM, push, verdict
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
        self._ended: Outcome | None = None
        self._rebuild_path()

    @classmethod
    def read(cls, text: str) -> "Match":
        """The match that a record describes."""
        return replay(record.read(text))

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

    def play(self, move: str | Action | Turn) -> Position:
        """Play an action or a turn; a refused one changes nothing."""
        self._refuse_if_over()
        if isinstance(move, str):
            move = self.position.find(move)
        after = self.position.play(move)
        if after.key in self._forbidden():
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
        if forbidden and all(turn.after.key in forbidden for turn in self.position.turns()):
            winner = 1 - self.position.player
            words = f"{game.players[winner]} wins: every turn of {game.players[1 - winner]} would repeat a position"
            return Outcome(winner, "repetition", words)
        judged = game.repetition.outcome(verdict(self._path, self.position.quiet))
        return None if game.repetition.is_illegal else judged

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


def replay(record: record.Record) -> Match:
    """The match that a record tells of."""
    match = Match(record.variant, record.start)
    match.tags, match.comments = dict(record.tags), dict(record.comments)
    for turn in record.turns:
        match.play(turn)
    if record.outcome and not match.outcome:
        match._ended = record.outcome
    return match


def read_all(text: str) -> Iterable[Match]:
    """Every match of a file of records, one after the other."""
    return map(replay, record.read_all(text))
