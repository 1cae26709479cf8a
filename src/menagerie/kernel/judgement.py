"""Judgement: how good a state looks, as a sum of terms; one source is weighed while searching and counted while tuning.

A game's `evaluate.py` names its terms and says, in `judge`, how much of each the state shows. What `add` does with that
is not its business: a search multiplies with the weights, a tuner keeps the amounts apart.

    value = sum over terms of  amount * (early weight * phase + late weight * (PHASES - phase)) / PHASES

Amounts are the first player's less the second's. This module is itself the judgement of a game that has none of its
own: it sees nothing but wins and losses.
"""

import hashlib
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from types import SimpleNamespace
from typing import Any, NamedTuple, Protocol

import numpy as np

from menagerie.errors import WeightsError
from menagerie.kernel.bits import I
from menagerie.kernel.compiled import compiled, instantiate, template, unbound
from menagerie.kernel.state import RecordType, State, record_type

PHASES = 64
"""The phase of a full board; 0 is that of an empty one."""

TALLY = record_type(("score", np.int64), ("phase", np.int64))
Tally = np.record


class Term(NamedTuple):
    """One thing that a judgement looks at: its name, a sentence, and how many numbered places it has."""

    name: str
    about: str
    places: int = 1


class Judgement(Protocol):
    """What a game's `evaluate.py` supplies; all compiled, `judge` and what it calls as templates.

    It may also have `forcing(state, actions)`, which lists just the legal actions with a gain, faster than all.
    """

    TERMS: tuple[Term, ...]
    USUAL_TURN: int
    """How many actions a usual turn has."""

    def judge(self, state: State, tally: Tally) -> None:
        """Set the phase if the game has any, and add every term."""

    def gain(self, state: State, action: int) -> int:
        """What a legal action wins at once, in the units of a value; above 0 it is forcing, else quiet."""

    def danger(self, state: State) -> bool:
        """Whether a value cannot be told by standing still: as in check, when passing would lose at once, when the
        rules force an exchange; and where the game is over.
        """

    def wins_at_once(self, state: State) -> int:
        """In how many actions the player to move can win before the other moves; 0 where none is seen.

        What is claimed must be true; what is not claimed may be.
        """

    def may_pass(self, state: State) -> bool:
        """Whether the player to move is hardly ever better off by passing here: what a null move assumes."""


TERMS: tuple[Term, ...] = ()
USUAL_TURN = 1


@template
def judge(state: State, tally: Tally) -> None:
    """A game without judgement has no terms."""


@compiled
def gain(state: State, action: int) -> int:
    """Nothing is known to win anything."""
    return I(0)


@compiled
def danger(state: State) -> bool:
    """No danger is known."""
    return False


@compiled
def wins_at_once(state: State) -> int:
    """No win is seen before it is made."""
    return I(0)


@compiled
def may_pass(state: State) -> bool:
    """Nothing is known of passing."""
    return False


def offsets(terms: Sequence[Term]) -> list[int]:
    """Where each term begins among the weights."""
    return [sum(term.places for term in terms[:index]) for index in range(len(terms))]


def places(terms: Sequence[Term]) -> int:
    """How many weights the terms have."""
    return sum(term.places for term in terms)


# The free name of `weigh`; `weigher` binds it. A number holds two weights, so that one addition serves both.
PAIRS: Any = np.zeros(1, np.int64)
HALF = 32
"""The early weight counts so many bits higher than the late one."""
SIGN = 1 << HALF - 1


def add(tally: Tally, term: int, amount: int) -> None:
    """Say that the state shows so much of a term; the name that `judge` uses until it is bound."""
    unbound(tally, term, amount)


@template
def weigh(tally: Tally, term: int, amount: int) -> None:
    """What `add` means while searching."""
    tally.score += amount * PAIRS[term]


@template
def evaluate(state: State, tally: Tally) -> int:
    """The value of a state for the player to move."""
    tally.score = I(0)
    tally.phase = I(PHASES)
    judge(state, tally)
    late = ((tally.score + SIGN) & (2 * SIGN - 1)) - SIGN
    early = (tally.score - late) >> HALF
    score = early * tally.phase + late * (PHASES - tally.phase)
    if state.player != 0:
        score = -score
    # Rounded towards zero, so that exchanged players exchange the sign and nothing else.
    return I(score // PHASES) if score >= 0 else I(-(-score // PHASES))


@template
def count(tally: Tally, term: int, amount: int) -> None:
    """What `add` means while tuning; the tally then has room for the amounts."""
    tally.amounts[term] += amount


@dataclass(frozen=True, eq=False)
class Weights:
    """The numbers that judgement is made of: for each place, early and late; and the command that found them.

    A value of `scale` is a chance of e : 1 to win.
    """

    values: np.ndarray
    made_by: str = ""
    scale: float = 300.0


def weigher(module: Any, weights: Weights, label: str) -> SimpleNamespace:
    """A game's judgement with its weights: `evaluate`, and what the game says of its actions."""
    pairs = (weights.values[:, 0] << HALF) + weights.values[:, 1]
    here = sys.modules[__name__]
    label = f"{label}.{digest(weights)}"
    adding = instantiate(here, label, PAIRS=pairs if len(pairs) else PAIRS)
    judging = instantiate(module, label, add=adding.weigh) if module is not here else adding
    return SimpleNamespace(
        evaluate=instantiate(here, label, judge=judging.judge).evaluate,
        gain=module.gain,
        danger=module.danger,
        wins_at_once=module.wins_at_once,
        forcing=getattr(module, "forcing", None),
        may_pass=module.may_pass,
        USUAL_TURN=module.USUAL_TURN,
    )


def digest(weights: Weights) -> str:
    """A name of the numbers, so that machine code made with one set is not taken for another's."""
    return hashlib.sha256(weights.values.tobytes()).hexdigest()[:8]


def counting_tally(module: Any) -> RecordType:
    """A tally that keeps the amounts apart."""
    return record_type(("score", np.int64), ("phase", np.int64), ("amounts", np.int64, max(1, places(module.TERMS))))


def counter(module: Any, label: str) -> Any:
    """A game's `judge` that counts amounts into a `counting_tally`."""
    adding = instantiate(sys.modules[__name__], f"{label}.counted")
    return instantiate(module, f"{label}.counted", add=adding.count).judge


def read_weights(file: Traversable, terms: Sequence[Term]) -> Weights:
    """The weights in a file, which must fit the terms."""
    if not terms:
        return Weights(np.zeros((0, 2), np.int64))
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise WeightsError(f"the weights in {file} cannot be read: {error}") from error
    table = content.get("weights", {})
    if not isinstance(table, dict):
        raise WeightsError(f"the weights in {file} are {table!r} instead of a table")
    if set(table) != {term.name for term in terms}:
        odd = sorted(set(table) ^ {term.name for term in terms})
        raise WeightsError(f"the weights in {file} do not fit the terms: {', '.join(odd)}")
    rows = np.zeros((places(terms), 2), np.int64)
    for term, start in zip(terms, offsets(terms), strict=True):
        try:
            given = np.array(table[term.name])
            if given.dtype.kind != "i":
                raise TypeError("not whole numbers")
            rows[start : start + term.places] = given.reshape(term.places, 2)
        except (TypeError, ValueError, OverflowError) as error:
            raise WeightsError(f"{term.name} in {file} needs {term.places} pairs of whole numbers") from error
    scale = content.get("scale", 300.0)
    if not isinstance(scale, int | float) or not 1 <= scale <= 100_000:
        raise WeightsError(f"the scale in {file} is {scale!r} instead of a number above 1")
    return Weights(rows, str(content.get("made_by", "")), float(scale))


def write_weights(weights: Weights, terms: Sequence[Term]) -> str:
    """The text of a weights file."""
    lines = [
        f"made_by = {_quoted(weights.made_by)}",
        f"scale = {weights.scale}",
        "",
        "[weights]  # early and late, for each place of a term",
    ]
    for term, start in zip(terms, offsets(terms), strict=True):
        rows = [f"[{early}, {late}]" for early, late in weights.values[start : start + term.places]]
        lines.append(f"{term.name} = {rows[0] if term.places == 1 else '[' + ', '.join(rows) + ']'}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'
