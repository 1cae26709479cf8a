"""Tuning: self-play, then the weights that explain its results; and the scale that makes chances of values.

The numbers of a judgement are data in the game's folder, with the command that made them.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from menagerie.errors import MenagerieError
from menagerie.game import Game
from menagerie.kernel.judgement import Weights, offsets, write_weights
from menagerie.learn import selfplay
from menagerie.learn.regression import Belief, calibration, chances, features, fit, fit_scale, loss, row_weights
from menagerie.learn.selfplay import Practice, Samples

HELD_BACK = 5
"""One game in so many is not learnt from, to see what the others taught."""
FEWEST = 20
"""Positions below which nothing can be learnt."""
DOUBTS = (0.03, 0.1, 0.3, 1.0, 3.0)
"""How much the old weights are doubted, as a factor; the games held back choose."""
DECIDED = 0.02
"""Positions where a side has less of a chance than this teach nothing."""
CALIBRATION = 4
"""Tuned weights get their scale from this part of the games, played with them."""

Progress = Callable[[str, int], AbstractContextManager[Callable[[int], None]]]
"""A bar for something that has so many parts, which is told of each part that is done."""
Say = Callable[[str], None]


@dataclass(frozen=True)
class Tuning:
    """How much is played, by how many processes, and whom to tell."""

    practice: Practice
    games: int
    processes: int
    progress: Progress
    say: Say
    doubts: Sequence[float] = DOUBTS

    def gather(self, weights: Weights, first: int, games: int, what: str) -> Samples:
        """The positions of self-play with these weights."""
        parts = []
        with self.progress(what, games) as advance:
            for part in selfplay.play(self.practice, weights, range(first, first + games), self.processes):
                parts.append(part)
                advance(1)
        samples = Samples.joined(parts)
        if len(samples) < FEWEST:
            raise MenagerieError(f"{games} games gave {len(samples)} positions, too few to learn from")
        return samples


def tune(tuning: Tuning, weights: Weights, rounds: int) -> Weights:
    """The weights after some rounds, each with the positions of all rounds so far; and their scale."""
    refuse_without_terms(tuning.practice.variant.game)
    parts = list[Samples]()
    for count in range(rounds):
        parts.append(tuning.gather(weights, count * tuning.games, tuning.games, f"round {count + 1}: self-play"))
        weights = improved(weights, Samples.joined(parts), tuning.doubts, tuning.say)
    return calibrate(tuning, weights, rounds * tuning.games, -(-tuning.games // CALIBRATION))


def calibrate(tuning: Tuning, weights: Weights, first: int, games: int) -> Weights:
    """The same weights with the scale that fits what the search finds with them."""
    samples = tuning.gather(weights, first, games, "calibration: self-play")
    learnt, held = split(samples)
    scale = fit_scale(learnt.values, learnt.results, row_weights(learnt.games))
    before, after = (loss(held.values / one, held.results, row_weights(held.games)) for one in (weights.scale, scale))
    tuning.say(f"scale {weights.scale:.0f} → {scale:.0f}: loss {before:.4f} → {after:.4f} in games held back")
    compare(held, scale, tuning.say)
    return replace(weights, scale=round(scale, 1))


def check(tuning: Tuning, weights: Weights) -> None:
    """Hold the chances that weights and scale foretell against what comes of games."""
    samples = tuning.gather(weights, 0, tuning.games, "self-play")
    found = loss(samples.values / weights.scale, samples.results, row_weights(samples.games))
    tuning.say(f"scale {weights.scale:.0f}: loss {found:.4f} in {tuning.games} games")
    compare(samples, weights.scale, tuning.say)


def compare(samples: Samples, scale: float, say: Say) -> None:
    """Say what chances were foretold and what came of them, by tenths of the positions."""
    say("chance foretold, what came of it, positions:")
    for foretold, actual, count in calibration(samples.values / scale, samples.results):
        say(f"  {foretold:6.1%}  {actual:6.1%}  {count:6}")


def improved(weights: Weights, samples: Samples, doubts: Sequence[float], say: Say) -> Weights:
    """The weights that explain the results best; the same ones where others do no better in games held back."""
    learnt, held = split(samples.where(samples.quiet))
    old = np.concatenate([weights.values[:, 0], weights.values[:, 1]]).astype(float)
    scale = fit_scale(features(learnt) @ old, learnt.results, row_weights(learnt.games))
    learnt = undecided(learnt, old, scale)
    table, counts = features(held), row_weights(held.games)
    tries = [old, *(np.rint(fit(learnt, Belief.around(old, doubt), scale)) for doubt in doubts)]
    losses = [loss(table @ numbers / scale, held.results, counts) for numbers in tries]
    before, after, new = losses[0], min(losses), tries[int(np.argmin(losses))]
    say(
        f"{len(learnt)} quiet positions of {len(np.unique(samples.games))} games:"
        f" loss {before:.4f} → {after:.4f} in games held back"
    )
    if new is old:
        say("no better: the weights stay as they are")
        return weights
    return replace(weights, values=new.reshape(2, -1).T.astype(np.int64))


def undecided(samples: Samples, weights: np.ndarray, scale: float) -> Samples:
    """The positions where both sides still have a chance."""
    chance = chances(features(samples) @ weights / scale)
    return samples.where((chance > DECIDED) & (chance < 1 - DECIDED))


def split(samples: Samples) -> tuple[Samples, Samples]:
    """Most games to learn from, and the others."""
    held = samples.games % HELD_BACK == 0
    return samples.where(~held), samples.where(held)


def refuse_without_terms(game: Game) -> None:
    """A game without judgement has nothing to tune."""
    if not game.judgement.TERMS:
        raise MenagerieError(f"{game.title} has no judgement to tune")


def place(game: Game) -> Path:
    """Where a game keeps its weights."""
    return Path(str(game.folder)) / "weights.toml"


def write(weights: Weights, game: Game, file: Path, command: str) -> None:
    """Write weights with the command that made them."""
    file.write_text(write_weights(replace(weights, made_by=command), game.judgement.TERMS), encoding="utf-8")


def changes(game: Game, old: Weights, new: Weights) -> list[str]:
    """What became of the weights, a line for each term that changed."""
    lines = []
    for term, start in zip(game.judgement.TERMS, offsets(game.judgement.TERMS), strict=True):
        rows = slice(start, start + term.places)
        if (old.values[rows] != new.values[rows]).any():
            lines.append(f"{term.name}: {old.values[rows].tolist()} → {new.values[rows].tolist()}")
    return lines
