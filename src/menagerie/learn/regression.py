"""Logistic regression: the weights under which the results of games were likeliest.

    chance of the first player = 1 / (1 + exp(-value / scale)),   value = features · weights

Features are differences between the players, and there is no constant: exchanged players exchange their chances.
"""

from dataclasses import dataclass

import numpy as np

from menagerie.kernel.judgement import PHASES
from menagerie.learn.selfplay import Samples

BELIEF, PART = 20.0, 0.5
"""How far, in hundredths of a basic piece, a weight is believed to be off: so much, and this part of the weight."""
INDEPENDENT = 5
"""For how many results the positions of one game count: they all have the same."""
STEPS = 50
SMALLEST_STEP = 1e-6
LEAST_SCALE, MOST_SCALE = 5.0, 5000.0
DECILES = 10


def features(samples: Samples) -> np.ndarray:
    """What the early weights and the late weights are multiplied with."""
    early = samples.phases[:, None] / PHASES
    return np.hstack([samples.amounts * early, samples.amounts * (1 - early)])


def row_weights(games: np.ndarray) -> np.ndarray:
    """How much each row counts."""
    _, which, counts = np.unique(games, return_inverse=True, return_counts=True)
    return np.minimum(1.0, INDEPENDENT / counts[which])


def chances(logits: np.ndarray) -> np.ndarray:
    """The chance to win that each logit stands for."""
    return 0.5 * (1 + np.tanh(0.5 * logits))


def loss(logits: np.ndarray, results: np.ndarray, weights: np.ndarray) -> float:
    """How badly chances foretold results: the mean logarithm, draws counted half each way."""
    each = np.logaddexp(0, logits) - results * logits
    return float(np.average(each, weights=weights))


def fit_scale(values: np.ndarray, results: np.ndarray, weights: np.ndarray) -> float:
    """The scale that turns values into the truest chances: the loss is convex in 1 / scale, so halving finds it."""
    low, high = 1 / MOST_SCALE, 1 / LEAST_SCALE
    for _ in range(60):
        middle = (low + high) / 2
        slope = np.sum(weights * values * (chances(values * middle) - results))
        low, high = (low, middle) if slope > 0 else (middle, high)
    return 1 / low


@dataclass(frozen=True)
class Belief:
    """What is believed before looking: weights, and how far each may be off."""

    middle: np.ndarray
    spread: np.ndarray

    @classmethod
    def around(cls, weights: np.ndarray, doubt: float) -> "Belief":
        """The belief in the weights at hand, with more or less doubt than usual."""
        return cls(weights, doubt * (BELIEF + PART * np.abs(weights)))


def fit(samples: Samples, belief: Belief, scale: float) -> np.ndarray:
    """The weights that results and belief together make likeliest, by Newton's method."""
    problem = Problem(
        features(samples), samples.results, row_weights(samples.games), belief.middle / scale, belief.spread / scale
    )
    found = problem.middle.copy()
    for _ in range(STEPS):
        step = problem.step(found)
        while problem.cost(found - step) > problem.cost(found) and np.max(np.abs(step)) > SMALLEST_STEP:
            step /= 2
        found -= step
        if np.max(np.abs(step)) <= SMALLEST_STEP:
            break
    return found * scale


@dataclass(frozen=True)
class Problem:
    """Results to be explained by features, each row counted so much, with a belief about the answer."""

    features: np.ndarray
    results: np.ndarray
    counts: np.ndarray
    middle: np.ndarray
    spread: np.ndarray

    def cost(self, weights: np.ndarray) -> float:
        """How unlikely the results and the weights are together."""
        logits = self.features @ weights
        surprise = self.counts @ (np.logaddexp(0, logits) - self.results * logits)
        return float(surprise + 0.5 * np.sum(((weights - self.middle) / self.spread) ** 2))

    def step(self, weights: np.ndarray) -> np.ndarray:
        """Newton's step: what to take off the weights."""
        guess = chances(self.features @ weights)
        slope = self.features.T @ (self.counts * (guess - self.results)) + (weights - self.middle) / self.spread**2
        bend = (self.features.T * (self.counts * guess * (1 - guess))) @ self.features
        return np.linalg.solve(bend + np.diag(1 / self.spread**2), slope)


def calibration(logits: np.ndarray, results: np.ndarray) -> list[tuple[float, float, int]]:
    """By tenths of the positions, the worst chances first: the chance foretold, what came of it, how many."""
    order = np.argsort(logits)
    parts = [part for part in np.array_split(order, DECILES) if len(part)]
    return [(float(chances(logits[part]).mean()), float(results[part].mean()), len(part)) for part in parts]
