"""A position: an immutable value around one state, with the actions and turns that lead on from it."""

import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from menagerie.drawing import Look, draw
from menagerie.errors import IllegalMove, MenagerieError, NotationError, TooManyTurns
from menagerie.game import Game, Gesture, Options, Outcome, Piece, View
from menagerie.games import find
from menagerie.kernel.bits import I
from menagerie.kernel.state import State, copy, key, new
from menagerie.kernel.walk import DEEPEST, NOBODY, REASONS, after, legal_actions

LEAST_STATES, MOST_STATES = 1 << 6, 1 << 18
"""How many states a turn may pass through where its ends are listed: room that is always taken, and the limit."""

SIGNS = "+#!?"
"""What may stand after a move in people's texts without changing which move it is."""


class Position:
    """One position of a game: immutable, hashable, picklable, equal by value (its counters included)."""

    def __init__(self, game: Game, state: State) -> None:
        self.game = game
        self._state = copy(state)

    @property
    def state(self) -> State:
        """A copy of the record that the rules work on."""
        return copy(self._state)

    @property
    def options(self) -> Options:
        """The rule options in force."""
        return self.game.options.from_state(self._state)

    @property
    def player(self) -> int:
        """Who is to move: 0 or 1."""
        return int(self._state.player)

    @property
    def ply(self) -> int:
        """How many turns were played before this one."""
        return int(self._state.ply)

    @property
    def quiet(self) -> int:
        """How many turns were played since the last that can never be undone."""
        return int(self._state.quiet)

    @cached_property
    def key(self) -> int:
        """The 64-bit name of the position without its counters: what repetition compares."""
        return int(key(self._state))

    @cached_property
    def indices(self) -> tuple[int, ...]:
        """The legal actions as small numbers."""
        return tuple(legal_actions(self.game.rules, self._state))

    def actions(self) -> tuple["Action", ...]:
        """The legal actions; none exactly when the position itself is over."""
        return tuple(Action(self, index) for index in self.indices)

    def turns(self) -> tuple["Turn", ...]:
        """The legal turns. Where a turn can be several actions, those that lead to the same position are one turn."""
        if not self.game.long_turns:
            return tuple(Turn(self, (index,)) for index in self.indices)
        return tuple(Turn(self, indices) for indices in self._spread())

    @property
    def is_forced(self) -> bool:
        """Whether the turn can be made in one way only."""
        now = self
        while now.player == self.player and len(now.indices) == 1:
            now = Action(now, now.indices[0]).after
        return now.player != self.player

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the game has ended, judged by the position alone; None while it goes on."""
        return None if self.indices else self.game.outcome(self._state)

    @property
    def check(self) -> bool:
        """Whether the piece that the player to move must not lose is attacked (False where a game has none)."""
        return self.game.check is not None and bool(self.game.check(self._state))

    @cached_property
    def view(self) -> View:
        """The pieces as people see them."""
        return self.game.notation.view(self._state)

    def piece_at(self, square: str) -> Piece | None:
        """The piece on a square given by its name."""
        if square not in self.game.board.squares:
            raise MenagerieError(f"{self.game.title} has no square {square!r}")
        return self.view.board.get(self.game.board.squares[square])

    def find(self, text: str) -> "Turn":
        """The legal turn that a text means, in machine form or as people write it."""
        if self.game.turn_notation is None:
            return Turn(self, (self.find_action(text).index,))
        indices = self.game.turn_notation.read_turn(self._state, text)
        if indices is None:
            raise self._refused(text)
        return Turn(self, tuple(indices))

    def find_action(self, text: str) -> "Action":
        """The legal action that a text means, in machine form or as people write it."""
        if text in self._codes:
            return Action(self, self._codes[text])
        if text.rstrip(SIGNS) in self._names:
            return Action(self, self._names[text.rstrip(SIGNS)])
        raise self._refused(text)

    @cached_property
    def _codes(self) -> dict[str, int]:
        """The legal actions by their machine forms."""
        return {self.game.notation.code(self._state, index): index for index in self.indices}

    @cached_property
    def _names(self) -> dict[str, int]:
        """The legal actions by their people's forms, less the signs that tell nothing."""
        return {self.game.notation.name(self._state, index).rstrip(SIGNS): index for index in self.indices}

    def _refused(self, text: str) -> MenagerieError:
        """The error that says why a text is not a legal move."""
        reason = self.game.notation.refusal(self._state, text)
        if reason is None:
            return NotationError("the move", text, 0, f"it does not look like a move of {self.game.title}")
        return IllegalMove(str(self), text, reason)

    def play(self, move: "str | Action | Turn") -> "Position":
        """The position after a move: the text of a turn, an action or a turn."""
        if isinstance(move, str):
            move = self.find(move)
        if move.position != self:
            raise IllegalMove(str(self), str(move), "it belongs to another position")
        indices = move.indices if isinstance(move, Turn) else (move.index,)
        state = copy(self._state)
        for index in indices:
            self.game.rules.play(state, index)
        return Position(self.game, state)

    def perft(self, depth: int, turns: bool = False) -> int:
        """How many lines of that many actions (or distinct turns) lead on from here; repetition is ignored."""
        refuse_depth(depth, least=0)
        if depth == 0:
            return 1
        if turns and self.game.long_turns:
            if depth == 1:
                return self._turns().count
            return sum(turn.after.perft(depth - 1, turns) for turn in self.turns())
        return int(self.game.walks.count(self._walk(), depth))

    def perft_played(self, depth: int) -> int:
        """The same number as `perft`, with the last action of every line played as well."""
        refuse_depth(depth, least=0)
        return int(self.game.walks.count_played(self._walk(), depth))

    def divide(self, depth: int, turns: bool = False) -> Iterator[tuple["Turn | Action", int]]:
        """The lines of `perft` by their first action (or turn)."""
        refuse_depth(depth, least=1)
        for first in self.turns() if turns else self.actions():
            yield first, first.after.perft(depth - 1, turns)

    def playouts(self, games: int, seed: int = 0, first: int = 0) -> "Playouts":
        """Random games from here, the i-th always the same for the same seed, counted from `first`."""
        run = new(self.game.walks.RUN)
        run.states[0] = self._state
        repetition = self.game.repetition.under(self.options)
        run.path.times, run.path.plies = repetition.times, repetition.plies or repetition.machine_plies
        run.is_illegal = repetition.is_illegal
        self.game.walks.playouts(run, np.uint64(seed), I(first), I(games))
        return Playouts.of(self.game, run)

    def svg(self, quarter_turns: int = 0, marked: Iterable[str] = (), view: str = "") -> str:
        """The board as a picture, turned clockwise by quarters, with some squares marked; or as a named view."""
        if view and view not in self.game.views:
            known = ", ".join(self.game.views) or "none"
            raise MenagerieError(f"{self.game.title} has no view {view!r}; it has: {known}")
        turns, mirrored = self.game.views[view] if view else (0, False)
        return draw(self.game, self.view, Look((turns + quarter_turns) % 4, mirrored, frozenset(marked)))

    def _repr_svg_(self) -> str:
        return self.svg()

    def _walk(self) -> np.record:
        """A walk that begins here."""
        walk = new(self.game.walks.WALK)
        walk.states[0] = self._state
        return walk

    def _turns(self) -> "Spread":
        """Every distinct turn, as the compiled walk leaves it; the next call in the same thread overwrites it."""
        room = Spread.likely(self.game)
        while room <= MOST_STATES:
            spread = Spread.of(self.game, room)
            spread.states[0] = self._state
            spread.count = self.game.walks.spread(self._walk(), spread.states, spread.links, spread.ends, spread.known)
            if spread.count >= 0:
                return spread
            room *= 8
        raise TooManyTurns(f"there are too many turns to list in {self}: play them action by action")

    def _spread(self) -> Iterator[tuple[int, ...]]:
        """The actions of every distinct turn."""
        turns = self._turns()
        ends = turns.ends[: turns.count]
        links = turns.links[: ends[:, 0].max(initial=0) + 1].tolist()
        for parent, last in ends.tolist():
            indices, node = [last], parent
            while node:
                node, action = links[node]
                indices.append(action)
            yield tuple(reversed(indices))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.game is other.game and self._state.tobytes() == other._state.tobytes()

    def __hash__(self) -> int:
        return hash((self.game.name, self.key))

    def __reduce__(self) -> tuple[object, ...]:
        return restore, (self.game.name, self.options.chosen(), str(self))

    def __str__(self) -> str:
        return self.game.notation.write(self._state)

    def __repr__(self) -> str:
        return f"<{self.game.title}: {self}>"


def refuse_depth(depth: int, least: int) -> None:
    """Refuse a depth that no walk can have."""
    if not least <= depth <= DEEPEST:
        raise MenagerieError(f"the depth of perft is {depth} and should be from {least} to {DEEPEST}")


def read(game: Game, options: Options, text: str) -> Position:
    """The position that a text describes."""
    state = game.state(options)
    game.notation.read(text, state)
    return Position(game, state)


def start(game: Game, options: Options) -> Position:
    """The starting position."""
    state = game.state(options)
    game.rules.initial(state)
    return Position(game, state)


def restore(name: str, chosen: dict[str, str], text: str) -> Position:
    """A position that was pickled."""
    game = find(name)
    return read(game, game.options.of(chosen), text)


@dataclass
class Spread:
    """Room for the distinct turns of a position: states in the middle of the turn, and the ways to its ends."""

    states: np.ndarray
    links: np.ndarray
    ends: np.ndarray
    known: np.ndarray
    count: int = -1

    @classmethod
    def of(cls, game: Game, room: int) -> "Spread":
        """Room for that many states and four times as many ends; each thread keeps what it has used last."""
        kept = SHELF.kept
        if game not in kept or len(kept[game].states) != room:
            states, links = np.zeros(room, game.rules.STATE), np.zeros((room, 2), np.int32)
            kept[game] = cls(states, links, np.zeros((4 * room, 2), np.int32), np.zeros(8 * room, np.uint64))
        kept[game].known[:] = 0
        return kept[game]

    @classmethod
    def likely(cls, game: Game) -> int:
        """The room to try first: what the last position needed, or less if that was far too much."""
        last = SHELF.kept.get(game)
        if last is None:
            return LEAST_STATES
        return len(last.states) if 8 * last.count > len(last.ends) else max(LEAST_STATES, len(last.states) // 8)


class Shelf(threading.local):
    """What each thread has used last, by game."""

    def __init__(self) -> None:
        self.kept: dict[Game, Spread] = {}


SHELF = Shelf()


@dataclass(frozen=True)
class Action:
    """The smallest choice, in the position where it is legal. `str` is the people's form, `code` the machine's."""

    position: Position
    index: int

    @property
    def code(self) -> str:
        """The machine form."""
        return self.position.game.notation.code(self.position._state, self.index)

    @property
    def gesture(self) -> Gesture:
        """How a hand makes it."""
        return self.position.game.notation.gesture(self.position._state, self.index)

    @property
    def after(self) -> Position:
        """The position it leads to."""
        return Position(self.position.game, after(self.position.game.rules, self.position._state, self.index))

    def __str__(self) -> str:
        return self.position.game.notation.name(self.position._state, self.index)


@dataclass(frozen=True)
class Turn:
    """The actions of one player until the other is to move."""

    position: Position
    indices: tuple[int, ...]

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions one by one, each in the position where it is played."""
        actions = [Action(self.position, self.indices[0])]
        for index in self.indices[1:]:
            actions.append(Action(actions[-1].after, index))
        return tuple(actions)

    @property
    def code(self) -> str:
        """The machine form."""
        notation = self.position.game.turn_notation
        return notation.turn_code(self.position._state, self.indices) if notation else self.actions[0].code

    @property
    def after(self) -> Position:
        """The position it leads to."""
        return self.actions[-1].after

    def __str__(self) -> str:
        notation = self.position.game.turn_notation
        return notation.turn_name(self.position._state, self.indices) if notation else str(self.actions[0])


@dataclass(frozen=True)
class Playouts:
    """What came of random games: how many, how long, and how they ended (reason, winner or None, how often)."""

    games: int
    steps: int
    turns: int
    longest: int
    ends: tuple[tuple[str, int | None, int], ...]

    @classmethod
    def of(cls, game: Game, run: np.record) -> "Playouts":
        """The sums of a run, with the reasons by name."""
        names = [reason.name for reason in game.reasons]
        names += [""] * (REASONS - len(names)) + ["unfinished", "repetition", "limit"]
        ends = tuple(
            (name, None if winner == NOBODY else winner, int(run.tally[row, winner]))
            for row, name in enumerate(names)
            for winner in range(3)
            if run.tally[row, winner]
        )
        return cls(int(run.games), int(run.steps), int(run.turns), int(run.longest), ends)

    def __add__(self, other: "Playouts") -> "Playouts":
        ends: dict[tuple[str, int | None], int] = {}
        for reason, winner, games in self.ends + other.ends:
            ends[reason, winner] = ends.get((reason, winner), 0) + games
        return Playouts(
            self.games + other.games,
            self.steps + other.steps,
            self.turns + other.turns,
            max(self.longest, other.longest),
            tuple((reason, winner, games) for (reason, winner), games in ends.items()),
        )
