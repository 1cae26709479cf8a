"""The engine: iterative deepening over the compiled search, in threads; its thoughts as turns, values and chances."""

import gc
import math
import queue
import random
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import chain, combinations, pairwise
from types import SimpleNamespace

import numpy as np

from menagerie.errors import GameOver, LimitError, MenagerieError, TableError
from menagerie.game import Game
from menagerie.kernel.bits import U64, I
from menagerie.kernel.judgement import Weights, digest, weigher
from menagerie.kernel.path import ROOM, push
from menagerie.kernel.state import State, key, new
from menagerie.kernel.walk import after, legal_actions
from menagerie.match.match import Match
from menagerie.position import Action, Position, Turn
from menagerie.search.alphabeta import MOST_ACTIONS, MOST_AMONG, MOST_LINES, PROVEN, WIN, searcher
from menagerie.search.limits import DEEPEST, LEVELS, Limit, limit_of, strength
from menagerie.search.proven import proofs
from menagerie.search.table import Table
from menagerie.solve.tablebase import Tablebase
from menagerie.variant import Variant, variant

ENDLESS = 1 << 62
WINDOW, WIDEST = 40, 1000
"""The first half width of the window around the last depth's value, and the last before it is open."""
PEEK = 20_000
"""How many nodes may be spent on the rest of a line."""
HURRY = 100
"""How many on its next action once nothing is left of the nodes or of the time."""
AT_ONCE = Limit(depth=1)
"""How far to look where there is nothing to choose."""
MOST_PLAIN = 8
"""Turns of more actions are not looked through for those that could be left out."""
CALM = np.zeros(1, np.uint64)
"""Orders that never come."""


@dataclass(frozen=True)
class Line:
    """A turn and what follows it when both sides play well."""

    turns: tuple[Turn, ...]
    value: int
    """For the player to move, in hundredths of a basic piece; or, beyond PROVEN, a win or loss seen to its end."""
    chance: float
    """The chance to win, draws counted half, from 0 to 1."""
    ends_in: int | None
    """In how many of the mover's own turns a win is forced; below 0 a loss; None where neither is seen."""

    def __str__(self) -> str:
        turns = " ".join(str(turn) for turn in self.turns)
        return f"{self.verdict}  {turns}"

    @property
    def verdict(self) -> str:
        """The value as people write it."""
        if self.ends_in is None:
            return f"{self.value / 100:+.2f}"
        return f"{'wins' if self.ends_in > 0 else 'loses'} in {abs(self.ends_in)}"


@dataclass(frozen=True)
class Found:
    """A line as the search gives it: a value, actions, and the key of the position after the first turn."""

    value: int
    actions: tuple[int, ...]
    end: int = 0


@dataclass(frozen=True)
class Analysis:
    """What an engine thinks of a position: its best lines, best first, and what they cost."""

    position: Position
    found: tuple[Found, ...]
    scale: float
    depth: int
    deepest: int
    nodes: int
    seconds: float
    fullness: float
    """The share of the table that this search has filled."""

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The best lines, as turns; made when they are asked for."""
        return tuple(self._line(found) for found in self.found)

    @cached_property
    def best(self) -> Turn:
        """The turn it would play."""
        return next(self._turns(self.found[0]))

    @property
    def value(self) -> int:
        """The value of the best line."""
        return self.found[0].value

    @property
    def chance(self) -> float:
        """The chance to win with the best line."""
        return chance_of(self.value, self.scale)

    def _line(self, found: Found) -> Line:
        turns = tuple(self._turns(found))
        ends_in = None
        if abs(found.value) >= PROVEN:
            count = int(WIN) - abs(found.value)
            ends_in = (count + 1) // 2 if found.value > 0 else -max(1, count // 2)
        return Line(turns, found.value, chance_of(found.value, self.scale), ends_in)

    def _turns(self, found: Found) -> Iterator[Turn]:
        """The whole turns of a line."""
        position, indices = self.position, list(found.actions)
        while indices and not position.outcome:
            turn, now = [], position
            while indices and now.player == position.player and now.indices:
                turn.append(indices.pop(0))
                now = Action(now, turn[-1]).after
            if now.player == position.player and not now.outcome and position is not self.position:
                return
            yield Turn(position, tuple(turn))
            position = now


def chance_of(value: int, scale: float) -> float:
    """The chance to win that a value stands for."""
    if abs(value) >= PROVEN:
        return 1.0 if value > 0 else 0.0
    return 1 / (1 + math.exp(-value / scale))


@dataclass(frozen=True)
class Settings:
    """What can be set of an engine; protocols and command lines derive their options from these fields."""

    threads: int = field(default=1, metadata={"least": 1, "most": 64, "about": "threads that search together"})
    megabytes: int = field(default=16, metadata={"least": 1, "most": 65536, "about": "memory for what it has found"})
    level: int = field(default=0, metadata={"least": 0, "most": 8, "about": "1 is gentle, 8 the strongest, 0 no level"})
    seed: int = field(
        default=0, metadata={"least": 0, "most": 2**31, "about": "of a weak level's errors; 0: by chance"}
    )
    tables: int = field(
        default=1,
        metadata={"least": 0, "most": 1, "about": "1: it plays from tables of proven values, if there are any"},
    )

    def __post_init__(self) -> None:
        for name, known in self.__dataclass_fields__.items():
            value, least, most = getattr(self, name), known.metadata["least"], known.metadata["most"]
            if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
                raise LimitError(f"{name} must be a whole number from {least} to {most}, not {value!r}")


class Engine:
    """A machine that plays and analyses one game. `stop` may come from any thread.

    It does one thing at a time: a new search ends the one before, which answers with what it has.
    What its user should know, though it goes on, it says to `warn`; the same may come more than once.
    """

    def __init__(
        self,
        variant: Variant,
        settings: Settings | None = None,
        limit: Limit | None = None,
        weights: Weights | None = None,
        warn: Callable[[str], None] = warnings.warn,
    ) -> None:
        self.variant = variant
        self.settings = settings or Settings()
        self.limit = limit or Limit()
        self._game = variant.game
        self._weights = weights or self._game.weights
        self._warn = warn
        self._may_know = weights is None and self.settings.tables == 1 and self.settings.level in (0, max(LEVELS))
        """Whether it plays from tables: at full strength, unless it is asked what it thinks with other weights."""
        self._parts = parts(self._game, weights)
        self._table = Table(self.settings.megabytes)
        self._contexts = [new(self._parts.CONTEXT) for _ in range(self.settings.threads)]
        self._chance = random.Random(self.settings.seed or None)
        self._search: Search | None = None
        """The newest search, the only one that may be under way."""
        self._turnstile = threading.Lock()

    def choose(self, place: Position | Match, limit: Limit | None = None, **limits: float) -> Turn:
        """The turn that this engine plays; limits as in `analyse`, of which there must be one.

        Where there is nothing to choose it does not think.
        """
        limit = (limit or Limit()).within(limit_of(limits))
        if self.limit.within(limit) == Limit() and not self.settings.level:
            raise LimitError("it would think for ever: it needs a level, or a limit in depth, nodes or seconds")
        if Root.of(place, self.variant).position.is_forced:
            limit = limit.within(AT_ONCE)
        return self.analyse(place, limit).best

    def analyse(
        self,
        place: Position | Match,
        limit: Limit | None = None,
        lines: int = 1,
        among: Sequence[Turn] = (),
        **limits: float,
    ) -> Analysis:
        """What it thinks when the limit is reached: a `Limit`, or depth=, nodes=, seconds=; or the engine's own.

        Of several turns the best `lines` are told; of those `among` which it shall choose, if there are any.
        """
        return deque(self.watch(place, limit, lines, among, **limits), maxlen=1)[0]

    def watch(
        self,
        place: Position | Match,
        limit: Limit | None = None,
        lines: int = 1,
        among: Sequence[Turn] = (),
        **limits: float,
    ) -> Iterator[Analysis]:
        """What it thinks after each depth, until the limit is reached or `stop`; leaving the loop stops it too.

        A level has limits of its own besides; the highest only where nothing else limits it.
        """
        if not isinstance(lines, int) or not 1 <= lines <= MOST_LINES:
            raise LimitError(f"lines must be a whole number from 1 to {MOST_LINES}, not {lines!r}")
        root = Root.of(place, self.variant, among)
        limit = (limit or Limit()).within(limit_of(limits)).within(self.limit)
        noise = 0
        if self.settings.level:
            level = strength(self.settings.level)
            if self.settings.level != max(LEVELS) or limit == Limit():
                nodes = level.nodes * self._game.judgement.USUAL_TURN
                limit = limit.within(Limit(nodes=nodes, seconds=level.seconds))
            noise = round(level.noise * self._weights.scale)
        if self._may_know and (known := self._proven(root, lines)):
            return iter((known,))
        return self._begin(Search(self, root, limit, lines, noise))

    def _begin(self, search: "Search") -> Iterator[Analysis]:
        """End the search before this one; its own reports."""
        with self._turnstile:
            if self._search:
                self._search.end()
            self._search = search
        return self._watch(search)

    def _proven(self, root: "Root", lines: int) -> Analysis | None:
        """What a table says, where one is kept that holds the position and all that can follow.

        One that cannot be trusted is no reason not to play.
        """
        try:
            base = Tablebase.find(self.variant)
        except TableError as error:
            self._warn(f"{error}; it plays without this table")
            return None
        begun = time.perf_counter()
        if base is None or not (found := proofs(base, root.position, root.keys, lines, root.ends)):
            return None
        lines_of_play = tuple(Found(*proof) for proof in found)
        longest = max(len(found.actions) for found in lines_of_play)
        seconds = time.perf_counter() - begun
        return Analysis(root.position, lines_of_play, self._weights.scale, longest, longest, 0, seconds, 0.0)

    def _watch(self, search: "Search") -> Iterator[Analysis]:
        with self._turnstile:
            if search is not self._search:
                raise MenagerieError("this search cannot begin: the engine has been asked something else since")
            search.start()
        try:
            yield from iter(search.reports.get, None)
        finally:
            search.end()
        if search.fault:
            raise search.fault

    def stop(self) -> None:
        """End the search that is under way, or about to be; it answers with what it has."""
        if search := self._search:
            search.stop()

    def forget(self) -> None:
        """Forget what earlier searches found, as before a new game."""
        self._table.clear()
        for context in self._contexts:
            context.history[:] = 0
            context.pairs[:] = 0
            context.answers[:] = 0xFFFF
            context.killers[:] = -1


def settle() -> None:
    """Say that what is loaded is there for good: to look for garbage in it takes longer than a fast turn may."""
    gc.collect()
    gc.freeze()


@dataclass(frozen=True)
class Root:
    """Where a search begins, the positions between turns that led there, and the turns it is confined to, if any."""

    position: Position
    keys: tuple[int, ...]
    among: tuple[Turn, ...] = ()

    @classmethod
    def of(cls, place: Position | Match, variant: Variant, among: Sequence[Turn] = ()) -> "Root":
        """The root that a position or a match stands at, which must be of the engine's game."""
        if not isinstance(place, Position | Match):
            raise MenagerieError(f"an engine is asked about a position or a match, not {place!r}")
        game = place.variant.game if isinstance(place, Match) else place.game
        if game is not variant.game:
            raise MenagerieError(f"this engine plays {variant.game.title}, not {game.title}")
        if isinstance(place, Match):
            if place.outcome:
                raise GameOver(f"there is nothing to search: {place.outcome}")
            root = cls(place.position, place.keys, tuple(among))
        else:
            if place.outcome:
                raise GameOver(f"there is nothing to search: {place.outcome}")
            root = cls(place, (place.key,), tuple(among))
        if len(among) > MOST_AMONG:
            raise LimitError(f"a search can be confined to {MOST_AMONG} turns at most, not {len(among)}")
        if foreign := next((turn for turn in among if turn.position != root.position), None):
            raise LimitError(f"{foreign} is no turn of the position that is searched")
        return root

    @property
    def ends(self) -> frozenset[int]:
        """The keys of the positions that the turns lead to which it is confined to."""
        return frozenset(turn.after.key for turn in self.among)


class Search:
    """One search, run in threads of its own; its reports come through a queue, None after the last."""

    def __init__(self, engine: Engine, root: Root, limit: Limit, lines: int, noise: int) -> None:
        self.engine, self.root, self.limit, self.lines, self.noise = engine, root, limit, lines, noise
        self.reports: queue.SimpleQueue[Analysis | None] = queue.SimpleQueue()
        self.fault: BaseException | None = None
        self.begun = time.perf_counter()
        self.orders = np.zeros(1, np.uint64)
        """Where the compiled search looks whether it shall stop."""
        self.depth = 1
        """How deep the first thread looks at present."""
        self._search = engine._parts.search
        self._worker = threading.Thread(target=self.run, daemon=True)
        self._alarm: threading.Timer | None = None
        """Stops it in time, whatever those do who read its reports."""

    def start(self) -> None:
        """Begin, in a thread."""
        self.begun = time.perf_counter()
        if self.limit.seconds is not None:
            self._alarm = threading.Timer(self.limit.seconds, self.stop)
            self._alarm.daemon = True
            self._alarm.start()
        self._worker.start()

    def stop(self) -> None:
        """End as soon as possible, with what is found."""
        self.orders[0] = 1

    def end(self) -> None:
        """Stop, and see it ended; one that has not begun has nothing to end."""
        self.stop()
        if self._alarm:
            self._alarm.cancel()
        if self._worker.is_alive():
            self._worker.join()

    def run(self) -> None:
        """Deepen until the end; the other threads search the same and share what they find."""
        engine = self.engine
        others = [
            threading.Thread(target=self.help, args=(context, number), daemon=True)
            for number, context in enumerate(engine._contexts[1:], 1)
        ]
        try:
            engine._table.grow_older()
            seed = engine._chance.getrandbits(63) | 1
            for context in engine._contexts:
                self.prepare(context, seed)
            for other in others:
                other.start()
            self.deepen(engine._contexts[0])
        except BaseException as fault:
            self.fault = fault
        finally:
            self.stop()
            for other in others:
                if other.is_alive():
                    other.join()
            self.reports.put(None)

    def prepare(self, c: np.record, seed: int) -> None:
        """Set a context to the root."""
        engine, game = self.engine, self.engine._game
        repetition = game.repetition.under(self.root.position.options)
        c.states[0] = self.root.position.state
        c.keys[0] = U64(self.root.position.key)
        c.path.n, c.path.times, c.path.plies = 0, repetition.times, repetition.plies
        for name in self.root.keys[-(ROOM - MOST_ACTIONS - 1) :]:
            push(c.path, U64(name))
        c.root = c.path.n
        c.is_illegal = int(repetition.is_illegal)
        c.table, c.mask, c.age = engine._table.address, engine._table.mask, engine._table.age
        c.orders = self.orders.ctypes.data
        c.most_nodes = -(-self.limit.nodes // len(engine._contexts)) if self.limit.nodes else ENDLESS
        c.is_plain, c.noise, c.seed = 0, self.noise, seed
        c.bans = c.nodes = c.deepest = c.stopped = 0
        c.among = len(self.root.among)
        c.allowed[: c.among] = [turn.after.key for turn in self.root.among]
        c.killers[:] = -1
        c.played[:] = 0xFFFF

    def help(self, c: np.record, number: int) -> None:
        """What the other threads do, for the sake of the table: the same at the first one's depth, or at one more."""
        depth, guess = 0, None
        while depth < DEEPEST and not c.stopped:
            depth = max(depth + 1, self.depth + number % 2)
            guess = self.look(c, depth, guess).value

    def deepen(self, c: np.record) -> None:
        """One depth after the other, and at each the best line, the second best and so on."""
        lines: list[Found] = []
        for depth in range(1, min(self.limit.depth or DEEPEST, DEEPEST) + 1):
            deeper: list[Found] = []
            self.depth = depth
            c.bans = 0
            while len(deeper) < self.lines and not c.stopped:
                guess = lines[len(deeper)].value if len(deeper) < len(lines) else None
                found = self.look(c, depth, guess)
                found = self.finish(c, found) if found.actions else found
                if not found.actions:
                    break
                deeper.append(found)
                c.banned[c.bans % MOST_LINES] = U64(found.end)
                c.bans += 1
            known = {found.end for found in deeper}
            lines = deeper + [found for found in lines if found.end not in known][: self.lines - len(deeper)]
            lines.sort(key=lambda found: -found.value)
            if lines:
                self.report(max(1, depth - bool(c.stopped)), lines)
            if c.stopped or (lines and self.is_settled(lines, depth)):
                break
        if not lines:
            self.report(0, [self.anything(c)])

    def look(self, c: np.record, depth: int, guess: int | None) -> Found:
        """Search to a depth within a window around a guess, wider until the value lies inside."""
        width = WINDOW
        low, high = (-WIN, WIN) if guess is None or depth < 4 else (guess - width, guess + width)
        while True:
            low, high = max(low, -WIN), min(high, WIN)
            value = int(self._search(c, I(0), I(depth), I(low), I(high)))
            if c.stopped:
                value = int(c.value)
                if value <= -PROVEN:
                    return Found(value, ())  # that turn loses; of the others nothing is known yet
            if c.stopped or low < value < high or value <= low == -WIN or value >= high == WIN:
                return Found(value, tuple(int(action) for action in c.lines[0, : c.lengths[0]]))
            width *= 4
            low, high = (value - width, high) if value <= low else (low, value + width)
            if width > WIDEST:
                low, high = -WIN, WIN

    def finish(self, c: np.record, found: Found) -> Found:
        """Lengthen a line until its first turn is whole, and a proven win or loss is on the board.

        A line whose first turn cannot be made whole, whatever is varied, is none.
        """
        game, me = self.engine._game, self.root.position.player
        proven = WIN - abs(found.value) if abs(found.value) >= PROVEN else 0
        if self.lines == 1 and not game.long_turns and len(found.actions) >= proven:
            return found
        actions, states, whole = list(found.actions), [self.root.position.state], None
        most = min(c.nodes + PEEK, c.most_nodes)
        for action in actions:
            states.append(after(game.rules, states[-1], action))
        while True:
            whole = next((state for state in states[1:] if state.player != me), None)
            is_over = len(actions) >= MOST_ACTIONS or not legal_actions(game.rules, states[-1])
            left = proven - sum(one.player != other.player for one, other in pairwise(states))
            if is_over or (whole is not None and left <= 0):
                break
            following = self.peek(c, states[-1], max(2, left * game.judgement.USUAL_TURN), most)
            if following is None:
                break
            actions.append(following)
            states.append(after(game.rules, states[-1], following))
        if whole is None and legal_actions(game.rules, states[-1]):
            return self.vary(c, found.value, actions, states)
        end = int(key(states[-1] if whole is None else whole))
        first = next(n for n, state in enumerate(states) if state is whole or n == len(actions))
        actions[:first] = self.as_asked(self.plain(tuple(actions[:first]), end), end)
        return Found(found.value, tuple(actions), end)

    def plain(self, actions: tuple[int, ...], end: int) -> tuple[int, ...]:
        """A turn without actions that undo each other: to the search it is the same by whatever way it is made."""
        if not self.engine._game.long_turns or len(actions) > MOST_PLAIN:
            return actions
        for i, j in combinations(range(len(actions)), 2):
            fewer = actions[:i] + actions[i + 1 : j] + actions[j + 1 :]
            if (shorter := self.ended(fewer, end)) and len(shorter) < len(actions):
                return self.plain(shorter, end)
        return actions

    def ended(self, actions: tuple[int, ...], end: int) -> tuple[int, ...] | None:
        """These actions, and one more if it needs one, where that is a turn to the position of a key."""
        rules, me, state = self.engine._game.rules, self.root.position.player, self.root.position.state
        for action in actions:
            if state.player != me or action not in legal_actions(rules, state):
                return None
            state = after(rules, state, action)
        if state.player != me:
            return actions if key(state) == end else None
        last = (action for action in legal_actions(rules, state) if key(after(rules, state, action)) == end)
        return next(((*actions, action) for action in last), None)

    def peek(self, c: np.record, state: State, depth: int, most: int) -> int | None:
        """The best action of a state further on, by a small search; in a hurry, by a very small one."""
        orders, limit, stopped, bans, among = c.orders, c.most_nodes, c.stopped, c.bans, c.among
        c.states[0], c.keys[0] = state, key(state)
        c.stopped, c.most_nodes = 0, max(most, c.nodes + HURRY)
        if self.orders[0]:
            c.orders, c.most_nodes = CALM.ctypes.data, c.nodes + HURRY
        if state.player != self.root.position.player:
            c.bans = c.among = 0
        best = None
        for less in range(1, depth + 1):
            self._search(c, I(0), I(less), I(-WIN), I(WIN))
            if c.lengths[0] > 0:
                best = int(c.lines[0, 0])
            if c.stopped or (best is not None and c.value >= PROVEN):
                break
        c.states[0], c.keys[0] = self.root.position.state, U64(self.root.position.key)
        c.orders, c.most_nodes, c.stopped, c.bans, c.among = orders, limit, stopped, bans, among
        return best

    def vary(self, c: np.record, value: int, actions: Sequence[int], states: Sequence[State]) -> Found:
        """End a first turn that cannot be ended as it was begun: the last actions are varied first."""
        rules, me = self.engine._game.rules, self.root.position.player
        banned = {int(name) for name in c.banned[: c.bans]}
        tries = iter(range(PEEK))

        def ways(state: State, before: tuple[int, ...]) -> Iterator[Found]:
            for action in legal_actions(rules, state):
                if next(tries, None) is None:
                    return
                following, so_far = after(rules, state, action), (*before, action)
                if following.player == me and legal_actions(rules, following):
                    yield from ways(following, so_far)
                elif (end := int(key(following))) not in banned and self.may_end(end):
                    yield Found(value, self.as_asked(so_far, end), end)

        begun = range(len(actions), -1, -1)
        return next(chain.from_iterable(ways(states[n], tuple(actions[:n])) for n in begun), Found(value, ()))

    def as_asked(self, actions: tuple[int, ...], end: int) -> tuple[int, ...]:
        """A turn as it was asked for, if it was: the search may have come to the same position by other steps."""
        return next((turn.indices for turn in self.root.among if turn.after.key == end), actions)

    def anything(self, c: np.record) -> Found:
        """A turn that may be played, where the search was stopped before it found one."""
        for turn in self.root.among[:1]:
            return Found(0, turn.indices, turn.after.key)
        found = self.finish(c, Found(0, tuple(self.root.position.indices[:1])))
        if not found.actions or not self.may_end(found.end):
            found = self.vary(c, 0, (), (self.root.position.state,))
        if not found.actions:
            raise GameOver("every turn would repeat a position")
        return found

    def may_end(self, name: int) -> bool:
        """Whether a turn may lead to the position of that key, for all that was played and asked for."""
        if self.root.among and name not in self.root.ends:
            return False
        repetition = self.engine._game.repetition.under(self.root.position.options)
        return not repetition.is_illegal or self.root.keys.count(name) < repetition.times - 1

    def is_settled(self, lines: Sequence[Found], depth: int) -> bool:
        """Whether searching deeper is of no use: every line is seen to its end, and a shorter one would have shown.

        What was searched less deeply than the rest may hide a shorter win, until the depth is twice its length.
        """
        usual = self.engine._game.judgement.USUAL_TURN
        return len(lines) == self.lines and all(
            found.value == WIN - 1 or (abs(found.value) >= PROVEN and depth >= 2 * usual * (WIN - abs(found.value)))
            for found in lines
        )

    def report(self, depth: int, lines: Sequence[Found]) -> None:
        """Say what is thought now."""
        contexts = self.engine._contexts
        self.reports.put(
            Analysis(
                position=self.root.position,
                found=tuple(lines),
                scale=self.engine._weights.scale,
                depth=depth,
                deepest=int(contexts[0].deepest),
                nodes=sum(int(context.nodes) for context in contexts),
                seconds=time.perf_counter() - self.begun,
                fullness=self.engine._table.fullness(),
            )
        )


@cache
def parts(game: Game, weights: Weights | None = None) -> SimpleNamespace:
    """The compiled search of a game, with its own weights or others."""
    weights = weights or game.weights
    return searcher(game.rules, weigher(game.judgement, weights, game.name), f"{game.name}.{digest(weights)}")


def engine(  # noqa: PLR0913, PLR0917 - the keywords people expect
    game: Variant | str,
    level: int | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    threads: int = 1,
    megabytes: int = 16,
    seed: int = 0,
) -> Engine:
    """An engine for a game: of a level from 1 to 8, or as strong as its limits let it be; without either, endless."""
    chosen = variant(game) if isinstance(game, str) else game
    if level is not None:
        strength(level)  # Settings know a level 0, which is none.
    limit = Limit(depth, nodes, seconds)
    return Engine(chosen, Settings(threads, megabytes, level or 0, seed), limit)
