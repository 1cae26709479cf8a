"""The referee: plays a game between two players by our rules, and ends it where one of them breaks them."""

import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from menagerie.arena.players import Clocks, Player
from menagerie.errors import BadMove, IllegalMove, MenagerieError, NotationError, Resignation
from menagerie.match.match import Match
from menagerie.position import Action, Turn
from menagerie.search.limits import Clock, Limit

LONGEST = 400
GRACE = 2.0
"""How many seconds after it has lost on time a player is stopped by force."""
LEAST_TIME = 1e-3
CLOCK = re.compile(r"((?P<turns>[1-9]\d{0,3})/)?(?P<left>\d{1,6}(\.\d+)?)(\+(?P<added>\d{1,6}(\.\d+)?))?")
SHOWN = 300


@dataclass(frozen=True)
class Control:
    """What every player may use: a limit for each turn, a clock for the game; and how many plies a game may have.

    An answer may come some seconds late without losing: on a busy machine that is not the player's doing.
    """

    limit: Limit = field(default_factory=Limit)
    clock: Clock | None = None
    longest: int = LONGEST
    margin: float = 0.0

    @property
    def is_endless(self) -> bool:
        """Whether a player who sets himself no limit would think for ever."""
        return self.clock is None and self.limit == Limit()

    def __str__(self) -> str:
        parts = [f"--{name} {value:g}" for name, value in vars(self.limit).items() if value]
        if self.clock:
            period = f"{self.clock.turns}/" if self.clock.turns else ""
            parts.append(f"--clock {period}{self.clock.left:g}+{self.clock.added:g}")
        if self.longest != LONGEST:
            parts.append(f"--longest {self.longest}")
        if self.margin:
            parts.append(f"--margin {self.margin:g}")
        return " ".join(parts)


def read_clock(text: str) -> Clock:
    """The clock that a text like 60+1 or 40/60+1 describes: seconds for the game, or for so many turns, and seconds
    added after each turn.
    """
    said = CLOCK.fullmatch(text)
    clock = Clock(float(said["left"]), float(said["added"] or 0), int(said["turns"] or 0) or None) if said else Clock(0)
    if not 0 < clock.left < 1e6:
        raise MenagerieError(f"a clock is seconds for the game and added after a turn, 60+1 or 40/60+1, not {text!r}")
    return clock


def pressed(clock: Clock, seconds: float, control: Clock) -> Clock:
    """A clock after a turn that took so long: time is added, and at the end of a period all that a period has."""
    left = max(LEAST_TIME, clock.left - seconds) + clock.added
    if clock.turns == 1:
        return replace(control, left=left + control.left)
    return replace(clock, left=left, turns=clock.turns and clock.turns - 1)


class Fault(Exception):
    """What a player did wrong: the reason that the record gives, and a sentence."""

    def __init__(self, reason: str, words: str) -> None:
        self.reason, self.words = reason, " ".join(words.split())
        super().__init__(self.words)


def begin(match: Match, players: tuple[Player, Player], seeds: tuple[int, int]) -> Fault | None:
    """Tell both players of a new game; what is wrong with one who cannot play, which ends it."""
    for seat, (player, seed) in enumerate(zip(players, seeds, strict=True)):
        try:
            player.new_game(seed)
        except MenagerieError as error:
            fault = Fault("forfeit", f"{player.name} failed before the game: {str(error)[:SHOWN]}")
            return lost(match, seat, fault)
    return None


def play(match: Match, players: tuple[Player, Player], control: Control) -> Fault | None:
    """Play a match to its end; what a player did wrong, if that ended it."""
    clocks = (control.clock, control.clock) if control.clock else None
    while not match.outcome:
        if is_too_long(match, control.longest):
            match.end("adjudication", None)
            break
        seat = match.position.player
        try:
            turn, seconds = ask(players[seat], match, control, clocks)
            submit(players[seat], match, turn)
        except Resignation:
            match.resign()
            break
        except Fault as fault:
            return lost(match, seat, fault)
        if clocks and control.clock:
            mine, other = pressed(clocks[seat], seconds, control.clock), clocks[1 - seat]
            clocks = (mine, other) if seat == 0 else (other, mine)
    return None


def lost(match: Match, seat: int, fault: Fault) -> Fault:
    """End a match by what a player did wrong."""
    match.end(fault.reason, 1 - seat)
    match.comments[len(match.turns)] = fault.words
    return fault


def is_too_long(match: Match, longest: int) -> bool:
    """Whether machines call it a draw: at the end of their patience, or at the limit that they set themselves."""
    repetition = match.variant.game.repetition.under(match.variant.options)
    limit = 0 if repetition.plies else repetition.machine_plies
    return match.position.ply >= longest or 0 < limit <= match.position.quiet


def ask(player: Player, match: Match, control: Control, clocks: Clocks | None) -> tuple[Turn, float]:
    """A player's turn and the seconds it took; a Fault where it did not come, or too late; or its Resignation."""
    position = match.position
    allowed = control.limit.seconds
    if clocks:
        allowed = min(clocks[position.player].left, allowed or clocks[position.player].left)
    late = None if allowed is None else allowed + player.tolerance + control.margin
    begun = time.perf_counter()
    problem: Exception | None = None
    turn: Turn | None = None
    with watchdog(player, late):
        try:
            turn = player.choose(match, control.limit, clocks)
        except Resignation as resignation:
            problem = resignation
        except BadMove as error:
            problem = Fault("illegal", f"{player.name} played {error.text[:SHOWN]!r} in {position}: {error.why}")
        except (IllegalMove, NotationError) as error:
            problem = Fault("illegal", f"{player.name} played {error.text[:SHOWN]!r} in {position}: {error.reason}")
        except Exception as error:
            kind = "" if isinstance(error, MenagerieError) else f"{type(error).__name__}: "
            problem = Fault("forfeit", f"{player.name} failed in {position}: {kind}{str(error)[:SHOWN]}")
    seconds = time.perf_counter() - begun
    if late is not None and seconds > late:
        raise Fault("time", f"{player.name} took {seconds:.3f} s where {allowed:.3f} s were left in {position}")
    if problem or turn is None:
        raise problem or Fault("forfeit", f"{player.name} did not move in {position}")
    return turn, seconds


def submit(player: Player, match: Match, turn: Turn) -> None:
    """Play a turn if the rules let it be; a Fault if not."""
    reason = refusal(match, turn)
    if not reason:
        try:
            match.play(turn)
        except IllegalMove as error:
            reason = error.reason
    if reason:
        raise Fault("illegal", f"{player.name} played {text_of(turn)} in {match.position}: {reason}")


def refusal(match: Match, turn: Turn) -> str:
    """Why a turn is not legal as the board stands; nothing where it is."""
    if turn.position != match.position:
        return "it belongs to another position"
    now = match.position
    for count, index in enumerate(turn.indices, 1):
        if now.player != match.position.player:
            return f"the turn is over before its action {count}"
        if index not in now.indices:
            return f"its action {count} is not legal"
        now = Action(now, index).after
    if not turn.indices or (now.player == match.position.player and now.indices):
        return "the turn is not complete"
    return ""


def text_of(turn: Turn) -> str:
    """The turn as text, if anything can be made of it."""
    try:
        return repr(turn.code)
    except Exception:  # An illegal turn may have no text; any error of the notation says just that.
        return f"actions {turn.indices}"


@contextmanager
def watchdog(player: Player, seconds: float | None) -> Iterator[None]:
    """Stop a player by force when its time has been up for a while."""
    if seconds is None:
        yield
        return
    timer = threading.Timer(seconds + GRACE, player.close)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
