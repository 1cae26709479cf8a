"""A contest: two players, many openings, each played twice with the colours swapped, games side by side."""

import itertools
import shlex
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from menagerie.arena import openings, referee
from menagerie.arena.elo import Sprt, Tally
from menagerie.arena.openings import Opening
from menagerie.arena.players import Player, Recipe, read_player
from menagerie.arena.referee import Control
from menagerie.arena.workers import together
from menagerie.errors import MenagerieError, PlayerError
from menagerie.games import find
from menagerie.match.match import Match, read_all
from menagerie.match.record import decode
from menagerie.variant import Variant

SEEDS = 2**31 - 1


@dataclass(frozen=True)
class Contest:
    """Everything that decides how the games of a contest go."""

    game: str
    players: tuple[str, str]
    rules: str = ""
    control: Control = field(default_factory=Control)
    turns: int | None = None
    """How many random turns a game begins with, or turns of the book; None: as the game needs, or all."""
    seed: int = 1
    book: str = ""
    """A file of records whose turns games begin with."""

    @property
    def variant(self) -> Variant:
        """The game with its options."""
        game = find(self.game)
        return Variant(game, game.agreed(self.rules))

    @property
    def recipes(self) -> tuple[Recipe, Recipe]:
        """Both players as their texts describe them, by different names."""
        one, other = (read_player(text) for text in self.players)
        for recipe in (one, other):
            if self.control.is_endless and not recipe.ends:
                raise PlayerError(f"{recipe.name} would think for ever: it needs a limit of its own, or both need one")
        return one, replace(other, name=f"{other.name} (2)") if other.name == one.name else other

    @property
    def event(self) -> str:
        """The words of the command that decide how the games go."""
        words = ["match", self.game, *map(shlex.quote, self.players)]
        words += ["--rules", str(self.variant.options)] if str(self.variant.options) else []
        words += [str(self.control)] if str(self.control) else []
        words += ["--openings", str(self.turns)] if self.turns is not None else []
        words += ["--book", shlex.quote(self.book)] if self.book else []
        return " ".join([*words, "--seed", str(self.seed)])

    @property
    def openings(self) -> Iterator[Opening]:
        """The beginnings of its games."""
        if self.book:
            return openings.read_book(self.variant, Path(self.book), self.turns)
        turns = openings.usual_turns(self.variant) if self.turns is None else self.turns
        return openings.book(self.variant, turns, self.seed)


@dataclass(frozen=True)
class Pair:
    """An opening, and which of its two games are to be played."""

    opening: Opening
    games: tuple[int, ...]


@dataclass(frozen=True)
class Played:
    """A game that was played: in game 0 of a pair the first player of the contest begins, in game 1 the second."""

    pair: int
    game: int
    points: float
    """What the first player of the contest got."""
    reason: str
    fault: str = ""
    """What a player did wrong, in words."""
    way: int = 0
    """The positions it went through, as a number: the same game has the same."""
    record: str = ""


@dataclass
class Score:
    """How a contest stands."""

    played: dict[tuple[int, int], Played] = field(default_factory=dict)

    def add(self, played: Played) -> None:
        """One more game."""
        self.played[played.pair, played.game] = played

    @property
    def games(self) -> int:
        """How many games were played."""
        return len(self.played)

    @property
    def points(self) -> tuple[int, int, int]:
        """How many games the first player won, drew and lost."""
        counts = Counter(played.points for played in self.played.values())
        return counts[1.0], counts[0.5], counts[0.0]

    @property
    def tally(self) -> Tally:
        """The pairs of which both games were played; the same two games again tell nothing new, and do not count."""
        different = {(one.way, other.way): one.points + other.points for one, other in self._pairs}
        return Tally.of(different.values())

    @property
    def repeats(self) -> int:
        """How many pairs were the same two games as another."""
        return len(self._pairs) - len(self.tally)

    @property
    def _pairs(self) -> list[tuple[Played, Played]]:
        """Both games of every opening of which both were played."""
        whole = (pair for pair, game in self.played if game == 1 and (pair, 0) in self.played)
        return [(self.played[pair, 0], self.played[pair, 1]) for pair in whole]

    @property
    def reasons(self) -> dict[str, int]:
        """How the games ended, the usual ends first."""
        return dict(Counter(played.reason for played in self.played.values()).most_common())

    @property
    def faults(self) -> list[str]:
        """What players did wrong, game by game."""
        ordered = sorted(self.played.items())
        return [f"game {pair + 1}.{game + 1}: {played.fault}" for (pair, game), played in ordered if played.fault]


def run(
    contest: Contest, pairs: int, processes: int = 2, sprt: Sprt | None = None, records: Path | None = None
) -> Generator[Score, None, None]:
    """How the contest stands after each game, until all are played or the test is decided.

    Games that stand in the file of records are not played again; those that are played are added to it.
    """
    score = Score()
    for played in resumed(contest, pairs, records):
        score.add(played)
    yield score
    work = together(Room(contest), missing(contest, pairs, score), processes)
    with closing(work):
        while not (sprt and sprt.verdict(score.tally)):
            done = next(work, None)
            if done is None:
                break
            if records:
                with records.open("a", encoding="utf-8") as file:
                    file.write(done.record + "\n")
            score.add(replace(done, record=""))
            yield score


def missing(contest: Contest, pairs: int, score: Score) -> Iterator[Pair]:
    """The games still to be played, in pairs."""
    variant = contest.variant
    for recipe in contest.recipes:
        recipe.make(variant).close()  # What is wrong with a player is known, and all code compiled, before any begins.
    for opening in itertools.islice(contest.openings, pairs):
        games = tuple(game for game in range(2) if (opening.number, game) not in score.played)
        if games:
            yield Pair(opening, games)


def resumed(contest: Contest, pairs: int, records: Path | None) -> Iterator[Played]:
    """The games of this very contest that a file of records holds."""
    if records is None or not records.exists() or not records.stat().st_size:
        return
    try:
        for match in read_all(decode(records.read_bytes())):
            if match.tags.get("Event") == contest.event and match.outcome:
                pair, game = (int(part) - 1 for part in match.tags["Round"].split("."))
                fault = match.comments.get(len(match.turns), "")
                if pair < pairs:
                    yield Played(pair, game, points(match, game), match.outcome.reason, fault, hash(match.keys))
    except (KeyError, ValueError) as error:
        raise MenagerieError(f"{records} cannot be gone on with: {error}") from error


def points(match: Match, game: int) -> float:
    """What the first player of the contest gets for a game of a pair."""
    winner = match.outcome.winner if match.outcome else None
    return 0.5 if winner is None else float(winner == game)


class Room:
    """Where the games of a contest are played; its players stay for many games."""

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self.players: list[Player] = []

    def open(self) -> None:
        """Let the players in."""
        self.variant = self.contest.variant
        self.players = [self.make(seat) for seat in range(2)]

    def work(self, job: Pair) -> Iterator[Played]:
        """Play the games of a pair."""
        for game in job.games:
            yield self.play(job.opening, game)

    def play(self, opening: Opening, game: int) -> Played:
        """Play one game."""
        first = 1 + (self.contest.seed * 1_000_003 + 4 * opening.number + 2 * game) % SEEDS
        match = opening.played(self.variant)
        match.tags = self.tags(opening, game)
        players, seeds = (self.players[game], self.players[1 - game]), (first + game, first + 1 - game)
        fault = referee.begin(match, players, seeds) or referee.play(match, players, self.contest.control)
        assert match.outcome
        if fault and match.outcome.winner is not None:
            players[1 - match.outcome.winner].close()  # It is made anew for the next game.
        words = fault.words if fault else ""
        reason, way = match.outcome.reason, hash(match.keys)
        return Played(opening.number, game, points(match, game), reason, words, way, match.record())

    def tags(self, opening: Opening, game: int) -> dict[str, str]:
        """What the record says besides the moves."""
        seats = dict(zip(self.variant.game.players, (self.players[game], self.players[1 - game]), strict=True))
        tags = {"Event": self.contest.event, "Round": f"{opening.number + 1}.{game + 1}"}
        tags |= {seat: player.name for seat, player in seats.items()}
        source = f"from {self.contest.book}" if self.contest.book else "by chance"
        return tags | {"Opening": f"the first {len(opening.turns)} turns, {source}"}

    def make(self, seat: int) -> Player:
        """A player who knows how late it may answer."""
        return self.contest.recipes[seat].make(self.variant, self.contest.control.margin)

    def close(self) -> None:
        """Let the players go."""
        for player in self.players:
            player.close()
